"""A server finds its games as folders; an unusable one is named in the log and left out."""

import pytest
from structlog.testing import capture_logs

import lilygames.games
from lilygames.games import games, import_all


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a function that adds a folder with this text to our games."""

    def add(name, text):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(text, "utf-8")
        monkeypatch.setattr(lilygames.games, "__path__", [*lilygames.games.__path__, str(tmp_path)])

    return add


def test_folder_is_a_game(folder):
    """It isn't listed anywhere else."""
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
    """A reload would lose the game of a running server, so it is checked first."""
    folder("extra_torn", "import no_such_module")

    with pytest.raises(ModuleNotFoundError):
        import_all()
