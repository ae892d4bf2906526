"""The log on stderr: one format for everything that this process and its children write."""

from __future__ import annotations

import json
import logging
import os
import re
import secrets
import sys
import threading
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import structlog
from structlog.typing import EventDict

from lilygames import log_events

KEPT = 5000
"""Lines kept in memory for `lilygames tail`."""
CHARACTERS = 2_000_000
"""Characters of them; a long line takes the place of many."""
LINE = 16_000
"""Characters of a value in the log, beyond which its middle is left out."""
_END = "\0end of output"
"""The last line in the pipe of stray output."""
_TRACEBACK = "Traceback (most recent call last):"
_CREDENTIALS = re.compile(r"(?<=\w://)[^/\s@]*@")
"""The user and the password in an address such as `postgresql://USER:PASSWORD@HOST/NAME`."""
_CONTROLS = (re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]"), re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]"))
"""Characters to escape in a value, and in a traceback, which has several rows."""
_LEVELS = logging.getLevelNamesMapping()
_COLUMNS = frozenset(("timestamp", "level", "event"))
_QUOTED = frozenset(" \t=\r\n\"'")
_WITH_MORE = frozenset(("logger", "logger_name", "stack", "exception", "exc_info"))
"""Keys of lines that the library renders."""
_in_json = json.JSONEncoder(default=repr).encode


class RecentLines:
    """The last lines of the log as JSON, by number. Any thread may add one; readers never hold up the log."""

    def __init__(self, most: int = KEPT) -> None:
        self._most = most
        self._lines: deque[tuple[int, str]] = deque()
        self._characters = 0
        self._lock = threading.Lock()
        self.last = 0
        """The number of the newest line."""

    def add(self, line: str) -> None:
        """Add a line; the oldest ones are dropped when there are too many, or they are too long."""
        with self._lock:
            self._add(line)

    def _add(self, line: str) -> None:
        self.last += 1
        self._lines.append((self.last, line))
        self._characters += len(line)
        while len(self._lines) > self._most or self._characters > CHARACTERS:
            _, oldest = self._lines.popleft()
            self._characters -= len(oldest)

    def carry(self) -> tuple[int, tuple[str, ...]]:
        """Return the number of the newest line and the lines for the next process, oldest first."""
        with self._lock:
            return self.last, tuple(line for _, line in self._lines)

    def take_up(self, last: int, lines: Sequence[str]) -> None:
        """Begin with the lines of the process before, and continue its numbers."""
        with self._lock:
            own = [line for _, line in self._lines]
            self.last, self._characters = last - len(lines), 0
            self._lines.clear()
            for line in (*lines, *own):
                self._add(line)

    def after(self, number: int, most: int) -> Sequence[tuple[int, str]]:
        """Return up to `most` lines after this number, oldest first. A gap in the numbers was dropped."""
        with self._lock:
            waiting = self.last - number
            if waiting <= 0:
                return ()
            first = max(0, len(self._lines) - waiting)
            return [self._lines[place] for place in range(first, min(first + most, len(self._lines)))]


class ServerLog:
    """The part of the log that stays in memory: its last lines, and how many of each kind it has had.

    It is the last step before a line is written. All lines from `info` up pass here, whatever is written to stderr.
    """

    def __init__(self, level: str, *, as_json: bool) -> None:
        self.recent = RecentLines()
        self.events: Counter[tuple[str, str]] = Counter()
        """Lines of each event in `log_events`, with its `how`."""
        self.levels: Counter[str] = Counter()
        """Lines of each level."""
        self._least = _LEVELS[level.upper()]
        self._as_json = as_json
        self._text = structlog.dev.ConsoleRenderer(
            colors=False, exception_formatter=structlog.dev.plain_traceback, sort_keys=False
        )

    def __call__(self, _: Any, __: str, line: EventDict) -> str:
        """Count a line and return it as text; raises `DropEvent` if its level isn't written."""
        level = line["level"]
        self.levels[level] += 1
        if line["event"] in log_events.EVENTS:
            self.events[line["event"], str(line.get("how", ""))] += 1
        written = _in_json(structlog.processors.format_exc_info(None, level, {**line}))
        self.recent.add(written)
        if _LEVELS[level.upper()] < self._least:
            raise structlog.DropEvent
        if self._as_json:
            return written
        return str(self._text(None, level, line)) if _WITH_MORE & line.keys() else plain_text(line)


def plain_text(line: EventDict) -> str:
    """Return a line without a logger or a traceback as structlog's `ConsoleRenderer` does.

    It takes a sixth of the time, and each login writes a line. To remove it, let the renderer write all lines.
    """
    facts = [f"{key}={_shown(value)}" for key, value in line.items() if key not in _COLUMNS]
    head = f"{line['timestamp']} [{line['level']:<9}] {line['event']:<30}"
    return " ".join([head, *facts]).rstrip(" ")


def _shown(value: object) -> str:
    """Return a value, in quotes if it would look like several."""
    return value if isinstance(value, str) and not _QUOTED.intersection(value) else repr(value)


def fit_to_print(_: Any, __: str, line: EventDict) -> EventDict:
    """Take credentials out of addresses, escape control characters, and shorten values that are very long."""
    for key, value in line.items():
        if isinstance(value, str) and not _is_plain(value):
            hidden = _CREDENTIALS.sub("...@", value)
            line[key] = _shortened(_CONTROLS[key == "exception"].sub(_escaped, hidden))
    return line


def _is_plain(value: str) -> bool:
    """Return whether a value surely has nothing to hide, escape or shorten."""
    return value.isascii() and value.isprintable() and "@" not in value and len(value) <= LINE


def _escaped(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode("ascii")


def _shortened(text: str) -> str:
    return text if len(text) <= LINE else f"{text[: LINE // 2]} [...] {text[-LINE // 2 :]}"


class _Forwarding(logging.Handler):
    """Passes the lines of libraries on to the log; an error among them gets a case number."""

    def emit(self, record: logging.LogRecord) -> None:
        """Pass a line on."""
        more: dict[str, Any] = {"logger": record.name}
        if record.exc_info:
            more |= {"case": secrets.token_hex(3), "exc_info": record.exc_info}
        structlog.get_logger().log(record.levelno, record.getMessage(), **more)


class StrayOutput:
    """A pipe in place of descriptor 2. Each line that anything writes there becomes a line of the log."""

    def __init__(self) -> None:
        self.stderr = os.dup(2)
        """The stderr that the process began with."""
        reads, self._writes = os.pipe()
        os.dup2(self._writes, 2)
        self._reader = threading.Thread(target=_log_lines, args=(reads,), name="stderr", daemon=True)
        self._reader.start()

    def give_back(self) -> None:
        """Log what was written so far, and make descriptor 2 what it was; calling it twice is harmless."""
        if self._writes < 0:
            return
        with suppress(OSError, ValueError):
            sys.stderr.flush()
        os.dup2(self.stderr, 2)
        os.write(self._writes, f"\n{_END}\n".encode())
        os.close(self._writes)
        self._writes = -1
        self._reader.join()


def _log_lines(handle: int) -> None:
    """Log what is written to a pipe, up to the last line: tracebacks as one event, everything else line by line."""
    traceback: list[str] = []
    with os.fdopen(handle, encoding="utf-8", errors="backslashreplace") as lines:
        for text in map(str.rstrip, lines):
            if text == _END:
                return
            if text == _TRACEBACK or (traceback and text.startswith(" ")):
                traceback.append(text)
            elif traceback:
                log_events.uncaught(where="stderr", traceback="\n".join([*traceback, text]))
                traceback.clear()
            elif text:
                log_events.output(text)


@contextmanager
def logging_to_stderr(level: str, form: str) -> Iterator[tuple[ServerLog, StrayOutput]]:
    """Write the log to stderr while the block runs: from this level up, as `text` or `json`.

    Libraries are logged from `warning` up, because below that some write addresses, headers and what was sent.
    Everything else on stderr becomes a line of the log, too, such as a warning of a child process.
    """
    kept, stray = ServerLog(level, as_json=form == "json"), StrayOutput()
    with os.fdopen(stray.stderr, "w", encoding="utf-8", errors="backslashreplace", buffering=1) as stderr:
        structlog.configure(
            processors=[
                structlog.contextvars.merge_contextvars,
                structlog.processors.add_log_level,
                structlog.processors.TimeStamper(fmt="iso", utc=True),
                fit_to_print,
                kept,
            ],
            wrapper_class=structlog.make_filtering_bound_logger(min(_LEVELS[level.upper()], logging.INFO)),
            logger_factory=structlog.PrintLoggerFactory(stderr),
        )
        try:
            with _libraries_logged():
                yield kept, stray
        finally:
            stray.give_back()
            structlog.reset_defaults()


@contextmanager
def _libraries_logged() -> Iterator[None]:
    forwarding, root = _Forwarding(logging.WARNING), logging.getLogger()
    root.addHandler(forwarding)
    root.setLevel(logging.WARNING)
    logging.captureWarnings(capture=True)
    try:
        yield
    finally:
        logging.captureWarnings(capture=False)
        root.removeHandler(forwarding)
