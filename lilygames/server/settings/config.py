"""Read the settings of a server: from options, the environment and a TOML file, in this order, else the defaults."""

from __future__ import annotations

import difflib
import os
import re
import textwrap
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs

from lilygames.chat.names.names import has_shape
from lilygames.server.settings import FIELDS, SUBJECTS, Settings
from lilygames.server.settings.setting import PREFIX, Field
from lilygames.text import WIDTH
from lilygames.tournaments import schedule

__all__ = ["FIELDS", "Loaded", "Misconfigured", "Settings", "describe", "load", "read", "unregistrable"]
CONFIG = f"{PREFIX}CONFIG"
"""The environment variable that names a settings file, as `--config` does."""
OTHER_VARIABLES = (CONFIG, f"{PREFIX}HANDOVER")
"""Variables with the prefix that set nothing: this one, and what a restarting server leaves to the next."""


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


_BOM = "\ufeff"
_TYPOGRAPHIC = "\u201c\u201d\u201e\u201f\u2018\u2019\u201a\u201b\u00ab\u00bb\u2033\uff02"
"""Quotes that word processors and chat programs put in place of straight ones."""
_KINDS: Mapping[type, tuple[tuple[type, ...], str]] = {
    str: ((str,), "a text in quotes"),
    Path: ((str, Path), "a path in quotes"),
    int: ((int,), "a whole number"),
    float: ((int, float), "a number"),
}


@attrs.frozen
class Loaded:
    """Settings, and where each that isn't a default is set: `FILE:LINE`, a variable or an option."""

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


@attrs.frozen
class Given:
    """A value as it was given, and where."""

    place: str
    value: Any


Source = Mapping[str, Given]
"""The values from one place, by setting."""


def load(file: Path | None = None, given: Mapping[str, Any] | None = None) -> Settings:
    """Return the settings, as `read` does. Raises `Misconfigured`."""
    return read(file, given).settings


def read(
    file: Path | None = None, given: Mapping[str, Any] | None = None, environment: Mapping[str, str] | None = None
) -> Loaded:
    """Return the settings, and where each is set.

    The options `given` on the command line override the environment, which overrides the file. Only the data folder
    can't be overridden. Raises `Misconfigured` for a file that can't be read, an unknown name and an invalid value, and
    for two different data folders.
    """
    sources = (
        _file(file) if file else {},
        _environment(os.environ if environment is None else environment),
        _options(given or {}),
    )
    found: dict[str, Given] = {}
    for source in sources:
        checked = {name: _checked(name, one) for name, one in _with_secrets_read(source).items()}
        _must_name_one_folder(found.get("data"), checked.get("data"))
        found |= checked
    values = {name: one.value for name, one in found.items()}
    loaded = Loaded(Settings(**values), {name: one.place for name, one in found.items()})
    for check in _CHECKS:
        check(loaded)
    return loaded


def _options(given: Mapping[str, Any]) -> Source:
    return {name: Given(f"--{name.replace('_', '-')}", value) for name, value in given.items()}


def _environment(environment: Mapping[str, str]) -> Source:
    """Return what the environment gives. An empty variable counts as not set, as in most programs."""
    named = {name: text for name, text in environment.items() if name.startswith(PREFIX) and text}
    return {
        name.removeprefix(PREFIX).lower(): Given(name, _of_text(name.removeprefix(PREFIX).lower(), text))
        for name, text in named.items()
        if name not in OTHER_VARIABLES
    }


def _of_text(name: str, text: str) -> Any:
    """Return a variable's text as a value of its setting's kind, or unchanged if it isn't one; a check follows."""
    kind = FIELDS[name].kind if name in FIELDS else str
    try:
        return kind(text)
    except ValueError:
        return text


def _file(file: Path) -> Source:
    """Return what a TOML file gives. Raises `Misconfigured`."""
    try:
        text = file.read_text("utf-8")
        if text.startswith(_BOM):
            raise Misconfigured(f"{file}:1: the file begins with a byte order mark (BOM): save it as UTF-8 without BOM")
        values = tomllib.loads(text)
    except OSError as problem:
        raise Misconfigured(f"can't read {file}: {problem.strerror or problem}") from None
    except UnicodeDecodeError:
        raise Misconfigured(f"{file} isn't in UTF-8: save it in that encoding") from None
    except tomllib.TOMLDecodeError as problem:
        raise Misconfigured(_toml_sentence(file, str(problem), text.splitlines())) from None
    return {key: Given(f"{file}:{_row(text, key)}", value) for key, value in values.items()}


def _toml_sentence(file: Path, message: str, rows: Sequence[str]) -> str:
    what, _, place = message.partition(" (at ")
    found = re.match(r"line (\d+)", place)
    row = int(found[1]) if found else len(rows)
    if quote := next((letter for letter in rows[row - 1] if letter in _TYPOGRAPHIC), ""):
        return f'{file}:{row}: {quote} is a typographic quote: use the straight " instead'
    return f"{file}:{row}: this is not TOML: {what[:1].lower()}{what[1:]}"


def _row(text: str, key: str) -> int:
    written = re.compile(rf"""\s*\[*\s*["']?{re.escape(key)}["']?\s*[]=.]""")
    return next((row for row, line in enumerate(text.splitlines(), 1) if written.match(line)), 1)


def _with_secrets_read(source: Source) -> Source:
    """Return what a source gives, with the content of a secret's file in place of its name."""
    found = dict(source)
    for name in (field.name for field in FIELDS.values() if field.about.secret):
        named = found.pop(f"{name}_file", None)
        if named is None or named.value == "":  # which means that there is none
            continue
        if name in found and found[name].value:
            raise Misconfigured(f"{named.place}: {name} and {name}_file are both set: remove one of them")
        found[name] = Given(named.place, _secret(named, f"{name}_file"))
    return found


def _secret(named: Given, name: str) -> str:
    """Return the content of a file with a secret, without the newline that editors add. Raises `Misconfigured`."""
    if not isinstance(named.value, str | Path):
        raise Misconfigured(f'{named.place}: {name} must be a path in quotes, like "/run/secrets/it"')
    try:
        return Path(named.value).read_text("utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as problem:
        why = problem.strerror if isinstance(problem, OSError) else "it isn't in UTF-8"
        raise Misconfigured(f"{named.place}: can't read {name} {named.value}: {why}") from None


def _checked(name: str, given: Given) -> Given:
    """Return a value in its setting's type. Raises `Misconfigured` for an unknown setting and an invalid value."""
    if name not in FIELDS:
        near = difflib.get_close_matches(name.casefold(), FIELDS, n=1, cutoff=0.5)
        hint = f"did you mean '{near[0]}'?" if near else f"the settings are {', '.join(FIELDS)}"
        raise Misconfigured(f"{given.place}: there is no setting '{name}'; {hint}")
    field, value = FIELDS[name], given.value
    types, sort = _KINDS[field.kind]
    if not isinstance(value, types) or isinstance(value, bool):
        raise Misconfigured(f"{given.place}: {name} must be {sort}, like {_literal(field.default)}")
    if not field.about.allows(value):
        wrong = "isn't valid" if field.about.secret else f"can't be {_literal(value)}"
        raise Misconfigured(f"{given.place}: {name} {wrong}: use {field.about.bounds}")
    return Given(given.place, field.kind(value))


def _must_name_one_folder(earlier: Given | None, later: Given | None) -> None:
    """Raise `Misconfigured` if two places name different data folders: one command would look where another doesn't."""
    if earlier and later and earlier.value.resolve() != later.value.resolve():
        raise Misconfigured(
            f"{later.place} says that the data folder is {later.value}, but {earlier.place} says {earlier.value}:"
            " change or remove one of them"
        )


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
    tls = ["tls_port"] if settings.speaks_tls("telnet") else []
    used = ["port", *tls, "machine_port", "web_port", "metrics_port"]
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
    if settings.web_push and not (settings.web_port and settings.web_address.startswith("https://")):
        what = "web_push is 1, so web_port must be set, and web_address must say where the page is, with https://"
        raise loaded.wrong(what, "web_push")


def _check_tournaments(loaded: Loaded) -> None:
    try:
        schedule.read(loaded.settings.tournaments)
    except ValueError as wrong:
        raise loaded.wrong(f"tournaments: {wrong}", "tournaments") from None


_CHECKS = (_check_sysops, _check_pauses, _check_ports, _check_mail, _check_tournaments)
"""Checks that need more than a setting's own `About`."""


def describe(settings: Settings | None = None) -> str:
    """Return the settings as a TOML file, each with its description as a comment. A secret is left out."""
    shown = settings or Settings()
    return "\n\n".join(block for subject in SUBJECTS for block in _blocks(subject, shown))


def _blocks(subject: type, shown: Settings) -> Iterator[str]:
    yield f"## {subject.__doc__}"
    for name in attrs.fields_dict(subject):
        yield f"{_comment(FIELDS[name])}\n{_line(FIELDS[name], getattr(shown, name))}"


def _comment(field: Field) -> str:
    bounds = f" ({field.about.bounds})" if field.about.bounds else ""
    instead = f" Or set {field.name}_file to a file that contains it." if field.about.secret else ""
    return textwrap.fill(f"{field.about.sentence}{bounds}{instead}", WIDTH, initial_indent="# ", subsequent_indent="# ")


def _line(field: Field, value: Any) -> str:
    if field.about.secret and value != field.default:
        return f"# {field.name} is set, but not shown: it can contain a password"
    return f"{field.name} = {_literal(value)}"


def _literal(value: object) -> str:
    """Return a value as TOML."""
    escaped = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return escaped if isinstance(value, int | float) else f'"{escaped}"'
