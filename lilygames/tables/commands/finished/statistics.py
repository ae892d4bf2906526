"""The `/stats` command: a player's totals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from lilygames.chat.names.names import fold
from lilygames.commands import command
from lilygames.errors import UserError
from lilygames.game import Game
from lilygames.tables.open import game_names
from lilygames.tables.ratings.known_ratings import WITH_HOUSE
from lilygames.tables.ratings.rating_model import Rating
from lilygames.tables.results.statistics import Ratio, Rival, Totals
from lilygames.tables.visits.table_context import TableContext
from lilygames.text import Line, count, shortened

_BARS = "▁▂▃▄▅▆▇█"
_SHOWN = 6
"""Number of opponents shown, most frequent first."""
_LABEL = 11
"""Width of a row's label in columns."""
_NARROW = 60
"""Below this many columns, each fact has its own row."""


@command("stats", group="afterwards", syntax="[NAME] [GAME]")
async def stats(at: TableContext, *words: str) -> Sequence[Line]:
    """Show your statistics, or someone else's: /stats, /stats ohell, /stats bob, /stats bob ohell.

    Private games, lessons, guests' games and games that no longer count, such as
    after /undo yes, are left out.
    """
    name, game = _asked(at, words)
    tables, accounts = at.tables, at.tables.host.accounts
    known = accounts.names.get(fold(accounts.now(name)))
    if known is None and fold(name) == fold(at.person.name):
        raise UserError("guests don't have statistics. Type /register to keep your name, and your games will count.")
    if known is None:
        raise UserError(f"no account is called “{shortened(name, 20)}”. Type /who to see who is here.")
    name = known
    totals = await tables.statistics.of(name)
    who = "you haven't" if fold(name) == fold(at.person.name) else f"{name} hasn't"
    if not totals or (game and game.name not in totals):
        return [Line(f"({who} finished a game{f' of {game.title}' if game else ''} that counts yet)")]
    await tables.results.ratings.read_of(name)
    if game:
        return [*_about(at, name, game, totals[game.name])]
    rows = [_summary(tables.games[kind].title, one) for kind, one in totals.items()]
    return [Line(f"All games of {name}; type /stats {name} GAME for more:"), *rows]


def _asked(at: TableContext, words: Sequence[str]) -> tuple[str, Game | None]:
    """Return the player and the game that the words name, in either order; raises `UserError`."""
    known = game_names.called(at.tables.games)
    if not words or fold(words[0]) == "me":
        first, rest = at.person.name, words[1:]
    elif game_names.squeezed(words[0]) in known or game_names.squeezed(" ".join(words)) in known:
        game, names = game_names.split(at.tables.games, words)
        return (names[0] if names and fold(names[0]) != "me" else at.person.name), game
    else:
        first, rest = words[0], words[1:]
    return first, game_names.split(at.tables.games, rest)[0] if rest else None


def _percent(ratio: Ratio) -> int:
    return round(100 * ratio[0] / ratio[1])


def _summary(title: str, totals: Totals) -> Line:
    """Return the row of a game: games played and won, and the average place."""
    place, seats = totals.places / totals.games, totals.seats / totals.games
    won = f"{count(totals.wins, 'win')} ({_percent((totals.wins, totals.games))} %)"
    text = f"{title}: {count(totals.games, 'game')}, {won}, average place {place:.1f} of {seats:.1f}".removesuffix(".0")
    return Line(text, aloud=f"{text.replace(' %)', ' percent)')}.")


def _about(at: TableContext, name: str, game: Game, totals: Totals) -> Iterator[Line]:
    """Yield the rows of a player's statistics for one game."""
    narrow = at.person.width < _NARROW
    yield _summary(f"{name} at {game.title}", totals)
    yield from _rating(at.tables.results.ratings.of(name), game)
    yield from _score(game, totals)
    for what, ratio in totals.attempts.items():
        if "/" not in what:
            yield from _attempt(what, ratio, totals, narrow=narrow)
    yield from _against(at, totals.rivals)


def _row(label: str, text: str, aloud: str) -> Line:
    label = label[:1].upper() + label[1:]
    return Line(f"{label:<{_LABEL - 1}} {text}", margin=" " * _LABEL, aloud=f"{label} {aloud}.")


def spark(values: Iterable[float], low: float | None = None, high: float | None = None) -> str:
    """Return a bar for each value, scaled between `low` and `high` (by default the lowest and highest value)."""
    numbers = [*values]
    low, high = min(numbers) if low is None else low, max(numbers) if high is None else high
    if high <= low:
        return _BARS[3] * len(numbers)
    return "".join(_BARS[round((number - low) / (high - low) * (len(_BARS) - 1))] for number in numbers)


def _rating(ratings: Mapping[str, Rating], game: Game) -> Iterator[Line]:
    """Yield the row of the rating: its current value and its history, at the size that was played last."""
    people = [one for kind, one in ratings.items() if kind.startswith(f"{game.name} ") and WITH_HOUSE not in kind]
    if not people:
        return
    recent = max(people, key=lambda one: one.at).recent
    last, first = recent[-1], recent[0]
    text, aloud = f"{last:.1f}", f"{last:.1f}"
    if len(recent) > 1:
        text += f"  {spark(recent)}  last {len(recent)}, from {first:.1f}"
        way = "up" if last > first else "down"
        aloud += f", {way} {abs(last - first):.1f} in {count(len(recent), 'game')}"
    yield _row("rating", text, aloud)


def _score(game: Game, totals: Totals) -> Iterator[Line]:
    """Yield the row of the points, or of the winnings if the game is played for chips."""
    if totals.best is None:
        return
    scores = [one.score for one in totals.recent]
    bars = f"  {spark(scores)}  last {len(scores)}" if len(scores) > 1 else ""
    if game.purse:
        label, text = f"{game.purse.unit}s", f"{totals.score:+} in all, best {totals.best:+}"
    else:
        label, text = "points", f"{totals.score / totals.games:.1f} a game, best {totals.best}"
    yield _row(label, f"{text}{bars}", text)


def _attempt(what: str, ratio: Ratio, totals: Totals, *, narrow: bool) -> Iterator[Line]:
    """Yield the row of an attempt: its success rate overall, in recent games, and by kind."""
    kinds = {key.partition("/")[2]: one for key, one in totals.attempts.items() if key.startswith(f"{what}/")}
    recent = [one.attempts[what] for one in totals.recent if what in one.attempts]
    bars = f"  {spark((hits / of for hits, of in recent), 0, 1)}" if len(recent) > 1 else ""
    label = what[:1].upper() + what[1:]
    said = [f"{kind}: {_percent(one)} %" for kind, one in sorted(kinds.items())]
    text = f"{label:<{_LABEL - 1}} {_percent(ratio)} % of {ratio[1]}{bars}"
    aloud = f"{label} {_percent(ratio)} percent of {ratio[1]}{_best(kinds)}."
    margin = " " * _LABEL
    if narrow:
        yield Line(text, margin=margin, aloud=aloud)
        yield from (Line(f"  {one}", aloud="") for one in said)
    else:
        yield Line("   ".join([text, *said]) if said else text, margin=margin, aloud=aloud)


def _best(kinds: Mapping[str, Ratio]) -> str:
    """Return the most successful kind for screen readers; empty if there is only one."""
    best = max(kinds, key=lambda kind: _percent(kinds[kind]), default="")
    return f", best with {best}" if len(kinds) > 1 else ""


def _against(at: TableContext, rivals: Mapping[str, Rival]) -> Iterator[Line]:
    """Yield the row of opponents: how often the player finished ahead of each and behind."""
    key, now = at.tables.host.accounts.key, at.tables.host.accounts.now
    me = key(at.person.name)
    order = sorted(rivals, key=lambda one: (one != me, -(rivals[one].ahead + rivals[one].behind), rivals[one].name))
    met = [(one, rivals[one]) for one in order[:_SHOWN]]
    if not met:
        return
    names = [f"*{rival.name}" if one.startswith("*") else now(rival.name) for one, rival in met]
    text = "   ".join(f"{name} {rival.ahead}-{rival.behind}" for name, (_, rival) in zip(names, met, strict=True))
    said = ", ".join(
        f"{name.removeprefix('*')} {rival.ahead} to {rival.behind}" for name, (_, rival) in zip(names, met, strict=True)
    )
    yield _row("against", text, said)
