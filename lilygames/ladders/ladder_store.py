"""The ladders of a place in the store: a log for each game and season, and what time brings to them.

Each append is a compare-and-set. So whichever node is faster applies a midnight or ends a season, and it is done once.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import date, datetime, tzinfo
from functools import reduce

import attrs
import structlog

from lilygames import codec
from lilygames.chat.accounts.identity import Identity
from lilygames.game import Game
from lilygames.ladders.duels import Duels, points
from lilygames.ladders.ladder import Act, Body, Challenged, Decided, Duel, Ladder, Midnight, Opened, Score, Scored
from lilygames.ladders.season import season_of
from lilygames.store import Conflict, Draft, Effect, Store
from lilygames.tables.duplicate.daily_deals import has_daily
from lilygames_rules.kit import Refused

log = structlog.get_logger()
PREFIX = "ladder-"
"""How the name of each duel's set begins."""
_CURRENT = "ladder"
"""Kind of the records that name each game's present season."""


@attrs.frozen
class News:
    """An act on a ladder, with the ladder before and after it, and after all acts that came with it."""

    game: Game
    before: Ladder
    act: Act
    after: Ladder
    latest: Ladder


def _log(game: Game, season: str) -> str:
    return f"ladder/{game.name}/{season}"


class Ladders:
    """The ladders of a place: one for each game that can be played alone with bots."""

    def __init__(
        self,
        store: Store,
        duels: Duels,
        games: Mapping[str, Game],
        zone: tzinfo,
        *,
        told: Callable[[News], None],
    ) -> None:
        self._store = store
        self._accounts = duels.accounts
        self.duels = duels
        self.zone = zone
        self.games = {name: game for name, game in games.items() if has_daily(game)}
        """The games that have a ladder."""
        self.known: dict[str, Ladder] = {}
        """The ladders as last read, by game."""
        self._told = told

    @property
    def today(self) -> date:
        """The date now."""
        return datetime.fromtimestamp(self.now, self.zone).date()

    @property
    def now(self) -> float:
        """The time in seconds since 1970."""
        return self.duels.sets.now()

    def key(self, name: str) -> str:
        """Return the account key of a name."""
        return self._accounts.key(name)

    def name(self, ladder: Ladder, key: str) -> str:
        """Return the present name of someone on a ladder."""
        return self._accounts.now(ladder.rungs[ladder.place(key)].name)

    # read

    async def find(self, game: Game) -> Ladder:
        """Return a game's ladder with everything that time has brought; raises `StoreUnavailable`."""
        while act := (ladder := await self._current(game)).due(self.now, self.today):
            with suppress(Conflict):
                await self._append(game, ladder, act)
            if isinstance(act, Decided):
                await self.duels.end(f"{PREFIX}{game.name}-{act.number}")
        return ladder

    async def season(self, game: Game, season: str) -> Ladder | None:
        """Return the final table of a season, or None if there was none."""
        entries = (await self._store.read(_log(game, season))).entries
        if not entries:
            return None
        ladder, seen = None, 0
        while entries:
            for entry in entries:
                act = codec.from_text(entry.body, Body).act
                ladder = Ladder.opened(act) if isinstance(act, Opened) else ladder and ladder.after(act)
                seen = entry.seq
            entries = (await self._store.read(_log(game, season), seen)).entries
        return ladder

    async def _current(self, game: Game) -> Ladder:
        """Return the ladder of the present season as its log tells it; open the season if nobody has."""
        ladder = self.known.get(game.name)
        if ladder is None:
            season = await self._store.find(_CURRENT, game.name)
            first = Opened(season or season_of(self.today), self.today.isoformat())
            ladder = await self._opened(game, first)
        ladder = await self._read_on(game, ladder)
        while ladder.ended:
            ladder = await self._read_on(game, await self._opened(game, ladder.next_season()))
        self.known[game.name] = ladder
        return ladder

    async def _opened(self, game: Game, act: Opened) -> Ladder:
        """Open a season unless that has happened, and return the ladder with which it began."""
        name = _log(game, act.season)
        page = await self._store.read(name, 0, 1)
        if not page.entries:
            effects = [Effect(_CURRENT, game.name, act.season)]
            with suppress(Conflict):
                await self._store.append(name, 0, [_draft(act)], cmd="open", effects=effects)
            page = await self._store.read(name, 0, 1)
        first = codec.from_text(page.entries[0].body, Body).act
        if not isinstance(first, Opened):
            raise ValueError(f"{name} doesn't begin with a season")  # noqa: TRY004 - the log is wrong, not the caller
        return Ladder.opened(first)

    async def _read_on(self, game: Game, ladder: Ladder) -> Ladder:
        """Return a ladder after the entries appended since, and tell what happened if it was known before."""
        known = game.name in self.known
        while (page := await self._store.read(_log(game, ladder.season), ladder.seq)).entries:
            acts = [codec.from_text(entry.body, Body).act for entry in page.entries]
            latest = reduce(Ladder.after, acts, ladder)
            for act in acts:
                after = ladder.after(act)
                had = self.known.get(game.name)
                if known and not (had and had.season == after.season and had.seq >= after.seq):
                    self.known[game.name] = after  # first, so that another reader doesn't tell it again
                    self._told(News(game, ladder, act, after, latest))
                ladder = after
        return ladder

    def forget_person(self, who: Identity) -> None:  # noqa: ARG002 - they may be on any
        """Read all ladders again when they are needed: a deleted person was on them."""
        self.known.clear()

    # change

    async def add(self, game: Game, *acts: Act) -> Ladder:
        """Append acts to a game's ladder at once, and return the ladder after them; raises `Refused`."""
        while True:
            after = ladder = await self.find(game)
            for act in acts:
                after = after.after(act)
            try:
                await self._append(game, ladder, *acts)
            except Conflict:
                continue
            return await self.find(game)

    async def _append(self, game: Game, ladder: Ladder, *acts: Act) -> None:
        cmd = next((f"midnight {act.day}" for act in acts if isinstance(act, Midnight)), secrets.token_hex(16))
        await self._store.append(_log(game, ladder.season), ladder.seq, [*map(_draft, acts)], cmd=cmd)

    # duels

    @staticmethod
    def set_name(game: Game, duel: Duel) -> str:
        """Return the name of a duel's duplicate set."""
        return f"{PREFIX}{game.name}-{duel.number}"

    async def look(self) -> None:
        """Record games of duels that are over, and do what time brings; raises `StoreUnavailable`."""
        for game in self.games.values():
            try:
                await self.settled(game)
            except (ValueError, Refused) as problem:  # the other ladders go on
                log.error("a ladder can't be read", game=game.name, why=str(problem))  # noqa: TRY400 - the text says it

    async def settled(self, game: Game) -> Ladder:
        """Return a game's ladder after the duels that are over; raises `StoreUnavailable`."""
        for duel in (await self.find(game)).duels:
            acts = [Scored(duel.number, score) for score in await self._scores(game, duel)] if duel.accepted else []
            if acts:
                with suppress(Refused):  # another node was faster
                    await self.add(game, *acts)
        return await self.find(game)

    async def _scores(self, game: Game, duel: Duel) -> list[Score]:
        """Return the scores of the games of a duel that are over and haven't been recorded."""
        found = []
        for key in duel.players:
            table = await self.duels.game(self.set_name(game, duel), key)
            if table and table.finished and not duel.scored(key):
                deals = points(table)
                found.append(Score(key, None if deals is None else sum(deals), spoiled=bool(table.case)))
        return found


def _draft(act: Act) -> Draft:
    by = act.challenger if isinstance(act, Challenged) else "table"
    return Draft(by, codec.to_text(Body(act)))
