"""The command line. Errors outside the program are one sentence on stderr and an exit code, never a traceback."""

from __future__ import annotations

import gc
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from types import ModuleType

import click

from lilygames import __version__
from lilygames.server.process.exit_codes import ExitCode
from lilygames.server.process.version import commit_of, long_version
from lilygames.server.shell.outcome import outcome

COMMANDS: Mapping[str, str] = {
    "archive": "lilygames.server.commands.archive:archive",
    "backup": "lilygames.server.shell.backup:backup",
    "bot": "lilygames.server.commands.bot:bot",
    "certificate": "lilygames.server.commands.certificate:certificate",
    "check-config": "lilygames.server.commands.settings:check_config",
    "claim": "lilygames.server.commands.claim:claim",
    "cluster": "lilygames.server.commands.cluster:cluster",
    "copy": "lilygames.server.shell.backup:copy_",
    "connect": "lilygames.server.commands.connect:connect",
    "docs": "lilygames.server.commands.docs:docs",
    "duel": "lilygames.gametest.duel:main",
    "new-game": "lilygames.server.commands.new_game:new_game",
    "people": "lilygames.server.commands.people:people",
    "reload": "lilygames.server.commands.reload:reload",
    "replay": "lilygames.server.commands.exported:replay",
    "restore": "lilygames.server.shell.backup:restore",
    "serve": "lilygames.server.commands.serve:serve",
    "settings": "lilygames.server.commands.settings:settings",
    "tail": "lilygames.server.commands.tail:tail",
    "unsubscribe": "lilygames.server.shell.unsubscribe:unsubscribe",
    "vacuum": "lilygames.server.commands.archive:vacuum",
    "verify": "lilygames.server.commands.exported:verify",
}
"""Where each subcommand is. Only the one that runs is imported: `connect` needs no server, and `reload` no game."""

FORMER: Mapping[str, str] = {"move": "copy"}
"""Names that a subcommand had in release 0.2. They still work."""


class Subcommands(click.Group):
    """The commands of the table above."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's interface
        """Return their names."""
        return [*COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's interface
        """Return a command, None if there is none of that name."""
        module, _, name = COMMANDS.get(FORMER.get(cmd_name, cmd_name), "").partition(":")
        found = getattr(_imported(module), name) if module else None
        return found if isinstance(found, click.Command) else None


def _imported(module: str) -> ModuleType:
    """Import a module without garbage collection, which would take a fifth of the time and find nothing."""
    gc.disable()
    try:
        return import_module(module)
    finally:
        gc.enable()


@click.group(cls=Subcommands)
@click.version_option(long_version(__version__, commit_of()), prog_name="lilygames", message="%(prog)s %(version)s")
def commands() -> None:
    """Run a telnet server for card and dice games, and look after it."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its code. `arguments` are the process's own if None."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> ExitCode:
    """Run one command and return its exit code, with a sentence on stderr after an error."""
    try:
        return ExitCode(commands.main(arguments, prog_name="lilygames", standalone_mode=False) or ExitCode.DONE)
    except click.exceptions.NoArgsIsHelpError as bare:
        click.echo(bare.format_message(), err=True)
        return ExitCode.TROUBLE
    except Exception as problem:
        code, sentence = outcome(problem)
        if not sentence:
            raise
        click.echo(f"lilygames: {sentence}", err=True)
        return code
