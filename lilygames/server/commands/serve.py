"""`lilygames serve`."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import click

from lilygames import log_events
from lilygames.edge.connections.tls import Unusable
from lilygames.games import games
from lilygames.server.place.place import timetable_of
from lilygames.server.process.exit_codes import ExitCode, Trouble
from lilygames.server.process.logs import ServerLog, StrayOutput, logging_to_stderr
from lilygames.server.process.systemd import Systemd
from lilygames.server.reload.succession import NotTaken, Start
from lilygames.server.reload.succession import start as how_to_start
from lilygames.server.serving import serving
from lilygames.server.serving.control import Reloads
from lilygames.server.serving.sysop_names import check_sysop_names
from lilygames.server.settings.config import CONFIG, FIELDS, Loaded, Settings, read
from lilygames.server.settings.extras import check_extras
from lilygames.server.shell.outcome import outcome
from lilygames.server.shell.shared_options import FILE
from lilygames.server.watch import preflight

F = TypeVar("F", bound=Callable[..., Any])
_TYPES: dict[type, click.types.ParamType[Any]] = {str: click.STRING, Path: FILE, int: click.INT, float: click.FLOAT}


def _an_option_for_each_setting(function: F) -> F:
    for field in reversed([*FIELDS.values()]):
        about, kind = field.about, _TYPES[field.kind]
        if about.secret:
            help_ = f"A file with {field.option}, which other users can't read."
            function = click.option(f"{field.option}-file", f"{field.name}_file", type=FILE, help=help_)(function)
        if about.option:
            function = click.option(field.option, field.name, type=kind, help=about.sentence)(function)
    help_ = "A TOML file of settings. The environment and options override it."
    return click.option("--config", type=FILE, envvar=CONFIG, help=help_)(function)


@click.command()
@_an_option_for_each_setting
@click.option("--dry-run", is_flag=True, help="Check the program and its settings without serving.")
def serve(config: Path | None, *, dry_run: bool, **options: Any) -> None:
    """Run the server until SIGTERM or Ctrl-C. A second signal stops it at once."""
    loaded = read(config, {name: value for name, value in options.items() if value is not None})
    settings = loaded.settings
    try_out = partial(_run, loaded, partial(_try_out, loaded))
    if dry_run:
        try_out()
        return
    start = how_to_start(try_out, partial(serving.preload, settings))
    with logging_to_stderr(settings.log_level, settings.log_format) as (server_log, stray):
        if start.before:
            server_log.recent.take_up(*start.before.log)
        try:
            _run(loaded, partial(until_stopped, partial(_serve_and_make_way, settings, server_log, stray, start)))
            log_events.stopped()
            start.say_end(ExitCode.DONE)
        except Exception as problem:
            code, sentence = outcome(problem)
            start.say_end(code)
            if sentence and settings.log_format == "text":
                raise
            if sentence:
                log_events.failed(sentence, code)
            else:
                log_events.uncaught(where="server", bug=problem)
            raise click.exceptions.Exit(code) from problem


def _run(loaded: Loaded, main: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run a coroutine until it ends. Errors that a sysop can fix have a sentence: see `outcome`."""
    check_extras(loaded)
    preflight.check_files(loaded)
    try:
        with loaded.naming_places():
            asyncio.run(main())
    except Unusable as problem:
        raise loaded.wrong(str(problem), "tls_cert", "tls_key") from problem
    except serving.CannotListen as problem:
        raise Trouble(str(problem)) from problem
    except OSError as problem:
        raise Trouble(_sentence(problem)) from problem


async def _try_out(loaded: Loaded) -> None:
    """Do everything in a start that can be done while another server runs."""
    preflight.check_data_folder(loaded)
    preflight.check_certificate(loaded)
    preflight.check_policy(loaded)
    await serving.try_out(loaded.settings)
    await check_sysop_names(loaded.settings)
    timetable_of(loaded.settings, games())


async def _serve_and_make_way(
    settings: Settings, server_log: ServerLog, stray: StrayOutput, start: Start, reloads: Reloads
) -> None:
    """Serve. If asked to restart, hand over to the next process at once, before anything else happens."""
    if start.kept:
        start.kept.watch()
    gc.disable()  # until the place is there: objects of a start stay, and looking at them takes a tenth of its time
    service = Systemd.of(os.environ, start.number)
    ready = _print_address if settings.log_format == "text" else log_events.listening
    async with service.pinged():
        while handed := await serving.serve(settings, ready, reloads, service, server_log, start=start):
            successor, handover = handed
            stray.give_back()
            try:
                successor.give(handover, start)
            except NotTaken:
                log_events.takeover_failed("the new program has ended, so the old one continues: reload again")
                start = Start(handover, start.kept)  # nobody is disconnected: this process takes over from itself


def _print_address(kind: str, address: str) -> None:
    click.echo(f"listening: {kind} {address}")


async def until_stopped(server: Callable[[Reloads], Coroutine[Any, Any, None]]) -> None:
    """Run the server until it ends or a first signal cancels it. A second signal has its default effect.

    SIGHUP asks for a restart.
    """
    loop, reloads = asyncio.get_running_loop(), Reloads()
    loop.add_signal_handler(signal.SIGHUP, reloads.want)
    serving = loop.create_task(server(reloads))
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


def _sentence(problem: OSError) -> str:
    if problem.filename:
        return f"can't use {problem.filename} ({problem.strerror}): choose another folder with --data"
    return f"{problem.strerror or problem}: fix this and start again"
