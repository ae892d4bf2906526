"""`lilygames tail`."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

import attrs
import click

from lilygames.server.process.exit_codes import Trouble
from lilygames.server.process.pidfile import NotRunning
from lilygames.server.serving import control_client
from lilygames.server.serving.control_requests import Tail
from lilygames.server.shell.shared_options import of_config, of_data, settings_with_data
from lilygames.text import count

COLOURS = {"debug": "bright_black", "info": "green", "warning": "yellow", "error": "red", "critical": "red"}
LEVELS = (*COLOURS,)
PEOPLE = ("name", "old", "by", "whom")
"""Fields of a line that name a person."""
PLAIN = ("event", "level", "timestamp", "name", "how", "exception")
"""Fields that are shown without their name."""
RESTART = 60.0
"""Seconds to wait for a server that restarts."""
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_DURATION = re.compile(r"(\d{1,6})([smhd])")


class Duration(click.ParamType[float]):
    """A time span such as `90s`, `30m`, `2h` or `1d`, in seconds."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the seconds."""
        found = _DURATION.fullmatch(str(value))
        if found is None:
            self.fail(f"{value} isn't a time span: use one like 90s, 30m, 2h or 1d", param, ctx)
        return float(found[1]) * _UNITS[found[2]]


@attrs.frozen
class Wanted:
    """The lines that a sysop wants to see. Empty values mean all."""

    since: float = 0.0
    """The earliest time, in seconds since 1970."""
    events: tuple[str, ...] = ()
    person: str = ""
    table: int = 0
    level: str = ""

    def has(self, line: Mapping[str, Any]) -> bool:
        """Return whether a line is wanted."""
        if self.level and LEVELS.index(line["level"]) < LEVELS.index(self.level):
            return False
        if self.events and not any(line["event"].startswith(event) for event in self.events):
            return False
        if self.person and self.person.casefold() not in (str(line.get(field, "")).casefold() for field in PEOPLE):
            return False
        if self.table and self.table != line.get("table"):
            return False
        return _at(line).timestamp() >= self.since


@click.command()
@of_config
@of_data
@click.option("--lines", "-n", default=20, show_default=True, help="Earlier lines to show.")
@click.option("--since", type=Duration(), help="Show all earlier lines of this time span: 90s, 30m, 2h or 1d.")
@click.option("--event", "-e", "events", multiple=True, help="Only events that begin like this: table, login, limit.")
@click.option("--person", "-p", default="", help="Only lines that name this person.")
@click.option("--table", "-t", default=0, help="Only lines about the table with this number.")
@click.option("--level", type=click.Choice(LEVELS), default="debug", help="Only lines of this level, and worse ones.")
@click.option("--follow/--no-follow", default=True, help="Wait for new lines until Ctrl-C, or end.")
@click.option("--json", "as_json", is_flag=True, help="Print lines as the server writes them with log_format = json.")
def tail(
    config: Path | None,
    data: Path | None,
    *,
    lines: int,
    since: float | None,
    events: tuple[str, ...],
    person: str,
    table: int,
    level: str,
    follow: bool,
    as_json: bool,
) -> None:
    """Show the log of the running server, as it is written.

    The server keeps its last 5,000 lines in memory, also over a reload. A terminal that is too slow misses lines, and
    is told how many.
    """
    folder = settings_with_data(config, data).data
    wanted = Wanted(time.time() - since if since else 0.0, events, person, table, level)
    try:
        earlier = [*control_client.ask(folder, Tail(0, follow=False))]
        shown = [one for one in earlier if wanted.has(json.loads(one["line"]))]
        for one in shown if since else shown[-lines:] if lines else []:
            _print(one["line"], as_json=as_json)
        if follow:
            _follow(folder, Place(**earlier[-1]) if earlier else Place(), wanted, as_json=as_json)
    except NotRunning as problem:
        raise Trouble(str(problem)) from problem
    except KeyboardInterrupt:
        pass


@attrs.frozen
class Place:
    """A line of a log, to go on from. Numbers begin again with a new start, and continue over a reload."""

    number: int = 0
    line: str = ""

    def found_in(self, lines: Sequence[Mapping[str, Any]]) -> Place:
        """Return this place if a log still has the line, else the place before its first line."""
        return self if {"number": self.number, "line": self.line} in lines else Place()


def _follow(folder: Path, last: Place, wanted: Wanted, *, as_json: bool) -> None:
    """Print the lines after a place as they come. Raises `NotRunning` when the server has stopped."""
    while True:
        try:
            for one in control_client.ask(folder, Tail(last.number, follow=True), seconds=None):
                if (missing := one["number"] - last.number - 1) > 0:
                    click.secho(f"({count(missing, 'line')} dropped: this terminal was too slow)", fg="yellow")
                if one["line"]:
                    last = Place(**one)
                    if wanted.has(json.loads(last.line)):
                        _print(last.line, as_json=as_json)
        except control_client.HungUp:
            _wait_for_restart(folder)
            with suppress(control_client.HungUp):  # a second restart is noticed above
                last = last.found_in([*control_client.ask(folder, Tail(0, follow=False))])


def _wait_for_restart(folder: Path) -> None:
    until = time.monotonic() + RESTART
    while time.monotonic() < until:
        if control_client.is_running(folder):
            return
        time.sleep(0.2)
    raise NotRunning("the server has stopped")


def _print(line: str, *, as_json: bool) -> None:
    if as_json:
        click.echo(line)
        return
    for row in worded(json.loads(line)):
        click.echo(row)


def worded(line: Mapping[str, Any]) -> Iterator[str]:
    """Yield the rows that show a line to people."""
    when = click.style(f"{_at(line).astimezone():%H:%M:%S}", fg="bright_black")
    event = click.style(f"{line['event']:14}", fg=COLOURS[line["level"]], bold=line["level"] == "error" or None)
    name = click.style(str(line["name"]), bold=True) if line.get("name") else ""
    rest = [f"{field} {value}" for field, value in line.items() if field not in PLAIN and value != ""]
    yield " ".join(part for part in (when, event, name, str(line.get("how", "")), ", ".join(rest)) if part).rstrip()
    for row in str(line.get("exception", "")).splitlines():
        yield f"         {row}"


def _at(line: Mapping[str, Any]) -> datetime:
    return datetime.fromisoformat(line["timestamp"])
