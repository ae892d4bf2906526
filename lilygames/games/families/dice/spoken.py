"""Reader-mode lines shared by the dice games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from lilygames.game import Reader
from lilygames.games.families.dice.words import rolled
from lilygames_rules.dice.cup import Glimpse, Roll
from lilygames_rules.dice.passing import Peek
from lilygames_rules.kit import Seat

_SAID = 2
"""Number of best moves a prompt reads with their numbers; `/moves` lists all."""


TRUTH = "claim the truth"
"""The claim of what the dice are, which have just been read."""


def challenged(seat: Seat, dice: str, reader: Reader, *, true: bool) -> str:
    """Return who challenges, unless the reader has just typed it, the dice, and whether the claim was true."""
    said = "Dice" if reader.typed and seat == reader.seat else reader.says(seat, "challenges", "challenge")
    return f"{said}: {dice}. {'True' if true else 'A lie'}."


def numbered(offers: Sequence[Any], said: Callable[[Any], str]) -> str:
    """Return the best moves with their numbers, one that rolls, and that any claim can be made if none is there."""
    by_number = dict(enumerate(offers, 1))
    shown = {number: move for number, move in by_number.items() if number <= _SAID}
    if not any(isinstance(move, Roll) for move in shown.values()):
        shown |= dict([(number, move) for number, move in by_number.items() if isinstance(move, Roll)][:1])
    words = {number: said(move) for number, move in shown.items()}
    claims = any(text.startswith("claim") for text in words.values())
    return "; ".join([*(f"{number} {text}" for number, text in words.items()), *([] if claims else ["or claim"])])


def roll(move: Any, cup: Glimpse, shown: Callable[[Sequence[int]], str]) -> str:
    """Return `roll king, nine`, `roll all` or `look`; `shown` words some dice."""
    return rolled(move, cup, shown) or ("look" if isinstance(move, Peek) else "roll all")
