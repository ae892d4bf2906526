"""Remarks of bots at Liars Dice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lilygames.games.families.dice.talk import challenged, claimed_high, passed_on
from lilygames.remarks import Remark, sayings
from lilygames_rules.dice.claims import Category
from lilygames_rules.dice.passing import Challenged, ClaimMade

_HIGH = Category.FOUR.height
"""The least claim that is worth a remark as it is made."""
_UNSEEN = sayings(
    "I'd rather not know.",
    "I didn't look. You can't call it a lie.",
    talkative=("I didn't peek! Aren't you proud?", "Your guess is as good as mine. Really."),
)
_NOT_EVEN_A_LOOK = sayings(
    "Not even a look?",
    "That's one way to stay honest.",
    talkative=("No peeking? What self-control!", "Brave. Or lazy. I can't tell."),
)


def remarks(events: Sequence[Any]) -> Iterator[Remark]:
    """Yield what seats may say about the events of a move, as everyone has seen them."""
    for event in events:
        match event:
            case Challenged(seat, passer, _, _, honest):
                yield from challenged(seat, passer, honest=honest)
            case ClaimMade(seat, unseen=True):
                yield Remark(seat, _UNSEEN, small=True)
                yield Remark(seat, _NOT_EVEN_A_LOOK, small=True, by_others=True)
            case ClaimMade(seat, hand) if hand.category.height >= _HIGH:
                yield from claimed_high(seat)
    yield from passed_on(events)
