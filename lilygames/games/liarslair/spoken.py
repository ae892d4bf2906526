"""Reader-mode lines of Liar's Lair."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lilygames.game import Reader
from lilygames.spoken import Words, does, unless_typed
from lilygames_rules.lair import moves as lairmoves
from lilygames_rules.lair.moves import Told

MARKS = {True: "true", False: "false", None: "not known"}
"""A seat's knowledge of a card, in words."""


def _cards(cards: Iterable[Told]) -> str:
    return "\n".join(f"Card {number}: {text}" for number, text in cards)


def _dealt(event: lairmoves.Dealt, reader: Reader) -> str:
    if event.seat != reader.seat:
        return ""
    cards = "\n".join(f"Card {number}, {MARKS[true]}: {text}" for number, text, true in event.cards)
    return f"You are {event.character}.\n{cards}" if event.character else cards


def _contradicted(event: lairmoves.Contradicted, _: Reader) -> str:
    return f"True: {event.truth[0]}. False: {event.lie[0]}. Both leave."


def _hand_shown(event: lairmoves.HandShown, reader: Reader) -> str:
    return f"{reader.names[event.victim]} leaves:\n{_cards(event.cards)}" if event.victor == reader.seat else ""


def _declared(event: lairmoves.Declared, reader: Reader) -> str:
    if reader.typed and event.seat == reader.seat:
        return ""
    declares = reader.says(event.seat, "declares", "declare")
    match event.way:
        case "identity":
            return f"{declares} to be {event.character}; nobody else holds a truth about them."
        case "absolution":
            return f"{declares} absolution:\n{_cards(event.cards)}"
    return f"{declares}:\n{_cards(event.cards)}"


_EFFECTS = {"proof": "true, it proves a lie", "lie": "a lie", "nothing": "true, it proves nothing"}


def _exposed(event: lairmoves.CardExposed, reader: Reader) -> str:
    seen = event.card if reader.seat in (event.seat, event.declarer) else None
    card = f"card {seen[0]}, {seen[1]}" if seen and event.seat != reader.seat else "a card"
    shows = f"{reader.says(event.seat, 'shows', 'show')} {reader.who(event.declarer)} {card}"
    return f"{shows}: {_EFFECTS[event.effect]}."


def _with_text(theirs: str, yours: str) -> Any:
    """Return the line for a move with a card, including its text."""
    return unless_typed(
        lambda event, reader: f"{reader.says(event.seat, theirs, yours)} {event.card[0]}: {event.card[1]}"
    )


TOLD: Words = {
    lairmoves.Dealt: _dealt,
    lairmoves.Volunteered: does("volunteers", "volunteer"),
    lairmoves.Passed: does("passes", "pass"),
    lairmoves.CardPlayed: _with_text("plays", "play"),
    lairmoves.Contradicted: _contradicted,
    lairmoves.HandShown: _hand_shown,
    lairmoves.CardDiscarded: _with_text("leaves", "leave"),
    lairmoves.CardReclaimed: unless_typed(
        lambda event, reader: f"{reader.says(event.seat, 'reclaims', 'reclaim')} {event.card[0]}."
    ),
    lairmoves.Declared: _declared,
    lairmoves.CardExposed: _exposed,
}
"""The line for each kind of event; a card's text is read when it first appears, later only its number."""
