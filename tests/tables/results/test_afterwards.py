"""After a game: results, ratings, history and replays."""

import asyncio
import re
from functools import partial

import attrs
import pytest

from lilygames.gametest.stage import Stage
from lilygames.server.shell import exports
from lilygames.tables.ratings.ratings import size_of
from lilygames.tables.results.results import Part, parts, places
from lilygames.tables.state.table import Table
from lilygames.tables.verify.fairness import chi_square, counted
from tests.toys import TALLY


@pytest.fixture
async def game(stage, finish):
    """A game that ann and bob have finished."""
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("bob", "/sit tally")
    await stage.type("ann", "/start")
    await finish()
    return stage


async def test_finished_game_is_in_the_history_of_each_player(game):
    for name in ("ann", "bob"):
        assert (await game.type("ann", f"/played {name}"))[0].startswith("#1 ")


async def test_history_needs_no_columns_on_a_narrow_screen(game):
    await game.type("ann", "/set width 40")

    assert re.match(r"#1 \d{4}-\d\d-\d\d tally: place ", (await game.type("ann", "/played"))[0])


async def test_winner_is_rated_higher_and_both_ratings_become_more_certain(game):
    ratings = game.tables.results.ratings.known["tally 2"]
    best, other = sorted(("ann", "bob"), key=lambda name: -ratings[name].mu)

    assert ratings[best].mu > 25 > ratings[other].mu
    assert max(ratings[name].sigma for name in ratings) < 25 / 3


async def test_ratings_are_the_same_after_a_restart_however_often_a_game_ends(game, store, tally):
    """Effects are applied exactly once."""
    before = game.tables.results.ratings.known
    header, entries = await game.tables.archive.read(1)
    table = TALLY["tally"]
    again = await Stage.open(tally, store=store)
    replayed = await _replayed(again, table, header, entries)
    await again.tables.results.finished(replayed)
    await again.tables.results.ratings.read_of("ann", "bob")

    assert before == again.tables.results.ratings.known
    assert ["(1 game; 100 % finished)"] == (await again_type(again))[-1:]


async def _replayed(stage, game, header, entries):
    table = Table(header, game, await stage.tables.archive.secret(header.number, entries))
    for entry in entries:
        table, _ = table.read(entry)
    return table


async def again_type(stage):
    stage.enter("ann")
    return await stage.type("ann", "/played")


async def test_game_with_bots_rates_people_and_bot_levels_apart(stage, finish):
    """Playing bots doesn't change your rating among people, and everyone sees how strong a level is."""
    await stage.type("ann", "/new tally max=3")
    await stage.type("ann", "/house novice 2")
    await stage.type("ann", "/house club")
    await stage.type("ann", "/start")
    await finish()

    known = stage.tables.results.ratings.known
    assert {"tally 3-4 house": {"ann", "novice (house)", "club (house)"}} == {
        kind: {*who} for kind, who in known.items()
    }
    assert {1} == {rating.games for rating in known["tally 3-4 house"].values()}
    assert "unrated" in (await stage.type("ann", "/played"))[0]
    assert "Tally, 3-4 seats, people and bots:" == (await stage.type("ann", "/standings tally"))[0]


async def test_substitute_bot_is_not_rated(stage, finish):
    stage.enter("cat")
    await stage.type("ann", "/new tally max=3")
    for name in ("bob", "cat"):
        await stage.type(name, "/sit tally")
    await stage.type("ann", "/start")
    await stage.type("bob", "/leave")
    await finish()

    assert {"tally 3-4"} == set(stage.tables.results.ratings.known)


async def test_games_of_bots_only_and_fun_games_rate_nobody(stage, finish):
    await stage.type("ann", "/new tally max=3 rated=off")
    await stage.type("ann", "/house 2")
    await stage.type("ann", "/start")
    await finish()

    assert {} == stage.tables.results.ratings.known


async def test_player_who_leaves_comes_last_and_is_told_so(stage, finish):
    """Leavers are scored last, whatever the bot then does with their seat."""
    stage.enter("cat")
    await stage.type("ann", "/new tally max=3")
    for name in ("bob", "cat"):
        await stage.type(name, "/sit tally")
    await stage.type("ann", "/start")
    await stage.type("bob", "/leave")
    await finish()

    ratings = stage.tables.results.ratings.known["tally 3-4"]
    assert min(ratings, key=lambda name: ratings[name].mu) == "bob"
    assert " left, " in (await stage.type("bob", "/played"))[0]
    assert "0 % finished" in (await stage.type("bob", "/played"))[-1]


async def test_leavers_share_last_place_whatever_their_substitutes_score(stage, finish):
    """Four accounts play. Two leave, and the bots in their seats end with different scores."""
    for name in ("cat", "dan"):
        stage.enter(name)
    await stage.type("ann", "/new tally max=3")
    for name in ("bob", "cat", "dan"):
        await stage.type(name, "/sit tally")
    await stage.type("ann", "/start")
    bot = stage.table(1)
    for name in ("bob", "cat"):
        await stage.type(name, "/leave")
    await finish()

    _, entries = await stage.tables.archive.read(1)
    everybody = parts(bot.table, entries)
    placed = {part.name: place for part, place in zip(everybody, places(everybody), strict=True)}
    scores = {part.name: part.score for part in everybody}
    ratings = stage.tables.results.ratings.known["tally 3-4"]
    assert scores["bob"] != scores["cat"]
    assert {"bob": 3, "cat": 3} == {name: placed[name] for name in ("bob", "cat")}
    assert ratings["bob"].mu == ratings["cat"].mu < min(ratings["ann"].mu, ratings["dan"].mu)


async def test_nobody_is_rated_when_everyone_has_left(stage, finish):
    """Three accounts start a rated game and leave it to bots, whose places say nothing about them."""
    stage.enter("cat")
    await stage.type("ann", "/new tally max=3")
    for name in ("bob", "cat"):
        await stage.type(name, "/sit tally")
    await stage.type("ann", "/start")
    await stage.type("cat", "/watch tally")
    for name in ("ann", "bob", "cat"):
        await stage.type(name, "/at 1 leave")
    await stage.quiet()

    assert {} == stage.open_tables
    assert {} == stage.tables.results.ratings.known
    played = [await stage.tables.results.played(name) for name in ("ann", "bob", "cat")]
    assert [(1, True, False)] * 3 == [(one.place, one.left, one.rated) for [one] in played]


async def test_leavers_come_last_behind_the_bots_that_played_on(stage, finish):
    for name in ("ann", "bob"):
        await stage.type(name, "/new tally max=3" if name == "ann" else "/sit tally")
    await stage.type("ann", "/house novice")
    await stage.type("ann", "/start")
    for name in ("ann", "bob"):
        await stage.type(name, "/at 1 leave")
    await stage.quiet()

    known = stage.tables.results.ratings.known
    assert {"tally 3-4 house"} == {*known}
    assert known["tally 3-4 house"]["ann"].mu == known["tally 3-4 house"]["bob"].mu < 25
    assert known["tally 3-4 house"]["novice (house)"].mu > 25


async def test_player_helped_by_a_substitute_is_not_rated_but_has_finished(stage, finish):
    stage.enter("cat")
    await stage.type("ann", "/new tally max=3")
    for name in ("bob", "cat"):
        await stage.type(name, "/sit tally")
    await stage.type("ann", "/start")
    bot = stage.table(1)
    await bot.room.do(lambda: bot.house.substitute(1, "ann"))
    await bot.room.do(lambda: bot.house.give_back(stage.people["bob"]))
    await finish()

    assert {"ann", "cat"} == set(stage.tables.results.ratings.known["tally 3-4"])
    assert "100 % finished" in (await stage.type("bob", "/played"))[-1]


async def test_player_who_takes_over_a_seat_is_not_rated_and_the_one_who_left_is(stage, finish):
    for name in ("cat", "dan"):
        stage.enter(name)
    await stage.type("ann", "/new tally max=3")
    for name in ("bob", "cat"):
        await stage.type(name, "/sit tally")
    await stage.type("ann", "/cut pips")
    await stage.type("ann", "/house")
    await stage.type("ann", "/start")
    await stage.type("bob", "/leave")
    await stage.type("ann", "/invite dan")
    await stage.type("dan", "/sit tally")
    bot = stage.table(1)
    await finish()

    _, entries = await stage.tables.archive.read(1)
    assert [("ann", False), ("bob", True), ("cat", False), ("", False)] == [
        (part.name, part.left) for part in parts(bot.table, entries)
    ]


async def test_guest_is_not_rated(stage, finish):
    """Anyone can have a guest's name the next day: /register keeps it."""
    stage.accounts.names.pop("bob")
    await stage.type("ann", "/new tally max=3")
    await stage.type("bob", "/sit tally")
    await stage.type("ann", "/start")
    await finish()

    assert {} == stage.tables.results.ratings.known
    assert "unrated" in (await stage.type("ann", "/played"))[0]


async def test_games_that_end_at_once_are_rated_one_after_the_other(stage):
    """A rating is never computed from the one before another game."""
    ratings = stage.tables.results.ratings
    both = [ratings.rate("tally 2", table, {"ann": 1, "bob": 2}) for table in (7, 8)]
    await asyncio.gather(*both)

    assert 2 == ratings.one("tally 2", "ann").games == ratings.one("tally 2", "bob").games


async def test_game_that_ends_again_takes_no_later_rating_back(stage):
    ratings = stage.tables.results.ratings
    for table in (7, 8, 7):
        await ratings.rate("tally 2", table, {"ann": 1, "bob": 2})

    assert 2 == ratings.one("tally 2", "ann").games


async def test_standings_begin_with_the_surest_strong_players(game):
    ratings = game.tables.results.ratings
    best = max(("ann", "bob"), key=lambda name: ratings.one("tally 2", name).mu)
    rows = await game.type("ann", "/standings tally")

    assert "Tally, 2 seats:" == rows[0]
    assert rows[1].startswith(f"   1. {best} ")


async def test_finger_tells_games_finish_rate_and_rating(game):
    rows = " ".join(await game.type("ann", "/finger bob"))

    assert "1 game played, 100 % finished" in rows
    assert f"tally 2: {game.tables.results.ratings.one('tally 2', 'bob')} (1 game)" in rows


async def test_player_may_assess_a_table_before_sitting_down(game):
    await game.type("ann", "/new tally")
    rows = await game.type("bob", "/assess tally")

    assert 100 == pytest.approx(sum(int(row.split(" wins ")[1].split()[0]) for row in rows), abs=1)


async def test_lone_player_is_assessed_with_the_levels_of_bots(stage):
    await stage.type("ann", "/new tally")
    alone = await stage.type("ann", "/assess")
    await stage.type("ann", "/house shark 2")
    await stage.type("ann", "/house club")

    assert "Refused: nobody else has a seat at this table yet. Type /house to add a bot." == alone[0]
    assert [
        "ann: 25.0? +- 16.7, wins 33 % among one of each.",
        "*shark: 25.0? +- 16.7, wins 33 % among one of each.",
        "*club: 25.0? +- 16.7, wins 33 % among one of each.",
    ] == await stage.type("ann", "/assess")


async def test_table_with_a_finished_game_says_so_first(stage, finish):
    await stage.type("ann", "/new tally max=3")
    await stage.type("bob", "/sit tally")
    await stage.type("ann", "/start")
    await finish()

    assert "Table #1, Tally, ann and bob; over." in await stage.type("ann", "/table")


async def test_unrated_table_rates_nobody(stage, finish):
    await stage.type("ann", "/new tally max=3 rated=off")
    await stage.type("bob", "/sit tally")
    await stage.type("ann", "/start")
    await finish()

    assert {} == stage.tables.results.ratings.known


@pytest.mark.parametrize(
    ("scores", "left", "expected"),
    [
        ((10, 30, 20), (), [3, 1, 2]),
        ((10, 10, 5), (), [1, 1, 3]),
        ((30, 10, 20), (0,), [3, 2, 1]),
        ((30, 10, 20), (0, 2), [2, 1, 2]),
    ],
)
def test_equal_scores_are_equal_places_and_leavers_are_last(scores, left, expected):
    assert expected == places([Part("", score, left=seat in left) for seat, score in enumerate(scores)])


@pytest.mark.parametrize(("seats", "size"), [(2, "2"), (3, "3-4"), (4, "3-4"), (5, "5+"), (12, "5+")])
def test_duel_and_large_table_are_rated_as_different_games(seats, size):
    assert size == size_of(seats)


async def test_replay_goes_forward_and_back_step_by_step(game):
    first = await game.type("ann", "/replay 1")
    second = await game.type("ann", "/replay")

    assert first[0].startswith("Replay 1, step 1 of ")
    assert "Next: bob bids 0." in first
    assert "Next: you bid 0." in second
    assert first == await game.type("ann", "/replay 1 back")


async def test_replay_from_a_seat_shows_only_its_cards(game):
    assert not [row for row in await game.type("ann", "/replay 1 as bob") if "ann's hand" in row]


async def test_game_in_progress_is_not_replayed(stage, table):
    assert "Refused: table #1 isn't over" in (await stage.type("ann", "/replay 1"))[0]


async def test_replay_shows_only_your_own_seat_where_the_seal_stays_closed(stage, finish):
    await stage.type("ann", "/new tally max=3 seal=closed")
    await stage.type("bob", "/sit tally")
    await stage.type("ann", "/start")
    await finish()

    assert "Refused: the seal of that game stays closed" in (await stage.type("ann", "/replay 1 as bob"))[0]
    assert not [row for row in await stage.type("ann", "/replay 1") if "bob's hand" in row]


async def test_replay_under_a_closed_seal_tells_what_you_saw_and_no_more(stage, finish):
    """Spectators and players read again what they could read then, and no row more."""
    stage.enter("cat")
    await stage.type("ann", "/new tally max=3 seal=closed")
    await stage.type("bob", "/sit tally")
    await stage.type("cat", "/watch tally")
    live = {"bob": [], "cat": []}
    for name, rows in live.items():
        show = stage.screens[name].show
        stage.screens[name].show = partial(_also_kept, rows, show)
    await stage.type("ann", "/start")
    while 1 in stage.open_tables:
        for name in live:
            await stage.type(name, "/table")
            await stage.type(name, "/hand") if name == "bob" else None
        bot = stage.table(1)
        (seat,) = bot.table.to_move
        await stage.type(bot.table.seats[seat].name, f"/at 1 {bot.table.game.spell(bot.table.moves(seat)[0])}")

    for name, rows in live.items():
        seen = {row.casefold().partition(" waiting for ")[0] for row in rows}
        again = await _replayed_by(stage, name)
        assert [] == [row for row in again if row.removeprefix("Next: ").casefold() not in seen]
        assert f"Next: {'you bid' if name == 'bob' else 'bob bids'} 0." in again


def _also_kept(rows, show, *lines):
    rows += [line.text for line in lines]
    show(*lines)


async def _replayed_by(stage, name):
    """Return the lines of all steps, unwrapped."""
    rows = []
    show = stage.screens[name].show
    stage.screens[name].show = partial(_also_kept, rows, show)
    line = "/replay 1"
    while not any(row.startswith("Game over: ") for row in rows):
        await stage.type(name, line)
        line = "/replay"
    stage.screens[name].show = show
    return [row for row in rows if not (row.startswith("Replay 1, step") or row.endswith("q end"))]


async def test_exported_game_is_told_again_from_the_file(game):
    text = "\n".join(await game.type("ann", "/export 1"))

    assert "bob bids 0." in exports.replay(text, installed=TALLY)
    assert "You bid 0." in exports.replay(text, by="bob", installed=TALLY)


async def test_rematch_invites_the_same_people_to_the_same_game(game):
    await game.type("ann", "/rematch")
    bot = game.table(2)

    assert ("bob",) == bot.table.header.invited
    assert 3 == bot.table.options.max
    await game.type("bob", "/sit tally")
    assert bot.table.started


async def test_every_draw_of_a_finished_game_is_counted_once(game):
    before = await game.tables.fairness.total()
    header, entries = await game.tables.archive.read(1)
    table = await _replayed(game, TALLY["tally"], header, entries)
    await game.tables.fairness.finished(table)

    assert before == await game.tables.fairness.total()
    assert 5 == sum(before["shuffle of 52"].values())
    assert counted(attrs.evolve(table), entries) == before


def test_even_counts_are_likely_and_a_loaded_die_is_not():
    _, fair = chi_square(dict.fromkeys(range(6), 100), 6)
    _, loaded = chi_square({0: 200, **dict.fromkeys(range(1, 6), 80)}, 6)

    assert fair > 0.99
    assert loaded < 0.001
