"""The `/achievements` command: what someone has done at the table."""

from __future__ import annotations

from collections.abc import Iterator

from lilygames.chat.names.names import fold
from lilygames.commands import command
from lilygames.errors import UserError
from lilygames.game import Game
from lilygames.tables.open import game_names
from lilygames.tables.results.achievements import Earned, known
from lilygames.tables.visits.table_context import TableContext
from lilygames.text import Line, count, shortened

_MARGIN = " " * 6


@command("achievements", group="afterwards", syntax="[NAME] [GAME]")
async def achievements(at: TableContext, *words: str) -> list[Line]:
    """List your achievements, or someone else's: /achievements, /achievements bob.

    /achievements ohell lists all those of a game, and which ones you have.
    """
    name, game = _asked(at, words)
    accounts = at.tables.host.accounts
    if fold(accounts.now(name)) not in accounts.names:
        if fold(name) == fold(at.person.name):
            raise UserError("guests don't have achievements. Type /register to keep your name, and games will count.")
        raise UserError(f"no account is called “{shortened(name, 20)}”. Type /who to see who is here.")
    name = accounts.names[fold(accounts.now(name))]
    earned = (await at.tables.achievements.of(name)).games
    if game:
        return [Line(f"{game.title}:"), *_of_game(game, earned.get(game.name, {}))]
    rows = [row for kind, mine in earned.items() for row in _earned(at.tables.games.get(kind), mine)]
    if rows:
        return [Line(f"Achievements of {name}:"), *rows]
    who = "You don't" if fold(name) == fold(at.person.name) else f"{name} doesn't"
    return [Line(f"({who} have any achievements yet; /achievements GAME lists those of a game)")]


def _asked(at: TableContext, words: tuple[str, ...]) -> tuple[str, Game | None]:
    """Return the person and the game that the words name, in either order; raises `UserError`."""
    names = game_names.called(at.tables.games)
    games = [word for word in words if game_names.squeezed(word) in names]
    people = [word for word in words if game_names.squeezed(word) not in names]
    if len(games) > 1 or len(people) > 1:
        raise UserError("type /achievements, and a name or a game.")
    name = people[0] if people and fold(people[0]) != "me" else at.person.name
    return name, at.tables.game(games[0]) if games else None


def _earned(game: Game | None, mine: dict[str, Earned]) -> Iterator[Line]:
    """Yield a row for each achievement of a game; none for games that aren't installed."""
    if game is None:
        return
    for name, one in mine.items():
        if about := known(game, name):
            times = "" if one.times == 1 else f", {count(one.times, 'time')}"
            yield Line(f"  {game.title}: {name}, {about.text} (first in game #{one.table}{times}).", margin=_MARGIN)


def _of_game(game: Game, mine: dict[str, Earned]) -> Iterator[Line]:
    """Yield a row for each achievement that a game has."""
    for one in game.achievements:
        had = mine.get(one.name)
        done = f" (first in game #{had.table}, {count(had.times, 'time')})" if had else ""
        yield Line(f"  {'*' if had else ' '} {one.name}: {one.text}{done}.", margin=_MARGIN)
    if not game.achievements:
        yield Line("  (this game has none)")
