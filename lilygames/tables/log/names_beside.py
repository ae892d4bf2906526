"""Where people's names become ids and ids names: the edge between tables in memory and their stored logs.

In memory everything has names. The stored header and entries have ids instead, and so have commitments and digests.
Each name is in a record beside the log.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

import attrs

from lilygames import codec
from lilygames.chat.names.names import fold, has_shape
from lilygames.proofs import commitments
from lilygames.proofs.commitments import Sealed
from lilygames.store import BulkReads, Effect, Entry, Store
from lilygames.tables.log import beacon
from lilygames.tables.log.acts import (
    HOUSE,
    Act,
    Adjudicated,
    Body,
    Committed,
    Forgotten,
    Frozen,
    Header,
    Joined,
    Moved,
    Noted,
    Revealed,
    Sealing,
    Seated,
    Sitter,
    Unfrozen,
    Voided,
)
from lilygames.tables.log.seat_ids import SeatId, SeatIds

_ID = re.compile(f"[0-9a-f]{{{commitments.ID_DIGITS}}}")
_QUOTED = re.compile(f'"{_ID.pattern}"')
_NO_PEOPLE = frozenset({"table", beacon.BY, *HOUSE})
"""Authors and names that aren't people, although people's names look like them."""
Change = Callable[[str], str]


def kind_of_names(table: int | str) -> str:
    """Return the kind of the records with a table's names and salts, by id; a duplicate set's log is a table, too."""
    return f"names/{table}"


def kind_of_tables(name: str) -> str:
    """Return the kind of the empty records that say beside which logs a person is named, by table."""
    return f"named/{fold(name)}"


# ids in values


def with_names(act: Act, change: Change) -> Act:
    """Return an act with each person's name changed by `change`; bots keep their names."""
    match act:
        case Seated(who=Sitter() as who) | Joined(who=who):
            return attrs.evolve(act, who=_sitter(who, change))
        case Committed(name) | Revealed(name) | Noted(_, name) | Forgotten(name):
            return attrs.evolve(act, name=change(name))
        case Voided(_, missing):
            return attrs.evolve(act, missing=tuple(map(change, missing)))
        case Sealing(sealed):
            return attrs.evolve(act, sealing=sealed_with(sealed, change))
        case Frozen(by) | Unfrozen(by) | Adjudicated(by):
            return attrs.evolve(act, by=change(by))
    return act


def _sitter(who: Sitter, change: Change) -> Sitter:
    name = who.name if who.level else change(who.name)
    known = who.memory and tuple([attrs.evolve(one, name=change(one.name)) for one in who.memory])
    return attrs.evolve(who, name=name, stands_in=who.stands_in and change(who.stands_in), memory=known)


def sealed_with(sealed: Sealed, change: Change) -> Sealed:
    """Return what a round seals with each person's name changed by `change`."""
    return attrs.evolve(
        sealed,
        seats=tuple((name if level else change(name), level) for name, level in sealed.seats),
        words=tuple((change(name), word) for name, word in sealed.words),
        commits=tuple((change(name), commit) for name, commit in sealed.commits),
    )


def hidden_header(header: Header) -> Header:
    """Return a header as it is stored, with ids."""
    ids = header.people
    return attrs.evolve(header, host=ids.id_of(header.host), invited=tuple(map(ids.id_of, header.invited)))


def shown_header(header: Header, people: SeatIds) -> Header:
    """Return a stored header with names; an unknown id becomes a former player."""
    if not header.ids:
        return header
    people = people.meeting(filter(is_id, (header.host, *header.invited)))
    named = attrs.evolve(header, host=people.name_of(header.host), invited=tuple(map(people.name_of, header.invited)))
    return attrs.evolve(named, people=people)


@lru_cache(maxsize=4096)
def is_person(name: str) -> bool:
    """Return whether an author, or a name in an act, is a person's: not the table's nor a bot's."""
    return has_shape(name) and name not in _NO_PEOPLE


def names_in(by: str, acts: Iterable[Act]) -> list[str]:
    """Return the names of all people that these acts and their author have."""
    names = [by]
    for act in acts:
        names += () if isinstance(act, Moved) else _names(act)
    return [name for name in names if is_person(name)]


def _names(act: Act) -> list[str]:
    names: list[str] = []

    def noticed(name: str) -> str:
        names.append(name)
        return name

    with_names(act, noticed)
    return names


# ids in entries


def is_id(text: str) -> bool:
    """Return whether a text is an id; no name is as long."""
    return bool(_ID.fullmatch(text))


def ids_in(entry: Entry) -> Iterator[str]:
    """Yield all ids in a stored entry."""
    if is_id(entry.by):
        yield entry.by
    if _QUOTED.search(entry.body) and (body := _read(entry)):
        yield from filter(is_id, _names(body.act))


def _read(entry: Entry) -> Body | None:
    """Return the body of an entry, or None if it can't be read: whoever needs it says so."""
    try:
        body: Body = codec.from_text(entry.body, Body)
    except ValueError:
        return None
    return body


def all_known(entries: Iterable[Entry], people: SeatIds) -> bool:
    """Return whether all ids in stored entries are known."""
    return all(people.knows(id_) for entry in entries for id_ in ids_in(entry))


def shown_entry(entry: Entry, people: SeatIds) -> Entry:
    """Return a stored entry with the names of known people."""
    by = people.name_of(entry.by)
    body = _read(entry) if _QUOTED.search(entry.body) else None
    if body is None:
        return entry if by is entry.by else attrs.evolve(entry, by=by)
    act = with_names(body.act, people.name_of)
    return attrs.evolve(entry, by=by, body=codec.to_text(attrs.evolve(body, act=act)))


def shown_entries(entries: Iterable[Entry], people: SeatIds) -> tuple[SeatIds, list[Entry]]:
    """Return stored entries with names, and all ids; unknown ones become former players."""
    shown = []
    for entry in entries:
        people = people.meeting(ids_in(entry))
        shown.append(shown_entry(entry, people))
    return people, shown


def hidden_entry(entry: Entry, people: SeatIds) -> Entry:
    """Return an entry as it is stored, with ids."""
    body = codec.from_text(entry.body, Body)
    act = with_names(body.act, people.id_of)
    stored = entry.body if act == body.act else codec.to_text(attrs.evolve(body, act=act))
    return attrs.evolve(entry, by=people.id_of(entry.by), body=stored)


# records


async def people_of(store: Store, table: int | str) -> SeatIds:
    """Return the ids and names beside a log; a name that can't be read is missing. Raises `StoreUnavailable`."""
    return _people(await store.every(kind_of_names(table)))


async def people_of_each(store: BulkReads, tables: Sequence[int]) -> dict[int, SeatIds]:
    """Return the ids and names beside the logs of several tables. Raises `StoreUnavailable`."""
    kinds = {table: kind_of_names(table) for table in tables}
    rows = await store.every_of([*kinds.values()])
    return {table: _people(rows[kind]) for table, kind in kinds.items()}


def _people(rows: Mapping[str, str]) -> SeatIds:
    return SeatIds(tuple(pair for id_, text in sorted(rows.items()) if (pair := _pair(id_, text))))


def _pair(id_: str, text: str) -> SeatId | None:
    try:
        (pair,) = SeatIds.of_rows([[id_, *json.loads(text)]]).pairs
    except (ValueError, TypeError):
        return None
    return pair


def effects(table: int | str, before: SeatIds, after: SeatIds) -> tuple[Effect, ...]:
    """Return the records to write with an append that changes the names beside a log; none if they are the same."""
    if after is before:
        return ()
    kind, had, has = kind_of_names(table), _by_id(before), _by_id(after)
    new = [has[id_] for id_ in has if id_ not in had]
    gone = [had[id_] for id_ in had if id_ not in has]
    return (
        *(Effect(kind, pair.id, json.dumps([pair.name, pair.salt])) for pair in new),
        *(Effect(kind_of_tables(pair.name), str(table), "") for pair in new),
        *(Effect(kind, pair.id, None) for pair in gone),
        *(Effect(kind_of_tables(pair.name), str(table), None) for pair in gone),
    )


def _by_id(people: SeatIds) -> dict[str, SeatId]:
    return {pair.id: pair for pair in people.pairs if pair.name}


async def tables_of(store: Store, names: Iterable[str]) -> set[str]:
    """Return the logs beside which these people (folded names) are named: the numbers of tables, or duplicate sets."""
    return {log for name in names for log in await store.every(kind_of_tables(name))}


async def delete_names(store: Store, table: int | str, names: Collection[str]) -> None:
    """Delete people's names (folded) beside a log that is closed; raises `StoreUnavailable`."""
    people = await people_of(store, table)
    for effect in effects(table, people, people.without(names)):
        await store.forget(effect.kind, effect.key)
    for name in names:
        await store.forget(kind_of_tables(name), str(table))
