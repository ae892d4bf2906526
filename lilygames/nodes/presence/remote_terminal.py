"""Terminals of people on other nodes: their lines are sent there, in one batch per turn of the event loop."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs

from lilygames import codec
from lilygames.bus import Bus
from lilygames.chat.people.events import ChatEvent
from lilygames.chat.people.hears import Hears
from lilygames.chat.people.terminal import AtOnce, Begin, Gone, TerminalUser, never, unheard
from lilygames.nodes.order.numbered import Sent
from lilygames.nodes.order.predecessor import Predecessor
from lilygames.text import WIDTH, Line, Packet, Prompt, Voice

NAMES = 100
"""Maximum people per message, to keep messages small."""
KEPT = 10_000
"""Messages kept for a node that is restarting; beyond that the oldest are dropped."""
Bag = deque[tuple[dict[str, Any], list[str]]]


@attrs.frozen
class Held:
    """`node` has sent everything it had for a restarting node, and keeps the rest for the next process."""

    node: str


def topic_of(node: str) -> str:
    """Return the topic of one node."""
    return f"node/{node}"


class Post:
    """Messages for people on other nodes, by node."""

    def __init__(self, bus: Bus, node: str) -> None:
        self._bus = bus
        self._node = node
        self._sent: defaultdict[str, Sent] = defaultdict(Sent)
        self._bags: dict[str, Bag] = {}
        self._held: dict[str, Bag] = {}
        """Messages kept for nodes that are restarting, until their next process is there."""
        self._next: dict[str, str] = {}
        """The next node of each node that has restarted."""
        self._task: asyncio.Task[None] | None = None

    def lines(self, node: str, name: str, lines: Sequence[Line]) -> None:
        """Show lines to someone on another node."""
        self._put(node, {"lines": [*map(codec.dump, lines)]}, [name])

    def told(self, node: str, names: Sequence[str], chat_event: ChatEvent) -> None:
        """Tell people on another node about an event. The mark of an audience can stand for their names."""
        for first in range(0, len(names), NAMES):
            self._put(node, {"told": codec.dump(chat_event)}, list(names[first : first + NAMES]))

    def successor_of(self, node: str) -> str:
        """Return the node that has the people of a node: itself, or the one that has restarted as it."""
        return self._next.get(node, node)

    def _put(self, node: str, what: dict[str, Any], names: list[str]) -> None:
        node = self.successor_of(node)
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
            node, bag = next(iter(self._bags.items()))
            what, names = bag.popleft()
            if not bag:
                del self._bags[node]
            sent = self._sent[node]
            numbered = what | {"names": names, "from": self._node, "number": sent.count + 1}
            message = json.dumps(numbered).encode()
            sent.add(message)
            await self._bus.publish(topic_of(node), message)

    async def again(self, node: str, first: int, last: int) -> None:
        """Send a node messages that it has missed again."""
        for message in self._sent[node].again(first, last):
            await self._bus.publish(topic_of(node), message)

    def arrived(self, node: str, number: int) -> None:
        """Drop the messages that a node has got."""
        self._sent[node].arrived(number)

    @property
    def counts(self) -> Mapping[str, int]:
        """How many messages were sent to each node."""
        return {node: sent.count for node, sent in self._sent.items() if sent.count}

    def hold(self, node: str, by: str) -> None:
        """Send a restarting node its messages, and keep later ones until the next process is there."""
        if node in self._next:
            return  # its next process is there already
        self._put(node, {"held": by}, [])
        self._held[node] = deque(maxlen=KEPT)

    def waits_for_next(self, node: str) -> bool:
        """Return whether messages for a node are kept or were sent, and none of its next process yet."""
        return node in self._held or (node in self._sent and node not in self._next)

    def moved(self, before: Predecessor, now: str) -> None:
        """Send the messages for a node to the one that has taken over from it.

        Those that hadn't arrived there come first, then those not yet sent and those kept for it.
        """
        gone = before.node
        self._next = {node: now if to == gone else to for node, to in self._next.items()} | {gone: now}
        sent, arrived = self._sent.pop(gone, None), before.arrived_from(self._node)
        lost = [*map(_unnumbered, sent.after(arrived))] if sent else []
        messages = (*lost, *self._bags.pop(gone, ()), *self._held.pop(gone, ()))
        again = (message for message in messages if "held" not in message[0])  # that was for the node itself
        self._bags[now] = deque([*again, *self._bags.get(now, ())])
        if self._bags[now]:
            self._go()
        else:
            del self._bags[now]

    def forget(self, node: str) -> None:
        """Drop the messages for a node that is long dead."""
        for by_node in (self._held, self._next, self._sent):
            by_node.pop(node, None)

    async def finish(self) -> None:
        """Return once everything has been sent."""
        while self._task and not self._task.done():
            await asyncio.wait({self._task})


def _unnumbered(message: bytes) -> tuple[dict[str, Any], list[str]]:
    """Return what a message of `Post` says, and the names that it is for."""
    what = json.loads(message)
    del what["from"], what["number"]
    return what, what.pop("names")


class RemoteScreen:
    """The screen of someone on another node. It has no keyboard here."""

    voice = Voice()
    address = "elsewhere"
    width = WIDTH
    takes_lines = True
    takes_packets = False
    takes_picture = False
    takes_events = False
    follows_tables = False
    keeps_up = True
    suits_guessed = False
    sent = 0

    def __init__(self, name: str, node: str, post: Post) -> None:
        self._name = name
        self._node = node
        self._post = post

    async def read(self, at_once: AtOnce = unheard, begin: Begin = never) -> str:  # noqa: ARG002 - nobody types
        """Never called: nobody types here."""
        raise Gone

    def give_back(self) -> None:
        """Never called: nobody types here."""

    def set_voice(self, _: Voice) -> None:
        """Leave how things are worded to the node that serves the person."""

    def attach(self, _: TerminalUser) -> None:
        """Do nothing: the person's own node reads what they type."""

    def show(self, *lines: Line) -> None:
        """Send lines to the person's node."""
        self._post.lines(self._node, self._name, lines)

    def last_lines(self) -> Sequence[str]:
        """Return no lines: the person's node has them."""
        return ()

    def tell(self, event: ChatEvent, hears: Hears) -> bool:  # noqa: ARG002 - as it says
        """Leave events to the person's node."""
        return False

    def supports(self, _: str) -> bool:
        """Return False: the person's node makes its own packets."""
        return False

    def packet(self, *_: Packet) -> None:
        """Drop packets: the person's node makes its own."""

    def ring(self) -> None:
        """Leave the bell to the person's node."""

    def entitle(self, _: str) -> None:
        """Leave the window's title to the person's node."""

    def ask(self, _: Prompt) -> None:
        """Do nothing: nobody types here."""

    def prefer(self, _: Mapping[str, str]) -> None:
        """Leave display settings to the person's node."""

    def close(self) -> None:
        """Do nothing: the person's node closes the connection when it learns that they are elsewhere."""


def opened(item: Mapping[str, Any]) -> tuple[Iterable[str], Sequence[Line] | ChatEvent | Held]:
    """Return the names that a message of `Post` is for, and its lines or event; for the node itself, `Held`."""
    if "held" in item:
        return (), Held(item["held"])
    if "told" in item:
        return item["names"], codec.load(item["told"], ChatEvent)
    lines: Sequence[Line] = codec.load(item["lines"], tuple[Line, ...])
    return item["names"], lines
