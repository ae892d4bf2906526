"""The bus of a place that is one process."""

from __future__ import annotations

from lilygames.bus import Reconnected, Subscription, Subscriptions


class LocalBus:
    """Hints go straight to who listens."""

    def __init__(self) -> None:
        self._listening = Subscriptions()

    async def publish(self, topic: str, hint: bytes) -> None:
        """Let all who listen to the topic have a hint."""
        self._listening.deliver(topic, hint)

    def subscribe(self, topic: str) -> Subscription:
        """Return the hints of a topic; see `Bus.subscribe`."""
        new = self._listening.add(topic)
        new.put(Reconnected())
        return new

    async def close(self) -> None:
        """End all subscriptions."""
        self._listening.close()
