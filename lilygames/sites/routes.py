"""The addresses of all public pages, and what each answers. `Sites` makes the pages, and is all that a server needs."""

from __future__ import annotations

import re
import time
from collections.abc import Awaitable, Callable
from functools import partial
from http import HTTPStatus
from zoneinfo import ZoneInfo

import attrs

from lilygames.chat.accounts.identity import Identity
from lilygames.edge.web.pages import HTML, PageAnswer, PageRequest, Pages
from lilygames.edge.web.shell import shell
from lilygames.sites.deal import Deals
from lilygames.sites.finished import FinishedGames
from lilygames.sites.frame import Frame, Sheet, heading
from lilygames.sites.kept import KeptPages
from lilygames.sites.listing import Listings
from lilygames.sites.lobby import LobbyPage, with_games
from lilygames.sites.markup import h
from lilygames.sites.party import Parties
from lilygames.sites.person import Persons
from lilygames.sites.public import PublicGames, PublicPeople
from lilygames.sites.standing import Standings
from lilygames.sites.table import OpenTablePages, Shell
from lilygames.sites.topic import Topics
from lilygames.sites.tournament import Tournaments
from lilygames.store import StoreUnavailable
from lilygames.tables.commands.lookups import PAGE
from lilygames.tables.open.tables import Tables
from lilygames.tournaments.director import Director

_NUMBER = "[1-9][0-9]{0,8}"
_LATER = PageAnswer(503, "That doesn't work now. Please try again in a minute.\n", headers={"Retry-After": "60"})
_ONLY_READ = PageAnswer(405, "Only GET and HEAD work here. The page is at /\n", headers={"Allow": "GET, HEAD"})
_REFUSED = (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)
Make = Callable[[str], Awaitable[PageAnswer | None]]
"""Makes a page of the end of its address; None if there is none."""


@attrs.frozen
class Route:
    """Addresses that begin alike: what may follow, what makes the page, and the answer if there is none."""

    fits: re.Pattern[str]
    make: Make
    missing: PageAnswer
    names: Callable[[PageRequest], str] = lambda request: request.rest
    """Returns what is made: all addresses of one page give the same."""
    state: Callable[[str], str] = lambda name: ""  # noqa: ARG005 - seldom does anything else decide
    """Returns what else decides how the page is: another one is made when this changes."""
    instead: PageAnswer | None = None
    """The answer to someone who asks too often; None for a refusal."""


class Sites:
    """All public pages of a place."""

    def __init__(
        self,
        tables: Tables,
        director: Director,
        *,
        address: str,
        embed_sites: str,
        telnet: str,
        zone: ZoneInfo,
    ) -> None:
        """`address` is the setting web_address, and `telnet` says in HTML how to play without scripts."""
        host = tables.host
        self.frame = Frame(host.name, address.rstrip("/"))
        self._kept = KeptPages(host.foreground, host.quotas.uses, now=time.time, since_start=time.monotonic)
        people = PublicPeople(host.accounts, host.profiles, tables.store)
        public = PublicGames(tables.archive, tables.duplicates)
        all_games = [*tables.games.values()]
        html = shell(telnet)
        players = Shell(with_games(html, all_games))
        lobby = LobbyPage(html, all_games, host.notices.facts)
        self._nothing = players.answer(HTTPStatus.NOT_FOUND)
        """For addresses at which the page for players may have something that only its reader may see."""
        no_page = PageAnswer(HTTPStatus.NOT_FOUND, self.frame.page(_no_page()), HTML)
        no_data = PageAnswer(HTTPStatus.NOT_FOUND, "There is nothing here.\n")
        games = FinishedGames(tables, public, people, self.frame, embed_sites)
        opened = OpenTablePages(tables, games, self.frame, players)
        without_facts = players.answer(HTTPStatus.OK)
        titles = {game.name: game.title for game in tables.games.values()}
        topics = Topics(host.pages, self.frame, titles)
        standings = Standings(tables.results.ratings, tables.games, people, self.frame)
        persons = Persons(tables, people, self.frame)
        tournaments = Tournaments(director, people, self.frame, zone)
        deals = Deals(tables.daily_deals, people, self.frame, host.accounts.current)
        listings = Listings(self.frame.address, [*titles], host.pages, people)
        number, word = re.compile(_NUMBER), "[a-z]{1,20}"
        routes = {
            "/": Route(re.compile(""), lobby.page, without_facts, instead=without_facts),
            "/help": Route(re.compile(f"|{word}(-{word}){{0,3}}"), topics.page, no_page),
            "/standings": Route(re.compile(f"|{word}"), standings.page, no_page),
            "/tournament": Route(re.compile(rf"|{_NUMBER}(\.ics)?"), tournaments.page, no_page),
            "/daily": Route(re.compile(rf"|{word}(/20\d\d-[01]\d-[0-3]\d)?"), deals.page, no_page),
            "/u": Route(
                re.compile(r"[A-Za-z][\w-]{0,30}", re.ASCII), persons.page, self._nothing, state=persons.own_setting
            ),
            "/t": Route(number, opened.page, without_facts, instead=without_facts),
            "/embed/g": Route(number, games.embedded, no_data),
            "/robots.txt": Route(re.compile(""), listings.robots, no_data),
            "/sitemap.xml": Route(re.compile(""), listings.sitemap, no_data),
        }
        self._routes = routes
        self._parties = Parties(host.name, self.frame.address, players, self._nothing)
        self._game = Route(number, games.page, self._nothing)
        self._steps = Route(re.compile(f"{_NUMBER}/{_NUMBER}"), games.steps, no_data, _first_step)

    @property
    def pages(self) -> Pages:
        """All pages by path."""
        found = {path: partial(self.answer, path, route) for path, route in self._routes.items()}
        below = {f"{path}/{{rest}}": page for path, page in found.items() if path[1:] and "." not in path}
        parties = {"/j/{rest}": self._parties.phone, "/tv/{rest}": self._parties.television}
        return {**found, **below, **parties, "/g/{rest}": self._of_game}

    async def _of_game(self, request: PageRequest) -> PageAnswer:
        """Answer with a finished game, or with positions of it."""
        if request.rest.endswith(".json"):
            return await self.answer("/g.json", self._steps, request)
        return await self.answer("/g", self._game, request)

    async def answer(self, path: str, route: Route, request: PageRequest) -> PageAnswer:
        """Answer a request at an address below a path."""
        if request.posts:
            return _ONLY_READ
        name = route.names(request)
        if not route.fits.fullmatch(name):
            return self._nothing if route.missing.status == HTTPStatus.OK else route.missing
        try:
            address = f"{path}/{name} {route.state(name)}"
            answer = await self._kept.answer(address, request.who, partial(_made, route, name))
        except StoreUnavailable:
            return _LATER
        return route.instead if route.instead and answer.status in _REFUSED else answer

    def forget_person(self, who: Identity) -> None:
        """Forget all pages that are kept: someone was deleted."""
        self._kept.forget_person(who)


async def _made(route: Route, name: str) -> PageAnswer:
    return await route.make(name) or route.missing


def _first_step(request: PageRequest) -> str:
    """Return the number of a game, and the first step of the part of its replay in which the wanted one is."""
    number, wanted = request.rest.removesuffix(".json"), request.query.get("from", "1")
    if not re.fullmatch(_NUMBER, wanted):
        return ""
    return f"{number}/{1 + PAGE * ((int(wanted) - 1) // PAGE)}"


def _no_page() -> Sheet:
    games, manual = h("a", {"href": "/"}, "the games"), h("a", {"href": "/help"}, "the manual")
    words, why = h("p", {}, "Try ", games, " or ", manual, "."), "There is nothing at this address."
    return Sheet("Nothing here", "/", why, (heading("Nothing here"), words), indexed=False)
