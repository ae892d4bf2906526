"""The team matches of a place in the store: one log, whose positions are their numbers."""

from __future__ import annotations

import secrets

import attrs

from lilygames import codec
from lilygames.errors import UserError
from lilygames.ladders.duels import Duels, points
from lilygames.ladders.team_match import DAYS, BoardResult, Member, TeamMatch
from lilygames.store import Draft, Store

_LOG = "team-matches"
_LATEST = 50
"""Latest matches that are listed."""


@attrs.frozen
class TeamMatches:
    """All team matches."""

    store: Store
    duels: Duels

    async def open(self, game: str, teams: tuple[tuple[Member, ...], tuple[Member, ...]], by: str) -> TeamMatch:
        """Open a match that can be played from now on."""
        match = TeamMatch(game, teams, self.duels.sets.now() + DAYS * 86400)
        draft = Draft(by, codec.to_text(match))
        (entry,) = await self.store.append(_LOG, None, [draft], cmd=secrets.token_hex(16))
        return attrs.evolve(match, number=entry.seq)

    async def find(self, number: int) -> TeamMatch:
        """Return a match; raises `UserError` if there is none with this number."""
        entries = (await self.store.read(_LOG, number - 1, 1)).entries if number > 0 else ()
        if not entries or entries[0].seq != number:
            raise UserError(f"there is no team match #{number}. Type /match to list yours.")
        match: TeamMatch = codec.from_text(entries[0].body, TeamMatch)
        return attrs.evolve(match, number=number)

    async def latest(self, key: str) -> list[TeamMatch]:
        """Return someone's latest matches, the last one first."""
        head = (await self.store.heads([_LOG]))[_LOG]
        page = await self.store.read(_LOG, max(0, head - _LATEST))
        found = (attrs.evolve(codec.from_text(one.body, TeamMatch), number=one.seq) for one in page.entries)
        return [match for match in found if match.board_of(key) is not None][::-1]

    async def results(self, match: TeamMatch) -> list[BoardResult]:
        """Return the result of each board so far."""
        over = self.duels.sets.now() >= match.until
        found = []
        for board, pair in enumerate(match.boards):
            tables = await self.duels.both(match.set_name(board), [one.key for one in pair])
            mine, theirs = (points(table) if table else None for table in tables)
            one, other = (bool(table and table.finished) for table in tables)
            if one and other:
                await self.duels.end(match.set_name(board))
            found.append(BoardResult((mine, theirs), (one and other) or over, (one, other)))
        return found
