"""The best players: `/standings` and `/standings/GAME`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence

import attrs

from lilygames.edge.web.pages import PageAnswer
from lilygames.game import Game
from lilygames.sites import drawn
from lilygames.sites.frame import Frame, Sheet, box, grid, heading, person, topic
from lilygames.sites.markup import Child, Html, h
from lilygames.sites.public import PublicPeople
from lilygames.tables.ratings.known_ratings import PlayerRating, has_house
from lilygames.tables.ratings.rankings import Calendar, Span
from lilygames.tables.ratings.rating_model import Rating, month_of, week_of
from lilygames.tables.ratings.ratings import Ratings
from lilygames.tables.results.results import shown_name
from lilygames.text import count

KEEP = 60.0
_ROWS = 10
"""Players in a list."""
_SPANS: Mapping[Span, str] = {"all": "All time", "month": "This month", "week": "This week"}


@attrs.frozen
class _List:
    """A list of players: its title, and each player with what it says of them."""

    title: str
    rows: Sequence[tuple[str, str, str]]
    """Name, rating or share, and number of games."""
    head: str


@attrs.frozen
class Standings:
    """The pages with the best players."""

    ratings: Ratings
    games: Mapping[str, Game]
    people: PublicPeople
    frame: Frame

    async def page(self, name: str) -> PageAnswer | None:
        """Return the lists of a game, or the first page of all; None if there is no such game."""
        if not name:
            return self.frame.answer(self._all(), keep=KEEP)
        game = self.games.get(name)
        return self.frame.answer(await self._of(game), keep=KEEP) if game else None

    def _all(self) -> Sheet:
        tiles = (
            h("li", {}, h("a", {"class": "tile", "href": f"/standings/{game.name}"}, h("strong", {}, game.title)))
            for game in self.games.values()
        )
        content = (heading("Standings"), h("ul", {"class": "tiles"}, tiles))
        return Sheet("Standings", "/standings", f"The best players of {self.frame.name}, game by game.", content)

    async def _of(self, game: Game) -> Sheet:
        lists = [*await self._standings(game), *[one async for one in self._spans(game)]]
        linked = await self.people.with_page(name for one in lists for name, *_ in one.rows)
        boxes = [_box(one, linked) for one in lists]
        leader = next((one.rows[0][0] for one in lists if one.rows), "")
        about = f"The best players of {game.title}" + (f"; {leader} leads." if leader else ".")
        none = h(
            "p", {"class": "none"}, "Nobody is rated yet. That takes a game of two people, or of a person and a bot."
        )
        others = h("nav", {"class": "game-links", "aria-label": "Games"}, _chips(self.games.values(), game))
        content = (
            heading(h("span", {}, game.title, " standings"), drawn.sample(game.name)),
            others,
            h("div", {"class": "lists"}, boxes) if boxes else none,
            h("p", {"class": "soft"}, "Lists go by what a rating is at least: see ", topic("ratings"), "."),
        )
        return Sheet(f"{game.title} standings", f"/standings/{game.name}", about, content, game=game.name)

    async def _standings(self, game: Game) -> list[_List]:
        """Return the lists by the number of seats, among people and with bots."""
        found = await self.ratings.standings(game.name, _ROWS)
        return [
            _List(
                f"{_seats(kind)}, with bots" if has_house(kind) else _seats(kind),
                [(shown_name(name), f"{one.mu:.1f}{'?' if one.provisional else ''}", _more(one)) for name, one in rows],
                "Rating",
            )
            for kind, rows in found.items()
        ]

    async def _spans(self, game: Game) -> AsyncIterator[_List]:
        """Yield the lists of this month and this week, if someone is in them."""
        now = self.ratings.now()
        calendar = Calendar(now, week_of(now, self.ratings.zone), month_of(now, self.ratings.zone))
        for kind in [kind for kind in await self.ratings.kinds(game.name) if not has_house(kind)]:
            for span in ("month", "week"):
                listed = await self.ratings.listed(kind, span, calendar, _ROWS)
                if listed:
                    yield _List(f"{_SPANS[span]}, {_seats(kind)}", [*self._shares(listed, span, calendar)], "Beat")

    def _shares(self, listed: Sequence[PlayerRating], span: Span, calendar: Calendar) -> Iterator[tuple[str, str, str]]:
        for one in listed:
            period = calendar.period(one.rating, span)
            yield self.ratings.present_name(one), f"{100 * period.share:.0f} %", count(period.games, "game")


def _seats(kind: str) -> str:
    """Return the number of players of a class."""
    return f"{kind.split()[1].replace('-', '–')} players"


def _more(one: Rating) -> str:
    return count(one.games, "game") + (f", {one.held}" if one.held.title else "")


def _box(one: _List, linked: frozenset[str]) -> Html:
    rows = ((place, _named(name, linked), value, more) for place, (name, value, more) in enumerate(one.rows, 1))
    return box(one.title, grid(("", "Player", one.head, "Games"), rows, numbers=(2, 3), caption=one.title))


def _named(name: str, linked: frozenset[str]) -> Child:
    return h("span", {"class": "who"}, drawn.face(name.lstrip("*")), person(name, linked=name in linked))


def _chips(games: Iterable[Game], here: Game) -> Iterator[Html]:
    for game in games:
        yield h("a", {"href": f"/standings/{game.name}", "aria-current": "page" if game is here else None}, game.title)
