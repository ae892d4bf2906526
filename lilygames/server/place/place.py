"""Wiring: `Place` creates every part and gives it what it needs. Read it from top to bottom.

At its end is the ordered list of observers of what happens to people.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import attrs
import structlog

from lilygames import help as manual
from lilygames.bus import Bus
from lilygames.calendar import commands as calendar_commands
from lilygames.calendar.context import CalendarContext
from lilygames.calendar.events import Events
from lilygames.calendar.greeting import Greeting
from lilygames.calendar.message import MessageOfTheDay
from lilygames.calendar.reminders import Reminders
from lilygames.chat.accounts.accounts import Accounts
from lilygames.chat.accounts.roles import Roles
from lilygames.chat.accounts.seniority import Seniority
from lilygames.chat.commands import accounts as account_commands
from lilygames.chat.commands import basics, friends, notifications, presence, review, sends
from lilygames.chat.commands import discussions as discussion_commands
from lilygames.chat.commands import feedback as feedback_commands
from lilygames.chat.commands import settings as settings_commands
from lilygames.chat.host import detached_records
from lilygames.chat.host.context import Context
from lilygames.chat.host.detached_records import DetachedRecords
from lilygames.chat.host.discussions import Discussions
from lilygames.chat.host.dispatch import Dispatcher
from lilygames.chat.host.feedback import Feedback
from lilygames.chat.host.friends import FriendsHere
from lilygames.chat.host.host import Host, HostSettings, Offers, Registry, SingleNode
from lilygames.chat.host.missed import MissedMessages
from lilygames.chat.host.packets import Programs
from lilygames.chat.host.unanswered_lines import UnansweredLines
from lilygames.chat.names.names import allowed
from lilygames.chat.names.zones import set_place_zone
from lilygames.chat.people.audience import Each, Everybody, Gather
from lilygames.chat.people.observers import Observer, Observers
from lilygames.chat.people.people import Bot, Person
from lilygames.chat.people.profile import ProfileStore
from lilygames.chat.people.resume import Sessions
from lilygames.chat.talk.history import History
from lilygames.chat.talk.talk_age import TalkAge
from lilygames.chat.visits import session_tokens
from lilygames.commands import Command, declared_in
from lilygames.edge.web.shell import telnet_in_html
from lilygames.edge.wire.outbox import flusher
from lilygames.errors import UserError
from lilygames.game import Game
from lilygames.house.workers import Workers
from lilygames.ladders import commands as ladder_commands
from lilygames.ladders import match_commands
from lilygames.ladders.commands import LadderContext
from lilygames.ladders.duels import Duels
from lilygames.ladders.ladder_store import Ladders
from lilygames.ladders.match_commands import MatchContext
from lilygames.ladders.news import LadderNews, LadderReminders
from lilygames.ladders.team_match_store import TeamMatches
from lilygames.ladders.watch import LadderWatch
from lilygames.limits.addresses import networks
from lilygames.mailing import commands as mailing_commands
from lilygames.mailing.commands import MailingContext
from lilygames.mailing.items.event_items import EventItems
from lilygames.mailing.items.ladder_items import LadderItems
from lilygames.mailing.items.table_items import TableItems
from lilygames.mailing.items.tournament_items import TournamentItems
from lilygames.mailing.mailing import Mailing
from lilygames.moderation import commands as moderation_commands
from lilygames.moderation.ages import ModerationAges
from lilygames.moderation.audit import Audit
from lilygames.moderation.context import ModerationContext
from lilygames.moderation.desk import Desk
from lilygames.moderation.removal import Removal
from lilygames.moderation.reports import Reports
from lilygames.moderation.sanctions import Sanctions
from lilygames.nodes.follow import Follower, Refresh
from lilygames.nodes.hints.invalidation import HintingStore
from lilygames.nodes.hints.topic_hints import TopicHints
from lilygames.nodes.membership.membership import Membership
from lilygames.nodes.node import Node, fresh_name
from lilygames.nodes.order.predecessor import NOBODY, Predecessor
from lilygames.nodes.presence.roster import Roster
from lilygames.nodes.room_talk import Places, RoomTalk
from lilygames.nodes.shared_limits import SharedLimits
from lilygames.privacy import commands as privacy_commands
from lilygames.privacy.commands import PrivacyContext
from lilygames.privacy.deletions import Deletions
from lilygames.proofs import commitments
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.scheduling.foreground import Foreground
from lilygames.scheduling.turns import OneByOne
from lilygames.server.place.drand import Drand
from lilygames.server.place.noticeboard import Noticeboard
from lilygames.server.place.preloading import Preloaded
from lilygames.server.place.retention import Retention, Task, at_once
from lilygames.server.place.top_ranks import TopRanks
from lilygames.server.settings.config import FIELDS, Misconfigured, Settings, unregistrable
from lilygames.server.watch.disk_usage import DiskUsage
from lilygames.sites.routes import Sites
from lilygames.store import Damaged, Records, Store
from lilygames.store.packs import Packs
from lilygames.tables.archive.archive import Archive
from lilygames.tables.archive.archived_logs import PackRecords, WithArchive
from lilygames.tables.archive.archiving import Archiving
from lilygames.tables.bots.pace import LATEST
from lilygames.tables.commands import early_ends, hints, limits, lookups, notes, spectators, table_info, timing
from lilygames.tables.commands.aliases import challenges, for_seatless
from lilygames.tables.commands.finished import achievements as achievement_commands
from lilygames.tables.commands.finished import history as history_commands
from lilygames.tables.commands.finished import rankings, replays, verify
from lilygames.tables.commands.finished import statistics as statistics_commands
from lilygames.tables.commands.joining import (
    duplicates,
    lessons,
    parties,
    presets,
    quick,
    seats,
    seeks,
    simul,
    table_list,
)
from lilygames.tables.commands.records import TableRecords
from lilygames.tables.duplicate.daily_deals import DailyDeals
from lilygames.tables.duplicate.duplicate_sets import DuplicateSets
from lilygames.tables.duplicate.streaks import Streaks
from lilygames.tables.log.acts import HOUSE
from lilygames.tables.open.added_texts import AddedTexts
from lilygames.tables.open.bookkeeping import Bookkeeping
from lilygames.tables.open.open_tables import NobodyElse, OpenTables
from lilygames.tables.open.opening import NewSeals
from lilygames.tables.open.remote_tables import Joining, RemoteTables
from lilygames.tables.open.tables import Tables
from lilygames.tables.play.services import Bots, ShuffleTimes
from lilygames.tables.restore.known_headers import KnownHeaders
from lilygames.tables.restore.unplayable import UnplayableTables
from lilygames.tables.restore.unrestored import Unrestored
from lilygames.tables.seal.seal import fresh_secret
from lilygames.tables.visits.duplicate_watch import DuplicateWatch
from lilygames.tables.visits.expiry import AbandonedSeats, SeatTimes
from lilygames.tables.visits.first_menu import FirstMenu
from lilygames.tables.visits.openers_addresses import OpenersAddresses
from lilygames.tables.visits.reconnect import Reconnect
from lilygames.tables.visits.table_context import LineContext, TableContext
from lilygames.tournaments import commands as tournament_commands
from lilygames.tournaments import schedule
from lilygames.tournaments.context import TournamentContext
from lilygames.tournaments.director import Director
from lilygames.tournaments.pairing.tournament import Tournament
from lilygames.tournaments.reminders import TournamentReminders
from lilygames.tournaments.timetable import Timetable, unknown_games

log = structlog.get_logger()
TABLE_COMMANDS = (
    quick,
    parties,
    lessons,
    duplicates,
    hints,
    seats,
    verify,
    table_list,
    presets,
    seeks,
    table_info,
    spectators,
    timing,
    early_ends,
    simul,
    limits,
    history_commands,
    replays,
    lookups,
    rankings,
    achievement_commands,
    statistics_commands,
    notes,
    calendar_commands,
    ladder_commands,
    match_commands,
    tournament_commands,
    moderation_commands,
)
CHAT_COMMANDS = (
    basics,
    presence,
    sends,
    notifications,
    friends,
    account_commands,
    session_tokens,
    settings_commands,
    discussion_commands,
    review,
    feedback_commands,
    mailing_commands,
    privacy_commands,
)
"""The modules with commands, for tables and for talk."""
CLOSING = 10.0
"""Seconds to wait for the last writes before the server stops."""


@attrs.frozen
class Before:
    """State from the process before: the last entry of each table that it told, and its node in a cluster."""

    told: Mapping[int, int]
    node: Predecessor = NOBODY
    talk: Places = attrs.Factory(dict)
    """How far the messages of each room were shown."""
    preloaded: Preloaded | None = None
    """Data that was read before that process ended; None to read everything now."""


class Place:
    """A host with its tables. Use `furnish` to create one that is ready for connections."""

    def __init__(  # noqa: PLR0915 - this is the whole wiring, to be read from top to bottom
        self,
        store: Store,
        settings: Settings,
        games: Mapping[str, Game],
        *,
        seals: NewSeals,
        bus: Bus | None,
        before: Before | None,
        clock: Callable[[], float],
        gather: Gather,
        packs: Packs | None,
        thread: bool,
    ) -> None:
        observers = Observers()  # they join at the end: events go from what is made first to what is made last
        name = fresh_name()
        membership = Membership(store, name) if bus else None
        unarchived = HintingStore(store, bus, membership.beats) if bus and membership else store
        self.packs = packs or PackRecords(unarchived)
        """The finished games in the archive."""
        kept = WithArchive(unarchived, self.packs)
        unreadable = UnreadableRows()
        preloaded = before.preloaded if before else None
        accounts = Accounts(
            kept,
            hash_time=settings.hash_time,
            hash_memory=settings.hash_memory,
            unreadable=unreadable,
            known=preloaded.accounts if preloaded else None,
        )
        people: Everybody[Person] = Everybody(gather)
        foreground = Foreground()
        roles = Roles(kept, accounts, settings.sysop_names, unreadable)
        seniority = Seniority(accounts, roles, settings.new_account_days)
        zone = ZoneInfo(settings.timezone)
        duplicates = DuplicateSets(
            kept, Archive(kept), new_secret=seals.new_secret, new_salt=seals.new_salt, now=clock, key_of=accounts.key
        )
        beacon = Drand(settings.beacon_url, settings.beacon_chain) if settings.beacon_chain else None
        books = Bookkeeping(
            kept,
            accounts,
            people,
            games,
            unreadable,
            duplicates=duplicates,
            daily_deals=DailyDeals(
                duplicates,
                games,
                Streaks(kept, accounts.key, unreadable),
                accounts,
                seniority=seniority,
                zone=zone,
                beacon=beacon,
            ),
            now=clock,
            zone=zone,
        )
        table_hints: TopicHints[int] | None = TopicHints(bus, "table") if bus else None
        open_tables = OpenTables(
            games,
            UnplayableTables(kept, books.purses),
            Unrestored(observers, foreground),
            RemoteTables(observers, games),
            table_hints or NobodyElse(),
            read_ratings=books.results.ratings.read_of,
            key_of=accounts.key,
            is_here=people.is_here,
        )
        sanctions = Sanctions(kept, accounts, clock, unreadable)
        self.events = Events(kept, unreadable, accounts.key)
        """The calendar."""
        tournaments: dict[int, Tournament] = {}
        timetable = timetable_of(settings, games)
        self.top_ranks = TopRanks(games, books.results.ratings)
        """The top of a ranking, for the lobby."""
        self.noticeboard = Noticeboard(
            games,
            self.events,
            tournaments,
            timetable,
            accounts,
            people=people,
            tables=open_tables,
            top=self.top_ranks,
            zone=zone,
            clock=clock,
        )
        """The contents of the lobby."""
        self.host = Host(
            Registry(
                accounts,
                ProfileStore(kept, unreadable),
                Sessions(kept, unreadable),
                roles,
                seniority,
                gate=sanctions,
            ),
            people,
            _offers(games, settings),
            _host_settings(settings),
            publisher=observers,
            cluster=membership or SingleNode(),
            seats=open_tables,
            notices=self.noticeboard,
            foreground=foreground,
            clock=clock,
        )
        bot_work = OneByOne(lambda: flusher().sends)
        self.workers = Workers(
            settings.house_workers,
            thread=thread,
            prepare=[game.warm_up for game in games.values()],
            turn=bot_work.turn,
        )
        self.tables = Tables(
            self.host,
            kept,
            open_tables,
            books,
            bots=Bots(
                think=self.workers.think,
                rethink=self.workers.rethink,
                budget_share=self.workers.budget_share,
                pause=partial(random.uniform, *settings.house_pause),
                work=bot_work,
                talk=bool(settings.house_talk),
                latest=LATEST if settings.house_pause[1] else None,
                spoiled=duplicates.spoiled,
            ),
            seals=seals,
            shuffle=ShuffleTimes(settings.commit_seconds, settings.reveal_seconds),
            texts=AddedTexts(settings.data),
            told=before.told if before else None,
            node=name if bus else "",
        )
        self.records = TableRecords(self.tables)
        roster = Roster(self.host, store, bus, membership.beats) if bus and membership else None
        room_talk = None
        if bus and membership and roster:
            shown = before.talk if before else {}
            room_talk = RoomTalk(self.host, kept, bus, membership=membership, roster=roster, places=shown)
        self.history = History(kept, accounts.key, self.host.rooms.key, unreadable, room_talk, output=flusher().gate)
        self.discussions = Discussions(self.host, kept, unreadable)
        self.feedback = Feedback(self.host, kept, unreadable)
        self.removal = Removal(self.host, self.tables, roles, sanctions)
        self.audit = Audit(kept, unreadable, (sanctions.learn, self.removal.learn))
        """The log of what the staff do."""
        self.desk = Desk(accounts, roles, sanctions, self.audit, here=people.values, clock=clock)
        """Decides who may moderate whom."""
        self.reports = Reports(
            self.host, kept, history=self.history, audit=self.audit, sanctions=sanctions, unreadable=unreadable
        )
        self.abandoned_seats = AbandonedSeats(
            self.tables, SeatTimes(settings.seat_minutes * 60, settings.seat_days * 86400)
        )
        """Closes abandoned tables."""
        self.duplicate_watch = DuplicateWatch(self.tables)
        """Looks after daily deals and other duplicate sets."""
        self.director = Director(
            self.tables, tournaments, timetable, no_show=settings.no_show_seconds, new_secret=seals.new_secret
        )
        """Runs the tournaments."""
        self.reminders = Reminders(self.host, self.events)
        self.tournament_reminders = TournamentReminders(self.director, kept)
        self.message_of_the_day = MessageOfTheDay(kept, unreadable)
        duels = Duels(duplicates, accounts)
        self.ladders = Ladders(
            kept,
            duels,
            games,
            zone,
            told=LadderNews(accounts, people).tell,
        )
        self.team_matches = TeamMatches(kept, duels)
        self.ladder_watch = LadderWatch(self.tables, self.ladders)
        """Applies the midnights, seasons and results of ladders."""
        self.mailing = Mailing(
            self.host,
            kept,
            unreadable,
            settings.mail_options,
            sources=(
                TableItems(self.tables),
                EventItems(self.events, accounts),
                TournamentItems(self.director, accounts),
                LadderItems(self.ladders),
            ),
        )
        """Notifications by mail and push."""
        self.sites = Sites(
            self.tables,
            self.director,
            address=settings.web_address,
            embed_sites=settings.embed_sites,
            telnet=telnet_in_html(settings.public_address, settings.port),
            zone=zone,
        )
        """The public pages."""
        self.deletions = Deletions(
            self.tables,
            self.director,
            self.ladders,
            self.history,
            remembering=(
                *(accounts, roles, self.discussions, self.tables.results.ratings, self.tables.vacations, self.ladders),
                *(self.events, self.message_of_the_day, self.mailing, self.sites),
                *([roster] if roster else []),
            ),
            data=settings.data,
        )
        self.dispatcher = Dispatcher(
            self.host,
            self.host.commands,
            context_of=self.context_of,
            seats=open_tables,
            foreground=foreground,
            talk_at_once=settings.talk_lines_per_second,
        )
        """Handles typed lines."""
        self.unanswered_lines = UnansweredLines(self.dispatcher.hear)
        """Lines whose answers a restart has interrupted."""
        self.openers_addresses = OpenersAddresses(self.host, self.tables.held)
        """The addresses for which quotas count what was opened before a start."""
        self.detached_records = DetachedRecords(self.host, kept, unreadable)
        """The records of people who have detached."""
        moderation_ages = ModerationAges(kept)
        self.disk_usage = DiskUsage(kept, self.packs)
        self.archiving = Archiving(unarchived, self.packs)
        """Moves finished games to the archive."""
        self.retention = Retention(
            kept,
            clock,
            name,
            (
                Task("games", settings.archive_days, self.archiving.forget_before),
                Task("talk", settings.talk_days, TalkAge(kept).forget_before),
                Task("reports", settings.report_days, at_once(moderation_ages.forget_reports)),
                Task("audit", settings.audit_days, at_once(moderation_ages.forget_audit)),
                Task("addresses", settings.address_days, at_once(moderation_ages.forget_addresses)),
            ),
            self.disk_usage,
        )
        """Archives finished games, and deletes what is old."""
        self.node: Node | None = None
        """This node, if the server is part of a cluster."""
        elsewhere: tuple[Observer, ...] = ()
        if bus and membership and table_hints and roster and room_talk:
            records = self._followed(roster)
            follower = Follower(
                self.tables,
                roster,
                membership.beats,
                bus,
                records=records,
                table_hints=table_hints,
                mails=settings.mail_options.on,
            )
            shared_limits = SharedLimits(self.host, bus, name)
            self.node = Node(
                self.host,
                self.tables,
                membership=membership,
                roster=roster,
                bus=bus,
                records=records,
                follower=follower,
                limits=shared_limits,
                room_talk=room_talk,
            )
            elsewhere = (roster, shared_limits, room_talk)
        observers.join(
            self.tables.restoring,
            self.tables.following,
            self.detached_records,
            Programs(self.host),
            session_tokens.Tokens(self.host),
            self.openers_addresses,
            FirstMenu(self.tables),
            Reconnect(self.tables),
            Joining(self.tables.remote, self.tables.unrestored),
            self.discussions,
            self.history,
            self.message_of_the_day,
            Greeting(self.host, self.events, (self.events.upcoming, self.tournament_reminders.upcoming)),
            FriendsHere(self.host),
            MissedMessages(self.host, self.history),
            LadderReminders(self.ladders),
            self.feedback,
            self.reports,
            self.mailing,
            self.deletions,
            self.abandoned_seats,
            self.unanswered_lines,
            *elsewhere,
        )

    def context_of(self, kind: Any, person: Person, table: Bot | None) -> Any:
        """Return the context of a command whose first parameter is annotated with `kind`."""
        at = TableContext(person, self.tables, table)
        contexts: Mapping[Any, Callable[[], Any]] = {
            TableContext: lambda: at,
            LineContext: lambda: LineContext(at, self.dispatcher),
            Context: lambda: Context(
                person, self.host, self.discussions, self.history, self.feedback, self.records, self.dispatcher, table
            ),
            LadderContext: lambda: LadderContext(at, self.ladders),
            MatchContext: lambda: MatchContext(at, self.team_matches, self.ladders.games),
            ModerationContext: lambda: ModerationContext(person, self.host, self.desk, self.reports, self.tables),
            MailingContext: lambda: MailingContext(person, self.host, self.mailing),
            PrivacyContext: lambda: PrivacyContext(at, self.deletions),
            TournamentContext: lambda: TournamentContext(person, self.director),
            CalendarContext: lambda: CalendarContext(
                person, self.host, self.events, self.reminders, self.message_of_the_day
            ),
        }
        if kind in contexts:
            return contexts[kind]()
        raise TypeError(f"no command can be given {kind}")

    def _followed(self, roster: Roster) -> Mapping[str, Refresh]:
        """Return a function for each kind of record that reads one again after another node changed it."""
        accounts = self.host.accounts

        async def session_changed(owner: str) -> None:
            if roster.serves_owner(owner):
                await session_tokens.warn(self.host, owner)

        return {
            "account": accounts.refresh,
            "former": accounts.refresh,
            "discussion": self.discussions.refresh,
            "belongings": roster.remote.refresh,
            "vacation": self.tables.vacations.refresh,
            "session": session_changed,
            "motd": self.message_of_the_day.refresh,
            detached_records.KIND: self.detached_records.refresh,
            "audit": self.audit.follow,
            "deleted": self.deletions.follow,
        }

    async def load(self, before: Before | None, *, at_once: bool) -> None:
        """Read all saved state, and open every table that was open. Raises `StoreUnavailable`.

        Unless `at_once`, tables that nobody needs yet may be left for later.
        """
        preloaded, headers = before.preloaded if before else None, KnownHeaders()
        await self.host.sessions.load()
        with _needing("accounts"):
            if preloaded:
                await self.host.accounts.load_changed(preloaded.keys_again("account", "former"))
            else:
                await self.host.accounts.load()
        await self.audit.load()
        await self.host.roles.load()
        await self.desk.sanctions.load()
        if preloaded:
            headers = preloaded.unchanged_headers
        with _needing("rooms"):
            if preloaded:
                await self.discussions.load_changed(preloaded.rooms, preloaded.keys_again("discussion"))
            else:
                await self.discussions.load()
        await self.events.all()
        await self.message_of_the_day.load()
        await self.detached_records.load()
        if self.node:
            await self.tables.vacations.load()
            await self.node.begin(before.node if before else NOBODY, at_once=at_once, known=headers)
        else:
            await self.tables.restoring.restore(at_once=at_once, known=headers)
        self.tables.carried_over.open_rooms()
        await self.director.load()

    async def wake(self) -> None:
        """Resume tables, and start to follow other nodes."""
        await self.tables.restoring.wake()
        await self.removal.look()
        if self.node:
            self.node.wake()

    async def kept(self, seconds: float = CLOSING) -> bool:
        """Wait up to `seconds` until everything that people own and said is saved; return whether it is."""
        try:
            async with asyncio.timeout(seconds):
                await self.host.profiles.finish()
                await self.history.finish()
                await self.mailing.finish()
        except TimeoutError:
            log.error("cannot save the last messages")  # noqa: TRY400 - there is nothing to trace
            return False
        return True

    async def saved(self, seconds: float) -> bool:
        """Wait up to `seconds` until all profiles and talk are saved; return whether they are."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.host.profiles.finish()
                await self.history.finish()
                return True
        return False


@contextmanager
def _needing(what: str) -> Iterator[None]:
    """Say what is damaged, if the server can't start without it: others could take a name that can't be read."""
    try:
        yield
    except Damaged as problem:
        raise Damaged(f"The {what} are damaged, so the server can't start. {problem}") from problem


def host_commands() -> tuple[Command, ...]:
    """Return the commands that the server has whatever games are installed."""
    return tuple(chain.from_iterable(map(declared_in, (*TABLE_COMMANDS, *CHAT_COMMANDS))))


def _offers(games: Mapping[str, Game], settings: Settings) -> Offers:
    """Return what people find here."""
    return Offers(
        games={name: game.title for name, game in games.items()},
        house_names=_house_names(games),
        bot_names=frozenset(name.casefold() for name in HOUSE),
        commands=_commands(games),
        pages=manual.pages(
            (game.pages for game in games.values() if game.pages),
            games,
            {other: game.name for game in games.values() for other in (*game.other_names, game.title)},
            policy=Path(settings.policy) if settings.policy else None,
        ),
    )


def _host_settings(settings: Settings) -> HostSettings:
    """Return the settings that the host needs."""
    return HostSettings(
        name=settings.name,
        greeting=settings.greeting,
        patience=settings.patience,
        lobby_people=settings.lobby_people,
        login_seconds=settings.login_seconds,
        wrong_passwords=settings.wrong_passwords,
        names_per_day=settings.names_per_day,
        exempt=networks(settings.exempt),
        sends_mail=settings.mail_options.has_mail,
        web_address=settings.web_address.rstrip("/"),
    )


def _commands(games: Mapping[str, Game]) -> Sequence[Command]:
    """Return all commands except games' moves, in the order in which abbreviations are looked up."""
    known = (*host_commands(), *challenges(games))
    return (*known, *for_seatless(games, known))


def _house_names(games: Mapping[str, Game]) -> frozenset[str]:
    return frozenset(name.casefold() for name in (*HOUSE, *games))


def timetable_of(settings: Settings, games: Mapping[str, Game]) -> Timetable:
    """Return the place's own tournaments; raises `Misconfigured`.

    Games of the default schedule may be missing, because a place can do without any game.
    """
    series = schedule.read(settings.tournaments)
    missing = [] if settings.tournaments == FIELDS["tournaments"].default else unknown_games(series, games)
    if missing:
        raise Misconfigured(f"tournaments names {missing[0]}, but no such game is installed", "tournaments")
    try:
        return Timetable(series, games, ZoneInfo(settings.timezone))
    except UserError as no:
        raise Misconfigured(f"tournaments can't be played so: {no}", "tournaments") from None


async def check_sysops(settings: Settings, found: Mapping[str, Game], records: Records | None) -> None:
    """Raise `Misconfigured` for a sysop's name that isn't registered and can't be."""
    for name in settings.sysop_names:
        try:
            allowed(name, _house_names(found))
        except UserError as why:
            key = name.casefold()
            if records and (await records.find("account", key) or await records.find("former", key)):
                continue  # it was registered before it was reserved
            raise unregistrable(name, str(why)) from None


async def furnish(
    store: Store,
    settings: Settings,
    found: Mapping[str, Game],
    new_secret: Callable[[], bytes] = fresh_secret,
    bus: Bus | None = None,
    *,
    before: Before | None = None,
    clock: Callable[[], float] | None = None,
    gather: Gather = Each,
    new_salt: Callable[[], bytes] | None = commitments.fresh,
    packs: Packs | None = None,
    at_once: bool = True,
    thread: bool = False,
) -> Place:
    """Return a place on a store, with all its open tables. With a `bus` it is a node of a cluster.

    Unless `at_once`, tables that nobody needs yet may wait in `Tables.unrestored`; then the caller finishes them.

    After a process `before`, tables wait for `Place.wake()`, so that its people miss nothing. `clock` returns the time
    in seconds since 1970. `gather` groups terminals that are shown the same. `packs` has the finished games in the
    archive; it is in the store if None. Without worker processes, bots think in a `thread`, or else in the event loop.
    """
    with _needing("accounts"):
        await check_sysops(settings, found, store)
    set_place_zone(settings.timezone)
    place = Place(
        store,
        settings,
        found,
        seals=NewSeals(new_secret, new_salt),
        bus=bus,
        before=before,
        clock=clock or time.time,
        gather=gather,
        packs=packs,
        thread=thread,
    )
    await place.load(before, at_once=at_once)
    if before is None:
        await place.wake()
    return place
