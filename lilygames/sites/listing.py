"""Pages for search engines: `/robots.txt` and `/sitemap.xml`. Without the setting web_address there is no sitemap."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from urllib.parse import quote

import attrs

from lilygames.edge.web.pages import XML, PageAnswer
from lilygames.help import Pages
from lilygames.sites.markup import h, joined
from lilygames.sites.public import PublicPeople

KEEP = 3600.0
_PEOPLE = 5000
"""People in the sitemap, at most."""


@attrs.frozen
class Listings:
    """The list of the pages that search engines may show."""

    address: str
    games: Iterable[str]
    topics: Pages
    people: PublicPeople

    async def robots(self, _: str) -> PageAnswer:
        """Return what robots may read: all pages, but not the positions of replays."""
        rows = ["User-agent: *", "Disallow: /g/*.json", "Disallow: /embed/", "Disallow: /t/"]
        rows += [f"Sitemap: {self.address}/sitemap.xml"] if self.address else []
        return PageAnswer(200, "\n".join([*rows, ""]), keep=KEEP)

    async def sitemap(self, _: str) -> PageAnswer | None:
        """Return the sitemap; None if nobody has said at which address the place is."""
        if not self.address:
            return None
        paths = [*self._paths(), *(f"/u/{name}" for name in await self.people.listed(_PEOPLE))]
        urls = joined(h("url", {}, h("loc", {}, f"{self.address}{quote(path)}")) for path in paths)
        head = '<?xml version="1.0" encoding="UTF-8"?>\n'
        whole = h("urlset", {"xmlns": "http://www.sitemaps.org/schemas/sitemap/0.9"}, urls)
        return PageAnswer(200, f"{head}{whole}\n", XML, KEEP)

    def _paths(self) -> Iterator[str]:
        yield from ("/", "/help", "/standings", "/tournament", "/daily")
        yield from (f"/standings/{game}" for game in self.games)
        yield from (f"/help/{topic}" for topic in self.topics.rows)
