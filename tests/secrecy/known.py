"""The knowledge of a seat, or a spectator (None), in each game: from RULES.md, never from the code's `view`.

Each function returns equal values for two states exactly if the rules give the observer no way to tell them apart. It
leaves out hidden parts; the value may have any type that compares.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from lilygames_rules.kit import Seat

Known = Callable[[Any, Seat | None], Any]


def of_tricks(state: Any, seat: Seat | None) -> Any:
    """Everything is public except the other hands, of which everyone knows the number of cards."""
    now = state.round
    if now is None:
        return state
    hands = tuple(held if other == seat else len(held) for other, held in enumerate(now.hands))
    return attrs.evolve(state, round=attrs.evolve(now, hands=hands))


def of_dice(state: Any, seat: Seat | None) -> Any:
    """Open dice are public, and so is the number rolled since a seat saw the dice; a seat remembers those.

    It knows all five while nobody has rolled since it looked or rolled.
    """
    cup = state.cup
    if cup is None:
        return state
    own = None if seat is None else cup.memories[seat]
    sees_all = own is not None and own.since == 0
    dice = tuple(face if sees_all or lies else None for face, lies in zip(cup.dice, cup.open, strict=True))
    memories = tuple(memory if other == seat else memory and memory.since for other, memory in enumerate(cup.memories))
    return attrs.evolve(state, cup=attrs.evolve(cup, dice=dice, memories=memories))


def of_liarspoker(state: Any, seat: Seat | None) -> Any:
    """Letters are public, and for each number played its count of the rank and its parity.

    The whole number is public if the table shows numbers. Nobody knows the face-down ones.
    """
    played = len(state.match.lines) - (state.auction is not None)
    rows = state.match.sheet[len(state.match.sheet) - played :] if played else ()

    def told(number: str, row: Any, holder: Seat) -> Any:
        if holder >= len(row.counts) or row.counts[holder] is None:
            return None
        return number if row.numbers else (number.count(str(row.bid.rank % 10)), int(number[-1]) % 2)

    slips = tuple(
        slip
        if slip is None or holder == seat
        else (slip.letters, tuple(told(slip.numbers[row.line - 1 if row.line else 0], row, holder) for row in rows))
        for holder, slip in enumerate(state.slips)
    )
    return attrs.evolve(state, slips=slips, pile=len(state.pile))


def of_lilypoker(state: Any, seat: Seat | None) -> Any:
    """A seat knows its own cards and those it threw, open cards, and shown hands; of others only the number."""

    def of_deal(deal: Any) -> Any:
        if deal is None:
            return None
        layout = deal.layout
        open_hands = {*deal.shown, seat}
        hands = tuple(held if holder in open_hands else len(held) for holder, held in enumerate(layout.hands))
        dead = tuple(
            (one.seat, one.cards if one.seat == seat and seat is not None else len(one.cards)) for one in layout.dead
        )
        return attrs.evolve(deal, layout=attrs.evolve(layout, hands=hands, dead=dead, stock=len(layout.stock)))

    return attrs.evolve(state, deal=of_deal(state.deal), last=of_deal(state.last))


def of_liarslair(state: Any, seat: Seat | None) -> Any:
    """A seat knows cards that it has read, where it saw them go, and the truth of those it was dealt or told.

    A spectator reads open cards. The number of cards in each hand is public; a secret character knows itself.
    """
    who, deck = -1 if seat is None else seat, state.deck
    sure = {card.pair for card in deck.cards if card.dealt == seat} | {
        number for number, pair in enumerate(deck.pairs) if who in pair.told
    }
    cards = []
    for card in deck.cards:
        pair = deck.pairs[card.pair]
        if who in card.read:
            words = pair.true if card.true else pair.false
            where = card.place if who in card.found else None
            true = card.true if card.pair in sure else None
            cards.append((card.pair, words, where, true, card.dealt == seat, -1 in card.read, card.played))
        else:
            cards.append(None)
    held = [card.place for card in deck.cards]
    sizes = tuple(held.count(place) for place in range(-2, state.match.seats))
    secret = state.match.options.characters == "secret"
    shown = {seat, *state.match.revealed}
    characters = tuple(name if not secret or holder in shown else None for holder, name in enumerate(state.characters))
    return state.match, tuple(cards), sizes, characters


KNOWN: Mapping[str, Known] = {
    "ohell": of_tricks,
    "wizard": of_tricks,
    "liarsdice": of_dice,
    "liedie": of_dice,
    "liarspoker": of_liarspoker,
    "liarslair": of_liarslair,
    "lilypoker": of_lilypoker,
}
