"""Requests through the control socket of a running server: one JSON object per line."""

from __future__ import annotations

import attrs

from lilygames.chat.accounts.roles import Role

NAME = "control"
"""The socket's name in the data folder."""


@attrs.frozen
class Ping:
    """Ask which process serves: its version, its number, and when it came up."""


@attrs.frozen
class Reload:
    """Ask the server to restart. It answers only if it refuses; else the connection is closed."""


@attrs.frozen
class Archive:
    """Move the games to the archive that ended more than `older` seconds ago. Each part is an `Archived`."""

    older: float


@attrs.frozen
class Vacuum:
    """Give unused space back to the disk. Each part is a number of bytes."""


@attrs.frozen
class ListPeople:
    """List all accounts."""


@attrs.frozen
class ShowPerson:
    """Show one account."""

    name: str


@attrs.frozen
class GiveRole:
    """Give an account a role; an empty one takes it away."""

    name: str
    role: Role


@attrs.frozen
class Ban:
    """Ban a name, an address or a network; unless `sure`, only show who would be hit."""

    who: str
    seconds: float
    why: str
    sure: bool


@attrs.frozen
class Unban:
    """End a ban."""

    who: str
    why: str


@attrs.frozen
class Tail:
    """Ask for the lines of the log after a number, and for those to come if `follow`."""

    after: int
    follow: bool


@attrs.frozen
class IssueWord:
    """Issue a one-time word for an account whose password was forgotten."""

    name: str


@attrs.frozen
class ExportAccount:
    """Export everything that is stored about an account."""

    name: str


@attrs.frozen
class DeleteAccount:
    """Delete an account now."""

    name: str


AccountRequest = IssueWord | ExportAccount | DeleteAccount
PeopleRequest = ListPeople | ShowPerson | GiveRole | Ban | Unban
Request = Ping | Reload | Tail | Archive | Vacuum | PeopleRequest | AccountRequest
