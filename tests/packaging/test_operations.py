"""Test the files for sysops: the systemd unit, the compose file, and pages that name existing things."""

import os
import re
import subprocess
from shutil import which

import click
import pytest
import yaml

from lilygames.help import pages
from lilygames.log_events import EVENTS
from lilygames.server.settings.config import FIELDS
from lilygames.server.shell.cli import COMMANDS
from lilygames.server.shell.cli import commands as subcommands
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


def test_unit_lets_threads_and_bots_lower_their_priority(unit):
    """The calls are on the list @resources, which a line before denies."""
    denied, allowed = (
        unit.index(f"SystemCallFilter={what}")
        for what in ("~@privileged @resources", "setpriority sched_setattr sched_setaffinity")
    )

    assert denied < allowed


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


def variables():
    """Return the names of all environment variables that are settings, or files with a secret."""
    secrets = {f"{field.variable}_FILE" for field in FIELDS.values() if field.about.secret}
    return {field.variable for field in FIELDS.values()} | secrets


def test_compose_file_uses_existing_settings(compose):
    given = set(compose["services"]["node1"]["environment"])

    assert {"LILYGAMES_STORE_FILE", "LILYGAMES_BUS"} <= given <= variables()


def test_compose_file_has_no_password_in_arguments_or_variables(compose):
    """Others can read both, with `ps` and `docker inspect`. They are files instead."""
    services = compose["services"].values()
    given = {name: value for service in services for name, value in service.get("environment", {}).items()}

    assert [] == [service["command"] for service in services if "command" in service]
    assert [] == [name for name in given if re.search("PASSWORD|STORE", name) and not name.endswith("_FILE")]
    assert [] == [value for value in given.values() if "@" in value]
    assert {"password", "store"} == set(compose["secrets"])
    assert ["store"] == compose["services"]["node1"]["secrets"]


def test_image_runs_with_existing_settings(root):
    """Its variables are settings, it has every extra, and its health check asks the port that it sets."""
    text = (root / "help/host/Dockerfile").read_text("utf-8")
    given = dict(word.split("=") for word in re.search(r"^ENV (.+)$", text, re.MULTILINE)[1].split())

    assert set(given) <= variables()
    assert "lilygames[all]" in text
    assert f"127.0.0.1:{given['LILYGAMES_METRICS_PORT']}/ready" in text
    assert 'ENTRYPOINT ["lilygames"]\nCMD ["serve"]\n' in text


def test_image_is_not_said_to_be_built_without_a_daemon(root, tmp_path):
    """`scripts/image` says so, and CI goes on."""
    tools = {name: which(name) for name in ("sh", "dirname", "timeout")}
    for name, path in tools.items():
        (tmp_path / name).symlink_to(path)
    done = subprocess.run(
        [root / "scripts/image"], env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False
    )

    assert (0, "The image was not built: no docker or podman daemon answers here.\n") == (done.returncode, done.stderr)


def test_operations_page_names_all_events_of_the_log(root):
    """The first column of the table of events has exactly those that exist."""
    rows = (root / "help/host/operations.md").read_text("utf-8").partition("| event |")[2].partition("\n## ")[0]

    assert EVENTS == {
        event for row in rows.splitlines()[2:] for event in re.findall("`([a-z ]+)`", row[1:].split("|")[0])
    }


@pytest.mark.parametrize("page", ["operations.md", "capacity.md"])
def test_page_names_only_existing_files_and_commands(root, page):
    told = (root / "help/host" / page).read_text("utf-8")

    assert set(re.findall(r"`lilygames ([a-z-]+)", told)) <= set(COMMANDS)
    assert [] == [name for name in re.findall(r"\]\((\w+\.md)\)", told) if not (root / "help/host" / name).exists()]


def test_page_about_nodes_is_found():
    """`/help host nodes`."""
    assert "host-nodes" == pages().find("host nodes")
    assert all(len(row) <= WIDTH for row in pages().rows["host-nodes"])
