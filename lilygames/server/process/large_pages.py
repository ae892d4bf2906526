"""Large pages for what a server has in memory, so that the processor seldom has to look up where something is."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from pathlib import Path

LARGE = 2 << 20
"""Bytes of a large page."""
_COLLAPSE = 25
"""MADV_COLLAPSE of madvise(2), since Linux 6.1: other systems refuse it."""
MAPPINGS = Path("/proc/self/smaps")
"""Linux lists here what is in the memory of this process."""
_OWN = re.compile(
    r"^(\w+)-(\w+) rw-p 0+ 00:00 0 +(?:\[heap\])?\nSize: +(\d+) kB(?:\n.+)*?\nRss: +(\d+) kB", re.MULTILINE
)
"""A range of addresses of this process alone, with its size and how much of it is in memory."""


def use_large_pages() -> int:
    """Move to large pages what is in memory by now; return how many there are. Nothing happens if the system refuses.

    A line needs code and values from all over the memory, and hundreds of other pieces of work come between two lines.
    While bots play at 200 tables, they take 0.9 of the CPU. Two thirds as many turns of the event loop take over half a
    millisecond. To remove this, delete the module and its calls.
    """
    if not MAPPINGS.exists():
        return 0
    madvise = ctypes.CDLL(None).madvise
    size = ctypes.c_size_t(LARGE)
    return sum(madvise(ctypes.c_void_p(place), size, _COLLAPSE) == 0 for place in places())


def places() -> Iterator[int]:
    """Yield where large pages can be, in ranges of which most is in memory: not in the stacks of threads."""
    for begin, end, size, used in _OWN.findall(MAPPINGS.read_text("utf-8", "replace")):
        if 2 * int(used) >= int(size):
            first = -(-int(begin, 16) // LARGE) * LARGE
            yield from range(first, int(end, 16) - LARGE + 1, LARGE)
