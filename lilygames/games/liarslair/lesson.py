"""The lesson of Liar's Lair: three rounds, in which the learner knocks two liars out with cards that they know."""

from __future__ import annotations

from lilygames.lesson import Lesson, Theirs, Yours
from lilygames_rules.lair import cards as laircards
from lilygames_rules.liarslair import Options

YOU, ADA, MAX = range(3)
_PAIRS = laircards.shipped(people=False)[:6]
_TRUTHS, _LIES = (0, 1, 2, 4, 3, 5), (2, 3, 4, 5, 0, 1)
"""The pairs from which each seat gets the true card, and the false one: two for you, two for Ada, two for Max."""
_NUMBERED = (
    *((YOU, 0, True), (MAX, 1, False), (ADA, 4, True), (YOU, 2, False), (ADA, 4, False), (MAX, 3, True)),
    *((YOU, 1, True), (ADA, 5, False), (MAX, 5, True), (YOU, 3, False), (ADA, 2, True), (MAX, 0, False)),
)
"""The cards by number, from 1: holder, pair, and whether it is true."""

_ROUND_1 = (
    Theirs(
        ADA,
        "play 3",
        say=(
            "You have two truths, marked T, and two lies, marked F. Another player may hold the opposite of each.\n"
            "Everyone plays a card. If two cards contradict each other, the player of the lie is knocked out."
        ),
    ),
    Theirs(MAX, "play 2"),
    Yours(
        "play 7",
        say="Compare Max's card with your own cards. Which one will you play?",
        hint="Your 7 is true and says the opposite of his 2. Type 7.",
        wrong={
            "play 1": "That's true and safe. But your 7 is the opposite of Max's card: type 7.",
            "play 4": "That's a lie. Your 7 is true and contradicts Max: type 7.",
            "play 10": "That's a lie. Your 7 is true and contradicts Max: type 7.",
        },
    ),
    Yours(
        "take 9",
        say=(
            "Max lied and is out. You see his hand and take one card from it. The rest leaves the game.\n"
            "He had two truths and two lies. 2 was a lie, and so is 12, the opposite of your 1. So what are 6 and 9?"
        ),
        hint="6 and 9 are true. 6 is the opposite of your lie 10. If 6 leaves, nobody can disprove 10. Type 9.",
        wrong={
            "take 6": "That's true, but if 6 leaves the game, your lie 10 is safe. Take the other truth: type 9.",
            "take 12": "That's a lie: it says the opposite of your 1. Take a truth: type 9.",
        },
    ),
    Theirs(ADA, "reclaim 3", say="The remaining players take a card back from the table. You already got yours."),
    Yours(
        "pass",
        say=(
            "Now you can declare that nobody can prove you a liar. If you're right, you win at once. If not, you're"
            " out.\nYou still have two lies, 4 and 10. Who has their opposites?"
        ),
        hint="You don't know the opposite of 4, so Ada may have it. Type pass.",
        wrong={"declare": "Ada may have the opposite of 4, and you'd be out. Type pass."},
    ),
    Theirs(ADA, "pass"),
)
_ROUND_2 = (
    Yours(
        "play 1",
        say="You start the second round. Which card is safe to play?",
        hint="A truth can't knock you out. Ada doesn't know about your 9 yet, so keep that one. Type 1.",
        wrong={
            "play 4": "If Ada has its opposite, you're out. Play a truth: type 1.",
            "play 9": "That's safe, but Ada doesn't know you have it. Keep it for later: type 1.",
            "play 10": "That's a safe lie, but Ada could take it from the table. Play a truth: type 1.",
        },
    ),
    Theirs(ADA, "play 3"),
    Theirs(ADA, "reclaim 3", say="No contradiction. The last player takes a card back first."),
    Yours("reclaim 1", say="Your turn to take a card from the table.", hint="Type 1: it's the only card left."),
    Yours(
        "pass",
        say="Will you declare, or play another round?",
        hint="You still don't know who has the opposite of 4. Type pass.",
        wrong={"declare": "Ada may have the opposite of 4, and you'd be out. Type pass."},
    ),
    Theirs(ADA, "pass"),
)
_ROUND_3 = (
    Theirs(ADA, "play 8", say="Ada starts the third round."),
    Yours(
        "play 9",
        say="Can you prove that Ada lied? Look at your cards.",
        hint="The 9 you took from Max is true and says the opposite of her card. Type 9.",
        wrong={
            "play 1": "That's safe. But your 9 contradicts Ada's card: type 9.",
            "play 4": "That's a lie. Your 9 contradicts Ada's card: type 9.",
            "play 10": "That's a safe lie. But your 9 contradicts Ada's card: type 9.",
        },
    ),
)

LESSON = Lesson(
    minutes=4,
    options=Options(each=2, volunteer=False),
    seats=3,
    deal=(_PAIRS, *[True] * len(_PAIRS), _TRUTHS, _LIES, _NUMBERED, ADA),
    steps=(*_ROUND_1, *_ROUND_2, *_ROUND_3),
    end=(
        "Ada thought that the opposite of her lie had left with Max. She's out and you're the last one: you win.\n"
        "That's Liar's Lair. Remember what is true, who has seen it, and which cards have left the game."
    ),
)
