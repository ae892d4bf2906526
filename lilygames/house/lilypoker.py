"""House players for lily-poker: each a function from what its seat may know to a move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from lilygames.game import Strategy
from rules import pokerhands
from rules.betting import Betting
from rules.cards import DECK, Card
from rules.kit import Luck
from rules.lilypoker import View
from rules.pokercards import known
from rules.pokerdeal import Deal, Discard
from rules.pokerhands import Kind

_SHUFFLES = 4
"""How often a novice imagines how the unseen cards may lie; each time they are several hands."""
_BLUFF = 15
"""One decision in so many a novice makes as if its hand were as good as any."""
_GOOD, _GREAT = 0.55, 0.75
"""Chances to win from which a novice bets, and raises."""
_DREAM = 0.9
"""How much worse than the pot's odds a novice's chance may be for a call: people like to see one card more."""
_MADE = {Kind.PAIR: 2, Kind.TWO_PAIR: 4, Kind.TRIPS: 3}
"""How many cards of a hand that may get better make it what it is."""
_FOUR, _SPREAD = 4, 4
"""Cards that lack one for a straight or flush, and how far apart they may lie for a straight open at both ends."""


def novice(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return the move of a novice: by the odds of its cards against any others, as if bets told nothing of them."""
    deal = view.deal
    if deal is None or view.seat is None:
        return luck.choice(moves)
    match deal.phase:
        case "draw":
            return _drawn(known(deal.layout.hands[view.seat]), moves)
        case "show":
            return moves[0]
    if deal.betting.bring_in:
        return moves[-1] if chance(deal, view.seat, luck) > _GOOD else moves[0]
    return _bet(deal, view.seat, moves, luck)


def _bet(deal: Deal, seat: int, moves: Sequence[Any], luck: Luck) -> Any:
    """Check or call, fold, bet or raise: what is owed against what there is to win."""
    now = deal.betting
    won = 1.0 if luck.roll(_BLUFF) == 1 else chance(deal, seat, luck)
    raises = len(moves) > 2  # noqa: PLR2004 - after a check or call, and a fold
    if raises and won > (_GREAT if now.owed else _GOOD):
        return _wager(now, moves)
    if now.owed and won < _DREAM * now.owed / (now.total + now.owed):
        return moves[1]
    return moves[0]


def _wager(now: Betting, moves: Sequence[Any]) -> Any:
    """Bet what the limit says, without one about half of what is in the pot."""
    least, most = moves[2].to, moves[len(moves) - 1].to
    return moves[2 + max(least, min(most, now.top + now.total // 2)) - least]


def chance(deal: Deal, seat: int, luck: Luck) -> float:
    """Return how likely the seat's hand beats those of all who are in, each taken to hold any cards."""
    own, up, board = deal.layout.hands[seat], deal.layout.up[seat], deal.layout.board
    seen = {*own, *board, *(card for cards in deal.layout.up for card in cards)}
    unseen = [card for card in DECK if card not in seen]
    won = tries = 0.0
    for _ in range(_SHUFFLES):
        cards = list(luck.shuffle(unseen))
        while (result := _tried(deal, known((*own, *up)), cards)) is not None:
            won, tries = won + result, tries + 1
    return float((won / tries) ** (len(deal.betting.living) - 1))


def _tried(deal: Deal, own: tuple[Card, ...], cards: list[Card]) -> float | None:
    """Deal the rest of the hand from the end of `cards` to oneself and to one other; None when they are used up."""
    common = (5 if deal.variant == "holdem" else 0) - len(deal.layout.board)
    whole = {"draw": 5, "stud7": 7, "holdem": 2}[deal.variant]
    needed = max(0, common) + whole - len(own) + whole
    if len(cards) < needed:
        return None
    taken = [cards.pop() for _ in range(needed)]
    board = (*deal.layout.board, *taken[: max(0, common)])
    rest = taken[max(0, common) :]
    ours = pokerhands.strength((*own, *rest[whole:], *board)[:7])
    theirs = pokerhands.strength((*rest[:whole], *board)[:7])
    return 1.0 if ours > theirs else 0.5 if ours == theirs else 0.0


def _drawn(hand: tuple[Card, ...], moves: Sequence[Any]) -> Any:
    """Throw what makes nothing, as many as the table allows."""
    most = max(len(move.cards) for move in moves)
    return Discard(pokerhands.by_rank(sorted(thrown(hand), key=lambda card: card.rank)[:most]))


def thrown(hand: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return the cards that a novice throws: all but the pairs and the like, a four-card draw, or two high cards."""
    worth = pokerhands.worth(hand)
    if worth.kind in _MADE:
        times = Counter(card.rank for card in hand)
        return tuple(card for card in hand if times[card.rank] == 1)
    if worth.kind > Kind.TRIPS:
        return ()
    for lone in hand:
        if _nearly([card for card in hand if card is not lone]):
            return (lone,)
    return pokerhands.by_rank(hand)[2:]


def _nearly(four: Sequence[Card]) -> bool:
    """Whether four cards make a flush but for one, or a straight open at both ends."""
    ranks = [card.rank for card in four]
    flush = len({card.suit for card in four}) == 1
    return flush or (len(set(ranks)) == _FOUR and max(ranks) - min(ranks) < _SPREAD)


LEVELS: Mapping[str, Strategy] = {"novice": novice}
"""The house players of lily-poker by level."""
