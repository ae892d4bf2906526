"""A chat host in memory, and a terminal whose lines are written beforehand."""

import asyncio

import pytest

from lilygames.chat.people.terminal import Gone
from lilygames.chat.visits.session import visit
from lilygames.gametest.stage import SETTINGS, Screen, Stage
from lilygames.server.place.place import furnish
from lilygames.store.memory import MemoryStore
from lilygames.text import Voice
from tests.toys import TOYS


class Typist(Screen):
    """A terminal that types line after line, and disconnects when told or when it is closed."""

    def __init__(self, *lines):
        super().__init__(Voice())
        self.typed = asyncio.Queue()
        for line in lines:
            self.typed.put_nowait(line)
        self.secrets = 0
        self.waits = asyncio.Event()

    def ask(self, prompt):
        super().ask(prompt)
        self.secrets += prompt.secret

    async def read(self, at_once=None, begin=None):
        if self.typed.empty():
            self.waits.set()
        line = await self.typed.get()
        if line is None:
            raise Gone
        return line

    def close(self):
        super().close()
        while not self.typed.empty():
            self.typed.get_nowait()
        self.typed.put_nowait(None)
        self.waits.set()


@pytest.fixture
def typist():
    """A terminal that types these lines; None disconnects."""
    return Typist


@pytest.fixture
def store():
    return MemoryStore()


@pytest.fixture
async def place(store):
    """A chat host with all games."""
    return await furnish(store, SETTINGS, TOYS)


@pytest.fixture
async def come(place):
    """Return a function that logs a person in, types lines, disconnects unless told to stay, and gives the terminal."""
    tasks = []

    async def arrive(*lines, stay=False):
        terminal = Typist(*lines)
        if not stay:
            terminal.typed.put_nowait(None)
        tasks.append(asyncio.get_running_loop().create_task(visit(place.host, place.dispatcher, terminal)))
        if not stay:
            await tasks[-1]
        else:
            await terminal.waits.wait()
        return terminal

    yield arrive
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


@pytest.fixture
async def stage():
    """ann, bob and cat in the lobby."""
    stage = await Stage.open(TOYS)
    for name in ("ann", "bob", "cat"):
        stage.enter(name)
    for screen in stage.screens.values():
        screen.take()
    return stage
