"""Alternative commands: `/wizard challenge -german bob ann`, `/play ohell`, and moves typed without a seat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

import attrs

from lilygames.commands import Command, Rest, command, declared
from lilygames.errors import UserError
from lilygames.game import Game
from lilygames.tables.commands.joining import quick, seats
from lilygames.tables.log import options
from lilygames.tables.visits.table_context import TableContext
from lilygames.text import listing


@command("challenge", syntax="[challenge [OPTION=VALUE...] NAME...]")
def _challenge(_: TableContext, verb: str = "", *words: str) -> None:
    """Open a table of this game and invite people: /GAME challenge -OPTION NAMES.

    /GAME alone starts a game now, like /quick GAME.
    """


def challenges(games: Iterable[str]) -> tuple[Command, ...]:
    """Return a command named after each game, as in pbmserv."""
    (form,) = declared(_challenge)
    return tuple(attrs.evolve(form, name=name, run=partial(_challenged, name)) for name in games)


def _challenged(name: str, at: TableContext, verb: str, *words: str) -> object:
    if not verb:
        return quick.play(at, at.tables.game(name), ())
    if not "challenge".startswith(verb.casefold()):
        raise UserError(
            f"type /{name} to play now, /{name} challenge NAMES to invite people, or /help {name} for the rules."
        )
    return _challenge_to(at, name, words)


async def _challenge_to(at: TableContext, name: str, words: Sequence[str]) -> list[str]:
    """Open a table for the named people.

    Raises `UserError` before anyone is invited if the number of players is wrong.
    """
    game = at.tables.game(name)
    _, words = options.frame(game, words)
    _, names = options.read(game, words)
    others = {at.tables.host.lookup.person(other) for other in names} - {at.person}
    low, high = game.rules.SEATS.start, game.rules.SEATS.stop - 1
    if not low <= len(others) + 1 <= high:
        fill = f"type /new {name} NAMES and fill the table with /house"
        raise UserError(f"{game.title} is for {low} to {high} players. Name {low - 1} to {high - 1} others, or {fill}.")
    return await seats.new(at, name, *words)


@command("play")
def _play(at: TableContext, what: Rest = "") -> object:
    """Play a card, or start a game: /play KH, /play ohell."""
    if what.casefold() in at.tables.games:
        return quick.play(at, at.tables.game(what), ())
    raise UserError("you don't have a seat at a card game. Type /play GAME to start one, or /games to list them.")


def for_seatless(games: Mapping[str, Game], known: Sequence[Command]) -> tuple[Command, ...]:
    """Return a command for each move name that isn't already a command.

    It tells people without a seat how to get one.
    """
    (play,) = declared(_play)
    names = {name for one in (*known, play) for name in one.names}
    moves = {move.name: move for game in games.values() for move in game.commands if move.name not in names}
    of = {name: [game for game in games.values() if name in _moves_of(game)] for name in moves}
    return (play, *(_misplaced(move, of[move.name]) for move in moves.values()))


def _moves_of(game: Game) -> set[str]:
    return {move.name for move in game.commands}


def _misplaced(move: Command, games: Sequence[Game]) -> Command:
    """Return a command for a move typed by someone without a seat in a game that has it.

    It says which games have the move. If the person's own table is unplayable, it says that instead.
    """
    titles = listing(game.title for game in games)

    def run(at: TableContext, *_: object) -> None:
        for table in at.tables.unplayable.keeping(at.person.name):
            raise UserError(f"you have a seat at {table.called}, which is {table.why}.")
        raise UserError(
            f"/{move.name} is a move of {titles}, and you don't have a seat. Type /quick {games[0].name} to play."
        )

    return attrs.evolve(move, run=run, context=TableContext)
