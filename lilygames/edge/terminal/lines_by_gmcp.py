"""Lines that a client sends by GMCP, so that it is told when each has been handled.

`Lily.Line {"line": "bid 1", "once": "k3-17", "seen": {"12": 14}}` is a typed line, and `Lily.Done {"once": "k3-17"}`
its acknowledgement. A client that comes back after a lost connection knows then which lines to give back.
"""

from __future__ import annotations

import json

from lilygames.chat.input.current_line import Sent
from lilygames.edge.screens.machine import as_json
from lilygames.edge.screens.requests import BadRequest, once_of, seen_in
from lilygames.text import clean

LINE, DONE = "Lily.Line", "Lily.Done"
OFFER = f"{LINE} {as_json({'acknowledged': True})}"
"""Tells a client that supports the module that it may send lines in this form."""
_HEAD = LINE.casefold().encode()


def read(message: bytes) -> tuple[str, Sent] | None:
    """Return the line in a message, and how it was sent; None if the message is about something else.

    Raises `ValueError`.
    """
    if message[: len(_HEAD)].lower() != _HEAD:
        return None
    name, _, body = message.decode("utf-8", "replace").strip().partition(" ")
    if name.casefold() != LINE.casefold():
        return None
    try:
        data = json.loads(body)
    except RecursionError:
        raise BadRequest("nested too deeply") from None
    if not isinstance(data, dict) or not isinstance(line := data.get("line"), str) or not data.get("once"):
        raise BadRequest("a line and its “once”, please")
    return clean(line), Sent(seen_in(data) or {}, once_of(data))


def handled(once: str) -> str:
    """Return the message which says that a line has been handled."""
    return f"{DONE} {as_json({'once': once})}"
