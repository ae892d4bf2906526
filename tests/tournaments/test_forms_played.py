"""Round robin, knockout and arena as the director plays them, from the start to the final standing.

In each, someone leaves, someone doesn't show up, someone comes late, and the server is killed in mid-round.
"""

import json
from itertools import combinations

import pytest

from lilygames.tables.room import seating
from lilygames.tournaments.pairing.log import Corrected, Joined

SIX = ("ann", "bob", "cat", "dan", "eve", "fay")
EIGHT = (*SIX, "gus", "hal")
ELEVEN = (*EIGHT, "ivy", "jim", "kim")


async def acts(club, kind):
    page = await club.store.read("tournament/1")
    return [act for act in (json.loads(entry.body)["act"] for entry in page.entries) if act["is"] == kind]


def told(club, name):
    return " ".join(" ".join(club.stage.screens[name].take()).split())


def people(round_):
    return [frozenset(table.paired.people) for table in round_.tables]


def named(pairs):
    return {frozenset(pair) for pair in pairs}


async def killed(club, *without):
    """Kill the server in mid-round. Everyone comes back, but for those without."""
    club.stage.tables.carried_over.asleep = True
    names = [name for name in club.stage.people if name not in without]
    await club.open()
    club.enter(*names)
    await club.look()


async def to_the_end(club, rounds=20):
    """Play rounds until the tournament is over, and return it."""
    for _ in range(rounds):
        if 1 not in club.director.open:
            break
        await club.round()
        await club.look()
    over = await club.director.store.find(1)
    assert "over" == over.status
    assert {} == club.director.open
    assert {} == await club.store.every("open")
    opened = [act["number"] for act in await acts(club, "TableOpened")]
    assert opened == [*range(1, len(opened) + 1)]
    return over


# knockout


async def test_knockout_is_played_to_its_final_through_a_kill_in_each_round(club):
    """G13: 11 people at 4 4 3, six at 3 3, and a final of four."""
    await club.new("pause=0", what="ohell knockout max=3")
    await club.start(*ELEVEN)
    for _ in range(3):
        await club.look()
        await killed(club)
        await club.play()
        await club.look()
        await club.look()
    over = await to_the_end(club)

    assert ["4 4 3", "3 3", "4"] == [" ".join(str(len(table)) for table in people(one)) for one in over.rounds]
    for before, after in zip(over.rounds, over.rounds[1:], strict=False):
        through = set()
        for result in before.results:
            order = sorted(result.points, key=lambda key: (-result.points[key], before.order.index(key)))
            through |= {*order[:2]}
        assert through == {key for table in people(after) for key in table}
    places = [row.name for row in over.standings]
    final = over.rounds[-1].results[0]
    assert max(final.points.values()) == final.points[places[0]]
    assert people(over.rounds[2])[0] == {*places[:4]}
    assert {key for table in people(over.rounds[1]) for key in table} == {*places[:6]}


async def test_better_earlier_standing_goes_on_from_a_tie_in_a_knockout(club):
    await club.new("pause=30", what="ohell knockout max=3")
    await club.start(*EIGHT)
    await club.round()
    (first, *_), order = club.now_in.rounds[0].tables, club.now_in.rounds[0].order
    await club.director.add(club.now_in, Corrected(1, 1, (9, 9, 9, 9), "ann", "all were equal"))
    await club.look(30)

    best = sorted(first.paired.people, key=order.index)[:2]
    assert {*best} == {key for table in people(club.now_in.rounds[1]) for key in table} & {*first.paired.people}


async def test_leavers_and_no_shows_don_t_go_on_in_a_knockout(club):
    await club.new("pause=0", what="ohell knockout max=3")
    await club.start(*EIGHT)
    club.stage.drop("bob")
    await club.look(180)
    await club.play()
    await club.look()
    through = club.now_in.rounds[0].results
    best = [name for one in through for name in sorted(one.points, key=lambda key: -one.points[key])]
    await club.type(best[0], "/tournament leave")
    await club.look()

    assert ["bob"] == [act["key"] for act in await acts(club, "NoShow")]
    final = {key for table in people(club.now_in.rounds[1]) for key in table}
    assert not final & {"bob", best[0]}
    await club.stage.come("bob")
    assert "nobody can join a knockout or a round robin late" in " ".join(await club.type("bob", "/tournament join"))
    over = await to_the_end(club)
    assert over.standings[0].name in final


async def test_player_who_gave_up_their_seat_in_a_knockout_hears_that_they_are_out(club):
    await club.new("pause=0", what="ohell knockout max=3")
    await club.start(*EIGHT)
    (bot,) = club.stage.people["bob"].seats
    await club.type("bob", f"/at {bot.table.header.number} leave")
    await club.look(180)

    assert "a bot has your seat and you're out" in told(club, "bob")


async def test_leader_has_the_bye_in_a_knockout_of_duels(club):
    await club.new("pause=0", what="ohell knockout max=3 seats=2")
    await club.start(*SIX[:5])
    order = club.now_in.rounds[0].order
    over = await to_the_end(club)

    assert [order[0]] == [bye.key for bye in over.rounds[0].byes]
    assert [2, 1, 1] == [len(one.tables) for one in over.rounds]
    assert [1, 1, 0] == [len(one.byes) for one in over.rounds]
    byes = [bye.key for one in over.rounds for bye in one.byes]
    assert 2 == len({*byes})
    assert {*people(over.rounds[-1])[0]} == {row.name for row in over.standings[:2]}


# round robin


async def test_round_robin_of_duels_is_played_to_its_end_through_a_kill(club):
    """G10: five people, so one has a bye in each round."""
    await club.new("pause=0", what="ohell robin max=3 seats=2")
    await club.start(*SIX[:5])
    await club.look()
    await killed(club)
    over = await to_the_end(club)

    assert 5 == len(over.rounds)
    assert named(combinations(SIX[:5], 2)) == {*(table for one in over.rounds for table in people(one))}
    assert 10 == sum(len(one.tables) for one in over.rounds)
    assert {*SIX[:5]} == {bye.key for one in over.rounds for bye in one.byes}
    assert 10 * 12 == sum(row.points for row in over.standings) / 2


async def test_round_robin_at_tables_of_three_lets_all_pairs_meet_once(club):
    """G11."""
    await club.new("pause=0", what="ohell robin max=3 seats=3")
    nine = ELEVEN[:9]
    await club.start(*nine)
    over = await to_the_end(club)

    met = [frozenset(pair) for one in over.rounds for table in people(one) for pair in combinations(table, 2)]
    assert 4 == len(over.rounds)
    assert named(combinations(nine, 2)) == {*met}
    assert 36 == len(met)


async def test_early_leaver_s_results_are_struck_and_a_later_one_s_games_are_lost(club):
    await club.new("pause=0", what="ohell robin max=3 seats=2")
    await club.start(*SIX)
    await club.round()
    await club.type("bob", "/tournament leave")
    assert "your results here are struck" in " ".join(await club.type("bob", "/tournament join"))
    for _ in range(3):
        await club.round()
    await club.type("cat", "/tournament leave")
    before = {row.name: row.points for row in club.now_in.standings}
    over = await to_the_end(club)

    assert 0 == next(row.points for row in over.standings if row.name == "bob")
    assert not any("bob" in one.players for one in over.results)
    assert before["cat"] <= next(row.points for row in over.standings if row.name == "cat")
    given = {bye.key: bye.points for bye in over.rounds[4].byes}
    assert {*given.values()} <= {0, 24}
    met_cat = [key for one in over.rounds[:4] for table in people(one) if "cat" in table for key in table]
    assert [24] == [given[name] for name in {*SIX} - {*met_cat, "bob"}]


async def test_no_show_of_a_round_robin_may_come_back_for_the_next_round(club):
    await club.new("pause=30", what="ohell robin max=3 seats=3")
    await club.start(*SIX)
    club.stage.drop("bob")
    await club.look(180)
    await club.play()
    await club.look()
    await club.stage.come("bob")
    said = " ".join(await club.type("bob", "/tournament join"))
    await club.look(30)

    assert "you play in ohell-robin from the next round on" in " ".join(said.split())
    assert "bob" in {key for table in people(club.now_in.rounds[1]) for key in table}
    await club.type("ivy", "/join ohell-robin")
    assert "nobody can join a knockout or a round robin late" in " ".join(await club.type("ivy", "/tournament join"))


# any form


@pytest.mark.parametrize("form", ["swiss", "robin", "knockout"])
async def test_table_where_nobody_shows_up_is_played_by_bots(club, form):
    await club.new("pause=0", what=f"ohell {form} max=3")
    await club.start(*EIGHT)
    gone = club.now_in.rounds[0].tables[0].paired.people
    for name in gone:
        club.stage.drop(name)
    await club.look(180)
    await club.play()
    await club.look()

    assert {*gone} == {act["key"] for act in await acts(club, "NoShow")}
    assert club.now_in.rounds[0].tables[0].done
    assert [0] * 4 == [row.points for row in club.now_in.standings if row.name in gone]


# arena


async def test_arena_is_played_to_its_end_with_a_kill_a_leaver_a_no_show_and_a_late_player(club):
    await club.new("minutes=20", what="ohell arena max=3")
    await club.start(*EIGHT)
    await club.look()
    await killed(club)
    await club.play()
    await club.look()
    await club.look()
    assert [1, 2, 3, 4] == [act["number"] for act in await acts(club, "TableOpened")]
    club.stage.drop("bob")
    await club.type("cat", "/tournament leave")
    await club.type("ivy", "/tournament join")
    await club.play()
    await club.look()
    await club.look(45)
    await club.look(180)
    await club.play()
    await club.look()
    await club.stage.come("bob")
    assert "you play in ohell-arena from the next round on" not in told(club, "bob")
    await club.type("bob", "/tournament join")
    await club.look()
    await club.look(90)
    await club.look()
    await club.play()
    for _ in range(4):
        await club.look(10 * 60)
        await club.look()
        await club.look()
        await club.play()
    over = await to_the_end(club)

    rows = {row.name: row for row in over.arena_standings}
    assert {*EIGHT, "ivy"} == {*rows}
    assert ["bob"] == [act["key"] for act in await acts(club, "NoShow")]
    assert rows["ivy"].tables > 0
    assert sum(len(table) for table in people(over.rounds[0])) - 1 == sum(row.tables for row in rows.values())


async def test_void_table_of_an_arena_gives_everyone_six_points(club):
    await club.new("minutes=20", what="ohell arena max=3")
    await club.start(*EIGHT[:4])
    await club.look()
    bot = club.stage.table(1)
    await bot.room.do(lambda: seating.break_off(bot))
    await club.look()

    assert [6] * 4 == [row.points / 2 for row in club.now_in.arena_standings]
    assert "everyone there gets 6 points" in told(club, "bob")


# who is told what to do


async def test_person_who_never_checked_in_isn_t_in_a_round_robin(club):
    await club.new("pause=0", what="ohell robin max=3")
    await club.director.add(club.now_in, Joined("ivy", "ivy"))
    await club.start(*EIGHT)

    assert "ivy" not in club.now_in.rounds[0].order
    assert "nobody can join a knockout or a round robin late" in " ".join(await club.type("ivy", "/tournament checkin"))
