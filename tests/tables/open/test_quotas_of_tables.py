"""How many tables people may hold and open, by person and by address; and what closes when a guest leaves."""

import attrs
import pytest

from lilygames.chat.visits import session_tokens
from lilygames.gametest.stage import SETTINGS, Stage
from lilygames.store.memory import MemoryStore
from tests.tables.room.test_sealing import said
from tests.toys import TALLY

GUESTS = [f"guest{number}" for number in range(1, 16)]


@pytest.fixture
async def street():
    """Fifteen guests and Ann, who has an account, at one address."""
    stage = await Stage.open(TALLY)
    for name in (*GUESTS, "Ann"):
        stage.enter(name)
    for name in GUESTS:
        make_guest(stage, name)
    return stage


def make_guest(stage, name):
    stage.people[name].set_guest(guest=True)
    stage.accounts.names.pop(name, None)


def waiting(stage):
    return [number for number, bot in stage.open_tables.items() if not bot.table.started]


async def answers(stage, name, line):
    return said(await stage.type(name, line))


async def test_guest_has_one_table_that_waits_for_players(street):
    await street.type("guest1", "/new tally")

    assert "Refused: you already have 1 table waiting: 1. Close it with /close 1." in await answers(
        street, "guest1", "/new tally"
    )
    assert [1] == waiting(street)


async def test_fifteen_guests_at_an_address_cannot_open_more_than_one_each(street):
    for name in GUESTS * 3:
        await street.type(name, "/new tally")

    assert 15 == len(waiting(street))


async def test_account_has_four_tables_and_is_told_their_numbers(street):
    for _ in range(5):
        rows = await answers(street, "Ann", "/new tally")

    assert "Refused: you already have 4 tables waiting: 1, 2, 3, 4. Close one with /close 1." in rows


async def test_closed_table_makes_room_for_another(street):
    for _ in range(5):
        await street.type("Ann", "/new tally")
    await street.type("Ann", "/close 2")
    await street.type("Ann", "/new tally")

    assert [1, 3, 4, 5] == waiting(street)


async def test_accounts_at_an_address_have_24_tables_between_them(street):
    for number in range(8):
        street.enter(f"Dan{number}")
        for _ in range(4):
            rows = await answers(street, f"Dan{number}", "/new tally")

    assert "Refused: 24 tables from your address are waiting for players. Type /tables to join one." in rows
    assert 24 == len(waiting(street))


async def test_tables_opened_one_after_the_other_are_limited_too(street):
    """Someone who opens and closes tables writes to the store for ever."""
    for number in range(1, 8):
        rows = await answers(street, "Ann", "/new tally")
        await street.type("Ann", f"/close {number}")

    assert "Refused: you've opened many tables. Try again in 20 seconds." in rows


async def test_table_counts_for_those_who_stay_when_its_opener_has_left(street):
    """Otherwise two guests could open tables for each other without end."""
    await street.type("guest1", "/new tally")
    await street.type("guest2", "/sit 1")
    await street.type("guest1", "/close 1")

    assert "you already have 1 table waiting: 1." in await answers(street, "guest2", "/new tally")
    assert "is open" in await answers(street, "guest1", "/new tally")


async def test_renamed_account_holds_the_tables_that_it_opens_under_any_name(street):
    """Its tables count for the account, whose key is still its first name."""
    await street.create_account("Ann", "plums and pears")
    await street.type("Ann", "/rename Beatrice")
    street.people["Beatrice"], street.screens["Beatrice"] = street.people.pop("Ann"), street.screens.pop("Ann")
    for _ in range(4):
        await street.type("Beatrice", "/new tally")

    assert "you already have 4 tables waiting: 1, 2, 3, 4." in await answers(street, "Beatrice", "/new tally")


async def test_amounts_are_counted_again_after_a_restart():
    """They are counted from the tables, not from what was asked for."""
    store = MemoryStore()
    before = await Stage.open(TALLY, store=store)
    before.enter("Ann")
    for _ in range(4):
        await before.type("Ann", "/new tally private=on")
    after = await Stage.open(TALLY, store=store)
    after.enter("Ann")

    assert "you already have 4 tables waiting" in await answers(after, "Ann", "/new tally")


async def test_tables_opened_before_a_start_count_for_the_address_of_their_people_when_they_come_back():
    """Else someone could have as many again after each start."""
    store, cast = MemoryStore(), [f"Dan{number}" for number in range(7)]
    before = await Stage.open(TALLY, store=store)
    for name in cast[:6]:
        before.enter(name)
        for _ in range(4):
            await before.type(name, "/new tally")
    after = await Stage.open(TALLY, store=store)
    refused = []
    for name in (cast[6], *cast[:6], cast[6]):
        if name not in after.people:
            after.enter(name)
        refused.append("from your address are waiting" in await answers(after, name, "/new tally"))

    assert [False] * 7 + [True] == refused
    assert 25 == after.tables.held.number("tables waiting", "address", "stage")


async def test_tables_and_rooms_opened_before_a_start_count_for_the_sessions_of_their_owners():
    """Nobody needs to come back for that, if their client could resume."""
    store, cast = MemoryStore(), [f"Dan{letter}" for letter in "abcdef"]
    before = await Stage.open(TALLY, store=store)
    for name in cast:
        screen = before.enter(name)
        screen.address, screen.page, screen.takes_packets = "192.0.2.7", True, True
        await session_tokens.offer(before.host, before.people[name])
        for _ in range(4):
            await before.type(name, "/new tally")
    await before.type("Dana", "/create cafe")
    after = await Stage.open(TALLY, store=store)
    for name in cast:
        after.accounts.names[name.casefold()] = name
    await after.place.openers_addresses.learn()
    after.enter("Eve").address = "192.0.2.7"

    assert "24 tables from your address are waiting" in await answers(after, "Eve", "/new tally")
    assert 1 == after.rooms.number("rooms", "address", "192.0.2.7")
    assert 24 == after.tables.held.number("tables waiting", "subnet", "192.0.2.0/24")


async def test_session_of_someone_who_has_come_back_changes_no_address(street):
    await street.type("Ann", "/new tally")
    street.screens["Ann"].page = street.screens["Ann"].takes_packets = True
    street.screens["Ann"].address = "192.0.2.7"
    await session_tokens.offer(street.host, street.people["Ann"])
    await street.place.openers_addresses.learn()

    assert 1 == street.tables.held.number("tables", "address", "stage")


async def test_tables_keep_the_address_from_which_they_were_opened(street):
    """Their opener may come back from another one."""
    await street.type("Ann", "/new tally")
    street.drop("Ann")
    street.enter("Ann").address = "192.0.2.7"

    assert 1 == street.tables.held.number("tables", "address", "stage")
    assert 0 == street.tables.held.number("tables", "address", "192.0.2.7")


async def test_simul_counts_as_one_table_for_its_host(street):
    await street.type("Ann", "/simul tally 5")

    assert 5 == len(waiting(street))
    assert "is open" in await answers(street, "Ann", "/new tally")


async def test_trusted_network_has_only_the_limits_of_its_people(monkeypatch):
    stage = await Stage.open(TALLY, settings=attrs.evolve(SETTINGS, exempt="10.1.0.0/16"))
    for number in range(10):
        stage.enter(f"Dan{number}").address = "10.1.2.3"
        for _ in range(5):
            await stage.type(f"Dan{number}", "/new tally")

    assert 40 == len(waiting(stage))


async def test_only_a_player_closes_a_table_and_only_before_its_start(street):
    await street.type("guest1", "/new tally")
    other = await answers(street, "guest2", "/close 1")
    await street.type("guest2", "/sit 1")
    await street.type("guest1", "/start")
    late = await answers(street, "guest1", "/close 1")

    assert "Refused: you don't have a seat at tally, so you can't close it." in other
    assert "Refused: the game at tally has started. Type /at 1 leave to leave it." in late
