"""Verify a finished game: check the seal against the secret, and each entry against its replay."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from lilygames import codec
from lilygames.game import Game
from lilygames.store import Entry
from lilygames.tables import seal
from lilygames.tables.log import Header
from lilygames.tables.replay import replayed
from lilygames.tables.table import Diverged, Table
from lilygames.tables.visible import is_open, secret_in

FORMAT = 1
"""The version of the export format, named in its first row."""


class Unreadable(ValueError):
    """The text isn't an exported log; the message says why."""


@attrs.frozen
class Verdict:
    """Whether a log matches its replay, and the sentence that says so."""

    match: bool
    sentence: str


def export(header: Header, entries: Iterable[Entry]) -> list[str]:
    """Return a log as JSON lines: the header, then one entry per line.

    `at` and `by` are the store's metadata (when, and at whose request). They are not verified.
    """
    first = {"lilygames": FORMAT, "header": codec.dump(header)}
    rest = ({"seq": entry.seq, "at": entry.at, "by": entry.by, **json.loads(entry.body)} for entry in entries)
    rows = [first, *rest]
    return [json.dumps(row, separators=(",", ":"), sort_keys=True) for row in rows]


def read_export(text: str) -> tuple[Header, list[Entry]]:
    """Return the header and entries of an exported log; raises `Unreadable`."""
    try:
        first, *rest = [json.loads(row) for row in text.splitlines() if row.strip()]
        return _header(first), [_entry(row) for row in rest]
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError):
        raise Unreadable(
            "this isn't an exported log. Save what /export N shows, from the first line to the last."
        ) from None


def _header(row: dict[str, Any]) -> Header:
    if codec.load(row["lilygames"], int) != FORMAT:
        raise ValueError(row["lilygames"])
    header: Header = codec.load(row["header"], Header)
    return header


def _entry(row: dict[str, Any]) -> Entry:
    seq, at, by = codec.load(row.pop("seq"), int), row.pop("at"), row.pop("by")
    return Entry(seq, at, by, json.dumps(row), "")


def verify(header: Header, entries: Sequence[Entry], games: Mapping[str, Game]) -> Verdict:
    """Return whether the seal matches the published secret, and every entry its replay."""
    return [*verdicts(header, entries, games)][-1]


def verdicts(header: Header, entries: Sequence[Entry], games: Mapping[str, Game]) -> Iterator[Verdict]:
    """Yield progress messages entry by entry; the last one is the verdict."""
    name, secret, game = _called(header), secret_in(entries), header.game_in(games)
    why = _unfit(header, secret, game)
    if why or game is None:
        yield Verdict(match=False, sentence=why)
        return
    try:
        for step in replayed(Table(header, game, secret or b""), entries):
            yield Verdict(match=False, sentence=f"{name} matches up to entry {step.table.seq}.")
    except Diverged as difference:
        yield Verdict(match=False, sentence=f"No match: entry {difference.seq} of {name} differs from its replay.")
    else:
        yield Verdict(match=True, sentence=f"Match: seal and all {len(entries)} entries of {name} fit.")


def _called(header: Header) -> str:
    return f"table #{header.number} ({header.game})"


def _unfit(header: Header, secret: bytes | None, game: Game | None) -> str:
    """Return why there is nothing to replay; empty if there is."""
    name = _called(header)
    if not is_open(header, over=True):
        return f"The seal of {name} stays closed, so hidden cards stay secret."
    if secret is None:
        return f"{name} isn't over yet, so there is nothing to check."
    if seal.seal_of(secret) != header.seal:
        return f"No match: the secret of {name} doesn't match its seal."
    if game is None:
        return f"{header.game} version {header.version} isn't installed here."
    return ""
