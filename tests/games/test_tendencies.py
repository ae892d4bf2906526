"""The opponents of `lab/opponents/tendencies.py` have the tendencies that they are named for."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from lilygames.games import games
from lilygames.gametest.plays import luck_of
from lilygames.testing import play
from lilygames_rules.lair.moves import Play
from lilygames_rules.tricks.exactbid import Bid

FILE = Path(__file__).parents[2] / "lab/opponents/tendencies.py"


@pytest.fixture(scope="module")
def opponents():
    spec = spec_from_file_location("tendencies", FILE)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["ohell", "wizard"])
@pytest.mark.parametrize(("tendency", "more"), [("overbids", 1), ("underbids", -1)])
def test_bid_is_a_trick_beside_the_bid_of_a_club_if_that_is_legal(opponents, name, tendency, more):
    game, seen = games()[name], set()
    for turn in play(game, 4, None, 1, game.players["club"])[:40]:
        for seat in range(4):
            moves = game.rules.moves(turn.state, seat)
            if moves and isinstance(moves[0], Bid):
                view = game.rules.view(turn.state, seat)
                usual = game.players["club"](view, moves, luck_of(1, 1))
                made = getattr(opponents, tendency)(view, moves, luck_of(1, 1))
                seen.add(made.tricks - usual.tricks)

                assert made in moves
    assert seen <= {0, more}
    assert more in seen


def test_liar_of_the_lair_plays_a_lie_whenever_it_holds_one(opponents):
    game, seen = games()["liarslair"], 0
    for turn in play(game, 4, None, 1, opponents.lies):
        for seat in range(4):
            moves, view = game.rules.moves(turn.state, seat), game.rules.view(turn.state, seat)
            false = {card.number for card in view.at(seat) if card.true is False}
            if moves and isinstance(moves[0], Play) and false & {move.card for move in moves}:
                seen += 1

                assert opponents.lies(view, moves, luck_of(1, seat)).card in false
    assert seen > 0
