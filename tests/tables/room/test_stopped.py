"""A table with an unreadable log is shown as stopped, keeps its seats and chips, and harms no other."""

from functools import partial

import attrs
import pytest
from structlog.testing import capture_logs

from lilygames.gametest.stage import Stage
from lilygames.store import Damaged, StoreUnavailable
from lilygames.tables.room import seating
from tests.toys import ALL, installed

GAMES = ALL


def damage_an_entry(store):
    """Damage the entry that starts the game."""
    entries = store.entries["table/1"]
    place = next(place for place, entry in enumerate(entries) if '"Start"' in entry.body)
    entries[place] = attrs.evolve(entries[place], body="{")


def lose_an_entry(store):
    del store.entries["table/1"][1]


def lose_the_secret(store):
    del store.records["secret"]["1"]


def damage_the_secret(store):
    store.records["secret"]["1"] = "no hex"


def replace_the_secret(store):
    store.records["secret"]["1"] = "00" * 32


def damage_the_header(store):
    store.entries["tables"][0] = attrs.evolve(store.entries["tables"][0], body="{}")


def damage_the_last_entry(store):
    store.entries["table/1"][-1] = attrs.evolve(store.entries["table/1"][-1], body="{")


DAMAGES = [
    damage_an_entry,
    lose_an_entry,
    lose_the_secret,
    damage_the_secret,
    replace_the_secret,
    damage_the_header,
]


@pytest.fixture
async def bid(stage, table):
    """The same table after bob's bid, so that its log names both."""
    await stage.type("bob", "/bid 1")
    return table


async def restarted(store, damage):
    """Return the stage after a restart over a damaged store, and the errors logged meanwhile."""
    damage(store)
    with capture_logs() as logged:
        stage = await Stage.open(GAMES, store=store, seed="2")
    return stage, [entry for entry in logged if entry["log_level"] == "error"]


def case_in(logged):
    """Return the one case number in the log."""
    (case,) = {entry["case"] for entry in logged if entry["event"] == "table stopped"}
    return case


@pytest.mark.parametrize("damage", DAMAGES)
async def test_players_see_a_stopped_table_with_the_case_number_of_the_log(bid, store, damage):
    stage, logged = await restarted(store, damage)
    case = case_in(logged)

    back = " ".join(stage.enter("bob").take())
    listed = " ".join(await stage.type("bob", "/tables"))
    shown = " ".join(await stage.type("bob", "/table"))
    moved = " ".join(await stage.type("bob", "/moves"))

    assert all(f"stopped (case {case})" in said for said in (back, listed, shown, moved)), (back, listed, shown, moved)
    assert "No table is open" not in listed


@pytest.mark.parametrize("line", ["1", "bid 1", "KH", "b 1", "/bid 1"])
async def test_move_for_a_stopped_table_is_not_said(bid, store, line):
    """Its players may not have noticed."""
    stage, logged = await restarted(store, damage_the_last_entry)
    stage.enter("bob"), stage.enter("cat").take()

    told = " ".join(await stage.type("bob", line))

    assert f"Refused: you have a seat at #1 tally, which is stopped (case {case_in(logged)})" in told
    assert [] == stage.screens["cat"].take()


@pytest.mark.parametrize("line", ["hello", "'1", "what a bid"])
async def test_talk_beside_a_stopped_table_is_said(bid, store, line):
    stage, _ = await restarted(store, damage_the_last_entry)
    stage.enter("bob"), stage.enter("cat").take()

    await stage.type("bob", line)

    assert f" - {line.removeprefix(chr(39))}" in stage.screens["cat"].take()


async def test_log_of_a_stopped_table_says_how_to_tell_the_sysop(bid, store):
    stage, _ = await restarted(store, damage_the_last_entry)
    stage.enter("bob")

    assert "Type /feedback TEXT to tell the sysop." in " ".join(await stage.type("bob", "/log 1"))


@pytest.mark.parametrize("damage", DAMAGES)
async def test_stopped_table_keeps_its_players_names_and_seats(bid, store, damage):
    stage, _ = await restarted(store, damage)

    assert [True, True, False] == [stage.host.keeps_seat(name) for name in ("ann", "bob", "cat")]


@pytest.mark.parametrize("damage", DAMAGES)
async def test_others_play_on_beside_a_stopped_table(stage, bid, store, damage):
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("ann", "/house")
    after, _ = await restarted(store, damage)
    after.enter("ann")
    after.enter("cat")

    assert "begins" in " ".join(await after.type("ann", "/at tally-2 /start"))
    assert "begins" in " ".join(await after.type("cat", "/quick tally"))


async def test_strangers_list_shows_only_a_public_stopped_table(stage, store):
    await stage.type("ann", "/new tally private=yes bob")
    await stage.type("bob", "/sit tally")
    after, _ = await restarted(store, lose_the_secret)
    after.enter("cat")
    after.enter("bob")

    assert "stopped" not in " ".join(await after.type("cat", "/tables"))
    assert "stopped (case " in " ".join(await after.type("bob", "/tables"))
    assert "stopped" not in " ".join(await after.type("cat", "/watch 1"))
    assert "stopped (case " in " ".join(await after.type("bob", "/at 1"))


async def test_case_number_is_the_same_after_each_restart(table, store):
    first = case_in((await restarted(store, damage_an_entry))[1])

    assert first == case_in((await restarted(store, lambda _: None))[1])


async def test_repaired_table_goes_on_where_it_stopped(table, store):
    whole = [*store.entries["table/1"]]
    await restarted(store, damage_an_entry)
    store.entries["table/1"][:] = whole
    after = await Stage.open(GAMES, store=store)

    assert table.table == after.table(1).table


async def test_sysop_is_told_of_stopped_tables_at_login(table, store):
    stage, logged = await restarted(store, lose_an_entry)
    stage.host.roles.listed = ("cat",)
    stage.accounts.names["cat"] = "cat"

    assert f"#1 tally (case {case_in(logged)})" in " ".join(stage.enter("cat").take())
    assert "case" not in " ".join(stage.enter("dan").take())


async def test_table_stopped_by_a_bug_in_play_is_listed_as_stopped(stage, table):
    table.runner.stop(ZeroDivisionError())

    assert f"stopped (case {table.case})" in " ".join(await stage.type("ann", "/tables"))


async def test_open_table_without_an_entry_in_the_index_is_told(store):
    store.records["open"]["7"] = ""
    stage, logged = await restarted(store, lambda _: None)

    assert [7] == [entry["table"] for entry in logged]
    assert {7} == stage.tables.unplayable.numbers


async def test_row_of_open_tables_that_isnt_a_number_is_reported_and_skipped(table, store):
    store.records["open"]["x"] = ""
    stage, logged = await restarted(store, lambda _: None)

    assert [1] == [*stage.open_tables]
    assert [("open", "x")] == [(entry["kind"], entry["key"]) for entry in logged]


async def test_store_that_is_away_stops_no_table(table, store):
    store.fail_next(StoreUnavailable("gone"), call="read")
    with pytest.raises(StoreUnavailable):
        await Stage.open(GAMES, store=store)


async def test_log_on_a_damaged_part_of_the_disk_stops_only_its_table(stage, table, store, monkeypatch):
    await stage.type("ann", "/new tally")
    read = store.read

    async def broken(log, *more):
        if log == "table/1":
            raise Damaged("broken")
        return await read(log, *more)

    monkeypatch.setattr(store, "read", broken)
    after, logged = await restarted(store, lambda _: None)

    assert ([2], {1}) == ([*after.open_tables], after.tables.unplayable.numbers)
    assert case_in(logged)


# Chips.


@pytest.fixture
async def poker(store):
    """Ann and bob in a lily-poker session with chips, which has begun."""
    installed("lilypoker")
    stage = await Stage.open(GAMES, store=store, seed="3")
    for name in ("ann", "bob"):
        stage.enter(name)
        await stage.create_account(name, "correct horse")
    await stage.type("ann", "/new lilypoker bob")
    await stage.type("bob", "/sit lilypoker")
    await stage.type("ann", "/check")
    return stage


async def staked(stage, name):
    return await stage.tables.stakes.staked(GAMES["lilypoker"], name)


@pytest.mark.parametrize("damage", [damage_the_last_entry, lose_the_secret, damage_the_header])
async def test_chips_at_a_stopped_table_are_staked_there_and_nowhere_else(poker, store, damage):
    before = await staked(poker, "bob")
    after, _ = await restarted(store, damage)

    assert before > 0
    assert before == await staked(after, "bob")


async def test_chips_cashed_out_before_a_table_stopped_are_no_longer_staked(poker, store):
    poker.enter("cat")
    await poker.create_account("cat", "correct horse")
    await poker.type("cat", "/sit lilypoker")
    await poker.type("bob", "/leave")
    assert 0 == await staked(poker, "bob")
    after, _ = await restarted(store, lose_the_secret)

    assert (0, True) == (await staked(after, "bob"), await staked(after, "ann") > 0)


async def test_player_cannot_stake_chips_that_a_stopped_table_may_hold(poker, store):
    """The entry that says how many chips everyone brought cannot be read."""
    after, _ = await restarted(store, damage_an_entry)
    after.enter("bob")
    after.enter("cat")
    await after.type("cat", "/new lilypoker")

    assert "your chips may be at #1 lilypoker, which is stopped" in " ".join(
        await after.type("bob", "/sit lilypoker-2")
    )
    assert "you sit at lilypoker-3" in " ".join(await after.type("cat", "/new lilypoker"))


async def test_chips_of_an_account_that_cannot_be_read_stay_at_the_table(poker, store):
    """There is no account to add them to, so the table stops with a case number."""
    stage = await Stage.open(GAMES, store=store)
    store.records["account"]["bob"] = "{"
    stage.enter("ann")
    bot = stage.table(1)
    await stage.type("ann", "/leave")
    await bot.room.do(partial(seating.break_off, bot))
    await stage.quiet()

    assert bot.case
    assert 100 == await staked(stage, "bob")
