"""Moves that a process knows: a log gets the same text of them, and the rules the same move."""

from __future__ import annotations

import itertools
from types import SimpleNamespace
from typing import Any

import attrs
import pytest

from lilygames import codec
from lilygames.game import Game
from lilygames.games import games
from lilygames.gametest.bot_record import positions
from lilygames.tables.log.acts import Moved
from lilygames_rules import ohell
from lilygames_rules.cards import Card
from lilygames_rules.tricks.exactbid import Bid, Play

POSITIONS, MOVES = 30, 20
KING = Play(Card.parse("KH"))


@pytest.mark.parametrize("game", games().values(), ids=games())
def test_known_move_is_stored_as_one_that_is_not_known(game: Game) -> None:
    seats = max(2, game.rules.SEATS.start)
    for position in itertools.islice(positions(game, game.rules.Options(), seats), POSITIONS):
        for move in itertools.islice(game.rules.moves(position.state, position.seat), MOVES):
            act, unknown = Moved.of(game.rules, 1, move), Moved(1, codec.dump(move))
            assert act.known is not None
            assert (codec.to_text(unknown), unknown) == (act.text, act)
            assert act.known.move == move


def test_move_is_known_from_the_first_time_on() -> None:
    first, again = (Moved.of(ohell, seat, Play(Card.parse("KH"))) for seat in (1, 2))
    assert first.known is again.known


def test_knowledge_of_this_process_is_not_stored_with_a_move() -> None:
    act = Moved.of(ohell, 1, KING)
    assert Moved(1, {"card": "KH", "is": "Play"}) == codec.from_text(codec.to_text(act), Moved)


@pytest.mark.parametrize("more", [{"strategy": "2"}, {"budget": 50}, {"default": True}], ids=str)
def test_act_with_more_than_its_move_is_stored_with_that(more: dict[str, Any]) -> None:
    act = attrs.evolve(Moved.of(ohell, 1, KING), **more)
    assert codec.to_text(Moved(1, codec.dump(KING), **more)) == act.text


@pytest.mark.parametrize(
    "move", [Bid("3"), Bid([3])], ids=["one that can't be read back", "one with parts that can't be hashed"]
)
def test_move_that_is_not_known_is_left_to_the_table(move: Any) -> None:
    act = Moved.of(ohell, 1, move)
    assert (None, Moved(1, codec.dump(move))) == (act.known, act)


def test_move_that_cannot_be_written_is_an_error() -> None:
    with pytest.raises(TypeError, match="SimpleNamespace has no JSON form"):
        Moved.of(ohell, 1, SimpleNamespace())
