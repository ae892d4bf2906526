"""The headers of open tables, which a start reads together: what it must know of them before anyone logs in."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress

import attrs

from lilygames import codec
from lilygames.store import BulkReads, Damaged
from lilygames.tables.archive.archive import INDEX
from lilygames.tables.log.acts import Header
from lilygames.tables.log.names_beside import people_of_each, shown_header
from lilygames.tables.log.seat_ids import SeatIds


@attrs.frozen
class KnownHeaders:
    """The headers of some tables by number, with the names beside their logs."""

    headers: Mapping[int, Header] = attrs.Factory(dict)
    lengths: Mapping[int, int] = attrs.Factory(dict)
    """The numbers of entries that their logs had when they were read."""
    shared: bool = False
    """Whether other nodes may have written to their logs since."""

    @classmethod
    async def read(cls, store: BulkReads, numbers: Sequence[int]) -> KnownHeaders:
        """Read the headers of tables; those that can't be read are left out.

        The store is asked only three times, which takes a tenth of the time of reading 1,000 headers one by one. If
        some of them are damaged, it reads half as many at once, again and again. Raises `StoreUnavailable`.
        """
        try:
            return await cls._read(store, numbers)
        except Damaged:
            if len(numbers) <= 1:
                return cls()
        half = len(numbers) // 2
        first, second = [await cls.read(store, some) for some in (numbers[:half], numbers[half:])]
        return cls({**first.headers, **second.headers}, {**first.lengths, **second.lengths})

    @classmethod
    async def _read(cls, store: BulkReads, numbers: Sequence[int]) -> KnownHeaders:
        found = list[Header]()
        for entry in await store.entries_at(INDEX, numbers):
            with suppress(ValueError):
                found.append(attrs.evolve(codec.from_text(entry.body, Header), number=entry.seq))
        people = await people_of_each(store, [header.number for header in found if header.ids])
        shown = [shown_header(header, people.get(header.number, SeatIds())) for header in found]
        heads = await store.heads([f"table/{header.number}" for header in shown])
        return cls(
            {header.number: header for header in shown},
            {header.number: heads[f"table/{header.number}"] for header in shown},
        )

    def but(self, numbers: Collection[int]) -> KnownHeaders:
        """Return them without some tables, whose headers must be read again."""
        left = {number: header for number, header in self.headers.items() if number not in numbers}
        return attrs.evolve(self, headers=left)

    async def of(self, numbers: Sequence[int], store: BulkReads) -> KnownHeaders:
        """Return those of some tables, in the order of `numbers`. The unknown ones are read now.

        If other nodes may have named someone beside a log that has grown, its header is read again. Raises
        `StoreUnavailable`.
        """
        known = await self._unchanged(numbers, store) if self.shared else self.headers
        unknown = [number for number in numbers if number not in known]
        new = await KnownHeaders.read(store, unknown) if unknown else KnownHeaders()
        headers = {**known, **new.headers}
        return KnownHeaders(
            {number: headers[number] for number in numbers if number in headers}, {**self.lengths, **new.lengths}
        )

    async def _unchanged(self, numbers: Sequence[int], store: BulkReads) -> Mapping[int, Header]:
        """Return those of some tables whose logs have no new entries."""
        known = [number for number in numbers if number in self.headers]
        heads = await store.heads([f"table/{number}" for number in known])
        return {number: self.headers[number] for number in known if heads[f"table/{number}"] == self.lengths[number]}
