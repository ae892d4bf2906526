"""A seat's turn as a page gets it: each text as it is shown and as it is read aloud."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

import attrs
import structlog

from lilygames import codec
from lilygames.game import Reader
from lilygames.scene import Choice, Turn
from lilygames.tables.sight import narrate
from lilygames.tables.sight.menu import Menu
from lilygames.tables.sight.move_list import SIGNS, as_typed, doubted, in_words
from lilygames.tables.state.table import SPOKEN, Table
from lilygames.text import Voice, clean, shortened
from lilygames_rules.kit import Seat

log = structlog.get_logger()
Asks = Callable[[Any, Sequence[Any], Reader], Turn]
_MOST, _LONGEST = 24, 300
"""Most choices and characters of a text; a game that has more of them fails `check_game`."""
_NAMED = 6
"""Most moves that are named in the turn of a game that doesn't say itself which ones matter."""


def asked_now(table: Table, seat: Seat | None) -> codec.Json:
    """Return a seat's turn; None if it isn't its turn, and for a spectator."""
    return _asked(table, seat) if seat is not None and len(table.moves(seat)) else None


def _asked(table: Table, seat: Seat) -> codec.Json:
    """Return the question, what the seat holds and has to know, the choices, and what the coach of a lesson says."""
    shown, aloud = _turns(table, seat)
    facts = zip(shown.beside_pieces, aloud.beside_pieces, strict=True)
    return {
        "question": _fitting(shown.question),
        "held": attrs.asdict(shown.held) if shown.held else None,
        "facts": [_both(one.text, other.text) for one, other in facts],
        "choices": [_choice(table, seat, *pair) for pair in zip(shown.choices, aloud.choices, strict=True)],
        "others": shown.others[0].strip("()") if shown.others else "",
        "amounts": [attrs.asdict(one) for one in shown.amounts],
        "coach": [_both(*pair) for pair in zip(_coached(table, SIGNS), _coached(table, SPOKEN), strict=True)],
    }


def _turns(table: Table, seat: Seat) -> tuple[Turn, Turn]:
    """Return a seat's turn for eyes and for ears as the game words it, or only the numbered moves if the game can't.

    A fault in a game must not stop its table, so it is logged.
    """
    if table.game.asks:
        try:
            return _worded(table, seat, table.game.asks)
        except Exception:
            log.exception("a game can't describe a turn", game=table.game.name, table=table.header.number)
    return _menu(table, seat, SIGNS), _menu(table, seat, SPOKEN)


def _worded(table: Table, seat: Seat, asks: Asks) -> tuple[Turn, Turn]:
    """Return a turn for eyes and for ears; raises `ValueError` if they don't have the same shape."""
    view, moves = table.view(seat), table.moves(seat)
    shown, aloud = (asks(view, moves, narrate.reader(table, seat, voice)) for voice in (SIGNS, SPOKEN))
    if shown.shape != aloud.shape:
        raise ValueError("the turn for ears has other choices or facts than the one for eyes")
    return _bounded(shown), _bounded(aloud)


def _bounded(turn: Turn) -> Turn:
    """Return a turn with as many choices as a page can draw."""
    return turn if len(turn.choices) <= _MOST else attrs.evolve(turn, choices=turn.choices[:_MOST])


def _menu(table: Table, seat: Seat, voice: Voice) -> Turn:
    menu = Menu.of(table.game, table.view(seat), table.moves(seat))
    named = enumerate(islice(menu.listed, _NAMED))
    choices = (Choice(move, in_words(table, seat, move, voice), number=menu.number(place)) for place, move in named)
    return Turn("Your turn", choices=tuple(choices))


def _choice(table: Table, seat: Seat, shown: Choice, aloud: Choice) -> codec.Json:
    text, said = _fitting(shown.text), _fitting(aloud.text)
    about = {
        "move": as_typed(table.game, shown.move),
        "text": text[:1].upper() + text[1:],
        "say": said,
        "number": shown.number,
    }
    kind = {} if shown.true is None else {"true": shown.true}
    badge = {"badge": _fitting(shown.badge)} if shown.badge else {}
    return {**about, **kind, **badge, **doubted(table, seat, shown.move)}


def _coached(table: Table, voice: Voice) -> Sequence[str]:
    """Return what the coach of a lesson has said since the learner's last move."""
    lesson = table.lesson
    return lesson.lines(lesson.since_asked(table.made), voice) if lesson and table.step else ()


def _fitting(text: str) -> str:
    """Return a text without what could move a cursor, and cut if a game made it too long."""
    return shortened(text if text.isprintable() else clean(text), _LONGEST)


def _both(text: str, aloud: str) -> codec.Json:
    text, aloud = _fitting(text), _fitting(aloud)
    return {"text": text} if text == aloud else {"text": text, "say": aloud}
