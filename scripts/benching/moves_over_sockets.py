"""Four people at each table play Ohell over sockets, and type each move as soon as they are asked."""

from __future__ import annotations

import asyncio
import re

from load import Result, Server
from scenarios import saturated

CARDS = 10
"""The largest hand, so that a game is longer than the measurement."""
FIRST, LAST = 60, 360
"""The moves of each table between which CPU is measured. A whole game has about 480."""
PATIENCE = 120.0
"""Seconds to wait for an answer, or for all moves."""
_ASKED = re.compile(r"Your turn: (pick|bid|)(.*)", re.DOTALL)
_CARD = re.compile(r"\b(?:10|[2-9TJQKA])[SHDC]")


class Player(asyncio.Protocol):
    """One person at a table. They answer each question with the first legal move that it shows."""

    def __init__(self, players: Players) -> None:
        self._players = players
        self._text = ""
        self._refusals = 0
        self._waits_for = ""
        self._answered = asyncio.get_running_loop().create_future()
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        assert isinstance(transport, asyncio.Transport)  # noqa: S101 - what a client's connection is
        self.transport = transport

    def type(self, line: str) -> None:
        """Send a line."""
        assert self.transport  # noqa: S101 - it is connected
        self.transport.write(f"{line}\r\n".encode())

    async def ask(self, line: str, answer: str) -> None:
        """Send a line and wait for its answer."""
        self._waits_for, self._answered = answer, asyncio.get_running_loop().create_future()
        self.type(line)
        async with asyncio.timeout(PATIENCE):
            await self._answered

    def data_received(self, data: bytes) -> None:
        """Answer a question once all of it has come; bid one more if a bid is refused."""
        self._text += data.decode("utf-8", "replace")
        if self._waits_for in self._text and not self._answered.done():
            self._answered.set_result(None)
        if not self._text.endswith("\n"):
            return
        text, self._text = self._text, ""
        if not (asked := _ASKED.search(text)):
            return
        refused = "Refused: " in text
        self._refusals = self._refusals + 1 if refused else 0
        self._players.typed += 1
        self._players.refused += refused
        self.type(self._move(asked[1], asked[2]))

    def _move(self, verb: str, shown: str) -> str:
        if verb == "pick":
            return f"/pick {CARDS}"
        if verb == "bid":
            return f"/bid {self._refusals}"
        cards = _CARD.findall(shown)
        return f"/play {cards[self._refusals % len(cards)]}"


class Players:
    """Everyone who plays, and how many moves they have typed."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._players: list[Player] = []
        self.typed = self.refused = 0

    async def seat(self, tables: int) -> None:
        """Fill this many tables and start their games."""
        for table in range(tables):
            four = [await self._enter(f"p{table}x{seat}") for seat in range(4)]
            await four[0].ask(f"/new ohell max={CARDS} decks=1", "is open")
            for player in four[1:]:
                await player.ask(f"/sit {table + 1}", "you sit")
            self._players += four
        for host in self._players[::4]:
            host.type("/start")

    async def _enter(self, name: str) -> Player:
        loop = asyncio.get_running_loop()
        _, player = await loop.create_connection(lambda: Player(self), "127.0.0.1", self._server.port)
        await player.ask(name, "Choose a password")
        await player.ask("", "You're in the lobby")
        return player

    @property
    def accepted(self) -> int:
        """The moves that were accepted."""
        return self.typed - self.refused

    async def made(self, moves: int) -> None:
        """Wait until this many moves have been accepted; raises `TimeoutError`."""
        async with asyncio.timeout(PATIENCE):
            while self.accepted < moves:  # noqa: ASYNC110 - a benchmark: an event would cost the players' CPU
                await asyncio.sleep(0.01)

    def leave(self) -> None:
        """Disconnect everyone."""
        for player in self._players:
            if player.transport:
                player.transport.close()


async def ohell(server: Server, tables: int) -> Result:
    """Return the CPU of a move that is typed, checked, saved and told to four people.

    The floor says a line of talk in as many rooms of four, and saves nothing.
    """
    if server.kind == "floor":
        told = await saturated(server, 4 * tables, tables, senders=1, ahead=1)
        return Result({"CPU us a move": 3e6 / told.figures["deliveries per CPU s"]})
    players = Players(server)
    await players.seat(tables)
    await players.made(FIRST * tables)
    cpu, moves = server.exact_cpu(), players.accepted
    await players.made(LAST * tables)
    used, moved = server.exact_cpu() - cpu, players.accepted - moves
    players.leave()
    return Result({"CPU us a move": used / moved * 1e6})
