"""Closed seals: luck in two halves, so that each card which is shown can be proved, and no other is revealed.

Where a seal stays closed, nobody can check the deal from its secret. So the private half of each hidden draw is fixed
before anyone commits: the Merkle root of all private halves is shown with the seal. The public half follows from the
commitments. Either half alone makes the result random, so the host can't choose it and no player can know it. When a
card is shown, its value, salt and path prove that it was in the tree. Nobody can guess the other leaves without their
salts.

A tree has leaves for 64 hands, unless the header says otherwise. Hand `n` has slot `(n - 1) mod 64`, so the root is
good in whichever hand it begins to serve. Before the last hand, the table shows a new root.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TypeVar

import attrs

from lilygames.game import HiddenDigits, HiddenShuffle
from lilygames.proofs import commitments
from lilygames.tables.log.acts import HANDS
from lilygames.tables.seal.merkle import Tree, leaf_hash, proves
from lilygames_rules.kit import KeyedLuck, Luck, Purpose, PurposeLuck, PurposeStream

T = TypeVar("T")
Hidden = tuple[HiddenShuffle | HiddenDigits, ...]
PLACES = 16
"""Seats, or places of a pile, that a tree covers; they count from 0."""
_DIGITS = 10


@attrs.frozen
class Leaf:
    """A leaf without its salt: the purpose of the draw, which card (from 0) or line (from 1), and its private value.

    The value is a card's place in the pack, or a line of digits. The name of a fact is its purpose and item.
    """

    purpose: Purpose
    item: int | str
    value: int | str

    def hashed(self, salt: bytes) -> bytes:
        """Return the hash of the leaf with its salt."""
        return leaf_hash(salt + commitments.canonical("leaf", *self.purpose, self.item, self.value))


@attrs.frozen
class Proof:
    """The proof of one leaf for anyone who has the root: its salt, and its path through the tree."""

    leaf: Leaf
    salt: bytes
    path: tuple[bytes, ...]

    def holds(self, root: str, hidden: Hidden, hands: int = HANDS) -> bool:
        """Return whether the leaf is in the tree with this root, at the only place it may have."""
        index = place_of(hidden, self.leaf.purpose, self.leaf.item, hands)
        return index is not None and self.holds_at(root, index, hands * len(_of_hand(hidden)))

    def holds_at(self, root: str, index: int, leaves: int) -> bool:
        """Return whether the leaf is at a place in the tree with this root."""
        return proves(bytes.fromhex(root), self.leaf.hashed(self.salt), index, leaves, self.path)


@attrs.frozen
class ClosedDeck:
    """The luck of one round in its two halves. `hidden` are the game's hidden draws, `first` the first hand it serves.

    `cut` is the key of the public half, which exists once all nonces are revealed. A newcomer's round changes only this
    half: `sealed` is its number, and `round` that of the round with which the root was shown.
    """

    secret: bytes = attrs.field(repr=False)
    table: str
    round: int
    hidden: Hidden
    cut: bytes = b""
    sealed: int = 1
    first: int = 1
    hands: int = HANDS

    @cached_property
    def root(self) -> str:
        """The Merkle root that is shown with the seal. Slow (up to a second): compute it in a thread."""
        return self._tree.root.hex()

    def proof(self, purpose: Purpose, item: int) -> Proof | None:
        """Return the proof of one card or line; None if the tree doesn't cover it. As slow as `root` the first time."""
        place = place_of(self.hidden, purpose, item, self.hands)
        if place is None or not self.first <= int(purpose[1]) < self.first + self.hands:
            return None
        leaf = Leaf(purpose, item, dict(self._values(purpose))[item])
        return Proof(leaf, self._salt(leaf), self._tree.proof(place))

    @cached_property
    def _tree(self) -> Tree:
        return Tree([leaf for slot in range(self.hands) for leaf in self._hashes(slot)])

    def _hashes(self, slot: int) -> Iterator[bytes]:
        """Yield the leaf hashes of one hand: those of `Leaf.hashed`, three times as fast for thousands of them."""
        hand = self.first + (slot + 1 - self.first) % self.hands
        for purpose in _purposes(self.hidden, hand):
            salted = commitments.canonical("salt", self.table, self.round, *purpose)[:-1]
            leaf = commitments.canonical("leaf", *purpose)[:-1]
            for item, value in self._values(purpose):
                said = f',{item},"{value}"]' if isinstance(value, str) else f",{item},{value}]"
                salt = hmac.new(self.secret, b"%b,%d]" % (salted, item), "sha256").digest()
                yield leaf_hash(salt + leaf + said.encode())

    def _values(self, purpose: Purpose) -> Iterable[tuple[int, int | str]]:
        """Return the private values of a draw, each with its number."""
        luck = KeyedLuck(self.private_key(purpose))
        match _drawn(self.hidden, purpose):
            case HiddenShuffle(_, cards):
                return enumerate(luck.shuffle(range(cards)))
            case HiddenDigits(_, lines, digits):
                texts = ("".join([str(luck.below(_DIGITS)) for _ in range(digits)]) for _ in range(lines))
                return enumerate(texts, 1)
        return ()

    def private_key(self, purpose: Purpose) -> bytes:
        """Return the key of the private half of a draw."""
        return commitments.private_key(self.secret, self.table, self.round, *purpose)

    def _salt(self, leaf: Leaf) -> bytes:
        return commitments.leaf_salt(self.secret, self.table, self.round, *leaf.purpose, leaf.item)


class ClosedLuck(PurposeLuck):
    """The luck of one move where the seal stays closed: hidden draws in two halves, all others from the public one.

    `deck` returns the deck in force for a purpose. `acts` counts the moves before this one.
    """

    __slots__ = ("_deck",)

    def __init__(self, deck: Callable[[Purpose], ClosedDeck], acts: int = 0) -> None:
        super().__init__(lambda purpose: deck(purpose).cut, acts)
        self._deck = deck

    def for_(self, *purpose: str | int) -> Luck:
        """Return fresh luck for this purpose; raises `ValueError` if this move has already used it."""
        open_luck, deck = super().for_(*purpose), self._deck(purpose)
        public = commitments.draw_key(deck.cut, *purpose)
        match _drawn(deck.hidden, purpose):
            case HiddenShuffle():
                return ShuffledTwice(public, deck.private_key(purpose))
            case HiddenDigits():
                return AddedDigits(public, deck.private_key(purpose))
        return open_luck


class ShuffledTwice(PurposeStream):
    """Luck whose shuffle is composed: `items[a[b[j]]]`, with the private shuffle a and the public one b."""

    __slots__ = ("_private",)

    def __init__(self, public: bytes, private: bytes) -> None:
        super().__init__(public)
        self._private = KeyedLuck(private)

    def shuffle(self, items: Iterable[T]) -> tuple[T, ...]:
        """Return the items in an order that depends on both halves."""
        pack = [*items]
        private, public = self._private.shuffle(range(len(pack))), super().shuffle(range(len(pack)))
        return tuple(pack[private[place]] for place in public)


class AddedDigits(PurposeStream):
    """Luck whose digits are composed: the sum of a private and a public digit, modulo 10. Letters are public."""

    __slots__ = ("_private",)

    def __init__(self, public: bytes, private: bytes) -> None:
        super().__init__(public)
        self._private = KeyedLuck(private)

    def choice(self, items: Sequence[T]) -> T:
        """Return one of ten digits by both halves, and one of any other items by the public half."""
        if len(items) != _DIGITS:
            return super().choice(items)
        return items[(self._private.below(_DIGITS) + self.below(_DIGITS)) % _DIGITS]


def root_of(secret: bytes, table: str, round_: int, hidden: Hidden, *, first: int = 1, hands: int = HANDS) -> str:
    """Return the root of a round's private half, empty if nothing of it can be proved. Slow: compute it in a thread."""
    return ClosedDeck(secret, table, round_, hidden, first=first, hands=hands).root if _of_hand(hidden) else ""


def place_of(hidden: Hidden, purpose: Purpose, item: int | str, hands: int = HANDS) -> int | None:
    """Return the place in the tree of a card or line; None if the tree has no leaf for it."""
    match purpose:
        case (str(name), int(hand), *rest) if hand > 0:
            within = _of_hand(hidden)
            place = within.get(((name, *rest), item))
            return None if place is None else (hand - 1) % hands * len(within) + place
    return None


@lru_cache(maxsize=16)
def _of_hand(hidden: Hidden) -> Mapping[tuple[Purpose, int | str], int]:
    """Return the place of each leaf of one hand, by its purpose without the hand and the number of the card or line."""
    leaves = list[tuple[Purpose, int]]()
    for draw in hidden:
        match draw:
            case HiddenShuffle(name, cards, _, True):
                leaves += [((name,), card) for card in range(cards)]
            case HiddenDigits(name, lines, _):
                leaves += [((name, place), line) for place in range(PLACES) for line in range(1, lines + 1)]
    return {(purpose, item): place for place, (purpose, item) in enumerate(leaves)}


def _purposes(hidden: Hidden, hand: int) -> Iterable[Purpose]:
    """Return the purposes that have leaves in a hand, in their order."""
    return dict.fromkeys((name, hand, *rest) for (name, *rest), _ in _of_hand(hidden))


def _drawn(hidden: Hidden, purpose: Purpose) -> HiddenShuffle | HiddenDigits | None:
    """Return the hidden draw that a purpose belongs to, if any."""
    return next((draw for draw in hidden if draw.purpose == purpose[0]), None)
