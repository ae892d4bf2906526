"""A place of any size for a benchmark: accounts, finished games, talk and open tables, written through our own codec.

Each game is played by the rules with its own secret, so `/verify` matches. The same size gives the same place.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC
from functools import cache, partial
from hashlib import sha256
from itertools import chain
from typing import TypeVar

import attrs

from lilygames import codec
from lilygames.chat.accounts.accounts import Accounts
from lilygames.chat.accounts.hashing import Hashing
from lilygames.chat.accounts.known_accounts import Account
from lilygames.chat.people.charter import Charter
from lilygames.chat.people.events import ChatEvent
from lilygames.chat.talk.history import as_text, of_person, of_room
from lilygames.game import Game
from lilygames.games import games
from lilygames.proofs import commitments
from lilygames.store import Draft, Effect, Store
from lilygames.tables.archive.archive import INDEX
from lilygames.tables.log.acts import Act, Closed, Header, Moved, Sealing, Seated, Sitter, Start
from lilygames.tables.log.clocks import Clock
from lilygames.tables.log.names_beside import effects, hidden_header
from lilygames.tables.log.seat_ids import SeatIds
from lilygames.tables.ratings.ratings import Ratings
from lilygames.tables.results.results import Results
from lilygames.tables.sight import public_row
from lilygames.tables.state.table import Table
from lilygames.tables.verify import fairness
from lilygames.tables.verify.fairness import CountedLuck, Counts

PASSWORD = "correct horse"  # noqa: S105 - of people who never were
GAMES = ("liarsdice", "liedie", "liarslair")
"""The games played: they end, also with moves at random. Tables of the first are open."""
AT_ONCE = 500
"""Records, lines or games that are written together."""
TABLES_AT_ONCE = 50
DAY = 86400.0
UNFINISHED = 30
"""Entries of a game at an open table."""
T = TypeVar("T")


@attrs.frozen
class Size:
    """How much has happened at a place."""

    accounts: int
    games: int
    lines: int
    tables: int
    """Tables that are open, each in the middle of a game."""

    @property
    def rooms(self) -> int:
        """Rooms that people have made."""
        return self.accounts // 200


def some(items: Iterable[T], size: int = AT_ONCE) -> Iterator[Sequence[T]]:
    """Yield the items in groups."""
    group = list[T]()
    for item in items:
        group.append(item)
        if len(group) == size:
            yield group
            group = []
    if group:
        yield group


def name_of(number: int) -> str:
    """Return the name of an account."""
    letters = ""
    while number or not letters:
        number, letter = divmod(number, 20)
        letters = "bcdfghjklmnpqrstvwxz"[letter] + "aeiou"[letter % 5] + letters
    return f"P{letters}"


async def build(store: Store, size: Size) -> None:
    """Fill a store with a place of this size. It may be empty, or what an interrupted build of that size has left."""
    await _accounts(store, size)
    await _rooms(store, size)
    await _talk(store, size)
    await _tables(store, size)


async def _kept(store: Store, records: Iterable[Effect]) -> None:
    for group in some(records):
        await store.append("growth", None, (), cmd=f"{group[0].kind}/{group[0].key}", effects=group)


async def _accounts(store: Store, size: Size) -> None:
    digest = await Hashing(time=1, memory=8192).digest(PASSWORD, "", brief=False)
    since = repr(time.time() - 365 * DAY)
    names = [name_of(n) for n in range(size.accounts)]
    accounts = (Account(name, digest, guest=False) for name in names)
    await _kept(store, (Effect("account", one.key, json.dumps(attrs.asdict(one))) for one in accounts))
    await _kept(store, (Effect("since", name.casefold(), since) for name in names))


async def _rooms(store: Store, size: Size) -> None:
    luck = random.Random("rooms")  # noqa: S311 - it plays
    rooms = []
    for n in range(size.rooms):
        owner, *friends = (name_of(luck.randrange(size.accounts)).casefold() for _ in range(6))
        charter = codec.dump(Charter(owner=owner, permitted=frozenset(friends), private=bool(n % 2)))
        body = json.dumps({"name": f"club-{n}", "title": f"Club {n}", "charter": charter})
        rooms.append(Effect("discussion", f"club-{n}", body))
    await _kept(store, rooms)


async def _talk(store: Store, size: Size) -> None:
    """Write lines in the lobby, in rooms and between people, four to an entry."""
    luck, now = random.Random("talk"), time.time()  # noqa: S311 - it plays

    def line(n: int, log: str) -> ChatEvent:
        by, at = name_of(luck.randrange(size.accounts)), now - 10 * 365 * DAY * (1 - n / size.lines)
        text = f"line {n}: has anyone seen what the dealer did with the last trick?"
        room, to = (("lobby",), ()) if log == of_room("lobby") else ((), (name_of(luck.randrange(size.accounts)),))
        return ChatEvent("public" if room else "private", by, room, to, text, at=at)

    for group in some(range(0, size.lines, 4)):
        logs = [(n, luck.choice((of_room("lobby"), of_person(name_of(n % size.accounts).casefold())))) for n in group]
        said: dict[str, list[Draft]] = {}
        for n, log in logs:
            batch = [line(n + more, log) for more in range(4)]
            said.setdefault(log, []).append(Draft(batch[0].by, as_text(batch)))
        await asyncio.gather(*(store.append(log, None, drafts, cmd=f"line {group[0]}") for log, drafts in said.items()))


@attrs.frozen
class Played:
    """A game as it was played: its table at the end, and each act's author and body."""

    table: Table
    drafts: tuple[Draft, ...]
    draws: Counts


@cache
def _games() -> Mapping[str, Game]:
    return games()


def played(number: int, size: Size) -> Played:
    """Return the game at a table. The first ones are finished, the last ones in their middle."""
    luck, finished = random.Random(f"table {number}"), number <= size.games  # noqa: S311 - it plays
    game = _games()[GAMES[number % len(GAMES) if finished else 0]]
    names = _names(luck, size)
    draws: Counts = {}
    table = Table(_header(number, game, names), game, _secret(number), lucky=partial(CountedLuck, counts=draws))
    return _moved(table, luck, None if finished else UNFINISHED, draws)


def _names(luck: random.Random, size: Size) -> Sequence[str]:
    return [name_of(n) for n in luck.sample(range(size.accounts), 4)]


def last_room(size: Size) -> str:
    """Return the room of the last open table."""
    return _room(GAMES[0], size.games + size.tables)


def _room(game: str, number: int) -> str:
    return f"{game}-{number}"


def people(size: Size) -> Iterator[str]:
    """Yield the names of all accounts; people who sit at the same open tables come first, together."""
    open_tables = range(size.games + 1, size.games + size.tables + 1)
    seated = (name for n in open_tables for name in _names(random.Random(f"table {n}"), size))  # noqa: S311 - it plays
    yield from dict.fromkeys(chain(seated, map(name_of, range(size.accounts))))


def _secret(number: int) -> bytes:
    return sha256(f"growth {number}".encode()).digest()


def _header(number: int, game: Game, names: Sequence[str]) -> Header:
    salts = iter(range(len(names)))
    people = SeatIds().with_people(names, lambda: sha256(f"salt {number} {next(salts)}".encode()).digest())
    return Header(
        number=number,
        game=game.name,
        version=game.rules.VERSION,
        room=_room(game.name, number),
        options=codec.dump(game.rules.Options()),
        seal=commitments.seal_of(_secret(number)),
        host=names[0],
        clock=Clock.parse("7d"),
        fairness=2,
        ids=True,
        people=people,
    )


def _moved(table: Table, luck: random.Random, most: int | None, draws: Counts) -> Played:
    """Play with moves at random until the game is over, or for so many entries unless that is None."""
    drafts, ids = list[Draft](), table.header.people
    names = [pair.name for pair in ids.pairs]

    def act(by: str, act: Act) -> None:
        nonlocal table
        table, _ = table.after(act)
        drafts.append(Draft(ids.id_of(by), table.body))

    for seat, name in enumerate(names):
        act(name, Seated(seat, Sitter(name)))
    act("table", Sealing(table.rounds.proposed(table.seats, table.header.options, (), ())))
    act(names[0], Start())
    while table.going and len(drafts) != most:
        seat = luck.choice(table.to_move)
        act(names[seat], Moved(seat, codec.dump(luck.choice(table.moves(seat)))))
    if table.ended:
        act("table", Closed(table.secret.hex()))
    return Played(table, tuple(drafts), draws)


async def _tables(store: Store, size: Size) -> None:
    """Write all tables and rate the finished games. Totals count as added, so nothing runs in the background."""
    accounts = Accounts(store, hash_time=1, hash_memory=8192)
    await accounts.load()
    results = Results(store, accounts, Ratings(store, accounts, now=time.time, zone=UTC))
    written = (await store.heads([INDEX]))[INDEX]
    first = max(1, written + 1 - TABLES_AT_ONCE)  # the last ones may be half written; writing again changes nothing
    for numbers in some(range(first, size.games + size.tables + 1), TABLES_AT_ONCE):
        tables = [played(number, size) for number in numbers]
        await _written(store, tables)
        finished = [one for one in tables if one.table.closed]
        await asyncio.gather(*(results.finished(one.table) for one in finished))
        await asyncio.gather(*(store.append(fairness.LOG, None, [_draws(one)], cmd=_log(one)) for one in finished))
    await results.ratings.rate_waiting()


async def _written(store: Store, tables: Sequence[Played]) -> None:
    """Write the headers, records and logs of tables with consecutive numbers."""
    headers = [hidden_header(one.table.header) for one in tables]
    index = [Draft(header.host, codec.to_text(header)) for header in headers]
    first = headers[0].number
    await store.append(INDEX, first - 1, index, cmd=f"growth {first}")
    await _kept(store, (record for one in tables for record in _records(one.table)))
    await asyncio.gather(*(store.append(_log(one), 0, one.drafts, cmd=str(one.table.header.number)) for one in tables))


def _log(one: Played) -> str:
    return f"table/{one.table.header.number}"


def _draws(one: Played) -> Draft:
    return Draft("table", json.dumps({kind: dict(results) for kind, results in one.draws.items()}))


def _records(table: Table) -> Iterator[Effect]:
    number = table.header.number
    yield Effect("secret", str(number), table.secret.hex())
    yield from effects(number, SeatIds(), table.header.people)
    if not table.closed:
        yield Effect(public_row.KIND, str(number), public_row.to_text(public_row.row_of(table, "")))
