"""Lower the priority of processes and threads that compute, so that the event loop runs when it has something to do."""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys
from collections.abc import Mapping
from contextlib import suppress

LONGEST = 0.1
"""Seconds: the longest time slice that Linux gives."""
SYSCALLS: Mapping[str, int] = {"x86_64": 314, "aarch64": 274}
"""The number of the system call sched_setattr(2) by machine; Python and older C libraries have no function for it."""
_ATTRIBUTES = struct.Struct("=IIQiIQQQ")
"""Its struct sched_attr: size, policy, flags, nice value, priority, and runtime, deadline and period in nanoseconds."""
_NORMAL = 0
"""The policy SCHED_OTHER."""


def give_way(niceness: int) -> None:
    """Raise the nice value of this process (on Linux, of this thread). Nothing changes if the system forbids it."""
    with suppress(PermissionError):  # a unit or a container may deny setpriority(2)
        os.nice(niceness)


def leave_a_core() -> bool:
    """Keep this process off the first of its cores, so that the event loop finds it free. Return whether it has others.

    A process that has just computed may have to wait when it wakes up, until the others have had their share. Linux
    looks at that only a few hundred times a second, whatever their priorities. With 200 tables and two workers on two
    cores, the slowest of 100 lines took 2.6 ms instead of 6.4. Bots moved as soon as before. To remove this, delete the
    function and its call.
    """
    if sys.platform != "linux":
        return False
    cores = os.sched_getaffinity(0)
    if len(cores) < 2:  # noqa: PLR2004 - one and another
        return False
    try:
        os.sched_setaffinity(0, cores - {min(cores)})
    except PermissionError:  # as above
        return False
    return True


def lengthen_time_slice() -> bool:
    """Give this process the longest time slice, and return whether the system has done it. Its nice value stays.

    Since Linux 6.6, a nice process keeps its core until its time slice of about 3 ms is over, even if another one wakes
    up. Since 6.12, it must leave the core at once to one with a shorter slice. While two workers kept both cores busy,
    99 of 100 wake-ups took at most 0.35 ms instead of 2.8. To remove this, delete the function and its call.
    """
    number = SYSCALLS.get(platform.machine())
    if sys.platform != "linux" or number is None:
        return False
    niceness = os.getpriority(os.PRIO_PROCESS, 0)
    attributes = _ATTRIBUTES.pack(_ATTRIBUTES.size, _NORMAL, 0, niceness, 0, round(LONGEST * 1e9), 0, 0)
    return bool(ctypes.CDLL(None).syscall(number, 0, attributes, 0) == 0)
