"""A forgotten password: a sysop's one-time word replaces it, and nobody can guess who has an account."""

import json

import pytest

from lilygames.chat.accounts.login_attempts import LoginAttempts
from lilygames.chat.accounts.one_time_words import DAY, HOUR, RECOVERY
from lilygames.limits.quota import Quotas

OLD, NEW = "plums and pears", "quinces and figs"
WORD = "1234-plum-otter-5678"


@pytest.fixture
async def ann(come):
    """Ann's account."""
    await come("ann", OLD, OLD)


@pytest.fixture
async def word(place, ann):
    """Ann's one-time word from the sysop."""
    accounts = place.host.accounts
    return await accounts.recovery.issue(accounts.key("ann"), place.host.clock(), DAY)


def is_in(terminal):
    return any(row.startswith("You're in the lobby") for row in terminal.rows)


async def test_one_time_word_lets_you_choose_a_new_password(come, word):
    terminal = await come(f"ann {word}", NEW, NEW)

    assert is_in(terminal)
    assert "That was the one-time word, so choose a new password now." in terminal.rows
    assert is_in(await come(f"ann {NEW}"))
    assert not is_in(await come(f"ann {OLD}", ""))


async def test_one_time_word_fits_at_the_password_prompt_in_capitals(come, word):
    assert is_in(await come("ann", word.upper(), NEW, NEW))


async def test_old_password_still_works_until_the_word_is_used(come, word):
    assert is_in(await come(f"ann {OLD}"))


async def test_one_time_word_works_once(come, store, word):
    await come(f"ann {word}", NEW, NEW)

    assert {} == await store.every(RECOVERY)
    assert not is_in(await come(f"ann {word}", ""))


async def test_one_time_word_expires(come, place, word):
    now = place.host.clock()
    place.host.clock = lambda: now + DAY + 1

    assert not is_in(await come(f"ann {word}", ""))


async def test_word_without_a_new_password_can_be_used_again(come, word):
    terminal = await come(f"ann {word}", "")

    assert any(row.startswith("Refused: no password was chosen.") for row in terminal.rows)
    assert is_in(await come(f"ann {word}", NEW, NEW))


async def test_word_opens_no_other_account(come, word):
    await come("bob", OLD, OLD)

    assert not is_in(await come(f"bob {word}", ""))


async def test_only_the_hash_of_a_word_is_stored(store, word):
    body = json.loads((await store.every(RECOVERY))["ann"])

    assert {"digest", "until"} == {*body}
    assert word not in str(body)


async def test_guessing_a_word_is_throttled_as_a_login_is(come, place, word):
    place.host.login_attempts = LoginAttempts(Quotas(), lambda: 0.0, tries=2)
    terminal = await come("ann", *[WORD] * 3, f"ann {word}")

    assert not is_in(terminal)
    assert any("too many wrong passwords" in row for row in terminal.rows)


async def test_replaced_password_ends_the_sessions_of_the_old_one(come, place, ann):
    before = place.host.accounts.stamp("ann")
    word = await place.host.accounts.recovery.issue("ann", place.host.clock())
    await come(f"ann {word}", NEW, NEW)

    assert before != place.host.accounts.stamp("ann")


async def test_server_without_mail_refers_to_a_sysop(come, ann):
    for name in ("ann", "nobody2"):
        terminal = await come(f"forgot {name}")
        assert "Refused: this server doesn't send mail. Ask a sysop for a one-time word." in terminal.rows


async def test_forgot_alone_says_what_to_type(come):
    assert "Refused: type forgot and your name: forgot ann" in (await come("forgot")).rows


async def test_forgotten_passwords_are_limited_by_address(come, place):
    place.host.sends_mail = True
    terminal = await come(*(f"forgot ann{number}" for number in range(6)))

    assert 5 == sum("we mail a one-time word there" in row for row in terminal.rows)
    assert "Refused: you've asked for too many words. Try again in 12 minutes, or ask a" in terminal.rows


async def test_one_address_asks_three_times_for_the_same_name(come, place):
    """Then it can't use up what others may ask for."""
    place.host.sends_mail = True
    terminal = await come(*["forgot ann"] * 4)

    assert 3 == sum("we mail a one-time word there" in row for row in terminal.rows)
    assert any("Refused: you've asked 3 times for that name today." in row for row in terminal.rows)


async def test_word_lasts_an_hour_unless_the_sysop_gives_it(place, ann):
    now = place.host.clock()
    await place.host.accounts.recovery.issue("ann", now)

    assert await place.host.accounts.recovery.find("ann", now + HOUR - 1)
    assert await place.host.accounts.recovery.find("ann", now + HOUR) is None
