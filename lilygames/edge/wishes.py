"""What a person wishes for their terminal, whatever the terminal tells of itself."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Self

import attrs

from lilygames.edge.peer import Peer
from lilygames.edge.render import Look
from lilygames.text import Line

_SWITCH = {"on": True, "off": False}
_MTTS_ANSI = 1


@attrs.frozen
class Wishes:
    """The settings of one person, read for a terminal; None leaves it to what the other end tells."""

    width: int | None = None
    ascii: bool | None = None
    editor: bool | None = None
    reader: bool | None = None
    colour: bool = False
    bell: bool = False
    stamp: bool = False
    machine: bool = False

    @classmethod
    def of(cls, settings: Mapping[str, str]) -> Self:
        """Return the wishes that settings state; what is not understood is left to the terminal."""
        width = settings.get("width", "")
        letters, editor, reader = (_SWITCH.get(settings.get(name, "")) for name in ("ascii", "editor", "reader"))
        switches = (settings.get(name) == "on" for name in ("colour", "bell", "stamp", "machine"))
        return cls(int(width) if width.isdecimal() else None, letters, editor, reader, *switches)

    def look(self, peer: Peer) -> Look:
        """Return how this peer's screen is to look; colour goes only to one that moves a cursor or says it has it."""
        told = peer.look
        charset = {None: told.charset, True: "ascii", False: "utf-8"}[self.ascii]
        shows_colour = peer.terminal or bool((peer.mtts or 0) & _MTTS_ANSI)
        return Look(self.width or told.width, charset, self.colour and shows_colour)

    def dressed(self, lines: Sequence[Line]) -> Sequence[Line]:
        """Return the lines with the time before what others say and do, where that is wished."""
        if not self.stamp:
            return lines
        now = time.strftime("%H:%M ", time.gmtime())
        return [line if line.kind == "answer" or _inner(line) else _stamped(now, line) for line in lines]

    def rings(self, lines: Sequence[Line]) -> bool:
        """Whether the bell is to ring for one of the lines: it asks to move."""
        return self.bell and any(line.kind == "turn" for line in lines)


def _inner(line: Line) -> bool:
    """Whether a line is empty, or what somebody wrote: the line above it has the time."""
    return not line.text or line.margin not in ("  ", None)


def _stamped(now: str, line: Line) -> Line:
    return attrs.evolve(line, text=now + line.text)
