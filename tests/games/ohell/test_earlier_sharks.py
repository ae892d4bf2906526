"""A game of sharks that played for points to the end, as it was exported then, can still be checked."""

from pathlib import Path

import attrs

from lilygames.games import games
from lilygames.server import exports

EXPORT = Path(__file__).with_name("for-points.jsonl").read_text("utf-8")
GAME = games()["ohell"]


def test_moves_for_points_follow_from_the_log():
    assert exports.verify(EXPORT, {"ohell": GAME}).match
    assert exports.verify_bots(EXPORT, {"ohell": GAME}).sentence == (
        "All 42 moves of bots follow from what their seats could see."
    )


def test_sharks_of_today_would_have_played_for_the_win():
    changed = attrs.evolve(GAME, earlier_strategies={"shark": {"1": GAME.players["shark"]}})

    assert not exports.verify_bots(EXPORT, {"ohell": changed}).match
