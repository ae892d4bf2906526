"""Ohell as played at lily: take exactly the tricks you bid, or pay for each one you miss by, cubed.

The rules are those of lily's Ohell help by Paul Stewart; what it leaves open is an option or said where it is settled.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import attrs

from rules.cards import pack
from rules.changed import changed
from rules.kit import Event as Happening
from rules.kit import Luck, Outcome, Refused, Seat, Step
from rules.tricks import exactbid, game
from rules.tricks.exactbid import (
    Bid,
    BidMade,
    CardPlayed,
    Deal,
    Dealt,
    GameEnded,
    HandDealt,
    Play,
    Round,
    RoundScored,
    Row,
    TrickCancelled,
    TrickWon,
)
from rules.tricks.trick import Dupes

NAME = "ohell"
VERSION = 1
SEATS = range(2, 13)

FEWEST_CARDS, MOST_ASKED, MOST_DECKS = 3, 20, 4


@attrs.frozen
class Options:
    """The house rules of a table; the help asks only that the first dealer picks the largest hand."""

    max: int | Literal["ask"] = "ask"
    """The largest hand: asked of the first dealer, or settled here."""
    decks: int | Literal["auto"] = "auto"
    """How many decks: as few as the largest hands and the turned card need, or 1 to 4."""
    dupes: Dupes = "cancel-pair"
    """What identical cards in a trick do: each two cancel, cancel the whole trick, or the first or last one counts."""
    supertrump: bool = True
    """Whether, with several decks, the other copies of the turned card beat all."""
    hook: bool = True
    """Whether the dealer may not make the bids add up to the tricks."""
    first_dealer: Literal["random", "host"] = "random"


@attrs.frozen
class ChooseMax:
    """Pick how many cards the largest hands have."""

    cards: int


Move = ChooseMax | Bid | Play


@attrs.frozen
class DealerDrawn(Happening):
    """The first dealer is known; where it picks the largest hand, `most` is the largest there can be."""

    seat: Seat
    most: int | None


@attrs.frozen
class MaxChosen(Happening):
    """The largest hand is picked by a seat, or settled by the options (None); rounds and decks follow from it."""

    seat: Seat | None
    cards: int
    rounds: int
    decks: int


Event = (
    DealerDrawn
    | MaxChosen
    | Dealt
    | HandDealt
    | BidMade
    | CardPlayed
    | TrickWon
    | TrickCancelled
    | RoundScored
    | GameEnded
)


@attrs.frozen
class Match:
    """All but the round in play: what the table agreed on, and the score sheet. `largest` is 0 until it is picked."""

    options: Options
    seats: int
    first: Seat
    largest: int
    scores: tuple[int, ...]
    sheet: tuple[Row, ...]

    @property
    def rounds(self) -> int:
        """From one card up to the largest hand, which is dealt once, and back to one."""
        return 2 * self.largest - 1

    @property
    def decks(self) -> int:
        """How many decks are shuffled: as asked for, or as few as do."""
        asked = self.options.decks
        return -(-(self.seats * self.largest + 1) // 52) if asked == "auto" else asked


State = game.State[Match]
View = game.View[Match]
view = game.view


def score(bid: int, taken: int, cards: int) -> int:
    """Return the points of a seat: 10 and the bid squared (bid 0: the cards dealt) if made, else -miss cubed."""
    if bid != taken:
        return -(abs(bid - taken) ** 3)
    return 10 + (bid * bid if bid else cards)


def schedule(largest: int) -> tuple[int, ...]:
    """Return the hand sizes of a game: 1 up to the largest and back to 1."""
    return (*range(1, largest), *range(largest, 0, -1))


def largest_possible(seats: int, options: Options) -> int:
    """Return the largest hand the decks allow with a card to turn up; where it is asked for, 20 is enough."""
    if options.decks != "auto":
        return (52 * options.decks - 1) // seats
    enough = (52 * MOST_DECKS - 1) // seats
    return min(MOST_ASKED, enough) if options.max == "ask" else enough


def start(seats: int, options: Options, purses: Sequence[int], luck: Luck) -> Step[State]:
    """Return the first state; raises `Refused` for a number of seats, decks or cards that there cannot be."""
    if seats not in SEATS:
        raise Refused("bad-seats", low=SEATS[0], high=SEATS[-1])
    if options.decks != "auto" and not 1 <= options.decks <= MOST_DECKS:
        raise Refused("bad-decks", low=1, high=MOST_DECKS)
    first = 0 if options.first_dealer == "host" else luck.choice(range(seats))
    match = Match(options, seats, first, 0, (0,) * seats, ())
    if options.max == "ask":
        return Step(game.state(match, None), (DealerDrawn(first, largest_possible(seats, options)),))
    return _chosen(match, None, options.max, (DealerDrawn(first, None),), luck)


def turn(state: State | View) -> Seat | None:
    """Return whose turn it is; nobody's when the game is over."""
    if state.round is not None:
        return state.round.turn
    return None if state.match.largest else state.match.first


def moves(state: State, seat: Seat) -> Sequence[Move]:
    """Return the legal moves of `seat`: sizes, bids or cards in their order; none when it has to wait."""
    now = state.round
    if now is None:
        sizes = range(FEWEST_CARDS, largest_possible(state.match.seats, state.match.options) + 1)
        return tuple(map(ChooseMax, sizes)) if seat == turn(state) else ()
    return game.moves(state.match, now, _barred) if seat == now.turn else ()


def apply(state: State, seat: Seat, move: Move, luck: Luck) -> Step[State]:
    """Return what follows when `seat` makes `move`; raises `Refused`, and then nothing has happened."""
    match, now = state.match, state.round
    if seat != (turn(state) if now is None else now.turn):
        raise exactbid.not_now(turn(state), phase(state))
    if now is None:
        return _picked(match, seat, move, luck)
    step = game.act(match, now, move, _barred)
    return _settled(step, luck) if game.is_over(step.state.round) else step


def phase(state: State | View) -> str:
    """Return what is to be done: pick the largest hand (`max`), or what `exactbid.phase` says."""
    return exactbid.phase(state.round) if state.match.largest else "max"


def _barred(match: Match, now: Round) -> int | None:
    """The dealer, who bids last, may not make the total bid equal to the number of tricks."""
    return exactbid.evening_bid(now) if match.options.hook else None


def _picked(match: Match, seat: Seat, move: Move, luck: Luck) -> Step[State]:
    if isinstance(move, ChooseMax):
        return _chosen(match, seat, move.cards, (), luck)
    raise Refused("wrong-phase", phase="max")


def _chosen(match: Match, seat: Seat | None, cards: int, events: tuple[Happening, ...], luck: Luck) -> Step[State]:
    """The first dealer picks the largest hand, at least 3: the minimum number of rounds is 5."""
    most = largest_possible(match.seats, match.options)
    if not FEWEST_CARDS <= cards <= most:
        raise Refused("bad-max", low=FEWEST_CARDS, high=most)
    match = changed(match, largest=cards)
    chosen = MaxChosen(seat, cards, match.rounds, match.decks)
    return _dealt(match, (*events, chosen), luck)


def _dealt(match: Match, events: tuple[Happening, ...], luck: Luck) -> Step[State]:
    """The next dealer deals, and turns up the top card of the rest; its suit is trump."""
    played = len(match.sheet)
    cards, dealer = schedule(match.largest)[played], (match.first + played) % match.seats
    order = tuple(range(match.seats))
    hands, turned = exactbid.hand_out(order, dealer, cards, pack(match.decks), luck)
    crowned = turned if match.options.supertrump and match.decks > 1 else None
    trump = None if turned is None else turned.suit
    deal = Deal(played + 1, cards, order, dealer, turned, trump, crowned, match.options.dupes)
    return game.dealt(match, deal, hands, events)


def _settled(step: Step[State], luck: Luck) -> Step[State]:
    """After the last trick the round is scored, and the deal passes to the left or the game ends."""
    match, scored = game.settled(step.state, score)
    events = (*step.events, scored)
    if len(match.sheet) < match.rounds:
        return _dealt(match, events, luck)
    ended = GameEnded(match.scores, exactbid.leaders(match.scores))
    return Step(game.state(match, None), (*events, ended))


def outcome(state: State) -> Outcome | None:
    """Return the totals and who shares the highest, None while the game goes on."""
    match = state.match
    if turn(state) is not None:
        return None
    return Outcome(match.scores, exactbid.leaders(match.scores), "all rounds are played")


def default(state: State, seat: Seat) -> Move:
    """Return the largest hand there can be, the lowest legal bid or the lowest legal card; `seat` must have a move."""
    open_to = moves(state, seat)
    return open_to[-1] if state.round is None else open_to[0]


def sample(view: View, luck: Luck) -> State:
    """Return a state that `view` could come from, uniform over the deals that fit."""
    return game.sample(view, pack(view.match.decks), luck)
