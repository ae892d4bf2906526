"""Characters of bots: the tempers of a dozen names, and what bots remember of people within a session.

A bot remembers someone's claims that challenges have shown, from all their games with it, as long as they are here. The
log of a new game has it as a frozen value, so that everyone can compute the bot's moves again. Bots have no character
at duplicate tables and in daily deals, tournaments and lessons: there the same cards have to meet the same players.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from weakref import WeakKeyDictionary

import attrs

from lilygames.chat.people import Person
from lilygames.game import Game, Reputation, without_character
from lilygames.tables.log import HOUSE, Remembered, Sitter
from lilygames.tables.strategies import seated_bot
from lilygames.tables.table import Table

_TEMPERS = ("bold", "careful", "talkative", "grumpy")
_DOZEN = 12
MOST = 50
"""Number of someone's claims after which a bot remembers only half of them."""


def temper_of(name: str) -> str:
    """Return the temper of a bot; empty if its name has none."""
    place = HOUSE.index(name) if name in HOUSE else _DOZEN
    return _TEMPERS[place % len(_TEMPERS)] if place < _DOZEN else ""


def has_characters(table: Table) -> bool:
    """Return whether the bots of a table differ from others of their level."""
    header = table.header
    alike = header.lesson or header.duplicate or header.tournament
    return not alike and table.game.in_character is not without_character


class Acquaintances:
    """Memories that bots have of the people who are here."""

    def __init__(self) -> None:
        self._met: WeakKeyDictionary[Person, dict[tuple[str, str], Reputation]] = WeakKeyDictionary()

    def saw(self, person: Person, game: Game, bots: Iterable[str], *, honest: bool) -> None:
        """Let bots remember a claim."""
        met = self._met.setdefault(person, {})
        for bot in bots:
            known = met.get((game.name, bot), Reputation()).after(honest=honest)
            met[game.name, bot] = Reputation(known.lies // 2, known.truths // 2) if known.claims > MOST else known

    def memory(self, person: Person, game: Game, bot: str) -> Reputation:
        """Return what a bot remembers of a person."""
        return self._met.get(person, {}).get((game.name, bot), Reputation())

    def seated(self, table: Table, people: Mapping[str, Person], name: str, level: str) -> Sitter:
        """Return a bot for a seat, with its temper and what it remembers of the players who are there."""
        who = seated_bot(table.game, name, level)
        if not has_characters(table):
            return who
        here = [people[owner] for owner in sorted(table.seats.owners) if owner in people]
        known = [(person.name, self.memory(person, table.game, name)) for person in here]
        memory = tuple([Remembered(person, one.lies, one.truths) for person, one in known if one.claims])
        return attrs.evolve(who, temper=temper_of(name), memory=memory)
