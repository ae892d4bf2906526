"""Check the names in the setting `sysops`."""

from __future__ import annotations

from contextlib import suppress

from lilygames.games import games
from lilygames.server.place import place
from lilygames.server.settings.config import Misconfigured, Settings
from lilygames.store import StoreUnavailable
from lilygames.store.shell.shell_access import beside


async def check_sysop_names(settings: Settings) -> None:
    """Raise `Misconfigured` for a sysop's name that isn't registered and can't be."""
    found = games()
    try:
        await place.check_sysops(settings, found, None)
    except Misconfigured:  # unless it was registered before it was reserved; without a store, none was
        with suppress(StoreUnavailable):
            async with beside(settings.store_address) as records:
                await place.check_sysops(settings, found, records)
                return
        raise
