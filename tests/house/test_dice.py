"""How bots calculate with five dice."""

from __future__ import annotations

from itertools import product

import pytest

from lilygames.games.families.dice.chances import best_roll, chance, falls


@pytest.mark.parametrize("dice", range(6))
def test_ways_of_all_rolls_add_up(dice):
    assert 6**dice == sum(ways for _, ways in falls(dice))
    assert len(falls(dice)) == len({tuple(sorted(fall)) for fall in product(range(6), repeat=dice)})


def test_every_face_of_the_last_die_is_equally_likely():
    assert 1 / 6 == chance((3, 3, 3, 3), lambda dice: dice == (3,) * 5)
    assert 1 == chance((1, 2, 3, 4, 5), lambda dice: dice == (1, 2, 3, 4, 5))


@pytest.mark.parametrize(
    ("dice", "good", "places"),
    [
        ((3, 1, 3, 3, 2), lambda dice: dice.count(3) > 3, (2, 5)),
        ((6, 2, 4, 5, 3), lambda dice: dice == (1, 2, 3, 4, 5), (1,)),
        ((1, 1, 1, 1, 2), lambda dice: 6 in dice, (1, 2, 3, 4, 5)),
    ],
)
def test_useless_dice_are_rolled(dice, good, places):
    assert places == best_roll(dice, good)


def test_chances_reuse_cached_rolls():
    """In one decision a novice asks for thirty of them, on the server's own event loop."""
    seen = []
    chance((2, 1), lambda dice: not seen.append(dice))
    again = []
    chance((1, 2), lambda dice: not again.append(dice))

    assert 56 == len(seen)
    assert all(one is two for one, two in zip(seen, again, strict=True))
