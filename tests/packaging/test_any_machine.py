"""Test that no test depends on time: the suite passes on a slow or busy machine."""

import ast
from pathlib import Path

from hypothesis import settings

TESTS = Path(__file__).resolve().parents[1]
SHORT = 1
"""Seconds. A test may wait less for something that must not happen; what must happen gets `DEADLINE`."""


def hurries(source):
    """Return the lines that give a required event a timeout of their own."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    limits = [(call.lineno, limit) for call in calls for limit in _limits(call)]
    return [line for line, limit in limits if isinstance(limit, ast.Constant) and (limit.value or 0) >= SHORT]


def _limits(call):
    """Return the seconds that a call allows: of asyncio.timeout, asyncio.wait_for or subprocess.run."""
    match ast.unparse(call.func):
        case "asyncio.timeout":
            return call.args[:1]
        case "asyncio.wait_for":
            return call.args[1:2]
        case "subprocess.run":
            return [word.value for word in call.keywords if word.arg == "timeout"]
    return []


def test_no_example_has_a_time_limit():
    set_by = [file.name for file in TESTS.rglob("*.py") if "deadline=" in file.read_text("utf-8")]

    assert settings.default.deadline is None
    assert ["conftest.py", "test_any_machine.py"] == sorted(set_by)


def test_required_events_have_the_common_deadline():
    files = [file for file in TESTS.rglob("*.py") if file.name != "simulated.py"]  # which has a time of its own
    found = {str(file.relative_to(TESTS)): hurries(file.read_text("utf-8")) for file in files}

    hurried = {file: lines for file, lines in found.items() if lines}
    assert {} == hurried, "wait with tests.deadline.DEADLINE instead"


def test_short_timeout_would_be_found():
    assert [1, 2, 3] == hurries(
        "asyncio.timeout(5)\nasyncio.wait_for(job, 20)\nsubprocess.run(command, timeout=60)\n"
        "asyncio.timeout(DEADLINE)\nasyncio.wait_for(never, 0.3)\n"
    )
