"""Test that the benchmark of bots measures what it is asked for, and refuses the rest in a sentence."""

import asyncio
import json
import math
from random import Random

import pytest
import structlog
from click.testing import CliRunner

from lilygames.gametest import many_tables
from lilygames.gametest.bench_house import main
from lilygames.gametest.many_tables import Tables
from tests.deadline import DEADLINE


def test_each_level_is_measured_at_each_number_of_seats(tmp_path):
    file = tmp_path / "rows.json"
    asked = ["liedie", "--seats", "2", "--seats", "3", "--level", "novice", "--level", "bold-club", "--cpu", "0.01"]
    told = CliRunner().invoke(main, [*asked, "--json", str(file)])

    assert 0 == told.exit_code, told.output
    rows = [(row["level"], row["seats"]) for row in json.loads(file.read_text())]
    assert [("novice", 2), ("bold-club", 2), ("novice", 3), ("bold-club", 3)] == rows


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["whist"], "there is no game 'whist'"),
        (["ohell", "--level", "grandmaster"], "Ohell has no player 'grandmaster'; there are novice"),
        (["ohell", "--seats", "99"], "Ohell is for 2 to 12 players"),
        (["ohell", "lilypoker", "--option", "variant=holdem"], "Ohell has no option"),
    ],
)
def test_impossible_measurement_is_refused_in_a_sentence(asked, said):
    told = CliRunner().invoke(main, asked)

    assert 2 == told.exit_code
    assert said in " ".join(told.output.split())


def test_tables_of_one_server_play_while_people_talk():
    before = structlog.get_config()
    asked = ["liedie", "--seats", "2", "--level", "novice", "--cpu", "0.01"]
    many = ["--tables", "2", "--workers", "0", "--seconds", "0.3", "--rounds", "1", "--turns"]
    told = CliRunner().invoke(main, [*asked, *many])

    assert 0 == told.exit_code, told.output
    assert "2 tables with 2 seats" in told.output
    assert "turns of the event loop" in told.output
    assert before == structlog.get_config()  # other tests read the log


def test_machine_on_which_bots_never_come_to_rest_is_too_busy(monkeypatch):
    monkeypatch.setattr(many_tables, "_PATIENCE", 0.0)
    asked = ["liedie", "--seats", "2", "--level", "novice", "--cpu", "0.01", "--tables", "2", "--workers", "0"]
    told = CliRunner().invoke(main, asked)

    assert 1 == told.exit_code
    assert "the machine is too busy" in told.output


async def test_person_whose_game_is_over_opens_another_table(monkeypatch):
    """A game of Lie Die may be over before its bots have to think at all. Then nothing would be measured."""
    monkeypatch.setattr(many_tables, "_PERSON", (0.0, 0.0))
    monkeypatch.setattr(many_tables, "_PAUSE", 0.0)
    tables = Tables("liedie", (), "novice", seats=3, number=1, workers=0)
    stage = await tables.opened()

    async with asyncio.timeout(DEADLINE):
        plays = asyncio.create_task(many_tables._play(stage, tables, "player0", Random("1"), math.inf))
        while stage.tables.activity.ended.total() < 3:  # noqa: ASYNC110 - no event says so
            await asyncio.sleep(0)
        plays.cancel()

    assert stage.tables.activity.opened["liedie"] >= 3
