"""The names by which tables still know the errors of `lilygames.errors`."""

from lilygames.errors import NOTHING_SAVED, NeedsRepair
from lilygames.errors import NotFound as NoSuch
from lilygames.errors import UserError as Sorry

__all__ = ["NOTHING_SAVED", "NeedsRepair", "NoSuch", "Sorry"]
