"""Remarks of bots about bids that were made or missed, about the count and about the balances."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lilygames.remarks import Remark, sayings, standings
from rules.bidding.ladder import Stood
from rules.liarspoker import Counted, HandScored

_MADE = sayings(
    "They were all there.",
    "I knew I could count on you.",
    "That came out nicely.",
    bold="I should have bid higher.",
    careful="I wasn't sure until the end.",
    talkative="Thank you, all of you, for your digits!",
    grumpy="See? You never listen.",
)
_FAILED = sayings(
    "One bid too many.",
    "I thought there would be more.",
    "I pushed that too far.",
    bold="I'd bid it again.",
    careful="I knew it. I should have stopped.",
    talkative="Where have they all gone?",
    grumpy="Nobody ever has what I need.",
)
_STOOD = sayings(
    "I said I'd stand by it.",
    "Nobody believed me, and here they are.",
    bold="Of course I stood by it!",
    careful="Standing there took some nerve.",
    talkative="All of you against me, and I was right!",
    grumpy="Next time, believe me.",
)
_RIGHT = sayings(
    "I had my doubts.",
    "That was one too high.",
    bold="I'd have challenged it twice.",
    careful="I felt safer on this side.",
    talkative="So close, and yet so nice for us!",
    grumpy="I told you so.",
)
_WRONG = sayings(
    "All of them, really?",
    "That was well bid.",
    bold="I'd still challenge that.",
    careful="I should have believed it.",
    talkative="Well bid! I take it all back.",
    grumpy="That much luck should cost extra.",
)
_NONE_OF_IT = sayings(
    "You did that without me.",
    "I had nothing to do with it.",
)


def remarks(events: Sequence[Any]) -> Iterator[Remark]:
    """Yield what seats may say about the events of a move, as everyone has seen them."""
    stood = any(isinstance(event, Stood) for event in events)
    for event in events:
        match event:
            case Counted(_, fingers):
                yield from (Remark(seat, _NONE_OF_IT) for seat, digits in fingers if not digits)
            case HandScored(units=units) if units:
                yield from _scored(event, stood=stood)


def _scored(hand: HandScored, *, stood: bool) -> Iterator[Remark]:
    """Yield what the bidder and the others may say about a bid that was counted, and about the new balances."""
    others = [seat for seat in range(len(hand.balances)) if seat != hand.bidder]
    made = hand.units > 0
    yield Remark(hand.bidder, (_STOOD if stood else _MADE) if made else _FAILED)
    yield from (Remark(seat, _WRONG if made else _RIGHT) for seat in others)
    before = [held + hand.units for held in hand.balances]
    before[hand.bidder] = hand.balances[hand.bidder] - hand.units * len(others)
    yield from standings(before, hand.balances)
