"""The common parts of all pages: the head with its previews, the bar at the top, and tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from urllib.parse import quote

import attrs

from lilygames.edge.web.pages import HTML, PageAnswer
from lilygames.sites import drawn
from lilygames.sites.markup import Child, Html, document, h

BAR = (
    *(("/", "Play"), ("/tournament", "Tournaments"), ("/standings", "Standings")),
    *(("/daily", "Deals"), ("/help", "Learn")),
)
"""The links at the top."""
_PICTURED = frozenset("ohell wizard liarsdice liedie liarspoker liarslair lilypoker".split())
"""The games with a picture for previews."""
_WIDE, _HIGH = 1200, 630
NAMED = 60.0
"""Seconds for which browsers and proxies keep a page with names. We may keep it for longer, and forget it at once."""


@attrs.frozen
class Sheet:
    """One page: its title and contents, and what search engines and chats are told of it."""

    title: str
    path: str
    """Its own address, without that of the place, such as `/u/wren`."""
    about: str
    """One sentence for previews."""
    content: Child
    game: str = ""
    """The game of its picture; empty for that of the place."""
    indexed: bool = True
    """Whether search engines may list it."""
    scripts: Sequence[str] = ()
    embedded: bool = False
    """Whether it stands in a frame of another site: without the bar, and links open a new window."""
    feed: str = ""
    """The address of a calendar of it; empty for none."""
    head: Child = ()


@attrs.frozen
class Frame:
    """Makes whole pages of a place with this name, at this address (empty if the sysop hasn't set one)."""

    name: str
    address: str = ""
    above: str = "/"
    """How the addresses of its files begin; empty for a site of plain files in one folder."""
    bar: Sequence[tuple[str, str]] = BAR
    scripts: Sequence[str] = ("site.js",)

    def answer(self, sheet: Sheet, *, keep: float, status: int = 200) -> PageAnswer:
        """Return a page that may be kept for some seconds."""
        return PageAnswer(status, self.page(sheet), HTML, keep)

    @staticmethod
    def naming(answer: PageAnswer) -> PageAnswer:
        """Return an answer that names people: what others keep of it has to be gone soon after someone is deleted."""
        soon = {"Cache-Control": f"public, max-age={min(answer.keep, NAMED):.0f}"}
        return attrs.evolve(answer, headers={**answer.headers, **soon})

    def page(self, sheet: Sheet) -> str:
        """Return a page as HTML."""
        title = sheet.title if sheet.title == self.name else f"{sheet.title} - {self.name}"
        return document(
            h("head", {}, self._fixed(sheet), h("title", {}, title), self._previews(sheet, title), sheet.head),
            h(
                "body",
                {"class": "site embedded" if sheet.embedded else "site"},
                () if sheet.embedded else self._bar(sheet.path),
                h("main", {"id": "main"}, sheet.content),
                self._foot() if self.above and not sheet.embedded else (),
            ),
        )

    def _fixed(self, sheet: Sheet) -> Iterable[Html]:
        """Yield what each head has."""
        yield h("meta", {"charset": "utf-8"})
        yield h("meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"})
        yield h("meta", {"name": "color-scheme", "content": "light dark"})
        yield h("link", {"rel": "icon", "href": f"{self.above}icon.svg", "type": "image/svg+xml"})
        yield h("link", {"rel": "apple-touch-icon", "href": f"{self.above}icon-192.png"})
        if self.scripts:
            yield h("link", {"rel": "manifest", "href": f"{self.above}manifest.webmanifest"})
        yield h("meta", {"name": "theme-color", "content": "#1d5c47"})
        for name in ("style", "lobby", "site"):
            yield h("link", {"rel": "stylesheet", "href": f"{self.above}{name}.css"})
        for script in (*self.scripts, *sheet.scripts):
            yield h("script", {"type": "module", "src": f"{self.above}{script}"})

    def previews(self, sheet: Sheet) -> Iterable[Html]:
        """Yield what search engines and chats read of a page."""
        return self._previews(sheet, sheet.title)

    def _previews(self, sheet: Sheet, title: str) -> Iterable[Html]:
        yield h("meta", {"name": "description", "content": sheet.about})
        if not sheet.indexed:
            yield h("meta", {"name": "robots", "content": "noindex"})
        if sheet.feed:
            yield h("link", {"rel": "alternate", "type": "text/calendar", "href": sheet.feed})
        if not self.address:
            return
        there = f"{self.address}{quote(sheet.path)}"
        picture = f"{self.address}/previews/{sheet.game if sheet.game in _PICTURED else 'place'}.png"
        yield h("link", {"rel": "canonical", "href": there})
        for name, value in (
            ("title", title),
            ("description", sheet.about),
            ("url", there),
            ("type", "website"),
            ("site_name", self.name),
            ("image", picture),
            ("image:width", _WIDE),
            ("image:height", _HIGH),
            ("image:alt", "Cards and dice on a green table"),
        ):
            yield h("meta", {"property": f"og:{name}", "content": value})
        yield h("meta", {"name": "twitter:card", "content": "summary_large_image"})

    def _bar(self, path: str) -> Iterable[Html]:
        yield h("a", {"class": "skip", "href": "#main"}, "Skip to the page")
        here = next((link for link, _ in self.bar[1:] if path == link or path.startswith(f"{link}/")), None)
        links = (h("a", {"href": to, "aria-current": "page" if to == here else None}, word) for to, word in self.bar)
        home = h("a", {"class": "home", "href": self.bar[0][0]}, drawn.mark(), self.name)
        yield h("header", {}, home, h("nav", {"aria-label": "Place"}, links))

    def _foot(self) -> Html:
        return h("footer", {}, h("p", {}, "You can check that all cards and dice are fair: see ", topic("seal"), "."))


def topic(name: str, words: str = "") -> Html:
    """Return a link to a help page."""
    return h("a", {"href": f"/help/{name}"}, words or name)


def person(name: str, *, linked: bool) -> Html:
    """Return someone's name, linked if they have a page."""
    shown = h("bdi", {}, name)
    return h("a", {"href": f"/u/{quote(name)}"}, shown) if linked else shown


def heading(title: Child, *beside: Child, above: Child = ()) -> Html:
    """Return the heading of a page, with facts beside it."""
    return h(
        "div", {"class": "headline"}, h("div", {}, above, h("h1", {}, title)), h("div", {"class": "beside"}, beside)
    )


def box(title: str, *content: Child, beside: Child = (), name: str = "") -> Html:
    """Return a part of a page with a heading."""
    top = h("div", {"class": "box-top"}, h("h2", {}, title), beside or ())
    return h("section", {"class": f"box {name}".strip()}, top, content)


def grid(heads: Sequence[str], rows: Iterable[Sequence[Child]], *, numbers: Iterable[int] = (), caption: str) -> Html:
    """Return a table; the columns in `numbers` are set to the right, and the first one heads its row."""
    right = frozenset(numbers)

    def cell(column: int, content: Child, tag: str = "td") -> Html:
        scope = {"th": "col"}.get(tag)
        return h(tag, {"class": "numeric" if column in right else None, "scope": scope}, content)

    body = (h("tr", {}, (cell(column, content) for column, content in enumerate(row))) for row in rows)
    head = h("tr", {}, (cell(column, word, "th") for column, word in enumerate(heads)))
    table = h("table", {}, h("caption", {"class": "hidden"}, caption), h("thead", {}, head), h("tbody", {}, body))
    return h("div", {"class": "scroll", "tabindex": "0", "role": "region", "aria-label": caption}, table)


def moment(at: float, words: str) -> Html:
    """Return a time, as machines read it and in words."""
    return h("time", {"datetime": datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")}, words)


def signed(number: float) -> str:
    """Return a number with a minus sign that is as wide as a plus."""
    return f"{number}".replace("-", "−")


def ordinal(number: int) -> str:
    """Return `1st`, `2nd`, `3rd`, `4th`, `11th`."""
    teen = number % 100 in (11, 12, 13)
    return f"{number}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"
