"""lily-poker: hands of five-card draw, seven-card stud or hold'em, one after another, for chips.

The rules of lily's own poker are lost. These are common ones, with options of our own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import attrs

from lilygames_rules.changed import changed, maker
from lilygames_rules.kit import Event as Happening
from lilygames_rules.kit import Join, Leave, Luck, Outcome, Refused, Seat, Step
from lilygames_rules.poker import cards, session, table
from lilygames_rules.poker import deal as pokerdeal
from lilygames_rules.poker.bets import (
    AntesPaid,
    Bet,
    BetMade,
    BlindPosted,
    BroughtIn,
    Call,
    Called,
    Check,
    Checked,
    Fold,
    Folded,
    Raise,
    Raised,
    Returned,
)
from lilygames_rules.poker.betting import around
from lilygames_rules.poker.cards import BoardDealt, CardsDealt, CardsDrawn, Reshuffled, UpDealt
from lilygames_rules.poker.deal import Deal, Discard, HandMucked, HandShown, Muck, PotWon, Show, ThrownIn
from lilygames_rules.poker.session import FEWEST, GotUp, HandScored, Match, SatDown, WentBroke, left_of
from lilygames_rules.poker.table import Variant
from lilygames_rules.poker.tallies import counted

NAME = "lilypoker"
VERSION = 2
SEATS = range(FEWEST, table.MOST_HOLDEM + 1)
Options = table.Options


@attrs.frozen
class Choose:
    """Choose the game to deal."""

    variant: Variant


Move = Check | Call | Bet | Raise | Fold | Discard | Show | Muck | Choose | Join | Leave


@attrs.frozen
class DealPassed(Happening):
    """It is this dealer's turn to choose the game."""

    dealer: Seat


@attrs.frozen
class HandBegun(Happening):
    """A hand begins: number, game, dealer, chips carried over in the pot, and the players' chips."""

    number: int
    hands: int | Literal["unlimited"]
    variant: Variant
    dealer: Seat
    carried: int
    chips: tuple[tuple[Seat, int], ...]


Event = (
    (DealPassed | HandBegun | AntesPaid | BlindPosted | CardsDealt | UpDealt | BoardDealt | CardsDrawn | Reshuffled)
    | (Checked | Called | BroughtIn | BetMade | Raised | Folded | Returned | ThrownIn)
    | (HandShown | HandMucked | PotWon | HandScored | WentBroke | SatDown | GotUp)
)


@attrs.frozen
class State:
    """The match, the hand in play (None: the dealer is choosing, or the session is over), and the last hand."""

    match: Match
    deal: Deal | None = None
    last: Deal | None = None


@attrs.frozen
class View:
    """The state as a seat or a spectator (None) sees it: its own cards and those shown."""

    seat: Seat | None
    match: Match
    deal: Deal | None
    last: Deal | None


_state, _step = maker(State), maker(Step)


def start(seats: int, options: Options, purses: Sequence[int], luck: Luck) -> Step[State]:
    """Return the first state; `purses` are the chips the seats bring, if any.

    Raises `Refused` for invalid options, a wrong number of seats, or fewer than two seats with chips.
    """
    return begun(seats, options, purses, luck, full_bets=True)


def begun(seats: int, options: Options, purses: Sequence[int], luck: Luck, *, full_bets: bool) -> Step[State]:
    """Return the first state of a session by these betting rules (`Terms.full_bets`); raises as `start` does."""
    table.agreed(options, seats)
    chips = (*purses, *(options.buyin,) * seats)[:seats]
    match = Match(options, chips, chips, tuple(range(seats)), 0, full_bets=full_bets)
    if len(match.players) < FEWEST:
        raise Refused("no-chips")
    return _next_hand(changed(match, dealer=luck.for_("dealer").pick(range(seats), match.players)), None, (), luck)


def phase(state: State | View) -> Literal["choose", "bet", "draw", "show", "over"]:
    """Return the phase of the session."""
    if state.deal is not None:
        return state.deal.phase
    return "over" if state.match.ended else "choose"


def turn(state: State | View) -> Seat | None:
    """Return the seat to move, None when the session is over."""
    if state.deal is not None:
        return state.deal.turn
    return None if state.match.ended else state.match.dealer


def moves(state: State, seat: Seat) -> Sequence[Move]:
    """Return the legal moves of `seat`, most common first; empty if it has to wait."""
    if seat != turn(state):
        return ()
    if state.deal is None:
        return tuple(map(Choose, state.match.options.games))
    return pokerdeal.choices(state.match.options, state.deal, seat)


def apply(state: State, seat: Seat, move: Move, luck: Luck) -> Step[State]:
    """Return the result of `move` by `seat`; raises `Refused` if it isn't legal."""
    return _tallied(_applied(state, seat, move, luck))


def _tallied(step: Step[State]) -> Step[State]:
    """Count what the events show of the players."""
    match = step.state.match
    tallies = counted(match.tallies, step.events)
    if tallies == match.tallies:
        return step
    return _step(changed(step.state, match=changed(match, tallies=tallies)), step.events)


def _applied(state: State, seat: Seat, move: Move, luck: Luck) -> Step[State]:
    deal = state.deal
    if deal is None or seat != deal.turn or isinstance(move, _BETWEEN_HANDS):
        return _aside(state, seat, move, luck)
    deal, events = pokerdeal.act(state.match.options, deal, seat, move, luck, number=state.match.played + 1)
    return _after(state, deal, events, luck)


_BETWEEN_HANDS = (Choose, Join, Leave)


def _aside(state: State, seat: Seat, move: Move, luck: Luck) -> Step[State]:
    """Return the result of a move outside a hand: choosing, joining, leaving; raises `Refused`."""
    now = turn(state)
    if now is None:
        raise Refused("game-over")
    match move:
        case Join(purse):
            return _joined(state, seat, purse)
        case Leave():
            return _left(state, seat, luck)
    if seat != now:
        raise Refused("not-your-turn", turn=now, phase=phase(state))
    if state.deal is not None or not isinstance(move, Choose):
        raise Refused("wrong-phase", phase=phase(state))
    return _dealt(state.match, move.variant, state.last, (), luck)


def _next_hand(match: Match, last: Deal | None, events: tuple[Happening, ...], luck: Luck) -> Step[State]:
    """Pass the deal to the left; in dealer's choice the dealer chooses the game first."""
    if match.ended:
        return _step(_state(session.closed(match), None, last), events)
    if match.options.variant == "choice":
        return _step(_state(match, None, last), (*events, DealPassed(match.dealer)))
    return _dealt(match, match.options.variant, last, events, luck)


def _dealt(match: Match, variant: Variant, last: Deal | None, events: tuple[Happening, ...], luck: Luck) -> Step[State]:
    order = around(match.players, match.dealer + 1)
    chips = tuple((seat, match.chips[seat]) for seat in match.players)
    number = match.played + 1
    opening = HandBegun(number, match.options.hands, variant, match.dealer, match.carried, chips)
    fresh = luck.for_("deal", number)
    deal, dealt = pokerdeal.begun(
        match.options, variant, order, match.chips, fresh, carried=match.carried, terms=match.terms
    )
    return _after(State(match, deal, last), deal, (*events, opening, *dealt), luck)


def _after(state: State, deal: Deal, events: tuple[Happening, ...], luck: Luck) -> Step[State]:
    """End a hand: record the chips, let players leave, and deal the next hand."""
    if deal.turn is not None:
        return _step(_state(state.match, deal, state.last), events)
    match, booked = session.booked(state.match, deal)
    return _next_hand(match, deal, (*events, *booked), luck)


def _joined(state: State, seat: Seat, purse: int) -> Step[State]:
    """Add a new player in the next seat, or chips to a broke seat; both play from the next hand on."""
    match = session.joined(state.match, seat, purse, state.deal.betting.order if state.deal else ())
    return _step(_state(match, state.deal, state.last), (SatDown(seat),))


def _left(state: State, seat: Seat, luck: Luck) -> Step[State]:
    """Let a player leave: the seat folds at once, or stays to the showdown if it's all-in."""
    match = session.without(state.match, seat)
    if state.deal is not None and seat in state.deal.betting.order:
        deal, events = pokerdeal.got_up(match.options, state.deal, seat)
        return _after(State(match, state.deal, state.last), deal, events, luck)
    if state.deal is None and (match.ended or seat == match.dealer):
        return _next_hand(changed(match, dealer=left_of(match, seat)), state.last, (GotUp(seat),), luck)
    return _step(_state(match, state.deal, state.last), (GotUp(seat),))


# Views and results.


def view(state: State, seat: Seat | None) -> View:
    """Return everything `seat` may know; None is a spectator."""
    return View(seat, state.match, _seen(state.deal, seat), _seen(state.last, seat))


def _seen(deal: Deal | None, seat: Seat | None) -> Deal | None:
    return deal and changed(deal, layout=cards.seen(deal.layout, seat, deal.shown))


def outcome(state: State) -> Outcome | None:
    """Return each seat's win or loss and the biggest winners, None while the session is in progress."""
    if turn(state) is not None:
        return None
    scores = session.changes(state.match)
    winners = tuple(seat for seat, score in enumerate(scores) if score == max(scores))
    whole = len(state.match.players) > 1
    return Outcome(scores, winners, "all hands are played" if whole else "too few players have chips")


def default(state: State, seat: Seat) -> Move:
    """Return a check, else a fold; stand pat; muck; five-card draw; `seat` must have a move."""
    listed = moves(state, seat)
    return Fold() if isinstance(listed[0], Call) else listed[0]


def sample(view: View, luck: Luck) -> State:
    """Return a random state that is consistent with `view`, uniform over the hidden cards.

    It ignores what other seats' bets and draws may reveal about their cards.
    """
    return State(view.match, _imagined(view.deal, luck), _imagined(view.last, luck))


def _imagined(deal: Deal | None, luck: Luck) -> Deal | None:
    return deal and changed(deal, layout=cards.filled(deal.layout, luck))
