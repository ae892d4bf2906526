"""A seat's legal moves for a page: a few as buttons, some as parts of the picture, and the rest in groups."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from lilygames import codec
from lilygames.game import Game, Reader
from lilygames.picture import Picture
from lilygames.tables.sight import narrate
from lilygames.tables.state.table import PLAIN, SPOKEN, Table
from lilygames.text import Voice
from lilygames_rules.kit import Seat

PLAINLY = 12
"""Maximum moves listed that belong to no part of the picture."""
COMPLETED = 200
"""Maximum moves in the answer to a completion."""
SIGNS: Voice = attrs.evolve(PLAIN, suits="symbols")
"""The wording of the line screen with suits as signs."""
_TO = re.compile(r"(.+) to (\d+)")


@attrs.frozen
class Choices:
    """A seat's moves by how they are typed, each once: without the recipient, which a player can add."""

    moves: Mapping[str, Any]
    recipients: tuple[Seat, ...] = ()
    """Seats that a move can be addressed to; empty if it has none."""


def choices(table: Table, seat: Seat) -> Choices:
    """Return a seat's moves. `claim 99 to 2` and `claim 99 to 3` are one move with two recipients."""
    found: dict[str, Any] = {}
    recipients = dict[Seat, None]()
    for move in table.moves(seat):
        typed = table.game.spell(move)
        if addressed := _TO.fullmatch(typed):
            typed = addressed[1]
            recipients[int(addressed[2]) - 1] = None
        found.setdefault(typed, move)
    return Choices(found, tuple(recipients) if len(recipients) > 1 else ())


def move_list(table: Table, seat: Seat | None, picture: Picture | None) -> codec.Json:
    """Return a seat's moves as a page gets them; none out of turn and for a spectator."""
    if seat is None or not len(table.moves(seat)):
        return {"turn": False, "count": 0, "list": [], "groups": []}
    legal = choices(table, seat)
    verbs = Counter(map(_verb, legal.moves))
    parts = _parts(legal.moves, picture)
    few = _few(verbs, Counter(_verb(typed) for typed in parts))
    listed = [typed for typed in legal.moves if typed in parts or _verb(typed) in few]
    return {
        "turn": True,
        "count": len(legal.moves),
        "list": [
            {
                "move": typed,
                **_worded(table, seat, legal.moves[typed]),
                "on": parts.get(typed),
                **({} if typed in parts else doubted(table, seat, legal.moves[typed])),
            }
            for typed in listed
        ],
        "groups": [*_groups(table, seat, legal, verbs, {*listed})],
    }


def completed(table: Table, seat: Seat, text: str) -> Sequence[Mapping[str, str]]:
    """Return the moves that a text begins, in the rules' order, with their words."""
    begun = " ".join(text.casefold().split())
    if not len(table.moves(seat)):
        return []
    legal = choices(table, seat)
    found = [typed for typed in legal.moves if typed.casefold().startswith(begun)]
    return [{"text": typed, **_said(table, seat, legal.moves[typed])} for typed in found[:COMPLETED]]


def doubted(table: Table, seat: Seat, move: Any) -> Mapping[str, str]:
    """Return why a move is odd, if it is: a page asks before it sends such a move."""
    doubt = table.game.doubt(table.view(seat), move)
    return {"doubt": doubt} if doubt else {}


def _verb(typed: str) -> str:
    return typed.partition(" ")[0]


def _parts(moves: Iterable[str], picture: Picture | None) -> dict[str, str]:
    """Return the part of the picture that each move is about, such as a card of the hand.

    A verb whose moves can name several parts at once (`discard 2C 3D`) is none of them: a page marks the parts first.
    """
    if picture is None:
        return {}
    mine = picture.mine.pieces if picture.mine else ()
    known = {piece.id for piece in (*mine, *picture.listed)}
    named = {typed: typed.split()[1:] for typed in moves}
    several = {_verb(typed) for typed, words in named.items() if len(words) > 1}
    return {
        typed: words[0]
        for typed, words in named.items()
        if len(words) == 1 and words[0] in known and _verb(typed) not in several
    }


def _few(verbs: Counter[str], on_parts: Counter[str]) -> set[str]:
    """Return the verbs whose moves are listed one by one: as many verbs as fit, those with the fewest moves first."""
    left, few = PLAINLY, set()
    for verb, number in sorted((verbs - on_parts).items(), key=lambda pair: pair[1]):
        if number > left:
            break
        left -= number
        few.add(verb)
    return few


def _groups(
    table: Table, seat: Seat, legal: Choices, verbs: Iterable[str], listed: set[str]
) -> Iterator[Mapping[str, codec.Json]]:
    """Yield the moves that aren't listed, by verb, with the lowest move of each."""
    for verb in verbs:
        rest = [typed for typed in legal.moves if _verb(typed) == verb and typed not in listed]
        if rest:
            least = rest[0].partition(" ")[2]
            to = {"to": [*legal.recipients]} if legal.recipients and _is_addressed(table, seat, verb) else {}
            yield {"verb": verb, "count": len(rest), "least": least, **_worded(table, seat, legal.moves[rest[0]]), **to}


def _is_addressed(table: Table, seat: Seat, verb: str) -> bool:
    last = table.game.spell(table.moves(seat)[-1])
    return _verb(last) == verb and _TO.fullmatch(last) is not None


def _worded(table: Table, seat: Seat, move: Any) -> Mapping[str, str]:
    """Return a move as a button shows it, and as it is read aloud."""
    text = in_words(table, seat, move, SIGNS)
    return {"text": text[:1].upper() + text[1:], "say": in_words(table, seat, move, SPOKEN)}


def _said(table: Table, seat: Seat, move: Any) -> Mapping[str, str]:
    return {"say": in_words(table, seat, move, SPOKEN)}


def in_words(table: Table, seat: Seat, move: Any, voice: Voice) -> str:
    """Return a move as its seat's player reads it, without its recipient: `play five of clubs`."""
    reader: Reader = narrate.reader(table, seat, voice)
    return table.game.word(move, table.view(seat), reader) if table.game.word else as_typed(table.game, move)


def as_typed(game: Game, move: Any) -> str:
    """Return a move as it is typed, without its recipient."""
    spelled = game.spell(move)
    addressed: re.Match[str] | None = _TO.fullmatch(spelled)
    return addressed[1] if addressed else spelled
