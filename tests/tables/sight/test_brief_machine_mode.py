"""Brief machine mode: a program gets a table once and then changes, and knows all that the full mode tells."""

import json
import random
from unittest.mock import Mock

import pytest

from lilygames.chat.visits.arrivals import arrive
from lilygames.edge.terminal.terminal import TelnetTerminal
from lilygames.edge.wire.capabilities import Peer
from lilygames.edge.wire.limits import Limits, Share
from lilygames.games import games
from lilygames.gametest.stage import Stage
from tests.schemas import misfits

GAMES = {
    "ohell": "max=7",
    "wizard": "",
    "liarsdice": "",
    "liedie": "",
    "liarspoker": "",
    "liarslair": "",
    "lilypoker": "",
}
"""The games, with options for the length of a game. With max=7, Ohell has 13 rounds."""
TURNS = 62
"""Turns that are played of each game; all of Ohell's."""
MOST = 80_000
"""Bytes of a 13-round Ohell in brief mode."""


class Wire:
    """A wire that records what is sent."""

    address = "here"
    outbox = None

    def __init__(self):
        self.limits = Limits(lines_per_second=1e9, bytes_per_second=10**9)
        self.share = Share(self.limits)
        self.peer = Peer()
        self.sent = b""
        self.set_last_row = self.conceal = self.character_mode = self.gmcp = self.more = self.hang_up = Mock()

    def send(self, data, _):
        self.sent += data

    send_rows = send


class Program:
    """A client that knows only what it has been sent."""

    def __init__(self):
        self.view, self.moves, self.number, self.over, self.seq = None, [], 0, False, 0

    def read(self, said):
        match said:
            case {"table": table}:
                self.number, self.over, self.seq = table["number"], table["state"] == "over", table["seq"]
            case {"view": {"view": view}}:
                self.view = view
            case {"moves": moves}:
                self.moves = moves["moves"]
            case {"update": update}:
                assert self.seq < update["seq"]
                self.seq = update["seq"]
                self.view = merged(self.view, update["view"])
                if "moves" in update:
                    self.moves = (update["moves"] or {"moves": []})["moves"]


def merged(have, part):
    """Return a value with the fields that have changed; a part without `is` leaves the others as they are."""
    if isinstance(have, list) and isinstance(part, dict):
        return [*have, *part["add"]]
    if not (isinstance(have, dict) and "is" in have and isinstance(part, dict) and "is" not in part):
        return part
    return {**have, **{name: merged(have.get(name), value) for name, value in part.items()}}


async def played(name, mode, seed="1"):
    """Play a game at random in a mode; return what the program knew at each of its turns, and the bytes it was sent."""
    stage = await Stage.open({name: games()[name]}, seed=seed)
    wire = Wire()
    terminal = TelnetTerminal(wire, program=True)
    ann = stage.people["ann"] = arrive(stage.host, terminal, "ann", guest=False)
    program, turns, size, luck = Program(), [], 0, random.Random(seed)

    async def types(line):
        nonlocal size
        await stage.place.dispatcher.hear(ann, line)
        await stage.quiet()
        sent, wire.sent = wire.sent, b""
        size += len(sent)
        for row in sent.decode().splitlines():
            said = json.loads(row)
            assert [] == [*misfits(said)]
            program.read(said)

    await types(f"/set machine {mode}")
    await types(f"/quick {name} {GAMES[name]}".strip())
    while not program.over and program.moves and len(turns) < TURNS:
        turns.append((program.view, program.moves))
        await types(f"/at {program.number} {luck.choice(program.moves)}")
    return turns, size, program


@pytest.mark.parametrize("name", GAMES)
async def test_program_in_brief_mode_knows_as_much_as_in_full_mode(name):
    """The same turns are played in both modes with the same luck; Ohell to its end."""
    full, much, _ = await played(name, "on")
    brief, little, program = await played(name, "brief")

    assert full == brief
    assert program.over or name != "ohell"
    assert little < much


async def test_13_rounds_of_ohell_are_at_most_80_kb_in_brief_mode():
    turns, size, _ = await played("ohell", "brief")

    assert TURNS == 13 + 49 == len(turns)
    assert size <= MOST
