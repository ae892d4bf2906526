"""The request that is being handled, so that a program can be told what its request has caused.

It is a context variable, because what a request causes may be done by another task: a room's.
"""

from __future__ import annotations

from contextvars import ContextVar

_CURRENT: ContextVar[object | None] = ContextVar("request", default=None)


get = _CURRENT.get
"""Return the request that is being handled here; None if there is none."""


def set_to(request: object | None) -> None:
    """Handle this request from now on, in this task; None means none."""
    _CURRENT.set(request)
