"""Names of sysops in the settings: nobody else gets them, and a word from the shell registers them."""

import asyncio
import json

import attrs
import pytest

from lilygames.chat.accounts.login_attempts import LoginAttempts
from lilygames.chat.accounts.one_time_words import CLAIM, HOUR
from lilygames.chat.visits.session import visit
from lilygames.gametest.stage import SETTINGS
from lilygames.limits.quota import Quotas
from lilygames.server.place.place import furnish
from lilygames.server.settings.config import Misconfigured
from tests.toys import TOYS

PASSWORD = "plums and pears"
RESERVED = "is a reserved name. Please choose another."


@pytest.fixture
async def place(store):
    """A chat host whose sysop, Zorak1, has not registered yet."""
    return await furnish(store, attrs.evolve(SETTINGS, sysops="Zorak1"), TOYS)


@pytest.fixture
async def word(place):
    """The word that lets Zorak1 register."""
    return await place.host.accounts.claims.issue("zorak1", place.host.clock())


@pytest.mark.parametrize("name", ["Zorak1", "zorak1", "ZORAK1", "zorakl", "zo-rak1", "Zorakı"])
async def test_nobody_takes_the_name_of_a_sysop_who_has_not_registered(come, place, name):
    """That includes guests, passwords, /rename and names of discussions."""
    await come("ann", PASSWORD, PASSWORD)
    newcomer = await come(name, PASSWORD, PASSWORD)
    guest = await come("bob", "", f"/rename {name}")
    owner = await come(f"ann {PASSWORD}", f"/rename {name}", f"/create {name}")

    assert ["ann"] == [*place.host.accounts.names]
    for terminal, times in ((newcomer, 1), (guest, 1), (owner, 2)):
        assert times <= sum(row.startswith("Refused: ") for row in terminal.rows)


async def test_word_registers_the_name_as_it_is_in_the_settings(come, place, word):
    """The sysop chooses a password as any newcomer does, and is logged in."""
    terminal = await come(f"zorak1 {word}", PASSWORD, PASSWORD, "/pa hello all")

    assert (await place.host.accounts.get("zorak1")).name == "Zorak1"
    assert not any(row.startswith("Refused") for row in terminal.rows)
    assert place.host.accounts.names == {"zorak1": "Zorak1"}
    assert any(row.startswith("You're in the lobby") for row in (await come(f"Zorak1 {PASSWORD}")).rows)


async def test_typing_is_hidden_at_the_prompt_for_the_word(come, place, word):
    terminal = await come("zorak1", "1234-plum-otter-5678", word, PASSWORD, PASSWORD)

    assert 2 == terminal.rows.count("claim word: ")
    assert 4 == terminal.secrets
    assert "zorak1" in place.host.accounts.names


async def test_word_registers_no_other_name(come, place, word):
    for name in ("zorakl", "bob", "Zorak"):
        await come(f"{name} {word}", PASSWORD, PASSWORD)

    assert "zorakl" not in place.host.accounts.names
    assert place.host.awaited_sysop("zorak1") == "Zorak1"


async def test_word_is_valid_for_an_hour(come, place, word):
    now = place.host.clock()
    place.host.clock = lambda: now + HOUR + 1
    terminal = await come(f"zorak1 {word}", PASSWORD, PASSWORD)

    assert {} == place.host.accounts.names
    assert f"Refused: “Zorak1” {RESERVED}" in terminal.rows


async def test_word_is_valid_once(come, place, store, word):
    await come(f"zorak1 {word}", PASSWORD, PASSWORD)
    terminal = await come(f"zorak1 {word}", "")

    assert {} == await store.every(CLAIM)
    assert any("wrong password for Zorak1" in row for row in terminal.rows)


async def test_one_of_two_people_with_the_word_registers(place, typist, word):
    terminals = [typist(f"zorak1 {word}", f"password {n}", f"password {n}", None) for n in (3, 4)]
    await asyncio.gather(*(visit(place.host, place.dispatcher, terminal) for terminal in terminals))

    assert 1 == sum(any(row.startswith("You're in the lobby") for row in terminal.rows) for terminal in terminals)


async def test_newer_word_ends_the_older_one(come, place, word):
    await place.host.accounts.claims.issue("zorak1", place.host.clock())
    await come(f"zorak1 {word}", PASSWORD, PASSWORD)

    assert {} == place.host.accounts.names


async def test_wrong_word_counts_as_a_guess(come, place, word):
    """Like a wrong password, it makes the next guess slower."""
    place.host.login_attempts = LoginAttempts(Quotas(), lambda: 0.0, tries=2)
    terminal = await come("zorak1", *["1234-plum-otter-5678"] * 3, f"zorak1 {word}", PASSWORD, PASSWORD)

    assert {} == place.host.accounts.names
    assert any("too many wrong passwords" in row for row in terminal.rows)


async def test_name_is_not_registered_without_a_password(come, place, word):
    """A sysop is never a guest."""
    terminal = await come(f"zorak1 {word}", "", f"zorak1 {word}", "password1", PASSWORD, PASSWORD)

    assert any("no password was chosen" in row for row in terminal.rows)
    assert "zorak1" in place.host.accounts.names


async def test_only_a_hash_of_the_word_is_stored(place, store, word):
    kept = (await store.every(CLAIM))["zorak1"]

    assert word not in kept
    assert json.loads(kept)["digest"].startswith("$argon2id$")


async def test_registered_sysop_logs_in_as_usual(store, come, place):
    await place.host.accounts.create("zorak1", PASSWORD, guest=False)

    assert any(row.startswith("You're in the lobby") for row in (await come(f"zorak1 {PASSWORD}")).rows)


async def test_guest_of_that_name_cannot_register_it(store, typist):
    """They took the name before it was in the settings."""
    place = await furnish(store, SETTINGS, TOYS)
    terminal = typist("zorak1", "", "/register", PASSWORD, PASSWORD)
    coming = asyncio.create_task(visit(place.host, place.dispatcher, terminal))
    place.host.roles.listed = ("zorak1",)
    terminal.typed.put_nowait(None)
    await coming

    assert {} == place.host.accounts.names


@pytest.mark.parametrize(
    "name", ["sysop", "admin", "Staff", "m0derator", "tally", "Ada", "guest3", "lobby", "resume", "4you", "x", "Zoë"]
)
async def test_server_does_not_start_with_an_impossible_sysop_name(store, name):
    with pytest.raises(Misconfigured, match=f"sysops has the name “{name}”, which nobody can register"):
        await furnish(store, attrs.evolve(SETTINGS, sysops=f"ann, {name}"), TOYS)


@pytest.mark.parametrize("former", [False, True])
async def test_sysop_whose_name_was_reserved_later_still_has_it(store, place, former):
    account = await place.host.accounts.create("operator", PASSWORD, guest=False)
    if former:
        await place.host.accounts.rename(account, "ann")
    again = await furnish(store, attrs.evolve(SETTINGS, sysops="operator"), TOYS)

    assert "" == again.host.awaited_sysop("operator")
