"""A bug in one game stops only that table: players and sysops read a case number, and the log is kept."""

import re

import attrs
import pytest
from structlog.testing import capture_logs

from lilygames.gametest.stage import Stage
from lilygames.store import StoreUnavailable
from lilygames_rules.kit import Refused
from tests.slow_bots import let_bots

CASE = re.compile(r"Something is broken here \(case ([0-9a-f]{6})\), so the table is stopped")


def bug(*_):
    raise ZeroDivisionError("KH is what bob holds")


class Broken:
    """Rules with one function that fails."""

    def __init__(self, rules, name):
        self._rules, self._name = rules, name

    def __getattr__(self, name):
        return bug if name == self._name else getattr(self._rules, name)


def broken(game, name):
    """Return the game with one failing function, of the game itself or of its rules."""
    if name in attrs.fields_dict(type(game)):
        return attrs.evolve(game, **{name: bug})
    return attrs.evolve(game, rules=Broken(game.rules, name))


@pytest.fixture
def breaks(table):
    """Return a function that makes one function of the table's game fail from now on."""

    def change(name):
        table.runner.table = attrs.evolve(table.table, game=broken(table.table.game, name))

    return change


NEEDED = ["apply", "moves", "view", "outcome", "tell", "ask"]
"""Parts of a game that every move needs."""
PARTS = [*NEEDED, "spell"]


@pytest.mark.parametrize("part", NEEDED)
async def test_everyone_there_is_told_one_case_number_and_nothing_else(stage, table, breaks, part):
    stage.enter("cat")
    await stage.type("cat", "/watch tally")
    breaks(part)
    for screen in stage.screens.values():
        screen.take()
    with capture_logs() as logged:
        for line in ("/bid 1", "/bid 1", "bid 1", "1", "/moves", "/table", ""):
            await stage.type("bob", line)
            stage.screens["bob"].rows, rows = [], stage.screens["bob"].rows
            assert not any("ZeroDivision" in row or "KH is" in row or "Traceback" in row for row in rows)

    assert table.case
    stopped = [entry for entry in logged if entry["event"] == "table stopped"]
    assert [table.case] == [entry["case"] for entry in stopped]
    for name in ("ann", "cat"):
        found = CASE.findall(" ".join(stage.screens[name].take()))
        assert [table.case] == found, name


@pytest.mark.parametrize("line", ["1", "/moves"])
async def test_bug_in_the_spelling_of_moves_is_told_when_it_is_needed(stage, table, breaks, line):
    """Those who type moves by name can play until then."""
    breaks("spell")
    await stage.type("bob", "/bid 1")
    assert not table.case

    rows = [*await stage.type("ann", line), *stage.screens["bob"].take()]

    assert table.case
    assert table.case in " ".join(rows)
    assert "ZeroDivision" not in " ".join(rows)


@pytest.mark.parametrize("part", [*PARTS, "show", "hand", "score"])
async def test_players_of_a_stopped_table_can_do_everything_else(stage, table, breaks, part):
    """Other tables go on, and everything else works for the players of this one."""
    breaks(part)
    await stage.type("bob", "/bid 1")

    assert "HELP" in (await stage.type("bob", "/help"))[0]
    assert "(you are in lobby" in (await stage.type("bob", "/join lobby"))[0]
    assert "(you sit at tally-2;" in " ".join(await stage.type("bob", "/new tally"))
    assert "Tally begins" in " ".join([*await stage.type("bob", "/house"), *await stage.type("bob", "/start")])
    listed = await stage.type("ann", "/tables")
    assert any(row.startswith("  2  Tally ") for row in listed)


@pytest.mark.parametrize("part", [*PARTS, "show", "hand", "score"])
async def test_players_of_a_stopped_table_can_still_log_in(stage, table, breaks, part):
    """A game that can't describe its position keeps nobody out."""
    breaks(part)
    stage.drop("bob")

    rows = stage.enter("bob").take()

    assert any(row.startswith("You're in tally with ann") for row in rows)


@pytest.mark.parametrize("part", PARTS)
async def test_stored_game_goes_on_with_the_next_release(stage, breaks, tally, store, part):
    """The log is kept, and a fixed game continues it, whichever part was broken."""
    breaks(part)
    await stage.type("bob", "/bid 1")
    fixed = await Stage.open(tally, store=store)
    fixed.enter("bob")

    assert len(store.entries["table/1"]) == fixed.table(1).table.seq
    line = "/bid 1" if fixed.table(1).table.moves(1) else ""
    assert "case" not in " ".join(await fixed.type("bob", line))


@pytest.mark.parametrize("part", ["apply", "moves", "outcome", "tell"])
async def test_bug_in_a_bots_turn_is_told_too(stage, tally, part):
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("ann", "/house 2")
    bot = stage.table(1)
    let_bots(bot, pause=lambda: 3600.0)
    await stage.hear("ann", "/start")
    bot.runner.table = attrs.evolve(bot.table, game=broken(bot.table.game, part))
    stage.screens["ann"].take()
    bot.timer.fire(bot.house.move_now)
    await stage.quiet()

    assert [bot.case] == CASE.findall(" ".join(stage.screens["ann"].take()))


async def test_default_move_that_is_refused_stops_the_table(stage, tally):
    """There is nothing left to try."""

    def refuse(*_):
        raise Refused("never")

    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("ann", "/house")
    bot = stage.table(1)
    rules = Broken(tally["tally"].rules, "")
    rules.apply = refuse
    bot.runner.table = attrs.evolve(bot.table, game=attrs.evolve(bot.table.game, rules=rules))
    await stage.type("ann", "/start")

    assert bot.case


async def test_refusal_whose_message_fails_is_still_a_refusal(stage, table):
    """The table goes on, because nothing has changed."""
    words = {**table.table.game.refusals, "bad-bid": bug}
    table.runner.table = attrs.evolve(table.table, game=attrs.evolve(table.table.game, refusals=words))

    assert [
        "Refused: you can't do that now. Type /moves to list your moves.",
        "Your turn: bid 0 or 1.",
    ] == await stage.type("bob", "/bid 9")
    assert not table.case


async def test_store_that_is_away_counts_as_no_bug(stage, table):
    """If the results of a game cannot be stored now, the table waits and retries. It isn't stopped."""
    bot = stage.table(1)
    with pytest.raises(StoreUnavailable), bot.runner.bugs_stop_this_table:
        raise StoreUnavailable("gone for a moment")

    assert "" == bot.case
