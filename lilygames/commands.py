"""Declare a command once, by a function with typed arguments; reading, usage, lookup and help follow from it."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

import attrs

F = TypeVar("F", bound=Callable[..., Any])


class UsageError(Exception):
    """What was typed cannot be read as a command."""


class Misread(UsageError):
    """A command's arguments could not be read; `hint` says what they look like, in one sentence."""

    def __init__(self, command: Command, hint: str) -> None:
        super().__init__(f"{command.usage}  ({hint})" if hint else command.usage)
        self.command = command


class Unknown(UsageError):
    """No command begins with `word`; `near` are the names that look like it."""

    def __init__(self, word: str, near: Sequence[str]) -> None:
        super().__init__(word)
        self.word = word
        self.near = tuple(near)


class Several(UsageError):
    """`word` begins more than one command; `names` are they."""

    def __init__(self, word: str, names: Sequence[str]) -> None:
        super().__init__(word)
        self.word = word
        self.names = tuple(names)


@attrs.frozen
class Reads:
    """How one argument is read: `Annotated[Card, Reads("CARD", Card.parse, "a card is like KH or 10C")]`.

    `parse` turns a word into a value and raises `ValueError` where it cannot; `hint` is the sentence said then.
    """

    word: str
    parse: Callable[[str], Any]
    hint: str = ""
    rest: bool = False
    """Whether it takes all that is left of the line, spaces and all."""


_LONGEST_NUMBER = 9
_LIKE, _AS_LIKE = 0.6, 0.1
"""How much of two names has to agree for a near miss, and by how much a second one may agree less."""


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER):
        raise ValueError(text)
    return int(text)


Rest = Annotated[str, Reads("TEXT", str, rest=True)]
"""All that is left of the line."""

_PLAIN: Mapping[Any, tuple[Callable[[str], Any], str]] = {
    int: (_whole, "{word} is a whole number"),
    str: (str, ""),
}


@attrs.frozen
class Argument:
    """One argument of a command, as its function declares it."""

    name: str
    reads: Reads
    default: Any = inspect.Parameter.empty
    many: bool = False

    @property
    def optional(self) -> bool:
        """Whether the line may end before it."""
        return self.many or self.default is not inspect.Parameter.empty

    @property
    def takes_digits(self) -> bool:
        """Whether it may read digits as something of its own, neither as a whole number nor as any text."""
        return self.reads.parse not in (str, _whole)

    @property
    def usage(self) -> str:
        """How the usage line shows it: `NAME`, `[NAME]`, `[NAME...]`."""
        word = self.reads.word + ("..." if self.many else "")
        return f"[{word}]" if self.optional else word


@attrs.frozen
class Command:
    """A command: its name and aliases, its arguments, the words about it, and the function that does it."""

    name: str
    aliases: tuple[str, ...]
    arguments: tuple[Argument, ...]
    summary: str
    details: str
    group: str
    run: Callable[..., Any]
    context: Any = None
    """The annotation of its first parameter: what it is given, beside its arguments."""

    @property
    def usage(self) -> str:
        """The line that shows how it is typed: `/bid TRICKS`."""
        return " ".join([f"/{self.name}", *(argument.usage for argument in self.arguments)])

    def read(self, text: str) -> tuple[Any, ...]:
        """Return the arguments in `text`, the line without the command's word; raises `Misread`."""
        values: list[Any] = []
        left = text.strip()
        for argument in self.arguments:
            if argument.many:
                values += [self._value(argument, word) for word in left.split()]
                return tuple(values)
            word, _, after = (left, "", "") if argument.reads.rest else left.partition(" ")
            left = after.strip()
            if not word and not argument.optional:
                raise Misread(self, "")
            values.append(self._value(argument, word) if word else argument.default)
        if left:
            raise Misread(self, f"I do not understand “{left[:40]}”" if self.arguments else "it stands alone")
        return tuple(values)

    def _value(self, argument: Argument, word: str) -> Any:
        try:
            return argument.reads.parse(word)
        except ValueError:
            raise Misread(self, argument.reads.hint) from None

    @property
    def names(self) -> tuple[str, ...]:
        """Its name and aliases."""
        return (self.name, *self.aliases)


def _argument(parameter: inspect.Parameter, annotation: Any) -> Argument:
    word = parameter.name.upper()
    many = parameter.kind is inspect.Parameter.VAR_POSITIONAL
    if get_origin(annotation) is Annotated:
        reads = next(extra for extra in get_args(annotation)[1:] if isinstance(extra, Reads))
    else:
        parse, hint = _PLAIN[annotation]
        reads = Reads(word, parse, hint.format(word=word))
    return Argument(parameter.name, reads, parameter.default, many)


def command(name: str, *aliases: str, group: str = "") -> Callable[[F], F]:
    """Declare the decorated function as the command `/name`.

    Its first parameter says by its annotation what the command is given (a view, a context); the others, by theirs
    (`int`, `str`, `Rest`, `Annotated[..., Reads(...)]`, a default for an optional one, `*words` for many), are the
    arguments.
    The first line of its docstring is the summary, the rest the help page. Raises `KeyError` for an unknown type.
    """

    def declare(function: F) -> F:
        hints = get_type_hints(function, include_extras=True)
        first, *parameters = inspect.signature(function).parameters.values()
        summary, _, details = (inspect.getdoc(function) or "").partition("\n")
        declared = Command(
            name,
            aliases,
            tuple(_argument(parameter, hints[parameter.name]) for parameter in parameters),
            summary.rstrip("."),
            details.strip("\n"),
            group,
            function,
            hints.get(first.name),
        )
        function.command = declared  # type: ignore[attr-defined]
        return function

    return declare


def declared(*functions: Callable[..., Any]) -> tuple[Command, ...]:
    """Return the commands that the decorated functions declare, in order."""
    return tuple(function.command for function in functions)  # type: ignore[attr-defined]


def declared_in(module: Any) -> tuple[Command, ...]:
    """Return the commands that a module's own functions declare, in the order written."""
    found = [value for value in vars(module).values() if getattr(value, "__module__", "") == module.__name__]
    return declared(*(value for value in found if isinstance(getattr(value, "command", None), Command)))


def find(word: str, *floors: Iterable[Command]) -> Command:
    """Return the command that `word` names, whole or by a unique prefix, in any case.

    A whole name wins on any floor; a prefix is looked up floor by floor (one's legal moves, the table's commands, all).
    Raises `Several` where the first floor with a match has more than one, `Unknown` where none has.
    """
    folded = word.casefold()
    rooms = [tuple(floor) for floor in floors]
    for room in rooms:
        for known in room:
            if folded in known.names:
                return known
    for room in rooms if folded else ():
        matches = {known.name: known for known in room if any(name.startswith(folded) for name in known.names)}
        if len(matches) > 1:
            raise Several(word, sorted(matches))
        if matches:
            return next(iter(matches.values()))
    raise Unknown(word, _near(folded, {name for room in rooms for known in room for name in known.names}))


def _near(word: str, names: Iterable[str]) -> list[str]:
    """Return the name that looks most like the word, and a second one that looks as much like it."""
    likeness: dict[str, float] = {}
    match = difflib.SequenceMatcher(b=word)
    for name in sorted(names):
        match.set_seq1(name)
        if min(match.real_quick_ratio(), match.quick_ratio()) > _LIKE:  # cheap, and never too small
            likeness[name] = match.ratio()
    close = sorted((name for name in likeness if likeness[name] > _LIKE), key=lambda name: -likeness[name])[:2]
    return [name for name in close if likeness[name] > likeness[close[0]] - _AS_LIKE]


def complete(text: str, words: Sequence[str]) -> list[str]:
    """Return the whole lines of `words` that `text`, a line begun, can become; case does not matter."""
    folded = text.casefold()
    return [word for word in words if word.casefold().startswith(folded)]
