"""Reviews: parse what to show, and format it. Pure: chat events in, lines out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, tzinfo

import attrs

from lilygames.chat.names.names import fold
from lilygames.chat.people.events import KINDS, ChatEvent, worded
from lilygames.errors import UserError
from lilygames.text import QUOTE, Line

MOST = 200
"""Maximum events in one review: the latest."""
FEW = 20
"""Events shown by default."""
_SPAN = re.compile(r"(\d{1,4})([mhdw])")
_PAGE = re.compile(r"\bpage ([1-9]\d{0,3})\b")
_FILLERS = frozenset({"last", "since", "from", "of"})
_UNITS = {"m": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0}
_COMINGS = frozenset({"join", "quit", "connect", "disconnect", "attach", "detach"})


def span(word: str) -> float | None:
    """Return the seconds of a time like `30m`, `2h` or `1d`; None if the word isn't one."""
    found = _SPAN.fullmatch(word.casefold())
    return int(found[1]) * _UNITS[found[2]] if found else None


@attrs.frozen
class Wanted:
    """A request for a review: since when, how many per page, which page, from whom, and which kinds.

    Without kinds, everything but arrivals and departures.
    """

    since: float = 0.0
    most: int = MOST
    page: int = 1
    by: str = ""
    kinds: frozenset[str] = frozenset()

    @classmethod
    def read(cls, words: Sequence[str], now: float, missed_since: float) -> Wanted:
        """Parse a request: `2d`, `last 1h`, `50`, `detach`, `from bob`, `page 2`, kinds; raises `UserError`.

        Without a time or number it asks for the last few.
        """
        text = " ".join(words).casefold().replace(",", " ")
        turned = _PAGE.search(text)
        since: float | None = None
        most: int | None = None
        kinds: set[str] = set()
        names: list[str] = []
        for word in _PAGE.sub("", text).split():
            if (ago := span(word)) is not None:
                since = now - ago
            elif word.isascii() and word.isdigit():
                most = max(1, min(MOST, int(word[:9])))
            elif word == "detach":
                since = missed_since
            elif word == "all":
                kinds |= {*KINDS}
            elif word in KINDS:
                kinds.add(word)
            elif word not in _FILLERS:
                names.append(fold(word))
        if len(names) > 1:
            raise UserError("type it like this: /review lobby 2d, /review me from bob, or /review lobby 50 join,quit.")
        page = int(turned[1]) if turned else 1
        return cls(since or 0.0, most or (MOST if since else FEW), page, "".join(names), frozenset(kinds))

    @property
    def needed(self) -> int:
        """How many of the latest events to read: this page, the later ones, and one to know if there are more."""
        return self.page * self.most + 1

    def includes(self, chat_event: ChatEvent) -> bool:
        """Whether the review shows an event."""
        kind = chat_event.kind in self.kinds if self.kinds else chat_event.kind not in _COMINGS
        return kind and chat_event.at >= self.since and (not self.by or fold(chat_event.by).startswith(self.by))


def shown(
    chat_events: Sequence[ChatEvent], wanted: Wanted, reader: str, zone: tzinfo = UTC, *, what: str = "you"
) -> list[Line]:
    """Return the lines of a review in lily's style: `# ` before every row, and each new date in the reader's zone."""
    found = [one for one in chat_events if wanted.includes(one)]
    found = found[: max(0, len(found) - (wanted.page - 1) * wanted.most)]
    if not found:
        filtered = wanted.by or wanted.kinds or wanted.page > 1
        none = "There are no events that match your review" if filtered else f"No events to review for {what}"
        return [Line(f"({none})")]
    told = found[-wanted.most :]
    rows = [Line(f"(Beginning review: {datetime.fromtimestamp(told[0].at, zone):%a %b %d %H:%M:%S %Y %Z})")]
    if len(found) > len(told):
        rows.append(Line(f"(there are earlier ones: add “page {wanted.page + 1}” to see them)"))
    day = ""
    for one in told:
        today = f"{datetime.fromtimestamp(one.at, zone):%a %b %d}"
        if day and today != day:
            rows.append(Line(f"# *** {today} ***", "talk"))
        day = today
        rows += _rows(one, reader, zone)
    return [*rows, Line("(End of review)")]


def _rows(chat_event: ChatEvent, reader: str, zone: tzinfo) -> Iterator[Line]:
    for line in worded(chat_event, stamp=zone, own=fold(chat_event.by) == fold(reader)):
        if line.text:
            margin = f"# {QUOTE}" if line.by else "#   "
            yield attrs.evolve(line, text=f"# {line.text}", kind="talk", margin=margin)
