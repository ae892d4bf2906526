"""The command line, in the process of the tests."""

from importlib.metadata import entry_points

import pytest


@pytest.fixture
def lilygames(monkeypatch, capsys):
    """Return a function that runs `lilygames` in this process like its script, and gives its exit code and output."""
    (script,) = entry_points(group="console_scripts", name="lilygames")

    def run(*arguments):
        monkeypatch.setattr("sys.argv", ["lilygames", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            script.load()()
        return end.value.code, capsys.readouterr().out

    return run
