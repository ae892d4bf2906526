"""The manual page lilygames(1), made from the commands, settings and exit codes; `lilygames docs --man` prints it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import click

from lilygames.server.process.exit_codes import EXIT_CODES
from lilygames.server.settings.config import CONFIG, FIELDS
from lilygames.server.settings.setting import Field
from lilygames.server.shell.cli import COMMANDS, commands

ABOUT_SETTINGS = f"""\
A setting is an option of `lilygames serve`, a variable in the environment or a line in a TOML file. An option counts
more than a variable, and that more than the file. `--config` or {CONFIG} names the file. `lilygames settings` prints
one to start from.

Some settings can contain a password. For these, NAME_file names a file that contains the value, also as an option
(`--store-file`) and a variable (LILYGAMES_STORE_FILE). An empty variable counts as not set."""


def _meaning(field: Field) -> str:
    """Return what a setting is and which values are valid."""
    bounds = f" ({field.about.bounds})" if field.about.bounds else ""
    instead = f" `{field.name}_file` names a file that contains it." if field.about.secret else ""
    return f"{field.about.sentence}{bounds}{instead}"


def man_page() -> str:
    """Return the manual page lilygames(1), in the man macros of roff: man(7)."""
    return (
        "\n".join(
            [
                '.TH LILYGAMES 1 "" "lilygames" "User Commands"',
                *_section("NAME", ["lilygames \\- a telnet place to play talking, bluffing card and dice games"]),
                *_section("SYNOPSIS", [".B lilygames", ".I COMMAND", "[\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]"]),
                *_section("DESCRIPTION", [_roff(commands.help or "")]),
                *_section("COMMANDS", _commands()),
                *_section("SETTINGS", [_paragraphs(ABOUT_SETTINGS), *_tagged(_setting_terms())]),
                *_section("EXIT STATUS", _tagged((str(int(code)), words[0]) for code, words in EXIT_CODES.items())),
                *_section("FILES", _tagged(_FILES)),
                *_section("SHELL COMPLETION", _tagged(_COMPLETION)),
                *_section("SEE ALSO", ["telnet(1), systemd.service(5), sd_notify(3)", ".PP", _roff(_MORE)]),
            ]
        )
        + "\n"
    )


_FILES = (
    ("data/lilygames.db", "All data, if the store is SQLite. Back it up with `lilygames backup`."),
    ("data/lilygames.pid", "The process that serves the folder, for `lilygames reload`."),
)
_COMPLETION = (
    ("bash", 'eval "$(_LILYGAMES_COMPLETE=bash_source lilygames)" in ~/.bashrc'),
    ("zsh", 'eval "$(_LILYGAMES_COMPLETE=zsh_source lilygames)" in ~/.zshrc'),
    ("fish", "_LILYGAMES_COMPLETE=fish_source lilygames > ~/.config/fish/completions/lilygames.fish"),
)
_MORE = "`lilygames docs` prints the whole manual, and `lilygames docs --files` says where the files for sysops are."


def _section(name: str, rows: Iterable[str]) -> list[str]:
    return [f".SH {name}", *rows]


def _commands() -> Iterator[str]:
    """Yield each command with its arguments, description and own options."""
    for name in COMMANDS:
        command = commands.get_command(click.Context(commands), name)
        if command:
            yield from _command(command, name)


def _command(command: click.Command, name: str) -> Iterator[str]:
    """Yield one command, or each of a group."""
    context = click.Context(command, info_name=name)
    if isinstance(command, click.Group):
        for inner in command.list_commands(context):
            yield from _command(command.commands[inner], f"{name} {inner}")
        return
    words = [word for word in command.collect_usage_pieces(context) if word != "[OPTIONS]"]
    yield f'.SS "lilygames {" ".join([name, *words])}"'
    yield _paragraphs(command.help or "")
    if name == "serve":
        yield _paragraphs("\n\nIts other options are the settings below.")
    own = [option for option in command.params if isinstance(option, click.Option) and _is_own(option)]
    yield from _tagged(record for option in own if (record := option.get_help_record(context)))


def _is_own(option: click.Option) -> bool:
    """Return whether an option isn't a setting, nor a file with one: those have a section of their own."""
    return str(option.name).removesuffix("_file") not in FIELDS or option.name == "data"


def _setting_terms() -> Iterator[tuple[str, str]]:
    for field in FIELDS.values():
        names = [*([field.option] if field.about.option else [f"{field.option}-file"]), field.variable]
        yield ", ".join(names), f"{_meaning(field)} Default: {field.default if str(field.default) else 'empty'}."


def _tagged(rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    for term, text in rows:
        yield f".TP\n.B {_roff(term)}\n{_roff(text)}"


def _paragraphs(text: str) -> str:
    return "\n.PP\n".join(_roff(" ".join(part.split())) for part in text.split("\n\n"))


def _roff(text: str) -> str:
    """Return text for roff: hyphens that can be copied, no markup, and no row that is a request."""
    plain = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "").replace("\b", "")
    return f"\\&{plain}" if plain.startswith((".", "'")) else plain
