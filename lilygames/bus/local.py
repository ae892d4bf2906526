"""The bus of a server that is one process."""

from __future__ import annotations

from lilygames.bus import Reconnected, Subscription, Subscriptions


class LocalBus:
    """Deliver hints directly."""

    def __init__(self) -> None:
        self._listening = Subscriptions()

    async def publish(self, topic: str, hint: bytes) -> None:
        """Send a hint to all subscribers of the topic."""
        self._listening.deliver(topic, hint)

    def subscribe(self, topic: str) -> Subscription:
        """Subscribe to a topic; see `Bus.subscribe`."""
        new = self._listening.add(topic)
        new.put(Reconnected())
        return new

    async def close(self) -> None:
        """End all subscriptions."""
        self._listening.close()
