"""The `/rank` command: the best players of all time, of this month and of this week."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lilygames.chat.names import fold
from lilygames.commands import command
from lilygames.errors import UserError
from lilygames.game import Game
from lilygames.tables import game_names
from lilygames.tables.commands.history import still_waiting
from lilygames.tables.rankings import Calendar, Span, missing, ranked
from lilygames.tables.rating_model import NEW, month_of, week_of
from lilygames.tables.ratings import Ratings
from lilygames.tables.table_context import TableContext, game_here
from lilygames.text import count

_ROWS, _LEADERS = 15, 3
"""Maximum players listed for one game, and for each game when all are listed."""
_SPANS: dict[str, Span] = {"week": "week", "month": "month", "all": "all"}
_TITLES = {"week": ", this week", "month": ", this month", "all": ""}


@command("rank", group="afterwards", syntax="[GAME] [week | month | all]")
async def rank(at: TableContext, *words: str) -> list[str]:
    """List the best players: /rank ohell, /rank ohell week, /rank month.

    The list of all time takes 30 rated games against 8 different people, one
    of them in the last 30 days. /help rank explains the others.
    """
    span, rest = _span(words)
    game = game_names.split(at.tables.games, rest)[0] if rest else game_here(at)
    if game:
        rows = [*_of_game(at, game, span, _ROWS)]
    else:
        rows = [row for each in at.tables.games.values() for row in _of_game(at, each, span, _LEADERS)]
    of_what = f"of {game.title} " if game else ""
    rows = rows or [f"(nobody has played a rated game {of_what}with other people yet)"]
    return [*rows, *await still_waiting(at)]


def _span(words: Sequence[str]) -> tuple[Span, Sequence[str]]:
    """Return the list that the words name, and the other words; raises `UserError`."""
    spans = [word for word in words if fold(word) in _SPANS]
    rest = [word for word in words if fold(word) not in _SPANS]
    if len(spans) > 1:
        raise UserError("you can see one list at a time. Type /rank week, /rank month or /rank all.")
    return (_SPANS[fold(spans[0])] if spans else "all"), rest


def _of_game(at: TableContext, game: Game, span: Span, most: int) -> Iterator[str]:
    """Yield the list of a game for each size, and what the person still needs for it."""
    ratings = at.tables.results.ratings
    now = ratings.now()
    calendar = Calendar(now, week_of(now, ratings.zone), month_of(now, ratings.zone))
    key = at.tables.host.accounts.key(at.person.name)
    for kind, known in ratings.of_game(game.name).items():
        _, size, *house = kind.split()
        if house:
            continue
        listed = ranked(known, span, calendar, most)
        yield f"{game.title}, {size} seats{_TITLES[span]}:"
        for place, one in enumerate(listed, 1):
            yield f"{place:>4}. {ratings.name(one):<16} {_result(ratings, kind, one, span, calendar)}"
        if not listed:
            yield "      (nobody is listed yet)"
        if wanted := missing(known.get(key, NEW), span, calendar):
            yield f"      To be listed, you need {wanted}."


def _result(ratings: Ratings, kind: str, key: str, span: Span, calendar: Calendar) -> str:
    """Return what a list says of a player."""
    rating = ratings.known[kind][key]
    title = f", {rating.held}" if rating.held.title else ""
    if span == "all":
        return f"{rating.idle_until(calendar.now)}  {count(rating.games, 'game')}{title}"
    period = calendar.period(rating, span)
    beaten = f"beat {100 * period.share:.0f} % of {count(period.opponents, 'opponent')}"
    return f"{beaten}, {count(period.games, 'game')}{title}"
