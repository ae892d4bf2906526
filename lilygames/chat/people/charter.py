"""The charter of a room: its owner, its moderators, and who may join and speak."""

from __future__ import annotations

import attrs

from lilygames.codec import LATER


@attrs.frozen
class Charter:
    """Owner and permissions of a room. Names are folded; without an owner it's the server's."""

    owner: str = ""
    moderators: frozenset[str] = frozenset()
    speakers: frozenset[str] = frozenset()
    permitted: frozenset[str] = frozenset()
    barred: frozenset[str] = frozenset()
    floor: str = ""
    """The person who asked to speak in a moderated room and was given the floor."""
    cleared: float = 0.0
    """Time before which nothing can be reviewed, in seconds since 1970."""
    private: bool = False
    moderated: bool = False
    emote: bool = False
    until: dict[str, float] = attrs.field(factory=dict, metadata={LATER: True})
    """Times until which people are barred, in seconds since 1970. Others are barred until they are permitted again."""
    offered: str = attrs.field(default="", metadata={LATER: True})
    """The person whom the owner has offered the room; empty for nobody."""

    def bars(self, name: str, now: float) -> bool:
        """Whether someone with this folded name may not join or speak now."""
        return name in self.barred and now < self.until.get(name, float("inf"))

    @property
    def admitted(self) -> frozenset[str]:
        """People who may join if the room is private."""
        return self.permitted | self.moderators | self.speakers | {self.owner, self.offered}

    @property
    def entitled(self) -> frozenset[str]:
        """People who have rights in the room, besides its owner."""
        return self.moderators | self.speakers | self.permitted | ({self.floor, self.offered} - {""})

    @property
    def voices(self) -> frozenset[str]:
        """People who may speak, and give others the floor, if the room is moderated."""
        return self.speakers | self.moderators | {self.owner}

    @property
    def keepers(self) -> frozenset[str]:
        """People who may permit and appoint others."""
        return self.moderators | {self.owner}


OPEN = Charter()
"""The charter of the server's own rooms, where everyone may speak."""
