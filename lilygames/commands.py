"""Declare a command as a function with typed arguments. Parsing, usage, lookup and help follow from it."""

from __future__ import annotations

import difflib
import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import attrs

from lilygames.text import shortened

F = TypeVar("F", bound=Callable[..., Any])


class UsageError(Exception):
    """The typed text can't be read as a command."""


class Misread(UsageError):
    """A command's arguments can't be read. `hint` is a sentence that describes valid ones."""

    def __init__(self, command: Command, hint: str) -> None:
        super().__init__(f"{command.usage}  ({hint})" if hint else command.usage)
        self.command = command


class Unknown(UsageError):
    """No command or page starts with `word`."""

    def __init__(self, word: str, near: Sequence[str]) -> None:
        super().__init__(word)
        self.word = word
        self._near = tuple(near)

    @property
    def near(self) -> tuple[str, ...]:
        """Similar names, the most similar first."""
        return self._near


class UnknownCommand(Unknown):
    """No command of these groups starts with `word`. Similar names are only looked for when someone asks for them."""

    def __init__(self, word: str, tiers: Iterable[Iterable[Command]]) -> None:
        super().__init__(word, ())
        self._tiers = tiers

    @property
    def near(self) -> tuple[str, ...]:
        """Similar names, the most similar first."""
        names = {name for tier in self._tiers for known in tier for name in known.names}
        return tuple(_near(self.word.casefold(), names))


class Several(UsageError):
    """`word` is a prefix of several commands, `names`."""

    def __init__(self, word: str, names: Sequence[str]) -> None:
        super().__init__(word)
        self.word = word
        self.names = tuple(names)


@attrs.frozen
class Reads:
    """How to parse an argument: `Annotated[Card, Reads("CARD", Card.parse, "a card is like KH or 10C")]`.

    `parse` turns a word into a value or raises `ValueError`. `hint` is the sentence to show then.
    """

    word: str
    parse: Callable[[str], Any]
    hint: str = ""
    rest: bool = False
    """Whether it takes the rest of the line, including spaces."""


_EXAMPLE = re.compile(r"/([\w:?]+)((?: [^\s/.,:;]+)+)")
"""A command with arguments, in its usage line or its help."""
_KEYWORD = re.compile(r"(?<![^\s\[|(])[a-z][a-z-]*(?![^\s\]|.)])")
"""A word in lower case among those arguments."""
COMMON = frozenset(
    "a all an and are at be by for he her here him his i if in is it its me my no not of off on one or our out she so"
    " that the them this to up us we with you your".split()
)
"""Common short words."""
_UNSAID = COMMON - {"all", "me", "off", "on", "no"}
"""Words that say nothing about a command, although its help has them behind its name."""
_LONGEST_NUMBER = 9
_LIKE, _AS_LIKE = 0.6, 0.1
"""Least similarity of a near miss, and how much less similar a second suggestion may be."""


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER):
        raise ValueError(text)
    return int(text)


Rest = Annotated[str, Reads("TEXT", str, rest=True)]
"""The rest of the line."""

_PLAIN: Mapping[Any, tuple[Callable[[str], Any], str]] = {
    int: (_whole, "{word} is a whole number"),
    str: (str, ""),
}


@attrs.frozen
class Argument:
    """An argument of a command, from its function's signature."""

    name: str
    reads: Reads
    default: Any = inspect.Parameter.empty
    many: bool = False

    @property
    def optional(self) -> bool:
        """Whether it can be left out."""
        return self.many or self.default is not inspect.Parameter.empty

    @property
    def takes_digits(self) -> bool:
        """Whether it may accept digits with a meaning of their own, neither a whole number nor any text."""
        return self.reads.parse not in (str, _whole)

    @property
    def takes_anything(self) -> bool:
        """Whether it takes the rest of the line, whatever that says."""
        return self.reads.rest and self.reads.parse is str

    @property
    def usage(self) -> str:
        """Its part of the usage line: `NAME`, `[NAME]`, `[NAME...]`."""
        word = self.reads.word + ("..." if self.many else "")
        return f"[{word}]" if self.optional else word


Says = Literal["anything"] | tuple[str, ...]
"""Which lines of a command have words that others read: all with an argument, or those with one of these verbs.

A word with a `=` is the name of an option, which can be anywhere in the line.
"""


@attrs.frozen(slots=False)  # see `lilygames.tables.state.cached`
class Command:
    """A command: its name and aliases, arguments, help text and function."""

    name: str
    aliases: tuple[str, ...]
    arguments: tuple[Argument, ...]
    summary: str
    details: str
    group: str
    run: Callable[..., Any]
    context: Any = None
    """The annotation of the function's first parameter: the context it needs."""
    says: Says = ()
    """Which of its lines have words of the person that others will read."""
    rare: bool = False
    """Whether an abbreviation means this command only if no other command matches."""
    syntax: str = ""
    """The arguments of the usage line, if it doesn't follow from the function: `[LEVEL] [NUMBER]` for any words."""
    whole: bool = False
    """Whether it must be typed in full, because it ends a game, leaves or pays: no abbreviation reaches it."""
    takes: tuple[str, ...] = ()
    """Words that its arguments can be, besides those in its help."""
    private: bool = False
    """Whether its words are for fewer people than talk in a room, so that they are asked about without its slash."""

    @property
    def usage(self) -> str:
        """The usage line, such as `/bid TRICKS`."""
        arguments = (self.syntax,) if self.syntax else (argument.usage for argument in self.arguments)
        return " ".join([f"/{self.name}", *arguments])

    def read(self, text: str) -> tuple[Any, ...]:
        """Parse the arguments in `text`, the line without the command's name. Raises `Misread`."""
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
            raise Misread(
                self, f"I don't understand “{shortened(left, 40)}”" if self.arguments else "it takes no arguments"
            )
        return tuple(values)

    def spreads(self, text: str) -> bool:
        """Whether others will read words of `text`, the line without the command's name. A verb may be shortened."""
        words = text.casefold().split()
        if self.says == "anything" or not words:
            return bool(words)
        named = tuple(one for one in self.says if one.endswith("="))
        return any(one.startswith(words[0]) for one in self.says) or any(word.startswith(named) for word in words)

    def _value(self, argument: Argument, word: str) -> Any:
        try:
            return argument.reads.parse(word)
        except ValueError:
            raise Misread(self, argument.reads.hint) from None

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Its name and aliases."""
        return (self.name, *self.aliases)

    @cached_property
    def _begins(self) -> str:
        """Its names, each after a line break: one search in this text is faster than a comparison with each name."""
        return "".join(f"\n{name}" for name in self.names)

    def starts_with(self, letters: str) -> bool:
        """Whether its name or an alias starts with `letters`, in lower case."""
        return f"\n{letters}" in self._begins

    @cached_property
    def keywords(self) -> frozenset[str]:
        """Words that its usage and the examples in its help name as arguments, without placeholders (`NAME`)."""
        examples = _EXAMPLE.findall(f"{self.usage}\n{self.summary}\n{self.details}")
        mine = (typed for name, typed in examples if name == self.name)
        return frozenset(word for typed in mine for word in _KEYWORD.findall(typed)).union(self.takes) - _UNSAID


def _argument(parameter: inspect.Parameter, annotation: Any) -> Argument:
    word = parameter.name.upper()
    many = parameter.kind is inspect.Parameter.VAR_POSITIONAL
    if get_origin(annotation) is Annotated:
        reads = next(extra for extra in get_args(annotation)[1:] if isinstance(extra, Reads))
    else:
        parse, hint = _PLAIN[annotation]
        reads = Reads(word, parse, hint.format(word=word))
    return Argument(parameter.name, reads, parameter.default, many)


def command(
    name: str,
    *aliases: str,
    group: str = "",
    syntax: str = "",
    says: Says = (),
    rare: bool = False,
    whole: bool = False,
    private: bool = False,
    takes: tuple[str, ...] = (),
) -> Callable[[F], F]:
    """Declare the decorated function as the command `/name`.

    The annotation of its first parameter is the context it needs (a view, a context). The other parameters are the
    command's arguments. They can be `int`, `str`, `Rest`, `Annotated[..., Reads(...)]`, optional with a default, or
    `*words` for any number, which `syntax` names in the usage line. `says` tells which lines have words that others
    read: muted people can't type those. `whole` commands have no abbreviations, and `private`
    ones have words for fewer people than talk. `takes` are words that arguments can be.
    The first line of the docstring is the summary, the rest the help page.
    Raises `KeyError` for an unknown type.
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
            says,
            rare,
            syntax,
            whole,
            takes,
            private,
        )
        function.command = declared  # type: ignore[attr-defined]
        return function

    return declare


def declared(*functions: Callable[..., Any]) -> tuple[Command, ...]:
    """Return the commands that decorated functions declare, in order."""
    return tuple(function.command for function in functions)  # type: ignore[attr-defined]


def declared_in(module: Any) -> tuple[Command, ...]:
    """Return the commands that a module's own functions declare, in source order."""
    found = [value for value in vars(module).values() if getattr(value, "__module__", "") == module.__name__]
    return declared(*(value for value in found if isinstance(getattr(value, "command", None), Command)))


def find(word: str, *tiers: Iterable[Command]) -> Command:
    """Return the command named `word`, in full or by a unique prefix, ignoring case.

    A full name matches in any tier. Prefixes are looked up tier by tier: legal moves first, then the table's commands,
    then all; rare ones come last. Raises `Several` if the first tier with a match has more than one, and `Unknown` if
    no tier has one.
    """
    folded = word.casefold()
    ranked = [tuple(tier) for tier in tiers]
    ranked += [tuple(known for tier in ranked for known in tier if known.rare)]
    for tier in ranked:
        for known in tier:
            if folded in known.names:
                return known
    for tier in ranked if folded else ():
        common = [known for known in tier if tier is ranked[-1] or not known.rare]
        matches = {known.name: known for known in common if known.starts_with(folded)}
        if len(matches) > 1:
            raise Several(word, sorted(matches))
        if matches:
            return next(iter(matches.values()))
    raise UnknownCommand(word, ranked)


def _near(word: str, names: Iterable[str]) -> list[str]:
    """Return the most similar name, and a second one if it is about as similar.

    Names that have too few letters of the word are left out first. That halves the time. To remove it, let
    `quick_ratio` look at all names.
    """
    likeness: dict[str, float] = {}
    match, letters = difflib.SequenceMatcher(b=word), frozenset(word)
    for name in sorted(names):
        common = len(name) - len(_letters(name) - letters)  # at most so many letters can be those of the word
        if 2 * min(common, len(word)) > _LIKE * (len(name) + len(word)):
            match.set_seq1(name)
            if match.quick_ratio() > _LIKE:  # an upper bound, too
                likeness[name] = match.ratio()
    close = sorted((name for name in likeness if likeness[name] > _LIKE), key=lambda name: -likeness[name])[:2]
    return [name for name in close if likeness[name] > likeness[close[0]] - _AS_LIKE]


@lru_cache(maxsize=4096)
def _letters(name: str) -> frozenset[str]:
    return frozenset(name)


def complete(text: str, words: Sequence[str]) -> list[str]:
    """Return the lines in `words` that start with `text`, ignoring case."""
    folded = text.casefold()
    return [word for word in words if word.casefold().startswith(folded)]
