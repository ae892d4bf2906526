"""Test the storm script: a node that dies during play loses nothing that was acknowledged."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from lilygames import codec
from lilygames.server.settings.local_engines import Missing, program
from lilygames.store import Entry
from lilygames.tables.log.acts import Body, Paused, Resumed
from scripts.storming.players import Client, Made, appended_twice, lost, missing
from tests.deadline import DEADLINE

STORM = Path(__file__).resolve().parents[3] / "scripts" / "storm"


def test_nothing_acknowledged_is_lost_in_any_weather():
    """The database keeps the logs; hints only say where to look. Each kind of fault comes once."""
    try:
        program("nats-server", "nats-server")
        program("postgres", "postgresql", *Path("/usr/lib/postgresql").glob("*/bin"))
    except Missing as missing:
        pytest.skip(str(missing))
    command = [sys.executable, STORM, "--minutes", "0.5", "--people", "4", "--every", "4"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=5 * DEADLINE, check=False)

    assert (0, True) == (ran.returncode, " 0 promises broken" in ran.stdout), ran.stdout + ran.stderr


def test_unknown_weather_is_refused_before_anything_starts():
    command = [sys.executable, STORM, "--what", "kill,rain"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE, check=False)

    assert (2, True) == (ran.returncode, "there is no weather 'rain'; there are kill, freeze" in ran.stderr)


def test_table_view_is_not_compared_with_the_log():
    """Players who reconnect to a node are shown the whole table; later events are compared with its log."""
    client = Client("ann", "bob", None, None, [])
    client._note("[ohell] bob bids 0.\n[ohell] You sit here with bob.\n")
    client._note("[ohell] You hold 2H.\n[ohell] It is bob's turn.\n")
    client._note("[ohell] bob plays 2S.\n[ohell] torn")

    assert {"[ohell] bob bids 0.", "[ohell] bob plays 2S.", "[ohell] It is bob's turn."} == client.told


@pytest.mark.parametrize(
    ("row", "where"), [("[ohell-3] Over.", "only in the log of ohell"), ("[ohell] Go.", "in no log")]
)
def test_line_that_follows_from_no_log_is_looked_for_in_other_rooms(row, where):
    assert where == missing(row, {"[ohell] Over.", "[wizard] On."})


def test_move_that_was_saved_instead_of_the_acknowledged_one_is_detected():
    acknowledged = Counter({Made(1, "bid 2"): 2, Made(1, "pass"): 1, Made(2, "pass"): 1})
    saved = Counter({Made(1, "bid 2"): 1, Made(1, "bid 3"): 1, Made(1, "pass"): 3, Made(2, "pass"): 1})

    assert ["ann at 1: 2 acknowledged, 1 saved: bid 2"] == lost("ann", acknowledged, saved)
    assert [] == lost("ann", saved, saved)


def appended(seq, at, act, attempt):
    return Entry(seq, at, "ann", codec.to_text(Body(act, "")), attempt)


@pytest.mark.parametrize(
    ("twice", "second"),
    [
        (False, appended(2, 1.0, Resumed(), "a")),  # one attempt appends two acts
        (False, appended(2, 2.0, Paused(), "b")),
        (True, appended(2, 2.0, Resumed(), "a")),
        (True, appended(2, 1.0, Paused(), "a")),
    ],
)
def test_attempt_that_is_in_a_log_twice_is_detected(twice, second):
    assert twice == appended_twice([appended(1, 1.0, Paused(), "a"), second])
