"""The learned tables of Liar's Poker: the script always learns the same, and that is shipped."""

from __future__ import annotations

import json
from hashlib import sha256
from importlib.resources import files

import attrs
import pytest

from tests.house.small import small


def learned(players, hands=None, rounds=None, changes=None):
    """The result of the script, as it is stored."""
    (script,) = small(changes or {}, "lab/learn-liarspoker")
    asked = (hands, rounds) if hands else script.LEARNED[players]
    known = script.learn(players, *asked)
    return {name: script.thousandths(getattr(known, name)) for name in ("held", "bids", "doubts")}


def test_same_seed_learns_the_same():
    one, other = learned(2, 60, 2), learned(2, 60, 2)

    assert one == other
    assert one != learned(2, 60, 2, {"lab/learn-liarspoker": [("SEED = 1", "SEED = 2")]})


def test_interrupted_run_goes_on_to_the_same_tables(tmp_path):
    (script,) = small({}, "lab/learn-liarspoker")
    file = tmp_path / "state.json"
    script.learn(2, 60, 1, script.State(file))
    script.learn(3, 10, 1, script.State(file))

    for hands in (60, 50):
        whole, gone_on = script.learn(2, hands, 2), script.learn(2, hands, 2, script.State(file))

        assert attrs.asdict(whole) == attrs.asdict(gone_on)


def test_learner_still_meets_the_players_that_the_shipped_tables_come_from():
    """Otherwise the script no longer makes what is shipped. Learning all of it takes minutes."""
    assert "4cebc77ba65668b1" == sha256(json.dumps(learned(4, 40, 2)).encode()).hexdigest()[:16]


def test_shipped_file_is_written_as_the_script_writes_it():
    (script,) = small({}, "lab/learn-liarspoker")
    shipped = (files("lilygames.games.liarspoker") / "learned.json").read_text("utf-8")

    assert shipped == script.written(json.loads(shipped))


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_shipped_tables_are_what_the_script_learns(players):
    shipped = json.loads((files("lilygames.games.liarspoker") / "learned.json").read_bytes())

    assert {"2", "3", "4", "5"} == set(shipped)
    assert shipped[str(players)] == learned(players)
