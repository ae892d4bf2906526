"""Places of release 0.2 go on: their data, their backups, and the processes that served them.

Release 0.2 (commit e0725f34) is the first format that we promise to read. `place-0.2-sqlite.tar.xz` and
`place-0.2-postgres.tar.xz` were made by `make.py` with the code of that commit. These tests use only the command line
and a socket in machine mode, and compare facts (hands, scores, winners, legal moves), never sentences.

The servers here live in the hour in which the places were made, so that nothing is too old for them, however much
later that is.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import tarfile
import time
from contextlib import asynccontextmanager
from pathlib import Path

import attrs
import pytest

from tests.deadline import DEADLINE
from tests.upgrade import dumps
from tests.upgrade.caller import (
    ROOT,
    Caller,
    Player,
    cards,
    number,
    numbers,
    ran,
    served,
    state,
    told,
)
from tests.upgrade.handing import taken_over, taken_up
from tests.upgrade.making import PASSWORDS
from tests.upgrade.told import assert_told

HERE = Path(__file__).parent
GAMES = {"ohell", "wizard", "liarsdice", "liedie", "liarspoker", "liarslair", "lilypoker"}
KINDS = ("sqlite", "postgres")


@attrs.frozen
class Kept:
    """A kept place: its files, which nothing writes to, and the facts recorded then."""

    folder: Path
    facts: dict

    @property
    def open(self):
        """The tables whose game had begun."""
        return [table for table in self.facts["open"] if table["state"] != "waiting"]

    @property
    def over(self):
        """The finished games, by number."""
        return {table["number"]: table for table in self.facts["over"]}

    @property
    def ahead(self):
        """The seconds from now to the hour in which the place was made."""
        return self.facts["at"] - time.time()


@attrs.frozen
class Copy:
    """A copy of a place to serve: its data folder, and the settings that name its store."""

    kept: Kept
    data: Path
    options: tuple[str, ...] = ()


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    """Return a kept place."""
    found = {}

    def unpack(kind):
        if kind not in found:
            folder = tmp_path_factory.mktemp(kind)
            with tarfile.open(HERE / f"place-0.2-{kind}.tar.xz") as archive:
                archive.extractall(folder, filter="data")
            found[kind] = Kept(folder, json.loads((folder / "facts.json").read_text()))
        return found[kind]

    return unpack


@pytest.fixture(params=KINDS)
def place(request, unpacked, tmp_path):
    """A copy of each place."""
    return copied(request, unpacked(request.param), tmp_path)


def copied(request, kept, scratch):
    """Copy a place, with its dump in a database if it has one."""
    data = scratch / "data"
    shutil.copytree(kept.folder / "kept", data)
    dump = data / "dump.sql"
    if not dump.exists():
        return Copy(kept, data)
    url = request.getfixturevalue("database")
    dumps.read_in(dump.read_text(), url)
    dump.unlink()
    return Copy(kept, data, ("--store", url, "--bus", "postgres"))


@asynccontextmanager
async def opened(place):
    """Serve a place, and log everyone in."""
    async with (
        served(place.data, ROOT, *place.options, ahead=place.kept.ahead) as (_, port),
        entered(place.kept, port) as people,
    ):
        yield people


@asynccontextmanager
async def entered(kept, port):
    """Log everyone in at a port; HAL, who is muted, from an address of his own."""
    logins = {name: (name, word) for name, word in kept.facts["passwords"].items() if name != "Ivo"}
    logins |= {name: (f"{name} {word}",) for name, word in kept.facts["words"].items()}
    people = {}
    for name, lines in logins.items():
        address = "127.0.0.8" if name == "HAL" else "127.0.0.1"
        people[name] = Player(await Caller.enter(port, *lines, address=address), "2")
    try:
        yield people
    finally:
        for player in people.values():
            player.caller.leave()


async def test_open_games_go_on_with_the_same_hands(place):
    """Each seat has the same hand, moves and score as before; then each game is played on."""
    async with opened(place) as people:
        await assert_same_seats(place.kept, people)
        await assert_played_on(place.kept, people)


async def assert_same_seats(kept, people):
    """Compare each seat's hand, view and moves with the recorded ones."""
    for table in kept.open:
        for name, seat in table["seats"].items():
            caller, room = people[name].caller, table["room"]
            await caller.ask(f"/at {table['number']}")
            packets = caller.tables[room]
            sees, moves = [*told(packets["view"]["view"])], packets["moves"]
            where = (table["number"], name)

            assert (table["number"], table["game"], table["state"]) == tuple(
                packets["table"][key] for key in ("number", "game", "state")
            )
            assert {*table["seats"]} <= {*packets["table"]["names"]}, where
            assert table["turn"] == packets["table"]["turn"], where
            assert seat["cards"] == (cards(packets["hand"]["rows"]) if seat["cards"] else []), where
            assert {*seat["texts"]} <= {*sees}, where
            assert seat["dice"] is None or json.dumps(seat["dice"]) in sees, where
            assert json.dumps(seat["scores"]) in [*sees, "[]"], where
            assert (seat["count"], seat["moves"]) == (
                moves["count"],
                sorted(moves["moves"]) if seat["moves"] else [],
            ), where


async def assert_played_on(kept, people, moves=2):
    """Resume what stands still, start the game that waits for answers, and let everyone make some moves everywhere."""
    waiting = next(table["number"] for table in kept.facts["open"] if table["seats"].keys() == {"ann"})
    before = {table["number"]: seq(people, table) for table in kept.open}
    for table in kept.open:
        if table["state"] == "adjourned":
            for name, line in (("ann", "/at {} resume"), ("bob", "/at {} resume"), ("zoe", "/unfreeze {} all is well")):
                await people[name].caller.ask(line.format(table["number"]))
    for name in ("bob", "cyd"):
        await people[name].caller.ask(f"/sit {waiting}")
    for player in people.values():
        for room in [room for room in player.caller.tables if state(player.caller, room) == "playing"]:
            player.play(room, moves)
    for table in kept.open:
        caller = people[next(iter(table["seats"]))].caller
        if table["names"] == ["bob", "*Ada", "*Max"]:  # a lesson, in which only the right move goes on
            for move in table["seats"]["bob"]["moves"]:
                await caller.ask(f"/at {table['number']} {move}")
        await caller.until(lambda table=table: seq(people, table) > before[table["number"]])


def seq(people, table):
    """Return the number of a table's last entry that one of its players knows."""
    return people[next(iter(table["seats"]))].caller.tables[table["room"]]["view"]["seq"]


@pytest.mark.slow
async def test_open_games_are_played_to_their_end(place):
    """This takes a while, because some of them have only begun."""
    async with opened(place) as people:
        await assert_same_seats(place.kept, people)
        await assert_played_on(place.kept, people, moves=float("inf"))
        tables = {table["number"] for table in place.kept.open}
        async with asyncio.timeout(10 * DEADLINE):
            while any(playing(player.caller, tables) for player in people.values()):  # noqa: ASYNC110 - several people hear of it
                await asyncio.sleep(1)


def playing(caller, tables):
    """Return the rooms of these tables whose end the caller has not seen."""
    names = ["bob", "*Ada", "*Max"]  # they learn, and a lesson has no end by chance
    rooms = [room for room in caller.tables if caller.tables[room]["table"]["names"] != names]
    return [room for room in rooms if number(caller, room) in tables and state(caller, room) == "playing"]


async def test_finished_games_are_shown_and_verified_as_they_were_played(place):
    """Scores, winners, and every hand that the log showed; each seal fits, also of games in the archive."""
    async with opened(place) as people:
        ann, withheld = people["ann"].caller, []
        for table in place.kept.over.values():
            log = await ann.ask(f"/log {table['number']}")
            if "others can still play the cards" in log[0]:
                withheld.append(table["game"])
                continue
            assert_told(table, log)
            exported = await ann.ask(f"/export {table['number']}")
            if (kept := place.kept.folder / "exports" / f"{table['number']}.jsonl").exists():
                assert acts(kept.read_text().splitlines()) == acts(exported), table["number"]
            verdict = " ".join(await ann.ask(f"/verify {table['number']}"))
            assert "Match: " in verdict or "is published when" in verdict, (table["number"], verdict)
            await ann.ask("/verify stop")  # its bots' moves are checked elsewhere, and that takes long

    assert ["ohell"] * 3 == withheld  # the daily deal of that day


def acts(rows):
    """Return who did what in an exported log, whatever its format adds."""
    entries = [json.loads(row) for row in rows if row.startswith("{")]  # a bot may move meanwhile
    return [(row["seq"], row["by"], row["act"]) for row in entries if "seq" in row and "act" in row]


@pytest.mark.parametrize("kind", KINDS)
def test_exported_logs_are_verified(unpacked, kind, lilygames):
    """Everyone may have kept such a file (format 3), and the oldest ones are of format 2."""
    exports = unpacked(kind).folder / "exports"
    if kind == "sqlite":
        with tarfile.open(HERE / "exports-2.tar.xz") as archive:
            archive.extractall(exports / "2", filter="data")
    files = sorted(exports.rglob("*.jsonl"))
    first = [json.loads(file.read_text().partition("\n")[0]) for file in files]
    verdicts = {file.name: lilygames("verify", file)[1] for file in files}

    assert GAMES == {row["header"]["game"] for row in first}
    assert ({2, 3} if kind == "sqlite" else {3}) == {row["lilygames"] for row in first}
    assert {} == {name: said for name, said in verdicts.items() if "Match: " not in said}


async def test_people_find_their_data_and_talk(place):
    """Memos, infos, rooms, talk, settings, an old name, tournaments, ladders, streaks, sanctions and chips."""
    async with opened(place) as people:
        for name, line, *facts in (
            ("zoe", "/memo ann plan", "sunday at eight"),
            ("zoe", "/info cyd", "Cyd keeps bees"),
            ("zoe", "/finger wilma", "vonda"),
            ("zoe", "/what cafe", "coffee and cards", "ann", "bob"),
            ("ann", "/review cafe 50", "the kettle is on", "two sugars, please"),
            ("bob", "/review den 50", "only for the two of us"),
            ("bob", "/review me 50", "see you at noon", "noon it is", "and not later"),
            ("vonda", "/review lobby 50", "greetings from the mountains", "good evening, everyone"),
            ("bob", "/ignore", "cyd"),
            ("bob", "/block", "vonda"),
            ("Mia", "/block", "hal"),
            ("bob", "/formula", "guests"),
            ("ann", "/group team", "bob", "cyd"),
            ("cyd", "/tournament standings Cup", "ann", "bob", "cyd", "Mia"),
            ("cyd", "/tournament pairings 2", "ann", "Mia"),
            ("bob", "/ladder ohell", "ann", "bob", "cyd"),
            ("bob", "/ladder", "cyd"),
            ("ann", "/daily ohell", "ann"),
            ("ann", "/duplicate friday", "ann", "bob"),
            ("zoe", "/audit HAL", "that was not funny", "and again"),
            ("zoe", "/audit Ivo", "sells chips"),
            ("zoe", "/reports", "says that he sees our cards", "it was a film"),
            ("Mia", "/events", "Ohell night"),
            ("Mia", "/motd", "The roof is mended."),
        ):
            said = " ".join(await people[name].caller.ask(line))
            for fact in facts:
                assert fact in said, (name, line, said)
        assert not any("den" in row for row in await people["zoe"].caller.ask("/what"))
        purses = {name: numbers(await people[name].caller.ask("/purse"))[:2] for name in place.kept.facts["purses"]}
        assert place.kept.facts["purses"] == purses


async def test_sanctions_last(place):
    """HAL is muted: nobody gets what he writes. Ivo is banned, and Gus is deleted: nobody logs in as either."""
    async with (
        served(place.data, ROOT, *place.options, ahead=place.kept.ahead) as (_, port),
        entered(place.kept, port) as people,
    ):
        await people["HAL"].caller.ask("-lobby;can anybody hear me")
        await people["zoe"].caller.ask("-lobby;all is quiet")
        vonda = people["vonda"].caller
        await vonda.until(lambda: any("all is quiet" in line for line in vonda.lines))
        heard = " ".join(vonda.lines)
        tried = [
            await typed(port, address, name, PASSWORDS[name])
            for name, address in (("Ivo", "127.0.0.9"), ("Gus", "127.0.0.1"))
        ]

    assert "can anybody hear me" not in heard
    assert [False, False] == ['"name":"Ivo"' in tried[0], '"name":"Gus"' in tried[1]]


async def typed(port, address, *lines):
    """Return what is shown to someone who types these lines at the login prompt, and asks for JSON."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
    writer.write("".join(f"{line}\r\n" for line in (*lines, "/set machine on")).encode())
    writer.write_eof()
    shown = await reader.read()
    writer.close()
    return shown.decode(errors="replace").replace(": ", ":")


@pytest.mark.parametrize("kind", KINDS)
def test_backup_is_restored_and_every_game_in_it_replayed(unpacked, tmp_path, kind):
    """`restore` fails if a game differs. What it writes is served like the data itself."""
    kept = unpacked(kind)
    done = ran("restore", kept.folder / "backup.db", "--data", tmp_path / "data", ahead=kept.ahead)

    assert (0, f"Data folder: {tmp_path / 'data'}\n") == (done.returncode, done.stderr)
    assert len(kept.over) + len(kept.facts["open"]) <= max(numbers([done.stdout]))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
async def test_restored_games_go_on_with_the_same_hands(unpacked, tmp_path, kind):
    """A backup of PostgreSQL is restored to a file here, and played on."""
    kept = unpacked(kind)
    assert 0 == ran("restore", kept.folder / "backup.db", "--data", tmp_path / "data", ahead=kept.ahead).returncode
    async with opened(Copy(kept, tmp_path / "data")) as people:
        await assert_same_seats(kept, people)
        await assert_played_on(kept, people)


async def test_what_a_running_process_hands_over_is_taken_over(place):
    """Nobody is dropped: hands are the same, half a line goes on, a replay stays open, and games are played on."""
    body = (place.kept.folder / "handover.json").read_bytes()
    async with taken_over(body, place.data, *place.options, ahead=place.kept.ahead) as (connections, port):
        half, keyed = connections.pop("kai"), connections.pop("Lou")
        assert connections.pop("")
        people = {name: await taken_up(end, name) for name, end in connections.items()}
        people["eli"] = Player(await Caller.enter(port, f"eli {place.kept.facts['words']['eli']}"), "2")
        try:
            half.sendall(b"half after\n")
            keyed.sendall(b"a time\r")
            await assert_half_lines_went_on(people["zoe"].caller)
            assert "step 2 of" in " ".join(await people["ann"].caller.ask("/replay"))
            await assert_same_seats(place.kept, people)
            await assert_played_on(place.kept, people)
        finally:
            for player in people.values():
                player.caller.leave()


async def assert_half_lines_went_on(hears):
    """Text typed before the handover and after it is one line."""
    for said in ("half before and half after", "once upon a time"):
        await hears.until(lambda said=said: any(said in line for line in hears.lines))
