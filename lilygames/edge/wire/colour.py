"""Colours and bold for rows of text, as ANSI SGR sequences. Colour adds to the words and never replaces them.

The values have a contrast of at least 4 on black and on white. `safe` is a deck with colours that people with any kind
of colour blindness can tell apart. Only the server's own words are coloured, so nobody can fake a coloured row.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

import attrs

from lilygames.text import Line

Deck = Literal["2", "4", "safe", "off"]
"""How suits are coloured: two colours, four colours, colour-blind safe, or not at all."""

_SUITS: Mapping[Deck, Mapping[str, str]] = {
    "2": {"♥": "38;5;161", "♦": "38;5;161"},
    "4": {"♥": "38;5;161", "♦": "38;5;27", "♣": "38;5;28"},
    "safe": {"♥": "38;5;130", "♦": "38;5;31", "♣": "38;5;129"},
    "off": {},
}
_RED = {"♥": "31", "♦": "31"}
"""Suits on a 16-colour terminal, where only red is readable on both black and white."""
_BOLD, _REVERSE, _OFF = "1", "7", "38;5;243"
_LEADS = {" -> ": "38;5;30", " >> ": "38;5;133"}
"""Header arrows of public and private messages."""
_COACH = "38;5;98"

_PARTS = re.compile(
    r"(?P<alert>\b[Yy]ou have \d+ seconds left\.)"
    r"|(?P<turn>\bYour turn:|(?<!\S)(?<![a-z] )\d{1,3}\.(?= )|\b[Yy]ou\b)"
    r"|(?P<coach>\bCoach:)"
    r"|\[(?P<win>(?:10|[2-9JQKA])[♠♥♦♣])\]"
    r"|(?P<off>\([^()]*\))"
    r"|(?P<card>(?:10|[2-9JQKA])?[♠♥♦♣])"
)
_CARDS = re.compile(r"(?P<card>(?:10|[2-9JQKA])?[♠♥♦♣])")


@attrs.frozen(cache_hash=True)
class Palette:
    """The palette of a screen: how many colours it has, and how suits are coloured."""

    depth: Literal[16, 256] = 16
    deck: Deck = "2"

    def painted(self, row: str, line: Line) -> str:
        """Return one wrapped row of `line` with colours. Only SGR sequences are added."""
        match line.kind:
            case "talk":
                lead = next((colour for sign, colour in _LEADS.items() if row.startswith(sign)), "")
                return self._in(lead and self._shade(lead, _BOLD), row)
            case "notice":
                return self._in(self._shade(_OFF, ""), row)
            case _ if line.by:
                return row
            case "answer":
                return self._in(self._shade(_OFF, ""), row) if row.startswith("(") else _CARDS.sub(self._part, row)
            case _:
                return _PARTS.sub(self._part, row)

    def _part(self, found: re.Match[str]) -> str:
        text = found[0]
        match found.lastgroup:
            case "turn":
                return self._in(_BOLD, text)
            case "coach":
                return self._in(self._shade(_COACH, _BOLD), text)
            case "alert":
                return self._in(_REVERSE, text)
            case "win":
                suit = self._suit(found["win"])
                return self._in(f"{_BOLD};{suit}" if suit else _BOLD, text)
            case "off":
                return self._in(self._shade(_OFF, ""), text)
            case _:
                return self._in(self._suit(text), text)

    def _suit(self, card: str) -> str:
        """Return the colour of a card by its suit sign; empty for the default colour."""
        if self.depth == 16:  # noqa: PLR2004 - the number of colours
            return _RED.get(card[-1], "") if self.deck in ("2", "4") else ""
        return _SUITS[self.deck].get(card[-1], "")

    def _shade(self, many: str, few: str) -> str:
        """Return `many` on a 256-colour screen, else `few`."""
        return many if self.depth == 256 else few  # noqa: PLR2004 - the number of colours

    @staticmethod
    def _in(colour: str, text: str) -> str:
        return f"\x1b[{colour}m{text}\x1b[0m" if colour else text
