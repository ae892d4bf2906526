"""People at terminals of their own on a stage: what they type goes through the real queue of lines."""

import asyncio
import json
from contextlib import suppress

from lilygames.chat.people.terminal import Gone
from lilygames.chat.visits.arrivals import arrive
from lilygames.edge.terminal.terminal import TelnetTerminal
from tests.deadline import DEADLINE
from tests.tables.sight.test_brief_machine_mode import Wire


class Caller:
    """Someone at a terminal, who comes back with each `come`."""

    def __init__(self, stage, name, *, program=True, guest=False):
        self._stage = stage
        self._program = program
        self._guest = guest
        self.name = name
        self.come(stage)

    def come(self, stage=None):
        """Connect, perhaps at another node or after a restart."""
        self._stage = stage or self._stage
        host = self._stage.host
        self._wire = Wire()
        self._told = []
        self._wire.gmcp = self._told.append
        self.terminal = TelnetTerminal(self._wire, program=self._program)
        self.person = self._stage.people[self.name] = arrive(host, self.terminal, self.name, guest=self._guest)
        self._visit = asyncio.create_task(self._visited(self._stage.place.dispatcher))
        self.take()

    async def _visited(self, dispatcher):
        with suppress(Gone):
            while True:
                await dispatcher.hear(self.person, await self.terminal.read())

    def leave(self):
        """Lose the connection, with all answers that are on their way."""
        self.terminal.gone(lost=True)
        self._stage.drop(self.name)

    def take(self):
        """Return the rows that came since the last call."""
        rows, self._wire.sent = self._wire.sent.decode(), b""
        return rows.replace("\r", "").split("\n")

    def told(self):
        """Return the GMCP messages that came since the last call."""
        told, self._told[:] = [*self._told], []
        return told

    def packets(self):
        """Return the objects that came since the last call."""
        return [json.loads(row) for row in self.take() if row]

    async def types(self, text, *, keys=False):
        """Type some bytes in one piece, or key by key, and return when nothing is left to do."""
        for piece in text if keys else [text]:
            self.terminal.feed(piece.encode())
            await self._settled()

    async def hears(self, message):
        """Send a GMCP message."""
        self.terminal.gmcp(message.encode())
        await self._settled()

    async def _settled(self):
        for _ in range(20):
            await asyncio.sleep(0)
        await self._stage.quiet()

    async def asks(self, **request):
        """Send a request, and return its error, or None."""
        self.take()
        await self.types(json.dumps({"id": 1, **request}) + "\n")
        async with asyncio.timeout(DEADLINE):
            heard = []
            while not (done := [one for one in heard if "done" in one]):
                await asyncio.sleep(0)
                heard += self.packets()
        return done[0]["error"]
