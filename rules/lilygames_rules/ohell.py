"""Ohell as played at lily: take exactly the tricks you bid, or lose the cube of the difference.

The rules come from lily's Ohell help by Paul Stewart. Where it is silent, an option or a docstring says what we do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import attrs

from lilygames_rules.cards import pack
from lilygames_rules.changed import changed
from lilygames_rules.kit import Event as Happening
from lilygames_rules.kit import Luck, Outcome, Refused, Seat, Step
from lilygames_rules.tricks import exactbid, game
from lilygames_rules.tricks.exactbid import (
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
from lilygames_rules.tricks.trick import Dupes

NAME = "ohell"
VERSION = 1
SEATS = range(2, 13)

FEWEST_CARDS, MOST_ASKED, MOST_DECKS = 3, 20, 4


@attrs.frozen
class Options:
    """Table options; the source only says that the first dealer picks the largest hand."""

    max: int | Literal["ask"] = "ask"
    """Cards in the largest hand; `ask` lets the first dealer choose."""
    decks: int | Literal["auto"] = "auto"
    """Number of decks, 1 to 4; `auto` uses as few as the largest hands and the turned card need."""
    dupes: Dupes = "cancel-pair"
    """Identical cards in a trick: pairs cancel, the trick is cancelled, or the first or last one counts."""
    supertrump: bool = True
    """Whether, with several decks, the other copies of the turned card beat all cards."""
    hook: bool = True
    """Whether the dealer is barred from making the bids add up to the tricks."""
    first_dealer: Literal["random", "host"] = "random"


@attrs.frozen
class ChooseMax:
    """Choose the number of cards in the largest hands."""

    cards: int


Move = ChooseMax | Bid | Play


@attrs.frozen
class DealerDrawn(Happening):
    """The first dealer is drawn; `most` is the largest hand they may choose, None if it's already set."""

    seat: Seat
    most: int | None


@attrs.frozen
class MaxChosen(Happening):
    """The largest hand is set, by `seat` or by the options (None), and with it the number of rounds and decks."""

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
    """Everything but the round in play: options, first dealer and score sheet. `largest` is 0 until it is chosen."""

    options: Options
    seats: int
    first: Seat
    largest: int
    scores: tuple[int, ...]
    sheet: tuple[Row, ...]

    @property
    def rounds(self) -> int:
        """The number of rounds: from one card up to the largest hand, which is dealt once, and back to one."""
        return 2 * self.largest - 1

    @property
    def decks(self) -> int:
        """The number of decks shuffled together."""
        asked = self.options.decks
        return -(-(self.seats * self.largest + 1) // 52) if asked == "auto" else asked


State = game.State[Match]
View = game.View[Match]
view = game.view


def score(bid: int, taken: int, cards: int) -> int:
    """Return the points for a round: 10 + bid² for a bid made (10 + cards for a bid of 0), else -(difference)³."""
    if bid != taken:
        return -(abs(bid - taken) ** 3)
    return 10 + (bid * bid if bid else cards)


def schedule(largest: int) -> tuple[int, ...]:
    """Return the hand sizes of a game: 1 up to the largest and back to 1."""
    return (*range(1, largest), *range(largest, 0, -1))


def largest_possible(seats: int, options: Options) -> int:
    """Return the largest hand the decks allow with a card left to turn up; at most 20 if the dealer chooses."""
    if options.decks != "auto":
        return (52 * options.decks - 1) // seats
    enough = (52 * MOST_DECKS - 1) // seats
    return min(MOST_ASKED, enough) if options.max == "ask" else enough


def start(seats: int, options: Options, purses: Sequence[int], luck: Luck) -> Step[State]:
    """Return the first state; raises `Refused` if the number of seats, decks or cards isn't allowed."""
    if seats not in SEATS:
        raise Refused("bad-seats", low=SEATS[0], high=SEATS[-1])
    if options.decks != "auto" and not 1 <= options.decks <= MOST_DECKS:
        raise Refused("bad-decks", low=1, high=MOST_DECKS)
    first = 0 if options.first_dealer == "host" else luck.for_("first").pick(range(seats))
    match = Match(options, seats, first, 0, (0,) * seats, ())
    if options.max == "ask":
        return Step(game.state(match, None), (DealerDrawn(first, largest_possible(seats, options)),))
    return _chosen(match, None, options.max, (DealerDrawn(first, None),), luck)


def turn(state: State | View) -> Seat | None:
    """Return the seat to move, None when the game is over."""
    if state.round is not None:
        return state.round.turn
    return None if state.match.largest else state.match.first


def moves(state: State, seat: Seat) -> Sequence[Move]:
    """Return the legal moves of `seat`, in order: sizes, bids or cards; empty if it has to wait."""
    now = state.round
    if now is None:
        sizes = range(FEWEST_CARDS, largest_possible(state.match.seats, state.match.options) + 1)
        return tuple(map(ChooseMax, sizes)) if seat == turn(state) else ()
    return game.moves(state.match, now, _barred) if seat == now.turn else ()


def apply(state: State, seat: Seat, move: Move, luck: Luck) -> Step[State]:
    """Return the result of `move` by `seat`; raises `Refused` if it isn't legal."""
    match, now = state.match, state.round
    if seat != (turn(state) if now is None else now.turn):
        raise exactbid.not_now(turn(state), phase(state))
    if now is None:
        return _picked(match, seat, move, luck)
    step = game.act(match, now, move, _barred)
    return _settled(step, luck) if game.is_over(step.state.round) else step


def phase(state: State | View) -> str:
    """Return the phase of the game: `max` while the largest hand is chosen, else `exactbid.phase`."""
    return exactbid.phase(state.round) if state.match.largest else "max"


def _barred(match: Match, now: Round) -> int | None:
    """Return the bid the dealer may not make: the one that brings the total to the number of tricks."""
    return exactbid.evening_bid(now) if match.options.hook else None


def _picked(match: Match, seat: Seat, move: Move, luck: Luck) -> Step[State]:
    if isinstance(move, ChooseMax):
        return _chosen(match, seat, move.cards, (), luck)
    raise Refused("wrong-phase", phase="max")


def _chosen(match: Match, seat: Seat | None, cards: int, events: tuple[Happening, ...], luck: Luck) -> Step[State]:
    """Set the largest hand, at least 3 cards, and deal the first round; the minimum is 5 rounds."""
    most = largest_possible(match.seats, match.options)
    if not FEWEST_CARDS <= cards <= most:
        raise Refused("bad-max", low=FEWEST_CARDS, high=most)
    match = changed(match, largest=cards)
    chosen = MaxChosen(seat, cards, match.rounds, match.decks)
    return _dealt(match, (*events, chosen), luck)


def _dealt(match: Match, events: tuple[Happening, ...], luck: Luck) -> Step[State]:
    """Deal the next round and turn up the next card; its suit is trump."""
    played = len(match.sheet)
    cards, dealer = schedule(match.largest)[played], (match.first + played) % match.seats
    order = tuple(range(match.seats))
    hands, turned = exactbid.hand_out(order, dealer, cards, pack(match.decks), luck.for_("deal", played + 1))
    crowned = turned if match.options.supertrump and match.decks > 1 else None
    trump = None if turned is None else turned.suit
    deal = Deal(played + 1, cards, order, dealer, turned, trump, crowned, match.options.dupes)
    return game.dealt(match, deal, hands, events)


def _settled(step: Step[State], luck: Luck) -> Step[State]:
    """Score a finished round, then deal the next one or end the game."""
    match, scored = game.settled(step.state, score)
    events = (*step.events, scored)
    if len(match.sheet) < match.rounds:
        return _dealt(match, events, luck)
    ended = GameEnded(match.scores, exactbid.leaders(match.scores))
    return Step(game.state(match, None), (*events, ended))


def outcome(state: State) -> Outcome | None:
    """Return the totals and the seats with the highest one, None while the game is in progress."""
    match = state.match
    if turn(state) is not None:
        return None
    return Outcome(match.scores, exactbid.leaders(match.scores), "all rounds are played")


def default(state: State, seat: Seat) -> Move:
    """Return the largest hand allowed, the lowest legal bid or the lowest legal card; `seat` must have a move."""
    open_to = moves(state, seat)
    return open_to[-1] if state.round is None else open_to[0]


def sample(view: View, luck: Luck) -> State:
    """Return a random state that is consistent with `view`, uniform over the possible deals."""
    return game.sample(view, pack(view.match.decks), luck)
