"""Usual spellings of moves: what a whole line can mean that isn't a move as it stands.

At the table people write cards, dice, bids and answers in many ways: `h5`, `♥5`, `the five of hearts`, `my jack`,
`play the jack of diamonds`, `3-3-1-4-5`, `two`, `i fold`. The game's own commands read such a line after it has been
brought into other forms. These leave out the words around the move, and have numbers and cards as they are typed. A
card without its suit, or without its rank, means the legal moves with such cards. A line with any other word means
nothing: `i have the five of hearts` is table talk.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from lilygames.chat.grammar import fits
from lilygames.commands import Command
from lilygames.game import Game
from lilygames.tables.menu import number_verb
from rules.kit import Malformed, Refused

_LONGEST = 80
"""Characters of the longest line that may be nothing but a move."""
_SUITS = {"h": "hearts heart ♥ ♡", "s": "spades spade ♠ ♤", "d": "diamonds diamond ♦ ♢", "c": "clubs club ♣ ♧"}
_SUIT: Mapping[str, str] = {word: suit for suit, words in _SUITS.items() for word in words.split()}
_HIGH = {"10": "tens", "j": "jacks jack", "q": "queens queen", "k": "kings king", "a": "aces ace"}
_NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split()
_PLURALS = "twos threes fours fives sixes sevens eights nines".split()
_DIGITS: Mapping[str, str] = {word: str(number) for number, word in enumerate(_NUMBERS)}
_RANK: Mapping[str, str] = {
    **{word: rank for rank, words in _HIGH.items() for word in words.split()},
    **{word: str(number) for number, word in enumerate(_PLURALS, 2)},
    **{word: _DIGITS[word] for word in _NUMBERS[2:11]},
    **{digits: digits for digits in map(str, range(2, 11))},
    "t": "10",
}
_LETTERS = frozenset("ajqkt")
"""Ranks that are only ranks beside a suit: alone, they are letters."""
_BEFORE = frozenset(
    "i i'll ill i'd i'm will with my the a an well then so and now um uh hmm er ok okay alright please pls"
    " card cards number dice it".split()
)
"""Words around a move, in front of it."""
_BEHIND = frozenset("it that this them please pls then now card".split())
_SUFFIX = re.compile(r"(?<=\w)'s?(?=\s|$)")
_PIECE = re.compile(r"[♥♡♠♤♦♢♣♧]|[\w'+#]+")
_LET_ME = re.compile(r"(?:let me|i'm going to|i am going to|i'm gonna|going to) ")
_BEGINS = re.compile(r"[\w♥♡♠♤♦♢♣♧#\"“(*]").match
_PACKED = re.compile(r"(10|[2-9ajqkt])([hsdc])|([hsdc])(10|[2-9ajqkt])")
_CARD = re.compile(r"(10|[2-9ajqk])([hsdc])")


@attrs.frozen
class Spellings:
    """The usual spellings of a seat's moves."""

    game: Game
    view: Any
    legal: Sequence[str]
    """The legal moves as they are typed; they may be spelled out only when they are looked at."""

    def moves(self, line: str) -> Sequence[str]:
        """Return the moves, as they are typed, that a whole line can mean; empty if it says anything else."""
        if len(line) > _LONGEST or line.endswith("?") or not _BEGINS(line):
            return ()
        words: Sequence[str] = _PIECE.findall(_SUFFIX.sub("", _LET_ME.sub("", line.casefold().replace("’", "'"))))
        for commands, left in self._without_verbs(words):
            for form in _forms(left):
                if move := self._read(form, commands):
                    return (move,)
            if moves := self._with_parts_of_cards(left, commands):
                return moves
        return ()

    def _without_verbs(self, words: Sequence[str]) -> Iterator[tuple[Sequence[Command], Sequence[str]]]:
        """Yield the words without those around them, first with the command that they name, then with any."""
        words = _trimmed(words)
        if not words:
            return
        named = [command for command in self.game.commands if words[0] in command.names]
        if named:
            yield named, _trimmed(words[1:])
        yield [command for command in self.game.commands if not _takes_any_word(command)], words

    def _read(self, form: str, commands: Sequence[Command]) -> str:
        """Return the move, as it is typed, that a form is for one of these commands; empty if for none."""
        if form.isdigit() and (verb := number_verb(self.legal)) and any(one.name == verb for one in commands):
            return f"{verb} {int(form)}"
        if form.isdigit() and len(commands) > 1:  # a number alone is no bid while a card is asked for
            commands = [one for one in commands if one.arguments and one.arguments[0].takes_digits]
        for command in commands:
            if bool(form) == bool(command.arguments) and self._runs(command, form):
                return f"{command.name} {form}".strip()
        return ""

    def _runs(self, command: Command, form: str) -> bool:
        """Whether a command makes a move of these arguments, legal or not."""
        if not fits(command, form):
            return False
        try:
            command.run(self.view, *command.read(form))
        except (Refused, Malformed):
            return False
        return True

    def _with_parts_of_cards(self, words: Sequence[str], commands: Sequence[Command]) -> Sequence[str]:
        """Return the legal moves with the cards that these words name without their suits, or without their ranks."""
        words = [word for word in words if word not in _BEFORE and word not in ("of", "and")]
        ranks = sorted(_RANK[word].upper() for word in words if word in _RANK and word not in _LETTERS)
        suits = sorted(_SUIT[word].upper() for word in words if word in _SUIT)
        if not words or (len(ranks), len(suits)) not in ((len(words), 0), (0, len(words))):
            return ()
        names = {command.name for command in commands}
        found = []
        for move in self.legal:
            verb, *typed = move.split()
            cards = [(card[1], card[2]) for card in map(_CARD.fullmatch, (word.casefold() for word in typed)) if card]
            if verb in names and cards and len(cards) == len(typed):
                own = sorted(card[0 if ranks else 1].upper() for card in cards)
                found += [move] if own == (ranks or suits) else []
        return found


def _takes_any_word(command: Command) -> bool:
    """Whether a command reads a word only when it is run, so that its name has to be typed with it."""
    return any(argument.reads.parse is str and not argument.reads.rest for argument in command.arguments)


def _trimmed(words: Sequence[str]) -> Sequence[str]:
    """Return the words without those around a move."""
    first, last = 0, len(words)
    while first < last and words[first] in _BEFORE:
        first += 1
    while last > first and words[last - 1] in _BEHIND:
        last -= 1
    return words[first:last]


def _forms(words: Sequence[str]) -> Iterator[str]:
    """Yield forms of some words that a command may read, the likeliest first."""
    if not words:
        yield ""
        return
    forms = [*map(" ".join, (_as_cards(words), words, _as_digits(words)))]
    if len(words) > 1 and all(len(word) == 1 and word.isdigit() for word in words):
        forms.append("".join(words))
    yield from dict.fromkeys(filter(None, forms))


def _as_digits(words: Iterable[str]) -> Iterator[str]:
    """Yield the words with number words as digits."""
    return (_DIGITS.get(word, word) for word in words)


def _as_cards(words: Sequence[str]) -> Sequence[str]:
    """Return the words as cards that are typed `KH`; empty if any of them is something else."""
    cards, left = [], [word for word in words if word not in ("of", "and", "the", "my")]
    while left:
        packed = _PACKED.fullmatch(left[0].replace("t", "10") if left[0][:1] == "t" else left[0])
        if packed:
            cards.append(((packed[1] or packed[4]) + (packed[2] or packed[3])).upper())
            left = left[1:]
            continue
        first, second = left[0], left[1] if len(left) > 1 else ""
        if first in _RANK and second in (*_SUIT, *_SUITS):
            rank, suit = _RANK[first], _SUIT.get(second, second)
        elif first in (*_SUIT, *_SUITS) and second in _RANK:
            rank, suit = _RANK[second], _SUIT.get(first, first)
        else:
            return ()
        cards.append(f"{rank}{suit}".upper())
        left = left[2:]
    return cards
