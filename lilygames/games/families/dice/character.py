"""Characters of bots in the dice games: a temper changes some answers and claims, and so does a memory.

A memory decides at most 30 answers in 100, and fewer as long as it is short. So a false reputation is worth little.
Sharks have no temper in play, novices no memory, and masters neither.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import attrs

from lilygames.game import LIES, Budget, Character, Habit, Shown, Strategy, Thinker
from lilygames.house.habits import BEFORE, weight
from lilygames.house.tempers import STEADY
from lilygames_rules.dice.cup import Accept, Challenge
from lilygames_rules.kit import Luck, Seat

_LIAR, _HONEST = 0.35, 0.8
"""Shares of true claims, among those that were challenged, below which a bot doubts and above which it trusts someone.

Those of bots are in between.
"""
_TRUSTS = 8
"""A talkative bot accepts one likely claim in this many that it would challenge."""
_CLOSE = 2
"""Where it costs little, they do so once in this many times: bold bots if they lie, grumpy ones at unlikely claims."""
_FINE = 10**6
_FORGETFUL = ("novice", "master")
"""Levels that play without a memory: a master must not depart from its solution."""


@attrs.frozen
class Offer:
    """A claim about dice that the bot doesn't know."""

    by: Seat
    likely: bool
    """Whether it is likely enough to be accepted on someone's word."""


@attrs.frozen
class Manners:
    """The facts about a game that characters need. The functions must be importable by name, for the workers."""

    offer: Callable[[Any], Offer | None]
    """Returns the claim that a view has to answer; None if there is none, or if it knows the dice."""
    reveals: Callable[[Iterable[Any]], Iterable[Shown]]
    """Returns whose claims events show, and whether they were lies."""
    bolder: Callable[[Any, Any], Any]
    """Returns a claim's next higher one, or the claim itself if there is none."""
    humbler: Callable[[Any, Any], Any]
    """Returns the lowest legal claim instead of a lie; a true claim stays as it is."""
    untrue: Callable[[Any, Any], bool]
    """Returns whether a move claims what isn't known to be true: only there bold bots claim more."""


def in_character(manners: Manners, strategy: Strategy, level: str, character: Character) -> Strategy:
    """Return a level's strategy as a bot with a character plays it."""
    temper = "" if level in STEADY else character.temper
    acts = Character(temper, None if level in _FORGETFUL else character.memory)
    if acts == Character():
        return strategy
    if isinstance(strategy, Thinker):
        return attrs.evolve(strategy, decide=Actor(manners, acts, strategy.decide))
    return Actor(manners, acts, strategy)


@attrs.frozen
class Actor:
    """A strategy, or how a `Thinker` decides, in a character."""

    manners: Manners
    acts: Character
    decide: Callable[..., Any]

    def __call__(self, view: Any, moves: Sequence[Any], luck: Luck, *budget: Budget) -> Any:
        """Return the strategy's move, or another one that fits the character."""
        if len(moves) == 1:
            return moves[0]
        offer = self.manners.offer(view)
        recalled = self._recalled(offer, view, luck) if offer else None
        return recalled or self._tempered(offer, view, self.decide(view, moves, luck, *budget), luck)

    def _recalled(self, offer: Offer, view: Any, luck: Luck) -> Accept | Challenge | None:
        """Return the answer that the memory decides; None leaves it to the strategy."""
        if self.acts.memory is None:
            return None
        known = self.acts.memory.get(offer.by, {}).get(LIES, Habit())
        for one in self.manners.reveals(view.match.sheet):
            known = known.after(did=one.did) if one.seat == offer.by else known
        if luck.roll(_FINE) > _FINE * weight(known):
            return None
        truth, drawn = honesty(known), luck.roll(_FINE) / _FINE
        if drawn <= 1 - truth / _LIAR:
            return Challenge()
        return Accept() if offer.likely and drawn <= 1 - (1 - truth) / (1 - _HONEST) else None

    def _tempered(self, offer: Offer | None, view: Any, move: Any, luck: Luck) -> Any:
        """Return a move, or what a bot of this temper does instead."""
        match self.acts.temper:
            case "grumpy" if offer and isinstance(move, Accept):
                return Challenge() if self._suspects(offer, luck) else move
            case "talkative" if offer and offer.likely and isinstance(move, Challenge):
                return Accept() if luck.roll(_TRUSTS) == 1 else move
            case "bold" if not isinstance(move, Accept | Challenge):
                return self.manners.bolder(view, move) if self._boasts(view, move, luck) else move
            case "careful":
                return self.manners.humbler(view, move)
        return move

    def _suspects(self, offer: Offer, luck: Luck) -> bool:
        """Return whether a grumpy bot challenges a claim that it would accept."""
        return not offer.likely and luck.roll(_CLOSE) == 1

    def _boasts(self, view: Any, move: Any, luck: Luck) -> bool:
        """Return whether a bold bot claims more than it would."""
        return self.manners.untrue(view, move) and luck.roll(_CLOSE) == 1


def honesty(known: Habit) -> float:
    """Return the expected share of true claims, if half of those of an unknown player are true."""
    return (known.no + BEFORE / 2) / (known.times + BEFORE)
