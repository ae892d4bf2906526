"""A server whose next process says when it has read what takes long, and then waits until it may go on.

Usage: held_server.py FOLDER [words of `lilygames`]. The next process makes `read` in the folder and waits for `go-on`.
It ends when it gets the connections if `end` is there.
"""

import os
import sys
import time
from pathlib import Path

from lilygames.server.process import descriptors
from lilygames.server.serving import serving
from lilygames.server.shell.cli import main

FOLDER = Path(sys.argv[1])
preload, received = serving.preload, descriptors.received


def held(settings):
    """Read, and wait."""
    found = preload(settings)
    (FOLDER / "read").touch()
    while not (FOLDER / "go-on").exists():
        time.sleep(0.01)
    return found


def received_or_ended(connection):
    """Receive everything, or end."""
    if (FOLDER / "end").exists():
        os._exit(9)
    return received(connection)


serving.preload = held
descriptors.received = received_or_ended
sys.argv = [sys.argv[0], *sys.argv[2:]]
main()
