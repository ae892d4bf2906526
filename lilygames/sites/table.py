"""Open tables: `/t/N`, which is the page for players with the table's facts, for previews and without scripts.

A table that isn't public gets the page without facts, byte for byte that of a number that never was. Its script then
tries the word after `#`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import attrs

from lilygames.edge.web.pages import HTML, PageAnswer
from lilygames.sites.finished import FinishedGames
from lilygames.sites.frame import Frame, Sheet
from lilygames.sites.kept import packed
from lilygames.sites.markup import Html, h, joined
from lilygames.tables.open.tables import Tables
from lilygames.text import listing

KEEP = 5.0
_TITLE, _WITHOUT_SCRIPTS = "<title>lilygames</title>", "<noscript>"
"""Where the page for players has its title, and its words for those without scripts."""


@attrs.frozen
class Shell:
    """The page for players before its scripts draw anything."""

    html: str = attrs.field(repr=False)

    def answer(self, status: int) -> PageAnswer:
        """Return the page without facts."""
        return attrs.evolve(packed(PageAnswer(status, self.html, HTML)), tag="")

    def with_facts(self, head: Iterable[Html], words: Html) -> str:
        """Return the page with another title and previews, and some words for those without scripts."""
        page = self.html.replace(_TITLE, str(joined(head)), 1)
        return page.replace(_WITHOUT_SCRIPTS, f"{h('noscript', {}, words)}{_WITHOUT_SCRIPTS}", 1)


@attrs.frozen
class OpenTablePages:
    """The pages of open tables."""

    tables: Tables
    finished: FinishedGames
    frame: Frame
    shell: Shell

    async def page(self, number: str) -> PageAnswer | None:
        """Return the page of a public table, or the way to that of its game if it's over; None for any other."""
        facts = self.tables.facts_of(int(number))
        if facts is not None:
            return self._open(int(number), facts) if self.tables.is_public(int(number)) else None
        if await self.finished.is_over(int(number)):
            return PageAnswer(302, "", headers={"Location": f"/g/{number}"})
        return None

    def _open(self, number: int, facts: Mapping[str, object]) -> PageAnswer:
        game = self.tables.games.get(str(facts["game"]))
        title = game.title if game else str(facts["game"])
        players = facts["players"]
        names = [str(name) for name in players] if isinstance(players, Sequence) else []
        free = facts["open"]
        state = f"{free} of {facts['seats']} seats free" if free else "playing"
        who = f"{listing(names)} {'play' if len(names) > 1 else 'plays'}" if names else "Nobody has a seat yet"
        about = f"{who}: {state}. Join or watch."
        sheet = Sheet(f"{title}, table {number}", f"/t/{number}", about, (), game=str(facts["game"]))
        head = (h("title", {}, f"{sheet.title} - {self.frame.name}"), *self.frame.previews(sheet))
        seats = (h("li", {}, h("bdi", {}, name)) for name in names)
        words = h("section", {}, h("h2", {}, sheet.title), h("ul", {}, seats), h("p", {}, sheet.about))
        return PageAnswer(200, self.shell.with_facts(head, words), HTML, KEEP)
