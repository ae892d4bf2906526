"""A seat's turn as one value that every screen draws: the question, the facts and the choices.

A game makes a `Turn` from the seat's view alone, so it can't contain anything that the seat may not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import attrs

from lilygames_rules.changed import changer
from lilygames_rules.kit import Seat

BREAK = "\n"
"""Where a row may break within a text."""


@attrs.frozen
class Fact:
    """Something that a player has to know before they decide: the same in ever fewer words, an empty text last if any.

    If the facts don't fit a screen, the lightest gets shorter first, and the heaviest last.
    """

    texts: tuple[str, ...]
    weight: int = 1
    held: bool = False
    """Whether it says only what the seat holds: a screen that draws the pieces and their worth leaves it out."""
    whole: str = ""
    """The text with whole names, if those of rows are cut."""

    @property
    def text(self) -> str:
        """The longest text, in one row."""
        return self.whole or self.texts[0].replace(BREAK, " ")


@attrs.frozen
class Place:
    """A seat in a strip, and what it shows there in ever fewer words: `-- 0/1`, `0/1`."""

    seat: Seat
    texts: tuple[str, ...]
    minor: bool = False
    """Whether a strip that doesn't fit leaves it out: its card is beaten."""


@attrs.frozen
class Strip:
    """The seats side by side in their order, for a screen that doesn't draw them: `Ada 9H 1/1   Max [KH] 0/0`."""

    lead: str
    """The text before the seats: `Trick 2/3, trump S`."""
    brief: str
    """The same in fewer words: `2/3 S`."""
    places: tuple[Place, ...]


@attrs.frozen
class Held:
    """The pieces that a seat holds: their label ("Your dice"), and their worth in words (`a pair of sixes`) or ""."""

    label: str
    worth: str = ""


@attrs.frozen
class Choice:
    """A move that the turn names, as a prompt words it: `claim 66541`.

    `brief` has fewer words.
    """

    move: Any
    text: str
    number: int = 0
    """The number to type."""
    brief: str = attrs.field(default=attrs.Factory(lambda self: self.text, takes_self=True))
    rest: str = ""
    """The text after a choice that begins with the same word, if it is left out then."""
    true: bool | None = None
    """Whether it claims what is true; None if it claims nothing that the seat knows."""
    cost: int | None = None
    """The chips that it takes from the seat; None where moves don't cost any."""
    note: str = ""
    """Its gain or its meaning in a few words: `wins 2 or pays 1 each`."""

    @property
    def badge(self) -> str:
        """The words beside the choice: whether it is true, what it costs and what it means."""
        said = {True: "true", False: "a bluff", None: ""}[self.true]
        return ", ".join(filter(None, (said, f"costs {self.cost}" if self.cost else "", self.note)))


@attrs.frozen
class Amount:
    """An amount that has a name, of a move that can name any: `Pot 12`."""

    text: str
    number: int


@attrs.frozen
class Turn:
    """A seat's turn: the question, what it holds, what it has to know, and the moves worth naming."""

    question: str
    """A heading: `Do you believe it?`"""
    facts: tuple[Fact, ...] = ()
    held: Held | None = None
    choices: tuple[Choice, ...] = ()
    others: tuple[str, ...] = ()
    """Layouts of the words after the choices, longest first: `(or any claim)`, `(or any)`."""
    amounts: tuple[Amount, ...] = ()
    """The amounts worth naming of a move that can name any; a screen names the smallest and the largest if none is."""
    leads: tuple[str, ...] = ()
    """Layouts of the words of a prompt before the choices, longest first: `follow H:`. Choices are brief after them."""
    listed: bool = True
    """Whether prompts list the choices. If not, the words before them say it all: `bid 0, 1 or 3.`"""
    hand: str = ""
    """The end of a prompt, which may break: the pieces that no choice names (`(KS QS)`, `Hand: KS QS`)."""
    strip: Strip | None = None
    state_first: bool = False
    """Whether rows shorten what has happened before they shorten the prompt."""

    @property
    def beside_pieces(self) -> tuple[Fact, ...]:
        """The facts for a screen that draws what the seat holds."""
        return tuple(fact for fact in self.facts if not (self.held and fact.held))

    @property
    def shape(self) -> tuple[object, ...]:
        """The parts that are the same in each voice: the moves, and the number of facts."""
        return ([choice.move for choice in self.choices], len(self.facts))


_with = changer(Choice)


def numbered(choices: Iterable[Choice | None]) -> Iterator[Choice]:
    """Yield the choices with their numbers from 1; None leaves out a number."""
    for number, choice in enumerate(choices, 1):
        if choice:
            yield _with(choice, number=number)
