"""The lesson of Lie Die: three games, in which the learner tells the truth, challenges, accepts, and lies."""

from __future__ import annotations

from lilygames.lesson import Lesson, Theirs, Yours
from rules.liedie import Options

YOU, ADA, MAX = range(3)

_GAME_1 = (
    Yours(
        "claim 44621",
        say=(
            "You have thrown five dice, and nobody else sees them: 4 4 6 2 1, a pair of fours.\n"
            "Tell Ada what you threw. You may lie, but everyone after you has to tell something better."
        ),
        hint="The truth is low, and that's good: it's easy to believe. Type 44621.",
    ),
    Theirs(ADA, "accept", say="Ada may believe you or call you a liar."),
    Theirs(ADA, "roll 621", say="She believes you, sees the dice, and may throw some of them once.", luck=(5, 5, 6)),
    Theirs(ADA, "claim 55446"),
    Theirs(MAX, "accept"),
    Theirs(MAX, "roll 6", luck=(2,)),
    Theirs(MAX, "claim 44455"),
    Yours(
        "challenge",
        say=(
            "A full house, fours over fives! Max took two pairs from Ada and threw one die.\n"
            "If the pairs were true, one face in six makes just this. Do you believe it?"
        ),
        hint="One chance in six is too little. Type 2 to challenge.",
        wrong={"accept": "Then you'd need more than a full house, out of a lie. One in six is too little: type 2."},
        luck=(3, 3, 6, 1, 4),
    ),
)
_GAME_2 = (
    Theirs(ADA, "claim 33641", say="He lied, so you win a point and he loses one. Now Ada throws first."),
    Theirs(MAX, "accept"),
    Theirs(MAX, "roll 641", luck=(5, 2, 5)),
    Theirs(MAX, "claim 55332"),
    Yours(
        "accept",
        say="Two pairs, after throwing three dice beside a pair. Do you believe that?",
        hint="It's likely enough: 55332 needs only one pair more. Type 1 to accept.",
        wrong={"challenge": "A second pair is nothing special. If it's true, you lose a point. Type 1 to accept."},
    ),
    Yours(
        "roll 2",
        say="It's true. You have to tell something better now. Throw some dice, or none: which?",
        hint="Keep both pairs and throw the odd die: type roll 2.",
        luck=(6,),
    ),
    Yours(
        "claim 55336",
        say="A six: 5 5 3 3 6. That beats 55332, since the odd die counts too.",
        hint="You can tell the truth again: type 55336.",
    ),
    Theirs(ADA, "challenge", luck=(6, 1, 6, 4, 2)),
)
_GAME_3 = (
    Theirs(MAX, "claim 66421", say="You told the truth, so you win and Ada loses. Max throws first in the last game."),
    Yours(
        "accept",
        say="A pair of sixes. A pair or more comes in 97 of 100 throws.",
        hint="It is modest, so believe it. Type 1.",
        wrong={"challenge": "Pairs are common, and Max had no need to lie. Type 1 to accept."},
    ),
    Yours(
        "roll 421",
        say="It's true again. Which dice do you throw?",
        hint="Keep the sixes and throw the three others: type roll 421.",
        luck=(1, 3, 2),
    ),
    Yours(
        "claim 66542",
        say=(
            "6 6 3 2 1: that is less than 66421, so the truth won't do.\n"
            "You have to lie. A small lie is the easiest to believe: the best that a pair of sixes can be?"
        ),
        hint="6 5 4 3 would be a straight, so the best pair of sixes is this one: type 66542.",
    ),
    Theirs(ADA, "accept", say="She believes you. She sees now that you lied, but that is of no consequence."),
    Theirs(ADA, "roll 321", luck=(1, 4, 2)),
    Theirs(ADA, "claim 66442"),
    Theirs(MAX, "challenge"),
)

LESSON = Lesson(
    minutes=4,
    options=Options(games=3, first="turns"),
    seats=3,
    deal=(4, 4, 6, 2, 1),
    steps=(*_GAME_1, *_GAME_2, *_GAME_3),
    end="That's Lie Die: tell the truth while it's enough, lie small, and doubt what one throw can hardly bring.",
)
