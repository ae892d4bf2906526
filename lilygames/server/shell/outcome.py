"""The exit code and the sentence for an error that ends a command."""

from __future__ import annotations

import click

from lilygames.server.process.exit_codes import ExitCode
from lilygames.server.settings.config import Misconfigured
from lilygames.server.settings.extras import extra_of, to_install
from lilygames.store import StoreUnavailable


def outcome(problem: Exception) -> tuple[ExitCode, str]:
    """Return the exit code for an error and the sentence about it, which is empty for a bug."""
    match problem:
        case Misconfigured():
            return ExitCode.CONFIG, str(problem)
        case ModuleNotFoundError(name=str(module)) if extra := extra_of(module):
            return ExitCode.CONFIG, to_install("this command", extra)
        case click.Abort():
            return ExitCode.INTERRUPTED, "stopped."
        case click.ClickException():
            return ExitCode.TROUBLE, problem.format_message()
        case StoreUnavailable():
            return ExitCode.TROUBLE, str(problem)
    return ExitCode.TROUBLE, ""
