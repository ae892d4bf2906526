"""The export of a closed game proves each card that its reader saw, and reveals no other."""

import json
import subprocess
import sys
from collections import defaultdict
from functools import cache

import attrs
import pytest

from lilygames import codec
from lilygames.proofs import commitments
from lilygames.server.shell import exports
from lilygames.tables.log.acts import Closed
from lilygames.tables.seal.closed_deck import root_of
from lilygames.tables.sight.replay import replayed
from lilygames.tables.state import visible
from lilygames.tables.state.table import Table
from lilygames.tables.verify.closed_log import closed_export
from lilygames.tables.verify.export import Unreadable
from tests.tables.sealed_games import SECRET, Host, remade
from tests.tables.verify.test_receipts import receipt
from tests.tables.verify.test_verify_game import SCRIPT, acts
from tests.toys import ALL, installed

POKER = pytest.mark.skipif("lilypoker" not in ALL, reason="not here: lilypoker")
READERS = ("bob", "carol", "dave", "a spectator")


def host_of(game, options):
    """Return the host of a closed table, as a place opens it."""
    table = commitments.table_id(12, game.name, game.rules.VERSION, commitments.seal_of(SECRET))
    root = root_of(SECRET, table, 1, game.hidden(options))
    return Host(game, options, sealed=True, root=root)


@cache
def session(name, seed=1, **changes):
    """Return the host of a whole closed session of three."""
    game = ALL[name]
    options = attrs.evolve(game.quick_options or game.rules.Options(), **changes)
    host = host_of(game, options).seat("bob", "carol", "dave").commit("bob", "carol").seal().reveal("bob", "carol")
    return host.start().play(seed, most=250).then(Closed(""))


def exported(host, name="bob"):
    return closed_export(host.table.header, host.table.game, SECRET, host.entries, name=name)


def run(rows, folder):
    """Return the exit code and output of the script that imports none of our code."""
    file = folder / "game.jsonl"
    file.write_text("\n".join(rows), "utf-8")
    done = subprocess.run([sys.executable, "-I", SCRIPT, file], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def proved(rows, deck):
    """Return the cards that an export proves, by hand."""
    cards = defaultdict(set)
    for row in map(json.loads, rows):
        if "proof" in row:
            cards[row["proof"][1]].add(deck[row["value"]])
    return cards


def seen(host, seat):
    """Return the cards that a seat saw, by hand, up to a reshuffle: its own and those that were shown."""
    cards, hand, open_ = defaultdict(set), 0, False
    table = Table(host.table.header, host.table.game, SECRET)
    for step in replayed(table, host.entries):
        for event in step.events:
            if type(event).__name__ == "HandBegun":
                hand, open_ = event.number, True
            elif type(event).__name__ == "Reshuffled":
                open_ = False
            known = visible.seen(event, seat)
            if known is not None and open_:
                cards[hand] |= cards_in(codec.dump(known))
    return cards


def cards_in(data):
    match data:
        case str():
            return {data} if data in DECK else set()
        case dict():
            return set().union(*map(cards_in, data.values()))
        case list():
            return set().union(*map(cards_in, data))
    return set()


DECK = [f"{rank}{suit}" for suit in "CDHS" for rank in (*range(2, 11), *"JQKA")]


@pytest.mark.parametrize("name", ["lilypoker", "liarspoker"])
@pytest.mark.parametrize("reader", READERS)
def test_export_of_a_closed_game_is_verified_by_both_verifiers(name, reader, tmp_path):
    installed(name)
    rows = exported(session(name), reader)
    code, said = run(rows, tmp_path)
    verdict = exports.verify("\n".join(rows), ALL)

    assert (0, True) == (code, verdict.match), said
    assert "this is all that can be checked" in said.splitlines()[-1]
    assert verdict.sentence.endswith("Deck sealed by bob and carol.")


@POKER
@pytest.mark.parametrize("seed", range(1, 7))
@pytest.mark.parametrize("reader", READERS)
def test_cards_that_a_reader_saw_are_proved_and_no_others(seed, reader):
    """Own cards and shown ones, in the hand in which they were seen; never a mucked or folded card of another seat."""
    host = session("lilypoker", seed)
    seat = READERS.index(reader) if reader in host.table.names else None
    expected = {hand: cards for hand, cards in seen(host, seat).items() if cards}

    assert expected == dict(proved(exported(host, reader), DECK))
    assert seat is None or expected


@POKER
def test_export_has_neither_moves_nor_digests_of_the_story():
    """A discard names cards, and a digest would let anyone try all hands."""
    rows = [json.loads(row) for row in exported(session("lilypoker"), "a spectator")]

    assert not [row for row in rows if row.get("act", {}).get("is") in ("Moved", "Expired")]
    assert not [row for row in rows if "told" in row]
    assert SECRET.hex() not in "".join(map(json.dumps, rows))


@POKER
def test_readers_learn_no_salt_of_a_card_that_they_did_not_see():
    """With a salt, 52 tries find the card."""
    host = session("lilypoker")
    salts = {
        reader: {row["salt"] for row in map(json.loads, exported(host, reader)) if "proof" in row} for reader in READERS
    }

    assert salts["a spectator"] < salts["bob"]
    assert salts["bob"] - salts["carol"]


def test_numbers_of_own_slips_are_proved_and_those_that_were_counted_openly():
    installed("liarspoker")
    rows = [json.loads(row) for row in exported(session("liarspoker"), "bob")]
    own = [row["item"] for row in rows if row.get("proof") == ["slip", 1, 0]]
    others = [row["item"] for row in rows if "proof" in row and row["proof"][2] != 0]

    assert [*range(1, 16)] == own
    assert len(others) < 15


def another_value(rows):
    shown(rows)[0]["value"] += 1


def another_item(rows):
    shown(rows)[0]["item"] += 1


def another_hand(rows):
    shown(rows)[0]["proof"][1] += 1


def another_salt(rows):
    shown(rows)[0]["salt"] = "00" * 32


def shorter_path(rows):
    shown(rows)[0]["path"].pop()


def another_root(rows):
    rows[0]["header"]["root"] = "00" * 32


def another_root_in_both_places(rows):
    another_root(rows)
    acts(rows, "Sealing")[0]["act"]["sealing"]["root"] = "00" * 32


def another_round(rows):
    shown(rows)[0]["round"] = 2


def card_twice(rows):
    rows.append(shown(rows)[0])


def another_number(rows):
    acts(rows, "Revealed")[0]["act"]["nonce"] = "ab" * 32


def reveal_left_out(rows):
    rows.remove(acts(rows, "Revealed")[0])


def commitment_after_the_sealing(rows):
    place = rows.index(acts(rows, "Sealing")[0]) + 1
    rows.insert(place, {**rows[place], "act": {"is": "Committed", "name": "dave", "commit": "00" * 32}})


def another_word(rows):
    acts(rows, "Sealing")[0]["act"]["sealing"]["words"] = [["bob", "spades"]]


def shown(rows):
    return [row for row in rows if "proof" in row]


FORGERIES = [
    *(another_value, another_item, another_hand, another_salt, shorter_path, another_root, another_root_in_both_places),
    *(another_round, card_twice, another_number, reveal_left_out, commitment_after_the_sealing, another_word),
]


@POKER
@pytest.mark.parametrize("forge", FORGERIES, ids=lambda forge: forge.__name__)
def test_forgery_is_found_by_both_verifiers(forge, tmp_path):
    rows = [json.loads(row) for row in exported(session("lilypoker"))]
    forge(rows)
    forged = remade(rows)
    code, said = run(forged, tmp_path)

    assert 1 == code
    assert said.splitlines()[-1].startswith("No match: ")
    assert not exports.verify("\n".join(forged), ALL).match


@POKER
def test_row_that_does_not_fit_its_link_is_found_by_both_verifiers(tmp_path):
    rows = [json.loads(row) for row in exported(session("lilypoker"))]
    rows[20]["by"], rows[21]["link"] = "eve", "00" * 32
    rows = [json.dumps(row) for row in rows]

    assert 1 == run(rows, tmp_path)[0]
    assert "row 22 of table #12 (lilypoker) has a wrong link" in exports.verify("\n".join(rows), ALL).sentence


@POKER
def test_receipts_are_checked_against_a_closed_export_too():
    game = ALL["lilypoker"]
    host = host_of(game, game.quick_options or game.rules.Options()).seat("bob", "carol", "dave").commit("bob", "carol")
    mine = receipt(host.seal())
    rows = exported(session("lilypoker"))

    assert ["Your client's number of round 1 is in the deal."] == [
        verdict.sentence for verdict in exports.verify_receipts("\n".join(rows), [mine])
    ]


@POKER
def test_closed_export_cannot_be_replayed():
    with pytest.raises(Unreadable, match="its seal is closed"):
        exports.replay("\n".join(exported(session("lilypoker"))), installed=ALL)


@POKER
def test_damaged_proof_is_reported_as_such():
    rows = [json.loads(row) for row in exported(session("lilypoker"))]
    shown(rows)[0]["salt"] = "not hex"

    with pytest.raises(Unreadable, match="a proof in this export can't be read"):
        exports.verify("\n".join(remade(rows)), ALL)
