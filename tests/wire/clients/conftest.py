"""Drive real clients in tmux windows against a server."""

import asyncio
import os
import re
import shutil
import signal
import subprocess

import pytest

from tests.deadline import DEADLINE
from tests.wire.reload.test_reload import served

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
    "tigerlily": "cd {source} && HOME={home} EDITOR={home}/editor perl tlily.PL -server 127.0.0.1 -port {port} {more}",
}
SECRET = "plum-and-pear"
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
        self._run("send-keys", "-l", "--", text)

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

    async def enter(self, name, answer):
        """Log in as someone new, with a password; return the screen once it has the answer to that."""
        await self.wait("login:")
        self.type(name)
        await self.wait("Choose a password")
        self.type(SECRET)
        await self.wait("once more")
        self.type(SECRET)
        return await self.wait(answer)

    async def begin(self, mark="/", game="ohell max=3 first-dealer=host"):
        """Start a game with two bots; without another one, a short Ohell."""
        self.type(f"{mark}new {game}")
        await self.wait("is open; type /house")
        self.type(f"{mark}house 2")
        await self.wait("sit down")
        self.type(f"{mark}start")


@pytest.fixture
async def serve(tmp_path):
    """Return a function that starts a server with options, and returns it; all are stopped at the end."""
    places = []

    async def begin(*options, folder="data"):
        places.append(await served(tmp_path / folder, *options, *QUICKLY))
        return places[-1]

    yield begin
    for place in places:
        if place.process.returncode is None:
            place.process.send_signal(signal.SIGTERM)
            await asyncio.wait_for(place.process.wait(), DEADLINE)


@pytest.fixture
async def port(serve):
    """The port of a server."""
    return (await serve()).port


@pytest.fixture
def window(tmp_path, request):
    """Return a function that opens a window with a client; skip the test if it isn't installed.

    It connects to a port, by default that of the fixture. tigerlily gets more options, and its files in a home.
    """
    opened = []
    usual = request.getfixturevalue("port") if "port" in request.fixturenames else None

    def open_window(name, *, port=usual, more="", files=()):
        if name == "tigerlily" and not SOURCE:
            MISSING.add(name)
            pytest.skip("TIGERLILY doesn't name the folder with tigerlily's source")
        for program in ("tmux", "perl" if name == "tigerlily" else name):
            if shutil.which(program, path=PLACES) is None:
                MISSING.add(program)
                pytest.skip(f"{program} is not installed")
        home = tmp_path / f"home-{len(opened)}"
        home.mkdir()
        for place, text in dict(files).items():
            file = home / place
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
            file.chmod(0o700)
        command = COMMANDS[name].format(port=port, source=SOURCE, home=home, more=more)
        opened.append(Window(tmp_path / f"tmux-{len(opened)}", command))
        return opened[-1]

    yield open_window
    for one in opened:
        one.close()
