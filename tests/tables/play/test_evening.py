"""Random evenings: people type at once, lose connections, and disks fill; everything that was told is kept."""

import asyncio

from hypothesis import given, settings
from hypothesis import strategies as st

from lilygames.gametest.stage import Stage
from lilygames.store import StoreUnavailable
from lilygames.store.memory import MemoryStore
from lilygames.tables.archive.archive import Archive
from lilygames.tables.play import runner
from lilygames.tables.state.table import Table
from tests.toys import TALLY

NAMES = ("ann", "bob", "cat")
LINES = (
    *("/new tally max=3", "/new tally max=3 bob cat", "/quick", "/quick tally", "/sit", "/sit tally", "/sit 2"),
    *("/decline tally", "/house", "/house 2", "/start", "/cut word", "/watch tally", "/watch 2", "/leave", "/leave"),
    *("/table", "/tables", "/moves", "/pick 1", "/pick 2", "1", "0", "", "/hand", "/score", "/history", "/log 1"),
    *("/at 1 /leave", "/at 2 1", "/at tally-2", "/next", "/verify 1", "/export 1", "/options", "/status", "hello"),
    *("/join lobby", "/join tally", "/quit", "/quit tally-2", "bid 1", "play KH", "/max 3", "/who", "/rooms", "/bye"),
)
DEEDS = st.one_of(
    st.tuples(st.sampled_from(NAMES), st.sampled_from(LINES)),
    *[st.tuples(st.sampled_from(NAMES), st.just("(moves)"))] * 2,
    st.tuples(st.sampled_from(NAMES), st.sampled_from(["(drops)", "(comes)"])),
    st.tuples(st.sampled_from(["append", "keep", "forget"]), st.booleans()),
)


def a_move(stage, name):
    """Return a line that makes the person's first move somewhere, or asks for the next table."""
    for number, bot in stage.open_tables.items():
        seat = bot.seat_of(name)
        if seat is not None and bot.table.moves(seat):
            return f"/at {number} {bot.table.game.spell(bot.table.moves(seat)[0])}"
    return "/next"


async def happens(stage, store, who, what):
    """Do one random action of an evening."""
    if who not in NAMES:
        store.fail_next(StoreUnavailable("full"), call=who, landed=what)
    elif what == "(comes)" or not stage.people[who].here:
        stage.enter(who)
    elif what == "(drops)":
        stage.drop(who)
    else:
        await stage.hear(who, a_move(stage, who) if what == "(moves)" else what)


async def replayed(store, bot):
    """Return the table that belongs to this log."""
    header, entries = await Archive(store).read(bot.table.header.number)
    table = Table(header, bot.table.game, bot.table.secret)
    for entry in entries:
        table, _ = table.read(entry)
    return table


@settings(max_examples=150)
@given(deeds=st.lists(st.lists(DEEDS, min_size=1, max_size=3), min_size=10, max_size=60))
async def test_random_evening_loses_nothing(monkeypatch, deeds):
    """Actions of one list happen at once. Nothing breaks, a room has one table, and seats and logs agree."""
    monkeypatch.setattr(runner, "RETRY", 0)
    store = MemoryStore()
    stage = await Stage.open(TALLY, store=store)
    for name in NAMES:
        stage.enter(name)
    shown = []
    for at_once in deeds:
        people = dict(at_once)  # one line per person at a time
        await asyncio.gather(*(happens(stage, store, *deed) for deed in people.items()))
        await stage.quiet()
        shown += [row for screen in stage.screens.values() for row in screen.take()]
    store._faults.clear()

    assert not [row for row in shown if "broke" in row]
    tables = stage.open_tables
    assert len({bot.room.name for bot in tables.values()}) == len(tables)
    for bot in tables.values():
        assert not bot.case
        assert bot.room.bot is bot
        assert stage.rooms[bot.room.name] is bot.room
        kept = await replayed(store, bot)
        assert bot.table == kept or bot.runner._lost
    for person in stage.host.people.values():
        assert {bot.table.header.number for bot in person.seats} == {
            number for number, bot in tables.items() if bot.seat_of(person.name) is not None
        }
    again = await Stage.open(TALLY, store=store)
    assert {number for number, bot in tables.items() if bot.table.seats} >= {*again.open_tables}
