"""Talk and profiles that can't be saved before a reload are saved by the next process, once."""

import asyncio

import pytest

from lilygames import codec
from lilygames.chat import history as module
from lilygames.chat.events import ChatEvent
from lilygames.chat.history import History, of_room
from lilygames.chat.observers import Announced
from lilygames.chat.profile import ProfileStore
from lilygames.gametest.stage import Stage
from lilygames.server import handover
from lilygames.server.handover import Unsaved
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

    async def keep(self, *args):
        """Write a record, or fail."""
        if self.away:
            raise StoreUnavailable("it is away")
        await self.store.keep(*args)


@pytest.fixture
def store():
    return MemoryStore()


def said(history, *texts):
    """Let ann say some lines in the lobby."""
    for text in texts:
        history.observe(Announced(ChatEvent("public", "ann", ("lobby",), (), text, at=1.0), (), ()))


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
    assert "back at nine" == (await after.place.host.profiles.load("ann")).blurb
    await after.place.kept()
    assert "back at nine" == (await ProfileStore(store).load("ann")).blurb
    after.enter("cat")
    assert "#  - nothing can be saved now" in await after.type("cat", "/review lobby")


async def test_nothing_is_handed_over_if_all_is_saved(store):
    stage = await Stage.open(TALLY, store=store)
    stage.enter("ann")
    await stage.type("ann", "hello")

    assert Unsaved() == await handover.unsaved(stage.place)
