"""The betting of limit hold'em between two players, as numbers: decisions and ends of a street, and lines before it.

On each street the two act in turn. Decision 0 is the first one, and decision 1 follows a check or a call of the blind.
After r bets and raises it is decision 2r if the first player made the first of them, else 2r + 1. A call there ends the
street, and the end has the number of the decision, less 1. Two checks are end 0. The big blind doesn't count as a bet
here, so at most three are made before the flop, and four on later streets. A line numbers the ends of all earlier
streets together.
"""

from __future__ import annotations

from collections.abc import Sequence

STREETS = 4
FOLD, CALL, RAISE = range(3)
"""The choices of a decision; a check is a call of nothing, and a bet a raise of nothing."""


def most(street: int) -> int:
    """Return the most bets and raises on a street, besides the blind."""
    return 4 if street else 3


def decisions(street: int) -> int:
    """Return the number of decisions on a street."""
    return 2 * most(street) + 2


def ends(street: int) -> int:
    """Return the number of ways in which a street can end without a fold."""
    return 2 * most(street) + 1


def lines(street: int) -> int:
    """Return the number of lines that lead to a street."""
    return lines(street - 1) * ends(street - 1) if street else 1


def by_second(decision: int) -> bool:
    """Return whether the player who acts second on the street makes a decision."""
    made, first_bet_by_second = divmod(decision, 2)
    return bool(first_bet_by_second) if not made else made % 2 != first_bet_by_second


def may(street: int, decision: int, choice: int) -> bool:
    """Return whether a choice is there: no fold when nothing is owed, no raise at the cap."""
    match divmod(decision, 2)[0], choice:
        case made, _ if choice == RAISE:
            return made < most(street)
        case 0, _ if choice == FOLD:
            return street == decision == 0
    return True


def after_raise(decision: int) -> int:
    """Return the decision that follows a bet or raise."""
    return decision + 2


def ended(made: int, *, second_made_last: bool) -> int:
    """Return the end of a street with so many bets and raises, and who made the last one."""
    if not made:
        return 0
    first_bet_by_second = second_made_last == (made % 2 == 1)
    return 2 * made - 1 + first_bet_by_second


def line(over: Sequence[int]) -> int:
    """Return the line that numbers the ends of these earlier streets."""
    found = 0
    for street, end in enumerate(over):
        found = found * ends(street) + end
    return found
