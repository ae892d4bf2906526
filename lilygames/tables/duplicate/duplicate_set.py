"""A duplicate set as a value: several tables with the same cards, as the fold of the set's own log. Pure.

A set has a seal of its own. Its first table, or the server alone for a daily deal, seals it once; every later table
takes its key. So the same purposes draw the same luck everywhere. The secret is opened when the last table is done.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, cast

import attrs

from lilygames import codec
from lilygames.game import Game
from lilygames.proofs import commitments
from lilygames.tables.duplicate.matchpoints import Placed, Result, compared
from lilygames.tables.log import beacon
from lilygames.tables.log.acts import Committed, Forgotten, Header, Revealed, RoundAct, Sealing, Sitter, Voided
from lilygames.tables.log.names_beside import Change, is_id, with_names
from lilygames.tables.log.seat_ids import SeatIds
from lilygames.tables.seal.rounds import Rounds
from lilygames.tables.state.strategies import version_of
from lilygames_rules.kit import Refused, Seat

DAYS_OPEN = 7
"""Days in which a set takes new tables, unless its opener ends it earlier."""
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


def is_name(text: str) -> bool:
    """Return whether a text can name a set: lower-case letters, digits and hyphens, at most 40."""
    return bool(_NAME.fullmatch(text))


@attrs.frozen
class SetHeader:
    """The facts that all tables of a set share. `until` is when it stops taking new tables, in seconds since 1970."""

    name: str
    game: str
    version: int
    options: dict[str, Any]
    seal: str
    by: str
    until: float
    first: int = 0
    """The number of the table that seals the set, in exports from before release 0.2; 0 in all others."""
    by_table: bool = attrs.field(default=False, metadata={codec.LATER: True})
    """Whether the first table that is added seals the set; otherwise the server alone does."""
    strategies: Mapping[str, str] = attrs.field(factory=dict, metadata={codec.LATER: True})
    """The version of each bot's strategy, by level. A level that isn't named may have any version."""
    beacon: str = attrs.field(default="", metadata={codec.LATER: True})
    """Name of the public beacon whose number is sealed with a daily deal; empty if there is none."""
    opens: float = attrs.field(default=0.0, metadata={codec.LATER: True})
    """When the beacon's number is drawn: its first round at or after this time, in seconds since 1970."""
    ids: bool = attrs.field(default=False, metadata={codec.LATER: True})
    """Whether ids stand for people and accounts in the stored log."""
    people: SeatIds = attrs.field(default=SeatIds(), metadata={codec.BESIDE: True}, eq=False, repr=False)
    """Those ids, and the names and account keys that are stored beside the log."""


@attrs.frozen
class Added:
    """A table of the set is opened. In a daily deal, `key` is the account that plays; `apart` lists it apart."""

    table: int
    at: float
    key: str = ""
    apart: bool = False


@attrs.frozen
class SeatResult:
    """A player's result at one seat. `level` is a bot's, `deals` are the points of each deal, or of the whole game."""

    name: str
    key: str
    deals: tuple[int, ...]
    level: str = ""
    left: bool = False


@attrs.frozen
class Finished:
    """A table of the set is done. Without `seats` it was broken off."""

    table: int
    at: float
    seats: tuple[SeatResult, ...] = ()
    seen: tuple[str, ...] = attrs.field(default=(), metadata={codec.LATER: True})
    """Account keys of everyone who had a seat there after the start, so has seen cards."""


@attrs.frozen
class Spoiled:
    """A bot failed at a table twice in a row, so its results aren't compared. `case` is the case number."""

    table: int
    case: str


@attrs.frozen
class Ended:
    """The set takes no more tables, before its time."""

    by: str


@attrs.frozen
class Opened:
    """Every table is done, and the secret is published (hexadecimal)."""

    secret: str


SetAct = (Committed | Sealing | Revealed | Voided) | (Added | Spoiled | Finished | Ended | Opened | Forgotten)


@attrs.frozen
class SetBody:
    """The body of an entry of a set's log."""

    act: SetAct


def set_act_with(act: SetAct, change: Change) -> SetAct:
    """Return an act with each person's name and account key changed by `change`; bots keep their names."""
    match act:
        case Added(key=key):
            return attrs.evolve(act, key=change(key))
        case Finished(seats=seats, seen=seen):
            results = tuple(_result_with(one, change) for one in seats)
            return attrs.evolve(act, seats=results, seen=tuple(map(change, seen)))
        case Ended(by):
            return attrs.evolve(act, by=change(by))
        case Spoiled() | Opened():
            return act
    return cast("SetAct", with_names(act, change))


def _result_with(one: SeatResult, change: Change) -> SeatResult:
    return one if one.level else attrs.evolve(one, name=change(one.name), key=change(one.key))


def names_of(act: SetAct) -> list[str]:
    """Return the names and keys of people in an act, or in a stored one their ids."""
    names: list[str] = []

    def noticed(name: str) -> str:
        names.append(name)
        return name

    set_act_with(act, noticed)
    return [name for name in names if name]


def ids_of(act: SetAct) -> list[str]:
    """Return the ids in a stored act."""
    return [name for name in names_of(act) if is_id(name)]


def act_of(body: codec.Json) -> SetAct:
    """Return the act in the stored body of an entry; raises `ValueError`."""
    act: SetAct = codec.load(body, SetBody).act
    return act


@attrs.frozen
class SetTable:
    """A table of a set: how it was opened, how it was finished, and the case number if it was spoiled."""

    added: Added
    finished: Finished | None = None
    case: str = ""


def _rounds(header: SetHeader) -> Rounds:
    table = commitments.duplicate_id(header.name, header.game, header.version, header.seal)
    return Rounds(table, header.seal, people=header.people)


@attrs.frozen
class DuplicateSet:
    """A set as its log has left it."""

    header: SetHeader
    seq: int = 0
    rounds: Rounds = attrs.field(default=attrs.Factory(lambda self: _rounds(self.header), takes_self=True))
    tables: Mapping[int, SetTable] = attrs.field(factory=dict)
    ended: bool = False
    secret: str = ""
    """The published secret; empty until every table is done."""

    @property
    def first(self) -> int:
        """The number of the table that seals the set; 0 if the server does, or no table has been added."""
        return self.header.first or (next(iter(self.tables), 0) if self.header.by_table else 0)

    @property
    def people(self) -> SeatIds:
        """The people and accounts in the set's log, with their ids."""
        return self.header.people

    def knowing(self, people: SeatIds) -> DuplicateSet:
        """Return the set with more people known."""
        header, rounds = attrs.evolve(self.header, people=people), attrs.evolve(self.rounds, people=people)
        return attrs.evolve(self, header=header, rounds=rounds)

    @property
    def sealed(self) -> bool:
        """Whether the cards are fixed, so that more tables can take the key."""
        return self.rounds.dealt is not None

    @property
    def seats(self) -> tuple[tuple[str, str], ...]:
        """The name and level of each seat, as they were sealed; only the levels bind other tables."""
        return self.rounds.dealt.sealed.seats if self.rounds.dealt else ()

    @property
    def words(self) -> tuple[tuple[str, str], ...]:
        """The words that were sealed with the cards; in a daily deal, that of the beacon."""
        return self.rounds.dealt.sealed.words if self.rounds.dealt else ()

    @property
    def opened(self) -> bool:
        """Whether the secret is published."""
        return bool(self.secret)

    def takes_tables(self, now: float) -> bool:
        """Return whether another table can be opened now."""
        return not (self.ended or self.opened) and now < self.header.until

    def plays(self, number: int) -> bool:
        """Return whether a table of the set isn't done yet."""
        return number in self.tables and self.tables[number].finished is None

    def done(self, now: float) -> bool:
        """Return whether no table is still playing, and none can follow, so that the secret can be opened."""
        playing = any(map(self.plays, self.tables))
        return not (playing or self.opened or self.takes_tables(now))

    def key(self, secret: bytes) -> bytes:
        """Return the key of all luck of the set's tables; raises `WrongSecret`, or `Refused` before it is sealed."""
        return self.rounds.key(secret)

    def can_be_played(self, game: Game) -> bool:
        """Return whether the set's rules, and the strategies of its bots, are those that are installed."""
        pinned = self.header.strategies
        levels = {level for _, level in self.seats if level}
        same = all(pinned.get(level, version_of(game, level)) == version_of(game, level) for level in levels)
        return same and levels <= {*game.players} and game.by_version(self.header.version) is not None

    def has_begun(self, key: str) -> bool:
        """Return whether an account has begun a daily deal; it can't begin it again."""
        return any(table.added.key == key for table in self.tables.values())

    def has_played(self, key: str) -> bool:
        """Return whether an account's game at a table of the set is over, played to the end or not."""
        finished = (table.finished for table in self.tables.values() if table.finished)
        return any(key in done.seen or any(one.key == key for one in done.seats) for done in finished)

    def after(self, act: SetAct) -> DuplicateSet:
        """Return the set after an act; raises `Refused`."""
        match act:
            case Opened() if self.opened:
                raise Refused("opened")
            case Opened(secret) if commitments.seal_of(bytes.fromhex(secret)) != self.rounds.seal:
                raise Refused("bad-secret")
            case Opened(secret):
                return self._with(secret=secret)
            case Ended():
                return self._with(ended=True)
            case Forgotten():
                return self._with()
            case Added(key=key) if key and self.has_begun(key):
                raise Refused("begun")
            case Added(at=at) if not self.takes_tables(at):  # its secret may be public
                raise Refused("ended")
            case Added(table):
                return self._with(tables={**self.tables, table: SetTable(act)})
            case Finished(table) | Spoiled(table):
                return self._with(tables={**self.tables, table: self._played(table, act)})
        return self._with(rounds=self._rounds_after(act))

    def _played(self, table: int, act: Finished | Spoiled) -> SetTable:
        if not self.plays(table):
            raise Refused("not-playing")
        if isinstance(act, Spoiled):
            return attrs.evolve(self.tables[table], case=act.case)
        return attrs.evolve(self.tables[table], finished=act)

    def _rounds_after(self, act: RoundAct) -> Rounds:
        """Return the rounds after an act of the table that seals the set; complete as soon as no nonce is missing."""
        if self.sealed:
            raise Refused("sealed")
        rounds = self._with_words(act).after(act, self._seats(act), self.header.options, ())
        return rounds.completed() if rounds.sealed and not rounds.missing else rounds

    def _with_words(self, act: RoundAct) -> Rounds:
        """Return the rounds with the word of the beacon, which the set's log tells only as it is sealed."""
        if self.header.first or self.header.by_table or not isinstance(act, Sealing):
            return self.rounds
        if not beacon.fits(self.header.beacon, act.sealing.words):
            raise Refused("bad-sealing")
        return attrs.evolve(self.rounds, words=act.sealing.words)

    def _seats(self, act: RoundAct) -> tuple[Sitter, ...]:
        """Return the seats that an act names; the set's log doesn't hold who sat down when."""
        match act:
            case Sealing(sealing):
                return tuple(Sitter(name, level) for name, level in sealing.seats)
            case Committed(name):
                return (Sitter(name),)
        return ()

    def _with(self, **changed: Any) -> DuplicateSet:
        return attrs.evolve(self, seq=self.seq + 1, **changed)

    @classmethod
    def folded(cls, header: codec.Json, *bodies: codec.Json, people: SeatIds = SeatIds()) -> DuplicateSet:  # noqa: B008 - frozen
        """Return the set that a stored log tells: its header, then the body of each entry, as JSON.

        Ids that `people` doesn't have become former players. Raises `ValueError` or `Refused` if an entry doesn't fit.
        """
        stored: SetHeader = codec.load(header, SetHeader)
        named = attrs.evolve(stored, by=people.name_of(stored.by), people=people)
        return cls(named, seq=1).extended(*map(act_of, bodies))

    def extended(self, *acts: SetAct) -> DuplicateSet:
        """Return the set after more stored acts; raises as `folded` does."""
        ids = [id_ for act in acts for id_ in ids_of(act)]
        found = self if all(map(self.people.knows, ids)) else self.knowing(self.people.meeting(ids))
        for act in acts:
            found = found.after(set_act_with(act, found.people.name_of))
        return found

    def secret_of(self, header: Header) -> bytes | None:
        """Return the secret of a table of this set; None until the set's own is published, or for another table."""
        named = (header.duplicate, header.game, header.version, header.options)
        ours = (self.header.name, self.header.game, self.header.version, self.header.options)
        if not self.opened or named != ours or header.number not in self.tables:
            return None
        secret = bytes.fromhex(self.secret)
        return self.key(secret) if header.keyed else secret

    # comparing

    def results(self, seat: Seat) -> list[Result]:
        """Return the results at a seat, by table: of people who played to the end, at tables that are compared."""
        found = []
        for number, table in self.tables.items():
            done = table.finished
            if done and not table.case and seat < len(done.seats):
                one = done.seats[seat]
                if not (one.level or one.left):
                    found.append(Result(number, one.name, one.deals))
        return found

    def standings(self) -> dict[Seat, list[Placed]]:
        """Return the comparison at each seat where people have played."""
        by_seat = {seat: compared(self.results(seat)) for seat in range(len(self.seats))}
        return {seat: placed for seat, placed in by_seat.items() if placed}
