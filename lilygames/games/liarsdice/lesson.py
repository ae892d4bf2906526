"""The lesson of Liars Dice: two rounds, in which the learner understates, challenges and accepts."""

from __future__ import annotations

from lilygames.lesson import Lesson, Theirs, Yours
from rules.liarsdice import Options

YOU, ADA, MAX = range(3)
NINE, TEN, JACK, QUEEN, KING, ACE = range(1, 7)

_ROUND_1 = (
    Yours(
        "roll J T 9",
        say=(
            "Five poker dice: nine, ten, jack, queen, king and ace. You have rolled a pair of kings.\n"
            "You have two more rolls. Which dice do you roll again?"
        ),
        hint="Keep the kings and roll the three others: type roll J T 9.",
        luck=(KING, ACE, NINE),
    ),
    Yours(
        "claim pair K",
        say=(
            "Three kings! All can see two of them, since the dice that you keep lie open. Now pass the dice to Ada.\n"
            "Say what they are. Every later claim has to be higher. Less than you hold is still the truth."
        ),
        hint="Claim a pair of kings: nobody can doubt it, and it leaves you room. Type claim pair K.",
        wrong={
            "claim three K": "It's true, but a pair of kings is, too, and Ada gains less by it. Type claim pair K.",
            "claim high": "It's true, but everybody sees more than that. Type claim pair K.",
        },
    ),
    Theirs(ADA, "accept"),
    Theirs(ADA, "peek"),
    Theirs(ADA, "roll A 9", luck=(QUEEN, NINE)),
    Theirs(ADA, "claim three K"),
    Theirs(MAX, "accept"),
    Theirs(MAX, "peek"),
    Theirs(MAX, "roll Q 9", luck=(QUEEN, TEN)),
    Theirs(MAX, "claim full K"),
    Yours(
        "challenge",
        say=(
            "A full house of kings. You remember three kings, and Max rolled two dice.\n"
            "Two dice make it a full house or better 16 times in 36. Do you believe it?"
        ),
        hint="It's a lie more often than not. Type 2 to challenge.",
        wrong={"accept": "You would have to claim more than a full house. It's a lie more often than not: type 2."},
        luck=(TEN, TEN, QUEEN, ACE, NINE),
    ),
)
_ROUND_2 = (
    Theirs(ADA, "claim pair T", say="You gain a point and Max loses one. You knew three of the dice: remember them."),
    Theirs(MAX, "accept"),
    Theirs(MAX, "peek"),
    Theirs(MAX, "roll Q A 9", luck=(ACE, ACE, NINE)),
    Theirs(MAX, "claim two pair A"),
    Yours(
        "accept",
        say="Two pair, aces up. Max may have had a pair of tens, and rolled three dice.",
        hint="He may well have found a second pair. Type 1 to accept the dice.",
        wrong={"challenge": "A second pair is easy to roll, and he needn't have lied. Type 1 to accept."},
    ),
    Yours(
        "peek",
        say="You have the dice, and may look at them before you roll. What's first?",
        hint="Look before you decide: type 1, or look.",
        wrong={"roll all": "You'd throw away what Max has left you, unseen. Type 1 to look."},
    ),
    Yours(
        "roll 9",
        say="He told the truth: two tens and two aces. You have to beat that. Which dice do you roll?",
        hint="Keep both pairs and roll the odd die: type roll 9.",
        luck=(ACE,),
    ),
    Yours(
        "claim three A",
        say="A full house, aces over tens! Tell Ada something that is true and beats two pair, but not all of it.",
        hint="Three aces are true, and less than you hold. Type claim three A.",
        wrong={
            "claim AAATT": "It's true, but it tells Ada all she needs. Three aces will do: type claim three A.",
            "claim full A": "It's true, but less will do: type claim three A.",
        },
    ),
    Theirs(ADA, "challenge"),
)

LESSON = Lesson(
    minutes=4,
    options=Options(max_rounds=2, first="turns"),
    seats=3,
    deal=(KING, KING, JACK, TEN, NINE),
    steps=(*_ROUND_1, *_ROUND_2),
    end=(
        "Your hand was better than the claim, so you were honest: one more point for you.\n"
        "That's Liars Dice: claim little, remember what you pass on, and count what a roll can bring."
    ),
)
