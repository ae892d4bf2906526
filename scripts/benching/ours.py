"""The whole server for a benchmark: everything on, limits lifted, fifty rooms; on request with a planted fault.

Usage: ours.py FOLDER ours|drops|doubles telnet|machine|web
"""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import attrs

from lilygames.chat.people.terminal import Terminal
from lilygames.edge.terminal.crowd import Crowd
from lilygames.server.place.place import Place
from lilygames.server.process.logs import logging_to_stderr
from lilygames.server.process.systemd import Systemd
from lilygames.server.reload.succession import Start
from lilygames.server.serving import serving
from lilygames.server.serving.control import Reloads
from lilygames.server.settings.config import FIELDS, Settings
from lilygames.text import Line

LIFTED = ("connect", "logins_at_once", "lines_per_second", "talk_lines_per_second", "bytes_per_second")
"""Prefixes of the settings that limit what a benchmark does."""


def lifted(folder: str, door: str) -> Settings:
    """Return settings without those limits, and with a listener of this kind."""
    ports = {} if door == "telnet" else {f"{door}_port": free_port()}
    plain = Settings(
        port=0, data=Path(folder), hash_memory=8192, hash_time=1, patience=0, exempt="127.0.0.0/8", **ports
    )
    guards = {name: field.about.most for name, field in FIELDS.items() if name.startswith(LIFTED) and field.about.most}
    return attrs.evolve(plain, **{name: type(getattr(plain, name))(most) for name, most in guards.items()})


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def break_on_purpose(fault: str) -> None:
    """Lose or repeat every hundredth message: a benchmark that doesn't notice is useless."""
    show, count = Crowd.show, 0

    def faulty(crowd: Crowd, *lines: Line, but: Terminal | None = None, instead: Sequence[Line] = ()) -> bool:
        nonlocal count
        receipted = False
        talk = any(" - m" in str(line) for line in lines)
        count += talk
        for _ in range({"drops": 0, "doubles": 2}[fault] if talk and count % 100 == 0 else 1):
            receipted = show(crowd, *lines, but=but, instead=instead)
        return receipted

    Crowd.show = faulty  # type: ignore[method-assign]


def _print_address(kind: str, address: str) -> None:
    print(f"listening: {kind} {address}", flush=True)


async def main(folder: str, kind: str, door: str) -> None:
    """Serve until killed."""
    if kind != "ours":
        break_on_purpose(kind)
    furnish = serving.furnish

    async def with_rooms(*parts: object, **more: object) -> Place:
        place = await furnish(*parts, **more)  # type: ignore[arg-type]
        for n in range(50):
            place.host.open_room(f"room{n}", "for talk")
        return place

    serving.furnish = with_rooms  # type: ignore[assignment]
    with logging_to_stderr("info", "text") as (log, _):  # nobody reads stdout, and a full pipe would stop the server
        await serving.serve(lifted(folder, door), _print_address, Reloads(), Systemd(), log, start=Start())


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
