"""Test that the benchmark of bots measures what it is asked for, and refuses the rest in a sentence."""

import json

import pytest
import structlog
from click.testing import CliRunner

from lilygames.gametest.bench_house import main


def test_each_level_is_measured_at_each_number_of_seats(tmp_path):
    file = tmp_path / "rows.json"
    asked = ["liedie", "--seats", "2", "--seats", "3", "--level", "novice", "--level", "club@0.1", "--cpu", "0.01"]
    told = CliRunner().invoke(main, [*asked, "--json", str(file)])

    assert 0 == told.exit_code, told.output
    rows = [(row["level"], row["seats"]) for row in json.loads(file.read_text())]
    assert [("novice", 2), ("club@0.1", 2), ("novice", 3), ("club@0.1", 3)] == rows


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
