"""One round of an exact-bid game (Ohell, Wizard): deal, turn up a card, bid in turn, play the tricks.

The functions refuse moves that no game of the family allows. The barred bid, the trump and the scoring are arguments
that each game supplies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import attrs

from lilygames_rules.cards import DECK, JESTER, WIZARD, Card, Suit, sorted_hand
from lilygames_rules.changed import maker
from lilygames_rules.kit import Event, Luck, Refused, Seat
from lilygames_rules.tricks.trick import Dupes, led_suit, playable, winning

MOST_SEATS = 12
"""Most seats of any game in the family."""


@attrs.frozen
class Bid:
    """Say how many tricks you will take."""

    tricks: int


@attrs.frozen
class Play:
    """Play a card from your hand."""

    card: Card


@attrs.frozen
class Deal:
    """The public facts of a round before the first bid."""

    number: int
    cards: int
    order: tuple[Seat, ...]
    """The seats in order of play; the next seat here sits to the left."""
    dealer: Seat
    turned: Card | None
    trump: Suit | None
    crowned: Card | None = None
    dupes: Dupes = "first"
    unnamed: bool = False
    """Whether the dealer still has to name the trump."""

    def left_of(self, seat: Seat, places: int = 1) -> Seat:
        """Return the seat that many places to the left of `seat`."""
        order = self.order
        return order[(order.index(seat) + places) % len(order)]

    def seats_from(self, seat: Seat) -> tuple[Seat, ...]:
        """Return the seats in order of play, from `seat` on."""
        first = self.order.index(seat)
        return self.order[first:] + self.order[:first]

    def next_to(self, seat: Seat) -> Seat:
        """Return the seat to the left of `seat`."""
        order = self.order
        return order[order.index(seat) + 1 - len(order)]


@attrs.frozen
class Dealt(Event):
    """A round begins: the cards are dealt and the trump is set."""

    deal: Deal
    rounds: int


@attrs.frozen
class HandDealt(Event):
    """A seat was dealt these cards; no other seat sees them."""

    seat: Seat
    cards: tuple[Card, ...]

    def seen_by(self, seat: Seat | None) -> HandDealt | None:
        """Return the event for the seat that holds the cards, None for all others."""
        return self if seat == self.seat else None


@attrs.frozen
class BidMade(Event):
    """A seat bid."""

    seat: Seat
    tricks: int


@attrs.frozen
class CardPlayed(Event):
    """A seat played a card."""

    seat: Seat
    card: Card


@attrs.frozen
class TrickWon(Event):
    """A seat took the trick with `card`; it has now taken `taken` of the `bid` tricks it needs."""

    seat: Seat
    card: Card
    taken: int
    bid: int


@attrs.frozen
class TrickCancelled(Event):
    """Identical cards cancelled the trick: nobody takes it, and its leader leads again."""

    leader: Seat


@attrs.frozen
class RoundScored(Event):
    """A round ended: each seat's bid, tricks taken and points, and the new totals."""

    number: int
    bids: tuple[int, ...]
    taken: tuple[int, ...]
    points: tuple[int, ...]
    scores: tuple[int, ...]


@attrs.frozen
class GameEnded(Event):
    """The last round was scored; `winners` share the win."""

    scores: tuple[int, ...]
    winners: tuple[Seat, ...]


@attrs.frozen
class Trick:
    """A finished trick: its cards from the leader on, and the seat that took it (None: cancelled)."""

    leader: Seat
    cards: tuple[Card, ...]
    winner: Seat | None


@attrs.frozen
class Round:
    """A round in play."""

    deal: Deal
    hands: tuple[tuple[Card, ...], ...]
    bids: tuple[int | None, ...]
    taken: tuple[int, ...]
    tricks: tuple[Trick, ...]
    trick: tuple[Card, ...]
    turn: Seat


@attrs.frozen
class Sight:
    """A round as one seat sees it; a spectator's hand is empty."""

    deal: Deal
    hand: tuple[Card, ...]
    bids: tuple[int | None, ...]
    taken: tuple[int, ...]
    tricks: tuple[Trick, ...]
    trick: tuple[Card, ...]
    turn: Seat


@attrs.frozen
class Row:
    """A row of the score sheet: one finished round."""

    cards: int
    dealer: Seat
    bids: tuple[int, ...]
    taken: tuple[int, ...]
    points: tuple[int, ...]


def hand_out(
    order: Sequence[Seat], dealer: Seat, cards: int, pack: Sequence[Card], luck: Luck
) -> tuple[list[tuple[Card, ...]], Card | None]:
    """Shuffle and deal; return the sorted hands by seat, and the next card (None if no card is left).

    Cards are dealt one at a time, starting to the dealer's left.
    """
    shuffled = luck.shuffle(pack)
    seats, first = len(order), order.index(dealer) + 1
    dealt = seats * cards
    hands = [sorted_hand(shuffled[(order.index(seat) - first) % seats : dealt : seats]) for seat in range(seats)]
    return hands, shuffled[dealt] if dealt < len(shuffled) else None


def opened(deal: Deal, hands: Sequence[tuple[Card, ...]]) -> Round:
    """Return the round before its first bid; the seat to the dealer's left bids and leads first."""
    seats = len(hands)
    return _round(deal, tuple(hands), (None,) * seats, (0,) * seats, (), (), deal.left_of(deal.dealer))


def announced(deal: Deal, hands: Sequence[tuple[Card, ...]], rounds: int) -> tuple[Event, ...]:
    """Return the events of a deal: the public part, then each hand."""
    return (Dealt(deal, rounds), *(HandDealt(seat, hand) for seat, hand in enumerate(hands)))


def phase(now: Round | Sight | None) -> Literal["trump", "bid", "play", "over"]:
    """Return the phase: naming the trump, bidding, playing, or `over` without a round."""
    if now is None:
        return "over"
    if now.deal.unnamed:
        return "trump"
    return "bid" if bidding(now) else "play"


def not_now(turn: Seat | None, phase: str) -> Refused:
    """Return the refusal for a move out of turn; a `turn` of None means that the game is over."""
    return Refused("game-over") if turn is None else Refused("not-your-turn", turn=turn, phase=phase)


def bidding(now: Round | Sight) -> bool:
    """Tell whether someone still has to bid; the dealer bids last."""
    return now.bids[now.deal.dealer] is None


def leader(now: Round | Sight) -> Seat:
    """Return the leader of the current trick."""
    deal = now.deal
    return deal.left_of(deal.dealer) if bidding(now) else deal.left_of(now.turn, -len(now.trick))


def evening_bid(now: Round | Sight) -> int | None:
    """Return the bid that would make all bids add up to the tricks, None unless the dealer bids next."""
    if now.turn != now.deal.dealer or not bidding(now):
        return None
    left = now.deal.cards - sum(bid for bid in now.bids if bid is not None)
    return left if left >= 0 else None


def act(now: Round, move: object, barred: int | None) -> tuple[Round, tuple[Event, ...]]:
    """Return the round and the events after a bid or a card by the seat to move; raises `Refused`."""
    if isinstance(move, Play):
        return play(now, move.card)
    if isinstance(move, Bid) and phase(now) == "bid":
        return bid(now, move.tricks, barred)
    raise Refused("wrong-phase", phase=phase(now))


def bids(now: Round | Sight, barred: int | None) -> tuple[Bid, ...]:
    """Return the legal bids of the next bidder: 0 to all tricks, except the barred one."""
    upto = now.deal.cards + 1
    return _BIDS[:upto] if barred is None else _BIDS[:barred] + _BIDS[barred + 1 : upto]


def plays(hand: tuple[Card, ...], trick: Sequence[Card]) -> tuple[Play, ...]:
    """Return the legal cards of a sorted hand as moves; copies of a card are one move."""
    legal = playable(hand, trick) if trick else hand
    if len(legal) == 1:
        return (_PLAYS[legal[0]],)
    found: list[Play] = []
    last = None
    for card in legal:
        if card is not last:
            found.append(_PLAYS[card])
            last = card
    return tuple(found)


_BIDS = tuple(map(Bid, range(52 * 4 // 2)))
_PLAYS = {card: Play(card) for card in (*DECK, JESTER, WIZARD)}
_PLAYED = tuple({card: (CardPlayed(seat, card),) for card in (*DECK, JESTER, WIZARD)} for seat in range(MOST_SEATS))
"""The event for each seat and card, created once: creating it would cost more than the rest of a move."""
_round, _trick, _row, _sight = maker(Round), maker(Trick), maker(Row), maker(Sight)
_bid_made, _trick_won, _round_scored = maker(BidMade), maker(TrickWon), maker(RoundScored)


def bid(now: Round, tricks: int, barred: int | None) -> tuple[Round, tuple[Event, ...]]:
    """Return the round and the events after the next bid; raises `Refused` if it's out of range or barred."""
    deal, seat, made = now.deal, now.turn, list(now.bids)
    if not 0 <= tricks <= deal.cards:
        raise Refused("bad-bid", cards=deal.cards, barred=barred)
    if tricks == barred:
        raise Refused("hook", cards=deal.cards, barred=barred)
    made[seat] = tricks
    after = _round(deal, now.hands, tuple(made), now.taken, (), (), deal.next_to(seat))
    return after, (_bid_made(seat, tricks),)


def play(now: Round, card: Card) -> tuple[Round, tuple[Event, ...]]:
    """Return the round and the events after the next card; raises `Refused` if it's not held or must follow suit."""
    deal, seat, trick, hands = now.deal, now.turn, now.trick, list(now.hands)
    hand, order = hands[seat], deal.order
    if now.bids[deal.dealer] is None:
        raise Refused("wrong-phase", phase=phase(now))
    if card not in hand:
        raise Refused("not-in-hand", card=card, cards=playable(hand, trick))
    if trick and card.suit is not trick[0].suit and card not in playable(hand, trick):
        raise Refused("must-follow", card=card, suit=led_suit(trick), cards=playable(hand, trick))
    place, left = hand.index(card), order.index(seat) + 1 - len(order)
    hands[seat] = hand[:place] + hand[place + 1 :]
    trick += (card,)
    if len(trick) == len(hands):
        return _gather(now, tuple(hands), trick)
    return _round(deal, tuple(hands), now.bids, now.taken, now.tricks, trick, order[left]), _PLAYED[seat][card]


def _gather(
    now: Round, hands: tuple[tuple[Card, ...], ...], trick: tuple[Card, ...]
) -> tuple[Round, tuple[Event, ...]]:
    """Give a full trick to its winner, who leads next; a cancelled trick counts for nobody."""
    deal, order, played = now.deal, now.deal.order, _PLAYED[now.turn][trick[-1]]
    place, lead = winning(trick, deal.trump, deal.crowned, deal.dupes), order.index(now.turn) + 1 - len(order)
    first = order[lead]
    if place is None:
        tricks = (*now.tricks, _trick(first, trick, None))
        return _round(deal, hands, now.bids, now.taken, tricks, (), first), (*played, TrickCancelled(first))
    winner, taken = order[(lead + place) % len(order)], list(now.taken)
    taken[winner] += 1
    tricks = (*now.tricks, _trick(first, trick, winner))
    won = _trick_won(winner, trick[place], taken[winner], now.bids[winner] or 0)
    return _round(deal, hands, now.bids, tuple(taken), tricks, (), winner), (*played, won)


def settled(
    now: Round, score: Callable[[int, int, int], int], scores: Sequence[int]
) -> tuple[Row, tuple[int, ...], RoundScored]:
    """Return the score sheet row of a finished round, the new totals, and the event for them.

    `score(bid, taken, cards)` returns a seat's points; `scores` are the totals before the round.
    """
    deal, bids = now.deal, tuple(made or 0 for made in now.bids)
    points = tuple(score(made, taken, deal.cards) for made, taken in zip(bids, now.taken, strict=True))
    totals = tuple(total + won for total, won in zip(scores, points, strict=True))
    return (
        _row(deal.cards, deal.dealer, bids, now.taken, points),
        totals,
        _round_scored(deal.number, bids, now.taken, points, totals),
    )


def leaders(scores: Sequence[int]) -> tuple[Seat, ...]:
    """Return the seats with the highest total."""
    most = max(scores)
    return tuple(seat for seat, total in enumerate(scores) if total == most)


def see(now: Round | None, seat: Seat | None) -> Sight | None:
    """Return the round as `seat` sees it, without the other hands; None if no round is being played."""
    if now is None:
        return None
    hand = () if seat is None else now.hands[seat]
    return _sight(now.deal, hand, now.bids, now.taken, now.tricks, now.trick, now.turn)
