"""Versions of bots' strategies: the log names the one that each bot plays with, so that its moves can be recomputed.

A strategy declares its version in its game's record (`Game.strategy_versions`), and raises it when its moves change.
"""

from __future__ import annotations

import attrs

from lilygames.game import Budget, Game, Strategy, Thinker
from lilygames.tables.log import Sitter

UNDECLARED = "undeclared"
"""Logged for a move of a strategy that no longer declares a version."""


def version_of(game: Game, level: str) -> str:
    """Return the version of the strategy installed for a level; empty if it declares none."""
    return game.strategy_versions.get(level, "")


def versions_of(game: Game) -> dict[str, str]:
    """Return the versions of the strategies installed for a game, by level, without those that declare none."""
    versions = {level: version_of(game, level) for level in game.players}
    return {level: version for level, version in versions.items() if version}


def seated_bot(game: Game, name: str, level: str, stands_in: str = "") -> Sitter:
    """Return a bot for a seat, with the version and the budget of its strategy as the log names them."""
    strategy = game.players.get(level)
    budget = strategy.budget.iterations if isinstance(strategy, Thinker) else 0
    return Sitter(name, level, stands_in=stands_in, strategy=version_of(game, level), budget=budget)


def strategy_of(game: Game, who: Sitter, version: str = "") -> Strategy | None:
    """Return the strategy of the bot in a seat, or None if its version isn't installed here.

    `version` is the one that a move names because the server was updated after the bot sat down.
    """
    strategy, named = game.players.get(who.level), version or who.strategy
    if strategy is None or (named and named != version_of(game, who.level)):
        return None
    if isinstance(strategy, Thinker) and who.budget and not version:
        return attrs.evolve(strategy, budget=Budget(who.budget))
    return strategy


def version_to_log(game: Game, who: Sitter) -> str:
    """Return the version that a bot's move has to name: none if it is the one that its seat names."""
    if who.level not in game.players or strategy_of(game, who):
        return ""
    return version_of(game, who.level) or UNDECLARED
