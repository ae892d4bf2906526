"""`lilygames connect` as people type it, with and without a terminal."""

import asyncio
import os
import pty
import re
import shlex
import signal
import sys
from pathlib import Path

import pytest

from tests.deadline import DEADLINE

ROOT = Path(__file__).resolve().parents[2]


def command(*arguments):
    return [sys.executable, "-m", "lilygames", "connect", *arguments]


def readme():
    """Return the arguments that the README gives the command."""
    return shlex.split(re.search(r"`\.venv/bin/lilygames connect ([^`]+)`", (ROOT / "README.md").read_text())[1])


@pytest.fixture
async def terminal(tmp_path):
    """Return a function that runs a command on its own terminal, and gives the process and the terminal's other end."""
    opened = []

    async def run(*arguments):
        ours, theirs = pty.openpty()
        told = {**os.environ, "XDG_STATE_HOME": str(tmp_path), "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"}
        process = await asyncio.create_subprocess_exec(
            *command(*arguments), stdin=theirs, stdout=theirs, stderr=theirs, cwd=ROOT, env=told, start_new_session=True
        )
        os.close(theirs)
        os.set_blocking(ours, False)
        opened.append((process, ours))
        return process, ours

    yield run
    for process, ours in opened:
        if process.returncode is None:
            process.send_signal(signal.SIGKILL)
            await process.wait()
        os.close(ours)


async def drawn(end, wanted):
    """Return everything drawn on a terminal up to `wanted`."""
    loop, text = asyncio.get_running_loop(), b""
    async with asyncio.timeout(DEADLINE):
        while wanted not in text:
            ready = loop.create_future()
            loop.add_reader(end, ready.set_result, None)
            try:
                await ready
            finally:
                loop.remove_reader(end)
            text += os.read(end, 1 << 16)
    return text


async def test_command_in_the_readme_connects(terminal, door):
    """The client that it names shows the server, and Ctrl-D ends it."""
    address, *options = readme()
    process, end = await terminal(re.sub(r"^localhost:\d+$", f"127.0.0.1:{door.port}", address), *options)
    await drawn(end, b"Welcome to lily")
    async with asyncio.timeout(DEADLINE):
        while process.returncode is None:
            os.write(end, b"\x04")  # the line to type on may not be there yet
            await asyncio.wait({asyncio.create_task(process.wait())}, timeout=1)

    assert 0 == process.returncode


async def told(*arguments):
    """Return the exit code and the sentence of a command without a terminal."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *command(*arguments), stdin=asyncio.subprocess.DEVNULL, stdout=pipe, stderr=pipe, cwd=ROOT
    )
    _, sentence = await asyncio.wait_for(process.communicate(), DEADLINE)
    return process.returncode, sentence.decode()


async def test_command_without_a_terminal_names_the_interface_for_programs():
    code, sentence = await told("127.0.0.1")

    assert 2 == code
    assert "machine mode" in sentence
    assert 1 == sentence.count("\n")


@pytest.mark.parametrize(("address", "why"), [("a b", b"isn't an address"), ("127.0.0.1:1", b"nothing answers")])
async def test_error_is_one_sentence(terminal, address, why):
    process, end = await terminal(address)
    shown = await drawn(end, why)

    assert b"Traceback" not in shown
    assert 2 == await asyncio.wait_for(process.wait(), DEADLINE)
