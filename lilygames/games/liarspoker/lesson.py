"""The lesson of Liar's Poker: three hands, in which the learner bids, stands, challenges, and bids more."""

from __future__ import annotations

from lilygames.lesson import Draws, Lesson, Theirs, Yours
from rules.liarspoker import Options

YOU, ADA, MAX = range(3)


def _bills(*bills: str) -> Draws:
    """Return the draws for bills, two letters and eight digits per seat."""
    return (*"".join(bills),)


_HAND_1 = (
    Yours(
        "bid 4 fives",
        say=(
            "Each of you holds a bill with a number of eight digits. Yours has three fives, and nobody else sees it.\n"
            "Bid how many of one digit there are in all three numbers, or more. What do the other 16 digits hold?"
        ),
        hint="You hold three fives, and one more among 16 digits comes 81 times in 100. Type bid 4 fives.",
        wrong={
            "bid 3 fives": "You hold those: it's certain, but easy to top. Ask for one more: type bid 4 fives.",
            "bid 5 fives": "Two more among 16 digits come 49 times in 100. Ask for one less: type bid 4 fives.",
        },
    ),
    Theirs(ADA, "challenge", say="Ada may bid more, or challenge."),
    Theirs(MAX, "challenge"),
    Yours(
        "stand",
        say="Both challenge you. You may stand, and the fives are counted, or bid more, once.",
        hint="Your bid is good. Type stand.",
        wrong={"bid 5 fives": "That needs two fives more, 49 times in 100. You were better off before: type stand."},
        luck=_bills("AA22698147", "BB83880154", "CC99240773"),
    ),
)
_HAND_2 = (
    Yours(
        "bid 3 twos",
        say=(
            "Five fives: your bid is good, and each of the others pays you 1.\n"
            "You bid last, so you open the next hand, with new bills. You hold two twos, and one of each other digit"
            " that you see."
        ),
        hint="One more two among 16 digits comes 81 times in 100. Type bid 3 twos.",
        wrong={
            "bid 2 twos": "It's certain, but easy to top. Ask for one more: type bid 3 twos.",
            "bid 4 twos": "Two more among 16 digits come 49 times in 100. Ask for one less: type bid 3 twos.",
        },
    ),
    Theirs(ADA, "bid 3 eights", say="A bid is higher if it's for more digits, or for as many of a higher digit."),
    Theirs(MAX, "bid 4 nines"),
    Yours(
        "challenge",
        say="You hold one nine, so the others would need three. Do you believe it?",
        hint="Three nines among 16 digits come 21 times in 100. Type 1 to challenge.",
        wrong={"bid 4 tens": "A ten is the digit 0, and you hold none. Max's bid is doubtful: type 1 to challenge."},
    ),
    Theirs(ADA, "challenge"),
    Theirs(MAX, "stand", luck=_bills("AA66000419", "BB61728526", "CC60375362")),
)
_HAND_3 = (
    Theirs(MAX, "bid 3 sixes", say="Three nines in all: Max pays 1 to each of you, and opens the last hand."),
    Yours(
        "bid 3 tens",
        say="You hold two sixes and three zeros. A zero counts as a ten, the highest digit. Is Max's bid a lie?",
        hint="One more six is all he needs, so don't challenge. You hold three tens: type bid 3 tens.",
        wrong={
            "challenge": "With your two sixes he needs one more, 81 times in 100. Bid what you hold: type bid 3 tens.",
            "bid 4 tens": "It's a good bid, but three tens are certain, and enough for now: type bid 3 tens.",
        },
    ),
    Theirs(ADA, "bid 4 sixes", say="A bid of sixes wins double."),
    Theirs(MAX, "challenge"),
    Yours(
        "bid 4 tens",
        say="Two more sixes are needed, about every other time, and then Ada would win double. Can you top it?",
        hint="One more ten among 16 digits comes 81 times in 100. Type bid 4 tens.",
        wrong={
            "challenge": "It's no better than a coin flip, and it pays Ada double. You can top it: type bid 4 tens."
        },
    ),
    Theirs(ADA, "challenge"),
    Theirs(MAX, "challenge"),
    Yours(
        "stand",
        say="Both challenge again. Stand, or bid more?",
        hint="Four tens come 81 times in 100. Type stand.",
        wrong={"bid 5 tens": "That needs two tens more, 49 times in 100. Type stand."},
    ),
)

LESSON = Lesson(
    minutes=4,
    options=Options(numbers="bills", hands=3),
    seats=3,
    deal=(YOU, *_bills("AA55517730", "BB52489916", "CC58022643")),
    steps=(*_HAND_1, *_HAND_2, *_HAND_3),
    end=(
        "Four tens, and you win again.\n"
        "That's Liar's Poker: of the digits that you don't see, every tenth is the one you need."
    ),
)
