"""Clients at two nodes seal a deck together, whoever is faster, and newcomers join from any node."""

import asyncio

import attrs
import pytest

from lilygames import codec
from lilygames.bus.local import LocalBus
from lilygames.gametest import stage as stages
from lilygames.gametest.stage import Stage
from lilygames.nodes.membership import membership
from lilygames.proofs import commitments
from lilygames.tables.log.acts import Body
from lilygames.tables.room import sealing
from tests.tables.room.test_sealing import Client, acts, said
from tests.toys import TOYS, installed

NAME = "liarspoker"


@pytest.fixture(autouse=True)
def _at_once(monkeypatch):
    """Let all nodes act at the same moment; usually they take turns."""
    monkeypatch.setattr(membership, "LAG", 0.0)


@pytest.fixture
async def nodes(store, quiet):
    """Open two nodes with some games; people at the first one, and people at the second."""
    opened = []

    async def start(games, here, there):
        bus = LocalBus()
        for seed, names in (("a", here), ("b", there)):
            stage = await Stage.open(games, store=store, seed=seed, bus=bus)
            opened.append(stage)
            for name in names:
                stage.enter(name)
        await quiet(*opened)
        return opened

    yield start
    for stage in opened:
        await stage.node.end()


def line_of(client, word, number=1):
    """Return the line with which a client would answer its last packet."""
    packet = next(one for one in reversed(client.screen.packets) if one.name == word)
    round_ = packet.value["round"] if word == "seal" else packet.value["sealing"]["round"]
    secret = client.numbers.setdefault(round_, commitments.fresh())
    if word == "seal":
        return f"/at {number} commit {commitments.commitment(packet.value['T'], round_, packet.value['id'], secret)}"
    return f"/at {number} reveal {secret.hex()}"


async def together(*lines):
    """Type lines at the same moment: (stage, name, line)."""
    await asyncio.gather(*(stage.hear(name, line) for stage, name, line in lines))


async def answered(nodes, quiet, *clients):
    for _ in range(4):
        for client in clients:
            await quiet(*nodes)
            await client.answer()
    await quiet(*nodes)


async def waiting(nodes, quiet, options=""):
    """Ann and bob at a table, each at a node of their own; their clients haven't answered."""
    both = here, there = await nodes(TOYS, ["ann"], ["bob"])
    clients = [Client(here, "ann"), Client(there, "bob")]
    await here.type("ann", f"/new tally first-dealer=host {options}")
    await quiet(*both)
    await there.type("bob", "/sit tally")
    await quiet(*both)
    return both, clients


async def sealed(nodes, quiet, options=""):
    """The same, and everything is sealed; nobody has revealed."""
    both, clients = await waiting(nodes, quiet, options)
    for client in clients:
        await client.answer()
        await quiet(*both)
    await both[0].type("ann", "/start")
    await quiet(*both)
    return both, clients


async def test_numbers_revealed_at_the_same_moment_start_the_game(nodes, quiet):
    """Neither is lost, so nobody is blamed."""
    (here, there), (ann, bob) = await sealed(nodes, quiet)
    await together((here, "ann", line_of(ann, "sealing")), (there, "bob", line_of(bob, "sealing")))
    await quiet(here, there)

    assert ("ann", "bob") == here.table(1).table.rounds.sealed_by
    assert here.table(1).table == there.table(1).table


async def test_commitment_is_kept_if_someone_sits_down_at_the_same_moment(nodes, quiet):
    (here, there), (ann, _) = await waiting(nodes, quiet)
    there.enter("cat")
    await quiet(here, there)
    await together((there, "cat", "/sit tally"), (here, "ann", line_of(ann, "seal")))
    await quiet(here, there)

    assert {"ann"} == {*here.table(1).table.rounds.commits}
    assert here.table(1).table == there.table(1).table


async def test_start_at_the_moment_of_a_commitment_is_not_lost(nodes, quiet):
    (here, there), (ann, bob) = await waiting(nodes, quiet)
    await together((there, "bob", line_of(bob, "seal")), (here, "ann", "/start"))
    await answered((here, there), quiet, ann, bob)

    assert here.table(1).table.started
    assert "bob" in here.table(1).table.rounds.sealed_by


async def test_seat_is_lost_in_the_same_entry_as_the_round(nodes, quiet, store):
    """A node that dies in between would leave the seat to a player who withheld their number."""
    (here, there), (ann, _) = await sealed(nodes, quiet)
    await ann.answer()
    appended = []
    append = store.append

    async def recorded(log, expected, drafts, **more):
        appended.append(
            [type(codec.from_text(one.body, Body).act).__name__ for one in drafts] if log == "table/1" else []
        )
        return await append(log, expected, drafts, **more)

    store.append = recorded
    for stage in (here, there):
        bot = stage.table(1)
        await bot.room.do(bot.shuffle.close_round)
    await quiet(here, there)

    assert ["Voided", "Seated"] in appended
    assert ("ann",) == here.table(1).table.names
    assert here.table(1).table == there.table(1).table
    assert here.table(1).table.secret == there.table(1).table.secret


async def test_round_is_void_also_if_a_number_comes_at_the_last_moment(nodes, quiet, monkeypatch):
    """The node that was about to end the round looks again."""
    monkeypatch.setattr(sealing, "RETRY", 0.0)
    (here, there), (ann, bob) = await waiting(nodes, quiet, "rated=no")
    here.enter("cat")
    cat = Client(here, "cat")
    await here.type("cat", "/sit tally")
    await answered((here, there), quiet, cat, ann, bob)
    await here.type("ann", "/start")
    await quiet(here, there)
    await ann.answer()
    await quiet(here, there)
    bot = here.table(1)

    async def close():
        await bot.room.do(bot.shuffle.close_round)

    await asyncio.gather(
        close(),
        there.hear("bob", line_of(bob, "sealing")),
    )
    await quiet(here, there)

    assert [("cat",)] == [void.missing for void in here.table(1).table.rounds.voids]


# newcomers


@pytest.fixture
async def session(nodes, quiet, monkeypatch):
    """A session of Liar's Poker between ann and bob, each at a node of their own."""
    monkeypatch.setattr(stages, "SETTINGS", attrs.evolve(stages.SETTINGS, commit_seconds=60))
    both = here, there = await nodes(installed(NAME), ["ann"], ["bob"])
    clients = {"ann": Client(here, "ann"), "bob": Client(there, "bob")}
    await here.type("ann", f"/new {NAME} seal=open hands=4")
    await quiet(*both)
    await there.type("bob", f"/sit {NAME}")
    await answered(both, quiet, *clients.values())
    await here.type("ann", "/start")
    await answered(both, quiet, *clients.values())
    assert ("ann", "bob") == here.table(1).table.rounds.sealed_by
    return both, clients


async def come(both, quiet, clients, stage, name):
    stage.enter(name)
    clients[name] = Client(stage, name)
    await quiet(*both)


async def test_newcomer_at_another_node_is_told_once_that_they_sit(session, quiet):
    both, clients = session
    await come(both, quiet, clients, both[1], "cat")
    await both[1].type("cat", f"/sit {NAME}")
    for name in ("cat", "bob", "cat", "bob", "ann", "cat", "bob", "ann"):  # ann's client is the last to reveal
        await quiet(*both)
        await clients[name].answer()
    await quiet(*both)
    told = said(both[1].screens["cat"].rows)

    assert ("ann", "bob", "cat") == both[0].table(1).table.rounds.sealed_by
    assert 1 == told.count(f"(you sit at {NAME} with ann and bob")
    assert 1 == said(both[0].screens["ann"].rows).count("cat sits down.")


async def test_newcomers_at_two_nodes_get_in_one_after_the_other(session, quiet):
    both, clients = session
    await come(both, quiet, clients, both[0], "cat")
    await come(both, quiet, clients, both[1], "dan")
    await together((both[0], "cat", f"/sit {NAME}"), (both[1], "dan", f"/sit {NAME}"))
    await quiet(*both)
    await answered(both, quiet, *clients.values())
    await answered(both, quiet, *clients.values())

    assert {"ann", "bob", "cat", "dan"} == {*both[0].table(1).table.rounds.sealed_by}
    assert both[0].table(1).table == both[1].table(1).table


async def test_newcomer_waits_for_one_at_another_node(session, quiet):
    both, clients = session
    await come(both, quiet, clients, both[0], "cat")
    await come(both, quiet, clients, both[1], "dan")
    await both[0].type("cat", f"/sit {NAME}")
    clients["bob"].answers = False
    await answered(both, quiet, *clients.values())
    told = said(await both[1].type("dan", f"/sit {NAME}"))
    clients["bob"].answers = True
    await clients["bob"].type(f"/at 1 reveal {clients['bob'].numbers[2].hex()}")
    await answered(both, quiet, *clients.values())

    assert "Another player sits down first" in told
    assert ("ann", "bob", "cat", "dan") == both[0].table(1).table.rounds.sealed_by


async def test_session_of_both_newcomers_is_written_in_order(session, quiet, store):
    both, clients = session
    await come(both, quiet, clients, both[0], "cat")
    await come(both, quiet, clients, both[1], "dan")
    await together((both[0], "cat", f"/sit {NAME}"), (both[1], "dan", f"/sit {NAME}"))
    await answered(both, quiet, *clients.values())
    await answered(both, quiet, *clients.values())
    order = [act for act in acts(store) if act in ("Sealing", "Joined", "Voided", "Start")]

    assert ["Sealing", "Start", "Sealing", "Joined", "Sealing", "Joined"] == order


async def test_round_is_not_void_while_the_node_of_a_player_may_have_died(nodes, quiet):
    """The player gets the time of a restart, once. A player who only disconnected doesn't."""
    (here, there), (ann, bob) = await sealed(nodes, quiet)
    await ann.answer()
    await quiet(here, there)
    beats, bot = here.node.beats, here.table(1)
    await beats.beat()
    now = beats._now()
    beats._now = lambda: now + 5
    await bot.room.do(bot.shuffle.close_round)
    spared = bot.table.rounds.voids
    here.enter("bob")
    bob.move_to(here)
    await quiet(here)
    bot.shuffle.came_or_went(here.people["bob"])
    await bob.answer()
    await quiet(here)

    assert () == spared
    assert ("ann", "bob") == bot.table.rounds.sealed_by


async def test_round_gets_more_time_only_once(nodes, quiet):
    (here, there), (ann, _) = await sealed(nodes, quiet, "rated=no")
    await ann.answer()
    await quiet(here, there)
    beats, bot = here.node.beats, here.table(1)
    await beats.beat()
    now = beats._now()
    beats._now = lambda: now + 5
    for _ in range(2):
        await bot.room.do(bot.shuffle.close_round)

    assert [("bob",)] == [void.missing for void in bot.table.rounds.voids]


async def test_player_who_disconnects_gets_no_more_time(nodes, quiet):
    (here, there), (ann, _) = await sealed(nodes, quiet, "rated=no")
    await ann.answer()
    there.drop("bob")
    await quiet(here, there)
    await here.node.beats.beat()
    bot = here.table(1)
    await bot.room.do(bot.shuffle.close_round)

    assert [("bob",)] == [void.missing for void in bot.table.rounds.voids]
