"""Finished games: `/g/N`, the positions that its script shows (`/g/N.json`), and the same in a frame (`/embed/g/N`)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime

import attrs

from lilygames.chat.names.time_text import MONTHS
from lilygames.edge.web.pages import JSON, PageAnswer
from lilygames.errors import UserError
from lilygames.sites import drawn
from lilygames.sites.frame import Frame, Sheet, box, grid, heading, moment, ordinal, person, signed
from lilygames.sites.markup import Child, Html, h
from lilygames.sites.public import PublicGames, PublicPeople
from lilygames.tables.commands.finished.replays import recorded
from lilygames.tables.commands.lookups import replay_page
from lilygames.tables.log.acts import Header
from lilygames.tables.open.tables import Tables
from lilygames.tables.sight.recaps import Recap, RecapSeat
from lilygames.text import count, listing

KEEP = 600.0
"""Seconds for which a finished game is kept: names in it may change."""
_ORIGIN = "pages"
"""The name under which replays for pages take turns with those for people."""


@attrs.frozen
class _Game:
    """A finished game with the names of its seats as they are now, and which of these people have a page."""

    number: int
    header: Header
    recap: Recap
    names: Sequence[str]
    linked: frozenset[str]

    def named(self, seat: int) -> str:
        """Return the name at a seat."""
        return self.names[seat]

    @property
    def result(self) -> str:
        """The result in a sentence: `wren beats Ada, moss and Max`."""
        winners = [self.names[seat] for seat in self.recap.winners]
        others = [name for seat, name in enumerate(self.names) if seat not in self.recap.winners]
        if not others or not winners:
            return f"{listing(self.names)} share the win"
        return f"{listing(winners)} {'beat' if len(winners) > 1 else 'beats'} {listing(others)}"


@attrs.frozen
class FinishedGames:
    """The pages of finished games."""

    tables: Tables
    public: PublicGames
    people: PublicPeople
    frame: Frame
    embed_sites: str

    async def page(self, number: str) -> PageAnswer | None:
        """Return the page of a finished game; None if it isn't public, as if it never was."""
        found = await self._find(int(number))
        return self.frame.naming(self._answer(found, embedded=False)) if found else None

    async def embedded(self, number: str) -> PageAnswer | None:
        """Return a finished game for a frame of another site, if the sysop allows that."""
        found = await self._find(int(number)) if self.embed_sites else None
        if found is None:
            return None
        policy = f"default-src 'self'; frame-ancestors {self.embed_sites}; base-uri 'none'; form-action 'none'"
        answer = attrs.evolve(self._answer(found, embedded=True), headers={"Content-Security-Policy": policy})
        return self.frame.naming(answer)

    async def steps(self, page: str) -> PageAnswer | None:
        """Return the positions of a finished game, `NUMBER/STEP`, as programs get them; None if they aren't public."""
        number, _, first = page.partition("/")
        found = await self._find(int(number))
        if found is None or not found.recap.steps or int(first) > found.recap.steps:
            return None
        try:
            _, entries = await self.tables.archive.read(found.number)
            recording = await recorded(self.tables.finished, found.header, entries, _ORIGIN)
        except UserError:
            return None
        value = await replay_page(recording, int(first), _ORIGIN)
        return self.frame.naming(PageAnswer(200, json.dumps(value, separators=(",", ":")), JSON, KEEP))

    async def is_over(self, number: int) -> bool:
        """Return whether there is a page of this game."""
        return await self._find(number) is not None

    async def _find(self, number: int) -> _Game | None:
        header = await self.public.find(number)
        recap = await self.tables.recaps.find(number) if header else None
        if header is None or recap is None or recap.game not in self.tables.games:
            return None
        names = [self._name(header, seat) for seat in recap.seats]
        accounts = [name for name, seat in zip(names, recap.seats, strict=True) if not seat.level]
        return _Game(number, header, recap, names, await self._linked(accounts, recap.at))

    def _name(self, header: Header, seat: RecapSeat) -> str:
        return seat.who if seat.level else self.people.now(header.people.name_of(seat.who))

    async def _linked(self, names: Iterable[str], at: float) -> frozenset[str]:
        """Return those who have a page, and had their account when the game ended: before, the name was a guest's."""
        found = await self.people.with_page(names)
        return frozenset([name for name in found if (await self.people.accounts.since(name) or 0.0) <= at])

    # the page

    def _answer(self, game: _Game, *, embedded: bool) -> PageAnswer:
        return self.frame.answer(self._sheet(game, embedded=embedded), keep=KEEP)

    def _sheet(self, game: _Game, *, embedded: bool) -> Sheet:
        kind, recap, path = self.tables.games[game.recap.game], game.recap, f"/g/{game.number}"
        about = f"{kind.title}, {self._day(recap.at)}: {self._scores(game)}."
        title = h("a", {"href": f"/standings/{kind.name}"}, kind.title)
        above = h("p", {"class": "crumb"}, title, f" › game {game.number}")
        top = heading(game.result, self._facts(game), above=() if embedded else above)
        replay = (
            h("div", {"id": "replay", "data-number": game.number, "data-steps": recap.steps}) if recap.steps else ()
        )
        boxes = (self._result(game), self._rounds(game), self._moments(game), () if embedded else self._share(game))
        content = (top, h("div", {"class": "wide-narrow finished"}, h("div", {}, replay), h("div", {}, boxes)))
        scripts = ("game.js",) if recap.steps else ()
        return Sheet(
            game.result, path, about, content, game=kind.name, scripts=scripts, embedded=embedded, indexed=not embedded
        )

    def _day(self, at: float) -> str:
        day = datetime.fromtimestamp(at, self.tables.daily_deals.zone)
        return f"{day.day} {MONTHS[day.month - 1]} {day.year}"

    def _scores(self, game: _Game) -> str:
        order = sorted(range(len(game.names)), key=lambda seat: (game.recap.seats[seat].place, seat))
        return ", ".join(f"{game.names[seat]} {game.recap.seats[seat].score}" for seat in order)

    def _facts(self, game: _Game) -> Child:
        recap = game.recap
        rounds = f", {count(len(recap.rounds), 'round')}" if recap.rounds else ""
        minutes = f", {count(max(1, round(recap.seconds / 60)), 'minute')}" if recap.seconds else ""
        counted = "" if recap.counted else ", doesn't count"
        check = h("a", {"href": "/help/seal"}, "fair deal, sealed")
        return h("p", {"class": "soft"}, moment(recap.at, self._day(recap.at)), f"{rounds}{minutes}{counted}, ", check)

    def _result(self, game: _Game) -> Html:
        order = sorted(range(len(game.names)), key=lambda seat: (game.recap.seats[seat].place, seat))
        rows = [self._row(game, seat) for seat in order]
        unit = self.tables.games[game.recap.game].purse
        score = f"{unit.unit}s".capitalize() if unit else "Points"
        return box("Result", grid(("", "Player", score), rows, numbers=(2,), caption="Result"))

    def _row(self, game: _Game, seat: int) -> Sequence[Child]:
        one, name = game.recap.seats[seat], game.names[seat]
        bot = h("span", {"class": "badge"}, "bot") if one.level else ()
        left = h("span", {"class": "soft"}, " left") if one.left else ()
        who = h("span", {"class": "who"}, drawn.face(name), person(name, linked=name in game.linked), bot, left)
        return ("–" if one.left else ordinal(one.place), who, signed(one.score))

    def _rounds(self, game: _Game) -> Child:
        """Return the sheet of a game with rounds: each links to its step of the replay."""
        rounds = game.recap.rounds
        if not rounds:
            return ()
        sums, rows = [0] * len(game.names), []
        for number, one in enumerate(rounds, 1):
            sums = [before + (more or 0) for before, more in zip(sums, one.scores, strict=True)]
            link = h("a", {"href": f"#{one.step}"}, number)
            rows.append((link, *(self._cell(*pair) for pair in zip(one.scores, sums, strict=True))))
        heads = ("Round", *game.names)
        table = grid(heads, rows, numbers=range(1, len(heads)), caption="Scores by round")
        return box("Rounds", h("div", {"class": "sheet"}, table))

    @staticmethod
    def _cell(scored: int | None, total: int) -> Child:
        return (signed(total), h("small", {}, "–" if scored is None else f"{scored:+}".replace("-", "−")))

    def _moments(self, game: _Game) -> Child:
        moments = game.recap.moments
        if not moments:
            return ()
        rows = (h("li", {}, h("b", {}, h("bdi", {}, game.names[seat])), ": ", what) for seat, what in moments)
        return box("Moments", h("ul", {"class": "simple"}, rows))

    def _share(self, game: _Game) -> Html:
        path = f"{self.frame.address}/g/{game.number}"
        words = h("p", {"class": "soft"}, "This link opens the game; with a step, at that move.")
        return box("Share", words, h("p", {}, h("code", {"id": "link"}, path)), h("div", {"id": "share"}))
