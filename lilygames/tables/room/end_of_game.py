"""The end of a game: settle purses, open the seal, and save results and ratings.

Players who are out of the game stop hearing it earlier.
"""

from __future__ import annotations

from functools import partial

from lilygames import codec
from lilygames.chat.names.names import fold
from lilygames.chat.people.people import Room
from lilygames.game import Game
from lilygames.tables.bots.host_check import HostCheck
from lilygames.tables.log.acts import EVERY_ACT, Closed
from lilygames.tables.play import next_steps
from lilygames.tables.play.coach import Coach
from lilygames.tables.play.publish import Publisher
from lilygames.tables.play.runner import Advanced, Runner
from lilygames.tables.play.services import AtTheEnd, Players
from lilygames.tables.ratings.ratings import size_of
from lilygames.tables.results.purses import Purses
from lilygames.tables.sight import narrate
from lilygames.tables.state.table import Table
from lilygames.tables.state.visible import published_secret
from lilygames.text import count
from lilygames_rules.kit import Seat


class EndOfGame:
    """Ends a game exactly once, and settles the purses of players who leave before that."""

    def __init__(
        self,
        runner: Runner,
        publisher: Publisher,
        coach: Coach,
        host_check: HostCheck,
        *,
        at_the_end: AtTheEnd,
        purses: Purses,
        players: Players,
    ) -> None:
        self._runner = runner
        self._publisher = publisher
        self._coach = coach
        self._host_check = host_check
        self._at_the_end = at_the_end
        self._purses = purses
        self._players = players
        self._settled: set[Seat] = set()
        """Seats that have been cashed out."""
        self._ended = False

    async def go_on(self) -> None:
        """Close the table if the game has ended, and settle everything.

        Raises `UserError`, `StoreUnavailable`.
        """
        if self._runner.table.ended and not self._runner.table.closed:
            await self.close()
        await self._settle()
        table = self._runner.table
        if table.closed and not self._ended:
            for effect in () if table.lesson else self._at_the_end.effects:
                await effect(table)
            self._ended = True
            self._publisher.tell_over(table, partial(self._rating, table))
            self._publisher.say_how_it_ended(table)
            self._coach.say_farewell(table)
            self._at_the_end.ended(table.header.number)
            self._offer_next(table)

    async def close(self) -> None:
        """Close the table: publish its secret, or the host's check of its bots; raises `UserError`."""
        checked = await self._host_check.result()
        await self._runner.act("table", Closed(published_secret(self._runner.table), checked), only_here=True)

    def _rating(self, table: Table, name: str) -> codec.Json:
        """Return a player's rating after a rated game; None if they have none."""
        kind = f"{table.game.name} {size_of(len(table.seats))}"
        rating = self._players.rating_of(kind, name)
        if table.own_seat(name) is None or not (table.header.rated and table.counted and rating.games):
            return None
        return {"kind": kind, "mean": round(rating.mu, 1), "games": rating.games}

    def _offer_next(self, table: Table) -> None:
        """Offer each player here what to do next; a lesson ends in its own way, and a page has buttons."""
        room = self._runner.room
        owners = table.seats.owners & room.people.keys() if next_steps.follow(table) else ()
        for person in (room.people[name] for name in sorted(owners)):
            if person.local and not person.takes_picture:
                person.show(*next_steps.offered(self._publisher.tag, table, person))

    async def learn_settled(self) -> None:
        """Cash out the players who left before this node followed the table, without telling them again.

        Raises `StoreUnavailable`, and `Unsettled` if an account can't be read.
        """
        await self._purses.settle(self._runner.table, self._settled)

    async def _settle(self) -> None:
        """Cash out the players who have left, and tell them."""
        table = self._runner.table
        if table.game.purse is None:
            return
        for taken in await self._purses.settle(table, self._settled):
            person = self._players.people.get(fold(taken.name))
            if person and person.local:
                unit = table.game.purse.unit
                held = f"guests' {unit}s aren't saved" if taken.guest else f"you have {count(taken.held, unit)} now"
                person.show(self._publisher.line(f"{_result(taken.change, table.game)}; {held}."))

    def unsettled(self, name: str) -> int:
        """Return the units a person brought to this table and hasn't cashed out."""
        table = self._runner.table
        if table.lesson or table.header.duplicate:
            return 0
        seats = enumerate(zip(table.seats, table.purses or table.rounds.staked, strict=False))
        mine = (purse for seat, (who, purse) in seats if fold(who.name) == fold(name) and seat not in self._settled)
        return sum(mine) + _reserved(table, name)


def _result(change: int, game: Game) -> str:
    """Return what a player has won or lost, without a full stop."""
    if not change and game.purse:
        return f"You neither win nor lose {game.purse.unit}s"
    return f"Your result is {narrate.in_units(change, game)}"


def _reserved(table: Table, name: str) -> int:
    """Return the units with which a person is about to join a running game."""
    newcomer = table.rounds.newcomer
    return sum(table.rounds.staked[-1:]) if newcomer and fold(newcomer.name) == fold(name) else 0


class Finished:
    """Players who are out of a running game and no longer hear it."""

    acts = EVERY_ACT

    def __init__(self, room: Room, publisher: Publisher) -> None:
        self._room = room
        self._publisher = publisher
        self._known: set[Seat] = set()
        """Seats that have been told they are out."""

    @staticmethod
    def seats(table: Table) -> set[Seat]:
        """Return the seats of people who are out of a running game."""
        playing = table.game.playing
        if playing is None:
            return set()
        still = playing(table.view(None)) if table.going else range(len(table.seats))
        return {seat for seat, who in enumerate(table.seats) if who.person and seat not in still}

    def remember(self, table: Table) -> None:
        """Restore which players the previous process told they were out."""
        self._known = self.seats(table)

    def observe(self, advanced: Advanced) -> None:
        """Stop sending the game to people who left or are out, until they watch it."""
        table = advanced.after
        if advanced.before.seats is not table.seats:
            self._room.stop_watching(advanced.before.seats.owners - table.seats.owners)
        finished = self.seats(table)
        for seat in finished - self._known:
            name, person = fold(table.seats[seat].name), self._publisher.near(table.seats[seat])
            if person and name in self._room.people:
                person.show(self._publisher.line(f"You are out of the game. {self._ways_on(table)}"))
            self._room.stop_watching({name})
        self._known = finished

    def _ways_on(self, table: Table) -> str:
        """Return what a player who is out can do; in a tournament or duplicate set they have no other game to play."""
        watch = f"Type /watch {self._room.name} to see the rest"
        if table.header.tournament or table.header.duplicate:
            return f"{watch}."
        return f"{watch}, or /leave and then /quick {table.game.name} to play again."
