"""The fast constructors make the same values as their classes."""

from __future__ import annotations

import pickle

import attrs
import pytest

from lilygames_rules.changed import changed, maker
from lilygames_rules.kit import Step
from lilygames_rules.tricks import exactbid


@attrs.frozen
class Summed:
    """A value with a property and an optional field."""

    scores: tuple[int, ...]
    sheet: tuple[int, ...]
    coin: int | None = None

    @property
    def best(self):
        return max(self.scores)


WON = exactbid.TrickWon(1, exactbid.WIZARD, 2, 3)


@pytest.mark.parametrize("kind", [Step, exactbid.Round, exactbid.Deal, exactbid.TrickWon, Summed])
def test_fast_constructor_makes_equal_values(kind):
    given = range(len(attrs.fields(kind)))
    fast, slow = maker(kind)(*given), kind(*given)

    assert (kind, slow, hash(slow), repr(slow)) == (type(fast), fast, hash(fast), repr(fast))
    assert fast == pickle.loads(pickle.dumps(fast))


def test_fast_values_are_frozen():
    won = maker(exactbid.TrickWon)(1, exactbid.WIZARD, 2, 3)
    for change in (lambda: setattr(won, "seat", 0), lambda: delattr(won, "seat")):
        with pytest.raises(attrs.exceptions.FrozenInstanceError):
            change()

    assert WON == won


def test_field_left_out_has_its_default():
    assert Summed((0, 1, 2), ()) == maker(Summed)((0, 1, 2), ())


@attrs.frozen
class Noted:
    """A value with defaults that are made for each value, one of them from another field."""

    text: str
    margin: str = attrs.field(default=attrs.Factory(lambda self: self.text[:1], takes_self=True))
    seats: list[int] = attrs.field(factory=list)


def test_default_of_a_field_may_be_made_for_each_value():
    assert [Noted("bob"), Noted("bob", "-", [1])] == [maker(Noted)("bob"), maker(Noted)("bob", "-", [1])]


def test_class_with_special_fields_is_refused():
    @attrs.frozen
    class Asks:
        whole: int = attrs.field(converter=int)

    with pytest.raises(TypeError):
        maker(Asks)


def test_changed_value_keeps_its_other_fields():
    assert attrs.evolve(WON, taken=7, bid=8) == changed(WON, taken=7, bid=8)


def test_field_may_have_any_name():
    @attrs.frozen
    class Odd:
        kind: int
        old: int
        made: int = 3

    assert Odd(1, 2, 3) == maker(Odd)(1, 2)
    assert Odd(1, 5, 3) == changed(maker(Odd)(1, 2), old=5)


def test_unknown_field_cannot_be_changed():
    with pytest.raises(TypeError, match="colour"):
        changed(WON, colour=1)


def test_changed_value_keeps_what_a_converter_or_a_factory_has_made():
    @attrs.frozen
    class Made:
        whole: int = attrs.field(converter=int)
        rest: list[int] = attrs.field(factory=list)
        more: int = 0

    before = Made("7")  # type: ignore[arg-type] # as the converter takes it

    assert Made(7, [], 1) == changed(before, more=1)
