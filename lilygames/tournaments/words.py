"""Words about a tournament: announcements, standings, pairings and lists."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar
from zoneinfo import ZoneInfo

import attrs

from lilygames.chat.names.time_text import day_and_time, distance, written
from lilygames.tables.log.clocks import spoken
from lilygames.text import Line, count, listing
from lilygames.tournaments.pairing.arena import ArenaRow
from lilygames.tournaments.pairing.log import Form, Header
from lilygames.tournaments.pairing.points import Row, shown
from lilygames.tournaments.pairing.tournament import (
    CalledOff,
    Event,
    PlayerJoined,
    PlayerLeft,
    Round,
    RoundBegan,
    RoundEnded,
    RoundTable,
    ScoresCorrected,
    SeatsReady,
    SeatTaken,
    StartDelayed,
    TableEnded,
    Tournament,
)

Called = Callable[[str], str]
"""Returns the name of the person with an account key."""
FORM: dict[Form, str] = {"swiss": "Swiss", "robin": "round robin", "knockout": "knockout", "arena": "arena"}
AnyRow = TypeVar("AnyRow", Row, ArenaRow)
LEADERS = 3
"""People named in the standing after a round."""


@attrs.frozen
class Reading:
    """The reader that words are for, by account key, with what else the words depend on."""

    reader: str
    called: Called
    zone: ZoneInfo
    now: float

    def time(self, at: float) -> str:
        """Return a time in the reader's zone."""
        return day_and_time(at, self.now, self.zone)


def hearers(now_in: Tournament, event: Event) -> tuple[str, ...] | None:
    """Return the players who hear of an event; None for everyone in the tournament and its room."""
    match event:
        case SeatsReady(round_, table) | TableEnded(round_, table) | SeatTaken(round_, table, _):
            return now_in.table(round_, table).paired.people
    return None


def planned(now_in: Tournament, by: Reading) -> str:
    """Return the notice of a new tournament, with its start in the reader's zone."""
    header = now_in.header
    what = f"{by.called(header.by)} has planned a tournament, {header.name}, for {by.time(now_in.starts)}."
    return f"*** {what} Type /tournament join {header.name}. ***"


def told(now_in: Tournament, event: Event, by: Reading) -> str:
    """Return the sentence that a reader gets about an event."""
    return f"{now_in.header.name}: {_at_table(now_in, event, by) or _of_all(now_in, event, by)}"


def author(event: Event, called: Called) -> str:
    """Return the person who wrote a part of the words about an event; empty for none."""
    return called(event.by) if isinstance(event, ScoresCorrected | CalledOff) and event.by and event.why else ""


def _at_table(now_in: Tournament, event: Event, by: Reading) -> str:
    """Return the sentence about an event at one table; empty for any other event."""
    called = by.called
    match event:
        case SeatsReady(round_, table):
            return _ready(now_in.table(round_, table), by)
        case SeatTaken(_, _, key) if key == by.reader:
            again = ". Type /tournament join to play again." if now_in.form != "knockout" else " and you're out."
            return f"you weren't there in time, so a bot has your seat{again}"
        case SeatTaken(_, _, key):
            return f"{called(key)} isn't here, so a bot plays instead."
        case TableEnded(round_, table):
            return f"{_ended(now_in, round_, table, called)}{_way_back(now_in, by.reader)}"
        case ScoresCorrected(round_, table, who, why):
            return f"{called(who)} corrected table {table} of round {round_}: {why}."
    return ""


def _of_all(now_in: Tournament, event: Event, by: Reading) -> str:
    """Return the sentence about an event that concerns the whole tournament."""
    called = by.called
    match event:
        case PlayerJoined(key, late):
            later = ", with 6 points for the rounds before" if late and now_in.players[key].given else ""
            words = f"{called(key)} joined{later}. {count(_playing(now_in), 'player')} now."
        case PlayerLeft(key):
            words = f"{called(key)} left the tournament."
        case StartDelayed(until):
            words = f"fewer than 4 players are here, so the start waits until {by.time(until)}."
        case RoundBegan(number):
            words = _began(now_in, now_in.rounds[number - 1], by)
        case RoundEnded(number):
            words = _round_ended(now_in, number, called)
        case CalledOff(who, why):
            ended = f"{called(who)} cancelled the tournament" if who else "the tournament is cancelled"
            words = f"{ended}: {why}." if why else f"{ended}."
        case _:
            words = _over(now_in, called)
    return words


def _playing(now_in: Tournament) -> int:
    return sum(one.playing for one in now_in.players.values())


def _began(now_in: Tournament, new: Round, by: Reading) -> str:
    head = f"{_numbered(now_in, new)} begins"
    if now_in.header.form == "arena":
        return f"{head}. You play as often as you like for {spoken(60 * now_in.header.minutes)}."
    for number, table in enumerate(new.tables, 1):
        if by.reader in table.paired.people:
            return f"{head}. You play at table {number}{_company(table, by)}."
    for bye in new.byes:
        if bye.key == by.reader:
            return f"{head}. You have a bye, which gives you {shown(bye.points)} points."
    if by.reader in now_in.players and not now_in.players[by.reader].playing and now_in.header.of_place:
        return f"{head} without you. Type /tournament join to play."
    return f"{head}, with {count(len(new.tables), 'table')}. Type /tournament pairings to list them."


def _numbered(now_in: Tournament, one: Round) -> str:
    if now_in.header.form == "arena":
        return "the arena"
    if one.final:
        return "the final"
    return f"round {one.number}" + (f" of {now_in.planned}" if now_in.planned else "")


def _company(table: RoundTable, by: Reading) -> str:
    others = [by.called(key) for key in table.paired.people if key != by.reader]
    bots = [count(table.paired.bots, "bot")] if table.paired.bots else []
    return f" with {listing([*others, *bots])}" if others or bots else ""


def _ready(table: RoundTable, by: Reading) -> str:
    return f"your table is #{table.number}{_company(table, by)}."


def _ended(now_in: Tournament, round_: int, table: int, called: Called) -> str:
    one = now_in.table(round_, table)
    result = one.result(round_)
    if result is None:
        return f"table {table} has no result, so everyone there gets 6 points."
    points = result.points
    order = sorted(points, key=lambda key: -points[key])
    places = listing(f"{called(key)} {shown(points[key])}" for key in order)
    half = ", which counts half without another person" if now_in.halves(one) else ""
    return f"table {table} is done: {places}{half}."


def _way_back(now_in: Tournament, reader: str) -> str:
    """Return how someone who has left a table plays on; empty for everyone who does anyway."""
    player = now_in.players.get(reader)
    away = player and not player.playing and now_in.header.of_place and now_in.header.form == "arena"
    return " Type /tournament join to play on." if away else ""


def _round_ended(now_in: Tournament, number: int, called: Called) -> str:
    leaders = [f"{called(row.name)} {shown(row.points)}" for row in now_in.leaders[:LEADERS]]
    ended = f"round {number} is over. Leading: {listing(leaders)}."
    return f"{ended} Type /tournament standings to see all."


def _over(now_in: Tournament, called: Called) -> str:
    if not now_in.rounds:
        return "nobody is here, so there is no tournament this time."
    rows = now_in.leaders[:LEADERS]
    leaders = [f"{place}. {called(row.name)} {shown(row.points)}" for place, row in enumerate(rows, 1)]
    return f"the tournament is over. {', '.join(leaders)}. Thanks for playing!"


# lists


def begins(header: Header, by: Reading) -> str:
    """Return when one of the place's own tournaments begins: `begins Mon 21 Sep 14:00, in 12 minutes`."""
    return f"begins {written(header.starts, by.now, by.zone)}"


def coming(header: Header, now: float, zone: ZoneInfo) -> str:
    """Return one of the place's own tournaments that comes next in one row of a list."""
    lasts = f", lasts {spoken(60 * header.minutes)}" if header.form == "arena" else ""
    what = f"{header.name}: {header.game} {FORM[header.form]}{lasts}, begins {written(header.starts, now, zone)}."
    return f"{what} Type /tournament join {header.name}."


def soon(headers: Sequence[Header], now: float) -> str:
    """Return the line for the lobby about the place's own tournaments that begin at one time."""
    names = [header.name for header in headers]
    begin = f"{listing(names)} {'begins' if len(names) == 1 else 'begin'} {distance(headers[0].starts - now)}"
    return f"{begin}. Type /tournament join {listing(names, 'or')} to play."


def is_untold(now_in: Tournament) -> bool:
    """Whether a tournament is one of the place's own that nobody came to; lists leave it out."""
    return now_in.header.of_place and not now_in.going and not now_in.rounds


def described(now_in: Tournament, by: Reading) -> str:
    """Return a tournament in one row of a list."""
    header, called = now_in.header, by.called
    what = f"#{header.number} {header.name}: {header.game} {FORM[header.form]}"
    number = count(_playing(now_in), "player")
    match now_in.status:
        case "open":
            return f"{what}, {number}, starts at {by.time(now_in.starts)}. Type /tournament join {header.name}."
        case "running":
            latest = now_in.round
            return f"{what}, {number}, {_numbered(now_in, latest) if latest else 'begins'}."
        case "cancelled":
            return f"{what}, cancelled."
    return f"{what}, won by {called(now_in.leaders[0].name)}." if now_in.leaders else f"{what}, over."


def standings_rows(now_in: Tournament, by: Reading) -> Iterator[str | Line]:
    """Yield the rows of the standings, with the tie-breaks in their order."""
    if now_in.header.form == "arena":
        yield from _arena_rows(now_in, by)
        return
    yield f"{now_in.header.name} after {_progress(now_in)}:"
    yield Line("     player            points  won  opponents  margin", margin=None, aloud="")
    yield from _with_guests_apart(now_in, now_in.standings, by, _swiss_row)
    yield "Order: points, tables won, the opponents' average, the margin, and the lot. See /help tournament."


def _arena_rows(now_in: Tournament, by: Reading) -> Iterator[str | Line]:
    yield f"{now_in.header.name}:"
    yield from _with_guests_apart(now_in, now_in.arena_standings, by, _arena_row)


def _with_guests_apart(
    now_in: Tournament, rows: Sequence[AnyRow], by: Reading, drawn: Callable[[AnyRow, str], tuple[str, str]]
) -> Iterator[str | Line]:
    """Yield rows with their places; in one of the place's own tournaments guests have a list of their own."""
    for guests in (False, True):
        listed = [row for row in rows if now_in.is_apart(row.name) == guests]
        if guests and listed:
            yield "Guests:"
        for place, row in enumerate(listed, 1):
            name, mark = by.called(row.name), "*" if row.name == by.reader else " "
            columns, aloud = drawn(row, "" if now_in.players[row.name].playing else "  (left)")
            yield Line(f"{place:>3}. {mark}{name:<16} {columns}", margin=None, aloud=f"{place}: {name}, {aloud}")


def _swiss_row(row: Row, gone: str) -> tuple[str, str]:
    """Return the columns of someone's row in the standings, and how it is read aloud."""
    points = f"{shown(row.points):>6} {float(row.wins):>4.3g}"
    ties = f"{float(row.opponents) / 2:>10.2f} {float(row.margin):>7.1f}"
    return f"{points} {ties}{gone}", f"{shown(row.points)} points."


def _arena_row(row: ArenaRow, _: str) -> tuple[str, str]:
    """Return the columns of someone's row in an arena, and how it is read aloud."""
    tables = count(row.tables, "table")
    return f"{shown(row.points):>6}  {tables}", f"{shown(row.points)} points at {tables}."


def _progress(now_in: Tournament) -> str:
    done = sum(one.done for one in now_in.rounds)
    return f"{done} of {count(now_in.planned, 'round')}" if now_in.planned else count(done, "round")


def pairing_rows(now_in: Tournament, one: Round, called: Called) -> Iterator[str]:
    """Yield the tables and byes of a round."""
    yield f"{now_in.header.name}, {_numbered(now_in, one)}:"
    for number, table in enumerate(one.tables, 1):
        at = f" at #{table.number}" if table.number else ""
        yield f"  table {number}{at}: {_people(table, one, called)}"
    for bye in one.byes:
        yield f"  bye: {called(bye.key)}, {shown(bye.points)} points"


def _people(table: RoundTable, one: Round, called: Called) -> str:
    """Return who plays at a table, with everyone's points once it is done."""
    points = result.points if (result := table.result(one.number)) else {}
    people = []
    for key in sorted(table.paired.people, key=lambda key: -points.get(key, 0)):
        words = "a bot" if key in table.absent else shown(points[key]) if key in points else ""
        people.append(f"{called(key)} ({words})" if key in table.absent else f"{called(key)} {words}".strip())
    bots = [count(table.paired.bots, "bot")] if table.paired.bots else []
    return listing([*people, *bots]) + (", no result" if table.void else "")
