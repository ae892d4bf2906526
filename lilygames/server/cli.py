"""The command line. Errors outside the program are one sentence on stderr and exit code 2, never a traceback."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import sys
import time
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import click
import structlog

import rules
from lilygames import __version__
from lilygames.chat.hashing import Hashing
from lilygames.chat.sysops import SysopClaims
from lilygames.edge.tls import Unusable
from lilygames.games import games
from lilygames.receipt import Receipt, read_receipt
from lilygames.server import backup, exports, place, preflight, serving
from lilygames.server import pidfile as running
from lilygames.server.config import FIELDS, Misconfigured, Settings, describe, load, read
from lilygames.server.handover import begin_anew
from lilygames.server.unsubscribe import unsubscribe
from lilygames.store import StoreUnavailable
from lilygames.store.shell_access import beside

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")

TROUBLE = 2
"""Exit code of errors that the user can fix."""
INTERRUPTED = 130
_FILE = click.Path(path_type=Path)
_TYPES: dict[type, click.types.ParamType[Any]] = {str: click.STRING, Path: _FILE, int: click.INT, float: click.FLOAT}


class Trouble(click.ClickException):
    """An error outside the program. The text is one sentence that says what to do."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its code. `arguments` are the process's own if None."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command. Return 0 if it succeeded, 1 if a log doesn't match, 2 after an error told in a sentence.

    Invalid settings have their own code, 78 (EX_CONFIG of sysexits.h): starting again wouldn't help.
    """
    try:
        return int(commands.main(arguments, prog_name="lilygames", standalone_mode=False) or 0)
    except click.exceptions.NoArgsIsHelpError as bare:
        click.echo(bare.format_message(), err=True)
    except click.ClickException as problem:
        return _trouble(problem.format_message())
    except Misconfigured as problem:
        return _trouble(str(problem), os.EX_CONFIG)
    except StoreUnavailable as problem:
        return _trouble(str(problem))
    except click.Abort:
        return INTERRUPTED
    return TROUBLE


def _trouble(sentence: str, code: int = TROUBLE) -> int:
    click.echo(f"lilygames: {sentence}", err=True)
    return code


@click.group()
@click.version_option(__version__, prog_name="lilygames", message="%(prog)s %(version)s")
def commands() -> None:
    """Run a telnet server for card and dice games, and look after it."""


def _an_option_for_each_setting(function: F) -> F:
    for name, (kind, about) in reversed([*FIELDS.items()]):
        function = click.option(f"--{name.replace('_', '-')}", name, type=_TYPES[kind], help=about.sentence)(function)
    return click.option("--config", type=_FILE, help="A TOML file of settings; options override it.")(function)


@commands.command()
@_an_option_for_each_setting
@click.option("--dry-run", is_flag=True, help="Check the program and its settings without serving.")
def serve(config: Path | None, *, dry_run: bool, **options: Any) -> None:
    """Run the server until SIGTERM or Ctrl-C. A second signal stops it at once."""
    loaded = read(config, {name: value for name, value in options.items() if value is not None})
    settings = loaded.settings
    _check_the_rules_are_ours()
    _write_the_log_to_stderr(settings.log_level, settings.log_format)
    preflight.check_files(loaded)
    if dry_run:
        preflight.check_data_folder(loaded)
        preflight.check_certificate(loaded)
    try:
        with loaded.naming_places():
            asyncio.run(_tried_out(settings) if dry_run else _until_stopped(partial(_serve_and_begin_anew, settings)))
    except Unusable as problem:
        raise loaded.wrong(str(problem), "tls_cert", "tls_key") from problem
    except serving.CannotListen as problem:
        raise Trouble(str(problem)) from problem
    except OSError as problem:
        raise Trouble(_sentence(problem)) from problem


async def _tried_out(settings: Settings) -> None:
    """Do everything in a start that can be done while another server runs."""
    await serving.try_out(settings)
    await _check_sysops(settings)


@commands.command()
@click.argument("count", type=click.IntRange(1, 16), default=2)
@click.option("--port", type=click.IntRange(1, 65000), default=7777, help="The first node's port; others count up.")
@click.option("--without-nats", is_flag=True, help="Use the database for notifications, not nats-server.")
@click.option("--folder", type=_FILE, help="The data folder. The default is a temporary one, deleted at the end.")
def cluster(count: int, port: int, folder: Path | None, *, without_nats: bool) -> None:
    """Try out a cluster: run COUNT nodes with their own database on this machine until Ctrl-C."""
    from lilygames.server.local_engines import Missing  # noqa: PLC0415 - as above
    from lilygames.server.trial_cluster import cluster as running  # noqa: PLC0415 - only for this

    try:
        with running(count, folder=folder, buses=0 if without_nats else 1, ports=range(port, port + count)) as nodes:
            for node in nodes.nodes:
                click.echo(f"telnet 127.0.0.1 {node.port}")
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
            signal.sigwait({signal.SIGINT, signal.SIGTERM})
    except Missing as missing:
        raise Trouble(str(missing)) from missing
    except RuntimeError as problem:
        raise Trouble(str(problem).replace("\n", " ")) from problem


@commands.command()
@click.option("--config", type=_FILE, help="The server's TOML file of settings.")
@click.option("--data", type=_FILE, help=FIELDS["data"][1].sentence)
def reload(config: Path | None, data: Path | None) -> None:
    """Restart the running server with new code and settings, without disconnecting people.

    Plain telnet connections stay open. TLS connections are closed with a message, and their seats are saved. If the new
    code or settings can't be used, the server says why and keeps running unchanged.
    """
    folder = load(config, {} if data is None else {"data": data}).data
    try:
        running.begin_anew(folder)
    except running.NotRunning as problem:
        raise Trouble(str(problem)) from problem
    except running.ReloadRefused as problem:
        raise Trouble(f"reload refused, the server keeps running unchanged: {problem}") from problem
    click.echo("The server has restarted.")


@commands.command()
@click.argument("names", nargs=-1)
@click.option("--data", type=_FILE, default=Settings().data, help=FIELDS["data"][1].sentence)
def certificate(names: tuple[str, ...], data: Path) -> None:
    """Create a self-signed TLS certificate for these host names, and print how to use it.

    Tell people the fingerprint: it shows them that they have reached your server.
    """
    from lilygames.client.trust import fingerprint_of  # noqa: PLC0415 - a server needs none of it
    from lilygames.edge.certificate import make_certificate  # noqa: PLC0415 - its library is large, and only for this

    try:
        words, key = make_certificate(data, names or ("localhost",))
    except ValueError as problem:
        raise Trouble(f"not a host name ({problem}): give names like games.example, or addresses") from problem
    except FileExistsError as problem:
        raise Trouble(f"{problem.filename} already exists: move it away, or keep using it") from problem
    except OSError as problem:
        raise Trouble(f"can't write {problem.filename}: {problem.strerror}") from problem
    click.echo(f"Created {words} and {key}. To use them:\n  lilygames serve --tls-cert {words} --tls-key {key}")
    click.echo(f"The fingerprint to tell people:\n  {fingerprint_of(words)}")


@commands.command()
@click.argument("host")
@click.option("--tls", is_flag=True, help="Use TLS; the certificate must be from a known authority.")
@click.option("--tls-pin", is_flag=True, help="Use TLS, and trust only the certificate seen on the first visit.")
@click.option("--reader", is_flag=True, help="Use the layout for screen readers.")
def connect(host: str, *, tls: bool, tls_pin: bool, reader: bool) -> None:
    """Connect to a server: HOST or HOST:PORT. Ctrl-D leaves."""
    from lilygames.client.address import Address  # noqa: PLC0415 - a server needs none of it
    from lilygames.client.client import visit  # noqa: PLC0415 - same
    from lilygames.client.trust import Untrusted  # noqa: PLC0415 - same

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Trouble("connect needs a terminal; a program uses a socket and machine mode (/help machine)")
    try:
        address = Address.read(host, tls=tls or tls_pin, pin=tls_pin)
    except ValueError as problem:
        raise Trouble(str(problem)) from problem
    try:
        asyncio.run(visit(address, reader=reader))
    except Untrusted as problem:
        raise Trouble(str(problem)) from problem
    except OSError as problem:
        raise Trouble(f"nothing answers at {host} ({problem.strerror or problem}): check the address") from problem


@commands.command()
@click.argument("file", type=_FILE)
@click.option("--by", default="", help="The player whose view to show; by default what everyone saw.")
def replay(file: Path, by: str) -> None:
    """Print the exported log of a finished game as it was shown."""
    _check_the_rules_are_ours()
    for line in _of_log(file, partial(exports.replay, by=by)):
        click.echo(line)


@commands.command()
@click.argument("file", type=_FILE)
@click.option("--receipts", type=_FILE, help="The folder of your client's receipts, to check against the log.")
@click.option("--bots", is_flag=True, help="Recompute the moves of bots, too. For strong bots this takes minutes.")
def verify(file: Path, receipts: Path | None, *, bots: bool) -> int:
    """Verify the exported log of a finished game: its seal, and every entry against a replay."""
    _check_the_rules_are_ours()
    verdicts = [_of_log(file, exports.verify)]
    if receipts is not None:
        kept = _receipts(receipts)
        verdicts += _of_log(file, partial(exports.verify_receipts, receipts=kept))
    for verdict in verdicts:
        click.echo(verdict.sentence)
    if bots and verdicts[0].match:
        click.echo(_of_log(file, exports.verify_bots))
    return 0 if all(verdict.match for verdict in verdicts) else 1


def _receipts(folder: Path) -> list[Receipt]:
    """Return the receipts in a folder and in those below it. Raises `Trouble` if there are none, or for a bad file."""
    kept = []
    for file in sorted(folder.rglob("*.json")):
        try:
            kept.append(read_receipt(file.read_text("utf-8")))
        except OSError as problem:
            raise Trouble(f"can't read {file}: {problem.strerror}") from problem
        except ValueError as problem:
            raise Trouble(f"{file} isn't a receipt: {problem}") from problem
    if not kept:
        raise Trouble(f"{folder} has no receipts: give the folder where lilygames connect keeps them")
    return kept


def _of_log(file: Path, read: Callable[[str], T]) -> T:
    """Return the result of `read` on an exported log. Raises `Trouble` if the file isn't one."""
    try:
        return read(file.read_text("utf-8"))
    except OSError as problem:
        raise Trouble(f"can't read {file}: {problem.strerror}") from problem
    except UnicodeDecodeError as problem:
        raise Trouble(f"{file} isn't an exported log: it isn't text in UTF-8") from problem
    except ValueError as problem:
        raise Trouble(f"{file}: {problem}") from problem


@commands.command()
@click.option("--config", type=_FILE, help="Print the settings of this file; the default is the built-in values.")
def settings(config: Path | None) -> None:
    """Print every setting with its description, as a TOML file to start from."""
    click.echo(describe(load(config)))


@commands.command("check-config")
@click.argument("file", type=_FILE)
def check_config(file: Path) -> None:
    """Check that a settings file can be used on this machine."""
    loaded = read(file)
    preflight.check(loaded)
    with loaded.naming_places():
        asyncio.run(_check_sysops(loaded.settings))
        asyncio.run(preflight.check_mail(loaded))
    click.echo(f"{file} is valid.")


async def _check_sysops(settings: Settings) -> None:
    """Raise `Misconfigured` for a sysop's name that isn't registered and can't be."""
    found = games()
    try:
        await place.check_sysops(settings, found, None)
    except Misconfigured:  # unless it was registered before it was reserved; without a store, none was
        with suppress(StoreUnavailable):
            async with beside(backup.address(settings)) as records:
                await place.check_sysops(settings, found, records)
                return
        raise


@commands.command()
@click.argument("name")
@click.option("--config", type=_FILE, help="The server's TOML file of settings.")
@click.option("--data", type=_FILE, help=FIELDS["data"][1].sentence)
def claim(name: str, config: Path | None, data: Path | None) -> None:
    """Print a one-time word that lets a sysop register NAME. It is valid for an hour.

    NAME must be in the setting `sysops`. The server may be running.
    """
    settings = load(config, {} if data is None else {"data": data})
    if config and name.casefold() not in map(str.casefold, settings.sysop_names):
        raise Trouble(f"{name} isn't one of the sysops in {config}: add it there, and reload the server")
    word = asyncio.run(_claimed(settings, name))
    click.echo(f"To register {name}, type this at the login prompt within an hour:\n  {name} {word}")


async def _claimed(settings: Settings, name: str) -> str:
    """Return a new claim word for a name. Raises `Trouble` if the name is registered."""
    hashing = Hashing(time=settings.hash_time, memory=settings.hash_memory)
    async with beside(backup.address(settings)) as records:
        account = await records.find("account", name.casefold())
        if account and not json.loads(account)["guest"]:
            raise Trouble(f"{name} is already registered: log in with its password")
        return await SysopClaims(records, hashing).issue(name, time.time())


async def _serve_and_begin_anew(settings: Settings, anew: asyncio.Event) -> None:
    """Serve. If asked to restart, become the next process at once, before anything else happens."""
    handover = await serving.serve(settings, click.echo, anew)
    if handover:
        begin_anew(handover)


for command in (backup.backup, backup.restore, backup.move, unsubscribe):
    commands.add_command(command)


async def _until_stopped(server: Callable[[asyncio.Event], Coroutine[Any, Any, None]]) -> None:
    """Run the server until it ends or a first signal cancels it. A second signal has its default effect.

    SIGHUP asks for a restart.
    """
    loop, anew = asyncio.get_running_loop(), asyncio.Event()
    loop.add_signal_handler(signal.SIGHUP, anew.set)
    serving = loop.create_task(server(anew))
    stops = (signal.SIGINT, signal.SIGTERM)

    def stop() -> None:
        serving.cancel()
        for each in stops:
            loop.remove_signal_handler(each)
            signal.signal(each, signal.SIG_DFL)

    for each in stops:
        loop.add_signal_handler(each, stop)
    try:
        await serving
    except asyncio.CancelledError:
        if not serving.cancelled():
            raise


def _check_the_rules_are_ours() -> None:
    if getattr(rules, "HOUSE", None) != "lilygames":
        raise Trouble(
            "another distribution has installed a package called `rules` in this environment;"
            " install lilygames in its own: pipx install lilygames"
        )


def _write_the_log_to_stderr(level: str, form: str) -> None:
    plain = structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)
    as_json = (structlog.processors.format_exc_info, structlog.processors.JSONRenderer())
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            *(as_json if form == "json" else (plain,)),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )


def _sentence(problem: OSError) -> str:
    if problem.filename:
        return f"can't use {problem.filename} ({problem.strerror}): choose another folder with --data"
    return f"{problem.strerror or problem}: fix this and start again"
