"""Choose the screen of a connection by what the client reports and what its person prefers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

import attrs

from lilygames.chat.people.terminal import Completer, TerminalUser
from lilygames.edge.screens.editor import EditorScreen
from lilygames.edge.screens.line import LineScreen
from lilygames.edge.screens.machine import MachineScreen
from lilygames.edge.screens.screen import Screen
from lilygames.edge.slcp.input import OPTIONS, SlcpInput
from lilygames.edge.slcp.notices import Notices
from lilygames.edge.slcp.screen import SlcpScreen
from lilygames.edge.terminal.input import Input, TypedInput
from lilygames.edge.terminal.program_input import ProgramInput
from lilygames.edge.wire.capabilities import Peer
from lilygames.edge.wire.preferences import Preferences
from lilygames.edge.wire.render import Look
from lilygames.edge.wire.wire import Wire
from lilygames.text import NARROW, Prompt, Voice

Kind = Callable[[Wire, Look, Prompt | None, Completer], Screen]
"""A class of screens."""
_TYPED = TypedInput()


class ScreenChoice:
    """The screen of one connection: JSON for programs, the editor for terminals, else whole lines.

    The editor needs each key as it is typed. It is offered, and used once the client has agreed. A client of lily has
    its own screen from its first line to its last.
    """

    def __init__(self, wire: Wire, completer: Completer, *, program: bool = False) -> None:
        """Begin with a screen of whole lines, or of JSON for a `program`; `completer` returns completions."""
        self._program = program
        self._slcp = False
        self._completer = completer
        self._wire = wire
        self._peer = wire.peer
        self._wishes = Preferences(machine=program)
        self.change_due = False
        """Whether to offer or withdraw the editor at the end of the line."""
        self._wanted = self._offered = self._declined = False
        self.screen = self._made(self._wanted_kind())
        """The screen now."""

    @property
    def machine(self) -> bool:
        """Whether the person prefers the screen for programs."""
        return self._wishes.machine

    def for_program(self) -> None:
        """Use the screen for programs from now on, whatever the person prefers."""
        self._program = not self._slcp
        self._wishes = attrs.evolve(self._wishes, machine=self._program)

    def begins_lily(self, typed: str) -> bool:
        """Return whether a line that was typed before the login says that this is a client of lily."""
        return typed.startswith(OPTIONS) and type(self.screen) is LineScreen

    def for_lily(self, notices: Notices) -> SlcpScreen:
        """Use the screen for lily's clients from now on, whatever the person prefers, and return it."""
        self._wire.end_options()
        self._slcp = True
        self._wishes = attrs.evolve(self._wishes, machine=False)
        half_typed = self.screen.splitter if isinstance(self.screen, LineScreen) else None
        self.screen = screen = SlcpScreen(self._wire, self._look, notices, half_typed)
        return screen

    def for_page(self) -> None:
        """Send a page's packets from now on, whatever the person prefers."""
        self.for_program()
        self._wishes = attrs.evolve(self._wishes, page=True)
        self.screen.prefer(self._wishes)

    def input(self, user: TerminalUser) -> Input:
        """Return what reads the client's lines while a user has this screen."""
        match self.screen:
            case MachineScreen() as screen:
                return ProgramInput(screen, self._completer, user, self.for_page)
            case SlcpScreen() as screen:
                return SlcpInput(screen, user)
            case _:
                return _TYPED

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
        page, self._wishes = self._wishes.page, Preferences.of(settings)
        if self._program or self._slcp:
            self._wishes = attrs.evolve(self._wishes, machine=self._program, page=page)
        self._declined = False
        self.screen.prefer(self._wishes)
        self.screen.learned(self._peer, self._look)

    def learned(self, peer: Peer) -> None:
        """Update after the client has reported something."""
        self._peer = peer
        self.screen.learned(peer, self._look)

    def choose(self, *, spoken: bool, between_lines: bool = True) -> bool:
        """Offer or withdraw the editor, and return whether the screen has changed.

        It is only offered when no line is unfinished: after a line, or on a new connection.
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
        return self._change()

    def _wants_editor(self, *, spoken: bool) -> bool:
        if self._wishes.machine:
            return False
        if self._wishes.editor is not None:
            return self._wishes.editor
        return self._peer.terminal and not spoken

    def _change(self) -> bool:
        """Change to the kind of screen that is wanted; return False if it's there already."""
        kind = self._wanted_kind()
        if type(self.screen) is kind:
            return False
        before = self.screen
        before.close()
        self.screen = self._made(kind, before.question)
        return True

    def _wanted_kind(self) -> Kind:
        """Return the kind of screen that suits now."""
        if self._offered and self._peer.keys is True:
            return EditorScreen
        return MachineScreen if self._wishes.machine else LineScreen

    def _made(self, kind: Kind, question: Prompt | None = None) -> Screen:
        """Return a new screen of a kind, where a prompt may be open."""
        screen = kind(self._wire, self._look, question, self._completer)
        screen.prefer(self._wishes)
        return screen
