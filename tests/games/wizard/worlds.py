"""The second world of Wizard: what a seat cannot know is changed, by the rules and not by the code."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import dropwhile
from typing import Any

from lilygames_rules.cards import DECK, JESTER, WIZARD, Card, Suit
from lilygames_rules.kit import Luck, Seat
from tests.rules.tricks.worlds import dealt_anew

SIXTY = [*DECK, *4 * [WIZARD], *4 * [JESTER]]


def hide(state: Any, seat: Seat | None, luck: Luck) -> Any:
    """Return another state that agrees with everything that `seat` may know."""
    return dealt_anew(state, seat, SIXTY, _led, luck)


def _led(cards: Sequence[Card]) -> Suit | None:
    """Return the suit of the first card that isn't a jester, if it has one: a wizard has none."""
    return next((card.suit for card in dropwhile(lambda card: card is JESTER, cards)), None)
