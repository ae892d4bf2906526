"""The lesson of Liar's Poker: three hands, in which the learner bids, stands, challenges, and bids more."""

from __future__ import annotations

from lilygames.lesson import Draws, Lesson, Theirs, Yours
from lilygames_rules.liarspoker import Options

YOU, ADA, MAX = range(3)


def _bills(*bills: str) -> Draws:
    """Return the draws for bills, two letters and eight digits per seat."""
    return (*"".join(bills),)


_HAND_1 = (
    Yours(
        "bid 4 fives",
        say=(
            "Each of you has a bill with an eight-digit number. Yours has three fives, and only you can see it.\n"
            "Bid how many of one digit all three numbers have together, at least. What do the other 16 digits hold?"
        ),
        hint="You have three fives. The other 16 digits include one more 81 times in 100. Type bid 4 fives.",
        wrong={
            "bid 3 fives": "You have those, so it's certain, but easy to beat. Bid one more: type bid 4 fives.",
            "bid 5 fives": "The other 16 digits include two more only 49 times in 100. Bid one less: type bid 4 fives.",
        },
    ),
    Theirs(ADA, "challenge", say="Ada can bid higher, or challenge you."),
    Theirs(MAX, "challenge"),
    Yours(
        "stand",
        say="Both challenge you. You can stand, and the fives are counted, or bid higher once.",
        hint="Your bid is likely to be good. Type stand.",
        wrong={
            "bid 5 fives": "That needs two more fives, and they come only 49 times in 100. Keep your bid: type stand."
        },
        luck=_bills("AA22698147", "BB83880154", "CC99240773"),
    ),
)
_HAND_2 = (
    Yours(
        "bid 3 twos",
        say=(
            "There are five fives, so your bid is good, and each of the others pays you 1.\n"
            "You made the last bid, so you open the next hand, with new bills. You have two twos, and only one of every"
            " other digit on your bill."
        ),
        hint="The other 16 digits include one more two 81 times in 100. Type bid 3 twos.",
        wrong={
            "bid 2 twos": "That's certain, but easy to beat. Bid one more: type bid 3 twos.",
            "bid 4 twos": "The other 16 digits include two more only 49 times in 100. Bid one less: type bid 3 twos.",
        },
    ),
    Theirs(ADA, "bid 3 eights", say="A bid is higher if it has more digits, or the same number of a higher digit."),
    Theirs(MAX, "bid 4 nines"),
    Yours(
        "challenge",
        say="You have one nine, so the others need three. Do you believe Max?",
        hint="The other 16 digits include three nines only 21 times in 100. Type 1 to challenge.",
        wrong={"bid 4 tens": "A ten is the digit 0, and you have none. Max's bid is unlikely: type 1 to challenge."},
    ),
    Theirs(ADA, "challenge"),
    Theirs(MAX, "stand", luck=_bills("AA66000419", "BB61728526", "CC60375362")),
)
_HAND_3 = (
    Theirs(MAX, "bid 3 sixes", say="There are only three nines, so Max pays 1 to each of you. He opens the last hand."),
    Yours(
        "bid 3 tens",
        say="You have two sixes and three zeros. A zero counts as a ten, the highest digit. Is Max's bid a lie?",
        hint="He needs only one more six, so don't challenge. You have three tens: type bid 3 tens.",
        wrong={
            "challenge": "With your two sixes he needs one more: 81 times in 100. Bid what you have: type bid 3 tens.",
            "bid 4 tens": "That's a good bid, but three tens are certain, and enough for now: type bid 3 tens.",
        },
    ),
    Theirs(ADA, "bid 4 sixes", say="A bid of sixes pays double."),
    Theirs(MAX, "challenge"),
    Yours(
        "bid 4 tens",
        say="Ada needs two more sixes, and gets them about half the time. Then she wins double. Can you bid higher?",
        hint="The other 16 digits include one more ten 81 times in 100. Type bid 4 tens.",
        wrong={"challenge": "That's a coin flip, and it could pay Ada double. You can bid higher: type bid 4 tens."},
    ),
    Theirs(ADA, "challenge"),
    Theirs(MAX, "challenge"),
    Yours(
        "stand",
        say="Both challenge again. Will you stand, or bid higher?",
        hint="You'll have four tens 81 times in 100. Type stand.",
        wrong={"bid 5 tens": "That needs two more tens, and they come only 49 times in 100. Type stand."},
    ),
)

LESSON = Lesson(
    minutes=4,
    options=Options(numbers="bills", hands=3),
    seats=3,
    deal=(YOU, *_bills("AA55517730", "BB52489916", "CC58022643")),
    steps=(*_HAND_1, *_HAND_2, *_HAND_3),
    end=(
        "There are four tens, so you win again.\n"
        "That's Liar's Poker. Remember: about one in ten of the digits you can't see is the one you need."
    ),
)
