"""Friends: who is here, and news of their logins. Blocks win."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lilygames.bus.local import LocalBus
from lilygames.chat.people.audience import Each, Everybody
from lilygames.chat.people.people import Person
from lilygames.chat.visits.arrivals import arrive
from lilygames.gametest.stage import Screen, Stage
from lilygames.store.memory import MemoryStore
from lilygames.text import Voice
from tests.toys import TOYS


@pytest.fixture
async def stage():
    """Ann and bob, at a fixed time."""
    stage = await Stage.open(TOYS, clock=lambda: 1_000_000.0)
    for name in ("ann", "bob"):
        stage.enter(name)
    return stage


async def back(stage, name):
    """Let a person leave and log in again; return what ann reads of the login."""
    stage.drop(name)
    stage.screens["ann"].take()
    await stage.come(name)
    return stage.screens["ann"].take()


async def test_login_of_a_friend_is_told_as_such_with_a_bell(stage):
    assert ["(bob is now your friend. You'll hear when they log in.)"] == await stage.type("ann", "/friend add bob")
    assert ["*** bob, your friend, has entered lily ***", "(bell)"] == await back(stage, "bob")


async def test_login_of_others_is_told_as_before(stage):
    stage.enter("cat")
    await stage.type("ann", "/friend add bob")

    assert ["*** cat has entered lily ***"] == await back(stage, "cat")


async def test_login_of_a_friend_is_told_though_logins_are_off(stage):
    await stage.type("ann", "/notify connect off")
    await stage.type("ann", "/friend add bob")

    assert "*** bob, your friend, has entered lily ***" in await back(stage, "bob")


async def test_news_of_friends_can_be_turned_off(stage):
    await stage.type("ann", "/friend add bob")
    await stage.type("ann", "/notify friend off")

    assert [] == await back(stage, "bob")


@pytest.mark.parametrize("line", ["/block ann", "/ignore ann all"])
async def test_friend_who_blocks_or_ignores_you_is_listed_as_not_here(stage, line):
    await stage.type("ann", "/friend add bob")
    await stage.type("bob", line)

    assert ["bob: not here", "(1 friend, 0 here)"] == await stage.type("ann", "/friend")


@pytest.mark.parametrize(("who", "line"), [("ann", "/block bob"), ("bob", "/block ann"), ("bob", "/ignore ann all")])
async def test_blocks_win_over_friends(stage, who, line):
    """Then a friend's login is told like anyone's, without the bell."""
    await stage.type("ann", "/friend add bob")
    await stage.type(who, line)

    assert ["*** bob has entered lily ***"] == await back(stage, "bob")
    assert "Friends here" not in " ".join((await stage.come("ann")).rows)


async def test_friends_who_are_here_are_told_at_login(stage):
    stage.enter("cat")
    for name in ("bob", "cat"):
        await stage.type("ann", f"/friend add {name}")
    stage.drop("ann")

    assert "Friends here: bob and cat." in (await stage.come("ann")).rows


async def test_friends_are_listed_with_where_they_are(stage):
    stage.enter("cat")
    for name in ("bob", "cat"):
        await stage.type("ann", f"/friend add {name}")
    await stage.type("bob", "/away")
    stage.drop("cat")
    await stage.host.profiles.finish()

    assert ["bob: away, in lobby", "cat: last here now", "(2 friends, 1 here)"] == await stage.type("ann", "/friends")


async def test_friend_is_removed(stage):
    await stage.type("ann", "/friend add bob")

    assert ["(bob is no longer your friend.)"] == await stage.type("ann", "/friend remove bo")
    assert ["*** bob has entered lily ***"] == await back(stage, "bob")
    assert ["(you have no friends on your list; /friend add NAME adds one)"] == await stage.type("ann", "/friend")


async def test_guests_have_no_friends_and_are_nobodys_friend(stage):
    host = stage.host
    stage.screens["gus"] = Screen(Voice())
    stage.people["gus"] = arrive(host, stage.screens["gus"], "gus", guest=True)

    assert "Refused: guests can't have a list of friends." in (await stage.type("gus", "/friend add ann"))[0]
    assert "Refused: gus is a guest" in (await stage.type("ann", "/friend add gus"))[0]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("/friend add ann", "you're always your own friend"),
        ("/friend add nobody", "nobody is called “nobody”"),
        ("/friend add", "type /friend add NAME"),
        ("/friend remove bob", "you have no friend “bob”"),
        ("/friend dance bob", "type /friend add NAME"),
    ],
)
async def test_bad_input_is_refused_with_what_to_type(stage, line, said):
    assert said in " ".join(await stage.type("ann", line))
    assert () == stage.people["ann"].profile.friends


async def test_friend_is_added_once_and_not_while_blocked(stage):
    await stage.type("ann", "/friend add bob")
    assert "bob is already your friend" in " ".join(await stage.type("ann", "/friend add bob"))
    await stage.type("ann", "/friend remove bob")
    await stage.type("ann", "/block bob")
    assert "you're blocking or ignoring bob" in " ".join(await stage.type("ann", "/friend add bob"))


async def test_friend_keeps_their_place_on_the_list_after_a_new_name():
    """The list is read with everyone's current name."""
    stage = await Stage.open(TOYS)
    stage.enter("ann")
    stage.enter("bob")
    await stage.type("ann", "/friend add bob")

    renamed = stage.people["ann"].profile.with_names(lambda name: "rob" if name == "bob" else name)

    assert ("rob",) == renamed.friends


async def test_login_at_another_node_is_told_once():
    store, bus = MemoryStore(), LocalBus()
    here, there = [await Stage.open(TOYS, store=store, seed=seed, bus=bus) for seed in "ab"]
    for stage in (here, there):
        stage.accounts.names["bob"] = "bob"
    here.enter("ann")
    await settled(here, there)
    await here.type("ann", "/friend add bob")
    await here.host.profiles.finish()
    await settled(here, there)
    here.screens["ann"].take()
    there.enter("bob")
    await settled(here, there)

    assert ["*** bob, your friend, has entered lily ***", "(bell)"] == here.screens["ann"].take()
    for stage in (here, there):
        await stage.node.end()


async def settled(*stages):
    """Return when no node has anything left to announce."""
    for _ in range(40):
        await asyncio.sleep(0)
        for stage in stages:
            await stage.quiet()
            await stage.node.roster.finish()


@given(st.lists(st.tuples(st.sampled_from("abc"), st.none() | st.frozensets(st.sampled_from("abcd")))))
def test_those_who_have_someone_as_a_friend_are_found_whatever_happened_before(changes):
    """A change sets someone's friends, or lets them leave."""
    everybody = Everybody(Each)
    for name, friends in changes:
        if friends is None:
            everybody.pop(name)
        else:
            person = everybody.setdefault(name, Person(name, guest=False, room=None))
            person.update_profile(friends=tuple(friends))

    for name in "abcd":
        expected = {one for one in everybody.values() if name in one.profile.friends}
        assert expected == {*everybody.audience.befriended_by(name)}
    friends = {name for one in everybody.values() for name in one.profile.friends}
    assert friends == {name for name in "abcd" if name in everybody.audience._fans}
