"""Golden playthroughs: a session as every player reads it, saved as text, replayed and compared.

A file has a seed and people, then lines that someone types (`ann> /bid 1`) or reads (`bob< ann bids 1.`; `all<`
if everyone reads the same). A replay keeps the typed lines and rewrites the lines that are read. Run this module on
files to update them, and review the diff.

The time stays at `clock:` (seconds since 1970) until a line like `+2d` or `+90m`; `bob> (drops)` disconnects someone,
`bob> (comes)` reconnects them. With `games: none` no game is installed.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from lilygames.games import games
from lilygames.gametest.stage import Stage
from lilygames.text import Voice

_TYPED = re.compile(r"(\w+)> ?(.*)")
_HEAD = re.compile(r"(seed|people|watchers|spoken|clock|games): (.*)")
_PASSES = re.compile(r"\+(\d+)([mhd])")
_UNITS = {"m": 60, "h": 3600, "d": 86400}


async def perform(text: str) -> str:
    """Replay a playthrough; return the text with what is read now."""
    head = {match[1]: match[2] for match in map(_HEAD.fullmatch, text.splitlines()) if match}
    clock = [float(head.get("clock", "0"))]
    installed = {} if head.get("games") == "none" else games()
    stage = await Stage.open(installed, seed=head["seed"], clock=lambda: clock[0], ids=False)  # or the cards change
    spoken = head.get("spoken", "").split()
    for name in head["people"].split():
        stage.enter(name, Voice(spoken=name in spoken))
    for screen in stage.screens.values():
        screen.take()
    rows = [row for row in text.splitlines() if row.startswith("#") or _HEAD.fullmatch(row)]
    for line in text.splitlines():
        if passes := _PASSES.fullmatch(line):
            clock[0] += int(passes[1]) * _UNITS[passes[2]]
            rows += ["", line]
        elif typed := _TYPED.fullmatch(line):
            rows += ["", line.rstrip()]
            await _happens(stage, typed[1], typed[2])
            rows += _read(stage)
    return "\n".join(rows) + "\n"


async def _happens(stage: Stage, name: str, what: str) -> None:
    match what:
        case "(drops)":
            stage.drop(name)
        case "(comes)":
            await stage.come(name)
        case _:
            await stage.type(name, what)
    await stage.quiet()


def _read(stage: Stage) -> Iterator[str]:
    """Yield what each person has read since the last time, once if it is the same for all."""
    shown = {name: screen.take() for name, screen in stage.screens.items()}
    first, *others = shown.values()
    if others and all(rows == first for rows in others):
        shown = {"all": first}
    for name, rows in shown.items():
        for row in rows:
            yield f"{name}< {row}".rstrip()


def main() -> None:
    """Update the playthroughs on the command line."""
    for path in map(Path, sys.argv[1:]):
        path.write_text(asyncio.run(perform(path.read_text("utf-8"))), "utf-8")
        print(f"{path} performed")  # noqa: T201 - this is the script's output


if __name__ == "__main__":
    main()
