"""One visit: the greeting, logging in, and every line until the person hangs up."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial

import structlog

from lilygames.chat.accounts import SHORTEST, Account
from lilygames.chat.coming import arrive, depart
from lilygames.chat.host import Host
from lilygames.chat.names import allowed, fold
from lilygames.chat.people import Person
from lilygames.chat.settings_verbs import change
from lilygames.chat.sorry import Sorry
from lilygames.chat.terminal import Gone, Terminal, unheard
from lilygames.store import Unavailable
from lilygames.text import Line, Prompt, Voice, clean, count

log = structlog.get_logger()
_SEEN = re.compile(r"(\d{1,9}):(\d{1,9})", re.ASCII)
TRIES = 5
"""Wrong passwords after which the line is closed."""


async def visit(host: Host, terminal: Terminal) -> None:
    """Serve one terminal from greeting to goodbye. Returns when it has hung up; the seat of its person is kept."""
    await _visited(host, terminal, _in_time)


async def go_on(host: Host, terminal: Terminal, person: Person) -> None:
    """Serve the terminal of somebody who is here already: another process has served them until now."""

    async def here(_: Host, __: Terminal) -> Person:
        return person

    await _visited(host, terminal, here)


async def _visited(host: Host, terminal: Terminal, come: Callable[[Host, Terminal], Awaitable[Person]]) -> None:
    person = None
    try:
        person = await come(host, terminal)
        heard_at_once = partial(_heard_at_once, host, terminal, person)
        while person.terminal is terminal:
            terminal.at_once = heard_at_once
            line = await terminal.read()
            terminal.at_once = unheard
            if person.terminal is terminal:  # a newer line may have taken over while this one was typed
                await host.hear(person, line)
    except Gone:
        pass
    finally:
        if person and person.terminal is terminal:
            depart(host, person)
        terminal.close()


def _heard_at_once(host: Host, terminal: Terminal, person: Person, line: str) -> bool:
    """Hear what is only said; returns False for any other line, and where a newer terminal has taken over."""
    return person.terminal is terminal and host.hear_at_once(person, line)


async def _in_time(host: Host, terminal: Terminal) -> Person:
    _greet(host, terminal)
    try:
        async with asyncio.timeout(host.login_seconds):
            return await _log_in(host, terminal)
    except TimeoutError:
        terminal.show(Line("(nobody has given a name in time; connect again when you like)"))
        raise Gone from None


def _greet(host: Host, terminal: Terminal) -> None:
    """Say what fits a phone as well: how wide the screen is, is not known yet."""
    here = len(host.people.audience.here)
    people = count(here, "person", "people") if here else "Nobody"
    terminal.show(
        Line(f"Welcome to lily at {host.name}"),
        Line(f"{people} here, {count(host.playing(), 'table')} playing."),
        Line("Screen reader? Type: reader"),
        Line("New? Type a name, or just: guest"),
    )


async def _log_in(host: Host, terminal: Terminal) -> Person:
    """Return the person who has given a name and what goes with it; raises `Gone`."""
    wrong, listens = 0, False
    while wrong < TRIES:
        terminal.ask(Prompt("login: "))
        name, _, word = clean(await terminal.read()).strip().partition(" ")
        try:
            match fold(name):
                case "":
                    continue
                case "reader":
                    listens, terminal.voice = True, Voice(spoken=True)
                    terminal.show(Line("Lines are short now, cards and dice in words; /help reader says the rest."))
                    continue
                case "quit" | "bye" | "exit" | "/quit" | "/bye":
                    break
                case _:
                    person = await _comes(host, terminal, name, word.strip())
        except Sorry as problem:
            wrong += "wrong" in str(problem)
            terminal.show(Line(f"Refused: {problem}"))
        except Unavailable as problem:
            log.warning("a name could not be looked up", why=str(problem))
            terminal.show(Line("Refused: names cannot be looked up just now; try again in a moment."))
        else:
            if listens:
                change(host, person, "reader", "on")
            return person
    raise Gone


async def _comes(host: Host, terminal: Terminal, name: str, word: str) -> Person:
    """Return who comes in by a name and what was typed behind it: a guest, a session taken up, an account."""
    match fold(name):
        case "guest":
            return await _some_guest(host, terminal)
        case "resume":
            return await _resumed(host, terminal, word.split())
    return await _named(host, terminal, name, word)


async def _resumed(host: Host, terminal: Terminal, words: Sequence[str]) -> Person:
    """Take up a session by its token, and tell what has happened at tables since the entries named: `12:30`."""
    session = host.tokens.opened(words[0], host.clock()) if words and host.tokens else None
    if session is None:
        raise Sorry("that token opens nothing here, or is too old; log in with your name.")
    account = await host.accounts.get(session.name)
    if session.guest != (account is None or account.guest) or (account and account.stamp != session.stamp):
        raise Sorry("that token was ended by a new name or password; log in again.")
    held = fold(session.name) in host.people or fold(session.name) in host.accounts.known
    if (held or not session.guest) and host.accounts.key(session.name) != session.key:
        raise Sorry(f"{session.name} is somebody else's name now; log in with another.")
    if session.guest:
        host.accounts.known_by(session.name, session.key)
    pairs = [_SEEN.fullmatch(word) for word in words[1:]]
    seen = {int(pair[1]): int(pair[2]) for pair in pairs if pair}
    return await _entered(host, terminal, session.name, guest=session.guest, seen=seen)


async def _some_guest(host: Host, terminal: Terminal) -> Person:
    """Let a guest in under the first number that is nobody's."""
    free = (name for name in host.people.guests() if not _held(host, name))
    for name in free:
        if not host.accounts.look_alike(name) and await host.claim(f"name {name}"):
            break
    return await _new_guest(host, terminal, name)


def _held(host: Host, name: str) -> bool:
    """Whether a name is somebody's now: here, choosing a password, or away from a seat that is kept."""
    return fold(name) in host.people or fold(name) in host.newcomers or host.keeps_seat(name)


async def _named(host: Host, terminal: Terminal, name: str, word: str) -> Person:
    account = await host.accounts.get(name)
    if account and await _still_kept(host, account):
        await _prove(host, terminal, account, word)
        return await _entered(host, terminal, account.name, guest=account.guest)
    if fold(host.accounts.now(name)) != fold(name):
        raise Sorry(f"{name} is called {host.accounts.now(name)} now; log in by that name.")
    check_free(host, name)
    return await _newcomer(host, terminal, name)


def check_free(host: Host, name: str, but: Person | None = None) -> None:
    """Raise `Sorry` where a name may not be taken: it is the house's, or is or looks like that of anybody but one."""
    allowed(name, host.house_names)
    rooms = [room for room in host.rooms.twins(name) if fold(room.name) == fold(name) or not room.charter.private]
    if rooms:
        raise Sorry(f"{name} is a name of the house; choose another.")
    if _held(host, name) and host.people.get(fold(name)) is not but:
        raise Sorry(f"{name} is here already; choose another name.")
    here = [other.name for other in host.people.twins(name) if other is not but]
    if twin := host.accounts.look_alike(name, host.accounts.key(but.name) if but else "") or next(iter(here), ""):
        raise Sorry(f"{name} looks too much like {twin}; choose another name.")


async def _still_kept(host: Host, account: Account) -> bool:
    """A guest's name is kept while it holds a seat or is here; an account's for good."""
    if not account.guest or host.keeps_seat(account.name) or fold(account.name) in host.people:
        return True
    await host.accounts.forget(account.name)
    return False


async def _prove(host: Host, terminal: Terminal, account: Account, word: str) -> None:
    check_open(host, terminal)
    what = "return word" if account.guest else "password"
    if not word:
        terminal.ask(Prompt(f"{what}: ", secret=True))
        word = (await terminal.read()).strip()
    if not await opens(host, terminal, account, word):
        raise Sorry(f"that is the wrong {what} for {account.name}; try again, or choose another name.")


def check_open(host: Host, terminal: Terminal) -> None:
    """Raise `Sorry` where no guess from the terminal's address is heard now."""
    if closed := host.guessing.closed(terminal.address):
        raise Sorry(f"there were too many wrong words from your address; try again in {closed:.0f} seconds.")


async def opens(host: Host, terminal: Terminal, account: Account, word: str) -> bool:
    """Return whether a word opens an account, the later the more were wrong of late; raises `Sorry` after too many."""
    check_open(host, terminal)
    name, delay = fold(account.name), host.guessing.delay(fold(account.name))
    host.guessing.wrong(terminal.address, name)
    await asyncio.sleep(delay)
    if await host.accounts.fits(account, word, origin=terminal.address):
        host.guessing.right(terminal.address, name)
        return True
    log.info("wrong word", name=account.name, address=terminal.address)
    return False


async def _newcomer(host: Host, terminal: Terminal, name: str) -> Person:
    terminal.show(Line(f"{name} is a new name."))
    if host.registering.closed(terminal.address):
        terminal.show(Line("(your address has had many names kept today, so you play as a guest)"))
        word = ""
    else:
        word = await _chosen_password(terminal)
    if await host.accounts.get(name) or _held(host, name):
        raise Sorry(f"{name} was taken while you typed; choose another name.")
    host.newcomers.add(fold(name))
    try:
        if not await host.claim(f"name {fold(name)}"):
            raise Sorry(f"{name} was taken while you typed; choose another name.")
        if not (word and host.registering.take(terminal.address)):
            return await _new_guest(host, terminal, name)
        await host.accounts.create(name, word, guest=False, origin=terminal.address)
        return await _entered(host, terminal, name, guest=False)
    finally:
        host.newcomers.discard(fold(name))


async def _chosen_password(terminal: Terminal) -> str:
    """Return the password that somebody has typed twice; empty for a guest."""
    terminal.ask(Prompt("Choose a password to keep it, or press Enter to play as a guest: ", secret=True))
    while word := (await terminal.read()).strip():
        if len(word) < SHORTEST:
            terminal.ask(Prompt(f"A password has at least {SHORTEST} characters; choose another: ", secret=True))
            continue
        terminal.ask(Prompt("The same once more: ", secret=True))
        if (await terminal.read()).strip() == word:
            break
        terminal.ask(Prompt("Those were different; choose a password, or press Enter: ", secret=True))
    return word


async def _new_guest(host: Host, terminal: Terminal, name: str) -> Person:
    """Let a guest in under a name that is nobody's now, and inherit nothing."""
    host.accounts.hold(name)
    host.newcomers.add(fold(name))
    try:
        return await _entered(host, terminal, name, guest=True)
    finally:
        host.newcomers.discard(fold(name))


async def _entered(
    host: Host, terminal: Terminal, name: str, *, guest: bool, seen: Mapping[int, int] | None = None
) -> Person:
    """Let somebody in with what they own, and tell them what they missed."""
    await host.meet(name)
    owned = await host.owned(name)
    person = arrive(host, terminal, name, guest=guest, belongings=owned, seen=seen)
    await host.greet(person)
    return person
