"""A week of the default schedule with people who come and go, on a clock that only the test moves.

The clocks of turns are real, so a game of someone silent ends here by the time of its round.
"""

import random
from datetime import UTC, datetime

import attrs
import pytest

from lilygames.gametest.stage import SETTINGS
from lilygames.server.settings.config import FIELDS
from lilygames.store.memory import MemoryStore
from tests.tournaments.conftest import Club, Time

DEFAULT = attrs.evolve(SETTINGS, tournaments=FIELDS["tournaments"].default)
STEP, IDLE = 10, 60
"""Seconds between two looks while something is played, and otherwise."""
SOON = 2 * 3600
"""Seconds before a start from which visitors join."""
AWAY, WATCHES, PLAYS, SILENT = range(4)
CANCELLED = ("cancelled", "called off", "has planned a tournament")


class Visitor:
    """Someone who comes a few times a day. Most join what comes next; some leave in mid-game, or don't move."""

    def __init__(self, name, luck, *, guest):
        self.name, self._luck, self.guest = name, luck, guest
        self.mood, self.until = AWAY, luck.expovariate(1 / 3000)

    def _next_mood(self, now):
        if self.mood == AWAY:
            self.mood = self._luck.choices((WATCHES, PLAYS, SILENT), (2, 7, 1))[0]
            self.until = now + self._luck.expovariate(1 / 1800) + 120
        else:
            self.mood = AWAY
            self.until = now + self._luck.expovariate(1 / 20000) + 60

    async def live(self, club):
        """Come or go if it is time, and join or make a move."""
        now = club.time.now
        if now >= self.until:
            self._next_mood(now)
            if self.mood == AWAY:
                club.stage.drop(self.name)
            else:
                club.stage.enter(self.name, guest=self.guest)
                await club.stage.host.greet(club.stage.people[self.name])
        if self.mood in (PLAYS, SILENT) and self._luck.random() < 0.05 and self._is_free(club):
            known = [one.header for one in club.director.open.values() if one.status == "open"]
            soon = [one.name for one in (*known, *club.director.coming()) if one.starts < now + SOON]
            await club.type(self.name, f"/tournament join {self._luck.choice(soon)}")
        if self.mood == PLAYS:
            await self._move(club)
        if self.mood == PLAYS and self._luck.random() < 0.0005:
            await club.type(self.name, "/tournament leave")

    def _is_free(self, club):
        """Whether they play in no open tournament."""
        known = [one.players.get(self.name) for one in club.director.open.values()]
        return not any(one and one.playing for one in known)

    async def _move(self, club):
        for bot in [*club.stage.people[self.name].seats]:
            seat = bot.table.seat_of(self.name)
            if seat is not None and seat in bot.table.to_move:
                word = bot.table.game.spell(self._luck.choice(bot.table.moves(seat)))
                await club.type(self.name, f"/at {bot.table.header.number} {word}")


class Week:
    """The place in that time, and what people there have read about tournaments."""

    def __init__(self, club, visitors):
        self.club, self.visitors = club, visitors
        self.read, self.lobby_lines, self.waits = [], set(), []

    async def go_by(self, seconds):
        club = self.club
        end = club.time.now + seconds
        while club.time.now < end:
            before = {number: one.status for number, one in club.director.open.items()}
            await club.look(STEP if club.director.open or club.stage.open_tables else IDLE)
            await club.stage.look("tournament_reminders")
            self._begun(before)
            for one in self.visitors:
                await one.live(club)
            self._hear()

    def _begun(self, before):
        """Remember how late tournaments with someone there have begun."""
        for number, one in self.club.director.open.items():
            if before.get(number) == "open" and one.status == "running":
                self.waits.append(self.club.time.now - one.starts)

    def _hear(self):
        for screen in self.club.stage.screens.values():
            said = " ".join(" ".join(screen.take()).split())
            self.read += [words for words in CANCELLED if words in said]
            if "to play. ***" in said:
                self.lobby_lines.add(f"{datetime.fromtimestamp(self.club.time.now, UTC):%d %H}")


async def lived(time, people, start, seconds):
    time.now = datetime.fromisoformat(start).replace(tzinfo=UTC).timestamp()
    club = await Club(time, MemoryStore(clock=time), DEFAULT).open()
    luck = random.Random(7)
    visitors = [Visitor(f"v{number:02}x", luck, guest=number % 4 == 0) for number in range(people)]
    for one in visitors:
        one.until += time.now
    week = Week(club, visitors)
    await week.go_by(seconds)
    for one in visitors:  # everyone leaves, and what has begun ends by itself
        if one.mood != AWAY:
            club.stage.drop(one.name)
        one.until = float("inf")
        one.mood = AWAY
    await week.go_by(2 * SOON)
    return week


@pytest.mark.parametrize(
    ("people", "start", "hours"),
    [
        (20, "2026-12-06 13:30", 8),
        pytest.param(30, "2026-11-30 00:10", 7 * 24, marks=pytest.mark.slow),
    ],
)
async def test_tournaments_run_by_themselves(people, start, hours):
    week = await lived(Time(), people, start, hours * 3600)
    club, store = week.club, week.club.director.store
    over = [await store.find(number) for number in await store.latest(10_000)]
    played = [one for one in over if one.rounds]
    tables = [table for one in played for round_ in one.rounds for table in round_.tables]
    forms = {one.header.form for one in played}

    assert {} == club.director.open
    assert {"over"} == {one.status for one in over}
    assert {} == await club.store.every("open")
    assert all(table.done for table in tables)
    assert all(any(round_.tables for round_ in one.rounds) for one in played)
    assert [] == week.read
    assert {"arena", "swiss", "knockout"} == forms
    assert len({(one.header.series, one.header.starts) for one in over}) == len(over)
    assert hours + 5 > len(week.lobby_lines) > hours / 4
    assert max(week.waits) < 600 + IDLE
    assert sum(wait < IDLE for wait in week.waits) > 0.8 * len(week.waits)
