"""A Merkle tree as in RFC 6962, section 2.1: one hash fixes a list, and a short proof shows one of its items."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from hashlib import sha256
from itertools import zip_longest

import attrs


def leaf_hash(item: bytes) -> bytes:
    """Return the hash of an item: SHA-256 of a zero byte and the item."""
    return sha256(b"\0" + item).digest()


def _node(left: bytes, right: bytes) -> bytes:
    """Return the hash of two subtrees; the leading one keeps it apart from a leaf's."""
    return sha256(b"\1" + left + right).digest()


@attrs.frozen
class Tree:
    """A tree over the hashes of its leaves, of which there must be at least one."""

    leaves: Sequence[bytes] = attrs.field(repr=False)

    @cached_property
    def _levels(self) -> tuple[Sequence[bytes], ...]:
        """The hashes of all levels, the leaves first; a node without a sibling moves up unchanged."""
        levels = [self.leaves]
        while len(levels[-1]) > 1:
            below = levels[-1]
            pairs = zip_longest(below[::2], below[1::2])
            levels.append(tuple(left if right is None else _node(left, right) for left, right in pairs))
        return tuple(levels)

    @property
    def root(self) -> bytes:
        """The hash that fixes all leaves."""
        return self._levels[-1][0]

    def proof(self, index: int) -> tuple[bytes, ...]:
        """Return the siblings on the way from a leaf up to the root."""
        path = []
        for level in self._levels[:-1]:
            if (sibling := index ^ 1) < len(level):
                path.append(level[sibling])
            index //= 2
        return tuple(path)


def proves(root: bytes, leaf: bytes, index: int, leaves: int, proof: Sequence[bytes]) -> bool:
    """Return whether a proof shows that a tree of that many leaves has this leaf hash at `index`."""
    if not 0 <= index < leaves:
        return False
    now, left, width = leaf, [*proof], leaves
    while width > 1:
        if (index ^ 1) < width:
            if not left:
                return False
            sibling = left.pop(0)
            now = _node(sibling, now) if index % 2 else _node(now, sibling)
        index, width = index // 2, (width + 1) // 2
    return now == root and not left
