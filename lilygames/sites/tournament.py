"""Tournaments: `/tournament`, `/tournament/N`, and `/tournament/N.ics` for calendars."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import attrs

from lilygames.chat.names.time_text import day_and_time
from lilygames.edge.web.pages import CALENDAR, PageAnswer
from lilygames.sites import drawn
from lilygames.sites.frame import Frame, Sheet, box, grid, heading, moment, person, topic
from lilygames.sites.markup import Child, Html, h
from lilygames.sites.public import PublicPeople
from lilygames.text import count
from lilygames.tournaments.director import Director
from lilygames.tournaments.pairing.arena import ArenaRow
from lilygames.tournaments.pairing.log import Header
from lilygames.tournaments.pairing.points import Row, shown
from lilygames.tournaments.pairing.tournament import Round, RoundTable, Tournament
from lilygames.tournaments.words import FORM, is_untold
from lilygames_rules.kit import Refused

KEEP, KEEP_OVER = 5.0, 3600.0
_LATEST = 12
_LASTS = timedelta(hours=2)
"""How long a calendar says that a tournament lasts, unless it's an arena."""
_STATES = {"open": "Planned", "running": "Running", "over": "Over", "cancelled": "Cancelled"}


@attrs.frozen
class Tournaments:
    """The pages of tournaments."""

    director: Director
    people: PublicPeople
    frame: Frame
    zone: ZoneInfo

    async def page(self, rest: str) -> PageAnswer | None:
        """Return the list of the latest tournaments, a tournament, or its calendar; None if there is none."""
        if not rest:
            return self.frame.answer(await self._all(), keep=KEEP)
        number, _, form = rest.partition(".")
        found = await self._find(int(number))
        if found is None:
            return None
        keep = KEEP if found.going else KEEP_OVER
        if form:
            return PageAnswer(200, _calendar(found, self.frame), CALENDAR, keep)
        return self.frame.naming(self.frame.answer(await self._of(found), keep=keep))

    async def _find(self, number: int) -> Tournament | None:
        if known := self.director.open.get(number):
            return known
        try:
            return await self.director.store.find(number)
        except (ValueError, Refused):
            return None

    def _name(self, now_in: Tournament, key: str) -> str:
        return self.people.now(now_in.players[key].name if key in now_in.players else key)

    def _when(self, at: float) -> Html:
        return moment(at, day_and_time(at, self.director.host.now(), self.zone))

    def _title(self, one: Tournament) -> str:
        game = self.director.tables.games.get(one.header.game)
        return game.title if game else one.header.game

    # the list

    async def _all(self) -> Sheet:
        numbers = [*await self.director.store.latest(_LATEST)]
        found = [one for number in numbers if (one := await self._find(number)) and one.status != "cancelled"]
        told = [one for one in found if not is_untold(one)]
        rows = [self._row(one) for one in sorted(told, key=lambda one: (not one.going, -one.starts))]
        coming = [self._coming(header) for header in self.director.coming()]
        heads = ("Tournament", "Game", "Begins")
        soon = box("Next", grid(heads, coming, caption="Next tournaments"), name="wide-first") if coming else ()
        none = h("p", {"class": "none"}, "None is planned. You can plan one: see ", topic("tournament"), ".")
        table = grid(("Tournament", "Game", "Begins", "Players", ""), rows, numbers=(3,), caption="Tournaments")
        about = f"Tournaments of {self.frame.name}: arenas, Swiss, round robin and knockout."
        latest = box("Latest", table) if rows else () if coming else none
        content = (heading("Tournaments"), soon, latest)
        return Sheet("Tournaments", "/tournament", about, content)

    def _coming(self, header: Header) -> Sequence[Child]:
        """Return a tournament of the place that nobody has joined yet."""
        game = self.director.tables.games.get(header.game)
        what = f"{game.title if game else header.game}, {FORM[header.form]}"
        return (h("b", {}, header.name), what, self._when(header.starts))

    def _row(self, one: Tournament) -> Sequence[Child]:
        link = h("a", {"href": f"/tournament/{one.header.number}"}, h("bdi", {}, one.header.name))
        game = f"{self._title(one)}, {FORM[one.header.form]}"
        winner = self._name(one, one.leaders[0].name) if one.status == "over" and one.leaders else ""
        state = ("Won by ", h("bdi", {}, winner)) if winner else _STATES[one.status]
        return (link, game, self._when(one.starts), len(one.players), state)

    # one

    async def _of(self, one: Tournament) -> Sheet:
        linked = await self.people.with_page(self._name(one, key) for key in one.players)
        header, path = one.header, f"/tournament/{one.header.number}"
        what = f"{self._title(one)}, {FORM[header.form]}. "
        facts = h("p", {"class": "soft"}, what, self._when(one.starts), *self._by(one))
        above = h("p", {"class": "crumb"}, h("a", {"href": "/tournament"}, "Tournaments"), f" › {header.number}")
        join = h("a", {"class": "button go", "href": "/"}, "Join") if one.status == "open" else ()
        feed = h("a", {"class": "button", "href": f"{path}.ics"}, "Calendar") if one.going else ()
        left = (facts, *self._standings(one, linked))
        rounds = [self._round(one, each) for each in reversed(one.rounds)]
        content = (
            heading(h("bdi", {}, header.name), join, feed, above=above),
            h("div", {"class": "wide-narrow"}, h("div", {}, left), h("div", {}, self._countdown(one), rounds)),
        )
        return Sheet(header.name, path, self._about(one), content, game=header.game, feed=f"{path}.ics")

    def _by(self, one: Tournament) -> tuple[Child, ...]:
        return (". Planned by ", h("bdi", {}, self.people.now(one.header.by)), ".") if one.header.by else (".",)

    def _about(self, one: Tournament) -> str:
        what = f"{self._title(one)} {FORM[one.header.form]}, {count(len(one.players), 'player')}"
        first = self._name(one, one.leaders[0].name) if one.rounds and one.leaders else ""
        leader = f", {first} {'won' if one.status == 'over' else 'leads'}" if first else ""
        return f"{what}, {_STATES[one.status].lower()}{leader}."

    def _countdown(self, one: Tournament) -> Child:
        """Return the time until the start, which a script counts down."""
        if one.status != "open":
            return ()
        clock = h("p", {"class": "countdown", "data-until": int(one.starts)}, self._when(one.starts))
        joined = h("p", {"class": "soft"}, f"{count(len(one.players), 'player')} joined.")
        return box("Begins", clock, joined, name="felted")

    def _standings(self, one: Tournament, linked: frozenset[str]) -> Iterator[Html]:
        """Yield the standings; in one of the place's own, guests have a list of their own."""
        if not one.ranking:
            yield box("Players", h("p", {"class": "none"}, "Nobody has joined yet."))
        heads = ("", "Player", "Points", "Tables" if one.header.form == "arena" else "Won")
        for apart, title in ((False, "Standings" if one.rounds else "Players"), (True, "Guests")):
            listed = [row for row in one.ranking if one.is_apart(row.name) == apart]
            rows = [self._standing(one, place, row, linked) for place, row in enumerate(listed, 1)]
            if rows:
                yield box(title, grid(heads, rows, numbers=(2, 3), caption=title))

    def _standing(self, one: Tournament, place: int, row: Row | ArenaRow, linked: frozenset[str]) -> Sequence[Child]:
        name = self._name(one, row.name)
        who = h("span", {"class": "who"}, drawn.face(name), person(name, linked=name in linked))
        more = f"{row.tables}" if isinstance(row, ArenaRow) else f"{float(row.wins):.3g}"
        return (place, who, shown(row.points), more)

    def _round(self, one: Tournament, each: Round) -> Html:
        title = "Tables" if one.header.form == "arena" else "Final" if each.final else f"Round {each.number}"
        return box(title, h("ul", {"class": "rows"}, self._tables(one, each)))

    def _tables(self, one: Tournament, each: Round) -> Iterator[Html]:
        for number, table in enumerate(each.tables, 1):
            people = ", ".join(self._name(one, key) for key in table.paired.people)
            bots = f", {count(table.paired.bots, 'bot')}" if table.paired.bots else ""
            yield h("li", {}, self._link(table, number), h("span", {"class": "soft"}, h("bdi", {}, people), bots))
        for bye in each.byes:
            yield h("li", {}, "Bye", h("span", {"class": "soft"}, h("bdi", {}, self._name(one, bye.key))))

    def _link(self, table: RoundTable, number: int) -> Html:
        """Return a link to a table: where it is played, or its game. Duplicates have none until all are done."""
        words = f"Table {number}"
        return h("a", {"href": f"/t/{table.number}"}, words) if table.number else h("span", {}, words)


def _calendar(one: Tournament, frame: Frame) -> str:
    """Return a tournament as a calendar (RFC 5545). Its texts are escaped, and its lines folded."""
    lasts = timedelta(minutes=one.header.minutes) if one.header.minutes else _LASTS
    start, path = datetime.fromtimestamp(one.starts, UTC), f"/tournament/{one.header.number}"
    rows = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//lilygames//tournaments//EN",
        "BEGIN:VEVENT",
        f"UID:tournament-{one.header.number}@{_ics(frame.address.partition('//')[2] or frame.name)}",
        f"DTSTAMP:{start:%Y%m%dT%H%M%SZ}",
        f"DTSTART:{start:%Y%m%dT%H%M%SZ}",
        f"DTEND:{start + lasts:%Y%m%dT%H%M%SZ}",
        f"SUMMARY:{_ics(one.header.name)}",
        *([f"URL:{frame.address}{path}"] if frame.address else []),
        *(["STATUS:CANCELLED"] if one.status == "cancelled" else []),
        "END:VEVENT",
        "END:VCALENDAR",
    ]
    return "".join(f"{_folded(row)}\r\n" for row in rows)


def _ics(text: str) -> str:
    for letter in "\\;,":
        text = text.replace(letter, f"\\{letter}")
    return "".join(letter for letter in text if letter.isprintable())


def _folded(row: str) -> str:
    """Return a row in pieces of at most 75 bytes, of which all but the first begin with a space."""
    pieces, piece = [], ""
    for letter in row:
        if len((piece + letter).encode()) > 74:  # noqa: PLR2004 - with the space, 75 bytes (RFC 5545, section 3.1)
            pieces.append(piece)
            piece = ""
        piece += letter
    return "\r\n ".join([*pieces, piece])
