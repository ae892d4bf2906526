"""The pictures of the games in the lobby: whole cards, dice, digits and slips, as the page draws them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from lilygames.sites.drawn import STAR, SUITS, die, svg
from lilygames.sites.markup import Html, h

_HEADS: Mapping[str, str] = {
    "K": "M-21 16-25-13-13-2 0-19 13-2 25-13 21 16ZM-21 20H21V25H-21Z",
    "Q": "M-21 16-25-7C-17-2-14-5-12-14-8-4-4-5 0-18 4-5 8-4 12-14 14-5 17-2 25-7L21 16ZM-21 20H21V25H-21Z",
    "J": "M-21 14C-22-8-10-19 8-17 22-15 26-2 25 7 19-2 13-4 7-1 15 3 19 8 20 16ZM-21 20H21V25H-21Z",
}
_LEFT, _MIDDLE, _RIGHT = 51, 70, 89
_PIPS: Mapping[str, Sequence[tuple[int, int]]] = {
    "A": ((_MIDDLE, 98),),
    "9": (
        *((x, y) for x in (_LEFT, _RIGHT) for y in (46, 80, 116, 150)),
        (_MIDDLE, 98),
    ),
    "10": (
        *((x, y) for x in (_LEFT, _RIGHT) for y in (46, 80, 116, 150)),
        (_MIDDLE, 63),
        (_MIDDLE, 133),
    ),
}
_WORDS = {"W": "wizard", "J": "jester"}
_ACE, _PIP = 3.4, 1.25
"""Sizes of the signs on a card, as factors of their paths."""
_UPPER = 98
"""The middle of a card: signs below it stand on their heads."""


def _cards(*texts: str) -> Sequence[Html]:
    return [card(text) for text in texts]


def sample(game: str) -> Html:
    """Return the picture of a game."""
    match game:
        case "wizard":
            pieces = _cards("W", "9C", "J")
        case "liarsdice":
            pieces = [die(face) for face in ("A", "A", "K", "Q", "9")]
        case "liedie":
            pieces = [die(face) for face in ("6", "5", "5", "2", "1")]
        case "liarspoker":
            pieces = [h("span", {"class": "number"}, (h("span", {}, digit) for digit in "36564"))]
        case "liarslair":
            pieces = [h("span", {"class": "slip"}, text) for text in ("True", "False?")]
        case "lilypoker":
            pieces = _cards("10S", "JS", "QS", "KS", "AS")
        case _:
            pieces = _cards("AS", "KH", "QD")
    return h("span", {"class": "sample", "aria-hidden": "true"}, pieces)


def card(text: str) -> Html:
    """Return a whole card, such as `10S`, or one of its own (`W`)."""
    paper = h("rect", {"x": 1, "y": 1, "width": 138, "height": 194, "rx": 11, "class": "paper"})
    if text in _WORDS:
        return svg("0 0 140 196", {"class": "card special"}, paper, _special(text))
    rank, suit = text[:-1], text[-1]
    corner = (
        h("text", {"x": 20, "y": 33, "text-anchor": "middle", "class": "index"}, rank),
        _sign(suit, 20, 51, 1.0),
    )
    corners = (h("g", {}, corner), h("g", {"transform": "rotate(180 70 98)"}, corner))
    inside = _pips(rank, suit) if rank in _PIPS else _court(rank, suit)
    return svg("0 0 140 196", {"class": f"card suit-{suit}"}, paper, corners, inside)


def _sign(suit: str, x: int, y: int, size: float) -> Html:
    return h("path", {"d": SUITS[suit], "transform": f"translate({x} {y}) scale({size:g})"})


def _pips(rank: str, suit: str) -> Iterator[Html]:
    size = _ACE if rank == "A" else _PIP
    for x, y in _PIPS[rank]:
        yield _sign(suit, x, y, -size if y > _UPPER else size)


def _court(rank: str, suit: str) -> Iterator[Html]:
    yield h("rect", {"x": 38, "y": 30, "width": 64, "height": 136, "rx": 5, "class": "court"})
    yield h("path", {"d": "M38 98H102", "class": "court"})
    yield h("path", {"d": _HEADS[rank], "transform": "translate(70 57)"})
    yield h("path", {"d": _HEADS[rank], "transform": "translate(70 139) rotate(180)"})
    yield _sign(suit, 70, 98, 1.2)


def _special(text: str) -> Iterator[Html]:
    yield h("text", {"x": 70, "y": 98, "text-anchor": "middle", "class": "whole"}, text)
    yield h("path", {"d": STAR, "transform": "translate(70 142) scale(.8)"})
    for turned in (None, "rotate(180 70 98)"):
        letter = h("text", {"x": 19, "y": 34, "text-anchor": "middle", "class": "index"}, text)
        edge = h("text", {"transform": "translate(25 46) rotate(90)", "class": "edge"}, _WORDS[text])
        yield h("g", {"transform": turned}, letter, edge)
