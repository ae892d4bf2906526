"""Usual spellings of moves: what a whole line can mean that isn't a move as it stands.

At the table people write cards, dice, bids and answers in many ways: `h5`, `♥5`, `the five of hearts`, `my jack`, `the
red five`, `play the jack of diamonds`, `3-3-1-4-5`, `make it two`, `three 5s`, `i fold`. The game's own commands read
such a line after it has been brought into other forms. These leave out the words around the move, and have numbers and
cards as they are typed. A card without its suit, or without its rank, means the legal moves with such cards. A line
with any other word means nothing: `i have the five of hearts` is table talk. Out of turn only cards and dice count, and
a rank with a colour, which leaves two cards. Bids, claims and answers are often said about other people's moves.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from lilygames.chat.input.grammar import fits
from lilygames.commands import Command
from lilygames.game import Game
from lilygames.tables.sight.menu import number_verb
from lilygames_rules.kit import Malformed, Refused

_LONGEST = 80
"""Characters of the longest line that may be nothing but a move."""
_SUITS = {"h": "hearts heart ♥ ♡", "s": "spades spade ♠ ♤", "d": "diamonds diamond ♦ ♢", "c": "clubs club ♣ ♧"}
_SUIT: Mapping[str, str] = {word: suit for suit, words in _SUITS.items() for word in words.split()}
_HIGH = {"10": "tens", "j": "jacks jack", "q": "queens queen", "k": "kings king", "a": "aces ace"}
_NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split()
_PLURALS = "twos threes fours fives sixes sevens eights nines".split()
_DIGITS: Mapping[str, str] = {word: str(number) for number, word in enumerate(_NUMBERS)}
_COUNTS: Mapping[str, str] = {
    **_DIGITS,
    **dict.fromkeys(("nil", "none", "nought"), "0"),
    **{f"{number}s": str(number) for number in range(10)},
}
"""Words that stand for a number in a bid."""
_COLOURS: Mapping[str, str] = {"red": "hd", "black": "sc"}
_RANK: Mapping[str, str] = {
    **{word: rank for rank, words in _HIGH.items() for word in words.split()},
    **{word: str(number) for number, word in enumerate(_PLURALS, 2)},
    **{word: _DIGITS[word] for word in _NUMBERS[2:11]},
    **{digits: digits for digits in map(str, range(2, 11))},
    "t": "10",
}
_SUITLESS = frozenset({"jester", "wizard"})
_LETTERS = frozenset("ajqkt")
"""Ranks that are only ranks beside a suit: alone, they are letters."""
_RANK_OF: Mapping[str, str] = {**_RANK, **{letter: letter for letter in _LETTERS - {"t"}}}
"""Ranks beside a suit."""
_SUIT_OF: Mapping[str, str] = {**_SUIT, **{letter: letter for letter in _SUITS}}
_SOUNDS = frozenset({"ah", "as", "ad", "ha", "da", "aha"})
"""Words that are cards only if they are typed as these are (`AH`)."""
_PLAYING = frozenset("play discard drop lead show throw".split())
"""Verbs before cards, also in a game that has no such move."""
_DICE = frozenset("123456789tjqka")
"""Marks of dice."""
_SEVERAL = 3
"""Dice from which a line is nothing else: two digits may be a score."""
_BEFORE = frozenset(
    "i i'll ill i'd i'm will with my the a an well then so and now um uh hmm er ok okay alright please pls"
    " card cards number dice it".split()
)
"""Words around a move, in front of it."""
_BEHIND = frozenset("it that this them please pls then now card".split())
_AFTER_VERB = _BEFORE | {"is", "to"}
"""Words between a move's name and the rest: `bid is two`, `raise it to ten`."""
_SAYING = _AFTER_VERB | frozenset("say make take want go bid bet raise lets let's just only".split())
"""Words in front of a number: `my bid is two`, `make it two`."""
_AT_END = _BEHIND | frozenset("trick tricks pat".split())
"""Words behind a move with its name: `bid two tricks`, `stand pat`."""
_SAID = _AT_END | frozenset("for me is".split())
"""Words behind a number: `two for me`, `two it is`."""
_SIZES = frozenset("low lower lowest small smallest little high higher highest big biggest".split())
"""Words beside a suit that say which of its cards."""
_SUFFIX = re.compile(r"(?<=\w)'s?(?=\s|$)")
_PIECE = re.compile(r"[♥♡♠♤♦♢♣♧]|[\w'+#]+")
_LET_ME = re.compile(r"(?:let me|i'm going to|i am going to|i'm gonna|going to) ")
_ALL_IN = re.compile(r"\ball[ -]in\b")
_BEGINS = re.compile(r"[\w♥♡♠♤♦♢♣♧#\"“(*[]").match
_MARK, _WORD = r"10|[2-9ajqkt]", "|".join(sorted(_RANK, reverse=True))
_SUIT_WORD = "|".join(sorted(filter(str.isalpha, _SUIT), reverse=True))
_PACKED = re.compile(
    rf"(?P<rank>{_MARK})(?P<suit>[hsdc])|(?P<suit2>[hsdc])(?P<rank2>{_MARK})"
    rf"|(?P<rank3>{_MARK}|{_WORD})(?:of)?(?P<suit3>{_SUIT_WORD})"
)
"""A card in one piece: `5h`, `h5`, `kingofhearts`."""
_CARD = re.compile(r"(10|[2-9ajqk])([hsdc])")


@attrs.frozen
class Spellings:
    """The usual spellings of what a seat may want to do."""

    game: Game
    view: Any
    asked: bool
    """Whether it is the seat's turn."""
    words: Sequence[str]
    """The legal moves as they are typed; they may be spelled out only when they are looked at."""
    legal: Container[Any]
    """The legal moves as values."""

    def moves(self, line: str) -> Sequence[str] | None:
        """Return the legal moves, as they are typed, that a whole line can mean; None if it says anything else.

        They are empty for a line that is nothing but a move which isn't legal now, or cards or dice out of turn.
        """
        if len(line) > _LONGEST or line.endswith("?") or not _BEGINS(line) or line.strip(" .!…").casefold() in _SOUNDS:
            return None
        plain = _ALL_IN.sub("allin", line.casefold().replace("’", "'"))
        pieces: Sequence[str] = _PIECE.findall(_SUFFIX.sub("", _LET_ME.sub("", plain)))
        readings = [*self._without_verbs(pieces)]
        for commands, left in readings if self.asked else ():
            for form in _forms(left):
                if (move := self._read(form, commands)) is not None:
                    return move
            if moves := self._with_parts_of_cards(left, commands):
                return moves
        lines = [pieces, *(left for _, left in readings)]
        return () if any(self._are_cards(words) or self._are_dice(words) for words in lines) else None

    def _are_cards(self, words: Sequence[str]) -> bool:
        """Whether words are nothing but cards of the game."""
        left = _trimmed(words[1:]) if words and words[0] in _PLAYING else words
        cards = _as_cards(left) or [card for (card,) in _of_a_colour(left)]
        named = [command for command in self.game.commands if command.arguments and command.arguments[0].takes_digits]
        return bool(cards) and all(any(fits(command, card) for command in named) for card in cards)

    def _are_dice(self, words: Sequence[str]) -> bool:
        """Whether words are nothing but several dice of the game, apart from each other."""
        dice = _DICE.issuperset(words) and len(words) >= _SEVERAL
        return dice and any(_takes_some(command) and fits(command, words[0]) for command in self.game.commands)

    def _without_verbs(self, words: Sequence[str]) -> Iterator[tuple[Sequence[Command], Sequence[str]]]:
        """Yield the words without those around them, first with the command that they name, then with any.

        At last come numbers without a verb that is no command of the game (`take two`).
        """
        words = _trimmed(words)
        if not words:
            return
        named = [command for command in self.game.commands if words[0] in command.names]
        if named:
            yield named, _trimmed(words[1:], _AFTER_VERB, _AT_END)
        others = [command for command in self.game.commands if not _takes_any_word(command)]
        yield others, words
        bare = _trimmed(words, _SAYING, _SAID)
        if len(bare) < len(words) and any(word in _COUNTS or word.isdigit() for word in bare):
            yield others, bare

    def _read(self, form: str, commands: Sequence[Command]) -> Sequence[str] | None:
        """Return the legal move, as it is typed, that a form is for one of these commands.

        It is empty if the move isn't legal now, and None if the form is for none of them.
        """
        if form.isdigit() and (verb := number_verb(self.words)) and any(one.name == verb for one in commands):
            number = f"{verb} {int(form)}"
            return [number] if number in self.words or (not int(form) and "pass" in self.words) else ()
        if form.isdigit() and len(commands) > 1:  # a number alone is no bid while a card is asked for
            commands = [one for one in commands if one.arguments and one.arguments[0].takes_digits]
        illegal = False
        for command in commands:
            move = self._move(command, form) if bool(form) == bool(command.arguments) else None
            if move is not None and move in self.legal:
                return [f"{command.name} {form}".strip()]
            illegal = illegal or move is not None
        return () if illegal else None

    def _move(self, command: Command, form: str) -> Any:
        """Return the move that a command makes of these arguments, legal or not; None for none."""
        if not fits(command, form):
            return None
        try:
            return command.run(self.view, *command.read(form))
        except (Refused, Malformed):
            return None

    def _with_parts_of_cards(self, words: Sequence[str], commands: Sequence[Command]) -> Sequence[str]:
        """Return the legal moves with the cards that these words name without their suits, or without their ranks."""
        words = [word for word in words if word not in _BEFORE | _SIZES and word not in ("of", "and")]
        names = {command.name for command in commands}
        if either := _of_a_colour(words):
            return [move for move in self.words if move.split()[0] in names and move.upper().split()[1:] in either]
        ranks = sorted(_RANK[word].upper() for word in words if word in _RANK and word not in _LETTERS)
        suits = sorted(_SUIT[word].upper() for word in words if word in _SUIT)
        if not words or (len(ranks), len(suits)) not in ((len(words), 0), (0, len(words))):
            return ()
        found = []
        for move in self.words:
            verb, *typed = move.split()
            cards = [(card[1], card[2]) for card in map(_CARD.fullmatch, (word.casefold() for word in typed)) if card]
            if verb in names and cards and len(cards) == len(typed):
                own = sorted(card[0 if ranks else 1].upper() for card in cards)
                found += [move] if own == (ranks or suits) else []
        return found


def _takes_any_word(command: Command) -> bool:
    """Whether a command reads a word only when it is run, so that its name has to be typed with it."""
    return any(argument.reads.parse is str and not argument.reads.rest for argument in command.arguments)


def _takes_some(command: Command) -> bool:
    """Whether a command takes one or more of something, such as dice, and no whole line."""
    return any(argument.many and argument.takes_digits for argument in command.arguments)


def _trimmed(words: Sequence[str], before: Container[str] = _BEFORE, behind: Container[str] = _BEHIND) -> Sequence[str]:
    """Return the words without those around a move."""
    first, last = 0, len(words)
    while first < last and words[first] in before:
        first += 1
    while last > first and words[last - 1] in behind:
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
    """Yield the words with number words as digits, and without `of` (`three of fives`)."""
    return (_COUNTS.get(word, word) for word in words if word != "of")


def _as_cards(words: Sequence[str]) -> Sequence[str]:
    """Return the words as cards that are typed `KH`; empty if any of them is something else."""
    cards, left = [], [word for word in words if word not in ("of", "and", "the", "my")]
    while left:
        card, taken = _first_card(left)
        if not card:
            return ()
        cards.append(card)
        left = left[taken:]
    return cards


def _first_card(words: Sequence[str]) -> tuple[str, int]:
    """Return the card that words begin with, and how many of them it is; no card if they begin with something else."""
    first, second = words[0], words[1] if len(words) > 1 else ""
    if first in _SUITLESS:
        return first.upper(), 1
    if packed := _PACKED.fullmatch(first):
        rank, suit = (next(filter(None, packed.group(part, f"{part}2", f"{part}3"))) for part in ("rank", "suit"))
        return _card(rank, suit), 1
    if first in _RANK_OF and second in _SUIT_OF:
        return _card(first, second), 2
    if first in _SUIT_OF and second in _RANK_OF:
        return _card(second, first), 2
    return "", 0


def _of_a_colour(words: Sequence[str]) -> Sequence[list[str]]:
    """Return the two cards, each alone, that a rank and a colour leave; none if the words are anything else."""
    match [word for word in words if word not in ("of", "and", "the", "my")]:
        case [colour, rank] if colour in _COLOURS and rank in _RANK_OF:
            return [[_card(rank, suit)] for suit in _COLOURS[colour]]
        case [rank, colour] if colour in _COLOURS and rank in _RANK_OF and rank != "a":  # `a red` is no card
            return [[_card(rank, suit)] for suit in _COLOURS[colour]]
    return ()


def _card(rank: str, suit: str) -> str:
    """Return a card as it is typed."""
    return f"{_RANK_OF[rank]}{_SUIT_OF[suit]}".upper()
