"""Seeks and formulas: what declines an invitation, and who fits a table. Nothing here changes anything."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lilygames.chat.host.present import Someone
from lilygames.chat.names.names import fold
from lilygames.chat.people.distant import Distant, PeopleByName
from lilygames.chat.people.people import Person
from lilygames.chat.people.profile import Profile
from lilygames.tables.ratings.rating_model import Rating
from lilygames.tables.ratings.ratings import Ratings, size_of
from lilygames.tables.seeks.formula import Facts, accepts, compares_numbers
from lilygames.tables.state.table import Table

WORDS = ("guests", "rated", "unrated", "all")
"""Things that a formula can decline, apart from games."""
RatingOf = Callable[[str, str], Rating]
"""Returns the rating of a person, by name, for a game and size: `ohell 3-4`."""


def declines(formula: Sequence[str], game: str, *, guest: bool, rated: bool) -> str:
    """Return the word of `/formula decline` that declines an invitation to a game; empty if none does."""
    true = {"guests": guest, "rated": rated, "unrated": not rated, "all": True, game: True}
    return next((word for word in formula if true.get(word)), "")


def class_of(table: Table) -> str:
    """Return the class in which people's ratings decide who fits a table that waits for players."""
    header = table.header
    seats = max(header.wanted, len(header.invited) + 1, len(table.seats), table.game.rules.SEATS.start)
    return f"{header.game} {size_of(seats)}"


def facts(person: Someone, table: Table, rating_of: RatingOf, owner: Profile) -> Facts:
    """Return the facts about a person and a table, for a formula of the owner of a profile."""
    header, rating = table.header, rating_of(class_of(table), person.name)
    return Facts(
        game=header.game,
        rated=header.rated,
        registered=not person.guest,
        rating=rating.mu,
        games=rating.games,
        friend=fold(person.name) in owner.friends,
    )


def refuses(reader: Profile, by: Person, table: Table, rating_of: RatingOf) -> str:
    """Return the part of a person's formula that doesn't accept a table of `by`; empty if it does."""
    declined = declines(reader.formula, table.header.game, guest=by.guest, rated=table.header.rated)
    if declined or not reader.accepts or accepts(reader.accepts, facts(by, table, rating_of, reader)):
        return declined
    return f"it accepts only {reader.accepts}"


def fits(person: Someone, table: Table, rating_of: RatingOf, host: Person | None) -> bool:
    """Whether a person meets the condition of the table's seek. Its host always does."""
    header = table.header
    if not header.accepts or fold(person.name) == fold(header.host):
        return True
    return accepts(header.accepts, facts(person, table, rating_of, host.profile if host else Profile()))


async def hearers(
    people: PeopleByName[Person], by: Person, table: Table, ratings: Ratings
) -> tuple[list[Person], list[Distant[Person]]]:
    """Return everyone but its author who may hear of a seek, and those of them whom this node doesn't know in full.

    They meet its condition, and their own formula accepts the table. Raises `StoreUnavailable`.
    """
    by_rating = compares_numbers(table.header.accepts)
    rating_of = await ratings.among(class_of(table), people.keys()) if by_rating else ratings.one

    def hears(one: Someone) -> bool:
        return one is not by and not refuses(one.profile, by, table, rating_of) and fits(one, table, rating_of, by)

    return [*filter(hears, people.nearby())], [*filter(hears, people.far())]


def asked_for(reader: Profile, by: Person, table: Table, rating_of: RatingOf) -> bool:
    """Whether a person has asked to hear of seeks like this one."""
    wishes = [wish.partition(" ")[2] for wish in reader.seeks if wish.partition(" ")[0] == table.header.game]
    return any(accepts(wish, facts(by, table, rating_of, reader)) for wish in wishes)
