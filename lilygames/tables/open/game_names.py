"""Lookup of games by name, title, alias or a near miss."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence

from lilygames.errors import UserError
from lilygames.game import Game
from lilygames.text import listing, shortened

_LIKE = 0.7
"""Minimum similarity of two names for a near miss, from 0 to 1."""
_FEW = 3
"""Maximum number of games suggested for an ambiguous word."""


class NoSuchGame(UserError):
    """No game has this name; `near` lists the names of similar games."""

    code = "not-found"

    def __init__(self, word: str, near: Sequence[str]) -> None:
        hint = f" Did you mean {listing(near, 'or')}?" if near else " Type /games to list the games."
        super().__init__(f"there is no game called “{shortened(word, 20)}”.{hint}")
        self.near = tuple(near)


def squeezed(words: str) -> str:
    """Return a name's letters and digits, casefolded, so that `Liar's Poker` matches `liarspoker`."""
    return "".join(letter for letter in words.casefold() if letter.isalnum())


def title(games: Mapping[str, Game], name: str) -> str:
    """Return a game's title for people; its name if it isn't installed."""
    return games[name].title if name in games else name


def called(games: Mapping[str, Game]) -> dict[str, Game]:
    """Return the games by all their squeezed names.

    A game's own name takes precedence over an alias of another.
    """
    others = {squeezed(name): game for game in games.values() for name in (*game.other_names, game.title)}
    return others | {squeezed(name): game for name, game in games.items()}


def find_game(games: Mapping[str, Game], word: str) -> Game:
    """Return the game for a name or an unambiguous prefix; raises `NoSuchGame`."""
    known, wanted = called(games), squeezed(word)
    if wanted in known:
        return known[wanted]
    matches = {game.name: game for name, game in known.items() if wanted and name.startswith(wanted)}
    if len(matches) == 1:
        return next(iter(matches.values()))
    raise NoSuchGame(word, sorted(matches)[:_FEW] or _near(known, wanted))


def _near(known: Mapping[str, Game], wanted: str) -> list[str]:
    """Return the names of games similar to a word, best match first."""
    likely = difflib.get_close_matches(wanted, known, n=_FEW, cutoff=_LIKE)
    parts = [name for name in known if len(wanted) > _FEW and wanted in name]
    return [*dict.fromkeys(known[name].name for name in (*likely, *parts))][:_FEW]


def find_in(games: Mapping[str, Game], words: Sequence[str]) -> tuple[Game | None, list[str]]:
    """Return the game that one or several neighbouring words name in full (`oh hell`), and the other words."""
    known = called(games)
    for length in range(len(words), 0, -1):
        for start in range(len(words) - length + 1):
            end = start + length
            if game := known.get(squeezed(" ".join(words[start:end]))):
                return game, [*words[:start], *words[end:]]
    return None, [*words]


def split(games: Mapping[str, Game], words: Sequence[str]) -> tuple[Game, tuple[str, ...]]:
    """Split off the game named by the first words (`oh hell max=5`).

    Returns the game and the other words; raises `NoSuchGame`.
    """
    known = called(games)
    for number in range(len(words), 1, -1):
        if game := known.get(squeezed(" ".join(words[:number]))):
            return game, tuple(words[number:])
    return find_game(games, words[0]), tuple(words[1:])
