"""What others may hold at poker, and what all may hold in the end: deals that could be, and how likely each is."""

from __future__ import annotations

import random
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import prod

import attrs

from lilygames.house.pokerchips import TEMPERS, Chips, Temper, chips, standing
from lilygames.house.pokerdraw import thrown, value
from rules import pokerhands
from rules.cards import DECK, Card
from rules.kit import Seat
from rules.pokercards import known
from rules.pokerdeal import Deal
from rules.pokertable import Options

_SAMPLES = 3000
"""How many hands are dealt to find out how good a hand is."""
_RIVALS = 8
"""To how many hands on the same board a hand at hold'em is compared."""
_CLEAR = {0: 0.35, 3: 0.65, 4: 0.8, 5: 1.0}
"""How far people know in the end what they hold, by the cards on the board or, at stud, of one's own beyond two."""
_KICKER = 2
"""From how many cards that make nothing on one may be kept."""
_PATIENCE = 40
"""How many hands are tried for one that somebody may hold who drew so many cards."""


@attrs.define(eq=False)
class World:
    """A deal that could be: by seat how good a hand is now and in the end, and how strong it is at the showdown."""

    now: dict[Seat, float]
    final: dict[Seat, float]
    strength: dict[Seat, int]
    weight: float
    tempers: dict[Seat, Temper]
    stock: list[Card] = attrs.field(factory=list)
    """What nobody holds then."""


@cache
def usual(size: int) -> tuple[int, ...]:
    """Return how strong some hands of so many cards are, in order; at five those are hands after a draw."""
    rng, found = random.Random(size), []  # noqa: S311 - the same hands in every process
    for _ in range(_SAMPLES):
        cards = rng.sample(DECK, 10)
        hand = cards[:size]
        if size == pokerhands.FIVE:
            if value(tuple(hand)) < _PLAYED:
                continue
            kept = [card for card in hand if card not in thrown(tuple(hand))]
            hand = [*kept, *cards[size:]][:size]
        found.append(pokerhands.strength(hand))
    return tuple(sorted(found))


@cache
def _after(drew: int) -> tuple[int, ...]:
    """Return how strong some hands are in the end of which so many cards were thrown, in order."""
    rng, found = random.Random(drew), []  # noqa: S311 - as above
    pool = [hand for hand in _by_draw()[drew] if value(hand) >= _PAID] or _by_draw()[drew]
    for _ in range(_SAMPLES // 2):
        hand = pool[int(rng.random() * len(pool))]
        away, stock = thrown(hand), [card for card in DECK if card not in hand]
        kept = [card for card in hand if card not in away]
        found.append(pokerhands.strength([*kept, *rng.sample(stock, len(away))]))
    return tuple(sorted(found))


def above(deal: Deal, seat: Seat, strength: int) -> float:
    """Return how good a hand is after the draw: the share it beats of those that drew as many cards as each other."""
    shares = [max(_LEAST, among(_after(min(_MOST, deal.drew[other] or 0)), strength)) for other in _others(deal, seat)]
    return float(prod(shares) ** (1 / len(shares)))


_PLAYED, _PAID = 0.4, 0.5
"""How good a hand is before the draw at least that people go on with, and that they pay for."""
_MOST = 3
"""How many cards are thrown at most by who knows what to keep."""
_LEAST = 0.001
"""The share of hands that is taken to be worse at least."""


def among(strengths: Sequence[int], strength: int) -> float:
    """Return the share of hands that are worse."""
    return bisect_left(strengths, strength) / len(strengths)


@cache
def _by_draw() -> Mapping[int, tuple[tuple[Card, ...], ...]]:
    """Return some hands before the draw by how many cards people throw of them."""
    rng, found = random.Random(1), {count: list[tuple[Card, ...]]() for count in range(6)}  # noqa: S311 - as above
    for _ in range(6 * _SAMPLES):
        hand = tuple(rng.sample(DECK, 5))
        found[len(thrown(hand))].append(hand)
    return {count: tuple(hands) for count, hands in found.items()}


def worlds(options: Options, deal: Deal, seat: Seat, rng: random.Random, number: int) -> Iterator[World]:
    """Yield so many deals that could be, for a seat that sees its own cards."""
    layout = deal.layout
    seen = {*known(layout.hands[seat]), *layout.board, *(card for cards in layout.up for card in cards)}
    seen |= {card for dead in layout.dead if dead.seat == seat for card in known(dead.cards)}
    unseen = [card for card in DECK if card not in seen]
    imagine = _drawn_world if deal.variant == "draw" else _dealt_world
    for _ in range(number):
        yield imagine(options, deal, seat, rng, unseen)


def _tempers(deal: Deal, rng: random.Random) -> dict[Seat, Temper]:
    return {seat: TEMPERS[int(rng.random() * len(TEMPERS))] for seat in deal.betting.living}


def _others(deal: Deal, seat: Seat) -> list[Seat]:
    return [other for other in deal.betting.living if other != seat]


def _bettor(deal: Deal, seat: Seat) -> bool:
    return deal.betting.aggressor == seat


# Draw.


def _drawn_world(options: Options, deal: Deal, seat: Seat, rng: random.Random, unseen: Sequence[Card]) -> World:
    """Deal hands that fit what others drew, then let all draw who have not."""
    own = known(deal.layout.hands[seat])
    world, stock = World({}, {}, {}, 1.0, _tempers(deal, rng)), rng.sample(unseen, len(unseen))
    for other in _others(deal, seat):
        hand = _held(deal.drew[other], stock, rng)
        stock = [card for card in stock if card not in hand]
        world.weight *= _likely_before(options, deal, other, value(hand), world.tempers[other])
        _finish(world, deal, other, hand, stock)
        world.weight *= _likely_after(deal, other, world)
    _finish(world, deal, seat, own, stock)
    world.stock = stock
    return world


def _held(drew: int | None, stock: Sequence[Card], rng: random.Random) -> tuple[Card, ...]:
    """Return a hand before the draw of which so many are thrown; where none fits, any hand."""
    pool = _by_draw()[drew] if drew is not None else ()
    free = set(stock)
    for _ in range(_PATIENCE if pool else 0):
        hand = pool[int(rng.random() * len(pool))]
        if free.issuperset(hand):
            return hand
    return tuple(stock[:5])


def _finish(world: World, deal: Deal, seat: Seat, hand: tuple[Card, ...], stock: list[Card]) -> None:
    """Let a seat draw from the end of the stock, unless the hand is one that has drawn."""
    own = deal.drew[seat] is not None and None not in deal.layout.hands[seat]
    if not own:
        away = thrown(hand)
        world.now[seat] = value(hand)
        hand = tuple([card for card in hand if card not in away] + [stock.pop() for _ in away])
    world.strength[seat] = pokerhands.strength(hand)
    world.final[seat] = among(usual(5), world.strength[seat])
    if deal.street:
        world.now[seat] = world.final[seat]


def _likely_before(options: Options, deal: Deal, seat: Seat, good: float, temper: Temper) -> float:
    """Return how likely a hand was bet before the draw as it was."""
    now = deal.betting
    if not deal.street:
        return standing(now.count, good, temper, bettor=_bettor(deal, seat)) if now.bets[seat] else 1.0
    paid = now.paid[seat] - now.bets[seat] - options.ante_of("draw")
    return standing(round(paid / max(1, options.small_bet)), good, temper, bettor=False)


def _likely_after(deal: Deal, seat: Seat, world: World) -> float:
    """Return how likely a hand was bet after the draw as it was."""
    now = deal.betting
    if not deal.street or deal.drawing or (seat in now.waiting and not now.bets[seat]):
        return 1.0
    count = now.count if now.bets[seat] else 0
    return standing(count, world.final[seat], world.tempers[seat], bettor=_bettor(deal, seat))


# Stud and hold'em.


def _dealt_world(options: Options, deal: Deal, seat: Seat, rng: random.Random, unseen: Sequence[Card]) -> World:
    """Deal everybody all that is to come; of how strong that will be they know a part by now."""
    stock = rng.sample(unseen, len(unseen))
    board = [*deal.layout.board]
    holdem = deal.variant == "holdem"
    board += [stock.pop() for _ in range(5 - len(board))] if holdem else []
    world, clear = World({}, {}, {}, 1.0, _tempers(deal, rng)), _clear(deal, seat)
    rivals = _rivals(tuple(board), stock) if holdem else usual(7)
    for other in deal.betting.living:
        cards = [*known(deal.layout.hands[other]), *deal.layout.up[other]]
        size = 2 if holdem else 7 - len(board)
        while len(cards) < size and stock:
            cards.append(stock.pop())
        strength = pokerhands.strength([*cards, *board][:7])
        world.strength[other], world.final[other] = strength, among(rivals, strength)
        world.now[other] = clear * world.final[other] + (1 - clear) * rng.random()
        if other != seat:
            world.weight *= _likely(options, deal, other, world)
    return world


def _rivals(board: tuple[Card, ...], stock: Sequence[Card]) -> list[int]:
    pairs = [stock[place : place + 2] for place in range(0, 2 * _RIVALS, 2)]
    return sorted(pokerhands.strength([*pair, *board]) for pair in pairs)


def _clear(deal: Deal, seat: Seat) -> float:
    """Return how far people know by now what they will hold."""
    if deal.variant == "holdem":
        return _CLEAR[min((0, 3, 4, 5), key=lambda cards: abs(cards - len(deal.layout.board)))]
    held = len(deal.layout.hands[seat]) + len(deal.layout.up[seat])
    return min(1.0, 0.35 + (held - 3) * 0.16)


def situation(deal: Deal) -> Chips:
    """Return the chips as a hand stands, to go on with."""
    to_come = 1.0 - deal.street if deal.variant == "draw" else 1.5 * (1 - _clear(deal, deal.betting.living[0]))
    return chips(deal.betting, blinds=deal.variant == "holdem" and not deal.street, to_come=to_come)


def stretched(deal: Deal, seat: Seat, won: float) -> float:
    """Return the share of hands that are worse than one that beats so great a share of hands in the end.

    As long as cards are to come, all hands win about as often.
    """
    return min(1.0, max(0.0, 0.5 + (won - 0.5) / _clear(deal, seat)))


def _likely(options: Options, deal: Deal, seat: Seat, world: World) -> float:
    """Return how likely somebody has bet so far on such a hand: what was bet on earlier streets tells less."""
    now, good = deal.betting, world.now[seat]
    before = now.paid[seat] - now.bets[seat] - options.ante_of(deal.variant)
    weight: float = (0.4 + good) ** min(3, before / max(1, 2 * options.small_bet))
    blinds = deal.variant == "holdem" and not deal.street
    if now.bets[seat] and now.count > blinds:
        weight *= standing(now.count - blinds, good, world.tempers[seat], bettor=_bettor(deal, seat))
    return weight


def draws(hand: tuple[Card, ...], most: int) -> list[tuple[Card, ...]]:
    """Return what may be thrown of five cards: what makes nothing, or all of it but its highest card."""
    away = pokerhands.by_rank(thrown(hand))
    found = [away] if len(away) < _KICKER else [away, away[1:]]
    return [cards[-most:] for cards in found]
