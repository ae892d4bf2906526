"""Keep the number of a server's process over reloads: forward its signals, and end when it ends.

The first process runs this script when a next one takes over: systemd, containers and terminals know the server by
that number. It imports hardly anything, so that it needs little memory.
Usage: keeper.py SOCKET NUMBER [the server's command, for people who list processes]
"""

import os
import signal
import socket
import sys
from contextlib import suppress

FORWARDED = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
LONGEST = 100
"""Bytes of a message."""
LOST = 1
"""The exit code for a server that ended without saying one, because it was killed."""


def keep(link: socket.socket, number: int) -> int:
    """Forward signals to the server with this number, and to those that it says follow it. Return the exit code.

    A server says `next NUMBER` or `code CODE` through the link, which it holds as long as it runs.
    """
    code = LOST

    def forward(what: int, _: object) -> None:
        with suppress(ProcessLookupError):
            os.kill(number, what)

    for each in FORWARDED:
        signal.signal(each, forward)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, FORWARDED)
    while said := link.recv(LONGEST).split():
        match said:
            case [b"next", process]:
                number = int(process)
            case [b"code", end]:
                code = int(end)
    return code


def collect_children() -> None:
    """Collect the ended processes of the program before: it had no time to, and nobody else may. See wait(2)."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


if __name__ == "__main__":
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel collects those that end from here on
    collect_children()
    sys.exit(keep(socket.socket(fileno=int(sys.argv[1])), int(sys.argv[2])))
