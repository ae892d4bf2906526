"""Remarks of bots about bets with everything, pots and hands that were shown, never about cards that weren't."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lilygames.remarks import Remark, sayings, standings
from lilygames_rules.kit import Seat
from lilygames_rules.poker.bets import BetMade, Called, Folded, Raised
from lilygames_rules.poker.cards import CardsDrawn
from lilygames_rules.poker.deal import HandMucked, HandShown, PotWon
from lilygames_rules.poker.hands import Kind
from lilygames_rules.poker.session import HandScored, WentBroke

_WON = sayings(
    "Thank you, I can use those.",
    "That pot was worth waiting for.",
    "A good hand for me.",
    "Much obliged, everyone.",
    bold=("And that's how it's done.", "More where that came from."),
    careful=("That's enough excitement for me.", "I'll put those somewhere safe."),
    talkative=(
        "Look at all those chips! Hello, chips.",
        "Come to me, my little ones.",
        "I'd share, but where would it end?",
    ),
    grumpy=("At last.", "Don't expect a thank-you."),
)
_LOST = sayings(
    "Well played.",
    "You can have that one.",
    "That was expensive.",
    "I wasn't that attached to them.",
    bold=("I'll have those back soon.", "Keep them warm for me."),
    careful=("I should have stayed out of that.", "I'd folded that in my head."),
    talkative=(
        "Take good care of my chips!",
        "Goodbye, chips. Write to me.",
        "I paid for the show, and I enjoyed it.",
    ),
    grumpy=("Spend them wisely.", "Daylight robbery."),
)
_BROKE = sayings(
    "That was all I had.",
    "I'm out of chips. Good luck, everyone!",
    "Empty. It was a nice pile once.",
    bold=("All gone, and I regret nothing.", "Out with a bang."),
    careful=("I was so careful, too.", "I kept a spare chip. I've lost that, too."),
    talkative=("Not a chip left! It was fun, though.", "Does anyone take buttons?"),
    grumpy=("There goes the last one.", "Broke. Hope you're pleased."),
)
_ALL_IN = sayings(
    "All of it, for once.",
    "You only go all in now and then.",
    "In they go.",
    bold=("All in is my favourite bet.", "Why keep any back?"),
    careful=("I can't believe I did that.", "My hands are shaking."),
    talkative=("All my chips! My heart is still racing.", "Everything! Don't tell my family."),
    grumpy=("All of them. Yes, I can count.", "There. All of it. Happy?"),
)
_THEY_ARE_IN = sayings(
    "Now it gets interesting.",
    "That's the whole pile.",
    bold=("That's the spirit!", "Finally, some poker."),
    careful=("Oh, I can't watch.", "So much for a quiet hand."),
    talkative=("All of them? Those poor chips!", "Hold on, let me get a better seat."),
    grumpy=("Drama.", "Someone wants to go home early."),
)
_UNCALLED = sayings(
    "Nobody? Thank you.",
    "I'll take that, then.",
    "You didn't miss anything. Or did you?",
    bold=("Nobody dares?", "I'd have shown you. Perhaps."),
    careful=("I'm glad you all left.", "That's the way I like to win."),
    talkative=(
        "Oh, are you all leaving already?",
        "Was it something I bet?",
        "All this for me? With no witnesses?",
    ),
    grumpy=("Nobody ever stays.", "Scared of me? Good."),
)
_BLUFFED = sayings(
    "Well, I had to try.",
    "That wasn't much, was it?",
    "It looked better from far away.",
    "There was a plan.",
    bold=("It works more often than you think.", "I'd do it again with less."),
    careful=("I won't try that again soon.", "I don't know what came over me."),
    talkative=("Please, nobody look at that.", "I was hoping you'd all be shy."),
    grumpy=("Not a word, please.", "You weren't supposed to see that."),
)
_SAW_IT = sayings(
    "I had a feeling.",
    "I wanted to see that.",
    "I thought I'd look. Just in case.",
    bold=("Nice try.", "Not at my table."),
    careful=("I nearly folded, you know.", "I had to hold my breath."),
    talkative=("It was such a good story, too!", "You had me until the end. Nearly."),
    grumpy=("I've seen that one before.", "Amateur."),
)
_MONSTER = sayings(
    "That came at the right time.",
    "You don't see that every day.",
    "I'd like to keep these for the next hand.",
    bold=("Beat that!", "I'd frame it, if I had the time."),
    careful=("I was worried until I saw it.", "Even so, I counted the cards."),
    talkative=("Isn't it a beautiful hand?", "I've never been so happy with so little."),
    grumpy=("Even I get lucky once.", "Took its time."),
)
_SHARED = sayings(
    "We'll share it, then.",
    "Half is better than nothing.",
    "Snap.",
    bold=("Half? I wanted it all.", "We'll settle this next hand."),
    careful=("Half will do nicely.", "Nobody hurt. Lovely."),
    talkative=("Let's split it like good neighbours.", "Great minds, same cards!"),
    grumpy=("Half. Great.", "You would have the same."),
)
_FOLDS = sayings(
    "Not this time.",
    "I'll sit this one out.",
    talkative=(
        "I'm off to put the kettle on.",
        "Too rich for me. Enjoy!",
        "I'll just watch from here.",
        "Bye-bye, cards. It wasn't you, it was them.",
        "I fold. It's my best move.",
        "You carry on without me.",
        "I know when to leave. Now.",
        "Out I go. Play nicely.",
    ),
)
_RAISES = sayings(
    "Let's make it worth while.",
    "A little more, then.",
    talkative=(
        "Shall we make this more expensive?",
        "I like it in here. Let's all stay.",
        "It's only chips.",
        "Let's see who's serious.",
        "Just to keep you awake.",
        "I've a good feeling. I often do.",
    ),
)
_STANDS_PAT = sayings(
    "These will do.",
    "No cards, thank you.",
    talkative=(
        "None for me. Make of that what you like.",
        "I wouldn't change a thing.",
        "I've grown fond of these.",
    ),
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
            case HandShown(seat, _, worth) if worth and pots:
                yield from _shown(seat, worth.kind, won)
            case HandScored(_, changes, chips):
                yield from _scored(changes, chips)
            case WentBroke(seat):
                yield Remark(seat, _BROKE)
            case _:
                yield from _during(event, over=bool(pots))


def _during(event: Any, *, over: bool) -> Iterator[Remark]:
    """Yield what may be said about a move within a hand, which may end it."""
    match event:
        case BetMade(seat, _, True) | Raised(seat, _, True) | Called(seat, _, True):
            yield Remark(seat, _ALL_IN)
            yield Remark(seat, _THEY_ARE_IN, by_others=True)
        case Folded(seat) if not over:
            yield Remark(seat, _FOLDS, small=True)
        case Raised(seat):
            yield Remark(seat, _RAISES, small=True)
        case CardsDrawn(seat, 0):
            yield Remark(seat, _STANDS_PAT, small=True)


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
