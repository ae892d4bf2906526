"""Which seat may know which die in Liars Dice, and invariants of every game."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lilygames_rules import liarsdice
from lilygames_rules.dice.claims import ladder
from lilygames_rules.dice.cup import Accept, Challenge, Roll
from lilygames_rules.dice.passing import Claim, Peek
from lilygames_rules.kit import KeyedLuck, Refused
from lilygames_rules.liarsdice import Options, RoundScored
from tests.games.liarsdice.rounds import ALL, after, at_random, begun, dice, read
from tests.rules.dice.worlds import hide

# A die is known to the holder after looking, to the passer until another seat rolls it, and to all if it is open.


PHASES = {
    "the starter has rolled": (),
    "the starter has kept some": (Roll((3, 4, 5)),),
    "a claim waits for an answer": ("pair",),
    "the claim is accepted": ("pair", Accept()),
    "the receiver has looked": ("pair", Accept(), Peek()),
    "the receiver has rolled": ("pair", Accept(), Roll((1, 2))),
    "the dice are passed on unseen": ("pair", "pair 9"),
    "the dice come back after a roll": ("pair", Accept(), Roll((1,)), "three > 0"),
    "the dice come back and are taken": ("pair", Accept(), Roll((1,)), "three > 0", Accept()),
}
KNOWING = dict(zip(PHASES, [{0}, {0}, {0}, {0}, {0, 1}, {1}, {0}, {1}, {1}], strict=True))


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("reveal", ["opener", "always", "never"])
def test_hidden_dice_never_change_a_view(phase, reveal):
    step = begun(reveal=reveal)
    for number, move in enumerate(PHASES[phase]):
        step = liarsdice.apply(step.state, liarsdice.turn(step.state), read(move), KeyedLuck(b"roll %d" % number))
    knowing = {seat for seat in range(3) if liarsdice.view(step.state, seat).cup.known}
    assert KNOWING[phase] == knowing

    for seat in (0, 1, 2, None):
        others = [hide(step.state, seat, KeyedLuck(b"%d" % number)) for number in range(20)]
        assert (seat in knowing) == (len({other.cup.dice for other in others}) == 1)
        for other in others:
            assert liarsdice.view(step.state, seat) == liarsdice.view(other, seat)
            if seat is not None:
                assert list(liarsdice.moves(step.state, seat)) == list(liarsdice.moves(other, seat))


def test_passer_remembers_the_dice():
    step = after(begun("99KQJ"), "pair", Accept(), Roll((1,)), luck="A")

    assert (dice("99KQJ"), 1) == (liarsdice.view(step.state, 0).cup.last, liarsdice.view(step.state, 0).cup.since[0])


def test_nobody_else_learns_which_dice_were_rolled():
    """They learn the number of rolled dice, and see the open ones."""
    here, there = (after(begun(), "pair", Accept(), Roll(places), luck="A") for places in ((1,), (5,)))

    assert here.events[0].seen_by(2) == there.events[0].seen_by(2)
    assert liarsdice.view(here.state, 0) == liarsdice.view(there.state, 0)


games = st.tuples(
    st.integers(2, 10),
    st.sampled_from(["any", "next"]),
    st.sampled_from(["opener", "always", "never"]),
    st.integers(0, 10**6),
)


@given(games)
@settings(max_examples=15)
def test_every_round_moves_one_point_and_the_first_to_two_wins(game):
    seats, passing, reveal, seed = game
    steps = list(at_random(seats, Options(points=2, passing=passing, reveal=reveal), seed))
    scored = [event for step in steps for event in step.events if isinstance(event, RoundScored)]

    assert all(sum(event.scores) == 0 for event in scored)
    assert max(scored[-1].scores) == 2 > max((max(event.scores) for event in scored[:-1]), default=0)
    assert len(scored) == len(steps[-1].state.match.sheet)


@given(games, st.integers(0, 40))
@settings(max_examples=30)
def test_listed_moves_are_exactly_the_accepted_ones(game, most):
    seats, passing, reveal, seed = game
    state = list(at_random(seats, Options(points=2, passing=passing, reveal=reveal), seed, most))[-1].state
    hands = [ladder()[rung] for rung in range(0, 579, 34)]
    every = [Accept(), Challenge(), Peek(), ALL, Roll((2,)), Roll((2, 1)), Roll(())]
    every += [Claim(hand, to) for hand in hands for to in (None, 0, 1, seats - 1, seats)]
    for seat in range(seats):
        legal = liarsdice.moves(state, seat)
        assert [move in legal for move in every] == [accepted(state, seat, move) for move in every]
        assert len(legal) == len(set(legal))
        assert not legal or [*legal][-1] == legal[len(legal) - 1]


def accepted(state, seat, move):
    try:
        liarsdice.apply(state, seat, move, KeyedLuck(b"any"))
    except Refused:
        return False
    return True


@given(games, st.integers(0, 40), st.integers(0, 3))
@settings(max_examples=30)
def test_imagined_state_looks_the_same(game, most, seat):
    seats, passing, reveal, seed = game
    seat = seat if seat < seats else None
    state = list(at_random(seats, Options(points=2, passing=passing, reveal=reveal), seed, most))[-1].state
    view = liarsdice.view(state, seat)

    assert view == liarsdice.view(liarsdice.sample(view, KeyedLuck(b"imagine")), seat)
