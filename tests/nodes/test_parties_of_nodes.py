"""Parties across nodes: the code is known at each, and a television there shows what happens."""

from lilygames.gametest.stage import Screen
from lilygames.limits.quota import PARTY_CODE
from lilygames.nodes.interest import Interest
from lilygames.text import Voice


async def opened(two):
    """Open a party at the first node; return its code."""
    two[0].enter("Ann")
    two[1].enter("bob")
    await two[0].type("Ann", "/party tally")
    return two[0].table(1).table.header.party


async def test_code_seats_someone_at_another_node(two, quiet):
    code = await opened(two)
    await quiet(*two)
    await two[1].type("bob", f"/sit {code}")
    await quiet(*two)

    assert ["Ann", "bob"] == [who.name for who in two[0].table(1).table.seats]


async def test_television_at_another_node_shows_what_happens(two, quiet):
    code = await opened(two)
    await quiet(*two)
    screen, host = Screen(Voice()), two[1].host
    screen.page = screen.takes_packets = True
    await host.tables.show(code, screen, host.quotas)
    await two[0].type("Ann", "/house")
    await quiet(*two)

    assert ["table", "party", "update", "party"] == [one.name for one in screen.packets]


async def test_node_follows_a_party_as_long_as_a_television_shows_it(two, quiet, monkeypatch):
    monkeypatch.setattr("lilygames.tables.open.remote_tables.KEPT", 0.0)
    code = await opened(two)
    await quiet(*two)
    screen, host = Screen(Voice()), two[1].host
    await host.tables.show(code, screen, host.quotas)
    needs = Interest(two[1].tables, two[1].node.beats).needs

    assert needs(1)
    host.tables.hide(screen)
    assert not needs(1)


async def test_wrong_codes_count_at_all_nodes(two, quiet):
    code = await opened(two)
    wrong = "ZEBRA98" if code == "ZEBRA99" else "ZEBRA99"
    for _ in range(PARTY_CODE.limits[0].most):
        await two[1].type("bob", f"/sit {wrong}")
    await quiet(*two)
    two[0].enter("Cat")

    assert "wrong codes were typed" in " ".join(await two[0].type("Cat", f"/sit {code}"))
