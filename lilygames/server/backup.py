"""Commands that carry all that survives elsewhere: to another store, into a backup, and back from it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import attrs
import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from lilygames import codec
from lilygames.game import Game
from lilygames.games import games
from lilygames.server.config import Settings, load
from lilygames.store import Entry, Store
from lilygames.store.copying import copy, filling, reading
from lilygames.store.postgres import PostgresStore
from lilygames.store.sqlite import SqliteStore
from lilygames.tables.archive import INDEX
from lilygames.tables.log import Header
from lilygames.tables.table import Diverged, Table
from lilygames.tables.visible import secret_in
from lilygames.text import count

_FILE = click.Path(path_type=Path)
_STORE = "sqlite:FILE or postgresql://USER:PASSWORD@HOST/NAME"


def address(settings: Settings) -> str:
    """Return where all of a host's survives, as `copying` names stores."""
    return settings.store or f"sqlite:{settings.data / 'lilygames.db'}"


def _settings(config: Path | None, data: Path | None) -> Settings:
    return load(config, {} if data is None else {"data": data})


_of_config = click.option("--config", type=_FILE, help="The TOML file of the host's settings.")
_of_data = click.option("--data", type=_FILE, help="The host's data folder, where no config says it.")


@click.command()
@click.argument("file", type=_FILE)
@_of_config
@_of_data
def backup(file: Path, config: Path | None, data: Path | None) -> None:
    """Copy all that survives into FILE, as it is at one moment; the server may go on meanwhile.

    Whether it was one file or a database: FILE is a data file, which `restore` brings back into either.
    """
    rows = asyncio.run(_copied(address(_settings(config, data)), f"sqlite:{file}", alone=False))
    Path(f"{file}-lock").unlink(missing_ok=True)
    click.echo(f"{file} holds {count(rows, 'row')}, read again and the same.")


@click.command()
@click.argument("file", type=_FILE)
@_of_config
@_of_data
def restore(file: Path, config: Path | None, data: Path | None) -> int:
    """Bring back what `backup` copied into FILE; what the settings name has to be empty, or not there."""
    return asyncio.run(_brought(f"sqlite:{file}", address(_settings(config, data)), alone=False))


@click.command()
@click.option("--from", "source", required=True, metavar="STORE", help=f"What to copy: {_STORE}. No server may use it.")
@click.option("--to", "target", required=True, metavar="STORE", help="Where to: an empty database, or a new file.")
def move(source: str, target: str) -> int:
    """Copy all that survives to another store, and check every game there by its replay.

    Nothing is taken away: the old store stays as it was. Then let the setting `store` name the new one.
    """
    return asyncio.run(_brought(source, target, alone=True))


async def _brought(source: str, target: str, *, alone: bool) -> int:
    """Copy and replay; return 1 where a game does not replay."""
    rows = await _copied(source, target, alone=alone)
    store = await _opened(target)
    try:
        found = await _replayed(store)
    finally:
        await store.close()
    click.echo(f"{count(rows, 'row')} copied, read again and the same. {found}")
    return 1 if found.broken else 0


async def _opened(target: str) -> Store:
    kind, _, file = target.partition(":")
    if kind == "sqlite":
        return await asyncio.to_thread(SqliteStore.open, file)
    return await PostgresStore.open(target, unsafe=True)


def _bar() -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


async def _copied(source: str, target: str, *, alone: bool) -> int:
    """Copy, and return how many rows there are."""
    async with reading(source, alone=alone) as old:
        rows = await old.size()
        with _bar() as bar:
            task = bar.add_task("copying", total=2 * rows)  # each is written, then read again
            async with filling(target) as new:
                await copy(old, new, lambda done: bar.advance(task, done))
    return rows


Replay = Literal["match", "elsewhere", "broken"]
"""What became of one game: its replay is the same, its rules are not installed, or its replay differs."""


@attrs.frozen
class Replays:
    """What became of all games when they were replayed."""

    match: int = 0
    elsewhere: int = 0
    """Whose rules are not installed here."""
    broken: tuple[int, ...] = ()

    def __str__(self) -> str:
        words = [f"{count(self.match, 'game')} replayed and the same"]
        words += [f"the rules of {self.elsewhere} are not installed here"] if self.elsewhere else []
        numbers = ", ".join(f"#{number}" for number in self.broken)
        words += [f"these differ from their replay, and did before: {numbers}"] if self.broken else []
        return f"{'; '.join(words)}."


async def _replayed(store: Store) -> Replays:
    """Replay every game of a store."""
    found: dict[int, Replay] = {}
    installed, number = games(), 0
    with _bar() as bar:
        task = bar.add_task("replaying", total=(await store.heads([INDEX]))[INDEX])
        while (page := await store.read(INDEX, number)).entries:
            for entry in page.entries:
                number = entry.seq
                found[number] = await _replay(store, entry, installed)
                bar.advance(task)
    outcomes = [*found.values()]
    broken = tuple(number for number, outcome in found.items() if outcome == "broken")
    return Replays(outcomes.count("match"), outcomes.count("elsewhere"), broken)


async def _replay(store: Store, opening: Entry, installed: Mapping[str, Game]) -> Replay:
    """Replay the game of an entry of the index, and return what became of it."""
    entries = [*(await store.read(f"table/{opening.seq}", limit=10**6)).entries]
    secret = secret_in(entries) or bytes.fromhex(await store.find("secret", str(opening.seq)) or "")
    try:
        header = attrs.evolve(codec.from_text(opening.body, Header), number=opening.seq)
        game = header.game_in(installed)
        if game is None:
            return "elsewhere"
        table = Table(header, game, secret)
        for entry in entries:
            table, _ = table.read(entry)
    except (Diverged, ValueError):
        return "broken"
    return "match"
