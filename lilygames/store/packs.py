"""Where the packs of finished games are kept, and how a game moves there from the store."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Protocol

import attrs

from lilygames.store import Effect, Store, StoreUnavailable


@attrs.frozen
class Move:
    """A finished game's pack, and what it replaces in the store."""

    number: int
    pack: bytes
    log: str
    through: int
    """The log's last position. Its entry stays, but without its author and with the body `blank`."""
    blank: str
    secret: Effect | None = None
    """The record with the table's secret, if it is deleted too; it stays if its body is another one."""


class Packs(Protocol):
    """Where the packs of finished games are kept."""

    @property
    def outside(self) -> bool:
        """Whether that is outside the records of the store."""

    async def keep(self, packs: Mapping[int, bytes]) -> None:
        """Write packs durably, by the tables' numbers. Raises `StoreUnavailable`, and then none may be there."""

    async def find(self, number: int) -> bytes | None:
        """Return the pack of a table, or None. Raises `StoreUnavailable`."""

    async def move(self, games: Sequence[Move]) -> None:
        """Write the packs of games, read them back, and delete what they replace in the store.

        Raises `StoreUnavailable`. Then, and after a kill, each game is in the store, in a pack or in both.
        """

    async def must_fit(self, size: int) -> None:
        """Raise `StoreUnavailable` if the disk surely has no room for so many bytes more."""

    async def size(self) -> int:
        """Return the bytes of a file for packs; 0 if they are in the store."""


async def keep_safely(packs: Packs, new: Mapping[int, bytes]) -> None:
    """Write packs and read them back. Raises `StoreUnavailable`."""
    if new:
        await packs.keep(new)
    for number, pack in new.items():
        must_agree(number, pack, await packs.find(number))


def must_agree(number: int, pack: bytes, found: bytes | None) -> None:
    """Raise `StoreUnavailable` if the pack that the archive gives back isn't the one that was written."""
    if found != pack:
        raise StoreUnavailable(f"The archive gives back another log of table #{number}: check its disk.")


async def move_in_steps(store: Store, packs: Packs, games: Sequence[Move]) -> None:
    """Move games to packs that aren't in the store's database: see `Packs.move`."""
    await keep_safely(packs, {game.number: game.pack for game in games})
    secrets = [game.secret for game in games if game.secret]
    await asyncio.gather(*(store.swap(one.kind, one.key, one.body, None) for one in secrets))
    await asyncio.gather(*(store.trim(game.log, game.through, game.blank) for game in games))
