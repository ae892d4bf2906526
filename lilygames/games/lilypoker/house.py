"""House players for lily-poker: each a function from what its seat may know to a move."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from lilygames.game import Budget, Strategy, Thinker
from lilygames.games.lilypoker import holes
from lilygames.games.lilypoker import search as pokersearch
from lilygames.games.lilypoker.chips import CALL, FOLD, OWN
from lilygames.games.lilypoker.draw import lone, thrown, value
from lilygames.games.lilypoker.luck import fortune
from lilygames.games.lilypoker.worlds import above, situation, stretched
from rules.cards import DECK, JACK, Card
from rules.kit import Luck
from rules.lilypoker import View
from rules.poker import hands
from rules.poker.betting import Betting
from rules.poker.cards import known
from rules.poker.deal import Deal, Discard
from rules.poker.hands import Kind

_SHUFFLES = 4
"""How often a novice imagines how the unseen cards may lie; each time they are several hands."""
_BLUFF = 15
"""One decision in so many a novice makes as if its hand were as good as any."""
_GOOD, _GREAT = 0.55, 0.75
"""Chances to win from which a novice bets, and raises."""
_DREAM = 0.9
"""How much worse than the pot's odds a novice's chance may be for a call: people like to see one card more."""
_TIGHT = 0.08
"""By how much a tight player wants to win more often than the pot's odds ask."""
_DRAW = 4
"""How many times what is owed a pot has to hold for a tight player to draw one card."""
_PROMISING = 0.7
"""How good a first card has to be to bet more on it than one has to."""
_OFTEN = 5
"""How many times as often as a novice a club player imagines how the unseen cards may lie."""


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


def tight(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return the move of somebody who plays few hands, and those straight: by what is in them and the pot's odds.

    At draw it opens a pair of jacks, raises two pair, calls with as much or, where the pot is worth it, with a draw.
    """
    deal = view.deal
    if deal is None or view.seat is None or deal.phase != "bet" or deal.betting.bring_in:
        return novice(view, moves, luck)
    if deal.variant == "draw":
        return _tightly(deal, known(deal.layout.hands[view.seat]), moves)
    won, raises = chance(deal, view.seat, luck), len(moves) > 2  # noqa: PLR2004 - as above
    if raises and won > (_GREAT if deal.betting.owed else _GOOD):
        return _wager(deal.betting, moves)
    fair = deal.betting.owed / (deal.betting.total + deal.betting.owed)
    return moves[1] if deal.betting.owed and won < fair + _TIGHT else moves[0]


def _tightly(deal: Deal, hand: tuple[Card, ...], moves: Sequence[Any]) -> Any:
    """Bet a pair of jacks before the draw and two pair after it, raise from the next better kind on."""
    now, worth = deal.betting, hands.worth(hand)
    jacks = worth.kind > Kind.PAIR or (worth.kind is Kind.PAIR and worth.ranks[0] >= JACK)
    opens = worth.kind >= Kind.TWO_PAIR if deal.street else jacks
    again = worth.kind > (Kind.TWO_PAIR if deal.street else Kind.PAIR)
    if len(moves) > 2 and (again if now.owed else opens):  # noqa: PLR2004 - as above
        return _wager(now, moves)
    draw = not deal.street and lone(hand) and _DRAW * now.owed <= now.total
    return moves[1] if now.owed and not (jacks or draw) else moves[0]


def club(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return the move of a club player: by how good its hand is among all hands, the bets so far and the pot's odds."""
    deal = view.deal
    if deal is None or view.seat is None or deal.phase != "bet":
        return novice(view, moves, luck)
    good = _good(deal, view.seat, luck)
    if deal.betting.bring_in:
        return moves[1] if good > _PROMISING and len(moves) > 1 else moves[0]
    now = situation(deal)
    what = now.decided(good, OWN, random.Random(luck.roll(2**62)))  # noqa: S311 - seeded by its own luck
    if what in (CALL, FOLD) or len(moves) <= 2:  # noqa: PLR2004 - as above
        return moves[1] if what == FOLD else moves[0]
    return _wager(deal.betting, moves)


def _good(deal: Deal, seat: int, luck: Luck) -> float:
    """Return the share of hands that are worse than the seat's, after a draw among those who drew as many cards."""
    hand = known(deal.layout.hands[seat])
    if deal.variant == "draw":
        return above(deal, seat, hands.strength(hand)) if deal.street else value(hand)
    if deal.variant == "holdem" and not deal.layout.board:
        return holes.good(hand)
    return stretched(deal, seat, beaten(deal, seat, luck, _SHUFFLES * _OFTEN))


def search(view: View, moves: Sequence[Any], luck: Luck, budget: Budget) -> Any:
    """Return the move of a club player, or one that comes to clearly more in deals that could be."""
    deal = view.deal
    if deal is None or view.seat is None or deal.phase == "show":
        return novice(view, moves, luck)
    usual, rng = club(view, moves, luck), random.Random(luck.roll(2**62))  # noqa: S311 - seeded by its own luck
    return pokersearch.best_move(view.match.options, deal, view.seat, moves, usual, rng=rng, budget=budget)


def chance(deal: Deal, seat: int, luck: Luck) -> float:
    """Return how likely the seat's hand beats those of all who are in, each taken to hold any cards."""
    return float(beaten(deal, seat, luck, _SHUFFLES) ** (len(deal.betting.living) - 1))


def beaten(deal: Deal, seat: int, luck: Luck, shuffles: int) -> float:
    """Return the share of hands that the seat's hand beats."""
    own, up, board = deal.layout.hands[seat], deal.layout.up[seat], deal.layout.board
    seen = {*own, *board, *(card for cards in deal.layout.up for card in cards)}
    unseen = [card for card in DECK if card not in seen]
    won = tries = 0.0
    for _ in range(shuffles):
        cards = list(luck.shuffle(unseen))
        while (result := _tried(deal, known((*own, *up)), cards)) is not None:
            won, tries = won + result, tries + 1
    return won / tries


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
    ours = hands.strength((*own, *rest[whole:], *board)[:7])
    theirs = hands.strength((*rest[:whole], *board)[:7])
    return 1.0 if ours > theirs else 0.5 if ours == theirs else 0.0


def _drawn(hand: tuple[Card, ...], moves: Sequence[Any]) -> Any:
    """Throw what makes nothing, as many as the table allows."""
    most = max(len(move.cards) for move in moves)
    return Discard(hands.by_rank(sorted(thrown(hand), key=lambda card: card.rank)[:most]))


LEVELS: Mapping[str, Strategy] = {"novice": novice, "club": club, "shark": Thinker(search, Budget(120))}
"""The house players of lily-poker by level."""
STYLES: Mapping[str, Strategy] = {"tight": tight}
"""Another to measure them by, who plays few hands and those straight."""
FORTUNE = fortune
"""What the luck of the cards was, for a duel to take off."""
