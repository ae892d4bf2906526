"""A game of another package can say which version of `lilygames.API` it needs."""

import attrs
import pytest

from lilygames import API
from lilygames import games as installed
from tests.toys import ALL


class Entry:
    """An entry point of another package."""

    name, value = "tally", "elsewhere:GAME"

    def __init__(self, api):
        self._api = api

    def load(self):
        if self._api == "imports rules":
            raise ModuleNotFoundError("No module named 'rules.kit'", name="rules.kit")
        return attrs.evolve(ALL["tally"], api=self._api)


@pytest.mark.parametrize(("api", "loaded"), [(None, True), (API, True), (API + 1, False), (0, False)])
def test_game_is_left_out_if_it_needs_another_version(monkeypatch, capsys, api, loaded):
    monkeypatch.setattr(installed, "entry_points", lambda group: [Entry(api)])

    assert loaded == ("tally" in installed.games())
    assert loaded != ("needs another version of lilygames.API" in capsys.readouterr().out)


@pytest.mark.parametrize("api", [1, "imports rules"])
def test_author_of_a_game_for_api_1_is_told_what_to_do(monkeypatch, capsys, api):
    """A game that doesn't name its API is known by its import."""
    monkeypatch.setattr(installed, "entry_points", lambda group: [Entry(api)])

    assert "tally" not in installed.games()
    assert "run `lilygames new-game --convert FOLDER` on its package" in capsys.readouterr().out
