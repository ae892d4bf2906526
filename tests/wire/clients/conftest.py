"""Drive real clients in tmux windows against a server."""

import asyncio
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.deadline import DEADLINE

ROOT = Path(__file__).resolve().parents[3]
PLACES = os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"])
SURROUNDINGS = {
    **{name: value for name, value in os.environ.items() if name not in {"LINES", "COLUMNS"}},  # they'd outrank ours
    "PATH": PLACES,
    "LC_ALL": "C.UTF-8",
    "TERM": "xterm-256color",
}
ROWS = "250"  # TinyFugue scrolls within the window: a whole game must fit
QUICKLY = ["--house-pause-min", "0", "--house-pause-max", "0", "--hash-memory", "8192", "--hash-time", "1"]
COMMANDS = {
    "telnet": "telnet 127.0.0.1 {port}",
    "tt++": "tt++ -G -e '#session {{lily}} {{127.0.0.1}} {{{port}}}'",
    "tf": "tf -n 127.0.0.1 {port}",
    "nc": "nc 127.0.0.1 {port}",
    "plink": "plink -telnet -P {port} 127.0.0.1",
    "tigerlily": "cd {source} && HOME={home} perl tlily.PL -server 127.0.0.1 -port {port}",
}
SOURCE = os.environ.get("TIGERLILY", "")
"""The folder with tigerlily's source, as its authors publish it. It needs perl and its library Curses."""
MISSING = set()
"""Requested programs that aren't installed."""


def pytest_terminal_summary(terminalreporter):
    """Report which clients couldn't be driven."""
    if MISSING:
        terminalreporter.write_line(
            f"clients that are not installed, and were not driven: {', '.join(sorted(MISSING))}"
        )


class Window:
    """A client in a window: `type` and `press` keys, `look` at its screen, `wait` for words."""

    def __init__(self, socket, command):
        self._tmux = ["tmux", "-S", str(socket), "-f", "/dev/null"]
        self._run("new-session", "-d", "-x", "90", "-y", ROWS, command)

    def _run(self, *arguments):
        done = subprocess.run(
            [*self._tmux, *arguments], capture_output=True, text=True, timeout=DEADLINE, check=False, env=SURROUNDINGS
        )
        return done.stdout

    def type(self, line):
        """Type a line and press Enter."""
        self.press_letters(line)
        self.press("Enter")

    def press_letters(self, text):
        """Type letters only."""
        self._run("send-keys", "-l", text)

    def press(self, *keys):
        """Press keys by tmux's names for them."""
        self._run("send-keys", *keys)

    def look(self):
        """Return everything shown; lines that the window has wrapped are joined."""
        return self._run("capture-pane", "-p", "-J", "-S", "-")

    def resize(self, columns):
        """Set the window's width."""
        self._run("resize-window", "-x", str(columns), "-y", ROWS)

    def forget(self):
        """Clear what was shown before."""
        self._run("send-keys", "-R")
        self._run("clear-history")

    def close(self):
        """Close the window and its client."""
        self._run("kill-server")

    async def wait(self, words, times=1):
        """Return the screen once it has the words that many times; fail if that takes too long."""
        try:
            async with asyncio.timeout(DEADLINE):
                while len(re.findall(words, shown := self.look())) < times:  # noqa: ASYNC110 - it can only be looked at
                    await asyncio.sleep(0.05)
        except TimeoutError:
            pytest.fail(f"waited for {words!r} ({times}), and saw:\n{self.look()}")
        return shown


@pytest.fixture
async def port(tmp_path):
    """The port of a server."""
    command = [sys.executable, "-m", "lilygames", "serve", "--port", "0", "--data", str(tmp_path / "data"), *QUICKLY]
    server = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE, cwd=ROOT)
    said = (await asyncio.wait_for(server.stdout.readline(), DEADLINE)).decode()
    yield int(said.rsplit(":", 1)[1])
    server.send_signal(signal.SIGTERM)
    await asyncio.wait_for(server.wait(), DEADLINE)


@pytest.fixture
def window(tmp_path, port):
    """Return a function that opens a window with a client; skip the test if it isn't installed."""
    opened = []

    def open_window(name):
        if name == "tigerlily" and not SOURCE:
            MISSING.add(name)
            pytest.skip("TIGERLILY doesn't name the folder with tigerlily's source")
        for program in ("tmux", "perl" if name == "tigerlily" else name):
            if shutil.which(program, path=PLACES) is None:
                MISSING.add(program)
                pytest.skip(f"{program} is not installed")
        home = tmp_path / f"home-{len(opened)}"
        home.mkdir()
        command = COMMANDS[name].format(port=port, source=SOURCE, home=home)
        opened.append(Window(tmp_path / f"tmux-{len(opened)}", command))
        return opened[-1]

    yield open_window
    for one in opened:
        one.close()
