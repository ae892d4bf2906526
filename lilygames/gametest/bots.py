"""Promises about a game's bots: they choose legal moves, always the same ones, and soon."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lilygames.gametest.plays import Check

SECONDS = 2.0
"""The processor time after which a bot's move is too slow: forty times what the slowest of our own levels needs."""


def bots_choose_soon(check: Check) -> Iterator[str]:
    """Each level needs at most two seconds of processor time for a move; people wait for it."""
    for one in check.choices:
        if one.seconds > SECONDS:
            yield f"{one.spot}: the level {one.level} thinks for {one.seconds:.1f} s, at most {SECONDS:.0f} s"


def bots_choose_legal_moves(check: Check) -> Iterator[str]:
    """Each level chooses one of the legal moves, without an error."""
    for one in check.choices:
        if one.move not in check.moves(one.spot):
            yield f"{one.spot}: the level {one.level} chooses {one.move}, which isn't legal"


def bots_repeat_their_moves(check: Check) -> Iterator[str]:
    """Each level chooses the same move for the same view, moves and luck: logs are checked by choosing again."""
    for one in check.choices:
        if one.again != one.move:
            yield f"{one.spot}: the level {one.level} chooses {one.move}, and then {one.again} with the same luck"


def bots_leave_the_view_alone(check: Check) -> Iterator[str]:
    """No level changes its view, which others share."""
    for one in check.choices:
        if not one.unchanged:
            yield f"{one.spot}: the level {one.level} changes its view"


BOTS: tuple[Callable[[Check], Iterator[str]], ...] = (
    bots_choose_soon,
    bots_choose_legal_moves,
    bots_repeat_their_moves,
    bots_leave_the_view_alone,
)
"""Promises about bots."""
