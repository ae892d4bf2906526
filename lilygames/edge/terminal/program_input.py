"""Input of a program in machine mode: each request is begun, answered and ended in turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from lilygames.chat.input import current_line
from lilygames.chat.input.current_line import Sent
from lilygames.chat.people.terminal import AtOnce, Completer, TerminalUser, unheard
from lilygames.edge.screens.machine import MachineScreen
from lilygames.edge.screens.requests import BAD_REQUEST, BadRequest, Request, read
from lilygames.text import Line, Packet, Problem

TOO_FAST = Problem("too-fast")


class ProgramInput:
    """Reads a program's requests for its screen.

    `complete` returns the completions of a text, `user` answers what the program gets, and `for_page` makes the program
    a page.
    """

    begins = False
    """The answer to a request ends with what its line did."""

    def __init__(
        self, screen: MachineScreen, complete: Completer, user: TerminalUser, for_page: Callable[[], object]
    ) -> None:
        self._screen = screen
        self._complete = complete
        self._user = user
        self._for_page = for_page

    def end(self, at_once: AtOnce) -> None:  # noqa: ARG002 - every answer has an end
        """End the answer to the last request."""
        self._screen.end()

    def begun(self, typed: str, at_once: AtOnce = unheard) -> str | None:  # noqa: ARG002 - each request is begun
        """Begin a request and return its line; return None if it isn't a line and has been answered here."""
        try:
            request = read(typed)
        except BadRequest as problem:
            self._screen.refuse(problem.id, Problem(BAD_REQUEST), f"{problem}.")
            return None
        self._screen.begin(request.id)
        if request.asks == "line":
            if request.once or request.seen is not None:
                seen = current_line.get().seen if request.seen is None else request.seen
                current_line.set_to(Sent(seen, request.once))
            return request.text
        try:
            self._answer(request)
        finally:
            self._screen.end()
        return None

    def at_once(self, at_once: AtOnce) -> AtOnce:
        """Return a function that handles a request if it needs no line, or a line that `at_once` handles."""

        def handled(typed: str) -> bool:
            line = self.begun(typed)
            if line is None:
                return True
            if at_once(line):
                self._screen.end()
                return True
            self._screen.put_back()
            return False

        return handled

    def refuse(self, typed: str, line: Line) -> None:
        """Refuse a request that came too fast."""
        try:
            number = read(typed).id
        except BadRequest as problem:
            number = problem.id
        self._screen.refuse(number, TOO_FAST, line.text)

    def _answer(self, request: Request) -> None:
        if request.asks == "picture":
            self._for_page()
            self._user.changed()
        elif request.asks == "ack":
            self._user.confirm()
        elif request.asks == "complete":
            self._screen.packet(Packet("options", self._options(request.text, request.table)))
        elif refused := self._user.get(request.text, request.table):
            self._screen.show(refused)
        elif request.follow is not None and request.text == "place":
            self._user.follow_place(on=request.follow)
        elif request.follow is not None:
            self._screen.follows_tables = request.follow
            self._user.follow_tables(on=request.follow)

    def _options(self, text: str, table: int | None) -> Sequence[Mapping[str, str]]:
        """Return the completions of a text, or the moves at a table that it begins."""
        if table is None:
            return [{"text": text} for text in self._complete(text)]
        return self._user.complete_move(text, table)
