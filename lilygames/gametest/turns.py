"""Promises about turns and pictures: what pages and programs draw says what the rows say, and choices are moves."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, get_args

import attrs

from lilygames import codec
from lilygames.game import LIES, Reader
from lilygames.gametest.plays import NAMES, Check, Spot, attempt
from lilygames.gametest.wording import flaw
from lilygames.picture import Kind, Mark, Picture, Piece
from lilygames.scene import Choice, Turn
from lilygames.scene_rows import asking
from lilygames.tables.sight.menu import Menu
from lilygames.text import Voice
from lilygames_rules.kit import Refused

_EYES, _EARS = Voice(suits="symbols"), Voice(spoken=True)
_MOST = 24
"""Choices of a turn: bids for each card of a hand. Pages have fields for more."""
_LONGEST = 300
"""Characters of a text."""
_PIECES_MOST = 200
"""Pieces of a picture: twenty seats with ten cards each."""
_PIECES = re.compile(r"(?:10|[2-9TJQKA])[♠♥♦♣]|(?<![^\W_])\d+")
"""The numbers and cards of a row; a number in a name isn't one."""


class Asked(NamedTuple):
    """A turn that a seat is asked in, as it is shown and as it is read aloud."""

    spot: Spot
    view: Any
    moves: Any
    shown: Turn
    aloud: Turn


def asked(check: Check) -> Iterator[Asked]:
    """Yield the turns at the checked positions; none for a game that doesn't describe its turns."""
    asks = check.game.asks
    for spot in check.spots() if asks else ():
        moves = check.moves(spot)
        if asks and len(moves):
            view = check.rules.view(spot.state, spot.seat)
            shown, aloud = (asks(view, moves, _reader(check, spot, voice)) for voice in (_EYES, _EARS))
            yield Asked(spot, view, moves, shown, aloud)


def _reader(check: Check, spot: Spot, voice: Voice) -> Reader:
    return Reader(spot.seat, NAMES[: check.seats], voice)


def turns_have_words(check: Check) -> Iterator[str]:
    """A turn has a question and at most 24 choices; its texts are clean and not too long."""
    for one in asked(check):
        if not one.shown.question or len(one.shown.choices) > _MOST:
            yield f"{one.spot}: the turn has no question, or {len(one.shown.choices)} choices"
        for text in _texts(one.shown):
            if reason := flaw(text) or ("is too long" if len(text) > _LONGEST else ""):
                yield f"{one.spot}: the text {text[:80]!r} of the turn {reason}"


def page_texts(turn: Turn) -> Iterator[str]:
    """Yield the texts of a turn that a page gets: without the facts that its pieces show."""
    return _texts(attrs.evolve(turn, facts=turn.beside_pieces))


def _texts(turn: Turn) -> Iterator[str]:
    yield turn.question
    yield from (fact.text for fact in turn.facts)
    yield from (text for choice in turn.choices for text in (choice.text, choice.brief, choice.badge))
    yield from turn.others
    if turn.held:
        yield from (turn.held.label, turn.held.worth)


def pictures_fit_a_page(check: Check) -> Iterator[str]:
    """A picture's seats are those of the table, and its pieces are known, have clean texts and ids of their own."""
    draw = check.game.picture
    for spot in check.spots(None) if draw else ():
        if draw:
            picture = draw(check.rules.view(spot.state, spot.seat), _reader(check, spot, _EYES))
            yield from (f"{spot}: the picture {fault}" for fault in _faults(check, spot, picture))


def _faults(check: Check, spot: Spot, picture: Picture) -> Iterator[str]:
    """Yield what is wrong with a picture, as half a sentence."""
    seats, pieces = [one.seat for one in picture.seats], [*_pieces(picture)]
    if len({*seats}) < len(seats) or not {*seats} <= {*range(check.seats)}:
        yield f"has the seats {seats}"
    if picture.mine and spot.seat is None:
        yield "says that a spectator holds something"
    if len(pieces) > _PIECES_MOST:
        yield f"has {len(pieces)} pieces, at most {_PIECES_MOST}"
    yield from (f"has {one}, which no screen draws" for one in pieces if not _is_known(one))
    for text in _all_texts(codec.dump(picture)):
        if reason := flaw(text) or ("is too long" if len(text) > _LONGEST else ""):
            yield f"has the text {text[:80]!r}, which {reason}"
    lying = [piece for one in picture.seats for piece in one.pieces]
    for ids in (
        [piece.id for piece in there if piece.id] for there in (picture.mine.pieces if picture.mine else (), lying)
    ):
        if len({*ids}) < len(ids):
            yield f"has two pieces with the same id: {ids}"


def _is_known(piece: Piece) -> bool:
    return piece.kind in get_args(Kind) and piece.mark in get_args(Mark)


def _pieces(picture: Picture) -> Iterator[Piece]:
    zones = (*([picture.mine] if picture.mine else []), *picture.zones)
    yield from (piece for zone in zones for piece in zone.pieces)
    yield from (piece for one in picture.seats for piece in one.pieces)
    yield from picture.listed


def choices_are_moves(check: Check) -> Iterator[str]:
    """Each choice is a legal move, and its number plays it; the turn read aloud has the same choices and facts."""
    for one in asked(check):
        menu = Menu.of(check.game, one.view, one.moves)
        for choice in one.shown.choices:
            if choice.move not in one.moves or menu.move(choice.number) != choice.move:
                yield f"{one.spot}: {choice.text!r} isn't a legal move, or {choice.number} plays another one"
        if one.shown.shape != one.aloud.shape:
            yield f"{one.spot}: the turn read aloud has other choices or facts"


def true_claims_are_true(check: Check) -> Iterator[str]:
    """A choice that says whether it is true is judged so if it is challenged next."""
    for one in asked(check):
        for choice in one.shown.choices:
            judged = None if choice.true is None else _judged(check, one.spot, choice)
            if judged is not None and judged != choice.true:
                yield f"{one.spot}: {choice.text!r} is said to be {choice.true}, but the rules say {judged}"


def _judged(check: Check, spot: Spot, choice: Choice) -> bool | None:
    """Return whether the rules find a claim to be true when someone challenges it at once; None if nobody can."""
    step = attempt(check.rules, spot, choice.move, check.luck(spot, "judged"))
    if isinstance(step, Refused):
        return None
    for seat in range(check.seats):
        for move in list(check.rules.moves(step.state, seat))[:_MOST]:
            then = attempt(
                check.rules, spot._replace(state=step.state, seat=seat), move, check.luck(spot, "challenged")
            )
            shown = () if isinstance(then, Refused) else check.game.reveals(then.events)
            for lie in shown:
                if lie.seat == spot.seat and lie.habit == LIES:
                    return not lie.did
    return None


def choices_cost_what_they_take(check: Check) -> Iterator[str]:
    """Of the choices that begin with the same word, some take just what they are said to cost from their seat's score.

    Not each does: the same move can end a hand, which brings chips back or begins the next one with an ante.
    """
    exact: dict[str, bool] = {}
    for one in asked(check):
        for choice in one.shown.choices:
            if choice.cost and (took := _taken(check, one, choice)) is not None:
                verb = choice.text.partition(" ")[0]
                exact[verb] = exact.get(verb, False) or took == choice.cost
    for verb, found in exact.items():
        if not found:
            yield f"no choice {verb!r} takes what it is said to cost"


def _taken(check: Check, one: Asked, choice: Choice) -> int | None:
    """Return how much a choice takes from the leading column of its seat; None if there is no such column."""
    step = attempt(check.rules, one.spot, choice.move, check.luck(one.spot, "taken"))
    after = None if isinstance(step, Refused) else check.rules.view(step.state, one.spot.seat)
    if after is None or check.game.picture is None:
        return None
    reader = _reader(check, one.spot, _EYES)
    before, now = (_score(check.game.picture(view, reader), one.spot.seat) for view in (one.view, after))
    return None if before is None or now is None else before - now


def _score(picture: Any, seat: int) -> int | None:
    column = next((at for at, head in enumerate(picture.columns) if head.leads), None)
    found = next((one.values for one in picture.seats if one.seat == seat), None)
    return None if column is None or found is None else int(found[column])


def rows_add_nothing(check: Check) -> Iterator[str]:
    """Every number and card in the rows of a turn is in the turn or in the picture, which are all that a page gets."""
    if check.game.picture is None:
        return
    for one in asked(check):
        reader = _reader(check, one.spot, _EYES)
        known = _all_texts(codec.dump(check.game.picture(one.view, reader)))
        known += [check.game.spell(choice.move) for choice in one.shown.choices] + [*page_texts(one.shown)]
        known += [str(choice.number) for choice in one.shown.choices]
        said = {piece for text in known for piece in _PIECES.findall(text)}
        said |= {piece.rstrip("♠♥♦♣") for piece in said}  # a row names the rank of a card, too: `pair of 10s`
        rows = "\n".join(asking(check.game, one.view, one.moves, reader))
        for piece in _PIECES.findall(rows):
            if piece not in said:
                yield f"{one.spot}: {piece} of the row {rows!r} is neither in the turn nor in the picture"


def _all_texts(value: codec.Json) -> list[str]:
    """Return all texts and numbers in a dumped value."""
    if isinstance(value, dict):
        return [text for one in value.values() for text in _all_texts(one)]
    if isinstance(value, list):
        return [text for one in value for text in _all_texts(one)]
    return [str(value)]


TURNS: tuple[Callable[[Check], Iterator[str]], ...] = (
    turns_have_words,
    pictures_fit_a_page,
    choices_are_moves,
    true_claims_are_true,
    choices_cost_what_they_take,
    rows_add_nothing,
)
"""Promises about turns."""
