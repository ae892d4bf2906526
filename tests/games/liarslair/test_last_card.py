"""A bot reclaims the last card of the table at once, as everyone can see that it has to."""

from __future__ import annotations

import pytest

from lilygames.games.liarslair import GAME
from lilygames.gametest.plays import luck_of
from lilygames_rules import liarslair
from lilygames_rules.lair.table import Options, Playing, Reclaiming, Spoils


@pytest.mark.parametrize("options", [Options(), Options(each=2), Options(knockout="gift"), Options(knockout="discard")])
def test_only_the_last_card_of_the_table_is_forced(options):
    """Someone who may choose or pass isn't forced, as far as others can see."""
    forced = False
    for seed in range(30):
        step = liarslair.start(4, options, (), luck_of(seed, 0))
        for turn in range(1, 300):
            ready = [seat for seat in range(4) if len(liarslair.moves(step.state, seat))]
            if not ready:
                break
            seat, phase = luck_of(seed, turn, "who").choice(ready), type(step.state.match.phase)
            moves = liarslair.moves(step.state, seat)
            alone = phase in (Playing, Spoils, Reclaiming) and len(moves) == 1
            assert alone == GAME.forced(liarslair.view(step.state, None), seat)
            forced = forced or alone
            step = liarslair.apply(step.state, seat, luck_of(seed, turn, "move").choice(moves), luck_of(seed, turn))

    assert forced
