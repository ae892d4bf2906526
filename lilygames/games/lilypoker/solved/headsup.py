"""How two players play fixed-limit hold'em by the table (`solution`), and where it applies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lilygames.games.lilypoker.solved.solution import STEPS, learned
from lilygames.games.lilypoker.views.lines import CALL, FOLD, RAISE, ended, line
from lilygames_rules.kit import Luck, Seat
from lilygames_rules.lilypoker import View
from lilygames_rules.poker.cards import known
from lilygames_rules.poker.deal import Deal
from lilygames_rules.poker.table import Options

DEEP = 24
"""Small bets that a player can put into one hand: with fewer, someone may be all-in, which the table doesn't know."""
_CAP = 4
_RAISE = 2
"""Place of a bet or raise among the legal moves, after a check or call and a fold."""
Mix = tuple[int, int, int]
"""In how many cases of 21 to fold, to call and to raise."""


def mix(view: View) -> Mix | None:
    """Return how to play in the table's words; None if the table isn't about such a game."""
    deal, seat = view.deal, view.seat
    if deal is None or seat is None or deal.phase != "bet" or not _applies(view.match.options, deal):
        return None
    first, second = known(deal.layout.hands[seat])
    return learned().mix((first, second), deal.layout.board, decision(deal, seat), line_of(deal))


def _applies(options: Options, deal: Deal) -> bool:
    """Return whether this is fixed-limit hold'em of two players with the usual sizes and enough chips."""
    now, small = deal.betting, options.small_bet
    usual = (options.limit, options.big_bet, options.cap, options.heads_up_cap) == ("fixed", 2 * small, _CAP, True)
    blinds = (2 * options.blinds.small, options.blinds.big) == (small, small)
    if deal.variant != "holdem" or len(now.order) != 2 or not (usual and blinds):  # noqa: PLR2004 - two players
        return False
    deep = min(now.stacks[seat] + now.paid[seat] for seat in now.order) >= DEEP * small
    return deep and not options.ante_of("holdem") and not now.carried


def decision(deal: Deal, seat: Seat) -> int:
    """Return the number of the decision that a seat has to make on this street."""
    now, second = deal.betting, _second(deal, deal.street)
    made = now.count - (deal.street == 0)
    return ended(made, second_made_last=now.aggressor == second) + 1 if made else int(seat == second)


def line_of(deal: Deal) -> int:
    """Return the line of the streets that are over."""
    return line(
        [
            ended(bets.count - (street == 0), second_made_last=bets.last == _second(deal, street))
            for street, bets in enumerate(deal.betting.earlier)
        ]
    )


def _second(deal: Deal, street: int) -> Seat:
    """Return the seat that acts second on a street: the dealer, but before the flop the other one."""
    return deal.dealer if street else deal.betting.order[0]


def chosen(how: Mix, moves: Sequence[Any], luck: Luck) -> Any:
    """Return one of the moves, as often as the mix says."""
    fold, call, _ = how
    fallen = luck.roll(STEPS)
    return _move(FOLD if fallen <= fold else RAISE if fallen > fold + call else CALL, moves)


def likeliest(how: Mix, moves: Sequence[Any]) -> Any:
    """Return the move that the mix has most often."""
    return _move(how.index(max(how)), moves)


def _move(choice: int, moves: Sequence[Any]) -> Any:
    if choice == FOLD:
        return moves[1]
    return moves[_RAISE] if choice == RAISE and len(moves) > _RAISE else moves[0]
