"""How a bare line reads at a table: as a move or as talk."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lilygames.commands import Command, Misread, Several, Unknown, find

Legal = Callable[[], Sequence[Command]]
"""Tells the commands of the legal moves; it takes long, and so is asked for only where they matter."""


def with_seat(text: str, names: Sequence[str]) -> str:
    """Return a line with the name behind its last `to` as the number of that seat, from 1: rules know no names."""
    head, to, name = text.rpartition(" to ")
    wanted = name.strip().casefold()
    seats = [seat for seat, other in enumerate(names, 1) if wanted and other.casefold().startswith(wanted)]
    whole = [seat for seat in seats if names[seat - 1].casefold().removesuffix(" (house)") == wanted]
    found = whole or seats
    return f"{head} to {found[0]}" if to and len(found) == 1 else text


def is_move(text: str, commands: Sequence[Command]) -> bool:
    """Whether a line reads as a move of the game that has these commands: a number does, too."""
    bare = text.removeprefix("/")
    return bare.isdigit() or as_move(bare, tuple, commands) is not None


def as_move(text: str, legal: Legal, commands: Sequence[Command]) -> tuple[Command, str] | None:
    """Return the command and its arguments that a bare line reads as, None where it is talk.

    It does where its first word is a move's name and the rest fits or is as long as what would fit, where it is the
    beginning of a move's name, a legal one's before others', and the rest fits, or where it is one word that a move
    takes (`KH`).
    """
    word, _, rest = text.partition(" ")
    return _by_name(word, rest, commands) or _by_beginning(word, rest, legal, commands) or _by_argument(text, commands)


_SIGHS = frozenset({"ah", "as", "ad", "he", "none"})


def also_talk(text: str) -> bool:
    """Whether a bare line that reads as a move is a word that people say, too: only capitals make it a card."""
    return text.casefold() in _SIGHS and not text.isupper()


def _by_name(word: str, rest: str, commands: Sequence[Command]) -> tuple[Command, str] | None:
    named = next((command for command in commands if word.casefold() in command.names), None)
    if named and (_fits(named, rest) or len(rest.split()) <= len(named.arguments)):
        return named, rest
    return None


def _by_beginning(word: str, rest: str, legal: Legal, commands: Sequence[Command]) -> tuple[Command, str] | None:
    folded = word.casefold()
    if not (rest and any(name.startswith(folded) for command in commands for name in command.names)):
        return None
    try:
        begun = find(word, legal(), commands)
    except (Several, Unknown):
        return None
    return (begun, rest) if _fits(begun, rest) else None


def _by_argument(text: str, commands: Sequence[Command]) -> tuple[Command, str] | None:
    """A word that people also use in talk would be a bad notation; whole numbers are not read here."""
    for command in commands:
        typed = [argument for argument in command.arguments if argument.reads.parse is not str]
        if len(command.arguments) == len(typed) == 1 and not text.isdigit() and _fits(command, text):
            return command, text
    return None


def as_answer(digits: str, verb: str | None, commands: Sequence[Command]) -> tuple[Command, str] | None:
    """Return the command that a bare number reads as where it is no place in a list, None where it is nothing.

    With a verb it is that verb's number; else a command may take digits that are no number, like five dice.
    """
    if verb:
        return next((command, digits) for command in commands if command.name == verb)
    for command in commands:
        if len(command.arguments) == 1 and command.arguments[0].takes_digits and _fits(command, digits):
            return command, digits
    return None


def _fits(command: Command, rest: str) -> bool:
    try:
        command.read(rest)
    except Misread:
        return False
    return True
