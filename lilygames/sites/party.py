"""The pages of parties: `/j/CODE`, which asks a phone for a name, and `/tv/CODE`, which shows the table to a room.

Both are the same for every code, whether there is such a party or not: their scripts ask for it.
"""

from __future__ import annotations

from functools import lru_cache
from http import HTTPStatus

import attrs

from lilygames.edge.web.pages import HTML, PageAnswer, PageRequest
from lilygames.sites import drawn
from lilygames.sites.kept import packed
from lilygames.sites.markup import Html, document, h
from lilygames.sites.table import Shell
from lilygames.tables.seeks import party_codes

_QUIET = 2
"""Empty modules around a QR code."""
_CODES = 64
"""QR codes that are remembered. Each takes some milliseconds to make."""


@attrs.frozen
class Parties:
    """The pages of parties at a place with this name, at this address; it may be empty."""

    name: str
    address: str
    shell: Shell
    nothing: PageAnswer
    """The answer to what isn't a code."""

    async def phone(self, request: PageRequest) -> PageAnswer:
        """Return the page for players, which asks for a name."""
        return self.shell.answer(HTTPStatus.OK) if party_codes.read(request.rest) else self.nothing

    async def television(self, request: PageRequest) -> PageAnswer:
        """Return the page that shows a table, with the address for phones."""
        code = party_codes.read(request.rest)
        if not code:
            return self.nothing
        there = f"{self.address or request.origin}/j"
        return packed(PageAnswer(HTTPStatus.OK, _television(self.name, there, code), HTML))


def _television(name: str, there: str, code: str) -> str:
    head = h(
        "head",
        {},
        h("meta", {"charset": "utf-8"}),
        h("meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"}),
        h("meta", {"name": "color-scheme", "content": "light dark"}),
        h("meta", {"name": "robots", "content": "noindex"}),
        h("title", {}, f"Party {code} - {name}"),
        h("link", {"rel": "icon", "href": "/icon.svg", "type": "image/svg+xml"}),
        *(h("link", {"rel": "stylesheet", "href": f"/{sheet}.css"}) for sheet in ("style", "tv")),
        h("script", {"type": "module", "src": "/tv.js"}),
    )
    about = h("div", {}, h("h1", {}, drawn.mark(), f"{name} party"), h("p", {"id": "facts"}))
    where = h("span", {"class": "where"}, there.partition("://")[2] or there)
    words = h("div", {}, where, h("strong", {"id": "code"}, code), h("span", {"id": "free"}))
    named = {"class": "join", "id": "join", "aria-label": "How to join"}
    card = h("section", named, _picture(f"{there}/{code}"), words)
    noscript = h("noscript", {}, h("p", {}, "A television needs JavaScript."))
    main = h("main", {"id": "tv"}, h("div", {"id": "middle", "aria-live": "polite"}), noscript)
    seats = h("ul", {"id": "seats", "aria-label": "Players"})
    return document(head, h("body", {"class": "tv", "data-code": code}, h("header", {}, about, card), main, seats))


@lru_cache(_CODES)
def _picture(link: str) -> Html:
    """Return the QR code of an address."""
    import segno  # noqa: PLC0415 - it comes with the extra for the page

    rows = [*segno.make(link, micro=False, error="m").matrix]
    path = "".join(
        f"M{x + _QUIET} {y + _QUIET}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark
    )
    size = len(rows) + 2 * _QUIET
    label = f"QR code of {link}"
    box = {"viewBox": f"0 0 {size} {size}", "class": "qr", "role": "img", "aria-label": label}
    ground = h("rect", {"width": size, "height": size, "fill": "#fff"})
    return h("svg", box, ground, h("path", {"d": path, "fill": "#000", "shape-rendering": "crispEdges"}))
