"""The moves of sharks who play by a table, which are of two players at fixed limit: hold'em and five-card draw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lilygames.games.lilypoker.solved import draw_headsup, headsup
from lilygames_rules.kit import Luck
from lilygames_rules.lilypoker import View


def chosen(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return one of the moves, as often as the table says; None where no table applies."""
    if drawing := draw_headsup.draws(view):
        return draw_headsup.drawn(view, drawing, luck)
    betting = headsup.mix(view) or draw_headsup.mix(view)
    return headsup.chosen(betting, moves, luck) if betting else None


def likeliest(view: View, moves: Sequence[Any]) -> Any:
    """Return the move that the table has most often; None where no table applies."""
    if drawing := draw_headsup.draws(view):
        return draw_headsup.likeliest(view, drawing)
    betting = headsup.mix(view) or draw_headsup.mix(view)
    return headsup.likeliest(betting, moves) if betting else None
