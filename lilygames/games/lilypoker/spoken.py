"""Reader-mode lines of lily-poker."""

from __future__ import annotations

from collections.abc import Sequence

from lilygames.game import Reader
from lilygames.games.families.cards.spoken import RANKS, rank
from lilygames.spoken import Words, who
from lilygames.text import listing
from lilygames_rules.cards import Card
from lilygames_rules.kit import Event
from lilygames_rules.lilypoker import HandBegun
from lilygames_rules.poker import hands
from lilygames_rules.poker.bets import (
    AntesPaid,
    BetMade,
    BlindPosted,
    BroughtIn,
    Called,
    Checked,
    Folded,
    Raised,
    Returned,
)
from lilygames_rules.poker.cards import BoardDealt, CardsDealt, CardsDrawn, UpDealt
from lilygames_rules.poker.deal import HandMucked, HandShown, PotWon
from lilygames_rules.poker.hands import Kind, Worth
from lilygames_rules.poker.session import HandScored
from lilygames_rules.poker.table import Variant

GAMES: dict[Variant, str] = {"draw": "draw", "stud7": "stud", "holdem": "hold'em"}
_WHOLE_SUITS = 2
"""Most shown cards that are read one by one with suits; larger hands are read by value and kickers."""
MOVES: Sequence[type[Event]] = (Checked, Called, BroughtIn, BetMade, Raised, Folded, HandMucked)
"""Events that only report a move."""


def cards(held: Sequence[Card]) -> str:
    """Return cards, rank first: `king spades, nine clubs`."""
    return ", ".join(f"{rank(card)} {card.suit.word}" for card in held if card.suit)


def hand(held: Sequence[Card]) -> str:
    """Return sorted cards, highest first."""
    return cards(hands.by_rank(held))


def _begun(event: HandBegun, reader: Reader) -> str:
    before = f"\nPot: {event.carried} from before." if event.carried else ""
    return f"Hand {event.number}, {GAMES[event.variant]}. {reader.says(event.dealer, 'deals.', 'deal.')}{before}"


def _antes(event: AntesPaid, reader: Reader) -> str:
    amounts = {amount for _, amount in event.amounts}
    each = ", ".join(f"{reader.who(seat)} {amount}" for seat, amount in event.amounts)
    return f"Ante {amounts.pop()}." if len(amounts) == 1 else f"Antes: {each}."


def _blind(event: BlindPosted, reader: Reader) -> str:
    return f"{who(event.seat, reader)}: {'big' if event.big else 'small'} blind {event.amount}."


def _called(event: Called, reader: Reader) -> str:
    """Return the line for a call; the amount is read only for an all-in, otherwise it follows from the bet."""
    amount = f" {event.amount}, all-in" if event.all_in else ""
    return reader.says(event.seat, f"calls{amount}.", f"call{amount}.")


def _brought_in(event: BroughtIn, reader: Reader) -> str:
    amount = f"in {event.amount}{', all-in' if event.all_in else ''}."
    return reader.says(event.seat, f"brings {amount}", f"bring {amount}")


def _dealt(event: CardsDealt, reader: Reader) -> str:
    return f"Hand: {hand(event.cards)}." if event.seat == reader.seat else ""


def _up(event: UpDealt, reader: Reader) -> str:
    return f"Up: {', '.join(f'{reader.who(seat)} {cards([card])}' for seat, card in event.cards)}."


def _drawn(event: CardsDrawn, reader: Reader) -> str:
    if event.seat != reader.seat or not event.count:
        draws = f"draws {event.count}." if event.count else "stands pat."
        return "" if reader.typed and event.seat == reader.seat else f"{who(event.seat, reader)} {draws}"
    return f"Drawn: {hand(event.drawn)}."


def _shown(event: HandShown, reader: Reader) -> str:
    shows = reader.says(event.seat, "shows", "show")
    if len(event.cards) <= _WHOLE_SUITS or not event.worth:
        worth = f": {event.worth.words}" if event.worth else ""
        return f"{shows} {hand(event.cards)}{worth}."
    return f"{shows} {event.worth.words}{_kickers(event.worth)}."


def _kickers(worth: Worth) -> str:
    """Return the kickers, which the hand's name doesn't mention."""
    if worth.kind in (Kind.STRAIGHT, Kind.STRAIGHT_FLUSH):
        return ""
    named = 2 if worth.kind in (Kind.TWO_PAIR, Kind.FULL_HOUSE) else 1
    others = ", ".join(map(RANKS.__getitem__, worth.ranks[named:]))
    return f": {others}" if others else ""


def _won(event: PotWon, reader: Reader) -> str:
    side = f", side pot {event.side}" if event.side else ""
    if len(event.shares) == 1:
        return f"{reader.says(event.shares[0][0], 'wins', 'win')} {event.amount}{side}."
    return f"Tie{side}: {listing(f'{reader.who(seat)} {amount}' for seat, amount in event.shares)}."


def _scored(event: HandScored, reader: Reader) -> str:
    """Return the chips; seats without chips were mentioned when they went broke."""
    return f"Chips: {', '.join(f'{reader.who(seat)} {held}' for seat, held in event.chips if held)}."


TOLD: Words = {
    HandBegun: _begun,
    AntesPaid: _antes,
    BlindPosted: _blind,
    Called: _called,
    BroughtIn: _brought_in,
    CardsDealt: _dealt,
    UpDealt: _up,
    BoardDealt: lambda event, _: f"Board: {cards(event.cards)}.",
    CardsDrawn: _drawn,
    Returned: lambda event, reader: f"{reader.says(event.seat, 'takes', 'take')} back {event.amount}.",
    HandShown: _shown,
    PotWon: _won,
    HandScored: _scored,
}
"""The line for each kind of event."""


def kept(held: Sequence[Card], keeps: Sequence[Card]) -> str:
    """Return the cards of a hand that a draw keeps: `jacks`, or `king, queen`."""
    pair = len({card.rank for card in keeps}) == 1
    return hands.worth(held).words.split()[-1] if pair else ", ".join(map(rank, keeps))
