"""A decision of the staff at one node holds at the others, which follow the audit log."""

import pytest

from lilygames import codec
from lilygames.moderation.desk import SHELL
from lilygames.store import Draft
from tests.nodes.conftest import settled


async def appointed(two):
    """Ann is a sysop at one node. Bob, once Rupert, and the guest Gus are at the other."""
    one, other = two
    for stage, name in ((one, "Ann"), (other, "Rupert")):
        await stage.create_account(name, "plums and pears")
    accounts = other.accounts
    await accounts.rename(await accounts.get("Rupert"), "Bob")
    await settled(one, other)
    for stage, name in ((one, "Ann"), (other, "Bob")):
        stage.enter(name)
    other.enter("Gus", guest=True)
    await settled(one, other)
    await one.desk.appoint(SHELL, "Ann", "sysop")
    await settled(one, other)
    return one, other


@pytest.mark.parametrize(("typed", "who"), [("bob", "Bob"), ("BOB", "Bob"), ("rupert", "Bob"), ("gus", "Gus")])
async def test_mute_at_one_node_holds_at_the_other(two, typed, who):
    one, other = await appointed(two)
    await one.type("Ann", f"/mute {typed} 1h spam")
    await settled(one, other)

    assert "you're muted until" in " ".join(await other.type(who, "hello"))
    await settled(one, other)
    assert " - hello" not in one.screens["Ann"].take()


@pytest.mark.parametrize(("typed", "who"), [("bob", "Bob"), ("Rupert", "Bob"), ("gus", "Gus")])
async def test_ban_at_one_node_ends_the_connection_at_the_other(two, typed, who):
    one, other = await appointed(two)
    await one.type("Ann", f"/ban {typed} 1d spam")
    await one.type("Ann", "yes")
    await settled(one, other)

    assert other.screens[who].closed
    assert who.casefold() not in other.host.people


async def test_role_given_at_one_node_holds_at_the_other(two):
    one, other = await appointed(two)
    await one.desk.appoint(SHELL, "Bob", "moderator")
    await settled(one, other)

    assert "(no reports are waiting)" in await other.type("Bob", "/reports")


async def test_node_learns_of_a_ban_whose_hint_was_lost(two, store):
    """The audit log is checked once a second, even if nobody sends a hint."""
    one, other = await appointed(two)
    plan = one.desk.ban(SHELL, "Bob", 3600, "spam")
    audit = other.place.audit
    await store.append("audit", None, [Draft("the shell", codec.to_text(plan.action))], cmd="from a shell")
    await audit.follow()

    assert "Bob is banned" in " ".join(other.screens["Bob"].take())
