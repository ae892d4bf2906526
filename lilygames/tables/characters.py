"""Characters of bots: the tempers of a dozen names, and what bots remember of people.

A bot remembers someone's claims that challenges have shown, from all their games with it, until they leave. With the
setting `memory` it remembers them for good, or not at all. The memory is in the person's profile, so it is deleted with
their account. The log of a new game has it as a frozen value, so that everyone can compute the bot's moves again. Bots
have no character at duplicate tables and in daily deals, tournaments and lessons: there the same cards have to meet the
same players.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import attrs

from lilygames.chat.people import Person
from lilygames.chat.profile import MEMORY, Profile
from lilygames.game import Game, Reputation, without_character, without_claims
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


def has_memories(table: Table) -> bool:
    """Return whether the bots of a table remember people."""
    return has_characters(table) and table.game.reveals is not without_claims


def with_claim(profile: Profile, game: Game, bots: Iterable[str], *, honest: bool) -> Profile:
    """Return a profile in which some bots remember a claim, unless its owner doesn't want that."""
    if profile.settings.get(MEMORY) == "off":
        return profile
    met = {f"{game.name} {bot}": _limited(memory(profile, game, bot).after(honest=honest)) for bot in bots}
    return attrs.evolve(profile, reputations={**(profile.reputations or {}), **met})


def _limited(known: Reputation) -> tuple[int, int]:
    half = known.claims > MOST
    return (known.lies // 2, known.truths // 2) if half else (known.lies, known.truths)


def memory(profile: Profile, game: Game, bot: str) -> Reputation:
    """Return what a bot remembers of a profile's owner."""
    return Reputation(*(profile.reputations or {}).get(f"{game.name} {bot}", (0, 0)))


def seated(table: Table, people: Mapping[str, Person], name: str, level: str) -> Sitter:
    """Return a bot for a seat, with its temper and what it remembers of the players who are there."""
    who = seated_bot(table.game, name, level)
    if not has_characters(table):
        return who
    who = attrs.evolve(who, temper=temper_of(name))
    if not has_memories(table):
        return who
    here = [people[owner] for owner in sorted(table.seats.owners) if owner in people]
    known = [(person.name, memory(person.profile, table.game, name)) for person in here]
    remembered = tuple([Remembered(person, one.lies, one.truths) for person, one in known if one.claims])
    return attrs.evolve(who, memory=remembered)
