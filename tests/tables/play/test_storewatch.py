"""Everyone is told once when nothing can be saved, and once when saving works again."""

import pytest
from structlog.testing import capture_logs

from lilygames.server.watch.store_watch import BACK, LOST, StoreWatch
from lilygames.store import Replaced, StoreUnavailable


@pytest.fixture
def watch(store, stage):
    """A watch over the stage's store."""
    return StoreWatch(store, stage.host)


async def looked(watch, stage, times):
    """Return what ann and bob are told during this many checks."""
    for screen in stage.screens.values():
        screen.take()
    for _ in range(times):
        await watch.look()
    return [screen.take() for screen in stage.screens.values()]


async def test_people_and_the_log_are_told_once_that_nothing_is_saved(stage, store, watch):
    for _ in range(3):
        store.fail_next(Replaced("file: move it back"), call="now")
    with capture_logs() as logged:
        told = await looked(watch, stage, 3)

    assert [1, 1] == ["".join(rows).count("can't save anything right now") for rows in told]
    assert [("error", "file: move it back")] == [(entry["log_level"], entry["why"]) for entry in logged]
    assert watch.lost


async def test_people_are_told_once_that_everything_is_saved_again(stage, store, watch):
    store.fail_next(Replaced("gone"), call="now")
    await looked(watch, stage, 1)

    assert [[BACK], [BACK]] == await looked(watch, stage, 2)
    assert not watch.lost


async def test_short_outage_of_the_store_is_not_told_to_everyone(stage, store, watch):
    store.fail_next(StoreUnavailable("gone"), call="now")

    assert [[], []] == await looked(watch, stage, 2)


def test_both_notices_fit_a_screen():
    assert all(len(notice) < 100 for notice in (LOST, BACK))
