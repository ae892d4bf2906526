"""Reader-mode lines of lily-poker."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lilygames.game import Reader
from lilygames.games.families.cards.spoken import RANKS, rank
from lilygames.spoken import Words, who
from lilygames.text import listing
from lilygames_rules.cards import Card
from lilygames_rules.kit import Event
from lilygames_rules.lilypoker import HandBegun, View
from lilygames_rules.poker import hands
from lilygames_rules.poker.bets import (
    AntesPaid,
    Bet,
    BetMade,
    BlindPosted,
    BroughtIn,
    Called,
    Checked,
    Folded,
    Raised,
    Returned,
)
from lilygames_rules.poker.cards import BoardDealt, CardsDealt, CardsDrawn, UpDealt, known
from lilygames_rules.poker.deal import Deal, HandMucked, HandShown, PotWon
from lilygames_rules.poker.hands import Kind, Worth
from lilygames_rules.poker.session import HandScored
from lilygames_rules.poker.table import Variant

_GAMES: dict[Variant, str] = {"draw": "draw", "stud7": "stud", "holdem": "hold'em"}
_WHOLE_SUITS = 2
"""Most shown cards that are read one by one with suits; larger hands are read by value and kickers."""
_SIZES = 2
"""Most bet sizes with a number each; with more, the range is read."""
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
    return f"Hand {event.number}, {_GAMES[event.variant]}. {reader.says(event.dealer, 'deals.', 'deal.')}{before}"


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


def ask(view: View, moves: Sequence[Any], offers: Sequence[Any]) -> str:
    """Return the prompt: the betting moves in order, without their numbers, which would hide the amounts."""
    deal = view.deal
    if deal is None:
        return f"choose {listing([_GAMES[move.variant] for move in moves], 'or')}"
    match deal.phase:
        case "draw":
            most = view.match.options.max_draw
            draw = _draw(known(deal.layout.hands[view.seat or 0]), offers[0].cards) if offers[0] else ""
            others = f" up to {most}" if most < hands.FIVE else " others" if draw else ""
            return f"{draw}2 stand, or discard{others}"
        case "show":
            return "1 muck, 2 show"
    return _ask_bet(deal, deal.betting.stacks[view.seat or 0], moves)


def _draw(held: Sequence[Card], thrown: Sequence[Card]) -> str:
    """Return the first choice of a draw: what it throws away, or if that is long, what it keeps."""
    kept = hands.by_rank(card for card in held if card not in thrown)
    if len(thrown) < len(kept):
        return f"1 discard {cards(thrown)}, "
    pair = len({card.rank for card in kept}) == 1
    keeps = hands.worth(held).words.split()[-1] if pair else ", ".join(map(rank, kept))
    return f"1 keep {keeps}, draw {len(thrown)}, "


def _ask_bet(deal: Deal, stack: int, moves: Sequence[Any]) -> str:
    if deal.betting.bring_in:
        return f"lowest card: bet {' or '.join(str(move.to) for move in moves[:_SIZES])}"
    owed = deal.betting.owed
    first = f"call {min(owed, stack)}{', all-in' if stack <= owed else ''}" if owed else "check"
    amounts = [move.to for move in moves[_SIZES : 2 * _SIZES + 1]]
    verb = "bet" if isinstance(moves[-1], Bet) else "raise to"
    fold = ["fold"] if owed else []
    if len(amounts) <= _SIZES:
        return ", ".join([first, *(f"{verb} {amount}" for amount in amounts), *fold])
    return ", ".join([first, f"{verb} {amounts[0]} to {moves[len(moves) - 1].to}", *fold])
