"""The cards of one poker hand: in the stock, in hands, face up, on the board or out of play.

Each of the 52 cards is in one of these places. In a view, hidden cards are None.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import attrs

from lilygames_rules.cards import DECK, Card
from lilygames_rules.changed import changed, changer, maker
from lilygames_rules.kit import Event, Luck, Seat

Face = Card | None
Faces = tuple[Face, ...]


@attrs.frozen
class Dead:
    """Cards out of play, and the seat that discarded them; None for burned cards."""

    seat: Seat | None
    cards: Faces


@attrs.frozen
class Layout:
    """The position of every card; hands and face-up cards are by seat."""

    hands: tuple[Faces, ...]
    up: tuple[tuple[Card, ...], ...]
    """Face-up cards by seat, also of seats that folded: everyone has seen them."""
    board: tuple[Card, ...]
    stock: Faces
    dead: tuple[Dead, ...] = ()
    """Discarded and burned cards, in order."""
    reshuffles: int = attrs.field(default=0, metadata={"added later": True})
    """How often the discards became a new stock. Everyone knows it, but only luck needs it, so no view has it."""


@attrs.frozen
class CardsDealt(Event):
    """A seat was dealt cards face down; nobody else sees them."""

    seat: Seat
    cards: tuple[Card, ...]

    def seen_by(self, seat: Seat | None) -> Self | None:
        """Return the whole event for the owner, without the cards for others."""
        return self if seat == self.seat else None


@attrs.frozen
class UpDealt(Event):
    """Each of these seats was dealt a card face up."""

    cards: tuple[tuple[Seat, Card], ...]


@attrs.frozen
class BoardDealt(Event):
    """Shared cards were turned up; `board` is all of them."""

    cards: tuple[Card, ...]
    board: tuple[Card, ...]


@attrs.frozen
class Reshuffled(Event):
    """The stock ran out, and the discards were shuffled into a new one."""

    cards: int


@attrs.frozen
class CardsDrawn(Event):
    """A seat discarded cards and drew as many; nobody else sees which."""

    seat: Seat
    count: int
    thrown: tuple[Card, ...] = ()
    drawn: tuple[Card, ...] = ()

    def seen_by(self, seat: Seat | None) -> Self | None:
        """Return the whole event for the owner, only the number of cards for others."""
        return self if seat == self.seat else changed(self, thrown=(), drawn=())


_changed, _cards_dealt, _cards_drawn = changer(Layout), maker(CardsDealt), maker(CardsDrawn)


def shuffled(seats: int, luck: Luck) -> Layout:
    """Shuffle the deck once; return the cards before any is dealt."""
    nothing: tuple[tuple[Card, ...], ...] = ((),) * seats
    return Layout(nothing, nothing, (), luck.shuffle(DECK))


def dealt_down(layout: Layout, seats: Sequence[Seat], each: int) -> tuple[Layout, tuple[Event, ...]]:
    """Deal each seat that many cards face down, one at a time; return the cards and the events."""
    taken, hands = known(layout.stock[: each * len(seats)]), list(layout.hands)
    events = []
    for place, seat in enumerate(seats):
        cards = taken[place :: len(seats)]
        hands[seat] += cards
        events.append(_cards_dealt(seat, cards))
    return _changed(layout, hands=tuple(hands), stock=layout.stock[len(taken) :]), tuple(events)


def dealt_up(layout: Layout, seats: Sequence[Seat]) -> tuple[Layout, tuple[Event, ...]]:
    """Deal each seat one card face up; return the cards and the event."""
    taken, up = known(layout.stock[: len(seats)]), list(layout.up)
    cards = tuple(zip(seats, taken, strict=True))
    for seat, card in cards:
        up[seat] += (card,)
    return _changed(layout, up=tuple(up), stock=layout.stock[len(taken) :]), (UpDealt(cards),)


def dealt_board(layout: Layout, count: int, *, burn: bool) -> tuple[Layout, tuple[Event, ...]]:
    """Turn up shared cards, after burning one if asked to; return the cards and the event."""
    burned, stock = layout.stock[:burn], layout.stock[burn:]
    cards = known(stock[:count])
    board = layout.board + cards
    dead = (*layout.dead, Dead(None, burned)) if burned else layout.dead
    return _changed(layout, board=board, stock=stock[count:], dead=dead), (BoardDealt(cards, board),)


def thrown_away(layout: Layout, seat: Seat) -> Layout:
    """Return the cards after a seat folds; its face-up cards stay visible."""
    hands = (*layout.hands[:seat], (), *layout.hands[seat + 1 :])
    return _changed(layout, hands=hands, dead=(*layout.dead, Dead(seat, layout.hands[seat])))


def drawn(
    layout: Layout, seat: Seat, thrown: Sequence[Card], luck: Luck, *, number: int
) -> tuple[Layout, tuple[Event, ...]]:
    """Return the cards after a seat draws as many as it discards in the hand with this number.

    If the stock is too small, the other seats' discards and folded cards are shuffled and put under it.
    """
    stock, dead, reshuffles, events = layout.stock, layout.dead, layout.reshuffles, list[Event]()
    if len(stock) < len(thrown):
        reshuffles += 1
        discards = known([card for one in dead for card in one.cards])
        under = luck.for_("reshuffle", number, reshuffles).order(DECK, discards)
        stock, dead, events = (*stock, *under), (), [Reshuffled(len(under))]
    new = known(stock[: len(thrown)])
    kept = tuple(card for card in layout.hands[seat] if card not in thrown)
    hands = (*layout.hands[:seat], kept + new, *layout.hands[seat + 1 :])
    dead = (*dead, Dead(seat, tuple(thrown))) if thrown else dead
    events.append(_cards_drawn(seat, len(new), tuple(thrown), new))
    stock = stock[len(new) :]
    return _changed(layout, hands=hands, stock=stock, dead=dead, reshuffles=reshuffles), tuple(events)


def known(cards: Sequence[Face]) -> tuple[Card, ...]:
    """Return the cards that aren't hidden."""
    return tuple([card for card in cards if card is not None])


def seen(layout: Layout, seat: Seat | None, shown: Sequence[Seat]) -> Layout:
    """Return the cards as a seat sees them: its own, its discards, shown hands and face-up cards."""
    hands = tuple(cards if one == seat or one in shown else _hidden(cards) for one, cards in enumerate(layout.hands))
    dead = tuple(
        one if seat is not None and one.seat == seat else Dead(one.seat, _hidden(one.cards)) for one in layout.dead
    )
    return Layout(hands, layout.up, layout.board, _hidden(layout.stock), dead)


def _hidden(cards: Faces) -> Faces:
    return (None,) * len(cards)


def filled(layout: Layout, luck: Luck) -> Layout:
    """Return random cards for the hidden places, uniform over the unseen cards."""
    shown = {card for cards in (*layout.hands, *layout.up, layout.board) for card in cards}
    shown |= {card for dead in layout.dead for card in dead.cards}
    unseen = iter(luck.shuffle([card for card in DECK if card not in shown]))

    def turned(cards: Faces) -> Faces:
        return tuple(next(unseen) if card is None else card for card in cards)

    hands = tuple(map(turned, layout.hands))
    dead = tuple(Dead(one.seat, turned(one.cards)) for one in layout.dead)
    return Layout(hands, layout.up, layout.board, turned(layout.stock), dead)
