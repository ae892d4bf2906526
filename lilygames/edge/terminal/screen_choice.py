"""Choose the screen of a connection by what the client reports and what its person prefers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import attrs

from lilygames.chat.people.terminal import Completer
from lilygames.edge.screens.editor import EditorScreen
from lilygames.edge.screens.line import LineScreen
from lilygames.edge.screens.machine import MachineScreen
from lilygames.edge.slcp.notices import Notices
from lilygames.edge.slcp.screen import SlcpScreen
from lilygames.edge.wire.capabilities import Peer
from lilygames.edge.wire.preferences import Preferences
from lilygames.edge.wire.render import Look
from lilygames.edge.wire.wire import Screen, Wire
from lilygames.text import NARROW, Voice


class ScreenChoice:
    """The screen of one connection: JSON for programs, the editor for terminals, else whole lines.

    The editor needs each key as it is typed. It is offered, and used once the client has agreed. A client of lily has
    its own screen from its first line to its last.
    """

    def __init__(self, wire: Wire, *, program: bool = False) -> None:
        self._program = program
        self._slcp = False
        self.screen: Screen = (MachineScreen if program else LineScreen)(wire, wire.peer.look)
        self._wire = wire
        self._peer = wire.peer
        self._wishes = Preferences(machine=program)
        self.change_due = False
        """Whether to offer or withdraw the editor at the end of the line."""
        self._wanted = self._offered = self._declined = False
        self.pictures = False
        """Whether the program is a page, which gets pictures, and updates in words."""

    @property
    def machine(self) -> bool:
        """Whether the person prefers the screen for programs."""
        return self._wishes.machine

    def takes(self, packet: str) -> bool:
        """Whether the person's program takes packets of this name.

        It takes a `picture` if it is a page, and updates of games if it is a page or in brief mode.
        """
        match packet:
            case "picture":
                return self.machine and self.pictures
            case "update":
                return self.machine and (self.pictures or self._wishes.brief)
        return self.machine

    def for_program(self) -> None:
        """Use the screen for programs from now on, whatever the person prefers."""
        self._program = not self._slcp
        self._wishes = attrs.evolve(self._wishes, machine=self._program)

    def for_lily(self, notices: Notices, before: LineScreen) -> SlcpScreen:
        """Use the screen for lily's clients from now on, whatever the person prefers, and return it."""
        self._wire.end_options()
        self._slcp = True
        self._wishes = attrs.evolve(self._wishes, machine=False)
        self.screen = screen = SlcpScreen(self._wire, self._look, notices, before)
        return screen

    def for_page(self) -> None:
        """Send a page's packets from now on, whatever the person prefers."""
        self.for_program()
        self.pictures = True
        if isinstance(self.screen, MachineScreen):
            self.screen.for_page()

    @property
    def titles(self) -> bool:
        """Whether the client is a terminal whose window has a title."""
        return self._peer.titles and not self.machine

    @property
    def tags(self) -> bool:
        """Whether the person wants the room named before each game line."""
        return self._wishes.tags

    @property
    def spoken(self) -> bool | None:
        """Whether the person prefers lines for a screen reader; None leaves it to what the client reports."""
        return self._wishes.reader

    @property
    def suits_guessed(self) -> bool:
        """Whether suits are shown as signs only because of the client's terminal type."""
        wishes = self._wishes
        return self._peer.guessed and not wishes.machine and wishes.suits is None and wishes.ascii is None

    @property
    def letters_guessed(self) -> bool:
        """Whether letters beyond ASCII are replaced only because the client hasn't said that it shows them."""
        plain = self.screen.look.charset == "ascii" and self._wishes.ascii is None
        return plain and not (self.machine or self._slcp)

    def voice(self, voice: Voice) -> Voice:
        """Return how lines are worded on this screen: with which suits, and for which width.

        Programs always get letters for suits, and a row for each move.
        """
        look = self.screen.look
        signs = look.charset == "utf-8" if self._wishes.suits is None else self._wishes.suits
        suits: Literal["letters", "symbols"] = "symbols" if signs and not self.machine else "letters"
        narrow = look.width < NARROW and not self.machine
        if (suits, narrow, self.machine) == (voice.suits, voice.narrow, voice.each):
            return voice
        return attrs.evolve(voice, suits=suits, narrow=narrow, each=self.machine)

    @property
    def _look(self) -> Look:
        return self._wishes.look(self._peer)

    def take_up(self) -> None:
        """Continue after a handover: the client was already offered the editor if it agreed to it."""
        self._peer = self._wire.peer
        self._offered = self._peer.keys is True
        self.change_due = self._wanted is not self._offered

    def prefer(self, settings: Mapping[str, str]) -> None:
        """Apply the person's preferences from now on."""
        self._wishes = Preferences.of(settings)
        if self._program or self._slcp:
            self._wishes = attrs.evolve(self._wishes, machine=self._program)
        self._declined = False
        self.screen.learned(self._peer, self._look)

    def learned(self, peer: Peer) -> None:
        """Update after the client has reported something."""
        self._peer = peer
        self.screen.learned(peer, self._look)

    def choose(self, completer: Completer, *, spoken: bool, between_lines: bool = True) -> bool:
        """Offer or withdraw the editor, and return whether the screen has changed.

        It is only offered when no line is unfinished: after a line, or on a new connection. The editor asks the
        `completer` for completions.
        """
        if self._slcp:
            return False
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
