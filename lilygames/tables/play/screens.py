"""Screens of a table for one person: the whole table, a reminder of the turn, or what they missed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from functools import partial

from lilygames import codec
from lilygames.chat.people.people import Person
from lilygames.errors import UserError
from lilygames.game import Reader
from lilygames.store import Store, StoreUnavailable
from lilygames.tables.log.acts import Body
from lilygames.tables.log.names_beside import shown_entries
from lilygames.tables.play import coach, next_steps
from lilygames.tables.play.invitations import Invitations
from lilygames.tables.play.publish import Publisher
from lilygames.tables.play.questions import Questions
from lilygames.tables.play.runner import RETRY, Advanced, Runner
from lilygames.tables.sight import narrate
from lilygames.tables.state.table import Table
from lilygames.text import Line


class Screens:
    """Shows each person as much of the table as they may see."""

    def __init__(
        self,
        runner: Runner,
        publisher: Publisher,
        questions: Questions,
        invitations: Invitations,
        store: Store,
    ) -> None:
        self._runner = runner
        self._publisher = publisher
        self._questions = questions
        self._invitations = invitations
        self._store = store

    def waiting(self, person: Person) -> str:
        """Return whom the table is waiting for, in words for a person; raises `UserError` if it is stopped."""
        with self._runner.bugs_stop_this_table:
            table = self._runner.table
            reader = self._publisher.reader_of(table, person)
            return narrate.waiting(table, reader, self._invitations.unanswered, person.name)

    def waits(self, person: Person) -> Line:
        """Return whom the table is waiting for, as a line with plain names."""
        said = self.waiting(person)
        return self._publisher.line(f"{said[:1].upper()}{said[1:]}.")

    def shown(self, person: Person) -> Sequence[Line]:
        """Return the table as the person may see it: players, cards on the table, turn and seal.

        Raises `UserError` if the table is stopped.
        """
        with self._runner.bugs_stop_this_table:
            table, line = self._runner.table, self._publisher.line
            play = narrate.shown(table, self._publisher.reader_of(table, person))
            number = f"Table #{table.header.number}"
            standing = narrate.standing(table, self._runner.case)
            sitting = f"{number}, {table.game.title}, {standing}." if play else ""
            head = line(f"{number}, {narrate.summary(table, self._runner.case)}.", aloud=sitting)
            seal = line(f"Seal {narrate.current_seal(table)}", aloud=f"Seal: {narrate.short_seal(table)}.")
            if table.header.keyed:
                seal = line(f"Cards of {table.header.duplicate}: sealed before this table was opened.")
            return [head, *map(line, play), self.waits(person), seal, *map(line, narrate.shuffles(table))]

    def watched(self, person: Person) -> Sequence[Line]:
        """Return the table for someone who begins to watch; a page gets it as a packet, not in lines.

        Raises `UserError` if the table is stopped.
        """
        if not person.takes_picture:
            return self.shown(person)
        with self._runner.bugs_stop_this_table:
            self._publisher.inform(self._runner.table, person)
            return ()

    def catch_up_on(self, person: Person) -> Sequence[Line]:
        """Return what a returning player needs: the players, the cards on the table, their hand and the turn.

        A page gets that as a packet, not in lines. Raises `UserError` if the table is stopped.
        """
        with self._runner.bugs_stop_this_table:
            table = self._runner.table
            if person.takes_picture:
                self._publisher.inform(table, person)
                self._questions.turn(person)
                return ()
            play = narrate.shown(table, self._publisher.reader_of(table, person))
            rows = (f"You sit here with {narrate.company(table, person.name)}.", *play)
            return [*map(self._publisher.line, rows), *self.remind(person)]

    def remind(self, person: Person) -> Sequence[Line]:
        """Return a reminder for the person: their hand and whose turn it is, or after the game what to do next.

        Raises `UserError` if the table is stopped.
        """
        with self._runner.bugs_stop_this_table:
            table, line = self._runner.table, self._publisher.line
            self._publisher.inform(table, person)
            reader = self._publisher.reader_of(table, person)
            if next_steps.follow(table) and reader.seat is not None:
                over = line(f"You are at {self._runner.room.name}; the game is over.")
                return [over, *next_steps.offered(self._publisher.tag, table, person)]
            if not table.going or reader.seat is None:
                return [line(f"You are at {self._runner.room.name}; {self.waiting(person)}.")]
            said, asked = coach.reminder(table, person.voice), self._questions.turn(person)
            shows_hand = asked and table.game.asks and not reader.voice.spoken
            hand = () if shows_hand else map(line, narrate.hand(table, reader))
            return [*said, *hand, *(asked or [self.waits(person)])]

    def seatless(self, person: Person) -> str:
        """Return the message for someone who tries to move without a seat."""
        room = self._runner.room.name
        if person.name in self._invitations.unanswered:
            return f"you don't have a seat at {room} yet. Type /sit {room} to accept the invitation."
        if not self._runner.table.started:
            return f"you don't have a seat at {room}. Type /sit {room} to take one."
        return f"you don't have a seat at {room}. Type /watch {room} to watch, or /quick to play."

    async def tell_since(self, person: Person, seq: int) -> None:
        """Show someone the events since an entry as they would have seen them live, then what is asked of them."""
        table = self._runner.table
        try:
            if person.takes_picture:
                await self._update_since(person)
                return
            lines = await self._told_since(self._publisher.reader_of(table, person), seq)
        except StoreUnavailable:
            again = partial(self.tell_since, person, seq)
            asyncio.get_running_loop().call_later(RETRY, self._runner.room.post, again)
            return
        with suppress(UserError):
            person.show(*lines)
            if self._questions.may_have_focus(person):
                person.show(*(self._questions.turn(person) or self.remind(person)))
            elif self._questions.question(person):
                self._questions.ask(person)
            self._publisher.inform(self._runner.table, person)

    async def _update_since(self, person: Person) -> None:
        """Send a page the updates that it has missed, or the whole table if it missed too many."""
        now, pages = self._runner.table, self._publisher.pages
        known = pages.missed(now, person)
        steps = [] if known is None else [step async for step in self._steps() if step.after.seq > known]
        with suppress(UserError), self._runner.bugs_stop_this_table:
            if known is None:
                pages.inform(now, person)
            pages.catch_up(person, steps)
            if self._questions.may_have_focus(person):
                self._questions.turn(person)

    async def _told_since(self, reader: Reader, seq: int) -> list[Line]:
        now, lines = self._runner.table, list[Line]()
        async for step in self._steps():
            if step.after.seq > seq:
                lines += [self._publisher.line(text) for text in (narrate.taken_back(step.after),) if text]
                lines += narrate.happened(self._publisher.tag, now, step.events, reader)
        return lines

    async def _steps(self) -> AsyncIterator[Advanced]:
        """Yield all steps of the table up to now; raises `StoreUnavailable`."""
        now = self._runner.table
        table = Table(now.header, now.game, now.secret)
        while table.seq < now.seq:
            page = await self._store.read(self._runner.log, table.seq)
            for entry in shown_entries(page.entries, now.header.people)[1]:
                before, (table, events) = table, table.read(entry)
                yield Advanced(before, table, codec.from_text(entry.body, Body).act, events)
