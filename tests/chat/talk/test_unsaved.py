"""Talk and profiles that can't be saved before a reload are saved by the next process, once."""

import asyncio

import pytest

from lilygames import codec
from lilygames.chat.people.events import ChatEvent
from lilygames.chat.people.observers import Announced
from lilygames.chat.people.profile import ProfileStore
from lilygames.chat.talk import history as module
from lilygames.chat.talk.history import History, of_room
from lilygames.gametest.stage import Stage
from lilygames.server.reload import handover
from lilygames.server.reload.handover import Unsaved
from lilygames.store import StoreUnavailable
from lilygames.store.memory import MemoryStore
from lilygames.store.wrapper import Through
from tests.toys import TALLY

LOBBY = of_room("lobby")


class Away(Through):
    """A store whose writes fail; with `landed` only their answers are lost."""

    def __init__(self, store, *, landed=False, away=True):
        super().__init__(store)
        self.landed = landed
        self.away = away

    async def append(self, *args, **more):
        """Write what should be appended, perhaps, and fail."""
        if self.landed or not self.away:
            written = await self.store.append(*args, **more)
        if self.away:
            raise StoreUnavailable("it is away")
        return written

    async def append_each(self, *args, **more):
        """Write what should be appended, perhaps, and fail."""
        if self.landed or not self.away:
            written = await self.store.append_each(*args, **more)
        if self.away:
            raise StoreUnavailable("it is away")
        return written

    async def keep(self, *args):
        """Write a record, or fail."""
        if self.away:
            raise StoreUnavailable("it is away")
        await self.store.keep(*args)


@pytest.fixture
def store():
    return MemoryStore()


def said(history, *texts, room="lobby"):
    """Let ann say some lines in a room."""
    for text in texts:
        history.observe(Announced(ChatEvent("public", "ann", (room,), (), text, at=1.0), (), ()))


async def carried(history):
    """Return what is unsaved in the form in which the next process reads it."""
    unsaved = Unsaved(await history.carry(), {})
    return codec.from_text(codec.to_text(unsaved), Unsaved)


@pytest.mark.parametrize("landed", [True, False])
async def test_talk_is_saved_once_by_the_next_process(store, landed, monkeypatch):
    """Whether or not the append whose answer is missing was made, and in the order in which it was said."""
    monkeypatch.setattr(module, "GATHERED", 0.01)
    monkeypatch.setattr(module, "BATCH", 2)
    before, after = History(Away(store, landed=landed)), History(store)
    said(before, "one", "two", "three")
    while not before._stuck:  # noqa: ASYNC110 - it can only be looked at
        await asyncio.sleep(0.01)
    said(before, "four")

    after.take_up((await carried(before)).talk)
    said(after, "five")
    await after.finish()
    kept = await after.latest(LOBBY, 0.0, 10)

    assert ["one", "two", "three", "four", "five"] == [one.text for one in kept]
    assert 0 == after.unsaved


async def test_talk_in_many_rooms_is_saved_in_a_few_calls(monkeypatch):
    monkeypatch.setattr(module, "TOGETHER", 3)
    calls = []

    class Listening(MemoryStore):
        async def append_each(self, drafts, *, cmd):
            calls.append([*drafts])
            return await super().append_each(drafts, cmd=cmd)

    history = History(store := Listening())
    for number in range(7):
        said(history, "one", "two", room=f"room{number}")
    await history.finish()

    assert [3, 3] == [*map(len, calls)]  # the seventh is alone
    assert {of_room(f"room{number}"): 1 for number in range(7)} == await store.heads(
        [of_room(f"room{number}") for number in range(7)]
    )
    assert 0 == history.unsaved


@pytest.mark.parametrize("landed", [True, False])
async def test_talk_in_several_rooms_is_saved_once_if_the_store_was_away(store, landed, monkeypatch):
    """The same attempt is made again for each room, whether or not the call whose answer is missing was made."""
    monkeypatch.setattr(module, "RETRY", 0.01)
    history, rooms = History(away := Away(store, landed=landed)), ("cafe", "attic")
    for room in rooms:
        said(history, f"one in {room}", room=room)
    finishing = asyncio.create_task(history.finish())
    while not history._stuck:  # noqa: ASYNC110 - it can only be looked at
        await asyncio.sleep(0.01)
    for room in rooms:
        said(history, f"two in {room}", room=room)
    away.away = False
    await finishing

    for room in rooms:
        kept = await history.latest(of_room(room), 0.0, 10)
        assert [f"one in {room}", f"two in {room}"] == [one.text for one in kept]
    assert 0 == history.unsaved


async def test_talk_that_is_being_written_is_not_given_up(store, monkeypatch):
    """While the store is full, the oldest talk is given up, but what is said later than that is saved."""
    monkeypatch.setattr(module, "RETRY", 0.01)
    monkeypatch.setattr(module, "MOST", 4)
    history = History(away := Away(store, landed=True))
    said(history, "one", "two")
    finishing = asyncio.create_task(history.finish())
    while not history._stuck:  # noqa: ASYNC110 - it can only be looked at
        await asyncio.sleep(0.01)
    said(history, "three", "four", "five", "six")
    away.away = False
    await finishing
    kept = await history.latest(LOBBY, 0.0, 10)

    assert ["one", "two", "six"] == [one.text for one in kept]
    assert 0 == history.unsaved


async def test_talk_carried_with_an_attempt_is_saved_with_that_attempt(store, monkeypatch):
    """Beside talk of other rooms that is saved in one call."""
    monkeypatch.setattr(module, "RETRY", 60)
    before, after = History(Away(store, landed=True)), History(store)
    said(before, "one")
    while not before._stuck:  # noqa: ASYNC110 - it can only be looked at
        await asyncio.sleep(0.01)

    after.take_up((await carried(before)).talk)
    for room in ("cafe", "attic"):
        said(after, "hi", room=room)
    await after.finish()

    assert {LOBBY: 1, of_room("cafe"): 1, of_room("attic"): 1} == await store.heads(
        [LOBBY, of_room("cafe"), of_room("attic")]
    )


async def test_nothing_is_written_after_it_was_carried(store):
    before = History(store)
    said(before, "one")
    await before.carry()

    assert {LOBBY: 0} == await store.heads([LOBBY])


async def test_talk_and_profiles_of_a_place_are_saved_after_a_reload(monkeypatch):
    """Until they are saved, the next process knows the profiles, too."""
    monkeypatch.setattr(handover, "SAVED", 0.1)
    store = Away(MemoryStore(), away=False)
    stage = await Stage.open(TALLY, store=store)
    for name in ("ann", "bob"):
        stage.enter(name)
    store.away = True
    await stage.type("ann", "/blurb back at nine")
    await stage.type("ann", "nothing can be saved now")
    text = codec.to_text(await handover.unsaved(stage.place))

    store.away = False
    after = await Stage.open(TALLY, store=store)
    handover.save(after.place, codec.from_text(text, Unsaved))
    assert "back at nine" == (await after.host.profiles.load("ann")).blurb
    await after.kept()
    assert "back at nine" == (await ProfileStore(store).load("ann")).blurb
    after.enter("cat")
    assert "#  - nothing can be saved now" in await after.type("cat", "/review lobby")


async def test_nothing_is_handed_over_if_all_is_saved(store):
    stage = await Stage.open(TALLY, store=store)
    stage.enter("ann")
    await stage.type("ann", "hello")

    assert Unsaved() == await handover.unsaved(stage.place)
