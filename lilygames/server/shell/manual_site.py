"""The manual as a site of plain files: `lilygames docs --html FOLDER` writes the help pages as a place shows them."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from lilygames.game import Game
from lilygames.help import Pages
from lilygames.server.process.exit_codes import Trouble
from lilygames.sites.frame import Frame
from lilygames.sites.topic import Topics

_FILES = ("style.css", "lobby.css", "site.css", "icon.svg", "icon-192.png")


def write(folder: Path, pages: Pages, games: Mapping[str, Game]) -> int:
    """Write all pages and their styles to a folder, and return the number of pages. Raises `Trouble`."""
    frame = Frame("lilygames", above="", bar=(("index.html", "Manual"), ("topics.html", "Topics")), scripts=())
    topics = Topics(pages, frame, {game.name: game.title for game in games.values()}, above="", ending=".html")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in _FILES:
            content = files("lilygames.edge.web").joinpath("page", name).read_bytes()
            (folder / name).write_bytes(content)
        for name in pages.rows:
            (folder / f"{name}.html").write_text(frame.page(topics.sheet(name)), "utf-8")
    except OSError as problem:
        raise Trouble(f"can't write to {folder}: {problem.strerror}") from None
    return len(pages.rows)
