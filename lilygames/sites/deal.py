"""Daily deals: `/daily`, and the standings of a day, `/daily/GAME/DATE`. Nothing of the cards is told here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from functools import partial

import attrs

from lilygames.edge.web.pages import PageAnswer
from lilygames.game import Game
from lilygames.sites import drawn
from lilygames.sites.frame import Frame, Sheet, box, grid, heading, person, signed, topic
from lilygames.sites.markup import Child, Html, h
from lilygames.sites.public import PublicPeople
from lilygames.tables.duplicate import daily_rules
from lilygames.tables.duplicate.daily_deals import DailyDeals, has_daily, shown_day
from lilygames.tables.duplicate.matchpoints import Placed
from lilygames.text import count

KEEP = 30.0
_ROWS = 50


@attrs.frozen
class Deals:
    """The pages of daily deals."""

    deals: DailyDeals
    people: PublicPeople
    frame: Frame
    name_of: Callable[[str], str]
    """Returns the present name of the account with a key."""

    async def page(self, rest: str) -> PageAnswer | None:
        """Return the list of today's deals, or the standings of `GAME/DATE`; None if nothing was dealt then."""
        if not rest:
            return self.frame.answer(self._all(), keep=KEEP)
        name, _, day = rest.partition("/")
        game = next((game for game in self.deals.games if game.name == name and has_daily(game)), None)
        if game is None:
            return None
        if not day:
            return PageAnswer(302, "", headers={"Location": f"/daily/{game.name}/{self.deals.today.isoformat()}"})
        try:
            return await self._of(game, date.fromisoformat(day))
        except ValueError:  # the 31st of February
            return None

    def _all(self) -> Sheet:
        today = self.deals.today
        tiles = (
            h("li", {}, h("a", {"class": "tile", "href": f"/daily/{game.name}/{today.isoformat()}"},
                          h("strong", {}, game.title), drawn.sample(game.name)))
            for game in self.deals.games
        )  # fmt: skip
        about = "The same cards and bots for everyone, once a day. Play, and see how you compare."
        top = heading("Today's deals", h("p", {"class": "soft"}, shown_day(today)))
        content = (top, h("p", {}, about), h("ul", {"class": "tiles deals-of"}, tiles))
        return Sheet("Daily deals", "/daily", about, content)

    async def _of(self, game: Game, day: date) -> PageAnswer | None:
        found = await self.deals.sets.readable(daily_rules.set_name(game.name, day))
        if found is None or day > self.deals.today:
            return None
        standings = daily_rules.day_standings(self.deals.entrants(found))
        placed = [*standings.listed, *standings.apart]
        week = await self.deals.week(game, day)
        names = [self.people.now(one.result.name) for one in placed]
        linked = await self.people.with_page([*names, *(self.name_of(row.key) for row in week)])
        unit = (game.purse.unit if game.purse else "point").capitalize()
        rows = [self._row(one, linked, opened=found.opened) for one in standings.listed[:_ROWS]]
        apart = [("–", *self._row(one, linked, opened=found.opened)[1:]) for one in standings.apart[:_ROWS]]
        heads, today = ("", "Player", f"{unit}s", "Beats"), day == self.deals.today
        weeks = [
            (place, self._who(self.name_of(row.key), linked), f"{float(row.points):.2f}", row.days)
            for place, row in enumerate(week[:_ROWS], 1)
        ]
        none = h("p", {"class": "none"}, "Nobody has finished this deal yet.")
        play = h("a", {"class": "button go", "href": "/"}, "Play it") if today else ()
        listed = grid(heads, rows, numbers=(2, 3), caption="Standings") if rows else none
        new = box("New accounts", grid(heads, apart, numbers=(2, 3), caption="New accounts")) if apart else ()
        of_week = grid(("", "Player", "Points", "Days"), weeks, numbers=(2, 3), caption="Week") if weeks else none
        later = "Games can be replayed here the day after the deal has ended. See "
        content = (
            heading(f"{game.title} of the day", play, above=self._crumb(game, day)),
            h(
                "div",
                {"class": "wide-narrow"},
                h("div", {}, box(shown_day(day), listed), new),
                h("div", {}, box("Week", of_week), h("p", {"class": "soft"}, later, topic("daily"), ".")),
            ),
        )
        best = f"{names[0]} leads with {placed[0].result.total}. " if placed and standings.listed else ""
        about = f"{best}{count(len(placed), 'player')} so far." if today else f"{best}{count(len(placed), 'player')}."
        title = f"{game.title}, deal of {day.day} {shown_day(day).split()[2]} {day.year}"
        path = f"/daily/{game.name}/{day.isoformat()}"
        return self.frame.answer(Sheet(title, path, about, content, game=game.name), keep=KEEP)

    def _crumb(self, game: Game, day: date) -> Html:
        """Return the links to all deals, and to the days before and after."""
        before, after = day - timedelta(days=1), day + timedelta(days=1)
        link = partial(_day_link, game)
        later = (" · ", link(after, "next day")) if after <= self.deals.today else ()
        return h("p", {"class": "crumb"}, h("a", {"href": "/daily"}, "Deals"), " › ", link(before, "day before"), later)

    def _row(self, one: Placed, linked: frozenset[str], *, opened: bool) -> Sequence[Child]:
        points = signed(one.result.total)
        total = h("a", {"href": f"/g/{one.result.table}"}, points) if opened else points
        share = f"{100 * one.beaten // one.others} %" if one.others else "–"
        return (one.place, self._who(self.people.now(one.result.name), linked), total, share)

    def _who(self, name: str, linked: frozenset[str]) -> Html:
        return h("span", {"class": "who"}, drawn.face(name), person(name, linked=name in linked))


def _day_link(game: Game, day: date, words: str) -> Html:
    return h("a", {"href": f"/daily/{game.name}/{day.isoformat()}"}, words)
