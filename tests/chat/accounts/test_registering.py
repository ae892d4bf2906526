"""Names registered from one address are limited per day."""

import pytest

from lilygames.chat.people.observers import LimitUsed
from lilygames.chat.rooms.quotas import PeopleQuotas
from lilygames.limits.quota import Quotas, registering


def quotas(host, publish, names):
    """Return quotas with which an address can register so many names per day."""
    return PeopleQuotas(
        Quotas(),
        key_of=host.accounts.key,
        now=host.now,
        publish=publish,
        exempt=(),
        registering=registering(names),
    )


@pytest.fixture
def few(place):
    """Let an address register one name."""
    place.host.quotas = quotas(place.host, place.host.publish, 1)


async def test_address_over_its_limit_of_names_plays_as_guest(place, few, come):
    """Nobody can take all the names, but everyone may play."""
    await come("ann", "secret1", "secret1")

    rows = " ".join((await come("bob", stay=True)).rows)

    assert "(too many names were registered from your address today, so you'll play as a   guest)" in rows
    assert ["ann"] == [*place.host.accounts.names]


async def test_limit_applies_to_a_guest_who_registers_too(few, come):
    """There isn't a way around it."""
    await come("ann", "secret1", "secret1")

    rows = " ".join((await come("bob", "/register")).rows)

    assert "Refused: too many names were registered from your address today. Play as a   guest" in rows


async def test_each_registered_name_is_made_known_to_other_nodes(place, come):
    used = []
    place.host.quotas = quotas(place.host, used.append, 2)
    await come("ann", "secret1", "secret1")
    await come("bob", "", "/register", "secret1", "secret1")

    assert [LimitUsed("signup", "stage")] * 2 == used
    assert ["ann", "bob"] == [*place.host.accounts.names]


@pytest.mark.parametrize("typed", ["/help conduct", "/HELP privacy", "/help", "/help nothing"])
async def test_help_at_the_password_prompt_does_not_become_one(place, come, typed):
    """The row above the prompt names two pages, so people type them there."""
    rows = (await come("ann", typed, "secret1", "secret1", stay=True)).rows

    assert 2 == sum("Choose a password to keep it" in row for row in rows)
    assert not any("Those were different" in row for row in rows)
    assert ["ann"] == [*place.host.accounts.names]
