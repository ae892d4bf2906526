"""A session: the greeting, the login, and every line until the person disconnects."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

from lilygames.chat.host.dispatch import Dispatcher
from lilygames.chat.host.host import Host
from lilygames.chat.host.packets import greet, hello, place, say_goodbye
from lilygames.chat.people.gate import Banned
from lilygames.chat.people.people import Person
from lilygames.chat.people.terminal import Gone, Terminal
from lilygames.chat.visits.arrivals import depart
from lilygames.chat.visits.login import Login
from lilygames.chat.visits.session_tokens import offer
from lilygames.chat.visits.television import TurnsOn, stay_on
from lilygames.store import StoreUnavailable
from lilygames.text import Line, count

RETRY = 1.0
"""Seconds before the store is asked again for the tables of someone who has disconnected."""


async def visit(host: Host, dispatcher: Dispatcher, terminal: Terminal) -> None:
    """Serve a terminal from greeting to disconnect. The person's seats are kept."""
    await _visited(host, dispatcher, terminal, _log_in_in_time)


async def continue_visit(host: Host, dispatcher: Dispatcher, terminal: Terminal, person: Person) -> None:
    """Continue the session of a person who was handed over from another process."""

    async def here(_: Host, __: Terminal) -> Person:
        if not person.session:  # the store was unavailable when they logged in
            await offer(host, person)
        return person

    await _visited(host, dispatcher, terminal, here)


async def _visited(
    host: Host, dispatcher: Dispatcher, terminal: Terminal, log_in: Callable[[Host, Terminal], Awaitable[Person]]
) -> None:
    person = None
    try:
        person = await log_in(host, terminal)
        at_once = partial(dispatcher.hear_at_once, person, terminal=terminal)
        begin = partial(dispatcher.begin, person, terminal)
        while person.terminal is terminal:
            line = await terminal.read(at_once, begin)
            if person.terminal is terminal:  # a newer connection may have taken over while this line was typed
                await dispatcher.hear(person, line)
    except Gone:
        pass
    finally:
        try:
            if person and person.terminal is terminal:
                await _seats_known(host, person)
            if person and person.terminal is terminal:
                depart(host, person)
        finally:
            terminal.close()


async def _seats_known(host: Host, person: Person) -> None:
    """Return when a start has restored all tables where a person may have a seat, whatever the store brings."""
    while host.tables.waits_for(person.name):
        try:
            await host.tables.ready_for(person.name)
        except StoreUnavailable:
            await asyncio.sleep(RETRY)


async def _log_in_in_time(host: Host, terminal: Terminal) -> Person:
    try:
        host.gate.check_address(terminal.address)
    except Banned as ban:
        terminal.show(Line(f"Refused: {ban}"))
        say_goodbye(terminal, "banned")
        raise Gone from None
    _greet(host, terminal)
    try:
        async with asyncio.timeout(host.login_seconds):
            return await Login(host, terminal).person()
    except TurnsOn:
        await stay_on(host, terminal)
        raise Gone from None
    except TimeoutError:
        terminal.show(Line("(disconnected: you didn't log in in time; you can connect again)"))
        say_goodbye(terminal, "idle")
        raise Gone from None


def _greet(host: Host, terminal: Terminal) -> None:
    """Show the greeting, short enough for a phone: the screen's width isn't known yet."""
    terminal.packet(hello(host))
    if terminal.takes_packets:
        greet(host, terminal)
        host.tables.when_all_listed(lambda: terminal.packet(place(host)))
    here = host.people.number_here
    people, tables = count(here, "person", "people") if here else "Nobody", host.playing() if here else 0
    playing = f", {count(tables, 'table')} playing" if tables else ""  # bots that play alone are no company
    terminal.show(
        Line(f"Welcome to lily at {host.name}"),
        *([Line(host.greeting)] if host.greeting else []),
        Line(f"{people} here{playing}."),
        Line("Screen reader? Type: reader"),
        Line("New? Type a name, or just: guest"),
    )
