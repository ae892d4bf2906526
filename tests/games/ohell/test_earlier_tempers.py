"""A game of bots whose tempers changed their bids by luck alone, as it was exported then, can still be checked.

Its bots are a bold club, a careful club and a bold novice.
"""

from pathlib import Path

import attrs

from lilygames.games import games
from lilygames.server import exports

EXPORT = Path(__file__).with_name("by-luck.jsonl").read_text("utf-8")
GAME = games()["ohell"]


def test_moves_in_a_temper_of_an_earlier_version_follow_from_the_log():
    assert exports.verify(EXPORT, {"ohell": GAME}).match
    assert exports.verify_bots(EXPORT, {"ohell": GAME}).sentence == (
        "All 42 moves of bots follow from what their seats could see."
    )


def test_tempers_of_today_would_have_made_other_moves():
    earlier = {level: {version: GAME.players[level]} for level, version in (("novice", "2"), ("club", "1"))}
    changed = attrs.evolve(GAME, earlier_strategies=earlier)

    assert "wouldn't have made the move of entry" in exports.verify_bots(EXPORT, {"ohell": changed}).sentence
