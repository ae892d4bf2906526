"""The store and the bus that simulated nodes share. Each node is a process, and reaches both over a socket."""

from __future__ import annotations

import asyncio
import pickle
import struct
from asyncio import Future, StreamReader, StreamWriter, Task
from collections import Counter, defaultdict
from collections.abc import Callable, Coroutine
from functools import partial
from itertools import count
from typing import Any

from lilygames.bus import Reconnected, Subscription
from lilygames.store.memory import MemoryStore

_HEAD = struct.Struct(">I")
"""The length of a message, before it."""


class Connection:
    """Messages in both directions: `call` asks the other side for something, and `handle` does what it asks for."""

    def __init__(
        self, reader: StreamReader, writer: StreamWriter, handle: Callable[..., Coroutine[Any, Any, Any]]
    ) -> None:
        self._reader, self._writer = reader, writer
        self._handle = handle
        self._numbers = count()
        self.waiting: dict[int, Future[Any]] = {}
        """Calls that aren't answered yet."""
        self._tasks: set[Task[None]] = set()

    def send(self, *message: Any) -> None:
        """Send a message that needs no answer."""
        data = pickle.dumps(message)
        self._writer.write(_HEAD.pack(len(data)) + data)

    async def call(self, what: str, *args: Any, **kwargs: Any) -> Any:
        """Let the other side do something; return what it returns, and raise what it raises."""
        number = next(self._numbers)
        answer = self.waiting[number] = asyncio.get_running_loop().create_future()
        self.send("call", number, what, args, kwargs)
        return await answer

    async def listen(self) -> None:
        """Read messages until the other side is gone."""
        try:
            while True:
                (size,) = _HEAD.unpack(await self._reader.readexactly(_HEAD.size))
                await self._read(*pickle.loads(await self._reader.readexactly(size)))  # noqa: S301 - from this script
        except (asyncio.IncompleteReadError, ConnectionError):
            for answer in self.waiting.values():
                answer.cancel()

    async def _read(self, kind: str, *message: Any) -> None:
        match kind, message:
            case "call", (number, what, args, kwargs):
                task = asyncio.get_running_loop().create_task(self._do(number, what, args, kwargs))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
            case "answer", (number, value):
                self.waiting.pop(number).set_result(value)
            case "error", (number, error):
                self.waiting.pop(number).set_exception(error)
            case _:
                await self._handle(kind, *message)

    async def _do(self, number: int, what: str, args: Any, kwargs: Any) -> None:
        try:
            self.send("answer", number, await self._handle(what, *args, **kwargs))
        except Exception as error:  # noqa: BLE001 - it is raised at the other side
            self.send("error", number, error)


class Shared:
    """The store and the bus, at the side of the process that leads the nodes."""

    def __init__(self) -> None:
        self.store = MemoryStore()
        self.readers: defaultdict[str, dict[NodeAway, None]] = defaultdict(dict)
        self.messages = 0
        """Hints and queries of all nodes so far."""


class NodeAway:
    """A node in another process: it does what it is told, and uses the store and the bus."""

    def __init__(self, shared: Shared, reader: StreamReader, writer: StreamWriter) -> None:
        self._shared = shared
        self._connection = Connection(reader, writer, self._handle)
        self.counts: Counter[str] = Counter()
        """The hints that it received, and its queries."""
        self.ready = asyncio.Event()
        """Set when it serves people."""
        self._listening = asyncio.get_running_loop().create_task(self._connection.listen())

    async def do(self, what: str, *args: Any) -> Any:
        """Let the node do something, and return what that returns."""
        return await self._connection.call(what, *args)

    def hear(self, topic: str, hint: bytes) -> None:
        """Send the node a hint of a topic."""
        self.counts["hints"] += 1
        self._connection.send("hint", topic, hint)

    def lose(self) -> None:
        """Forget a node whose process has been killed."""
        self._listening.cancel()
        for readers in self._shared.readers.values():
            readers.pop(self, None)

    async def _handle(self, what: str, *args: Any, **kwargs: Any) -> Any:
        self._shared.messages += 1
        match what, args:
            case "ready", ():
                self.ready.set()
            case "publish", (topic, hint):
                for reader in [*self._shared.readers[topic]]:
                    reader.hear(topic, hint)
            case "subscribe", (topic,):
                self._shared.readers[topic][self] = None
            case "unsubscribe", (topic,):
                self._shared.readers[topic].pop(self, None)
            case _:
                self.counts["queries"] += 1
                return await getattr(self._shared.store, what)(*args, **kwargs)
        return None


class StoreAway:
    """The store as a node uses it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def __getattr__(self, name: str) -> Any:
        return partial(self._connection.call, name)


class BusAway:
    """The bus as a node uses it. Implements `lilygames.bus.Bus`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._topics: defaultdict[str, list[Subscription]] = defaultdict(list)

    async def publish(self, topic: str, hint: bytes) -> None:
        """Send a hint to all subscribers of the topic."""
        self._connection.send("publish", topic, hint)

    def subscribe(self, topic: str) -> Subscription:
        """Subscribe to a topic."""
        if not self._topics[topic]:
            self._connection.send("subscribe", topic)
        hints = Subscription(partial(self._left, topic))
        self._topics[topic].append(hints)
        hints.put(Reconnected())
        return hints

    def _left(self, topic: str, hints: Subscription) -> None:
        self._topics[topic].remove(hints)
        if not self._topics[topic]:
            self._connection.send("unsubscribe", topic)

    def hear(self, topic: str, hint: bytes) -> None:
        """Take a hint that came over the socket."""
        for hints in [*self._topics[topic]]:
            hints.put(hint)

    async def close(self) -> None:
        """Leave the bus to the other nodes."""
