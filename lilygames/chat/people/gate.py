"""Questions of the host about sanctions: who may come in, and whose words may reach others?"""

from __future__ import annotations

from typing import Protocol

from lilygames.chat.people.people import Person
from lilygames.errors import UserError


class Banned(UserError):
    """Someone may not come in. `appeals` says whether they may still appeal."""

    code = "banned"

    def __init__(self, sentence: str, *, appeals: bool = False) -> None:
        super().__init__(sentence)
        self.appeals = appeals


class Muted(UserError):
    """Nothing that someone writes may reach others."""

    code = "muted"


class Gate(Protocol):
    """The sanctions in force, as the host needs to know them."""

    def check_address(self, address: str) -> None:
        """Raise `Banned` if nobody may connect from an address."""

    def check_entry(self, name: str, address: str, *, guest: bool) -> None:
        """Raise `Banned` if someone may not log in with this name from this address."""

    def check_new_name(self, address: str) -> None:
        """Raise `UserError` if nobody may choose a new name at this address."""

    def check_voice(self, person: Person) -> None:
        """Raise `Muted` if nothing that a person writes may reach others."""
