"""Run several nodes on this machine with a private PostgreSQL and nats-server, to try things out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import attrs

from lilygames.server.settings.local_engines import Engine, Nats, Postgres, free_port, nats, postgres


@attrs.frozen
class Cluster:
    """The servers and the nodes."""

    folder: Path
    database: Postgres
    url: str
    buses: tuple[Nats, ...]
    nodes: tuple[Engine, ...]


@contextmanager
def cluster(
    count: int,
    *options: str,
    folder: Path | None = None,
    buses: int = 1,
    route: Callable[[int], int] = lambda port: port,
    ports: Sequence[int] = (),
    clocks: Sequence[float] = (),
) -> Iterator[Cluster]:
    """Run `count` nodes while the block lasts, each with these options of `lilygames serve`.

    `clocks` are the seconds by which each node's clock is wrong. `route` is called with the database's port for each
    node, and returns the port that the node connects to. `buses` is the number of nats-servers; 0 uses the database for
    notifications. Data is kept in `folder`, or in a temporary one. Raises `Missing` if a server isn't installed.
    """
    with ExitStack() as running:
        place = folder or Path(running.enter_context(TemporaryDirectory(prefix="lilygames-")))
        database = running.enter_context(postgres(folder / "postgres" if folder else None))
        ways = [free_port() for _ in range(buses)] if buses > 1 else [0] * buses
        servers = [
            running.enter_context(nats(place / f"nats{number + 1}", at=way, among=[one for one in ways if one != way]))
            for number, way in enumerate(ways)
        ]
        url = database.create("lilygames")
        known = ("--bus", ",".join(bus.url for bus in servers)) if servers else ()
        nodes = []
        for number in range(count):
            port = ports[number] if ports else free_port()
            wrong = clocks[number] if number < len(clocks) else 0.0
            dialled = url.replace(f":{database.port}/", f":{route(database.port)}/")
            nodes.append(_node(place / f"node{number + 1}", port, wrong, "--store", dialled, *known, *options))
            running.callback(nodes[-1].stop)
            nodes[-1].start()
        yield Cluster(place, database, url, tuple(servers), tuple(nodes))


_WRONG = """
import sys, time
right = time.time
time.time = lambda: right() + WRONG
from lilygames.server.shell.cli import main
main(sys.argv[1:])
"""


def _node(folder: Path, port: int, wrong: float, *options: str) -> Engine:
    folder.mkdir(parents=True, exist_ok=True)
    program = ("-c", _WRONG.replace("WRONG", repr(wrong))) if wrong else ("-m", "lilygames")
    command = (sys.executable, *program, "serve", "--port", str(port), "--data", str(folder / "data"))
    return Engine((*command, *options), port, folder)
