"""Tables whose logs can't be read for as long as a test wants."""

import asyncio


def hold(monkeypatch, store, *numbers):
    """Let nobody read the logs of some tables until the event that is returned is set."""
    read, logs, let_go = store.read, {f"table/{number}" for number in numbers}, asyncio.Event()

    async def reads(log, *rest):
        if log in logs:
            await let_go.wait()
        return await read(log, *rest)

    monkeypatch.setattr(store, "read", reads)
    return let_go
