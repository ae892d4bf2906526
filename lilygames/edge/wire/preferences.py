"""A person's display preferences, which override what the client reports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

import attrs

from lilygames.edge.wire.capabilities import MANY_COLOURS, Peer
from lilygames.edge.wire.colour import Deck, Palette
from lilygames.edge.wire.render import Look, look_of

_SWITCH = {"on": True, "off": False}
_DECKS: Mapping[str, Deck] = {"2": "2", "4": "4", "safe": "safe", "off": "off"}


@attrs.frozen
class Preferences:
    """The display settings of one person; None leaves a choice to what the client reports."""

    width: int | None = None
    ascii: bool | None = None
    editor: bool | None = None
    reader: bool | None = None
    colour: bool | None = None
    suits: bool | None = None
    """Whether suits are signs (♠) rather than letters (S)."""
    deck: Deck = "2"
    machine: bool = False
    page: bool = False
    """Whether the program is a page, which gets pictures, and updates in words. The client says so, not the person."""
    brief: bool = False
    """Whether machine mode sends only changes of a game."""
    tags: bool = False
    """Whether each line of a game names its room."""

    @classmethod
    def of(cls, settings: Mapping[str, str]) -> Self:
        """Return the preferences in these settings; an invalid value is left to the client."""
        width = settings.get("width", "")
        names = ("ascii", "editor", "reader", "colour", "suits")
        letters, editor, reader, colour, suits = (_SWITCH.get(settings.get(name, "")) for name in names)
        deck = _DECKS.get(settings.get("deck", ""), "2")
        machine = settings.get("machine", "off")
        return cls(
            int(width) if width.isdecimal() else None,
            letters,
            editor,
            reader,
            colour,
            suits,
            deck,
            machine != "off",
            brief=machine == "brief",
            tags=settings.get("tags") == "on",
        )

    def look(self, peer: Peer) -> Look:
        """Return how this client's screen shows text: in colour if it can, or if the person asks for it."""
        told = peer.look
        charset = {None: told.charset, True: "ascii", False: "utf-8"}[self.ascii]
        return look_of(self.width or told.width, charset, self._palette(peer))

    def _palette(self, peer: Peer) -> Palette | None:
        by_ear = peer.screen_reader if self.reader is None else self.reader
        wanted = bool(peer.colours) and not by_ear if self.colour is None else self.colour
        return Palette(256 if peer.colours == MANY_COLOURS else 16, self.deck) if wanted else None
