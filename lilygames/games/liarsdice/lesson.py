"""The lesson of Liars Dice: two rounds, in which the learner understates, challenges and accepts."""

from __future__ import annotations

from lilygames.lesson import Lesson, Theirs, Yours
from lilygames_rules.liarsdice import Options

YOU, ADA, MAX = range(3)
NINE, TEN, JACK, QUEEN, KING, ACE = range(1, 7)

_ROUND_1 = (
    Yours(
        "roll J T 9",
        say=(
            "Five poker dice: nine, ten, jack, queen, king and ace. You have rolled a pair of kings.\n"
            "You have two more rolls. Which dice will you roll again?"
        ),
        hint="Keep the kings and roll the other three: type roll J T 9.",
        luck=(KING, ACE, NINE),
    ),
    Yours(
        "claim pair K",
        say=(
            "Three kings! Everyone can see two of them, because you kept them open. Now pass the dice to Ada.\n"
            "Tell her what they are. Each claim has to beat the one before. Claiming less than you have isn't a lie."
        ),
        hint="Claim a pair of kings. Everyone can see it's true, and it leaves you room. Type claim pair K.",
        wrong={
            "claim three K": "That's true, but so is a pair of kings, and it tells Ada less. Type claim pair K.",
            "claim high": "That's true, but everyone can see better dice than that. Type claim pair K.",
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
            "Max claims a full house of kings. You passed on three kings, and Max rolled two dice.\n"
            "With two dice he gets a full house or better 16 times in 36. Do you believe him?"
        ),
        hint="It's a lie more often than not. Type 2 to challenge.",
        wrong={"accept": "You'd have to beat a full house next. It's a lie more often than not: type 2."},
        luck=(TEN, TEN, QUEEN, ACE, NINE),
    ),
)
_ROUND_2 = (
    Theirs(
        ADA,
        "claim pair T",
        say="You gain a point and Max loses one. You knew three of his dice, so remember the dice you pass on.",
    ),
    Theirs(MAX, "accept"),
    Theirs(MAX, "peek"),
    Theirs(MAX, "roll Q A 9", luck=(ACE, ACE, NINE)),
    Theirs(MAX, "claim two pair A"),
    Yours(
        "accept",
        say="Max claims two pair, aces up. He may have had Ada's pair of tens, and he rolled three dice.",
        hint="He may well have found a second pair. Type 1 to accept the dice.",
        wrong={"challenge": "A second pair is easy to roll, so this is probably true. Type 1 to accept."},
    ),
    Yours(
        "peek",
        say="You have the dice now. You can look at them before you roll. What will you do first?",
        hint="Look before you decide: type 1, or look.",
        wrong={"roll all": "You'd throw away Max's dice without seeing them. Type 1 to look."},
    ),
    Yours(
        "roll 9",
        say="He told the truth: two tens and two aces. You have to beat that. Which dice do you roll?",
        hint="Keep both pairs and roll the odd die: type roll 9.",
        luck=(ACE,),
    ),
    Yours(
        "claim three A",
        say="A full house, aces over tens! Claim something true that beats two pair, but don't tell Ada everything.",
        hint="Three aces is true, and less than you have. Type claim three A.",
        wrong={
            "claim AAATT": "That's true, but it tells Ada everything. Three aces is enough: type claim three A.",
            "claim full A": "That's true, but less is enough: type claim three A.",
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
        "Your dice were better than your claim, so it was true: one more point for you.\n"
        "That's Liars Dice. Claim little, remember the dice you pass on, and think about what a roll can bring."
    ),
)
