"""Addresses of tables and rooms that were opened before a start: those of their owners' sessions.

A client that can resume has a session, which is stored for some hours. All others count for the address from which
their owners come back.
"""

from __future__ import annotations

from lilygames.chat.host.host import Host
from lilygames.chat.names.names import fold
from lilygames.chat.people.observers import Arrived, OpenedFrom, PersonEvent, Returned
from lilygames.tables.open.held_tables import HeldTables


class OpenersAddresses:
    """Observer that counts someone's tables for the address from which they come, if they count for none yet."""

    observes = (Arrived, Returned)

    def __init__(self, host: Host, held: HeldTables) -> None:
        self._host = host
        self._held = held

    async def learn(self) -> None:
        """Count what was opened before this start for the latest session of who holds it; raises `StoreUnavailable`.

        Each node does so when it starts.
        """
        host = self._host
        for owner, address in (await host.sessions.addresses(host.clock())).items():
            for number in self._held.without_address(owner):
                self._held.opened_from(number, address)
            for room in host.rooms.owned_by(fold(host.accounts.current(owner))):
                if room.key not in host.rooms.addresses:
                    host.rooms.opened_from(room.key, address)

    def observe(self, event: PersonEvent) -> None:
        """Learn the address of someone's tables, here and at the other nodes."""
        match event:
            case Arrived(person) | Returned(person) if person.origin:
                for number in self._held.without_address(self._host.accounts.key(person.name)):
                    self._held.opened_from(number, person.origin)
                    self._host.publish(OpenedFrom(number, person.origin))
