"""The cards of one hand of poker: in the stock, in hands, face up, on the board, and out of play.

Each of the 52 is in one of these places. For who looks on, a card that lies face down is None.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import attrs

from rules.cards import DECK, Card
from rules.changed import changed, changer, maker
from rules.kit import Event, Luck, Seat

Face = Card | None
Faces = tuple[Face, ...]


@attrs.frozen
class Dead:
    """Cards out of play, and who threw them; None where they were burned."""

    seat: Seat | None
    cards: Faces


@attrs.frozen
class Layout:
    """Where the cards are; hands and face-up cards by seat."""

    hands: tuple[Faces, ...]
    up: tuple[tuple[Card, ...], ...]
    """The face-up cards of who has folded too: everybody has seen them."""
    board: tuple[Card, ...]
    stock: Faces
    dead: tuple[Dead, ...] = ()
    """What was thrown and burned, in that order."""


@attrs.frozen
class CardsDealt(Event):
    """A seat got cards face down; nobody else sees which."""

    seat: Seat
    cards: tuple[Card, ...]

    def seen_by(self, seat: Seat | None) -> Self | None:
        """Only its owner sees a card that was dealt face down."""
        return self if seat == self.seat else None


@attrs.frozen
class UpDealt(Event):
    """Each of these seats got a card face up."""

    cards: tuple[tuple[Seat, Card], ...]


@attrs.frozen
class BoardDealt(Event):
    """Cards that belong to everybody were turned up; `board` is all of them."""

    cards: tuple[Card, ...]
    board: tuple[Card, ...]


@attrs.frozen
class Reshuffled(Event):
    """The stock ran out, so what was thrown before was shuffled into a new one."""

    cards: int


@attrs.frozen
class CardsDrawn(Event):
    """A seat threw so many cards for as many others; which, nobody else sees."""

    seat: Seat
    count: int
    thrown: tuple[Card, ...] = ()
    drawn: tuple[Card, ...] = ()

    def seen_by(self, seat: Seat | None) -> Self | None:
        """Only its owner sees more than how many cards were drawn."""
        return self if seat == self.seat else changed(self, thrown=(), drawn=())


_changed, _cards_dealt, _cards_drawn = changer(Layout), maker(CardsDealt), maker(CardsDrawn)


def shuffled(seats: int, luck: Luck) -> Layout:
    """Return the cards of a hand before any is dealt: one shuffle of the deck."""
    nothing: tuple[tuple[Card, ...], ...] = ((),) * seats
    return Layout(nothing, nothing, (), luck.shuffle(DECK))


def dealt_down(layout: Layout, seats: Sequence[Seat], each: int) -> tuple[Layout, tuple[Event, ...]]:
    """Return the cards after each seat got so many face down, one at a time; and what the seats see."""
    taken, hands = known(layout.stock[: each * len(seats)]), list(layout.hands)
    events = []
    for place, seat in enumerate(seats):
        cards = taken[place :: len(seats)]
        hands[seat] += cards
        events.append(_cards_dealt(seat, cards))
    return _changed(layout, hands=tuple(hands), stock=layout.stock[len(taken) :]), tuple(events)


def dealt_up(layout: Layout, seats: Sequence[Seat]) -> tuple[Layout, tuple[Event, ...]]:
    """Return the cards after each seat got one face up."""
    taken, up = known(layout.stock[: len(seats)]), list(layout.up)
    cards = tuple(zip(seats, taken, strict=True))
    for seat, card in cards:
        up[seat] += (card,)
    return _changed(layout, up=tuple(up), stock=layout.stock[len(taken) :]), (UpDealt(cards),)


def dealt_board(layout: Layout, count: int, *, burn: bool) -> tuple[Layout, tuple[Event, ...]]:
    """Return the cards after so many were turned up for everybody, one being burned before them where that is done."""
    burned, stock = layout.stock[:burn], layout.stock[burn:]
    cards = known(stock[:count])
    board = layout.board + cards
    dead = (*layout.dead, Dead(None, burned)) if burned else layout.dead
    return _changed(layout, board=board, stock=stock[count:], dead=dead), (BoardDealt(cards, board),)


def thrown_away(layout: Layout, seat: Seat) -> Layout:
    """Return the cards after a seat gave up its hand; what it had face up stays in sight."""
    hands = (*layout.hands[:seat], (), *layout.hands[seat + 1 :])
    return _changed(layout, hands=hands, dead=(*layout.dead, Dead(seat, layout.hands[seat])))


def drawn(layout: Layout, seat: Seat, thrown: Sequence[Card], luck: Luck) -> tuple[Layout, tuple[Event, ...]]:
    """Return the cards after a seat drew as many as it threw.

    If the stock does not suffice, what others threw and folded before is shuffled and put under it.
    """
    stock, dead, events = layout.stock, layout.dead, list[Event]()
    if len(stock) < len(thrown):
        under = luck.shuffle([card for one in dead for card in one.cards])
        stock, dead, events = (*stock, *under), (), [Reshuffled(len(under))]
    new = known(stock[: len(thrown)])
    kept = tuple(card for card in layout.hands[seat] if card not in thrown)
    hands = (*layout.hands[:seat], kept + new, *layout.hands[seat + 1 :])
    dead = (*dead, Dead(seat, tuple(thrown))) if thrown else dead
    events.append(_cards_drawn(seat, len(new), tuple(thrown), new))
    return _changed(layout, hands=hands, stock=stock[len(new) :], dead=dead), tuple(events)


def known(cards: Sequence[Face]) -> tuple[Card, ...]:
    """Return those of the cards that do not lie face down."""
    return tuple([card for card in cards if card is not None])


def seen(layout: Layout, seat: Seat | None, shown: Sequence[Seat]) -> Layout:
    """Return the cards as a seat sees them: its own, those it threw, those that were shown, and what lies face up."""
    hands = tuple(cards if one == seat or one in shown else _hidden(cards) for one, cards in enumerate(layout.hands))
    dead = tuple(
        one if seat is not None and one.seat == seat else Dead(one.seat, _hidden(one.cards)) for one in layout.dead
    )
    return Layout(hands, layout.up, layout.board, _hidden(layout.stock), dead)


def _hidden(cards: Faces) -> Faces:
    return (None,) * len(cards)


def filled(layout: Layout, luck: Luck) -> Layout:
    """Return cards that may lie where a seat sees none, all that it does not see being as likely anywhere."""
    shown = {card for cards in (*layout.hands, *layout.up, layout.board) for card in cards}
    shown |= {card for dead in layout.dead for card in dead.cards}
    unseen = iter(luck.shuffle([card for card in DECK if card not in shown]))

    def turned(cards: Faces) -> Faces:
        return tuple(next(unseen) if card is None else card for card in cards)

    hands = tuple(map(turned, layout.hands))
    dead = tuple(Dead(one.seat, turned(one.cards)) for one in layout.dead)
    return Layout(hands, layout.up, layout.board, turned(layout.stock), dead)
