"""Random poker hands, ours and pokerkit's, with the same stakes and as many raises, folds and draws.

Ours go through `start`, `turn`, `moves` and `apply`, and build every event. pokerkit deals and moves chips by its own
automations.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pokerkit as pk

from lilygames_rules import lilypoker
from lilygames_rules.kit import KeyedLuck
from lilygames_rules.lilypoker import Options

SEATS, CHIPS = 4, 100
RAISES, FOLDS = 0.2, 0.35
"""Below the first number a player raises, below the second they fold to a bet; else they check or call."""


def ours(variant: str, limit: str) -> Callable[[], None]:
    """Return a function that plays one of our hands."""
    options, luck = Options(variant=variant, limit=limit, hands=1), KeyedLuck(b"hands")
    return lambda: _ours(options, luck)


def theirs(variant: str, limit: str) -> Callable[[], None]:
    """Return a function that plays one of pokerkit's hands."""
    begun = _table(variant, limit)
    return lambda: _theirs(begun)


def _ours(options: Options, luck: KeyedLuck) -> None:
    """Play one hand."""
    state = lilypoker.start(SEATS, options, (), luck).state
    while (seat := lilypoker.turn(state)) is not None:
        moves, chance = lilypoker.moves(state, seat), random.random()  # noqa: S311
        move = moves[0]
        if state.deal.drawing or (chance < RAISES and len(moves) > 2):  # noqa: PLR2004 - after a check or call, and a fold
            first = 0 if state.deal.drawing else 2
            move = moves[first + int(random.random() * (len(moves) - first))]  # noqa: S311
        elif chance < FOLDS and not state.deal.betting.bring_in and state.deal.betting.owed:
            move = moves[1]
        state = lilypoker.apply(state, seat, move, luck).state


def _theirs(begun: Callable[[], pk.State]) -> None:
    """Play one hand."""
    state = begun()
    while state.status:
        drawer, chance = state.stand_patter_or_discarder_index, random.random()  # noqa: S311
        if drawer is not None:
            kept = int(chance * 32)
            state.stand_pat_or_discard([card for n, card in enumerate(state.hole_cards[drawer]) if kept >> n & 1])
        elif chance < RAISES and (low := state.min_completion_betting_or_raising_to_amount) is not None:
            span = state.max_completion_betting_or_raising_to_amount - low + 1
            state.complete_bet_or_raise_to(low + int(random.random() * span))  # noqa: S311
        elif state.bring_in_status:
            state.post_bring_in()
        elif chance < FOLDS and state.checking_or_calling_amount:
            state.fold()
        else:
            state.check_or_call()


def _table(variant: str, limit: str) -> Callable[[], pk.State]:
    """Return a function that starts a pokerkit hand with the stakes of our default options."""
    every = tuple(pk.Automation)
    if variant == "stud7":
        return lambda: pk.FixedLimitSevenCardStud.create_state(every, True, 1, 1, 2, 4, CHIPS, SEATS)  # noqa: FBT003
    if limit == "no":
        return lambda: pk.NoLimitTexasHoldem.create_state(every, True, 0, (1, 2), 2, CHIPS, SEATS)  # noqa: FBT003
    if variant == "holdem":
        return lambda: pk.FixedLimitTexasHoldem.create_state(every, True, 0, (1, 2), 2, 4, CHIPS, SEATS)  # noqa: FBT003
    dealt = pk.Street(False, (False,) * 5, 0, False, pk.Opening.POSITION, 2, 4)  # noqa: FBT003
    drawn = pk.Street(False, (), 0, True, pk.Opening.POSITION, 4, 4)  # noqa: FBT003
    fixed, high = pk.BettingStructure.FIXED_LIMIT, (pk.StandardHighHand,)
    stacks = (CHIPS,) * SEATS
    return lambda: pk.State(every, pk.Deck.STANDARD, high, (dealt, drawn), fixed, True, 1, (0, 0), 0, stacks, SEATS)  # noqa: FBT003
