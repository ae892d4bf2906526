"""A bot's view of a round, in the representation of `playout`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import attrs

from lilygames.games.families.tricks.bots.finish import Finish
from lilygames.games.families.tricks.bots.habits import Trust
from lilygames.games.families.tricks.bots.playout import Kit, kit
from lilygames.games.families.tricks.bots.reading import Choice, choices
from lilygames.games.families.tricks.bots.worth import worth
from lilygames_rules.cards import Card, Suit
from lilygames_rules.kit import Seat
from lilygames_rules.tricks.exactbid import Sight, leader
from lilygames_rules.tricks.hidden import cards_played, held, voids

Points = Callable[[int, int, int], int]
"""Returns the points for a bid, the tricks taken, and the cards dealt."""


@attrs.frozen
class Stakes:
    """A game's parameters: pack, scoring, whether the dealer's bid is restricted, and the finish for playing to win."""

    pack: tuple[Card, ...]
    points: Points
    hook: bool
    finish: Finish | None = None


@attrs.frozen(eq=False)
class Scene:
    """A round as a seat sees it, in bits and places; `worth` is the expected tricks per card."""

    kit: Kit
    me: int
    hand: int
    hidden: tuple[int, ...]
    sizes: tuple[int, ...]
    voids: tuple[int, ...]
    shown: tuple[float, ...]
    """Expected tricks of the cards each place has played."""
    chosen: tuple[Choice, ...]
    """The other places' choices."""
    bids: tuple[int | None, ...]
    beyond: tuple[float, ...]
    """Tricks that each place is expected to take above its bid."""
    taken: tuple[int, ...]
    turn: int
    lead: int
    trick: tuple[int, ...]
    cards: int
    worth: tuple[float, ...]
    strong: int
    points: tuple[tuple[int, ...], ...]
    hook: bool
    finish: Finish | None

    @property
    def hidden_set(self) -> int:
        """The set of hidden cards."""
        return sum(1 << bit for bit in self.hidden)


def scene(now: Sight, seat: Seat, stakes: Stakes, trusted: Sequence[Trust] = ()) -> Scene:
    """Return the scene for a view; `trusted` is what the bids of each seat say."""
    deal, order = now.deal, now.deal.order
    known = kit(stakes.pack, deal.trump, deal.crowned, deal.dupes)
    values = worths(known, len(order), deal.cards)
    pools = {card: list(bits) for card, bits in known.bits.items()}
    for card in [deal.turned] if deal.turned else []:
        pools[card].pop()
    played = [(who, pools[card].pop()) for who, card, _ in cards_played(now)]
    hand = [pools[card].pop() for card in now.hand]
    denied, me = voids(now), order.index(seat)
    lead, bids = order.index(leader(now)), _by_place(order, now.bids)
    leads = [*(order.index(trick.leader) for trick in now.tricks), lead]
    bits = [bit for _, bit in played]
    tricks = [(first, bits[number * len(order) :][: len(order)]) for number, first in enumerate(leads)]
    return Scene(
        kit=known,
        me=me,
        hand=sum(1 << bit for bit in hand),
        hidden=tuple(sorted(bit for bits in pools.values() for bit in bits)),
        sizes=_by_place(order, held(now)),
        voids=tuple(sum(known.suits[place] for place, suit in enumerate(Suit) if suit in denied[who]) for who in order),
        shown=tuple(sum(values[bit] for owner, bit in played if owner == who) for who in order),
        chosen=tuple(choices(known, me, bids, tricks)),
        bids=bids,
        beyond=_by_place(order, [one.beyond for one in trusted] or [0.0] * len(order)),
        taken=_by_place(order, now.taken),
        turn=order.index(now.turn),
        lead=lead,
        trick=tuple(tricks[-1][1]),
        cards=deal.cards,
        worth=values,
        strong=sum(1 << bit for bit, value in enumerate(values) if value > 1 / 2),
        points=_points(stakes.points, deal.cards),
        hook=stakes.hook,
        finish=stakes.finish and stakes.finish.by_place(order),
    )


def _by_place(order: Sequence[Seat], by_seat: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(by_seat[seat] for seat in order)


@lru_cache(maxsize=64)
def _points(points: Points, cards: int) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(points(bid, taken, cards) for taken in range(cards + 1)) for bid in range(cards + 1))


@lru_cache(maxsize=512)
def worths(known: Kit, seats: int, cards: int) -> tuple[float, ...]:
    """Return the expected tricks of each card, by bit."""
    return tuple(worth(card, known.trump, known.crowned, seats, cards) for card in known.cards)


def guess(here: Scene, hand: int) -> float:
    """Return the expected tricks of a hand."""
    return sum([value for bit, value in enumerate(here.worth) if hand >> bit & 1])


def rounded(about: float, cards: int, barred: int | None) -> int:
    """Return the bid closest to the expected tricks, or the next one if that is barred."""
    bid = min(cards, max(0, round(about)))
    if bid != barred:
        return bid
    return bid + 1 if (about > bid and bid < cards) or bid == 0 else bid - 1
