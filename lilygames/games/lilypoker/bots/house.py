"""Bots for lily-poker; each is a function from a view to a move."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs

from lilygames.game import Budget, Memory, Strategy, Thinker
from lilygames.games.lilypoker.bots import by_table, habits, ranges
from lilygames.games.lilypoker.bots import search as pokersearch
from lilygames.games.lilypoker.bots.luck import fortune
from lilygames.games.lilypoker.bots.worlds import above, situation, stretched
from lilygames.games.lilypoker.solved import draw_solution, holes, solution
from lilygames.games.lilypoker.views.chips import CALL, FOLD
from lilygames.games.lilypoker.views.draw import advised, lone, value
from lilygames.house.habits import Remembering
from lilygames.house.moods import has_just_lost
from lilygames_rules.cards import DECK, JACK, Card
from lilygames_rules.kit import Luck
from lilygames_rules.lilypoker import View
from lilygames_rules.poker import hands
from lilygames_rules.poker.betting import Betting
from lilygames_rules.poker.cards import known
from lilygames_rules.poker.deal import Deal, Discard
from lilygames_rules.poker.hands import Kind

_SHUFFLES = 4
"""A novice's simulated deals; each has several hands."""
_BOLD, _TILTED = 24, 12
"""A novice takes one decision in this many as if its hand couldn't lose: usually, and after it lost a hand."""
_GOOD, _GREAT = 0.55, 0.75
"""Winning chances from which a novice bets and raises."""
_DREAM = 0.9
"""How far below the pot odds a novice still calls: people like to see one more card."""
_TIGHT = 0.08
"""How far above the pot odds a tight player wants to be."""
_DRAW = 4
"""Pot, in multiples of the call, for which a tight player calls with a one-card draw."""
_PROMISING = 0.7
"""Strength of a first card from which to bet more than the bring-in."""
_OFTEN = 5
"""A club bot's simulated deals, as a multiple of a novice's."""
_FEW = 10
"""Big blinds up to which a player of two may go all in with almost any hand."""
_SELECTED = 0.006
"""How much less often a call wins from those hands than from random ones, for each big blind bet."""
_FEWEST = 15
"""Iterations from which a search helps; with fewer, too many moves look better by chance."""
SHARK = Budget(120)
"""A shark's usual budget."""
LESS = Budget(60), Budget(30), Budget(_FEWEST), Budget(1)
"""A shark's budgets while many moves wait. With the last one it makes the club bot's moves."""


def novice(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return a novice's move, which is bolder on tilt."""
    return by_odds(view, moves, luck, _TILTED if has_just_lost(view.seat, view.match.sheet) else _BOLD)


def by_odds(view: View, moves: Sequence[Any], luck: Luck, bluffs: int) -> Any:
    """Return a move by pot odds against random hands, ignoring the betting; one in so many ignores the hand, too."""
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
    return _bet(deal, view.seat, moves, luck, bluffs)


def _bet(deal: Deal, seat: int, moves: Sequence[Any], luck: Luck, bluffs: int) -> Any:
    """Choose between checking or calling, folding and betting by pot odds."""
    now = deal.betting
    won = 1.0 if luck.roll(bluffs) == 1 else chance(deal, seat, luck)
    raises = len(moves) > 2  # noqa: PLR2004 - after a check or call, and a fold
    if raises and won > (_GREAT if now.owed else _GOOD):
        return _wager(now, moves)
    if now.owed and won < _DREAM * now.owed / (now.total + now.owed):
        return moves[1]
    return moves[0]


def _wager(now: Betting, moves: Sequence[Any]) -> Any:
    """Bet the fixed amount, or without fixed limit about half the pot."""
    least, most = moves[2].to, moves[len(moves) - 1].to
    return moves[2 + max(least, min(most, now.top + now.total // 2)) - least]


def tight(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return the move of a tight, straightforward player: by hand and pot odds.

    In draw it opens with jacks, raises with two pair, and calls with as much, or with a draw if the pot is big enough.
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
    """Bet jacks before the draw and two pair after it; raise from the next better kind on."""
    now, worth = deal.betting, hands.worth(hand)
    jacks = worth.kind > Kind.PAIR or (worth.kind is Kind.PAIR and worth.ranks[0] >= JACK)
    opens = worth.kind >= Kind.TWO_PAIR if deal.street else jacks
    again = worth.kind > (Kind.TWO_PAIR if deal.street else Kind.PAIR)
    if len(moves) > 2 and (again if now.owed else opens):  # noqa: PLR2004 - as above
        return _wager(now, moves)
    draw = not deal.street and lone(hand) and _DRAW * now.owed <= now.total
    return moves[1] if now.owed and not (jacks or draw) else moves[0]


def call_all(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return the move of a player who checks and calls, whatever it holds."""
    return moves[0] if _betting(view) else novice(view, moves, luck)


def raise_all(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return the move of a player who bets and raises, whatever it holds."""
    now = _betting(view)
    return _raised(now, moves) if now else novice(view, moves, luck)


def all_in(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return the move of a player who bets everything at once, or as much as the limit allows, whatever it holds."""
    return moves[-1 if len(moves) > 2 else 0] if _betting(view) else novice(view, moves, luck)  # noqa: PLR2004 - as above


def bet_when_checked_to(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return the move of a tight player who bets, whatever it holds, if nobody else has."""
    now = _betting(view)
    return _raised(now, moves) if now and not now.owed else tight(view, moves, luck)


def bet_when_last(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return the move of a tight player who bets, whatever it holds, if everyone else has checked."""
    now = _betting(view)
    return _raised(now, moves) if now and not now.owed and len(now.waiting) == 1 else tight(view, moves, luck)


def pat(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return the move of a player who never draws, and bets and raises whatever it holds."""
    return Discard() if view.deal and view.deal.phase == "draw" else raise_all(view, moves, luck)


def fold_to_raises(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return the move of a tight player who folds whenever a bet has been raised."""
    now = _betting(view)
    return moves[1] if now and now.owed and now.count > 1 else tight(view, moves, luck)


def _betting(view: View) -> Betting | None:
    """Return the betting in which the seat has to move; None if it has to do something else."""
    deal = view.deal
    return deal.betting if deal and deal.phase == "bet" and not deal.betting.bring_in else None


def _raised(now: Betting, moves: Sequence[Any]) -> Any:
    return _wager(now, moves) if len(moves) > 2 else moves[0]  # noqa: PLR2004 - as above


def club(view: View, moves: Sequence[Any], luck: Luck, *, memory: Memory | None = None) -> Any:
    """Return a club bot's move: by pot odds against a bet of someone's last few chips, else by strength.

    A bot with a memory also goes by what this table has shown.
    """
    known = habits.at_table(memory, view.match)
    return to_last_chips(view, moves, luck) or by_strength(view, moves, luck, memory=known)


@attrs.frozen
class LastChips:
    """An all-in bet of few chips to call: its price, the pot, and the probability that a call wins."""

    price: int
    pot: int
    won: float

    @property
    def gain(self) -> float:
        """The chips that a call wins on average."""
        return self.won * (self.pot + self.price) - self.price


def to_last_chips(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return a call or a fold to an all-in bet of few chips, by pot odds; None in other situations."""
    bet = last_chips(view, luck)
    return None if bet is None else moves[0] if bet.gain > 0 else moves[1]


def last_chips(view: View, luck: Luck) -> LastChips | None:
    """Return the all-in bet of few chips that a seat has to answer in hold'em for two; None in other situations.

    With few chips almost any hand may be behind it, so it doesn't mean what bets usually mean. At fixed limit nobody
    goes all in at once.
    """
    deal, options = view.deal, view.match.options
    if deal is None or view.seat is None or deal.phase != "bet" or options.limit == "fixed":
        return None
    if deal.variant != "holdem" or deal.layout.board or len(deal.betting.order) > 2:  # noqa: PLR2004 - two players
        return None
    now, seat = deal.betting, view.seat
    price = min(now.owed, now.stacks[seat])
    size = (now.bets[seat] + price) / options.blinds.big
    ends = price == now.stacks[seat] or not all(now.stacks[other] for other in now.living if other != seat)
    if not price or not ends or size > _FEW:
        return None
    return LastChips(
        price, now.total - now.owed + price, beaten(deal, seat, luck, _SHUFFLES * _OFTEN) - _SELECTED * size
    )


def by_strength(view: View, moves: Sequence[Any], luck: Luck, *, memory: Memory | None = None) -> Any:
    """Return a move by hand strength, the betting so far and pot odds."""
    deal = view.deal
    if deal is None or view.seat is None or deal.phase != "bet":
        return novice(view, moves, luck)
    good = strength_of(deal, view.seat, luck)
    if deal.betting.bring_in:
        return moves[1] if good > _PROMISING and len(moves) > 1 else moves[0]
    now, own = situation(deal), habits.own(habits.styles(memory), deal.betting.aggressor)
    what = now.decided(good, own, random.Random(luck.roll(2**62)))  # noqa: S311 - seeded by its own luck
    if what in (CALL, FOLD) or len(moves) <= 2:  # noqa: PLR2004 - as above
        return moves[1] if what == FOLD else moves[0]
    return _wager(deal.betting, moves)


def strength_of(deal: Deal, seat: int, luck: Luck) -> float:
    """Return the share of hands worse than the seat's; after a draw, among hands that drew as many cards."""
    hand = known(deal.layout.hands[seat])
    if deal.variant == "draw":
        return above(deal, seat, hands.strength(hand)) if deal.street else value(hand)
    if deal.variant == "holdem" and not deal.layout.board:
        return holes.good(hand)
    return stretched(deal, seat, beaten(deal, seat, luck, _SHUFFLES * _OFTEN))


def search(view: View, moves: Sequence[Any], luck: Luck, budget: Budget, *, memory: Memory | None = None) -> Any:
    """Return a move by strength, or one that is clearly better in simulated deals if the budget is large enough."""
    deal = view.deal
    if deal is None or view.seat is None or deal.phase == "show":
        return novice(view, moves, luck)
    usual, rng = by_strength(view, moves, luck, memory=memory), random.Random(luck.roll(2**62))  # noqa: S311 - seeded by its own luck
    if budget.iterations < _FEWEST:
        return usual
    options, opponents = view.match.options, habits.Opponents(habits.tempers(deal), habits.styles(memory))
    deals = pokersearch.deals_for(deal, budget)
    return pokersearch.best_move(options, deal, view.seat, moves, usual, opponents=opponents, rng=rng, deals=deals)


def shark(view: View, moves: Sequence[Any], luck: Luck, budget: Budget, *, memory: Memory | None = None) -> Any:
    """Return a shark's move: like a club's to someone's last chips, by its table for two players, else by search.

    A bot with a memory also goes by what this table has shown.
    """
    if answer := to_last_chips(view, moves, luck):
        return answer
    known = habits.at_table(memory, view.match)
    return by_table.chosen(view, moves, luck) or search(view, moves, luck, budget, memory=known)


def warm_up() -> None:
    """Fill the tables that take long."""
    ranges.warm_up()
    solution.learned()
    draw_solution.learned()


def chance(deal: Deal, seat: int, luck: Luck) -> float:
    """Return the probability that the seat's hand beats all opponents with random cards."""
    return float(beaten(deal, seat, luck, _SHUFFLES) ** (len(deal.betting.living) - 1))


def beaten(deal: Deal, seat: int, luck: Luck, shuffles: int) -> float:
    """Return the share of random hands that the seat's hand beats."""
    own, up, board = deal.layout.hands[seat], deal.layout.up[seat], deal.layout.board
    seen = {*own, *board, *(card for cards in deal.layout.up for card in cards)}
    unseen = [hands.WEIGHTS[card] for card in DECK if card not in seen]
    held, shared = _weight(known((*own, *up))), _weight(board)
    common = max(0, (5 if deal.variant == "holdem" else 0) - len(board))
    whole = {"draw": 5, "stud7": 7, "holdem": 2}[deal.variant]
    theirs = common + whole
    needed = theirs + whole - len(own) - len(up)
    won = tries = 0.0
    for _ in range(shuffles):
        cards = luck.shuffle(unseen)[::-1]
        for start in range(0, len(cards) - needed + 1, needed):
            all_see = shared + sum(cards[start : start + common])
            ours = hands.strength_by_weight(held + all_see + sum(cards[start + theirs : start + needed]))
            other = hands.strength_by_weight(all_see + sum(cards[start + common : start + theirs]))
            won += 1.0 if ours > other else 0.5 if ours == other else 0.0
            tries += 1
    return won / tries


def _weight(cards: Iterable[Card]) -> int:
    return sum(map(hands.WEIGHTS.__getitem__, cards))


def _drawn(hand: tuple[Card, ...], moves: Sequence[Any]) -> Any:
    """Discard the useless cards, up to the table's maximum."""
    most = max(len(move.cards) for move in moves)
    return Discard(advised(hand, most))


LEVELS: Mapping[str, Strategy] = {
    "novice": novice,
    "club": Remembering(club),
    "shark": Thinker(Remembering(shark), SHARK, less=LESS),
}
"""The bots by level."""
VERSIONS: Mapping[str, str] = {"novice": "3", "club": "4", "shark": "6"}
"""Version of each bot's strategy. Raise it when that bot's moves change."""
STYLES: Mapping[str, Strategy] = {
    "tight": tight,
    "call-all": call_all,
    "raise-all": raise_all,
    "all-in": all_in,
    "bet-when-checked-to": bet_when_checked_to,
    "bet-when-last": bet_when_last,
    "pat": pat,
    "fold-to-raises": fold_to_raises,
}
"""Opponents for duels."""
FORTUNE = fortune
"""The luck of the cards, which duels subtract."""
