"""Versions of bots' strategies: the log names the one that each bot plays with, so that its moves can be recomputed.

A strategy declares its version in its game's record (`Game.strategy_versions`), and raises it when its moves change.
The record may keep strategies of earlier versions (`Game.earlier_strategies`).
"""

from __future__ import annotations

from typing import Any

import attrs

from lilygames.game import Budget, Character, Game, Habit, Strategy, Thinker
from lilygames.tables.log.acts import Moved, Sitter
from lilygames.tables.state.seats import Seats
from lilygames_rules.changed import changed
from lilygames_rules.kit import Seat

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


def installed(game: Game, level: str, version: str) -> Strategy | None:
    """Return a version of a level's strategy, with its usual budget; None if it isn't installed here.

    An empty version is that of a log that names none: the one that the level has now.
    """
    if version in ("", version_of(game, level)):
        return game.players.get(level)
    return game.earlier_strategies.get(level, {}).get(version)


def strategy_of(game: Game, who: Sitter, version: str = "", budget: int = 0) -> Strategy | None:
    """Return the strategy of the bot in a seat, or None if its version isn't installed here.

    `version` and `budget` are those that a move names because the server was updated after the bot sat down.
    """
    strategy = installed(game, who.level, version or who.strategy)
    iterations = budget if version else who.budget
    if isinstance(strategy, Thinker) and iterations:
        return attrs.evolve(strategy, budget=Budget(iterations))
    return strategy


def in_a_hurry(game: Game, level: str, strategy: Strategy, share: float) -> Thinker | None:
    """Return a strategy that searches at most this share of its budget, if it can; None if it plays as usual.

    It has the largest of its smaller budgets that fits, else its smallest one. A strategy without a version plays as
    usual, because the log could not name its budget.
    """
    if share >= 1 or not (isinstance(strategy, Thinker) and version_of(game, level)):
        return None
    whole = strategy.budget.iterations
    smaller = [budget for budget in strategy.less if budget.iterations < whole]
    if not smaller:
        return None
    fitting = (budget for budget in smaller if budget.iterations <= share * whole)
    return attrs.evolve(strategy, budget=next(fitting, smaller[-1]))


def in_character(game: Game, seats: Seats, seat: Seat, strategy: Strategy) -> Strategy:
    """Return a strategy as the bot in a seat plays it, with the temper and the memory that the log names."""
    who = seats[seat]
    if not who.temper and who.memory is None:
        return strategy
    known: dict[str, dict[str, Habit]] = {}
    for one in who.memory or ():
        known.setdefault(one.name, {})[one.habit] = Habit(one.lies, one.truths)
    memory = {place: known[other.name] for place, other in enumerate(seats) if other.name in known}
    return game.in_character(strategy, who.level, Character(who.temper, None if who.memory is None else memory))


def move_by(game: Game, who: Sitter, seat: Seat, move: Any, *, budget: int = 0, default: bool = False) -> Moved:
    """Return a bot's move as the log has it.

    It names the version and the budget of its strategy if they aren't those that its seat names. `budget` has the
    iterations of a move in a hurry; 0 are the usual ones. `default` marks the default move, which the table makes for a
    bot that fails.
    """
    made = changed(Moved.of(game.rules, seat, move), default=default)
    known = strategy_of(game, who)
    version = (known and who.strategy) or version_of(game, who.level)
    strategy = installed(game, who.level, version)
    if strategy is None or (known and not budget):
        return made
    usual = strategy.budget.iterations if isinstance(strategy, Thinker) else 0
    return changed(made, strategy=version or UNDECLARED, budget=budget or usual)
