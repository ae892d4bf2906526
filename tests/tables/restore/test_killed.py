"""Kill the server after every write, and start it again: nothing is lost, dealt twice, or told too early."""

import copy

import attrs
import pytest

from lilygames import codec
from lilygames.gametest import stage as stages
from lilygames.gametest.stage import Stage
from lilygames.store.memory import MemoryStore
from lilygames.store.wrapper import Through
from lilygames.tables.duplicate.duplicate_set import SetBody
from lilygames.tables.log.acts import Body
from lilygames.tables.log.names_beside import people_of
from lilygames.tables.state.table import Table
from tests.clock import Clock
from tests.tables.room.test_sealing import Client
from tests.toys import TALLY

OPEN = "/new tally duplicate=friday max=3 first-dealer=host"


class Remembering(Through):
    """A store that keeps a copy of itself as it is after each write."""

    def __init__(self, store):
        super().__init__(store)
        self.inner = store
        self.copies = []

    def __getattr__(self, name):
        return getattr(self.inner, name)

    def _copied(self):
        other = MemoryStore(self.inner._clock)
        other.entries.update({name: [*entries] for name, entries in self.inner.entries.items()})
        other.records.update(copy.deepcopy(self.inner.records))
        other._landed.update(self.inner._landed)
        self.copies.append(other)

    async def append(self, *call, **more):
        entries = await super().append(*call, **more)
        self._copied()
        return entries

    async def keep(self, *call):
        await super().keep(*call)
        self._copied()

    async def swap(self, *call):
        swapped = await super().swap(*call)
        self._copied()
        return swapped

    async def forget(self, *call):
        await super().forget(*call)
        self._copied()


@pytest.fixture
def store():
    return Remembering(MemoryStore())


async def played_out(stage, number):
    """Play a table to its end; people make their first legal move."""
    while number in stage.open_tables:
        bot = stage.table(number)
        seat = bot.table.to_move[0]
        await stage.type(bot.table.seats[seat].name, f"/at {number} {bot.table.game.spell(bot.table.moves(seat)[0])}")


async def hands(stage, number):
    """Return the hands of each deal of a table so far."""
    archive = stage.tables.archive
    header, entries = await archive.read(number)
    table = Table(header, TALLY["tally"], await archive.sealed_secret(header, entries))
    found = {}
    for entry in entries:
        table, _ = table.read(entry)
        if table.started and table.state.round is not None:
            found.setdefault(table.state.round.deal.number, table.state.round.hands)
    return found


def acts(store, log, kind=SetBody):
    entries = store.entries[log]
    return [codec.from_text(entry.body, kind).act for entry in (entries if kind is Body else entries[1:])]


def names(acts):
    return [type(act).__name__ for act in acts]


async def restarted(copy, clock, *people, seed="2"):
    """Start the server again on a copy of its store; the people come back."""
    stage = await Stage.open(TALLY, store=copy, seed=seed, clock=clock)
    for name in people:
        stage.enter(name)
    await stage.quiet()
    return stage


# duplicate sets


async def set_played(stage):
    """Ann seals a set with two bots; bob plays the same cards; ann ends the set."""
    await stage.type("ann", OPEN)
    await stage.type("ann", "/house novice 2")
    await stage.type("ann", "/start")
    await stage.type("bob", OPEN)
    await played_out(stage, 1)
    await stage.type("ann", "/duplicate friday end")
    await played_out(stage, 2)
    await stage.look("duplicate_watch")


async def set_played_on(stage, clock):
    """Do what is left to do, as people would."""
    for number, bot in [*stage.open_tables.items()]:
        name = bot.table.header.host
        if not bot.table.started and bot.table.seats:
            if not bot.table.header.keyed:
                await stage.type(name, f"/at {number} house novice {3 - len(bot.table.seats)}")
            await stage.type(name, f"/at {number} start")
    one = await stage.tables.duplicates.find("friday")
    for name in ("ann", "bob") if one and one.first else ():
        await stage.type(name, OPEN)
    for number in [*stage.open_tables]:
        await played_out(stage, number)
    await stage.type("ann", "/duplicate friday end")
    clock.now += 120
    for _ in range(2):
        await stage.look("duplicate_watch")
        await stage.quiet()


async def test_duplicate_set_survives_a_kill_after_every_write(store):
    """Every table is in its set, everyone plays the same cards once, and the secret is published once."""
    clock = Clock(1_800_000_000.0)
    stage = await restarted(store, clock, "ann", "bob", seed="1")
    store.copies.clear()
    await set_played(stage)
    dealt = await hands(stage, 1)
    copies = [*store.copies]
    assert "Opened" == names(acts(store, "duplicate/friday"))[-1]

    for kept in copies:
        again = await restarted(kept, clock, "ann", "bob")
        await set_played_on(again, clock)
        one = await again.tables.duplicates.find("friday")
        played = [table.finished for table in one.tables.values() if table.finished.seats] if one else []
        verdicts = [await again.type("ann", f"/verify {done.table}") for done in played]

        assert {} == again.open_tables
        if not kept.entries["table/1"]:  # nobody sat down, so the name is used up at most
            assert [] == played
            continue
        assert "friday" not in kept.records["duplicate"]
        assert ["ann", "bob"] == sorted(seat.key for done in played for seat in done.seats if seat.key)
        assert [dealt] * 2 == [await hands(again, done.table) for done in played]
        assert 1 == names(acts(kept, "duplicate/friday")).count("Opened")
        assert all(rows[0].startswith("Match: ") for rows in verdicts)


# daily deals


async def test_daily_deal_survives_a_kill_after_every_write(store):
    """It is dealt once, played once, and counts for the streak, whenever the server was killed."""
    clock = Clock(1_800_000_000.0)
    stage = await restarted(store, clock, "ann", seed="1")
    await stage.look("duplicate_watch")
    store.copies.clear()
    await stage.type("ann", "/daily tally")
    begun = len(store.copies)
    await played_out(stage, 1)
    copies, dealt = store.copies[: begun + 3] + store.copies[-8:], await hands(stage, 1)

    for kept in copies:
        again = await restarted(kept, clock, "ann")
        if not again.open_tables:
            await again.type("ann", "/daily tally")
        for number in [*again.open_tables]:
            await again.type("ann", "/daily tally")
            await played_out(again, number)
        shown = await again.type("ann", "/daily tally")
        (name,) = [name for name in kept.entries if name.startswith("duplicate/") and len(kept.entries[name]) > 2]
        finished = [act for act in acts(kept, name) if type(act).__name__ == "Finished"]

        people = await people_of(kept, name)

        assert ["ann"] == [people.name_of(done.seats[0].key) for done in finished]
        assert [dealt] == [await hands(again, done.table) for done in finished]
        assert shown[-1].endswith("streak 1")


# the sealing


async def test_rated_round_survives_a_kill_after_every_write(store, monkeypatch):
    """The secrets stay the same, nobody is blamed for a restart, and a player who withheld a number loses the seat."""
    monkeypatch.setattr(stages, "SETTINGS", attrs.evolve(stages.SETTINGS, commit_seconds=60))
    clock = Clock(1_800_000_000.0)
    stage = await restarted(store, clock, "ann", "bob", "cat", seed="1")
    clients = {name: Client(stage, name) for name in ("ann", "bob", "cat")}
    store.copies.clear()
    await stage.type("ann", "/new tally first-dealer=host max=3")
    for name in ("bob", "cat"):
        await stage.type(name, "/sit tally")
    clients["cat"].answers = False
    await answered(clients)
    await stage.type("ann", "/start")
    await answered(clients)
    await time_is_up(stage)
    await answered(clients)
    copies = [kept for kept in store.copies if kept.entries["table/1"]]
    assert ("ann", "bob") == stage.table(1).table.names

    for kept in copies:
        again = await restarted(kept, clock, "ann", "bob", "cat")
        others = {name: Client(again, name) for name in clients}
        others["cat"].answers = False
        for name, client in others.items():
            client.numbers = dict(clients[name].numbers)
            again.table(1).shuffle.came_or_went(again.people[name])
        await again.table(1).room.do(again.table(1).go_on)
        for name in ("ann", "bob", "cat") if not again.table(1).table.rounds.voids else ():
            if again.table(1).table.seat_of(name) is None:
                await again.type(name, "/sit tally")
        await answered(others)
        await again.type("ann", "/start")
        await answered(others)
        await time_is_up(again)
        await answered(others)
        table = again.table(1).table

        assert ("ann", "bob") == table.names
        assert ("ann", "bob") == table.rounds.sealed_by
        assert [("cat",)] == [void.missing for void in table.rounds.voids]
        assert stage.table(1).table.key == table.key or "1/2" not in kept_secrets(store, kept)


def kept_secrets(store, kept):
    """Return the keys of the secrets that are the same in two stores."""
    first, second = store.inner.records["secret"], kept.records["secret"]
    return {key for key in first if first[key] == second.get(key)}


async def answered(clients):
    for _ in range(3):
        for client in clients.values():
            await client.answer()


async def time_is_up(stage):
    bot = stage.table(1)
    await bot.room.do(bot.shuffle.close_round)
    await stage.quiet()
