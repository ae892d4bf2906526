"""Lookup of people and rooms by the names that people type."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import TypeVar

from lilygames.chat.accounts.accounts import Accounts
from lilygames.chat.names.names import fold
from lilygames.chat.people.audience import Everybody
from lilygames.chat.people.people import Person, Room
from lilygames.chat.rooms.rooms import Rooms
from lilygames.errors import NotFound, UserError
from lilygames.text import listing, shortened

Named = TypeVar("Named", bound=Person | Room)


class Lookup:
    """Finds people and rooms by names and abbreviations."""

    def __init__(
        self, accounts: Accounts, people: Everybody[Person], rooms: Rooms, *, lobby: Room, bot_names: Container[str]
    ) -> None:
        """People who are away are in the `lobby`; `bot_names` are folded."""
        self._accounts = accounts
        self._everybody = people
        self._all_rooms = rooms
        self._lobby = lobby
        self._bot_names = bot_names

    def room(self, name: str, asker: Person | None = None) -> Room:
        """Return the room with this name or abbreviation, if the asker may see it; raises `UserError`."""
        found = self._one(name.removeprefix("-"), self._rooms(name.removeprefix("-"), asker))
        if found is None:
            raise NotFound(f"there's no room “{shortened(name.removeprefix('-'), 20)}”. Type /rooms to list them.")
        return found

    def person(self, name: str) -> Person:
        """Return the person with this name or abbreviation who is here or has a seat; raises `UserError`."""
        found = self._one(name.removeprefix("~"), self._people(name.removeprefix("~")))
        if found is None:
            raise self.unknown(name) or NotFound(
                f"nobody is called “{shortened(name.removeprefix('~'), 20)}”. Type /who to see who is here."
            )
        return found

    def unknown(self, name: str) -> NotFound | None:
        """Return the error for a bot's name, maybe with its star; None for another name."""
        plain = name.lstrip("~*")
        known = fold(plain) in self._bot_names
        return NotFound(f"{plain.capitalize()} is a bot. Type /help bots to read about bots.") if known else None

    def recipient(self, name: str, asker: Person | None = None) -> Person | Room:
        """Return the recipient that `name` means; raises `UserError`.

        A full name is preferred, then a prefix, then initials, then any part; people come before rooms. `-name` means
        only a room, `~name` only a person.
        """
        if name.startswith("-"):
            return self.room(name, asker)
        if name.startswith("~"):
            return self.person(name)
        pairs = zip(self._people(name), self._rooms(name, asker), strict=True)
        found = self._one(name, (found for pair in pairs for found in pair))
        if found is not None:
            return found
        if asker and asker.room.bot and asker.room.bot.talk.has(name):
            raise NotFound(
                f"{name.capitalize()} is a bot, and bots read no messages. Plain text goes to everyone at the table."
            )
        raise self.unknown(name) or NotFound(
            f"no person or room is called “{shortened(name, 20)}”. Type /who or /rooms to list them."
        )

    def _people(self, name: str) -> Iterator[Sequence[Person]]:
        """Yield people whom a name may mean, best matches first. People who are away need their full name."""
        exact = self._called(name)
        yield [exact] if exact else []
        kinds = self._everybody.matching(fold(name), lambda person: person.here)
        next(kinds)
        yield from kinds

    def _called(self, name: str) -> Person | None:
        """Return the person who has or had this exact name: here, with a seat, or away with an account."""
        called = fold(self._accounts.now(name))
        if called in self._everybody:
            return self._everybody[called]
        away = self._accounts.names.get(called)
        return Person(away, guest=False, room=self._lobby) if away else None

    def _rooms(self, name: str, asker: Person | None) -> Iterator[Sequence[Room]]:
        """Yield rooms that a name may mean and the asker may see, best matches first."""

        def seen(room: Room) -> bool:
            return asker is None or room.may_see(asker)

        exact = self._all_rooms.called(name)
        yield [exact] if exact and seen(exact) else []
        kinds = self._all_rooms.matching(fold(name), seen)
        next(kinds)
        yield from kinds

    def remembered(self, mark: str, asker: Person) -> Person | Room:
        """Return the recipient of a stored mark: `~NAME` for a person, `-ROOM` for a room; raises `UserError`.

        Only the full name matches, never a prefix of another name.
        """
        room = self._all_rooms.called(mark[1:]) if mark.startswith("-") else None
        found = self._called(mark[1:]) if mark.startswith("~") else room if room and room.may_see(asker) else None
        if found is None:
            raise NotFound(
                f"{mark[1:]} isn't here any more, so nothing was sent. Type NAME;TEXT to write to someone else."
            )
        return found

    @staticmethod
    def _one(name: str, kinds: Iterable[Sequence[Named]]) -> Named | None:
        """Return the only match of the first kind that has any; raises `UserError` if it is ambiguous."""
        for found in kinds:
            if len(found) > 1:
                names = listing([match.name for match in found[:8]], "or")
                raise UserError(f"“{shortened(name, 20)}” could be {names}. Type more of it.")
            if found:
                return found[0]
        return None
