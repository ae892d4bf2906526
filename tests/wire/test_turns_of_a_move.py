"""Count the turns of a server's event loop between a typed move and what everyone at the table reads of it."""

import asyncio
import json
import re
import subprocess
import sys

import pytest

from tests.deadline import DEADLINE
from tests.wire.reload.test_reload import OPTIONS, ROOT, Place, came, ended

NAMES = ("ann", "bob", "cat")
MOST = 3
"""The store's thread is given the move, it answers, and what the answer brings is sent."""
MOVES = 1 + 5 * 3 + 3 * (1 + 2 + 3 + 2 + 1)
"""The shortest game of three: its length, and the bids and cards of five rounds."""
TYPED = {"bid": re.compile(r"^/bid 0\n"), "card": re.compile(r"^\d\n")}


@pytest.fixture
async def place(tmp_path):
    """A server that notes the turns of its event loop."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, ROOT / "tests" / "wire" / "turns_server.py", tmp_path / "turns"),
        *("serve", "--port", "0", "--data", tmp_path / "data", *OPTIONS),
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=ROOT,
    )  # fmt: skip
    said = (await asyncio.wait_for(process.stdout.readline(), DEADLINE)).decode()
    one = Place(process, int(said.rsplit(":", 1)[1]), tmp_path / "data")
    yield one
    await ended(one)


async def asked(people):
    """Return who is asked for a move, and the question."""
    waiting = [asyncio.create_task(one.expect("Your turn: ")) for one in people]
    done, others = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    for other in others:
        other.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    player = people[waiting.index(done.pop())]
    return player, await player.expect("\n")


def answer(question):
    """Return a move: the shortest game, no trick, or the first card that may be played."""
    if question.startswith("pick"):
        return "/max 3"
    return "/bid 0" if question.startswith("bid") else re.search(r"(\d)\. ", question)[1]


def turns_until_read(file, typed):
    """Return for each line of a kind the turns until its readers are sent something, by the reader's socket."""
    found, now = [], None
    for turn, what, one, text in map(json.loads, file.read_text("utf-8").splitlines()):
        if what == "read":
            now = (turn, {}) if typed.match(text) else None
            found += [now[1]] if now else []
        elif now:
            now[1].setdefault(one, turn - now[0])
    return found


async def test_readers_are_sent_a_move_after_three_turns_of_the_event_loop(tmp_path, place, dial):
    """One table, people only. It takes five turns if a task waits for the store.

    Work that a start has left for later takes turns of its own in the middle of some moves. So the fewest turns count.
    """
    people = [await came(dial, place, name, manner="silent") for name in NAMES]
    for one, line in zip(people, ("/new ohell", "/sit ohell", "/sit ohell"), strict=True):
        one.type(line)
        await one.expect("the seal is")
    people[0].type("/start")
    for _ in range(MOVES - 1):
        player, question = await asked(people)
        player.type(answer(question))
    await asked(people)

    for kind, typed in TYPED.items():
        turns = turns_until_read(tmp_path / "turns", typed)
        whole = [max(readers.values()) for readers in turns if len(readers) == len(NAMES)]
        assert MOVES / 3 <= len(whole), kind
        assert MOST >= min(whole), (kind, whole)
