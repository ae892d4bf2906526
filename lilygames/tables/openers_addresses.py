"""Addresses of tables that were opened before a start: those from which the people who hold them come back."""

from __future__ import annotations

from lilygames.chat.host import Host
from lilygames.chat.observers import Arrived, OpenedFrom, PersonEvent, Returned
from lilygames.tables.held_tables import HeldTables


class OpenersAddresses:
    """Observer that counts someone's tables for the address from which they come, if they count for none yet."""

    observes = (Arrived, Returned)

    def __init__(self, host: Host, held: HeldTables) -> None:
        self._host = host
        self._held = held

    def observe(self, event: PersonEvent) -> None:
        """Learn the address of someone's tables, here and at the other nodes."""
        match event:
            case Arrived(person) | Returned(person) if person.origin:
                for number in self._held.without_address(self._host.accounts.key(person.name)):
                    self._held.opened_from(number, person.origin)
                    self._host.publish(OpenedFrom(number, person.origin))
