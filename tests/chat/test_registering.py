"""One address may have only so many names kept in a day."""

import pytest

from lilygames.chat.rate_limit import DAY, RateLimit


@pytest.fixture
def few(place):
    """Let an address have one name kept."""
    place.host.signup_quota = RateLimit(1, DAY)


async def test_who_has_had_names_enough_kept_plays_as_a_guest(place, few, come):
    """Nobody fills the place with names; everybody may play."""
    await come("ann", "secret1", "secret1")

    rows = (await come("bob", stay=True)).rows

    assert "(your address has had many names kept today, so you play as a guest)" in rows
    assert ["ann"] == [*place.host.accounts.names]


async def test_a_guest_registers_no_more_than_that_either(few, come):
    """There is no way around it."""
    await come("ann", "secret1", "secret1")

    rows = " ".join((await come("bob", "/register")).rows)

    assert "Refused: your address has had many names kept today; play on as a guest" in rows


def test_another_day_is_another_day():
    """A name counts for a day."""
    now = [0.0]
    registering = RateLimit(1, DAY, lambda: now[0])
    taken = [registering.take("here"), registering.take("here")]
    now[0] = DAY + 1

    assert [True, False, True] == [*taken, registering.take("here")]


def test_every_address_is_counted_by_itself():
    """Who is many is not kept out by who is one."""
    registering = RateLimit(1, DAY)

    assert [True, False, True] == [registering.take(address) for address in ("here", "here", "there")]
