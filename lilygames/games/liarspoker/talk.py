"""Remarks of bots about bids that all have challenged, about the count and about the balances."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lilygames.remarks import Remark, sayings, standings
from rules.bidding.ladder import Challenged, Stood
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
    bold="Next time they'll be there.",
    careful="I knew it. I should have stopped.",
    talkative="Where have they all gone?",
    grumpy="Nobody ever has what I need.",
)
_DOUBTED = sayings(
    "So nobody believes it.",
    "That makes it all of us.",
    bold="Go on, then. Stand by it!",
    careful="I'd think again, if I were you.",
    talkative="Not a single believer! How sad.",
    grumpy="I'm not buying it either.",
)
_STANDS = sayings(
    "Count them.",
    "I stand by that.",
    bold="Of course I stand by it!",
    careful="Well, I did say it.",
    talkative="Let's all count together!",
    grumpy="You heard me.",
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
    for event in events:
        match event:
            case Challenged(seat, _, up_to) if up_to is not None:
                yield Remark(seat, _DOUBTED)
            case Stood(seat):
                yield Remark(seat, _STANDS)
            case Counted(_, fingers):
                yield from (Remark(seat, _NONE_OF_IT) for seat, digits in fingers if not digits)
            case HandScored(units=units) if units:
                yield from _scored(event)


def _scored(hand: HandScored) -> Iterator[Remark]:
    """Yield what the bidder and the others may say about a bid that was counted, and about the new balances."""
    others = [seat for seat in range(len(hand.balances)) if seat != hand.bidder]
    made = hand.units > 0
    yield Remark(hand.bidder, _MADE if made else _FAILED)
    yield from (Remark(seat, _WRONG if made else _RIGHT) for seat in others)
    before = [held + hand.units for held in hand.balances]
    before[hand.bidder] = hand.balances[hand.bidder] - hand.units * len(others)
    yield from standings(before, hand.balances)
