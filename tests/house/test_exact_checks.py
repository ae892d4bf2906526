"""Exact checks: OpenSpiel solves our rules, and its best responses win only a little from bots.

The variants are small enough to be solved in seconds (see `variants`); `scripts/duel` measures a bot's strength in the
whole game. The bounds on its losses here reveal a change that makes it worse.
"""

from __future__ import annotations

from functools import cache

import pytest

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel, of the oracles dependency group, is not installed")
pytest.importorskip("open_spiel.python.games.liars_poker", reason="it registers python_liars_poker")

from open_spiel.python.algorithms import gambit  # noqa: E402 - it may be missing

from tests.house import spiel, variants  # noqa: E402 - they need OpenSpiel

pytestmark = pytest.mark.oracle

ROUNDS = 100
OHELL, OHELL_THREE = (variants.ohell, 2, "KING"), (variants.ohell, 3, "KING")
POKER, POKER_PLAIN = (variants.liarspoker, 1, 3, 2, (500, 3)), (variants.liarspoker, 1, 3, 2, (), False)
POKER_TWO = (variants.liarspoker, 2, 2, 2, (2000, 4))
DIE, PAIR = (variants.liedie, 1, 4), (variants.liedie, 2, 2)
DICE = (variants.liarsdice, 2, 2, 2)
LAST_TWO, LAST_THREE = (variants.liedie, 2, 4, 2), (variants.liedie, 2, 4, 3)


@cache
def variant(make, *numbers):
    return make(*numbers)


@cache
def tree(make, *numbers):
    return spiel.written(variant(make, *numbers).variant)


@pytest.mark.parametrize("small", [OHELL, OHELL_THREE, POKER, PAIR, DICE])
def test_our_games_are_games_of_openspiel(small):
    """OpenSpiel's own test of a game plays it at random and reads everything that a game must provide."""
    pyspiel.random_sim_test(spiel.Game(variant(*small).variant), 3, serialize=False, verbose=False)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("ohell", {"max": 3}),
        ("liarsdice", {"points": 1}),
        ("liedie", {}),
        ("liarspoker", {"hands": 1}),
        ("liarslair", {}),
        pytest.param("wizard", {}, marks=pytest.mark.slow),
    ],
)
def test_models_match_the_games_as_played(name, options):
    """One random game by three, from the first card to the last."""
    pyspiel.random_sim_test(spiel.Game(variants.whole(name, 3, **options)), 1, serialize=False, verbose=False)


def test_small_liars_poker_has_the_value_openspiel_finds():
    """One digit each of three kinds, without the extras of 1986: opening is worth 0.111 units in both."""
    theirs = pyspiel.load_game("python_liars_poker(players=2,hand_length=1,num_digits=3)")
    other = spiel.Tree(pyspiel.load_efg_game(gambit.export_gambit(theirs)), {})
    expected, actual = (spiel.values(one, spiel.solved(one, ROUNDS)) for one in (other, tree(*POKER_PLAIN)))

    assert pytest.approx(expected, abs=1e-9) == actual
    assert pytest.approx([1 / 9, -1 / 9], abs=1e-3) == actual


@pytest.mark.parametrize(("small", "worth"), [(OHELL, 48 / 7), (POKER, 5 / 27), (DICE, 1 / 2)])
def test_first_player_has_the_known_value_under_best_play(small, worth):
    """Ohell with kings and aces, Liar's Poker with one digit of three kinds, Liars Dice with two coins."""
    best = spiel.solved(tree(*small), ROUNDS)

    assert max(spiel.gains(tree(*small), best)) < 0.005
    assert pytest.approx([worth, -worth], abs=0.005) == spiel.values(tree(*small), best)


@pytest.mark.parametrize("small", [DIE, PAIR, pytest.param(LAST_TWO, marks=pytest.mark.slow)])
def test_table_of_lie_die_knows_what_openspiel_finds(small):
    """The script that makes the table solves one throw and claim at a time; OpenSpiel solves the game as a whole."""
    best = spiel.solved(tree(*small), ROUNDS)

    assert max(spiel.gains(tree(*small), best)) < 0.002
    assert pytest.approx(spiel.values(tree(*small), best)[0], abs=0.002) == variant(*small).worth


@pytest.mark.parametrize(
    ("small", "level", "most"),
    [
        (OHELL, "novice", 0.0),
        (OHELL, "club", 0.0),
        pytest.param(OHELL_THREE, "club", 0.0, marks=pytest.mark.slow),
        (POKER, "novice", 0.89),
        (POKER, "club", 0.89),
        (POKER, "shark", 1.12),
        pytest.param(POKER_TWO, "shark", 0.69, marks=pytest.mark.slow),
        (DIE, "novice", 0.47),
        (DIE, "club", 0.14),
        (DIE, "shark", 0.01),
        (PAIR, "novice", 0.19),
        (PAIR, "club", 0.08),
        (PAIR, "shark", 0.01),
        (DICE, "novice", 0.3),
        (DICE, "club", 0.2),
        (DICE, "shark", 0.2),
        pytest.param(LAST_TWO, "shark", 0.01, marks=pytest.mark.slow),
        pytest.param(LAST_THREE, "shark", 0.01, marks=pytest.mark.slow),
    ],
)
def test_best_response_wins_little_from_a_bot(small, level, most):
    """The bound is in points, units or stakes per deal, above the bot's own result in that seat against itself."""
    asked = spiel.policy(tree(*small), variant(*small).players[level], variant(*small).asks)

    assert max(spiel.gains(tree(*small), asked)) <= most + 1e-6
