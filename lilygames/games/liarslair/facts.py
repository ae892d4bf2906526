"""Facts that the deal of Liar's Lair fixes: the statement on each card, whether it is true, and whose it is at first.

Each is a fact of its own. So a player can be shown that a statement hasn't changed, and learns nothing else about it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lilygames.game import FactName, Facts
from lilygames_rules.kit import Event
from lilygames_rules.lair import moves
from lilygames_rules.lair.moves import Told
from lilygames_rules.lair.table import Options, State


def _names(options: Options, seats: int) -> Sequence[FactName]:
    cards = range(1, options.shape(seats).cards + 1)
    return [("card", number, what) for number in cards for what in ("text", "mark", "seat")]


def _values(state: State) -> Sequence[str | int]:
    deck = state.deck
    return [value for number, card in enumerate(deck.cards, 1) for value in (deck.text(number), card.true, card.dealt)]


def _told(event: Event) -> Iterator[tuple[FactName, str | int]]:
    match event:
        case moves.Dealt(seat, cards):
            for number, text, true in cards:
                yield from _told_whole((number, text), true=true)
                yield ("card", number, "seat"), seat
        case moves.Contradicted(truth, lie):
            yield from _told_whole(truth, true=True)
            yield from _told_whole(lie, true=False)
        case moves.HandShown(_, _, cards) | moves.Declared(_, _, cards):
            yield from _text(*cards)
        case moves.CardExposed(_, _, (_, _) as card, effect):
            yield from _told_whole(card, true=effect != "lie")
        case (
            moves.CardPlayed(_, card)
            | moves.CardDiscarded(_, card)
            | moves.CardReclaimed(_, card)
            | moves.CardTaken(_, _, (_, _) as card)
        ):
            yield from _text(card)


def _text(*cards: Told) -> Iterator[tuple[FactName, str]]:
    yield from ((("card", number, "text"), text) for number, text in cards)


def _told_whole(card: Told, *, true: bool) -> Iterator[tuple[FactName, str | int]]:
    yield from _text(card)
    yield ("card", card[0], "mark"), true


FACTS = Facts(_names, _values, _told)
