"""Test the fuzzer: a server under attack logs no exception, and planted faults are found."""

import subprocess
import sys
from pathlib import Path

import pytest

from scripts.fuzzing.verdict import Bounds, Message, Pair, complaints
from tests.deadline import DEADLINE

FUZZ = Path(__file__).resolve().parents[3] / "scripts" / "fuzz"
UNJUDGED = ["--ratio", "inf", "--memory", "inf"]
"""For a busy machine: judge only errors in the log and an unclean exit."""

linux = pytest.mark.skipif(sys.platform != "linux", reason="attackers have addresses of their own, 127.x.x.x")


def fuzz(*options, seconds=2.0, pairs=1):
    """Run the fuzzer to its end, and return it."""
    size = ["--pairs", str(pairs), "--seconds", str(seconds), "--attackers", "8"]
    return subprocess.run(
        [sys.executable, FUZZ, *size, *options],
        capture_output=True,
        text=True,
        timeout=3 * pairs * seconds + 8 * DEADLINE,
        check=False,
    )


@linux
@pytest.mark.parametrize(("seconds", "pairs"), [(2, 1), pytest.param(20, 3, marks=pytest.mark.slow)])
def test_live_server_survives_attacks(seconds, pairs):
    """Exit code 0: the server stopped cleanly, its log has no errors, and no message was lost."""
    ran = fuzz(*UNJUDGED, seconds=seconds, pairs=pairs)

    assert (0, True) == (ran.returncode, "nothing broke" in ran.stdout), ran.stdout + ran.stderr[-2000:]


@linux
def test_planted_block_of_the_event_loop_is_found():
    """A third of a second per connection: no machine is so busy that people at the decoy wait as long."""
    ran = fuzz("--plant", "block:0.3", "--memory", "inf")

    assert (1, True) == (ran.returncode, "as long at p99 as beside the decoy" in ran.stdout), ran.stdout + ran.stderr


@linux
def test_planted_memory_leak_is_found():
    """8 MiB per connection: a password that was hashed before the second storm gave back 64 MiB after it."""
    ran = fuzz("--plant", "leak:8", "--ratio", "inf", "--let-go", "5")

    assert (1, True) == (ran.returncode, "memory isn't freed" in ran.stdout), ran.stdout + ran.stderr


def pair(during, beside):
    """Return a pair of runs in which a hundred messages each took so many milliseconds."""
    return Pair([Message(during / 1e3)] * 100, [Message(beside / 1e3)] * 100)


class TestVerdict:
    """Tests of the limits for figures."""

    bounds = Bounds(ratio=2, memory=16)

    def test_figures_within_the_limits_pass(self):
        assert [] == complaints([pair(8, 4)], [90, 140, 90, 140, 106], self.bounds)

    def test_memory_that_the_first_half_of_the_storms_filled_passes(self):
        assert [] == complaints([pair(4, 4)], [90, 120, 126, 125, 126], self.bounds)

    def test_run_fails_if_the_median_ratio_is_too_high(self):
        [complaint] = complaints([pair(9, 4), pair(4, 4), pair(99, 4)], [90, 90], self.bounds)

        assert "calm people wait 2.25 times as long at p99 as beside the decoy; the limit is 2" == complaint

    def test_run_passes_with_one_bad_pair(self):
        assert [] == complaints([pair(4, 4), pair(4, 4), pair(99, 4)], [90, 90], self.bounds)

    def test_run_fails_if_one_message_in_fifty_is_slow(self):
        during = [Message(0.004)] * 98 + [Message(0.05)] * 2

        assert complaints([Pair(during, [Message(0.004)] * 100)], [90, 90], self.bounds)

    def test_run_fails_if_nobody_can_talk(self):
        assert complaints([Pair([], [Message(0.004)])], [90, 90], self.bounds)

    def test_only_memory_kept_at_the_end_counts(self):
        [complaint] = complaints([pair(4, 4)], [90, 300, 90, 300, 107], self.bounds)

        assert "memory isn't freed: 17 MiB are kept; the limit is 16" == complaint
