"""Drawings as SVG: cards, dice, faces, curves and calendars. Screen readers skip them: the words are beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import chain

from lilygames.sites.markup import Attributes, Child, Html, h

SUITS: Mapping[str, str] = {
    "H": "M0 9C-9 2-10-3-8-6-6-9-2-9 0-5 2-9 6-9 8-6 10-3 9 2 0 9Z",
    "D": "M0-10 7 0 0 10-7 0Z",
    "S": "M0-10C7-3 10 0 8 4 6 7 3 6 1.500 4L3 10H-3L-1.500 4C-3 6-6 7-8 4-10 0-7-3 0-10Z",
    "C": "M0-10A4.500 4.500 0 0 1 3.500-2.500 4.500 4.500 0 1 1 1.500 4L3 10H-3L-1.500 4A4.500 4.500 0 1 1-3.500-2.500"
    " 4.500 4.500 0 0 1 0-10Z",
}
_MARK = (
    "M12 22c-1-5-1-7 0-11 1 4 1 6 0 11zM12 11C8 9 8 5 12 1c4 4 4 8 0 10zM11 13C6 14 3 11 3 7c5 0 8 2 8 6zM13"
    " 13c5 1 8-2 8-6-5 0-8 2-8 6z"
)
STAR = "M0-24 6-8 23-8 9 2 15 19 0 9-15 19-9 2-23-8-6-8Z"
_FLAME = "M12 2c1 4-4 6-4 11a5 5 0 0 0 10 0c0-3-2-4-2-7-2 1-2 3-2 4-1-2 0-5-2-8z"
TINTS = 6
"""Colours of faces."""
_SAMPLES: Mapping[str, Sequence[str]] = {
    "ohell": ("AS", "KH", "QD"),
    "wizard": ("W", "9C", "J"),
    "liarsdice": ("A!", "A!", "K!", "Q!", "9!"),
    "liedie": ("6!", "5!", "5!", "2!", "1!"),
    "liarspoker": ("3!", "6!", "5!", "6!", "4!"),
    "liarslair": ("True", "False?"),
    "lilypoker": ("10S", "JS", "QS", "KS", "AS"),
}
"""The picture of each game: cards, dice (`6!`), or slips with a word."""


def svg(box: str, attributes: Attributes, *children: Child) -> Html:
    """Return a drawing that says nothing to a screen reader."""
    return h("svg", {"viewBox": box, "aria-hidden": "true", **attributes}, *children)


def mark() -> Html:
    """Return the lily."""
    return svg("0 0 24 24", {"class": "mark"}, h("path", {"d": _MARK}))


def suit(letter: str) -> Html:
    """Return the sign of a suit on a round ground."""
    ground, sign = h("circle", {"r": 14}), h("path", {"d": SUITS[letter]})
    return svg("-14 -14 28 28", {"class": f"suit ground-{letter}"}, ground, sign)


def flame() -> Html:
    """Return the sign of a streak."""
    return svg("0 0 24 24", {"class": "flame"}, h("path", {"d": _FLAME}))


def card(text: str) -> Html:
    """Return a small card, such as `10S`; anything else (`W`) is a card of its own, with a star."""
    rank, suit = text[:-1], text[-1]
    paper = h("rect", {"x": 1, "y": 1, "width": 98, "height": 138, "rx": 12, "class": "paper"})
    if not rank or suit not in SUITS:
        star = h("path", {"d": STAR, "transform": "translate(50 100)"})
        return svg("0 0 100 140", {"class": "card special"}, paper, _letter(text, 50, 62), star)
    sign = h("path", {"d": SUITS[suit], "transform": "translate(50 100) scale(2.5)"})
    return svg("0 0 100 140", {"class": f"card small suit-{suit}"}, paper, _letter(rank, 50, 62), sign)


def _letter(text: str, x: int, y: int) -> Html:
    return h("text", {"x": x, "y": y, "text-anchor": "middle", "class": "index"}, text)


def die(face: str) -> Html:
    """Return a die."""
    side = h("rect", {"x": -24, "y": -24, "width": 48, "height": 48, "rx": 11, "class": "side"})
    letter = h("text", {"y": 9, "text-anchor": "middle", "class": "letter"}, face)
    return svg("-25 -25 50 50", {"class": f"die face-{face}"}, side, letter)


def sample(game: str) -> Html:
    """Return the picture of a game: a few cards or dice."""
    texts = _SAMPLES.get(game, ("AS", "KH", "QD"))
    return h("span", {"class": "sample", "aria-hidden": "true"}, [_piece(text) for text in texts])


def _piece(text: str) -> Html:
    if text.endswith("!"):
        return die(text[:-1])
    return h("span", {"class": "slip"}, text) if text[1:2].islower() else card(text)


def face(name: str) -> Html:
    """Return someone's face: the first letter of their name on a colour that is always theirs."""
    tint = sha256(name.casefold().encode()).digest()[0] % TINTS
    return h("span", {"class": f"face tint-{tint}", "aria-hidden": "true"}, name[:1].upper())


# curves

_WIDE, _HIGH = 640, 190
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 14, 14, 24


def curve(points: Sequence[tuple[float, float]], labels: tuple[str, str]) -> Html:
    """Return a line through points (x, y), with the labels of its first and last one below."""
    (low, high), (first, last) = _span([y for _, y in points]), (points[0][0], points[-1][0])
    places = [(_across(x, first, last), _up(y, low, high)) for x, y in points]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    area = f"{places[0][0]:.1f},{_HIGH - _BOTTOM} {line} {places[-1][0]:.1f},{_HIGH - _BOTTOM}"
    end_x, end_y = places[-1]
    return svg(
        f"0 0 {_WIDE} {_HIGH}",
        {"class": "curve"},
        chain.from_iterable(_rule(value, low, high) for value in _rules(low, high)),
        h("polygon", {"points": area, "class": "area"}),
        h("polyline", {"points": line, "class": "line"}),
        h("circle", {"cx": f"{end_x:.1f}", "cy": f"{end_y:.1f}", "r": 5, "class": "dot"}),
        h("text", {"x": _LEFT, "y": _HIGH - 6}, labels[0]),
        h("text", {"x": _WIDE - _RIGHT, "y": _HIGH - 6, "text-anchor": "end"}, labels[1]),
    )


def _rule(value: float, low: float, high: float) -> Sequence[Html]:
    y = f"{_up(value, low, high):.1f}"
    return (
        h("line", {"x1": _LEFT, "x2": _WIDE - _RIGHT, "y1": y, "y2": y, "class": "rule"}),
        h("text", {"x": _LEFT - 8, "y": y, "dy": "4", "text-anchor": "end"}, f"{value:.0f}"),
    )


def _rules(low: float, high: float) -> Sequence[float]:
    """Return two or three round values between the lowest and the highest."""
    step = next((size for size in (1, 2, 3, 5, 10, 20, 50, 100, 200, 500) if (high - low) / size <= 3.5), 1000)  # noqa: PLR2004 - at most three
    first = int(-(-low // step)) * step
    return [value for value in range(first, int(high) + 1, step)]  # noqa: C416 - floats are wanted


def _span(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    margin = max((high - low) * 0.15, 1.0)
    return low - margin, high + margin


def _across(x: float, first: float, last: float) -> float:
    wide = _WIDE - _LEFT - _RIGHT
    return _LEFT + (wide * (x - first) / (last - first) if last > first else wide)


def _up(y: float, low: float, high: float) -> float:
    return _TOP + (_HIGH - _TOP - _BOTTOM) * (1 - (y - low) / (high - low))


def calendar(days: Sequence[str], rows: int = 7) -> Html:
    """Return a square for each day, column by column; each is a class (`on`, `off`)."""
    columns = -(-len(days) // rows)
    squares = (
        h("rect", {"x": 20 * (n // rows), "y": 20 * (n % rows), "width": 18, "height": 18, "rx": 4, "class": kind})
        for n, kind in enumerate(days)
    )
    return svg(f"0 0 {20 * columns - 2} {20 * rows - 2}", {"class": "calendar"}, squares)
