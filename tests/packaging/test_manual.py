"""Test the manual page and the shell completion: both follow from the commands and settings."""

import os
import re
import subprocess
import sys
from shutil import which

import click
import pytest

from lilygames.server.process.exit_codes import ExitCode
from lilygames.server.settings.config import FIELDS
from lilygames.server.shell.cli import COMMANDS, commands
from lilygames.server.shell.manual import man_page
from tests.deadline import DEADLINE


@pytest.fixture(scope="module")
def page():
    """The page as plain text, without roff's escapes."""
    return man_page().replace("\\-", "-").replace("\\&", "")


def leaves(command, name):
    """Yield every command and its name; those of a group are its leaves."""
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            yield from leaves(inner, f"{name} {inner.name}")
    else:
        yield name, command


ALL = [leaf for name in COMMANDS for leaf in leaves(commands.get_command(click.Context(commands), name), name)]


@pytest.mark.parametrize(("name", "command"), ALL, ids=[name for name, _ in ALL])
def test_page_has_every_command_and_option(page, name, command):
    section = re.search(rf'^\.SS "lilygames {name}[ "].*?(?=^\.S[SH])', page, re.MULTILINE | re.DOTALL)[0]
    options = {option.opts[0] for option in command.params if isinstance(option, click.Option)}
    elsewhere = {field.option for field in FIELDS.values()} | {f"{field.option}-file" for field in FIELDS.values()}

    assert [] == sorted(option for option in options - elsewhere if option not in section)


def test_page_has_every_setting_and_exit_code(page):
    told = re.findall(r"^\.B (.+)$", page, re.MULTILINE)

    assert {field.variable for field in FIELDS.values()} <= {term.rpartition(", ")[2] for term in told}
    assert {str(int(code)) for code in ExitCode} <= set(told)


@pytest.mark.skipif(which("groff") is None, reason="groff is not installed here")
def test_page_is_valid_roff():
    """`groff` warns of nothing."""
    command = ["groff", "-man", "-Tutf8", "-ww", "-z"]
    done = subprocess.run(command, input=man_page(), capture_output=True, text=True, timeout=DEADLINE, check=False)

    assert (0, "") == (done.returncode, done.stderr)


@pytest.mark.parametrize(
    ("words", "expected"),
    [("lilygames ser", {"serve"}), ("lilygames serve --mail-t", {"--mail-tls"}), ("lilygames ba", {"backup"})],
)
def test_shell_completes_commands_and_options(words, expected, tmp_path):
    """As the manual page says how to turn it on."""
    asked = {"_LILYGAMES_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    command = [sys.executable, "-m", "lilygames"]
    done = subprocess.run(command, env=os.environ | asked, capture_output=True, text=True, timeout=DEADLINE, check=True)

    assert expected == {row.partition(",")[2] for row in done.stdout.splitlines()}
