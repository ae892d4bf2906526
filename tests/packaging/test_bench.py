"""The benchmark is right about what it counts: a server made faulty on purpose is caught."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.deadline import DEADLINE

BENCH = Path(__file__).resolve().parents[2] / "scripts" / "bench"


def ran(*words):
    command = [sys.executable, BENCH, "--only", "small", "--rounds", "1", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=5 * DEADLINE, check=False)


def test_a_whole_run_is_a_table_of_ratios():
    done = ran()

    assert 0 == done.returncode, done.stdout + done.stderr
    assert "p99 ms" in done.stdout


@pytest.mark.parametrize("fault", ["drops", "doubles"])
def test_what_is_lost_or_doubled_makes_the_run_fail(fault):
    done = ran("--server", fault)

    assert 1 == done.returncode
    assert done.stdout.startswith("this run counts for nothing: ")
