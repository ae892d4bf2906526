"""The lesson of lily-poker: three hands of draw, in which the learner bets, draws, folds, calls and raises."""

from __future__ import annotations

from lilygames.game import Reader
from lilygames.games.families.cards.words import cards_in
from lilygames.lesson import Draws, Lesson, Theirs, Yours
from lilygames.text import Voice
from rules.cards import cards
from rules.lilypoker import Options

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
            "Everyone has put 1 chip into the pot, and has five cards. The best hand wins it, or the last who stays.\n"
            "You hold a pair of kings. You may check, which costs nothing, or bet 2 that the others have to match."
        ),
        hint="Two kings are likely the best hand now, so let the others pay. Type bet.",
        wrong={
            "check": "Then they draw for nothing, and you are likely ahead. Let them pay: type bet.",
            "fold": "You'd give up the best hand. Type bet.",
        },
    ),
    Theirs(ADA, "call"),
    Theirs(MAX, "call"),
    Yours(
        "discard 8D 5C 2S",
        say="Now each may throw cards away and draw as many. Which do you throw?",
        hint="Keep the kings and draw three: type 8D 5C 2S.",
    ),
    Theirs(ADA, "discard 9C 7S 4H"),
    Theirs(MAX, "discard 6H 3C 9H"),
    Yours(
        "bet 4",
        say="A third king! The bets are 4 now.",
        hint="Three kings are seldom beaten after one draw. Type bet.",
        wrong={
            "check": "Nobody may bet then, and your three kings would win little. Type bet.",
            "fold": "Three kings are seldom beaten. Type bet.",
        },
    ),
    Theirs(ADA, "fold"),
    Theirs(MAX, "call", luck=_dealt("10H 8C 3C QH 7H", "AH AD 9S 7C 6D", "KC KD KS 5H 4D", "JD 9C 6C 4H 2D")),
)
_HAND_2 = (
    Theirs(ADA, "bet", say="Max called and had less, so the pot is yours. Now you deal and speak last."),
    Theirs(MAX, "raise"),
    Yours(
        "fold",
        say="Ada bet and Max raised: it would cost 4 chips to stay. You hold a jack and nothing else.",
        hint="Against a bet and a raise, a jack is worth nothing. It costs you no more: type fold.",
        wrong={
            "call": "4 chips for a jack, with two others who like their hands: too much. Type fold.",
            "raise 6": "A bluff against two who like their hands seldom works. Type fold.",
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
    Theirs(MAX, "bet", say="That hand cost you 1 chip. Most hands are folded."),
    Yours(
        "call",
        say=(
            "Four spades: a fifth makes a flush. 9 of the 47 cards that you don't see are spades, about one in five.\n"
            "The pot holds 5 chips and a call costs 2. If the flush comes, you can win bets of 4 as well."
        ),
        hint="One in five alone is too little for 2 to win 5, but a flush wins later bets, too. Type call.",
        wrong={
            "fold": "2 chips are cheap for a hand that can win so much. Type call.",
            "raise 4": "You have nothing yet, so see it cheaply. Type call.",
        },
    ),
    Theirs(ADA, "call"),
    Theirs(MAX, "discard 10C 7D 2H"),
    Yours("discard JD", say="Draw to your flush.", hint="Throw the one card that isn't a spade: type JD."),
    Theirs(ADA, "discard 9D 6S 4C"),
    Theirs(MAX, "bet"),
    Yours(
        "raise 8",
        say="{5S}: you have the flush. Max drew three cards and bets 4.",
        hint="With three cards he hardly made more than three of a kind. Type raise.",
        wrong={
            "call": "You are very likely ahead, so make him pay more. Type raise.",
            "fold": "A flush beats all but the rarest hands. Type raise.",
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
        "That's draw poker: bet when you are ahead, fold when you are not, and pay for a draw only what it can win."
    ),
    shown=_shown,
)
