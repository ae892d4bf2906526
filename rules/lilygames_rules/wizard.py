"""Wizard as played at gamerz.net: take exactly the tricks you bid; wizards always win, jesters always lose.

The rules come from pbmserv's Wizard help. Where it is silent, the rules printed with the cards apply; an option or a
docstring says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import attrs

from lilygames_rules.cards import DECK, JESTER, WIZARD, Suit
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
    TrickWon,
)

NAME = "wizard"
VERSION = 1
SEATS = range(3, 7)

PACK = (*DECK, *[WIZARD] * 4, *[JESTER] * 4)
"""A standard deck of 52 cards, 4 wizards and 4 jesters."""
FREE_ROUNDS = 3
"""Rounds at the start in which the German style lets the dealer bid anything."""


@attrs.frozen
class Options:
    """Table options; `order` and `style` are pbmserv's, the others decide what it leaves open."""

    order: Literal["random", "inorder"] = "random"
    """Order of play: drawn at random, or the order of the seats."""
    style: Literal["american", "german", "canadian"] = "american"
    """When the dealer may not make the bids add up to the tricks: never, after round 3, or when alone in the lead."""
    wizard_up: Literal["dealer", "none"] = "dealer"
    """Trump if a wizard is turned up: named by the dealer, or none."""
    canadian_zero: bool = False
    """Whether the Canadian style still lets the dealer bid 0, as on the publisher's site."""
    rounds: int | Literal["all"] = "all"
    """Number of rounds; `all` is as many as the cards allow. Hands have 1 card, then 2 and so on.

    In a short game the last round has cards left, so a card is turned up for trump as in the other rounds.
    """


@attrs.frozen
class NameTrump:
    """Name the trump suit after a wizard was turned up."""

    suit: Suit


Move = NameTrump | Bid | Play


@attrs.frozen
class OrderSettled(Happening):
    """The order of play is set; the last seat in it deals first."""

    order: tuple[Seat, ...]


@attrs.frozen
class TrumpNamed(Happening):
    """The dealer has named the trump."""

    seat: Seat
    suit: Suit


@attrs.frozen
class BidBarred(Happening):
    """The dealer is about to bid and may not bid `tricks`."""

    seat: Seat
    tricks: int


@attrs.frozen
class TopTied(Happening):
    """These seats share the highest total; `made` counts the bids each of them made exactly."""

    seats: tuple[Seat, ...]
    made: tuple[int, ...]


@attrs.frozen
class CoinFlipped(Happening):
    """These seats are still tied, and a coin flip picks the winner."""

    seats: tuple[Seat, ...]
    winner: Seat


Event = (OrderSettled | Dealt | HandDealt | TrumpNamed | BidMade | BidBarred | CardPlayed) | (
    TrickWon | RoundScored | TopTied | CoinFlipped | GameEnded
)


@attrs.frozen
class Match:
    """Everything but the round in play: options, order of play, score sheet, and the winner of a coin flip."""

    options: Options
    order: tuple[Seat, ...]
    scores: tuple[int, ...]
    sheet: tuple[Row, ...]
    coin: Seat | None = None

    @property
    def rounds(self) -> int:
        """The number of rounds: the option's, or as many as the cards allow: 20, 15, 12 or 10."""
        asked = self.options.rounds
        return most_rounds(len(self.order)) if asked == "all" else asked


State = game.State[Match]
View = game.View[Match]
view = game.view


def score(bid: int, taken: int, cards: int) -> int:
    """Return the points for a round: 20 + 10 per trick for a bid made, else -10 per trick too many or too few."""
    return 20 + 10 * bid if bid == taken else -10 * abs(bid - taken)


def most_rounds(seats: int) -> int:
    """Return after how many rounds there are not enough cards to deal another."""
    return len(PACK) // seats


def rounds_made(match: Match) -> tuple[int, ...]:
    """Return the number of rounds in which each seat made its bid."""
    return tuple(sum(row.bids[seat] == row.taken[seat] for row in match.sheet) for seat in range(len(match.order)))


def start(seats: int, options: Options, purses: Sequence[int], luck: Luck) -> Step[State]:
    """Return the first state; raises `Refused` for a number of seats or rounds that cannot be played."""
    if seats not in SEATS:
        raise Refused("bad-seats", low=SEATS[0], high=SEATS[-1])
    if options.rounds != "all" and not 1 <= options.rounds <= most_rounds(seats):
        raise Refused("bad-rounds", low=1, high=most_rounds(seats))
    order = luck.for_("order").shuffle(range(seats)) if options.order == "random" else tuple(range(seats))
    return _dealt(Match(options, order, (0,) * seats, ()), (OrderSettled(order),), luck)


def turn(state: State | View) -> Seat | None:
    """Return the seat to move, None when the game is over."""
    now = state.round
    if now is None:
        return None
    return now.deal.dealer if now.deal.unnamed else now.turn


def moves(state: State, seat: Seat) -> Sequence[Move]:
    """Return the legal moves of `seat`, in order: suits, bids or cards; empty if it has to wait."""
    now = state.round
    if now is None or seat != turn(state):
        return ()
    if now.deal.unnamed:
        return tuple(map(NameTrump, Suit))
    return game.moves(state.match, now, _barred)


def apply(state: State, seat: Seat, move: Move, luck: Luck) -> Step[State]:
    """Return the result of `move` by `seat`; raises `Refused` if it isn't legal."""
    match, now = state.match, state.round
    if now is None or seat != turn(state):
        raise exactbid.not_now(turn(state), exactbid.phase(now))
    if isinstance(move, NameTrump):
        return _named(match, now, move.suit)
    step = game.act(match, now, move, _barred)
    after = step.state.round
    if isinstance(move, Bid) and after:
        return Step(step.state, (*step.events, *_last_bid(match, after)))
    return _settled(step, luck) if game.is_over(after) else step


def _named(match: Match, now: Round, suit: Suit) -> Step[State]:
    """Set the trump that the dealer names after turning up a wizard; the bidding begins."""
    deal = now.deal
    if not deal.unnamed:
        raise Refused("wrong-phase", phase=exactbid.phase(now))
    named = Deal(deal.number, deal.cards, deal.order, deal.dealer, deal.turned, suit, deal.crowned)
    return Step(game.state(match, exactbid.opened(named, now.hands)), (TrumpNamed(deal.dealer, suit),))


def _barred(match: Match, now: Round) -> int | None:
    """Return the bid that the style forbids the dealer: the one that brings the total to the number of tricks."""
    even = exactbid.evening_bid(now)
    if even is None or not _bound(match, now.deal):
        return None
    return None if even == 0 and match.options.style == "canadian" and match.options.canadian_zero else even


def _bound(match: Match, deal: Deal) -> bool:
    """Tell whether the style restricts the dealer's bid in this round."""
    match match.options.style:
        case "german":
            return deal.number > FREE_ROUNDS
        case "canadian":
            return exactbid.leaders(match.scores) == (deal.dealer,)
    return False


def _last_bid(match: Match, now: Round) -> tuple[Happening, ...]:
    """Return the event that tells everyone which bid is closed to the dealer, when only that bid is left."""
    barred = _barred(match, now)
    return () if barred is None else (BidBarred(now.turn, barred),)


def _dealt(match: Match, events: tuple[Happening, ...], luck: Luck) -> Step[State]:
    """Each round one more card; the next card is turned up, except where all are dealt: in the last of all rounds."""
    played, order = len(match.sheet), match.order
    dealer = order[(played - 1) % len(order)]
    hands, turned = exactbid.hand_out(order, dealer, played + 1, PACK, luck.for_("deal", played + 1))
    unnamed = turned is WIZARD and match.options.wizard_up == "dealer"
    trump = turned.suit if turned else None
    deal = Deal(played + 1, played + 1, order, dealer, turned, trump, WIZARD, unnamed=unnamed)
    return game.dealt(match, deal, hands, events)


def _settled(step: Step[State], luck: Luck) -> Step[State]:
    """Score a finished round, then deal the next one or end the game."""
    match, scored = game.settled(step.state, score)
    events = (*step.events, scored)
    return _dealt(match, events, luck) if len(match.sheet) < match.rounds else _ended(match, events, luck)


def _ended(match: Match, events: tuple[Happening, ...], luck: Luck) -> Step[State]:
    """End the game: the highest score wins, then the most bids made, then a coin flip."""
    tied, ahead, made = exactbid.leaders(match.scores), _ahead(match), rounds_made(match)
    if len(tied) > 1:
        events = (*events, TopTied(tied, tuple(made[seat] for seat in tied)))
    if len(ahead) > 1:
        match = changed(match, coin=luck.for_("coin").pick(range(len(match.order)), ahead))
        events = (*events, CoinFlipped(ahead, match.coin or 0))
    return Step(game.state(match, None), (*events, GameEnded(match.scores, (_winner(match),))))


def _ahead(match: Match) -> tuple[Seat, ...]:
    standing = list(zip(match.scores, rounds_made(match), strict=True))
    return tuple(seat for seat, stands in enumerate(standing) if stands == max(standing))


def _winner(match: Match) -> Seat:
    return _ahead(match)[0] if match.coin is None else match.coin


def outcome(state: State) -> Outcome | None:
    """Return the totals and the winner, None while the game is in progress."""
    match = state.match
    if state.round is not None:
        return None
    reason = "all rounds are played" + (", and a coin flip broke the tie" if match.coin is not None else "")
    return Outcome(match.scores, (_winner(match),), reason)


def default(state: State, seat: Seat) -> Move:
    """Return clubs as trump, the lowest legal bid or the lowest legal card; `seat` must have a move."""
    return moves(state, seat)[0]


def sample(view: View, luck: Luck) -> State:
    """Return a random state that is consistent with `view`, uniform over the possible deals."""
    return game.sample(view, PACK, luck)
