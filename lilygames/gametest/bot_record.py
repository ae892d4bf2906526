"""The record of a game's bots: a digest of each bot's moves in fixed positions, and the version of its strategy.

.venv/bin/python -m lilygames.gametest.bot_record tests/games/ohell/bots.json

A bot whose moves change needs a new version, because the log of each game names the versions of its bots. The record
shows when that was forgotten. The positions come from random moves, so a change of a bot doesn't change them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from lilygames import codec
from lilygames.game import Character, Game, Habit, Strategy, Thinker, without_character
from lilygames.games import games
from lilygames.gametest.plays import luck_of
from lilygames.tables.state.strategies import version_of
from lilygames_rules.kit import Seat

SEEDS, TURNS = 3, 80
"""Plays of random moves for each choice of options, and the most turns of one."""
SEARCHED = 12
"""Positions of each choice of options in which a bot that searches moves. It takes long."""
_TEMPERS, _ALWAYS = ("bold", "careful", "talkative"), Habit(20)
"""Tempers in which bots are recorded, too; and what a grumpy one remembers of every seat's first habit."""
_PAST = "doesn't move as before"
COMMAND = ".venv/bin/python -m lilygames.gametest.bot_record"


class Position(NamedTuple):
    """A state, the seat that has to choose a move in it, and the numbers that key its bot's luck."""

    state: Any
    seat: Seat
    seed: int
    turn: int


def positions(game: Game, options: Any, seats: int) -> Iterator[Position]:
    """Yield positions with a choice of moves, from plays of random moves."""
    for seed in range(SEEDS):
        step = game.rules.start(seats, options, (), luck_of(seed, 0))
        for turn in range(1, TURNS):
            ready = [seat for seat in range(seats) if len(game.rules.moves(step.state, seat))]
            if not ready:
                break
            chance = luck_of(seed, turn, "choose")
            seat = chance.choice(ready)
            moves = game.rules.moves(step.state, seat)
            if len(moves) > 1:
                yield Position(step.state, seat, seed, turn)
            step = game.rules.apply(step.state, seat, chance.choice(moves), luck_of(seed, turn))


def recorded(game: Game, options: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the record of a game's bots in plays with these options, as JSON."""
    chosen = [game.rules.Options(**one) for one in options]
    seats = {level: limit.seats.start for level, limit in game.limits.items()}
    by_seats = {many: [[*positions(game, one, many)] for one in chosen] for many in {game.quick, *seats.values()}}
    found = by_seats[game.quick]
    bots = {
        level: {"version": version_of(game, level), "moves": _digest([*_moves(game, strategy, places)])}
        | _in_character(game, level, strategy, places)
        for level, strategy in game.players.items()
        for places in [by_seats[seats.get(level, game.quick)]]
    }
    return {
        "options": options,
        "positions": _digest([codec.dump(place.state) for places in found for place in places]),
        "bots": bots,
        "kept": {
            f"{level} {version}": {"moves": _digest([*_moves(game, strategy, found)])}
            | _in_character(game, level, strategy, found)
            for level, version, strategy in kept(game)
        },
    }


def kept(game: Game) -> Iterator[tuple[str, str, Strategy]]:
    """Yield the strategies of earlier versions, with their levels and versions."""
    for level, versions in game.earlier_strategies.items():
        for version, strategy in versions.items():
            yield level, version, strategy


def _in_character(game: Game, level: str, strategy: Strategy, found: list[list[Position]]) -> dict[str, str]:
    """Return the digest of a bot's moves in several characters, by its key; empty if the game knows none."""
    if game.in_character is without_character:
        return {}
    grumpy = Character("grumpy", dict.fromkeys(range(9), dict.fromkeys(game.habits[:1], _ALWAYS)))
    acted = [game.in_character(strategy, level, one) for one in (*map(Character, _TEMPERS), grumpy)]
    return {"in character": _digest([move for one in acted for move in _moves(game, one, found)])}


def _moves(game: Game, strategy: Strategy, found: list[list[Position]]) -> Iterator[codec.Json]:
    """Yield a bot's move in each position, or in a few of them if it searches."""
    for places in found:
        apart = max(1, len(places) // SEARCHED) if isinstance(strategy, Thinker) else 1
        for place in islice(places, 0, None, apart):
            view, moves = game.rules.view(place.state, place.seat), game.rules.moves(place.state, place.seat)
            yield codec.dump(strategy(view, moves, luck_of(place.seed, place.turn, "bot")))


def _digest(data: codec.Json) -> str:
    return sha256(codec.encode(data).encode()).hexdigest()[:16]


def differences(game: Game, before: Mapping[str, Any], now: Mapping[str, Any], path: str) -> list[str]:
    """Return what is wrong with the bots of a game whose record was `before` and is `now`, and what to do."""
    again = f"run {COMMAND} {path}"
    if before["positions"] != now["positions"]:
        return [f"The rules of {game.title} don't lead to the same positions as before: {again}"]
    wrong = []
    for level, bot in now["bots"].items():
        known = before["bots"].get(level, {"version": None})
        if bot["version"] != known["version"]:
            wrong.append(f"Version {bot['version']} of {game.name}'s {level} bot isn't recorded: {again}")
        elif "in character" in bot and "in character" not in known:
            wrong.append(f"The characters of {game.name}'s {level} bot aren't recorded: {again}")
        elif bot != known:
            raised = f"raise its version (`strategy_versions` of the game's record), then {again}"
            wrong.append(f"Version {bot['version']} of {game.name}'s {level} bot doesn't move as before: {raised}")
    was = before.get("kept", {})
    for name, bot in now["kept"].items():
        if name not in was:
            wrong.append(f"{game.name}'s {name} isn't recorded: {again}")
        elif was[name] != bot:
            wrong.append(f"{game.name}'s {name} {_PAST}: keep the older strategy in `earlier_strategies`.")
    return wrong


def main() -> int:
    """Update the records on the command line, but never the moves of a version that is recorded already."""
    failed = 0
    for path in map(Path, sys.argv[1:]):
        game, before = games()[path.parent.name], json.loads(path.read_text("utf-8"))
        now = recorded(game, before["options"])
        wrong = [one for one in differences(game, before, now, str(path)) if "raise its version" in one or _PAST in one]
        failed += len(wrong)
        if not wrong:
            path.write_text(json.dumps(now, indent=1) + "\n", "utf-8")
        print("\n".join(wrong) or f"{path} recorded")  # noqa: T201 - this is the script's output
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
