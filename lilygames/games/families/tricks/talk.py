"""Remarks of bots about bids that came out, or didn't, and about the standings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lilygames.remarks import Remark, Sayings, sayings, standings
from rules.cards import WIZARD
from rules.tricks.exactbid import BidMade, RoundScored, TrickWon

_LARGE = 2
"""A bid, or a miss, worth a remark."""
_HIGH = 3
"""A bid that is worth a remark as soon as it is made."""

_CONFIDENT = sayings(
    "There, I've said it.",
    "Someone has to bid.",
    bold="Is that all? I could bid more.",
    careful="Did I really say that?",
    talkative="You heard me! Now let's see.",
    grumpy="Don't look at me like that.",
)
_PROUD = sayings(
    "Exactly as I planned it.",
    "Just what I wanted.",
    "Right on the number!",
    bold="I never doubted it.",
    careful="I counted twice, you know.",
    talkative="Did everyone see that? Right on the number!",
    grumpy="For once it works.",
)
_NOTHING = sayings(
    "Nothing, as promised.",
    "It isn't easy to take nothing.",
    bold="Nothing! That takes nerve.",
    careful="I do like a quiet round.",
    talkative="Nothing at all, and I enjoyed every trick.",
    grumpy="Nobody gives me anything. Good.",
)
_SORRY = sayings(
    "Well, that went wrong.",
    "I counted on other tricks.",
    "Not my round.",
    bold="It was worth it.",
    careful="I should have bid less. Or more.",
    talkative="Let's not talk about that round.",
    grumpy="These cards don't like me.",
)
_SO_CLOSE = sayings(
    "So close!",
    "Just one out.",
    "One trick! That's all it was.",
    bold="Nearly right is nearly right.",
    careful="One out. I'll have to count again.",
    talkative="One out! You'll let me have it, won't you?",
    grumpy="One out. Typical.",
)
_UNWANTED = sayings(
    "I didn't want that one.",
    "Would anyone like that trick?",
    "You're too kind.",
    bold="Too strong for my own good.",
    careful="Oh dear. That wasn't the plan.",
    talkative="No, no, please! You have it.",
    grumpy="Keep your presents.",
)
_LAST_TRICK = sayings(
    "It came down to the last trick.",
    "I like a good ending.",
    bold="The last trick? No problem.",
    careful="I could hardly watch.",
    talkative="I love a last trick like that!",
    grumpy="You made me wait long enough.",
)
_WIZARD = sayings(
    "A little magic.",
    "You called for a wizard?",
    bold="Make way for the wizard!",
    careful="Better safe than sorry.",
    talkative="And here he comes, hat and all!",
    grumpy="Out of the way.",
)


def remarks(events: Sequence[Any]) -> Iterator[Remark]:
    """Yield what seats may say about the events of a move, as everyone has seen them."""
    last = any(isinstance(event, RoundScored) for event in events)
    for event in events:
        match event:
            case BidMade(seat, tricks) if tricks >= _HIGH:
                yield Remark(seat, _CONFIDENT)
            case TrickWon(seat, card, taken, bid) if card == WIZARD and taken == bid:
                yield Remark(seat, _WIZARD)
            case TrickWon(seat, _, taken, bid) if taken == bid + 1:
                yield Remark(seat, _UNWANTED)
            case TrickWon(seat, _, taken, bid) if last and taken == bid:
                yield Remark(seat, _LAST_TRICK)
            case RoundScored(_, bids, taken, points, scores):
                yield from _bids(bids, taken)
                yield from standings([now - won for now, won in zip(scores, points, strict=True)], scores)


def _bids(bids: Sequence[int], taken: Sequence[int]) -> Iterator[Remark]:
    """Yield what seats may say about the bids of a round."""
    for seat, (bid, tricks) in enumerate(zip(bids, taken, strict=True)):
        if found := _bid(bid, tricks, sum(taken)):
            yield Remark(seat, found)


def _bid(bid: int, tricks: int, cards: int) -> Sayings | None:
    miss = abs(bid - tricks)
    if miss:
        return _SORRY if miss >= _LARGE else _SO_CLOSE
    if bid >= _LARGE:
        return _PROUD
    return _NOTHING if not bid and cards > _LARGE else None
