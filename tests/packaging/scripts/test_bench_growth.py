"""Test that the benchmark of growth builds a sound place, and measures a server on it."""

import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import pytest
from rich.console import Console

from lilygames.games import games
from lilygames.gametest.stage import Stage
from lilygames.store.memory import MemoryStore

SCRIPTS = Path(__file__).resolve().parents[3] / "scripts"


@pytest.fixture
def growth(monkeypatch):
    monkeypatch.syspath_prepend(str(SCRIPTS / "benching"))
    import growth  # noqa: PLC0415 - a module beside the script

    return growth


@pytest.fixture
def bench(growth, monkeypatch):
    """The script, with tiny places."""
    loader = SourceFileLoader("bench_growth", str(SCRIPTS / "bench-growth"))
    script = module_from_spec(spec_from_loader("bench_growth", loader))
    loader.exec_module(script)
    monkeypatch.setattr(script, "SMALL", growth.Size(accounts=20, games=3, lines=40, tables=1))
    monkeypatch.setattr(script, "SCALED", growth.Size(accounts=40, games=6, lines=80, tables=2))
    monkeypatch.setattr(script, "TIMES", 1)
    monkeypatch.setattr(script, "TYPED", 1)
    return script


async def test_finished_games_of_a_built_place_are_verified(growth):
    store = MemoryStore()
    await growth.build(store, growth.Size(accounts=20, games=3, lines=40, tables=1))
    stage = await Stage.open(games(), store=store)
    stage.enter("ann")

    for number in (1, 2, 3):
        assert (await stage.type("ann", f"/verify {number}"))[0].startswith("Match")
    assert [4] == [*stage.open_tables]


def test_script_prints_a_table_of_ratios_and_keeps_the_places(bench, monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(sys, "argv", ["bench-growth", "--rounds", "1", "--folder", str(tmp_path)])

    assert 0 == bench.main()
    shown = capsys.readouterr().out
    assert ["L", "S"] == sorted(path.parent.name for path in tmp_path.glob("*/lilygames.db"))
    for figure in ("start, s", "pause of a reload, s", "/standings liarsdice, CPU ms", "/seeks, turn", "login, CPU ms"):
        assert figure in shown


def test_large_place_is_kept_without_being_asked(bench, growth, monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(bench, "KEPT", tmp_path / "kept")
    monkeypatch.setattr(bench, "LARGE", growth.Size(accounts=40, games=6, lines=80, tables=2))
    monkeypatch.setattr(bench, "compared", measured_as_nothing)
    for argv in (["--large"], []):
        monkeypatch.setattr(sys, "argv", ["bench-growth", *argv])
        assert 0 == bench.main()

    assert ["L", "S"] == sorted(path.parent.name for path in tmp_path.glob("kept/*/lilygames.db"))
    assert "L/S" in capsys.readouterr().out


async def measured_as_nothing(*_):
    return {"S": {}, "L": {}}


def test_no_ratio_is_shown_for_what_costs_the_small_place_next_to_nothing(bench, capsys):
    bench.show({"S": {"a": [0.01], "b": [2.0]}, "L": {"a": [0.13], "b": [3.0]}}, Console(width=80))

    shown = [row.split() for row in capsys.readouterr().out.splitlines()]
    assert [["a", "0.01", "0.13", "-"], ["b", "2.00", "3.00", "1.50"]] == shown[1:]
