"""Run lilygames with a planted fault per connection. Only for `scripts/fuzz`.

`FUZZ_PLANT=block:0.05` blocks the event loop for so many seconds; `leak:1` leaks so many MiB.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from lilygames.edge.connections import listener
from lilygames.server.shell import cli

USUALLY = {"block": 0.05, "leak": 1.0}
"""The faults, with their default sizes in seconds and MiB."""
MOST = 2048
"""Maximum MiB of a planted leak. It has to go on until the last storm, and two short ones bring up to 100 people."""
_kept: list[bytes] = []


def planted(text: str) -> str:
    """Return a fault with its size: `block` is `block:0.05`. Raises `ValueError`."""
    kind, _, amount = text.partition(":")
    if kind not in USUALLY:
        raise ValueError(text)
    return f"{kind}:{float(amount or USUALLY[kind])}"


def block(seconds: float) -> None:
    """Block the event loop."""
    time.sleep(seconds)


def leak(size: float) -> None:
    """Leak memory. It is written to, or the system wouldn't count it."""
    if len(_kept) * size < MOST:
        _kept.append(os.urandom(1) * int(size * 2**20))


def main() -> None:
    """Run the command line of lilygames with the fault."""
    kind, _, amount = os.environ["FUZZ_PLANT"].partition(":")
    harm: Callable[[float], None] = {"block": block, "leak": leak}[kind]
    meets = listener.Server._meet  # noqa: SLF001 - it is patched

    def meets_badly(server: listener.Server, *caller: Any) -> None:
        harm(float(amount))
        meets(server, *caller)

    listener.Server._meet = meets_badly  # noqa: SLF001 - as above
    cli.main()


if __name__ == "__main__":
    main()
