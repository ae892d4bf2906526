"""What one node follows of the others' tables, and what it says of it."""

from structlog.testing import capture_logs

from lilygames.nodes.follow import Follower
from lilygames.store import StoreUnavailable


async def test_a_table_that_cannot_be_followed_is_told_of_once(two):
    """While the store is away each table is named once; when it has come back and goes away anew, once more."""
    place = two[0].place
    follower = Follower(place.tables, place.node.roster, place.node.beats, place.node._bus, {})
    away = iter((True, True, False, True))

    async def follow(number):
        if next(away):
            raise StoreUnavailable("it is away")

    place.tables.follow = follow
    with capture_logs() as logged:
        for _ in range(4):
            await follower._table(1)

    assert ["a table cannot be followed"] * 2 == [row["event"] for row in logged]
