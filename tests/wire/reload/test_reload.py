"""Test restarts while people are connected: nobody is disconnected, and no line is lost or repeated."""

import asyncio
import os
import re
import signal
import subprocess
import sys
import uuid
from contextlib import suppress
from pathlib import Path

import pytest

from lilygames.server.process import keeper, pidfile
from tests.deadline import DEADLINE

ROOT = Path(__file__).resolve().parents[3]
OPTIONS = "--house-pause-min 0 --house-pause-max 0.05 --hash-memory 8192 --hash-time 1 --lines-per-second 1000".split()
OPTIONS += ["--connections-per-address", "2000", "--connects-per-minute", "100000", "--logins-at-once", "2000"]
OPTIONS += ["--talk-lines-per-second", "1000"]


class Place:
    """A server that restarts when asked."""

    def __init__(self, process, port, data):
        self.process = process
        self.port = port
        self.data = data

    async def begin_anew(self):
        """Ask it to restart, and return when it listens again."""
        self.process.send_signal(signal.SIGHUP)
        said = await asyncio.wait_for(self.process.stdout.readline(), DEADLINE)
        assert said == f"listening: telnet 127.0.0.1:{self.port}\n".encode()


async def served(data, *options):
    """Start a server on a data folder, and return it."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "lilygames", "serve", "--port", "0", "--data", data, *OPTIONS, *options,
        stdout=subprocess.PIPE, stderr=None if os.environ.get("SHOW") else subprocess.DEVNULL, cwd=ROOT,
    )  # fmt: skip
    said = (await asyncio.wait_for(process.stdout.readline(), DEADLINE)).decode()
    return Place(process, int(said.rsplit(":", 1)[1]), data)


async def ended(place):
    """Stop a server that hasn't stopped by itself."""
    if place.process.returncode is None:
        place.process.kill()
        await place.process.wait()
    await place.process.stdout.read()  # which the server has open for a moment longer than its keeper


@pytest.fixture
async def place(tmp_path):
    """A server on an empty data folder."""
    one = await served(tmp_path / "data")
    yield one
    await ended(one)


@pytest.fixture
async def nodes(tmp_path, server):
    """Two nodes of one cluster."""
    url = server.create(f"reload_{uuid.uuid4().hex}")
    two = [await served(tmp_path / name, "--store", url, "--bus", "postgres") for name in ("one", "other")]
    yield two
    for each in two:
        await ended(each)


async def came(dial, place, name, **manner):
    """Log in a guest, and return their client."""
    client = await dial(place.port, **manner)
    if manner.get("manner") == "keyed":
        await client.edited()
    await client.expect("login: ")
    client.type(name)
    await client.expect("as a guest: ")
    client.type("")
    await client.expect("in the lobby")
    return client


async def test_talk_is_heard_once_before_and_after_a_restart(place, dial):
    """Handing a socket over disconnects nobody and loses no line."""
    ann, bob = await came(dial, place, "ann", manner="silent"), await came(dial, place, "bob", manner="stubborn")
    for number in range(12):
        ann.type(f"number {number} of ann")
        if number % 4 == 1:
            await place.begin_anew()
    heard = await bob.expect("number 11 of ann")

    assert [str(number) for number in range(12)] == re.findall(r"number (\d+) of ann", heard)


async def test_lines_typed_too_fast_are_heard_once_although_the_server_restarts_among_them(tmp_path, dial):
    """Those that still wait for the rate limit are left to the next process."""
    place = await served(tmp_path / "data", "--lines-per-second", "3")
    ann, bob = await came(dial, place, "ann", manner="silent"), await came(dial, place, "bob", manner="silent")
    for number in range(50):
        ann.type(f"number {number} of ann")
    await place.begin_anew()
    heard = await bob.expect("number 49 of ann")
    await ended(place)

    assert [str(number) for number in range(50)] == re.findall(r"number (\d+) of ann", heard)


async def test_nobody_can_talk_before_everyone_is_attached(place, dial):
    """Lines typed first during the restart are read by the last person to be attached."""
    ann = await came(dial, place, "ann", manner="silent")
    crowd = [await came(dial, place, f"guest{number}x", manner="silent") for number in range(30)]
    for number in range(3):
        place.process.send_signal(signal.SIGHUP)
        for part in range(20):
            ann.type(f"number {20 * number + part} of ann")
            await asyncio.sleep(0.05)
    heard = await crowd[-1].expect("number 59 of ann")

    assert [str(number) for number in range(60)] == re.findall(r"number (\d+) of ann", heard)


async def test_events_of_another_node_during_a_restart_are_told_once(nodes, dial):
    """Others talk and play while one node restarts: its people miss nothing, and read nothing twice."""
    ann, bob = [await came(dial, node, name, manner="silent") for node, name in zip(nodes, ("ann", "bob"), strict=True)]
    known = ""
    while "ann" not in known:
        bob.type("/who")
        known = await bob.expect(" here)")
    ann.type("bob;go on")  # a stranger could send her only some
    await bob.expect("go on")
    for number in range(3):
        nodes[0].process.send_signal(signal.SIGHUP)
        for part in range(20):
            bob.type(f"number {20 * number + part} of bob")
            bob.type(f"ann;aside {20 * number + part} of bob")
            await asyncio.sleep(0.05)
        await nodes[0].process.stdout.readline()
    heard = await ann.expect("aside 59 of bob")
    if "number 59 of bob" not in heard:  # a message to a person may be faster than one to a room, which is stored first
        heard += await ann.expect("number 59 of bob")

    assert [str(number) for number in range(60)] == re.findall(r"number (\d+) of bob", heard)
    assert [str(number) for number in range(60)] == re.findall(r"aside (\d+) of bob", heard)


async def test_half_typed_line_can_be_finished_after_a_restart(place, dial):
    """The parts typed before and after the handover are one line."""
    ann, bob = await came(dial, place, "ann", manner="silent"), await came(dial, place, "bob", manner="silent")
    ann.press(b"half before, ")
    await place.begin_anew()
    ann.press(b"half after\n")

    assert "half before, half after" in await bob.expect("half after")


async def test_editor_keeps_its_line_in_a_restart(place, dial):
    """A terminal whose line we edit keeps it, and the line can be finished."""
    ann, bob = await came(dial, place, "ann", manner="keyed"), await came(dial, place, "bob", manner="silent")
    ann.press(b"once upon ")
    await ann.expect("once upon ")
    await place.begin_anew()
    ann.press(b"a time\r")

    assert "once upon a time" in await bob.expect("a time")


async def test_game_continues_after_a_restart(place, dial):
    """The seat, the table and the turn are as they were, and nothing is repeated."""
    ann = await came(dial, place, "ann", manner="silent")
    ann.type("/quick ohell")
    await ann.expect("Your turn: ")
    await place.begin_anew()
    ann.type("/table")
    shown = await ann.expect("Seal ")

    assert "reconnected" not in shown
    assert 0 == shown.count("Your turn")
    assert "Table #1, Ohell" in shown


async def test_number_answers_the_menu_of_before_after_a_restart(place, dial):
    """Also in mid-game, where it would be a move without the menu."""
    ann = await came(dial, place, "ann", manner="silent")
    ann.type("/quick ohell")
    await ann.expect("Your turn: ")
    ann.type("set bell on")
    await ann.expect("Did you mean /set bell on? Type 1 for that")
    await place.begin_anew()
    ann.type("1")

    assert "bell is on" in await ann.expect("bell is on")


async def test_login_prompt_is_repeated_after_a_restart(place, dial):
    """People who haven't given a name yet aren't disconnected."""
    ann = await dial(place.port, manner="silent")
    await ann.expect("login: ")
    await place.begin_anew()
    await ann.expect("login: ")
    ann.type("guest")

    assert "in the lobby" in await ann.expect("has the rest.")


async def reloaded(data):
    """Run `lilygames reload`, and return its exit code and output."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "lilygames", "reload", "--data", data,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=ROOT,
    )  # fmt: skip
    said, _ = await asyncio.wait_for(process.communicate(), DEADLINE)
    return process.returncode, said.decode()


async def test_reload_command_waits_until_the_server_is_up(place, dial):
    """`lilygames reload`: people stay connected, and the process has restarted."""
    ann = await came(dial, place, "ann", manner="silent")
    before = (place.data / pidfile.NAME).read_text().split()
    answered = await reloaded(place.data)
    after = (place.data / pidfile.NAME).read_text().split()
    ann.type("/who")

    assert (0, f"Data folder: {place.data}\nThe server has restarted.\n") == answered
    assert "ann" in await ann.expect("ann")
    assert (before[:2], str(place.process.pid)) == (after[:2], after[0])
    assert before[2] != after[2]


async def test_reload_is_refused_after_a_clean_stop(place):
    """Exit code 2 and a sentence."""
    place.process.terminate()
    await asyncio.wait_for(place.process.wait(), DEADLINE)
    code, said = await reloaded(place.data)

    assert not (place.data / pidfile.NAME).exists()
    assert (2, "lilygames: no server is running") == (code, said.partition("\n")[2][:31])


async def test_reload_reports_a_server_that_was_killed(place):
    """It was killed, and couldn't remove its file."""
    place.process.kill()
    await place.process.wait()
    code, said = await reloaded(place.data)

    assert (2, 2, True) == (code, said.count("\n"), "was killed: start it again" in said)


async def test_process_that_reuses_the_number_gets_no_signal(tmp_path):
    """Numbers are reused: one counts only together with the process's start time."""
    stranger = await asyncio.create_subprocess_exec(sys.executable, "-c", "input()", stdin=subprocess.PIPE)
    (tmp_path / pidfile.NAME).write_text(f"{stranger.pid} 1 1\n")
    with pytest.raises(pidfile.NotRunning, match="was killed: start it again"):
        pidfile.serving(tmp_path)
    await stranger.communicate(b"\n")

    assert 0 == stranger.returncode


async def resumed(dial, place, line):
    """Log in a program that can resume, and return its client and its session's token."""
    client = await dial(place.port, manner="silent")
    await client.expect("login: ")
    client.type(line)
    await client.expect('"resume":{"token":"')
    return client, (await client.expect('"'))[:-1]


async def test_session_continues_in_the_next_process(place, dial):
    """Its token is valid there, and using an old one there ends the session."""
    bob = await dial(place.port, manner="silent")
    for asked, line in (("login: ", "bob"), ("as a guest: ", "plums and pears"), ("once more: ", "plums and pears")):
        await bob.expect(asked)
        bob.type(line)
    await bob.expect("in the lobby")
    bob.type("/set machine on")
    await bob.expect("machine is on")
    _, first = await resumed(dial, place, "bob plums and pears")
    await place.begin_anew()
    _, second = await resumed(dial, place, f"resume {first}")
    third, _ = await resumed(dial, place, f"resume {second}")
    await place.begin_anew()
    thief = await dial(place.port, manner="silent")
    await thief.expect("login: ")
    thief.type(f"resume {first}")

    assert "that session was ended" in await thief.expect("old tokens")
    assert "Security notice: " in await third.until_gone()


async def test_program_that_follows_the_list_of_tables_gets_it_again_from_the_next_process(place, dial):
    program = await came(dial, place, "ann", manner="silent")
    program.type("/set machine on")
    await program.expect("machine is on")
    program.type('{"id": 1, "get": "tables", "follow": true}')
    await program.expect('"done":1')
    await place.begin_anew()
    await program.expect('{"tables":[]}')
    program.type("/new ohell")

    await program.expect('{"table-opened":{"number":1')


async def test_restart_leaves_no_dead_process_of_the_bots(place, dial):
    """The processes that sharks think in end with the program that started them; the next one collects them."""
    ann = await came(dial, place, "ann", manner="silent")
    for line in ("/new ohell max=3", "/house 3 shark", "/start"):
        ann.type(line)
    await ann.expect("Your turn: bid ")
    ann.type("1" if "not 0" in await ann.expect("Hand") else "0")
    await ann.expect("Trick 1/1")
    assert children(place.process.pid)

    await place.begin_anew()

    assert {} == {pid: state for pid, state in children(place.process.pid).items() if state == "Z"}


def children(pid):
    """Return the state of each child of a process, by number: proc(5)."""
    found = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended meanwhile
            state, parent, *_ = file.read_text().rpartition(")")[2].split()
            found |= {file.parent.name: state} if int(parent) == pid else {}
    return found


def server_of(place):
    """Return the number of the process that serves after a reload, as its keeper's arguments say."""
    words = Path(f"/proc/{place.process.pid}/cmdline").read_bytes().split(b"\0")
    return int(words[words.index(b"-m") - 1])


async def test_keeper_forwards_signals_after_several_reloads_and_ends_with_the_servers_code(place, dial):
    """The number that the server was started with stays good for everything."""
    ann = await came(dial, place, "ann", manner="silent")
    for _ in range(3):
        await place.begin_anew()
    ann.type("/who")
    await ann.expect("1 person is here")
    place.process.terminate()

    assert "shutting down" in await ann.until_gone()
    assert 0 == await asyncio.wait_for(place.process.wait(), DEADLINE)
    assert not (place.data / pidfile.NAME).exists()


async def test_server_ends_when_its_keeper_is_killed(place, dial):
    """As if it had been killed itself: who starts it again finds the port free."""
    ann = await came(dial, place, "ann", manner="silent")
    await place.begin_anew()
    place.process.kill()

    assert "shutting down" not in await ann.until_gone()


async def test_keeper_ends_with_an_error_when_the_server_is_killed(place):
    """Then systemd or a container starts it again."""
    await place.begin_anew()
    os.kill(server_of(place), signal.SIGKILL)

    assert keeper.LOST == await asyncio.wait_for(place.process.wait(), DEADLINE)


async def test_keeper_needs_little_memory(place):
    """It is a Python without packages: a fraction of the server."""
    await place.begin_anew()

    assert 4 * resident(place.process.pid) < resident(server_of(place))


def resident(number):
    """Return how many pages of memory a process has: proc(5)."""
    return int(Path(f"/proc/{number}/statm").read_text().split()[1])
