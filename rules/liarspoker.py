"""Salomon's Liar's Poker: bid how often a digit is in everybody's numbers, until all the others challenge.

The rules are those of "Liars Poker", current as of February 10, 1986; what they leave open is said where it is settled.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import attrs

from rules.bidding import ladder, slips, stakes
from rules.bidding.ladder import Auction, Bid, BidMade, Challenge, Challenged, Stand, Stood, round_from
from rules.bidding.slips import LastDigitsTold, NumberShown, Slip, SlipChosen, SlipDealt, SlipsLaid
from rules.bidding.stakes import GotUp, Match, SatDown, Verdict
from rules.changed import maker
from rules.kit import Event as Happening
from rules.kit import Join, Leave, Luck, Outcome, Refused, Seat, Step

NAME = "liarspoker"
VERSION = 2
SEATS = range(2, 21)
Options = stakes.Options


@attrs.frozen
class Choose:
    """Take the bill or slip that lies face down at that place, counted from 1."""

    place: int


Move = Choose | Bid | Challenge | Stand | Join | Leave


@attrs.frozen
class HandBegun(Happening):
    """A hand begins: its number, its line (None: bills), its stake, and who opens; letters where they decided that."""

    number: int
    hands: int
    line: int | None
    stake: int
    doubled: bool
    opener: Seat
    letters: tuple[tuple[Seat, str], ...]


@attrs.frozen
class Counted(Happening):
    """How many fingers each holds up, from the bidder's left on, the bidder last; the numbers where they are shown."""

    bid: Bid
    fingers: tuple[tuple[Seat, int], ...]
    numbers: tuple[str, ...]


@attrs.frozen
class HandScored(Happening):
    """What the bid came to: `units` from each of the others (below nothing: to each), and the accounts now."""

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
    """The match, the slips in hand by seat, those that lie face down, the places taken of them, and the bidding."""

    match: Match
    slips: tuple[Slip | None, ...]
    pile: tuple[Slip, ...] = ()
    chosen: tuple[int, ...] = ()
    auction: Auction | None = None


@attrs.frozen
class View:
    """What a seat, or a watcher (None), may know: its own slip, all letters, and everything but digits."""

    seat: Seat | None
    match: Match
    slip: Slip | None
    letters: tuple[str | None, ...]
    laid: int
    chosen: tuple[int, ...]
    auction: Auction | None


def start(seats: int, options: Options, purses: Sequence[int], luck: Luck) -> Step[State]:
    """Return the first state; `purses` are the seats' lifetime balances, by which the first to choose is found.

    Raises `Refused` for a number of seats or hands, or a stake, that isn't allowed.
    """
    if seats not in SEATS:
        raise Refused("bad-seats", low=SEATS[0], high=SEATS[-1])
    stakes.agreed(options)
    chooser = _most_disappointed((*purses, *(0,) * seats)[:seats], luck)
    opener = luck.choice(range(seats)) if options.opener == "random" else None
    match = Match(options, tuple(range(seats)), tuple(range(seats)), (0,) * seats, chooser, opener)
    return _next_hand(match, (None,) * seats, (), luck)


def _most_disappointed(purses: Sequence[int], luck: Luck) -> Seat:
    """The first choice goes to the player whose fortunes as of late have been most disappointing, ties by lot."""
    lowest = [seat for seat, purse in enumerate(purses) if purse == min(purses)]
    return luck.choice(lowest) if len(lowest) > 1 else lowest[0]


def phase(state: State | View) -> Literal["choose", "open", "answer", "rebid", "closed"]:
    """Return what is to be done: choose a slip, bid first, answer a bid, stand or rebid, or nothing any more."""
    if state.auction is not None:
        return state.auction.phase
    return "closed" if state.match.ended else "choose"


def turn(state: State | View) -> Seat | None:
    """Return whose turn it is; nobody's when the session is over."""
    if state.auction is not None:
        return state.auction.turn
    match = state.match
    return None if match.ended else round_from(match.players, match.chooser)[len(state.chosen)]


def moves(state: State, seat: Seat) -> Sequence[Move]:
    """Return the legal moves of `seat`: the places not taken, or what it may say; none when it has to wait."""
    auction = state.auction
    if seat != (auction.turn if auction else turn(state)):
        return ()
    return ladder.choices(auction) if auction else tuple(map(Choose, _untaken(state)))


def _untaken(state: State) -> list[int]:
    return [place for place in range(1, len(state.pile) + 1) if place not in state.chosen]


def apply(state: State, seat: Seat, move: Move, luck: Luck) -> Step[State]:
    """Return what follows when `seat` makes `move`; raises `Refused`, and then nothing has happened."""
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
    """Challenged by all, a bidder has the option of playing the bid or of a new, stronger one; else it is counted."""
    said = _doubted(seat, auction.standing[0], auction.turn if auction.turn == auction.bidder else None)
    if auction.turn is None:
        return _counted(state, auction, (said,), luck)
    return _step(_state(state.match, state.slips, (), (), auction), (said,))


def _counted(state: State, auction: Auction, events: tuple[Happening, ...], luck: Luck) -> Step[State]:
    """The count goes clockwise from the bidder's left, the bidder last; then comes the next hand, or the end."""
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
    """New bills or slips where they are used up, in seat order or laid down to choose from; newcomers get theirs."""
    if match.lines:
        fresh = {seat: slips.drawn("slips", luck) for seat in match.players if held[seat] is None}
        kept = {seat: held[seat] or fresh[seat] for seat in match.players}
        return _opened(match, kept, (*events, *(SlipDealt(seat, slip) for seat, slip in fresh.items())))
    pile = tuple(slips.drawn(match.options.numbers, luck) for _ in match.players)
    if match.options.choose == "auto":
        return _dealt(match, dict(zip(match.players, pile, strict=True)), events)
    first = round_from(match.players, match.chooser)[0]
    return Step(State(match, (None,) * len(held), pile), (*events, SlipsLaid(match.options.numbers, len(pile), first)))


def _chosen(state: State, place: int) -> Step[State]:
    """The choice goes round from the first to choose; the last seat gets what is left."""
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
    """The final bidder of the last hand opens; the first hand the lowest letters, ties from the first to choose on."""
    line, order = match.lines[-1], round_from(match.players, match.chooser) if match.opener is None else ()
    letters = tuple((seat, held[seat].letters) for seat in order)
    first = slips.lowest(letters) if match.opener is None else round_from(match.players, match.opener)[0]
    shown = line if match.options.numbers == "slips" else None
    told, number = tuple(sorted(letters)), len(match.sheet) + 1
    begun = HandBegun(number, match.options.hands, shown, match.stake, match.doubled, first, told)
    looked = (NumberShown(seat, held[seat].numbers[line - 1]) for seat in match.players)
    auction = Auction(match.players, slips.LONG * len(match.players), match.options.rebid, first)
    by_seat = tuple(map(held.get, range(len(match.balances))))
    return Step(State(match, by_seat, auction=auction), (*events, begun, *looked))


def _company(state: State, seat: Seat, move: Join | Leave) -> Step[State]:
    """Players may join or leave between hands: it comes true when the hand in play is over."""
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
    """Return all that `seat` may know; None is a watcher."""
    own = state.slips[seat] if seat is not None and seat < len(state.slips) else None
    letters = tuple(slip.letters if slip else None for slip in state.slips)
    return View(seat, state.match, own, letters, len(state.pile), state.chosen, state.auction)


def outcome(state: State) -> Outcome | None:
    """Return the balances and who shares the highest, None while the session goes on."""
    if turn(state) is not None:
        return None
    balances = state.match.balances
    winners = tuple(seat for seat, balance in enumerate(balances) if balance == max(balances))
    whole = len(state.match.sheet) >= state.match.options.hands
    return Outcome(balances, winners, "all hands are played" if whole else "too few players are left")


def default(state: State, seat: Seat) -> Move:
    """Return `1 one` to open, else a challenge, else standing by one's bid; `seat` must have a move."""
    return Bid(1, 1) if phase(state) == "open" else moves(state, seat)[0]


def sample(view: View, luck: Luck) -> State:
    """Return a state that `view` could come from, uniform over the digits that agree with every count and last digit.

    What the bids of others may tell of their digits is left out.
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
