"""Test how long an account counts as new, by the setting and by role."""

import attrs
import pytest

from lilygames.gametest.stage import SETTINGS
from lilygames.moderation.desk import SHELL
from lilygames.server.place.place import furnish
from lilygames.server.settings.config import load
from lilygames.store.memory import MemoryStore
from tests.toys import TOYS

DAY = 86400.0


async def opened(days):
    """Open a place with two accounts, Ann and Bob; Bob is a moderator."""
    place = await furnish(MemoryStore(), attrs.evolve(SETTINGS, new_account_days=days), TOYS)
    for name in ("Ann", "Bob"):
        await place.host.accounts.create(name, "plums and pears", guest=False)
    await place.desk.appoint(SHELL, "Bob", "moderator")
    return place


@pytest.mark.parametrize("days", [0, 1.5, 7])
async def test_setting_says_when_an_account_is_old_enough_and_staff_never_wait(days):
    host = (await opened(days)).host
    since = {name: await host.accounts.since(name) for name in ("ann", "bob")}

    assert [since["ann"] + days * DAY, since["bob"]] == [await host.seniority.reached(name) for name in ("ANN", "Bob")]
    assert await host.seniority.reached("guest1") is None


async def test_renamed_sysop_does_not_wait_either():
    place = await opened(7)
    await place.desk.appoint(SHELL, "Ann", "sysop")
    await place.host.accounts.rename(await place.host.accounts.get("Ann"), "Zoe")

    assert await place.host.accounts.since("Zoe") == await place.host.seniority.reached("zoe")


def test_default_is_a_week():
    assert 7 == load().new_account_days
