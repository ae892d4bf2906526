"""CPU time of the bots' moves, by game, seats and level; and how long moves wait when many tables think at once.

`scripts/bench-house` plays whole games between equal bots and times each move. With `--tables 200` it lets that many
tables ask the workers for moves, as a server does, and times each move from when it is due.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from collections.abc import Iterator, Sequence
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
from lilygames.house.workers import Workers
from lilygames.tables.options import read
from rules.kit import KeyedLuck

PROMISE = 50
"""Milliseconds of CPU that 99 moves of 100 may take."""
_GAMES = 1000
"""Games for each row, if the CPU limit doesn't end it earlier."""


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


async def waits(
    workers: Workers, strategy: Thinker, positions: Sequence[Asked], *, tables: int, seconds: float
) -> list[float]:
    """Return the seconds from when each move is due to when it has been made, with that many tables.

    At each table a person thinks for 4 to 12 seconds, then the bots move one after the other with the usual pauses.
    """
    chance, found = random.Random(1), list[float]()  # noqa: S311 - only a load
    end = time.monotonic() + seconds

    async def table(number: int) -> None:
        draw = random.Random(number)  # noqa: S311 - only a load
        await asyncio.sleep(draw.uniform(0, 12))
        while time.monotonic() < end:
            for _ in range(5):
                await asyncio.sleep(0.4)
                asked, due = chance.choice(positions), time.monotonic()
                await workers.think(strategy, asked.view, asked.moves, asked.luck)
                found.append(time.monotonic() - due)
            await asyncio.sleep(draw.uniform(4, 12))

    await asyncio.gather(*map(table, range(tables)))
    return sorted(found)


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
@click.option("--seconds", default=20.0, show_default=True, help="How long they play.")
@click.option("--json", "file", type=click.Path(path_type=Path), help="Also write the results to this JSON file.")
def main(names: tuple[str, ...], *, tables: int, workers: int, seconds: float, file: Path | None, **asked: Any) -> int:
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
        console.print(_loaded(rows[-1], asked["options"], tables=tables, workers=workers, seconds=seconds))
    return int(any(row.p99 > PROMISE for row in rows))


def _loaded(row: Row, options: Sequence[str], *, tables: int, workers: int, seconds: float) -> str:
    game = games()[row.game]
    strategy = game.players[row.level]
    if not isinstance(strategy, Thinker):
        return f"{row.game}'s {row.level} moves at once, so it never waits for a worker."
    positions = [
        asked for asked, _ in timed(game, read(game, options)[0], strategy, row.seats, cpu=3) if len(asked.moves) > 1
    ]
    pool = Workers(workers)
    try:
        found = asyncio.run(waits(pool, strategy, positions, tables=tables, seconds=seconds))
    finally:
        pool.close()
    times = f"p50 {_share(found, 0.5):.2f} s, p99 {_share(found, 0.99):.2f} s"
    return f"{tables} tables with {row.seats} seats, {workers} workers: {len(found)} moves, {times} from due to made"


if __name__ == "__main__":
    sys.exit(main(standalone_mode=False))
