"""The fuzz in short: a live port under attack writes no exception to its log, and faults planted in it are found."""

import subprocess
import sys
from pathlib import Path

import pytest

from scripts.fuzzing.verdict import Bounds, Message, Pair, complaints
from tests.deadline import DEADLINE

FUZZ = Path(__file__).resolve().parents[2] / "scripts" / "fuzz"
UNJUDGED = ["--ratio", "inf", "--memory", "inf"]
"""For a machine that others keep busy: only harm in the log and an exit in disorder are judged."""

linux = pytest.mark.skipif(sys.platform != "linux", reason="attackers have addresses of their own, 127.x.x.x")


def fuzz(*options, seconds=2.0, pairs=1):
    """Return the fuzz when it has run to its end."""
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
def test_a_live_port_stands_attacks(seconds, pairs):
    """Exit code 0 says that the server ended in order, that its log has no harm, and that no message was lost."""
    ran = fuzz(*UNJUDGED, seconds=seconds, pairs=pairs)

    assert (0, True) == (ran.returncode, "nothing broke" in ran.stdout), ran.stdout + ran.stderr[-2000:]


@linux
def test_a_planted_block_of_the_event_loop_is_found():
    """A third of a second for each connection: no machine is so busy that the calm wait as long beside the decoy."""
    ran = fuzz("--plant", "block:0.3", "--memory", "inf")

    assert (1, True) == (ran.returncode, "as long at p99 as beside the decoy" in ran.stdout), ran.stdout + ran.stderr


@linux
def test_planted_memory_that_does_not_come_back_is_found():
    ran = fuzz("--plant", "leak:4", "--ratio", "inf")

    assert (1, True) == (ran.returncode, "memory does not come back" in ran.stdout), ran.stdout + ran.stderr


def pair(during, beside):
    """Return a pair of storms in which a message took so many milliseconds, a hundred times."""
    return Pair([Message(during / 1e3)] * 100, [Message(beside / 1e3)] * 100)


class TestVerdict:
    """What is out of bounds, by the figures."""

    bounds = Bounds(ratio=2, memory=16)

    def test_nothing_is_said_of_figures_within_bounds(self):
        assert [] == complaints([pair(8, 4)], [90, 140, 106], self.bounds)

    def test_the_calm_wait_too_long_where_the_median_of_the_ratios_is_too_high(self):
        [complaint] = complaints([pair(9, 4), pair(4, 4), pair(99, 4)], [90, 90], self.bounds)

        assert "the calm wait 2.25 times as long at p99 as beside the decoy; 2 is allowed" == complaint

    def test_one_bad_pair_among_good_ones_is_an_accident(self):
        assert [] == complaints([pair(4, 4), pair(4, 4), pair(99, 4)], [90, 90], self.bounds)

    def test_one_message_in_fifty_that_waits_long_counts(self):
        during = [Message(0.004)] * 98 + [Message(0.05)] * 2

        assert complaints([Pair(during, [Message(0.004)] * 100)], [90, 90], self.bounds)

    def test_a_storm_in_which_nobody_can_say_anything_is_out_of_bounds(self):
        assert complaints([Pair([], [Message(0.004)])], [90, 90], self.bounds)

    def test_memory_is_what_is_kept_in_the_end_and_not_what_is_used_meanwhile(self):
        [complaint] = complaints([pair(4, 4)], [90, 300, 107], self.bounds)

        assert "memory does not come back: 17 MiB are kept; 16 are allowed" == complaint
