"""Random poker deals that fit what a seat has seen: opponents' hands, and everyone's final hands.

Opponents get hands and playing styles by rejection sampling: each is kept with the probability that it would have drawn
and bet as they did. So all deals have equal weight.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import attrs

from lilygames.games.lilypoker.bots.habits import Opponents
from lilygames.games.lilypoker.bots.ranges import against, among, by_draw, hands, on_board, seven
from lilygames.games.lilypoker.solved import holes
from lilygames.games.lilypoker.views.chips import Chips, Temper, chips, standing
from lilygames.games.lilypoker.views.draw import thrown, value
from lilygames_rules.cards import DECK, Card
from lilygames_rules.kit import Seat
from lilygames_rules.poker import hands as pokerhands
from lilygames_rules.poker.cards import known
from lilygames_rules.poker.deal import Deal
from lilygames_rules.poker.table import Options

_RIVALS = 8
"""Number of hands on the same board that a hold'em hand is compared with."""
_CLEAR = {0: 0.35, 3: 0.65, 4: 0.8, 5: 1.0}
"""How well players know their final hand, by the number of board cards, or of a stud hand's cards beyond two."""
_KICKER = 2
"""Number of useless cards from which one of them may be kept."""
_BOARD = 5
"""Board cards at the end of a hold'em hand."""
_PATIENCE, _TRIES = 40, 12
"""Attempts to find a hand that fits an opponent's play, in draw and in other games."""
_CURRENT = 0.8
"""Weight of the current hand against the final hand when hold'em players judge their cards."""


@attrs.define(eq=False)
class World:
    """A possible deal: each seat's current and final strength, and its rank at the showdown."""

    now: dict[Seat, float]
    final: dict[Seat, float]
    strength: dict[Seat, int]
    tempers: dict[Seat, Temper]
    drew: dict[Seat, int] = attrs.field(factory=dict)
    """Cards each seat draws, in draw."""
    stock: list[Card] = attrs.field(factory=list)
    """The cards that nobody holds."""


def above(deal: Deal, seat: Seat, strength: int) -> float:
    """Return the strength of a hand after the draw, against hands that drew as many cards as each opponent."""
    return against([deal.drew[other] or 0 for other in _others(deal, seat)], strength)


def worlds(
    options: Options, deal: Deal, seat: Seat, rng: random.Random, number: int, *, opponents: Opponents
) -> Iterator[World]:
    """Yield that many possible deals for a seat."""
    layout = deal.layout
    seen = {*known(layout.hands[seat]), *layout.board, *(card for cards in layout.up for card in cards)}
    seen |= {card for dead in layout.dead if dead.seat == seat for card in known(dead.cards)}
    unseen = [card for card in DECK if card not in seen]
    if deal.variant == "draw":
        for _ in range(number):
            yield _drawn_world(options, deal, seat, opponents, rng=rng, unseen=unseen)
    else:
        dealing = _Dealing(options, deal, seat, rng, opponents)
        for _ in range(number):
            yield dealing.world(dealing.end(unseen), unseen)


def _others(deal: Deal, seat: Seat) -> list[Seat]:
    return [other for other in deal.betting.living if other != seat]


def _bettor(deal: Deal, seat: Seat) -> bool:
    return deal.betting.aggressor == seat


# Draw.


def _drawn_world(
    options: Options, deal: Deal, seat: Seat, opponents: Opponents, *, rng: random.Random, unseen: Sequence[Card]
) -> World:
    """Deal hands that fit the draws and bets of others, then let the remaining seats draw."""
    world, stock = World({}, {}, {}, {}), _shuffled(unseen, rng)
    for other in _others(deal, seat):
        if len(stock) < pokerhands.FIVE:  # in the game the discards come back then
            stock = _shuffled(unseen, rng)
        stock = _give(options, deal, other, world, opponents, stock=stock, rng=rng)
    _finish(world, deal, seat, known(deal.layout.hands[seat]), stock)
    for one in deal.betting.living:
        world.final[one] = against([world.drew[other] for other in world.drew if other != one], world.strength[one])
        if deal.street:
            world.now[one] = world.final[one]
    return attrs.evolve(world, stock=stock)


def _give(
    options: Options, deal: Deal, seat: Seat, world: World, opponents: Opponents,
    *, stock: Sequence[Card], rng: random.Random,
) -> list[Card]:  # fmt: skip
    """Give a seat a hand and a style that fit its play; return the rest of the stock."""
    left = [*stock]
    for _ in range(_PATIENCE):
        temper, hand = opponents.temper(seat, rng), _held(deal.drew[seat], stock, rng)
        if rng.random() >= _likely_before(options, deal, seat, value(hand), temper):
            continue
        world.tempers[seat] = temper
        left = [card for card in stock if card not in hand]
        if deal.street:
            left = _shuffled(left, rng)
        _finish(world, deal, seat, hand, left)
        if rng.random() < _likely_after(deal, seat, world.strength[seat], temper):
            return left
    if seat not in world.tempers:
        world.tempers[seat] = opponents.temper(seat, rng)
        hand = _held(deal.drew[seat], stock, rng)
        left = [card for card in stock if card not in hand]
        _finish(world, deal, seat, hand, left)
    return left


def _held(drew: int | None, stock: Sequence[Card], rng: random.Random) -> tuple[Card, ...]:
    """Return a hand from which that many cards are discarded (None: any number); if none fits, any hand."""
    pool, free = hands() if drew is None else by_draw()[drew], set(stock)
    for _ in range(_PATIENCE if pool else 0):
        hand = pool[int(rng.random() * len(pool))]
        if free.issuperset(hand):
            return hand
    return tuple(_shuffled(stock, rng)[: pokerhands.FIVE])


def _shuffled(cards: Sequence[Card], rng: random.Random) -> list[Card]:
    """Shuffle the cards; the standard library's shuffle takes ten times as long."""
    return sorted(cards, key=lambda _: rng.random())


def _finish(world: World, deal: Deal, seat: Seat, hand: tuple[Card, ...], stock: list[Card]) -> None:
    """Let a seat draw from the end of the stock, as far as that goes, unless it already has."""
    drew = deal.drew[seat]
    if drew is None or None in deal.layout.hands[seat]:
        away = thrown(hand)[: len(stock)]
        world.now[seat] = value(hand)
        hand = tuple([card for card in hand if card not in away] + [stock.pop() for _ in away])
        drew = len(away)
    world.drew[seat] = drew
    world.strength[seat] = pokerhands.strength(hand)


def _likely_before(options: Options, deal: Deal, seat: Seat, good: float, temper: Temper) -> float:
    """Return the probability of the betting before the draw with this hand."""
    now = deal.betting
    if not deal.street:
        return standing(now.count, good, temper, bettor=_bettor(deal, seat)) if now.bets[seat] else 1.0
    paid = now.paid[seat] - now.bets[seat] - options.ante_of("draw")
    return standing(round(paid / max(1, options.small_bet)), good, temper, bettor=False)


def _likely_after(deal: Deal, seat: Seat, strength: int, temper: Temper) -> float:
    """Return the probability of the betting after the draw with this hand."""
    now = deal.betting
    if not deal.street or deal.drawing or (seat in now.waiting and not now.bets[seat]):
        return 1.0
    count = now.count if now.bets[seat] else 0
    return standing(count, above(deal, seat, strength), temper, bettor=_bettor(deal, seat))


# Stud and hold'em.


@attrs.frozen(eq=False)
class _End:
    """A complete board, and the sorted strengths of other hands on it."""

    board: tuple[Card, ...]
    rivals: Sequence[int]

    def strength(self, cards: Sequence[Card]) -> int:
        """Return the final rank of the cards."""
        return pokerhands.strength((*cards, *self.board)[:7])

    def final(self, cards: Sequence[Card]) -> float:
        """Return the share of hands with a worse final rank."""
        return among(self.rivals, self.strength(cards))


@attrs.frozen
class _Line:
    """The bets of a seat so far."""

    before: float
    """Big bets on earlier streets, at most three."""
    came_in: bool
    """Whether it chose to pay for a hold'em flop."""
    checked: bool
    """Whether it has checked on this street."""
    count: int
    """Bets and raises on this street that it has called or made."""
    bettor: bool


class _Dealing:
    """Random continuations of a stud or hold'em hand, as a seat sees it."""

    def __init__(self, options: Options, deal: Deal, seat: Seat, rng: random.Random, opponents: Opponents) -> None:
        self._opponents = opponents
        self._options = options
        self._deal = deal
        self._seat = seat
        self._rng = rng
        self._clear = _clear(deal, seat)
        self._holdem = deal.variant == "holdem"
        self._lines = {other: self._line(other) for other in _others(deal, seat)}
        layout = deal.layout
        self._held = {one: [*known(layout.hands[one]), *layout.up[one]] for one in deal.betting.living}
        self._size = 2 if self._holdem else 7 - len(layout.board)

    def end(self, unseen: Sequence[Card]) -> _End:
        """Return a possible complete board; empty in stud."""
        if not self._holdem:
            return _End(self._deal.layout.board, seven())
        stock, board = _shuffled(unseen, self._rng), self._deal.layout.board
        if len(board) == _BOARD:
            return _End(board, on_board(board))
        board = (*board, *(stock.pop() for _ in range(_BOARD - len(board))))
        pairs = [stock[place : place + 2] for place in range(0, 2 * _RIVALS, 2)]
        return _End(board, sorted(pokerhands.strength([*pair, *board]) for pair in pairs))

    def world(self, end: _End, unseen: Sequence[Card]) -> World:
        """Give the opponents hands and styles that fit their play."""
        world, stock = World({}, {}, {}, {}), [card for card in unseen if card not in end.board]
        for other in _others(self._deal, self._seat):
            for _ in range(_TRIES):
                temper, cards = self._opponents.temper(other, self._rng), self._cards(other, stock)
                if self._rng.random() < self._likely(self._lines[other], cards, end, temper):
                    break
            world.tempers[other] = temper
            stock = self._given(world, other, cards, end, stock)
        self._given(world, self._seat, self._cards(self._seat, stock), end, stock)
        return world

    def _cards(self, seat: Seat, stock: Sequence[Card]) -> list[Card]:
        """Return all cards of a seat, present and future."""
        held = self._held[seat]
        return held + self._rng.sample(stock, min(len(stock), max(0, self._size - len(held))))

    def _now(self, cards: Sequence[Card], end: _End) -> float:
        """Return the current strength of the cards."""
        board = self._deal.layout.board
        if not self._holdem:
            return self._clear * end.final(cards) + (1 - self._clear) * self._rng.random()
        if len(board) in (0, _BOARD):
            return end.final(cards) if board else holes.good(tuple(cards))
        current = among(on_board(board), pokerhands.strength([*cards, *board]))
        return _CURRENT * current + (1 - _CURRENT) * end.final(cards)

    def _given(self, world: World, seat: Seat, cards: Sequence[Card], end: _End, stock: list[Card]) -> list[Card]:
        """Give a seat the cards; return the rest of the stock."""
        world.strength[seat], world.final[seat] = end.strength(cards), end.final(cards)
        world.now[seat] = self._now(cards, end)
        return [card for card in stock if card not in cards]

    def _likely(self, line: _Line, cards: Sequence[Card], end: _End, temper: Temper) -> float:
        """Return the probability of a seat's betting so far with such a hand; earlier streets count less."""
        good = self._now(cards, end)
        likely: float = ((0.4 + good) / 1.4) ** line.before
        if line.came_in:
            likely *= standing(1, holes.good(tuple(cards)), temper, bettor=False)
        if line.checked:
            likely *= standing(0, good, temper, bettor=False)
        if line.count:
            likely *= standing(line.count, good, temper, bettor=line.bettor)
        return likely

    def _line(self, seat: Seat) -> _Line:
        now, small, bet = self._deal.betting, self._options.small_bet, self._deal.betting.bets[seat]
        before = now.paid[seat] - bet - self._options.ante_of(self._deal.variant)
        blinds = self._holdem and not self._deal.street
        return _Line(
            before=min(3, before / max(1, 2 * small)),
            came_in=self._holdem and self._came_in(seat, small),
            checked=not bet and seat not in now.waiting,
            count=max(0, now.count - blinds) if bet else 0,
            bettor=_bettor(self._deal, seat),
        )

    def _came_in(self, seat: Seat, small: int) -> bool:
        now = self._deal.betting
        before = now.paid[seat] - now.bets[seat] if self._deal.street else now.bets[seat]
        big_blind = now.order[1] if len(now.order) > 2 else now.order[0]  # noqa: PLR2004 - of two, the dealer has the small one
        return before > small if seat == big_blind else before >= small


def _clear(deal: Deal, seat: Seat) -> float:
    """Return how well players know their final hand by now."""
    if deal.variant == "holdem":
        return _CLEAR[min((0, 3, 4, 5), key=lambda cards: abs(cards - len(deal.layout.board)))]
    held = len(deal.layout.hands[seat]) + len(deal.layout.up[seat])
    return min(1.0, 0.35 + (held - 3) * 0.16)


def situation(deal: Deal) -> Chips:
    """Return the chips of a hand, ready to simulate."""
    to_come = 1.0 - deal.street if deal.variant == "draw" else 1.5 * (1 - _clear(deal, deal.betting.living[0]))
    return chips(deal.betting, blinds=deal.variant == "holdem" and not deal.street, to_come=to_come)


def stretched(deal: Deal, seat: Seat, won: float) -> float:
    """Return the current strength of a hand, given its final strength.

    While cards are to come, all hands win about equally often.
    """
    return min(1.0, max(0.0, 0.5 + (won - 0.5) / _clear(deal, seat)))


def draws(hand: tuple[Card, ...], most: int) -> list[tuple[Card, ...]]:
    """Return the reasonable discards from five cards: all useless cards, or all but the highest of them."""
    away = pokerhands.by_rank(thrown(hand))
    found = [away] if len(away) < _KICKER else [away, away[1:]]
    return [cards[-most:] for cards in found]
