"""Properties that are worked out once."""

from __future__ import annotations

import attrs

from lilygames.tables.state.cached import cached
from lilygames_rules.changed import changed


@attrs.frozen(slots=False)
class Hand:
    cards: tuple[int, ...]
    counted: list[int] = attrs.field(factory=list, eq=False)

    @cached
    def total(self) -> int:
        """All points."""
        self.counted.append(sum(self.cards))
        return self.counted[-1]


def test_value_is_worked_out_once() -> None:
    hand = Hand((2, 3))
    assert (hand.total, hand.total) == (5, 5)
    assert hand.counted == [5]


def test_changed_copy_works_out_its_own_value() -> None:
    hand = Hand((2, 3))
    assert (hand.total, changed(hand, cards=(4, 5)).total, hand.total) == (5, 9, 5)


def test_values_stay_equal_whether_they_were_asked_or_not() -> None:
    asked = Hand((2, 3))
    assert asked.total == 5
    assert asked == Hand((2, 3))


def test_property_of_the_class_has_the_docstring_of_its_function() -> None:
    assert Hand.total.__doc__ == "All points."
