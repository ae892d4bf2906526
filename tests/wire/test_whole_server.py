"""Test a server from outside: sockets, signals, and the data folder across restarts."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lilygames.store.sqlite.sqlite import SqliteStore
from tests.deadline import DEADLINE

ROOT = Path(__file__).resolve().parents[2]
QUICKLY = ["--house-pause-min", "0", "--house-pause-max", "0", "--hash-memory", "8192", "--hash-time", "1"]
QUICKLY += ["--lines-per-second", "1000", "--talk-lines-per-second", "1000"]


def lilygames(*arguments):
    """Return the command line that runs lilygames with these arguments."""
    return [sys.executable, "-m", "lilygames", *map(str, arguments)]


class Life:
    """One run of a server on a data folder."""

    def __init__(self, process, port):
        self.process = process
        self.port = port

    async def end(self, sign=signal.SIGTERM):
        """Send a signal and return the exit code."""
        if self.process.returncode is None:
            self.process.send_signal(sign)
        return await asyncio.wait_for(self.process.wait(), DEADLINE)


@pytest.fixture
async def serve(tmp_path):
    """Return a function that starts a server on one data folder; all are stopped at the end."""
    lives = []

    async def start(*options):
        command = lilygames("serve", "--port", 0, "--data", tmp_path / "data", *QUICKLY, *options)
        process = await asyncio.create_subprocess_exec(
            *command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT
        )
        said = (await asyncio.wait_for(process.stdout.readline(), DEADLINE)).decode()
        assert re.fullmatch(r"listening: telnet 127\.0\.0\.1:\d+\n", said), (said, await process.stderr.read())
        lives.append(Life(process, int(said.rsplit(":", 1)[1])))
        return lives[-1]

    yield start
    for life in lives:
        await life.end(signal.SIGKILL)


async def ran(*arguments):
    """Run a lilygames command to its end, and return its result."""
    command = lilygames(*arguments)
    quiet = {"capture_output": True, "text": True, "cwd": ROOT, "timeout": DEADLINE, "check": False}
    return await asyncio.to_thread(subprocess.run, command, stdin=subprocess.DEVNULL, **quiet)


async def enter(client, name, word=""):
    """Log someone in, as a guest if there is no password."""
    await client.expect("login: ")
    client.type(name)
    await client.expect("Enter to play as a guest: ")
    client.type(word)
    if word:
        await client.expect("once more: ")
        client.type(word)
    await client.expect("/help has the rest.\n")


def number_for(asked):
    """Return a bare number that answers a turn's question."""
    first = re.search(r"\d+", asked)
    return first[0]


async def play_on(client, moves=None):
    """Answer turns by bare numbers until the game is over or `moves` are made; return everything shown."""
    shown, made = "", 0
    while moves is None or made < moves:
        line = await client.expect("\n")
        shown += line
        if line.startswith("Game over: "):
            return shown
        if line.startswith("Your turn: "):
            client.type(number_for(line))
            made += 1
    return shown


async def test_newcomer_can_play_a_whole_game_by_numbers(serve, dial):
    """guest, /quick ohell, numbers, a final score, and the check of the seal."""
    client = await dial((await serve()).port, "silent")

    await client.expect("login: ")
    client.type("guest")
    await client.expect("/help has the rest.\r\n".replace("\r", ""))
    client.type("/quick ohell")
    told = await play_on(client)

    assert "the seal is " in told
    client.type("/verify 1")
    assert "Match: seals, commitments and all " in await client.expect(" fit.")


async def test_newcomer_asks_before_logging_in_and_picks_a_game_by_its_number(serve, dial):
    """help, who and rules work at the login prompt; /quick alone lists the games."""
    client = await dial((await serve()).port)
    for word, shown in (("help", "LOGIN"), ("who", "Nobody is here yet."), ("rules", "Games: ")):
        await client.expect("login: ")
        client.type(word)
        await client.expect(shown)
    await enter(client, "ann")
    client.type("/quick")
    menu = await client.expect("Bots fill the seats.")
    number = next(row.split(".")[0].strip() for row in menu.splitlines() if " Ohell " in row)
    client.type(number)

    assert "Hands of 1 to 3 cards and back to 1: 5 rounds" in await client.expect("Your turn: ")
    client.type("quit")
    await client.expect("Goodbye. Your seat at")


async def test_quick_liedie_lets_every_player_throw_first(serve, dial):
    """/quick liedie lets the newcomer throw first, and the match has a game for each player."""
    client = await dial((await serve()).port)
    await enter(client, "ann")
    client.type("/quick liedie")

    assert "Game 1 of 4: you throw first." in await client.expect("Your turn: ")


async def test_undo_goes_back_over_bots_moves_and_a_restart(serve, dial):
    """A free undo, then one that costs the rating; after kill -9 the table is as it was."""
    life = await serve()
    client = await dial(life.port)
    await enter(client, "whammy", "plums and pears")
    client.type("/new wizard order=inorder clock=10m+5")
    await client.expect("then /start)\n")
    client.type("/house 2")
    client.type("/start")
    await client.expect("Your turn: bid 0 or 1.")
    client.type("0")
    await client.expect("Your turn: lead: 1. ")
    client.type("/undo")
    assert "The last 3 moves were taken back." in await client.expect("Your turn: bid 0 or 1.")
    client.type("1")
    await client.expect("Your turn: lead: 1. ")
    client.type("1")
    await client.expect("Your turn: ")
    client.type("/undo")
    await client.expect("/undo yes")
    client.type("/undo yes")
    back = await client.expect("Your turn: lead: 1. ")
    await client.expect("\n")
    await life.end(signal.SIGKILL)

    assert "This game no longer counts." in " ".join(back.split())
    client = await dial((await serve()).port)
    await client.expect("login: ")
    client.type("whammy")
    await client.expect("password: ")
    client.type("plums and pears")
    await client.expect("Your turn: lead: 1. ")
    await client.expect("\n")
    client.type("/clock")
    assert "you have 10 minutes left" in " ".join((await client.expect(" left")).split())


async def test_kill_9_loses_no_acknowledged_move(serve, dial):
    """The acknowledged move survives; name and return word lead to the same seat with the same hand."""
    life = await serve()
    client = await dial(life.port)
    await enter(client, "whammy", "plums and pears")
    client.type("/new ohell max=5 first-dealer=host")
    await client.expect("then /start)\n")
    client.type("/house 3")
    client.type("/start")
    await play_on(client, 2)
    await client.expect("Your turn: ")
    await client.expect("\n")
    client.type("/hand")
    hand = re.search(r"Your hand: .*\n", await client.expect("hand: ") + await client.expect("\n"))[0]
    await life.end(signal.SIGKILL)

    life = await serve()
    client = await dial(life.port)
    await client.expect("login: ")
    client.type("whammy")
    await client.expect("password: ")
    client.type("plums and pears")
    back = await client.expect("Your turn: ")

    assert all(card in back for card in hand.split()[2:])
    assert "You sit here with *Ada (novice), *Max (novice) and" in back
    client.type("")
    assert "Game over" in await play_on(client)
    assert await life.end() == 0


async def test_guest_can_return_by_the_return_word_after_a_clean_stop(serve, dial):
    """A seat outlives its connection and its server, and nobody else can log in with that name."""
    life = await serve()
    client = await dial(life.port)
    await enter(client, "ann")
    client.type("/quick ohell")
    word = (await client.expect("come back with: ") and await client.expect(")")).rstrip(")")
    await client.expect("Your turn: ")
    client.leave()
    assert await life.end() == 0

    client = await dial((await serve()).port)
    await client.expect("login: ")
    client.type("ann 1234-plum-fig-5678")
    assert "wrong return word for ann" in await client.expect("return word: ")
    client.type(word.rpartition(" ")[2])
    assert "You sit here" in await client.expect("Your turn: ")


async def test_two_people_can_talk_while_they_play_with_two_bots(serve, dial):
    """Two people at one table: talk is talk, and nobody reads another's hand."""
    life = await serve()
    ann, bob = await dial(life.port), await dial(life.port)
    await enter(ann, "ann")
    await enter(bob, "bob")
    ann.type("/new ohell max=3 first-dealer=host bob")
    await bob.expect("/sit ohell or /decline ohell")
    ann.type("/house 2")
    await ann.expect("sit down.\n")
    bob.type("/sit ohell")
    seen = await bob.expect("Hand: ") + await bob.expect("\n")
    mine = await ann.expect("Your hand: ") and await ann.expect("\n")
    ann.type("good luck, all of you")

    heard = await bob.expect(" - good luck, all of you\n")
    assert " -> From ann, to ohell:\n" in heard
    assert mine.strip() not in seen + heard


async def test_one_broken_connection_does_not_affect_others(serve, dial):
    """10 MB without a line end, bytes that aren't text, a lost connection: one sentence for one, nothing for others."""
    life = await serve("--bytes-per-second", 10**9)
    loud, other = await dial(life.port, "silent"), await dial(life.port)
    await enter(other, "other")
    await loud.expect("login: ")
    for _ in range(160):
        loud._writer.write(b"x" * 65536)
        await loud._writer.drain()
    loud._writer.write(b"\r\n\xff\xfe\x80\xc3(\r\nguest\r\n")

    assert "longer than" in await loud.expect("/help has the rest.")
    other.type("/who")
    assert "guest1" in await other.expect("are here)")


async def test_exported_game_can_be_verified_elsewhere(serve, dial, tmp_path):
    """`lilygames verify FILE` says match, or names the first entry that differs."""
    client = await dial((await serve()).port)
    await enter(client, "ann")
    client.type("/new ohell max=3 first-dealer=host")
    client.type("/house")
    client.type("/start")
    await play_on(client)
    client.type("/export 1")
    rows = (await client.expect('"header"') and await client.expect('"sum"')).split("\n")  # in the last row
    rows = ['{"header"' + rows[0], *rows[1:-1], rows[-1] + (await client.expect("\n")).strip()]
    file = tmp_path / "game.jsonl"
    file.write_text("\n".join(rows))

    good = await ran("verify", file)
    assert 0 == good.returncode
    assert good.stdout.startswith("Match")

    number, row = next((n, json.loads(row)) for n, row in enumerate(rows) if '"Bid"' in row)
    row["act"]["move"]["tricks"] = 1 - min(row["act"]["move"]["tricks"], 1)
    file.write_text("\n".join([*rows[:number], json.dumps(row), *rows[number + 1 :]]))
    bad = await ran("verify", file)
    assert 1 == bad.returncode
    assert f"entry {row['seq']} " in bad.stdout


@pytest.mark.parametrize("running", [True, False])
async def test_sysop_can_register_by_a_claim_word(serve, dial, tmp_path, running):
    """While the server runs or not; nobody else can take the name meanwhile."""
    config = tmp_path / "place.toml"
    config.write_text(f'sysops = "Zeus"\ndata = "{tmp_path / "data"}"\n')
    life = await serve("--config", config)
    if not running:
        await life.end()
    told = await ran("claim", "zeus", "--config", config)
    assert 0 == told.returncode, told.stderr
    life = life if running else await serve("--config", config)

    stranger = await dial(life.port)
    await stranger.expect("login: ")
    stranger.type("zeus")
    await stranger.expect("claim word: ")
    stranger.type("")
    stranger.type("Zeu5")
    assert "“Zeu5” is a reserved name" in await stranger.expect("another.")
    client = await dial(life.port)
    await client.expect("login: ")
    client.type(told.stdout.splitlines()[-1].strip())
    for _ in range(2):
        await client.expect(": ")
        client.type("plums and pears")
    await client.expect("/help has the rest.")
    client.type("/pa hello everybody")
    assert "(message sent to everyone here)" in await client.expect("everyone here)")
    again = await ran("claim", "zeus", "--config", config)
    assert 2 == again.returncode
    assert "zeus is already registered" in again.stderr


async def test_claim_is_refused_if_the_name_or_folder_is_wrong(tmp_path):
    """A name that isn't a sysop's, and a folder without data."""
    config = tmp_path / "place.toml"
    config.write_text(f'sysops = "zeus"\ndata = "{tmp_path}"\n')
    await SqliteStore.open(tmp_path / "lilygames.db").close()
    stranger = await ran("claim", "hera", "--config", config)
    nowhere = await ran("claim", "zeus", "--data", tmp_path / "nowhere")

    assert (2, 78) == (stranger.returncode, nowhere.returncode)
    assert "hera isn't one of the sysops in" in stranger.stderr
    assert "There is no data in" in nowhere.stderr
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("name", ["sysop", "4you", "ohell"])
async def test_server_and_check_refuse_a_sysop_that_nobody_can_register(tmp_path, name):
    config = tmp_path / "place.toml"
    config.write_text(f'name = "x"\nsysops = "ann, {name}"\ndata = "{tmp_path / "data"}"\n')
    done = [await ran(*words) for words in (("check-config", config), ("serve", "--port", 0, "--config", config))]

    assert [78, 78] == [one.returncode for one in done]
    assert all(f"{config}:2: sysops has the name “{name}”, which nobody can register" in one.stderr for one in done)


async def test_check_accepts_a_reserved_name_if_it_was_registered_before(tmp_path):
    config = tmp_path / "place.toml"
    config.write_text(f'sysops = "operator"\ndata = "{tmp_path}"\n')
    store = SqliteStore.open(tmp_path / "lilygames.db")
    before = await ran("check-config", config)
    await store.keep("account", "operator", '{"name": "operator", "digest": "", "guest": false}')
    after = await ran("check-config", config)
    await store.close()

    assert "“operator”, which nobody can register" in before.stderr
    assert 0 == after.returncode


async def test_sysops_errors_are_one_sentence_and_exit_code_2_or_78(serve, tmp_path):
    """A port in use, a bad data folder, a damaged database, two servers, an unknown option or setting."""
    life = await serve()
    file = tmp_path / "file"
    file.write_text("x")
    damaged = tmp_path / "damaged"
    damaged.mkdir()
    (damaged / "lilygames.db").write_bytes(b"SQLite format 3\0" + os.urandom(5000))
    config = tmp_path / "place.toml"
    config.write_text('name = "x"\nprot = 7\n')

    expected = {
        ("serve", "--port", life.port, "--data", tmp_path / "d2"): f"port {life.port} on 127.0.0.1 is in use",
        ("serve", "--port", 0, "--data", file / "data"): "choose another folder with --data",
        ("serve", "--port", 0, "--data", damaged): "is damaged and was left as it is",
        ("serve", "--port", 0, "--data", tmp_path / "data"): "Another server is using",
        ("serve", "--prot", 0): "No such option",
        ("serve", "--config", config): f"{config}:2: there is no setting 'prot'; did you mean 'port'?",
        ("verify", tmp_path / "none"): "can't read",
        ("verify", file): "this isn't an exported log",
    }
    for arguments, sentence in expected.items():
        done = await ran(*arguments)
        assert (78 if config in arguments else 2) == done.returncode, (arguments, done.stderr)
        assert sentence in done.stderr
        assert "Traceback" not in done.stderr
