"""Slow games wait for players on vacation, up to thirty days a year."""

import pytest

from lilygames.errors import UserError
from lilygames.store.memory import MemoryStore
from lilygames.tables.seeks.vacation import Vacations

NOON = 1_800_000_000.0
DAY = 86400


@pytest.fixture
def vacations():
    return Vacations(MemoryStore())


async def test_vacation_takes_its_days_from_the_year(vacations):
    await vacations.begin("ann", 10, NOON)

    assert (20, NOON + 10 * DAY) == (vacations.left("Ann", NOON), vacations.ends("ANN"))


async def test_unused_days_come_back(vacations):
    await vacations.begin("ann", 10, NOON)
    await vacations.end("ann", NOON + 2.5 * DAY)

    assert vacations.left("ann", NOON) == 27


async def test_new_year_has_new_days(vacations):
    await vacations.begin("ann", 30, NOON)

    assert vacations.left("ann", NOON + 366 * DAY) == 30


@pytest.mark.parametrize("days", [0, 31])
async def test_vacation_longer_than_the_remaining_days_is_refused(vacations, days):
    with pytest.raises(UserError, match="30 of 30 vacation days"):
        await vacations.begin("ann", days, NOON)


async def test_vacations_are_stored():
    store = MemoryStore()
    await Vacations(store).begin("ann", 3, NOON)
    again = Vacations(store)
    await again.load()

    assert again.ends("ann") == NOON + 3 * DAY


async def test_slow_game_waits_for_a_player_on_vacation(stage, table):
    """Without a vacation the seat would be late."""
    await stage.type("ann", "/pace 2h")
    await stage.type("bob", "/pace 2h")
    await stage.type("bob", "/vacation 2")
    begun = table.clock.now()
    table.clock.now = lambda: begun + 7300

    await table.room.do(table.clock.tick)

    assert table.clock.clocks.left(1, table.clock.now()) > DAY
    assert "(you aren't on vacation; you have 30 days left this year)" in await stage.type("bob", "/vacation 0")
