"""The session in the README is a real one."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def test_every_line_of_the_session_was_read_or_typed_in_this_order():
    """Its rows are in that order on whammy's screen in a golden playthrough, which a test performs again."""
    shown = (ROOT / "README.md").read_text("utf-8").split("```")[1].strip("\n").splitlines()[2:]
    played = (ROOT / "tests/games/ohell/first-evening.txt").read_text("utf-8").splitlines()
    rows = [row[7:].removeprefix(" ") for row in played if row.startswith(("whammy<", "whammy>"))]

    for row in shown:
        assert row in rows
        rows = rows[rows.index(row) + 1 :]
