"""The games: one folder each, with the record `GAME`, its commands, its words and its bots.

The server finds these folders and the games of other packages by itself. `families` isn't a game; it holds what several
games share.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.metadata import entry_points

import structlog

from lilygames.api import API
from lilygames.game import Game

log = structlog.get_logger()
FAMILIES = f"{__name__}.families"
PLUGINS = "lilygames.games"
"""Entry point group for third-party games."""


def games() -> dict[str, Game]:
    """Return all games by name, built-in ones first; a game that can't be loaded is logged and left out."""
    found: dict[str, Game] = {}
    for module in _folders():
        _add(found, module.rpartition(".")[2], module, partial(_record, module))
    for entry in sorted(entry_points(group=PLUGINS), key=lambda entry: entry.name):
        _add(found, entry.name, entry.value, entry.load)
    return found


def import_all() -> None:
    """Import the built-in games; raises whatever an import raises."""
    for module in _folders():
        _record(module)


def _folders() -> list[str]:
    """Return the module names of the built-in games."""
    modules = pkgutil.iter_modules(__path__, f"{__name__}.")
    return [module.name for module in modules if module.name != FAMILIES]


def _record(module: str) -> object:
    return import_module(module).GAME


def _add(found: dict[str, Game], name: str, by: str, load: Callable[[], object]) -> None:
    """Add a game to those found, or log why it is left out."""
    try:
        game = load()
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] == "rules":
            _leave_out_for_its_api(name, by, 1)
        else:
            log.exception("a game cannot be loaded and is left out", game=name, by=by)
        return
    except Exception:
        log.exception("a game cannot be loaded and is left out", game=name, by=by)
        return
    if not isinstance(game, Game):
        log.error("an entry point names no Game record and is left out", game=name, by=by)
    elif game.api not in (None, API):
        _leave_out_for_its_api(name, by, game.api)
    elif game.name in found:
        log.error("a game with that name already exists; this one is left out", game=game.name, by=by)
    else:
        found[game.name] = game


def _leave_out_for_its_api(name: str, by: str, needs: int | None) -> None:
    """Log that a game was written for another version of `lilygames.API`, and what to do about it."""
    fix = (
        f"run `lilygames new-game --convert FOLDER` on its package, or import lilygames_rules instead of rules,"
        f" define turn(state) in the rules, and set api={API}"
        if needs == 1
        else f"install a release of it for API {API}"
    )
    log.error(
        "a game needs another version of lilygames.API and is left out", game=name, by=by, needs=needs, api=API, fix=fix
    )
