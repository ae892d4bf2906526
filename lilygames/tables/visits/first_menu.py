"""The first menu after a login: a game with bots, games that someone waits for, more games, and the lessons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

import attrs

from lilygames.chat.people.observers import Arrived, PersonEvent
from lilygames.chat.people.people import Person
from lilygames.chat.people.settings import SUITS_ASKED
from lilygames.game import Game
from lilygames.layout import packed
from lilygames.tables.open.tables import Tables
from lilygames.tables.room import seating
from lilygames.tables.room.bot import TableBot
from lilygames.tables.sight.public_row import PublicRow
from lilygames.tables.state.table import free_seats
from lilygames.text import NARROW, Line, listing

_INVITED, _WAITING, _NAMED = 2, 2, 2
"""Maximum invitations and games with people waiting in the menu, and people named for each."""

_QUESTION = Line("Do you see four suits? ♠♥♦♣  Type n if you don't.")
_BY_COMMAND = Line("Do you see four suits? ♠♥♦♣  Type /set ascii on if you don't.")
"""The question where keys are moves or talk."""
_ANSWERS = {"n": "/set ascii on", "y": "/set suits"}
"""Answers to the question, and the lines they stand for: plain letters, or no change."""


@attrs.frozen
class Choice:
    """A row of the menu: its words, what a wide screen adds, and the line that its number stands for."""

    words: str
    line: str
    more: str = ""
    said: str = ""
    """The words for screen readers, if not `for WORDS`."""


class FirstMenu:
    """Observer that shows the menu to people who arrive in the lobby and sit at no table.

    It asks everyone once whether they see suits, if that was guessed. Those who come back to a table read the question
    before what happened there, so that the table's own question comes last.
    """

    observes = (Arrived,)

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def observe(self, event: PersonEvent) -> None:
        """Show the menu to a person who has arrived, unless their client resumes or is a program."""
        match event:
            case Arrived(person) if person.seen is None and person.profile.settings.get("machine") != "on":
                if person.seats or person.room.bot or any(self._tables.unplayable.keeping(person.name)):
                    self._ask_about_suits(person, _BY_COMMAND)
                else:
                    self._show(person)

    def _show(self, person: Person) -> None:
        """Show the menu, and once ask a person whose suits were guessed whether they see them."""
        if choices := [*_choices(self._tables, person)]:
            asks = _asks_about_suits(person)
            rows = _menu(choices, person)
            person.focus.offer((choice.line for choice in choices), _ANSWERS if asks else {}, rows=rows)
            person.show(*rows)
            self._ask_about_suits(person, _QUESTION)

    def _ask_about_suits(self, person: Person, question: Line) -> None:
        """Ask a person whether they see suits, if their suits were guessed and nobody has asked them."""
        if _asks_about_suits(person):
            person.show(question)
            person.update_profile(settings={**person.profile.settings, SUITS_ASKED: "yes"})
            self._tables.host.keep(person)


def in_order(games: Sequence[Game]) -> list[Game]:
    """Return the games as menus list them, the shortest first."""
    return sorted(games, key=lambda game: (game.minutes, game.title.casefold()))


def waiting(tables: Tables, person: Person, game: Game) -> Iterator[str]:
    """Yield the people at tables of a game that a person could join at once."""
    there = [bot for bot in tables.joinable.values() if bot.table.game is game]
    for bot in there:
        if _can_join(bot, person):
            yield from (who.name for who in bot.table.seats.people)
    for row in _quick_elsewhere(tables, person):
        if row.game == game.name:
            yield from row.players


def joinable_elsewhere(tables: Tables, person: Person) -> list[PublicRow]:
    """Return the tables that only other nodes follow, and where a person could probably sit down."""
    return tables.remote.joinable(person, tables.host.people.is_here)


def _quick_elsewhere(tables: Tables, person: Person) -> list[PublicRow]:
    """Return those of these tables that accept everyone: for the others, this node would need the log."""
    rows = joinable_elsewhere(tables, person)
    return [row for row in rows if row.game in tables.games and row.vacancies and not row.vacancies.accepts]


def _can_join(bot: TableBot, person: Person) -> bool:
    return bot not in person.seats and seating.takes_quickly(bot, person)


def _asks_about_suits(person: Person) -> bool:
    """Whether a person's suits were guessed, and they haven't been asked about them yet."""
    guessed = person.terminal is not None and person.terminal.suits_guessed
    return guessed and SUITS_ASKED not in person.profile.settings


def _menu(choices: Sequence[Choice], person: Person) -> Sequence[Line]:
    """Return the menu as rows for a person's screen."""
    narrow = person.width < NARROW
    groups = [f"{number}. {choice.words}{'' if narrow else choice.more}" for number, choice in enumerate(choices, 1)]
    rows = packed([f" {groups[0]}", *groups[1:]], person.width, indent=" ", gap="   ")
    said = listing(
        (f"{number} {choice.said or f'for {choice.words}'}" for number, choice in enumerate(choices, 1)), "or"
    )
    last = "Type a number, or just talk." + ("" if narrow else " /help has the rest.")
    return [Line(rows[0], aloud=f"Type {said}."), *(Line(row, aloud="") for row in rows[1:]), Line(last, aloud="")]


def _choices(tables: Tables, person: Person) -> Iterator[Choice]:
    """Yield a game with bots, the invitations, the tables that wait for players, then all games and the lessons."""
    games = in_order([*tables.games.values()])
    joinable = [*tables.joinable.values()]
    elsewhere = _quick_elsewhere(tables, person)
    taken = {bot.table.game.name for bot in joinable if _can_join(bot, person) and bot.table.seats.people}
    taken |= {row.game for row in elsewhere}
    alone = next((game for game in games if game.players and game.name not in taken), None)
    if alone:
        yield Choice(f"{alone.title} with bots", f"/quick {alone.name}", f", {alone.minutes} min")
    for bot in tables.inviting(person)[:_INVITED]:
        yield Choice(f"{bot.table.game.title} with {bot.table.header.host}", _sit(bot), " (invited)")
    waiting_here = (_joining(bot, person) for bot in joinable if _waits(bot, person))
    later = (_joining_later(bot) for bot in with_open_seats(tables, person))
    yield from islice(chain(waiting_here, (_joining_elsewhere(tables, row) for row in elsewhere), later), _WAITING)
    if games:
        yield Choice("more games", "/quick")
    if any(game.lesson for game in games):
        yield Choice("learn", "/learn", said="to learn")


def _waits(bot: TableBot, person: Person) -> bool:
    """Whether a table waits for players, and the person may be one."""
    if not bot.table.seats.people or not bot.room.may_see(person):
        return False
    return seating.takes_quickly(bot, person) or (bot.open_to_all and free_seats(bot.table) > 0)


def _joining(bot: TableBot, person: Person) -> Choice:
    game = bot.table.game
    quickly = seating.takes_quickly(bot, person)
    return _company(game, (who.name for who in bot.table.seats.people), f"/quick {game.name}" if quickly else _sit(bot))


def with_open_seats(tables: Tables, person: Person) -> Iterator[TableBot]:
    """Yield the tables with people where someone may take a bot's seat when the next round begins."""
    for bot in (bot for bot in tables.open.values() if bot.table.header.open_seats):
        people = [who.name for who in bot.table.seats.people if bot.publisher.is_here(who.name)]
        if people and bot.open_seats.left and not bot.keeps_seat(person.name):
            yield bot


def _joining_later(bot: TableBot) -> Choice:
    people = (who.name for who in bot.table.seats.people)
    return attrs.evolve(_company(bot.table.game, people, _sit(bot)), more=", next round")


def _joining_elsewhere(tables: Tables, row: PublicRow) -> Choice:
    return _company(tables.games[row.game], row.players, f"/quick {row.game}")


def _company(game: Game, names: Iterable[str], line: str) -> Choice:
    return Choice(f"{game.title} with {listing(islice(names, _NAMED))}", line)


def _sit(bot: TableBot) -> str:
    return f"/sit {bot.table.header.number}"
