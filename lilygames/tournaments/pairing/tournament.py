"""A tournament as a frozen value: the fold of its log. Pure; nothing here waits, writes or reads a clock."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

import attrs

from lilygames import codec
from lilygames.tournaments.pairing import arena, round_robin
from lilygames.tournaments.pairing.log import (
    FEWEST_PLAYERS,
    Act,
    Body,
    Bye,
    Cancelled,
    CheckedIn,
    Corrected,
    Delayed,
    Finished,
    Form,
    Header,
    Joined,
    KeptApart,
    Left,
    Lengthened,
    NoShow,
    PairedTable,
    RoundPaired,
    SeatResult,
    TableAdded,
    TableFinished,
    TableOpened,
)
from lilygames.tournaments.pairing.points import AVERAGE, HalfPoints, Row, TableResult, lot, standings
from lilygames.tournaments.pairing.swiss import Pairing, may_still_join
from lilygames_rules.kit import Refused

Status = Literal["open", "running", "over", "cancelled"]


@attrs.frozen
class Player:
    """Someone in a tournament, with the points they have without a table."""

    key: str
    name: str
    playing: bool = True
    """Whether they are paired in the next round; not after leaving or a no-show."""
    checked_in: bool = False
    given: HalfPoints = 0
    waits_since: float = 0.0
    """Since when they wait for a table of an arena."""
    struck: bool = False
    """Whether they left a round robin so early that their results don't count."""
    guest: bool = False


@attrs.frozen
class RoundTable:
    """A table of a round, from its pairing to its result."""

    paired: PairedTable
    number: int = 0
    """The number of the table on the server; 0 until it is open."""
    opened: float = 0.0
    absent: frozenset[str] = frozenset()
    """Players whose seat a bot has, because they weren't there in time."""
    done: float = 0.0
    """When it was done; 0 before."""
    seats: tuple[SeatResult, ...] = ()
    early: bool = False

    def result(self, round_: int) -> TableResult | None:
        """Return the result; None before the end, and if there is none."""
        if not self.seats:
            return None
        players = tuple("" if seat.key in self.absent else seat.key for seat in self.seats)
        left = frozenset(place for place, seat in enumerate(self.seats) if seat.left and players[place])
        return TableResult(round_, players, tuple(seat.score for seat in self.seats), left)

    @property
    def void(self) -> bool:
        """Whether the table is done without a result."""
        return bool(self.done) and not self.seats

    @property
    def alone(self) -> bool:
        """Whether at most one person played there, with bots."""
        return len({*self.paired.people} - self.absent) <= 1


@attrs.frozen
class Round:
    """A round: its tables and byes, when it began, and the seconds that were added to its times."""

    number: int
    began: float
    order: tuple[str, ...]
    tables: tuple[RoundTable, ...]
    byes: tuple[Bye, ...] = ()
    final: bool = False
    added: float = 0.0

    @property
    def pairing(self) -> Pairing:
        """The people at each table, and those with a bye."""
        return Pairing(tuple(table.paired.people for table in self.tables), tuple(bye.key for bye in self.byes))

    @property
    def done(self) -> bool:
        """Whether all tables are done."""
        return all(table.done for table in self.tables)

    @property
    def ended(self) -> float:
        """When the last table was done."""
        return max((table.done for table in self.tables), default=self.began)

    @cached_property
    def results(self) -> tuple[TableResult, ...]:
        """The results so far."""
        return tuple(result for table in self.tables if (result := table.result(self.number)))


# events


@attrs.frozen
class PlayerJoined:
    """Someone has joined; `late` if a round has begun."""

    key: str
    late: bool = False
    again: bool = False


@attrs.frozen
class PlayerLeft:
    """Someone has left."""

    key: str


@attrs.frozen
class StartDelayed:
    """The start waits for more players."""

    until: float


@attrs.frozen
class RoundBegan:
    """A round has begun."""

    round: int


@attrs.frozen
class SeatsReady:
    """A table is open, and its players have their seats."""

    round: int
    table: int


@attrs.frozen
class SeatTaken:
    """A bot has the seat of a player who wasn't there."""

    round: int
    table: int
    key: str


@attrs.frozen
class TableEnded:
    """A table is done."""

    round: int
    table: int


@attrs.frozen
class RoundEnded:
    """All tables of a round are done."""

    round: int


@attrs.frozen
class ScoresCorrected:
    """The organizer has corrected a table."""

    round: int
    table: int
    by: str
    why: str


@attrs.frozen
class CalledOff:
    """The tournament was cancelled."""

    by: str
    why: str


@attrs.frozen
class Ended:
    """The tournament is over, with a final standing."""


Event = (PlayerJoined | PlayerLeft | StartDelayed | RoundBegan | SeatsReady | SeatTaken) | (
    TableEnded | RoundEnded | ScoresCorrected | CalledOff | Ended
)


@attrs.frozen
class Tournament:
    """A tournament as its log has left it."""

    header: Header
    seq: int = 0
    status: Status = "open"
    seed: str = ""
    """The seed of all lots; published with the first round."""
    starts: float = attrs.field(default=attrs.Factory(lambda self: self.header.starts, takes_self=True))
    players: Mapping[str, Player] = attrs.field(factory=dict)
    apart: frozenset[tuple[str, str]] = frozenset()
    rounds: tuple[Round, ...] = ()
    planned: int = attrs.field(default=attrs.Factory(lambda self: self.header.rounds, takes_self=True))
    """The number of rounds; 0 until it follows from the number of players."""
    done: float = 0.0

    # what is the case

    @property
    def going(self) -> bool:
        """Whether it isn't over yet."""
        return self.status in ("open", "running")

    @property
    def round(self) -> Round | None:
        """The latest round, or None before the first."""
        return self.rounds[-1] if self.rounds else None

    @property
    def present(self) -> tuple[str, ...]:
        """The players who would be paired now, in the order in which they joined."""
        return tuple(key for key, one in self.players.items() if one.playing and one.checked_in)

    @property
    def short(self) -> bool:
        """Whether it is two Swiss rounds with bots: the place's own one, but no arena, begins with fewer than 4."""
        begins_with = self.rounds[0].order if self.rounds else self.present
        return self.header.of_place and self.header.form != "arena" and len(begins_with) < FEWEST_PLAYERS

    @property
    def form(self) -> Form:
        """The form that is played."""
        return "swiss" if self.short else self.header.form

    def without(self, absent: Container[str]) -> Tournament:
        """Return the tournament as it would be if these players weren't paired."""
        players = {
            key: attrs.evolve(one, playing=one.playing and key not in absent) for key, one in self.players.items()
        }
        return attrs.evolve(self, players=players)

    def _check_may_join(self, key: str) -> None:
        """Raise `Refused` if someone can't join or come back now."""
        known = self.players.get(key)
        if known and known.playing:
            raise Refused("joined")
        if known and known.struck:
            raise Refused("struck")
        late = self.form == "swiss" and self.rounds and not may_still_join(len(self.rounds), self.planned)
        if known is None and late:
            raise Refused("too-late")
        if self._is_closed_to(key) or (self.rounds and self.form == "knockout"):
            raise Refused("begun")

    def _is_closed_to(self, key: str) -> bool:
        """Whether a round robin or a knockout has begun without someone."""
        return self.form in ("robin", "knockout") and bool(self.rounds) and key not in self.rounds[0].order

    def table(self, round_: int, table: int) -> RoundTable:
        """Return a table by its round and its number in it, both from 1; raises `Refused`."""
        if not (1 <= round_ <= len(self.rounds) and 1 <= table <= len(self.rounds[round_ - 1].tables)):
            raise Refused("no-such-table", round=round_, table=table)
        return self.rounds[round_ - 1].tables[table - 1]

    # standings

    @cached_property
    def results(self) -> tuple[TableResult, ...]:
        """All results that count; those of a player who left a round robin early are struck."""
        found: list[TableResult] = []
        struck = [key for key, one in self.players.items() if one.struck]
        for result in (result for one in self.rounds for result in one.results):
            kept: TableResult | None = result
            for key in struck:
                kept = round_robin.without(kept, key) if kept and key in kept.players else kept
            found += [kept] if kept else []
        return tuple(found)

    @cached_property
    def standings(self) -> tuple[Row, ...]:
        """The standings of everyone, best first. After a final, those who played it come first, in its order."""
        given = {key: one.given + self._void_points.get(key, 0) for key, one in self.players.items()}
        final = [one for one in self.rounds if one.final]
        numbers = {one.number for one in final}
        before = [result for result in self.results if result.round not in numbers]
        rows = standings(self.players, before, given, {key: lot(self.seed, key) for key in self.players})
        for result in (result for one in final for result in one.results):
            places = {row.name: place for place, row in enumerate(rows)}
            best = sorted(result.points, key=lambda key: (-result.points[key], places[key]))
            rows = [rows[places[key]] for key in best] + [row for row in rows if row.name not in best]
        if self.form == "knockout":
            return tuple(sorted(rows, key=lambda row: -self._reached(row.name)))
        return tuple(rows)

    @cached_property
    def _void_points(self) -> Mapping[str, HalfPoints]:
        found: dict[str, HalfPoints] = {}
        for table in (table for one in self.rounds for table in one.tables if table.void):
            for key in table.paired.people:
                found[key] = found.get(key, 0) + (0 if key in table.absent else AVERAGE)
        return found

    def _reached(self, key: str) -> int:
        """Return the last round of a knockout that someone was in."""
        return max((one.number for one in self.rounds if key in one.order), default=0)

    @cached_property
    def arena_standings(self) -> tuple[arena.ArenaRow, ...]:
        """The standings of an arena, best first."""
        played: dict[str, list[tuple[float, HalfPoints]]] = {key: [] for key in self.players}
        done = [table for one in self.rounds for table in one.tables if table.done]
        for table in sorted(done, key=lambda one: one.done):
            result = table.result(1)
            void = {key: AVERAGE for key in table.paired.people if key not in table.absent}
            for key, points in (result.points if result else void).items():
                played[key].append((table.done, self.counted(table, points)))
        return tuple(arena.arena_standings(played))

    def counted(self, table: RoundTable, points: HalfPoints) -> HalfPoints:
        """Return what someone's points at a table of an arena count; half without another person, in a place's own."""
        if table.early:
            return 0
        return points // 2 if self.halves(table) else points

    def halves(self, table: RoundTable) -> bool:
        """Whether a table counts half."""
        return self.header.of_place and self.header.form == "arena" and table.alone

    @property
    def ranking(self) -> Sequence[Row | arena.ArenaRow]:
        """The standings by which the tournament is won."""
        return self.arena_standings if self.header.form == "arena" else self.standings

    @property
    def leaders(self) -> Sequence[Row | arena.ArenaRow]:
        """Those who can win it, best first: in one of the place's own, guests only if there is nobody else."""
        return [row for row in self.ranking if not self.is_apart(row.name)] or self.ranking

    def is_apart(self, key: str) -> bool:
        """Whether a player is listed apart, because they are a guest."""
        return self.header.of_place and self.players[key].guest

    # the step

    def after(self, act: Act, at: float) -> tuple[Tournament, tuple[Event, ...]]:
        """Return the tournament after `act` at a time, and what happened; raises `Refused` and changes nothing."""
        if not (self.going or isinstance(act, Corrected)):
            raise Refused("over")
        match act:
            case Joined() | Left() | CheckedIn() | KeptApart():
                changed, events = self._entered(act, at)
            case Delayed(until):
                changed, events = {"starts": until}, (StartDelayed(until),)
            case RoundPaired():
                changed, events = self._paired(act, at), (RoundBegan(act.round),)
            case Lengthened(seconds):
                changed, events = self._lengthened(seconds), ()
            case Cancelled(by, why):
                changed, events = {"status": "cancelled", "done": at}, (CalledOff(by, why),)
            case Finished():
                changed, events = {"status": "over", "done": at}, (Ended(),)
            case _:
                changed, events = self._at_table(act, at)
        return attrs.evolve(self, seq=self.seq + 1, **changed), tuple(events)

    def _entered(self, act: Joined | Left | CheckedIn | KeptApart, at: float) -> tuple[dict[str, Any], Iterable[Event]]:
        match act:
            case Joined():
                return self._joined(act, at)
            case KeptApart(one, other):
                return {"apart": self.apart | {(min(one, other), max(one, other))}}, ()
            case Left(key) if key not in self.players or not self.players[key].playing:
                raise Refused("not-joined")
            case Left(key):
                return self._changed(key, playing=False, struck=self._is_struck(key)), (PlayerLeft(key),)
            case CheckedIn(key) if key not in self.players:
                raise Refused("not-joined")
            case CheckedIn(key) if self._is_closed_to(key):
                raise Refused("begun")
        return self._changed(act.key, checked_in=True), ()

    def _joined(self, act: Joined, at: float) -> tuple[dict[str, Any], Iterable[Event]]:
        key, late = act.key, self.status == "running"
        known = self.players.get(key)
        self._check_may_join(key)
        given = 0 if known or not late or self.header.form == "arena" else AVERAGE
        fresh = known or Player(key, act.name, given=given)
        there = late or fresh.checked_in or self.header.of_place
        player = attrs.evolve(fresh, name=act.name, playing=True, checked_in=there, waits_since=at, guest=act.guest)
        events = [PlayerJoined(key, late=late, again=known is not None)]
        return {"players": {**self.players, key: player}}, events

    def _changed(self, key: str, **fields: Any) -> dict[str, Any]:
        return {"players": {**self.players, key: attrs.evolve(self.players[key], **fields)}}

    def _is_struck(self, key: str) -> bool:
        """Whether the results of someone who leaves are struck: before half of their games in a round robin."""
        if self.header.form != "robin" or not self.rounds:
            return False
        played = sum(key in result.points for one in self.rounds for result in one.results)
        return round_robin.is_struck(played, self.planned)

    def _paired(self, act: RoundPaired, at: float) -> dict[str, Any]:
        if act.round != len(self.rounds) + 1 or (self.round and not self.round.done):
            raise Refused("round")
        players = dict(self.players)
        for bye in act.byes:
            players[bye.key] = attrs.evolve(players[bye.key], given=players[bye.key].given + bye.points)
        tables = tuple(map(RoundTable, act.tables))
        new = Round(act.round, at, act.order, tables, act.byes, final=act.final)
        if self.header.of_place and not self.rounds:  # whoever isn't there says so when they are back
            players = {key: attrs.evolve(one, playing=key in act.order) for key, one in players.items()}
        waiting = {key: attrs.evolve(one, waits_since=at) for key, one in players.items()}
        return {
            "status": "running",
            "seed": self.seed or act.seed,
            "planned": act.of or self.planned,
            "players": waiting if self.header.form == "arena" else players,
            "rounds": (*self.rounds, new),
        }

    def _at_table(
        self, act: TableAdded | TableOpened | NoShow | TableFinished | Corrected, at: float
    ) -> tuple[dict[str, Any], Iterable[Event]]:
        match act:
            case TableAdded(paired):
                return self._with_table(paired), ()
            case TableOpened(round_, table, number):
                opened = attrs.evolve(self.table(round_, table), number=number, opened=at)
                return self._replaced(round_, table, opened), (SeatsReady(round_, table),)
            case NoShow(round_, table, key):
                return self._without(round_, table, key), (SeatTaken(round_, table, key),)
            case Corrected(round_, table, scores, by, why):
                return self._corrected(act, scores), (ScoresCorrected(round_, table, by, why),)
        return self._finished(act, at)

    def _with_table(self, paired: PairedTable) -> dict[str, Any]:
        if self.header.form != "arena" or self.round is None:
            raise Refused("round")
        if not all(key in self.players and self.players[key].waits_since for key in paired.people):
            raise Refused("round")
        players = {key: attrs.evolve(self.players[key], waits_since=0.0) for key in paired.people}
        added = attrs.evolve(self.round, tables=(*self.round.tables, RoundTable(paired)))
        return {"players": {**self.players, **players}, "rounds": (*self.rounds[:-1], added)}

    def _replaced(self, round_: int, table: int, new: RoundTable) -> dict[str, Any]:
        old = self.rounds[round_ - 1]
        tables = tuple(new if number == table else one for number, one in enumerate(old.tables, 1))
        changed = attrs.evolve(old, tables=tables)
        return {"rounds": (*self.rounds[: round_ - 1], changed, *self.rounds[round_:])}

    def _without(self, round_: int, table: int, key: str) -> dict[str, Any]:
        old = self.table(round_, table)
        if key not in old.paired.people or key in old.absent or old.done:
            raise Refused("no-such-player")
        absent = self._replaced(round_, table, attrs.evolve(old, absent=old.absent | {key}))
        return absent | self._changed(key, playing=False)

    def _finished(self, act: TableFinished, at: float) -> tuple[dict[str, Any], Iterable[Event]]:
        old = self.table(act.round, act.table)
        if old.done:
            raise Refused("done")
        new = attrs.evolve(old, done=at, seats=act.seats, early=act.early)
        changed = self._replaced(act.round, act.table, new)
        if self.header.form == "arena":
            left = {seat.key for seat in act.seats if seat.left and seat.key} if self.header.of_place else ()
            waits = {key: attrs.evolve(self.players[key], waits_since=at) for key in old.paired.people}
            gone = {key: attrs.evolve(waits[key], playing=False) for key in left}
            return changed | {"players": {**self.players, **waits, **gone}}, (TableEnded(act.round, act.table),)
        round_ended = [RoundEnded(act.round)] if changed["rounds"][act.round - 1].done else []
        return changed, (TableEnded(act.round, act.table), *round_ended)

    def _corrected(self, act: Corrected, scores: tuple[int, ...]) -> dict[str, Any]:
        old = self.table(act.round, act.table)
        if len(scores) != len(old.seats):
            raise Refused("scores", seats=len(old.seats))
        seats = tuple(attrs.evolve(seat, score=score) for seat, score in zip(old.seats, scores, strict=True))
        return self._replaced(act.round, act.table, attrs.evolve(old, seats=seats))

    def _lengthened(self, seconds: float) -> dict[str, Any]:
        if self.round is None:
            return {}
        return {"rounds": (*self.rounds[:-1], attrs.evolve(self.round, added=self.round.added + seconds))}

    # reading a log

    def extended(self, bodies: Iterable[tuple[str, float]]) -> Iterator[tuple[Tournament, tuple[Event, ...]]]:
        """Yield the tournament after each stored entry (its body and time), with its events.

        Raises `ValueError` or `Refused` if an entry doesn't fit.
        """
        now = self
        for body, at in bodies:
            now, events = now.after(codec.from_text(body, Body).act, at)
            yield now, events
