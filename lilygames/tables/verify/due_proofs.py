"""The proofs that the export of a closed game must have: one for each card, line and fact that its rows show.

They follow from what was seen, so a proof that was left out is found. Before format 4, an export doesn't have what acts
other than moves led to, such as the first hand. There it may have more proofs than its rows show.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any

import attrs

from lilygames import codec
from lilygames.game import HiddenDigits, HiddenShuffle
from lilygames.tables.seal.closed_deck import Hidden, Proof
from lilygames_rules.kit import KeyedLuck

Row = dict[str, Any]


@attrs.frozen
class ShownHand:
    """One hand of an export: its number, and the texts that were shown in it up to a reshuffle or an undo."""

    number: int
    texts: set[str]


@attrs.frozen
class Shown:
    """The hidden draws and entries of a closed game's export, and whether these are `whole`."""

    hidden: Hidden
    entries: Sequence[Row]
    whole: bool

    @property
    def _undone(self) -> bool:
        return any(is_undo(row) for row in self.entries)

    def hands(self) -> list[ShownHand]:
        """Return the hands that were dealt, in order; a hand can be dealt again after an undo."""
        shuffles = [one for one in self.hidden if isinstance(one, HiddenShuffle)]
        begins = {one.begins.__name__ for one in shuffles if one.proven}
        ends = {one.told.__name__ for one in shuffles if one.told}
        hands, now = list[ShownHand](), None
        for row in self.entries:
            kinds = {event["is"] for event in row.get("seen", ())}
            if is_undo(row) or kinds & ends or self._may_have_dealt(row):
                now = None
            if not self.whole and row.get("act", {}).get("is") == "Start":
                hands.append(now := ShownHand(1, set()))
            for event in row.get("seen", ()):
                if event["is"] in begins:
                    hands.append(now := ShownHand(event["number"], set()))
                if now is not None:
                    now.texts.update(texts_in(event))
        return hands

    def _may_have_dealt(self, row: Row) -> bool:
        """Return whether an act can have dealt a hand that the export doesn't show: someone has left."""
        return not self.whole and row.get("act", {}).get("is") == "Left"

    def wrong_cards(self, proofs: Iterable[tuple[Proof, bytes]], marked: Callable[[int], bool]) -> Iterator[str]:
        """Yield what is wrong with the proofs of cards, each with its round's public key; raises `LookupError`.

        `marked` tells which hands are marked as unproven.
        """
        draw = next((one for one in self.hidden if isinstance(one, HiddenShuffle) and one.proven and one.pack), None)
        if draw is None:
            return
        pack = [str(codec.dump(card)) for card in draw.pack]
        proved = [_card(proof, key, pack) for proof, key in proofs]
        told, place = set[tuple[int, str]](), 0
        for hand in self.hands():
            due = {(hand.number, text) for text in hand.texts if text in pack} - told
            if marked(hand.number):
                continue
            told |= due
            given = proved[place : place + len(due)]
            place += len(due)
            if self.whole and (given != sorted(given) or {(number, text) for number, _, text in given} != due):
                yield f"the proofs aren't those of the cards shown in hand {hand.number}"
        if missing := told - {(number, text) for number, _, text in proved}:
            number, text = min(missing)
            yield f"the proof of {text} in hand {number} is missing"
        if self.whole and place < len(proved):
            yield "there is a proof of a card that wasn't shown"

    def wrong_lines(
        self, proofs: Iterable[tuple[Proof, bytes]], equal: Sequence[str], *, unproven: bool
    ) -> Iterator[str]:
        """Yield what is wrong with the proofs of lines of digits, each with its round's public key.

        `equal` are lines that were drawn twice, so they have no proof. If some hands are `unproven`, lines may be, too.
        """
        draws = {one.purpose: one for one in self.hidden if isinstance(one, HiddenDigits)}
        if not draws:
            return
        lengths = {one.digits for one in draws.values()}
        seen = chain.from_iterable(texts_in(event) for row in self.entries for event in row.get("seen", ()))
        shown = {text for text in seen if len(text) in lengths and text.isdecimal()}
        proved = [(proof.leaf.purpose[1:], proof.leaf.item, _line(proof, key, draws)) for proof, key in proofs]
        lines = [text for _, _, text in proved]
        if {*equal} & {*lines} or len({*lines}) < len(lines):
            yield "a number is proved twice, or was marked as drawn twice"
        if (missing := shown - {*lines, *equal}) and not unproven:
            yield f"the proof of {min(missing)} is missing"
        if self.whole and {*lines, *equal} - shown:
            yield "there is a proof of a number that wasn't shown"
        if self.whole and not self._undone and proved != sorted(proved, key=lambda one: one[:2]):
            yield "a proof is out of place"


def is_undo(row: Row) -> bool:
    """Return whether an entry takes moves back."""
    return str(row.get("act", {}).get("is", "")).startswith("Undone")


def texts_in(data: codec.Json) -> Iterator[str]:
    """Yield all texts in JSON data, such as the notation of a card."""
    match data:
        case str():
            yield data
        case dict():
            yield from chain.from_iterable(map(texts_in, data.values()))
        case list():
            yield from chain.from_iterable(map(texts_in, data))


def _card(proof: Proof, key: bytes, pack: Sequence[str]) -> tuple[int, int, str]:
    """Return the hand of a proved card, its place in the deal and its text. `key` is that of the public shuffle."""
    place = _public_shuffle(key, len(pack)).index(int(proof.leaf.item))
    return int(proof.leaf.purpose[1]), place, pack[int(proof.leaf.value)]


@lru_cache(maxsize=8)
def _public_shuffle(key: bytes, cards: int) -> tuple[int, ...]:
    """Return the public shuffle of a deal: the proofs of a hand come together."""
    return KeyedLuck(key).shuffle(range(cards))


def _line(proof: Proof, key: bytes, draws: Mapping[str, HiddenDigits]) -> str:
    """Return a proved line of digits: the sum of its private half and the public one, which `key` draws."""
    draw, luck = draws[str(proof.leaf.purpose[0])], KeyedLuck(key)
    for limit in draw.before:
        luck.below(limit)
    public = [luck.below(10) for _ in range(draw.digits * int(proof.leaf.item))][-draw.digits :]
    private = map(int, str(proof.leaf.value))
    return "".join(str((one + other) % 10) for one, other in zip(private, public, strict=True))
