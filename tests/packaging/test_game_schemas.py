"""The schemas of views and events: written from the classes, current, and true of what is sent."""

import json
import random
from importlib.resources import files

import pytest

from lilygames import codec
from lilygames.games import games
from lilygames.tables.state.visible import all_seen
from lilygames.testing import play
from scripts.building.value_schemas import schemas
from tests.schemas import misfits

FILE = json.loads((files("lilygames.edge") / "games.schema.json").read_text("utf-8"))


def test_file_is_current():
    """If this fails, run scripts/schemas."""
    assert schemas(games()) == FILE


@pytest.mark.parametrize("name", games())
def test_views_and_events_fit_their_schema(name):
    game = games()[name]
    turns = play(game, game.rules.SEATS.start, seed=3)
    luck = random.Random(name)
    for turn in luck.sample(turns, min(30, len(turns))):
        seat = luck.choice([None, *range(game.rules.SEATS.start)])
        view = codec.dump(game.rules.view(turn.state, seat))
        seen = [codec.dump(event) for event in all_seen(turn.events, seat)]

        assert [] == [*misfits(view, FILE["$defs"][f"{name}.view"], root=FILE)]
        assert [] == [wrong for event in seen for wrong in misfits(event, FILE["$defs"][f"{name}.event"], root=FILE)]


@pytest.mark.parametrize("name", games())
def test_other_values_do_not_fit(name):
    for kind in ("view", "event"):
        assert [*misfits({"is": "Nothing"}, FILE["$defs"][f"{name}.{kind}"], root=FILE)]
