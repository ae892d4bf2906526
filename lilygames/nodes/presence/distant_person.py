"""Someone on another node, when this node keeps only their record."""

from __future__ import annotations

from collections.abc import Callable

import attrs

from lilygames.chat.people.people import Person, Room
from lilygames.chat.people.profile import Profile
from lilygames.nodes.presence.presence_record import Presence
from lilygames.nodes.presence.presence_row import Outline


@attrs.frozen(eq=False)
class DistantPerson:
    """A person's record, the outline of their profile, and their rooms.

    Implements `lilygames.chat.people.distant.Distant`.
    """

    record: Presence
    outline: Outline
    rooms: tuple[Room, ...]
    _bring: Callable[[DistantPerson], Person]

    @property
    def name(self) -> str:
        """Their name as it is written."""
        return self.record.name

    @property
    def node(self) -> str:
        """The node that serves them."""
        return self.record.node

    @property
    def profile(self) -> Profile:
        """A profile with their blurb, pronoun and formulas, and perhaps the rest."""
        return self.outline.shown

    @property
    def here(self) -> bool:
        """Whether they are connected."""
        return self.record.here

    @property
    def away(self) -> bool:
        """Whether they are away, by choice or because they are idle."""
        return self.record.away

    @property
    def guest(self) -> bool:
        """Whether they are a guest."""
        return self.record.guest

    @property
    def since(self) -> float:
        """When they arrived, in seconds since 1970."""
        return self.record.since

    @property
    def typed(self) -> float:
        """About when they last typed, in seconds since 1970."""
        return self.record.typed

    def come_near(self) -> Person:
        """Make the person, and return them."""
        return self._bring(self)
