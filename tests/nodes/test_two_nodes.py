"""Test that people served by two nodes are in one place."""

from __future__ import annotations

import asyncio

import pytest

from lilygames.nodes.membership.membership import Membership
from tests.nodes.conftest import rooms_of_tables
from tests.tables.room.test_sealing import Client


async def together(two, quiet):
    """Return two nodes, each serving someone."""
    here, there = two
    here.enter("ann")
    there.enter("bob")
    await quiet(*two)
    return here, there


async def playing(two, quiet):
    """Return two nodes with two people who play together."""
    here, there = await together(two, quiet)
    await here.type("ann", "/new tally first-dealer=host bob")
    await quiet(*two)
    await there.type("bob", "/sit tally")
    await quiet(*two)
    return here, there


async def test_login_at_one_node_is_seen_at_the_other(two, quiet):
    """Several nodes are one place."""
    here, there = two
    here.enter("ann")
    await quiet(*two)
    there.enter("bob")
    await quiet(*two)

    assert "ann" in " ".join(await there.type("bob", "/who"))


async def test_talk_at_one_node_is_read_once_at_the_other(two, quiet):
    """Each node shows it to the people it serves."""
    here, there = await together(two, quiet)
    there.screens["bob"].take()
    await here.type("ann", "hello there")
    await quiet(*two)

    assert ["", " -> From ann, to lobby:", " - hello there"] == there.screens["bob"].take()


def watch_names(stage, monkeypatch):
    """Return the names in each later message to another node, as a list that grows."""
    posted, post = [], stage.node.roster.post
    put = post._put

    def noted(node, what, names):
        posted.append(names)
        put(node, what, names)

    monkeypatch.setattr(post, "_put", noted)
    return posted


@pytest.mark.parametrize("line", ["hello there", "/away"])
async def test_message_to_many_people_at_a_node_names_only_their_room_or_everyone(two, quiet, line, monkeypatch):
    """Each node knows who of its people are in the room. Talk goes to each node while it has no order."""
    here, there = await together(two, quiet)
    here.host.cluster.ordered.pause(on=True)
    for name in ("cat", "dan"):
        there.enter(name)
    await quiet(*two)
    for screen in there.screens.values():
        screen.take()
    posted = watch_names(here, monkeypatch)
    monkeypatch.setattr("lilygames.nodes.presence.roster.NAMES", 2)
    await here.type("ann", line)
    await quiet(*two)
    rows = [screen.take() for screen in there.screens.values()]

    assert [["*"] if line.startswith("/") else ["-lobby"]] == posted
    assert rows[0]
    assert [rows[0]] * 3 == rows


async def test_private_message_can_be_answered_from_another_node(two, quiet):
    """`:` replies to the last sender, whatever node serves them."""
    here, there = await together(two, quiet)
    await here.type("ann", "bob;psst")
    await quiet(*two)
    here.screens["ann"].take()
    await there.type("bob", ":yes?")
    await quiet(*two)

    assert ["", " >> Private message from bob:", " - yes?"] == here.screens["ann"].take()


async def test_two_people_can_play_from_two_nodes(two, quiet):
    """A table opened at one node is played at the other."""
    here, there = await playing(two, quiet)

    assert here.table(1).table == there.table(1).table
    assert here.table(1).table.started


async def test_move_at_one_node_is_told_once_at_the_other(two, quiet):
    """Each node tells the people it serves, from the log."""
    here, there = await playing(two, quiet)
    there.screens["bob"].take()
    await here.type("ann", "/max 3")
    await quiet(*two)
    told = there.screens["bob"].take()

    assert [1, 1] == [sum(what in row for row in told) for what in ("ann", "Your turn")]
    assert here.table(1).table == there.table(1).table


async def test_guest_name_is_given_out_once(two, quiet):
    """Two nodes never call two people guest1."""
    here, there = two

    assert [True, False] == [await stage.host.cluster.claim("name guest1") for stage in (here, there)]


async def test_name_that_a_node_has_claimed_is_not_given_out_before_the_node_is_seen(store):
    """A node serves people at once, but the others look at heartbeats only every two seconds."""
    earlier, started = Membership(store, "earlier"), Membership(store, "started")
    await earlier.beats.beat()
    await started.beats.beat()

    assert [True, False] == [await node.claim("name guest1") for node in (started, earlier)]


async def test_name_that_a_stopped_node_had_claimed_is_given_out_again(store):
    stopped, started = Membership(store, "stopped"), Membership(store, "started")
    await stopped.beats.beat()
    assert await stopped.claim("name guest1")
    await stopped.beats.stop()
    await started.beats.beat()

    assert await started.claim("name guest1")


async def test_login_at_another_node_ends_the_first_session(two, quiet):
    """A person has one terminal."""
    here, there = two
    here.enter("ann")
    await quiet(*two)
    there.enter("ann")
    await quiet(*two)

    assert here.screens["ann"].closed
    assert not here.people["ann"].local
    assert there.people["ann"].local


async def test_person_who_leaves_one_node_is_gone_from_the_other(two, quiet):
    """Each node mirrors the people served by the others."""
    here, there = two
    here.enter("ann")
    await quiet(*two)
    before = "ann" in there.host.people
    here.drop("ann")
    await quiet(*two)

    assert (True, False) == (before, "ann" in there.host.people)


async def test_session_continues_at_another_node(two, quiet):
    """After a node dies, its people are told what they missed, once, and are asked for their move."""
    here, there = await playing(two, quiet)
    seen = there.table(1).table.seq
    there.drop("bob")
    await quiet(*two)
    await here.type("ann", "/max 3")
    await quiet(*two)
    screen = here.enter("bob", seen={1: seen})
    await quiet(*two)
    shown = screen.take()

    assert 1 == sum(row.startswith("ann picks 3. ") for row in shown)
    assert 1 == sum("Your turn: " in row for row in shown)
    assert not any("You sit here with" in row for row in shown)


async def test_table_has_the_same_room_at_every_node(two, quiet):
    """Someone who opens tables at both nodes at once finds each under one name everywhere."""
    here, there = await together(two, quiet)
    await asyncio.gather(*(stage.hear(name, "/new tally") for stage, name in ((here, "ann"), (there, "bob"))))
    await quiet(*two)
    rooms = [rooms_of_tables(stage) for stage in two]

    assert rooms[0] == rooms[1]
    assert {"tally", "tally-2"} == set(rooms[0].values())


"""It ends for everyone, whichever node ends it, and its players are forgotten."""


async def test_abandoned_game_ends_once_at_every_node(two, quiet):
    """Whichever node sees to it, it ends for all, and nobody is kept in mind."""
    here, there = await playing(two, quiet)
    for stage, name in ((here, "ann"), (there, "bob")):
        stage.people[name].set_guest(guest=True)
        stage.drop(name)
    for stage in two:
        stage.accounts.names.clear()
    await quiet(*two)
    for now in (0.0, 3600.0):
        for stage in two:
            stage.table(1).clock.now = lambda: now  # noqa: B023 - called at once
        await asyncio.gather(*(stage.look("abandoned_seats") for stage in two))
        await quiet(*two)

    assert [{}, {}] == [{**stage.open_tables} for stage in two]
    assert [set(), set()] == [{"ann", "bob"} & {*stage.host.people} for stage in two]


"""Players at any node count as here."""


async def test_seat_does_not_lapse_if_its_owner_is_at_another_node(two, quiet):
    """Connected players keep their seats, whatever node serves them."""
    here, _ = await playing(two, quiet)
    here.drop("ann")
    await quiet(*two)
    for now in (0.0, 1e9):
        here.table(1).clock.now = lambda: now  # noqa: B023 - called at once
        await here.look("abandoned_seats")

    assert here.table(1).table.going


"""The room is free again, and so is its name."""


async def test_expired_seek_closes_at_every_node(two, quiet):
    """The room is free again, and its name may be given out."""
    here, there = await together(two, quiet)
    await here.type("ann", "/seek tally 4")
    await quiet(*two)
    await there.type("bob", "/watch 1")
    here.drop("ann")
    await quiet(*two)
    for now in (0.0, 3600.0):
        for stage in two:
            stage.table(1).clock.now = lambda: now  # noqa: B023 - called at once
        await there.look("abandoned_seats")
        await quiet(*two)

    assert [{}, {}] == [{**stage.open_tables} for stage in two]
    assert [False, False] == ["ann" in stage.host.people for stage in two]


async def test_clients_at_two_nodes_seal_a_deck_together(two, quiet):
    """Each node asks the clients of the people it serves."""
    here, there = await together(two, quiet)
    clients = [Client(here, "ann"), Client(there, "bob")]
    await here.type("ann", "/new tally first-dealer=host")
    await quiet(*two)
    await there.type("bob", "/sit tally")
    for line in ("", "/start"):
        if line:
            await here.type("ann", line)
        for client in (*clients, *clients):
            await quiet(*two)
            await client.answer()
        await quiet(*two)

    assert ("ann", "bob") == here.table(1).table.rounds.sealed_by
    assert here.table(1).table == there.table(1).table


async def test_round_is_void_once_when_two_nodes_wait_for_a_client(two, quiet):
    """The next secret is the same everywhere."""
    here, there = await together(two, quiet)
    clients = [Client(here, "ann"), Client(there, "bob")]
    await here.type("ann", "/new tally first-dealer=host rated=no")
    await quiet(*two)
    await there.type("bob", "/sit tally")
    for client in (*clients, *clients):
        await quiet(*two)
        await client.answer()
    await here.type("ann", "/start")
    await quiet(*two)
    await clients[0].answer()
    await quiet(*two)
    for stage in two:
        bot = stage.table(1)
        await bot.room.do(bot.shuffle.close_round)
    await quiet(*two)
    for client in (*clients, *clients):
        await client.answer()
        await quiet(*two)

    tables = [stage.table(1).table for stage in two]
    assert [("bob",)] == [void.missing for void in tables[0].rounds.voids]
    assert tables[0].secret == tables[1].secret
    assert tables[0] == tables[1]


async def test_room_renamed_at_one_node_has_its_new_name_at_the_other(two, quiet):
    here, there = await together(two, quiet)
    await here.type("ann", "/create cafe coffee")
    await quiet(*two)
    await there.type("bob", "/join cafe")
    await there.type("bob", "/notify join cafe off")
    await quiet(*two)
    there.screens["bob"].take()
    await here.type("ann", "/drename cafe den")
    await quiet(*two)
    assert ["*** ann has renamed the room cafe to den ***"] == there.screens["bob"].take()

    room = there.rooms["den"]
    assert [{"ann", "bob"}] * 2 == [{*stage.rooms["den"].people} for stage in two]
    assert ("cafe", ("den",)) == (room.key, there.people["bob"].profile.rooms)
    await there.type("bob", "-cafe;hello")
    await quiet(*two)
    assert " -> From bob, to den:" in here.screens["ann"].take()
    await there.history.finish()
    assert "#  - hello" in await here.type("ann", "/review den")


async def test_room_closed_after_it_was_renamed_is_closed_everywhere(two, quiet):
    here, _ = await together(two, quiet)
    for line in ("/create cafe", "/drename cafe den", "/destroy den"):
        await here.type("ann", line)
        await quiet(*two)

    assert [None, None] == [stage.rooms.called("cafe") for stage in two]
    assert [None, None] == [stage.rooms.called("den") for stage in two]


async def test_room_is_known_at_the_other_node_before_its_creation_is_told(two, quiet, monkeypatch):
    """A client of lily needs its name and its title by then. The store may be slower than the bus."""
    here, there = await together(two, quiet)
    host, told, store = there.host, [], there.discussions._store
    find = store.find

    async def slowly(*what):
        for _ in range(20):
            await asyncio.sleep(0)
        return await find(*what)

    monkeypatch.setattr(store, "find", slowly)
    monkeypatch.setattr(host, "deliver", lambda event, _: told.append((event.kind, host.rooms.called("cafe") is None)))
    await here.type("ann", "/create cafe coffee")
    await quiet(*two)

    assert [("create", False)] == told
