"""Strength of bots: duplicate duels, in which every deal is played once for each rotation of the seats.

`scripts/duel ohell shark club` seats one shark among club bots. All draws follow from the deal's seed and the seat, so
equal players end at exactly 0, and the luck of the cards matters little.

If a game's house module has `FORTUNE`, the luck it reports for each step is subtracted from the points as a control
variate. Its mean is 0, so the result stays the same and the interval shrinks. The table says whether this was done;
`--as-dealt` turns it off.

A player is a level of the game (`shark`, or `shark@100` with another budget), or that level in a temper (`bold-club`),
or with a memory of the same game (`remembering-club`). It can also be one of the game's `STYLES`, `random`, or a
function in a file (`bots/bold.py:decide`). Players `always-challenge` and `never-challenge` otherwise play like the
weakest level.

`--than PLAYER` plays the deals again with another player in the first seat. The difference between the two has a
smaller interval than their results: `scripts/duel ohell shark club --than shark@10000`.

`--against FILE` plays the first player against each opponent in a file, one to a line. `--svg FILE` plots the first
player's lead in each match. `scripts/strength` plays the matches whose results we publish.
"""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from functools import partial
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from multiprocessing import get_context
from operator import add, sub
from pathlib import Path
from statistics import fmean
from types import ModuleType
from typing import Any

import attrs
import click
from rich.box import SIMPLE
from rich.console import Console
from rich.progress import track
from rich.table import Table

from lilygames import codec
from lilygames.errors import UserError
from lilygames.game import Budget, Character, Game, Reader, Strategy, Thinker
from lilygames.games import games
from lilygames.gametest.intervals import margin
from lilygames.gametest.plays import luck_of
from lilygames.gametest.plot import plot, short
from lilygames.tables.bots.characters import TEMPERS
from lilygames.tables.log.options import read
from lilygames_rules.kit import Luck, Refused

Fortune = Callable[[Any, Any, Any, Luck], Sequence[float]]
"""Returns each seat's luck in a step, 0 on average, from the state, the move, the next state and some luck."""
_USUAL, _MOST = 50, 1_000_000
"""Deals of a match: usually, and if only the CPU limit ends it."""
_NEW_FILE = click.Path(dir_okay=False, writable=True, path_type=Path)
ROUNDS = ("RoundScored", "HandScored", "GameWon")
"""Names of events that end a round; a game without them counts as one round."""


@attrs.frozen
class Match:
    """A duel: the game, its options, and the players by seat before rotation."""

    game: str
    options: Mapping[str, Any]
    players: tuple[str, ...]
    as_dealt: bool = False
    """Whether luck is left in the points."""


@attrs.frozen
class Scored:
    """One player's result in one game: points over the mean of the others, rounds, wins, bids made, move times."""

    ahead: float
    rounds: int
    won: float
    made: int
    bids: int
    times: tuple[float, ...]


@attrs.frozen
class Deal:
    """The results of one deal: by place, those of each rotation; and the CPU seconds that it took."""

    scored: Sequence[Sequence[Scored]]
    cpu: float


@attrs.frozen
class Result:
    """A player's overall result: points per round `ahead` of the mean of the others, with the 95 % margin `sure`.

    `won` is the share of games won, with the margin `won_sure`.
    """

    player: str
    ahead: float
    sure: float
    won: float
    won_sure: float
    exact: float | None
    rounds: int
    p50: float
    p99: float


def player(game: Game, name: str) -> Strategy:
    """Return the player with that name; raises `LookupError` with a sentence if there isn't one."""
    if ".py:" in name:
        return _in_file(name)
    known = {**game.players, **_styles(game), **_general(game), **in_characters(game)}
    if name in known:
        return known[name]
    level, _, iterations = name.partition("@")
    if level not in known:
        raise LookupError(f"{game.title} has no player {level!r}; there are {', '.join(known)}")
    strategy = known[level]
    if not (isinstance(strategy, Thinker) and iterations.isdigit()):
        raise LookupError(f"{level} has no budget to change; a number behind @ is for players who search")
    return Thinker(strategy.decide, Budget(int(iterations)))


def _in_file(name: str) -> Strategy:
    """Return the strategy `path.py:function`; raises `LookupError` with a sentence if there isn't one."""
    path, _, function = name.rpartition(":")
    spec = spec_from_file_location(f"duel_{Path(path).stem}", path)
    if spec is None or spec.loader is None or not Path(path).is_file():
        raise LookupError(f"there is no file {path!r}")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    strategy: Strategy | None = getattr(module, function, None)
    if strategy is None:
        raise LookupError(f"{path} has no function {function!r}")
    return strategy


def _styles(game: Game) -> Mapping[str, Strategy]:
    """Return the game's extra opponents for duels (`STYLES`)."""
    styles: Mapping[str, Strategy] = getattr(_house(game), "STYLES", {})
    return styles


def in_characters(game: Game) -> Mapping[str, Strategy]:
    """Return the bots in each temper, and those that remember what the game has shown: `bold-club`."""
    characters = {**{temper: Character(temper) for temper in TEMPERS}, "remembering": Character(memory={})}
    return {
        f"{name}-{level}": game.in_character(strategy, level, character)
        for level, strategy in game.players.items()
        for name, character in characters.items()
    }


def _house(game: Game) -> ModuleType | None:
    """Return the module of a game's bots; None if it has no such module."""
    for name in ("house", "bots.house"):
        with suppress(ModuleNotFoundError):
            return import_module(f"lilygames.games.{game.name}.{name}")
    return None


def fortune(match: Match) -> Fortune | None:
    """Return the function that measures luck, None if the game has none or it isn't wanted."""
    found: Fortune | None = getattr(_house(games()[match.game]), "FORTUNE", None)
    return None if match.as_dealt else found


def _at_random(_: Any, moves: Sequence[Any], luck: Luck) -> Any:
    return luck.choice(moves)


def _challenges(move: Any) -> bool:
    return type(move).__name__ == "Challenge"


def _always(weakest: Strategy, view: Any, moves: Sequence[Any], luck: Luck) -> Any:
    return next(filter(_challenges, moves), None) or weakest(view, moves, luck)


def _never(weakest: Strategy, view: Any, moves: Sequence[Any], luck: Luck) -> Any:
    move = weakest(view, moves, luck)
    return next((other for other in moves if not _challenges(other)), move) if _challenges(move) else move


def _general(game: Game) -> Mapping[str, Strategy]:
    weakest = next(iter(game.players.values()), _at_random)
    return {
        "random": _at_random,
        "always-challenge": partial(_always, weakest),
        "never-challenge": partial(_never, weakest),
    }


def rotations(match: Match, seed: int) -> Deal:
    """Return the results of one deal, played once per rotation of the seats."""
    begun = time.process_time()
    game = games()[match.game]
    options = codec.load(match.options, game.rules.Options)
    strategies = [player(game, name) for name in match.players]
    seats, told = len(strategies), fortune(match)
    tables = [[strategies[(seat + by) % seats] for seat in range(seats)] for by in range(seats)]
    played = [_played(game, options, table, seed, told) for table in tables]
    scored = [[table[(place - by) % seats] for by, table in enumerate(played)] for place in range(seats)]
    return Deal(scored, time.process_time() - begun)


def _played(game: Game, options: Any, strategies: Sequence[Strategy], seed: int, told: Fortune | None) -> list[Scored]:
    """Return each seat's result in one game."""
    rules, seats = game.rules, range(len(strategies))
    purses = _purses(game, options, len(seats))
    step, number, rounds = rules.start(len(seats), options, purses, luck_of(seed, 0)), 0, []
    times: list[list[float]] = [[] for _ in seats]
    chance = [0.0] * len(seats)
    while (outcome := rules.outcome(step.state)) is None:
        number += 1
        ready = [seat for seat in seats if len(rules.moves(step.state, seat))]
        seat = ready[0] if len(ready) == 1 else luck_of(seed, number, "who").choice(ready)
        luck, view, moves = (
            luck_of(seed, number, f"seat {seat}"),
            rules.view(step.state, seat),
            rules.moves(step.state, seat),
        )
        begun = time.thread_time()
        move = strategies[seat](view, moves, luck)
        times[seat].append(time.thread_time() - begun)
        before, step = step.state, rules.apply(step.state, seat, move, luck_of(seed, number))
        if told:
            chance = list(map(add, chance, told(before, move, step.state, luck_of(seed, number, "fortune"))))
        rounds += [event for event in step.events if type(event).__name__ in ROUNDS]
    points = list(map(sub, outcome.scores, chance))
    return [_scored(seat, outcome, points, rounds, times[seat]) for seat in seats]


def _scored(seat: int, outcome: Any, points: Sequence[float], rounds: Sequence[Any], times: Sequence[float]) -> Scored:
    others = [score for other, score in enumerate(points) if other != seat]
    bids = [ended.bids[seat] == ended.taken[seat] for ended in rounds if hasattr(ended, "taken")]
    won = (seat in outcome.winners) / max(1, len(outcome.winners))
    return Scored(points[seat] - fmean(others), max(1, len(rounds)), won, sum(bids), len(bids), tuple(times))


def results(players: Sequence[str], deals: Sequence[Deal]) -> Iterator[Result]:
    """Yield the overall result of each player name; `deals` has the results of `rotations`."""
    for name in dict.fromkeys(players):
        places = [place for place, other in enumerate(players) if other == name]
        mine = [[scored for place in places for scored in deal.scored[place]] for deal in deals]
        yield _result(name, mine)


def _result(name: str, deals: Sequence[Sequence[Scored]]) -> Result:
    means = [sum(scored.ahead for scored in deal) / sum(scored.rounds for scored in deal) for deal in deals]
    wins = [fmean(scored.won for scored in deal) for deal in deals]
    every = [scored for deal in deals for scored in deal]
    times = sorted(taken for scored in every for taken in scored.times)
    bids = sum(scored.bids for scored in every)
    return Result(
        player=name,
        ahead=fmean(means),
        sure=margin(means),
        won=fmean(wins),
        won_sure=margin(wins),
        exact=sum(scored.made for scored in every) / bids if bids else None,
        rounds=sum(scored.rounds for scored in every),
        p50=_share(times, 0.5),
        p99=_share(times, 0.99),
    )


def _share(times: Sequence[float], share: float) -> float:
    """Return this quantile of the move times in milliseconds."""
    return 1000 * times[min(len(times) - 1, int(share * len(times)))] if times else 0.0


def shown(found: Iterable[Result], title: str) -> Table:
    """Return the results as a printable table; margins of a single deal are dashes."""
    rows = [*found]
    bids = any(row.exact is not None for row in rows)
    table = Table(title=title, title_justify="left", box=SIMPLE, padding=0, pad_edge=False)
    table.add_column("player", overflow="fold")
    for head in (
        "ahead/round",
        "95 %",
        "wins",
        "95 %",
        *(["exact bids"] if bids else ()),
        "rounds",
        "p50 ms",
        "p99 ms",
    ):
        table.add_column(head, justify="right")
    for row in rows:
        sure, won_sure = (
            "-" if row.sure == math.inf else one for one in (f"± {row.sure:.2f}", f"± {row.won_sure:.1%}")
        )
        figures = [f"{row.ahead:+.2f}", sure, f"{row.won:.1%}", won_sure]
        exact = [] if not bids else ["" if row.exact is None else f"{row.exact:.1%}"]
        table.add_row(short(row.player), *figures, *exact, f"{row.rounds}", f"{row.p50:.1f}", f"{row.p99:.1f}")
    return table


def seated(players: Sequence[str], seats: int) -> tuple[str, ...]:
    """Return the players by seat; the last one named fills the remaining seats."""
    return (*players, *[players[-1]] * (seats - len(players)))[: max(seats, len(players))]


def _unplayable(game: Game, options: Any, table: Sequence[str]) -> str:
    """Return why these players can't play with these options, in the game's words; empty if they can."""
    try:
        game.rules.start(len(table), options, _purses(game, options, len(table)), luck_of(1, 0))
    except Refused as refusal:
        return game.refusal(refusal.code, refusal.facts, Reader(None, tuple(table)))
    return ""


def _purses(game: Game, options: Any, seats: int) -> Sequence[int]:
    return [game.purse.brings(options, game.purse.first) for _ in range(seats)] if game.purse else ()


def played(match: Match, seeds: range, jobs: int = 1, cpu: float = 0.0) -> Iterator[Deal]:
    """Yield the deals of a match, in order, until the CPU seconds are used up (0: no limit); at least two deals.

    The limit doesn't depend on who is ahead, so it doesn't bend the results.
    """
    used = 0.0
    for number, deal in enumerate(_dealt(match, seeds, jobs), 1):
        yield deal
        used += deal.cpu
        if cpu and used >= cpu and number > 1:
            return


def _dealt(match: Match, seeds: range, jobs: int) -> Iterator[Deal]:
    if jobs == 1:
        yield from map(partial(rotations, match), seeds)
        return
    pool = ProcessPoolExecutor(jobs, get_context("spawn"))
    try:
        yield from pool.map(partial(rotations, match), seeds)
    finally:
        pool.shutdown(cancel_futures=True)


def paired(match: Match, than: str, seeds: range, jobs: int = 1, cpu: float = 0.0) -> Iterator[tuple[Deal, Deal]]:
    """Yield the deals of a match, and the same with `than` in the first place, until the CPU seconds are used up."""
    other = attrs.evolve(match, players=(than, *match.players[1:]))
    used = 0.0
    for number, two in enumerate(zip(played(match, seeds, jobs), played(other, seeds, jobs), strict=True), 1):
        yield two
        used += two[0].cpu + two[1].cpu
        if cpu and used >= cpu and number > 1:
            return


def lead(deal: Deal) -> float:
    """Return the points a round by which the player in the first place is ahead of the others."""
    return sum(scored.ahead for scored in deal.scored[0]) / sum(scored.rounds for scored in deal.scored[0])


def wins(deal: Deal) -> float:
    """Return how many of 100 games of a deal the player in the first place wins."""
    return 100 * fmean(scored.won for scored in deal.scored[0])


def difference(deals: Iterable[tuple[Deal, Deal]], measure: Callable[[Deal], float] = lead) -> tuple[float, float]:
    """Return how far the player in the first place is ahead of the one who has played the same deals, by a measure.

    That is the mean of the differences deal by deal, and its 95 % margin, which is smaller than those of two matches.
    """
    apart = [measure(deal) - measure(other) for deal, other in deals]
    return fmean(apart), margin(apart)


def matches(game: Game, options: Any, tables: Iterable[Sequence[str]], *, as_dealt: bool = False) -> list[Match]:
    """Return matches of these players; raises `LookupError` with a sentence if one can't be played."""
    found = []
    for table in tables:
        for name in table:
            player(game, name)
        if why := _unplayable(game, options, table):
            raise LookupError(why)
        found.append(Match(game.name, codec.dump(options), tuple(table), as_dealt))
    return found


def opponents_in(text: str) -> list[str]:
    """Return the names in a file of opponents, one to a line; `#` begins a comment."""
    names = (row.partition("#")[0].strip() for row in text.splitlines())
    return [name for name in names if name]


def saved(match: Match, seeds: range, deals: Sequence[Deal]) -> dict[str, Any]:
    """Return a match with its seeds and results as JSON. The intervals of a single deal are null."""
    return {
        "game": match.game,
        "options": match.options,
        "players": match.players,
        "first": seeds[0],
        "deals": len(deals),
        "luck": "luck of the cards subtracted" if fortune(match) else "points as they fell",
        "results": [attrs.asdict(row, value_serializer=_finite) for row in results(match.players, deals)],
    }


def _finite(_owner: object, _field: object, value: object) -> object:
    """Return a value, or None for an infinite number, which JSON doesn't have."""
    return None if value == math.inf else value


_HELP = """Play GAME between PLAYERS on duplicate deals, and print each player's lead over the others.

    Each deal is played once for each rotation of the seats, with the same cards. The last player named fills the
    remaining seats.

    \b
    PLAYERS are
      novice, club, shark      levels of the game
      shark@100                a level that searches, with another budget
      bold-club                a level in a temper
      remembering-club         a level that remembers what this game has shown
      random                   legal moves by chance
      always-challenge         the weakest level, but it challenges whenever it may
      never-challenge          the weakest level, but it never challenges
      lab/opponents/bluffs.py:twos
                               a function in a file: (view, moves, luck) -> move
    Some games have more; a wrong name lists them all.

    \b
    The table has for each player
      ahead/round   points a round over the mean of the others
      wins          share of the games won; a tie is shared
      exact bids    share of bids made exactly, in games that have them
      p50, p99      time for a move: the median, and of 99 in 100 moves at most

    Behind each figure is the margin of its 95 % interval, by Student's t from deal to deal. A lead is shown
    if it is larger than its margin.

    \b
    scripts/duel ohell shark club --cpu 60
    scripts/duel liarspoker shark --against opponents.txt --seats 2 --svg plot.svg
    """


@click.command(help=_HELP)
@click.argument("game")
@click.argument("players", nargs=-1, required=True)
@click.option("--seats", default=0, help="Number of players.  [default: the game's own]")
@click.option(
    "--against",
    type=click.File(),
    help="Play a match against each opponent in this file: a name on each line, and # begins a comment.",
)
@click.option("--than", default="", help="Play the same deals with this player in the first seat, and compare.")
@click.option(
    "--deals",
    type=click.IntRange(1),
    help="Number of deals; each is played once per seat.  [default: 50, or as many as --cpu allows]",
)
@click.option(
    "--cpu",
    default=0.0,
    type=click.FloatRange(0),
    help="Stop each match after this many CPU seconds; at least two deals.  [default: off]",
)
@click.option("--seed", default=1, show_default=True, help="The seed of the first deal; each deal adds 1.")
@click.option("--option", "options", multiple=True, help="A table option, as in /new: --option max=9.")
@click.option("--jobs", default=1, show_default=True, type=click.IntRange(1), help="Processes to play in.")
@click.option("--as-dealt", is_flag=True, help="Don't subtract the luck of the cards.")
@click.option("--json", "file", type=_NEW_FILE, help="Also write the results to this JSON file.")
@click.option("--svg", type=_NEW_FILE, help="Also plot the lead of the first player to this SVG file.")
def main(game: str, players: tuple[str, ...], *, seats: int, deals: int | None, seed: int, **asked: Any) -> None:
    """Read the command line, play the matches, and print and write the results."""
    found = games().get(game)
    if found is None:
        raise click.UsageError(f"there is no game {game!r}; there are {', '.join(games())}")
    for file in filter(None, (asked["file"], asked["svg"])):
        if not file.parent.is_dir():
            raise click.UsageError(f"there is no folder {str(file.parent)!r}")
    try:
        every = _asked_for(found, players, seats, asked)
    except (LookupError, UserError) as problem:
        raise click.UsageError(str(problem.args[0])) from None
    seeds = range(seed, seed + (deals or (_MOST if asked["cpu"] else _USUAL)))
    written = [_shown_and_saved(match, seeds, asked) for match in every]
    if asked["file"]:
        data = written if asked["against"] else written[0]
        asked["file"].write_text(json.dumps(data, indent=2, allow_nan=False) + "\n", "utf-8")
    if asked["svg"]:
        asked["svg"].write_text(plot(written), "utf-8")


def _asked_for(game: Game, players: tuple[str, ...], seats: int, asked: Mapping[str, Any]) -> list[Match]:
    """Return the matches asked for; raises `LookupError` or `UserError` with a sentence if one can't be played."""
    tables = [players]
    if asked["against"]:
        if len(players) > 1:
            raise LookupError("with --against, name only one player: the file has the others")
        tables = [(players[0], one) for one in opponents_in(asked["against"].read())]
        if not tables:
            raise LookupError("the file of --against names no opponent")
    if 0 < seats < max(map(len, tables)):
        raise LookupError(f"--seats {seats} is too few for {max(map(len, tables))} players")
    if asked["than"]:
        player(game, asked["than"])
    chosen = read(game, asked["options"])[0]
    return matches(game, chosen, [seated(table, seats or game.quick) for table in tables], as_dealt=asked["as_dealt"])


def _shown_and_saved(match: Match, seeds: range, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Play a match, print its results, and return them as JSON."""
    than, limits = asked["than"], (seeds, asked["jobs"], asked["cpu"])
    rows = paired(match, than, *limits) if than else ((deal, deal) for deal in played(match, *limits))
    length = None if len(seeds) == _MOST else len(seeds)
    pairs = [*track(rows, "playing", length, console=Console(stderr=True), transient=True)]
    dealt = [deal for deal, _ in pairs]
    row = saved(match, seeds, dealt)
    about = " ".join((match.game, *asked["options"])) + f": {', '.join(map(short, match.players))}"
    until = f"deals {seeds[0]} to {seeds[0] + len(dealt) - 1}{', stopped by --cpu' if len(dealt) < len(seeds) else ''}"
    Console().print(shown(results(match.players, dealt), f"{about}; {until}; {row['luck']}"))
    if than:
        (ahead, sure), (won, won_sure) = difference(pairs), difference(pairs, wins)
        figures = {"ahead": ahead, "sure": sure, "won": won, "won_sure": won_sure}
        row["than"] = {"player": than, **{name: _finite(None, None, one) for name, one in figures.items()}}
        Console().print(
            f"{short(match.players[0])} is {ahead:+.2f} ± {sure:.2f} points a round ahead of {short(than)} in these "
            f"deals, and wins {won:+.1f} ± {won_sure:.1f} more of 100 games."
        )
    return row


if __name__ == "__main__":
    sys.exit(main(prog_name="scripts/duel"))
