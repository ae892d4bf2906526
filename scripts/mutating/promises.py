"""Plant faults in what we promise, one at a time, and run the tests that guard it. `faults.py` lists them.

A fault names a function and a text in it, so it still applies after the code has moved. The checkout is only read: all
this happens in a temporary copy.
"""

from __future__ import annotations

import ast
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from scripts.mutating.faults import FAULTS, Fault

ROOT = Path(__file__).resolve().parents[2]
PLANTED_IN = ("lilygames", "rules")
COPIED = ("lilygames", "rules", "help", "lab", "scripts", "tests", "pyproject.toml", "README.md")
SECONDS = 60
"""Processor time for the tests of a fault."""
HANGS = 3
"""How many times longer the clock may take before the tests count as hanging."""
SHOWN = 600
"""Characters of pytest's output that are shown of tests that couldn't be run."""
TENTHS = 10
NICE = 10
_TESTS = ("-x", "-q", "--tb=line", "-p", "no:cacheprovider", "-p", "no:randomly")
_UNWANTED = ("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "PYTHONDONTWRITEBYTECODE")
"""Variables that the tests don't get from whoever runs this."""
_FAILED = 1
"""The exit status of pytest after a test has failed. Any other is an error in how it was asked."""
_NOT_RUN = -1


class Function(NamedTuple):
    """A function of the program: its file, and where it begins and ends in it."""

    file: Path
    start: int
    end: int


class DoesNotApply(Exception):
    """A fault's text isn't in its function any more. The message says so."""


def functions(root: Path) -> dict[str, list[Function]]:
    """Return all functions by name, with the names of their classes before it: `Sanctions.check_voice`."""
    found: dict[str, list[Function]] = {}
    for file in (root / "scripts/verify-game", *chain(*(sorted((root / one).rglob("*.py")) for one in PLANTED_IN))):
        text = file.read_text("utf-8")
        rows = [0]
        for row in text.splitlines(keepends=True):
            rows.append(rows[-1] + len(row))
        for name, node in _named(ast.parse(text), ""):
            start = rows[min([node.lineno, *(one.lineno for one in node.decorator_list)]) - 1]
            found.setdefault(name, []).append(Function(file, start, rows[node.end_lineno or node.lineno]))
    return found


def _named(node: ast.AST, before: str) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield f"{before}{name}", child
            case ast.ClassDef(name=name):
                yield from _named(child, f"{before}{name}.")
            case ast.If() | ast.Try():
                yield from _named(child, before)


def planted(fault: Fault, known: dict[str, list[Function]]) -> tuple[Path, str]:
    """Return the file with a fault, and its text with the fault in it. Raises `DoesNotApply`."""
    places = []
    for one in known.get(fault.function, ()):
        text = one.file.read_text("utf-8")
        body = text[one.start : one.end]
        if body.count(fault.text) == 1:
            places.append((one.file, text[: one.start] + body.replace(fault.text, fault.instead) + text[one.end :]))
    if len(places) != 1:
        why = "no function" if fault.function not in known else f"{len(places)} functions"
        raise DoesNotApply(f"{fault.function}: {why} with this text once: {fault.text}")
    try:
        ast.parse(places[0][1])
    except SyntaxError as no:
        raise DoesNotApply(f"{fault.function}: the fault is no Python: {no}") from None
    return places[0]


def chosen(tenth: str | None, words: Sequence[str]) -> list[Fault]:
    """Return the faults whose promise has one of the words, or all; of these a tenth, if one is asked for."""
    faults = [fault for fault in FAULTS if not words or any(word in fault.promise for word in words)]
    if tenth is None:
        return faults
    own = tenth_of_the_commit() if tenth == "commit" else int(tenth)
    return [fault for place, fault in enumerate(faults) if place % TENTHS == own]


def tenth_of_the_commit() -> int:
    """Return which tenth is the turn of this commit; 0 without a history."""
    asked = ["git", "-C", ROOT, "rev-parse", "--verify", "--quiet", "HEAD"]
    commit = subprocess.run(asked, capture_output=True, text=True, check=False)  # noqa: S603 - ours
    return int(commit.stdout.strip() or "0", 16) % TENTHS


class Copy:
    """A copy of the checkout, in which faults are planted and tests run."""

    def __init__(self, place: Path) -> None:
        self.place = place
        for name in COPIED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, place / name, ignore=shutil.ignore_patterns("__pycache__"))
            elif source.exists():
                shutil.copy(source, place / name)

    def test_unchanged(self, tests: Sequence[str], seconds: int) -> tuple[int, str]:
        """Run tests without a fault. This leaves bytecode, or else every later run would compile everything."""
        return self._tested(tests, seconds, {})

    def test(self, tests: Sequence[str]) -> tuple[int, str]:
        """Run tests until one fails; return pytest's exit status and what it printed."""
        return self._tested(tests, SECONDS, {"PYTHONDONTWRITEBYTECODE": "1"})

    def _tested(self, tests: Sequence[str], seconds: int, more: Mapping[str, str]) -> tuple[int, str]:
        kept = {name: text for name, text in os.environ.items() if name not in _UNWANTED}
        environment = {**kept, **more, "PYTHONPATH": f"{self.place}:{self.place}/rules", "CI": "1"}
        try:
            done = subprocess.run(  # noqa: S603 - our own tests
                [sys.executable, "-m", "pytest", *_TESTS, *tests],
                cwd=self.place,
                env=environment,
                capture_output=True,
                text=True,
                timeout=HANGS * seconds,
                check=False,
                preexec_fn=lambda: _restrict(seconds),
            )
        except subprocess.TimeoutExpired:
            return _NOT_RUN, f"the tests hang: {HANGS * seconds} s"
        return done.returncode, f"{done.stderr}{done.stdout}".strip()


def _restrict(seconds: int) -> None:
    os.nice(NICE)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))


def is_caught(copy: Copy, fault: Fault, known: dict[str, list[Function]]) -> bool:
    """Plant a fault, run its tests, and print what became of it; return whether a test failed."""
    began = used()
    status, said = tried(copy, fault, known)
    failed = [row.partition(" - ")[0] for row in said.splitlines() if row.startswith("FAILED")]
    told = {
        _FAILED: f"caught    {fault.promise}: {' '.join(failed)}",
        0: f"SURVIVED  {fault.promise}: {fault.function}, {fault.text!r}",
    }
    print(
        f"{used() - began:3.0f} s  {told.get(status) or f'NOT RUN   {fault.promise}: exit {status}: {said[-SHOWN:]}'}",
        flush=True,
    )
    return status == _FAILED


def used() -> float:
    """Return the processor time of the tests so far, in seconds."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def tried(copy: Copy, fault: Fault, known: dict[str, list[Function]]) -> tuple[int, str]:
    """Plant a fault and run its tests; return pytest's exit status and what it printed, or why it wasn't planted."""
    try:
        file, text = planted(fault, known)
    except DoesNotApply as no:
        return _NOT_RUN, f"it doesn't apply any more: {no}"
    before, at = file.read_text("utf-8"), file.stat().st_mtime
    write(file, text, at + 2)  # another second than that of the bytecode
    try:
        return copy.test(fault.tests)
    finally:
        write(file, before, at)


def write(file: Path, text: str, at: float) -> None:
    """Write a file as if it had been written at a time: Python compares that with its bytecode."""
    file.write_text(text, "utf-8")
    os.utime(file, (at, at))


def checked(faults: Sequence[Fault]) -> int:
    """Try faults, print what became of each, and return the exit status: 1 if not all of them were caught."""
    with tempfile.TemporaryDirectory(prefix="promises-") as place:
        copy = Copy(Path(place))
        known = functions(copy.place)
        tests = [*dict.fromkeys(test for fault in faults for test in fault.tests)]
        status, said = copy.test_unchanged(tests, SECONDS * max(1, len(faults)))
        if status:
            print(f"some tests fail without a fault:\n{said[-SHOWN:]}")
            return 2
        missed = [fault for fault in faults if not is_caught(copy, fault, known)]
    for fault in missed:
        print(f"not caught: {fault.promise}")
    print(f"{len(faults)} faults, {len(faults) - len(missed)} of them caught")
    return 1 if missed else 0
