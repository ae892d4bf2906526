"""A server in the making: its people, who type at it over a socket as they would have."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from tests.upgrade.caller import Caller, Player, never, number, state

PASSWORDS = {
    "ann": "pears in a bowl 7",
    "bob": "tram to the sea 8",
    "cyd": "nine green kites",
    "wilma": "slow snow falls",
    "zoe": "who looks on, sees",
    "Mia": "Salt in the Sugar",
    "Gus": "a door that is gone",
    "HAL": "I am afraid I can",
    "Ivo": "out in the cold 9",
}
"""Everyone with an account. wilma becomes vonda, zoe a sysop; Gus is deleted, HAL is muted, and Ivo is banned."""
GUESTS = ("dot", "eli", "Fox")
ELSEWHERE = {"HAL": "127.0.0.8", "Ivo": "127.0.0.9"}
"""Addresses of their own, for a mute and a ban hit an address, too."""
SEATS = "SBUD"
"""The players of a hand of poker for four: left of the dealer, the next one, the third, and the dealer."""


class Making:
    """A server in the making: its people, and the rooms of its tables."""

    def __init__(self) -> None:
        self.people: dict[str, Player] = {}
        self.known: dict[str, str] = {}
        """The password of each account, by its present name."""
        self.words: dict[str, str] = {}
        """Each guest's return word."""

    async def enter(self, port: int, name: str) -> None:
        """Log in someone: a newcomer, the owner of an account, or a guest."""
        password = self.known.get(name) or PASSWORDS.get(name, "")
        typed = [""] if not password else [password] if name in self.known else [password, password]
        if password:
            self.known[name] = password
        address = ELSEWHERE.get(name, "127.0.0.1")
        self.people[name] = Player(await Caller.enter(port, name, *typed, address=address), "1")

    async def says(self, name: str, *lines: str) -> list[str]:
        """Type lines as `name`, one after the other, and return the answers."""
        shown = []
        for line in lines:
            shown += await self.people[name].caller.ask(line)
        return shown

    async def renames(self, name: str, new: str) -> None:
        """Rename someone."""
        await self.says(name, f"/rename {new}")
        self.people[new] = self.people.pop(name)
        self.known[new] = self.known.pop(name)

    async def opens(self, host: str, line: str) -> str:
        """Open a table with a command, and return its room."""
        caller = self.people[host].caller
        before = {number(caller, room) for room in caller.tables}
        shown = await self.says(host, line)
        rooms = [room for room in caller.tables if number(caller, room) not in before]
        if len(rooms) != 1:
            raise ValueError(f"{host} typed {line}: {rooms} {shown}")
        return rooms[0]

    async def table(self, host: str, opened: str, *others: str, house: str = "novice 2", cut: str = "") -> str:
        """Open a table as `name`, seat bots and other people, start the game, and return its room."""
        room = await self.opens(host, opened)
        if cut:
            await self.says(host, f"/at {room} cut {cut}")
        if house:
            await self.says(host, f"/at {room} house {house}")
        for name in others:
            word = re.search(r"come back with: \w+ ([\w-]+)", " ".join(await self.says(name, f"/sit {room}")))
            if word:
                self.words[name] = word[1]
        await self.quiet()
        if state(self.people[host].caller, room) == "waiting":
            await self.says(host, f"/at {room} start")
        return room

    async def begun(self, host: str, opened: str, *others: str, house: str = "novice 2", cut: str = "") -> str:
        """Open a table, as `table` does, and wait until its game has begun."""
        room = await self.table(host, opened, *others, house=house, cut=cut)
        await self.people[host].caller.until(lambda: state(self.people[host].caller, room) == "playing")
        await self.quiet()
        return room

    async def play(self, room: str, *names: str, moves: float = float("inf")) -> None:
        """Let people make at most this many moves each; without a number, finish the game."""
        players = [self.people[name] for name in names]
        for player in players:
            player.play(room, moves)
        await self.quiet()
        if moves == float("inf"):
            await players[0].caller.until(lambda: state(players[0].caller, room) == "over")
            await self.quiet()
        for player in players:
            player.left.clear()

    async def play_until(self, room: str, stops: Callable[[Mapping[str, Any]], bool], *names: str) -> None:
        """Let people play until one of them has to move and sees that it is enough."""
        players = [self.people[name] for name in names]
        for player in players:
            player.stops = stops
            player.play(room)
        await players[0].caller.until(lambda: stops(players[0].caller.tables[room]["view"]["view"]))
        await self.quiet()
        for player in players:
            player.left.clear()
            player.stops = never

    async def hand(self, room: str, host: str, moves: str) -> None:
        """Play part of a hand of poker: `U call, D allin`, with a letter of `SEATS` for each player."""
        packets = self.people[host].caller.tables[room]
        order = packets["view"]["view"]["deal"]["betting"]["order"]
        names = {letter: packets["table"]["names"][seat] for letter, seat in zip(SEATS, order, strict=True)}
        for move in moves.split(", "):
            name, typed = names[move[0]], move[2:]
            caller = self.people[name].caller
            await caller.until(lambda caller=caller: caller.tables[room]["moves"]["turn"])
            said = await self.says(name, f"/at {room} {typed}")
            if any("Refused" in row for row in said):
                raise ValueError(f"{name} can't {typed}: {said}")
        await self.quiet()

    async def quiet(self) -> None:
        """Return when nobody has received anything for a moment."""
        heard: list[int] = []
        while heard != (heard := [one.caller.heard for one in self.people.values()]):  # noqa: ASYNC110 - no event tells it
            await asyncio.sleep(1)

    @asynccontextmanager
    async def here(self, port: int, *names: str) -> AsyncIterator[None]:
        """Log people in, and disconnect them in the end."""
        for name in names:
            await self.enter(port, name)
        try:
            yield
        finally:
            for player in self.people.values():
                player.caller.leave()
            self.people.clear()
