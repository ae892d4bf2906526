"""The standing matches of the bots: played by `scripts/strength`, and kept as data with their seeds.

help/host/strength.toml names them, strength.json has the results, and strength.svg shows them. Each level plays against
the one below. The strongest level plays against the styles that strength.toml names, too, and clubs in a temper against
clubs without one.

A game can have several plans there, each with other options. strength.toml also has the seeds and the CPU limits, so
the same command plays the same deals again.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from lilygames import codec
from lilygames.game import Game
from lilygames.games import games
from lilygames.gametest.duel import matches, played, saved, seated
from lilygames.gametest.plot import plot
from lilygames.tables.log.options import read
from lilygames.tables.state.strategies import versions_of

FOLDER = Path(__file__).resolve().parents[2] / "help/host"
MATCHES, RESULTS, PLOT = "strength.toml", "strength.json", "strength.svg"
SEEDS = "seeds"
"""The table of strength.toml that isn't a game's."""
_MOST = 100_000
"""Deals of a match, if its CPU limit doesn't stop it earlier."""


def pairs(game: Game) -> Iterator[tuple[str, str]]:
    """Yield the players of each standing match: the one measured, and the one who fills the other seats."""
    levels = [*game.players]
    yield from zip(levels[1:], levels, strict=False)


Meeting = tuple[str, str, int]
"""A standing match: the player measured, the one who fills the other seats, and the number of seats."""


def plans(folder: Path) -> tuple[Mapping[str, Mapping[str, Any]], Mapping[str, int]]:
    """Return the plan of each game from strength.toml, and the first deal's seed for each kind of match."""
    found = tomllib.loads((folder / MATCHES).read_text("utf-8"))
    return {name: plan for name, plan in found.items() if name != SEEDS}, found.get(SEEDS, {})


def game_of(name: str, plan: Mapping[str, Any]) -> Game:
    """Return the game of a plan, which has the same name unless it says otherwise."""
    return games()[plan.get("game", name)]


def first_seed(seeds: Mapping[str, int], plan: Mapping[str, Any], one: Meeting) -> int:
    """Return the seed of a match's first deal: those of levels, styles and tempers differ."""
    level, other, _ = one
    tempered = level.endswith("-club")
    return seeds.get("tempers" if tempered else "styles" if other in plan.get("styles", ()) else "levels", 1)


def limit(plan: Mapping[str, Any], one: Meeting) -> float:
    """Return the CPU seconds for a match: its own if `longer` names it, else the game's."""
    level, other, seats = one
    longer, name = plan.get("longer", {}), f"{level} over {other}"
    return float(longer.get(f"{name}, {seats} seats", longer.get(name, plan["cpu"])))


def meetings(game: Game, plan: Mapping[str, Any]) -> list[Meeting]:
    """Return the standing matches of a game. Its strongest level also plays against the styles that the plan names.

    A level that is only for some numbers of seats plays with these, and one in `fewer_seats` with those. A club in each
    temper that the plan names plays against clubs without one, at the table of `temper_seats`, or the largest one.
    """
    few = plan.get("fewer_seats", {})
    levels = [(level, other, seats) for level, other in pairs(game) for seats in few.get(level, plan["seats"])]
    strongest, tables = [*game.players][-1], plan.get("style_seats", plan["seats"])
    styles = [(strongest, style, seats) for style in plan.get("styles", ()) for seats in tables]
    fitting = [one for one in levels + styles if one[0] not in game.limits or one[2] in game.limits[one[0]].seats]
    tempered = plan.get("temper_seats", plan["seats"][-1])
    return fitting + [(f"{temper}-club", "club", tempered) for temper in plan.get("tempers", ())]


def missing(game: Game, rows: Iterable[Mapping[str, Any]], plan: Mapping[str, Any]) -> list[Meeting]:
    """Return the matches without a result, or with one of an older version of a bot."""
    versions = versions_of(game)
    known = {_meeting(row): row["versions"] for row in rows if _belongs(row, game, plan)}
    return [
        one
        for one in meetings(game, plan)
        if one not in known or any(known[one].get(level) != versions[level] for level in {*one[:2]} & versions.keys())
    ]


def _meeting(row: Mapping[str, Any]) -> Meeting:
    level, other = row["players"][:2]
    return level, other, len(row["players"])


def _belongs(row: Mapping[str, Any], game: Game, plan: Mapping[str, Any]) -> bool:
    """Return whether a result is of this game with the options of a plan."""
    return row["game"] == game.name and bool(codec.load(row["options"], game.rules.Options) == _options(game, plan))


def _options(game: Game, plan: Mapping[str, Any]) -> Any:
    return read(game, plan.get("options", []))[0]


def measured(game: Game, plan: Mapping[str, Any], one: Meeting, *, seed: int, cpu: float) -> dict[str, Any]:
    """Play a standing match, and return its result with the versions of the bots."""
    level, other, seats = one
    (match,) = matches(game, _options(game, plan), [seated((level, other), seats)])
    seeds = range(seed, seed + _MOST)
    return {**saved(match, seeds, [*played(match, seeds, cpu=cpu)]), "versions": versions_of(game)}


def losses(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return where a level loses to the one below, in sentences.

    Its whole interval is below 0, and it wins less than its share. A level that plays for the win may give up points.
    """
    found = []
    for row in rows:
        level, other = row["players"][:2]
        first, game = row["results"][0], games().get(row["game"])
        known = {*pairs(game)} if game else set()
        behind = first["ahead"] + first["sure"] < 0 and first["won"] < 1 / len(row["players"])
        if behind and (level, other) in known:
            found.append(f"{row['game']}: {level} loses to {other} with {len(row['players'])} seats")
    return found


def _kept(folder: Path) -> list[dict[str, Any]]:
    file = folder / RESULTS
    rows: list[dict[str, Any]] = json.loads(file.read_text("utf-8")) if file.exists() else []
    return rows


@click.command()
@click.argument("names", nargs=-1)
@click.option("--cpu", default=0.0, help="CPU seconds for each match.  [default: those in strength.toml]")
@click.option("--seed", default=0, help="The number of the first deal.  [default: those in strength.toml]")
@click.option("--missing", "only_missing", is_flag=True, help="Play only matches whose bots have changed.")
@click.option("--check", is_flag=True, help="Play nothing: fail if a result is missing, or a level loses to one below.")
@click.option("--folder", default=FOLDER, type=click.Path(path_type=Path), help="Where the files are.")
def main(names: tuple[str, ...], *, cpu: float, seed: int, only_missing: bool, check: bool, folder: Path) -> None:
    """Play the standing matches of the games NAMES, or of all games, and keep the results."""
    console, (every, seeds) = Console(), plans(folder)
    if wrong := [name for name in names if name not in every]:
        raise click.UsageError(f"there are no standing matches of {wrong[0]!r}; there are {', '.join(every)}")
    rows = _kept(folder)
    order = [(name, *one) for name, plan in every.items() for one in meetings(game_of(name, plan), plan)]
    for name in () if check else (names or every):
        plan = every[name]
        game = game_of(name, plan)
        rows = [row for row in rows if not _belongs(row, game, plan) or _meeting(row) in meetings(game, plan)]
        for one in missing(game, rows, plan) if only_missing else meetings(game, plan):
            begins = seed or first_seed(seeds, plan, one)
            row = measured(game, plan, one, seed=begins, cpu=cpu or limit(plan, one))
            first = row["results"][0]
            console.print(f"{_called(name, one)}: {first['ahead']:+.2f} ± {first['sure']:.2f}, {row['deals']} deals")
            rows = [other for other in rows if not _belongs(other, game, plan) or _meeting(other) != one] + [row]
            rows.sort(key=partial(_place, every, order))
            (folder / RESULTS).write_text(json.dumps(rows, indent=1) + "\n", "utf-8")
            (folder / PLOT).write_text(plot(rows), "utf-8")
    problems = losses(rows)
    if check:
        gone = [(name, one) for name, plan in every.items() for one in missing(game_of(name, plan), rows, plan)]
        problems += [f"{_called(name, one)}: no result. Run scripts/strength {name} --missing" for name, one in gone]
    for problem in problems:
        console.print(problem)
    click.get_current_context().exit(int(bool(problems)))


def _place(every: Mapping[str, Mapping[str, Any]], order: Sequence[tuple[Any, ...]], row: Mapping[str, Any]) -> int:
    """Return the place of a result among the matches in order; those that no plan has come last."""
    names = (name for name, plan in every.items() if _belongs(row, game_of(name, plan), plan))
    match = (next(names, None), *_meeting(row))
    return order.index(match) if match in order else len(order)


def _called(name: str, one: Meeting) -> str:
    level, other, seats = one
    return f"{name}: {level} over {other} with {seats} seats"


if __name__ == "__main__":
    main()
