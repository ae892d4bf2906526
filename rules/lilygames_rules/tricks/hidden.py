"""Hidden hands in an exact-bid game: what a seat can infer about them, and random deals that fit."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from math import comb, prod

from lilygames_rules.cards import Card, Suit, sorted_hand
from lilygames_rules.kit import Luck, Seat
from lilygames_rules.tricks.exactbid import Round, Sight, leader
from lilygames_rules.tricks.trick import led_suit


def cards_played(now: Round | Sight) -> Iterator[tuple[Seat, Card, tuple[Card, ...]]]:
    """Yield every card played so far: its seat, the card, and the cards before it in its trick."""
    for first, cards in [*((trick.leader, trick.cards) for trick in now.tricks), (leader(now), now.trick)]:
        for place, card in enumerate(cards):
            yield now.deal.left_of(first, place), card, cards[:place]


def voids(now: Round | Sight) -> tuple[frozenset[Suit], ...]:
    """Return the suits each seat is known to lack because it didn't follow them."""
    shown: list[set[Suit]] = [set() for _ in now.bids]
    for seat, card, before in cards_played(now):
        led = led_suit(before)
        if led is not None and card.suit is not None and card.suit is not led:
            shown[seat].add(led)
    return tuple(map(frozenset, shown))


def held(now: Round | Sight) -> tuple[int, ...]:
    """Return how many cards each seat still holds."""
    left = now.deal.cards - len(now.tricks)
    on_table = [now.deal.left_of(leader(now), place) for place in range(len(now.trick))]
    return tuple(left - (seat in on_table) for seat in range(len(now.bids)))


def unseen(sight: Sight, pack: Sequence[Card]) -> list[Card]:
    """Return the cards of the pack that are hidden from `sight`: in other hands or not dealt."""
    left = Counter(pack)
    left.subtract([*sight.hand, *(card for _, card, _ in cards_played(sight))])
    left.subtract([sight.deal.turned] if sight.deal.turned else ())
    return list(left.elements())


_PATIENCE = 200


def imagined(sight: Sight | None, seat: Seat | None, pack: Sequence[Card], luck: Luck) -> Round | None:
    """Return a random round that is consistent with `sight` of `seat`; None if no round is being played.

    It is uniform over the possible deals. Seats known to lack a suit draw first, by rejection sampling. After 200
    rejections the next draw that fits is accepted, so that it always ends.
    """
    if sight is None:
        return None
    sizes, void = held(sight), voids(sight)
    hidden = unseen(sight, pack)
    others = [other for other in range(len(sizes)) if other != seat]
    room = [sum(card.suit not in suits for card in hidden) for suits in void]
    bound = sorted((other for other in others if void[other]), key=lambda other: room[other] - sizes[other])
    most = prod(comb(room[other], sizes[other]) for other in bound)
    for tries in itertools.count():
        hands, ways, left = _drawn(hidden, [(other, sizes[other], void[other]) for other in bound], luck)
        if ways and (ways == most or tries >= _PATIENCE or luck.roll(most) <= ways):
            break
    rest = iter(luck.shuffle(left))
    for other in others:
        if not void[other]:
            hands[other] = sorted_hand(itertools.islice(rest, sizes[other]))
    if seat is not None:
        hands[seat] = sight.hand
    full = tuple(hands[other] for other in range(len(sizes)))
    return Round(sight.deal, full, sight.bids, sight.taken, sight.tricks, sight.trick, sight.turn)


def _drawn(
    hidden: list[Card], bound: Sequence[tuple[Seat, int, frozenset[Suit]]], luck: Luck
) -> tuple[dict[Seat, tuple[Card, ...]], int, list[Card]]:
    """Return hands drawn seat by seat, the number of ways to draw them (0: they don't fit), and the cards left over."""
    hands, ways, left = {}, 1, hidden
    for seat, size, void in bound:
        fitting = luck.shuffle(card for card in left if card.suit not in void)
        ways *= comb(len(fitting), size)
        hands[seat] = sorted_hand(fitting[:size])
        left = [*fitting[size:], *(card for card in left if card.suit in void)]
    return hands, ways, left
