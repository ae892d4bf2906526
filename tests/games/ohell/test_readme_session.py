"""The session in the README is a real one."""

import html
import re
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


def test_picture_shows_a_round_and_its_scores():
    """As `scripts/screens --game ohell --moment round --svg help/pictures` makes it from a game on a real server."""
    (file,) = re.findall(r"!\[[^]]+\]\(([^)]+)\)", (ROOT / "README.md").read_text("utf-8"))
    shown = html.unescape(re.sub(r"<[^>]+>", "", (ROOT / file).read_text("utf-8"))).replace("\xa0", " ")

    assert ["Your turn:", "Your turn:", "Trick 1/1", "points", "Round 2 of 5", "Your turn:"] == re.findall(
        r"Your turn:(?=[^T]*Trick 1/1, )|Trick 1/1(?=:)|points(?=\s+total)|Round 2 of 5|Your turn:(?=[^Y]*$)", shown
    )
