"""A server for talking, bluffing card and dice games over plain telnet."""

from lilygames.api import API
from lilygames.commands import Reads, Rest, command, declared, declared_in
from lilygames.game import Game, Reader

__version__ = "0.2.0"
__all__ = ["API", "Game", "Reader", "Reads", "Rest", "__version__", "command", "declared", "declared_in"]
