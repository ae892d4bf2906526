"""Commands, lines, prompts and refusals of Wizard."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

from lilygames.commands import Reads, command, declared
from lilygames.game import Reader
from lilygames.games.families.cards.words import card_in
from lilygames.games.families.tricks import screens
from lilygames.games.families.tricks import words as tricks
from lilygames.games.families.tricks.spoken import opening as opening_spoken
from lilygames.games.wizard import spoken
from lilygames.scene import Choice, Fact, Turn, numbered
from lilygames.spoken import told
from lilygames.text import count, listing
from lilygames_rules import wizard
from lilygames_rules.cards import Card, Suit
from lilygames_rules.kit import Event
from lilygames_rules.tricks.exactbid import Deal, Dealt, Play, RoundScored
from lilygames_rules.wizard import BidBarred, CoinFlipped, NameTrump, OrderSettled, TopTied, TrumpNamed, View

_CARD = "a card is like KH or 10C, W a wizard, J a jester"


@command("trump")
def trump(_: View, suit: Annotated[Suit, Reads("SUIT", Suit.parse, "a suit is C, D, H or S")]) -> NameTrump:
    """Name the trump, if you deal and a wizard is turned up: /trump hearts."""
    return NameTrump(suit)


@command("play")
def play(_: View, card: Annotated[Card, Reads("CARD", Card.parse, _CARD)]) -> Play:
    """Play a card from your hand: /play KH, /play W."""
    return Play(card)


def _order(event: OrderSettled, reader: Reader) -> str:
    dealer = reader.says(event.order[-1], "deals first.", "deal first.")
    return f"Order of play: {reader.everyone(event.order)}. {dealer}"


def _named(event: TrumpNamed, reader: Reader) -> str:
    suit = event.suit.word
    return reader.says(event.seat, f"names {suit} as trump.", f"name {suit} as trump.")


def _barred(event: BidBarred, reader: Reader) -> str:
    if event.seat == reader.seat:
        return f"You deal and may not bid {event.tricks}."
    return f"The dealer may not bid {event.tricks}."


def _tied(event: TopTied, reader: Reader) -> str:
    made = zip(event.seats, event.made, strict=True)
    bids = listing(f"{reader.who(seat)} {count(bids, 'round')}" for seat, bids in made)
    return f"A tie for the highest total. Bids made: {bids}."


def _flipped(event: CoinFlipped, reader: Reader) -> str:
    return f"Still a tie: a coin flip between {reader.everyone(event.seats)} goes to {reader.who(event.winner)}."


def why(bid: int, taken: int, points: int) -> str:
    """Return why a bid and the tricks taken gave these points, as `lilygames_rules.wizard.score` counts them."""
    return f"made {bid}: 20 + 10x{bid}" if bid == taken else f"missed by {abs(bid - taken)}: {points:+}"


TOLD: Mapping[type, Callable[[Any, Reader], str]] = {
    **tricks.TOLD,
    RoundScored: lambda event, reader: screens.round_sheet(event, reader, why),
    OrderSettled: _order,
    Dealt: lambda event, reader: _opening(event.deal, event.rounds, reader),
    TrumpNamed: _named,
    BidBarred: _barred,
    TopTied: _tied,
    CoinFlipped: _flipped,
}
"""The line for each kind of event."""


def tell(event: Event, reader: Reader) -> str:
    """Return the line for what has happened."""
    return told(event, reader, TOLD, spoken.TOLD)


def _opening(deal: Deal, rounds: int, reader: Reader) -> str:
    return f"{tricks.opening(deal, rounds)} {_trump(deal, reader)}"


def _trump(deal: Deal, reader: Reader) -> str:
    """Return the trump line: the suit and who named it, or who has to name it."""
    if deal.unnamed and deal.turned:
        names = reader.says(deal.dealer, "deals and names the trump.", "deal and name the trump.")
        return f"{card_in(deal.turned, reader)} turned up. {names}"
    chosen = deal.trump and deal.turned and deal.turned.suit is None
    return tricks.trump(deal, reader, f", named by {reader.who(deal.dealer)}" if chosen else "")


def show(view: View, reader: Reader) -> Sequence[str]:
    """Return the table: the round, a row per seat in order of play, and the trick."""
    match, now = view.match, view.round
    if now is None:
        return ["The game is over.", *score(view, reader)]
    opened = [_opening(now.deal, match.rounds, reader)]
    if reader.voice.spoken:
        opened = [*opening_spoken(now.deal, match.rounds, reader)]
    return [*opened, *tricks.table(now, match.scores, reader)]


def score(view: View, reader: Reader) -> Sequence[str]:
    """Return the totals, the bids made (the tie-break), and the latest rounds."""
    totals, *rows = tricks.score(view, reader)
    made = listing(f"{reader.who(seat)} {rounds}" for seat, rounds in enumerate(wizard.rounds_made(view.match)))
    return [totals, f"Bids made: {made}.", *rows]


def asks(view: View, moves: Sequence[Any], reader: Reader) -> Turn:
    """Return the turn as a value."""
    now = view.round
    if now is None or not isinstance(moves[0], NameTrump):
        return screens.asks(view, moves, reader)
    suits = [(move, move.suit.word) for move in moves]
    by_ear = reader.voice.spoken
    return Turn(
        "Name the trump",
        (screens.round_fact(view, now, reader), Fact((screens.hand(now, reader),), 3, held=True)),
        screens.held_in(now),
        tuple(numbered(Choice(move, suit, brief=f"for {suit}" if by_ear else suit) for move, suit in suits)),
        leads=("name the trump" if by_ear else "name the trump:",),
        brief=True,
        state_first=True,
    )


def spell(move: Any) -> str:
    """Return a move as it is typed, without the slash."""
    return f"trump {move.suit.word}" if isinstance(move, NameTrump) else tricks.spell(move)


def word(move: Any, view: View, reader: Reader) -> str:
    """Return a move in words."""
    return spell(move) if isinstance(move, NameTrump) else tricks.word(move, view, reader)


REFUSALS: Mapping[str, str | Callable[[Mapping[str, Any], Reader], str]] = {
    **tricks.refusals("wizard", {"trump": "name the trump"}),
    "bad-seats": "Wizard is for {low} to {high} players.",
    "bad-rounds": "with this many players Wizard has {low} to {high} rounds; rounds=all plays them all.",
}
"""A sentence for each refusal."""

COMMANDS = declared(trump, tricks.bid, play)
