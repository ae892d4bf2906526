"""A plot of matches between bots as SVG: the lead of one player over another, with its interval."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

import attrs

from lilygames.game import Game
from lilygames.games import games


@attrs.frozen
class Bar:
    """A result to plot: its label, the lead for each round, and the margin."""

    label: str
    ahead: float
    sure: float


_WIDTH, _LABEL, _FIGURES, _ROW, _HEAD = 720, 230, 120, 18, 30
_STYLE = """text{font:12px sans-serif;fill:#333}.head{font-weight:bold}.zero{stroke:#888}.bar{fill:#4a7ab5}
.sure{stroke:#111;stroke-width:1.5}svg{background:#fff}"""


def plot(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return an SVG of the results: the lead of a player over another one, with its interval.

    Each game has a panel for its levels, and another one for all other players.
    """
    parts, top = list[str](), 10
    for title, found in _panels(rows):
        parts += _panel(title, found, top)
        top += _HEAD + _ROW * len(found) + 12
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{top}" viewBox="0 0 {_WIDTH} {top}">'
    return "\n".join([head, f"<style>{_STYLE}</style>", *parts, "</svg>", ""])


def _panels(rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, Sequence[Bar]]]:
    """Yield the title and the bars of each panel."""
    titles = [_title(rows, row) for row in rows]
    for title in dict.fromkeys(titles):
        found = [row for row, other in zip(rows, titles, strict=True) if other == title]
        for of_levels, about in ((True, ""), (False, ", other players")):
            bars = [_bar(row) for row in found if of_levels == _is_of_levels(games()[row["game"]], row)]
            if bars:
                yield f"{title}{about}: points ahead per round", bars


def _title(rows: Sequence[Mapping[str, Any]], row: Mapping[str, Any]) -> str:
    """Return the game of a result, and those options that not all of its results have."""
    others = [other.get("options", {}) for other in rows if other["game"] == row["game"]]
    apart = [
        f"{name}={value}"
        for name, value in row.get("options", {}).items()
        if any(other.get(name) != value for other in others)
    ]
    return ", ".join([games()[row["game"]].title, *apart])


def _is_of_levels(game: Game, row: Mapping[str, Any]) -> bool:
    """Return whether both players are levels of the game."""
    return all(name in game.players for name in row["players"][:2])


def _bar(row: Mapping[str, Any]) -> Bar:
    level, other = row["players"][:2]
    first, seats = row["results"][0], len(row["players"])
    return Bar(f"{short(level)} over {short(other)}, {seats} seats", first["ahead"], _margin(first["sure"]))


def _margin(sure: float | None) -> float:
    """Return a margin to draw; a single deal has none."""
    return sure or 0.0


def short(name: str) -> str:
    """Return a player's name as tables and plots show it: a function in a file without its folder."""
    return name.rpartition("/")[2]


def _panel(title: str, bars: Sequence[Bar], top: int) -> Iterator[str]:
    """Yield the elements of one game's panel; each has a scale of its own, because the games count otherwise."""
    low = min(0.0, *(bar.ahead - bar.sure for bar in bars))
    high = max(0.0, *(bar.ahead + bar.sure for bar in bars))
    scale = (_WIDTH - _LABEL - _FIGURES) / ((high - low) or 1)

    def x(value: float) -> str:
        return f"{_LABEL + (value - low) * scale:.1f}"

    yield f'<text class="head" x="10" y="{top + 16}">{escape(title)}</text>'
    yield f'<line class="zero" x1="{x(0)}" x2="{x(0)}" y1="{top + _HEAD - 6}" y2="{top + _HEAD + _ROW * len(bars)}"/>'
    for number, bar in enumerate(bars):
        y = top + _HEAD + _ROW * number
        left, width = min(0.0, bar.ahead), abs(bar.ahead) * scale
        yield f'<text x="10" y="{y + 11}">{escape(bar.label)}</text>'
        yield f'<rect class="bar" x="{x(left)}" y="{y + 2}" width="{width:.1f}" height="{_ROW - 6}"/>'
        yield (
            f'<line class="sure" x1="{x(bar.ahead - bar.sure)}" x2="{x(bar.ahead + bar.sure)}" '
            f'y1="{y + _ROW // 2 - 1}" y2="{y + _ROW // 2 - 1}"/>'
        )
        yield f'<text x="{_WIDTH - _FIGURES + 10}" y="{y + 11}">{bar.ahead:+.2f} ± {bar.sure:.2f}</text>'
