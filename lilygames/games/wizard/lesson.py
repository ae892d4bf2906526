"""The lesson of Wizard: three rounds, in which the learner leads a wizard, names the trump, and bids zero."""

from __future__ import annotations

from lilygames.games.families.tricks.lesson import dealt, shown
from lilygames.lesson import Lesson, Theirs, Yours
from lilygames_rules.wizard import Options

YOU, ADA, MAX = range(3)

_ROUND_1 = (
    Yours(
        "bid 1",
        say=(
            "Say how many tricks you'll take, then take exactly that many.\n"
            "The highest card of the suit led takes a trick, unless someone plays a trump: clubs in this round.\n"
            "The deck also has four wizards. The first wizard in a trick always takes it."
        ),
        hint="You have a wizard and play first, so nothing can beat it. Type 1 to bid one trick.",
        wrong={"bid 0": "Your wizard would take a trick that you didn't bid. Type 1."},
    ),
    Theirs(ADA, "bid 0"),
    Theirs(MAX, "bid 1"),
    Yours("play W", hint="Type 1, or play W: it's your only card."),
    Theirs(ADA, "play 9H"),
    Theirs(MAX, "play KD", luck=(dealt("W", "J 5C", "AS 4S", "KH 10H"),)),
)
_ROUND_2 = (
    Yours(
        "trump hearts",
        say=(
            "You bid 1 and took 1, so you get 20 points, plus 10 for the trick. Max missed by 1 and lost 10.\n"
            "You deal the next round. A wizard was turned up, so you choose the trump suit."
        ),
        hint="Choose your strong suit: type trump hearts.",
        wrong={
            "trump clubs": "You have no clubs. Choose the suit you have: type trump hearts.",
            "trump diamonds": "You have no diamonds. Choose the suit you have: type trump hearts.",
            "trump spades": "You have no spades. Choose the suit you have: type trump hearts.",
        },
    ),
    Theirs(ADA, "bid 0"),
    Theirs(MAX, "bid 1", say="You deal, so you bid last and see the other bids first."),
    Yours(
        "bid 2",
        say="You have two trumps now, including the king. Only six cards were dealt. How many tricks will you take?",
        hint="Both your trumps are likely to win. Type 2.",
        wrong={
            "bid 0": "You can hardly avoid a trick with two trumps. Type 2.",
            "bid 1": "Both your trumps are likely to win, and 2 tricks are worth 40 points. Type 2.",
        },
    ),
    Theirs(
        ADA, "play J", say="Ada played a jester, the opposite of a wizard: it never wins, and you can always play it."
    ),
    Theirs(MAX, "play AS", say="After a jester, the next card is the suit to follow."),
    Yours(
        "play 10H",
        say="Spades are led, and you have none. Which trump will you play?",
        hint="Take it with the lower trump: type play 10H.",
        wrong={"play KH": "That wins, but then {10H} has to win the next trick. Keep the king: type play 10H."},
    ),
    Yours("play KH", say="One more.", hint="Type 1, or play KH: it's your only card."),
    Theirs(ADA, "play 5C"),
    Theirs(MAX, "play 4S", luck=(dealt("8S", "KD 9D 5C", "QD 6D J", "4S AH 2C"),)),
)
_ROUND_3 = (
    Theirs(MAX, "bid 1", say="40 more points. Now everyone has three cards, and spades are trump."),
    Yours(
        "bid 0",
        say="You have {QD}, {6D} and a jester. A bid of 0 is worth 20 points.",
        hint="The jester never wins, and higher diamonds can beat the other two. Type 0.",
        wrong={
            "bid 1": "{QD} wins only if nobody has a higher diamond or a trump. Taking none is easier: type 0.",
            "bid 2": "A jester never wins, and {6D} hardly ever does. Type 0.",
            "bid 3": "A jester never wins, so you can't take 3. Type 0.",
        },
    ),
    Theirs(ADA, "bid 2"),
    Theirs(MAX, "play KD"),
    Yours(
        "play QD",
        say="You have to follow suit if you can, or play a wizard or a jester. Which card will you play?",
        hint="The king beats your queen, so get rid of the queen now. Type play QD.",
        wrong={
            "play 6D": "That loses, but {QD} may win a trick later. Get rid of the queen now: type play QD.",
            "play J": "A jester always loses, so keep it. Play the queen under the king: type play QD.",
        },
    ),
    Theirs(ADA, "play 2C"),
    Theirs(MAX, "play 9D"),
    Yours(
        "play 6D",
        say="Diamonds are led again.",
        hint="{6D} is below {9D}, so it can't win now. Type play 6D.",
        wrong={"play J": "Then you'd have {6D} for the last trick. Keep the card that never wins: type play 6D."},
    ),
    Theirs(ADA, "play 4S", say="Ada has no diamonds left, so she can play a trump, and takes the trick."),
    Theirs(ADA, "play AH"),
    Theirs(MAX, "play 5C"),
    Yours(
        "play J",
        hint="Type 1, or play J: it's your only card.",
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
        "You took no trick, as you bid: 20 points, and 90 in total.\n"
        "That's Wizard! Each round has one more card, until the whole deck is dealt."
    ),
    shown=shown,
)
