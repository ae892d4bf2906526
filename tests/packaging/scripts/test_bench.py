"""Test that the benchmark counts correctly: a deliberately faulty server is detected."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.deadline import DEADLINE

BENCH = Path(__file__).resolve().parents[3] / "scripts" / "bench"


def ran(*words):
    command = [sys.executable, BENCH, "--only", "small", "--rounds", "1", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=5 * DEADLINE, check=False)


def test_run_prints_a_table_of_ratios():
    done = ran()

    assert 0 == done.returncode, done.stdout + done.stderr
    assert "p99 ms" in done.stdout


@pytest.mark.parametrize("fault", ["drops", "doubles"])
def test_run_fails_if_messages_are_lost_or_repeated(fault):
    done = ran("--server", fault)

    assert 1 == done.returncode
    assert done.stdout.startswith("this run doesn't count: ")
