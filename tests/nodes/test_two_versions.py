"""Test two versions of a game's rules side by side: each table keeps the rules it started with."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from lilygames.bus.local import LocalBus
from lilygames.gametest.stage import Stage
from lilygames.server.shell import exports
from lilygames.tables.verify.export import exported
from lilygames.tables.verify.verify import verify

ROOT = Path(__file__).resolve().parents[2]


def edited(file, *changes):
    """Replace some text in a file."""
    text = file.read_text("utf-8")
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    file.write_text(text, "utf-8")


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    """The game of `scripts/new-game` with one rule changed as in /help maker-version: new and old."""
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
    edited(package / "__init__.py", ("    players=", "    earlier=(bot1.GAME,),\n    players="))
    sys.path.insert(0, str(folder))
    yield import_module("lily_shaky").GAME, import_module("lily_shaky.bot1").GAME
    sys.path.remove(str(folder))


async def begun(stage):
    """Seat ann and bob at a new table."""
    await stage.type("ann", "/new shaky bob")
    return await stage.type("bob", "/sit shaky")


async def finished(stage, *names):
    """Let everyone keep their die, and return what the last player was told."""
    for name in names:
        told = await stage.type(name, "/keep")
    return told


async def test_table_keeps_the_rules_it_started_with(games, store):
    """The server restarts with a later version; only new tables use that."""
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


async def test_game_by_earlier_rules_can_be_replayed_and_verified(games, store, monkeypatch):
    """Replay, log, /verify and `lilygames verify` use the version in the log's header."""
    new, old = games
    before = await Stage.open({"shaky": old}, store=store)
    for name in ("ann", "bob"):
        before.enter(name)
    await begun(before)
    await finished(before, "ann", "bob")
    after = await Stage.open({"shaky": new}, store=store, seed="2")
    after.enter("ann")
    header, entries = await after.tables.archive.read(1)
    monkeypatch.setattr(exports, "games", lambda: {"shaky": new})

    parts = exported(header, old, await after.tables.archive.secret(1, entries), entries)
    rows = "\n".join(row for part in parts for row in part)

    assert verify(header, entries, {"shaky": new}).match
    assert exports.verify(rows).match
    assert any("Game over: " in row for row in exports.replay(rows))
    assert any("Match: " in row for row in await after.type("ann", "/verify 1"))
    assert any("step 1 of " in row for row in await after.type("ann", "/replay 1"))
    assert any("Game over: " in row for row in await after.type("ann", "/log 1"))


async def test_rematch_uses_the_newest_rules(games, store):
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
    """A node that knows both versions and one that knows only the first, as during an upgrade."""
    new, old = games
    bus = LocalBus()
    stages = [
        await Stage.open({"shaky": game}, store=store, seed=str(game.rules.VERSION), bus=bus) for game in (new, old)
    ]
    yield stages
    for stage in stages:
        await stage.node.end()


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


async def test_node_without_the_rules_leaves_the_table_to_others(nodes, store, quiet):
    """The node logs it once, and tells anyone who asks."""
    newer, older, logged = await played_at_the_newer(nodes, quiet)
    listed = await older.type("cat", "/tables")
    asked = await older.type("cat", "/watch shaky")
    await older.tables.restoring.sweep()
    await older.tables.restoring.sweep()
    told = await finished(newer, "ann", "bob")

    assert [(1, 2)] == [
        (row["table"], row["version"]) for row in logged if row["event"] == "a table waits for its rules"
    ]
    assert listed[0].startswith("#1 shaky: waiting for version 2 of the shaky rules")
    assert asked[0].startswith("Refused: #1 shaky is waiting for version 2")
    assert any("Game over: " in row for row in told)


async def test_node_drops_a_table_it_could_not_play_once_it_is_over(nodes, quiet):
    newer, older, _ = await played_at_the_newer(nodes, quiet)
    before = older.tables.unplayable.numbers
    await finished(newer, "ann", "bob")
    await quiet(*nodes)

    assert ({1}, set()) == (before, older.tables.unplayable.numbers)


async def test_seat_is_kept_at_a_node_without_the_rules(nodes, quiet):
    """People who log in at such a node learn where they sit. Nobody else can take their name or room."""
    newer, older, _ = await played_at_the_newer(nodes, quiet)
    newer.drop("bob")
    await quiet(*nodes)
    screen = older.enter("bob")
    told = screen.take()
    await older.type("cat", "/new shaky")

    assert any(row.startswith("(you have a seat at #1 shaky, which is waiting for version 2") for row in told)
    assert older.host.keeps_seat("bob")
    assert "shaky-2" == older.table(2).room.name


async def test_both_nodes_play_a_table_by_rules_that_both_know(nodes, quiet):
    """A table opened at the older node uses version 1, and either node can play it."""
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
