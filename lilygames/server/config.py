"""Settings: each has a default and a description, and can be set in a TOML file or on the command line."""

from __future__ import annotations

import difflib
import os
import re
import textwrap
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, get_args, get_type_hints
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import attrs

from lilygames.chat.names import has_shape
from lilygames.mailing.options import SERVER, MailOptions, is_address
from lilygames.text import WIDTH, listing


class Misconfigured(Exception):
    """A setting can't be used. The text says where it is set, what is wrong, and what to use instead.

    If the caller doesn't know where it is set, `setting` is its name, for `Loaded.naming_places`.
    """

    def __init__(self, sentence: str, setting: str = "") -> None:
        super().__init__(sentence)
        self.setting = setting


def unregistrable(name: str, why: str) -> Misconfigured:
    """Return the error for a sysop's name that nobody can register."""
    return Misconfigured(f"sysops has the name “{name}”, which nobody can register: {why}", "sysops")


def _is_zone(name: str) -> bool:
    try:
        return name == "UTC" or bool(ZoneInfo(name))
    except (OSError, ValueError, ZoneInfoNotFoundError):
        return False


def _may_be_address(text: str) -> bool:
    return not text or is_address(text)


def _may_unsubscribe(text: str) -> bool:
    return _may_be_address(text) or (text.startswith("https://") and bool(SERVER.fullmatch(text)))


def _are_servers(text: str) -> bool:
    return all(map(SERVER.fullmatch, text.replace(",", " ").split()))


@attrs.frozen
class About:
    """A setting's description, and its valid values: a range of numbers, some words, or text that `fits`."""

    sentence: str
    least: float | None = None
    most: float | None = None
    words: tuple[str, ...] = ()
    fits: Callable[[str], object] | None = None

    @property
    def bounds(self) -> str:
        """The valid values in words; empty if any is valid."""
        return listing(self.words, "or") if self.words else "" if self.least is None else f"{self.least} to {self.most}"

    def allows(self, value: Any) -> bool:
        """Return whether a value is valid."""
        if self.least is not None and self.most is not None:
            return bool(self.least <= value <= self.most)
        return bool(self.fits(value)) if self.fits else not self.words or value in self.words


@attrs.frozen
class Settings:
    """The settings of a server, in the order of `lilygames settings`."""

    host: Annotated[str, About("Address to listen on. 127.0.0.1 allows only this machine, 0.0.0.0 any address.")] = (
        "127.0.0.1"
    )
    port: Annotated[int, About("Port to listen on. 0 picks a free one.", 0, 65535)] = 7777
    tls_port: Annotated[int, About("Port for TLS, used if tls_cert is set. 0 picks a free one.", 0, 65535)] = 7778
    tls_cert: Annotated[
        str, About("Certificate file for TLS, such as `lilygames certificate` creates. Empty turns TLS off.")
    ] = ""
    tls_key: Annotated[str, About("Key file of the certificate. Empty if the certificate file contains it.")] = ""
    data: Annotated[Path, About("Data folder. It is created if it is missing.")] = Path("data")
    store: Annotated[
        str,
        About(
            "Where data is stored. Empty means a file in the data folder, sqlite:FILE any file. Several nodes share a"
            " database.",
            words=('""', "sqlite:FILE", "postgresql://USER:PASSWORD@HOST/NAME"),
            fits=re.compile(r"(?:(?:sqlite|postgres(?:ql)?):.+)?").fullmatch,
        ),
    ] = ""
    bus: Annotated[
        str,
        About(
            "How nodes notify each other. postgres uses their database, NATS suits more than eight nodes, local is"
            " for a single node.",
            words=("local", "postgres", "nats://HOST:PORT"),
            fits=re.compile(r"local|postgres|nats://.+").fullmatch,
        ),
    ] = "postgres"
    unsafe: Annotated[int, About("1 allows a database that may lose saved moves in a crash, 0 refuses it.", 0, 1)] = 0
    name: Annotated[str, About("Name of the server in the greeting.")] = "lilygames"
    greeting: Annotated[
        str,
        About(
            "Line of your own in the greeting, for everyone who connects. Empty leaves it out.",
            words=("one line of at most 200 characters",),
            fits=re.compile(r"[^\x00-\x1f\x7f-\x9f]{0,200}").fullmatch,
        ),
    ] = ""
    house_pause_min: Annotated[float, About("Minimum seconds that a bot pauses before a move.", 0, 60)] = 0.4
    house_pause_max: Annotated[
        float,
        About("Maximum seconds that a bot pauses before a move. A row of bots' moves has at most five pauses.", 0, 60),
    ] = 0.4
    commit_seconds: Annotated[
        float,
        About("Seconds that a start waits for a client that has just been asked to commit. 0 never waits.", 0, 60),
    ] = 2
    reveal_seconds: Annotated[
        float, About("Seconds that a client has to reveal its number. After that the shuffle is void.", 1, 600)
    ] = 10
    house_workers: Annotated[
        int, About("Processes for strong bots to think in. 0 uses the server's own process.", 0, 64)
    ] = 1
    hash_memory: Annotated[int, About("Memory in KiB to hash a password.", 8192, 1048576)] = 65536
    hash_time: Annotated[int, About("Number of rounds to hash a password.", 1, 100)] = 3
    patience: Annotated[
        float, About("Seconds a disconnected player has to reconnect before the others are told.", 0, 600)
    ] = 10
    idle_minutes: Annotated[
        float, About("Minutes without typing after which someone counts as away. 0 means never.", 0, 100000)
    ] = 60
    no_show_seconds: Annotated[
        float, About("Seconds after which a bot gets the seat of a tournament's player who isn't there.", 0, 3600)
    ] = 180
    seat_minutes: Annotated[
        float,
        About(
            "Minutes until a table closes that hasn't started or has only guests, after everyone has left.", 1, 100000
        ),
    ] = 30
    seat_days: Annotated[
        float, About("Days until a started game closes, after all its players with an account have left.", 1, 100000)
    ] = 30
    timezone: Annotated[
        str,
        About("Time zone of the times that people see.", words=("UTC", "a name like Europe/Berlin"), fits=_is_zone),
    ] = "UTC"
    beacon_chain: Annotated[
        str,
        About(
            "Chain hash of the drand beacon whose number of the day goes into the daily deals. Empty uses none.",
            words=('""', "64 hexadecimal digits"),
            fits=re.compile(r"(?:[0-9a-f]{64})?").fullmatch,
        ),
    ] = ""
    beacon_url: Annotated[
        str,
        About(
            "Address of the drand HTTP interface that is asked for it, shortly after midnight.",
            words=("https://HOST/", "http://HOST:PORT/"),
            fits=re.compile(r"https?://\S+").fullmatch,
        ),
    ] = "https://api.drand.sh"
    sysops: Annotated[
        str,
        About(
            "Sysops' names, separated by commas. They are reserved: run `lilygames claim NAME` so that their owner"
            " can register one."
        ),
    ] = ""
    login_seconds: Annotated[float, About("Seconds to log in before the connection is closed.", 1, 3600)] = 60
    wrong_passwords: Annotated[
        int, About("Wrong passwords from one address before it has to wait, longer each time.", 1, 1000)
    ] = 6
    names_per_day: Annotated[
        int, About("New accounts per address and day. More people from there can only play as guests.", 1, 1000000)
    ] = 20
    logins_at_once: Annotated[
        int,
        About(
            "Maximum connections that haven't logged in. Over the limit, one from the busiest address is closed.",
            1,
            100000,
        ),
    ] = 200
    connections: Annotated[int, About("Maximum connections.", 1, 100000)] = 2000
    connections_per_address: Annotated[
        int,
        About(
            "Maximum connections per address (IPv6 /64). Together they may send a fifth of what they could separately.",
            1,
            100000,
        ),
    ] = 20
    connects_per_minute: Annotated[int, About("Maximum new connections per minute per address.", 1, 1000000)] = 60
    lines_per_second: Annotated[
        float,
        About(
            "Lines per second per connection. More have to wait, then are refused, then the connection is closed.",
            0.1,
            1000000,
        ),
    ] = 10
    bytes_per_second: Annotated[int, About("Bytes per second per connection. More have to wait.", 1024, 1000000000)] = (
        4096
    )
    line_bytes: Annotated[int, About("Maximum bytes in a line. A longer one is refused.", 256, 65536)] = 4096
    option_bytes: Annotated[
        int,
        About("Bytes of telnet options per minute per connection. Over the limit, it is closed.", 256, 1048576),
    ] = 16384
    metrics_port: Annotated[
        int, About("Loopback port for /metrics (Prometheus) and /health. 0 turns them off.", 0, 65535)
    ] = 0
    public_address: Annotated[
        str,
        About(
            "Where people connect, for mails: a host name and a port. Mail and push need it.",
            words=("a text like games.example 7777",),
            fits=re.compile(r"(?:[A-Za-z0-9.:-]{1,253} [0-9]{1,5})?").fullmatch,
        ),
    ] = ""
    mail_host: Annotated[str, About("SMTP server that sends mail for slow games. Empty turns mail off.")] = ""
    mail_port: Annotated[int, About("Port of the SMTP server: usually 587 for starttls, 465 for tls.", 1, 65535)] = 587
    mail_tls: Annotated[
        str,
        About(
            "Encryption to the SMTP server. Use none only on this machine or in your own network.",
            words=("starttls", "tls", "none"),
        ),
    ] = "starttls"
    mail_user: Annotated[str, About("User name at the SMTP server. Empty means without logging in.")] = ""
    mail_password_file: Annotated[
        str,
        About("File with the password at the SMTP server. Empty means the environment's LILYGAMES_MAIL_PASSWORD."),
    ] = ""
    mail_from: Annotated[
        str,
        About(
            "Address that mails come from. Bounces and requests to unsubscribe go there, too.",
            words=("an address like games@example.org",),
            fits=_may_be_address,
        ),
    ] = ""
    mail_unsubscribe: Annotated[
        str,
        About(
            "Where requests to unsubscribe go: an address, or an https URL that passes its token to `lilygames"
            " unsubscribe`. Empty means mail_from.",
            words=("an address", "an https URL"),
            fits=_may_unsubscribe,
        ),
    ] = ""
    push_servers: Annotated[
        str,
        About(
            "Servers for push messages (ntfy), separated by commas. Empty turns push off.",
            words=("URLs like https://ntfy.example",),
            fits=_are_servers,
        ),
    ] = ""
    log_format: Annotated[
        str, About("Format of the log on stderr: text for people, or one JSON object per line.", words=("text", "json"))
    ] = "text"
    log_level: Annotated[
        str, About("Least severe level that is logged on stderr.", words=("debug", "info", "warning", "error"))
    ] = "info"

    @property
    def house_pause(self) -> tuple[float, float]:
        """Minimum and maximum seconds that a bot pauses before a move."""
        return self.house_pause_min, max(self.house_pause_min, self.house_pause_max)

    @property
    def sysop_names(self) -> tuple[str, ...]:
        """The names of the sysops."""
        return tuple(self.sysops.replace(",", " ").split())

    @property
    def mail_options(self) -> MailOptions:
        """How to send mail and push messages. Raises `Misconfigured` if the password can't be read."""
        return MailOptions(
            name=self.name,
            address=self.public_address,
            host=self.mail_host,
            port=self.mail_port,
            tls=self.mail_tls,
            user=self.mail_user,
            password=_mail_password(self.mail_password_file) if self.mail_host else "",
            sender=self.mail_from,
            unsubscribe=self.mail_unsubscribe,
            push_servers=tuple(server.rstrip("/") for server in self.push_servers.replace(",", " ").split()),
        )


def _mail_password(file: str) -> str:
    """Return the password at the SMTP server, from a file or the environment. Raises `Misconfigured`."""
    if not file:
        return os.environ.get("LILYGAMES_MAIL_PASSWORD", "")
    try:
        return Path(file).read_text("utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as problem:
        why = problem.strerror if isinstance(problem, OSError) else "it isn't in UTF-8"
        raise Misconfigured(f"can't read mail_password_file {file}: {why}", "mail_password_file") from None


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
"""Type and description of every setting, by name."""


@attrs.frozen
class Loaded:
    """Settings, and where each that isn't a default is set: `FILE:LINE` or a command-line option."""

    settings: Settings
    places: Mapping[str, str]

    def wrong(self, what: str, *names: str) -> Misconfigured:
        """Return an error with the place of the first of these settings that isn't a default."""
        place = next((self.places[name] for name in names if name in self.places), "")
        return Misconfigured(f"{place}: {what}" if place else what)

    @contextmanager
    def naming_places(self) -> Iterator[None]:
        """Add the place of the setting to errors that name only the setting."""
        try:
            yield
        except Misconfigured as problem:
            if problem.setting:
                raise self.wrong(str(problem), problem.setting) from problem
            raise


def load(file: Path | None = None, given: Mapping[str, Any] | None = None) -> Settings:
    """Return the settings of a TOML file, overridden by those `given` on the command line. Raises `Misconfigured`."""
    return read(file, given).settings


def read(file: Path | None = None, given: Mapping[str, Any] | None = None) -> Loaded:
    """Return the settings of a TOML file, overridden by those `given` on the command line, and where each is set.

    Raises `Misconfigured` for a file that can't be read, an unknown key and an invalid value.
    """
    places, written = ({}, {}) if file is None else _read(file)
    options = {name: f"--{name.replace('_', '-')}" for name in given or {}}
    values = {name: _checked(options[name], name, value) for name, value in (given or {}).items()}
    loaded = Loaded(Settings(**written | values), places | options)
    for check in _CHECKS:
        check(loaded)
    return loaded


def _check_sysops(loaded: Loaded) -> None:
    for name in loaded.settings.sysop_names:
        if not has_shape(name):
            problem = unregistrable(name, "a name is 2 to 16 letters, digits, - or _, and begins with a letter")
            raise loaded.wrong(str(problem), "sysops")


def _check_pauses(loaded: Loaded) -> None:
    least, most = loaded.settings.house_pause_min, loaded.settings.house_pause_max
    if least > most and "house_pause_max" in loaded.places:  # else the default follows the minimum
        what = f"house_pause_min ({least:g}) is more than house_pause_max ({most:g}): lower it"
        raise loaded.wrong(what, "house_pause_min", "house_pause_max")


def _check_ports(loaded: Loaded) -> None:
    settings = loaded.settings
    used = ["port", *(["tls_port"] if settings.tls_cert else []), "metrics_port"]
    for later, earlier in [(used[late], early) for late in range(len(used)) for early in used[:late]]:
        if getattr(settings, later) == getattr(settings, earlier) != 0:
            what = f"{earlier} and {later} are both {getattr(settings, later)}: use different ports"
            raise loaded.wrong(what, later, earlier)


def _check_mail(loaded: Loaded) -> None:
    settings = loaded.settings
    sends = "mail_host" if settings.mail_host else "push_servers" if settings.push_servers else ""
    if sends and not settings.public_address:
        what = f"{sends} is set, so public_address must say where people connect, such as games.example 7777"
        raise loaded.wrong(what, sends)
    if settings.mail_host and not settings.mail_from:
        raise loaded.wrong("mail_host is set, so mail_from must be the address that mails come from", "mail_host")


_CHECKS = (_check_sysops, _check_pauses, _check_ports, _check_mail)
"""Checks that need more than a setting's own `About`."""


def describe(settings: Settings | None = None) -> str:
    """Return the settings as a TOML file, each with its description as a comment."""
    shown = settings or Settings()
    return "\n\n".join(f"{_comment(about)}\n{_line(shown, name)}" for name, (_, about) in FIELDS.items())


def _comment(about: About) -> str:
    text = f"{about.sentence} ({about.bounds})" if about.bounds else about.sentence
    return textwrap.fill(text, WIDTH, initial_indent="# ", subsequent_indent="# ")


def _line(settings: Settings, name: str) -> str:
    return f"{name} = {_literal(getattr(settings, name))}"


def _literal(value: object) -> str:
    """Return a value as TOML."""
    escaped = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return escaped if isinstance(value, int | float) else f'"{escaped}"'


def _read(file: Path) -> tuple[dict[str, str], dict[str, Any]]:
    """Return the place and the value of each setting in a file. Raises `Misconfigured`."""
    try:
        text = file.read_text("utf-8")
        values = tomllib.loads(text)
    except OSError as problem:
        raise Misconfigured(f"can't read {file}: {problem.strerror or problem}") from None
    except UnicodeDecodeError:
        raise Misconfigured(f"{file} isn't in UTF-8: save it in that encoding") from None
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
        hint = f"did you mean '{near[0]}'?" if near else f"the settings are {', '.join(FIELDS)}"
        raise Misconfigured(f"{where}: there is no setting '{key}'; {hint}")
    kind, about = FIELDS[key]
    types, sort = _KINDS[kind]
    if not isinstance(value, types) or isinstance(value, bool):
        raise Misconfigured(f"{where}: {key} must be {sort}, like {_literal(getattr(Settings(), key))}")
    if not about.allows(value):
        raise Misconfigured(f"{where}: {key} can't be {_literal(value)}: use {about.bounds}")
    return kind(value)
