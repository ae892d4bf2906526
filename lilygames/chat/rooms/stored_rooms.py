"""Rooms made by people, as they are stored."""

from __future__ import annotations

import json

import attrs

from lilygames import codec
from lilygames.chat.people.charter import Charter


@attrs.frozen
class StoredRoom:
    """A room's name, title, permissions and former names (folded, oldest first)."""

    name: str
    title: str
    charter: Charter
    former: tuple[str, ...] = ()

    @classmethod
    def read(cls, body: str) -> StoredRoom:
        """Parse the text of a stored room; raises `ValueError` if it is invalid."""
        try:
            kept = json.loads(body)
            return cls(
                codec.load(kept["name"], str),
                codec.load(kept["title"], str),
                codec.load(kept["charter"], Charter),
                codec.load(kept.get("former", []), tuple[str, ...]),
            )
        except (LookupError, TypeError, AttributeError) as problem:
            raise ValueError("not a valid room") from problem

    @property
    def text(self) -> str:
        """The text to store."""
        former = [*self.former]
        return json.dumps(
            {"name": self.name, "title": self.title, "charter": codec.dump(self.charter), "former": former}
        )
