"""`lab/tempers-lilypoker` plays a hand again only from a move that a temper changes."""

from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import pytest

from lilygames.games.lilypoker import GAME
from lilygames_rules.poker.bets import Call, Fold
from lilygames_rules.poker.table import Options

ROOT = Path(__file__).parents[4]
OPTIONS = Options(variant="holdem", hands=2)


@pytest.fixture(scope="module")
def script():
    loader = SourceFileLoader("tempers_lilypoker", str(ROOT / "lab/tempers-lilypoker"))
    spec = spec_from_loader(loader.name, loader)
    assert spec
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


def played(script, monkeypatch, change, usual=GAME.players["club"]):
    monkeypatch.setattr(script, "change", change)
    session = script.Session(usual, OPTIONS, 3, 1)
    session.play()
    return session


def usually(temper, view, moves, move, luck):
    return move


def test_temper_that_changes_nothing_costs_nothing(script, monkeypatch):
    session = played(script, monkeypatch, usually)

    assert {temper: [0.0] * 6 for temper in script.TEMPERS} == session.leads
    assert not session.changed
    assert session.moves["bold"] == session.moves[""]


def checks(view, moves, luck):
    """Make the moves of a player who checks and calls."""
    return moves[0]


def folds(temper, view, moves, move, luck):
    """Change each call to a fold, if grumpy."""
    return Fold() if temper == "grumpy" and isinstance(move, Call) else move


def test_lead_is_what_the_changed_moves_win_or_lose(script, monkeypatch):
    session = played(script, monkeypatch, folds, checks)

    assert [0.0] * 6 == session.leads["bold"] == session.leads["careful"]
    assert any(session.leads["grumpy"])
    assert session.changed["grumpy"] == session.moves["grumpy"]["Fold"] == session.moves[""]["Call"] > 0
