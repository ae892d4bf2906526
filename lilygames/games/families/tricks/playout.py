"""A light model of a hand of tricks, for players who look ahead: a set of cards is a number, each of its bits one card.

The bits of a deal are in the order of how easily a card wins a trick that nobody asked for: jesters, the plain cards
by rank, trumps, the crowned card. So the most dangerous card of a set is its highest bit and the least its lowest.
Places are counted in the order of play. The tests hold it to `rules.tricks.trick` and `rules.tricks.exactbid`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import attrs

from rules.cards import JESTER, WIZARD, Card, Suit
from rules.tricks.trick import Dupes, strength, winning

OPEN, FREE = -1, 4
"""What is led before the first suit: nothing yet, or (after a wizard) nothing for the whole trick."""
_SUITS = {suit: number for number, suit in enumerate(Suit)}


@attrs.frozen(eq=False)
class Kit:
    """The cards of a deal by bit: what each is, its suit, which cards beat it, which follow what is led."""

    cards: tuple[Card, ...]
    bits: dict[Card, tuple[int, ...]]
    led: tuple[int, ...]
    """What each card makes led where nothing is: its suit's number, `FREE` for a wizard, `OPEN` for a jester."""
    suits: tuple[int, ...]
    """The set of each suit, then two empty ones for `FREE` and `OPEN`."""
    loose: int
    """The set of the cards without a suit, which may always be played."""
    beats: tuple[int, ...]
    """For each card the set of those that take the trick from it while it is winning."""
    trump: Suit | None
    crowned: Card | None
    dupes: Dupes
    cancels: bool
    """Whether identical cards may cancel each other."""

    def set_of(self, cards: Iterable[Card]) -> int:
        """Return the set of some cards; of identical ones the first bits are taken."""
        found, met = 0, dict.fromkeys(self.bits, 0)
        for card in cards:
            found |= 1 << self.bits[card][met[card]]
            met[card] += 1
        return found

    def taker(self, trick: Sequence[int]) -> int | None:
        """Return the place in the trick of the card that takes it, as `rules.tricks.trick.winning` tells."""
        return winning([self.cards[bit] for bit in trick], self.trump, self.crowned, self.dupes)


@lru_cache(maxsize=256)
def kit(pack: tuple[Card, ...], trump: Suit | None, crowned: Card | None, dupes: Dupes) -> Kit:
    """Return the cards of a pack as bits, under this trump."""
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
    """Return the set of cards that beat the winning one; with `later` its own copies do."""
    stands, beaten = strength(best, best.suit, trump, crowned), 0
    for card, copies in bits.items():
        strong = strength(card, card.suit if best is JESTER else best.suit, trump, crowned)
        if strong > stands or (later and card is best):
            beaten |= sum(1 << bit for bit in copies)
    return beaten


def rule_of_thumb(kit: Kit, hand: int, need: int, strong: int, led: int, best: int, *, last: bool) -> int:  # noqa: PLR0917 - called a million times a second, which names would slow down
    """Return the card to play from a hand that wants `need` tricks more; `best` is winning the trick, -1 to lead.

    Who wants tricks, and has not more `strong` cards than that, takes what it can, as cheaply as the last to play may;
    all others get rid of the most dangerous card that does not take the trick.
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
    """A trick as it lies: its cards, what is led, which card is winning and for which place."""

    trick: list[int]
    led: int
    best: int
    taker: int


def play_out(kit: Kit, hands: list[int], needs: list[int], place: int, strong: int, lying: Lying) -> list[int]:  # noqa: PLR0917 - as above
    """Play all cards by the rule of thumb; return `needs`, less by one for each trick that a place took.

    `hands` (sets by place) and `needs` (tricks each place still wants) are used up, and so is the trick. `place` is
    next to play to it.
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
    """Return how a trick lies that the place `first` has led; no card is winning where there is none."""
    led, best, taker = OPEN, -1, first
    for number, bit in enumerate(trick):
        if best < 0 or kit.beats[best] >> bit & 1:
            best, taker = bit, (first + number) % seats
        led = kit.led[bit] if led == OPEN else led
    return Lying(trick, led, best, taker)


def _cancelled(kit: Kit, trick: Sequence[int], first: int, taker: int) -> int | None:
    """Return who takes a full trick in which identical cards may cancel each other; None where nobody does."""
    if len({kit.cards[bit] for bit in trick}) == len(trick):
        return taker
    place = kit.taker(trick)
    return None if place is None else (first + place) % len(trick)
