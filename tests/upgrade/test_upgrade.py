"""Data of an older release goes on: games with the same hands, people, and their data and talk.

`place.tar.xz` holds a data folder, a backup of it and exported logs as commit 58c2fe9 left them. `expected.json` has
the facts recorded then, and `make.py` made both. These tests use only the command line and a socket in machine mode,
and compare facts (hands, scores, winners, legal moves), never sentences.

If support for data of a certain age ends one day: the data was made in November 2026.
"""

from __future__ import annotations

import asyncio
import io
import json
import signal
import subprocess
import tarfile
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.deadline import DEADLINE
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
from tests.upgrade.told import assert_told, replayed
from tests.wire.conftest import TelnetClient

HERE = Path(__file__).parent
EXPECTED = json.loads((HERE / "expected.json").read_text())
GAMES = {"ohell", "wizard", "liarsdice", "liedie", "liarspoker", "liarslair", "lilypoker"}
OPEN = [table for table in EXPECTED["open"] if table["state"] != "waiting"]
OVER = {table["number"]: table for table in EXPECTED["over"]}
EXPORTED = (1, 2, 3, 4, 5, 7, 9, 11, 13, 14, 15)
"""The finished games with an open seal."""

STEPPED = (4, 8, 10, 12)
"""Some short ones, with open and closed seals, that are replayed step by step."""


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """The archive's files; nothing writes to them."""
    folder = tmp_path_factory.mktemp("kept")
    with tarfile.open(HERE / "place.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    return folder


@pytest.fixture(scope="module", params=["data folder", "backup"])
def found(request, kept, tmp_path_factory):
    """An old data folder, or the one that `restore` makes of the backup."""
    if request.param == "data folder":
        return kept / "data"
    folder = tmp_path_factory.mktemp("restored") / "data"
    assert_restored(kept / "backup.db", folder)
    return folder


@pytest.fixture
def data(found, tmp_path):
    """A copy to serve."""
    return copied(found, tmp_path)


def copied(folder, scratch):
    """Copy a data folder, and return the copy."""
    (scratch / "data").mkdir()
    (scratch / "data" / "lilygames.db").write_bytes((folder / "lilygames.db").read_bytes())
    return scratch / "data"


def assert_restored(backup, folder):
    """Restore a backup into an empty folder: `restore` replays every game, and fails if one differs."""
    done = ran("restore", backup, "--data", folder)
    assert (0, f"Data folder: {folder}\n") == (done.returncode, done.stderr)
    assert len(OVER) + len(EXPECTED["open"]) in numbers([done.stdout])


@asynccontextmanager
async def opened(data):
    """Serve a data folder, and log everyone in."""
    async with served(data) as (_, port), entered(port) as people:
        yield people


@asynccontextmanager
async def entered(port):
    """Log everyone in at a port."""
    logins = {name: (name, word) for name, word in EXPECTED["passwords"].items()}
    logins |= {name: (f"{name} {word}",) for name, word in EXPECTED["words"].items()}
    people = {name: Player(await Caller.enter(port, *lines), "2") for name, lines in logins.items()}
    try:
        yield people
    finally:
        for player in people.values():
            player.caller.leave()


def test_data_has_open_and_finished_games_of_all_seven_with_open_and_closed_seals():
    """This checks the fixture itself."""
    closed = {*OVER} - {*EXPORTED}

    assert GAMES == {table["game"] for table in EXPECTED["open"]} == {table["game"] for table in OVER.values()}
    assert GAMES == {OVER[number]["game"] for number in EXPORTED}
    assert {"liarspoker", "liarslair", "lilypoker", "ohell"} == {OVER[number]["game"] for number in closed}
    assert {"waiting", "playing", "adjourned"} == {table["state"] for table in EXPECTED["open"]}


async def test_open_games_go_on_with_the_same_hands(data):
    """Each seat has the same hand, moves and score as before; then all are played to their end."""
    async with opened(data) as people:
        await assert_same_seats(people)
        await assert_played_on(people)
        backup = data.parent / "later.db"
        done = await asyncio.to_thread(ran, "backup", backup, "--data", data)
        assert 0 == done.returncode, done.stderr
    assert_restored(backup, data.parent / "again")


async def assert_played_on(people):
    """Resume the adjourned game, start the one that waits for answers, and finish all others."""
    for name, line in (("ann", "/at 28 resume"), ("bob", "/at 28 resume"), ("bob", "/sit 30"), ("cyd", "/sit 30")):
        await people[name].caller.ask(line)
    await people["ann"].caller.until(lambda: state(people["ann"].caller, "wizard-2") == "playing")
    tables = {table["number"] for table in OPEN}
    for player in people.values():
        for room in playing(player.caller, tables):
            player.play(room)
    for player in people.values():
        await player.caller.until(lambda caller=player.caller: not playing(caller, tables))


def playing(caller, tables):
    """Return the rooms of these tables whose end the caller has not seen."""
    return [room for room in caller.tables if number(caller, room) in tables and state(caller, room) != "over"]


async def assert_same_seats(people):
    """Compare each seat's hand, view and moves with the recorded ones."""
    for table in OPEN:
        for name, seat in table["seats"].items():
            caller, room = people[name].caller, table["room"]
            await caller.ask(f"/at {table['number']}")
            packets = caller.tables[room]
            sees, moves = [*told(packets["view"]["view"])], packets["moves"]
            where = (table["number"], name)

            assert {**table, "seats": 0, "names": 0, "turn": 0} == {
                "room": room,
                **{key: packets["table"][key] for key in ("number", "game", "state")},
                "seats": 0,
                "names": 0,
                "turn": 0,
            }
            assert {*table["seats"]} <= {*packets["table"]["names"]}, where
            assert table["turn"] == packets["table"]["turn"], where
            assert seat["cards"] == (cards(packets["hand"]["rows"]) if seat["cards"] else []), where
            assert {*seat["texts"]} <= {*sees}, where
            assert seat["dice"] is None or json.dumps(seat["dice"]) in sees, where
            assert json.dumps(seat["scores"]) in [*sees, "[]"], where
            assert (seat["count"], seat["moves"]) == (moves["count"], sorted(moves["moves"]) if seat["moves"] else [])


async def test_seat_that_a_bot_kept_is_given_back(data):
    """At table 29 a bot plays for cyd until cyd is back."""
    async with opened(data) as people:
        await people["ann"].caller.ask("/at 29")
        await people["ann"].caller.until(lambda: "cyd" in people["ann"].caller.tables["ohell-5"]["table"]["names"])


async def test_finished_games_are_shown_as_they_were_played(data, kept):
    """Scores, winners, and every hand that the log showed then; an open seal's data is the same, entry by entry."""
    async with opened(data) as people:
        ann = people["ann"].caller
        for table in OVER.values():
            log = await ann.ask(f"/log {table['number']}")
            assert_told(table, log)
            if table["number"] in STEPPED:
                assert_told(table, await replayed(ann, table["number"]), ended=False)
            exported = await ann.ask(f"/export {table['number']}")
            if table["number"] in EXPORTED:
                assert [*logged(kept, table["number"])] == [json.loads(row) for row in exported]
            else:
                assert not exported[0].startswith("{")


def logged(kept, table):
    """Yield the rows of an exported log as data."""
    for row in (kept / "exports" / f"{table}.jsonl").read_text().splitlines():
        yield json.loads(row)


@pytest.mark.parametrize("table", EXPORTED)
def test_exported_log_is_verified_and_replayed_offline(kept, table, lilygames):
    """`lilygames verify` says that it matches, and `lilygames replay` shows ann's view."""
    file = kept / "exports" / f"{table}.jsonl"
    assert 0 == lilygames("verify", file)[0]

    code, told = lilygames("replay", file, "--by", "ann")
    assert 0 == code
    assert_told(OVER[table], told.splitlines())


def test_exported_log_with_a_changed_move_is_not_verified(kept, tmp_path, lilygames):
    """This shows that the check can fail."""
    rows = [*logged(kept, 1)]
    bid = next(row for row in rows if row.get("act", {}).get("move", {}).get("is") == "Bid")
    bid["act"]["move"]["tricks"] = 1 - min(bid["act"]["move"]["tricks"], 1)
    file = tmp_path / "changed.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))

    assert 1 == lilygames("verify", file)[0]


async def test_people_find_their_data_and_talk(data):
    """Memos, infos, discussions, talk, settings, ignored people, ratings, chips; an old name leads to the new one."""
    async with opened(data) as people:
        while "still being rated" in " ".join(await people["zoe"].caller.ask("/standings ohell")):  # noqa: ASYNC110
            await asyncio.sleep(0.1)  # an earlier model rated these games
        for name, line, *facts in (
            ("zoe", "/memo ann plan", "sunday at eight"),
            ("zoe", "/info ann", "I play wizard on fridays"),
            ("zoe", "/info cyd", "Cyd keeps bees"),
            ("zoe", "/finger wilma", "vonda"),
            ("zoe", "/what cafe", "coffee and cards", "ann", "bob"),
            ("ann", "/what den", "bob"),
            ("ann", "/review cafe 50", "the kettle is on", "two sugars, please"),
            ("bob", "/review den 50", "only for the two of us"),
            ("bob", "/review me 50", "see you at noon", "noon it is", "and not later"),
            ("vonda", "/review lobby 50", "greetings from the mountains"),
            ("bob", "/ignore", "cyd"),
            ("bob", "/block", "vonda"),
            ("bob", "/notify", "join"),
            ("bob", "/formula", "guests"),
            ("bob", "/set", "60"),
            ("ann", "/group", "team", "bob", "cyd"),
            ("zoe", "/standings ohell", "ann", "bob", "cyd"),
            ("ann", "/played", "#1 ", "#15 "),
        ):
            said = " ".join(await people[name].caller.ask(line))
            for fact in facts:
                assert fact in said, (name, line)
        assert not any("den" in row for row in await people["zoe"].caller.ask("/what"))
        purses = {name: numbers(await people[name].caller.ask("/purse")) for name in EXPECTED["purses"]}
        assert EXPECTED["purses"] == {name: found[:2] for name, found in purses.items()}


async def test_wrong_password_logs_nobody_in(kept, tmp_path):
    """Accounts are kept with their passwords."""
    async with served(copied(kept / "data", tmp_path)) as (_, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"ann\r\nnot her word\r\n/set machine on\r\n")
        writer.write_eof()
        shown = await reader.read()
        writer.close()

    assert b'"name":"ann"' not in shown


@pytest.fixture
def older(tmp_path):
    """A link to the source tree of commit 58c2fe9, which records each start of its program."""
    made = subprocess.run(["git", "-C", ROOT, "archive", "58c2fe9"], capture_output=True, check=False)
    if made.returncode:
        pytest.skip("there is no git history here that has commit 58c2fe9")
    tree, link = tmp_path / "older", tmp_path / "tree"
    with tarfile.open(fileobj=io.BytesIO(made.stdout)) as archive:
        archive.extractall(tree, filter="data")
    main = tree / "lilygames" / "__main__.py"
    main.write_text(f"open({str(tmp_path / 'started')!r}, 'a').write('older ')\n{main.read_text()}")
    link.symlink_to(tree)
    return link


@asynccontextmanager
async def terminal(port, manner):
    """Connect a telnet client, and disconnect it in the end."""
    client = TelnetClient(*await asyncio.open_connection("127.0.0.1", port), manner, ["XTERM"], 80)
    try:
        yield client
    finally:
        client.leave()
        await asyncio.sleep(0)


async def test_reload_from_the_older_release_keeps_everyone_connected(older, kept, tmp_path):
    """The process becomes one of the current release: nobody is dropped, hands are the same, half a line goes on."""
    async with (
        served(copied(kept / "data", tmp_path), older) as (process, port),
        entered(port) as people,
        terminal(port, "silent") as half,
        terminal(port, "keyed") as keyed,
    ):
        await keyed.edited()
        for client, name in ((half, "gus"), (keyed, "hal")):
            for line in (name, "", "/set width 70"):
                client.type(line)
            await client.expect("70")
        half.press(b"-lobby;half before and ")
        keyed.press(b"-lobby;once upon ")
        await keyed.expect("upon")
        assert "older " == (tmp_path / "started").read_text()

        older.unlink()
        older.symlink_to(ROOT)
        process.send_signal(signal.SIGHUP)
        assert f":{port}\n".encode() in await asyncio.wait_for(process.stdout.readline(), DEADLINE)
        assert "older " == (tmp_path / "started").read_text()

        half.press(b"half after\n")
        keyed.press(b"a time\r")
        zoe = people["zoe"].caller
        for said in ("half before and half after", "once upon a time"):
            await zoe.until(lambda said=said: any(said in line for line in zoe.lines))
        await assert_same_seats(people)
        await assert_played_on(people)
