"""The rows of a turn on a telnet screen: the fullest layout of its facts and choices that fits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache, partial
from itertools import product
from typing import Any, NamedTuple

from lilygames.game import Game, Reader
from lilygames.layout import listed, packed, short, width_for
from lilygames.scene import BREAK, Choice, Fact, Strip, Turn
from lilygames.text import columns, wrap
from lilygames_rules.kit import Seat

_INDENT, _YOUR_TURN = "  ", "Your turn: "
_UNDER = " " * len(_YOUR_TURN)
"""Blanks before continued rows: in general, and below the first choice."""
_NAME, _SLIM_NAME, _CUT = 8, 6, 3
"""Columns of names in a strip, by how much room there is."""
_GAPS = (("  ", ". "), (" ", ". "), (" ", "."))
"""Gaps between choices and after their numbers, the widest first: at last `1.QS 2.KS`, of cards alone."""
_HEARD = 4
"""Most choices that a listener is told; with more, the question is all."""
Groups = Sequence[str]
"""Texts that are never split; a row has as many of them as fit."""
Rows = Sequence[str]


class Form(NamedTuple):
    """How a prompt shows its choices: true claims marked or not, which of their texts, and the words behind them."""

    marked: bool = False
    text: str = "text"
    others: str = ""


def asking(game: Game, view: Any, moves: Sequence[Any], reader: Reader) -> Sequence[str]:
    """Return the rows that ask for a move in a game, made from its turn; its own words if it has some for listeners."""
    if reader.voice.spoken and game.ask:
        return [f"{_YOUR_TURN}{game.ask(view, moves, reader)}."]
    if game.asks:
        turn = game.asks(view, moves, reader)
        return [aloud(turn)] if reader.voice.spoken else turn_rows(turn, reader)
    return [f"{_YOUR_TURN}{game.ask(view, moves, reader)}." if game.ask else "Your turn."]


def aloud(turn: Turn) -> str:
    """Return the question for a listener: the choices if they are few, else what is asked."""
    shown = turn.choices if turn.listed else ()
    if sum(choice.plain is None for choice in shown) > _HEARD:
        return f"{_YOUR_TURN}{turn.question[:1].casefold()}{turn.question[1:]}."
    grouped = {group: list[str]() for group in ("", *turn.groups)}
    for choice in shown:
        grouped[choice.group].append(f"{choice.number} {choice.brief}" if choice.plain is None else choice.plain)
    said = [f"{group} {', '.join(filter(None, texts))}".strip() for group, texts in grouped.items() if any(texts)]
    lead, end = "".join(turn.leads[:1]), ", ".join(filter(None, ("; ".join(said), *turn.others[:1])))
    link = "" if not lead or not end else " " if lead.endswith(":") or turn.groups else ", "
    return f"{_YOUR_TURN}{lead}{link}{end}."


def turn_rows(turn: Turn, reader: Reader) -> Rows:
    """Return the rows that ask for a move: what has to be read first, then what has happened, and the prompt."""
    lists = [row for one in turn.lists for row in (one.head, *listed(one.items, reader))]
    return [*lists, *_fullest(turn, reader)]


def _fullest(turn: Turn, reader: Reader) -> Rows:
    """Return the fullest state and prompt that fit together, or those with the fewest rows.

    The least texts of the choices, and a strip without some of its seats, are taken only if nothing else fits.
    """
    width, most = width_for(reader), turn.rooms[reader.voice.narrow]
    shortest = any(choice.least != choice.brief for choice in turn.choices)
    for least, few in product((False, True)[: 1 + shortest], (False, True)[: 1 + _lacks_some(turn.strip)]):
        states = _Kept(_fitting(_states(turn, reader, few=few), width))
        prompts = _Kept(_fitting(_prompts(turn, reader, least=least), width))
        outer, inner = (prompts, states) if turn.state_first else (states, prompts)
        for one in outer:
            for other in inner:
                if len(one) + len(other) <= most:
                    return [*other, *one] if turn.state_first else [*one, *other]
    state = _shortest(_states(turn, reader, few=_lacks_some(turn.strip)), width)
    return [*state, *_shortest(_prompts(turn, reader), width)]


def _fit(rows: Rows, width: int) -> bool:
    return all(columns(row) <= width for row in rows)


def _fitting(layouts: Iterable[Rows], width: int) -> Iterator[Rows]:
    return (rows for rows in layouts if _fit(rows, width))


def _shortest(layouts: Iterator[Rows], width: int) -> Rows:
    """Return the layout with the fewest rows; one that is too wide is wrapped."""
    made = [*layouts]
    fitting = [*_fitting(made, width)] or [[row for long in made[-1] for row in wrap(long, width)]]
    return min(fitting, key=len)


class _Kept:
    """Layouts that are made when they are first looked at, and kept."""

    def __init__(self, made: Iterator[Rows]) -> None:
        self._made, self._kept = made, list[Rows]()

    def __iter__(self) -> Iterator[Rows]:
        yield from self._kept
        for rows in self._made:
            self._kept.append(rows)
            yield rows


# what has happened


def _states(turn: Turn, reader: Reader, *, few: bool = False) -> Iterator[Rows]:
    """Yield layouts of the facts and the strip, the fullest first; `few` leaves out its minor seats."""
    width = width_for(reader)
    lines = [row for fact in turn.facts if fact.line for row in _line(fact, width)]
    strips = _Kept(_strips(turn.strip, reader, few=few))
    for facts in states([fact for fact in turn.facts if not fact.line]):
        first = packed(facts, width, _INDENT, gap=" ") if facts else ()
        for strip in strips:
            yield [*first, *strip, *lines]


def states(facts: Sequence[Fact]) -> Iterator[Groups]:
    """Yield layouts of the facts, the fullest first.

    The lightest fact has become as short as it can before a heavier one loses a word, and it grows again then.
    """
    order = sorted(range(len(facts)), key=lambda place: -facts[place].weight)
    for chosen in product(*(facts[place].texts for place in order)):
        texts = dict(zip(order, chosen, strict=True))
        yield [group for place in range(len(facts)) for group in texts[place].split(BREAK) if group]


def _line(fact: Fact, width: int) -> Rows:
    """Return a fact on a row of its own: its longest text that fits, with as much of what came before as fits, too."""
    groups: Groups = ()
    for news, text in product(dict.fromkeys((fact.news, 0)), fact.texts):
        groups = text.split(BREAK)
        for first in range(len(fact.earlier) - news + bool(news)):
            row = ", ".join((*(("...",) if first else ()), *fact.earlier[first:], text))
            if columns(row) <= width:
                return [row]
        if not news and _fit(groups, width):
            break
    return packed(groups, width, _INDENT)


def _strips(strip: Strip | None, reader: Reader, *, few: bool) -> Iterator[Rows]:
    """Yield layouts of a strip, the fullest first; the last one breaks wherever it has to."""
    if strip is None:
        yield ()
    else:
        yield from _led_strips(strip, reader) if strip.lead else _grouped_strips(strip, reader, few=few)


def _led_strips(strip: Strip, reader: Reader) -> Iterator[Rows]:
    """Yield layouts of a strip after its lead: `Trick 2/3, trump S: Ada 9H 1/1   Max [KH] 0/0`."""
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


def _grouped_strips(strip: Strip, reader: Reader, *, few: bool) -> Iterator[Rows]:
    """Yield layouts of a strip after other groups: `Pot 9   you 99   Max 95 drew 3 bet 4`."""
    width, name = width_for(reader), _SLIM_NAME if reader.voice.narrow else _NAME
    if few:
        yield packed([*strip.before, *_places(strip, reader, _CUT, -1, all_of_them=False), strip.rest], width, _INDENT)
        return
    for text, behind in enumerate(strip.behind):
        for size in (name, _CUT):
            groups = [*strip.before, *_places(strip, reader, size, text), *filter(None, (behind,))]
            if not text and size == name:
                yield packed(groups, width, _INDENT, gap="   ")
            yield packed(groups, width, _INDENT)


def _lacks_some(strip: Strip | None) -> bool:
    """Return whether a strip may have a last layout without some of its seats."""
    return strip is not None and not strip.lead and any(place.minor for place in strip.places)


def _places(strip: Strip, reader: Reader, size: int, text: int = 0, *, all_of_them: bool = True) -> list[str]:
    """Return a group for each seat, with its name cut to `size` columns: `Max [KH] 0/1`."""
    names = _short_names(reader.names, reader.seat, size)
    return [f"{names[one.seat]} {one.texts[text]}".rstrip() for one in strip.places if all_of_them or not one.minor]


@lru_cache(maxsize=1024)
def _short_names(names: tuple[str, ...], own: Seat | None, size: int) -> tuple[str, ...]:
    """Return what a reader calls each seat, cut to `size` columns. They are the same for a whole game."""
    return tuple("you" if seat == own else short(name, size) for seat, name in enumerate(names))


# the prompt


def _prompts(turn: Turn, reader: Reader, *, least: bool = False) -> Iterator[Rows]:
    """Yield layouts of the cards and the moves: on one row if that is meant and fits, then on several."""
    width = width_for(reader)
    hand = turn.hand.split(BREAK) if turn.hand else []
    whole = [" ".join(hand)] if hand else []
    gaps = _GAPS if turn.brief else _GAPS[:2] if turn.listed else _GAPS[-1:]
    forms = [[Form(text="least")]] if least else _forms(turn)
    leads = turn.leads or ("",)
    moves = cache(partial(_moves, turn))
    if turn.cards and not reader.voice.narrow:
        for some, cards, lead in product(forms, filter(None, (turn.cards[:-1], turn.cards[-1:])), leads):
            for form, shown in product(some, cards):
                yield ["  ".join(_led(turn, f"{shown}. {lead}".replace(BREAK, " ").rstrip(), moves(form)))]
    if hand or turn.brief:
        for (gap, point), some, lead in product(gaps, forms, leads):
            yield from ([gap.join([*_led(turn, lead, moves(form, point)), *whole])] for form in some)
        if hand and not turn.listed:
            yield [*_led(turn, leads[-1], ()), *packed(hand, width, _INDENT, gap=" ")]
    for (gap, point), shown, some, lead in product(gaps, turn.cards or ("",), forms, leads):
        above = packed(shown.split(BREAK), width, _INDENT, gap=" ") if shown else ()
        for form, indent in product(some, (_UNDER, _INDENT) if turn.under else (_INDENT,)):
            yield [*above, *packed([*_led(turn, lead, moves(form, point)), *hand], width, indent, gap=gap)]


def _forms(turn: Turn) -> Sequence[Sequence[Form]]:
    """Return the forms of a prompt, the fullest first: those that say what else can be done, then all others."""
    texts = ("brief",) if turn.brief else ("text", "brief")
    if len(texts) > 1 and all(choice.brief == choice.text for choice in turn.choices):
        texts = texts[-1:]
    marked = (True, False) if any(choice.true for choice in turn.choices) else (False,)
    return _forms_of(texts, marked, turn.others)


@lru_cache(maxsize=256)
def _forms_of(texts: tuple[str, ...], marked: tuple[bool, ...], others: tuple[str, ...]) -> Sequence[Sequence[Form]]:
    """Return the forms with these texts of choices. All turns have a few of them, so they are made once.

    Rows take 0.85 of the time. To remove it, leave out `lru_cache`.
    """
    full = [Form(mark, text, also) for mark, also, text in product(marked, others, texts)]
    bare = [Form(mark, text) for mark, text in product(marked, texts)]
    return [full] if "" in others else [full, bare] if full else [bare]


def _led(turn: Turn, lead: str, moves: Groups) -> list[str]:
    """Return the words before the choices, and the choices: `Your turn: follow H: 1. JH`, `2. AH`."""
    if not turn.listed:
        return f"{_YOUR_TURN}{lead}".split(BREAK)
    first, *others = moves or [""]
    return [f"{_YOUR_TURN}{lead}{' ' if lead and first else ''}{first}", *others]


def _moves(turn: Turn, form: Form, point: str = ". ") -> Groups:
    """Return the numbered moves in a form, and the words behind them."""
    return [*_numbered(turn.choices, form, point), *filter(None, (form.others,))]


def _numbered(choices: Iterable[Choice], form: Form, point: str) -> Iterator[str]:
    """Yield the numbered moves; of several true claims, the first one is marked."""
    before = ""
    true = next((choice for choice in choices if choice.true), None)
    for choice in choices:
        if choice.plain is not None:
            yield from filter(None, (choice.plain,))
            continue
        text: str = getattr(choice, form.text)
        verb = text.partition(" ")[0]
        said = choice.rest if choice.rest and verb == before else text
        mark = " (true)" if form.marked and choice is true else ""
        yield f"{choice.number}{point}{said}{mark}"
        before = verb
