"""Positions for workers: pickled once for a move and its check."""

import pickle

from lilygames.house import positions
from lilygames.house.positions import Positions

VIEW, MOVES = ["a view"], (1, 2)


def test_position_is_pickled_once():
    known = Positions()

    assert known.packed(VIEW, MOVES) is known.packed(VIEW, MOVES)


def test_position_is_what_its_pickle_says():
    assert (VIEW, MOVES) == pickle.loads(Positions().packed(VIEW, MOVES))


def test_position_with_other_moves_is_another_one():
    known = Positions()
    known.packed(VIEW, MOVES)

    assert (VIEW, (3,)) == pickle.loads(known.packed(VIEW, (3,)))


def test_oldest_position_is_dropped_first(monkeypatch):
    monkeypatch.setattr(positions, "_KEPT", 2)
    known, views = Positions(), [["a"], ["b"], ["c"]]
    first, second, _ = [known.packed(view, MOVES) for view in views]

    assert second is known.packed(views[1], MOVES)
    assert first is not known.packed(views[0], MOVES)
