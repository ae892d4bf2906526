"""Length of the reader mode: play a game twice with the same moves and count the words on both screens.

`scripts/reader-words` prints one row per game: words on the plain screen, words in reader mode, and the ratio.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator, Sequence

import attrs
from rich.console import Console
from rich.table import Table

from lilygames.games import games
from lilygames.gametest.plays import luck_of
from lilygames.gametest.stage import Stage
from lilygames.tables.room.bot import TableBot
from lilygames.text import Voice

WHO = "ann"
SEEDS = ("1", "2", "3")


@attrs.frozen
class Heard:
    """Everything one person read of a game, from sitting down to the end."""

    rows: tuple[str, ...]
    entries: int
    """The number of entries in the table's log."""

    @property
    def words(self) -> int:
        """The number of words."""
        return sum(len(row.split()) for row in self.rows)


async def play(name: str, seed: str, *, spoken: bool, options: str = "") -> Heard:
    """Play a whole game against three bots with the moves of the weakest bot; return what the person reads."""
    stage = await Stage.open(games(), seed=seed)
    screen = stage.enter(WHO, Voice(spoken=spoken))
    screen.take()
    await stage.type(WHO, f"/new {name} {options}")
    await stage.type(WHO, f"/house {stage.table(1).table.game.quick - 1}")
    rows = [*screen.take()]
    bot = stage.table(1)
    await stage.type(WHO, "/start")
    rows += screen.take()
    while not bot.over:
        await stage.type(WHO, _typed(bot, seed))
        rows += screen.take()
    return Heard(tuple(rows), bot.table.seq)


def _typed(bot: TableBot, seed: str) -> str:
    """Return the next line to type."""
    seat = bot.seat_of(WHO)
    strategy = next(iter(bot.table.game.players.values()))
    if seat is None:
        raise LookupError(f"{WHO} has lost the seat")
    move = strategy(bot.table.view(seat), bot.table.moves(seat), luck_of(int(seed), bot.table.seq, "listening"))
    return bot.table.game.spell(move)


def ratios(names: Sequence[str], seeds: Sequence[str] = SEEDS) -> Iterator[tuple[str, int, int]]:
    """Yield each game with its word counts for the plain screen and reader mode, over all seeds."""
    for name in names:
        plain, aloud = (
            sum(asyncio.run(play(name, seed, spoken=spoken)).words for seed in seeds) for spoken in (False, True)
        )
        yield name, plain, aloud


def main() -> None:
    """Print a row for each game on the command line, or for all games."""
    table = Table("game", "words", "reader", "ratio", title=f"{len(SEEDS)} games each")
    for name, plain, aloud in ratios(sys.argv[1:] or [*games()]):
        table.add_row(name, str(plain), str(aloud), f"{aloud / plain:.2f}")
    Console().print(table)


if __name__ == "__main__":
    main()
