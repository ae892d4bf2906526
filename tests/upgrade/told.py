"""What people are told of a finished game, compared with the facts that were recorded."""

from __future__ import annotations

from tests.upgrade.caller import compact, numbers


def assert_told(table, rows):
    """Compare the facts of a finished game with its log."""
    told = [" ".join(rows)] if table["game"] == "liarslair" else rows  # its cards are a row each, and named by number
    shown = [compact(_of_today(row)) for row in told]
    for group in table["shown"]:
        missing = [held for held in group if not any(compact(_of_today(held)) in row for row in shown)]
        assert [] == missing, (table["number"], group)
    over = max(place for place, row in enumerate(rows) if "Game over: " in row)
    last = " ".join(rows[over:]).replace("you", "ann").replace("You", "ann")
    assert all(winner in last for winner in table["winners"]), (table["number"], last)
    for name, score in table["scores"].items():
        assert name in last, (table["number"], name)
        assert abs(score) in numbers([last]), (table["number"], name)


def _of_today(row):
    """Return a row with the words of today for dice that everyone sees."""
    return row.replace("; face up: ", "; open to all: ")
