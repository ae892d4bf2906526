"""Remarks of bots about bids, challenges and stakes, about the count and about the balances."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lilygames.remarks import Remark, Sayings, sayings, standings
from lilygames_rules.bidding.ladder import BidMade, Challenged, Stood
from lilygames_rules.liarspoker import Counted, HandBegun, HandScored

_MADE = sayings(
    "They were all there.",
    "I knew I could count on you.",
    "That came out nicely.",
    "You were all hiding some. Thank you.",
    "And not one to spare.",
    bold=("I should have bid higher.", "Was there ever a doubt?"),
    careful=("I wasn't sure until the end.", "I counted on my fingers, twice."),
    talkative=(
        "Thank you, all of you, for your digits!",
        "We make such a good team, you lot and me.",
        "I could hug every one of those digits.",
    ),
    grumpy=("See? You never listen.", "There. Pay up."),
)
_FAILED = sayings(
    "One bid too many.",
    "I thought there would be more.",
    "I pushed that too far.",
    "I was sure someone had some.",
    "Well, there are always more digits.",
    bold=("I'd bid it again.", "A good bid. Just not a true one."),
    careful=("I knew it. I should have stopped.", "I only meant to nudge it up."),
    talkative=(
        "Where have they all gone?",
        "You might have told me you had none!",
        "I asked for digits, and what do I get?",
        "It sounded so good when I said it.",
    ),
    grumpy=("Nobody ever has what I need.", "Thanks for nothing. Really nothing."),
)
_STOOD = sayings(
    "I said I'd stand by it.",
    "Nobody believed me, and here they are.",
    "You were all wrong. I'll remember that.",
    bold=("Of course I stood by it!", "All of you at once? My pleasure."),
    careful=("Standing there took some nerve.", "My knees are still shaking."),
    talkative=("All of you against me, and I was right!", "Ha! Me against the whole table!"),
    grumpy=("Next time, believe me.", "All of you. Wrong. Ha."),
)
_RIGHT = sayings(
    "I had my doubts.",
    "That was one too high.",
    "It was a nice bid while it lasted.",
    "Much obliged.",
    bold=("I'd have challenged it twice.", "You can't bluff this table."),
    careful=("I felt safer on this side.", "I'm glad I said no."),
    talkative=(
        "So close, and yet so nice for us!",
        "Don't worry, we'll spend it wisely.",
        "You had us worried. Well, not worried.",
    ),
    grumpy=("I told you so.", "What did you expect?"),
)
_WRONG = sayings(
    "All of them, really?",
    "That was well bid.",
    "I'd never have believed that.",
    "I stand corrected. And poorer.",
    bold=("I'd still challenge that.", "Fine, have that one."),
    careful=("I should have believed it.", "I did wonder."),
    talkative=(
        "Well bid! I take it all back.",
        "Did everybody but me have one?",
        "Remind me to believe you next time.",
    ),
    grumpy=("That much luck should cost extra.", "Someone shuffle those slips."),
)
_NONE_OF_IT = sayings(
    "You did that without me.",
    "I had nothing to do with it.",
    "Don't look at me, I had none.",
    talkative=("Not a single one here. Sorry!", "I couldn't have helped if I'd wanted to."),
)
_REBID = sayings(
    "One more, then.",
    "I'm not done yet.",
    bold=("You thought that was all?", "Up we go."),
    careful=("I hope I know what I'm doing.", "It felt wrong to stop there."),
    talkative=(
        "And another thing!",
        "I've thought of a better number.",
        "You all said no, so let me rephrase.",
        "I'm digging deeper. Hand me a spade.",
    ),
    grumpy=("Since nobody likes that one.", "Fine. More, then."),
)
_DOUBTED = sayings(
    "Nobody? Not even you?",
    "Tough crowd.",
    talkative=(
        "A whole table of doubters!",
        "I feel very alone just now.",
        "You could at least have hesitated.",
        "Was it something I said?",
    ),
)
_BRAVE_BID = sayings(
    "That's getting high.",
    "Someone's feeling rich.",
    talkative=(
        "How many of those do you think there are?",
        "I like the ambition. Not the sums.",
        "We've left the ground, everyone.",
        "Does anybody else hear ice cracking?",
    ),
)
_DOUBLED = sayings(
    "Double. Now I'm awake.",
    "This one counts.",
    talkative=("Double stakes! I'd better sit up straight.", "Everything twice. Including my nerves."),
    grumpy="Double trouble. Of course I'm first.",
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
            case HandBegun(doubled=True, opener=opener):
                yield Remark(opener, _DOUBLED)
            case _:
                yield from _bidding(event)


def _bidding(event: Any) -> Iterator[Remark]:
    """Yield what may be said during the bidding."""
    match event:
        case BidMade(seat, _, _, _, True):
            yield Remark(seat, _REBID)
        case BidMade(seat, _, wins) if wins > 1:
            yield Remark(seat, _BRAVE_BID, small=True, by_others=True)
        case Challenged(up_to=bidder) if bidder is not None:
            yield Remark(bidder, _DOUBTED, small=True)


def _scored(hand: HandScored, *, stood: bool) -> Iterator[Remark]:
    """Yield what the bidder and the others may say about a bid that was counted, and about the new balances."""
    others = [seat for seat in range(len(hand.balances)) if seat != hand.bidder]
    made = hand.units > 0
    yield Remark(hand.bidder, _bidder(made=made, stood=stood))
    yield from (Remark(seat, _WRONG if made else _RIGHT) for seat in others)
    before = [held + hand.units for held in hand.balances]
    before[hand.bidder] = hand.balances[hand.bidder] - hand.units * len(others)
    yield from standings(before, hand.balances)


def _bidder(*, made: bool, stood: bool) -> Sayings:
    if not made:
        return _FAILED
    return _STOOD if stood else _MADE
