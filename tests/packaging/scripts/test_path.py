"""Test that scripts/path finds the whole path of a typed line in this checkout."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.deadline import DEADLINE

ROOT = Path(__file__).resolve().parents[3]


def test_path_of_a_bid_leads_from_the_socket_through_the_rules_to_the_outbox():
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "path", "--list"],
        capture_output=True, text=True, timeout=DEADLINE, check=False, env=os.environ | {"PYTHONHASHSEED": "0"},
    )  # fmt: skip

    rows = re.findall(r"(?m)^(hello everybody|bob;hi|/bid 0) +(\d+) +(\d+) +(\d+)$", done.stdout)
    of_a_bid = done.stdout.rpartition("/bid 0:")[2]
    files = re.findall(r"(?m)^ +\d+ (\S+\.py)$", of_a_bid)

    assert ["hello everybody", "bob;hi", "/bid 0"] == [line for line, *_ in rows], done.stderr
    assert len(files) == int(rows[-1][3])
    assert {
        "lilygames/edge/connections/telnet.py",
        "rules/lilygames_rules/ohell.py",
        "lilygames/edge/wire/outbox.py",
    } <= {*files}
