"""Answers of the web server beside its files, without its library: a page is a function from a request to an answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

import attrs

from lilygames.limits.quota import Who

TEXT, HTML = "text/plain; charset=utf-8", "text/html; charset=utf-8"
JSON, CALENDAR, XML = "application/json", "text/calendar; charset=utf-8", "application/xml"


@attrs.frozen
class PageRequest:
    """A request: whether it may change something, the words in its address, and who asks."""

    posts: bool
    query: Mapping[str, str] = attrs.field(factory=dict, repr=False)
    rest: str = ""
    """The end of the address, for a path such as `/u/{rest}`."""
    who: Who = attrs.field(factory=Who)
    origin: str = ""
    """The scheme and name by which the browser found this place, such as `http://192.168.1.5:8080`."""


@attrs.frozen
class PageAnswer:
    """An answer. It's never cached, unless it says for how long it may be kept."""

    status: int
    text: str
    kind: str = TEXT
    keep: float = 0.0
    """Seconds for which browsers and proxies may keep it."""
    headers: Mapping[str, str] = attrs.field(factory=dict)
    """Further headers, and others in place of those that all answers have."""
    packed: bytes = attrs.field(default=b"", repr=False)
    """Its text, compressed once for everyone; empty if it wasn't. Then `text` is empty."""
    tag: str = ""
    """A text by which a browser knows whether it has this already."""


Page = Callable[[PageRequest], Awaitable[PageAnswer]]
Pages = Mapping[str, Page]
"""Pages by path, such as `/unsubscribe`, or `/u/{rest}` for all that begins with `/u/`."""
