"""Verify and replay exported logs outside a server."""

from __future__ import annotations

from collections.abc import Mapping

from lilygames.game import Game
from lilygames.games import games
from lilygames.tables.replay import told
from lilygames.tables.verify import Unreadable, Verdict, read_export
from lilygames.tables.verify import verify as verified
from lilygames.tables.visible import secret_in
from lilygames.text import Voice


def verify(text: str, installed: Mapping[str, Game] | None = None) -> Verdict:
    """Return whether an exported log matches its replay, by the installed games. Raises `Unreadable`."""
    return verified(*read_export(text), games() if installed is None else installed)


def replay(text: str, by: str = "", installed: Mapping[str, Game] | None = None) -> list[str]:
    """Return an exported log as it was shown to everyone, or to one player. Raises `Unreadable`."""
    header, entries = read_export(text)
    game = header.game_in(games() if installed is None else installed)
    if game is None:
        raise Unreadable(f"{header.game} version {header.version} is not installed here.")
    story = told(header, game, entries, secret_in(entries) or b"", name=by, voice=Voice())
    return [line.text for some in story for _, line in some]
