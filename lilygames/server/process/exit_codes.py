"""The exit codes of `lilygames`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from enum import IntEnum

import click


class ExitCode(IntEnum):
    """An exit code of a command. `EXIT_CODES` explains each."""

    DONE = 0
    MISMATCH = 1
    TROUBLE = 2
    CONFIG = os.EX_CONFIG
    INTERRUPTED = 130


EXIT_CODES: Mapping[ExitCode, tuple[str, str]] = {
    ExitCode.DONE: ("it did what you asked; a server has stopped as asked", "stays down"),
    ExitCode.MISMATCH: (
        "`verify`, `restore` and `copy` found a game that doesn't match its replay",
        "isn't for services",
    ),
    ExitCode.TROUBLE: (
        "a problem that may go away, or a wrong argument: the sentence on stderr says what to do",
        "starts it again",
    ),
    ExitCode.CONFIG: (
        "the settings can't be used: also a bad certificate, a missing extra, or too few open files for `connections`",
        "stays down (`RestartPreventExitStatus=78`)",
    ),
    ExitCode.INTERRUPTED: ("Ctrl-C ended a command that was asking or waiting", "isn't for services"),
}
"""The meaning of each code, and what systemd does with our unit."""


class Trouble(click.ClickException):
    """An error outside the program. The text is one sentence that says what to do."""

    exit_code = ExitCode.TROUBLE
