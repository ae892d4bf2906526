"""Wizard as played at gamerz.net: take exactly the tricks you bid, among wizards that win and jesters that do not.

The rules are those of pbmserv's Wizard help; where it is silent the rules printed with the cards stand, as an option or
said where it is settled.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import attrs

from rules.cards import DECK, JESTER, WIZARD, Suit
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
    TrickWon,
)

NAME = "wizard"
VERSION = 1
SEATS = range(3, 7)

PACK = (*DECK, *[WIZARD] * 4, *[JESTER] * 4)
"""The deck consists of a standard 52 cards + 4 "jesters" and 4 "wizards"."""
FREE_ROUNDS = 3
"""The rounds of the German style in which the dealer bids freely."""


@attrs.frozen
class Options:
    """The house rules of a table: `order` and `style` are pbmserv's, the others settle what it leaves open."""

    order: Literal["random", "inorder"] = "random"
    """Whether the order of play is drawn at the beginning, or that of the seats."""
    style: Literal["american", "german", "canadian"] = "american"
    """When the dealer may not make the bids even: never, after the first 3 rounds, or when alone in the lead."""
    wizard_up: Literal["dealer", "none"] = "dealer"
    """What a wizard turned up does: the dealer names the trump, or there is none."""
    canadian_zero: bool = False
    """Whether a dealer bound by the Canadian style may bid 0 all the same, as on the maker's own site."""
    rounds: int | Literal["all"] = "all"
    """How many rounds: as many as the cards allow, or a short game of so many, with hands of 1 card, then 2 and so on.

    The last round of a short game has cards left to turn one up, so it has a trump like the rounds before it.
    """


@attrs.frozen
class NameTrump:
    """Name the trump of the round, after a wizard was turned up."""

    suit: Suit


Move = NameTrump | Bid | Play


@attrs.frozen
class OrderSettled(Happening):
    """The order of play is known; the last of it deals first."""

    order: tuple[Seat, ...]


@attrs.frozen
class TrumpNamed(Happening):
    """The dealer has named the trump."""

    seat: Seat
    suit: Suit


@attrs.frozen
class BidBarred(Happening):
    """The last bid comes up, and the dealer may not bid so many tricks."""

    seat: Seat
    tricks: int


@attrs.frozen
class TopTied(Happening):
    """These seats share the highest total; who correctly bid the most rounds is ahead."""

    seats: tuple[Seat, ...]
    made: tuple[int, ...]


@attrs.frozen
class CoinFlipped(Happening):
    """These seats are still tied, and the coin flip falls to one of them."""

    seats: tuple[Seat, ...]
    winner: Seat


Event = (OrderSettled | Dealt | HandDealt | TrumpNamed | BidMade | BidBarred | CardPlayed) | (
    TrickWon | RoundScored | TopTied | CoinFlipped | GameEnded
)


@attrs.frozen
class Match:
    """All but the round in play: the house rules, the order of play, the score sheet, and whom a coin flip fell to."""

    options: Options
    order: tuple[Seat, ...]
    scores: tuple[int, ...]
    sheet: tuple[Row, ...]
    coin: Seat | None = None

    @property
    def rounds(self) -> int:
        """The rounds of the options; all of them end when the cards don't allow another: 20, 15, 12 or 10 rounds."""
        asked = self.options.rounds
        return most_rounds(len(self.order)) if asked == "all" else asked


State = game.State[Match]
View = game.View[Match]
view = game.view


def score(bid: int, taken: int, cards: int) -> int:
    """Return the points of a seat: 20 and 10 a trick bid if made, else -10 a trick too high or too low."""
    return 20 + 10 * bid if bid == taken else -10 * abs(bid - taken)


def most_rounds(seats: int) -> int:
    """Return after how many rounds there are not enough cards to deal another."""
    return len(PACK) // seats


def rounds_made(match: Match) -> tuple[int, ...]:
    """Return in how many rounds each seat took what it bid."""
    return tuple(sum(row.bids[seat] == row.taken[seat] for row in match.sheet) for seat in range(len(match.order)))


def start(seats: int, options: Options, purses: Sequence[int], luck: Luck) -> Step[State]:
    """Return the first state; raises `Refused` for a number of seats or rounds that cannot be played."""
    if seats not in SEATS:
        raise Refused("bad-seats", low=SEATS[0], high=SEATS[-1])
    if options.rounds != "all" and not 1 <= options.rounds <= most_rounds(seats):
        raise Refused("bad-rounds", low=1, high=most_rounds(seats))
    order = luck.shuffle(range(seats)) if options.order == "random" else tuple(range(seats))
    return _dealt(Match(options, order, (0,) * seats, ()), (OrderSettled(order),), luck)


def turn(state: State | View) -> Seat | None:
    """Return whose turn it is; nobody's when the game is over."""
    now = state.round
    if now is None:
        return None
    return now.deal.dealer if now.deal.unnamed else now.turn


def moves(state: State, seat: Seat) -> Sequence[Move]:
    """Return the legal moves of `seat`: suits, bids or cards in their order; none when it has to wait."""
    now = state.round
    if now is None or seat != turn(state):
        return ()
    if now.deal.unnamed:
        return tuple(map(NameTrump, Suit))
    return game.moves(state.match, now, _barred)


def apply(state: State, seat: Seat, move: Move, luck: Luck) -> Step[State]:
    """Return what follows when `seat` makes `move`; raises `Refused`, and then nothing has happened."""
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
    """The dealer of a turned wizard names one of the four suits, and the bidding begins."""
    deal = now.deal
    if not deal.unnamed:
        raise Refused("wrong-phase", phase=exactbid.phase(now))
    named = Deal(deal.number, deal.cards, deal.order, deal.dealer, deal.turned, suit, deal.crowned)
    return Step(game.state(match, exactbid.opened(named, now.hands)), (TrumpNamed(deal.dealer, suit),))


def _barred(match: Match, now: Round) -> int | None:
    """Return the bid that would make the total even with the cards in the hand, where the style forbids it."""
    even = exactbid.evening_bid(now)
    if even is None or not _bound(match, now.deal):
        return None
    return None if even == 0 and match.options.style == "canadian" and match.options.canadian_zero else even


def _bound(match: Match, deal: Deal) -> bool:
    """Tell whether the style binds the dealer of this round."""
    match match.options.style:
        case "german":
            return deal.number > FREE_ROUNDS
        case "canadian":
            return exactbid.leaders(match.scores) == (deal.dealer,)
    return False


def _last_bid(match: Match, now: Round) -> tuple[Happening, ...]:
    """When only the dealer's bid is left, all are told what it may not be."""
    barred = _barred(match, now)
    return () if barred is None else (BidBarred(now.turn, barred),)


def _dealt(match: Match, events: tuple[Happening, ...], luck: Luck) -> Step[State]:
    """Each round one more card; the next card is turned up, except where all are dealt: in the last of all rounds."""
    played, order = len(match.sheet), match.order
    dealer = order[(played - 1) % len(order)]
    hands, turned = exactbid.hand_out(order, dealer, played + 1, PACK, luck)
    unnamed = turned is WIZARD and match.options.wizard_up == "dealer"
    trump = turned.suit if turned else None
    deal = Deal(played + 1, played + 1, order, dealer, turned, trump, WIZARD, unnamed=unnamed)
    return game.dealt(match, deal, hands, events)


def _settled(step: Step[State], luck: Luck) -> Step[State]:
    """After the last trick the round is scored, and the deal passes to the left or the game ends."""
    match, scored = game.settled(step.state, score)
    events = (*step.events, scored)
    return _dealt(match, events, luck) if len(match.sheet) < match.rounds else _ended(match, events, luck)


def _ended(match: Match, events: tuple[Happening, ...], luck: Luck) -> Step[State]:
    """The highest score wins; then who correctly bid the most rounds; then a coin flip."""
    tied, ahead, made = exactbid.leaders(match.scores), _ahead(match), rounds_made(match)
    if len(tied) > 1:
        events = (*events, TopTied(tied, tuple(made[seat] for seat in tied)))
    if len(ahead) > 1:
        match = changed(match, coin=luck.choice(ahead))
        events = (*events, CoinFlipped(ahead, match.coin or 0))
    return Step(game.state(match, None), (*events, GameEnded(match.scores, (_winner(match),))))


def _ahead(match: Match) -> tuple[Seat, ...]:
    standing = list(zip(match.scores, rounds_made(match), strict=True))
    return tuple(seat for seat, stands in enumerate(standing) if stands == max(standing))


def _winner(match: Match) -> Seat:
    return _ahead(match)[0] if match.coin is None else match.coin


def outcome(state: State) -> Outcome | None:
    """Return the totals and the one winner, None while the game goes on."""
    match = state.match
    if state.round is not None:
        return None
    reason = "all rounds are played" + (", and a coin flip broke the tie" if match.coin is not None else "")
    return Outcome(match.scores, (_winner(match),), reason)


def default(state: State, seat: Seat) -> Move:
    """Return clubs as trump, the lowest legal bid or the lowest legal card; `seat` must have a move."""
    return moves(state, seat)[0]


def sample(view: View, luck: Luck) -> State:
    """Return a state that `view` could come from, uniform over the deals that fit."""
    return game.sample(view, PACK, luck)
