"""Every golden playthrough reads as before: a changed rule or sentence shows up as a difference to review."""

from pathlib import Path

import pytest

from lilygames.gametest.playthrough import perform
from lilygames.tables.play import answers
from lilygames.tables.verify import bot_checks
from tests.deadline import DEADLINE

TESTS = Path(__file__).parents[1]
PLAYS = sorted([*TESTS.glob("playthroughs/*/*.txt"), *TESTS.glob("games/*/*.txt")])


def test_there_are_playthroughs():
    """Otherwise a folder that moved away would pass silently."""
    assert PLAYS


@pytest.mark.parametrize("path", PLAYS, ids=lambda path: f"{path.parent.name}-{path.stem}")
async def test_playthrough_reads_as_before(path, monkeypatch):
    """Every line on every screen is the same when performed again; scripts/playthrough rewrites intended changes.

    A busy machine would let the result of a check follow later.
    """
    monkeypatch.setattr(answers, "AT_ONCE", DEADLINE)
    monkeypatch.setattr(bot_checks, "AT_ONCE", DEADLINE)
    text = path.read_text("utf-8")

    assert text == await perform(text)
