"""One hand of poker: its streets, the draw and the showdown.

A hand is a pure value. The session around it knows the dealer, the next hand and the seats that sit out.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import Any, Literal

import attrs

from lilygames_rules.cards import JACK, Card
from lilygames_rules.changed import changed, changer
from lilygames_rules.kit import Event, Luck, Refused, Seat
from lilygames_rules.poker import betting, pots
from lilygames_rules.poker import cards as pokercards
from lilygames_rules.poker import hands as pokerhands
from lilygames_rules.poker.bets import AntesPaid, Bet, BlindPosted, Fold, Folded
from lilygames_rules.poker.bets import Move as BettingMove
from lilygames_rules.poker.betting import Betting, Terms
from lilygames_rules.poker.cards import Layout, known
from lilygames_rules.poker.hands import Kind, Worth
from lilygames_rules.poker.pots import Pot
from lilygames_rules.poker.table import STREETS, Options, Street, Variant


@attrs.frozen
class Discard:
    """Discard these cards and draw as many; none to stand pat."""

    cards: tuple[Card, ...] = ()


@attrs.frozen
class Show:
    """Show your hand although you don't have to."""


@attrs.frozen
class Muck:
    """Muck your hand: don't show it."""


Move = BettingMove | Discard | Show | Muck
_OF_THE_END = (Show, Muck)
_OF_CARDS = (Discard, *_OF_THE_END)


@attrs.frozen
class HandShown(Event):
    """A seat showed its hidden cards; their value is set after a showdown."""

    seat: Seat
    cards: tuple[Card, ...]
    worth: Worth | None


@attrs.frozen
class HandMucked(Event):
    """A seat mucked its hand."""

    seat: Seat


@attrs.frozen
class PotWon(Event):
    """A pot was won, the main one (0) or a side pot, with each winner's chips."""

    amount: int
    side: int
    shares: tuple[tuple[Seat, int], ...]


@attrs.frozen
class ThrownIn(Event):
    """Nobody opened: the hand is over and the chips stay in the pot."""

    pot: int


Phase = Literal["bet", "draw", "show", "over"]


@attrs.frozen
class Deal:
    """A hand in play. In a view, cards the seat can't see are None."""

    variant: Variant
    dealer: Seat
    betting: Betting
    layout: Layout
    drew: tuple[int | None, ...]
    """Number of cards each seat drew, None before its draw."""
    street: int = 0
    drawing: tuple[Seat, ...] = ()
    """Seats still to draw, the one to move first."""
    asked: tuple[Seat, ...] = ()
    """Seats still to show or muck, the one to move first."""
    shown: tuple[Seat, ...] = ()
    """Seats whose cards everyone has seen."""
    left: tuple[Seat, ...] = ()
    """Seats that leave after this hand."""
    over: bool = False
    """Whether the pots have been paid out."""

    @property
    def phase(self) -> Phase:
        """The phase of the hand."""
        if self.over:
            return "show" if self.asked else "over"
        return "draw" if self.drawing else "bet"

    @property
    def turn(self) -> Seat | None:
        """The seat to move, None if the hand is over."""
        waiting = self.asked if self.over else self.drawing or self.betting.waiting
        return waiting[0] if waiting else None

    @property
    def plan(self) -> Street:
        """The current street."""
        return STREETS[self.variant][self.street]


_changed = changer(Deal)
Course = tuple[Deal, tuple[Event, ...]]
"""A hand after a step, and the events of that step."""


def begun(
    options: Options,
    variant: Variant,
    order: Sequence[Seat],
    stacks: Sequence[int],
    luck: Luck,
    *,
    carried: int = 0,
    terms: Terms | None = None,
) -> Course:
    """Start a hand: pay antes and blinds, deal the first cards; `order` ends with the dealer.

    Without `terms`, the betting is by those of the options.
    """
    now, paid = _forced(options, variant, betting.begun(terms or options.terms, order, stacks, carried))
    layout, dealt = _dealt(STREETS[variant][0], now.living, pokercards.shuffled(len(stacks), luck))
    now = _opened(options, variant, 0, now, layout)
    return _on(options, Deal(variant, order[-1], now, layout, (None,) * len(stacks)), (*paid, *dealt))


def _forced(options: Options, variant: Variant, now: Betting) -> tuple[Betting, tuple[AntesPaid | BlindPosted, ...]]:
    paid: tuple[AntesPaid | BlindPosted, ...] = ()
    if ante := options.ante_of(variant):
        now, antes = betting.anted(now, ante)
        paid = (antes,)
    if variant == "holdem":
        now, blinds = betting.blinded(now, options.blinds.small, options.blinds.big)
        paid += blinds
    return now, paid


def _dealt(plan: Street, seats: tuple[Seat, ...], layout: Layout) -> tuple[Layout, tuple[Event, ...]]:
    """Deal the street's cards to the seats still in; if the stock is too small, one shared card instead."""
    events: tuple[Event, ...] = ()
    if plan.down and len(layout.stock) < plan.down * len(seats):
        layout, more = pokercards.dealt_board(layout, 1, burn=False)
        events += more
    elif plan.down:
        layout, more = pokercards.dealt_down(layout, seats, plan.down)
        events += more
    if plan.up:
        layout, more = pokercards.dealt_up(layout, seats)
        events += more
    if plan.board:
        layout, more = pokercards.dealt_board(layout, plan.board, burn=True)
        events += more
    return layout, events


def _opened(options: Options, variant: Variant, street: int, now: Betting, layout: Layout) -> Betting:
    bring_in = options.bring_in if variant == "stud7" and not street else 0
    least = options.least(STREETS[variant][street])
    return betting.opened(now, _opener(variant, street, now, layout.up), least, bring_in)


def _opener(variant: Variant, street: int, now: Betting, up: Sequence[tuple[Card, ...]]) -> Seat:
    """Return the first seat to act: the dealer's left, or on hold'em's first street the seat after the blinds.

    In stud it is the lowest face-up card (suits from clubs up), later the best visible hand; ties go to the dealer's
    left.
    """
    if variant == "stud7" and not street:
        return min(now.living, key=lambda seat: pokerhands.by_rank_and_suit(up[seat][0]))
    if variant == "stud7":
        return max(now.living, key=lambda seat: pokerhands.showing(up[seat]))
    if variant == "holdem" and not street:
        return now.order[2] if len(now.order) > 2 else now.order[1]
    return now.order[0]


def _on(options: Options, deal: Deal, events: tuple[Event, ...]) -> Course:
    """Continue with the next street, or end the hand, when nobody is left to act on this one."""
    while deal.turn is None and not deal.over:
        if len(deal.betting.living) == 1:
            deal, more = _taken(options, deal)
        elif deal.street + 1 == len(STREETS[deal.variant]):
            deal, more = _showdown(options, deal)
        else:
            deal, more = _next_street(options, deal)
        events += more
    return deal, events


def _next_street(options: Options, deal: Deal) -> Course:
    now, returned = betting.closed(deal.betting)
    variant, street = deal.variant, deal.street + 1
    plan = STREETS[variant][street]
    layout, dealt = _dealt(plan, now.living, deal.layout)
    drawing = tuple([seat for seat in now.living if seat not in deal.left]) if plan.draw else ()
    now = now if drawing else _opened(options, variant, street, now, layout)
    return _changed(deal, betting=now, layout=layout, street=street, drawing=drawing), (*returned, *dealt)


# The end.


def _taken(options: Options, deal: Deal) -> Course:
    """Give everything to the last seat in, which may but need not show its hand."""
    now, returned = betting.closed(deal.betting)
    (winner,) = now.living
    won = PotWon(now.total, 0, ((winner, now.total),))
    asked = (winner,) if options.showdown == "ask" and winner not in deal.left else ()
    return _changed(deal, betting=_pushed(now, (won,)), asked=asked, over=True), (*returned, won)


def _pushed(now: Betting, won: Sequence[PotWon]) -> Betting:
    stacks = list(now.stacks)
    for pot in won:
        for seat, amount in pot.shares:
            stacks[seat] += amount
    return changed(now, stacks=tuple(stacks), carried=0)


def _showdown(options: Options, deal: Deal) -> Course:
    """Show down: the last seat to bet or raise first, else the dealer's left; then each hand that may still win."""
    aggressor = deal.betting.aggressor
    now, returned = betting.closed(deal.betting)
    found = pots.pots(now.paid, now.living, now.carried)
    worth = {seat: pokerhands.strength(all_cards(deal, seat)) for seat in now.living}
    order = _from(now.living, aggressor) if aggressor in now.living else now.living
    shown = order if options.showdown == "all" else pots.in_doubt(order, worth, found)
    losers = [seat for seat in order if seat not in shown]
    asked = tuple([seat for seat in losers if seat not in deal.left]) if options.showdown == "ask" else ()
    mucked = [HandMucked(seat) for seat in losers if seat not in asked]
    won = [_won(pot, side, worth) for side, pot in enumerate(found)]
    hands = [HandShown(seat, known(deal.layout.hands[seat]), pokerhands.classes()[worth[seat]]) for seat in shown]
    deal = _changed(deal, betting=_pushed(now, won), shown=shown, asked=asked, over=True)
    return deal, (*returned, *hands, *mucked, *won)


def _from(seats: tuple[Seat, ...], first: Seat) -> tuple[Seat, ...]:
    place = seats.index(first)
    return seats[place:] + seats[:place]


def all_cards(deal: Deal, seat: Seat) -> tuple[Card, ...]:
    """Return the cards from which a seat makes its hand: its own and the shared ones."""
    layout = deal.layout
    return known((*layout.hands[seat], *layout.up[seat], *layout.board))


def _won(pot: Pot, side: int, worth: dict[Seat, int]) -> PotWon:
    best = max([worth[seat] for seat in pot.seats])
    return PotWon(pot.amount, side, pots.split(pot, [seat for seat in pot.seats if worth[seat] == best]))


def _shown(deal: Deal, seat: Seat) -> HandShown:
    cards = all_cards(deal, seat)
    whole = len(deal.betting.living) > 1 and len(cards) >= pokerhands.FIVE
    return HandShown(seat, known(deal.layout.hands[seat]), pokerhands.worth(cards) if whole else None)


# Moves.


@attrs.frozen
class Discards(Sequence[Any]):
    """A seat's possible discards, created on demand: none, single cards, pairs of cards..."""

    hand: tuple[Card, ...]
    draws: tuple[tuple[int, ...], ...]

    def __len__(self) -> int:
        return len(self.draws)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return [self[one] for one in range(len(self))[place]]
        return Discard(tuple([self.hand[one] for one in self.draws[place]]))


@cache
def _draws(most: int) -> tuple[tuple[int, ...], ...]:
    """Return every set of positions in a hand that may be discarded."""
    return tuple(places for count in range(most + 1) for places in combinations(range(pokerhands.FIVE), count))


def choices(options: Options, deal: Deal, seat: Seat) -> Sequence[Move]:
    """Return the legal moves of the seat to move, most common first."""
    match deal.phase:
        case "bet":
            return betting.choices(deal.betting, may_bet=may_open(options, deal, seat))
        case "draw":
            return Discards(pokerhands.by_rank(known(deal.layout.hands[seat])), _draws(options.max_draw))
        case "show":
            return (Muck(), Show())
    return ()


def may_open(options: Options, deal: Deal, seat: Seat) -> bool:
    """Tell whether the seat may bet: the first bet takes jacks or better if the table plays that."""
    if options.openers == "any" or deal.variant != "draw" or deal.street or deal.betting.top:
        return True
    worth = pokerhands.worth(known(deal.layout.hands[seat]))
    return worth.kind > Kind.PAIR or (worth.kind == Kind.PAIR and worth.ranks[0] >= JACK)


def act(options: Options, deal: Deal, seat: Seat, move: Move, luck: Luck, *, number: int) -> Course:
    """Return the hand with this number after a move of the seat to move; raises `Refused`."""
    phase = deal.phase
    if phase == "bet" and not isinstance(move, _OF_CARDS):
        return _spoke(options, deal, seat, move)
    if phase == "draw" and isinstance(move, Discard):
        return _drew(options, deal, seat, move.cards, luck, number=number)
    if phase != "show" or not isinstance(move, _OF_THE_END):
        raise Refused("wrong-phase", phase=phase)
    if isinstance(move, Muck):
        return _changed(deal, asked=deal.asked[1:]), (HandMucked(seat),)
    deal = _changed(deal, asked=deal.asked[1:], shown=(*deal.shown, seat))
    return deal, (_shown(deal, seat),)


def _spoke(options: Options, deal: Deal, seat: Seat, move: BettingMove) -> Course:
    if isinstance(move, Bet) and not may_open(options, deal, seat):
        raise Refused("no-openers")
    now, event = betting.act(deal.betting, move)
    layout = pokercards.thrown_away(deal.layout, seat) if isinstance(move, Fold) else deal.layout
    deal = _changed(deal, betting=now, layout=layout)
    return (deal, (event,)) if now.waiting else _answered(options, deal, (event,))


def _answered(options: Options, deal: Deal, events: tuple[Event, ...]) -> Course:
    """End a hand that nobody opened, if opening takes jacks; the pot stays."""
    now = deal.betting
    checked = not now.waiting and len(now.living) > 1 and now.aggressor is None
    if options.openers == "any" or deal.variant != "draw" or deal.street or not checked:
        return _on(options, deal, events)
    deal = _changed(deal, betting=changed(now, carried=now.total), over=True)
    return deal, (*events, ThrownIn(now.total))


def _drew(options: Options, deal: Deal, seat: Seat, cards: Sequence[Card], luck: Luck, *, number: int) -> Course:
    hand = deal.layout.hands[seat]
    if len(cards) > options.max_draw:
        raise Refused("too-many-cards", most=options.max_draw)
    for card in cards:
        if card not in hand or cards.count(card) > 1:
            raise Refused("not-in-hand", card=card)
    layout, events = pokercards.drawn(deal.layout, seat, cards, luck, number=number)
    drew = (*deal.drew[:seat], len(cards), *deal.drew[seat + 1 :])
    return _drawn(options, _changed(deal, layout=layout, drawing=deal.drawing[1:], drew=drew), events)


def _drawn(options: Options, deal: Deal, events: tuple[Event, ...]) -> Course:
    if deal.drawing:
        return deal, events
    now = _opened(options, deal.variant, deal.street, deal.betting, deal.layout)
    return _on(options, _changed(deal, betting=now), events)


def got_up(options: Options, deal: Deal, seat: Seat) -> Course:
    """Return the hand after a player in it leaves: the seat folds, or stays to the showdown if it's all-in."""
    drew, asked = deal.phase == "draw", seat in deal.asked
    left, drawing = (*deal.left, seat), _but(deal.drawing, seat)
    deal = _changed(deal, left=left, drawing=drawing, asked=_but(deal.asked, seat))
    if deal.over:
        return deal, (HandMucked(seat),) if asked else ()
    events: tuple[Event, ...] = ()
    if seat in deal.betting.living and deal.betting.stacks[seat]:
        now, layout = betting.folded(deal.betting, seat), pokercards.thrown_away(deal.layout, seat)
        deal, events = _changed(deal, betting=now, layout=layout), (Folded(seat),)
    if drew:
        return _drawn(options, deal if len(deal.betting.living) > 1 else _changed(deal, drawing=()), events)
    return _answered(options, deal, events)


def _but(seats: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    return tuple(one for one in seats if one != seat)
