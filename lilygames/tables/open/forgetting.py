"""Delete a person's names beside the logs of all their tables.

The logs stay as they are, so seals, digests and replays still match. The person is a former player in them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import suppress

from lilygames.chat.names.names import fold
from lilygames.errors import UserError
from lilygames.tables.log.names_beside import delete_names, tables_of
from lilygames.tables.open.tables import Tables


async def forget_names(tables: Tables, names: Iterable[str]) -> int:
    """Delete all names of a person beside the logs of their tables and duplicate sets; return how many logs had one.

    Free the person's seats first. If it was interrupted, call it again. Raises `StoreUnavailable`.
    """
    folded = frozenset(map(fold, names))
    logs = await tables_of(tables.store, folded)
    for log in sorted(logs):
        if log.isdigit():
            await _forget_at(tables, int(log), folded)
        else:
            await tables.duplicates.forget(log, folded)
        await delete_names(tables.store, log, folded)
    for reader, replay in [*tables.replays.items()]:
        if str(replay.number) in logs:
            del tables.replays[reader]
    return len(logs)


async def _forget_at(tables: Tables, number: int, names: Collection[str]) -> None:
    """Delete people's names (folded) beside a table's log; the table itself shows it if it is open here."""
    await tables.host.tables.ready_for("", [number])
    if bot := tables.open.get(number):
        with suppress(UserError):  # a stopped table takes no entry
            await bot.room.do(bot.runner.forget, names)
    await delete_names(tables.store, number, names)
    if number in tables.unplayable:
        tables.unplayable.read_again(*await tables.archive.read(number))
