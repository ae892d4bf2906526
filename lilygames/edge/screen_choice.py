"""Which screen serves a connection: chosen by what the other end tells, and by what its person prefers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import attrs

from lilygames.chat.terminal import Completer
from lilygames.edge.capabilities import Peer
from lilygames.edge.editor import EditorScreen
from lilygames.edge.line import LineScreen
from lilygames.edge.machine import MachineScreen
from lilygames.edge.preferences import Preferences
from lilygames.edge.render import Look
from lilygames.edge.wire import Screen, Wire
from lilygames.text import NARROW, Voice


class ScreenChoice:
    """The screen of one connection: for programs, for terminals whose lines we edit, or one of whole lines.

    The editor needs each key as it is typed. It is offered, and used once the other end has agreed to send keys.
    """

    def __init__(self, wire: Wire) -> None:
        self.screen: Screen = LineScreen(wire, wire.peer.look)
        self._wire = wire
        self._peer = wire.peer
        self._wishes = Preferences()
        self.change_due = False
        """Whether the editor is to be offered or taken back when a line has ended."""
        self._wanted = self._offered = self._declined = False

    @property
    def machine(self) -> bool:
        """Whether the screen is for a program, as the person prefers it."""
        return self._wishes.machine

    @property
    def tags(self) -> bool:
        """Whether the person wants the room named before each line of a game."""
        return self._wishes.tags

    @property
    def spoken(self) -> bool | None:
        """Whether the person prefers lines for a screen reader; None leaves it to what the other end tells."""
        return self._wishes.reader

    def voice(self, voice: Voice) -> Voice:
        """Return how this person's lines are worded on this screen: with which suits, and for how wide a screen.

        Programs get letters, as they always have.
        """
        look = self.screen.look
        signs = look.charset == "utf-8" if self._wishes.suits is None else self._wishes.suits
        suits: Literal["letters", "symbols"] = "symbols" if signs and not self.machine else "letters"
        return attrs.evolve(voice, suits=suits, narrow=look.width < NARROW and not self.machine)

    @property
    def _look(self) -> Look:
        return self._wishes.look(self._peer)

    def take_up(self) -> None:
        """Go on where another process stopped: what the other end has agreed to has been offered."""
        self._peer = self._wire.peer
        self._offered = self._peer.keys is True
        self.change_due = self._wanted is not self._offered

    def prefer(self, settings: Mapping[str, str]) -> None:
        """Follow what the person prefers from now on."""
        self._wishes = Preferences.of(settings)
        self._declined = False
        self.screen.learned(self._peer, self._look)

    def learned(self, peer: Peer) -> None:
        """Take note of what the other end has told of itself."""
        self._peer = peer
        self.screen.learned(peer, self._look)

    def choose(self, completer: Completer, *, spoken: bool, between_lines: bool = True) -> bool:
        """Offer the editor or take it back, and return whether the screen is another one now.

        It is offered where nothing is half typed: a line has just ended, or the connection is too new for any. The
        editor asks the `completer` for completions.
        """
        wanted = self._wants_editor(spoken=spoken) and self._peer.negotiates and not self._declined
        if self._offered and self._peer.keys is False:
            self._declined, wanted = True, False
        self._wanted = wanted
        if wanted is not self._offered and (between_lines or not wanted):
            self._offered = wanted
            self._peer = attrs.evolve(self._peer, keys=None)
            self._wire.character_mode(wanted)
        self.change_due = self._wanted is not self._offered
        return self._change(completer if self._offered and self._peer.keys is True else None)

    def _wants_editor(self, *, spoken: bool) -> bool:
        if self._wishes.machine:
            return False
        if self._wishes.editor is not None:
            return self._wishes.editor
        return self._peer.terminal and not spoken

    def _change(self, completer: Completer | None) -> bool:
        kind = EditorScreen if completer else MachineScreen if self._wishes.machine else LineScreen
        if type(self.screen) is kind:
            return False
        before = self.screen
        before.close()
        if completer:
            self.screen = EditorScreen(self._wire, self._look, before.question, completer)
        else:
            self.screen = (MachineScreen if self._wishes.machine else LineScreen)(
                self._wire, self._look, before.question
            )
        return True
