"""CPU time of the bots' moves, by game, seats and level; and how long moves wait when many tables think at once.

`scripts/bench-house` plays whole games between equal bots and times each move. With `--tables 200` it lets that many
tables ask the workers for moves, as a server does. It times each move from when it is due, and what people say
meanwhile. Phases without tables, with whole budgets, and with smaller ones while many moves wait take turns.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

import attrs
import click
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from lilygames.game import Game, Strategy, Thinker
from lilygames.games import games
from lilygames.gametest.plays import luck_of
from lilygames.gametest.stage import Stage
from lilygames.house.workers import Workers
from lilygames.tables.options import read
from lilygames.tables.strategies import in_a_hurry
from rules.kit import KeyedLuck, Luck

PROMISE = 50
"""Milliseconds of CPU that 99 moves of 100 may take."""
_GAMES = 1000
"""Games for each row, if the CPU limit doesn't end it earlier."""
_PERSON, _BOTS, _PAUSE = (4.0, 12.0), 5, 0.4
"""At each of many tables a person thinks so many seconds, then so many bots move, after so many seconds each."""
_SPEAKERS, _LINES = 20, 0.05
"""People in the lobby, and seconds from one line to the next."""


@attrs.frozen
class Asked:
    """A position in which a bot has to move, as it is told."""

    view: Any
    moves: Sequence[Any]
    luck: KeyedLuck


@attrs.frozen
class Row:
    """CPU milliseconds of a level's moves with a number of seats: median, 99th percentile and first move."""

    game: str
    level: str
    seats: int
    moves: int
    p50: float
    p99: float
    first: float


def timed(game: Game, options: Any, strategy: Strategy, seats: int, *, cpu: float) -> Iterator[tuple[Asked, float]]:
    """Yield each position of games between equal bots, with the CPU seconds that the move took, until `cpu` is used."""
    used, purses = 0.0, [game.purse.brings(options, game.purse.first)] * seats if game.purse else ()
    for seed in range(1, _GAMES):
        step, number = game.rules.start(seats, options, purses, luck_of(seed, 0)), 0
        while game.rules.outcome(step.state) is None:
            number += 1
            seat = next(seat for seat in range(seats) if len(game.rules.moves(step.state, seat)))
            asked = Asked(
                game.rules.view(step.state, seat),
                game.rules.moves(step.state, seat),
                luck_of(seed, number, f"seat {seat}"),
            )
            begun = time.thread_time()
            move = strategy(asked.view, asked.moves, asked.luck)
            taken = time.thread_time() - begun
            yield asked, taken
            used += taken
            if used > cpu:
                return
            step = game.rules.apply(step.state, seat, move, luck_of(seed, number))


def measured(game: Game, options: Any, level: str, seats: int, *, cpu: float) -> Row:
    """Return the times of a level's moves, without those that are forced."""
    every = [*timed(game, options, game.players[level], seats, cpu=cpu)]
    times = sorted(1000 * taken for asked, taken in every if len(asked.moves) > 1)
    return Row(game.name, level, seats, len(times), _share(times, 0.5), _share(times, 0.99), 1000 * every[0][1])


def _share(times: Sequence[float], share: float) -> float:
    return times[min(len(times) - 1, int(share * len(times)))] if times else 0.0


# many tables


@attrs.define
class Load:
    """Seconds by which moves were late and after which lines were heard, and whether each move was in a hurry."""

    moves: list[float] = attrs.field(factory=list)
    hurried: list[bool] = attrs.field(factory=list)
    lines: list[float] = attrs.field(factory=list)


Choose = Callable[[], tuple[Strategy, bool]]
"""Returns the strategy for the next move, and whether it is in a hurry."""


async def play(
    workers: Workers, choose: Choose, positions: Sequence[Asked], load: Load, *, draw: random.Random, until: float
) -> None:
    """Play at a table until then. As on a server, a bot thinks during its pause, and its move is due when that ends."""
    now = asyncio.get_running_loop().time
    await asyncio.sleep(draw.uniform(0, _PERSON[1]))
    while now() < until:
        for _ in range(_BOTS):
            asked, due, (strategy, hurried) = draw.choice(positions), now() + _PAUSE, choose()
            await workers.think(strategy, asked.view, asked.moves, asked.luck, due)
            load.hurried.append(hurried)
            await asyncio.sleep(due - now())
            load.moves.append(now() - due)
        await asyncio.sleep(draw.uniform(*_PERSON))


async def talk(stage: Stage, load: Load, until: float) -> None:
    """Let the people in the lobby say one line after the other until then."""
    now, speakers = asyncio.get_running_loop().time, cycle(stage.people.values())
    due = now()
    while due < until:
        await asyncio.sleep(due - now())
        await stage.place.host.dispatcher.hear(next(speakers), "hello")
        load.lines.append(now() - due)
        due += _LINES


def _first(_: Any, moves: Sequence[Any], __: Luck) -> Any:
    return moves[0]


async def loads(
    workers: Workers,
    ways: Sequence[Choose | None],
    positions: Sequence[Asked],
    *,
    tables: int,
    seconds: float,
    rounds: int,
) -> list[Load]:
    """Return what was measured with tables that choose strategies in each of these ways, in turn; None: no tables."""
    found = [Load() for _ in ways]
    stage = await Stage.open(games())
    for number in range(_SPEAKERS):
        stage.enter(f"person{number}")
    await workers.rethink(_first, positions[0].view, positions[0].moves, positions[0].luck)  # starts them
    await talk(stage, Load(), asyncio.get_running_loop().time() + 1)  # the first lines take longer
    for turn in range(rounds):
        for choose, load in zip(ways, found, strict=True):
            until = asyncio.get_running_loop().time() + seconds
            seeds = range(tables * turn, tables * (turn + 1)) if choose else ()
            draws = map(random.Random, seeds)
            playing = (play(workers, choose, positions, load, draw=draw, until=until) for draw in draws if choose)
            await asyncio.gather(talk(stage, load, until), *playing)
    return found


def shown(rows: Sequence[Row]) -> Table:
    """Return the rows as a printable table; times over the promise are marked."""
    table = Table("game", "level", box=SIMPLE, padding=0, pad_edge=False)
    for head in ("seats", "moves", "p50 ms", "p99 ms", "first ms"):
        table.add_column(head, justify="right")
    for row in rows:
        over = " !" if row.p99 > PROMISE else ""
        table.add_row(
            row.game,
            row.level,
            str(row.seats),
            str(row.moves),
            f"{row.p50:.1f}",
            f"{row.p99:.1f}{over}",
            f"{row.first:.0f}",
        )
    return table


@click.command()
@click.argument("names", nargs=-1)
@click.option("--level", "levels", multiple=True, help="Levels to measure.  [default: all]")
@click.option("--seats", "sizes", multiple=True, type=int, help="Numbers of seats.  [default: the fewest, 4 and 6]")
@click.option("--option", "options", multiple=True, help="A table option, as in /new: --option variant=holdem.")
@click.option("--cpu", default=4.0, show_default=True, help="CPU seconds for each row.")
@click.option("--tables", default=0, help="Let this many tables ask for moves at once, too.")
@click.option("--workers", default=2, show_default=True, help="Worker processes for them.")
@click.option("--seconds", default=20.0, show_default=True, help="How long they play in each way.")
@click.option("--rounds", default=2, show_default=True, help="How often they play in each way.")
@click.option("--json", "file", type=click.Path(path_type=Path), help="Also write the results to this JSON file.")
def main(names: tuple[str, ...], *, tables: int, file: Path | None, **asked: Any) -> int:
    """Time the moves of the bots of the games NAMES, or of all games."""
    console, rows, wrong = Console(), list[Row](), [name for name in names if name not in games()]
    if wrong:
        raise click.UsageError(f"there is no game {wrong[0]!r}; there are {', '.join(games())}")
    for name in names or games():
        game = games()[name]
        game.prepare()
        game.warm_up()
        options = read(game, asked["options"])[0]
        fewest, most = game.rules.SEATS.start, game.rules.SEATS.stop - 1
        for seats in asked["sizes"] or sorted({fewest, min(4, most), min(6, most)}):
            for level in asked["levels"] or game.players:
                rows.append(measured(game, options, level, seats, cpu=asked["cpu"]))
    console.print(shown(rows))
    if file:
        file.write_text(json.dumps([attrs.asdict(row) for row in rows], indent=1) + "\n", "utf-8")
    if tables:
        console.print(_loaded(rows[-1], tables, **asked))
    return int(any(row.p99 > PROMISE for row in rows))


def _loaded(
    row: Row, tables: int, *, options: Sequence[str], workers: int, seconds: float, rounds: int, **_: Any
) -> Any:
    """Return what many tables bring about, as something printable."""
    game = games()[row.game]
    strategy = game.players[row.level]
    if not isinstance(strategy, Thinker):
        return f"{row.game}'s {row.level} moves at once, so it never waits for a worker."
    positions = [
        asked for asked, _ in timed(game, read(game, options)[0], strategy, row.seats, cpu=3) if len(asked.moves) > 1
    ]
    pool = Workers(workers, prepare=[game.warm_up])
    least = in_a_hurry(game, row.level, strategy) or strategy

    def usual() -> tuple[Strategy, bool]:
        return strategy, False

    def as_served() -> tuple[Strategy, bool]:
        return (least, True) if pool.busy() else (strategy, False)

    ways = {"no tables": None, "whole budgets": usual, "as served": as_served}
    try:
        found = asyncio.run(loads(pool, [*ways.values()], positions, tables=tables, seconds=seconds, rounds=rounds))
    finally:
        pool.close()
    title = f"{tables} tables with {row.seats} seats, {workers} workers, load average {os.getloadavg()[0]:.1f}"
    shown = Table("", title=title, box=SIMPLE, padding=0, pad_edge=False)
    for head in ("moves", "in a hurry", "p50 s late", "p99 s late", "talk p50 ms", "talk p99 ms"):
        shown.add_column(head, justify="right")
    for way, load in zip(ways, found, strict=True):
        late, heard = sorted(load.moves), sorted(load.lines)
        moves = f"{_share(late, 0.5):.2f}", f"{_share(late, 0.99):.2f}"
        lines = f"{1000 * _share(heard, 0.5):.1f}", f"{1000 * _share(heard, 0.99):.1f}"
        shown.add_row(way, str(len(late)), str(sum(load.hurried)), *moves, *lines)
    return shown


if __name__ == "__main__":
    sys.exit(main(standalone_mode=False))
