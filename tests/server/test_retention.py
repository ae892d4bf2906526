"""Retention: what is old is archived or deleted once a day, whatever the clock says."""

import asyncio

import pytest
from structlog.testing import capture_logs

from lilygames.chat.people.events import ChatEvent
from lilygames.chat.talk.history import History, as_text
from lilygames.chat.talk.talk_age import NOTHING, TalkAge
from lilygames.gametest.stage import Stage
from lilygames.server.place import retention
from lilygames.server.place.retention import DAY, FIRST_GLANCE, GLANCE, HOLD, Retention, SteadyTime, Task
from lilygames.server.watch.disk_usage import DiskUsage, Growth
from lilygames.store import Draft, StoreUnavailable
from lilygames.store.memory import MemoryStore
from lilygames.tables.archive.archived_logs import PackRecords

YEAR = 365 * DAY
START = 20_000 * DAY


class Time:
    """The clock on the wall, which may be wrong, and the real time since the start."""

    def __init__(self):
        self.wall, self.real = START, 0.0

    def __call__(self):
        return self.wall

    def pass_(self, seconds):
        self.wall += seconds
        self.real += seconds


class Deletions:
    """Things with a date; those that are too old are deleted."""

    def __init__(self, dates):
        self.dates, self.asked = sorted(dates), []

    async def forget_before(self, moment):
        self.asked.append(moment)
        before, self.dates = self.dates, [date for date in self.dates if date >= moment]
        yield len(before) - len(self.dates)


@pytest.fixture
def clock():
    return Time()


@pytest.fixture
def store(clock):
    return MemoryStore(clock)


@pytest.fixture(autouse=True)
def at_full_speed(monkeypatch):
    monkeypatch.setattr(retention, "SHARE", 0)


@pytest.fixture
def things(clock):
    """A thing for every day of the last 100 days."""
    return Deletions(clock.wall - day * DAY for day in range(100))


@pytest.fixture
def node(store, clock, things):
    """Return a function that makes a node, which keeps things for 90 days."""

    def made(name="a", tasks=None):
        tasks = tasks or [Task("things", 90, things.forget_before)]
        return Retention(store, clock, name, tasks, DiskUsage(store, PackRecords(store)), monotonic=lambda: clock.real)

    return made


async def live(clock, hours, *nodes):
    """Let time pass; every node looks once an hour."""
    for _ in range(hours):
        clock.pass_(GLANCE)
        for node in nodes:
            await node.look()


async def test_things_are_deleted_when_they_are_too_old(node, clock, things):
    await live(clock, 1, node())

    assert START + GLANCE - 90 * DAY <= things.dates[0]


async def test_work_is_done_once_a_day(node, clock, things):
    await live(clock, 24 * 5, node())

    assert 6 == len(things.asked)


async def test_a_place_that_is_restarted_every_hour_does_its_work_too(node, clock, things, monkeypatch):
    slept = []

    async def sleep(seconds):
        if not seconds:
            return
        slept.append(seconds)
        clock.pass_(seconds)
        if clock.real >= 3 * GLANCE:
            raise asyncio.CancelledError

    monkeypatch.setattr(asyncio, "sleep", sleep)

    with pytest.raises(asyncio.CancelledError):
        await node().watch()

    assert [FIRST_GLANCE, GLANCE, GLANCE, GLANCE] == slept
    assert 1 == len(things.asked)


async def test_age_of_zero_keeps_things_for_ever(node, clock, things):
    await live(clock, 24 * 400, node(tasks=[Task("things", 0, things.forget_before)]))

    assert 100 == len(things.dates)


async def test_several_nodes_do_the_work_once(node, clock, things):
    await live(clock, 24 * 5, node("a"), node("b"), node("c"))

    assert 6 == len(things.asked)


async def test_another_node_continues_after_one_is_gone(node, clock, things):
    await live(clock, 24 * 2, node("a"))
    done = len(things.asked)
    await live(clock, 24 * 2, node("b"))

    assert done + 2 == len(things.asked)


async def test_node_stops_when_another_has_taken_its_turn(node, clock, store):
    went_on = []

    async def steps(moment):
        yield 1
        went_on.append(moment)

    first, second = node("a", [Task("things", 90, steps)]), node("b", [Task("more", 0, steps)])

    async def slow(moment):
        clock.pass_(retention.LEASE + 1)
        await second._take_turn()
        async for some in steps(moment):
            yield some

    first.tasks = [Task("things", 90, slow)]
    await live(clock, 1, first)

    assert [] == went_on


async def test_clock_that_is_years_ahead_for_some_hours_deletes_nothing_early(node, clock, things):
    here = node()
    await live(clock, 24, here)
    before = things.dates

    clock.wall += 5 * YEAR
    with capture_logs() as logs:
        await live(clock, 12, here)
    clock.wall -= 5 * YEAR
    assert before == things.dates
    assert ["the clock is far ahead of old data; it is deleted from tomorrow on"] == [one["event"] for one in logs]

    await live(clock, 24, here)
    assert START + 2 * DAY - 90 * DAY <= things.dates[0] <= clock.wall - 89 * DAY


async def test_restarts_while_the_clock_is_ahead_change_nothing(node, clock, things):
    await live(clock, 24, node())
    before = things.dates

    clock.wall += 5 * YEAR
    for _ in range(12):
        await live(clock, 1, node())

    assert before == things.dates


async def test_first_start_with_a_clock_that_is_ahead_counts_from_the_newest_table(node, clock, store, things):
    await store.append("tables", 0, [Draft("ann", "{}")], cmd="1")

    clock.wall += 5 * YEAR
    await live(clock, 12, node())

    assert START - 89 * DAY == things.dates[0]


async def test_place_that_was_off_for_months_catches_up_after_a_day(node, clock, things):
    await live(clock, 24, node())

    clock.wall += 30 * DAY
    here = node()
    await live(clock, int(HOLD // GLANCE), here)
    before = len(things.dates)
    await live(clock, 36, here)

    assert 89 <= before
    assert clock.wall - 90 * DAY <= things.dates[0] + DAY
    assert len(things.dates) < 62


async def test_clock_that_is_set_back_by_years_deletes_nothing_and_work_goes_on_when_it_is_right(node, clock, things):
    here = node()
    await live(clock, 24, here)
    before = list(things.dates)

    clock.wall -= 5 * YEAR
    await live(clock, 48, here)
    assert before == things.dates

    clock.wall += 5 * YEAR
    await live(clock, 24 * 3, here)
    assert len(things.dates) < len(before)


async def test_task_that_fails_does_not_stop_the_others_and_is_tried_again(node, clock, things):
    tries = []

    async def fails(moment):
        tries.append(moment)
        if len(tries) < 3:
            raise StoreUnavailable("The archive is missing.")
        yield 0

    with capture_logs() as logs:
        await live(clock, 6, node("a", [Task("games", 1, fails), Task("things", 90, things.forget_before)]))

    assert 3 == len(tries)
    assert len(things.dates) < 100
    assert 2 == [one.get("why") for one in logs].count("The archive is missing.")


def test_steady_time_never_runs_more_than_a_day_per_hour_ahead():
    steady, real = SteadyTime(START), 0
    for _ in range(24 * 30):
        steady, real = steady.after(GLANCE, START + 50 * YEAR), real + GLANCE
        assert steady.at - START <= real if real <= HOLD else 24 * real


# talk


def said(text, at):
    return ChatEvent("public", "ann", ("lobby",), text=text, at=at)


async def talk(store, clock, room, days):
    for day in days:
        clock.wall = START + day * DAY
        await store.append(
            f"said/{room}", None, [Draft("ann", as_text([said(f"day {day}", clock.wall)]))], cmd=f"{day}"
        )


async def heard(store, room="lobby"):
    return [one.text for one in await History(store).latest(f"said/{room}", 0.0, 1000)]


async def forget(store, moment):
    return sum([some async for some in TalkAge(store).forget_before(moment)])


async def test_old_talk_is_deleted_and_young_talk_stays(store, clock):
    await talk(store, clock, "lobby", range(10))

    assert 6 == await forget(store, START + 6 * DAY)
    assert ["day 6", "day 7", "day 8", "day 9"] == await heard(store)
    assert 0 == await forget(store, START + 6 * DAY)


async def test_room_in_which_everything_is_old_keeps_its_position_and_goes_on(store, clock):
    await talk(store, clock, "lobby", range(3))
    await talk(store, clock, "poker", range(450))

    await forget(store, START + 449.5 * DAY)

    assert [] == await heard(store)
    assert [] == await heard(store, "poker")
    assert [(3, "", NOTHING)] == [(one.seq, one.by, one.body) for one in (await store.read("said/lobby")).entries]
    assert 0 == await forget(store, START + 449.5 * DAY)
    await talk(store, clock, "lobby", [450])
    assert ["day 450"] == await heard(store)


async def test_private_messages_are_deleted_and_other_logs_stay(store, clock):
    for log in ("mail/ann", "mailing", "table/1", "said", "played/ann"):
        await store.append(log, None, [Draft("ann", "[]x")], cmd="1")

    await forget(store, START + DAY)

    assert ["mail/ann"] == [
        log
        for log in ("mail/ann", "mailing", "table/1", "said", "played/ann")
        if (await store.read(log)).entries[0].body == NOTHING
    ]


async def test_talk_from_a_future_that_never_came_goes_with_what_is_around_it(store, clock):
    await talk(store, clock, "lobby", [0, 1, 2000, 2, 3, 9])

    await forget(store, START + 5 * DAY)

    assert ["day 9"] == await heard(store)


async def test_young_talk_with_a_date_of_long_ago_stays(store, clock):
    await talk(store, clock, "lobby", [8, -9000, 9])

    await forget(store, START + 5 * DAY)

    assert ["day 8", "day -9000", "day 9"] == await heard(store)


# disk


async def test_growth_is_the_average_per_day_since_the_oldest_figures(store, clock):
    usage = DiskUsage(store, PackRecords(store))
    assert Growth() == await usage.growth(clock.wall)
    before = await store.size()
    await usage.sample(clock.wall)

    clock.pass_(4 * DAY)
    await store.append("log", 0, [Draft("ann", "x" * 4000)], cmd="1")
    await usage.sample(clock.wall)
    grown = await usage.growth(clock.wall)

    assert 4.0 == grown.days
    assert (await store.size() - before) / 4 == grown.store
    assert 0.0 == grown.archive


async def test_figures_are_kept_for_thirty_days_and_one_a_day(store, clock):
    usage = DiskUsage(store, PackRecords(store))
    for _ in range(100):
        await usage.sample(clock.wall)
        clock.pass_(DAY / 2)

    assert 30 == len(await store.every("disk"))


async def test_place_archives_games_and_deletes_talk_by_its_settings(clock, store):
    stage = await Stage.open({}, store=store, clock=clock)

    kept = {"games": 1, "talk": 90, "reports": 180, "audit": 730, "addresses": 30}
    assert kept == {task.name: task.days for task in stage.place.retention.tasks}
    await talk(store, clock, "lobby", [0])
    await live(clock, 24 * 92, stage.place.retention)
    assert [] == await heard(store)
