"""What a person wishes for their terminal, whatever the terminal tells of itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

import attrs

from lilygames.edge.capabilities import Peer
from lilygames.edge.render import Look

_SWITCH = {"on": True, "off": False}
_MTTS_ANSI = 1


@attrs.frozen
class Preferences:
    """The settings of one person, read for a terminal; None leaves it to what the other end tells."""

    width: int | None = None
    ascii: bool | None = None
    editor: bool | None = None
    reader: bool | None = None
    colour: bool = False
    machine: bool = False

    @classmethod
    def of(cls, settings: Mapping[str, str]) -> Self:
        """Return the wishes that settings state; what is not understood is left to the terminal."""
        width = settings.get("width", "")
        letters, editor, reader = (_SWITCH.get(settings.get(name, "")) for name in ("ascii", "editor", "reader"))
        switches = (settings.get(name) == "on" for name in ("colour", "machine"))
        return cls(int(width) if width.isdecimal() else None, letters, editor, reader, *switches)

    def look(self, peer: Peer) -> Look:
        """Return how this peer's screen is to look; colour goes only to one that moves a cursor or says it has it."""
        told = peer.look
        charset = {None: told.charset, True: "ascii", False: "utf-8"}[self.ascii]
        shows_colour = peer.terminal or bool((peer.mtts or 0) & _MTTS_ANSI)
        return Look(self.width or told.width, charset, self.colour and shows_colour)
