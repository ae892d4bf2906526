"""Two versions of one game's rules side by side: each table goes on under the rules it began with."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from lilygames.bus.local import LocalBus
from lilygames.gametest.stage import Stage
from lilygames.nodes import remote_terminal
from lilygames.server import exports
from lilygames.tables.verify import export, verify
from lilygames.text import Line

ROOT = Path(__file__).resolve().parents[2]


def edited(file, *changes):
    """Write a file with some words changed for others."""
    text = file.read_text("utf-8")
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    file.write_text(text, "utf-8")


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    """What `scripts/new-game` writes, a rule of which is changed as /help maker-version says: new and old."""
    folder = tmp_path_factory.mktemp("package")
    script = [sys.executable, ROOT / "scripts/new-game", "shaky", "--package", folder]
    subprocess.run(script, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    package = folder / "lily_shaky"
    (package / "rules1.py").write_text((package / "rules.py").read_text("utf-8"))
    (package / "bot1.py").write_text((package / "__init__.py").read_text("utf-8"))
    rules = ("from lily_shaky import rules", "from lily_shaky import rules1 as rules")
    edited(package / "bot1.py", ("    pages=files(__name__),\n", ""), rules)
    edited(package / "rules.py", ('"shaky", 1,', '"shaky", 2,'), ("sides: int = 6", "sides: int = 60"))
    edited(package / "__init__.py", (rules[0], "from lily_shaky import bot1, rules"))
    edited(package / "__init__.py", ("    quick=3,", "    earlier=(bot1.GAME,),\n    quick=3,"))
    sys.path.insert(0, str(folder))
    yield import_module("lily_shaky").GAME, import_module("lily_shaky.bot1").GAME
    sys.path.remove(str(folder))


async def begun(stage):
    """Let ann and bob sit down at a new table."""
    await stage.type("ann", "/new shaky bob")
    return await stage.type("bob", "/sit shaky")


async def finished(stage, *names):
    """Let everybody keep their die, and return what the last was told."""
    for name in names:
        told = await stage.type(name, "/keep")
    return told


async def test_a_table_goes_on_under_the_rules_it_began_with(games, store):
    """The host is begun anew with a later version; new tables take that one."""
    new, old = games
    before = await Stage.open({"shaky": old}, store=store)
    for name in ("ann", "bob"):
        before.enter(name)
    await begun(before)
    after = await Stage.open({"shaky": new}, store=store, seed="2")
    for name in ("ann", "bob"):
        after.enter(name)
    told = await finished(after, "ann", "bob")
    await begun(after)

    assert any("Game over: " in row for row in told)
    assert (2, 60) == (after.table(2).table.header.version, after.table(2).table.options.sides)


async def test_a_game_by_earlier_rules_is_shown_again_and_verified(games, store, monkeypatch):
    """Replay, log, /verify and `lilygames verify` take the rules of the header."""
    new, old = games
    before = await Stage.open({"shaky": old}, store=store)
    for name in ("ann", "bob"):
        before.enter(name)
    await begun(before)
    await finished(before, "ann", "bob")
    after = await Stage.open({"shaky": new}, store=store, seed="2")
    after.enter("ann")
    header, entries = await after.place.tables.archive.read(1)
    monkeypatch.setattr(exports, "games", lambda: {"shaky": new})

    assert verify(header, entries, {"shaky": new}).match
    assert exports.verify("\n".join(export(header, entries))).match
    assert any("Game over: " in row for row in exports.replay("\n".join(export(header, entries))))
    assert any("Match: " in row for row in await after.type("ann", "/verify 1"))
    assert any("(step 1 of " in row for row in await after.type("ann", "/replay 1"))
    assert any("Game over: " in row for row in await after.type("ann", "/log 1"))


async def test_a_rematch_is_by_the_newest_rules(games, store):
    new, old = games
    before = await Stage.open({"shaky": old}, store=store)
    for name in ("ann", "bob"):
        before.enter(name)
    await begun(before)
    after = await Stage.open({"shaky": new}, store=store, seed="2")
    for name in ("ann", "bob"):
        after.enter(name)
    await finished(after, "ann", "bob")
    await after.type("ann", "/rematch")

    assert 2 == after.table(2).table.header.version


@pytest.fixture
async def nodes(games, store):
    """A node that knows both versions and one that knows the first alone, as in the middle of an upgrade."""
    new, old = games
    bus = LocalBus()
    stages = [
        await Stage.open({"shaky": game}, store=store, seed=str(game.rules.VERSION), bus=bus) for game in (new, old)
    ]
    yield stages
    for stage in stages:
        await stage.place.node.end()


async def played_at_the_newer(nodes, quiet):
    """Let ann and bob play by the new rules at the newer node, while cat is at the older one."""
    newer, older = nodes
    for name in ("ann", "bob"):
        newer.enter(name)
    older.enter("cat")
    await quiet(*nodes)
    with capture_logs() as logged:
        await begun(newer)
        await quiet(*nodes)
    return newer, older, logged


async def test_a_node_without_the_rules_leaves_the_table_to_one_that_has_them(nodes, store, quiet):
    """It says so in the log, once, and to who asks."""
    newer, older, logged = await played_at_the_newer(nodes, quiet)
    listed = await older.type("cat", "/tables")
    asked = await older.type("cat", "/watch shaky")
    await older.place.tables.sweep()
    await older.place.tables.sweep()
    told = await finished(newer, "ann", "bob")

    assert [(1, 2)] == [
        (row["table"], row["version"]) for row in logged if row["event"] == "a table waits for its rules"
    ]
    assert listed[0].startswith("#1 shaky: played by version 2 of shaky's rules")
    assert asked[0].startswith("Refused: #1 shaky is played by version 2")
    assert any("Game over: " in row for row in told)


async def test_a_node_lets_go_of_a_table_it_could_not_play_once_it_is_over(nodes, quiet):
    newer, older, _ = await played_at_the_newer(nodes, quiet)
    before = older.place.tables.unplayable.numbers
    await finished(newer, "ann", "bob")
    await quiet(*nodes)

    assert ({1}, set()) == (before, older.place.tables.unplayable.numbers)


async def test_a_seat_is_kept_where_the_rules_are_missing(nodes, quiet):
    """Who comes in at such a node learns where they sit; their name and their room are given to nobody else."""
    newer, older, _ = await played_at_the_newer(nodes, quiet)
    newer.drop("bob")
    await quiet(*nodes)
    screen = older.enter("bob")
    told = screen.take()
    await older.type("cat", "/new shaky")

    assert any(row.startswith("(you sit at #1 shaky, which is played by version 2") for row in told)
    assert older.place.host.keeps_seat("bob")
    assert "shaky-2" == older.table(2).room.name


async def test_both_nodes_play_a_table_by_the_rules_that_both_know(nodes, quiet):
    """What is opened at the older node is by version 1, and anybody plays it at either."""
    newer, older = nodes
    newer.enter("ann")
    older.enter("bob")
    await quiet(*nodes)
    await older.type("bob", "/new shaky ann")
    await quiet(*nodes)
    await newer.type("ann", "/sit shaky")
    await quiet(*nodes)
    await older.type("bob", "/keep")
    await quiet(*nodes)
    told = await newer.type("ann", "/keep")

    assert any("Game over: " in row for row in told)


def test_a_line_is_sent_as_a_node_of_an_earlier_release_reads_it():
    """Nodes of two releases are one place while it is upgraded: what the earlier one does not know is left out."""
    assert {"text", "kind", "margin", "aloud", "is"} == remote_terminal._dumped(
        Line("[tally] Ada bids 1.", "game")
    ).keys()
