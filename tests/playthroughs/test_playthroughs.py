"""Every golden playthrough reads as it did: a changed rule or sentence shows as a difference to be looked at."""

from pathlib import Path

import pytest

from lilygames.gametest.playthrough import perform

TESTS = Path(__file__).parents[1]
PLAYS = sorted([*TESTS.glob("playthroughs/*/*.txt"), *TESTS.glob("games/*/*.txt")])


def test_there_are_playthroughs():
    """A folder that moved away would otherwise pass in silence."""
    assert PLAYS


@pytest.mark.parametrize("path", PLAYS, ids=lambda path: f"{path.parent.name}-{path.stem}")
async def test_it_reads_as_it_did(path):
    """Performed again, every line on every screen is the same; scripts/playthrough rewrites what is meant to change."""
    text = path.read_text("utf-8")

    assert text == await perform(text)
