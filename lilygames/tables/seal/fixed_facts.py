"""The facts that a deal fixes where the seal stays closed: a Merkle root over them, and a proof of each.

The root is shown with the start of the game. So it proves only that nothing changed after the deal. Each leaf has a
salt of its own. Otherwise anyone could try the few values of a mark or a seat on the hashes in a proof.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import attrs

from lilygames.game import FactName
from lilygames.proofs import commitments
from lilygames.tables.seal.closed_deck import Leaf, Proof
from lilygames.tables.seal.merkle import Tree


@attrs.frozen
class FixedFacts:
    """The facts of one deal by name, with what makes their salts: the secret, the table's identity and the round."""

    secret: bytes = attrs.field(repr=False)
    table: str
    round: int
    names: Sequence[FactName]
    values: Sequence[str | int] = attrs.field(repr=False)

    @property
    def root(self) -> str:
        """The root of all facts."""
        return self._tree.root.hex()

    def proof(self, name: FactName) -> Proof:
        """Return the proof of one fact; raises `ValueError` if there is none with this name."""
        place = self.names.index(name)
        return Proof(self._leaf(place), self._salt(place), self._tree.proof(place))

    @cached_property
    def _tree(self) -> Tree:
        return Tree([self._leaf(place).hashed(self._salt(place)) for place in range(len(self.names))])

    def _leaf(self, place: int) -> Leaf:
        *purpose, item = self.names[place]
        return Leaf(tuple(purpose), item, self.values[place])

    def _salt(self, place: int) -> bytes:
        return commitments.leaf_salt(self.secret, self.table, self.round, *self.names[place])


def holds(proof: Proof, root: str, names: Sequence[FactName]) -> bool:
    """Return whether a proof shows one of these facts, at its place in the tree with this root."""
    name = (*proof.leaf.purpose, proof.leaf.item)
    return name in names and proof.holds_at(root, names.index(name), len(names))
