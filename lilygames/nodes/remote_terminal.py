"""The terminal of somebody whom another node serves: what it is shown goes there, batched once a turn of the loop."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs

from lilygames import codec
from lilygames.bus import Bus
from lilygames.chat.events import Happening
from lilygames.chat.terminal import AtOnce, Gone, Occupant, unheard
from lilygames.text import Line, Packet, Prompt, Voice

NAMES = 100
"""People whom one hint is for at most: a hint stays small."""
KEPT = 10_000
"""Hints that are kept for a node that begins anew; of more the oldest are lost."""
Bag = deque[tuple[dict[str, Any], list[str]]]


@attrs.frozen
class Held:
    """All that `node` had for whoever makes way has been sent: it keeps the rest for the next."""

    node: str


def topic_of(node: str) -> str:
    """Return the topic that one node listens to."""
    return f"node/{node}"


class Post:
    """What is on its way to people whom other nodes serve, by node."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._bags: dict[str, Bag] = {}
        self._held: dict[str, Bag] = {}
        """What is kept for nodes that have made way, until the next is there."""
        self._next: dict[str, str] = {}
        """Which node has taken over from which."""
        self._task: asyncio.Task[None] | None = None

    def lines(self, node: str, name: str, lines: Sequence[Line]) -> None:
        """Let somebody there be shown lines."""
        self._put(node, {"lines": [*map(_dumped, lines)]}, [name])

    def told(self, node: str, names: Sequence[str], happening: Happening) -> None:
        """Let some there learn what happens."""
        for first in range(0, len(names), NAMES):
            self._put(node, {"told": codec.dump(happening)}, list(names[first : first + NAMES]))

    def _put(self, node: str, what: dict[str, Any], names: list[str]) -> None:
        node = self._next.get(node, node)
        held = self._held.get(node)
        bag = self._bags.setdefault(node, deque()) if held is None else held
        if bag and bag[-1][0] == what and len(bag[-1][1]) < NAMES:
            bag[-1][1].extend(names)
        else:
            bag.append((what, names))
        if held is None:
            self._go()

    def _go(self) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._send())

    async def _send(self) -> None:
        while self._bags:
            node = next(iter(self._bags))
            for what, names in self._bags.pop(node):
                await self._bus.publish(topic_of(node), json.dumps(what | {"names": names}).encode())

    def hold(self, node: str, by: str) -> None:
        """Send a node that makes way what there is for it, and keep the rest until the next is there."""
        self._put(node, {"held": by}, [])
        self._held[node] = deque(maxlen=KEPT)

    def moved(self, before: str, now: str) -> None:
        """Send whatever is for a node, and was kept for it, to the one that has taken over from it."""
        self._next = {node: now if to == before else to for node, to in self._next.items()} | {before: now}
        self._bags.setdefault(now, deque()).extend(self._held.pop(before, ()))
        self._go()

    def forget(self, node: str) -> None:
        """Keep nothing more for a node that is long dead."""
        self._held.pop(node, None)
        self._next.pop(node, None)

    async def finish(self) -> None:
        """Return once all has been sent."""
        while self._task and not self._task.done():
            await asyncio.wait({self._task})


class Elsewhere:
    """One person's screen that hangs on another node; it has no keyboard here."""

    voice = Voice()
    address = "elsewhere"
    wants_packets = False
    resumes = False

    def __init__(self, name: str, node: str, post: Post) -> None:
        self._name = name
        self._node = node
        self._post = post

    async def read(self, at_once: AtOnce = unheard) -> str:  # noqa: ARG002 - nobody types
        """Nobody types here."""
        raise Gone

    def seat(self, _: Occupant) -> None:
        """Leave what is typed to the node that serves the person."""

    def show(self, *lines: Line) -> None:
        """Send lines to where they are read."""
        self._post.lines(self._node, self._name, lines)

    def last_rows(self) -> Sequence[str]:
        """Return no rows: the node that serves the person has them."""
        return ()

    def packet(self, *_: Packet) -> None:
        """Drop packets: the node that serves the program makes its own."""

    def ring(self) -> None:
        """Leave the bell to the node that serves the person."""

    def ask(self, _: Prompt) -> None:
        """Ask nothing: nobody types here."""

    def prefer(self, _: Mapping[str, str]) -> None:
        """Leave the looks to the node that serves the person."""

    def close(self) -> None:
        """Leave the line to its node, which closes it when it learns that the person is elsewhere now."""


def _dumped(line: Line) -> codec.Json:
    """Return a line as it is sent: what nodes of an earlier release do not know is left out where it says nothing."""
    return {key: value for key, value in codec.dump(line).items() if value or key not in ("by", "secret")}


def opened(hint: bytes) -> tuple[Iterable[str], Sequence[Line] | Happening | Held]:
    """Return for whom a hint of `Post` is, by name, and the lines or the happening; for the node itself, `Held`."""
    item = json.loads(hint)
    if "held" in item:
        return (), Held(item["held"])
    if "told" in item:
        return item["names"], codec.load(item["told"], Happening)
    return item["names"], codec.load(item["lines"], tuple[Line, ...])
