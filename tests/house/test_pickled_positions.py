"""Positions for workers: pickled once for a move and its check."""

import pickle

from lilygames.house import pickled_positions
from lilygames.house.pickled_positions import PickledPositions

VIEW, MOVES = ["a view"], (1, 2)


def test_position_is_pickled_once():
    known = PickledPositions()

    assert known.packed(VIEW, MOVES) is known.packed(VIEW, MOVES)


def test_position_is_what_its_pickle_says():
    assert (VIEW, MOVES) == pickle.loads(PickledPositions().packed(VIEW, MOVES))


def test_position_with_other_moves_is_another_one():
    known = PickledPositions()
    known.packed(VIEW, MOVES)

    assert (VIEW, (3,)) == pickle.loads(known.packed(VIEW, (3,)))


def test_oldest_position_is_dropped_first(monkeypatch):
    monkeypatch.setattr(pickled_positions, "_KEPT", 2)
    known, views = PickledPositions(), [["a"], ["b"], ["c"]]
    first, second, _ = [known.packed(view, MOVES) for view in views]

    assert second is known.packed(views[1], MOVES)
    assert first is not known.packed(views[0], MOVES)
