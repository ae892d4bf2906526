"""The lesson of Lie Die: three games, in which the learner tells the truth, challenges, accepts, and lies."""

from __future__ import annotations

from lilygames.lesson import Lesson, Theirs, Yours
from lilygames_rules.liedie import Options

YOU, ADA, MAX = range(3)

_GAME_1 = (
    Yours(
        "claim 44621",
        say=(
            "You threw five dice, and only you can see them: 4 4 6 2 1, a pair of fours.\n"
            "Tell Ada what you threw. You can lie, but everyone after you has to claim something better."
        ),
        hint="Tell the truth: it's low, so it's easy to believe. Type 44621.",
    ),
    Theirs(ADA, "accept", say="Ada can believe you or call you a liar."),
    Theirs(
        ADA,
        "roll 621",
        say="She believes you. She sees the dice and can throw some of them again, once.",
        luck=(5, 5, 6),
    ),
    Theirs(ADA, "claim 55446"),
    Theirs(MAX, "accept"),
    Theirs(MAX, "roll 6", luck=(2,)),
    Theirs(MAX, "claim 44455"),
    Yours(
        "challenge",
        say=(
            "A full house, fours over fives! Max got two pairs from Ada and threw one die.\n"
            "Even if Ada told the truth, only one face in six makes his full house. Do you believe him?"
        ),
        hint="One chance in six is too small. Type 2 to challenge.",
        wrong={
            "accept": "Then you'd have to beat a full house with dice that aren't one. One in six is too small: type 2."
        },
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
        say="Max claims two pairs. He kept a pair and threw three dice. Do you believe him?",
        hint="That's likely enough: he only needed one more pair. Type 1 to accept.",
        wrong={"challenge": "A second pair is nothing special. If it's true, you lose a point. Type 1 to accept."},
    ),
    Yours(
        "roll 2",
        say="It's true. Now you have to claim something better. You can throw some dice first. Which ones?",
        hint="Keep both pairs and throw the odd die: type roll 2.",
        luck=(6,),
    ),
    Yours(
        "claim 55336",
        say="A six: 5 5 3 3 6. That beats 55332, because the fifth die counts too.",
        hint="You can tell the truth again. Type 55336.",
    ),
    Theirs(ADA, "challenge", luck=(6, 1, 6, 4, 2)),
)
_GAME_3 = (
    Theirs(MAX, "claim 66421", say="You told the truth, so you win and Ada loses. Max throws first in the last game."),
    Yours(
        "accept",
        say="Max claims a pair of sixes. A throw has a pair of something, or better, 97 times in 100.",
        hint="That's a low claim, so believe it. Type 1 to accept.",
        wrong={"challenge": "Pairs are common, so Max probably told the truth. Type 1 to accept."},
    ),
    Yours(
        "roll 421",
        say="It's true again. Which dice do you throw?",
        hint="Keep the sixes and throw the other three: type roll 421.",
        luck=(1, 3, 2),
    ),
    Yours(
        "claim 66542",
        say=(
            "6 6 3 2 1 is lower than 66421, so you can't tell the truth.\n"
            "You have to lie, and a small lie is the easiest to believe. What is the best pair of sixes?"
        ),
        hint="With 5 4 3 it would be a straight, so this is the best pair of sixes: type 66542.",
    ),
    Theirs(ADA, "accept", say="She believes you. She can see now that you lied, but that doesn't matter any more."),
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
    end="That's Lie Die. Tell the truth while you can, tell small lies, and doubt what one throw can hardly bring.",
)
