"""A small simulated tournament over sockets, in which a server is killed in the middle."""

import subprocess
import sys
from pathlib import Path

import pytest

from lilygames.server.settings.local_engines import Missing, program
from tests.deadline import DEADLINE

SCRIPT = Path(__file__).resolve().parents[3] / "scripts" / "simulate-tournament"


@pytest.mark.parametrize("nodes", [1, 3])
def test_nothing_of_a_tournament_is_lost_if_a_server_dies(nodes):
    """The logs say so, and the check finds faults that are planted in them."""
    try:
        if nodes > 1:
            program("nats-server", "nats-server")
            program("postgres", "postgresql", *Path("/usr/lib/postgresql").glob("*/bin"))
    except Missing as missing:
        pytest.skip(str(missing))
    small = ["--people", "8", "--rounds", "3", "--drops", "0.25", "--no-show", "30"]
    command = [sys.executable, SCRIPT, *small, "--nodes", str(nodes)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=6 * DEADLINE, check=False)

    assert (0, True) == (ran.returncode, ", 0 stuck" in ran.stdout), ran.stdout + ran.stderr
