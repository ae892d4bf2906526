"""The rows of a turn on a telnet screen: the fullest layout of its facts and choices that fits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Any

from lilygames.game import Game, Reader
from lilygames.layout import packed, short, width_for
from lilygames.scene import BREAK, Choice, Fact, Strip, Turn
from lilygames.text import columns
from lilygames_rules.kit import Seat

_ROWS, _SLIM_ROWS = 2, 4
"""Rows of a turn on a wide and on a narrow screen."""
_INDENT = "  "
_NAME, _SLIM_NAME, _CUT = 8, 6, 3
"""Columns of names in a strip, by how much room there is."""
_GAPS = (("  ", ". "), (" ", ". "), (" ", "."))
"""Gaps between choices and after their numbers, the widest first: at last `1.QS 2.KS`."""
_HEARD = 4
"""Most choices that a listener is told; with more, the question is all."""
Groups = Sequence[str]
"""Texts that are never split; a row has as many of them as fit."""


def asking(game: Game, view: Any, moves: Sequence[Any], reader: Reader) -> Sequence[str]:
    """Return the rows that ask for a move in a game: its own layout if it has one, else rows made from its turn."""
    if reader.voice.spoken and game.ask:
        return [f"Your turn: {game.ask(view, moves, reader)}."]
    if game.turn and not reader.voice.spoken:
        return game.turn(view, moves, reader)
    if game.asks:
        turn = game.asks(view, moves, reader)
        return [aloud(turn)] if reader.voice.spoken else turn_rows(turn, reader)
    return [f"Your turn: {game.ask(view, moves, reader)}." if game.ask else "Your turn."]


def aloud(turn: Turn) -> str:
    """Return the question for a listener: the choices if they are few, else what is asked."""
    lead, listed = turn.leads[:1], turn.choices if turn.listed else ()
    if len(listed) > _HEARD:
        return f"Your turn: {turn.question[:1].casefold()}{turn.question[1:]}."
    return f"Your turn: {', '.join([*lead, *(f'{choice.number} {choice.brief}' for choice in listed)])}."


def turn_rows(turn: Turn, reader: Reader) -> list[str]:
    """Return the rows that ask for a move: the fullest layout that fits, or the shortest one."""
    width, most = width_for(reader), _SLIM_ROWS if reader.voice.narrow else _ROWS
    rows: list[str] = []
    for rows in _state_first(turn, reader) if turn.state_first else _prompt_first(turn, width):
        if len(rows) <= most and _fit(rows, width):
            return rows
    return rows


def _fit(rows: Sequence[str], width: int) -> bool:
    return all(columns(row) <= width for row in rows)


def _prompt_first(turn: Turn, width: int) -> Iterator[list[str]]:
    """Yield layouts of a turn, the fullest first. The prompt gets shorter before the facts do."""
    for facts in states(turn.facts):
        first = packed(facts, width, _INDENT, gap=" ") if facts else ()
        for gap, form in product(("  ", " "), forms(turn)):
            yield [*first, *packed(prompt(turn, *form), width, _INDENT, gap=gap)]


def _state_first(turn: Turn, reader: Reader) -> Iterator[list[str]]:
    """Yield layouts of a turn, the fullest first. The facts and the strip get shorter before the prompt does."""
    width = width_for(reader)
    for asked in _prompts(turn, width):
        for facts in states(turn.facts):
            first = packed(facts, width, _INDENT, gap=" ") if facts else ()
            for strip in _strips(turn.strip, reader):
                yield [*first, *strip, *asked]


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


def _prompts(turn: Turn, width: int) -> Iterator[list[str]]:
    """Yield layouts of a prompt with words before its choices: on one row if it fits there, then on several."""
    ways = [(lead, gap, point) for gap, point in (_GAPS if turn.listed else _GAPS[-1:]) for lead in turn.leads]
    hand = turn.hand.split(BREAK) if turn.hand else []
    whole = [" ".join(hand)] if hand else []
    for lead, gap, point in ways:
        if _fit([row := gap.join([*_led(turn, lead, point), *whole])], width):
            yield [row]
    if hand and not turn.listed:
        yield [*_led(turn, turn.leads[-1], ""), *packed(hand, width, _INDENT, gap=" ")]
    for lead, gap, point in ways:
        yield packed([*_led(turn, lead, point), *hand], width, _INDENT, gap=gap)


def _led(turn: Turn, lead: str, point: str) -> list[str]:
    """Return the words before the choices, and the choices: `Your turn: follow H: 1. JH`, `2. AH`."""
    if not turn.listed:
        return f"Your turn: {lead}".split(BREAK)
    first, *others = turn.choices
    return [
        f"Your turn: {lead} {first.number}{point}{first.brief}",
        *(f"{choice.number}{point}{choice.brief}" for choice in others),
    ]


def _strips(strip: Strip | None, reader: Reader) -> Iterator[Sequence[str]]:
    """Yield layouts of a strip, the fullest first; the last one breaks wherever it has to."""
    if strip is None:
        yield ()
        return
    width = width_for(reader)
    if reader.voice.narrow:
        for size in (_SLIM_NAME, _CUT):
            first, *others = places = _places(strip, reader, size)
            yield [strip.lead, *packed(places, width)]
            yield packed([f"{strip.brief}: {first}", *others], width)
    else:
        yield [f"{strip.lead}: {'   '.join(_places(strip, reader, _NAME))}"]
        yield [f"{strip.lead}: {'  '.join(_places(strip, reader, _NAME))}"]
        yield [f"{strip.lead}: {'  '.join(_places(strip, reader, _CUT))}"]
        yield [f"{strip.brief}: {'  '.join(_places(strip, reader, _CUT))}"]
        yield [f"{strip.brief}: {'  '.join(_places(strip, reader, _CUT, -1))}"]
        yield [f"{strip.brief}: {' '.join(_places(strip, reader, _CUT, -1))}"]
    first, *others = _places(strip, reader, _CUT, -1, all_of_them=False)
    yield packed([f"{strip.brief}: {first}", *others], width, _INDENT)


def _places(strip: Strip, reader: Reader, size: int, text: int = 0, *, all_of_them: bool = True) -> list[str]:
    """Return a group for each seat, with its name cut to `size` columns: `Max [KH] 0/1`."""
    names = _short_names(reader.names, reader.seat, size)
    return [f"{names[one.seat]} {one.texts[text]}" for one in strip.places if all_of_them or not one.minor]


@lru_cache(maxsize=1024)
def _short_names(names: tuple[str, ...], own: Seat | None, size: int) -> tuple[str, ...]:
    """Return what a reader calls each seat, cut to `size` columns. They are the same for a whole game."""
    return tuple("you" if seat == own else short(name, size) for seat, name in enumerate(names))
