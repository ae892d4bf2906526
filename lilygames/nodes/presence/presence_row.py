"""A change of presence as nodes send it: a short list. A node that doesn't know someone in full leaves most unread.

In batches they take half of the CPU of records and profiles as `lilygames.codec` writes them, or a third if people have
profiles. To remove it, send what `codec.dump` writes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs
import structlog

from lilygames import codec
from lilygames.chat.people.profile import NEW, Profile
from lilygames.nodes.presence.presence_record import Presence

log = structlog.get_logger()
_FIELDS = tuple(field.name for field in attrs.fields(Presence))
_ROOMS = _FIELDS.index("rooms")
Row = Sequence[Any]
"""JSON data: the fields of a record in order, and then the outline of the profile, None if it is as before."""


@attrs.frozen
class Outline:
    """The part of someone's profile that every node knows. A node reads the rest when it has to know them in full."""

    shown: Profile = NEW
    """A profile with their blurb, pronoun and formulas."""
    is_plain: bool = True
    """Whether it has no rules about other people, for which a node has to know them."""
    _whole: Profile | str = NEW
    """The profile, or its text."""

    @classmethod
    def of(cls, profile: Profile) -> Outline:
        """Return the outline of a profile."""
        is_plain = not (profile.friends or profile.seeks or profile.ignored or profile.blocked)
        return cls(profile, is_plain, profile)

    @classmethod
    def read(cls, data: Row) -> Outline:
        """Return the outline that another node sends; it is empty for the profile of someone new."""
        if not data:
            return NEW_OUTLINE
        blurb, pronoun, formula, accepts, is_plain, text = data
        is_blank = not (blurb or pronoun or formula or accepts)
        shown = NEW if is_blank else Profile(blurb=blurb, pronoun=pronoun, formula=tuple(formula), accepts=accepts)
        return cls(shown, is_plain, text)

    @property
    def whole(self) -> Profile:
        """The whole profile; only what is shown of one that this release can't read."""
        if isinstance(self._whole, Profile):
            return self._whole
        try:
            profile: Profile = codec.from_text(self._whole, Profile)
        except ValueError as problem:
            log.warning("cannot read a profile that another node has sent", why=str(problem))
            return self.shown
        return profile

    @property
    def row(self) -> Row:
        """The outline to send."""
        whole, shown = self.whole, self.shown
        if whole == NEW:
            return ()
        return shown.blurb, shown.pronoun, shown.formula, shown.accepts, self.is_plain, codec.to_text(whole)


NEW_OUTLINE = Outline()
"""The outline of a new person's profile."""


def row_of(record: Presence, profile: Profile | None) -> Row:
    """Return a record to send, with the outline of a profile unless that is as before (None)."""
    outline = None if profile is None else Outline.of(profile).row
    return [*(getattr(record, name) for name in _FIELDS), outline]


def read_row(row: Row) -> tuple[Presence, Outline | None]:
    """Return what another node sends of someone: their record, and the outline of their profile if it is new."""
    *fields, outline = row
    fields[_ROOMS] = tuple(fields[_ROOMS])
    return Presence(*fields), None if outline is None else Outline.read(outline)
