"""The only place where the parts are joined: games found, house players given to them, host, tables and edge set up."""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections.abc import Callable, Mapping
from functools import partial
from itertools import chain
from pathlib import Path

import attrs
import structlog

from lilygames import help as manual
from lilygames.bus import Bus
from lilygames.chat import packets, session_tokens
from lilygames.chat.accounts import Accounts
from lilygames.chat.commands import accounts as account_verbs
from lilygames.chat.commands import basics as talk_verbs
from lilygames.chat.commands import discussions as room_verbs
from lilygames.chat.commands import feedback as feedback_verbs
from lilygames.chat.commands import notifications, presence, review, sends
from lilygames.chat.commands import settings as settings_verbs
from lilygames.chat.completion import complete_for
from lilygames.chat.discussions import Discussions
from lilygames.chat.errors import Sorry
from lilygames.chat.feedback import Feedback
from lilygames.chat.history import History
from lilygames.chat.host import Host
from lilygames.chat.login_throttle import Guessing
from lilygames.chat.names import allowed
from lilygames.chat.profile import Keeper
from lilygames.chat.rate_limit import DAY, RateLimit
from lilygames.chat.resume import Sessions
from lilygames.commands import declared_in
from lilygames.game import Game
from lilygames.games import games
from lilygames.house.workers import Workers
from lilygames.nodes.follow import Refresh
from lilygames.nodes.invalidation import HintingStore
from lilygames.nodes.node import Node, fresh_name
from lilygames.server.config import Misconfigured, Settings
from lilygames.store import Records, Store
from lilygames.tables.aliases import challenges, stray
from lilygames.tables.commands import history as afterwards
from lilygames.tables.commands import notes, seats, seeks, spectators, table_info, timing
from lilygames.tables.expiry import Forsaken, Kept
from lilygames.tables.log import HOUSE
from lilygames.tables.reconnect import mirrored
from lilygames.tables.replay import told
from lilygames.tables.seal import fresh_secret
from lilygames.tables.table_context import bound
from lilygames.tables.tables import Tables
from lilygames.tables.verify import Unreadable, Verdict, read_export
from lilygames.tables.verify import verify as verified
from lilygames.tables.visible import secret_in
from lilygames.text import Voice
from lilygames.unreadable import UnreadableRows

log = structlog.get_logger()
TABLE_VERBS = (seats, seeks, table_info, spectators, timing, afterwards, notes)
CHAT_VERBS = (talk_verbs, presence, sends, notifications, account_verbs, session_tokens, settings_verbs)
"""The modules that declare what people may type, about tables and about talk."""
CLOSING = 10.0
"""Seconds in which what is said last is kept before the place closes."""


@attrs.frozen
class Before:
    """How far the process before has come: its node's name, and the last entry of each table that it told."""

    node: str
    told: Mapping[int, int]


@attrs.frozen
class Place:
    """A host with its tables, ready for visits."""

    host: Host
    tables: Tables
    workers: Workers
    history: History
    forsaken: Forsaken
    """What sees to tables at which nobody is left."""
    discussions: Discussions
    node: Node | None = None
    """What makes it one of several, where it is."""

    async def wake(self) -> None:
        """Let tables go on, and what other nodes do be followed."""
        await self.tables.wake()
        if self.node:
            self.node.wake()

    async def kept(self, seconds: float = CLOSING) -> bool:
        """Return whether all that people own and said is kept, at the latest after so many seconds."""
        try:
            async with asyncio.timeout(seconds):
                await self.host.keeper.finish()
                await self.history.finish()
        except TimeoutError:
            log.error("the last of what was said cannot be kept")  # noqa: TRY400 - there is nothing to trace
            return False
        return True


_NAME = re.compile(r"[a-z0-9-]{1,20}")
LARGEST = 200_000
"""Bytes of a text that a sysop adds to a game."""


def added(data: Path, game: Game, name: str) -> str | None:
    """Return the text that the sysop has added to a game under a name: `added/GAME/NAME.txt` in the data folder."""
    file = data / "added" / game.name / f"{name}.txt"
    if not _NAME.fullmatch(name) or not file.is_file() or file.stat().st_size > LARGEST:
        return None
    return file.read_text("utf-8", errors="replace")


def _tell_time_in(zone: str) -> None:
    """Let all times of day that people read be those of a time zone."""
    os.environ["TZ"] = zone
    time.tzset()


def _settle(host: Host, settings: Settings) -> None:
    """Let a host be as the sysop wishes."""
    host.login_seconds = settings.login_seconds
    host.guessing = Guessing(tries=settings.wrong_passwords)
    host.registering = RateLimit(each=settings.names_per_day, seconds=DAY)
    host.patience = settings.patience
    host.sysops = settings.sysop_names


async def check_sysops(settings: Settings, found: Mapping[str, Game], records: Records | None) -> None:
    """Raise `Misconfigured` for a sysop's name that nobody has and nobody can register."""
    for name in settings.sysop_names:
        try:
            allowed(name, _house_names(found))
        except Sorry as why:
            key = name.casefold()
            if records and (await records.find("account", key) or await records.find("former", key)):
                continue  # it was registered before it was reserved
            raise Misconfigured(f"sysops has the name “{name}”, which nobody can register: {why}", "sysops") from None


def _house_names(found: Mapping[str, Game]) -> frozenset[str]:
    return frozenset(name.casefold() for name in (*HOUSE, *found))


async def furnish(
    store: Store,
    settings: Settings,
    found: Mapping[str, Game],
    new_secret: Callable[[], bytes] = fresh_secret,
    bus: Bus | None = None,
    *,
    before: Before | None = None,
) -> Place:
    """Return a place over a store, going on with every table that was open there; with a bus it is one of several.

    Where there was a process `before`, all waits for `Place.wake()`: its people are to miss nothing.
    """
    await check_sysops(settings, found, store)
    _tell_time_in(settings.timezone)
    name, bare = fresh_name(), store
    store = HintingStore(bare, bus, name) if bus else store
    unreadable = UnreadableRows()
    accounts = Accounts(store, hash_time=settings.hash_time, hash_memory=settings.hash_memory, unreadable=unreadable)
    host = Host(
        accounts,
        Keeper(store, unreadable),
        Sessions(store, unreadable),
        manual.pages((game.pages for game in found.values() if game.pages), found),
        name=settings.name,
    )
    host.on_arrival += (partial(complete_for, host), partial(packets.introduce, host))
    host.on_rename += (partial(packets.renamed, host), partial(session_tokens.renamed, host))
    host.on_happening += (packets.said, partial(packets.moved, host))
    host.house_names = _house_names(found)
    _settle(host, settings)
    workers = Workers(settings.house_workers)
    tables = Tables(host, store, found, settings.house_pause, new_secret, think=workers.think, unreadable=unreadable)
    history, discussions = History(store, accounts.key, unreadable), Discussions(host, store, unreadable)
    host.on_happening.append(history.happened)
    review.tells_who_comes(host, history)
    feedback = Feedback(host, store, unreadable)
    feedback_verbs.tells_sysops(host, feedback)
    known = (
        *chain.from_iterable(bound(module, tables) for module in TABLE_VERBS),
        *chain.from_iterable(map(declared_in, CHAT_VERBS)),
        *room_verbs.of(discussions),
        *review.of(history, discussions),
        *feedback_verbs.of(feedback),
        *challenges(tables),
    )
    host.commands += (*known, *stray(tables, known))
    await host.sessions.load()
    await accounts.load()
    await discussions.load()
    host.on_return += (partial(complete_for, host), partial(packets.answers_to, host), partial(mirrored, tables))
    tables.added = partial(added, settings.data)
    host.tale = partial(table_info.tale, tables)
    afterwards.hang_on(tables)
    forsaken = Forsaken(tables, Kept(settings.seat_minutes * 60, settings.seat_days * 86400))
    if before:
        tables.asleep, tables.told = True, before.told
    place = Place(host, tables, workers, history, forsaken, discussions)
    if bus is None:
        await tables.restore()
    else:
        place = attrs.evolve(place, node=await _joined(place, bare, bus, name, before))
    if before is None:
        await place.wake()
    return place


async def _joined(place: Place, store: Store, bus: Bus, name: str, before: Before | None) -> Node:
    """Return the node that a place is among the others from now on."""
    host, tables, accounts = place.host, place.tables, place.host.accounts
    node = Node(host, store, bus, name)
    await tables.vacations.load()
    records: dict[str, Refresh] = {
        "account": accounts.refresh,
        "former": accounts.refresh,
        "discussion": place.discussions.refresh,
        "belongings": partial(node.roster.refresh, accounts.key),
        "vacation": tables.vacations.refresh,
        "session": partial(session_tokens.warn, host),
    }
    await node.begin(tables, records, before.node if before else "")
    return node


def verify(text: str, installed: Mapping[str, Game] | None = None) -> Verdict:
    """Return whether an exported log and its replay match, by the games that are installed; raises `Unreadable`."""
    return verified(*read_export(text), games() if installed is None else installed)


def replay(text: str, by: str = "", installed: Mapping[str, Game] | None = None) -> list[str]:
    """Return an exported log as it was told, by everybody's eyes or those of one player; raises `Unreadable`."""
    header, entries = read_export(text)
    game = header.game_in(games() if installed is None else installed)
    if game is None:
        raise Unreadable(f"{header.game} version {header.version} is not installed here.")
    story = told(header, game, entries, secret_in(entries) or b"", name=by, voice=Voice())
    return [line.text for some in story for _, line in some]
