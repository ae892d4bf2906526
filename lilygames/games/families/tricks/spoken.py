"""Reader-mode lines of the exact-bid games."""

from __future__ import annotations

from collections.abc import Sequence

from lilygames.game import Reader
from lilygames.games.families.cards.spoken import by_suit
from lilygames.spoken import Words, by_seat, does, unless_typed, who
from lilygames.text import count
from lilygames_rules.tricks.exactbid import (
    BidMade,
    CardPlayed,
    Deal,
    Dealt,
    HandDealt,
    RoundScored,
    TrickCancelled,
    TrickWon,
)


def _hand(event: HandDealt, reader: Reader) -> str:
    whose = "Hand" if event.seat == reader.seat else f"{reader.names[event.seat]}'s hand"
    return f"{whose}: {by_suit(event.cards)}."


def _dealt(event: Dealt, reader: Reader) -> str:
    deal = event.deal
    return f"Round {deal.number}, {count(deal.cards, 'card')}.\n{trump(deal, reader)}"


def opening(deal: Deal, rounds: int, reader: Reader) -> Sequence[str]:
    """Return the lines that open a round: its number and trump."""
    return [f"Round {deal.number} of {rounds}, {count(deal.cards, 'card')}.", trump(deal, reader)]


def trump(deal: Deal, reader: Reader) -> str:
    """Return the trump line: the card turned up, or the suit if it was named."""
    if deal.unnamed and deal.turned:
        names = "name" if deal.dealer == reader.seat else "names"
        return f"Trump: {by_suit([deal.turned])}, {reader.who(deal.dealer)} {names} it."
    if deal.trump and deal.turned and deal.turned.suit is deal.trump:
        return f"Trump: {by_suit([deal.turned])}{', another beats all' if deal.crowned is deal.turned else ''}."
    return f"Trump: {deal.trump.word if deal.trump else 'none'}."


def _cancelled(event: TrickCancelled, reader: Reader) -> str:
    return f"Trick: cancelled, {reader.who(event.leader)} to lead."


TOLD: Words = {
    HandDealt: _hand,
    Dealt: _dealt,
    BidMade: lambda event, reader: does(f"bids {event.tricks}", f"bid {event.tricks}")(event, reader),
    CardPlayed: unless_typed(lambda event, reader: f"{who(event.seat, reader)}: {by_suit([event.card])}."),
    TrickWon: lambda event, reader: f"Trick: {reader.who(event.seat)}, {event.taken} of {event.bid}.",
    TrickCancelled: _cancelled,
    RoundScored: lambda event, reader: f"Score: {by_seat(event.scores, reader)}.",
}
"""The line for each kind of event."""
