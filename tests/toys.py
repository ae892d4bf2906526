"""The games that tests of the host play: toys of our own, so that any real game may be missing."""

import attrs
import pytest

from lilygames.games import games
from tests.games import tally, toy

TALLY = {"tally": tally.GAME}
"""A game of tricks, with house players of all levels."""
TOYS = {"high": attrs.evolve(toy.GAME, players={"novice": lambda view, moves, luck: moves[0]}), **TALLY}
"""Another one beside it, which is over in a minute."""
ALL = {**games(), **TOYS}
"""The games that are installed as well: what all games have to do, they do."""


def installed(*names):
    """Return these games of ours, for a test about what only they have; it is skipped where one has been deleted."""
    missing = [name for name in names if name not in ALL]
    if missing:
        pytest.skip(f"not here: {', '.join(missing)}")
    return {name: ALL[name] for name in names}
