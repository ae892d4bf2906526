"""The learned tables of Liar's Poker: the script always learns the same, and that is shipped."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

from tests.house.small import small


def learned(players, hands=None, rounds=None, changes=None):
    """The result of the script, as it is stored."""
    (script,) = small(changes or {}, "scripts/learn-liarspoker")
    asked = (hands, rounds) if hands else script.LEARNED[players]
    known = script.learn(players, *asked)
    return {name: script.thousandths(getattr(known, name)) for name in ("held", "bids", "doubts")}


def test_same_seed_learns_the_same():
    one, other = learned(2, 60, 2), learned(2, 60, 2)

    assert one == other
    assert one != learned(2, 60, 2, {"scripts/learn-liarspoker": [("SEED = 1", "SEED = 2")]})


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_shipped_tables_are_what_the_script_learns(players):
    shipped = json.loads((files("lilygames.games.liarspoker") / "learned.json").read_bytes())

    assert {"2", "3", "4", "5"} == set(shipped)
    assert shipped[str(players)] == learned(players)
