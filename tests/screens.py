"""People at real screens: each mode is checked by the bytes sent, as the other end would show them."""

import asyncio
import json

import pyte
from wcwidth import wcswidth, wcwidth

from lilygames.chat.names.names import fold
from lilygames.chat.people.profile import Profile
from lilygames.chat.visits.arrivals import arrive
from lilygames.edge.terminal.crowd import Crowd
from lilygames.edge.terminal.terminal import TelnetTerminal
from lilygames.edge.wire.capabilities import Peer
from lilygames.edge.wire.limits import Limits, Share
from lilygames.edge.wire.outbox import Outbox
from lilygames.gametest.stage import Stage

BOUNDLESS = Limits(lines_per_second=1e9, bytes_per_second=10**9)
XTERM = Peer(negotiates=True, names=("XTERM",), columns=80, records=False, settled=True, keys=True)
MODES = {
    "line": (Peer(), {}),
    "utf-8": (Peer(negotiates=True, names=("TINTIN++", "MTTS 4")), {}),
    "editor": (XTERM, {}),
    "reader": (Peer(), {"reader": "on"}),
    "machine": (Peer(), {"machine": "on"}),
}
"""The client's capabilities and the person's settings, for each display mode."""


class Transport(asyncio.Transport):
    """Record what is written."""

    def __init__(self):
        super().__init__()
        self.sent = b""

    def write(self, data):
        self.sent += data

    def get_write_buffer_size(self):
        return 0

    def set_write_buffer_limits(self, high=None, low=None):
        pass

    def is_closing(self):
        return False

    def close(self):
        pass


class Wire:
    """A wire with a real outbox, whose bytes go nowhere."""

    address = "127.0.0.1"
    limits = BOUNDLESS

    def __init__(self, peer):
        self.peer = peer
        self.share = Share(BOUNDLESS)
        self.transport = Transport()
        self.outbox = Outbox(self.transport, lambda lines: None)
        self.send, self.send_rows, self.set_last_row = self.outbox.put, self.outbox.put_rows, self.outbox.set_last_row
        self.messages = []

    def conceal(self, typing):
        pass

    def character_mode(self, wanted):
        pass

    def gmcp(self, message):
        self.messages.append(message)

    def end_options(self):
        pass

    def more(self):
        pass

    def hang_up(self):
        pass


class Seen:
    """One person's screen, as its bytes show it."""

    def __init__(self, mode):
        self.mode = mode
        peer, self.settings = MODES[mode]
        self.wire = Wire(peer)
        self.terminal = TelnetTerminal(self.wire)
        if mode == "editor":
            self.terminal.learned(peer)  # the server offers to read each key
            self.terminal.learned(peer)  # and the client has agreed
        self.width = 78

    def take(self):
        """Return the rows shown since the last time, on a terminal of exactly that width."""
        self.wire.outbox.flush()
        sent, self.wire.transport.sent = self.wire.transport.sent, b""
        text = sent.decode("utf-8", "replace")
        if self.mode == "machine":
            return [json.loads(row) for row in text.splitlines()]
        if self.mode == "editor":
            return _terminal(text, self.width)
        return [part for row in text.split("\r\n") for part in overflowing(row, self.width)]

    def packets(self):
        """Return the GMCP messages sent since the last time."""
        messages, self.wire.messages = self.wire.messages, []
        return messages


def overflowing(row, width):
    """Return a row as a terminal wraps it if it is too long."""
    if wcswidth(row) in range(width + 1):
        return [row]
    rows, used = [""], 0
    for letter in row:
        cells = max(0, wcwidth(letter))
        if used + cells > width:
            rows, used = [*rows, ""], 0
        rows[-1] += letter
        used += cells
    return rows


def _terminal(text, width):
    """Return the rows of a terminal of that width that got the text."""
    screen = pyte.Screen(width, text.count("\n") + len(text) // width + 4)
    pyte.Stream(screen).feed(text)
    return [row.rstrip() for row in screen.display]


async def opened(games, *, store=None, **modes):
    """Return a stage and its screens, `ann="reader"` and so on, in one lobby, with shared rendering."""
    stage = await Stage.open(games, store=store, gather=Crowd)
    screens = {}
    for name, mode in modes.items():
        screens[name] = Seen(mode)
        stage.place.host.accounts.names.setdefault(fold(name), name)
        owned = Profile(settings=screens[name].settings)
        stage.people[name] = arrive(stage.place.host, screens[name].terminal, name, guest=False, profile=owned)
    return stage, screens


async def typed(stage, name, line):
    """Type a line for someone, and wait until all is quiet."""
    await stage.place.dispatcher.hear(stage.people[name], line)
    await stage.quiet()


async def widened(stage, screens, width):
    """Set the width of every screen."""
    for name, screen in screens.items():
        await typed(stage, name, f"/set width {width}")
        screen.width = width
        screen.take()
