"""The lesson of Wizard: three rounds, in which the learner leads a wizard, names the trump, and bids zero."""

from __future__ import annotations

from lilygames.games.families.tricks.lesson import dealt, shown
from lilygames.lesson import Lesson, Theirs, Yours
from rules.wizard import Options

YOU, ADA, MAX = range(3)

_ROUND_1 = (
    Yours(
        "bid 1",
        say=(
            "Say how many tricks you'll take, then take exactly that many.\n"
            "The highest card of the suit led takes a trick, unless someone plays a trump: clubs in this round.\n"
            "The pack also has four wizards. The first wizard in a trick always takes it."
        ),
        hint="You hold a wizard, and you lead: nothing beats it. Type 1 to bid one trick.",
        wrong={"bid 0": "Your wizard would take a trick that you didn't bid. Type 1."},
    ),
    Theirs(ADA, "bid 0"),
    Theirs(MAX, "bid 1"),
    Yours("play W", hint="Type 1, or play W: it is your only card."),
    Theirs(ADA, "play 9H"),
    Theirs(MAX, "play KD", luck=(dealt("W", "J 5C", "AS 4S", "KH 10H"),)),
)
_ROUND_2 = (
    Yours(
        "trump hearts",
        say=(
            "You bid 1 and took 1: that's 20 points, and 10 for the trick. Max missed by 1 and lost 10.\n"
            "You deal the next round, and a wizard was turned up: so you name the trump."
        ),
        hint="Take the suit in which you are strong: type trump hearts.",
        wrong={
            "trump clubs": "You hold no club. Name the suit that you hold: type trump hearts.",
            "trump diamonds": "You hold no diamond. Name the suit that you hold: type trump hearts.",
            "trump spades": "You hold no spade. Name the suit that you hold: type trump hearts.",
        },
    ),
    Theirs(ADA, "bid 0"),
    Theirs(MAX, "bid 1", say="As the dealer you bid last, and hear the others first."),
    Yours(
        "bid 2",
        say="You hold two trumps now, one of them the king. Only six cards are out. How many will you take?",
        hint="Both your trumps are likely to win. Type 2.",
        wrong={
            "bid 0": "You could hardly lose with two trumps. Type 2.",
            "bid 1": "Both your trumps are likely to win, and 2 tricks are worth 40. Type 2.",
        },
    ),
    Theirs(ADA, "play J", say="Here is the opposite of a wizard: a jester never wins, and you may always play one."),
    Theirs(MAX, "play AS", say="After a jester, the next card says which suit to follow."),
    Yours(
        "play 10H",
        say="Spades, and you have none. Which trump takes this trick?",
        hint="Take it with the lower trump: type play 10H.",
        wrong={"play KH": "It wins, but then {10H} has to win the next trick. Keep the king: type play 10H."},
    ),
    Yours("play KH", say="One more.", hint="Type 1, or play KH: it is your only card."),
    Theirs(ADA, "play 5C"),
    Theirs(MAX, "play 4S", luck=(dealt("8S", "KD 9D 5C", "QD 6D J", "4S AH 2C"),)),
)
_ROUND_3 = (
    Theirs(MAX, "bid 1", say="40 points more. Three cards each now, and spades are trump."),
    Yours(
        "bid 0",
        say="You hold {QD}, {6D} and a jester. A bid of 0 is worth 20 points.",
        hint="The jester never wins, and you can lose the diamonds under higher ones. Type 0.",
        wrong={
            "bid 1": "{QD} wins only if nobody has a higher diamond or a trump. It's easier to take none: type 0.",
            "bid 2": "A jester never wins, and {6D} hardly ever. Type 0.",
            "bid 3": "A jester never wins, so 3 can't be done. Type 0.",
        },
    ),
    Theirs(ADA, "bid 2"),
    Theirs(MAX, "play KD"),
    Yours(
        "play QD",
        say="You must follow suit while you can; a wizard or a jester you may play instead. Which card do you lose?",
        hint="The king is out: lose your queen under it. Type play QD.",
        wrong={
            "play 6D": "It loses, but {QD} may win a trick later. Lose the queen now: type play QD.",
            "play J": "A jester loses at any time, so keep it. Lose the queen under the king: type play QD.",
        },
    ),
    Theirs(ADA, "play 2C"),
    Theirs(MAX, "play 9D"),
    Yours(
        "play 6D",
        say="Diamonds again.",
        hint="{6D} is below {9D}, so it can't win now. Type play 6D.",
        wrong={"play J": "Then {6D} would be left for the last trick. Keep the card that never wins: type play 6D."},
    ),
    Theirs(ADA, "play 4S", say="Ada has no diamond, so she may play a trump, and takes it."),
    Theirs(ADA, "play AH"),
    Theirs(MAX, "play 5C"),
    Yours(
        "play J",
        hint="Type 1, or play J: it is your only card.",
        luck=(dealt("2D", "3C 4C 5C 6C", "7C 8C 9C 10C", "JC QC KC AC"),),
    ),
)

LESSON = Lesson(
    minutes=4,
    options=Options(order="inorder"),
    seats=3,
    deal=(dealt("3C", "W", "9H", "KD"),),
    steps=(*_ROUND_1, *_ROUND_2, *_ROUND_3),
    end=(
        "No trick, as you said: 20 points, and 90 in all.\n"
        "That's Wizard! Each round has one card more, until the whole pack is dealt."
    ),
    shown=shown,
)
