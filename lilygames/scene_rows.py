"""The rows of a turn on a telnet screen: the fullest layout of its facts and choices that fits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from lilygames.game import Game, Reader
from lilygames.layout import packed, width_for
from lilygames.scene import BREAK, Choice, Fact, Turn
from lilygames.text import columns

_ROWS, _SLIM_ROWS = 2, 4
"""Rows of a turn on a wide and on a narrow screen."""
_INDENT = "  "
Groups = Sequence[str]
"""Texts that are never split; a row has as many of them as fit."""


def asking(game: Game, view: Any, moves: Sequence[Any], reader: Reader) -> Sequence[str]:
    """Return the rows that ask for a move in a game: its own layout if it has one, else rows made from its turn."""
    if game.turn and not reader.voice.spoken:
        return game.turn(view, moves, reader)
    if game.asks and not reader.voice.spoken:
        return turn_rows(game.asks(view, moves, reader), reader)
    return [f"Your turn: {game.ask(view, moves, reader)}."]


def turn_rows(turn: Turn, reader: Reader) -> list[str]:
    """Return the rows that ask for a move. The prompt gets shorter before the facts do."""
    width, most = width_for(reader), _SLIM_ROWS if reader.voice.narrow else _ROWS
    rows: list[str] = []
    for facts in states(turn.facts):
        first = packed(facts, width, _INDENT, gap=" ")
        for gap, form in product(("  ", " "), forms(turn)):
            rows = [*first, *packed(prompt(turn, *form), width, _INDENT, gap=gap)]
            if len(rows) <= most and all(columns(row) <= width for row in rows):
                return rows
    return rows


def states(facts: Sequence[Fact]) -> Iterator[Groups]:
    """Yield layouts of the facts, the fullest first.

    The lightest fact has become as short as it can before a heavier one loses a word, and it grows again then.
    """
    order = sorted(range(len(facts)), key=lambda place: -facts[place].weight)
    for chosen in product(*(facts[place].texts for place in order)):
        texts = dict(zip(order, chosen, strict=True))
        yield [group for place in range(len(facts)) for group in texts[place].split(BREAK) if group]


def forms(turn: Turn) -> list[tuple[bool, bool, str]]:
    """Return the forms of a prompt, the fullest first: whether true claims are marked, briefly or not, and the end."""
    brief = (False, True) if any(choice.brief != choice.text for choice in turn.choices) else (False,)
    marked = (True, False) if any(choice.true for choice in turn.choices) else (False,)
    return [
        *((mark, short, also) for mark, also, short in product(marked, turn.others, brief)),
        *((mark, short, "") for mark, short in product(marked, brief)),
    ]


def prompt(turn: Turn, marked: bool, brief: bool, others: str) -> Groups:  # noqa: FBT001 - a form, as `forms` has it
    """Return the numbered moves in one of those forms."""
    shown = _numbered(turn.choices, marked=marked, brief=brief)
    return [*shown, others] if others else [*shown]


def _numbered(choices: Sequence[Choice], *, marked: bool, brief: bool) -> Iterator[str]:
    """Yield the numbered moves after `Your turn:`; of several true claims, the first one is marked."""
    before = ""
    true = next((choice for choice in choices if choice.true), None)
    for choice in choices:
        text = choice.brief if brief else choice.text
        verb = text.partition(" ")[0]
        said = choice.rest if choice.rest and verb == before else text
        mark = " (true)" if marked and choice is true else ""
        yield f"{'' if before else 'Your turn: '}{choice.number}. {said}{mark}"
        before = verb
