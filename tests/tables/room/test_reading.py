"""Names in place of seat numbers."""

import pytest

from lilygames.tables.room.typed_moves import with_seat


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("pair to bob", "pair to 2"),
        ("full T to AD", "full T to 3"),
        ("pair to *Ada", "pair to 3"),
        ("pair to Ada", "pair to 3"),
        ("pair to bo", "pair to bo"),
        ("pair to 3", "pair to 3"),
        ("pair", "pair"),
        ("to", "to"),
    ],
)
def test_name_after_to_becomes_a_seat_counted_from_1(typed, read):
    """Rules know seats, never names. A name that fits two people stays as it was typed."""
    assert read == with_seat(typed, ("ann", "bob", "Ada", "bobby"))
