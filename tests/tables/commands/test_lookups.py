"""Lookups for programs: a finished game in positions, finished games, statistics, and today's deals."""

import json

import attrs
import pytest

from lilygames.edge.screens.machine import as_json
from lilygames.edge.wire import outbox
from lilygames.gametest.stage import Stage
from lilygames.picture import Picture, Piece, Zone
from lilygames.tables.commands import lookups
from tests.schemas import misfits
from tests.tables.sight.test_replay import DRAWN, played_out

TINY = 5


@pytest.fixture
def tally():
    return DRAWN


@pytest.fixture
async def stage(store):
    stage = await Stage.open(DRAWN, store=store)
    for name in ("ann", "bob", "cat"):
        stage.enter(name)
        stage.screens[name].takes_packets = True
    return stage


@pytest.fixture
def get(stage):
    """Return a function that types a lookup and returns the value of the packet that comes."""

    async def got(name, line):
        stage.screens[name].packets.clear()
        await stage.type(name, line)
        what = line.split()[0].removeprefix("/get:")
        (value,) = (packet.value for packet in stage.screens[name].packets if packet.name == what)
        assert [] == [*misfits({what: value})]
        assert as_json(value)
        return value

    return got


async def play(stage, finish, words="", number=1):
    await stage.type("ann", f"/new tally max=3 first-dealer=host {words}")
    await stage.type("bob", f"/sit {number}")
    await stage.type("ann", f"/at {number} start")
    await finish(number)


async def test_guest_has_no_seat_in_a_game_of_an_earlier_guest_with_their_name(stage, finish, get):
    await play(stage, finish)
    ann = stage.people["ann"]
    ann.set_guest(guest=True)

    assert 0 == (await get("ann", "/get:replay 1"))["seat"]

    ann.activity.since = stage.host.clock() + 1

    assert (await get("ann", "/get:replay 1"))["seat"] is None


async def test_private_table_of_an_earlier_guest_is_unknown_to_the_next_one(stage, finish):
    await stage.type("ann", "/new tally private=on max=3 first-dealer=host bob")
    await stage.type("bob", "/sit 1")
    await stage.type("ann", "/at 1 start")
    await finish(1)
    bob = stage.people["bob"]
    bob.set_guest(guest=True)

    assert [] == [row for row in await stage.type("bob", "/log 1") if "Refused" in row]

    bob.activity.since = stage.host.clock() + 1

    assert ["Refused: there was never a table #1. Type /tables to list the open tables."] == await stage.type(
        "bob", "/log 1"
    )


async def test_replay_has_every_step_of_a_game_in_pages(stage, finish, get):
    await play(stage, finish)
    first, second = await get("ann", "/get:replay 1"), await get("ann", f"/get:replay 1 {lookups.PAGE + 1}")
    steps = [one["step"] for one in (*first["steps"], *second["steps"])]

    assert [*range(1, first["count"] + 1)] == steps
    assert second["parts"] is None
    assert ["tally", ["ann", "bob"], 0] == [first["game"], first["names"], first["seat"]]


async def test_replay_names_the_first_step_of_each_round_and_trick(stage, finish, get):
    await play(stage, finish)
    parts = (await get("ann", "/get:replay 1"))["parts"]

    assert {"step": 1, "names": ["round 1 of 5"]} == parts[0]
    assert ["round 1 of 5", "trick 1 of 1"] == parts[1]["names"]
    assert sorted({one["step"] for one in parts}) == [one["step"] for one in parts]
    assert "round 5 of 5" in {name for one in parts for name in one["names"]}


async def test_replay_of_an_open_game_shows_every_hand(stage, finish, get):
    await play(stage, finish)
    step = (await get("cat", "/get:replay 1"))["steps"][0]

    assert [0, 1] == [one["seat"] for one in step["hands"]]
    assert all(len(one["cards"]) == 1 for one in step["hands"])


async def test_replay_under_a_closed_seal_shows_the_own_hand_only(stage, finish, get):
    await play(stage, finish, "seal=closed")
    ann, cat = await get("ann", "/get:replay 1"), await get("cat", "/get:replay 1")

    assert {0} == {hand["seat"] for one in ann["steps"] for hand in one["hands"]}
    assert [] == [hand for one in cat["steps"] for hand in one["hands"]]
    assert {None} == {one["picture"]["mine"] for one in cat["steps"]}


def with_a_die(view, reader):
    """Return a picture with a die that only the second seat sees."""
    die = Piece("die", "K" if reader.seat == 1 else "?", open=False)
    return Picture(("game 1",), zones=(Zone("On the table", (die,)),))


async def test_replay_of_an_open_game_shows_dice_that_someone_saw(store, monkeypatch):
    monkeypatch.setitem(DRAWN, "tally", attrs.evolve(DRAWN["tally"], picture=with_a_die))
    stage = await Stage.open(DRAWN, store=store)
    for name in ("ann", "bob"):
        stage.enter(name).takes_packets = True
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("bob", "/sit tally")
    await stage.type("ann", "/start")
    await played_out(stage)
    await stage.type("ann", "/get:replay 1")

    (value,) = [packet.value for packet in stage.screens["ann"].packets if packet.name == "replay"]
    assert {"K"} == {
        die["face"] for one in value["steps"] for zone in one["picture"]["zones"] for die in zone["pieces"]
    }


async def test_replay_says_each_step_for_eyes_and_ears(stage, finish, get):
    await play(stage, finish)
    steps = (await get("ann", "/get:replay 1"))["steps"]

    assert ["You bid 0."] == next(one["text"] for one in steps if one["text"][0].startswith("You bid"))
    assert any(" of " in " ".join(one["say"]) for one in steps), "cards are words"


async def test_replay_of_a_private_game_is_for_its_players(stage, finish, get):
    await stage.type("ann", "/new tally private=on max=3 bob")
    await stage.type("bob", "/sit 1")
    await finish()
    assert (await get("bob", "/get:replay 1"))["count"]
    stage.screens["cat"].packets.clear()

    assert ["Refused: there was never a table #1. Type /tables to list the open tables."] == await stage.type(
        "cat", "/get:replay 1"
    )
    assert [] == stage.screens["cat"].packets


async def test_game_that_is_not_over_has_no_replay(stage):
    await stage.type("ann", "/new tally max=3")
    await stage.type("bob", "/sit 1")
    await stage.type("ann", "/start")

    assert (await stage.type("ann", "/get:replay 1"))[0].startswith("Refused: table #1 isn't over yet.")


async def whole_export(get):
    """Return the rows of game 1, and the packets in which they came."""
    rows, parts = [], []
    while not parts or len(rows) < parts[0]["count"]:
        parts.append(await get("ann", f"/get:export 1 {len(rows) + 1}"))
        rows += parts[-1]["rows"]
    return rows, parts


async def test_export_is_what_export_shows(stage, finish, get):
    await play(stage, finish)
    rows, parts = await whole_export(get)

    assert await stage.type("ann", "/export 1") == rows
    assert 1 == len(parts)


async def test_export_of_a_long_log_comes_in_parts_that_an_outbox_can_hold(stage, finish, get, monkeypatch):
    await play(stage, finish)
    long = [json.dumps({"seq": number, "told": '"' * (number % 800)}) for number in range(4000)]

    async def export_of(*_):
        return [*long, "x" * lookups.PART, "y" * (lookups.PART + 1), "z"]

    monkeypatch.setattr(lookups, "export_of", export_of)
    rows, parts = await whole_export(get)

    assert await export_of() == rows
    assert outbox.HARD < sum(map(len, rows))
    assert all(len(as_json(part)) < outbox.HARD / 2 for part in parts)


async def test_export_of_a_game_that_is_not_over_is_refused(stage):
    await stage.type("ann", "/new tally max=3")
    await stage.type("bob", "/sit 1")
    await stage.type("ann", "/start")

    assert await stage.type("ann", "/export 1") == await stage.type("ann", "/get:export 1")


async def test_played_lists_finished_games_and_hides_private_ones_from_others(stage, finish, get):
    await play(stage, finish)
    await stage.type("ann", "/new tally private=on max=3 bob")
    await stage.type("bob", "/sit 2")
    await finish(2)

    assert [2, 1] == [one["number"] for one in (await get("ann", "/get:played"))["games"]]
    assert [2, 1] == [one["number"] for one in (await get("ann", "/get:played bob"))["games"]]
    assert [1] == [one["number"] for one in (await get("cat", "/get:played bob"))["games"]]


async def test_stats_have_the_totals_that_stats_shows(stage, finish, get):
    await play(stage, finish)
    (game,) = (await get("cat", "/get:stats ann"))["games"]

    assert ["tally", 1, 1] == [game["game"], game["games"], len(game["recent"])]
    assert [("bob", False)] == [(one["name"], one["bot"]) for one in game["rivals"]]


async def test_stats_of_nobody_are_refused_in_a_sentence(stage):
    said = await stage.type("cat", "/get:stats zed")

    assert ["Refused: no account is called “zed”. Type /who to see who is here."] == said


async def test_daily_says_which_deals_are_new_and_how_played_ones_ended(stage, finish, get):
    before = await get("ann", "/get:daily")
    await stage.type("ann", "/daily tally")
    during = await get("ann", "/get:daily")

    assert ["tally", "new", None] == [before["deals"][0][key] for key in ("game", "state", "table")]
    assert ["tally", "playing", 1] == [during["deals"][0][key] for key in ("game", "state", "table")]


async def test_lookup_tells_someone_who_reads_a_screen_what_to_type(stage):
    stage.screens["cat"].takes_packets = False

    assert ["Refused: /get:stats is for programs. Type /stats instead."] == await stage.type("cat", "/get:stats")
