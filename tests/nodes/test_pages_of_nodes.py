"""Public pages of several nodes: an account that one node deletes has no page at any of them."""

import pytest

from lilygames.bus.local import LocalBus
from lilygames.edge.web.pages import PageRequest
from lilygames.gametest.stage import Stage
from lilygames.limits.quota import Who
from tests.nodes.conftest import settled
from tests.toys import TOYS


@pytest.fixture
async def nodes(store):
    """Two nodes; Ann is at the first."""
    bus = LocalBus()
    found = [await Stage.open(TOYS, store=store, bus=bus, seed=f"{number}") for number in range(2)]
    await found[0].create_account("Ann", "plums and pears")
    await settled(*found)
    yield found
    for one in found:
        await one.node.end()


async def page_of(stage, name):
    request = PageRequest(posts=False, rest=name, who=Who(address="203.0.113.9", exempt=True))
    return await stage.place.sites.pages["/u/{rest}"](request)


async def test_deleted_account_has_no_page_at_any_node_although_they_have_kept_it(nodes):
    assert [200, 200] == [(await page_of(node, "Ann")).status for node in nodes]
    await nodes[0].deletions.delete("Ann")
    await settled(*nodes)
    found = [await page_of(node, "Ann") for node in nodes]
    assert [404, 404] == [one.status for one in found]
    assert found == [await page_of(node, "nobody") for node in nodes]
