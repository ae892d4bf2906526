"""Characters of bots in Lie Die."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from lilygames.game import Shown
from lilygames.games.families.dice.character import Manners, Offer, in_character
from lilygames.games.liedie.advice import within_reach
from lilygames.games.liedie.house import dice_thrown, is_lie
from lilygames_rules.dice.cup import DICE
from lilygames_rules.dice.throws import Throw, ladder, rungs
from lilygames_rules.liedie import Challenged, Claim, View

_LIKELY = 0.05
"""Probability that a throw makes a claim, or a better one, from which a bot may take someone's word for it."""


def offer(view: View) -> Offer | None:
    """Return the claim that a seat has to answer without knowing the dice."""
    now, cup = view.turn, view.cup
    if now is None or cup is None or now.taken or cup.known or now.claim is None:
        return None
    likely = within_reach(cup.last or (), dice_thrown(view, now, DICE), now.claim, view) >= _LIKELY
    return Offer((now.seat - 1) % len(view.match.scores), likely)


def reveals(events: Iterable[Any]) -> Iterator[Shown]:
    """Yield whose claims challenges show, and whether they were lies."""
    for event in events:
        if isinstance(event, Challenged):
            yield Shown(event.claimant, event.lied)


def bolder(view: View, move: Any) -> Any:
    """Return a claim's next higher one."""
    if not isinstance(move, Claim):
        return move
    rung = rungs(view.match.options.thirteen)[move.throw] + 1
    some = ladder(view.match.options.thirteen)
    return Claim(some[rung]) if rung < len(some) else move


def humbler(view: View, move: Any) -> Any:
    """Return the lowest legal claim instead of a lie."""
    now, cup = view.turn, view.cup
    if not isinstance(move, Claim) or now is None or cup is None:
        return move
    if not is_lie(view.match, move.throw, Throw.of(cup.seen)):
        return move
    some = ladder(view.match.options.thirteen)
    lowest = 0 if now.claim is None else rungs(view.match.options.thirteen)[now.claim] + 1
    return Claim(some[lowest])


def untrue(view: View, move: Any) -> bool:
    """Return whether a move is a lie about the dice."""
    cup = view.cup
    return isinstance(move, Claim) and cup is not None and is_lie(view.match, move.throw, Throw.of(cup.seen))


IN_CHARACTER = partial(in_character, Manners(offer, reveals, bolder, humbler, untrue))
"""How bots play in character."""
