"""The forecast of the time that moves asked for will take, by how long past moves took."""

import pytest

from lilygames.house.forecast import Forecast


class Cards:
    """The view of a game."""


class Dice:
    """The view of another game."""


@pytest.fixture
def forecast():
    """A forecast after a move of 10 iterations that took 2 seconds."""
    forecast = Forecast()
    forecast.found(Cards, 10, 2.0)
    return forecast


def test_nothing_is_forecast_while_nobody_asks(forecast):
    assert 0.0 == forecast.seconds


def test_nothing_is_forecast_before_the_first_move():
    forecast = Forecast()

    with forecast.waiting(Cards, 100):
        assert 0.0 == forecast.seconds


def test_moves_asked_for_take_as_long_for_each_iteration_as_the_last_one(forecast):
    with forecast.waiting(Cards, 100), forecast.waiting(Cards, 10):
        assert 22.0 == pytest.approx(forecast.seconds)


def test_move_that_is_found_or_given_up_no_longer_counts(forecast):
    with pytest.raises(ValueError, match="given up"), forecast.waiting(Cards, 100):
        raise ValueError("given up")

    assert 0.0 == forecast.seconds


def test_each_game_has_a_pace_of_its_own(forecast):
    forecast.found(Dice, 1, 3.0)

    with forecast.waiting(Dice, 1), forecast.waiting(Cards, 10):
        assert 5.0 == pytest.approx(forecast.seconds)


def test_each_budget_has_a_pace_of_its_own(forecast):
    forecast.found(Cards, 30, 60.0)

    with forecast.waiting(Cards, 30), forecast.waiting(Cards, 10):
        assert 62.0 == pytest.approx(forecast.seconds)


def test_budget_that_is_new_has_the_pace_of_the_last_move(forecast):
    forecast.found(Cards, 30, 60.0)

    with forecast.waiting(Cards, 20):
        assert 40.0 == pytest.approx(forecast.seconds)


def test_move_without_a_search_changes_nothing(forecast):
    forecast.found(Cards, 0, 9.0)

    with forecast.waiting(Cards, 10), forecast.waiting(Dice, 0):
        assert 2.0 == pytest.approx(forecast.seconds)


def test_forecast_follows_the_pace_of_a_machine_that_gets_slower(forecast):
    for _ in range(100):
        forecast.found(Cards, 10, 20.0)

    with forecast.waiting(Cards, 10):
        assert 20.0 == pytest.approx(forecast.seconds, rel=0.01)
