"""Addresses of stores, as people may read them."""

from __future__ import annotations

from urllib.parse import urlsplit


def without_password(url: str) -> str:
    """Return the address of a store without its user and password: `sqlite:FILE`, or a database's host and name."""
    kind, _, _ = url.partition(":")
    if kind == "sqlite":
        return url
    parts = urlsplit(url)
    return f"{parts.netloc.rpartition('@')[2] or 'the local socket'}{parts.path}"
