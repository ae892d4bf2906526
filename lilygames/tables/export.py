"""Exported logs: what `/export` shows and `lilygames verify` reads, one JSON object per line.

Format 1 has the header and the entries. Format 2 is for games with version 2 of the seal. There each of these rows has
a link, which depends on all rows before it. Rows with all draws come last. In format 3 ids stand for people. Their
names are beside the header. No link depends on a name, so it can be missing. Links and draws are as in format 2 or 1.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from lilygames import codec, commitments
from lilygames.game import Game
from lilygames.store import Entry
from lilygames.tables.draws import draws
from lilygames.tables.duplicate_set import DuplicateSet
from lilygames.tables.log import Header
from lilygames.tables.names_beside import hidden_entry, hidden_header, shown_entries, shown_header
from lilygames.tables.seat_ids import SeatIds
from lilygames.tables.table import Table
from rules.kit import Refused

Row = dict[str, Any]


class Unreadable(ValueError):
    """The text isn't an exported log; the message says why."""


def format_of(header: Header) -> int:
    """Return the version of the format in which a game is exported; the first row names it."""
    return 3 if header.ids else 2 if header.fairness else 1


def export(header: Header, entries: Iterable[Entry]) -> list[str]:
    """Return a log as JSON lines, without its draws: the header, then one entry per line.

    `at` and `by` are the store's metadata (when, and at whose request). They are not verified.
    """
    first = first_row(header)
    stored = (hidden_entry(entry, header.people) for entry in entries)
    rest: list[Row] = [{"seq": entry.seq, "at": entry.at, "by": entry.by, **json.loads(entry.body)} for entry in stored]
    return [line(row) for row in (linked(first, rest) if header.fairness else [first, *rest])]


def first_row(header: Header) -> Row:
    """Return the row of the header, with the names beside it that aren't deleted."""
    named = {"names": header.people.rows} if header.ids else {}
    return {"lilygames": format_of(header), "header": codec.dump(hidden_header(header)), **named}


def linked(first: Row, rest: Iterable[Row]) -> Iterator[Row]:
    """Yield the rows, each with a link that covers it and all before it."""
    link = commitments.header_link(first["header"])
    yield {**first, "link": link}
    for number, row in enumerate(rest, 1):
        link = commitments.entry_link(link, number, row.get("act", row.get("seen")), row.get("told", ""))
        yield {**row, "link": link}


def export_draws(table: Table, entries: Iterable[Entry]) -> Iterator[Sequence[str]]:
    """Replay a log from its new table, and yield for each entry the lines of its draws; raises `Diverged`."""
    for rows in draws(table, entries):
        yield [line(row) for row in rows]


def exported(header: Header, game: Game, secret: bytes, entries: Sequence[Entry]) -> Iterator[Sequence[str]]:
    """Yield the whole export of a finished game step by step; raises `Diverged` if its log is damaged."""
    yield export(header, entries)
    if header.fairness:
        yield from export_draws(Table(header, game, secret), entries)


def line(row: Row) -> str:
    """Return a row as compact JSON."""
    return json.dumps(row, separators=(",", ":"), sort_keys=True)


def with_set(lines: Sequence[str], bodies: Sequence[codec.Json], people: SeatIds = SeatIds()) -> list[str]:  # noqa: B008 - frozen
    """Return the lines of an export, the first one with the log of the table's duplicate set, and the names beside."""
    first, *rest = lines
    named = {"set_names": people.rows} if people.pairs else {}
    return [line({**json.loads(first), "set": [*bodies], **named}), *rest]


def read_set(text: str) -> DuplicateSet | None:
    """Return the duplicate set in an exported log, or None; raises `Unreadable`."""
    try:
        first = rows_of(text)[0]
        bodies, people = first.get("set"), SeatIds.of_rows(first.get("set_names", []))
        return DuplicateSet.folded(*bodies, people=people) if bodies else None
    except (ValueError, LookupError, AttributeError, TypeError, RecursionError, Refused):
        raise Unreadable("the log of its duplicate set doesn't fit together.") from None


def read_export(text: str) -> tuple[Header, list[Entry]]:
    """Return the header and entries of an exported log, with names; raises `Unreadable`.

    Links and draws are skipped.
    """
    try:
        first, *rest = rows_of(text)
        entries = [_entry(row) for row in rest if not {"key", "proof", "unproven"} & {*row}]
        header = _header(first)
        if not header.ids:
            return header, entries
        people, shown = shown_entries(entries, SeatIds.of_rows(first.get("names", [])))
        return shown_header(header, people), shown
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError):
        raise Unreadable(
            "this isn't an exported log. Save what /export N shows, from the first line to the last."
        ) from None


def rows_of(text: str) -> list[Row]:
    """Return the rows of an exported log, without lines in parentheses; raises `ValueError` or `RecursionError`."""
    return [json.loads(row) for row in text.splitlines() if row.strip() and not row.startswith("(")]


def _header(row: Row) -> Header:
    header: Header = codec.load(row["header"], Header)
    if codec.load(row["lilygames"], int) != format_of(header):
        raise ValueError(row["lilygames"])
    return header


def _entry(row: Row) -> Entry:
    seq, at, by = codec.load(row.pop("seq"), int), row.pop("at"), row.pop("by")
    linked = row.pop("link", None)
    if linked and "told" not in row:
        row |= {"is": "Body", "told": ""}  # a closed game's rows have no digest
    return Entry(seq, at, by, json.dumps(row), "")
