"""Levels of bots at a table: a game may offer its strongest one only where it is shown to be better than the others."""

from __future__ import annotations

from lilygames.errors import UserError
from lilygames.game import Game
from lilygames.tables.state.table import Table
from lilygames.text import listing

MASTER = "master"


def check(table: Table, level: str, number: int) -> None:
    """Check that so many more bots of a level can sit down; raises `UserError` with the level to ask for instead."""
    game = table.game
    everywhere = [one for one in game.players if one not in game.limits]
    if level == MASTER and level not in game.players and everywhere:
        raise UserError(f"{game.title} has no masters yet. Type /house {everywhere[-1]}.")
    if level not in game.players:
        raise UserError(f"{game.title} has {_known(game)}.")
    limit = game.limits.get(level)
    players = max(len(table.seats) + number, table.header.wanted)
    if limit and not (players < limit.seats.stop and limit.fits(table.options)):
        raise UserError(f"{game.title} has {level}s {limit.tables}. Type /house {everywhere[-1]}.")


def _known(game: Game) -> str:
    return f"bots of these levels: {listing(game.players)}" if game.players else "no bots yet"
