"""Write queued appends to many logs in one statement. Each append is written completely or not at all.

The primary key `(log, seq)` is the compare-and-set: if several nodes write the same position, one of them wins. A
call's first entry decides for the rest, because nobody can append after an entry that doesn't exist yet.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import count, islice
from typing import Any

import attrs

from lilygames.store import Append, Conflict, Entry, TooEarly
from lilygames.store.pgentries import HIGHEST, TABLES, Table, entry, head, number_logs, stored
from lilygames.store.pgserver import as_it_was, written
from lilygames.store.pgtables import Form
from lilygames.store.shared_bodies import LEAST

LARGEST = 500
"""Maximum calls in one statement."""
LONGEST = 2000
"""Maximum bytes in a name that is indexed, set by PostgreSQL."""

_ASKED = """
WITH clock AS MATERIALIZED (SELECT extract(epoch FROM clock_timestamp())::float8 AS now),
asked AS MATERIALIZED (
  SELECT call, name, log, cmd, old_cmd, expected, due, size, {head} AS head, {known} AS known
  FROM unnest($1::int[], $2::text[], $3::bytea[], $4::int8[], $5::float8[], $6::int[], $7::text[])
    AS c (call, name, cmd, expected, due, size, old_cmd)
  CROSS JOIN LATERAL (SELECT {log} AS log OFFSET 0) l
),
fit AS MATERIALIZED (
  SELECT call, name, log, cmd, old_cmd, head, size, now FROM asked, clock
  WHERE NOT known AND coalesce(expected = head, true) AND coalesce(due <= now, true)
),
draft AS MATERIALIZED (
  SELECT * FROM unnest($8::int[], $9::int[], $10::{type}[], $11::text[], $12::int8[])
    AS d (call, nth, maker, body, shared)
),
"""
_TEXT = """
first AS (
  INSERT INTO entry SELECT name, head + 1, now, maker, body, old_cmd FROM fit JOIN draft USING (call) WHERE nth = 1
  ORDER BY name ON CONFLICT DO NOTHING RETURNING log
),
landed AS MATERIALIZED (SELECT * FROM fit WHERE size = 0 OR name IN (SELECT log FROM first))
"""
"""Writes the first entry of each call to the table of release 0.1."""
_TEXT_REST = """,
rest AS (
  INSERT INTO entry SELECT name, head + nth, now, maker, body, old_cmd FROM landed JOIN draft USING (call)
  WHERE nth > 1
)
"""
_NUMBERED = """
first AS (
  INSERT INTO log_entry (log, seq, at, maker, cmd, body, shared)
  SELECT log, head + 1, now, maker, cmd, body, shared FROM fit JOIN draft USING (call)
  WHERE nth = 1 AND log IS NOT NULL ORDER BY log ON CONFLICT DO NOTHING RETURNING log
),
landed AS MATERIALIZED (SELECT * FROM fit WHERE size = 0 OR log IN (SELECT log FROM first))
"""
"""Writes the first entry of each call to today's table. A call for a log without a number doesn't land."""
_NUMBERED_REST = """,
rest AS (
  INSERT INTO log_entry (log, seq, at, maker, cmd, body, shared)
  SELECT log, head + nth, now, maker, cmd, body, shared FROM landed JOIN draft USING (call) WHERE nth > 1
)
"""
_SHARED = """,
once AS (
  INSERT INTO shared SELECT s.id, count(*), s.body FROM unnest(${}::int8[], ${}::text[]) AS s (id, body)
  JOIN draft ON draft.shared = s.id JOIN landed USING (call) GROUP BY s.id, s.body
)
"""
"""Writes the bodies that several logs get."""
_EFFECTS = """,
effect AS MATERIALIZED (
  SELECT kind, key, body FROM unnest(${}::int[], ${}::text[], ${}::text[], ${}::text[]) AS f (call, kind, key, body)
  JOIN landed USING (call) ORDER BY kind, key
),
kept AS (
  INSERT INTO record SELECT kind, key, body FROM effect WHERE body IS NOT NULL
  ON CONFLICT (kind, key) DO UPDATE SET body = excluded.body
),
forgotten AS (
  DELETE FROM record r USING effect f WHERE r.kind = f.kind AND r.key = f.key AND f.body IS NULL
)
"""
_ANSWERS = """
SELECT call, asked.head, known, due > clock.now AS early, landed.call IS NOT NULL AS landed, clock.now, asked.log
FROM asked CROSS JOIN clock LEFT JOIN landed USING (call)
"""
_KNOWN = """
SELECT c.name, e.* FROM unnest($1::text[], $2::bytea[], $3::text[]) AS c (name, cmd, old_cmd)
CROSS JOIN LATERAL (SELECT {log} AS log OFFSET 0) l
CROSS JOIN LATERAL ({rows}) e ORDER BY name, seq
"""
Answer = tuple[Entry, ...] | Conflict | TooEarly


@attrs.frozen
class Lost:
    """Another write won the race: check again."""


def check(call: Append) -> None:
    """Raise `ValueError` for a call that can't be written."""
    call.must_be_text()
    names = ((call.log, call.cmd), *((effect.kind, effect.key) for effect in call.effects))
    if any(len("".join(map(written, pair)).encode()) > LONGEST for pair in names):
        raise ValueError(f"names of logs, commands and records have at most {LONGEST} bytes")


def fitting(calls: Iterable[Append]) -> list[bool]:
    """Return for each call whether it fits in the next batch. A batch touches each log and each record only once.

    A later call for the same log waits, so calls are written in the order they were made.
    """
    touched: set[tuple[str, ...]] = set()
    fits: list[bool] = []
    for call in calls:
        names = {(call.log,), *((effect.kind, effect.key) for effect in call.effects)}
        fits.append(len(fits) < LARGEST and touched.isdisjoint(names))
        touched |= names
    return fits


def _attempts(form: Form) -> list[tuple[Table, str]]:
    return [(table, table.attempt("l.log", "c.name", "c.cmd", "c.old_cmd")) for table in TABLES[form]]


def _number(form: Form) -> str:
    return "NULL::int" if form is Form.TEXT else TABLES[form][-1].log("c.name")


@cache
def _writing(form: Form, several: bool, sharing: bool, effects: bool) -> str:  # noqa: FBT001 - they are a key
    """Return the statement for a batch, with only the parts that it needs, which saves a fifth of its time.

    That is whether calls have several drafts, share bodies, and have effects.
    """
    known = " OR ".join(f"EXISTS (SELECT FROM {one.name} e WHERE {attempt})" for one, attempt in _attempts(form))
    tables = TABLES[form]
    asked = {"log": _number(form), "head": head(tables, "c.name", "l.log"), "known": known, "type": tables[-1].type}
    first, rest = (_TEXT, _TEXT_REST) if form is Form.TEXT else (_NUMBERED, _NUMBERED_REST)
    number = count(13)
    parts = [_ASKED.format(**asked), first, rest if several else ""]
    parts += [_SHARED.format(*islice(number, 2))] if sharing else []
    parts += [_EFFECTS.format(*islice(number, 4))] if effects else []
    return "".join((*parts, _ANSWERS))


@cache
def _knowing(form: Form) -> str:
    """Return the query for what attempts have written."""
    rows = " UNION ALL ".join(table.where(attempt) for table, attempt in _attempts(form))
    return _KNOWN.format(log=_number(form), rows=rows)


async def write(connection: Any, form: Form, calls: Sequence[Append]) -> list[Answer | Lost]:
    """Write a batch of calls in one transaction, and return the answer to each."""
    shared = {} if form is Form.TEXT else _share(calls)
    columns = [*_asked(form, calls), *_drafts(TABLES[form][-1], calls, shared)]
    columns += [[*shared.values()], [*map(written, shared)]] if shared else []
    columns += effects if any(effects := _effects(calls)) else []
    several = any(len(call.drafts) > 1 for call in calls)
    rows = {
        row["call"]: row
        for row in await connection.fetch(_writing(form, several, bool(shared), any(effects)), *columns)
    }
    known = [call for number, call in enumerate(calls) if rows[number]["known"]]
    if form is not Form.TEXT:
        await number_logs(connection, [call.log for number, call in enumerate(calls) if _is_new(call, rows[number])])
    before = await _before(connection, _knowing(form), known) if known else {}
    return [_answer(call, rows[number], before) for number, call in enumerate(calls)]


def _is_new(call: Append, row: Any) -> bool:
    """Return whether a call only failed because its log has no number yet."""
    return bool(call.drafts) and row["log"] is None and call.expected in (0, None) and not row["early"]


def _asked(form: Form, calls: Sequence[Append]) -> list[list[Any]]:
    rows = [
        (
            number,
            written(call.log),
            stored(call.cmd),
            _place(call),
            call.not_before,
            len(call.drafts),
            None if form is Form.NUMBERED else written(call.cmd),
        )
        for number, call in enumerate(calls)
    ]
    return _turned(rows, 7)


def _drafts(table: Table, calls: Sequence[Append], shared: Mapping[str, int]) -> list[list[Any]]:
    rows = [
        (
            number,
            nth,
            table.value(draft.by),
            None if draft.body in shared else written(draft.body),
            shared.get(draft.body),
        )
        for number, call in enumerate(calls)
        for nth, draft in enumerate(call.drafts, 1)
    ]
    return _turned(rows, 5)


def _effects(calls: Sequence[Append]) -> list[list[Any]]:
    rows = [
        (number, written(effect.kind), written(effect.key), None if effect.body is None else written(effect.body))
        for number, call in enumerate(calls)
        for effect in {(effect.kind, effect.key): effect for effect in call.effects}.values()  # the last one stands
    ]
    return _turned(rows, 4)


def _share(calls: Sequence[Append]) -> dict[str, int]:
    """Return the bodies that several calls of a batch write, each with a number for it.

    The number is random, so nodes needn't ask for one. Should it be taken, the calls are written one by one.
    """
    if len(calls) == 1:
        return {}
    times = Counter(
        body for call in calls for body in {draft.body for draft in call.drafts if len(draft.body) >= LEAST}
    )
    return {body: secrets.randbits(63) for body, number in times.items() if number > 1}


def _place(call: Append) -> int | None:
    return None if call.expected is None else max(-1, min(call.expected, HIGHEST))


def _turned(rows: list[tuple[Any, ...]], width: int) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in range(width)]


def _answer(call: Append, row: Any, before: dict[tuple[str, str], tuple[Entry, ...]]) -> Answer | Lost:
    if row["known"]:
        return before[call.log, call.cmd]
    if row["landed"]:
        drafts = enumerate(call.drafts, row["head"] + 1)
        return tuple(Entry(seq, row["now"], draft.by, draft.body, call.cmd) for seq, draft in drafts)
    if call.expected is not None and call.expected != row["head"]:
        return Conflict(row["head"])
    if call.not_before is not None and row["early"]:
        return TooEarly(call.not_before)
    return Lost()


async def _before(connection: Any, query: str, calls: Sequence[Append]) -> dict[tuple[str, str], tuple[Entry, ...]]:
    """Return what the same commands wrote to the same logs earlier, by log and command."""
    logs, old = [written(call.log) for call in calls], [written(call.cmd) for call in calls]
    found: dict[tuple[str, str], tuple[Entry, ...]] = {}
    for row in await connection.fetch(query, logs, [stored(call.cmd) for call in calls], old):
        one = entry(row)
        place = as_it_was(row["name"]), one.cmd
        found[place] = (*found.get(place, ()), one)
    return found
