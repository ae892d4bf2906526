"""Test the files for sysops: the systemd unit, the compose file, and pages that name existing things."""

import os
import re
import subprocess
from shutil import which

import click
import pytest
import yaml

from lilygames.help import pages
from lilygames.server.cli import COMMANDS
from lilygames.server.cli import commands as subcommands
from lilygames.server.config import FIELDS
from lilygames.text import WIDTH


@pytest.fixture
def unit(root):
    """The text of the unit."""
    return (root / "help/host/lilygames.service").read_text("utf-8")


@pytest.fixture
def compose(root):
    """The parsed compose file."""
    return yaml.safe_load((root / "help/host/compose.yaml").read_text("utf-8"))


def served(words):
    """Return the options in a `serve` command, as names of settings."""
    return {word[2:].partition("=")[0].replace("-", "_") for word in words if word.startswith("--")}


@pytest.mark.skipif(which("systemd-analyze") is None, reason="systemd-analyze is not installed here")
def test_unit_is_valid_for_systemd(unit, tmp_path):
    """`systemd-analyze verify`, with an existing program in place of lilygames."""
    file = tmp_path / "lilygames.service"
    file.write_text(unit.replace("/opt/lilygames/bin/lilygames", which("true")))
    verdict = subprocess.run(["systemd-analyze", "verify", file], capture_output=True, text=True, check=False)

    assert [] == [row for row in verdict.stderr.splitlines() if "lilygames" in row]


def test_every_block_of_the_unit_is_explained(unit):
    """Each block has a comment, and only related options."""
    blocks = re.split(r"\n(?=#)", unit.partition("[Service]")[2].partition("[Install]")[0])

    assert [] == [block for block in blocks[1:] if sum("=" in row for row in block.splitlines() if row[0:1] != "#") > 6]
    assert blocks[0].strip() == ""


def test_unit_restarts_the_server_unless_its_settings_are_wrong(unit):
    """Restarting in a loop would only hide the message about the settings."""
    assert {"Restart=on-failure", f"RestartPreventExitStatus={os.EX_CONFIG}"} <= {*unit.splitlines()}


@pytest.mark.parametrize("line", ["ExecStart", "ExecReload"])
def test_unit_uses_existing_commands_and_options(unit, line):
    """According to the current command line."""
    _, command, *words = re.search(rf"^{line}=(.+)$", unit, re.MULTILINE)[1].split()
    known = {
        option.name for option in subcommands.get_command(None, command).params if isinstance(option, click.Option)
    }

    assert served(words) <= known


def test_compose_file_has_two_nodes_that_differ_only_in_their_ports(compose):
    one, other = (compose["services"][name] for name in ("node1", "node2"))

    assert one.pop("ports") != other.pop("ports")
    assert one == other
    assert {"node1", "node2", "database", "bus"} == set(compose["services"])


def test_compose_file_uses_existing_settings(compose):
    command, *words = compose["services"]["node1"]["command"]

    assert "serve" == command
    assert {"store", "bus", "metrics_port"} <= served(words) <= set(FIELDS)


def test_operations_page_names_all_metrics(root):
    """The page names exactly the metrics that exist."""
    told = (root / "help/host/operations.md").read_text("utf-8")
    figures = re.findall(r'Figure\(\s*"([a-z_]+)"', (root / "lilygames/server/serving.py").read_text("utf-8"))

    assert set(figures) == set(re.findall(r"lilygames_([a-z_]+)", told))


@pytest.mark.parametrize("page", ["operations.md", "capacity.md"])
def test_page_names_only_existing_files_and_commands(root, page):
    told = (root / "help/host" / page).read_text("utf-8")

    assert set(re.findall(r"`lilygames ([a-z-]+)", told)) <= set(COMMANDS)
    assert [] == [name for name in re.findall(r"`(scripts/[\w-]+)", told) if not (root / name).exists()]
    assert [] == [name for name in re.findall(r"\]\((\w+\.md)\)", told) if not (root / "help/host" / name).exists()]


def test_page_about_nodes_is_found():
    """`/help host nodes`."""
    assert "host-nodes" == pages().find("host nodes")
    assert all(len(row) <= WIDTH for row in pages().rows["host-nodes"])
