"""Duplicate sets and daily deals on several nodes: each step happens once, whichever node takes it."""

import asyncio
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from lilygames import codec
from lilygames.bus.local import LocalBus
from lilygames.gametest.stage import Stage
from lilygames.nodes.membership import membership
from lilygames.tables.duplicate.duplicate_set import SetBody
from tests.clock import Clock
from tests.tables.room.test_sealing import said
from tests.toys import TALLY

NOON = datetime(2026, 11, 22, 12, tzinfo=ZoneInfo("UTC")).timestamp()
OPEN = "/new tally duplicate=friday max=3 first-dealer=host"


@pytest.fixture
def clock():
    return Clock(NOON)


@pytest.fixture(autouse=True)
def _at_once(monkeypatch):
    """Let both nodes act at the same moment; usually they take turns."""
    monkeypatch.setattr(membership, "LAG", 0.0)


@pytest.fixture
async def pair(store, quiet, clock):
    """Two nodes: ann and cat at the first, bob and dan at the second."""
    bus = LocalBus()
    both = here, there = [await Stage.open(TALLY, store=store, seed=seed, bus=bus, clock=clock) for seed in "ab"]
    for stage, names in ((here, ("ann", "cat")), (there, ("bob", "dan"))):
        for name in names:
            stage.enter(name)
    await quiet(*both)
    yield here, there
    for stage in both:
        await stage.node.end()


async def together(*lines):
    """Type lines at the same moment: (stage, name, line)."""
    await asyncio.gather(*(stage.hear(name, line) for stage, name, line in lines))


async def each(pair, look):
    """Let both nodes do something at the same moment."""
    await asyncio.gather(*(look(stage.place) for stage in pair))


async def begun(pair, quiet):
    """Ann's table, the first of the set."""
    here, _ = pair
    for line in (OPEN, "/house novice 2", "/start"):
        await here.type("ann", line)
        await quiet(*pair)


async def played_out(pair, quiet, stage, number):
    """Play a table to its end; people at this node make their first legal move."""
    while number in stage.open_tables:
        bot = stage.table(number)
        seat = bot.table.to_move[0]
        await stage.type(bot.table.seats[seat].name, f"/at {number} {bot.table.game.spell(bot.table.moves(seat)[0])}")
        await quiet(*pair)


def hands(bot):
    return [bot.table.view(seat).round.hand for seat in range(len(bot.table.seats))]


def acts(store, name):
    return [type(codec.from_text(entry.body, SetBody).act).__name__ for entry in store.entries[f"duplicate/{name}"][1:]]


async def found(stage, name="friday"):
    return await stage.tables.duplicates.find(name)


async def test_name_chosen_at_two_nodes_at_the_same_moment_is_given_out_once(pair, quiet, store):
    here, there = pair
    await together((here, "ann", OPEN), (there, "bob", OPEN))
    await quiet(*pair)
    told = said(here.screens["ann"].rows), said(there.screens["bob"].rows)
    one = await found(here)

    assert [one.first] == [*here.open_tables] == [*there.open_tables]
    assert 1 == sum("has been used for other cards. Please choose another name." in rows for rows in told)
    assert one.header.seal == here.table(one.first).table.header.seal


async def test_table_at_another_node_gets_the_same_cards(pair, quiet):
    here, there = pair
    await begun(pair, quiet)
    await there.type("bob", OPEN)
    await quiet(*pair)

    assert hands(here.table(1)) == hands(there.table(2))
    assert here.table(2).table == there.table(2).table


async def test_secret_is_published_once_when_the_last_table_ends(pair, quiet, store):
    here, there = pair
    await begun(pair, quiet)
    await there.type("bob", OPEN)
    await quiet(*pair)
    await here.type("ann", "/duplicate friday end")
    await played_out(pair, quiet, here, 1)
    await each(pair, lambda place: place.duplicate_watch.look())
    early = acts(store, "friday")
    await played_out(pair, quiet, there, 2)
    await each(pair, lambda place: place.duplicate_watch.look())
    late = acts(store, "friday")

    assert "Opened" not in early
    assert (1, 2) == (late.count("Opened"), late.count("Finished"))
    for stage, name in ((here, "cat"), (there, "dan")):
        for number in (1, 2):
            assert (await stage.type(name, f"/verify {number}"))[0].startswith("Match: ")


async def test_result_that_two_nodes_record_at_the_same_moment_counts_once(pair, quiet, store):
    here, _ = pair
    await begun(pair, quiet)
    kept = [*store.entries["duplicate/friday"]]
    table = here.table(1).table
    await played_out(pair, quiet, here, 1)
    done = store.entries["duplicate/friday"][len(kept) :]
    store.entries["duplicate/friday"][:] = kept
    for stage in pair:
        stage.tables.duplicates._known.clear()
    await each(pair, lambda place: place.tables.duplicates.finished(table))

    assert ["Finished"] == [type(codec.from_text(entry.body, SetBody).act).__name__ for entry in done]
    assert 1 == acts(store, "friday").count("Finished")


async def test_table_cannot_be_added_once_the_set_is_ended_at_another_node(pair, quiet, store):
    """Its secret may be public by then."""
    here, there = pair
    await begun(pair, quiet)
    await played_out(pair, quiet, here, 1)
    add = there.tables.duplicates.add_table

    async def slowly(*arguments):
        await here.type("ann", "/duplicate friday end")
        await here.look("duplicate_watch")
        await add(*arguments)

    there.tables.duplicates.add_table = slowly
    told = said(await there.type("bob", OPEN))
    await quiet(*pair)

    assert "these cards are no longer dealt" in told
    assert "Opened" in acts(store, "friday")
    assert [[], []] == [[*stage.open_tables] for stage in pair]


async def test_daily_deal_begun_at_one_node_is_played_on_at_another(pair, quiet, store):
    here, there = pair
    await here.type("ann", "/daily tally")
    await quiet(*pair)
    begun = here.table(1).table
    here.drop("ann")
    there.enter("ann")
    await quiet(*pair)
    shown = said(await there.type("ann", "/daily tally"))
    again = there.table(1).table
    await played_out(pair, quiet, there, 1)

    assert begun == again
    assert "Your turn" in shown
    assert ["Sealing", "Added", "Finished"] == acts(store, "daily-tally-2026-11-22")
    assert any("streak 1" in row for row in await there.type("ann", "/daily tally"))


async def test_midnight_at_both_nodes_seals_each_deal_once(pair, store, clock):
    here, there = pair
    for _ in range(2):
        await each(pair, lambda place: place.duplicate_watch.look())
        clock.passes(hours=12)
    days = [name for name in store.entries if name.startswith("duplicate/daily-")]

    assert 2 * 3 == len(days)  # for accounts and for guests
    for name in days:
        assert ["Sealing"] == acts(store, name.partition("/")[2])
        assert await found(here, name.partition("/")[2]) == await found(there, name.partition("/")[2])


async def test_overdue_game_is_broken_off_once_by_two_nodes(pair, quiet, store, clock):
    here, _ = pair
    await here.type("ann", "/daily tally")
    await quiet(*pair)
    clock.passes(hours=25)
    await each(pair, lambda place: place.duplicate_watch.look())
    await quiet(*pair)

    assert ["Sealing", "Added", "Finished"] == acts(store, "daily-tally-2026-11-22")
    assert [[], []] == [[*stage.open_tables] for stage in pair]
