"""A team match as a value: two teams, and a board for each pair of players. Pure.

Both players of a board play the same deals in the same seat, each with the same bots. Each deal gives two points to the
one who did better, or one to each.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

DAYS = 7
"""Days in which a match can be played."""
LARGEST = 6
"""Players in a team, at most."""
PREFIX = "team-"
"""How the name of each board's duplicate set begins."""


@attrs.frozen
class Member:
    """A player of a team, by account key, with the name they used."""

    key: str
    name: str


@attrs.frozen
class TeamMatch:
    """A match: its game, its two teams in the order of the boards, and when it ends, in seconds since 1970."""

    game: str
    teams: tuple[tuple[Member, ...], tuple[Member, ...]]
    until: float
    number: int = 0

    @property
    def boards(self) -> list[tuple[Member, Member]]:
        """The two players of each board."""
        return [*zip(*self.teams, strict=True)]

    def board_of(self, key: str) -> int | None:
        """Return the number of someone's board, None if they don't play."""
        return next((n for n, pair in enumerate(self.boards) if key in (one.key for one in pair)), None)

    def set_name(self, board: int) -> str:
        """Return the name of a board's duplicate set."""
        return f"{PREFIX}{self.number}-{board + 1}"


@attrs.frozen
class BoardResult:
    """The deals of both players of a board: None for one who hasn't finished, or who left."""

    deals: tuple[Sequence[int] | None, Sequence[int] | None]
    final: bool
    """Whether both games are over, or the time is."""
    done: tuple[bool, bool] = (False, False)
    """Whether each player's game is over: they have played to the end, or left."""

    @property
    def points(self) -> tuple[int, int]:
        """The points of both teams, 0 each before the board is final."""
        mine, theirs = self.deals
        if not self.final or (mine is None and theirs is None):
            return 0, 0
        if mine is None or theirs is None:
            most = 2 * len(mine or theirs or ())
            return (most, 0) if theirs is None else (0, most)
        ours = sum(2 * (a > b) + (a == b) for a, b in zip(mine, theirs, strict=True))
        return ours, 2 * len(mine) - ours


def total(boards: Sequence[BoardResult]) -> tuple[int, int]:
    """Return the points of both teams."""
    return sum(board.points[0] for board in boards), sum(board.points[1] for board in boards)
