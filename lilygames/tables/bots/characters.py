"""Characters of bots: the tempers of a dozen names, and what bots remember of people.

A bot remembers someone's habits, such as lies that everyone has seen, from all their games with it until they leave.
With the setting `memory` it remembers them for good, or not at all. The memory is in the person's profile, so it is
deleted with their account. The log of a new game has it as a frozen value, so that everyone can compute the bot's moves
again. Bots have no character at duplicate tables and in daily deals, tournaments and lessons: there the same cards have
to meet the same players.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product

import attrs

from lilygames.chat.people.people import Person
from lilygames.chat.people.profile import MEMORY, Profile
from lilygames.game import LIES, Game, Habit, Shown, without_character
from lilygames.tables.log.acts import HOUSE, Remembered, Sitter
from lilygames.tables.state.strategies import seated_bot
from lilygames.tables.state.table import Table

TEMPERS = ("bold", "careful", "talkative", "grumpy")
_DOZEN = 12
MOST = 50
"""Times of a habit after which a bot remembers only half of them."""


def temper_of(name: str) -> str:
    """Return the temper of a bot; empty if its name has none."""
    place = HOUSE.index(name) if name in HOUSE else _DOZEN
    return TEMPERS[place % len(TEMPERS)] if place < _DOZEN else ""


def has_characters(table: Table) -> bool:
    """Return whether the bots of a table differ from others of their level."""
    header = table.header
    alike = header.lesson or header.duplicate or header.tournament
    return not alike and table.game.in_character is not without_character


def has_memories(table: Table) -> bool:
    """Return whether the bots of a table remember people."""
    return has_characters(table) and bool(table.game.habits)


def with_habits(profile: Profile, game: Game, bots: Iterable[str], shown: Iterable[Shown]) -> Profile:
    """Return a profile in which some bots remember what its owner has shown, unless they don't want that."""
    if profile.settings.get(MEMORY) == "off":
        return profile
    met = {**(profile.reputations or {})}
    for bot, one in product(bots, shown):
        key = _key(game, bot, one.habit)
        met[key] = _limited(Habit(*met.get(key, (0, 0))).after(did=one.did))
    return attrs.evolve(profile, reputations=met)


def _key(game: Game, bot: str, habit: str) -> str:
    return f"{game.name} {bot}" if habit == LIES else f"{game.name} {bot} {habit}"


def _limited(known: Habit) -> tuple[int, int]:
    half = known.times > MOST
    return (known.yes // 2, known.no // 2) if half else (known.yes, known.no)


def memory(profile: Profile, game: Game, bot: str) -> dict[str, Habit]:
    """Return the habits of a profile's owner that a bot remembers, by name."""
    stored = profile.reputations or {}
    keys = {habit: _key(game, bot, habit) for habit in game.habits}
    return {habit: Habit(*stored[key]) for habit, key in keys.items() if key in stored}


def seated(table: Table, people: Mapping[str, Person], name: str, level: str) -> Sitter:
    """Return a bot for a seat, with its temper and what it remembers of the players who are there."""
    who = seated_bot(table.game, name, level)
    if not has_characters(table):
        return who
    who = attrs.evolve(who, temper=temper_of(name))
    if not has_memories(table):
        return who
    here = [people[owner] for owner in sorted(table.seats.owners) if owner in people]
    remembered = [
        Remembered(person.name, known.yes, known.no, habit)
        for person in here
        for habit, known in memory(person.profile, table.game, name).items()
    ]
    return attrs.evolve(who, memory=tuple(remembered))
