"""Texts that the sysop adds to games, in files of the data folder."""

from __future__ import annotations

import asyncio
import re
from functools import partial
from pathlib import Path
from typing import Any

from lilygames.errors import UserError
from lilygames.game import Game
from lilygames_rules.kit import Malformed

_NAME = re.compile(r"[a-z0-9-]{1,20}")
LARGEST = 200_000
"""Maximum bytes of a text that a sysop adds to a game."""


class AddedTexts:
    """The texts in `added/GAME/NAME.txt`."""

    def __init__(self, data: Path) -> None:
        self._folder = data / "added"

    def text(self, game: Game, name: str) -> str | None:
        """Return the text that the sysop has added to a game under a name, or None."""
        file = self._folder / game.name / f"{name}.txt"
        if not _NAME.fullmatch(name) or not file.is_file() or file.stat().st_size > LARGEST:
            return None
        return file.read_text("utf-8", errors="replace")

    async def filled(self, game: Game, options: Any) -> Any:
        """Return options completed from these texts; raises `UserError` for an invalid text."""
        if game.fills is None:
            return options
        try:
            return await asyncio.to_thread(game.fills, options, partial(self.text, game))
        except Malformed as wrong:
            raise UserError(f"the text added to {game.title} can't be used: {wrong}. Please tell the sysop.") from None
