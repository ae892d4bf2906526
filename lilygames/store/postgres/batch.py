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
from lilygames.store.postgres.entry_rows import HEAD, HIGHEST, ROWS, author, entry, number_logs, stored
from lilygames.store.postgres.server import as_it_was, written
from lilygames.store.shared_bodies import LEAST

LARGEST = 500
"""Maximum calls in one statement."""
LONGEST = 2000
"""Maximum bytes in a name that is indexed, set by PostgreSQL."""

_ASKED = """
WITH asked AS MATERIALIZED (
  SELECT c.*, l.log, {head} AS head, {known} AS known, (SELECT extract(epoch FROM clock_timestamp())::float8) AS now
  FROM {calls}
),
first AS (
  INSERT INTO log_entry (log, seq, at, maker, cmd, body, shared)
  SELECT log, head + 1, now, maker, cmd, body, shared FROM asked
  WHERE {fits} AND maker IS NOT NULL AND log IS NOT NULL ORDER BY log ON CONFLICT DO NOTHING RETURNING log
)
"""
"""Writes the first entry of each call. A call for a log without a number doesn't land."""
_NUMBER = "SELECT id AS log FROM log WHERE log.name = c.name"
_ATTEMPT = "attempt(e.log, e.cmd) = attempt(l.log, c.cmd) AND e.cmd = c.cmd"
"""A condition for the entries of an attempt.

The log is in the index, and isn't a condition of its own. With one, a plan made while a partition is empty uses the
primary key. It stays in use, and reads a whole log later.
"""
_SEVERAL = f"""
unnest($1::int[], $2::text[], $3::bytea[], $4::int8[], $5::float8[], $6::bytea[], $7::text[], $8::int8[])
  AS c (call, name, cmd, expected, due, maker, body, shared) LEFT JOIN LATERAL ({_NUMBER} OFFSET 0) l ON true
"""
_ONE = f"""
(SELECT $1::int AS call, $2::text AS name, $3::bytea AS cmd, $4::int8 AS expected, $5::float8 AS due,
  $6::bytea AS maker, $7::text AS body, $8::int8 AS shared) c, LATERAL (SELECT ({_NUMBER}) AS log) l
"""
"""A batch of one call, which takes a tenth less than one of several does. Without it, `_SEVERAL` does as well."""
_FITS = "NOT known AND coalesce(expected = head, true) AND coalesce(due <= now, true)"
_TOGETHER = """ AND (asked.shared IS NULL
  OR asked.shared NOT IN (SELECT shared FROM asked WHERE log IS NULL AND shared IS NOT NULL))
"""
"""Lets calls with the same body wait for each other, if the log of one of them has no number yet."""
_LANDED = "{fits} AND (asked.maker IS NULL OR log IN (SELECT log FROM first))"
_REST = """,
rest AS (
  INSERT INTO log_entry (log, seq, at, maker, cmd, body) SELECT log, head + nth, now, d.maker, cmd, d.body
  FROM unnest(${}::int[], ${}::int[], ${}::bytea[], ${}::text[]) AS d (call, nth, maker, body) JOIN asked USING (call)
  WHERE {landed}
)
"""
"""Writes the other entries of each call."""
_SHARED = """,
once AS (
  INSERT INTO shared SELECT s.id, count(*), s.body FROM unnest(${}::int8[], ${}::text[]) AS s (id, body)
  JOIN asked ON asked.shared = s.id WHERE {landed} GROUP BY s.id, s.body
)
"""
"""Writes the bodies that several logs get."""
_EFFECTS = """,
effect AS (
  SELECT kind, key, record FROM unnest(${}::int[], ${}::text[], ${}::text[], ${}::text[]) AS f (call, kind, key, record)
  JOIN asked USING (call) WHERE {landed} ORDER BY kind, key
)
"""
_KEPT = """,
kept AS (
  INSERT INTO record SELECT kind, key, record FROM effect WHERE record IS NOT NULL
  ON CONFLICT (kind, key) DO UPDATE SET body = excluded.body
)
"""
_FORGOTTEN = """,
forgotten AS (
  DELETE FROM record r USING effect f WHERE r.kind = f.kind AND r.key = f.key AND f.record IS NULL
)
"""
_ANSWERS = "SELECT call, log, head, known, due > now AS early, {landed} AS landed, now FROM asked"
_KNOWN = f"""
SELECT c.name, e.* FROM unnest($1::text[], $2::bytea[]) AS c (name, cmd)
LEFT JOIN LATERAL ({_NUMBER} OFFSET 0) l ON true
CROSS JOIN LATERAL ({ROWS.format(which=_ATTEMPT)}) e ORDER BY name, seq
"""  # noqa: S608 - ours
"""The entries that attempts have written, by log and attempt."""
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


@attrs.frozen
class _Parts:
    """Parts of the statement for a batch. Leaving out what it doesn't need saves a fifth of its time."""

    one: bool
    """Whether it is one call."""
    rest: bool
    """Whether calls have several drafts."""
    shares: bool
    """Whether calls write the same body."""
    keeps: bool
    """Whether calls write records."""
    forgets: bool
    """Whether calls delete records."""


@cache
def _writing(parts: _Parts) -> str:
    """Return the statement for a batch."""
    words = {
        "calls": _ONE if parts.one else _SEVERAL,
        "head": HEAD.format(log="l.log"),
        "known": f"EXISTS (SELECT FROM log_entry e WHERE {_ATTEMPT})",
        "fits": _FITS + (_TOGETHER if parts.shares else ""),
    }
    words |= {"landed": _LANDED.format(**words)}
    number = count(9)
    pieces = [_ASKED.format(**words)]
    pieces += [_REST.format(*islice(number, 4), **words)] if parts.rest else []
    pieces += [_SHARED.format(*islice(number, 2), **words)] if parts.shares else []
    pieces += [_EFFECTS.format(*islice(number, 4), **words)] if parts.keeps or parts.forgets else []
    pieces += [_KEPT] if parts.keeps else []
    pieces += [_FORGOTTEN] if parts.forgets else []
    return "".join((*pieces, _ANSWERS.format(**words)))


async def write(connection: Any, calls: Sequence[Append]) -> list[Answer | Lost]:
    """Write a batch of calls in one transaction, and return the answer to each."""
    shared = _share(calls)
    asked, rest, effects = _asked(calls, shared), _rest(calls), _effects(calls)
    bodies = {body is not None for body in effects[-1]}
    parts = _Parts(len(calls) == 1, bool(rest[0]), bool(shared), True in bodies, False in bodies)
    columns = [column[0] for column in asked] if parts.one else asked
    columns += rest if parts.rest else []
    columns += [[*shared.values()], [*map(written, shared)]] if shared else []
    columns += effects if bodies else []
    rows = {row["call"]: row for row in await connection.fetch(_writing(parts), *columns)}
    known = [call for number, call in enumerate(calls) if rows[number]["known"]]
    await number_logs(connection, [call.log for number, call in enumerate(calls) if _is_new(call, rows[number])])
    before = await _before(connection, known) if known else {}
    return [_answer(call, rows[number], before) for number, call in enumerate(calls)]


def _is_new(call: Append, row: Any) -> bool:
    """Return whether a call only failed because its log has no number yet."""
    return row["log"] is None and bool(call.drafts) and call.expected in (0, None) and not row["early"]


def _asked(calls: Sequence[Append], shared: Mapping[str, int]) -> list[list[Any]]:
    """Return the columns of calls, each with its first draft."""
    rows = [
        (number, written(call.log), stored(call.cmd), _place(call), call.not_before, *_first(call, shared))
        for number, call in enumerate(calls)
    ]
    return _turned(rows, 8)


def _first(call: Append, shared: Mapping[str, int]) -> tuple[bytes | None, str | None, int | None]:
    """Return the author of a call's first draft, and its body or the number of a shared one."""
    if not call.drafts:
        return None, None, None
    draft = call.drafts[0]
    number = shared.get(draft.body)
    return author(draft.by), None if number else written(draft.body), number


def _rest(calls: Sequence[Append]) -> list[list[Any]]:
    """Return the columns of the other drafts."""
    rows = [
        (number, nth, author(draft.by), written(draft.body))
        for number, call in enumerate(calls)
        for nth, draft in enumerate(call.drafts[1:], 2)
    ]
    return _turned(rows, 4)


def _effects(calls: Sequence[Append]) -> list[list[Any]]:
    rows = [
        (number, written(effect.kind), written(effect.key), None if effect.body is None else written(effect.body))
        for number, call in enumerate(calls)
        for effect in {(effect.kind, effect.key): effect for effect in call.effects}.values()  # the last one stands
    ]
    return _turned(rows, 4)


def _share(calls: Sequence[Append]) -> dict[str, int]:
    """Return the bodies that several calls of a batch write first, each with a number for it.

    The number is random, so nodes needn't ask for one. Should it be taken, the calls are written one by one.
    """
    if len(calls) == 1:
        return {}
    firsts = (call.drafts[0].body for call in calls if call.drafts)
    times = Counter(body for body in firsts if len(body) >= LEAST)
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


async def _before(connection: Any, calls: Sequence[Append]) -> dict[tuple[str, str], tuple[Entry, ...]]:
    """Return what the same commands wrote to the same logs earlier, by log and command."""
    logs, cmds = [written(call.log) for call in calls], [stored(call.cmd) for call in calls]
    found: dict[tuple[str, str], tuple[Entry, ...]] = {}
    for row in await connection.fetch(_KNOWN, logs, cmds):
        name, *columns = row
        one = entry(*columns)
        place = as_it_was(name), one.cmd
        found[place] = (*found.get(place, ()), one)
    return found
