"""Test that a script runs with any Python: it enters the environment that `scripts/setup` makes."""

import ast
import re
import shutil
import subprocess
import sys

import pytest

OTHERS = {"pictures", "shape"}
"""They need other environments: that of scripts/check, or two at once."""


def python_scripts(root):
    found = [*(root / "scripts").iterdir(), *(root / "lab").iterdir()]
    paths = [path for path in found if path.is_file()]
    return {path.name: path.read_text() for path in paths if path.read_text().startswith("#!/usr/bin/env python3")}


def imported(text):
    """Return the packages that a script imports first of all."""
    for one in ast.parse(text).body:
        match one:
            case ast.Import(names):
                yield from (name.name.partition(".")[0] for name in names)
            case ast.ImportFrom(module=str(module)):
                yield module.partition(".")[0]


def test_every_script_that_needs_packages_enters_their_environment(root):
    scripts = python_scripts(root)
    needs = {name for name, text in scripts.items() if not set(imported(text)) <= sys.stdlib_module_names}

    assert needs - OTHERS == {name for name, text in scripts.items() if "\nenvironment.enter(" in text}


def test_every_measurement_explains_itself(root):
    """`--help` prints the usage, and measures nothing."""
    names = re.compile(r"bench|solve|learn|read-|storm|capacity|.*response|anchor")

    assert [] == [name for name, text in python_scripts(root).items() if names.match(name) and "argparse" not in text]


@pytest.mark.parametrize("words", ["capacity cluster --nodes 0", "capacity --rounds few", "storm --nodes 0"])
def test_count_below_its_minimum_is_refused_in_one_sentence(root, words):
    name, *others = words.split()
    script = [sys.executable, root / "scripts" / name, *others]
    done = subprocess.run(script, check=False, capture_output=True, text=True)
    *_, last = done.stderr.splitlines()

    assert (2, "") == (done.returncode, done.stdout)
    assert re.fullmatch(rf"{name}: error: argument {others[-2]}: give a whole number from \d on, not '.*'\.", last)


@pytest.fixture
def checkout(root, tmp_path):
    """A checkout whose `scripts/setup` makes an environment at once, with a script that prints its arguments."""
    (tmp_path / "scripts/building").mkdir(parents=True)
    shutil.copy(root / "scripts/building/environment.py", tmp_path / "scripts/building")
    print_words = "import sys\nfrom building import environment\nenvironment.enter('oracles')\nprint(*sys.argv[1:])\n"
    (tmp_path / "scripts/tells").write_text(print_words)
    made = f"""#!/bin/sh
[ "$1" = oracles ] || exit 9
mkdir -p "{tmp_path}/.venv/bin" "{tmp_path}/has"
for one in aiohttp asyncpg numpy pyspiel structlog; do echo >"{tmp_path}/has/$one.py"; done
printf '#!/bin/sh\\nPYTHONPATH={tmp_path}/has exec {sys.executable} "$@"\\n' >"{tmp_path}/.venv/bin/python"
chmod +x "{tmp_path}/.venv/bin/python"
"""
    (tmp_path / "scripts/setup").write_text(made)
    (tmp_path / "scripts/setup").chmod(0o755)
    return tmp_path


def ran(checkout):
    command = [sys.executable, "-S", checkout / "scripts/tells", "a word", "--cpu", "3"]
    return subprocess.run(command, env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True, check=False)


def test_script_runs_again_where_its_packages_are(checkout):
    done = ran(checkout)

    assert (0, "a word --cpu 3\n") == (done.returncode, done.stdout), done.stderr


def test_script_ends_as_its_setup_does_if_that_fails(checkout):
    """The setup has said what to do, so no traceback follows."""
    (checkout / "scripts/setup").write_text("#!/bin/sh\necho 'install Python' >&2\nexit 2\n")
    done = ran(checkout)

    assert (2, "", "install Python\n") == (done.returncode, done.stdout, done.stderr)
