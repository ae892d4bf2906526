"""Salomon's Liar's Poker: bid on how often a digit occurs in everyone's numbers, until all others challenge.

The rules are "Liars Poker", current as of February 10, 1986. Where they are silent, a docstring says what we do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import attrs

from lilygames_rules.bidding import ladder, slips, stakes
from lilygames_rules.bidding.ladder import Auction, Bid, BidMade, Challenge, Challenged, Stand, Stood, round_from
from lilygames_rules.bidding.slips import LastDigitsTold, NumberShown, Slip, SlipChosen, SlipDealt, SlipsLaid
from lilygames_rules.bidding.stakes import GotUp, Match, SatDown, Verdict
from lilygames_rules.changed import maker
from lilygames_rules.kit import Event as Happening
from lilygames_rules.kit import Join, Leave, Luck, Outcome, Refused, Seat, Step

NAME = "liarspoker"
VERSION = 3
SEATS = range(2, 21)
Options = stakes.Options


@attrs.frozen
class Choose:
    """Take the face-down bill or slip at that place, counted from 1."""

    place: int


Move = Choose | Bid | Challenge | Stand | Join | Leave


@attrs.frozen
class HandBegun(Happening):
    """A hand begins: number, line (None: bills), stake and opener, with the letters if they decided who opens."""

    number: int
    hands: int
    line: int | None
    stake: int
    doubled: bool
    opener: Seat
    letters: tuple[tuple[Seat, str], ...]
    twice: bool = attrs.field(default=False, metadata={"added later": True})
    """Whether the stake is doubled twice: for a slip's tenth number and for the last hand."""


@attrs.frozen
class Counted(Happening):
    """The count by seat, from the bidder's left, the bidder last; with the numbers if they are shown."""

    bid: Bid
    fingers: tuple[tuple[Seat, int], ...]
    numbers: tuple[str, ...]


@attrs.frozen
class HandScored(Happening):
    """The bid was settled: `units` from each opponent (negative: to each), and the new balances."""

    bidder: Seat
    bid: Bid
    verdict: Verdict
    units: int
    balances: tuple[int, ...]


Event = (
    SlipsLaid | SlipChosen | SlipDealt | NumberShown | HandBegun | BidMade | Challenged | Stood | Counted | HandScored
) | (LastDigitsTold | SatDown | GotUp)


@attrs.frozen
class State:
    """The match, the slips by seat, the face-down ones and the places taken, and the bidding."""

    match: Match
    slips: tuple[Slip | None, ...]
    pile: tuple[Slip, ...] = ()
    chosen: tuple[int, ...] = ()
    auction: Auction | None = None


@attrs.frozen
class View:
    """The state as a seat or a spectator (None) sees it: all but the digits on other seats' slips."""

    seat: Seat | None
    match: Match
    slip: Slip | None
    letters: tuple[str | None, ...]
    laid: int
    chosen: tuple[int, ...]
    auction: Auction | None


def start(seats: int, options: Options, purses: Sequence[int], luck: Luck) -> Step[State]:
    """Return the first state; `purses` are the seats' lifetime balances, which decide who chooses first.

    Raises `Refused` for a number of seats or hands, or a stake, that isn't allowed.
    """
    return begun(seats, options, purses, luck, compounds=True)


def begun(seats: int, options: Options, purses: Sequence[int], luck: Luck, *, compounds: bool) -> Step[State]:
    """Return the first state of a session with this way of doubling (`Match.compounds`); raises as `start` does."""
    if seats not in SEATS:
        raise Refused("bad-seats", low=SEATS[0], high=SEATS[-1])
    stakes.agreed(options)
    chooser = _most_disappointed((*purses, *(0,) * seats)[:seats], luck)
    opener = luck.for_("opener").pick(range(seats)) if options.opener == "random" else None
    players = tuple(range(seats))
    match = Match(options, players, players, (0,) * seats, chooser, opener, compounds=compounds)
    return _next_hand(match, (None,) * seats, (), luck)


def _most_disappointed(purses: Sequence[int], luck: Luck) -> Seat:
    """Return the seat with the lowest balance, which chooses first; ties are drawn by lot."""
    lowest = [seat for seat, purse in enumerate(purses) if purse == min(purses)]
    return luck.for_("chooser").pick(range(len(purses)), lowest) if len(lowest) > 1 else lowest[0]


def phase(state: State | View) -> Literal["choose", "open", "answer", "rebid", "closed"]:
    """Return the phase: choosing a slip, opening, answering a bid, standing or rebidding, or over."""
    if state.auction is not None:
        return state.auction.phase
    return "closed" if state.match.ended else "choose"


def turn(state: State | View) -> Seat | None:
    """Return the seat to move, None when the session is over."""
    if state.auction is not None:
        return state.auction.turn
    match = state.match
    return None if match.ended else round_from(match.players, match.chooser)[len(state.chosen)]


def moves(state: State, seat: Seat) -> Sequence[Move]:
    """Return the legal moves of `seat`: free places, or bids and challenges; empty if it has to wait."""
    auction = state.auction
    if seat != (auction.turn if auction else turn(state)):
        return ()
    return ladder.choices(auction) if auction else tuple(map(Choose, _untaken(state)))


def _untaken(state: State) -> list[int]:
    return [place for place in range(1, len(state.pile) + 1) if place not in state.chosen]


def apply(state: State, seat: Seat, move: Move, luck: Luck) -> Step[State]:
    """Return the result of `move` by `seat`; raises `Refused` if it isn't legal."""
    auction = state.auction
    now = auction.turn if auction else turn(state)
    if now is None:
        raise Refused("game-over")
    if seat != now and not isinstance(move, Join | Leave):
        raise Refused("not-your-turn", turn=now, phase=phase(state))
    match move:
        case Bid() if auction:
            return _bid(state, ladder.climb(auction, move), move, seat)
        case Challenge() if auction:
            return _challenged(state, ladder.challenge(auction), seat, luck)
        case Stand() if auction:
            after = ladder.stand(auction)
            return _counted(state, after, (Stood(seat, after.standing[0]),), luck)
        case Choose(place) if not auction:
            return _chosen(state, place)
        case Join() | Leave():
            return _company(state, seat, move)
    raise Refused("wrong-phase", phase=phase(state), bid=auction.bid if auction else None)


_state, _step = maker(State), maker(Step)
_bid_made, _doubted, _counted_out, _scored = maker(BidMade), maker(Challenged), maker(Counted), maker(HandScored)


def _bid(state: State, auction: Auction, bid: Bid, seat: Seat) -> Step[State]:
    made = _bid_made(seat, bid, *stakes.prices(state.match, bid), auction.rebid)
    return _step(_state(state.match, state.slips, (), (), auction), (made,))


def _challenged(state: State, auction: Auction, seat: Seat, luck: Luck) -> Step[State]:
    """Continue after a call: count if the bidding has ended, else wait for the next seat."""
    said = _doubted(seat, auction.standing[0], auction.turn if auction.turn == auction.bidder else None)
    if auction.turn is None:
        return _counted(state, auction, (said,), luck)
    return _step(_state(state.match, state.slips, (), (), auction), (said,))


def _counted(state: State, auction: Auction, events: tuple[Happening, ...], luck: Luck) -> Step[State]:
    """Count clockwise from the bidder's left, the bidder last; then start the next hand or end the session."""
    (bid, bidder), line = auction.standing, state.match.lines[-1] - 1
    numbers = tuple([slip.numbers[line] if slip else None for slip in state.slips])
    match, order = stakes.booked(state.match, bid, bidder, numbers), round_from(auction.players, bidder + 1)
    row = match.sheet[-1]
    fingers = tuple([(seat, row.counts[seat] or 0) for seat in order])
    shown = tuple([number for seat in order if (number := row.numbers[seat])]) if row.numbers else ()
    scored = _scored(bidder, bid, row.verdict, row.changes[bidder] // (len(order) - 1), match.balances)
    events = (*events, _counted_out(bid, fingers, shown), scored)
    if match.ended:
        return _step(_state(match, state.slips), events)
    match, told = stakes.lined_up(match, numbers)
    return _next_hand(match, state.slips, (*events, *told), luck)


def _next_hand(match: Match, held: tuple[Slip | None, ...], events: tuple[Happening, ...], luck: Luck) -> Step[State]:
    """Replace used-up bills or slips, dealt in seat order or laid out to choose; new players get theirs too."""
    hand = len(match.sheet) + 1
    if match.lines:
        fresh = {
            seat: slips.drawn("slips", luck.for_("slip", hand, seat)) for seat in match.players if held[seat] is None
        }
        kept = {seat: held[seat] or fresh[seat] for seat in match.players}
        return _opened(match, kept, (*events, *(SlipDealt(seat, slip) for seat, slip in fresh.items())))
    numbers = match.options.numbers
    if match.options.choose == "auto":
        dealt = {seat: slips.drawn(numbers, luck.for_("slip", hand, seat)) for seat in match.players}
        return _dealt(match, dealt, events)
    pile = tuple(slips.drawn(numbers, luck.for_("pile", hand, place + 1)) for place in range(len(match.players)))
    first = round_from(match.players, match.chooser)[0]
    return Step(State(match, (None,) * len(held), pile), (*events, SlipsLaid(numbers, len(pile), first)))


def _chosen(state: State, place: int) -> Step[State]:
    """Take a face-down bill or slip; the choice goes clockwise and the last seat gets the last one."""
    untaken = _untaken(state)
    if place not in untaken:
        raise Refused("bad-choice", places=untaken)
    order, chosen = round_from(state.match.players, state.match.chooser), (*state.chosen, place)
    taken = SlipChosen(order[len(state.chosen)], place)
    if len(untaken) > 2:
        return Step(State(state.match, state.slips, state.pile, chosen), (taken,))
    (left,) = (other for other in untaken if other != place)
    held = {seat: state.pile[one - 1] for seat, one in zip(order, (*chosen, left), strict=True)}
    return _dealt(state.match, held, (taken, SlipChosen(order[-1], left)))


def _dealt(match: Match, held: dict[Seat, Slip], events: tuple[Happening, ...]) -> Step[State]:
    looked = (SlipDealt(seat, slip) for seat, slip in sorted(held.items()) if len(slip.numbers) > 1)
    return _opened(attrs.evolve(match, lines=(1,)), held, (*events, *looked))


def _opened(match: Match, held: dict[Seat, Slip], events: tuple[Happening, ...]) -> Step[State]:
    """Open a hand: the last bidder starts; in the first hand the lowest letters, ties from the first to choose."""
    line, order = match.lines[-1], round_from(match.players, match.chooser) if match.opener is None else ()
    letters = tuple((seat, held[seat].letters) for seat in order)
    first = slips.lowest(letters) if match.opener is None else round_from(match.players, match.opener)[0]
    shown = line if match.options.numbers == "slips" else None
    told, number = tuple(sorted(letters)), len(match.sheet) + 1
    hands, doubled, twice = match.options.hands, match.doubles > 0, match.doubles > 1
    opening = HandBegun(number, hands, shown, match.stake, doubled, first, told, twice)
    looked = (NumberShown(seat, held[seat].numbers[line - 1]) for seat in match.players)
    auction = Auction(match.players, slips.LONG * len(match.players), match.options.rebid, first)
    by_seat = tuple(map(held.get, range(len(match.balances))))
    return Step(State(match, by_seat, auction=auction), (*events, opening, *looked))


def _company(state: State, seat: Seat, move: Join | Leave) -> Step[State]:
    """Let players join or leave; it takes effect after the current hand."""
    joins, sits = isinstance(move, Join), seat in state.match.sitting
    if joins == sits or not 0 <= seat <= len(state.match.balances):
        raise Refused("bad-seat")
    if joins and len(state.match.sitting) == SEATS[-1]:
        raise Refused("table-full")
    match = stakes.with_seat(state.match, seat) if joins else stakes.without_seat(state.match, seat)
    held = (*state.slips, None)[: len(match.balances)]
    event = SatDown(seat) if joins else GotUp(seat)
    return Step(State(match, held, state.pile, state.chosen, state.auction), (event,))


def view(state: State, seat: Seat | None) -> View:
    """Return everything `seat` may know; None is a spectator."""
    own = state.slips[seat] if seat is not None and seat < len(state.slips) else None
    letters = tuple(slip.letters if slip else None for slip in state.slips)
    return View(seat, state.match, own, letters, len(state.pile), state.chosen, state.auction)


def outcome(state: State) -> Outcome | None:
    """Return the balances and the seats with the highest one, None while the session is in progress."""
    if turn(state) is not None:
        return None
    balances = state.match.balances
    winners = tuple(seat for seat, balance in enumerate(balances) if balance == max(balances))
    whole = len(state.match.sheet) >= state.match.options.hands
    return Outcome(balances, winners, "all hands are played" if whole else "too few players are left")


def default(state: State, seat: Seat) -> Move:
    """Return `1 one` to open, else a challenge, else stand; `seat` must have a move."""
    return Bid(1, 1) if phase(state) == "open" else moves(state, seat)[0]


def sample(view: View, luck: Luck) -> State:
    """Return a random state that is consistent with `view`, uniform over the digits that agree with all counts.

    It ignores what other seats' bids may reveal about their digits.
    """
    if view.laid:
        pile = tuple(slips.drawn(view.match.options.numbers, luck) for _ in range(view.laid))
        return State(view.match, (None,) * len(view.letters), pile, view.chosen)
    held = tuple(_imagined(view, seat, letters, luck) for seat, letters in enumerate(view.letters))
    return State(view.match, held, auction=view.auction)


def _imagined(view: View, seat: Seat, letters: str | None, luck: Luck) -> Slip | None:
    if letters is None or seat == view.seat:
        return view.slip if seat == view.seat else None
    finished = len(view.match.lines) - (view.auction is not None)
    rows = view.match.sheet[len(view.match.sheet) - finished :]
    return stakes.imagined(view.match.options.numbers, rows, seat, letters, luck)
