"""A whole exact-bid game: the state, the views and the steps that Ohell and Wizard share.

Each game adds its own `Match`: what the table agreed on and the score sheet. It also says which bid it bars.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeVar

import attrs

from lilygames_rules.cards import Card
from lilygames_rules.changed import changed, maker
from lilygames_rules.kit import Event, Luck, Seat, Step
from lilygames_rules.tricks import exactbid, hidden
from lilygames_rules.tricks.exactbid import Bid, Deal, Play, Round, RoundScored, Row, Sight


class Match(Protocol):
    """The attributes of every match; a game's own `Match` is a frozen attrs class with more fields."""

    @property
    def scores(self) -> tuple[int, ...]:
        """The total of each seat."""

    @property
    def sheet(self) -> tuple[Row, ...]:
        """The finished rounds."""

    @property
    def rounds(self) -> int:
        """How many rounds make a game."""


MatchT = TypeVar("MatchT", bound=Match)


@attrs.frozen
class State(Generic[MatchT]):
    """The match and the round in play; the round is None before the first deal and after the last one."""

    match: MatchT
    round: Round | None


@attrs.frozen
class View(Generic[MatchT]):
    """The state as a seat, or a spectator (None), sees it: without the other hands and the undealt cards."""

    seat: Seat | None
    match: MatchT
    round: Sight | None


Barred = Callable[[MatchT, Round], int | None]
"""Returns the bid that the next bidder may not make, None if every bid is allowed."""

state, _step, _view = maker(State), maker(Step), maker(View)


def dealt(match: MatchT, deal: Deal, hands: Sequence[tuple[Card, ...]], before: Sequence[Event]) -> Step[State[MatchT]]:
    """Return the first state of a round; the events of the deal come after those in `before`."""
    return _step(state(match, exactbid.opened(deal, hands)), (*before, *exactbid.announced(deal, hands, match.rounds)))


def moves(match: MatchT, now: Round, barred: Barred[MatchT]) -> Sequence[Bid | Play]:
    """Return the legal bids or cards of the seat to move, in order."""
    if now.bids[now.deal.dealer] is None:
        return exactbid.bids(now, barred(match, now))
    return exactbid.plays(now.hands[now.turn], now.trick)


def act(match: MatchT, now: Round, move: object, barred: Barred[MatchT]) -> Step[State[MatchT]]:
    """Return the result of a bid or a card by the seat to move; raises `Refused`.

    The caller scores the round if this ends it (see `is_over`).
    """
    if isinstance(move, Play):
        after, events = exactbid.play(now, move.card)
    else:
        after, events = exactbid.act(now, move, barred(match, now))
    return _step(state(match, after), events)


def is_over(now: Round | None) -> bool:
    """Tell whether all tricks of the round have been played; False without a round."""
    return now is not None and not now.trick and len(now.tricks) == now.deal.cards


def settled(state: State[MatchT], score: Callable[[int, int, int], int]) -> tuple[MatchT, RoundScored]:
    """Return the match with the finished round on its score sheet, and the event for the scores.

    `score(bid, taken, cards)` returns a seat's points.
    """
    assert state.round is not None  # noqa: S101 - the round has just been played out
    row, scores, scored = exactbid.settled(state.round, score, state.match.scores)
    return changed(state.match, scores=scores, sheet=(*state.match.sheet, row)), scored


def view(state: State[MatchT], seat: Seat | None) -> View[MatchT]:
    """Return everything `seat` may know; None is a spectator."""
    return _view(seat, state.match, exactbid.see(state.round, seat))


def sample(view: View[MatchT], pack: Sequence[Card], luck: Luck) -> State[MatchT]:
    """Return a random state that is consistent with `view`, uniform over the possible deals (see `hidden.imagined`)."""
    return State(view.match, hidden.imagined(view.round, view.seat, pack, luck))
