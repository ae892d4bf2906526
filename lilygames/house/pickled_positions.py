"""Positions as workers get them: pickled, once for a bot's move and for the check of that move."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import Any

_KEPT = 500
"""Positions that are kept. Most moves are checked while few others are made, and a position has about 1 KB."""


class PickledPositions:
    """The newest positions, pickled.

    A table keeps the view that a bot has moved on (`Table.view`), so the check of the move finds the same value here.
    That saves half of the pickling, which is a tenth of what a move takes in the event loop. To remove this, pickle
    each job.
    """

    def __init__(self) -> None:
        self._newest: dict[int, tuple[Any, Sequence[Any], bytes]] = {}
        """Views, moves and what they are pickled as, by the identity of the view."""

    def packed(self, view: Any, moves: Sequence[Any]) -> bytes:
        """Return a view and legal moves, pickled; raises what pickling raises."""
        known = self._newest.get(id(view))
        if known and known[1] is moves:
            return known[2]
        found = pickle.dumps((view, moves), pickle.HIGHEST_PROTOCOL)
        self._newest[id(view)] = view, moves, found
        if len(self._newest) > _KEPT:
            del self._newest[next(iter(self._newest))]
        return found
