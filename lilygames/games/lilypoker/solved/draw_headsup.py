"""How two players play fixed-limit five-card draw by the table (`draw_solution`), and where it applies."""

from __future__ import annotations

from lilygames.games.lilypoker.solved.draw_groups import KICKER, MOST, PAT, USUAL, discarded
from lilygames.games.lilypoker.solved.draw_solution import Mix, learned
from lilygames.games.lilypoker.solved.solution import STEPS
from lilygames.games.lilypoker.views.lines import ended
from lilygames_rules.kit import Luck, Seat
from lilygames_rules.lilypoker import View
from lilygames_rules.poker.cards import known
from lilygames_rules.poker.deal import Deal, Discard
from lilygames_rules.poker.table import Options

DEEP = 13
"""Small bets that a player can put into one hand, rounded up: with fewer, someone may be all-in."""
_CAP = 4


def applies(view: View) -> bool:
    """Return whether this is fixed-limit draw of two players with the usual sizes and enough chips."""
    deal = view.deal
    return deal is not None and view.seat is not None and _usual(view.match.options, deal)


def _usual(options: Options, deal: Deal) -> bool:
    now, small = deal.betting, options.small_bet
    if deal.variant != "draw" or len(now.order) != 2 or now.carried:  # noqa: PLR2004 - two players
        return False
    sizes = (2 * options.ante_of("draw"), options.big_bet) == (small, 2 * small)
    if not sizes or (options.limit, options.cap, options.heads_up_cap) != ("fixed", _CAP, True):
        return False
    deep = min(now.stacks[seat] + now.paid[seat] for seat in now.order) >= DEEP * small
    return deep and options.openers == "any" and options.max_draw >= MOST


def mix(view: View) -> Mix | None:
    """Return how to bet in the table's words; None if the table isn't about such a game, or nobody has to bet."""
    deal, seat = view.deal, view.seat
    if deal is None or seat is None or deal.phase != "bet" or not applies(view):
        return None
    hand = known(deal.layout.hands[seat])
    if not deal.street:
        return learned().before(hand, decision(deal, seat))
    first, second = (deal.drew[one] or 0 for one in deal.betting.order)
    return learned().after(hand, decision(deal, seat), end_before(deal), (first, second))


def draws(view: View) -> Mix | None:
    """Return in how many cases of 21 to stand pat, to discard as usual and to keep a kicker; None as above."""
    deal, seat = view.deal, view.seat
    if deal is None or seat is None or deal.phase != "draw" or not applies(view):
        return None
    first, second = deal.betting.order
    seen = deal.drew[first] if seat == second else None
    return learned().draw(known(deal.layout.hands[seat]), end_before(deal), seen)


def drawn(view: View, how: Mix, luck: Luck) -> Discard:
    """Return one of the draws, as often as the mix says."""
    pat, usual, _ = how
    fallen = luck.roll(STEPS)
    return _discard(view, PAT if fallen <= pat else KICKER if fallen > pat + usual else USUAL)


def likeliest(view: View, how: Mix) -> Discard:
    """Return the draw that the mix has most often."""
    return _discard(view, how.index(max(how)))


def _discard(view: View, choice: int) -> Discard:
    assert view.deal is not None and view.seat is not None  # noqa: S101, PT018 - it has to draw
    return Discard(discarded(known(view.deal.layout.hands[view.seat]), choice))


def decision(deal: Deal, seat: Seat) -> int:
    """Return the number of the decision that a seat has to make on this street; the dealer acts second."""
    now, second = deal.betting, deal.betting.order[1]
    if not now.count:
        return int(seat == second)
    return ended(now.count, second_made_last=now.aggressor == second) + 1


def end_before(deal: Deal) -> int:
    """Return how the betting before the draw has ended."""
    bets = deal.betting.earlier[0]
    return ended(bets.count, second_made_last=bets.last == deal.betting.order[1])
