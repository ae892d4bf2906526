"""The place's own tournaments: joined from the schedule, begun on time, filled with bots, and never empty."""

import asyncio
import gzip
import json
from contextlib import suppress

import attrs
import pytest

from lilygames.bus.local import LocalBus
from lilygames.edge.web.pages import PageRequest
from lilygames.games import games
from lilygames.gametest.stage import SETTINGS, Stage
from lilygames.limits.quota import Who
from lilygames.sites.kept import packed
from lilygames.store import StoreUnavailable
from lilygames.store.memory import MemoryStore
from tests.calendar.test_noticeboard import notices
from tests.nodes.conftest import settled
from tests.tournaments.conftest import Club
from tests.tournaments.test_director import Dying

HOURLY = attrs.evolve(SETTINGS, tournaments="hourly liedie arena minutes=25")
SWISS = attrs.evolve(SETTINGS, tournaments="hourly ohell swiss max=3 rounds=3 pause=0")
KNOCKOUT = attrs.evolve(SETTINGS, tournaments="hourly ohell knockout max=3 pause=0")
BOTH = attrs.evolve(SETTINGS, tournaments=f"{HOURLY.tournaments}; daily 15:00 ohell swiss")
TO_THE_HOUR = 46 * 60 + 40
"""Seconds from the time at which the tests begin, Monday 14:13:20, to 15:00."""


async def opened(time, settings):
    return await opened_on(MemoryStore(clock=time), time, settings)


async def opened_on(store, time, settings):
    club = await Club(time, store, settings).open()
    club.enter("ann", "bob", "cat", "dan", "eve")
    for name in club.stage.screens:
        club.stage.screens[name].take()
    return club


def opening(settings):
    async def open_club(time):
        return await opened(time, settings)

    return pytest.fixture(open_club)


arenas, swiss, knockouts, both = map(opening, (HOURLY, SWISS, KNOCKOUT, BOTH))


def text(rows):
    return " ".join(" ".join(rows).split())


def told(club, name):
    return text(club.stage.screens[name].take())


async def says(club, name, line):
    return text(await club.type(name, line))


async def stored(club):
    return (await club.store.heads(["tournaments"]))["tournaments"]


async def kinds(club, number=1):
    return [json.loads(entry.body)["act"]["is"] for entry in (await club.store.read(f"tournament/{number}")).entries]


async def go_by(club, seconds, step=60):
    """Let time pass in steps, with the looks of the place."""
    for _ in range(seconds // step):
        await club.look(step)
        await club.stage.look("tournament_reminders")


async def play_on(club, steps=400):
    """Play until the tournaments are over, 10 seconds at a time."""
    for _ in range(steps):
        await club.look(10)
        await club.play()
        if not club.director.open:
            return
    raise AssertionError("a tournament doesn't end")


# the schedule


async def test_coming_tournament_is_listed_with_its_time_and_how_to_join(arenas):
    assert (
        "liedie-arena: liedie arena, lasts 25 minutes, begins Mon 21 Sep 15:00, in 47 minutes."
        " Type /tournament join liedie-arena." == await says(arenas, "ann", "/tournament")
    )


async def test_coming_tournament_is_among_the_notices_with_nobody_joined(arenas):
    (one,) = notices(arenas.stage)["events"]

    assert (0, "liedie-arena", "", 0, False, "liedie", "open") == tuple(
        one[part] for part in ("number", "title", "by", "joined", "mine", "game", "state")
    )
    assert arenas.time.now + TO_THE_HOUR == one["at"]
    await arenas.type("ann", "/tournament join")
    (one,) = notices(arenas.stage, "ann")["events"]
    assert (1, 1, True) == tuple(one[part] for part in ("number", "joined", "mine"))


async def test_hours_in_which_nobody_plays_are_not_stored_and_nobody_hears_of_them(arenas):
    await arenas.type("ann", "/notify tournament off")
    told(arenas, "ann")
    await go_by(arenas, 24 * 3600, 300)

    assert 0 == await stored(arenas)
    assert "" == told(arenas, "ann")
    assert "Tue 22 Sep 15:00" in await says(arenas, "ann", "/tournament")


async def test_first_person_who_joins_stores_the_tournament_and_nobody_is_told_of_a_plan(arenas):
    said = await says(arenas, "ann", "/tournament join")

    assert "(you have joined liedie-arena, which begins Mon 21 Sep 15:00, in 47 minutes; you'll be taken" in said
    assert 1 == await stored(arenas)
    assert ("ann",) == arenas.now_in.present
    await arenas.look()
    assert "" == told(arenas, "bob")
    assert "1 player, starts at Mon 21 Sep 15:00" in await says(arenas, "bob", "/tournament")
    await says(arenas, "bob", "/tournament join liedie-arena")
    assert 1 == await stored(arenas)
    assert ("ann", "bob") == arenas.now_in.present


async def test_next_tournament_is_joined_without_naming_it(both):
    """Two begin at 15:00: the arena, and the Swiss one. Someone who has joined the first one joins the second."""
    assert "joined liedie-arena" in await says(both, "ann", "/tournament join")
    assert "joined ohell-swiss" in await says(both, "ann", "/tournament join")
    assert "joined ohell-swiss" in await says(both, "bob", "/tournament join ohell-swiss")
    assert "there's no open tournament “chess-cup”" in await says(both, "bob", "/tournament join chess-cup")
    assert "you left liedie-arena" in await says(both, "ann", "/tournament leave liedie-arena")


async def test_tournament_has_another_name_if_a_person_or_a_room_has_it(arenas):
    arenas.enter("liedie-arena")

    assert "you have joined liedie-arena-2" in await says(arenas, "ann", "/tournament join liedie-arena")
    assert "you have joined liedie-arena-2" in await says(arenas, "bob", "/tournament join liedie-arena-2")


async def test_tournament_of_a_person_with_the_same_name_leaves_the_place_s_another_one(swiss):
    async def since(_):
        return 0.0

    swiss.stage.accounts.since = since
    await says(swiss, "ann", "/tournament new ohell swiss start=in_3h")

    assert "ohell-swiss-2: ohell Swiss, begins" in await says(swiss, "bob", "/tournament")
    assert "joined ohell-swiss-2" in await says(swiss, "bob", "/tournament join ohell-swiss-2")


async def test_nobody_but_a_sysop_corrects_a_tournament_of_the_place(arenas):
    await says(arenas, "ann", "/tournament join")

    assert "liedie-arena runs by itself, so only a sysop" in await says(arenas, "ann", "/tournament cancel")


async def test_person_who_is_banned_from_tournaments_of_people_may_join(arenas):
    await arenas.director.store.add_no_show("ann", "an earlier one", arenas.time.now)

    assert "you have joined liedie-arena" in await says(arenas, "ann", "/tournament join")


@pytest.mark.parametrize("writes", range(5))
async def test_tournament_is_stored_once_if_the_server_is_killed_meanwhile(time, writes):
    whole = MemoryStore(clock=time)
    dying = Dying(whole, 1000)
    club = await opened_on(dying, time, HOURLY)
    dying.writes = writes
    with suppress(StoreUnavailable):
        await club.director.begin(club.director.coming()[0])
    club.stage.tables.carried_over.asleep = True
    club.store = whole
    await club.open()
    club.enter("ann")
    await says(club, "ann", "/tournament join liedie-arena")

    assert 1 == await stored(club)
    assert ("ann",) == club.now_in.present
    assert await club.director.store.seed(club.now_in.header)


async def test_two_nodes_store_one_tournament(time):
    store, bus = MemoryStore(clock=time), LocalBus()
    clubs = [Club(time, store, HOURLY) for _ in range(2)]
    for club, seed, name in zip(clubs, "ab", ("ann", "bob"), strict=True):
        club.stage = await Stage.open(games(), store=store, seed=seed, bus=bus, clock=time, settings=HOURLY)
        club.enter(name)
    await settled(*(club.stage for club in clubs))
    await asyncio.gather(
        *(club.stage.hear(name, "/tournament join") for club, name in zip(clubs, ("ann", "bob"), strict=True))
    )
    await settled(*(club.stage for club in clubs))
    for club in clubs:
        await club.look()

    assert 1 == await stored(clubs[0])
    assert [("ann", "bob")] * 2 == [tuple(sorted(club.now_in.present)) for club in clubs]
    assert ["liedie-arena"] * 2 == [club.now_in.header.name for club in clubs]


# the lobby


async def lobby_lines(club, *names):
    await club.stage.look("tournament_reminders")
    await club.stage.quiet()
    return {name: told(club, name) for name in names}


LINE = "*** liedie-arena begins in 10 minutes. Type /tournament join liedie-arena to play. ***"


async def test_lobby_is_told_once_10_minutes_before(arenas):
    arenas.time.now += TO_THE_HOUR - 601
    assert {"ann": ""} == await lobby_lines(arenas, "ann")
    arenas.time.now += 1

    assert {"ann": LINE, "bob": LINE} == await lobby_lines(arenas, "ann", "bob")
    arenas.time.now += 60
    assert {"ann": ""} == await lobby_lines(arenas, "ann")


async def test_lobby_s_line_is_off_for_those_who_turned_it_off_and_for_those_who_joined(arenas):
    await arenas.type("ann", "/notify tournament off")
    await arenas.type("bob", "/tournament join")
    arenas.time.now += TO_THE_HOUR - 600
    told(arenas, "ann")
    told(arenas, "bob")

    heard = await lobby_lines(arenas, "ann", "bob", "cat")

    assert "" == heard["ann"]
    assert "to play" not in heard["bob"]
    assert LINE == heard["cat"]


async def test_lobby_is_told_once_after_a_restart_and_of_one_start_an_hour(time):
    often = attrs.evolve(SETTINGS, tournaments="hourly liedie arena; hourly :20 ohell arena; hourly :40 wizard arena")
    club = await Club(time, MemoryStore(clock=time), often).open()
    club.enter("ann")
    heard = []
    for _ in range(3 * 60 - 5):
        await club.open()
        club.enter("ann")
        told(club, "ann")
        heard += [line for line in (await lobby_lines(club, "ann")).values() if "to play" in line]
        time.now += 60

    assert 3 == len(heard)


async def test_lobby_is_told_of_two_tournaments_in_one_line(both):
    both.time.now += TO_THE_HOUR - 300

    assert {
        "ann": "*** liedie-arena and ohell-swiss begin in 5 minutes. Type /tournament join liedie-arena or ohell-swiss"
        " to play. ***"
    } == await lobby_lines(both, "ann")


async def test_lobby_is_told_once_by_several_nodes(time):
    """Both look at once, and each has one of the people."""
    store, bus = MemoryStore(clock=time), LocalBus()
    nodes = [await Stage.open(games(), store=store, seed=seed, bus=bus, clock=time, settings=HOURLY) for seed in "ab"]
    for stage, name in zip(nodes, ("ann", "bob"), strict=True):
        stage.enter(name)
    await settled(*nodes)
    time.now += TO_THE_HOUR - 600
    await asyncio.gather(*(stage.look("tournament_reminders") for stage in nodes))
    await settled(*nodes)
    rows = text([*nodes[0].screens["ann"].take(), *nodes[1].screens["bob"].take()])

    assert 2 == rows.count(LINE)
    for stage in nodes:
        await stage.node.end()


# arena


async def test_one_visitor_plays_an_arena_at_the_next_hour_with_bots_after_8_seconds(arenas):
    await arenas.type("ann", "/tournament join")
    await arenas.look(TO_THE_HOUR)
    assert "the arena begins. You play as often as you like for 25 minutes." in told(arenas, "ann")
    await arenas.look(7)
    assert {} == arenas.stage.open_tables
    await arenas.look(1)

    for _ in range(2):
        await arenas.look()
    assert ["ann"] == [who.name for who in arenas.stage.table(1).table.seats if who.person]
    assert arenas.stage.table(1).table.started


async def test_table_without_another_person_counts_half(arenas):
    await arenas.type("ann", "/tournament join")
    await arenas.look(TO_THE_HOUR)
    await play_on(arenas)
    over = await arenas.director.store.find(1)
    (row,) = over.arena_standings
    results = [table.result(1).points["ann"] for table in over.rounds[0].tables]

    assert sum(results) // 2 == row.points > 0
    assert len(results) == row.tables > 2
    assert "which counts half without another person" in told(arenas, "ann")


async def test_table_with_another_person_counts_whole(arenas):
    for name in ("ann", "bob"):
        await arenas.type(name, "/tournament join")
    await arenas.look(TO_THE_HOUR)
    for _ in range(4):
        await arenas.look(3)
    await arenas.play()
    await arenas.look()
    (table, *_) = arenas.now_in.rounds[0].tables

    assert table.result(1).points == {row.name: row.points for row in arenas.now_in.arena_standings}
    assert "counts half" not in told(arenas, "ann")


async def test_person_who_is_not_connected_at_the_start_plays_once_they_say_that_they_are_back(arenas):
    for name in ("ann", "bob"):
        await arenas.type(name, "/tournament join")
    arenas.stage.drop("bob")
    await arenas.look(TO_THE_HOUR)
    for _ in range(3):
        await arenas.look(5)
    assert [("ann",)] == [table.paired.people for table in arenas.now_in.rounds[0].tables]
    await arenas.stage.come("bob")
    assert not next(one for one in notices(arenas.stage, "bob")["events"] if one["number"])["mine"]

    assert "you play in liedie-arena from the next table on" in await says(arenas, "bob", "/tournament join")
    await arenas.look(8)
    assert ("bob",) == arenas.now_in.rounds[0].tables[-1].paired.people


async def test_nobody_waits_at_a_table_for_someone_who_has_disconnected(arenas):
    for name in ("ann", "bob"):
        await arenas.type(name, "/tournament join")
    await arenas.look(TO_THE_HOUR)
    for _ in range(4):
        await arenas.look(3)
    arenas.stage.drop("bob")
    await arenas.type("ann", "/leave")
    await arenas.play()
    for _ in range(4):
        await arenas.look(5)

    assert 1 == len(arenas.now_in.rounds[0].tables)
    assert "Type /tournament join to play on." in told(arenas, "ann")
    await arenas.type("ann", "/tournament join")
    await arenas.look(8)
    assert ("ann",) == arenas.now_in.rounds[0].tables[-1].paired.people


async def test_player_who_disconnects_before_the_table_starts_is_not_banned(arenas):
    for name in ("ann", "bob"):
        await arenas.type(name, "/tournament join")
    await arenas.look(TO_THE_HOUR)
    await arenas.look(8)
    arenas.stage.drop("bob")
    await arenas.look(179)
    await arenas.look(2)

    assert "NoShow" in await kinds(arenas)
    assert not arenas.now_in.players["bob"].playing
    assert None is await arenas.director.store.ban("bob")


async def test_start_waits_quietly_for_someone_to_be_there(arenas):
    await arenas.type("ann", "/tournament join")
    arenas.stage.drop("ann")
    await arenas.look(TO_THE_HOUR + 60)
    assert "open" == arenas.now_in.status
    await arenas.stage.come("ann")
    await arenas.look()

    assert "running" == arenas.now_in.status


async def test_tournament_that_everyone_left_before_its_start_is_not_listed(arenas):
    await arenas.type("ann", "/tournament join")
    await arenas.type("ann", "/tournament leave")
    await go_by(arenas, TO_THE_HOUR + 11 * 60)

    assert {} == arenas.director.open
    assert "Cancelled" not in await kinds(arenas)
    listed = await says(arenas, "bob", "/tournament")
    assert "begins Mon 21 Sep 16:00" in listed
    assert "#1" not in listed


async def test_guests_play_and_are_listed_apart(arenas):
    arenas.stage.enter("guest1", guest=True)
    for name in ("ann", "guest1"):
        await arenas.type(name, "/tournament join")
    await arenas.look(TO_THE_HOUR)
    await play_on(arenas)
    rows = [row.split()[:2] for row in await arenas.type("bob", "/tournament standings #1")]

    assert [["liedie-arena:"], ["1.", "ann"], ["Guests:"], ["1.", "guest1"]] == rows
    assert "won by ann" in await says(arenas, "bob", "/tournament")


# Swiss and knockout


@pytest.mark.parametrize("people", [("ann",), ("ann", "bob"), ("ann", "bob", "cat")])
@pytest.mark.parametrize("settings", [SWISS, KNOCKOUT])
async def test_fewer_than_4_people_play_two_rounds_with_bots(time, settings, people):
    club = await opened(time, settings)
    for name in people:
        await club.type(name, "/tournament join")
    await club.look(TO_THE_HOUR)
    assert "round 1 of 2 begins" in told(club, "ann")
    await play_on(club)
    over = await club.director.store.find(1)

    assert "over" == over.status
    assert [[(len(people), 4 - len(people))]] * 2 == [
        [(len(table.paired.people), table.paired.bots) for table in one.tables] for one in over.rounds
    ]
    assert {*people} == {row.name for row in over.standings}


async def test_fourth_person_may_join_a_short_tournament_before_round_2(swiss):
    for name in ("ann", "bob", "cat"):
        await swiss.type(name, "/tournament join")
    await swiss.look(TO_THE_HOUR)
    assert "from the next round on" in await says(swiss, "dan", "/tournament join")
    await play_on(swiss)
    over = await swiss.director.store.find(1)

    assert [3, 4] == [len(one.tables[0].paired.people) for one in over.rounds]


async def test_four_people_play_the_tournament_as_it_is_in_the_schedule(knockouts):
    for name in ("ann", "bob", "cat", "dan"):
        await knockouts.type(name, "/tournament join")
    await knockouts.look(TO_THE_HOUR)
    await play_on(knockouts)
    over = await knockouts.director.store.find(1)

    assert ["knockout", 1, 0] == [over.form, len(over.rounds), over.rounds[0].tables[0].paired.bots]


async def test_duels_of_fewer_than_4_people_are_filled_with_bots(time):
    duels = attrs.evolve(SETTINGS, tournaments="hourly ohell swiss max=3 pause=0 seats=2")
    club = await Club(time, MemoryStore(clock=time), duels).open()
    club.enter("ann", "bob", "cat")
    for name in ("ann", "bob", "cat"):
        await club.type(name, "/tournament join")
    await club.look(TO_THE_HOUR)
    await play_on(club)
    over = await club.director.store.find(1)

    assert [[(2, 0), (1, 1)]] * 2 == [
        [(len(table.paired.people), table.paired.bots) for table in one.tables] for one in over.rounds
    ]


# lists and pages


async def test_list_begins_with_what_begins_first_whether_someone_has_joined_or_not(time):
    club = await opened(time, attrs.evolve(SETTINGS, tournaments=f"daily 18:00 ohell swiss; {HOURLY.tournaments}"))
    await club.type("ann", "/tournament join ohell-swiss")
    assert (await says(club, "cat", "/tournament")).startswith("liedie-arena: liedie arena")
    await club.type("bob", "/tournament join")

    listed = await says(club, "cat", "/tournament")
    assert listed.startswith("#2 liedie-arena: liedie arena, 1 player, starts at Mon 21 Sep 15:00.")
    assert "#1 ohell-swiss: ohell Swiss, 1 player, starts at Mon 21 Sep 18:00." in listed


async def page(club, path, rest=""):
    """Return a public page as text."""
    asked = PageRequest(posts=False, query={}, rest=rest, who=Who(address="203.0.113.9", exempt=True))
    return gzip.decompress(packed(await club.stage.place.sites.pages[path](asked)).packed).decode()


async def test_public_page_lists_guests_apart_and_leaves_out_what_nobody_came_to(arenas):
    arenas.stage.enter("guest1", guest=True)
    for name in ("guest1", "ann"):
        await arenas.type(name, "/tournament join")
    await arenas.look(TO_THE_HOUR)
    await play_on(arenas)
    await arenas.type("bob", "/tournament join")
    await arenas.type("bob", "/tournament leave")
    await go_by(arenas, 3600)
    one, listed = await page(arenas, "/tournament/{rest}", "1"), await page(arenas, "/tournament")

    assert one.index(">Standings<") < one.index(">ann<") < one.index(">Guests<") < one.index(">guest1<")
    assert "/tournament/1" in listed
    assert "/tournament/2" not in listed
    assert "Won by " in listed
