"""The draws of a finished game, each with the key of its luck, as `/export` lists them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from lilygames import codec
from lilygames.store import Entry
from lilygames.tables.state.table import Table
from lilygames_rules.kit import Luck

T = TypeVar("T")
Key = tuple[str | int, ...]
"""The tag and the parts that key the luck of a draw: `"luck"` and its purpose, or `"act"` and the moves before it."""
Record = dict[Key, list[codec.Json]]
"""The draws of one act by key: each is a call, its arguments and its result."""
_UNNAMED: Key = ()


class RecordedLuck:
    """The luck of a move, with its draws recorded."""

    def __init__(self, luck: Luck, record: Record, key: Key = _UNNAMED) -> None:
        self._luck = luck
        self._record = record
        self._key = key

    def for_(self, *purpose: str | int) -> RecordedLuck:
        """Return the luck for a purpose, recorded too."""
        return RecordedLuck(self._luck.for_(*purpose), self._record, ("luck", *purpose))

    def _recorded(self, result: T, call: str, *arguments: codec.Json) -> T:
        said = [call, *map(codec.dump, arguments), codec.dump(result)]
        self._record.setdefault(self._key, []).append(said)
        return result

    def shuffle(self, items: Iterable[T]) -> tuple[T, ...]:
        """Return the items in a random order."""
        pack = [*items]
        return self._recorded(self._luck.shuffle(pack), "shuffle", pack)

    def roll(self, sides: int) -> int:
        """Return a random whole number from 1 to `sides`."""
        return self._recorded(self._luck.roll(sides), "roll", sides)

    def choice(self, items: Sequence[T]) -> T:
        """Return one of the items."""
        return self._recorded(self._luck.choice(items), "choice", [*items])

    def coin(self) -> bool:
        """Return True or False."""
        return self._recorded(self._luck.coin(), "coin")

    def pick(self, items: Sequence[T], allowed: Sequence[T] | None = None) -> T:
        """Return one of the allowed items."""
        some = None if allowed is None else [*allowed]
        return self._recorded(self._luck.pick(items, allowed), "pick", [*items], some)

    def order(self, items: Sequence[T], present: Sequence[T]) -> tuple[T, ...]:
        """Return the items that are present in a random order."""
        return self._recorded(self._luck.order(items, present), "order", [*items], [*present])


def draws(table: Table, entries: Iterable[Entry]) -> Iterator[Sequence[codec.Json]]:
    """Replay a log from its new table, and yield for each entry the rows of its draws.

    A row has the position of the entry, the key of the luck, and the draws made with it. Raises `Diverged`.
    """
    record: Record = {}
    again = Table(table.header, table.game, table.secret, lucky=partial(RecordedLuck, record=record))
    for entry in entries:
        record.clear()
        unnamed: Key = ("act", again.made + again.started)
        again, _ = again.read(entry)
        yield [{"seq": entry.seq, "key": [*(key or unnamed)], "draws": made} for key, made in record.items()]
