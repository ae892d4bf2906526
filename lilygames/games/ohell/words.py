"""Commands, lines, prompts and refusals of Ohell."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

from lilygames.commands import Reads, command, declared
from lilygames.game import Reader
from lilygames.games.families.tricks import screens
from lilygames.games.families.tricks import words as tricks
from lilygames.games.families.tricks.spoken import opening as opening_spoken
from lilygames.games.ohell import spoken
from lilygames.scene import BREAK, Choice, Turn
from lilygames.spoken import told
from lilygames.text import count
from lilygames_rules import ohell
from lilygames_rules.cards import Card
from lilygames_rules.kit import Event
from lilygames_rules.ohell import ChooseMax, DealerDrawn, MaxChosen, View
from lilygames_rules.tricks.exactbid import Deal, Dealt, Play, RoundScored


def _french(text: str) -> Card:
    card = Card.parse(text)
    if card.suit is None:
        raise ValueError(text)
    return card


@command("max")
def choose_max(_: View, cards: int) -> ChooseMax:
    """Pick the size of the largest hands, if you deal first: /max 5."""
    return ChooseMax(cards)


@command("play")
def play(_: View, card: Annotated[Card, Reads("CARD", _french, "a card is like KH or 10C")]) -> Play:
    """Play a card from your hand: /play KH."""
    return Play(card)


def _drawn(event: DealerDrawn, reader: Reader) -> str:
    if event.most is None:
        return reader.says(event.seat, "deals first.", "deal first.")
    choice = f"the largest hand, {ohell.FEWEST_CARDS} to {event.most} cards."
    return reader.says(event.seat, f"deals first and picks {choice}", f"deal first and pick {choice}")


def _max(event: MaxChosen, reader: Reader) -> str:
    cards, decks = event.cards, count(event.decks, "deck")
    picked = "" if event.seat is None else reader.says(event.seat, f"picks {cards}. ", f"pick {cards}. ")
    return f"{picked}Hands of 1 to {cards} cards and back to 1: {event.rounds} rounds, {decks}."


def why(bid: int, taken: int, points: int) -> str:
    """Return why a bid and the tricks taken gave these points, as `lilygames_rules.ohell.score` counts them."""
    if bid != taken:
        return f"missed by {abs(bid - taken)}: {points:+}"
    return f"made {bid}: 10 + {bid}x{bid}" if bid else f"made 0: 10 + {count(points - 10, 'card')}"


TOLD: Mapping[type, Callable[[Any, Reader], str]] = {
    **tricks.TOLD,
    RoundScored: lambda event, reader: screens.round_sheet(event, reader, why),
    DealerDrawn: _drawn,
    MaxChosen: _max,
    Dealt: lambda event, reader: _opening(event.deal, event.rounds, reader),
}
"""The line for each kind of event."""


def tell(event: Event, reader: Reader) -> str:
    """Return the line for what has happened."""
    return told(event, reader, TOLD, spoken.TOLD)


def _opening(deal: Deal, rounds: int, reader: Reader) -> str:
    crowned = "; another one beats all cards" if deal.crowned else ""
    return f"{tricks.opening(deal, rounds)} {tricks.trump(deal, reader, crowned)}"


def show(view: View, reader: Reader) -> Sequence[str]:
    """Return the table: the round, a row per seat, and the trick with its winning card in brackets."""
    match, now = view.match, view.round
    if now is None:
        waits = "The game is over." if match.largest else f"{reader.names[match.first]} picks the largest hand."
        return [waits, *tricks.score(view, reader)]
    opened = [_opening(now.deal, match.rounds, reader)]
    if reader.voice.spoken:
        opened = [*opening_spoken(now.deal, match.rounds, reader)]
    return [*opened, *tricks.table(now, match.scores, reader)]


def asks(view: View, moves: Sequence[Any], reader: Reader) -> Turn:
    """Return the turn as a value."""
    if not isinstance(moves[0], ChooseMax):
        return screens.asks(view, moves, reader)
    sizes = tricks.numbers([move.cards for move in moves], reader)
    lead = f"pick the largest hand: {sizes}{BREAK}({moves[0].cards} makes the shortest game)."
    return Turn(
        "How large is the largest hand?",
        choices=tuple(Choice(m, f"{m.cards} cards", number=m.cards) for m in moves),
        leads=(f"pick the largest hand, {sizes}" if reader.voice.spoken else lead,),
        listed=False,
        state_first=True,
    )


def spell(move: Any) -> str:
    """Return a move as it is typed, without the slash."""
    return f"max {move.cards}" if isinstance(move, ChooseMax) else tricks.spell(move)


def word(move: Any, view: View, reader: Reader) -> str:
    """Return a move in words."""
    return spell(move) if isinstance(move, ChooseMax) else tricks.word(move, view, reader)


REFUSALS: Mapping[str, str | Callable[[Mapping[str, Any], Reader], str]] = {
    **tricks.refusals("ohell", {"max": "pick the largest hand"}),
    "bad-seats": "Ohell is for {low} to {high} players.",
    "bad-decks": "decks must be auto or {low} to {high}.",
    "bad-max": "the largest hand must have {low} to {high} cards here.",
}
"""A sentence for each refusal."""

COMMANDS = declared(choose_max, tricks.bid, play)
