"""Moves of Liar's Lair that are odd enough to ask about first: /set confirm.

Only the marks that the player sees count: `view.mark`, not what could be worked out.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from lilygames_rules.lair.hands import Seen
from lilygames_rules.lair.moves import Declare, Expose, Play
from lilygames_rules.lair.table import Playing, Proving, View


def doubt(view: View, move: Any) -> str:
    """Return why a move is odd: cards that the seat sees contradict it, so it is sure to lose or to prove nothing."""
    own = {card.number: card for card in view.at(view.seat)}
    match (view.match.phase, move):
        case (Playing(), Play(number)):
            odd = {card: why for card in own if (why := _play(view, own[card]))}
            return odd.get(number, "") if len(odd) < len(own) else ""
        case (Proving(_, declared), Expose(number)):
            return _proof(view, own[number], {card.pair for card in view.at(declared[0][0])})
        case (_, Declare(way)):
            return _declaration(view, [*own.values()], way)
    return ""


def _play(view: View, card: Seen) -> str:
    """Return why playing a card is odd: it is a lie, and its truth has been played in this round."""
    played = {number for _, number in view.match.round.played}
    truth = next((one for one in view.cards if one.number in played and one.pair == card.pair), None)
    if truth is None or view.mark(card) is not False:
        return ""
    return f"Card {card.number} is a lie, and it contradicts card {truth.number} on the table. You would be out."


def _proof(view: View, card: Seen, pairs: Collection[int]) -> str:
    """Return why showing a card to a declarer is odd: it is a lie, or it contradicts none of their cards."""
    if view.mark(card) is False:
        return f"Card {card.number} is a lie, so it proves nothing. You would be out."
    return "" if card.pair in pairs else f"Card {card.number} contradicts none of the declarer's cards."


def _declaration(view: View, own: list[Seen], way: str) -> str:
    """Return why a declaration is odd: the seat's own cards or known ones contradict it."""
    if way == "absolution":
        truth = next((card for card in own if view.mark(card)), None)
        return f"Card {truth.number} is true, but all your cards have to be lies. You would be out." if truth else ""
    if way != "honest":
        return ""
    for card in own:
        contrary = next((one for one in view.cards if one.pair == card.pair and one.number != card.number), None)
        if contrary and contrary.place == view.seat:
            return f"Your cards {card.number} and {contrary.number} contradict each other. You would be out."
    return ""
