"""What lies ready for whoever runs a place: the unit, the compose file, and pages that name what is there."""

import os
import re
import subprocess
from shutil import which

import click
import pytest
import yaml

from lilygames.help import pages
from lilygames.server.cli import commands as subcommands
from lilygames.server.config import FIELDS
from lilygames.text import WIDTH


@pytest.fixture
def unit(root):
    """The unit's text."""
    return (root / "help/host/lilygames.service").read_text("utf-8")


@pytest.fixture
def compose(root):
    """What the compose file says."""
    return yaml.safe_load((root / "help/host/compose.yaml").read_text("utf-8"))


def served(words):
    """Return the options of `serve` in a command, each with the dashes of the command line turned to a setting's."""
    return {word[2:].partition("=")[0].replace("-", "_") for word in words if word.startswith("--")}


@pytest.mark.skipif(which("systemd-analyze") is None, reason="systemd-analyze is not installed here")
def test_systemd_has_nothing_to_say_against_the_unit(unit, tmp_path):
    """`systemd-analyze verify`, with a program that is there in place of the installed one."""
    file = tmp_path / "lilygames.service"
    file.write_text(unit.replace("/opt/lilygames/bin/lilygames", which("true")))
    verdict = subprocess.run(["systemd-analyze", "verify", file], capture_output=True, text=True, check=False)

    assert [] == [row for row in verdict.stderr.splitlines() if "lilygames" in row]


def test_every_block_of_options_of_the_unit_is_explained(unit):
    """A comment stands over each block; only what belongs together stands under one."""
    blocks = re.split(r"\n(?=#)", unit.partition("[Service]")[2].partition("[Install]")[0])

    assert [] == [block for block in blocks[1:] if sum("=" in row for row in block.splitlines() if row[0:1] != "#") > 6]
    assert blocks[0].strip() == ""


def test_the_unit_starts_a_server_again_unless_its_settings_are_wrong(unit):
    """A loop of starts would only hide the sentence that says what is wrong."""
    assert {"Restart=on-failure", f"RestartPreventExitStatus={os.EX_CONFIG}"} <= {*unit.splitlines()}


@pytest.mark.parametrize("line", ["ExecStart", "ExecReload"])
def test_the_unit_runs_commands_with_options_that_are_there(unit, line):
    """With the command line as it is now."""
    _, command, *words = re.search(rf"^{line}=(.+)$", unit, re.MULTILINE)[1].split()
    known = {option.name for option in subcommands.commands[command].params if isinstance(option, click.Option)}

    assert served(words) <= known


def test_the_compose_file_has_two_nodes_that_differ_in_their_ports_alone(compose):
    one, other = (compose["services"][name] for name in ("node1", "node2"))

    assert one.pop("ports") != other.pop("ports")
    assert one == other
    assert {"node1", "node2", "database", "bus"} == set(compose["services"])


def test_the_nodes_of_the_compose_file_are_started_with_settings_that_are_there(compose):
    command, *words = compose["services"]["node1"]["command"]

    assert "serve" == command
    assert {"store", "bus", "metrics_port"} <= served(words) <= set(FIELDS)


def test_every_figure_that_the_pages_name_is_measured(root):
    """A page of operations names no figure that no instrument shows, and none of ours is left out."""
    told = (root / "help/host/operations.md").read_text("utf-8")
    figures = re.findall(r'Figure\(\s*"([a-z_]+)"', (root / "lilygames/server/serving.py").read_text("utf-8"))

    assert set(figures) == set(re.findall(r"lilygames_([a-z_]+)", told))


@pytest.mark.parametrize("page", ["operations.md", "capacity.md"])
def test_a_page_names_only_files_and_commands_that_are_there(root, page):
    told = (root / "help/host" / page).read_text("utf-8")

    assert set(re.findall(r"`lilygames ([a-z-]+)", told)) <= set(subcommands.commands)
    assert [] == [name for name in re.findall(r"`(scripts/[\w-]+)", told) if not (root / name).exists()]
    assert [] == [name for name in re.findall(r"\]\((\w+\.md)\)", told) if not (root / "help/host" / name).exists()]


def test_the_page_of_nodes_is_found():
    """`/help host nodes`."""
    assert "host-nodes" == pages().find("host nodes")
    assert all(len(row) <= WIDTH for row in pages().rows["host-nodes"])
