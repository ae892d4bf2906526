"""The events that the server logs by name, with what each line says.

Each function writes one line. Its event is the name of the function, with spaces. `how` is always one of a few fixed
words, because metrics count by it. Nothing here takes what people said or typed, nor a password, word or token.

All other lines of the log are sentences: warnings that end without the sysop, and errors that need them.
"""

from __future__ import annotations

import logging
import secrets
from types import FunctionType
from typing import Literal

import structlog

log = structlog.get_logger()

Login = Literal["account", "guest", "resumed"]
Logout = Literal["quit", "lost"]
Start = Literal["start", "reload"]
End = Literal["finished", "adjudicated", "abandoned"]
Limit = Literal[
    "connections",
    "connections_per_address",
    "connects_per_minute",
    "logins_at_once",
    "option_bytes",
    "lines_per_second",
    "slow reader",
    "wrong_passwords",
    "names_per_day",
]
"""A limit that someone exceeded: a setting, or the buffer of a reader who is too slow."""


# the server


def started(how: Start, *, version: str, ports: str, data: str, seconds: float, people: int, tables: int) -> None:
    """The server is ready: after a start, or after a reload with the same process number."""
    log.info(
        "started",
        how=how,
        version=version,
        ports=ports,
        data=data,
        seconds=round(seconds, 2),
        people=people,
        tables=tables,
    )


def listening(kind: str, address: str) -> None:
    """A port is open. With `log_format = "text"` this is a line on stdout instead."""
    log.info("listening", kind=kind, address=address)


def certificate_renewed(*, until: str) -> None:
    """New connections get a new TLS certificate, which is valid until that day."""
    log.info("certificate renewed", until=until)


def stopping(*, people: int, tables: int) -> None:
    """The server was asked to stop, and disconnects everyone."""
    log.info("stopping", people=people, tables=tables)


def stopped() -> None:
    """The server has stopped as asked."""
    log.info("stopped")


def reloading(*, version: str, people: int, tables: int) -> None:
    """The server becomes the next process. `started` follows with the new version."""
    log.info("reloading", version=version, people=people, tables=tables)


def reload_refused(why: str) -> str:
    """A reload was asked for, but the new program, its settings or the store can't be used. Return the case number."""
    case = secrets.token_hex(3)
    log.error("reload refused", case=case, why=why)
    return case


def takeover_failed(why: str) -> None:
    """The next process has ended while it took over, so this one goes on. Nobody is disconnected."""
    log.error("takeover failed", why=why)


def failed(why: str, code: int) -> None:
    """The server can't start or can't continue, and ends with this exit code."""
    log.error("failed", why=why, code=code)


def output(text: str) -> None:
    """Something other than the log wrote a line to stderr: a library, or a process that the server started."""
    log.warning("output", text=text)


def uncaught(*, where: str, bug: BaseException | None = None, traceback: str = "") -> None:
    """An error that nothing caught, in the server, a thread or a child. Nobody was told the case number."""
    more: dict[str, object] = {"exception": traceback} if traceback else {"exc_info": bug}
    log.error("uncaught", case=secrets.token_hex(3), where=where, **more)


# people


def login(name: str, how: Login, *, address: str) -> None:
    """Someone logged in: to an account, as a guest, or by resuming a session."""
    log.info("login", name=name, how=how, address=address)


def logout(name: str, how: Logout) -> None:
    """Someone left with a command, or their connection was lost."""
    log.info("logout", name=name, how=how)


def registered(name: str, *, address: str) -> None:
    """Someone chose a password for a new name."""
    log.info("registered", name=name, address=address)


def password_changed(name: str) -> None:
    """Someone changed their password."""
    log.info("password changed", name=name)


def password_replaced(name: str) -> None:
    """Someone chose a new password with a one-time word."""
    log.info("password replaced", name=name)


def unregistering(name: str, *, days: float) -> None:
    """Someone's account will be deleted after some days."""
    log.info("unregistering", name=name, days=days)


def unregistering_cancelled(name: str) -> None:
    """Someone logged in, or typed /unregister no, so their account stays."""
    log.info("unregistering cancelled", name=name)


def account_deleted(number: int) -> None:
    """An account was deleted. Deletions are numbered, because the name is gone."""
    log.info("account deleted", number=number)


def renamed(old: str, new: str) -> None:
    """Someone changed their name."""
    log.info("renamed", name=new, old=old)


def wrong_password(name: str, *, address: str) -> None:
    """A wrong password or return word was typed for the name of an account."""
    log.info("wrong password", name=name, address=address)


def moderated(how: str, *, by: str, whom: str, until: str = "") -> None:
    """A moderator did something to someone: `how` is the command. The reason is in /audit, not here."""
    log.warning("moderated", how=how, by=by, name=whom, until=until)


# tables


def table_opened(number: int, game: str, *, by: str) -> None:
    """Someone opened a table."""
    log.info("table opened", table=number, game=game, name=by)


def table_begun(number: int, game: str, *, people: int, bots: int) -> None:
    """A game began."""
    log.info("table begun", table=number, game=game, people=people, bots=bots)


def table_ended(number: int, game: str, how: End, *, entries: int) -> None:
    """A game ended, or everyone left before the end."""
    log.info("table ended", table=number, game=game, how=how, entries=entries)


def table_stopped(number: int, game: str, *, case: str, bug: BaseException) -> None:
    """A bug or an unreadable log stopped a table."""
    log.error("table stopped", table=number, game=game, case=case, exc_info=bug)


# limits


def limit(how: Limit | str, *, address: str, name: str = "", why: str = "", scope: str = "") -> None:
    """Someone was refused or disconnected because they exceeded a limit: a setting, or a quota in some scope."""
    more = {key: value for key, value in (("name", name), ("why", why), ("scope", scope)) if value}
    log.warning("limit", how=how, address=address, **more)


# storage


def store_lost(why: str, *, replaced: bool) -> None:
    """Nothing can be saved: the store doesn't answer (a warning), or it was removed or replaced (an error)."""
    log.log(logging.ERROR if replaced else logging.WARNING, "store lost", why=why)


def store_back(*, seconds: float) -> None:
    """The store saves again; it didn't for `seconds`."""
    log.warning("store back", seconds=round(seconds, 1))


def bus_lost(why: str) -> None:
    """The bus is down. Nodes check the store until it is back."""
    log.warning("bus lost", why=why)


def bus_back() -> None:
    """The bus works again."""
    log.warning("bus back")


EVENTS = frozenset(
    name.replace("_", " ")
    for name, function in globals().copy().items()
    if isinstance(function, FunctionType) and function.__module__ == __name__
)
"""The events above. A metric counts the lines of each."""
