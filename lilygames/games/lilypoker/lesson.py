"""The lesson of lily-poker: three hands of draw, in which the learner bets, draws, folds, calls and raises."""

from __future__ import annotations

from lilygames.game import Reader
from lilygames.games.families.cards.words import cards_in
from lilygames.lesson import Draws, Lesson, Theirs, Yours
from lilygames.text import Voice
from lilygames_rules.cards import cards
from lilygames_rules.lilypoker import Options

YOU, ADA, MAX = range(3)


def _dealt(stock: str, *hands: str) -> Draws:
    """Return the shuffle that deals these hands, from the dealer's left, and then draws from this stock."""
    rounds = zip(*map(cards, hands), strict=True)
    return ((*(card for each in rounds for card in each), *cards(stock)),)


def _shown(text: str, voice: Voice) -> str:
    return cards_in(cards(text), Reader(None, (), voice))


_HAND_1 = (
    Yours(
        "bet 2",
        say=(
            "Everyone has put 1 chip into the pot and has five cards. The best hand wins it, or the last player left.\n"
            "You have a pair of kings. You can check, which is free, or bet 2 chips that the others have to match."
        ),
        hint="Two kings are probably the best hand now, so make the others pay. Type bet.",
        wrong={
            "check": "Then they draw for free, and you're probably ahead. Make them pay: type bet.",
            "fold": "You'd give up the best hand. Type bet.",
        },
    ),
    Theirs(ADA, "call"),
    Theirs(MAX, "call"),
    Yours(
        "discard 8D 5C 2S",
        say="Now everyone can discard cards and draw new ones. Which ones will you discard?",
        hint="Keep the kings and draw three: type 8D 5C 2S.",
    ),
    Theirs(ADA, "discard 9C 7S 4H"),
    Theirs(MAX, "discard 6H 3C 9H"),
    Yours(
        "bet 4",
        say="A third king! Bets are 4 chips now.",
        hint="Three kings usually win after the draw. Type bet.",
        wrong={
            "check": "Maybe nobody bets then, and your three kings win little. Type bet.",
            "fold": "Three kings usually win. Type bet.",
        },
    ),
    Theirs(ADA, "fold"),
    Theirs(MAX, "call", luck=_dealt("10H 8C 3C QH 7H", "AH AD 9S 7C 6D", "KC KD KS 5H 4D", "JD 9C 6C 4H 2D")),
)
_HAND_2 = (
    Theirs(ADA, "bet", say="Max called and had a worse hand, so you win the pot. Now you deal and act last."),
    Theirs(MAX, "raise"),
    Yours(
        "fold",
        say="Ada bet and Max raised, so it costs 4 chips to stay in. You have a jack and nothing else.",
        hint="A jack is worth nothing against a bet and a raise. Folding costs nothing more: type fold.",
        wrong={
            "call": "4 chips is too much for a jack when two others like their hands. Type fold.",
            "raise 6": "A bluff rarely works against two players who like their hands. Type fold.",
        },
    ),
    Theirs(ADA, "call"),
    Theirs(ADA, "discard 9S 7C 6D"),
    Theirs(MAX, "discard 5H 4D"),
    Theirs(ADA, "check"),
    Theirs(MAX, "bet"),
    Theirs(ADA, "fold", luck=_dealt("QC 9H 5D 5S 10D 8H 3D", "QH QD 10C 7D 2H", "AS JD QS 8S 3S", "JC JH 9D 6S 4C")),
)
_HAND_3 = (
    Theirs(MAX, "bet", say="That hand cost you 1 chip. You'll fold most hands."),
    Yours(
        "call",
        say=(
            "You have four spades: a fifth makes a flush. 9 of the 47 unseen cards are spades, about one in five.\n"
            "The pot has 5 chips and a call costs 2. If you get the flush, you can win more with bets of 4."
        ),
        hint="One in five isn't enough to pay 2 for 5 chips, but a flush wins later bets, too. Type call.",
        wrong={
            "fold": "2 chips is cheap for a hand that can win so much. Type call.",
            "raise 4": "You don't have a hand yet, so draw cheaply. Type call.",
        },
    ),
    Theirs(ADA, "call"),
    Theirs(MAX, "discard 10C 7D 2H"),
    Yours("discard JD", say="Draw a card for your flush.", hint="Discard the only card that isn't a spade: type JD."),
    Theirs(ADA, "discard 9D 6S 4C"),
    Theirs(MAX, "bet"),
    Yours(
        "raise 8",
        say="{5S}: you have your flush! Max drew three cards and bets 4.",
        hint="After drawing three cards, he rarely has better than three of a kind. Type raise.",
        wrong={
            "call": "You're almost certainly ahead, so make him pay more. Type raise.",
            "fold": "A flush beats almost every hand. Type raise.",
        },
    ),
    Theirs(ADA, "fold"),
    Theirs(MAX, "call"),
)

LESSON = Lesson(
    minutes=4,
    options=Options(hands=3),
    seats=3,
    deal=(
        MAX,
        *_dealt("KD 7D 4C AH 6C 2H 10C 5S 2D", "KS KH 8D 5C 2S", "QD JD 9C 7S 4H", "10S 10D 6H 3C 9H"),
    ),
    steps=(*_HAND_1, *_HAND_2, *_HAND_3),
    end=(
        "Your flush beats three queens.\n"
        "That's draw poker. Bet when you're ahead, fold when you aren't, and pay for a draw only what it's worth."
    ),
    shown=_shown,
)
