"""Commands that copy all data: to another store, to a backup, and back from one."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import attrs
import click

from lilygames.errors import UserError
from lilygames.game import Game
from lilygames.games import games
from lilygames.privacy import deletion_list
from lilygames.privacy.deletion_list import DeletionList
from lilygames.server.process.exit_codes import ExitCode, Trouble
from lilygames.server.process.progress import bar
from lilygames.server.serving.closed_place import closed_place
from lilygames.server.settings.config import Settings
from lilygames.server.shell.shared_options import FILE, of_config, of_data, settings_of, settings_with_data
from lilygames.store import Entry, Store
from lilygames.store.shell.copying import copy, filling, reading
from lilygames.store.sqlite.sqlite import SqliteStore
from lilygames.tables.archive.archive import INDEX, Archive
from lilygames.tables.archive.archived_logs import PackRecords, WithArchive
from lilygames.tables.archive.archiving import start_again
from lilygames.tables.state.table import Diverged, Table
from lilygames.text import count

_STORE = "sqlite:FILE or postgresql://USER:PASSWORD@HOST/NAME"


@click.command()
@click.argument("file", type=FILE)
@of_config
@of_data
def backup(file: Path, config: Path | None, data: Path | None) -> None:
    """Copy all data to FILE, as a snapshot. The server can keep running.

    FILE is a data file, from whatever kind of store. `restore` copies it back to either kind.
    """
    settings = settings_with_data(config, data)
    asyncio.run(_must_hold_a_place(settings))
    rows = asyncio.run(_copied(settings.store_address, f"sqlite:{file}", alone=False))
    Path(f"{file}-lock").unlink(missing_ok=True)
    click.echo(f"Saved {count(rows, 'row')} to {file} and checked them.")


async def _must_hold_a_place(settings: Settings) -> None:
    """Raise `Trouble` for a store without an account and without a table, which is hardly the one that was meant."""
    async with reading(settings.store_address, alone=False) as store:
        if await store.holds("record", "account") or await store.holds("entry", INDEX):
            return
    raise Trouble(
        f"there is nothing to back up in {settings.data.absolute()}: its store has no account and no table. Is it the"
        " right folder? Name another with --data FOLDER or --config FILE"
    )


@click.command()
@click.argument("file", type=FILE)
@of_config
@of_data
def restore(file: Path, config: Path | None, data: Path | None) -> int:
    """Restore a backup from FILE. The store in the settings must be empty or missing.

    Accounts that were deleted since are deleted again, by the list in deletions.jsonl in the data folder.
    """
    settings = settings_of(config, data)
    deleted = _deleted_since(settings)
    code = asyncio.run(_brought(f"sqlite:{file}", settings.store_address, alone=False))
    click.echo(asyncio.run(_deleted_again(settings, deleted)))
    return code


def _deleted_since(settings: Settings) -> DeletionList | None:
    """Return the list of deletions in the data folder, None if there is none. Raises `Trouble` if it can't be read."""
    file = settings.data / deletion_list.NAME
    try:
        return deletion_list.read(file)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as problem:
        raise Trouble(
            f"{file} can't be read ({problem}): without it, deleted accounts would come back. Restore that file first,"
            " or move it away"
        ) from problem


async def _deleted_again(settings: Settings, deleted: DeletionList | None) -> str:
    """Delete the accounts of a list, and return a sentence about it. Raises `StoreUnavailable`."""
    if deleted is None:
        return (
            f"There is no {deletion_list.NAME} in {settings.data}, so no account was deleted again. If there was one,"
            " copy it there and restore once more."
        )
    async with closed_place(settings) as place:
        number = await place.deletions.apply_again(*deleted)
    return f"Deleted {count(number, 'account')} again that had been deleted since the backup."


@click.command("copy")
@click.option("--from", "source", required=True, metavar="STORE", help=f"The store to copy: {_STORE}. Stop its server.")
@click.option("--to", "target", required=True, metavar="STORE", help="The new store: an empty database or a new file.")
def copy_(source: str, target: str) -> int:
    """Copy all data to another store, and check every game there by replaying it.

    The old store stays unchanged. Afterwards name the new one in the setting `store`.
    """
    return asyncio.run(_brought(source, target, alone=True))


async def _brought(source: str, target: str, *, alone: bool) -> int:
    """Copy and replay. Return 1 if a game doesn't replay."""
    rows = await _copied(source, target, alone=alone)
    store = await _opened(target)
    try:
        await start_again(store)
        found = await _replayed(WithArchive(store, PackRecords(store)))
    finally:
        await store.close()
    click.echo(f"Copied {count(rows, 'row')} and checked them. {found}")
    return ExitCode.MISMATCH if found.broken else ExitCode.DONE


async def _opened(target: str) -> Store:
    kind, _, file = target.partition(":")
    if kind == "sqlite":
        return await asyncio.to_thread(SqliteStore.open, file)
    from lilygames.store.postgres.postgres import PostgresStore  # noqa: PLC0415 - its library is an extra

    return await PostgresStore.open(target, unsafe=True)


async def _copied(source: str, target: str, *, alone: bool) -> int:
    """Copy, and return the number of rows."""
    async with reading(source, alone=alone) as old:
        rows = await old.size()
        with bar() as shown:
            task = shown.add_task("copying", total=2 * rows)  # each row is written, then read again
            async with filling(target) as new:
                await copy(old, new, lambda done: shown.advance(task, done))
    return rows


Replay = Literal["match", "elsewhere", "broken"]
"""The result for one game: its replay is the same, its rules are not installed, or its replay differs."""


@attrs.frozen
class Replays:
    """The results of replaying all games."""

    match: int = 0
    elsewhere: int = 0
    """Games whose rules aren't installed here."""
    broken: tuple[int, ...] = ()

    def __str__(self) -> str:
        words = [f"{count(self.match, 'game')} replayed without differences"]
        words += [f"the rules of {self.elsewhere} are not installed here"] if self.elsewhere else []
        numbers = ", ".join(f"#{number}" for number in self.broken)
        words += [f"these games differ from their replay, and did before: {numbers}"] if self.broken else []
        return f"{'; '.join(words)}."


async def _replayed(store: Store) -> Replays:
    """Replay every game in a store."""
    found: dict[int, Replay] = {}
    installed, number = games(), 0
    with bar() as shown:
        task = shown.add_task("replaying", total=(await store.heads([INDEX]))[INDEX])
        while (page := await store.read(INDEX, number)).entries:
            for entry in page.entries:
                number = entry.seq
                found[number] = await _replay(store, entry, installed)
                shown.advance(task)
    outcomes = [*found.values()]
    broken = tuple(number for number, outcome in found.items() if outcome == "broken")
    return Replays(outcomes.count("match"), outcomes.count("elsewhere"), broken)


async def _replay(store: Store, opening: Entry, installed: Mapping[str, Game]) -> Replay:
    """Replay the game of an entry of the index, and return what became of it."""
    archive = Archive(store)
    try:
        header, entries = await archive.read(opening.seq)
        secret = await archive.secret(opening.seq, entries)
        game = header.game_in(installed)
        if game is None:
            return "elsewhere"
        table = Table(header, game, secret)
        for entry in entries:
            table, _ = table.read(entry)
    except (Diverged, UserError, ValueError):
        return "broken"
    return "match"
