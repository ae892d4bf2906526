"""Write queued appends to many logs in one statement. Each append is written completely or not at all.

The primary key `(log, seq)` is the compare-and-set: if several nodes write the same position, one of them wins. A
call's first entry decides for the rest, because nobody can append after an entry that doesn't exist yet.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import attrs

from lilygames.store import Append, Conflict, Entry, TooEarly
from lilygames.store.pgserver import as_it_was, written

LARGEST = 500
"""Maximum calls in one statement."""
HIGHEST = 2**31 - 1
"""The highest position in a log."""
LONGEST = 2000
"""Maximum bytes in a name that is indexed, set by PostgreSQL."""

_WRITE = """
WITH clock AS MATERIALIZED (SELECT extract(epoch FROM clock_timestamp())::float8 AS now),
asked AS MATERIALIZED (
  SELECT call, log, cmd, expected, due, size,
    (SELECT coalesce(max(seq), 0) FROM entry e WHERE e.log = c.log) AS head,
    EXISTS (SELECT FROM entry e WHERE attempt(e.log, e.cmd) = attempt(c.log, c.cmd)) AS known
  FROM unnest($1::int[], $2::text[], $3::text[], $4::int8[], $5::float8[], $6::int[])
    AS c (call, log, cmd, expected, due, size)
),
fit AS MATERIALIZED (
  SELECT call, log, cmd, head, size, now FROM asked, clock
  WHERE NOT known AND coalesce(expected = head, true) AND coalesce(due <= now, true)
),
draft AS MATERIALIZED (
  SELECT * FROM unnest($7::int[], $8::int[], $9::text[], $10::text[]) AS d (call, nth, maker, body)
),
first AS (
  INSERT INTO entry SELECT log, head + 1, now, maker, body, cmd FROM fit JOIN draft USING (call) WHERE nth = 1
  ORDER BY log ON CONFLICT DO NOTHING RETURNING log
),
landed AS MATERIALIZED (SELECT * FROM fit WHERE size = 0 OR log IN (SELECT log FROM first)),
rest AS (
  INSERT INTO entry SELECT log, head + nth, now, maker, body, cmd FROM landed JOIN draft USING (call) WHERE nth > 1
),
effect AS MATERIALIZED (
  SELECT kind, key, body FROM unnest($11::int[], $12::text[], $13::text[], $14::text[]) AS f (call, kind, key, body)
  JOIN landed USING (call) ORDER BY kind, key
),
kept AS (
  INSERT INTO record SELECT kind, key, body FROM effect WHERE body IS NOT NULL
  ON CONFLICT (kind, key) DO UPDATE SET body = excluded.body
),
forgotten AS (
  DELETE FROM record r USING effect f WHERE r.kind = f.kind AND r.key = f.key AND f.body IS NULL
)
SELECT call, asked.head, known, due > clock.now AS early, landed.call IS NOT NULL AS landed, clock.now
FROM asked CROSS JOIN clock LEFT JOIN landed USING (call)
"""
_KNOWN = """
SELECT e.* FROM unnest($1::text[], $2::text[]) AS c (log, cmd)
JOIN entry e ON attempt(e.log, e.cmd) = attempt(c.log, c.cmd)
ORDER BY log, seq
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


async def write(connection: Any, calls: Sequence[Append]) -> list[Answer | Lost]:
    """Write a batch of calls in one transaction, and return the answer to each."""
    rows = {row["call"]: row for row in await connection.fetch(_WRITE, *_columns(calls))}
    known = [call for number, call in enumerate(calls) if rows[number]["known"]]
    before = await _before(connection, known) if known else {}
    return [_answer(call, rows[number], before) for number, call in enumerate(calls)]


def _columns(calls: Sequence[Append]) -> tuple[list[Any], ...]:
    asked = [
        (number, written(call.log), written(call.cmd), _place(call), call.not_before, len(call.drafts))
        for number, call in enumerate(calls)
    ]
    drafts = [
        (number, nth, written(draft.by), written(draft.body))
        for number, call in enumerate(calls)
        for nth, draft in enumerate(call.drafts, 1)
    ]
    effects = [
        (number, written(effect.kind), written(effect.key), None if effect.body is None else written(effect.body))
        for number, call in enumerate(calls)
        for effect in {(effect.kind, effect.key): effect for effect in call.effects}.values()  # the last one stands
    ]
    return (*_turned(asked, 6), *_turned(drafts, 4), *_turned(effects, 4))


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


async def _before(connection: Any, calls: Sequence[Append]) -> dict[tuple[str, str], tuple[Entry, ...]]:
    """Return what the same commands wrote to the same logs earlier, by log and command."""
    logs, cmds = [written(call.log) for call in calls], [written(call.cmd) for call in calls]
    found: dict[tuple[str, str], tuple[Entry, ...]] = {}
    for row in await connection.fetch(_KNOWN, logs, cmds):
        place = as_it_was(row["log"]), as_it_was(row["cmd"])
        found[place] = (*found.get(place, ()), entry(row))
    return found


def entry(row: Any) -> Entry:
    """Return a row of the table as an entry."""
    return Entry(row["seq"], row["at"], as_it_was(row["maker"]), as_it_was(row["body"]), as_it_was(row["cmd"]))
