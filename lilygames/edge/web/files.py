"""The page's files: read once, and sent compressed to browsers that can read that."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

import attrs
from aiohttp import web

from lilygames.edge.web.answers import HEADERS, has_tag, reads_gzip
from lilygames.edge.web.shell import shell

_TYPES = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "webmanifest": "application/manifest+json",
}


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
        if has_tag(request, self.tag):
            return web.Response(status=304, headers=headers)
        if reads_gzip(request):
            return web.Response(body=self.packed, headers=headers | {"Content-Encoding": "gzip"})
        return web.Response(body=self.body, headers=headers)


def page_files(telnet: str) -> Mapping[str, File]:
    """Return all files of the page by path, such as `/table.js`; `telnet` is for those without JavaScript."""
    read = {path: found.read_bytes() for path, found in _all(files(__package__) / "page", "")}
    read["/index.html"] = shell(telnet).encode()
    return {path: File.of(path, body) for path, body in read.items()}


def _all(folder: Traversable, above: str) -> list[tuple[str, Traversable]]:
    found = list[tuple[str, Traversable]]()
    for one in sorted(folder.iterdir(), key=lambda one: one.name):
        path = f"{above}/{one.name}"
        found += _all(one, path) if one.is_dir() else [(path, one)]
    return found
