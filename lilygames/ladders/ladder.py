"""A ladder as a value: the fold of the log of one season. Pure.

You challenge someone a few places above you. If you win, you take their place, and those between move down one. If
you play no ladder game for three weeks, you drop one place, and then one a week. Drops happen at midnight, from the
bottom up: otherwise two idle neighbours would only swap places.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any, Literal

import attrs

from lilygames.ladders.season import season_of
from lilygames_rules.kit import Refused

REACH, MANY = 4, 40
"""How many places above you can challenge; with more active players than `MANY`, a tenth of them."""
ANSWER = 36 * 3600.0
"""Seconds to answer a challenge."""
PLAY = 7 * 86400.0
"""Seconds to play a duel after it was accepted."""
AGAIN = 7 * 86400.0
"""Seconds before the same two can play again."""
IDLE, WEEK = 21, 7
"""Days without a ladder game before someone drops a place, and between further drops."""
AWAY_DAYS = 30
"""Days a year on which being away stops the count."""
Why = Literal["score", "answer", "declined", "time", "spoiled"]


@attrs.frozen
class Rung:
    """A player's place on a ladder, stored under their account key.

    `idle` is the number of whole days since their last ladder game; -1 until the next midnight after it.
    """

    key: str
    name: str
    wins: int = 0
    losses: int = 0
    idle: int = -1
    away: bool = False
    away_used: int = 0
    """Days of this year on which they were away."""


@attrs.frozen
class Score:
    """A player's points in a duel; None if they left their table. A game is `spoiled` if a bot failed there."""

    key: str
    points: int | None
    spoiled: bool = False


@attrs.frozen
class Duel:
    """A challenge, and the duel that it becomes when it is accepted. `until` is when the present wait ends."""

    number: int
    challenger: str
    defender: str
    until: float
    accepted: bool = False
    scores: tuple[Score, ...] = ()

    @property
    def players(self) -> tuple[str, str]:
        """The account keys of both."""
        return self.challenger, self.defender

    def scored(self, key: str) -> bool:
        """Return whether a player's game is over."""
        return any(one.key == key for one in self.scores)

    def other(self, key: str) -> str:
        """Return the other player."""
        return self.defender if key == self.challenger else self.challenger

    def result(self, now: float) -> Decided | None:
        """Return the decision that is due at a time; None if there is none yet."""
        if not self.accepted:
            return Decided(self.number, self.challenger, "answer", now) if now >= self.until else None
        if any(one.spoiled for one in self.scores):
            return Decided(self.number, "", "spoiled", now)
        points = {one.key: one.points for one in self.scores}
        both = points.keys() == set(self.players)
        if not both and now < self.until:
            return None
        mine, theirs = points.get(self.challenger), points.get(self.defender)
        why: Why = "score" if both else "time"
        if mine == theirs:
            return Decided(self.number, "", why, now)
        if theirs is None or (mine is not None and mine > theirs):
            return Decided(self.number, self.challenger, why, now)
        return Decided(self.number, self.defender, why, now)


@attrs.frozen
class Met:
    """Two players who have played a duel, and when it was decided."""

    players: tuple[str, ...]
    at: float


# acts


@attrs.frozen
class Opened:
    """A season begins with the order in which the last one ended, and the duels that are still open."""

    season: str
    day: str
    rungs: tuple[Rung, ...] = ()
    duels: tuple[Duel, ...] = ()
    met: tuple[Met, ...] = ()
    challengers: tuple[str, ...] = ()
    number: int = 0


@attrs.frozen
class Joined:
    """Someone joins at the bottom."""

    key: str
    name: str


@attrs.frozen
class Left:
    """Someone leaves the ladder. If they were challenged, the challenger takes their place."""

    key: str


@attrs.frozen
class Challenged:
    """Someone challenges a player above them."""

    challenger: str
    defender: str
    at: float


@attrs.frozen
class Accepted:
    """A challenge is accepted."""

    number: int
    at: float


@attrs.frozen
class Scored:
    """A player's game in a duel is over."""

    number: int
    score: Score


@attrs.frozen
class Decided:
    """A duel is decided; `winner` is an account key, or empty if nobody won."""

    number: int
    winner: str
    why: Why
    at: float


@attrs.frozen
class WentAway:
    """Someone is away for a while: their idle days don't count."""

    key: str


@attrs.frozen
class CameBack:
    """Someone is back."""

    key: str


@attrs.frozen
class Midnight:
    """A day begins: everyone's idle days are counted, and drops are applied."""

    day: str


@attrs.frozen
class Ended:
    """The season is over; its order is final."""


Act = (Opened | Joined | Left | Challenged | Accepted | Scored) | (Decided | WentAway | CameBack | Midnight | Ended)


@attrs.frozen
class Body:
    """The body of an entry of a ladder's log."""

    act: Act


@attrs.frozen
class Ladder:
    """A ladder as its log has left it; the first rung is the top."""

    season: str
    day: str
    """The last day whose midnight was applied, as `2026-11-23`."""
    seq: int = 0
    rungs: tuple[Rung, ...] = ()
    duels: tuple[Duel, ...] = ()
    """The open ones."""
    met: tuple[Met, ...] = ()
    """Recent duels, by their two players."""
    challengers: tuple[str, ...] = ()
    """Everyone who has challenged someone: only the first challenge can go to anyone."""
    number: int = 0
    """The number of the last duel."""
    ended: bool = False

    # look up

    def place(self, key: str) -> int:
        """Return someone's place, from 0 at the top; raises `Refused` if they aren't on the ladder."""
        for place, rung in enumerate(self.rungs):
            if rung.key == key:
                return place
        raise Refused("not-on-ladder")

    def has(self, key: str) -> bool:
        """Return whether someone is on the ladder."""
        return any(rung.key == key for rung in self.rungs)

    @property
    def reach(self) -> int:
        """How many places above them people can challenge."""
        active = sum(not rung.away for rung in self.rungs)
        return active // 10 if active > MANY else REACH

    def challenge_to(self, key: str) -> Duel | None:
        """Return the open duel in which someone was challenged."""
        return next((duel for duel in self.duels if duel.defender == key), None)

    def challenge_by(self, key: str) -> Duel | None:
        """Return the open duel in which someone is the challenger."""
        return next((duel for duel in self.duels if duel.challenger == key), None)

    def duels_of(self, key: str) -> list[Duel]:
        """Return someone's open duels, accepted or not."""
        return [duel for duel in self.duels if key in duel.players]

    # what is due

    def due(self, now: float, today: date) -> Act | None:
        """Return the first act that time brings; None if everything up to now is done."""
        if self.ended:
            return None
        for duel in self.duels:
            if decided := duel.result(now):
                return decided
        day = date.fromisoformat(self.day)
        if day >= today:
            return None
        following = day + timedelta(days=1)
        return Ended() if season_of(following) != self.season else Midnight(following.isoformat())

    def next_season(self) -> Opened:
        """Return the first act of the season after this one."""
        rungs = tuple(attrs.evolve(rung, wins=0, losses=0) for rung in self.rungs)
        following = date.fromisoformat(self.day) + timedelta(days=1)
        return Opened(
            season_of(following), self.day, rungs, self.duels, self.met, self.challengers, self.number
        )  # its first midnight is applied in the new season

    # acts

    def after(self, act: Act) -> Ladder:
        """Return the ladder after an act; raises `Refused`."""
        if self.ended:
            raise Refused("season-over")
        match act:
            case Joined() | Left() | WentAway() | CameBack():
                return self._after_person(act)
            case Challenged() | Accepted() | Scored() | Decided():
                return self._after_duel(act)
            case Midnight(day):
                return self._midnight(day)
            case Ended():
                return self._with(ended=True)
        raise Refused("opened")

    def _after_person(self, act: Joined | Left | WentAway | CameBack) -> Ladder:
        match act:
            case Joined(key, name):
                if self.has(key):
                    raise Refused("on-ladder")
                return self._with(rungs=(*self.rungs, Rung(key, name)))
            case Left(key):
                return self._without(key)
            case WentAway(key):
                return self._away(key)
            case CameBack(key):
                if not self.rungs[self.place(key)].away:
                    raise Refused("not-away")
                return self._rung(key, away=False)

    def _after_duel(self, act: Challenged | Accepted | Scored | Decided) -> Ladder:
        match act:
            case Challenged():
                return self._challenged(act)
            case Accepted(number, at):
                duel = self._open(number)
                if duel.accepted:
                    raise Refused("accepted")
                return self._changed(attrs.evolve(duel, accepted=True, until=at + PLAY))
            case Scored(number, score):
                duel = self._open(number)
                if not duel.accepted or duel.scored(score.key) or score.key not in duel.players:
                    raise Refused("scored")
                return self._changed(attrs.evolve(duel, scores=(*duel.scores, score)))
            case Decided():
                return self._decided(act)

    def _with(self, **changed: Any) -> Ladder:
        return attrs.evolve(self, seq=self.seq + 1, **changed)

    def _rung(self, key: str, **changed: Any) -> Ladder:
        place = self.place(key)
        rung = attrs.evolve(self.rungs[place], **changed)
        return self._with(rungs=(*self.rungs[:place], rung, *self.rungs[place + 1 :]))

    def _open(self, number: int) -> Duel:
        """Return an open duel; raises `Refused`."""
        for duel in self.duels:
            if duel.number == number:
                return duel
        raise Refused("no-duel")

    def _changed(self, changed: Duel) -> Ladder:
        return self._with(duels=tuple(changed if duel.number == changed.number else duel for duel in self.duels))

    def _challenged(self, act: Challenged) -> Ladder:
        self._check(act)
        number = self.number + 1
        duel = Duel(number, act.challenger, act.defender, act.at + ANSWER)
        known = act.challenger in self.challengers
        return self._with(
            duels=(*self.duels, duel),
            number=number,
            challengers=self.challengers if known else (*self.challengers, act.challenger),
            met=tuple(met for met in self.met if act.at < met.at + AGAIN),
        )

    def _check(self, act: Challenged) -> None:
        """Raise `Refused` if a challenge isn't allowed."""
        mine, theirs = self.place(act.challenger), self.place(act.defender)
        if self.rungs[mine].away:
            raise Refused("you-are-away")
        if self.rungs[theirs].away:
            raise Refused("they-are-away")
        if theirs >= mine:
            raise Refused("not-above")
        if act.challenger in self.challengers and mine - theirs > self.reach:
            raise Refused("too-far", reach=self.reach)
        if self.challenge_by(act.challenger):
            raise Refused("one-out")
        if self.challenge_to(act.defender):
            raise Refused("one-in")
        pair = {act.challenger, act.defender}
        if any(pair == {*duel.players} for duel in self.duels):
            raise Refused("one-in")
        if any(pair == {*met.players} and act.at < met.at + AGAIN for met in self.met):
            raise Refused("again")

    def _decided(self, act: Decided) -> Ladder:
        """Return the ladder after a duel: a challenger who won takes the place, and both have played."""
        duel = self._open(act.number)
        loser = duel.other(act.winner) if act.winner else ""
        rungs = tuple(_played(rung, duel, act, loser) for rung in self.rungs)
        if act.winner == duel.challenger:
            rungs = _moved_up(rungs, self.place(duel.challenger), self.place(duel.defender))
        return self._with(
            rungs=rungs,
            duels=tuple(one for one in self.duels if one.number != act.number),
            met=(*self.met, Met(duel.players, act.at)),
        )

    def _without(self, key: str) -> Ladder:
        """Return the ladder without someone; a challenger takes the place of the one who leaves."""
        place, rungs = self.place(key), self.rungs
        if duel := self.challenge_to(key):
            rungs = _moved_up(rungs, self.place(duel.challenger), place)
        return self._with(
            rungs=tuple(rung for rung in rungs if rung.key != key),
            duels=tuple(duel for duel in self.duels if key not in duel.players),
        )

    def _away(self, key: str) -> Ladder:
        rung = self.rungs[self.place(key)]
        if rung.away:
            raise Refused("you-are-away")
        if self.duels_of(key):
            raise Refused("in-duel")
        if rung.away_used >= AWAY_DAYS:
            raise Refused("away-used")
        return self._rung(key, away=True)

    def _midnight(self, day: str) -> Ladder:
        """Return the ladder at the start of a day: each idle player drops one place, from the bottom up."""
        if day <= self.day:
            raise Refused("midnight-done")
        rungs = [_next_day(rung, new_year=day.endswith("-01-01")) for rung in self.rungs]
        for place in range(len(rungs) - 2, -1, -1):
            if _drops(rungs[place], self.rungs[place]):
                rungs[place], rungs[place + 1] = rungs[place + 1], rungs[place]
        return self._with(rungs=tuple(rungs), day=day)

    @classmethod
    def opened(cls, act: Opened) -> Ladder:
        """Return the ladder that a season begins with."""
        return cls(act.season, act.day, 1, act.rungs, act.duels, act.met, act.challengers, act.number)


def _played(rung: Rung, duel: Duel, act: Decided, loser: str) -> Rung:
    """Return a rung after a duel. Only those who played, or won because the other didn't, have been active."""
    if rung.key not in duel.players:
        return rung
    active = duel.scored(rung.key) or rung.key == act.winner
    won, lost = rung.key == act.winner, rung.key == loser
    return attrs.evolve(rung, wins=rung.wins + won, losses=rung.losses + lost, idle=-1 if active else rung.idle)


def _moved_up(rungs: tuple[Rung, ...], start: int, to: int) -> tuple[Rung, ...]:
    """Return the order after a winner takes a place; those between move down one."""
    if start <= to:
        return rungs
    return (*rungs[:to], rungs[start], *rungs[to:start], *rungs[start + 1 :])


def _next_day(rung: Rung, *, new_year: bool) -> Rung:
    """Return a rung at the start of a day; the 31st day away in a year ends it."""
    used = 0 if new_year else rung.away_used
    if not rung.away:
        return attrs.evolve(rung, idle=rung.idle + 1, away_used=used)
    if used >= AWAY_DAYS:
        return attrs.evolve(rung, idle=rung.idle + 1, away=False, away_used=used)
    return attrs.evolve(rung, away_used=used + 1)


def _drops(rung: Rung, before: Rung) -> bool:
    """Return whether someone drops a place on a day: after three idle weeks, and every week from then on."""
    return rung.idle > before.idle and rung.idle >= IDLE and (rung.idle - IDLE) % WEEK == 0
