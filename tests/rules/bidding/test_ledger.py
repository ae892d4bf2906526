"""Accounts: one seat's wins are other seats' losses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lilygames_rules.bidding.ledger import Unbalanced, from_each, posted


def test_winner_gets_the_amount_from_each_opponent():
    assert (-2, 6, -2, -2) == from_each(4, 1, range(4), 2)


def test_loser_pays_the_amount_to_each_opponent():
    assert (1, 1, -2) == from_each(3, 2, range(3), -1)


def test_seat_outside_the_hand_neither_pays_nor_gets():
    assert (0, 3, -3, 0) == from_each(4, 1, (1, 2), 3)


def test_changes_that_do_not_add_up_to_zero_are_refused():
    with pytest.raises(Unbalanced, match="add up to 1"):
        posted((0, 0), (2, -1))


def test_changes_without_one_per_balance_are_refused():
    with pytest.raises(ValueError, match="shorter"):
        posted((0, 0, 0), (1, -1))


@given(st.integers(2, 10), st.data())
def test_balances_keep_their_sum(seats, data):
    accounts = data.draw(st.lists(st.integers(-99, 99), min_size=seats, max_size=seats))
    players = data.draw(st.sets(st.integers(0, seats - 1), min_size=1))
    to, units = data.draw(st.sampled_from(sorted(players))), data.draw(st.integers(-9, 9))

    assert sum(accounts) == sum(posted(accounts, from_each(seats, to, players, units)))
