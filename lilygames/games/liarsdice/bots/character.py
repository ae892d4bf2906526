"""Characters of bots in Liars Dice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from lilygames.game import Shown
from lilygames.games.families.dice.character import Manners, Offer, in_character
from lilygames.games.liarsdice.bots.house import passed
from lilygames.games.liarsdice.solved.chances import at_least
from lilygames_rules.dice.claims import ladder
from lilygames_rules.dice.passing import Challenged, Claim
from lilygames_rules.liarsdice import View

_LIKELY = 0.05
"""Probability that one roll makes a claim from which a bot may take someone's word for it."""


def offer(view: View) -> Offer | None:
    """Return the claim that a seat has to answer without knowing the dice."""
    now, cup = view.passing, view.cup
    if now is None or cup is None or now.taken or cup.known or now.hand is None or now.passer is None:
        return None
    return Offer(now.passer, at_least(passed(cup, now, view.seat), now.hand.rung) >= _LIKELY)


def reveals(events: Iterable[Any]) -> Iterator[Shown]:
    """Yield whose claims challenges show, and whether they were lies."""
    for event in events:
        if isinstance(event, Challenged):
            yield Shown(event.passer, not event.honest)


def bolder(_: View, move: Any) -> Any:
    """Return a claim's next higher one without kickers."""
    if not isinstance(move, Claim):
        return move
    return next((Claim(hand, move.to) for hand in ladder()[move.hand.rung + 1 :] if not hand.kickers), move)


def humbler(view: View, move: Any) -> Any:
    """Return the lowest legal claim instead of a lie."""
    now, cup = view.passing, view.cup
    if not isinstance(move, Claim) or now is None or cup is None or now.least is None or not cup.known:
        return move
    return move if move.hand.true_of(cup.seen, view.match.options.kickers) else Claim(now.least, move.to)


def untrue(view: View, move: Any) -> bool:
    """Return whether a move is a claim that the dice don't make true, or that is made without seeing them all."""
    cup = view.cup
    if not isinstance(move, Claim) or cup is None:
        return False
    return not (cup.known and move.hand.true_of(cup.seen, view.match.options.kickers))


IN_CHARACTER = partial(in_character, Manners(offer, reveals, bolder, humbler, untrue))
"""How bots play in character."""
