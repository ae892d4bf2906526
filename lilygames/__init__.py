"""A place to play talking, bluffing card and dice games over a plain telnet line."""

from lilygames.commands import Reads, Rest, command, declared, declared_in
from lilygames.game import Game, Reader

__version__ = "0.1.0"
__all__ = ["Game", "Reader", "Reads", "Rest", "__version__", "command", "declared", "declared_in"]
