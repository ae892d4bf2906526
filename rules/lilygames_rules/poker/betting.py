"""The chips of one poker hand: antes, blinds and the bring-in, then checks, calls, bets, raises and folds.

Fixed, pot and no limit, with table stakes. Where poker rooms differ, the docstrings say what is played here. This
module knows no cards: the caller says who opens a street and who wins a pot.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any, Literal

import attrs

from lilygames_rules.changed import changer, maker
from lilygames_rules.kit import Event, Refused, Seat
from lilygames_rules.poker import pots
from lilygames_rules.poker.bets import (
    AntesPaid,
    Bet,
    BetMade,
    BlindPosted,
    BroughtIn,
    Call,
    Called,
    Check,
    Checked,
    Fold,
    Folded,
    Move,
    Raise,
    Raised,
    Returned,
)

Limit = Literal["fixed", "pot", "no"]


@attrs.frozen
class Terms:
    """A table's betting rules: limit, most bets and raises per street, and whether that applies with two players."""

    limit: Limit = "fixed"
    cap: int | None = None
    heads_up_cap: bool = True
    full_bets: bool = attrs.field(default=False, metadata={"added later": True})
    """Whether all-ins that are short of the first full bet don't reopen the betting, and a short big blind counts in
    full; not so in version 1 of lily-poker."""


@attrs.frozen
class StreetBets:
    """The bets and raises on a street that is over, with the big blind; `last` is the seat that made the last one."""

    count: int
    last: Seat | None


Answered = tuple[int | None, ...]


@attrs.frozen
class Betting:
    """The chips of a hand by seat, and the state of the betting on this street."""

    terms: Terms
    order: tuple[Seat, ...]
    """Seats dealt in, clockwise from the dealer's left."""
    stacks: tuple[int, ...]
    """Chips each seat has left."""
    paid: tuple[int, ...]
    """Chips each seat has put in during the hand."""
    bets: tuple[int, ...]
    """Chips each seat has put in on this street, without antes."""
    living: tuple[Seat, ...]
    """Seats that haven't folded, in the same order."""
    waiting: tuple[Seat, ...] = ()
    """Seats still to act on this street, the one to move first."""
    least: int = 0
    """Minimum bet and minimum raise on this street."""
    last: int = 0
    """Size of the largest bet or raise on this street."""
    count: int = 0
    """Bets and raises on this street; the big blind counts as one."""
    bring_in: int = 0
    """Bring-in that the seat to move still has to pay."""
    completing: bool = False
    """Whether the first raise only completes the bring-in to a full bet."""
    aggressor: Seat | None = None
    """Last seat to bet or raise on this street."""
    carried: int = 0
    """Chips left in the pot by earlier hands."""
    earlier: tuple[StreetBets, ...] = attrs.field(default=(), metadata={"added later": True})
    """The bets on earlier streets of this hand."""
    answered: Answered | None = attrs.field(default=None, metadata={"added later": True})
    """The bet that each seat has called or made on this street, None if it hasn't; 0 if that was the bring-in.

    None if the terms don't ask for full bets, and between streets. A seat that has only checked has answered nothing,
    so it may raise even a short all-in.
    """
    blind: int = attrs.field(default=0, metadata={"added later": True})
    """The big blind in full, which everyone has to call; 0 after the first street, and as for `answered`."""
    missing: int = attrs.field(default=0, metadata={"added later": True})
    """Chips by which all-in blinds are short; the most that pot limit allows counts them on the first street."""

    @property
    def turn(self) -> Seat | None:
        """The seat to move, None if the betting on this street is over."""
        return self.waiting[0] if self.waiting else None

    @property
    def top(self) -> int:
        """The highest bet on this street, with a short big blind in full."""
        return max(self.blind, *self.bets)

    @property
    def owed(self) -> int:
        """Chips the seat to move needs to call."""
        return self.top - self.bets[self.waiting[0]]

    @property
    def total(self) -> int:
        """All chips in the pot."""
        return self.carried + sum(self.paid)


_changed = changer(Betting)
_checked, _called_with, _bet_made, _raised = maker(Checked), maker(Called), maker(BetMade), maker(Raised)
_over = maker(StreetBets)


def begun(terms: Terms, order: Sequence[Seat], stacks: Sequence[int], carried: int = 0) -> Betting:
    """Return the chips at the start of a hand; `order` runs clockwise from the dealer's left."""
    nothing = (0,) * len(stacks)
    return Betting(terms, tuple(order), tuple(stacks), nothing, nothing, tuple(order), carried=carried)


def anted(now: Betting, ante: int) -> tuple[Betting, AntesPaid]:
    """Take the ante from everyone still in, or all they have left."""
    amounts = tuple((seat, min(ante, now.stacks[seat])) for seat in now.living)
    stacks, paid = list(now.stacks), list(now.paid)
    for seat, amount in amounts:
        stacks[seat] -= amount
        paid[seat] += amount
    return _changed(now, stacks=tuple(stacks), paid=tuple(paid)), AntesPaid(amounts)


def blinded(now: Betting, small: int, big: int) -> tuple[Betting, tuple[BlindPosted, ...]]:
    """Post the small blind left of the dealer and the big blind next; with two players the dealer posts the small.

    A seat that can't pay its blind is all-in. The others still have to call the full big blind (Robert's Rules of
    Poker), and pot limit counts both blinds in full (Poker TDA, rule 54).
    """
    first, second = reversed(now.order) if len(now.order) == 2 else now.order[:2]
    low, high = min(small, now.stacks[first]), min(big, now.stacks[second])
    posted = (BlindPosted(first, low, big=False), BlindPosted(second, high, big=True))
    now = _put_in(_put_in(now, first, low), second, high)
    if now.terms.full_bets:
        now = _changed(now, blind=big, missing=small + big - low - high)
    return now, tuple(blind for blind in posted if blind.amount)


def opened(now: Betting, first: Seat, least: int, bring_in: int = 0) -> Betting:
    """Open the betting on a street with `first`, or the next seat that has chips.

    If there is a bring-in, the first seat owes it.
    """
    return _changed(
        now,
        waiting=_asked(_with_chips(around(now.living, first), now.stacks), now.living, now.stacks, now.bets),
        least=least,
        count=int(any(now.bets)),
        bring_in=bring_in,
        completing=bring_in > 0,
        aggressor=None,
        answered=(None,) * len(now.bets) if now.terms.full_bets else None,
    )


def around(seats: Sequence[Seat], first: Seat) -> tuple[Seat, ...]:
    """Return the clockwise seats starting from `first`, or from the next one after it."""
    ring = sorted(seats)
    place = bisect_left(ring, first)
    return (*ring[place:], *ring[:place])


Chips = tuple[int, ...]
"""Chips by seat."""


def _with_chips(seats: Sequence[Seat], stacks: Chips) -> tuple[Seat, ...]:
    return tuple([seat for seat in seats if stacks[seat]])


def _put_in(now: Betting, seat: Seat, amount: int, **fields: Any) -> Betting:
    stacks, paid, bets = _moved(now, seat, amount)
    return _changed(now, stacks=stacks, paid=paid, bets=bets, **fields)


def _moved(now: Betting, seat: Seat, amount: int) -> tuple[Chips, Chips, Chips]:
    """Move chips into the pot: return the stacks, the totals put in, and the bets on this street."""
    return added(now.stacks, seat, -amount), added(now.paid, seat, amount), added(now.bets, seat, amount)


def added(chips: Chips, seat: Seat, more: int) -> Chips:
    """Return the chips after a seat received that many."""
    counts = list(chips)
    counts[seat] += more
    return tuple(counts)


def _asked(waiting: tuple[Seat, ...], living: tuple[Seat, ...], stacks: Chips, bets: Chips) -> tuple[Seat, ...]:
    """Drop seats from the front that owe nothing and whose bet nobody could answer.

    This ends the betting if all but one seat are all-in and that one has called.
    """
    if not waiting or len(living) == 1:
        return ()
    top = max(bets)
    while waiting and bets[waiting[0]] == top and not _answered(waiting[0], living, stacks, bets, top):
        waiting = waiting[1:]
    return waiting


def _answered(seat: Seat, living: tuple[Seat, ...], stacks: Chips, bets: Chips, top: int) -> bool:
    """Tell whether any other seat has chips beyond the highest bet."""
    for other in living:  # noqa: SIM110 - asked at every move, and a generator takes three times as long
        if stacks[other] + bets[other] > top and other != seat:
            return True
    return False


NO_AMOUNTS = range(0)


def wagers(now: Betting) -> range:
    """Return the totals to which the seat to move may bet or raise; empty if it may not.

    It needs more chips than a call and an opponent who can answer, and the cap on bets and raises must not be reached.
    A raise is at least the last full bet or raise.
    """
    seat, top, stacks, bets = now.waiting[0], now.top, now.stacks, now.bets
    own, stack = bets[seat], stacks[seat]
    if stack <= top - own or not _reopened(now, seat, top) or _capped(now):
        return NO_AMOUNTS
    if not _answered(seat, now.living, stacks, bets, top):
        return NO_AMOUNTS
    least = min(stack + own, max(now.last, now.least) + (0 if now.completing else top))
    return range(least, _most(now, own + stack, least) + 1)


def _reopened(now: Betting, seat: Seat, top: int) -> bool:
    """Tell whether the betting is open for a seat: it hasn't bet or called yet, or faces a full bet or raise.

    All-ins of less reopen the betting once they add up to that (Poker TDA, rule 47A). A bring-in isn't a full bet, so a
    seat that has called only that faces all of the next one. In version 1 the first short all-in set the size of a full
    raise.
    """
    if now.answered is None:
        return top - now.bets[seat] >= now.last
    answered = now.answered[seat]
    return answered is None or top - answered >= max(now.last, now.least)


def _most(now: Betting, whole: int, least: int) -> int:
    """Return the highest legal total: the minimum (fixed limit), the pot after a call (pot limit), or all chips."""
    match now.terms.limit:
        case "fixed":
            return least
        case "pot":
            return min(whole, max(least, now.top + now.owed + now.total + now.missing))
    return whole


def _capped(now: Betting) -> bool:
    terms = now.terms
    if terms.cap is None or (len(now.living) == 2 and not terms.heads_up_cap):
        return False
    return now.count >= terms.cap


@attrs.frozen
class Choices(Sequence[Any]):
    """A seat's legal moves, created on demand: some moves, then a bet or raise to each total in a range."""

    moves: tuple[Any, ...]
    kind: type[Bet | Raise]
    span: range

    def __len__(self) -> int:
        return len(self.moves) + len(self.span)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return [self[one] for one in range(len(self))[place]]
        beyond = place - len(self.moves)
        if beyond >= 0:
            return self.kind(self.span[beyond])
        return self.moves[place] if place >= 0 else self[range(len(self))[place]]

    def __contains__(self, move: object) -> bool:
        return move in self.moves or (type(move) is self.kind and move.to in self.span)

    def index(self, move: Any, start: int = 0, stop: int | None = None) -> int:
        """Return the index of a move; raises `ValueError` if it isn't here or not between the bounds."""
        of_amount = type(move) is self.kind and move not in self.moves
        place = len(self.moves) + self.span.index(move.to) if of_amount else self.moves.index(move)
        if place not in range(len(self))[start:stop]:
            raise ValueError(move)
        return place


def choices(now: Betting, *, may_bet: bool = True) -> Sequence[Any]:
    """Return the legal moves of the seat to move: check or call, fold, then bets or raises from the lowest up.

    A seat that owes the bring-in pays it or bets more. `may_bet` is false if the cards don't allow a bet.
    """
    amounts = wagers(now) if may_bet else NO_AMOUNTS
    if now.bring_in:
        due = min(now.bring_in, now.stacks[now.waiting[0]])
        return Choices((Bet(due),), Bet, amounts[1:] if due in amounts else amounts)
    top = now.top
    return _choices(_OWING if now.bets[now.waiting[0]] < top else _EVEN, Raise if top else Bet, amounts)


_choices = maker(Choices)
_EVEN, _OWING = (Check(), Fold()), (Call(), Fold())


def act(now: Betting, move: Move) -> tuple[Betting, Event]:
    """Return the betting after a move of the seat to move, and the events; raises `Refused`."""
    seat = now.waiting[0]
    if now.bring_in and not isinstance(move, Bet):
        raise Refused("bring-in", amount=now.bring_in)
    match move:
        case Fold():
            return folded(now, seat), Folded(seat)
        case Check():
            if now.owed:
                raise Refused("owes", amount=now.owed)
            waiting = _asked(now.waiting[1:], now.living, now.stacks, now.bets)
            return _changed(now, waiting=waiting), _checked(seat)
        case Call():
            return _called(now, seat)
        case Bet(to) if now.bring_in and to == min(now.bring_in, now.stacks[seat]):
            after = _matched(now, seat, to)
            return after, BroughtIn(seat, to, not after.stacks[seat])
    return _wagered(now, seat, move)


def folded(now: Betting, seat: Seat) -> Betting:
    """Return the betting after a seat folds, on its turn or because its player leaves."""
    living = tuple([one for one in now.living if one != seat])
    waiting = tuple([one for one in now.waiting if one != seat])
    return _changed(now, living=living, waiting=_asked(waiting, living, now.stacks, now.bets))


def _called(now: Betting, seat: Seat) -> tuple[Betting, Event]:
    amount = min(now.owed, now.stacks[seat])
    if not amount:
        raise Refused("nothing-to-call")
    after = _matched(now, seat, amount)
    return after, _called_with(seat, amount, not after.stacks[seat])


def _matched(now: Betting, seat: Seat, amount: int) -> Betting:
    """Return the betting after the seat to move has put in its chips; this pays a bring-in."""
    stacks, paid, bets = _moved(now, seat, amount)
    waiting = _asked(now.waiting[1:], now.living, stacks, bets)
    answered = _answering(now, seat, 0 if now.completing else bets[seat])
    return _changed(now, stacks=stacks, paid=paid, bets=bets, waiting=waiting, bring_in=0, answered=answered)


def _answering(now: Betting, seat: Seat, bet: int) -> Answered | None:
    """Return the bets that the seats have called or made, after a seat did; None if the terms don't ask for them."""
    return (*now.answered[:seat], bet, *now.answered[seat + 1 :]) if now.answered else None


def _wagered(now: Betting, seat: Seat, move: Bet | Raise) -> tuple[Betting, Event]:
    """Return the betting after a bet or raise; every other seat with chips acts again."""
    amounts, raises = wagers(now), isinstance(move, Raise)
    if raises != (now.top > 0):
        raise Refused("nothing-to-raise" if raises else "already-bet", top=now.top)
    if move.to not in amounts:
        raise Refused("bad-amount" if amounts else "no-raise", **_bounds(amounts))
    after = _put_in(
        now,
        seat,
        move.to - now.bets[seat],
        waiting=_with_chips(around(now.living, seat)[1:], now.stacks),
        last=max(now.last, move.to - now.top),
        count=now.count + 1,
        bring_in=0,
        completing=False,
        aggressor=seat,
        answered=_answering(now, seat, move.to),
    )
    event = _raised if raises else _bet_made
    return after, event(seat, move.to, not after.stacks[seat])


def _bounds(amounts: range) -> dict[str, int]:
    return {"low": amounts[0], "high": amounts[-1]} if amounts else {}


def closed(now: Betting) -> tuple[Betting, tuple[Returned, ...]]:
    """Close the street: collect the bets, and return the uncalled part to its bettor."""
    seat, amount = pots.uncalled(now.paid)
    stacks, paid, _ = _moved(now, seat, -amount) if amount else (now.stacks, now.paid, ())
    events = (Returned(seat, amount),) if amount else ()
    earlier, nothing = (*now.earlier, _over(now.count, now.aggressor)), (0,) * len(now.bets)
    now = _changed(now, stacks=stacks, paid=paid, bets=nothing, last=0, count=0, earlier=earlier)
    return (_changed(now, answered=None, blind=0, missing=0) if now.answered else now), events
