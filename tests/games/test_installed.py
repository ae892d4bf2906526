"""The games of a host are the folders that are there; one that cannot be used is named in the log and left out."""

import pytest
from structlog.testing import capture_logs

import lilygames.games
from lilygames.games import games, import_all


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return what puts one more folder beside our games, with this text in it."""

    def add(name, text):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(text, "utf-8")
        monkeypatch.setattr(lilygames.games, "__path__", [*lilygames.games.__path__, str(tmp_path)])

    return add


def test_folder_is_a_game(folder):
    """Nothing else names it."""
    folder("extra_high", "from tests.games.toy import GAME")

    assert "High throw" == games()["high"].title


@pytest.mark.parametrize("text", ["raise RuntimeError('not today')", "import no_such_module", "def (", "GAMES = ()"])
def test_built_in_game_that_fails_to_import_is_left_out(folder, text):
    before = [*games()]
    folder("extra_broken", text)
    with capture_logs() as logs:
        found = games()

    assert before == [*found]
    assert [("a game cannot be loaded and is left out", "extra_broken", "lilygames.games.extra_broken")] == [
        (entry["event"], entry["game"], entry["by"]) for entry in logs
    ]


def test_built_in_game_without_a_record_is_left_out(folder):
    before = [*games()]
    folder("extra_number", "GAME = 7")
    with capture_logs() as logs:
        found = games()

    assert before == [*found]
    assert ["extra_number"] == [entry["game"] for entry in logs]


def test_games_that_a_new_process_cannot_import_are_found_early(folder):
    """A running host would lose a game by a reload: it is asked first."""
    folder("extra_torn", "import no_such_module")

    with pytest.raises(ModuleNotFoundError):
        import_all()
