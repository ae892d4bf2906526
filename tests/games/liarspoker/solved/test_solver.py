"""The solver of Liar's Poker with two players knows the same positions and moves as the shark."""

from __future__ import annotations

import zlib
from importlib.resources import files

import pytest

from lilygames.games.liarspoker import headsup
from tests.house.small import small

np = pytest.importorskip("numpy", reason="scripts/setup oracles installs numpy")
from lab.solving import liarspoker as solving  # noqa: E402 - needs numpy

DEALS = 60
FIRST = solving.OPENINGS * int(np.prod(solving.OPENING_SIZES))
"""Places of first bids in the solver's sums."""


def depths(seed):
    """Yield the turns of some deals before each move, where moves are drawn from all kinds."""
    rng = np.random.default_rng(seed)
    hands, turns = solving.Hands.dealt(rng, DEALS), solving.Turns.first(rng, DEALS)
    choose = solving.opening
    while len(turns.deal):
        choices = choose(hands, turns)
        yield hands, turns, choices
        allowed = choices.ranks & ~1
        kind = (rng.random(allowed.shape) * (allowed > 0)).argmax(1)
        sets = allowed[np.arange(len(kind)), kind]
        bids = (sets > 0) & (rng.random(len(kind)) < 0.9)
        rank = solving.MEMBERS[sets, 0]
        before, held = turns.count, hands.held[2 * turns.deal + turns.seat, rank]
        lowest = before + (rank <= turns.rank)
        count = (
            held + kind % solving.EXTRAS if choose is solving.opening else lowest + solving.RISE[kind % solving.ANSWERS]
        )
        go = bids | ((before > 0) & (turns.rebid == 0) & (turns.seat != turns.bidder))
        turns = turns.at(go).after(~bids[go], count[go], rank[go])
        choose = solving.answering


def own(hands, turns, row):
    return [int(held) for held in hands.held[2 * turns.deal[row] + turns.seat[row]]]


def heard(turns, row):
    numbers = (turns.count, turns.rank, turns.seat == turns.bidder, turns.rebid, turns.last[:, turns.seat[row]])
    return headsup.Heard(*(int(one[row]) for one in (*numbers, turns.again, turns.raised)))


def bids(hands, turns, row, ranks):
    """Return the bids of a player in turn by kind of move, from the solver's sets of ranks."""
    found = {}
    for kind in np.nonzero(ranks)[0].tolist():
        members = [rank for rank in headsup.RANKS if ranks[kind] >> rank & 1]
        if turns.count[row]:
            counts = [int(turns.count[row] + (rank <= turns.rank[row]) + solving.RISE[kind]) for rank in members]
        else:
            counts = [own(hands, turns, row)[rank] + kind % solving.EXTRAS for rank in members]
        found[kind] = sorted(zip(counts, members, strict=True))
    return found


@pytest.mark.parametrize("seed", range(3))
def test_solver_tries_the_moves_that_the_shark_draws_from(seed):
    for hands, turns, choices in depths(seed):
        for row in range(len(turns.deal)):
            digits = own(hands, turns, row)
            moves = headsup.answers(digits, heard(turns, row)) if turns.count[row] else headsup.openings(digits)

            assert {kind: sorted(rungs) for kind, rungs in moves} == bids(hands, turns, row, choices.ranks[row])


@pytest.mark.parametrize("seed", range(3))
def test_solver_tells_the_positions_apart_that_the_shark_does(seed):
    for hands, turns, choices in depths(seed):
        for row in range(len(turns.deal)):
            digits, place = own(hands, turns, row), int(choices.place[row])
            if turns.count[row]:
                index = np.unravel_index((place - FIRST) // solving.ANSWERS, solving.ANSWER_SIZES)
                found = (1 + int(index[0]), 1 + int(index[1]), *map(int, index[2:]))
                expected = headsup.answer_key(digits, heard(turns, row))
            else:
                found = (0, *map(int, np.unravel_index(place // solving.OPENINGS, solving.OPENING_SIZES)))
                expected = headsup.opening_key(digits)[: len(found)]

            assert expected == found


def test_same_seed_solves_the_same():
    (script,) = small({}, "lab/solve-liarspoker")

    assert script.packed(script.solved(4, deals=50)) == script.packed(script.solved(4, deals=50))
    assert script.packed(script.solved(4, deals=50)) != script.packed(script.solved(5, deals=50))


def test_interrupted_run_goes_on_to_the_same_table(tmp_path):
    (script,) = small({}, "lab/solve-liarspoker")
    state = tmp_path / "state.npz"
    script.solved(2, state, deals=50)

    assert script.packed(script.solved(4, deals=50)) == script.packed(script.solved(4, state, deals=50))


def test_bids_that_need_four_more_than_two_digits_die_out():
    (script,) = small({}, "lab/solve-liarspoker")
    pair = dict(dict(script.solved(40, deals=100).positions())[0, 2, 2, 0, *[0] * (headsup.WIDTH - 4)])

    assert pair[2 * solving.EXTRAS + 4] < 0.01 * sum(pair.values())


@pytest.mark.slow
def test_shipped_table_is_what_the_script_solves():
    (script,) = small({}, "lab/solve-liarspoker")
    shipped = (files("lilygames.games.liarspoker") / "headsup.bin").read_bytes()

    assert zlib.decompress(shipped) == script.packed(script.solved(script.ROUNDS))
