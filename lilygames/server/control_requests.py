"""Requests through the control socket of a running server: one JSON object per line."""

from __future__ import annotations

import attrs

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


Request = Ping | Reload | Archive | Vacuum
