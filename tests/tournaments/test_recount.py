"""A tournament with a kill and players who drop out, checked from the logs by other code (`scripts/simulating`)."""

import copy
import json
from fractions import Fraction

import pytest

from lilygames.tables.results.results import substituted
from lilygames.tables.state.table import Table
from scripts.simulating.plants import with_lost_result, with_repeat
from scripts.simulating.recount import acts_of, faults

EIGHT = ("ann", "bob", "cat", "dan", "eve", "fay", "gus", "hal")


async def outcome(club, number):
    """Return a finished table's seats from its own log: key, score, and whether the player left."""
    archive = club.stage.tables.archive
    header, entries = await archive.read(number)
    table = Table(header, club.stage.tables.games[header.game], await archive.sealed_secret(header, entries))
    for entry in entries:
        table, _ = table.read(entry)
    first = substituted(entries)
    names = [first.get(seat, "" if who.house else who.name) for seat, who in enumerate(table.seats)]
    return [
        (name, score, bool(name) and name != who.name)
        for name, score, who in zip(names, table.outcome.scores, table.seats, strict=True)
    ]


@pytest.fixture
async def played(club):
    """Three rounds: one player disconnects, one leaves in mid-game, one leaves in between, and one joins late."""
    await club.new("rounds=3", "pause=0")
    await club.start(*EIGHT)
    await club.look()
    await club.type("bob", "/leave")
    await club.play()
    await club.look()
    await club.type("cat", "/tournament leave")
    await club.type("ivy", "/tournament join")
    await club.look()
    club.stage.tables.carried_over.asleep = True
    await club.open()
    club.enter(*(name for name in (*EIGHT, "ivy") if name != "dan"))
    await club.look()
    await club.look(200)
    await club.play()
    for _ in range(3):
        await club.look()
    await club.round()
    await club.look()
    over = await club.director.store.find(1)
    assert "over" == over.status
    return club


async def facts(club):
    """Return the acts of the log, the outcomes of the tables, and the standings."""
    page = await club.store.read("tournament/1")
    acts = [json.loads(entry.body)["act"] for entry in page.entries]
    outcomes = {act["number"]: await outcome(club, act["number"]) for act in acts_of(acts, "TableOpened")}
    over = await club.director.store.find(1)
    return acts, outcomes, [(row.name, Fraction(row.points, 2)) for row in over.standings]


async def test_pairings_results_and_standings_are_those_of_the_logs(played):
    acts, outcomes, shown = await facts(played)

    assert {"bob", "cat", "dan", "ivy"} < {name for name, _ in shown}
    assert ["dan"] == [act["key"] for act in acts_of(acts, "NoShow")]
    assert [] == faults(acts, outcomes, shown)
    assert {} == await played.store.every("open")


async def test_planted_faults_are_found(played):
    acts, outcomes, shown = await facts(played)

    assert any("is lost" in fault for fault in faults(with_lost_result(acts), outcomes, shown))
    assert any("meet again" in fault for fault in faults(with_repeat(acts), outcomes, shown))

    other = copy.deepcopy(acts)
    acts_of(other, "TableFinished")[1]["seats"][0]["score"] += 1
    assert any("isn't that of its game" in fault for fault in faults(other, outcomes, shown))

    twice = copy.deepcopy(acts)
    tables = acts_of(twice, "RoundPaired")[1]["tables"]
    tables[0]["people"][0] = tables[1]["people"][0]
    assert any("not everyone is at exactly one table" in fault for fault in faults(twice, outcomes, shown))

    wrong = [(name, points + (name == "ann")) for name, points in shown]
    assert any("should be" in fault for fault in faults(acts, outcomes, wrong))


def paired(round_, *tables):
    people = [name for table in tables for name in table]
    seats = [{"people": [*table]} for table in tables]
    return {"is": "RoundPaired", "round": round_, "of": 3, "seed": "", "order": people, "byes": [], "tables": seats}


def test_planted_repeat_pairing_is_found():
    """Nine people at threes meet nobody twice in two rounds, unless someone swaps them in the log."""
    first, last = paired(1, "abc", "def", "ghi"), paired(3, "aei", "bfg", "cdh")
    good, bad = paired(2, "adg", "beh", "cfi"), paired(2, "abg", "deh", "cfi")

    assert not any("meet again" in fault for fault in faults([first, good, last], {}, [], seats=3))
    assert any("meet again" in fault for fault in faults([first, bad, last], {}, [], seats=3))


NINE = [act for name in "abcdefghi" for act in ({"is": "Joined", "key": name}, {"is": "CheckedIn", "key": name})]


@pytest.mark.parametrize(
    ("acts", "fault"),
    [
        ([*NINE, {"is": "Left", "key": "a"}, paired(1, "adg", "beh", "cfi")], "others are paired"),
        ([*NINE, paired(1, "abc", "def", "ghi")], "don't follow from the order"),
        ([*NINE, paired(1, "abcde", "fghi")], "sizes of the tables"),
        ([*NINE, paired(1, "adg", "beh", "cfi"), paired(2, "abc", "def", "ghi")], "order isn't that of the standings"),
        ([*NINE, paired(1, "adg", "beh", "cfi"), paired(3, "ied", "abc", "hgf")], "last round isn't by standing"),
    ],
)
def test_illegal_pairing_is_found(acts, fault):
    orders = {1: "abcdefghi", 2: "abcdefghi", 3: "ieabdhcgf"}
    acts = [{**act, "order": [*orders[act["round"]]]} if act["is"] == "RoundPaired" else act for act in acts]

    assert any(fault in one for one in faults(acts, {}, [], seats=3))
