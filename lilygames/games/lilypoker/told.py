"""Event lines of lily-poker: bets, cards, the draw, the showdown and chips."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lilygames.game import Reader
from lilygames.games.families.cards import words
from lilygames.games.lilypoker import spoken
from lilygames.layout import packed, short, width_for
from lilygames.text import listing, signed
from lilygames_rules.cards import Card
from lilygames_rules.kit import Seat
from lilygames_rules.lilypoker import DealPassed, HandBegun
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
from lilygames_rules.poker.cards import BoardDealt, CardsDealt, CardsDrawn, Reshuffled, UpDealt
from lilygames_rules.poker.deal import HandMucked, HandShown, PotWon, ThrownIn
from lilygames_rules.poker.session import GotUp, HandScored, SatDown, WentBroke
from lilygames_rules.poker.table import Variant

GAMES: Mapping[Variant, str] = {"draw": "five-card draw", "stud7": "seven-card stud", "holdem": "hold'em"}
"""The games in a sentence."""
NAME, SLIM_NAME = 8, 6
"""Columns of a name in a row, on a wide and on a narrow screen."""
CHOOSES = ("deals and chooses the game.", "deal and choose the game.")


def begun(event: HandBegun, reader: Reader) -> str:
    """Return the line that opens a hand: `Hand 2 of 10, five-card draw. bob deals.`."""
    deals = reader.says(event.dealer, "deals.", "deal.")
    before = f" {event.carried} are left in the pot." if event.carried else ""
    of = f" of {event.hands}" if event.hands != "unlimited" else ""
    return f"Hand {event.number}{of}, {GAMES[event.variant]}. {deals}{before}"


def _antes(event: AntesPaid, reader: Reader) -> str:
    amounts = {amount for _, amount in event.amounts}
    if len(amounts) == 1:
        return f"Everyone antes {amounts.pop()}."
    return f"Antes: {', '.join(f'{reader.who(seat)} {amount}' for seat, amount in event.amounts)}."


def _blind(event: BlindPosted, reader: Reader) -> str:
    blind = f"the {'big' if event.big else 'small'} blind, {event.amount}."
    return reader.says(event.seat, f"posts {blind}", f"post {blind}")


def _dealt(event: CardsDealt, reader: Reader) -> str:
    if event.seat != reader.seat:
        return ""  # only its owner sees a hand that isn't shown, even in a finished log
    return f"You are dealt {sorted_in(event.cards, reader)}."


def sorted_in(cards: Sequence[Card], reader: Reader) -> str:
    """Return a sorted hand, highest card first."""
    return cards_in(hands.by_rank(cards), reader)


def cards_in(cards: Sequence[Card], reader: Reader) -> str:
    """Return cards in the reader's notation; rank first in reader mode."""
    return spoken.cards(cards) if reader.voice.spoken else words.cards_in(cards, reader)


def _up(event: UpDealt, reader: Reader) -> str:
    return f"Face up: {', '.join(f'{reader.who(seat)} {cards_in([card], reader)}' for seat, card in event.cards)}."


def _board(event: BoardDealt, reader: Reader) -> str:
    new = f" ({cards_in(event.cards, reader)} new)" if len(event.cards) < len(event.board) else ""
    return f"Board: {cards_in(event.board, reader)}{new}."


def _drawn(event: CardsDrawn, reader: Reader) -> str:
    if not event.count:
        return reader.says(event.seat, "stands pat.", "stand pat.")
    if event.seat != reader.seat:
        return f"{reader.names[event.seat]} draws {event.count}."
    return f"You discard {sorted_in(event.thrown, reader)} and draw {sorted_in(event.drawn, reader)}."


def _says(theirs: str, yours: str) -> Callable[[Any, Reader], str]:
    """Return a line for a move; `{}` fields come from the event."""

    def line(event: Any, reader: Reader) -> str:
        all_in = ", all-in." if getattr(event, "all_in", False) else "."
        fields = {name: getattr(event, name) for name in type(event).__slots__ if not name.startswith("__")}
        return reader.says(event.seat, theirs.format(**fields) + all_in, yours.format(**fields) + all_in)

    return line


def _shown(event: HandShown, reader: Reader) -> str:
    worth = f": {event.worth.words}" if event.worth else ""
    cards = f"{sorted_in(event.cards, reader)}{worth}."
    return reader.says(event.seat, f"shows {cards}", f"show {cards}")


def _won(event: PotWon, reader: Reader) -> str:
    pot = f"side pot {event.side} of {event.amount}" if event.side else f"the pot of {event.amount}"
    if len(event.shares) == 1:
        return reader.says(event.shares[0][0], f"wins {pot}.", f"win {pot}.")
    shares = listing(f"{reader.who(seat)} {amount}" for seat, amount in event.shares)
    return f"A tie for {pot}: {shares}."


def _scored(event: HandScored, reader: Reader) -> str:
    """Return each seat's win or loss in a hand, the best first, with all its chips in brackets."""
    order = sorted(event.chips, key=lambda one: -event.changes[one[0]])
    size = SLIM_NAME if reader.voice.narrow else NAME
    groups = [f"{short(reader.who(seat), size)} {signed(event.changes[seat])} ({held})" for seat, held in order]
    rows = packed([f"Hand {event.number}: {groups[0]}", *groups[1:]], width_for(reader), indent="  ")
    return "\n".join(rows)


def by_seat(chips: Sequence[tuple[Seat, int]], reader: Reader) -> str:
    """Return the chips by seat: `you 45, bob 55`."""
    return ", ".join(f"{reader.who(seat)} {held}" for seat, held in chips)


TOLD: Mapping[type, Callable[[Any, Reader], str]] = {
    DealPassed: lambda event, reader: reader.says(event.dealer, *CHOOSES),
    HandBegun: begun,
    AntesPaid: _antes,
    BlindPosted: _blind,
    CardsDealt: _dealt,
    UpDealt: _up,
    BoardDealt: _board,
    CardsDrawn: _drawn,
    Reshuffled: lambda event, _: f"The stock is used up: {event.cards} discarded cards are shuffled into a new one.",
    Checked: _says("checks", "check"),
    Called: _says("calls {amount}", "call {amount}"),
    BroughtIn: _says("brings it in for {amount}", "bring it in for {amount}"),
    BetMade: _says("bets {to}", "bet {to}"),
    Raised: _says("raises to {to}", "raise to {to}"),
    Folded: _says("folds", "fold"),
    Returned: _says("takes back the uncalled {amount}", "take back the uncalled {amount}"),
    ThrownIn: lambda event, _: f"Nobody opens: the hand is over, and {event.pot} stay in the pot.",
    HandShown: _shown,
    HandMucked: _says("mucks", "muck"),
    PotWon: _won,
    HandScored: _scored,
    WentBroke: _says("is out of chips and sits out", "are out of chips and sit out"),
    SatDown: _says("plays from the next hand on", "play from the next hand on"),
    GotUp: _says("has left the game", "have left the game"),
}
"""The line for each kind of event."""
