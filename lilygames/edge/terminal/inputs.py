"""The input that suits a screen."""

from __future__ import annotations

from lilygames.chat.people.terminal import Completer, TerminalUser
from lilygames.edge.screens.machine import MachineScreen
from lilygames.edge.slcp.input import SlcpInput
from lilygames.edge.slcp.screen import SlcpScreen
from lilygames.edge.terminal.input import Input, TypedInput
from lilygames.edge.terminal.program_input import ProgramInput
from lilygames.edge.terminal.screen_choice import ScreenChoice
from lilygames.edge.wire.wire import Screen

_TYPED = TypedInput()


class Inputs:
    """The inputs of one connection: programs complete with `complete`, and may become pages by `choice`."""

    def __init__(self, complete: Completer, choice: ScreenChoice) -> None:
        self._complete = complete
        self._choice = choice

    def of(self, screen: Screen, user: TerminalUser) -> Input:
        """Return how lines are read while a user has this screen."""
        match screen:
            case MachineScreen():
                return ProgramInput(screen, self._complete, user, self._choice.for_page)
            case SlcpScreen():
                return SlcpInput(screen, user)
            case _:
                return _TYPED
