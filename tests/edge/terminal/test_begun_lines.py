"""A line that was begun is finished before the next is handled, and no task waits for it meanwhile."""

import asyncio

import pytest

from lilygames.chat.people.terminal import Gone, unheard
from tests.deadline import DEADLINE


class Moves:
    """Begins the lines that are moves, `m1` and so on, and finishes them one by one."""

    def __init__(self):
        self.begun = []

    def begin(self, text, line):
        if not text.startswith("m"):
            return False
        self.begun.append((text, line))
        return True

    @property
    def texts(self):
        return [text for text, _ in self.begun]

    def finish(self):
        self.begun[-1][1].finished()


@pytest.fixture
async def typing(terminal_of):
    """A terminal, the moves begun at it, and the task that reads its next other line."""
    terminal, _ = terminal_of()
    moves = Moves()
    reading = asyncio.create_task(terminal.read(unheard, moves.begin))
    await asyncio.sleep(0)
    yield terminal, moves, reading
    reading.cancel()


async def test_lines_typed_ahead_wait_for_the_move_that_was_begun(typing):
    terminal, moves, reading = typing
    terminal.feed(b"m1\r\nm2\r\nhello\r\n")
    assert ["m1"] == moves.texts

    moves.finish()
    assert ["m1", "m2"] == moves.texts
    assert not reading.done()

    moves.finish()
    assert "hello" == await asyncio.wait_for(reading, DEADLINE)


async def test_line_typed_while_a_move_is_stored_is_read_after_it(typing):
    terminal, moves, reading = typing
    terminal.feed(b"m1\r\n")
    terminal.feed(b"hello\r\n")
    await asyncio.sleep(0)
    assert not reading.done()

    moves.finish()
    assert "hello" == await asyncio.wait_for(reading, DEADLINE)


async def test_person_who_disconnects_has_left_when_their_move_is_stored(typing):
    terminal, moves, reading = typing
    terminal.feed(b"m1\r\n")
    terminal.gone()
    await asyncio.sleep(0)
    assert not reading.done()

    moves.finish()
    with pytest.raises(Gone):
        await asyncio.wait_for(reading, DEADLINE)


async def test_no_move_is_begun_while_a_task_handles_another_line(typing):
    terminal, moves, reading = typing
    terminal.feed(b"hello\r\nm1\r\n")

    assert "hello" == await asyncio.wait_for(reading, DEADLINE)
    assert [] == moves.texts
