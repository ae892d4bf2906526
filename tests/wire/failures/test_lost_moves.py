"""Moves and talk over lines that swallow, delay and reorder: each is made or said once, and acknowledged."""

import asyncio
import json

import pytest

from lilygames.chat.talk.history import of_room, read_batch
from lilygames.store.sqlite.sqlite import SqliteStore
from tests.browser.servers import served
from tests.wire.failures.lossy import Line, Program

PEOPLE = 8


async def entries(folder, prefix):
    """Return the entries of all logs whose names begin so."""
    store = SqliteStore.open(folder / "lilygames.db")
    found = []
    for log in await store.logs(prefix, limit=1000):
        page = await store.read(log)
        while page.entries:
            found += page.entries
            page = await store.read(log, page.entries[-1].seq)
    await store.close()
    return found


async def logged(folder):
    """Return the moves in all logs of tables that people made."""
    acts = [(entry.by, json.loads(entry.body).get("act", {})) for entry in await entries(folder, "table/")]
    return [act for by, act in acts if act.get("is") == "Moved" and not by.endswith("(house)")]


async def said(folder):
    """Return who said what in the lobby, in order."""
    events = [event for entry in await entries(folder, of_room("")) for event in read_batch(entry)]
    return [(event.by, event.text) for event in events if event.kind == "public" and event.rooms == ("lobby",)]


class Players:
    """People at a server, each at a line of their own."""

    def __init__(self, place):
        self.lines = [Line(place.port) for _ in range(PEOPLE)]

    async def come(self):
        """Lay the lines."""
        self.programs = [
            Program(await line.lay(), f"Guest{chr(65 + number)}", number) for number, line in enumerate(self.lines)
        ]

    async def play(self, moves):
        """Let each of them make so many moves in all."""
        await asyncio.gather(*(one.play(moves, line) for one, line in zip(self.programs, self.lines, strict=True)))

    async def leave(self):
        """Disconnect."""
        for one, line in zip(self.programs, self.lines, strict=True):
            await one.close()
            await line.close()

    @property
    def acknowledged(self):
        """The number of moves that were acknowledged."""
        return sum(one.acknowledged for one in self.programs)

    @property
    def sent_again(self):
        """The number of moves that were sent again."""
        return sum(one.sent_again for one in self.programs)


SLOWLY = [pytest.mark.slow, pytest.mark.timeout(3600)]


@pytest.mark.parametrize("moves", [4, pytest.param(125, marks=SLOWLY)])
async def test_each_move_is_made_once(moves, tmp_path):
    async with served(tmp_path) as place:
        players = Players(place)
        await players.come()
        await players.play(moves)
        await players.leave()

    assert PEOPLE * moves == players.acknowledged == len(await logged(place.data))
    assert PEOPLE * moves / 10 < players.sent_again


@pytest.mark.parametrize("moves", [pytest.param(125, marks=SLOWLY)])
async def test_each_move_is_made_once_although_the_server_is_killed(moves, tmp_path):
    async with served(tmp_path) as place:
        players = Players(place)
        await players.come()
        playing = asyncio.create_task(players.play(moves))
        while players.acknowledged < PEOPLE * moves / 2:
            await asyncio.sleep(0.1)
            assert not playing.done()
        place.process.kill()
        await place.process.wait()
        async with served(tmp_path) as again:
            for line in players.lines:
                line.leads_to(again.port)
            await playing
            await players.leave()

    assert PEOPLE * moves == players.acknowledged == len(await logged(again.data))


@pytest.mark.parametrize("lines", [30, pytest.param(300, marks=SLOWLY)])
async def test_each_line_is_said_once(lines, tmp_path):
    async with served(tmp_path) as place:
        line = Line(place.port)
        ann = Program(await line.lay(), "Ann", seed=7)
        texts = [f"line {number}" for number in range(lines)]
        await ann.say(texts, line)
        await ann.close()
        await line.close()

    assert [("Ann", text) for text in texts] == await said(place.data)
    assert lines / 10 < ann.sent_again
