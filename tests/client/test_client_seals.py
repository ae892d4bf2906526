"""The client takes part in sealing a deck over a real connection, without being asked."""

import json

import pytest

from lilygames.proofs import commitments
from lilygames.proofs.receipt import read_receipt
from lilygames.tables.verify.receipt_check import check_receipts
from lilygames.tables.verify.verify import verify
from lilygames.text import Packet
from tests.toys import TOYS

SEAL = commitments.seal_of(bytes(32))
TABLE = commitments.table_id(12, "tally", 1, SEAL)
OFFER = {"table": "tally", "number": 12, "game": "tally", "version": 1, "duplicate": "", "first": SEAL, "round": 1}
OFFER |= {"seal": SEAL, "root": "", "T": TABLE}


@pytest.fixture
def typed(place, monkeypatch):
    """The lines that reach the server after the login."""
    lines, hear = [], place.dispatcher.hear

    async def heard(person, line):
        lines.append(line)
        await hear(person, line)

    monkeypatch.setattr(place.dispatcher, "hear", heard)
    return lines


def receipts(tmp_path):
    return [json.loads(file.read_text()) for file in tmp_path.rglob("receipts/*/*.json")]


async def test_client_commits_and_reveals_without_a_word(sit, door, place, typed, tmp_path):
    ann = sit(door.port)
    await ann.enter("ann")
    place.host.people["ann"].packet(Packet("seal", OFFER))
    await ann.expect("there is no table")
    (receipt,) = receipts(tmp_path)
    sealing = {"round": 1, "seal": SEAL, "root": "", "options": {}, "seats": [["ann", ""]], "purses": [], "words": []}
    sealing["commits"] = [["ann", receipt["commit"]]]
    code = commitments.sealing_digest(TABLE, sealing)
    told = {"table": "tally", "number": 12, "T": TABLE, "D": code, "sealing": sealing}
    place.host.people["ann"].packet(Packet("sealing", told))
    await ann.expect("there is no table")

    assert [f"/at 12 commit {receipt['commit']}", f"/at 12 reveal {receipt['nonce']}"] == typed
    assert receipt["commit"] == commitments.commitment(TABLE, 1, "ann", bytes.fromhex(receipt["nonce"]))
    assert "WARNING" not in ann.drawn.text
    assert receipt["nonce"] not in ann.drawn.text


async def test_warning_is_shown_to_the_person(sit, door, place):
    ann = sit(door.port)
    await ann.enter("ann")
    place.host.people["ann"].packet(Packet("seal", OFFER))
    await ann.expect("there is no table")
    place.host.people["ann"].packet(Packet("seal", OFFER | {"seal": commitments.seal_of(b"x")}))

    await ann.expect("WARNING: at table #12, the host has changed its seal")


async def test_own_line_is_never_typed_into_a_prompt(sit, door, place, typed, tmp_path):
    """The server would take it for the answer, here for a password."""
    ann = sit(door.port)
    await ann.enter("ann", "plums and pears")
    ann.type("/password")
    await ann.expect("Old password")
    place.host.people["ann"].packet(Packet("seal", OFFER))
    ann.type("walnuts")
    await ann.expect("isn't your password")
    await ann.expect("Old password")
    ann.type("")
    await ann.expect("there is no table")
    (receipt,) = receipts(tmp_path)

    assert ["/password", f"/at 12 commit {receipt['commit']}"] == typed
    assert "walnuts" not in ann.drawn.text


async def test_whole_game_is_sealed_without_a_word_and_its_receipt_checked(sit, door, place, tmp_path):
    """With a real table: the client commits on sitting down and reveals at the start; the person sees one row."""
    ann = sit(door.port)
    await ann.enter("ann")
    await ann.sit_down()
    await ann.expect(r"Deck sealed by ann\.\s+Code\s+([0-9a-f]{4}\s+){2}[0-9a-f]{2}\.")
    await ann.play_on()
    archive = place.tables.archive
    header, entries = await archive.read(1)
    (receipt,) = receipts(tmp_path)
    checked = [*check_receipts(header, entries, [read_receipt(json.dumps(receipt))])]

    assert [receipt["revealed"]] == receipt["D"]
    assert [True] == [one.match for one in checked]
    assert verify(header, entries, TOYS).match
    assert "WARNING" not in ann.drawn.text
    assert "had no part" not in ann.drawn.text
    assert receipt["nonce"] not in ann.drawn.text


async def test_client_goes_on_sealing_after_a_lost_connection(sit, door, place, tmp_path):
    """It commits to the same number again, and reveals it as soon as it is asked."""
    ann = sit(door.port)
    await ann.enter("ann")
    ann.type("/new tally max=3 first-dealer=host")
    await ann.expect("come back with: ")
    door.connections[0].abort()
    await ann.expect("login: resume\n")
    await ann.expect(r"You're in .*\n")
    ann.type("/house 1")
    await ann.expect("Ada")
    ann.type("/start")
    await ann.expect("Deck sealed by ann")

    assert 1 == len(receipts(tmp_path))
    assert "WARNING" not in ann.drawn.text


async def test_nothing_is_said_about_a_daily_deal_that_no_client_seals(sit, door):
    ann = sit(door.port)
    await ann.enter("ann")
    ann.type("/daily tally")
    await ann.expect("Daily deal: ")
    await ann.expect("Your turn: ")

    assert "sealing the deck" not in ann.drawn.text
