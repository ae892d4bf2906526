"""Games for tests of the server: our own toys, so that any real game may be missing."""

import attrs
import pytest

from lilygames.games import games
from tests.games import tally, toy

TALLY = {"tally": tally.GAME}
"""A trick game, with bots of all levels."""
TOYS = {"high": attrs.evolve(toy.GAME, players={"novice": lambda view, moves, luck: moves[0]}), **TALLY}
"""A second game, which is over in a minute."""
ALL = {**games(), **TOYS}
"""The installed games too, for requirements on all games."""


def installed(*names):
    """Return these games, for a test about something only they have; skip it if one has been deleted."""
    missing = [name for name in names if name not in ALL]
    if missing:
        pytest.skip(f"not here: {', '.join(missing)}")
    return {name: ALL[name] for name in names}
