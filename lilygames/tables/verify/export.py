"""Exported logs: what `/export` shows and `lilygames verify` reads, one JSON object per line.

Format 2 is for games with version 2 of the seal. It has the header and the entries, each with a link, which depends on
all rows before it. Rows with all draws come last. In format 3 ids stand for people. Their names are beside the header.
No link depends on a name, so it can be missing. A lesson is in format 3, without links and draws.

Format 4 is for all games with version 2 of the seal. Its last row counts the rows of each kind, and has a sum over what
no link covers. So a row that is damaged or missing is noticed. A forging host can count again. Where a seal stays
closed, an act also has the events that followed from it. Releases that write format 4 read formats 2 and 3, too.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from lilygames import codec
from lilygames.game import Game
from lilygames.proofs import commitments
from lilygames.store import Entry
from lilygames.tables.duplicate.duplicate_set import DuplicateSet
from lilygames.tables.log.acts import Header
from lilygames.tables.log.names_beside import hidden_entry, hidden_header, shown_entries, shown_header
from lilygames.tables.log.seat_ids import SeatIds
from lilygames.tables.state.table import Table
from lilygames.tables.verify.draws import draws
from lilygames_rules.kit import Refused

Row = dict[str, Any]
FORMAT = 4
"""The format in which games with version 2 of the seal are exported."""
KINDS = ("link", "key", "proof", "unproven", "end")
"""A field of each kind of row after the first, in the order of the rows: entries, draws, proofs, marks, the end."""
_LINKED = ("header", "link", "act", "seen", "told")
_NAMES = ("names", "set_names")


class Unreadable(ValueError):
    """The text isn't an exported log; the message says why."""


def format_of(header: Header) -> int:
    """Return the version of the format in which a game is exported; the first row names it."""
    return FORMAT if header.fairness else 3


def formats_of(header: Header) -> tuple[int, ...]:
    """Return the formats in which this release or an earlier one exported a game."""
    return (3 if header.ids else 2, FORMAT) if header.fairness else (3,)


def export(header: Header, entries: Iterable[Entry]) -> list[str]:
    """Return a log as JSON lines, without its draws and its end: the header, then one entry per line.

    `at` and `by` are the store's metadata (when, and at whose request). Nobody can verify them.
    """
    return [line(row) for row in _entry_rows(header, entries, first_row(header))]


def _entry_rows(header: Header, entries: Iterable[Entry], first: Row) -> list[Row]:
    """Return the first row and those of the entries, linked if the game has version 2 of the seal."""
    stored = (hidden_entry(entry, header.people) for entry in entries)
    rest: list[Row] = [{"seq": entry.seq, "at": entry.at, "by": entry.by, **json.loads(entry.body)} for entry in stored]
    return [*linked(first, rest)] if header.fairness else [first, *rest]


def first_row(header: Header, version: int = 0) -> Row:
    """Return the row of the header, with the names beside it that aren't deleted; `version` 0 is today's format."""
    named = {"names": header.people.rows} if header.ids else {}
    return {"lilygames": version or format_of(header), "header": codec.dump(hidden_header(header)), **named}


def linked(first: Row, rest: Iterable[Row]) -> Iterator[Row]:
    """Yield the rows, each with a link that covers it and all before it."""
    link = commitments.header_link(first["header"])
    yield {**first, "link": link}
    for number, row in enumerate(rest, 1):
        act, seen = (row["act"], row.get("seen")) if "act" in row else (row.get("seen"), None)
        link = commitments.entry_link(link, number, act, row.get("told", ""), seen)
        yield {**row, "link": link}


def ended(rows: Sequence[Row]) -> Row:
    """Return the row that ends these rows: how many there are of each kind, and a sum over what no link covers."""
    counts = [sum(kind in row for row in rows[1:]) for kind in KINDS[:-1]]
    last = next(row["link"] for row in reversed(rows) if "link" in row)
    return {"end": counts, "sum": commitments.export_sum(last, [_unlinked(row) for row in rows])}


def _unlinked(row: Row) -> Row:
    """Return what no link covers of a row, without names, which can be deleted."""
    return {field: value for field, value in row.items() if field not in _LINKED + _NAMES}


def disorder(rows: Sequence[Row]) -> str:
    """Return what is wrong with the kinds of an export's rows; empty if nothing is."""
    kinds = [[kind for kind in KINDS if kind in row] for row in rows[1:]]
    if not all(len(kind) == 1 for kind in kinds):
        return "a row is of no kind that an export has"
    places = [KINDS.index(kind) for (kind,) in kinds]
    return "" if places == sorted(places) else "a row is out of place"


def wrong_end(rows: Sequence[Row]) -> str:
    """Return what is wrong with the end of an export whose links fit; empty if nothing is. Older formats have none."""
    if rows[0]["lilygames"] < FORMAT:
        return "it has an end, although its format has none" if "end" in rows[-1] else ""
    return "" if rows[-1] == ended(rows[:-1]) else "its end doesn't fit, so a row is missing or was changed"


def exported(
    header: Header, game: Game, secret: bytes, entries: Sequence[Entry], *, version: int = 0, beside: Row | None = None
) -> Iterator[Sequence[str]]:
    """Yield the whole export of a finished game step by step; raises `Diverged` if its log is damaged.

    `version` is the format to write it in (2 or 3); 0 is today's. `beside` is more for the first row.
    """
    rows = _entry_rows(header, entries, {**first_row(header, version), **(beside or {})})
    yield [line(row) for row in rows]
    if not header.fairness:
        return
    for drawn in draws(Table(header, game, secret), entries):
        yield [line(row) for row in drawn]
        rows += drawn
    if rows[0]["lilygames"] >= FORMAT:
        yield [line(ended(rows))]


def line(row: Row) -> str:
    """Return a row as compact JSON."""
    return json.dumps(row, separators=(",", ":"), sort_keys=True)


def set_beside(bodies: Sequence[codec.Json], people: SeatIds = SeatIds()) -> Row:  # noqa: B008 - frozen
    """Return what the first row of a table of a duplicate set has more: the set's log, and the names beside it."""
    return {"set": [*bodies], **({"set_names": people.rows} if people.pairs else {})}


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
        entries = [_entry(row) for row in rest if not {*KINDS[1:]} & {*row}]
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
    if codec.load(row["lilygames"], int) not in formats_of(header):
        raise ValueError(row["lilygames"])
    return header


def _entry(row: Row) -> Entry:
    seq, at, by = codec.load(row.pop("seq"), int), row.pop("at"), row.pop("by")
    linked = row.pop("link", None)
    if "act" in row:
        row.pop("seen", None)
    if linked and "told" not in row:
        row |= {"is": "Body", "told": ""}  # a closed game's rows have no digest
    return Entry(seq, at, by, json.dumps(row), "")
