"""Bots talk and pause alike in two worlds that nobody at the table could tell apart without seeing hidden cards."""

import attrs
import pytest

from lilygames.gametest.stage import Stage
from lilygames.remarks import at_the_end
from lilygames.tables.bots.table_talk import Said, remark
from lilygames.tables.log.acts import Sitter
from lilygames.tables.state.seats import Seats
from tests.secrecy.test_two_worlds import GAMES, VARIANTS, worlds
from tests.slow_bots import let_bots, pace

BOTS = ("Ida", "Ada", "Nora")
"""Two of them are talkative."""


async def table_of(game, words):
    """Return a table of three bots."""
    stage = await Stage.open({game.name: game})
    stage.enter("ann")
    await stage.type("ann", f"/new {game.name} {words}")
    bot = stage.table(1)
    return bot, attrs.evolve(bot.table, seats=Seats(tuple(Sitter(name, "novice") for name in BOTS)))


def steps(play):
    """Yield the state and the public events after each move of a play."""
    rules, state = play.game.rules, None
    for number in range(len(play.states)):
        luck = play.luck(number)
        if number:
            step = rules.apply(state, *play.moves[number - 1], luck)
        else:
            purse = play.game.purse
            purses = (purse.brings(play.options, purse.first),) * len(BOTS) if purse else ()
            step = rules.start(len(BOTS), play.options, purses, luck)
        state = step.state
        yield state, [seen for event in step.events if (seen := event.seen_by(None)) is not None]


def talk(table, play):
    """Return what is said in a play, and after which move."""
    said, rules, found = Said(), play.game.rules, []
    for number, (state, events) in enumerate(steps(play)):
        over = rules.outcome(state)
        remarks = at_the_end(over) if over else play.game.remarks(events)
        after = remark(table, number, remarks, said, last=over is not None)
        found += [(number, after.seat, after.texts[-1])] if after is not said else []
        said = after
    return found


def pauses(bot, table, play):
    """Return the pause before each move of a play."""
    found = []
    for state, _ in steps(play):
        bot.runner.table = attrs.evolve(table, state=state)
        found += [[pace(bot).pause(seat) for seat in range(len(BOTS))]]
    return found


@pytest.mark.parametrize("name", GAMES)
async def test_bots_say_and_pause_the_same_in_two_worlds(name, monkeypatch):
    game, said = GAMES[name], []
    for number in range(8):
        words = VARIANTS[name][number % len(VARIANTS[name])]
        here, there = worlds(game, None, words, f"talk {name} {number}", to_the_end=False)
        bot, table = await table_of(game, words)
        monkeypatch.setattr(type(bot.publisher), "since_row", 0.0)
        let_bots(bot, pause=lambda: 1.0)

        assert talk(table, here) == talk(table, there)
        assert pauses(bot, table, here) == pauses(bot, table, there)
        said += talk(table, here)

    assert said
