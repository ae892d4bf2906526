"""The page's files: read once, and sent compressed to browsers that can read that."""

from __future__ import annotations

import gzip
import html
import re
from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

import attrs
from aiohttp import web

from lilygames.edge.web.answers import HEADERS

_TYPES = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "webmanifest": "application/manifest+json",
}


_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))")
"""The words of a browser that reads gzip (RFC 9110, section 12.5.3)."""


@attrs.frozen
class File:
    """A file with its type, also compressed."""

    body: bytes = attrs.field(repr=False)
    kind: str
    packed: bytes = attrs.field(repr=False)
    tag: str

    @classmethod
    def of(cls, name: str, body: bytes) -> File:
        """Return the file with this name and content."""
        packed = gzip.compress(body, 9, mtime=0)
        return cls(body, _TYPES[name.rpartition(".")[2]], packed, f'W/"{sha256(body).hexdigest()[:24]}"')

    def answer(self, request: web.BaseRequest) -> web.Response:
        """Return the answer to a request for it: nothing if the browser has it already."""
        headers = {
            **HEADERS,
            "Content-Type": self.kind,
            "ETag": self.tag,
            "Cache-Control": "no-cache",
            "Vary": "Accept-Encoding",
            "Accept-Ranges": "none",
        }
        if self.tag in (asked := request.headers.get("If-None-Match", "")) or asked.strip() == "*":
            return web.Response(status=304, headers=headers)
        if _GZIP.search(request.headers.get("Accept-Encoding", "")):
            return web.Response(body=self.packed, headers=headers | {"Content-Encoding": "gzip"})
        return web.Response(body=self.body, headers=headers)


def page_files(telnet: str) -> Mapping[str, File]:
    """Return all files of the page by path, such as `/table.js`; `telnet` is for those without JavaScript."""
    read = {path: found.read_bytes() for path, found in _all(files(__package__) / "page", "")}
    read["/index.html"] = read["/index.html"].replace(b"{telnet}", telnet.encode())
    return {path: File.of(path, body) for path, body in read.items()}


def telnet_in_html(address: str, port: int) -> str:
    """Return what to type in a terminal, in HTML. Without a public address, people know the name they came by."""
    if address:
        return f"<code>telnet {html.escape(address)}</code>"
    return f"<code>telnet</code>, the name in this page's address, and <code>{port}</code>"


def _all(folder: Traversable, above: str) -> list[tuple[str, Traversable]]:
    found = list[tuple[str, Traversable]]()
    for one in sorted(folder.iterdir(), key=lambda one: one.name):
        path = f"{above}/{one.name}"
        found += _all(one, path) if one.is_dir() else [(path, one)]
    return found
