"""Damage in what a start reads: it costs what is damaged, or the server says in one sentence why it can't start."""

import pytest
from structlog.testing import capture_logs

from lilygames.gametest.stage import Stage
from lilygames.store import Damaged
from lilygames.store.memory import MemoryStore

WHY = "The data file is damaged: restore a backup."
SPARED = {
    "role": "records of the staff",
    "standing": "records of sanctions",
    "address-ban": "bans of networks",
    "vacation": "vacations",
    "event": "events",
    "motd": "the message of the day",
    "tournament": "open tournaments",
    "open": "open tables",
    "resume-key": "the key of the sessions",
    "audit": "the end of the audit log",
}


class TornStore(MemoryStore):
    """A store of which one kind of records, or one log, can't be read."""

    torn = ""

    def _check(self, *names):
        if self.torn in names:
            raise Damaged(WHY)

    async def append(self, log, *more, **others):
        self._check(log)
        return await super().append(log, *more, **others)

    async def read(self, log, *more):
        self._check(log)
        return await super().read(log, *more)

    async def heads(self, logs):
        self._check(*logs)
        return await super().heads(logs)

    async def find(self, kind, key):
        self._check(kind)
        return await super().find(kind, key)

    async def find_each(self, kind, keys):
        self._check(kind)
        return await super().find_each(kind, keys)

    async def every(self, kind, *page):
        self._check(kind)
        return await super().every(kind, *page)


@pytest.fixture
def store():
    return TornStore()


@pytest.fixture
async def torn(stage, table, finish, store, tally):
    """Returns a function that starts the place again after a part of its store was damaged."""
    await finish()

    async def start(part, *, at_once=True):
        store.torn = part
        again = await Stage.open(tally, store=store, at_once=at_once)
        for name in ("ann", "bob"):
            await again.place.host.tables.ready_for(name)
            again.enter(name)
        return again

    return start


@pytest.mark.parametrize("part", SPARED)
async def test_place_starts_without_what_is_damaged_and_the_log_has_a_case(torn, part):
    with capture_logs() as logged:
        again = await torn(part)

    (damage,) = [one for one in logged if one["log_level"] == "error"]
    assert ("a part of the store is damaged, and its rows are left out", part, WHY) == (
        damage["event"],
        damage["kind"],
        damage["why"],
    )
    assert 6 == len(damage["case"])
    assert ["1 unreadable row in the store"] == again.place.tables.troubles
    assert "2 people are here" in " ".join(await again.type("ann", "/who"))


@pytest.mark.parametrize(("part", "what"), [("account", "accounts"), ("former", "accounts"), ("discussion", "rooms")])
async def test_place_does_not_start_if_others_could_take_names_that_cannot_be_read(torn, part, what):
    with pytest.raises(Damaged, match=f"^The {what} are damaged, so the server can't start. {WHY}$"):
        await torn(part)


async def test_staff_can_do_nothing_while_the_end_of_the_audit_log_is_damaged(torn):
    again = await torn("audit")
    again.place.host.roles.listed = ["ann"]

    assert any("nothing can be saved right now" in row for row in await again.type("ann", "/mute bob 5 spam"))


async def test_damaged_records_of_ratings_are_replaced_by_the_log(torn, stage):
    expected = stage.place.tables.results.ratings.known
    with capture_logs() as logged:
        again = await torn("rating", at_once=False)
        ratings = again.place.tables.results.ratings
        await ratings.read_of("ann", "bob")

    assert expected == ratings.known
    assert ["rating"] == [one["kind"] for one in logged if one["log_level"] == "error"]
    assert any("tally 2: " in row for row in await again.type("ann", "/finger me"))
