"""The lesson of Ohell: three rounds, in which the learner bids one, is barred from zero, and bids zero."""

from __future__ import annotations

from lilygames.games.families.tricks.lesson import dealt, shown
from lilygames.lesson import Lesson, Theirs, Yours
from lilygames_rules.ohell import Options

YOU, ADA, MAX = range(3)

_ROUND_1 = (
    Yours(
        "bid 1",
        say=(
            "Say how many tricks you'll take, then take exactly that many.\n"
            "A trick is one card from each player. The highest card of the suit led takes it, unless someone plays a"
            " trump. Trumps beat every other suit, and in this round spades are trump."
        ),
        hint="You have {AH}, and only a spade can beat it. Type 1 to bid one trick.",
        wrong={"bid 0": "{AH} would take a trick that you didn't bid, so you'd miss your bid. Type 1."},
    ),
    Theirs(ADA, "bid 0", say="If you make your bid, you get 10 points, plus your bid times itself."),
    Theirs(
        MAX,
        "bid 1",
        say="Max deals and bids last. The bids can't add up to the tricks, so he can't bid 0: someone will miss.",
    ),
    Yours(
        "play AH",
        hint="Type 1, or play AH: it's your only card.",
        say="The player left of the dealer leads: that's you.",
    ),
    Theirs(ADA, "play 4H"),
    Theirs(MAX, "play 9D", luck=(dealt("9S", "JC AD", "JS 4D", "KS 6C"),)),
)
_ROUND_2 = (
    Theirs(
        ADA,
        "bid 1",
        say="You made it: 10 plus 1 times 1 is 11. Max missed by 1 and lost 1. Missing by 2 costs 8, by 3 it costs 27.",
    ),
    Theirs(MAX, "bid 1", say="Now everyone has two cards. You deal, so you see the other bids before you make yours."),
    Yours(
        "bid 1",
        say="The bids add up to 2 already, and there are 2 tricks, so you can't bid 0. How good is your hand?",
        hint="{KS} is a high trump and takes a trick. {6C} takes none. Type 1.",
        wrong={"bid 2": "{KS} takes a trick, but {6C} is too low for another one. Type 1."},
    ),
    Theirs(ADA, "play AD"),
    Theirs(MAX, "play 4D"),
    Yours(
        "play KS",
        say="Diamonds were led and you have none, so you may play anything. Ada counts on her ace.",
        hint="Take it with your trump: type play KS.",
        wrong={"play 6C": "You can still make your bid, but Ada would make hers, too. Take her ace: type play KS."},
    ),
    Yours(
        "play 6C", say="That's your one trick, so lose the next one.", hint="Type 1, or play 6C: it's your only card."
    ),
    Theirs(ADA, "play JC"),
    Theirs(MAX, "play JS", luck=(dealt("5H", "AH KD 9C", "2C 8D JD", "4D 10C 6S"),)),
)
_ROUND_3 = (
    Theirs(MAX, "bid 2", say="You made it again: 11 more points. Now everyone has three cards, and hearts are trump."),
    Yours(
        "bid 0",
        say="Your hand has no hearts and nothing high. A bid of 0 gives 10 points, plus one for each card dealt: 13.",
        hint="You can lose every trick with these cards. Type 0.",
        wrong={
            "bid 1": "{JD} might take one, but many cards beat it. Taking none is easier and worth more: type 0.",
            "bid 2": "You have no trump and no ace. Type 0.",
            "bid 3": "You can't take all three without a trump or an ace. Type 0.",
        },
    ),
    Theirs(ADA, "bid 0"),
    Theirs(MAX, "play KD", say="The bids add up to 2, and there are 3 tricks, so someone will take one too many."),
    Yours(
        "play JD",
        say="Diamonds were led, and you have to follow suit if you can. Which card will you play under the king?",
        hint="Play the higher diamond now, while it can't win: type play JD.",
        wrong={"play 8D": "That loses, but so does {JD}, and {JD} could take a trick later. Type play JD."},
    ),
    Theirs(ADA, "play 4D"),
    Theirs(MAX, "play AH", say="Good: your most dangerous card is gone."),
    Yours(
        "play 8D",
        say="Hearts are led, and you have none. Get rid of the card that could still take a trick.",
        hint="Play your highest card: type play 8D.",
        wrong={"play 2C": "{2C} can never win, so keep it for the end. Play the higher card: type play 8D."},
    ),
    Theirs(ADA, "play 6S"),
    Theirs(MAX, "play 9C", say="Max has his two tricks and wants no more, like you and Ada."),
    Yours("play 2C", hint="Type 1, or play 2C: it's your only card."),
    Theirs(ADA, "play 10C", luck=(dealt("2D", "3C 4C", "5C 6C", "7C 8C"),)),
)

LESSON = Lesson(
    minutes=4,
    options=Options(max=3),
    seats=3,
    deal=(MAX, dealt("6S", "AH", "4H", "9D")),
    steps=(*_ROUND_1, *_ROUND_2, *_ROUND_3),
    end=(
        "You took none and got 13. Ada took one too many, and that's just as bad as one too few.\n"
        "That's Ohell! A whole game goes on like this, up to the largest hand and back to one card."
    ),
    shown=shown,
)
