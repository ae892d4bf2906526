"""The luck of a table: that of its moves, of its bots and of hints.

It is keyed by what is drawn, and a bot's luck by its seat and the moves made there. So votes, notes, substitutions and
moves that were taken back change nothing.
"""

from __future__ import annotations

from collections.abc import Callable

import attrs

from lilygames.proofs import commitments
from lilygames.tables.seal.closed_deck import ClosedDeck, ClosedLuck
from lilygames_rules.kit import KeyedLuck, Luck, Purpose, PurposeLuck, Seat


@attrs.frozen
class TableLuck:
    """The luck of a table at a point of its log: its keys, and what else keys each kind of luck.

    `key` returns the key for a purpose (`()`: for anything else). Most moves draw nothing, so it's seldom called.

    `acts` counts the game acts before it, the start included; `moved` counts
    each seat's moves. Neither counts moves that were taken back.
    """

    key: Callable[[Purpose], bytes] = attrs.field(repr=False)
    acts: int
    moved: tuple[int, ...]
    deck: Callable[[Purpose], ClosedDeck] | None = attrs.field(default=None, repr=False)
    """Returns the deck in force for a purpose, where the seal stays closed; None for an open seal."""

    def of_act(self) -> Luck:
        """Return the luck of the next act."""
        if self.deck:
            return ClosedLuck(self.deck, self.acts)
        return PurposeLuck(self.key, self.acts)

    def of_bot(self, seat: Seat) -> KeyedLuck:
        """Return a bot's own luck for its next move."""
        return KeyedLuck(commitments.house_key(self.key(()), seat, self._made_by(seat)))

    def of_hint(self, seat: Seat) -> KeyedLuck:
        """Return the luck of a hint for a seat, which no move uses."""
        return KeyedLuck(commitments.keyed(self.key(()), "hint", seat, self._made_by(seat)))

    def _made_by(self, seat: Seat) -> int:
        return self.moved[seat] if seat < len(self.moved) else 0
