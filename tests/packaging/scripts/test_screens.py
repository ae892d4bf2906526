"""Test that scripts/screens shows the first turn of a game, as a terminal with few columns shows it."""

import subprocess
import sys
from pathlib import Path

from tests.deadline import DEADLINE

ROOT = Path(__file__).resolve().parents[3]


def test_first_turn_is_shown_on_a_narrow_screen():
    """The last row of the screen is the end of the turn, and no row is wider than the terminal."""
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "screens", "--game", "ohell", "--look", "40"],
        capture_output=True, text=True, timeout=DEADLINE, check=False,
    )  # fmt: skip
    caption, *rows = done.stdout.splitlines()

    assert "== ohell, look 40, 40x20, turn" == caption, done.stderr
    assert "/quick ohell" in rows
    assert any(row.startswith(("Your turn: bid 0", "Your turn: bid 1")) for row in rows[-2:])
    assert [] == [row for row in rows if len(row) > 40]
