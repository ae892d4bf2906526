"""A new kind of screen is a class, and a line where it is chosen: nothing else has to know it."""

import pytest

from lilygames.edge.screens.line import LineScreen
from lilygames.edge.terminal import screen_choice
from lilygames.games import games
from lilygames.gametest.stage import Stage
from lilygames.text import Line, Packet, Tag
from tests.tables.callers import Caller


class Board(LineScreen):
    """Prints lines in capitals, and the name of each packet. Moves come only in packets."""

    takes_lines = False
    takes_packets = True

    def show(self, *lines):
        for line in lines:
            self._wire.send_rows(f"{line.text.upper()}\r\n".encode(), line.kind)

    def packet(self, packet):
        self._wire.send(f"<{packet.name}>\r\n".encode(), "game")


@pytest.fixture
def boards(monkeypatch):
    """Use boards instead of plain lines: the line where the kind of a screen is chosen."""
    monkeypatch.setattr(screen_choice, "LineScreen", Board)


def rows(wire):
    return wire.sent.decode().replace("\r", "").split("\n")[:-1]


@pytest.mark.usefixtures("boards")
async def test_new_kind_of_screen_gets_what_it_says_it_takes(terminal_of):
    terminal, wire = terminal_of()
    terminal.show(Line("Your turn.", tag=Tag("ohell", 1)))
    terminal.packet(Packet("hand", {}))

    assert ["YOUR TURN.", "<hand>"] == [row.removeprefix("[OHELL] ") for row in rows(wire)]
    assert (True, False, False) == (terminal.takes_packets, terminal.takes_lines, terminal.takes_picture)
    assert terminal.supports("hand")


@pytest.mark.usefixtures("boards")
async def test_new_kind_of_screen_follows_a_game_by_the_packets_that_it_takes():
    stage = await Stage.open({"ohell": games()["ohell"]})
    ann = Caller(stage, "ann", program=False)
    stage.enter("bob")
    await ann.types("/new ohell\n")
    await stage.type("bob", "/sit 1")
    await stage.type("bob", "/start")
    ann.take(), stage.screens["bob"].take()
    await ann.types("/max 3\n")

    assert stage.screens["bob"].take()[0].startswith("ann picks 3.")
    assert ["<update>"] == [row for row in ann.take() if row]
