"""The cards of a game of Liar's Lair: their places, and what each seat knows about them.

From madmaw's README of Liar's Lair: "players only know of the truthfulness of their own cards, not the other players".
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TypeVar

import attrs

from lilygames_rules.kit import Luck, Seat

T = TypeVar("T")
TABLE, GONE = -1, -2
"""Places of cards that nobody holds: on the table, or out of the game."""
WATCHER = -1
"""Represents all spectators in sets of seats that know something."""


def everyone(seats: int) -> frozenset[int]:
    """Return everyone who can know something: the seats and the spectators."""
    return frozenset(range(WATCHER, seats))


@attrs.frozen
class Pair:
    """A true and a false statement, the person they are about, and the seats told in play which one is true."""

    true: str
    false: str
    about: str = ""
    told: frozenset[int] = frozenset()


@attrs.frozen
class Played:
    """The seat that first played a card, and the number of seats still to play after it."""

    seat: Seat
    left: int


@attrs.frozen
class Card:
    """A card: its pair and side, the seat it was dealt to, its place, its readers, and who knows its place."""

    pair: int
    true: bool
    dealt: Seat
    place: int
    read: frozenset[int]
    found: frozenset[int]
    played: Played | None = None


@attrs.frozen
class Seen:
    """A card as someone who has read it knows it.

    `place` is None if they lost track of it. `dealt` tells whether it was dealt to them, `open` whether everyone has
    read it. `true` is known from a card of the pair dealt to them or from what was shown in play, else None. `played`
    is how it was first played, None if it never was.
    """

    number: int
    pair: int
    text: str
    place: int | None
    dealt: bool
    open: bool
    true: bool | None
    played: Played | None = None


@attrs.frozen
class Deck:
    """All pairs, and the cards dealt from them, card 1 first."""

    pairs: tuple[Pair, ...]
    cards: tuple[Card, ...]

    def card(self, number: int) -> Card:
        """Return the card with that number."""
        return self.cards[number - 1]

    def text(self, number: int) -> str:
        """Return the statement on a card."""
        card = self.card(number)
        pair = self.pairs[card.pair]
        return pair.true if card.true else pair.false

    def at(self, place: int) -> tuple[int, ...]:
        """Return the numbers of the cards that a seat holds, or that are on the table, in order."""
        return tuple(number for number, card in enumerate(self.cards, 1) if card.place == place)

    def rival(self, number: int, others: Collection[int]) -> int | None:
        """Return the card among `others` that contradicts this one, None if there isn't one."""
        pair = self.card(number).pair
        return next((other for other in others if other != number and self.card(other).pair == pair), None)

    def shown(self, numbers: Collection[int], to: frozenset[int]) -> Deck:
        """Return the deck after `seats` have read these cards and seen their places."""
        return self._changed(numbers, lambda card: (card.place, card.read | to, card.found | to))

    def moved(self, numbers: Collection[int], place: int) -> Deck:
        """Return the deck after these cards moved to a place, seen by everyone who knew where they were."""
        return self._changed(numbers, lambda card: (place, card.read, card.found))

    def slipped(self, number: int, place: int, parties: frozenset[int]) -> Deck:
        """Return the deck after one card went to another hand and the rest left the game, unseen by others.

        The giver knows all of them. The receiver knows that card, and the others only if they knew them before.
        """
        taken, giver = self.card(number), self.card(number).place

        def change(card: Card) -> tuple[int, frozenset[int], frozenset[int]]:
            if card is taken:
                return place, card.read | parties, parties
            return GONE, card.read, card.found & parties | {giver}

        return self._changed(self.at(giver), change)

    def first_played(self, number: int, seat: Seat, left: int) -> Deck:
        """Return the deck after a seat plays a card with `after` seats to play after it; the first time is recorded."""
        cards = list(self.cards)
        cards[number - 1] = attrs.evolve(cards[number - 1], played=cards[number - 1].played or Played(seat, left))
        return Deck(self.pairs, tuple(cards))

    def told(self, pair: int, to: frozenset[int]) -> Deck:
        """Return the deck after `seats` learn which statement of a pair is true."""
        known = attrs.evolve(self.pairs[pair], told=self.pairs[pair].told | to)
        return Deck((*self.pairs[:pair], known, *self.pairs[pair + 1 :]), self.cards)

    def _changed(
        self, numbers: Collection[int], change: Callable[[Card], tuple[int, frozenset[int], frozenset[int]]]
    ) -> Deck:
        cards = [
            Card(card.pair, card.true, card.dealt, *change(card), card.played) if number in numbers else card
            for number, card in enumerate(self.cards, 1)
        ]
        return Deck(self.pairs, tuple(cards))

    def seen_by(self, seat: Seat | None) -> tuple[Seen, ...]:
        """Return the cards a seat or a spectator (None) has read, as it knows them, by number."""
        who = WATCHER if seat is None else seat
        knows = {card.pair for card in self.cards if card.dealt == who and seat is not None}
        knows |= {number for number, pair in enumerate(self.pairs) if who in pair.told}
        return tuple(
            Seen(
                number,
                card.pair,
                self.text(number),
                place=card.place if who in card.found else None,
                dealt=card.dealt == seat,
                open=WATCHER in card.read,
                true=card.true if card.pair in knows else None,
                played=card.played,
            )
            for number, card in enumerate(self.cards, 1)
            if who in card.read
        )


# Dealing.


@attrs.frozen
class Shape:
    """The parameters of a deal: seats, truths and lies per seat, spare pairs, and whether hands mix both freely.

    `cast` has the characters by seat. `own` says whether each seat gets the truths or the lies about itself; the
    opposite statements go to other seats.
    """

    seats: int
    each: int
    spare: int
    mixed: bool
    cast: tuple[str, ...] = ()
    own: bool | None = None

    @property
    def pairs(self) -> int:
        """The number of pairs to choose."""
        return self.seats * self.each + self.spare

    @property
    def cards(self) -> int:
        """The number of cards to deal."""
        return 2 * self.seats * self.each


def dealt(shape: Shape, pairs: Sequence[tuple[str, tuple[str, str]]], luck: Luck) -> Deck:
    """Deal these pairs, each with the person it is about ("": nobody).

    A coin flip per pair decides whether its first statement is true. Truths and lies are shuffled separately, and each
    seat in turn gets `each` of both. Mixed cards are shuffled together, and each seat gets twice as many. The others
    stay undealt. A last shuffle numbers the dealt cards, so that numbers reveal nothing.
    """
    tossed = tuple(
        Pair(*(both if luck.for_("truth", number).coin() else both[::-1]), about)
        for number, (about, both) in enumerate(pairs, 1)
    )
    about = [pair.about for pair in tossed]
    if shape.mixed:
        sides = luck.for_("sides").shuffle([(pair, true) for true in (True, False) for pair in range(shape.pairs)])
        hands = _in_turn(sides, 2 * shape.each, shape.seats)
    else:
        truths = _handed(shape, about, luck.for_("truths"), own=shape.own)
        lies = _handed(shape, about, luck.for_("lies"), own=None if shape.own is None else not shape.own)
        hands = [
            [*((pair, True) for pair in true), *((pair, False) for pair in false)]
            for true, false in zip(truths, lies, strict=True)
        ]
    given = luck.for_("numbers").shuffle([(seat, pair, true) for seat, hand in enumerate(hands) for pair, true in hand])
    return Deck(
        tossed, tuple(Card(pair, true, seat, seat, frozenset({seat}), frozenset({seat})) for seat, pair, true in given)
    )


def _in_turn(order: Sequence[T], each: int, seats: int) -> list[Sequence[T]]:
    return [order[seat * each : (seat + 1) * each] for seat in range(seats)]


def _handed(shape: Shape, about: Sequence[str], luck: Luck, *, own: bool | None) -> list[Sequence[int]]:
    """Return the statements each seat gets: about itself, about others, or any (None)."""
    order = luck.shuffle(range(shape.pairs))
    if own:
        return [[pair for pair in order if about[pair] == name][: shape.each] for name in shape.cast]
    if own is False:
        order = _about_others(shape, about, order, luck)
    return _in_turn(order, shape.each, shape.seats)


def _about_others(shape: Shape, about: Sequence[str], order: Sequence[int], luck: Luck) -> tuple[int, ...]:
    """Return an order in which no seat gets a statement about itself.

    Each such statement in turn swaps places with a random one for which both places are then fine.
    """
    names = [*(name for name in shape.cast for _ in range(shape.each)), *[""] * shape.spare]
    laid = list(order)
    for place, name in enumerate(names):
        if name and about[laid[place]] == name:
            fits = [other for other, pair in enumerate(laid) if name not in (about[pair], names[other])]
            other = luck.choice(fits)
            laid[place], laid[other] = laid[other], laid[place]
    return tuple(laid)


# Sampling what others could hold.


def imagined(shape: Shape, seat: Seat | None, sizes: Sequence[int], seen: Sequence[Seen], luck: Luck) -> Deck:
    """Return a random deck of which `seat` (None: a spectator) knows exactly this, with hands of these sizes.

    Unknown sides, holders and original owners are drawn uniformly; what players did is not weighed. Unread cards get
    placeholders for their text.
    """
    sides = _sides(shape, seen, luck)
    places = _places(shape, sizes, seen, luck)
    origins = _origins(shape, seat, seen, sides, luck)
    known = {card.number: card for card in seen}
    cards = [
        _imagined_card(shape, seat, known.get(number), (*sides[number], origins[number], places[number]))
        for number in range(1, shape.cards + 1)
    ]
    return Deck(_pairs(shape, seat, seen, sides, luck), tuple(cards))


def _sides(shape: Shape, seen: Sequence[Seen], luck: Luck) -> dict[int, tuple[int, bool]]:
    """Draw the pair and side of each card, with no more truths or lies than were dealt."""
    most = shape.cards // (1 if shape.mixed else 2)
    sides = {card.number: (card.pair, card.true) for card in seen if card.true is not None}
    doubted: dict[int, list[int]] = {}
    for card in seen:
        if card.true is None:
            doubted.setdefault(card.pair, []).append(card.number)
    for pair, numbers in sorted(doubted.items(), key=lambda one: -len(one[1])):
        true = _tossed(most, [side for _, side in sides.values()], luck) if len(numbers) == 1 else luck.coin()
        sides |= {number: (pair, true == (number == numbers[0])) for number in numbers}
    return sides | _unread(shape, most, sides, luck)


def _tossed(most: int, sides: Sequence[bool], luck: Luck) -> bool:
    truths = sum(sides)
    if truths == most or len(sides) - truths == most:
        return truths < most
    return luck.coin()


def _unread(shape: Shape, most: int, sides: Mapping[int, tuple[int, bool]], luck: Luck) -> dict[int, tuple[int, bool]]:
    """Draw the pair and side of the unread cards from the remaining pairs."""
    taken = set(sides.values())
    left = {
        true: luck.shuffle([(pair, true) for pair in range(shape.pairs) if (pair, true) not in taken])
        for true in (True, False)
    }
    numbers = [number for number in range(1, shape.cards + 1) if number not in sides]
    if not shape.mixed:
        left = {true: rest[: most - sum(side == true for _, side in sides.values())] for true, rest in left.items()}
    return dict(zip(numbers, luck.shuffle((*left[True], *left[False])), strict=False))


def _places(shape: Shape, sizes: Sequence[int], seen: Sequence[Seen], luck: Luck) -> dict[int, int]:
    """Draw each card's place: the known one, else a hand with room for it, else out of the game."""
    places = {card.number: card.place for card in seen if card.place is not None}
    lost = [number for number in range(1, shape.cards + 1) if number not in places]
    held = [*places.values()]
    free = [seat for seat, size in enumerate(sizes) for _ in range(size - held.count(seat))]
    free += [GONE] * (len(lost) - len(free))
    return places | dict(zip(lost, luck.shuffle(free), strict=True))


def _origins(
    shape: Shape, seat: Seat | None, seen: Sequence[Seen], sides: Mapping[int, tuple[int, bool]], luck: Luck
) -> dict[int, Seat]:
    """Draw the seat each card was dealt to: a seat's own cards are known, the others got equally many."""
    origins = {card.number: seat for card in seen if card.dealt and seat is not None}
    others = [other for other in range(shape.seats) if other != seat]
    kinds = [(True, False)] if shape.mixed else [(True,), (False,)]
    for kind in kinds:
        numbers = [number for number, (_, true) in sides.items() if true in kind and number not in origins]
        each = others * (shape.each * len(kind))
        origins |= dict(zip(sorted(numbers), luck.shuffle(each), strict=True))
    return origins


def _imagined_card(shape: Shape, seat: Seat | None, seen: Seen | None, card: tuple[int, bool, Seat, int]) -> Card:
    """Return a card known to this seat and to everyone as before, and otherwise to its present and first owner."""
    pair, true, origin, place = card
    who = WATCHER if seat is None else seat
    holder = {place} if place >= 0 else set[int]()
    read = everyone(shape.seats) if seen and seen.open else frozenset({*holder, origin, *([who] if seen else [])})
    if seen is None or seen.place is None:
        return Card(pair, true, origin, place, read, frozenset(holder), seen.played if seen else None)
    return Card(pair, true, origin, place, read, read if seen.open else frozenset({who, *holder}), seen.played)


def _pairs(
    shape: Shape, seat: Seat | None, seen: Sequence[Seen], sides: Mapping[int, tuple[int, bool]], luck: Luck
) -> tuple[Pair, ...]:
    """Return the pairs with the statements that were read; a seat that knows a truth counts as told."""
    who = WATCHER if seat is None else seat
    texts = {sides[card.number]: card.text for card in seen}
    told = {card.pair for card in seen if card.true is not None}
    cast = sorted(shape.cast)
    pairs = []
    for pair in range(shape.pairs):
        true, false = texts.get((pair, True), f"{pair} yes"), texts.get((pair, False), f"{pair} no")
        named = [name for name in cast if name in true or name in false] or ([luck.choice(cast)] if cast else [""])
        pairs.append(Pair(true, false, named[0], frozenset({who} if pair in told else ())))
    return tuple(pairs)
