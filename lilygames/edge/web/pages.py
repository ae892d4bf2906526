"""Answers of the web server beside its files, without its library: a page is a function from a request to an answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

import attrs

TEXT, HTML = "text/plain; charset=utf-8", "text/html; charset=utf-8"


@attrs.frozen
class PageRequest:
    """A request: whether it may change something, and the words in its address."""

    posts: bool
    query: Mapping[str, str] = attrs.field(factory=dict, repr=False)


@attrs.frozen
class PageAnswer:
    """An answer. It's never cached."""

    status: int
    text: str
    kind: str = TEXT


Page = Callable[[PageRequest], Awaitable[PageAnswer]]
Pages = Mapping[str, Page]
"""Pages by path, such as `/unsubscribe`."""
