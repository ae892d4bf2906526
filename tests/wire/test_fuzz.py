"""The fuzz in short: a live port under attack writes no exception to its log, and goes on serving."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.deadline import DEADLINE

FUZZ = Path(__file__).resolve().parents[2] / "scripts" / "fuzz"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="attackers have addresses of their own, 127.x.x.x")


@pytest.mark.parametrize("minutes", [0.05, pytest.param(2, marks=pytest.mark.slow)])
def test_a_live_port_stands_attacks(minutes):
    """Exit code 0 says that the server ended in order, that its log has no harm, and that no message was lost."""
    ran = subprocess.run(
        [sys.executable, FUZZ, "--minutes", str(minutes), "--beside", "0", "--calm", "1", "--attackers", "8"],
        capture_output=True,
        text=True,
        timeout=minutes * 60 + 5 * DEADLINE,
        check=False,
    )

    assert (0, True) == (ran.returncode, "0 times harm in the log" in ran.stdout), ran.stdout + ran.stderr[-2000:]
