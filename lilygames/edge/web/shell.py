"""The HTML of the page for players, before its scripts draw anything."""

from __future__ import annotations

import html
from importlib.resources import files


def shell(telnet: str) -> str:
    """Return the HTML; `telnet` says in HTML how to play without JavaScript."""
    return (files(__package__) / "page" / "index.html").read_text("utf-8").replace("{telnet}", telnet)


def telnet_in_html(address: str, port: int) -> str:
    """Return what to type in a terminal, in HTML. Without a public address, people know the name they came by."""
    if address:
        return f"<code>telnet {html.escape(address)}</code>"
    return f"<code>telnet</code>, the name in this page's address, and <code>{port}</code>"
