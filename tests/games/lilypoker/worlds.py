"""The second world of poker: what a seat cannot know is changed, by the rules and not by the code."""

from __future__ import annotations

from typing import Any

import attrs

from lilygames_rules.kit import Luck, Seat


def hide(state: Any, seat: Seat | None, luck: Luck) -> Any:
    """Return another state that agrees with everything that `seat` may know.

    A seat knows its own cards and discards, open cards, and shown hands. The stock, burned cards, and the cards that
    others hold, threw or folded may be any of the other cards.
    """
    return attrs.evolve(state, deal=elsewhere(state.deal, seat, luck), last=elsewhere(state.last, seat, luck))


def elsewhere(deal: Any, seat: Seat | None, luck: Luck) -> Any:
    if deal is None:
        return None
    layout = deal.layout
    open_hands = {*deal.shown, *(() if seat is None else (seat,))}
    closed = [one for one in range(len(layout.hands)) if one not in open_hands]
    foreign = [place for place, dead in enumerate(layout.dead) if seat is None or dead.seat != seat]
    unseen = [card for one in closed for card in layout.hands[one]]
    unseen += [card for place in foreign for card in layout.dead[place].cards] + list(layout.stock)
    others = list(luck.shuffle(unseen))

    def as_many(cards: Any) -> Any:
        return tuple(others.pop() for _ in cards)

    hands, dead = list(layout.hands), list(layout.dead)
    for one in closed:
        hands[one] = as_many(hands[one])
    for place in foreign:
        dead[place] = attrs.evolve(dead[place], cards=as_many(dead[place].cards))
    anew = attrs.evolve(layout, hands=tuple(hands), dead=tuple(dead), stock=as_many(layout.stock))
    return attrs.evolve(deal, layout=anew)
