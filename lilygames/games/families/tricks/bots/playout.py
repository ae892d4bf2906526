"""Fast simulation of a hand of tricks with bit sets of cards, for bots that search.

Bits are ordered by how easily a card wins an unwanted trick: jesters, plain cards by rank, trumps, the crowned card. So
the highest bit of a set is its most dangerous card. Places are in order of play. Tests compare this module with
`lilygames_rules.tricks.trick` and `lilygames_rules.tricks.exactbid`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import attrs

from lilygames_rules.cards import JESTER, WIZARD, Card, Suit
from lilygames_rules.tricks.trick import Dupes, strength, winning

OPEN, FREE = -1, 4
"""Values for the suit led: none yet, or (after a wizard) none for the whole trick."""
_SUITS = {suit: number for number, suit in enumerate(Suit)}


@attrs.frozen(eq=False)
class Kit:
    """The cards of a deal by bit: card, suit, and the cards that beat or follow it."""

    cards: tuple[Card, ...]
    bits: dict[Card, tuple[int, ...]]
    led: tuple[int, ...]
    """The suit that each card leads: a number, `FREE` for a wizard, `OPEN` for a jester."""
    suits: tuple[int, ...]
    """The set of each suit's cards, then two empty sets for `FREE` and `OPEN`."""
    loose: int
    """The set of suitless cards, which are always legal."""
    beats: tuple[int, ...]
    """For each card, the set of cards that beat it while it is winning."""
    trump: Suit | None
    crowned: Card | None
    dupes: Dupes
    cancels: bool
    """Whether identical cards may cancel each other."""

    def set_of(self, cards: Iterable[Card]) -> int:
        """Return the set of these cards; identical cards use the lowest bits."""
        found, met = 0, dict.fromkeys(self.bits, 0)
        for card in cards:
            found |= 1 << self.bits[card][met[card]]
            met[card] += 1
        return found

    def taker(self, trick: Sequence[int]) -> int | None:
        """Return the position of the winning card, from `lilygames_rules.tricks.trick.winning`."""
        return winning([self.cards[bit] for bit in trick], self.trump, self.crowned, self.dupes)


@lru_cache(maxsize=256)
def kit(pack: tuple[Card, ...], trump: Suit | None, crowned: Card | None, dupes: Dupes) -> Kit:
    """Return the bit representation of a pack under this trump."""
    cards = tuple(sorted(pack, key=lambda card: (strength(card, card.suit, trump, crowned), str(card))))
    bits: dict[Card, tuple[int, ...]] = {}
    for bit, card in enumerate(cards):
        bits[card] = (*bits.get(card, ()), bit)
    suits = [sum(1 << bit for bit, card in enumerate(cards) if card.suit is suit) for suit in Suit]
    loose = sum(1 << bit for bit, card in enumerate(cards) if card.suit is None)
    beaters = {card: _beaters(card, bits, trump, crowned, later=dupes == "last") for card in bits}
    beats = tuple(beaters[card] for card in cards)
    led = tuple(OPEN if card is JESTER else FREE if card is WIZARD else _SUITS[card.suit] for card in cards)  # type: ignore[index]
    cancels = dupes.startswith("cancel") and len(bits) < len(cards)
    return Kit(cards, bits, led, (*suits, 0, 0), loose, beats, trump, crowned, dupes, cancels)


def _beaters(
    best: Card, bits: Mapping[Card, tuple[int, ...]], trump: Suit | None, crowned: Card | None, *, later: bool
) -> int:
    """Return the set of cards that beat the winning one; with `later`, its own copies too."""
    stands, beaten = strength(best, best.suit, trump, crowned), 0
    for card, copies in bits.items():
        strong = strength(card, card.suit if best is JESTER else best.suit, trump, crowned)
        if strong > stands or (later and card is best):
            beaten |= sum(1 << bit for bit in copies)
    return beaten


def rule_of_thumb(kit: Kit, hand: int, need: int, strong: int, led: int, best: int, *, last: bool) -> int:  # noqa: PLR0917 - called a million times a second, which names would slow down
    """Choose a card from a hand that wants `need` more tricks; `best` is winning the trick, -1 to lead.

    A player who needs tricks and doesn't have more `strong` cards than that tries to win, as cheaply as possible when
    last. Others discard the most dangerous card that doesn't win.
    """
    follow = hand & kit.suits[led]
    legal = follow | hand & kit.loose if follow else hand
    greedy = need > 0 and (hand & strong).bit_count() <= need
    if best < 0:
        return (legal if greedy else legal & -legal).bit_length() - 1
    wins = legal & kit.beats[best]
    if greedy:
        if wins and not last:
            return wins.bit_length() - 1
        cheap = wins or legal
        return (cheap & -cheap).bit_length() - 1
    if legal != wins:
        return (legal ^ wins).bit_length() - 1
    return (wins if last and need <= 0 else wins & -wins).bit_length() - 1


class Lying(NamedTuple):
    """A trick in progress: its cards, the suit led, the winning card and its place."""

    trick: list[int]
    led: int
    best: int
    taker: int


def play_out(kit: Kit, hands: list[int], needs: list[int], place: int, strong: int, lying: Lying) -> list[int]:  # noqa: PLR0917 - as above
    """Play out the hand by the rule of thumb; return `needs` reduced by the tricks each place took.

    Modifies `hands` (sets by place), `needs` (tricks each place still wants) and the trick. `place` plays next.
    """
    beats, leads, seats = kit.beats, kit.led, len(hands)
    trick, led, best, taker = lying
    for _ in range(sum(map(int.bit_count, hands))):
        bit = rule_of_thumb(kit, hands[place], needs[place], strong, led, best, last=len(trick) == seats - 1)
        hands[place] ^= 1 << bit
        trick.append(bit)
        if best < 0 or beats[best] >> bit & 1:
            best, taker = bit, place
        if led == OPEN:
            led = leads[bit]
        place = place + 1 if place + 1 < seats else 0
        if len(trick) == seats:
            taken = _cancelled(kit, trick, place, taker) if kit.cancels else taker
            if taken is not None:
                place = taken
                needs[place] -= 1
            trick, led, best = [], OPEN, -1
    return needs


def lying(kit: Kit, trick: list[int], first: int, seats: int) -> Lying:
    """Return a trick in progress led by the place `first`."""
    led, best, taker = OPEN, -1, first
    for number, bit in enumerate(trick):
        if best < 0 or kit.beats[best] >> bit & 1:
            best, taker = bit, (first + number) % seats
        led = kit.led[bit] if led == OPEN else led
    return Lying(trick, led, best, taker)


def _cancelled(kit: Kit, trick: Sequence[int], first: int, taker: int) -> int | None:
    """Return the place that takes a full trick in which identical cards may cancel; None if nobody does."""
    if len({kit.cards[bit] for bit in trick}) == len(trick):
        return taker
    place = kit.taker(trick)
    return None if place is None else (first + place) % len(trick)
