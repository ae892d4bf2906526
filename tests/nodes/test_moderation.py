"""A decision of the staff at one node holds at the others, which follow the audit log."""

from lilygames import codec
from lilygames.moderation.desk import SHELL
from lilygames.store import Draft
from tests.nodes.conftest import settled


async def appointed(two):
    """Ann is a sysop at one node, and bob is at the other."""
    one, other = two
    for stage, name in ((one, "ann"), (other, "bob")):
        await stage.place.host.accounts.create(name, "plums and pears", guest=False)
        stage.enter(name)
    await settled(one, other)
    await one.place.desk.appoint(SHELL, "ann", "sysop")
    await settled(one, other)
    return one, other


async def test_mute_at_one_node_holds_at_the_other(two):
    one, other = await appointed(two)
    await one.type("ann", "/mute bob 1h spam")
    await settled(one, other)

    assert "you're muted until" in " ".join(await other.type("bob", "hello"))


async def test_ban_at_one_node_ends_the_connection_at_the_other(two):
    one, other = await appointed(two)
    await one.type("ann", "/ban bob 1d spam")
    await one.type("ann", "yes")
    await settled(one, other)

    assert other.screens["bob"].closed
    assert "bob" not in other.place.host.people


async def test_role_given_at_one_node_holds_at_the_other(two):
    one, other = await appointed(two)
    await one.place.desk.appoint(SHELL, "bob", "moderator")
    await settled(one, other)

    assert "(no reports are waiting)" in await other.type("bob", "/reports")


async def test_node_learns_of_a_ban_whose_hint_was_lost(two, store):
    """The audit log is checked once a second, even if nobody sends a hint."""
    one, other = await appointed(two)
    plan = one.place.desk.ban(SHELL, "bob", 3600, "spam")
    audit = other.place.audit
    await store.append("audit", None, [Draft("the shell", codec.to_text(plan.action))], cmd="from a shell")
    await audit.follow()

    assert "bob is banned" in " ".join(other.screens["bob"].take())
