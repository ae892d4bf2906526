"""Nobody reads what they may not know: two worlds that differ only in that look the same, byte for byte."""

import attrs
import pytest

from lilygames.gametest.stage import Stage
from lilygames.tables.log.acts import Sitter
from lilygames.testing import play
from lilygames_rules.cards import Card
from lilygames_rules.kit import KeyedLuck
from tests.games.worlds import WORLDS
from tests.toys import ALL

ASKED = ["", "/table", "/hand", "/score", "/status", "/moves", "/options", "/history", "/tables", "/help seal"]
NAMES = ("ann", "bob", "cat")
EVERY = 7
"""Every seventh state of each game is compared."""


async def seen(game, state, seat, lines):
    """Return every line that `seat` (None: a spectator) reads at a table in this state while typing these lines."""
    stage = await Stage.open({game.name: game})
    stage.enter("ann")
    await stage.type("ann", f"/new {game.name}")
    bot = stage.table(1)
    bot.runner.table = attrs.evolve(bot.table, seats=tuple(map(Sitter, NAMES)), state=state)
    reader = "watcher" if seat is None else NAMES[seat]
    stage.enter(reader)
    stage.people[reader].go(bot.room)
    rows = stage.screens[reader].take()
    for line in lines:
        rows += await stage.type(reader, line)
        stage.screens[reader].take()
    return rows


@pytest.mark.parametrize("seat", [0, 1, 2, None])
@pytest.mark.parametrize("name", WORLDS)
async def test_two_worlds_look_the_same(name, seat):
    """The two worlds differ only in the secret, and are compared at each step, by every screen and refusal."""
    game = ALL[name]
    turns = play(game, 3, seed=7)[: EVERY * 12]
    tried = ["/" + game.spell(turn.move) for turn in turns[2::EVERY]]
    for number, turn in enumerate(turns[1::EVERY]):
        other = WORLDS[name](turn.state, seat, KeyedLuck(bytes([number])))
        waits = seat is None or not game.rules.moves(turn.state, seat)
        lines = [*ASKED, *tried] if waits else ASKED

        assert await seen(game, turn.state, seat, lines) == await seen(game, other, seat, lines)


async def test_no_card_is_shown_before_it_is_played(stage, table, finish):
    """Cards of another seat never reach a screen while they are held: not in events, answers, logs or refusals."""
    stage.enter("cat")
    await stage.type("cat", "/watch tally")
    while 1 in stage.open_tables:
        for seat, name in ((0, "bob"), (1, "ann"), (0, "cat"), (1, "cat")):
            for screen in stage.screens.values():
                screen.take()
            for line in (
                "/table",
                "/history",
                "/log",
                "/score",
                "/status",
                "/moves",
                "/hand",
                "",
                "/play 3D",
                "/review tally 200 game",
            ):
                await stage.type(name, line)
            held = [str(card) for card in table.table.view(seat).round.hand]
            public = {str(card) for trick in table.table.view(None).round.tricks for card in trick.cards}
            rows = " ".join(stage.screens[name].take()).replace("3D", "")
            turned = table.table.view(None).round.deal.turned
            for card in held:
                if card not in public and Card.parse(card) != turned and not _dealt_before(table, card):
                    assert f" {card} " not in f" {rows} ", (name, card)
        await _one_move(stage, table)


def _dealt_before(table, card):
    """Whether the card was seen in an earlier round, so that the history may show it."""
    return table.table.view(None).round.deal.number > 1


async def _one_move(stage, table):
    seat = next(seat for seat in range(2) if table.table.moves(seat))
    move = table.table.game.spell(table.questions.offered(seat)[0])
    await stage.type(table.table.seats[seat].name, f"/at 1 {move}")
