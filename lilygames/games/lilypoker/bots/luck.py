"""The share of luck in a seat's poker results; duels subtract it to reduce variance.

Each dealt card changes every seat's expected share of the pot (its equity if nobody bet again). Undealt cards are
equally likely in any order, so these changes average to zero, and results without them have the same mean. If everyone
is all-in, this is all-in equity. The luck of the first cards is left to duplicate deals.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import attrs

from lilygames.games.lilypoker.views.draw import thrown
from lilygames_rules.cards import Card
from lilygames_rules.kit import Luck, Seat
from lilygames_rules.lilypoker import Move, State
from lilygames_rules.poker import hands, pots
from lilygames_rules.poker.cards import known
from lilygames_rules.poker.deal import Deal, Discard
from lilygames_rules.poker.pots import Pot
from lilygames_rules.poker.table import Variant

_TRIES = 16
"""Simulated runouts for several cards to come; a single card is enumerated."""
_GROWS = 1.3
"""Factor for future bets, which luck also wins, in multiples of the pot; any value keeps the mean."""
_WHOLE = {"draw": 5, "stud7": 7, "holdem": 2}
"""A seat's cards at the end of a hand."""
_BOARD = {"draw": 0, "stud7": 0, "holdem": 5}
"""Cards on the board at the end of a hand."""


@attrs.frozen(eq=False)
class _Lie:
    """The cards kept by each seat still in, the board, and the unseen cards."""

    variant: Variant
    kept: dict[Seat, tuple[Card, ...]]
    board: tuple[Card, ...]
    stock: tuple[Card, ...]

    @property
    def missing(self) -> int:
        """Number of cards to come."""
        held = sum(map(len, self.kept.values()))
        return _WHOLE[self.variant] * len(self.kept) + _BOARD[self.variant] - held - len(self.board)

    def shares(self, found: Sequence[Pot], seats: int, rng: random.Random) -> list[float]:
        """Return each seat's expected share of the pots."""
        totals, dealt = [0.0] * seats, [*self._dealt(rng)]
        for cards in dealt:
            worth = self._worth(cards)
            for pot in found:
                best = max(worth[seat] for seat in pot.seats)
                winners = [seat for seat in pot.seats if worth[seat] == best]
                for seat in winners:
                    totals[seat] += pot.amount / len(winners) / len(dealt)
        return totals

    def _dealt(self, rng: random.Random) -> Iterator[list[Card]]:
        """Yield possible cards to come."""
        missing = self.missing
        if missing == 1:
            yield from ([card] for card in self.stock)
        else:
            yield from (rng.sample(self.stock, missing) for _ in range(_TRIES if missing else 1))

    def _worth(self, cards: list[Card]) -> dict[Seat, int]:
        """Return the strength of each hand with these cards, board cards first."""
        place = _BOARD[self.variant] - len(self.board)
        board, whole, found = [*self.board, *cards[:place]], _WHOLE[self.variant], {}
        for seat, kept in self.kept.items():
            needs = whole - len(kept)
            found[seat] = hands.strength([*kept, *cards[place : place + needs], *board])
            place += needs
        return found


def fortune(before: State, move: Move, after: State, luck: Luck) -> Sequence[float]:
    """Return the luck of each seat from the cards dealt after a move; it averages to 0 over all orders of the stock."""
    deal, seats = before.deal, len(after.match.chips)
    then = after.deal if after.match.played == before.match.played else after.last
    if deal is None or then is None or len(then.layout.stock) == len(deal.layout.stock):
        return (0.0,) * seats
    living, rng = then.betting.living, random.Random(luck.roll(2**62))  # noqa: S311 - seeded by its own luck
    lies = _lie(deal, living, move), _lie(then, living)
    if lies[0].missing > len(lies[0].stock):
        return (0.0,) * seats
    found = pots.pots(then.betting.paid, living, deal.betting.carried)
    had, has = (lie.shares(found, seats, rng) for lie in lies)
    return [_GROWS * (now - once) for now, once in zip(has, had, strict=True)]


def _lie(deal: Deal, living: Sequence[Seat], move: Move | None = None) -> _Lie:
    """Return the cards after the move's discards, and the usual discards of seats that haven't drawn yet."""
    layout = deal.layout
    kept = {seat: known((*layout.hands[seat], *layout.up[seat])) for seat in living}
    for seat in deal.drawing:
        away = move.cards if isinstance(move, Discard) and seat == deal.turn else thrown(kept[seat])
        kept[seat] = tuple([card for card in kept[seat] if card not in away])
    return _Lie(deal.variant, kept, layout.board, known(layout.stock))
