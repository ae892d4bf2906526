"""What the exact-bid games share: deal, turn up, bid in turn, play the tricks; Ohell and Wizard differ around it.

A `Round` is one deal in play. Its functions refuse what no game of the family allows; which bid is barred, what is
trump and how a round scores come in from the game.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import comb, prod

import attrs

from rules.cards import DECK, JESTER, WIZARD, Card, Suit, sorted_hand
from rules.kit import Event, Luck, Refused, Seat
from rules.tricks import Dupes, led_suit, may_play, playable, winning


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
    """What is settled before the first bid of a round and public to all."""

    number: int
    cards: int
    dealer: Seat
    turned: Card | None
    trump: Suit | None
    crowned: Card | None = None
    dupes: Dupes = "first"


@attrs.frozen
class Dealt(Event):
    """A round begins: each seat got its cards and the trump is settled."""

    deal: Deal
    rounds: int


@attrs.frozen
class HandDealt(Event):
    """A seat got these cards, which it alone sees."""

    seat: Seat
    cards: tuple[Card, ...]

    def seen_by(self, seat: Seat | None) -> HandDealt | None:
        """Return itself for the seat that holds the cards, None for all others."""
        return self if seat == self.seat else None


@attrs.frozen
class BidMade(Event):
    """A seat has bid."""

    seat: Seat
    tricks: int


@attrs.frozen
class CardPlayed(Event):
    """A seat has played a card."""

    seat: Seat
    card: Card


@attrs.frozen
class TrickWon(Event):
    """A seat took the trick with this card; it has now taken `taken` of the `bid` tricks it needs."""

    seat: Seat
    card: Card
    taken: int
    bid: int


@attrs.frozen
class TrickCancelled(Event):
    """Identical cards left no winner: nobody counts the trick, and its leader leads again."""

    leader: Seat


@attrs.frozen
class RoundScored(Event):
    """A round is over: what each seat had bid, took and gets, and the totals now."""

    number: int
    bids: tuple[int, ...]
    taken: tuple[int, ...]
    points: tuple[int, ...]
    scores: tuple[int, ...]


@attrs.frozen
class Trick:
    """A finished trick: its cards from the leader's on, and who took it (None: it was cancelled)."""

    leader: Seat
    cards: tuple[Card, ...]
    winner: Seat | None


@attrs.frozen
class Round:
    """One deal in play; what changes with each card and no more."""

    deal: Deal
    hands: tuple[tuple[Card, ...], ...]
    bids: tuple[int | None, ...]
    taken: tuple[int, ...]
    tricks: tuple[Trick, ...]
    trick: tuple[Card, ...]
    turn: Seat


@attrs.frozen
class Sight:
    """A round as one seat, or a watcher with an empty hand, may know it."""

    deal: Deal
    hand: tuple[Card, ...]
    bids: tuple[int | None, ...]
    taken: tuple[int, ...]
    tricks: tuple[Trick, ...]
    trick: tuple[Card, ...]
    turn: Seat


@attrs.frozen
class Row:
    """A line of the score sheet: one finished round."""

    cards: int
    dealer: Seat
    bids: tuple[int, ...]
    taken: tuple[int, ...]
    points: tuple[int, ...]


def hand_out(
    seats: int, dealer: Seat, cards: int, pack: Sequence[Card], luck: Luck
) -> tuple[list[tuple[Card, ...]], Card | None]:
    """Return the sorted hands by seat, and the next card of the shuffled pack (None where the pack is used up).

    The cards go round one at a time, beginning at the dealer's left.
    """
    shuffled = luck.shuffle(pack)
    dealt = seats * cards
    hands = [sorted_hand(shuffled[(seat - dealer - 1) % seats : dealt : seats]) for seat in range(seats)]
    return hands, shuffled[dealt] if dealt < len(shuffled) else None


def opened(deal: Deal, hands: Sequence[tuple[Card, ...]]) -> Round:
    """Return the round before its first bid; who bids first, the seat at the dealer's left, will lead first."""
    seats = len(hands)
    return Round(deal, tuple(hands), (None,) * seats, (0,) * seats, (), (), (deal.dealer + 1) % seats)


def bidding(now: Round | Sight) -> bool:
    """Tell whether somebody still has to bid: from the dealer's left, the dealer last."""
    return None in now.bids


def leader(now: Round | Sight) -> Seat:
    """Return who leads, or led, the trick on the table."""
    return (now.turn - len(now.trick)) % len(now.bids) if not bidding(now) else (now.deal.dealer + 1) % len(now.bids)


def evening_bid(now: Round | Sight) -> int | None:
    """Return the bid that would make all bids add up to the tricks, None while it is not the last to come."""
    if now.bids.count(None) != 1:
        return None
    left = now.deal.cards - sum(bid for bid in now.bids if bid is not None)
    return left if left >= 0 else None


def bids(now: Round | Sight, barred: int | None) -> tuple[Bid, ...]:
    """Return the bids open to the next bidder: none to all of the tricks, save the barred one."""
    upto = now.deal.cards + 1
    return _BIDS[:upto] if barred is None else _BIDS[:barred] + _BIDS[barred + 1 : upto]


def plays(hand: tuple[Card, ...], trick: Sequence[Card]) -> tuple[Play, ...]:
    """Return the cards that may be played from a sorted hand, as moves; two copies of a card are one move."""
    return tuple(map(_PLAYS, dict.fromkeys(playable(hand, trick))))


_BIDS = tuple(map(Bid, range(52 * 4 // 2)))
_PLAYS = {card: Play(card) for card in (*DECK, JESTER, WIZARD)}.__getitem__


def bid(now: Round, tricks: int, barred: int | None) -> tuple[Round, tuple[Event, ...]]:
    """Return the round and the events after the next bid; raises `Refused` for one that is out of range or barred."""
    cards, made = now.deal.cards, list(now.bids)
    if not 0 <= tricks <= cards:
        raise Refused("bad-bid", cards=cards, barred=barred)
    if tricks == barred:
        raise Refused("hook", cards=cards, barred=barred)
    made[now.turn] = tricks
    turn = (now.turn + 1) % len(made)
    return Round(now.deal, now.hands, tuple(made), now.taken, (), (), turn), (BidMade(now.turn, tricks),)


def play(now: Round, card: Card) -> tuple[Round, tuple[Event, ...]]:
    """Return the round and the events after the next card; raises `Refused` for one not held or not following suit."""
    seat, hands = now.turn, list(now.hands)
    hand = hands[seat]
    if not may_play(card, hand, now.trick):
        raise _may_not_play(card, hand, now.trick)
    left = list(hand)
    left.remove(card)
    hands[seat] = tuple(left)
    trick = (*now.trick, card)
    if len(trick) == len(hands):
        return _gather(now, tuple(hands), trick)
    turn = (seat + 1) % len(hands)
    return Round(now.deal, tuple(hands), now.bids, now.taken, now.tricks, trick, turn), (CardPlayed(seat, card),)


def _may_not_play(card: Card, hand: tuple[Card, ...], trick: tuple[Card, ...]) -> Refused:
    legal = playable(hand, trick)
    if card not in hand:
        return Refused("not-in-hand", card=card, cards=legal)
    return Refused("must-follow", card=card, suit=led_suit(trick), cards=legal)


def _gather(
    now: Round, hands: tuple[tuple[Card, ...], ...], trick: tuple[Card, ...]
) -> tuple[Round, tuple[Event, ...]]:
    """The winner of a full trick counts it and leads the next; a cancelled one counts for nobody."""
    deal, first, played = now.deal, (now.turn + 1) % len(hands), CardPlayed(now.turn, trick[-1])
    place = winning(trick, deal.trump, deal.crowned, deal.dupes)
    if place is None:
        tricks = (*now.tricks, Trick(first, trick, None))
        return Round(deal, hands, now.bids, now.taken, tricks, (), first), (played, TrickCancelled(first))
    winner, taken = (first + place) % len(hands), list(now.taken)
    taken[winner] += 1
    tricks = (*now.tricks, Trick(first, trick, winner))
    won = TrickWon(winner, trick[place], taken[winner], now.bids[winner] or 0)
    return Round(deal, hands, now.bids, tuple(taken), tricks, (), winner), (played, won)


def played_out(now: Round) -> bool:
    """Tell whether the last trick of the round is over."""
    return len(now.tricks) == now.deal.cards


def row(now: Round, score: Callable[[int, int, int], int]) -> Row:
    """Return the line of the score sheet for a round that is over, `score(bid, taken, cards)` giving the points."""
    cards, bids = now.deal.cards, tuple(made or 0 for made in now.bids)
    points = tuple(score(made, taken, cards) for made, taken in zip(bids, now.taken, strict=True))
    return Row(cards, now.deal.dealer, bids, now.taken, points)


def see(now: Round, seat: Seat | None) -> Sight:
    """Return the round as `seat` may know it: its own hand, and all but the other hands and the cards not dealt."""
    hand = () if seat is None else now.hands[seat]
    return Sight(now.deal, hand, now.bids, now.taken, now.tricks, now.trick, now.turn)


def cards_played(now: Round | Sight) -> Iterator[tuple[Seat, Card, tuple[Card, ...]]]:
    """Yield every card played so far: who played it, and the cards that lay there before it."""
    seats = len(now.bids)
    for first, cards in [*((trick.leader, trick.cards) for trick in now.tricks), (leader(now), now.trick)]:
        for place, card in enumerate(cards):
            yield (first + place) % seats, card, cards[:place]


def voids(now: Round | Sight) -> tuple[frozenset[Suit], ...]:
    """Return the suits that each seat has shown not to hold, by not following them."""
    shown: list[set[Suit]] = [set() for _ in now.bids]
    for seat, card, before in cards_played(now):
        led = led_suit(before)
        if led is not None and card.suit is not None and card.suit is not led:
            shown[seat].add(led)
    return tuple(map(frozenset, shown))


def held(now: Round | Sight) -> tuple[int, ...]:
    """Return how many cards each seat still holds."""
    seats, first = len(now.bids), leader(now)
    left, on_table = now.deal.cards - len(now.tricks), len(now.trick)
    return tuple(left - ((seat - first) % seats < on_table) for seat in range(seats))


def unseen(sight: Sight, pack: Sequence[Card]) -> list[Card]:
    """Return the cards of the pack that the sight does not show: in other hands, or not dealt."""
    seen = Counter(
        [
            *sight.hand,
            *(card for _, card, _ in cards_played(sight)),
            *([sight.deal.turned] if sight.deal.turned else []),
        ]
    )
    return list((Counter(pack) - seen).elements())


_PATIENCE = 200


def imagined(sight: Sight, seat: Seat | None, pack: Sequence[Card], luck: Luck) -> Round:
    """Return a round that `sight`, had by `seat`, could be of: uniform over the deals that fit all that was shown.

    Seats known to be void in a suit draw first, from what they may hold; a draw is kept as often as makes every
    deal that fits as likely. After 200 draws not kept, the next that fits is taken as it comes.
    """
    sizes, void = held(sight), voids(sight)
    hidden = unseen(sight, pack)
    others = [other for other in range(len(sizes)) if other != seat]
    room = [sum(card.suit not in suits for card in hidden) for suits in void]
    bound = sorted((other for other in others if void[other]), key=lambda other: room[other] - sizes[other])
    most = prod(comb(room[other], sizes[other]) for other in bound)
    for tries in itertools.count():
        hands, ways, left = _drawn(hidden, [(other, sizes[other], void[other]) for other in bound], luck)
        if ways and (ways == most or tries >= _PATIENCE or luck.roll(most) <= ways):
            break
    rest = iter(luck.shuffle(left))
    for other in others:
        if not void[other]:
            hands[other] = sorted_hand(itertools.islice(rest, sizes[other]))
    if seat is not None:
        hands[seat] = sight.hand
    full = tuple(hands[other] for other in range(len(sizes)))
    return Round(sight.deal, full, sight.bids, sight.taken, sight.tricks, sight.trick, sight.turn)


def _drawn(
    hidden: list[Card], bound: Sequence[tuple[Seat, int, frozenset[Suit]]], luck: Luck
) -> tuple[dict[Seat, tuple[Card, ...]], int, list[Card]]:
    """Return hands drawn seat by seat, in how many ways they could have been (0: they do not fit), and what is left."""
    hands, ways, left = {}, 1, hidden
    for seat, size, void in bound:
        fitting = luck.shuffle(card for card in left if card.suit not in void)
        ways *= comb(len(fitting), size)
        hands[seat] = sorted_hand(fitting[:size])
        left = [*fitting[size:], *(card for card in left if card.suit in void)]
    return hands, ways, left
