"""Test the checkout: scripts run, versions are pinned, and pages name existing commands."""

import itertools
import os
import re
import shutil
import subprocess
import tomllib

import pytest
from packaging.requirements import Requirement

from lilygames.help import pages
from lilygames.server.shell.cli import COMMANDS

SLASHED = re.compile(r"(?<![\w./])/([a-z]+)\b(?!/)")
DECLARED = re.compile(r'^@command\("([a-z]+)"', re.MULTILINE)
VERBS = ("has", "shows", "says")
NOT_YET = re.compile(r"^Not here yet.*?(?=\n\n|\Z)", re.MULTILINE | re.DOTALL)


def scripts(root):
    found = [*(root / "scripts").iterdir(), *(root / "lab").iterdir(), root / ".ci/run"]
    return [path for path in found if path.is_file() and path.suffix != ".md"]


def test_every_script_is_executable(root):
    for path in scripts(root):
        first = path.read_text().partition("\n")[0]

        assert first in ("#!/bin/sh", "#!/usr/bin/env bash", "#!/usr/bin/env python3"), path
        assert os.access(path, os.X_OK), path


def test_every_shell_script_is_valid_sh(root):
    for path in scripts(root):
        if path.read_text().startswith("#!/bin/sh"):
            assert 0 == subprocess.run(["sh", "-n", path], check=False).returncode, path


def test_missing_python_is_reported_with_what_to_install(root, tmp_path):
    for name in ("scripts/setup", "scripts/serve", "pyproject.toml", "constraints.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(root / name, tmp_path / name)
    done = subprocess.run(
        [tmp_path / "scripts/serve"], env={**os.environ, "PYTHON": "false"}, capture_output=True, text=True, check=False
    )

    assert 2 == done.returncode
    assert done.stderr.startswith("lilygames needs Python 3.11 or newer with venv: install it")
    assert 1 == done.stderr.count("\n")


def test_every_dependency_is_pinned(root):
    project = tomllib.loads((root / "pyproject.toml").read_text())
    groups = project["project"]["optional-dependencies"] | project["dependency-groups"]
    asked = [*project["project"]["dependencies"], *itertools.chain(*groups.values())]
    rows = [row for row in (root / "constraints.txt").read_text().splitlines() if not row.startswith("#")]
    pins = {folded(Requirement(row).name): Requirement(row) for row in rows}

    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", row) for row in rows)
    for requirement in (one for one in map(Requirement, asked) if one.name != "lilygames"):
        (pin,) = pins[folded(requirement.name)].specifier
        assert requirement.specifier.contains(pin.version), requirement


def folded(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def test_readme_names_only_existing_scripts_folders_and_commands(root, commands):
    text = (root / "README.md").read_text()

    named = re.findall(r"`((?:[a-z]+/)+[\w.-]*)`|(?m:^(scripts/[\w-]+))", text)
    assert named
    for path in filter(None, (a or b for a, b in named)):
        assert (root / path).exists(), path
    assert set(re.findall(r"\blilygames ([a-z-]+)\b(?= |`)", text)) & set(COMMANDS)
    assert set(SLASHED.findall(re.sub(r"--\S+ \S+", "", text))) <= commands


def declared_on_pages():
    """Return the commands of the example game on the maker pages."""
    return {name for rows in pages().rows.values() for name in DECLARED.findall("\n".join(rows))}


@pytest.mark.parametrize("name", sorted(pages().rows))
def test_page_names_only_existing_commands(name, commands):
    """Planned commands appear only under "Not here yet"."""
    told = NOT_YET.sub("", "\n".join(pages().rows[name]))
    told = re.sub(r'"complete": "[^"]*"', "", told)  # what is half typed

    slashed = set(SLASHED.findall(told))
    assert slashed - commands - declared_on_pages() - {begun for begun in slashed if len(begun) == 1} == set()


@pytest.mark.parametrize("name", [name for name in sorted(pages().rows) if not name.startswith("maker-")])
def test_pages_name_only_existing_pages(name, commands):
    """`/help seal` is a page; `/help commands`, `/help search` and `/help bid`, a command, are answered without one."""
    named = set(re.findall(r"/help ([a-z]+)\b", "\n".join(pages().rows[name])))
    named -= {"commands", "search", *VERBS} | commands

    assert all(pages().find(word) for word in named)


@pytest.mark.parametrize("words", [[], ["everything"]])
def test_setup_prints_its_usage(root, words):
    """It prints its usage."""
    done = subprocess.run(["sh", root / "scripts/setup", *words], capture_output=True, text=True, check=False)

    assert (2, "Usage:") == (done.returncode, done.stderr.split()[0])
