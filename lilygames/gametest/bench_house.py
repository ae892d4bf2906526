"""CPU time of the bots' moves, by game, seats and level; and how long moves wait when many tables think at once.

`scripts/bench-house` plays whole games between equal bots and times each move. With `--tables 200` it also lets people
and bots play at that many tables of one server (`lilygames.gametest.many_tables`).
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs
import click
import structlog
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from lilygames.errors import UserError
from lilygames.game import Game, Strategy
from lilygames.games import games
from lilygames.gametest import many_tables
from lilygames.gametest.duel import matches, player
from lilygames.gametest.loop_turns import RecordingLoop
from lilygames.gametest.many_tables import Tables
from lilygames.gametest.plays import luck_of
from lilygames.tables.log.options import read
from lilygames_rules.kit import KeyedLuck

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
    every = [*timed(game, options, player(game, level), seats, cpu=cpu)]
    times = sorted(1000 * taken for asked, taken in every if len(asked.moves) > 1)
    return Row(game.name, level, seats, len(times), _share(times, 0.5), _share(times, 0.99), 1000 * every[0][1])


def _share(times: Sequence[float], share: float) -> float:
    return times[min(len(times) - 1, int(share * len(times)))] if times else 0.0


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


def _tables(game: Game, sizes: Sequence[int], levels: Sequence[str]) -> list[Sequence[str]]:
    """Return the players of each table to measure: equal bots."""
    fewest, most = game.rules.SEATS.start, game.rules.SEATS.stop - 1
    chosen = sizes or sorted({fewest, min(4, most), min(6, most)})
    return [
        (level,) * seats
        for seats in chosen
        for level in levels or game.players
        if level not in game.limits or seats in game.limits[level].seats
    ]


@click.command()
@click.argument("names", nargs=-1)
@click.option("--level", "levels", multiple=True, help="Levels to measure.  [default: all]")
@click.option("--seats", "sizes", multiple=True, type=int, help="Numbers of seats.  [default: the fewest, 4 and 6]")
@click.option("--option", "options", multiple=True, help="A table option, as in /new: --option variant=holdem.")
@click.option("--cpu", default=4.0, show_default=True, help="CPU seconds for each row.")
@click.option("--tables", default=0, help="Also play at this many tables of one server, as in the last row.")
@click.option("--workers", default=2, show_default=True, help="Its worker processes.")
@click.option("--seconds", default=20.0, show_default=True, help="How long the tables rest and play in each round.")
@click.option("--rounds", default=2, show_default=True, help="How often they do.")
@click.option("--whole", is_flag=True, help="Let bots search with their whole budgets while many moves wait, too.")
@click.option("--turns", is_flag=True, help="Also show the turns of the event loop, and what took over 1 ms in them.")
@click.option("--json", "file", type=click.Path(path_type=Path), help="Also write the results to this JSON file.")
def main(names: tuple[str, ...], *, tables: int, file: Path | None, **asked: Any) -> None:
    """Time the moves of the bots of the games NAMES, or of all games."""
    console, rows, wrong = Console(), list[Row](), [name for name in names if name not in games()]
    if wrong:
        raise click.UsageError(f"there is no game {wrong[0]!r}; there are {', '.join(games())}")
    for name in names or games():
        game = games()[name]
        game.prepare()
        game.warm_up()
        try:
            options = read(game, asked["options"])[0]
            every = matches(game, options, _tables(game, asked["sizes"], asked["levels"]))
        except (LookupError, UserError) as problem:
            raise click.UsageError(str(problem.args[0])) from None
        rows += [measured(game, options, one.players[0], len(one.players), cpu=asked["cpu"]) for one in every]
    console.print(shown(rows))
    if file:
        file.write_text(json.dumps([attrs.asdict(row) for row in rows], indent=1) + "\n", "utf-8")
    if tables:
        last = rows[-1]
        played = Tables(last.game, asked["options"], last.level, last.seats, tables, asked["workers"], asked["whole"])
        loop = RecordingLoop if asked["turns"] else asyncio.SelectorEventLoop
        measuring = many_tables.measured(played, seconds=asked["seconds"], rounds=asked["rounds"])
        try:
            with _warnings_only(), asyncio.Runner(loop_factory=loop) as runner:
                console.print(*runner.run(measuring))
        except TimeoutError:
            raise click.ClickException("the machine is too busy: bots still think, although all people wait") from None
    click.get_current_context().exit(int(any(row.p99 > PROMISE for row in rows)))


@contextmanager
def _warnings_only() -> Iterator[None]:
    """Log nothing below a warning while the block runs."""
    before = structlog.get_config()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    try:
        yield
    finally:
        structlog.configure(**before)


if __name__ == "__main__":
    main()
