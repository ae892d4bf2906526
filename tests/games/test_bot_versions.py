"""A bot whose moves change gets a new version of its strategy, because logs name the version that played."""

import json
from pathlib import Path

import attrs
import pytest

from lilygames.gametest.bot_record import differences, recorded
from tests.toys import ALL, TALLY

TOY = attrs.evolve(TALLY["tally"], strategy_versions={"novice": "1", "club": "1", "shark": "1"})
OPTIONS = [{"max": 3}]
RECORDS = sorted(Path(__file__).parent.glob("*/bots.json"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.parent.name)
def test_bots_move_as_their_versions_did(path):
    game, before = ALL[path.parent.name], json.loads(path.read_text("utf-8"))
    short = path.relative_to(Path(__file__).parents[2])

    assert [] == differences(game, before, recorded(game, before["options"]), str(short))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.parent.name)
def test_every_bot_declares_a_version(path):
    game = ALL[path.parent.name]

    assert {*game.players} == {*game.strategy_versions}


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.parent.name)
def test_strategies_of_earlier_versions_are_recorded(path):
    """They never change. No level has its present one twice."""
    game, record = ALL[path.parent.name], json.loads(path.read_text("utf-8"))
    kept = [(level, *one) for level, versions in game.earlier_strategies.items() for one in versions.items()]

    assert {f"{level} {version}" for level, version, _ in kept} == {*record["kept"]}
    assert not any(game.strategy_versions[level] == version for level, version, _ in kept)


def differs(game):
    """Return what is told about a game whose bots were recorded as the toy's."""
    return differences(game, recorded(TOY, OPTIONS), recorded(game, OPTIONS), "tests/games/tally/bots.json")


def last_move(view, moves, luck):
    return moves[-1]


def test_bot_that_moves_otherwise_needs_a_new_version():
    changed = attrs.evolve(TOY, players={**TOY.players, "club": last_move})
    (told,) = differs(changed)

    assert told.startswith("Version 1 of tally's club bot doesn't move as before: raise its version")


def test_new_version_has_to_be_recorded():
    raised = {**TOY.strategy_versions, "club": "2"}
    changed = attrs.evolve(TOY, players={**TOY.players, "club": last_move}, strategy_versions=raised)
    (told,) = differs(changed)

    assert told.startswith("Version 2 of tally's club bot isn't recorded: run ")
    assert told.endswith(" tests/games/tally/bots.json")


def test_bot_that_moves_as_before_needs_nothing():
    assert [] == differs(TOY)


def test_bot_of_an_earlier_version_never_changes():
    """Its temper counts, too: finished games name the version."""

    def changed(strategy):
        return attrs.evolve(
            TOY,
            strategy_versions={"novice": "2"},
            players={"novice": last_move},
            earlier_strategies={"novice": {"1": strategy}},
        )

    before = recorded(changed(TOY.players["novice"]), OPTIONS)
    (told,) = differences(TOY, before, recorded(changed(last_move), OPTIONS), "bots.json")

    assert told.startswith("tally's novice 1 doesn't move as before")
