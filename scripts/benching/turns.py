"""Run `lilygames`, and measure the longest callback of its event loop, in CPU seconds of its thread.

Nothing else can run during a callback, so that is how long it holds up others. On SIGUSR1 the time is written to the
file in TURNS, and then set to 0.
Usage: TURNS=FILE turns.py serve ...
"""

from __future__ import annotations

import os
import signal
import time
from asyncio import Handle
from pathlib import Path

from lilygames.__main__ import main


class Longest:
    """The longest callback since the last signal."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._seconds = 0.0

    def ran(self, seconds: float) -> None:
        """Note how long a callback has run."""
        self._seconds = max(self._seconds, seconds)

    def write(self, *_: object) -> None:
        """Write the time, and set it to 0."""
        new = self._file.with_suffix(".new")
        new.write_text(f"{self._seconds}")
        new.replace(self._file)
        self._seconds = 0.0


def measure(longest: Longest) -> None:
    """Measure all callbacks from now on."""
    run = Handle._run  # noqa: SLF001 - asyncio measures callbacks only in its debug mode, which slows them down

    def measured(handle: Handle) -> None:
        began = time.thread_time()
        run(handle)
        longest.ran(time.thread_time() - began)

    Handle._run = measured  # noqa: SLF001 - as above


if __name__ == "__main__":
    found = Longest(Path(os.environ["TURNS"]))
    signal.signal(signal.SIGUSR1, found.write)
    measure(found)
    main()
