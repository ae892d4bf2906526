"""The second world of the game, made as for all games of dice under a cup."""

from tests.rules.dice.worlds import hide

__all__ = ["hide"]
