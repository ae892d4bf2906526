"""A table as a value: the fold of its log. Pure; nothing here waits, writes or sends."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from hashlib import sha256
from typing import Any

import attrs

from lilygames import codec
from lilygames.chat.names.names import fold
from lilygames.game import Game
from lilygames.lesson import Lesson, Theirs, Yours
from lilygames.store import Entry
from lilygames.tables.log.acts import (
    Act,
    Adjudicated,
    Body,
    Closed,
    Committed,
    Cut,
    Expired,
    Forgotten,
    Frozen,
    Header,
    Hinted,
    Joined,
    Left,
    Moved,
    Noted,
    Paced,
    Paused,
    Resumed,
    Revealed,
    Rooted,
    RoundAct,
    Sealing,
    Seated,
    Sitter,
    Start,
    Undone,
    UndoneUncounted,
    Unfrozen,
    Voided,
)
from lilygames.tables.log.clocks import Clock
from lilygames.tables.log.names_beside import hidden_header, with_names
from lilygames.tables.log.seat_ids import SeatIds
from lilygames.tables.seal import seal
from lilygames.tables.seal.closed_deck import ClosedDeck
from lilygames.tables.seal.fixed_facts import FixedFacts
from lilygames.tables.seal.luck import TableLuck
from lilygames.tables.seal.rounds import Rounds, noted
from lilygames.tables.state.cached import cached
from lilygames.tables.state.seats import Seats
from lilygames.text import Voice
from lilygames_rules.changed import changer, maker
from lilygames_rules.kit import Event, Join, KeyedLuck, Leave, Luck, Outcome, Purpose, Refused, Seat, Step


class Diverged(Exception):
    """The replay doesn't match the log; entry `seq` is the first that differs."""

    def __init__(self, seq: int) -> None:
        super().__init__(f"entry {seq} differs from its replay")
        self.seq = seq


def _headed(header: Header) -> str:
    """Return the digest before the first entry: that of the header, so that it covers the options.

    Fields with default values are left out, so a field added in a later release doesn't change the digests of older
    tables.
    """
    stored = hidden_header(header)
    fields = [(field, getattr(stored, field.name)) for field in attrs.fields(Header) if field.name != "people"]
    return _digest(codec.to_text({field.name: value for field, value in fields if value != field.default}))


PLAIN, SPOKEN = Voice(), Voice(spoken=True)
UNDOABLE = 50
"""Number of latest moves that can be taken back. It may grow but must never shrink: logs rely on it."""


def _as_it_is(luck: Luck) -> Luck:
    return luck


def _counted(counts: tuple[int, ...], seats: Iterable[Seat], more: int) -> tuple[int, ...]:
    """Return counts by seat after each of these seats has moved (`more` is 1) or taken a move back (-1)."""
    changed = [*counts]
    for seat in seats:
        if seat >= len(changed):
            changed += [0] * (seat + 1 - len(changed))
        changed[seat] += more
    return tuple(changed)


def _seats(sitters: Iterable[Sitter]) -> Seats:
    """Return sitters as `Seats`; an existing `Seats` is returned as it is, with its cache."""
    return sitters if isinstance(sitters, Seats) else Seats(sitters)


@attrs.frozen
class Past:
    """A move that can be taken back: its seat, and the game and clock before it, as after entry `to`."""

    to: int
    state: Any = attrs.field(repr=False)
    clock: Clock
    who: Sitter
    act: Moved | Expired


@attrs.frozen(slots=False)  # see `lilygames.tables.state.cached`
class Table:
    """A game in play: header, secret, what the log has recorded so far, and the rules' state once started."""

    header: Header
    game: Game
    secret: bytes = attrs.field(repr=False)
    seq: int = 0
    told: str = attrs.field(default=attrs.Factory(lambda self: _headed(self.header), takes_self=True))
    seats: Seats = attrs.field(default=Seats(), converter=_seats)
    cuts: tuple[tuple[Seat, str], ...] = ()
    rounds: Rounds = attrs.field(default=attrs.Factory(lambda self: Rounds.of(self.header), takes_self=True))
    """The commitments and reveals of the players' clients."""
    purses: tuple[int, ...] = ()
    """The stake of each seat; empty if the game doesn't use purses."""
    state: Any = None
    paused: bool = False
    fixed: str = ""
    """The root of what the deal fixed and keeps hidden; empty if there is nothing."""
    closed: bool = False
    frozen: bool = False
    """Whether no moves can be made until the table is unfrozen."""
    guests: tuple[str, ...] = ()
    """Folded names of people who were invited after the table was opened, and haven't declined since."""
    declined: tuple[str, ...] = ()
    """Folded names of everyone who has declined an invitation."""
    adjudicated: Adjudicated | None = None
    """The act that ended the game with a stated result, if any."""
    clock: Clock = attrs.field(default=attrs.Factory(lambda self: self.header.clock, takes_self=True))
    counted: bool = True
    """Whether the game counts for ratings, statistics and purses."""
    hints: bool = False
    """Whether the players may see hints."""
    owed: tuple[int, ...] = ()
    """Each seat's win or loss of its purse when the game stopped counting."""
    past: tuple[Past, ...] = attrs.field(default=(), eq=False, repr=False)
    """The latest moves that can be taken back, the last one last."""
    made: int = 0
    """Number of moves made and not taken back, with players who joined or left; also the position in a lesson."""
    moved: tuple[int, ...] = ()
    """Number of moves made and not taken back, by seat; later seats haven't moved yet."""
    undone: int = attrs.field(default=0, eq=False)
    """Number of moves the last act took back."""
    said: str = attrs.field(default="", eq=False, repr=False)
    """The text of the last act as stored: written once, for both its digest and its entry."""
    lucky: Callable[[Luck], Luck] = attrs.field(default=_as_it_is, eq=False, repr=False)
    """Wraps the luck of each act; a counting one is used to test whether luck is fair."""

    @property
    def options(self) -> Any:
        """The options of this table."""
        return codec.load(self.header.options, self.game.rules.Options)

    @cached
    def started(self) -> bool:
        """Whether the game has started."""
        return self.state is not None

    @cached
    def lesson(self) -> Lesson | None:
        """The lesson played here, or None for a normal game."""
        return self.game.lesson if self.header.lesson else None

    @property
    def step(self) -> Theirs | Yours | None:
        """The next step of a lesson; None after its end and in a normal game."""
        return self.lesson.step(self.made) if self.lesson and self.started else None

    @property
    def scripted(self) -> tuple[Seat, Any] | None:
        """The next move of a lesson and its seat; None after its end and in a normal game."""
        step, lesson = self.step, self.lesson
        if step is None or lesson is None:
            return None
        seat = step.seat if isinstance(step, Theirs) else lesson.learner
        return seat, step.meant(self.view(seat), self.game.commands)

    @property
    def outcome(self) -> Outcome | None:
        """The result of the game, or None before its end or without a winner."""
        if self.adjudicated:
            return self.adjudicated.result
        return self.game.rules.outcome(self.state) if self.started else None

    @cached
    def ended(self) -> bool:
        """Whether the game or lesson is over, so that the table should be closed."""
        if self.adjudicated or self.outcome is not None:
            return True
        return self.lesson is not None and self.started and self.step is None

    @property
    def going(self) -> bool:
        """Whether moves can be made."""
        return self.state is not None and not self.closed and not self.ended

    @cached
    def key(self) -> bytes:
        """The key from which all luck of the table is derived."""
        if self.header.keyed:
            return self.secret
        return self.rounds.key(self.secret) if self.rounds.used else seal.key_of(self.secret)

    def moves(self, seat: Seat) -> Sequence[Any]:
        """Return the legal moves of a seat; none before the start or after the end."""
        return self._legal[seat]

    @cached
    def _legal(self) -> tuple[Sequence[Any], ...]:
        """The legal moves of each seat, listed once, because screens, clocks and bots all ask for them."""
        if not self.going or self.paused or self.frozen:
            return ((),) * len(self.seats)
        moves, state = self.game.rules.moves, self.state
        return tuple([moves(state, seat) for seat in range(len(self.seats))])

    @cached
    def to_move(self) -> tuple[Seat, ...]:
        """The seats that have a legal move now."""
        return tuple([seat for seat, moves in enumerate(self._legal) if len(moves)])

    def view(self, seat: Seat | None) -> Any:
        """Return what a seat, or a spectator, may see of the game."""
        if seat not in self._viewed:
            self._viewed[seat] = self.game.rules.view(self.state, seat)
        return self._viewed[seat]

    @cached
    def _viewed(self) -> dict[Seat | None, Any]:
        """Cache of views by seat."""
        return {}

    def after(self, act: Act) -> tuple[Table, tuple[Event, ...]]:
        """Return the table after `act` and the resulting events; raises `Refused` and changes nothing."""
        if self.closed:
            raise Refused("game-over")
        self._check_lesson(act)
        _check_duplicate(self.header, act, len(self.seats))
        self.rounds.check(act)
        match act:
            case Moved() | Expired() | Joined() | Left():
                _check_played(self)
                step, changed = self._played(act)
                return self._with(act, step.events, state=step.state, **changed), step.events
            case (Seated() | Cut() | Noted() | Forgotten() | Closed()) | (
                Committed() | Sealing() | Revealed() | Voided() | Rooted()
            ):
                return self._with(act, **arranged(self, act)), ()
            case Start() if self.started:
                raise Refused("started")
            case Start():
                step, changed = _started(self, act)
                return self._with(act, step.events, state=step.state, **changed), step.events
            case _ if not self.started:
                raise Refused("not-started")
            case Frozen() | Unfrozen() | Adjudicated():
                return self._with(act, **_ruled(self, act)), ()
        if self.frozen:
            raise Refused("frozen")
        return self._with(act, **self._set(act)), ()

    def _check_lesson(self, act: Act) -> None:
        """Raise `Refused` for acts that a lesson doesn't allow; only moves advance it."""
        if self.lesson and self.started and not isinstance(act, Moved | Forgotten | Closed):
            raise Refused("lesson")

    def taken_back(self, to: int) -> tuple[Past, ...]:
        """Return the moves to take back to restore the game after entry `to`; raises `Refused`."""
        first = next((place for place in reversed(range(len(self.past))) if self.past[place].to <= to), None)
        if first is None:
            raise Refused("no-undo")
        return self.past[first:]

    def _set(self, act: Paused | Resumed | Paced | Undone | UndoneUncounted | Hinted) -> dict[str, Any]:
        """Return the changes from an act about the table itself."""
        match act:
            case Paced(clock):
                return {"clock": clock}
            case Undone(to):
                return self._back(to)
            case Hinted():
                return {"hints": True} | self._uncounted()
            case UndoneUncounted(to):
                return self._back(to) | self._uncounted()
        if self.paused == isinstance(act, Paused):
            raise Refused("adjourned" if self.paused else "not-adjourned")
        return {"paused": not self.paused}

    def _back(self, to: int) -> dict[str, Any]:
        if self.paused:
            raise Refused("adjourned")
        moves = self.taken_back(to)
        kept = self.past[: -len(moves)]
        moved = _counted(self.moved, (past.act.seat for past in moves), -1)
        changed = {"state": moves[0].state, "clock": moves[0].clock, "past": kept, "undone": len(moves)}
        return changed | {"made": self.made - len(moves), "moved": moved}

    def _uncounted(self) -> dict[str, Any]:
        if not self.counted:
            return {}
        purse = self.game.purse
        return {"counted": False, "owed": tuple(purse.changes(self.view(None))) if purse else ()}

    def _played(self, act: Joined | Left | Moved | Expired) -> tuple[Step[Any], dict[str, Any]]:
        """Return what the rules make of an act in play, and the changes to the table itself."""
        move: Any
        changed: dict[str, Any]
        drawn = _Drawn(self.rounds.joined(act.who) if isinstance(act, Joined) else self.rounds)
        match act:
            case Moved(seat, kept) | Expired(seat, _, kept):
                known = act.known if isinstance(act, Moved) else None
                move = known.move if known else codec.load(kept, self.game.rules.Move)
                if self.lesson:
                    self._check_script(seat, move)
                made = _past(self.seq, self.state, self.clock, self.seats[seat], act)
                changed = {"past": (*self.past[1 - UNDOABLE :], made), "moved": _counted(self.moved, (seat,), 1)}
            case Joined() | Left() if not self.game.joins:
                raise Refused("started")
            case Joined(seat, who, purse):
                seats, purses = self.seats.joined(seat, who), (*self.purses, purse)
                move, changed = Join(purse), {"seats": seats, "purses": purses, "past": ()}
            case Left(seat):
                move, changed = Leave(), {"seats": self.seats.left(seat), "past": ()}
        step = self.game.rules.apply(self.state, seat, move, _luck_of_act(self, drawn))
        return step, changed | {"made": self.made + 1, "rounds": drawn.rounds}

    def _check_script(self, seat: Seat, move: Any) -> None:
        """Raise `Refused` unless a move is the lesson's next one, or another spelling of it.

        The move is tried with throwaway luck. If the rules refuse the move, their refusal is raised.
        """
        if (seat, move) == self.scripted:
            return
        tried = self.game.rules.apply(self.state, seat, move, KeyedLuck(b""))
        meant = self.scripted and self.game.rules.apply(self.state, *self.scripted, KeyedLuck(b""))
        if meant is None or tried.state != meant.state:
            raise Refused("off-script", typed=self.game.spell(move))

    @property
    def luck(self) -> TableLuck:
        """The luck of the next act, of bots and of hints."""
        return _luck(self, _Drawn(self.rounds))

    @property
    def names(self) -> tuple[str, ...]:
        """The names at the table, by seat."""
        return self.seats.names

    def seat_of(self, name: str) -> Seat | None:
        """Return the seat of the person with this name."""
        return self.seats.by_name.get(fold(name))

    def stood_in_for(self, name: str) -> Seat | None:
        """Return the seat that a bot keeps for the person with this name."""
        return self.seats.kept.get(fold(name))

    def own_seat(self, name: str) -> Seat | None:
        """Return the seat that belongs to the person with this name, even if a bot keeps it."""
        seat = self.seat_of(name)
        return self.stood_in_for(name) if seat is None else seat

    def _with(self, act: Act, events: tuple[Event, ...] = (), **changes: Any) -> Table:
        said = act.text if isinstance(act, Moved) else codec.to_text(with_names(act, self.header.people.id_of))
        told = _chained(self.told, said, events)
        changes.setdefault("undone", 0)
        return _changed(self, seq=self.seq + 1, told=told, said=said, **changes)

    @property
    def body(self) -> str:
        """The body of the last entry, as it is stored."""
        return codec.text_of_parts(Body, act=self.said, told=f'"{self.told}"')  # hexadecimal digits

    def read(self, entry: Entry) -> tuple[Table, tuple[Event, ...]]:
        """Return the table after an entry with names, and its events; raises `Diverged` if they don't match it."""
        _, after, events = step_of(self, entry)
        return after, events


def step_of(table: Table, entry: Entry) -> tuple[Act, Table, tuple[Event, ...]]:
    """Return the act of an entry with names, the table after it, and its events; raises `Diverged` as `read` does."""
    try:
        body: Body = codec.from_text(entry.body, Body)
        after, events = table.after(body.act)
    except (Refused, ValueError, LookupError, TypeError) as problem:
        raise Diverged(table.seq + 1) from problem
    if entry.seq != after.seq or body.told != after.told:
        raise Diverged(after.seq)
    return body.act, after, events


def start(table: Table, purses: tuple[int, ...]) -> Start:
    """Return the act that starts a game, with the root of what its deal fixes and keeps hidden; raises `Refused`."""
    if not (table.header.sealed and table.rounds.used and table.game.facts):
        return Start(purses)
    step, rounds = _begun(table, purses)
    return Start(purses, _root_of_facts(table, step.state, rounds))


def _begun(table: Table, purses: tuple[int, ...]) -> tuple[Step[Any], Rounds]:
    """Return what the rules make of the start, and the rounds after it; raises `Refused`."""
    drawn = _Drawn(table.rounds.completed())
    luck = _luck_of_act(table, drawn)
    return table.game.rules.start(len(table.seats), table.options, purses, luck), drawn.rounds


def _started(table: Table, act: Start) -> tuple[Step[Any], dict[str, Any]]:
    """Return what the rules make of the start, and the changes to the table itself; raises `Refused`."""
    step, rounds = _begun(table, act.purses)
    if act.root and act.root != _root_of_facts(table, step.state, rounds):
        raise Refused("bad-root")
    return step, {"purses": act.purses, "rounds": rounds, "fixed": act.root}


def _root_of_facts(table: Table, state: Any, rounds: Rounds) -> str:
    facts = fixed_facts(table, state, rounds)
    return facts.root if facts else ""


def fixed_facts(table: Table, state: Any, rounds: Rounds) -> FixedFacts | None:
    """Return the facts that a deal fixed, from the state and rounds at the start; None if nothing is kept hidden."""
    facts, header = table.game.facts, table.header
    if facts is None or not header.sealed or rounds.dealt is None:
        return None
    names = facts.names(table.options, len(table.seats))
    return FixedFacts(table.secret, rounds.table, rounds.dealt.sealed.round, names, facts.values(state))


def knowing(table: Table, people: SeatIds) -> Table:
    """Return a table with more people known; the names in its state stay as they are."""
    if people is table.header.people:
        return table
    header, rounds = attrs.evolve(table.header, people=people), attrs.evolve(table.rounds, people=people)
    return attrs.evolve(table, header=header, rounds=rounds)


def after_entries(table: Table, entries: Iterable[Entry]) -> Table:
    """Return a table after some entries with names; raises `Diverged`."""
    for entry in entries:
        table, _ = table.read(entry)
    return table


def _check_played(table: Table) -> None:
    """Raise `Refused` unless the game can be played on."""
    if not table.started:
        raise Refused("not-started")
    if table.frozen:
        raise Refused("frozen")
    if table.paused:
        raise Refused("adjourned")


def _check_duplicate(header: Header, act: Act, seats: int) -> None:
    """Raise `Refused` for acts that would change the luck, the help or the seats at one table of a set only."""
    if header.duplicate and isinstance(act, Cut | Undone | UndoneUncounted | Hinted | Joined):
        raise Refused("duplicate")
    if header.keyed and isinstance(act, Start) and seats != header.wanted:
        raise Refused("duplicate-seats")


def arranged(table: Table, act: Seated | Cut | Noted | Forgotten | RoundAct | Closed) -> dict[str, Any]:
    """Return the changes from an act about the seats and the seal, or one that is the same before and after the start.

    Raises `Refused`.
    """
    match act:
        case Committed() | Sealing() | Revealed() | Voided() | Rooted() if table.started and not table.game.joins:
            raise Refused("started")
        case Seated(seat, who):
            limit = table.game.rules.SEATS.stop - 1
            seats = table.seats.reseated(seat, who, started=table.started, limit=limit)
            rounds = table.rounds.seated(seats)
            return {"seats": seats, "rounds": rounds if who else attrs.evolve(rounds, wanted="")}
        case Cut() if table.started:
            raise Refused("started")
        case Cut(seat, word):
            cuts = (*table.cuts, (seat, word))
            return {
                "cuts": cuts,
                "rounds": table.rounds.cut(table.names[seat], word) if table.rounds.used else table.rounds,
            }
        case Noted():
            return {"rounds": noted(table.rounds, act), **_answered(table, act)}
        case Forgotten() | Closed():
            return {"closed": isinstance(act, Closed)}
    return {"rounds": table.rounds.after(act, table.seats, table.header.options, table.purses)}


def _answered(table: Table, note: Noted) -> dict[str, Any]:
    """Return the changes from a note about who is invited and who has declined; none if it's about something else."""
    name = fold(note.name)
    others = tuple(guest for guest in table.guests if guest != name)
    match note.what:
        case "invited":
            return {"guests": (*others, name)}
        case "declined":
            return {"guests": others, "declined": (*table.declined, name)}
    return {}


def _ruled(table: Table, act: Frozen | Unfrozen | Adjudicated) -> dict[str, Any]:
    """Return the changes from an act that freezes the table, or ends that, or ends the game; raises `Refused`."""
    if table.ended:
        raise Refused("game-over")
    match act:
        case Adjudicated(_, _, result):
            _check_result(result, len(table.seats))
            return {"adjudicated": act, "frozen": False}
    if table.frozen == isinstance(act, Frozen):
        raise Refused("frozen" if table.frozen else "not-frozen")
    return {"frozen": not table.frozen}


def _check_result(result: Outcome | None, seats: int) -> None:
    """Raise `Refused` unless a stated result has a score for each seat and winners among them."""
    if result is None:
        return
    if len(result.scores) != seats or not result.winners or not set(result.winners) <= set(range(seats)):
        raise Refused("bad-result")


_changed: Callable[..., Table] = changer(Table)
_past, _table_luck = maker(Past), maker(TableLuck)


class _Drawn:
    """The rounds of a table as the draws of one act change them: a hand is dealt from the newest round."""

    def __init__(self, rounds: Rounds) -> None:
        self.rounds = rounds

    def after(self, purpose: Purpose) -> Rounds:
        """Return the rounds in force for a draw with this purpose, and for those that follow it."""
        self.rounds = self.rounds.serving(purpose)
        return self.rounds


def _key(table: Table, drawn: _Drawn, purpose: Purpose) -> bytes:
    """Return the key of a table's luck for a purpose."""
    rounds = drawn.after(purpose)
    return table.key if rounds is table.rounds else rounds.key(table.secret)


def _deck(table: Table, drawn: _Drawn, purpose: Purpose) -> ClosedDeck:
    """Return the deck for a purpose at a table whose seal stays closed."""
    return drawn.after(purpose).deck(table.secret, table.game.hidden(table.options))


def _luck(table: Table, drawn: _Drawn) -> TableLuck:
    """Return the luck of a table's next act, which changes `drawn`."""
    acts, deck = table.made + table.started, partial(_deck, table, drawn) if table.rounds.root else None
    return _table_luck(partial(_key, table, drawn), acts, table.moved, deck)


def _luck_of_act(table: Table, drawn: _Drawn) -> Luck:
    """Return the luck of the next act: the table's, or that of a lesson's next step."""
    if table.lesson:
        return table.lesson.luck(table.made, started=table.started)
    return table.lucky(_luck(table, drawn).of_act())


def free_seats(table: Table) -> int:
    """Return the number of free seats; one is kept for a newcomer whose client takes part in sealing the deck."""
    taken = sum(not who.gone for who in table.seats) + (table.rounds.newcomer is not None)
    limits = [limit.seats.stop for level, limit in table.game.limits.items() if level in table.seats.levels]
    return max(0, min([table.game.rules.SEATS.stop, *limits]) - 1 - taken)


COMPARED = 64
"""Number of moves compared in a long list to detect a new question."""


def same_moves(before: Sequence[Any], now: Sequence[Any]) -> bool:
    """Return whether two lists of legal moves begin alike."""
    return before is now or [*itertools.islice(before, COMPARED)] == [*itertools.islice(now, COMPARED)]


def first_moves(table: Table, seat: Seat) -> tuple[Any, ...]:
    """Return the legal moves of a seat, cut off if the list is very long."""
    return tuple(itertools.islice(table.moves(seat), COMPARED))


def _chained(told: str, said: str, events: tuple[Event, ...]) -> str:
    """Return the digest of the story so far, an act's text and its events: 16 hexadecimal digits of SHA-256."""
    return _digest(f"{told}[{said},{codec.to_text(events)}]")


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]
