"""The `/rank` command: the best players of all time, and of this or an earlier week or month."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime

from lilygames.commands import command
from lilygames.errors import UserError
from lilygames.game import Game
from lilygames.tables.commands.finished.history import still_waiting
from lilygames.tables.open import game_names
from lilygames.tables.ratings import periods
from lilygames.tables.ratings.known_ratings import has_house
from lilygames.tables.ratings.periods import Asked
from lilygames.tables.ratings.rankings import Calendar, Span, missing
from lilygames.tables.ratings.rating_model import Period, Rating, month_of, week_of
from lilygames.tables.ratings.ratings import Ratings
from lilygames.tables.visits.table_context import TableContext, game_here
from lilygames.text import count, shortened

_ROWS, _LEADERS = 15, 3
"""Maximum players listed for one game, and for each game when all are listed."""
_TITLES = {"week": ", this week", "month": ", this month", "all": ""}


@command("rank", group="afterwards", syntax="[GAME] [week | month | all | last week | october | ...]")
async def rank(at: TableContext, *words: str) -> list[str]:
    """List the best players: /rank ohell, /rank ohell week, /rank month.

    The list of all time takes 30 rated games against 8 different people, one
    of them in the last 30 days. Earlier lists are kept: /rank ohell last week,
    week 46, last month, october, october 2025. /help rank explains them.
    """
    ratings = at.tables.results.ratings
    await ratings.read_of(at.person.name)
    asked, rest = periods.read(words, datetime.fromtimestamp(ratings.now(), ratings.zone).date())
    game, more = game_names.split(at.tables.games, rest) if rest else (game_here(at), ())
    if more:
        raise UserError(
            f"I don't understand “{shortened(more[0], 20)}”. Type a game, and a list like {periods.EXAMPLES}."
        )
    games, most = ([game], _ROWS) if game else ([*at.tables.games.values()], _LEADERS)
    rows = []
    for each in games:
        if asked.name:
            rows += [row async for row in _past(ratings, each, asked, most)]
        else:
            rows += [row async for row in _of_game(at, each, asked.span, most)]
    of_what = f"of {game.title} " if game else ""
    if not rows and asked.name:
        return [f"(nobody played enough rated games {of_what}to be listed in {periods.shown(asked)})"]
    rows = rows or [f"(nobody has played a rated game {of_what}with other people yet)"]
    return [*rows, *await still_waiting(at)]


async def _past(ratings: Ratings, game: Game, asked: Asked, most: int) -> AsyncIterator[str]:
    """Yield the final list of a game in a past week or month for each size, if it has someone."""
    for kind in await _kinds(ratings, game):
        found = await ratings.past(kind, asked.name)
        if found is None:  # no game has ended it yet
            found = await ratings.ranking(kind, asked.span, asked.name)
        names = await ratings.names(kind, [one.key for one in found.places[:most]])
        if names:
            yield f"{game.title}, {_size(kind)} seats, {periods.shown(asked)}:"
        for place, one in enumerate(found.places[:most], 1):
            yield f"{place:>4}. {names[one.key]:<16} {_beaten(one.period)}"


async def _kinds(ratings: Ratings, game: Game) -> list[str]:
    """Return the classes of a game in which people are rated among themselves."""
    return [kind for kind in await ratings.kinds(game.name) if not has_house(kind)]


def _size(kind: str) -> str:
    return kind.split()[1]


async def _of_game(at: TableContext, game: Game, span: Span, most: int) -> AsyncIterator[str]:
    """Yield the list of a game for each size, and what the person still needs for it."""
    ratings = at.tables.results.ratings
    now = ratings.now()
    calendar = Calendar(now, week_of(now, ratings.zone), month_of(now, ratings.zone))
    for kind in await _kinds(ratings, game):
        listed = await ratings.listed(kind, span, calendar, most)
        yield f"{game.title}, {_size(kind)} seats{_TITLES[span]}:"
        for place, one in enumerate(listed, 1):
            yield f"{place:>4}. {ratings.present_name(one):<16} {_result(one.rating, span, calendar)}"
        if not listed:
            yield "      (nobody is listed yet)"
        if wanted := missing(ratings.after_last_game(kind, at.person.name), span, calendar):
            yield f"      To be listed, you need {wanted}."


def _result(rating: Rating, span: Span, calendar: Calendar) -> str:
    """Return what a list says of a player."""
    title = f", {rating.held}" if rating.held.title else ""
    if span == "all":
        return f"{rating.idle_until(calendar.now)}  {count(rating.games, 'game')}{title}"
    period = calendar.period(rating, span)
    return f"{_beaten(period)}{title}"


def _beaten(period: Period) -> str:
    """Return a player's results in a week or month."""
    beaten = f"beat {100 * period.share:.0f} % of {count(period.opponents, 'opponent')}"
    return f"{beaten}, {count(period.games, 'game')}"
