"""The settings of a place: each has a default and a sentence, and may stand in a TOML file or on the command line."""

from __future__ import annotations

import difflib
import re
import textwrap
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, get_args, get_type_hints
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import attrs

from lilygames.chat.names import has_shape
from lilygames.text import WIDTH, listing


class Misconfigured(Exception):
    """A setting cannot be used; the text says where it stands, what is wrong, and what would do.

    Whoever does not know where it stands gives its name as `setting`, for `Loaded.naming_places`.
    """

    def __init__(self, sentence: str, setting: str = "") -> None:
        super().__init__(sentence)
        self.setting = setting


@attrs.frozen
class About:
    """What a setting is for, in one sentence, and which values it may have: a range of numbers, or some words."""

    sentence: str
    least: float | None = None
    most: float | None = None
    words: tuple[str, ...] = ()

    @property
    def bounds(self) -> str:
        """The values it may have, in words; empty where any will do."""
        return listing(self.words, "or") if self.words else "" if self.least is None else f"{self.least} to {self.most}"

    def allows(self, value: Any) -> bool:
        """Whether it may have this value."""
        if self.least is not None and self.most is not None:
            return bool(self.least <= value <= self.most)
        return not self.words or value in self.words


@attrs.frozen
class Settings:
    """How one host is set up. The order is that of `lilygames settings`."""

    host: Annotated[
        str, About("The address to listen on: 127.0.0.1 is this machine only, 0.0.0.0 lets everybody in.")
    ] = "127.0.0.1"
    port: Annotated[int, About("The port to listen on; 0 takes any free one.", 0, 65535)] = 7777
    tls_port: Annotated[
        int, About("The port for TLS, where a certificate is given; 0 takes any free one.", 0, 65535)
    ] = 7778
    tls_cert: Annotated[
        str, About("The certificate for TLS, a file as `lilygames certificate` writes; empty is no TLS.")
    ] = ""
    tls_key: Annotated[str, About("The key of the certificate; empty where it stands in the same file.")] = ""
    data: Annotated[Path, About("The folder for all that survives, made if it is not there.")] = Path("data")
    store: Annotated[
        str,
        About(
            "Where it is kept: empty is one file in the data folder, sqlite:FILE another file;"
            " postgresql://USER:PASSWORD@HOST/NAME is a database that several nodes share."
        ),
    ] = ""
    bus: Annotated[
        str,
        About(
            "How nodes hint to each other: postgres is by their database, nats://HOST:PORT suits more than eight;"
            " local is for one node alone."
        ),
    ] = "postgres"
    unsafe: Annotated[
        int, About("1 lets a database be used that may lose what it has acknowledged, 0 does not.", 0, 1)
    ] = 0
    name: Annotated[str, About("The name of the place, as the greeting says it.")] = "lilygames"
    house_pause_min: Annotated[float, About("A house player thinks at least so many seconds.", 0, 60)] = 0.7
    house_pause_max: Annotated[float, About("A house player thinks at most so many seconds.", 0, 60)] = 2.0
    house_workers: Annotated[
        int, About("Processes in which strong house players think; 0 lets them think in the server's own.", 0, 64)
    ] = 1
    hash_memory: Annotated[int, About("Memory for hashing one password, in KiB.", 8192, 1048576)] = 65536
    hash_time: Annotated[int, About("Rounds of hashing one password.", 1, 100)] = 3
    patience: Annotated[
        float, About("Whose line drops may be back after so many seconds without a word about either.", 0, 600)
    ] = 10
    idle_minutes: Annotated[
        float, About("Whoever types nothing for so many minutes counts as away; 0 never.", 0, 100000)
    ] = 60
    seat_minutes: Annotated[
        float,
        About("Minutes for which a table is kept that only guests have left behind, or that has not begun.", 1, 100000),
    ] = 30
    seat_days: Annotated[
        float, About("Days for which a game is kept of which nobody with an account has been here.", 1, 100000)
    ] = 30
    timezone: Annotated[
        str, About("The time zone of the times of day that people read, a name like Europe/Berlin.")
    ] = "UTC"
    sysops: Annotated[
        str,
        About(
            "Sysops' names, with commas between. Nobody else can take these names;"
            " `lilygames claim NAME` lets their owner register one."
        ),
    ] = ""
    login_seconds: Annotated[float, About("Who has not given a name by then is shown out.", 1, 3600)] = 60
    wrong_passwords: Annotated[
        int, About("Wrong passwords from one address before it has to wait, longer with each more.", 1, 1000)
    ] = 6
    names_per_day: Annotated[
        int, About("New names with a password from one address in a day; more play as guests.", 1, 1000000)
    ] = 20
    logins_at_once: Annotated[
        int, About("Connections that have not given a name; more, and the address with the most loses one.", 1, 100000)
    ] = 200
    connections: Annotated[int, About("Connections in all.", 1, 100000)] = 2000
    connections_per_address: Annotated[
        int,
        About("Connections from one address (an IPv6 /64), which share a fifth of their lines and bytes.", 1, 100000),
    ] = 20
    connects_per_minute: Annotated[int, About("New connections from one address in a minute.", 1, 1000000)] = 60
    lines_per_second: Annotated[
        float, About("Lines of one connection; more are read slowly, then refused, then it is closed.", 0.1, 1000000)
    ] = 10
    bytes_per_second: Annotated[int, About("Bytes of one connection; more are read slowly.", 1024, 1000000000)] = 4096
    line_bytes: Annotated[int, About("Bytes of one line; a longer one is not taken.", 256, 65536)] = 4096
    option_bytes: Annotated[
        int, About("Bytes of telnet options at once, and again in each minute; for more one is cut.", 256, 1048576)
    ] = 16384
    metrics_port: Annotated[
        int, About("The port on loopback for /metrics (Prometheus) and /health; 0 is none.", 0, 65535)
    ] = 0
    log_format: Annotated[
        str, About("How the log on stderr is written: for people, or a JSON object a line.", words=("text", "json"))
    ] = "text"
    log_level: Annotated[
        str, About("How much the log on stderr tells.", words=("debug", "info", "warning", "error"))
    ] = "info"

    @property
    def house_pause(self) -> tuple[float, float]:
        """How many seconds a house player thinks, at least and at most."""
        return self.house_pause_min, self.house_pause_max

    @property
    def sysop_names(self) -> tuple[str, ...]:
        """The names of the sysops."""
        return tuple(self.sysops.replace(",", " ").split())


_KINDS: Mapping[type, tuple[tuple[type, ...], str]] = {
    str: ((str,), "a text in quotes"),
    Path: ((str, Path), "a path in quotes"),
    int: ((int,), "a whole number"),
    float: ((int, float), "a number"),
}


def _fields() -> dict[str, tuple[type, About]]:
    hints = get_type_hints(Settings, include_extras=True)
    return {name: get_args(hints[name]) for name in attrs.fields_dict(Settings)}


FIELDS: Mapping[str, tuple[type, About]] = _fields()
"""Every setting by name: its type, and what there is to say about it."""


@attrs.frozen
class Loaded:
    """Settings, and where each that is not a default was written: `FILE:LINE`, or the option of the command line."""

    settings: Settings
    places: Mapping[str, str]

    def wrong(self, what: str, *names: str) -> Misconfigured:
        """Return the complaint that names the place of the first of these settings that was written anywhere."""
        place = next((self.places[name] for name in names if name in self.places), "")
        return Misconfigured(f"{place}: {what}" if place else what)

    @contextmanager
    def naming_places(self) -> Iterator[None]:
        """Lead a complaint that names only a setting by its place."""
        try:
            yield
        except Misconfigured as problem:
            if problem.setting:
                raise self.wrong(str(problem), problem.setting) from problem
            raise


def load(file: Path | None = None, given: Mapping[str, Any] | None = None) -> Settings:
    """Return the settings of a TOML file with those `given` on the command line over them; raises `Misconfigured`."""
    return read(file, given).settings


def read(file: Path | None = None, given: Mapping[str, Any] | None = None) -> Loaded:
    """Return the settings of a TOML file with those `given` on the command line over them, and where each stands.

    Raises `Misconfigured` for a file that cannot be read, a key that no setting has, and a value that does not fit.
    """
    places, written = ({}, {}) if file is None else _read(file)
    options = {name: f"--{name.replace('_', '-')}" for name in given or {}}
    values = {name: _checked(options[name], name, value) for name, value in (given or {}).items()}
    loaded = Loaded(Settings(**written | values), places | options)
    for check in _CHECKS:
        check(loaded)
    return loaded


def _check_words(loaded: Loaded) -> None:
    settings = loaded.settings
    if not _is_zone(settings.timezone):
        raise loaded.wrong(
            f"timezone is “{settings.timezone}”, but may be UTC or a name like Europe/Berlin", "timezone"
        )
    if not re.match(r"(?:(?:sqlite|postgres(?:ql)?):.+)?\Z", settings.store):
        raise loaded.wrong("store names no store: it may be empty, sqlite:FILE or postgresql://...", "store")
    if not re.match(r"(?:local|postgres|nats://.+)\Z", settings.bus):
        raise loaded.wrong(f"bus is “{settings.bus}”, but may be local, postgres or nats://HOST:PORT", "bus")


def _check_pauses(loaded: Loaded) -> None:
    least, most = loaded.settings.house_pause
    if least > most:
        what = f"house_pause_min is {least:g}, more than house_pause_max, {most:g}: lower it"
        raise loaded.wrong(what, "house_pause_min", "house_pause_max")


def _check_ports(loaded: Loaded) -> None:
    settings = loaded.settings
    used = ["port", *(["tls_port"] if settings.tls_cert else []), "metrics_port"]
    for later, earlier in [(used[late], early) for late in range(len(used)) for early in used[:late]]:
        if getattr(settings, later) == getattr(settings, earlier) != 0:
            what = f"{earlier} and {later} are both {getattr(settings, later)}: give each a port of its own"
            raise loaded.wrong(what, later, earlier)


_CHECKS = (_check_words, _check_pauses, _check_ports)
"""What has to hold of several settings, or cannot be told by a range."""


def _is_zone(name: str) -> bool:
    try:
        return name == "UTC" or bool(ZoneInfo(name))
    except (OSError, ValueError, ZoneInfoNotFoundError):
        return False


def describe(settings: Settings | None = None) -> str:
    """Return the settings as the TOML file that would set them, each under its sentence."""
    shown = settings or Settings()
    return "\n\n".join(f"{_comment(about)}\n{_line(shown, name)}" for name, (_, about) in FIELDS.items())


def _comment(about: About) -> str:
    text = f"{about.sentence} ({about.bounds})" if about.bounds else about.sentence
    return textwrap.fill(text, WIDTH, initial_indent="# ", subsequent_indent="# ")


def _line(settings: Settings, name: str) -> str:
    value = getattr(settings, name)
    return f"{name} = {value}" if isinstance(value, int | float) else f'{name} = "{_escaped(str(value))}"'


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _read(file: Path) -> tuple[dict[str, str], dict[str, Any]]:
    """Return where each setting stands in a file, and its value; raises `Misconfigured`."""
    try:
        text = file.read_text("utf-8")
        values = tomllib.loads(text)
    except OSError as problem:
        raise Misconfigured(f"{file} cannot be read: {problem.strerror or problem}") from None
    except UnicodeDecodeError:
        raise Misconfigured(f"{file} is no text in UTF-8: save it as such") from None
    except tomllib.TOMLDecodeError as problem:
        raise Misconfigured(_toml_sentence(file, str(problem), len(text.splitlines()))) from None
    places = {key: f"{file}:{_row(text, key)}" for key in values}
    return places, {key: _checked(places[key], key, value) for key, value in values.items()}


def _toml_sentence(file: Path, message: str, last: int) -> str:
    what, _, place = message.partition(" (at ")
    row = re.match(r"line (\d+)", place)
    return f"{file}:{row[1] if row else last}: this is not TOML: {what[:1].lower()}{what[1:]}"


def _row(text: str, key: str) -> int:
    written = re.compile(rf"""\s*\[*\s*["']?{re.escape(key)}["']?\s*[]=.]""")
    return next((row for row, line in enumerate(text.splitlines(), 1) if written.match(line)), 1)


def _checked(where: str, key: str, value: Any) -> Any:
    if key not in FIELDS:
        near = difflib.get_close_matches(key.casefold(), FIELDS, n=1, cutoff=0.5)
        hint = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(FIELDS)}"
        raise Misconfigured(f"{where}: no setting is called '{key}'; {hint}")
    kind, about = FIELDS[key]
    types, sort = _KINDS[kind]
    if not isinstance(value, types) or isinstance(value, bool):
        raise Misconfigured(f"{where}: {key} is {sort}, like {_line(Settings(), key).partition(' = ')[2]}")
    if not about.allows(value):
        raise Misconfigured(f"{where}: {key} is {value}, but may be {about.bounds}")
    if key == "sysops":
        _check_shapes(where, str(value))
    return kind(value)


def _check_shapes(where: str, sysops: str) -> None:
    """Raise `Misconfigured` for a sysop's name that no person could have."""
    for name in sysops.replace(",", " ").split():
        if not has_shape(name):
            wish = "a name is 2 to 16 letters, digits, - or _, and begins with a letter"
            raise Misconfigured(f"{where}: sysops has the name “{name}”, which nobody can register: {wish}")
