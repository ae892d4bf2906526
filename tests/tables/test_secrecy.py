"""Nobody reads what they may not know: two worlds that differ only in it look the same, byte for byte."""

import attrs
import pytest

from lilygames.stage import Stage
from lilygames.tables.log import Sitter
from lilygames.testing import play
from rules.cards import Card
from rules.kit import KeyedLuck
from tests.rules import ohell_worlds

ASKED = ["", "/table", "/hand", "/score", "/status", "/moves", "/options", "/history", "/tables", "/help ohell"]
TRIED = ["/play KH", "/play 2C", "/bid 1", "KD", "1"]


async def seen(ohell, state, seat, lines):
    """Return all that `seat` (None: a watcher) reads at a table in this state, typing these lines."""
    stage = await Stage.open(ohell)
    stage.enter("ann")
    await stage.type("ann", "/new ohell")
    bot = stage.table(1)
    names = tuple(Sitter(name) for name in ("ann", "bob", "cat")[: state.match.seats])
    bot.table = attrs.evolve(bot.table, seats=names, state=state)
    reader = "watcher" if seat is None else bot.table.seats[seat].name
    stage.enter(reader)
    stage.people[reader].go(bot.room)
    rows = stage.screens[reader].take()
    for line in lines:
        rows += await stage.type(reader, line)
        stage.screens[reader].take()
    return rows


@pytest.mark.parametrize("seat", [0, 1, 2, None])
async def test_two_worlds_look_the_same(ohell, seat):
    """Secrecy is tested by two worlds that differ only in the secret."""
    rules = ohell["ohell"].rules
    turns = play(ohell["ohell"], 3, rules.Options(max=4, first_dealer="host"), seed=7)
    for number, turn in enumerate(turns[2:60:9]):
        other = ohell_worlds.hide(turn.state, seat, KeyedLuck(bytes([number])))
        waits = seat is None or not rules.moves(turn.state, seat)
        lines = [*ASKED, *TRIED] if waits else ASKED

        assert await seen(ohell, turn.state, seat, lines) == await seen(ohell, other, seat, lines)


async def test_no_card_is_read_before_it_is_played(stage, table, finish):
    """Another seat's cards never reach a screen while they are held: not in events, answers, logs or refusals."""
    stage.enter("cat")
    await stage.type("cat", "/watch ohell")
    while 1 in stage.place.tables.open:
        for seat, name in ((0, "bob"), (1, "ann"), (0, "cat"), (1, "cat")):
            for screen in stage.screens.values():
                screen.take()
            for line in ("/table", "/history", "/log", "/score", "/status", "/moves", "/hand", "", "/play 3D"):
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
    """Whether the card was seen in an earlier round, so that it may well stand in the history."""
    return table.table.view(None).round.deal.number > 1


async def _one_move(stage, table):
    seat = next(seat for seat in range(2) if table.table.moves(seat))
    move = table.table.game.spell(table.offered(seat)[0])
    await stage.type(table.table.seats[seat].name, f"/at 1 {move}")
