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
    """The text for screens that don't cut names and have no strip or lead that says it; else it's the longest one."""
    line: bool = False
    """Whether it has a row of its own, with the longest text that fits one."""
    earlier: tuple[str, ...] = ()
    """Earlier ones of its kind: as many of the last ones as fit stand before the text, and dots for the others."""
    news: int = 0
    """How many of the last ones are told nowhere else: the text gets shorter before they go."""

    @property
    def text(self) -> str:
        """The longest text, in one row."""
        return self.whole or self.texts[0].replace(BREAK, " ")


@attrs.frozen
class Place:
    """A seat in a strip, and what it shows there in ever fewer words: `-- 0/1`, `0/1`; `95 drew 3 bet 4`, `bet 4`."""

    seat: Seat
    texts: tuple[str, ...]
    minor: bool = False
    """Whether a strip that doesn't fit leaves it out: its card is beaten, or it hasn't bet."""


@attrs.frozen
class Strip:
    """The seats side by side in their order, for a screen that doesn't draw them: `Ada 9H 1/1   Max [KH] 0/0`."""

    lead: str
    """The text before the seats: `Trick 2/3, trump S`; "" for a strip that has groups instead, on several rows."""
    brief: str
    """The same in fewer words: `2/3 S`."""
    places: tuple[Place, ...]
    before: tuple[str, ...] = ()
    """The groups before the seats: the pot."""
    behind: tuple[str, ...] = ("",)
    """Words that hold for several seats, in ever fewer words: `(all drew 3)`, and none."""
    rest: str = ""
    """The words for the seats that are left out: `3 opponents`."""


@attrs.frozen
class Listing:
    """Numbered texts, a row each: its head, and each number with a mark or an owner and the text."""

    head: str
    items: tuple[tuple[int, str, str], ...]


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
    least: str = attrs.field(default=attrs.Factory(lambda self: self.brief, takes_self=True))
    """The text where not even the brief one fits: `raise`."""
    plain: str | None = None
    """The whole text in a prompt that doesn't number it: `5 T`, a card by its number; "" if the lead names it."""
    group: str = ""
    """A word that is read aloud once for all choices with it: `true`."""
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
    """Layouts of the words after the choices, longest first: `(or any claim)`, `(or any)`.

    They are left out last, unless the last layout is empty.
    """
    amounts: tuple[Amount, ...] = ()
    """The amounts worth naming of a move that can name any; a screen names the smallest and the largest if none is."""
    leads: tuple[str, ...] = ()
    """Layouts of the words of a prompt before the choices, longest first: `follow H:`."""
    brief: bool = False
    """Whether the rows have nothing but the brief texts of the choices."""
    listed: bool = True
    """Whether prompts list the choices. If not, the words before them say it all: `bid 0, 1 or 3.`"""
    hand: str = ""
    """The end of a prompt, which may break: the pieces that no choice names (`(KS QS)`, `Hand: KS QS`)."""
    cards: tuple[str, ...] = ()
    """Layouts of the cards before a prompt, longest first; the last one is only taken if briefer choices don't help."""
    strip: Strip | None = None
    lists: tuple[Listing, ...] = ()
    """The texts to be read before the move, which are never shortened."""
    groups: tuple[str, ...] = ()
    """The groups of choices in the order in which they are read aloud."""
    rooms: tuple[int, int] = (2, 4)
    """Rows besides the lists, on a wide and on a narrow screen."""
    under: bool = False
    """Whether choices that need another row begin below the first one, if there is room."""
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
with_parts = changer(Turn)
"""Returns a turn with other parts."""


def numbered(choices: Iterable[Choice | None]) -> Iterator[Choice]:
    """Yield the choices with their numbers from 1; None leaves out a number."""
    for number, choice in enumerate(choices, 1):
        if choice:
            yield _with(choice, number=number)
