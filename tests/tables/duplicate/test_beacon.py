"""A public beacon's number goes into the daily deals, so that the host can't have chosen them."""

import json

import attrs
import pytest

from lilygames.games import games
from lilygames.gametest.stage import Stage
from lilygames.proofs import commitments
from lilygames.proofs.commitments import Sealed
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.store.memory import MemoryStore
from lilygames.tables.duplicate.daily_deals import DailyDeals
from lilygames.tables.duplicate.duplicate_set import DuplicateSet, SetHeader
from lilygames.tables.duplicate.streaks import Streaks
from lilygames.tables.log import beacon
from lilygames.tables.log.acts import Sealing
from lilygames.tables.log.beacon import BeaconDown, Chain, chain_of, fits, value_of
from lilygames_rules.kit import Refused
from tests.clock import Clock
from tests.tables.duplicate.test_daily import NOON, played_out

MAINNET = "8990e7a9aaed2ffed73dbd7092123d6f289930540d7651336225dc172e51b2ce"
INFO = {
    "public_key": "868f005eb8e6e4ca0a47c8a77ceaa5309a47978a7c71bc5cce96366b5d7a569937c529eeda66c7293784a9402801af31",
    "period": 30,
    "genesis_time": 1595431050,
    "hash": MAINNET,
    "groupHash": "176f93498eac9ca337150b46d21dd58673ea4e3581185f869672e59fa4cb390a",
    "schemeID": "pedersen-bls-chained",
    "metadata": {"beaconID": "default"},
}
"""The information about the first public chain, as its servers tell it."""
ROUND_1 = {
    "round": 1,
    "randomness": "101297f1ca7dc44ef6088d94ad5fb7ba03455dc33d53ddb412bbc4564ed986ec",
    "signature": "8d61d9100567de44682506aea1a7a6fa6e5491cd27a0a0ed349ef6910ac5ac20ff7bc3e09d7c046566c9f7f3c6f3b101"
    "04990e7cb424998203d8f7de586fb7fa5f60045417a432684f85093b06ca91c769f0e7ca19268375e659c2a2352b4655",
    "previous_signature": INFO["groupHash"],
}
"""The first round of that chain."""
CHAIN = Chain(MAINNET, 30, 1595431050)
NAME = f"drand:{MAINNET}"
VALUE = ROUND_1["randomness"]


def text(data):
    return json.dumps(data).encode()


def test_information_of_a_chain_fits_its_hash():
    assert CHAIN == chain_of(text(INFO), MAINNET)


@pytest.mark.parametrize(
    "change",
    [
        {"period": 3},
        {"period": 0},
        {"genesis_time": 1595431051},
        {"genesis_time": -1},
        {"public_key": "00"},
        {"public_key": "no digits"},
        {"metadata": {"beaconID": "other"}},
        {"metadata": 7},
    ],
)
def test_information_that_does_not_fit_the_hash_of_the_chain_is_refused(change):
    with pytest.raises(BeaconDown):
        chain_of(text(INFO | change), MAINNET)


def test_number_of_a_round_is_the_hash_of_its_signature():
    assert VALUE == value_of(text(ROUND_1), 1)


@pytest.mark.parametrize(
    "change",
    [{"round": 2}, {"randomness": "00" * 32}, {"signature": "00"}, {"signature": "no digits"}, {"round": None}],
)
def test_number_that_does_not_fit_is_refused(change):
    with pytest.raises(BeaconDown):
        value_of(text(ROUND_1 | change), 1)


@pytest.mark.parametrize("answer", [b"", b"[]", b"null", b"<html>", b"{}", b"\xff", b"[" * 100_000])
def test_answer_that_is_not_an_object_is_refused(answer):
    with pytest.raises(BeaconDown):
        value_of(answer, 1)
    with pytest.raises(BeaconDown):
        chain_of(answer, MAINNET)


@pytest.mark.parametrize(
    ("at", "number"), [(0, 1), (1595431050, 1), (1595431050.5, 2), (1595431080, 2), (1595431081, 3), (1595431110, 3)]
)
def test_first_round_is_drawn_at_or_after_the_time(at, number):
    assert number == CHAIN.first_round(at)


def test_word_names_chain_round_and_number():
    assert f"{NAME}:1:{VALUE}" == CHAIN.word(1, VALUE)


@pytest.mark.parametrize(
    ("named", "words", "allowed"),
    [
        ("", (), True),
        (NAME, (("beacon", f"{NAME}:1:{VALUE}"),), True),
        (NAME, (("beacon", "none"),), True),
        (NAME, (), False),
        ("", (("beacon", "none"),), False),
        (NAME, (("bob", "none"),), False),
        (NAME, (("beacon", "plums"),), False),
        (NAME, (("beacon", f"{NAME}:1:{VALUE}"), ("beacon", "none")), False),
        (NAME, (("beacon", f"drand:{'0' * 64}:1:{VALUE}"),), False),
        (NAME, (("beacon", f"{NAME}:01:{VALUE}"),), False),
    ],
)
def test_one_word_of_the_named_beacon_is_sealed(named, words, allowed):
    assert allowed == fits(named, words)


class Told:
    """A beacon that tells what the test sets, and remembers when it was asked."""

    name = NAME

    def __init__(self, word=f"{NAME}:1:{VALUE}"):
        self.told = word
        self.asked = []

    async def word(self, at):
        self.asked.append(at)
        if not self.told:
            raise BeaconDown("no answer")
        return self.told


@pytest.fixture
def clock():
    """Noon of 22 November."""
    return Clock(NOON)


@pytest.fixture
def drand():
    return Told()


@pytest.fixture
def store():
    return MemoryStore()


@pytest.fixture
async def stage(clock, drand, store):
    """A place with Ohell and a beacon, on which ann is, on the day before its first deal with it."""
    return await opened(clock, drand, store)


async def opened(clock, drand, store):
    stage = await Stage.open({"ohell": games()["ohell"]}, store=store, clock=clock)
    tables = stage.tables
    tables.daily_deals = DailyDeals(
        tables.duplicates,
        tables.games,
        Streaks(store, stage.accounts.key, UnreadableRows()),
        stage.accounts,
        seniority=stage.host.seniority,
        zone=tables.daily_deals.zone,
        beacon=drand,
    )
    stage.enter("ann")
    return stage


async def midnight(stage, clock):
    """Show the seal of 23 November, and wait for that day."""
    await stage.look("duplicate_watch")
    clock.passes(hours=12)


async def deal(stage):
    return await stage.tables.duplicates.find("daily-ohell-2026-11-23")


async def test_seal_is_shown_before_the_beacon_is_asked(stage, drand, clock):
    drand.told = ""
    await stage.look("duplicate_watch")
    tomorrow = await deal(stage)

    assert NAME == tomorrow.header.beacon
    assert not tomorrow.sealed
    assert tomorrow.header.opens not in drand.asked
    assert tomorrow.header.seal[:4] in (await stage.type("ann", "/daily"))[-1]


async def test_number_of_midnight_is_sealed_with_the_cards(stage, drand, clock):
    await midnight(stage, clock)
    await stage.look("duplicate_watch")
    today = await deal(stage)

    assert (("beacon", f"{NAME}:1:{VALUE}"),) == today.words
    assert today.header.opens == drand.asked[-1] == clock.now
    assert any(
        "Drawn with round 1 of the public beacon drand:8990e7a9" in row for row in await stage.type("ann", "/daily")
    )


async def test_number_decides_the_cards():
    """The seal alone doesn't: the secret is the same here."""
    hands = []
    for value in (VALUE, VALUE, "00" * 32):
        clock = Clock(NOON)
        stage = await opened(clock, Told(f"{NAME}:1:{value}"), MemoryStore())
        await midnight(stage, clock)
        await stage.look("duplicate_watch")
        await stage.type("ann", "/daily ohell")
        hands.append(stage.table(1).table.view(0))

    assert hands[0] == hands[1]
    assert hands[0] != hands[2]


async def test_deal_waits_for_the_number(stage, drand, clock):
    drand.told = ""
    await midnight(stage, clock)
    await stage.look("duplicate_watch")
    shown = await stage.type("ann", "/daily ohell")

    assert any("today's cards aren't drawn yet" in row for row in shown)
    assert [] == [*stage.open_tables]
    drand.told = f"{NAME}:1:{VALUE}"
    await stage.look("duplicate_watch")
    await stage.type("ann", "/daily ohell")
    assert [1] == [*stage.open_tables]


async def test_deal_is_sealed_without_a_number_ten_minutes_after_midnight(stage, drand, clock):
    drand.told = ""
    await midnight(stage, clock)
    clock.passes(minutes=9, seconds=59)
    await stage.look("duplicate_watch")
    assert not (await deal(stage)).sealed
    clock.passes(seconds=1)
    await stage.look("duplicate_watch")

    assert ((beacon.BY, "none"),) == (await deal(stage)).words
    assert "The public beacon couldn't be reached" in " ".join(" ".join(await stage.type("ann", "/daily")).split())


async def test_late_number_is_used_if_the_server_was_down_at_midnight(stage, drand, clock):
    await midnight(stage, clock)
    clock.passes(hours=9)
    await stage.look("duplicate_watch")

    assert "none" not in (await deal(stage)).words[0]


async def test_beacon_is_asked_once_for_all_games_of_a_day(clock, drand, store):
    stage = await opened(clock, drand, store)
    stage.tables.daily_deals = DailyDeals(
        stage.tables.duplicates,
        {name: game for name, game in games().items() if name in ("ohell", "wizard")},
        Streaks(store, stage.accounts.key, UnreadableRows()),
        stage.accounts,
        seniority=stage.host.seniority,
        zone=stage.tables.daily_deals.zone,
        beacon=drand,
    )
    await midnight(stage, clock)
    drand.asked.clear()
    await stage.look("duplicate_watch")

    assert [clock.now] == drand.asked


async def test_verify_names_the_number_that_was_drawn(stage, clock):
    await midnight(stage, clock)
    await stage.look("duplicate_watch")
    await stage.type("ann", "/daily ohell")
    await played_out(stage, "ann", 1)
    clock.passes(days=3)
    await stage.look("duplicate_watch")
    shown = " ".join(" ".join(await stage.type("ann", "/verify 1")).split())

    assert "Match: " in shown
    assert "drawn with round 1 of a public beacon" in shown


async def test_deal_opened_before_the_beacon_was_set_is_dealt_without_it(clock, drand, store):
    before = await opened(clock, None, store)
    await midnight(before, clock)
    after = await opened(clock, drand, store)
    await after.look("duplicate_watch")

    assert () == (await deal(after)).words
    assert [] == drand.asked


def test_sealing_without_the_word_of_the_beacon_is_refused():
    seal = commitments.seal_of(bytes(32))
    header = SetHeader("daily-ohell-2026-11-23", "ohell", 1, {}, seal, "table", until=1.0, beacon=NAME, opens=0.0)
    found, sealed = DuplicateSet(header, seq=1), Sealed(1, seal, "", {}, (("", ""), ("Ada", "club")))

    with pytest.raises(Refused):
        found.after(Sealing(sealed))
    assert found.after(Sealing(attrs.evolve(sealed, words=(("beacon", "none"),)))).sealed


async def test_deal_whose_seal_was_not_shown_before_midnight_has_no_beacon(stage, drand, clock):
    """The host could have chosen its secret after the number was known."""
    clock.passes(hours=12)
    await stage.look("duplicate_watch")

    assert "" == (await deal(stage)).header.beacon
    assert (await deal(stage)).sealed
    assert [] == drand.asked
    assert "Today's seals weren't shown before midnight" in " ".join(await stage.type("ann", "/daily"))
