"""Test how a node follows tables of the others, and what it logs."""

from structlog.testing import capture_logs

from lilygames.nodes.follow import Follower
from lilygames.nodes.topic_hints import TopicHints
from lilygames.store import StoreUnavailable


async def test_table_is_logged_once_if_it_cannot_be_followed(two):
    """During an outage of the store each table is logged once, and once more in the next outage."""
    place = two[0].place
    bus = place.node._bus
    follower = Follower(
        place.tables, place.node.roster, place.node.beats, bus, records={}, table_hints=TopicHints(bus, "table")
    )
    away = iter((True, True, False, True))

    async def follow(number):
        if next(away):
            raise StoreUnavailable("it is away")

    place.tables.follow = follow
    with capture_logs() as logged:
        for _ in range(4):
            await follower._table(1)

    assert ["cannot follow a table"] * 2 == [row["event"] for row in logged]
