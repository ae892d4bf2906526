"""Lines that people have sent, by the texts that their clients made up for them: a line sent again is followed once.

A client that loses its connection gives back each line whose acknowledgement is missing. It can't know whether the line
has arrived. So it keeps the line's text, and the server remembers it. A move's text is in the table's log, too, which
knows it longer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

import attrs

from lilygames.chat.input import current_line
from lilygames.text import Line

LINES = 200
"""Lines remembered for one person: as many as a client waits for."""
PEOPLE = 1000
"""People whose lines are remembered: those who have sent lines last."""
ARRIVED = Line("(That line had arrived before, so it wasn't sent twice. To repeat it, send it again.)")


class LinesSentAgain:
    """The texts of the last lines of each person, by account key."""

    def __init__(self) -> None:
        self._known: dict[str, dict[str, None]] = {}
        """Those who sent a line last come last."""

    @contextmanager
    def following(self, owner: str) -> Iterator[None]:
        """Remember the line that is being handled, unless an error ends that; mark it if its text is known.

        It is known at once, so a second one that comes while the first is waiting isn't followed either.
        """
        sent = current_line.get()
        if not sent.once:
            yield
        elif self.knows(owner, sent.once):
            current_line.set_to(attrs.evolve(sent, again=True))
            yield
        else:
            self.restore(owner, (sent.once,))
            try:
                yield
            except BaseException:
                self._known.get(owner, {}).pop(sent.once, None)
                raise

    def knows(self, owner: str, text: str) -> bool:
        """Return whether a line of someone's is known by this text."""
        return text in self._known.get(owner, ())

    def of(self, owner: str) -> Sequence[str]:
        """Return the texts of someone's lines, oldest first."""
        return [*self._known.get(owner, ())]

    def restore(self, owner: str, texts: Iterable[str]) -> None:
        """Remember the texts of someone's lines."""
        own = self._known[owner] = self._known.pop(owner, {})
        own |= dict.fromkeys(texts)
        while len(own) > LINES:
            del own[next(iter(own))]
        while len(self._known) > PEOPLE:
            del self._known[next(iter(self._known))]
