"""What a finished game leaves behind: a row in the history of each who played, and ratings, each exactly once."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

import attrs
from openskill.models import PlackettLuce

from lilygames import codec
from lilygames.chat.accounts import Accounts
from lilygames.chat.names import fold
from lilygames.store import Conflict, Draft, Entry, Store
from lilygames.tables.log import Body, Seated
from lilygames.tables.table import Table
from rules.kit import Seat

MODEL = PlackettLuce()
FEWEST = 2
"""People that a rated game needs."""


@attrs.frozen
class Played:
    """A game as one of its players remembers it: which, when, in which place of how many, and whether they left."""

    table: int
    game: str
    at: float
    place: int
    seats: int
    score: int
    left: bool = False
    rated: bool = False


@attrs.frozen
class Rating:
    """How strong somebody is at a game: the middle of what is likely, how far that may be off, and after how many."""

    mu: float = MODEL.mu
    sigma: float = MODEL.sigma
    games: int = 0

    def __str__(self) -> str:
        return f"{self.mu:.1f} +- {2 * self.sigma:.1f}"

    @property
    def sure(self) -> float:
        """What somebody is at least, almost surely: standings go by it."""
        return self.mu - 3 * self.sigma


def size_of(seats: int) -> str:
    """Return the class of a game by its seats: a duel, a small table and a large one are different games."""
    return "2" if seats == 2 else "3-4" if seats <= 4 else "5+"  # noqa: PLR2004 - they are what it says


@attrs.frozen
class Hands:
    """Through whose hands each seat went: the people who had it at the start, and whether they still have it."""

    owners: Mapping[Seat, str]
    left: frozenset[Seat]


def hands(table: Table, entries: Iterable[Entry]) -> Hands:
    """Return who had each seat at the start of a game, and which seats somebody else played in between.

    Who got up from a game that lets people go has left nobody alone, and counts by what the seat brought.
    """
    owners = {seat: who.stands_in or who.name for seat, who in enumerate(table.seats) if who.stands_in or not who.house}
    changed = set()
    started = False
    for entry in entries:
        act = codec.from_text(entry.body, Body).act
        started = started or not isinstance(act, Seated)
        if started and isinstance(act, Seated) and act.who and act.who.house:
            changed.add(act.seat)
            if act.seat not in owners:
                owners[act.seat] = entry.by
    return Hands(owners, frozenset(changed))


def places(scores: Sequence[int], last: Iterable[Seat] = ()) -> list[int]:
    """Return the place of each seat from its score, 1 the best, equal scores equal; those who left come last."""
    out = set(last)
    keys = [(seat in out, -score) for seat, score in enumerate(scores)]
    return [1 + sum(other < key for other in keys) for key in keys]


class Results:
    """Everybody's games and ratings."""

    def __init__(self, store: Store, accounts: Accounts) -> None:
        self._store = store
        self._accounts = accounts
        self.ratings: dict[str, dict[str, Rating]] = {}
        """By game and size (`ohell 3-4`), then by the key of what somebody owns."""
        self.names: dict[str, str] = {}
        """What they were called when they were rated last, by key."""

    async def load(self) -> None:
        """Read all ratings."""
        after = 0
        while (page := await self._store.read("ratings", after)).entries:
            for entry in page.entries:
                self._learn(json.loads(entry.body))
            after = page.entries[-1].seq

    def _learn(self, body: Mapping[str, object]) -> None:
        known = self.ratings.setdefault(str(body["class"]), {})
        keys = dict(body.get("keys", {}))  # type: ignore[call-overload]
        for name, (mu, sigma, games) in dict(body["now"]).items():  # type: ignore[call-overload]
            key = keys.get(name, fold(name))
            known[key] = Rating(mu, sigma, games)
            self.names[key] = name

    def _played(self, name: str) -> str:
        return f"played/{self._accounts.key(name)}"

    async def finished(self, table: Table) -> None:
        """Take down how a game ended, for each who played it; however often it is asked, once."""
        outcome = table.outcome
        if outcome is None:
            return
        log = f"table/{table.header.number}"
        entries: list[Entry] = []
        while (page := await self._store.read(log, len(entries))).entries:
            entries += page.entries
        kept = hands(table, entries)
        place = places(outcome.scores, kept.left)
        rated = await self._rate(table, kept, place)
        for seat, name in kept.owners.items():
            row = Played(
                table=table.header.number,
                game=table.game.name,
                at=entries[-1].at,
                place=place[seat],
                seats=len(table.seats),
                score=outcome.scores[seat],
                left=seat in kept.left,
                rated=rated,
            )
            draft = Draft("table", codec.to_text(row))
            await self._store.append(self._played(name), None, [draft], cmd=f"table/{row.table}/{seat}")

    async def _rate(self, table: Table, kept: Hands, place: Sequence[int]) -> bool:
        """Rate the people among themselves, those who left last; return whether there was anything to rate.

        Seats that a house player had, from the start or in between, count for nobody but who left them.
        """
        seats = sorted(kept.owners, key=lambda seat: place[seat])
        if not table.header.rated or len(seats) < FEWEST:
            return False
        kind = f"{table.game.name} {size_of(len(table.seats))}"
        while True:
            head = (await self._store.heads(["ratings"]))["ratings"]
            now = self._rated(kind, [(kept.owners[seat], place[seat]) for seat in seats])
            keys = {name: self._accounts.key(name) for name in now}
            body = {"class": kind, "table": table.header.number, "now": now, "keys": keys}
            try:
                (entry,) = await self._store.append(
                    "ratings", head, [Draft("table", json.dumps(body))], cmd=f"table/{table.header.number}"
                )
            except Conflict:
                await self.load()
                continue
            self._learn(json.loads(entry.body))
            return True

    def _rated(self, kind: str, people: Sequence[tuple[str, int]]) -> dict[str, tuple[float, float, int]]:
        known = self.ratings.get(kind, {})
        before = [known.get(self._accounts.key(name), Rating()) for name, _ in people]
        teams = [[MODEL.rating(mu=one.mu, sigma=one.sigma)] for one in before]
        after = MODEL.rate(teams, ranks=[float(place) for _, place in people])
        pairs = zip(people, after, before, strict=True)
        return {name: (new.mu, new.sigma, old.games + 1) for (name, _), [new], old in pairs}

    def of(self, name: str) -> dict[str, Rating]:
        """Return somebody's ratings by game and size."""
        key = self._accounts.key(name)
        return {kind: known[key] for kind, known in sorted(self.ratings.items()) if key in known}

    def standings(self, game: str, most: int = 15) -> dict[str, list[tuple[str, Rating]]]:
        """Return the best at a game, by size: who is surely strong comes first."""
        best = {}
        for kind, known in sorted(self.ratings.items()):
            if kind.partition(" ")[0] == game:
                order = sorted(known.items(), key=lambda one: -one[1].sure)[:most]
                best[kind] = [(self._accounts.now(self.names[key]), rating) for key, rating in order]
        return best

    def expected(self, kind: str, names: Sequence[str]) -> list[float]:
        """Return how likely each of some people is to win a game among them."""
        known = self.ratings.get(kind, {})
        ratings = [known.get(self._accounts.key(name), Rating()) for name in names]
        return MODEL.predict_win([[MODEL.rating(mu=one.mu, sigma=one.sigma)] for one in ratings])

    async def played(self, name: str, most: int = 1000) -> list[Played]:
        """Return somebody's games, the latest first."""
        log = self._played(name)
        head = (await self._store.heads([log]))[log]
        found: list[Played] = []
        after = max(0, head - most)
        while (page := await self._store.read(log, after)).entries:
            found += [codec.from_text(entry.body, Played) for entry in page.entries]
            after = page.entries[-1].seq
        return found[::-1]
