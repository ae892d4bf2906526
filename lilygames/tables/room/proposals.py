"""Proposals that all players must accept: adjourn, resume, undo, a new clock, hints, or an end of the game."""

from __future__ import annotations

from typing import Literal

from lilygames.chat.names.names import fold
from lilygames.chat.people.people import Person
from lilygames.errors import UserError
from lilygames.tables.log.acts import NOTES, Act, Adjudicated, Hinted, Noted, Paced, Undone
from lilygames.tables.play.publish import Publisher
from lilygames.tables.play.runner import Advanced, Runner
from lilygames.tables.room.turn_clock import TurnClock
from lilygames.tables.state.table import Table
from lilygames_rules.kit import Seat

Wish = Literal["adjourn", "resume", "undo", "pace", "hint", "abort", "tie"]


def _wished(wish: Wish, act: Act) -> str:
    """Describe a proposal in words."""
    match act:
        case Paced(clock):
            return f"a clock with {clock.said}" if clock.runs else "to play without a clock"
        case Hinted():
            return "to turn hints on, and the game won't count then"
        case Adjudicated(result=None):
            return "to end the game without a result"
        case Adjudicated():
            return "to end the game with a tie"
    return "to undo" if wish == "undo" else f"to {wish} the game"


class Proposals:
    """Proposals at a table and who has agreed to each.

    Any log entry other than a note cancels them.
    """

    acts = NOTES

    def __init__(self, runner: Runner, publisher: Publisher, clock: TurnClock) -> None:
        self._runner = runner
        self._publisher = publisher
        self._clock = clock
        self._agreed: dict[str, set[str]] = {}
        """Folded names of the people who agreed, by proposal."""
        self._noted = 0
        """Entry number of the latest note. Proposals stay open while it is the last entry of the log."""

    def observe(self, advanced: Advanced) -> None:
        """Record who has agreed."""
        self._agreed = self._wishes(advanced.before)
        self._noted = advanced.after.seq
        match advanced.act:
            case Noted("agreed", name, wanted):
                self._agreed.setdefault(wanted, set()).add(fold(name))

    def _wishes(self, table: Table) -> dict[str, set[str]]:
        """Return who agreed to each proposal; nothing if the table has moved on since the latest note."""
        return self._agreed if table.seq == self._noted else {}

    async def wish(self, person: Person, wish: Wish, act: Act, done: str) -> None:
        """Agree to a proposal, and carry it out once everyone has agreed.

        Disconnected and late players are only asked about an end of the game. Raises `UserError`, `Refused`.
        """
        table = self._runner.table
        mine = table.seat_of(person.name)
        if mine is None:
            raise UserError(f"only players at {self._runner.room.name} can agree to that.")
        table.after(act)
        typed = f"{wish} {act.clock}" if isinstance(act, Paced) else wish
        wanted = f"{wish} {act.to}" if isinstance(act, Undone) else typed
        agreed = self._wishes(table).get(wanted, set()) | {fold(person.name)}
        everyone = isinstance(act, Adjudicated)
        missing = [seat for seat, who in enumerate(table.seats) if self._is_asked(seat) or (everyone and who.person)]
        missing = [seat for seat in missing if fold(table.seats[seat].name) not in agreed]
        if missing:
            wished = _wished(wish, act)
            await self._runner.note(
                "agreed",
                person.name,
                wanted,
                saying=lambda reader: (
                    f"{reader.says(mine, 'wants', 'want')} {wished}."
                    f" To agree, {reader.everyone(missing)} can type /{typed}."
                ),
            )
            return
        await self._runner.act(person.name, act, saying=done)
        await self._runner.go_on()

    @property
    def wished_undo(self) -> Undone | None:
        """The undo that is proposed, or None."""
        wishes = (wish.split() for wish in self._wishes(self._runner.table))
        return next((Undone(int(to)) for what, *rest in wishes if what == "undo" for to in rest), None)

    def _is_asked(self, seat: Seat) -> bool:
        """Return whether a seat must agree: its player is connected and not late."""
        who = self._runner.table.seats[seat]
        return who.person and self._publisher.is_here(who.name) and not self._clock.is_late(seat)
