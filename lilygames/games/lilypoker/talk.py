"""Remarks of bots about bets with everything, pots and hands that were shown, never about cards that weren't."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lilygames.remarks import Remark, sayings, standings
from rules.kit import Seat
from rules.poker.bets import BetMade, Called, Raised
from rules.poker.deal import HandMucked, HandShown, PotWon
from rules.poker.hands import Kind
from rules.poker.session import HandScored, WentBroke

_WON = sayings(
    "Thank you, I can use those.",
    "That pot was worth waiting for.",
    "A good hand for me.",
    bold="And that's how it's done.",
    careful="That's enough excitement for me.",
    talkative="Look at all those chips! Hello, chips.",
    grumpy="At last.",
)
_LOST = sayings(
    "Well played.",
    "You can have that one.",
    "That was expensive.",
    bold="I'll have those back soon.",
    careful="I should have stayed out of that.",
    talkative="Take good care of my chips!",
    grumpy="Spend them wisely.",
)
_BROKE = sayings(
    "That was all I had.",
    "I'm out of chips. Good luck, everyone!",
    bold="All gone, and I regret nothing.",
    careful="I was so careful, too.",
    talkative="Not a chip left! It was fun, though.",
    grumpy="There goes the last one.",
)
_ALL_IN = sayings(
    "All of it, for once.",
    "You only go all in now and then.",
    bold="All in is my favourite bet.",
    careful="I can't believe I did that.",
    talkative="All my chips! My heart is still racing.",
    grumpy="All of them. Yes, I can count.",
)
_UNCALLED = sayings(
    "Nobody? Thank you.",
    "I'll take that, then.",
    bold="Nobody dares?",
    careful="I'm glad you all left.",
    talkative="Oh, are you all leaving already?",
    grumpy="Nobody ever stays.",
)
_BLUFFED = sayings(
    "Well, I had to try.",
    "That wasn't much, was it?",
    "It looked better from far away.",
    bold="It works more often than you think.",
    careful="I won't try that again soon.",
    talkative="Please, nobody look at that.",
    grumpy="Not a word, please.",
)
_SAW_IT = sayings(
    "I had a feeling.",
    "I wanted to see that.",
    bold="Nice try.",
    careful="I nearly folded, you know.",
    talkative="It was such a good story, too!",
    grumpy="I've seen that one before.",
)
_MONSTER = sayings(
    "That came at the right time.",
    "You don't see that every day.",
    bold="Beat that!",
    careful="I was worried until I saw it.",
    talkative="Isn't it a beautiful hand?",
    grumpy="Even I get lucky once.",
)
_SHARED = sayings(
    "We'll share it, then.",
    "Half is better than nothing.",
    bold="Half? I wanted it all.",
    careful="Half will do nicely.",
    talkative="Let's split it like good neighbours.",
    grumpy="Half. Great.",
)
_LARGE = 12
"""Chips won or lost in a hand that are worth a remark."""
_STRONG = Kind.STRAIGHT
"""The least hand that is worth a remark."""


def remarks(events: Sequence[Any]) -> Iterator[Remark]:
    """Yield what seats may say about the events of a move, as everyone has seen them."""
    pots = [event for event in events if isinstance(event, PotWon)]
    won = {seat for pot in pots for seat, _ in pot.shares}
    if pots and not any(isinstance(event, HandShown | HandMucked) for event in events):
        yield from (Remark(seat, _UNCALLED) for seat in won)
    for pot in pots:
        if len(pot.shares) > 1:
            yield from (Remark(seat, _SHARED) for seat, _ in pot.shares)
    for event in events:
        match event:
            case BetMade(seat, _, True) | Raised(seat, _, True) | Called(seat, _, True):
                yield Remark(seat, _ALL_IN)
            case HandShown(seat, _, worth) if worth and pots:
                yield from _shown(seat, worth.kind, won)
            case HandScored(_, changes, chips):
                yield from _scored(changes, chips)
            case WentBroke(seat):
                yield Remark(seat, _BROKE)


def _shown(seat: Seat, kind: Kind, won: set[Seat]) -> Iterator[Remark]:
    """Yield what seats may say about a hand that was shown: a strong one that won, or one with nothing that lost."""
    if seat in won and kind >= _STRONG:
        yield Remark(seat, _MONSTER)
    elif seat not in won and kind is Kind.HIGH_CARD:
        yield Remark(seat, _BLUFFED)
        yield from (Remark(winner, _SAW_IT) for winner in won)


def _scored(changes: Sequence[int], chips: Sequence[tuple[Seat, int]]) -> Iterator[Remark]:
    """Yield what seats may say about chips won and lost in a hand, and about the leader in chips."""
    for seat, change in enumerate(changes):
        if abs(change) >= _LARGE:
            yield Remark(seat, _WON if change > 0 else _LOST)
    if max(changes) < _LARGE:
        return
    seats, held = [seat for seat, _ in chips], [chips for _, chips in chips]
    before = [now - changes[seat] for seat, now in chips]
    for one in standings(before, held):
        yield Remark(seats[one.seat], one.sayings)
