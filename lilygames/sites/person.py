"""Someone's page: `/u/NAME`. It tells what everyone may know, and neither friends nor when they were last here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from urllib.parse import quote

import attrs

from lilygames.chat.names.names import fold
from lilygames.chat.names.time_text import MONTHS
from lilygames.chat.people.profile import PAGE
from lilygames.edge.web.pages import PageAnswer
from lilygames.game import Game
from lilygames.sites import drawn
from lilygames.sites.frame import Frame, Sheet, box, grid, ordinal, signed
from lilygames.sites.markup import Child, Html, h
from lilygames.sites.public import PublicPeople
from lilygames.tables.log.names_beside import people_of_each
from lilygames.tables.log.seat_ids import SeatIds
from lilygames.tables.open.tables import Tables
from lilygames.tables.ratings.curves import Curve, Point
from lilygames.tables.ratings.known_ratings import has_house
from lilygames.tables.ratings.rating_model import Rating
from lilygames.tables.results.achievements import known
from lilygames.tables.results.results import Played
from lilygames.tables.sight.recaps import Recap
from lilygames.text import count

KEEP = 30.0
_GAMES = 10
_TILES = 4
_READ = 30
_ROWS = 30
"""Days in the table below the curve, the latest ones."""
_DRAWN = 120
"""Points of the curve that are drawn, at most about so many: more can't be told apart."""
_WEEKS = 15
_SUITS = "SHDC"


@attrs.frozen
class _Rated:
    """A rating with its class and its curve."""

    kind: str
    rating: Rating
    curve: Curve

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.kind.partition(" ")[0]

    @property
    def change(self) -> float | None:
        """How the last day of play has changed it; None if that isn't known."""
        points = self.curve.points
        return points[-1].mu - points[-2].mu if len(points) > 1 else None


@attrs.frozen
class Persons:
    """The pages of people with an account."""

    tables: Tables
    people: PublicPeople
    frame: Frame

    async def page(self, name: str) -> PageAnswer | None:
        """Return someone's page, or the way to it under their present name; None if they have none."""
        now = self.people.find(name)
        setting = await self.people.setting(now) if now else "off"
        if setting == "off":
            return None
        if now != name:
            return PageAnswer(301, "", headers={"Location": f"/u/{quote(now)}"})
        if setting == "all":
            await self.people.let_find(now)
        return self.frame.answer(await self._sheet(now, indexed=setting == "all"), keep=KEEP)

    def own_setting(self, name: str) -> str:
        """Return the setting of someone who is here, because a change counts at once; empty for anyone else."""
        person = self.tables.host.people.get(fold(name))
        return person.profile.settings.get(PAGE, "here") if person else ""

    async def _sheet(self, name: str, *, indexed: bool) -> Sheet:
        rated = await self._rated(name)
        totals = await self.tables.statistics.of(name)
        games, wins = sum(one.games for one in totals.values()), sum(one.wins for one in totals.values())
        facts = [f"{count(games, 'game')}, {wins} won" if games else "No finished games yet"]
        main = rated[0] if rated else None
        content = (
            _head(name, [*await self._since(name), *facts], self._playing(name)),
            h("ul", {"class": "tiles"}, [self._tile(one, first=one is main) for one in rated[:_TILES]]),
            h(
                "div",
                {"class": "wide-narrow"},
                h("div", {}, self._curve(main) if main else (), await self._games(name)),
                h("div", {}, await self._streak(name), await self._achievements(name)),
            ),
        )
        best = f"Rated {main.rating.mu:.1f} at {self._title(main.game)}. " if main else ""
        return Sheet(name, f"/u/{name}", f"{best}{'. '.join(facts)}.", content, indexed=indexed)

    def _title(self, game: str) -> str:
        return self.tables.games[game].title if game in self.tables.games else game

    async def _since(self, name: str) -> list[str]:
        since = await self.people.accounts.since(name)
        if not since:
            return []
        day = datetime.fromtimestamp(since, self.tables.results.ratings.zone)
        return [f"Here since {MONTHS[day.month - 1]} {day.year}"]

    def _playing(self, name: str) -> Html | None:
        """Return the public table at which someone plays here now."""
        for bot in self.tables.seating(name):
            number = bot.table.header.number
            if self.tables.is_public(number):
                return h("a", {"href": f"/t/{number}"}, f"{bot.table.game.title}, table {number}")
        return None

    # ratings

    async def _rated(self, name: str) -> list[_Rated]:
        """Return someone's ratings: one for each game, that with the most games, and those among people first."""
        ratings, key = self.tables.results.ratings, self.people.accounts.key(name)
        await ratings.read_of(name)
        mine = ratings.of(name)
        curves = await ratings.curves.of([f"{kind}/{key}" for kind in mine])
        found = [_Rated(kind, one, curves.get(f"{kind}/{key}", Curve())) for kind, one in mine.items()]
        order = sorted(found, key=lambda one: (has_house(one.kind), -one.rating.games))
        best = {one.game: one for one in reversed(order)}
        return sorted(best.values(), key=lambda one: (has_house(one.kind), -one.rating.games))

    def _tile(self, one: _Rated, *, first: bool) -> Html:
        change = one.change
        sign = () if change is None else h("b", {"class": "up" if change >= 0 else "down"}, _signed(change), " ")
        return h(
            "li",
            {"class": "leading" if first else None},
            h(
                "a",
                {"class": "tile", "href": f"/standings/{one.game}"},
                h("span", {"class": "soft"}, self._title(one.game)),
                h("strong", {}, f"{one.rating.mu:.1f}{'?' if one.rating.provisional else ''}"),
                h("span", {}, sign, h("span", {"class": "soft"}, count(one.rating.games, "game"), _against(one.kind))),
            ),
        )

    def _curve(self, one: _Rated) -> Html:
        points = one.curve.points
        title = f"{self._title(one.game)} rating"
        seats = f"{one.kind.split()[1].replace('-', '–')} players{_against(one.kind)}"
        beside = h("span", {"class": "soft"}, seats, f", best {max((p.mu for p in points), default=one.rating.mu):.1f}")
        if len(points) < 2:  # noqa: PLR2004 - a line has two ends
            return box(title, h("p", {"class": "none"}, "The curve begins with the second day of play."), beside=beside)
        line = drawn.curve([(p.day, p.mu) for p in _thinned(points)], (_day(points[0].day), _day(points[-1].day)))
        rows = ((_day(p.day), f"{p.mu:.1f}", p.games) for p in reversed(points[-_ROWS:]))
        table = grid(("Day", "Rating", "Games"), rows, numbers=(1, 2), caption=title)
        return box(title, line, h("details", {}, h("summary", {}, "As a table"), table), beside=beside)

    # games

    async def _games(self, name: str) -> Html:
        """Return someone's latest games that aren't private."""
        played = [one for one in await self.tables.results.played(name, _READ) if not one.private][:_GAMES]
        numbers = [one.table for one in played]
        recaps = await self.tables.recaps.find_each(numbers)
        beside = await people_of_each(self.tables.store, numbers)
        rows = [self._game(one, recaps.get(one.table), beside[one.table], name) for one in played]
        none = h("p", {"class": "none"}, "No finished games yet.")
        table = grid(("Game", "Place", "With", "Score"), rows, numbers=(3,), caption=f"Games of {name}")
        return box("Games", table if rows else none)

    def _game(self, one: Played, recap: Recap | None, people: SeatIds, name: str) -> Sequence[Child]:
        title = self._title(one.game)
        link = h("a", {"href": f"/g/{one.table}"}, title) if recap else title
        place: Child = "left" if one.left else (h("b", {}, ordinal(one.place)), f" of {one.seats}")
        names = [self.people.now(people.name_of(seat.who)) for seat in recap.seats] if recap else []
        others = ", ".join(other for other in names if fold(other) != fold(name))
        return (link, place, h("span", {"class": "soft"}, h("bdi", {}, others)), signed(one.score))

    # days and achievements

    async def _streak(self, name: str) -> Html:
        deals = self.tables.daily_deals
        streak, today = await deals.streak(name), deals.today
        first = today - timedelta(days=today.weekday() + 7 * (_WEEKS - 1))
        shown = [first + timedelta(days=number) for number in range((today - first).days + 1)]
        squares = drawn.calendar(["on" if streak.has(day) else "off" for day in shown])
        now = streak.on(today)
        beside = h("span", {"class": "streak"}, drawn.flame(), now) if now else ()
        misses = f" {count(streak.misses, 'free miss', 'free misses')} left." if streak.misses and now else ""
        lately = sum(map(streak.has, shown))
        played_lately = f"{count(lately, 'day')} with a deal among the last {len(shown)}"
        words = f"{played_lately}. Best streak: {count(streak.best, 'day')}.{misses}"
        return box("Daily streak", squares, h("p", {"class": "soft"}, words), beside=beside)

    async def _achievements(self, name: str) -> Html:
        earned = (await self.tables.achievements.of(name)).games
        everything = sum(len(game.achievements) for game in self.tables.games.values())
        mine = [*self._earned(earned)]
        beside = h("span", {"class": "soft"}, f"{len(mine)} of {everything}")
        none = h("p", {"class": "none"}, "None yet.")
        return box("Achievements", h("ul", {"class": "badges"}, mine) if mine else none, beside=beside)

    def _earned(self, earned: Mapping[str, Mapping[str, object]]) -> Iterator[Html]:
        for number, (game, name) in enumerate((game, name) for game, names in earned.items() for name in names):
            kind: Game | None = self.tables.games.get(game)
            about = known(kind, name) if kind else None
            if kind and about:
                suit = drawn.suit(_SUITS[number % len(_SUITS)])
                yield h("li", {"title": f"{kind.title}: {about.text}"}, suit, name)


def _head(name: str, facts: Sequence[str], playing: Html | None) -> Html:
    now = (" Plays now: ", playing, ".") if playing else ()
    words = h("div", {}, h("h1", {}, h("bdi", {}, name)), h("p", {"class": "soft"}, ". ".join(facts), ".", now))
    challenge = h("a", {"class": "button go", "href": "/"}, "Play here")
    return h("div", {"class": "headline person"}, h("div", {"class": "who"}, drawn.face(name), words), challenge)


def _against(kind: str) -> str:
    return ", with bots" if has_house(kind) else ""


def _thinned(points: Sequence[Point]) -> Sequence[Point]:
    """Return some of many points, at equal distances; the last is always among them."""
    step = max(1, len(points) // _DRAWN)
    return points[(len(points) - 1) % step :: step]


def _signed(change: float) -> str:
    return f"{'+' if change >= 0 else '−'}{abs(change):.1f}"


def _day(ordinal_day: int) -> str:
    day = date.fromordinal(ordinal_day)
    return f"{day.day} {MONTHS[day.month - 1][:3]} {day.year}"
