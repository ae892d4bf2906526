"""Talk in a cluster: the time from a line typed to the same line on another screen, and the CPU of the nodes for it.

The same people talk in rounds: in a room with members at one node, in one with members at both, and to one person.
"""

from __future__ import annotations

import asyncio
import os
import random
import statistics
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from lilygames.server.shell.trial_cluster import Cluster, cluster
from scripts.storming.lines import Player

HERE, OTHER = "here", "other"
WITHIN, BESIDE, BETWEEN, PERSON = "within a node", "at the same node", "at another node", "to a person"
TICK = os.sysconf("SC_CLK_TCK")
MORE = 20
"""How many more lines are said within a node: they cost so little that fewer tell nothing."""
SETTLING = 5.0
"""Seconds until each node knows who is at the others, and follows its rooms."""


class Trio:
    """A speaker and a reader at one node, and a reader at another."""

    def __init__(self, place: Cluster, luck: random.Random) -> None:
        self._pids = [node.pid for node in place.nodes]
        ports = [node.port for node in place.nodes]
        self._speaker, self._near, self._far = (
            Player(name, port, luck) for name, port in (("speaker", ports[0]), ("near", ports[0]), ("far", ports[1]))
        )
        self._lines = 0

    async def come(self) -> None:
        """Log in, and give the speaker and the near reader a room of their own."""
        for player in (self._speaker, self._near, self._far):
            await player.come()
        self._speaker.type("/new ohell")
        await self._speaker.until("(you sit at ")
        await asyncio.sleep(SETTLING)
        self._near.type("/watch ohell")
        await asyncio.sleep(SETTLING)

    async def talk(self, how: str, lines: int) -> tuple[list[dict[str, float]], float]:
        """Say some lines, one after the other; return the seconds until each reader had it, and the CPU of a line."""
        to, readers = {
            WITHIN: ("-ohell", {WITHIN: self._near}),
            BETWEEN: ("-lobby", {BESIDE: self._near, BETWEEN: self._far}),
            PERSON: ("far", {PERSON: self._far}),
        }[how]
        before, told = self._cpu(), []
        for _ in range(lines):
            self._lines += 1
            began = time.perf_counter()
            self._speaker.type(f"{to};line {self._lines} ends")
            told.append({name: await self._read(reader) - began for name, reader in readers.items()})
            for player in (self._speaker, self._near, self._far):
                player.rows.clear()
        return told, (self._cpu() - before) / lines

    async def _read(self, reader: Player) -> float:
        """Return when a reader got the last line."""
        words = f"line {self._lines} ends"
        while not (found := [at for at, row in reader.rows if words in row]):
            await reader.until(words)
            await asyncio.sleep(0.0005)  # until its row is complete
        return found[0]

    def _cpu(self) -> float:
        """Return the seconds of CPU that the nodes have used."""
        used = 0
        for pid in self._pids:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            used += int(fields[11]) + int(fields[12])
        return used / TICK

    def leave(self) -> None:
        """Disconnect."""
        for player in (self._speaker, self._near, self._far):
            player.leave()


@contextmanager
def code_of(folder: Path | None) -> Iterator[None]:
    """Run the nodes that start meanwhile with the code in another folder."""
    before = os.environ.get("PYTHONPATH")
    if folder:
        os.environ["PYTHONPATH"] = f"{folder}:{folder}/rules"
    try:
        yield
    finally:
        if folder:
            os.environ.pop("PYTHONPATH")
            os.environ |= {"PYTHONPATH": before} if before else {}


def measure(options: Sequence[str], rounds: int, lines: int, against: Path | None) -> None:
    """Measure two nodes, and perhaps two of another checkout in the same rounds, and print the medians and ratios."""
    with ExitStack() as running:
        places: dict[str, Cluster] = {}
        for name, folder in ((HERE, None), (OTHER, against)):
            if name == HERE or folder:
                with code_of(folder):
                    places[name] = running.enter_context(cluster(2, *options))
        asyncio.run(_measured(places, rounds, lines))


async def _measured(places: dict[str, Cluster], rounds: int, lines: int) -> None:
    luck = random.Random(1)  # noqa: S311 - it orders the rounds
    trios = {name: Trio(place, luck) for name, place in places.items()}
    for trio in trios.values():
        await trio.come()
    waits: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    used: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for _ in range(rounds):
        turns = [(name, how) for name in trios for how in (WITHIN, BETWEEN, PERSON)]
        luck.shuffle(turns)
        for name, how in turns:
            told, cpu = await trios[name].talk(how, MORE * lines if how == WITHIN else lines)
            used[name, how].append(cpu)
            for one in told:
                for reader, seconds in one.items():
                    waits[name, reader].append(seconds)
    for reader in (WITHIN, BESIDE, BETWEEN, PERSON):
        print(_row(reader, {name: statistics.median(waits[name, reader]) for name in trios}, "wait"))
    for how in (WITHIN, BETWEEN, PERSON):
        print(_row(how, {name: statistics.median(used[name, how]) for name in trios}, "CPU"))
    for trio in trios.values():
        trio.leave()


def _row(what: str, medians: dict[str, float], unit: str) -> str:
    here = f"{what:18} {unit:5} {1000 * medians[HERE]:6.2f} ms"
    return (
        f"{here}, {medians[HERE] / medians[OTHER]:.2f} of {1000 * medians[OTHER]:.2f} ms" if OTHER in medians else here
    )
