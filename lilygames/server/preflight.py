"""Check settings against this machine before a server starts with them: address, data folder, certificate, files."""

from __future__ import annotations

import os
import resource
import socket
from pathlib import Path

from lilygames.edge.tls import Unusable, context
from lilygames.server.config import Loaded, Settings

OTHER_FILES = 100
"""Files that the process opens for anything but connections, at most."""


def check(loaded: Loaded) -> None:
    """Raise `Misconfigured` for an address, a data folder or a certificate that this machine could not use."""
    check_address(loaded)
    check_data_folder(loaded)
    check_certificate(loaded)


def check_address(loaded: Loaded) -> None:
    """Raise `Misconfigured` if this machine does not have the address to listen on."""
    host = loaded.settings.host
    try:
        found = socket.getaddrinfo(host or None, 0, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, kind, protocol, _, address in found:
            with socket.socket(family, kind, protocol) as probe:
                probe.bind(address)
    except OSError as problem:
        what = f"host is {host}, but this machine doesn't have that address: choose another, or 0.0.0.0 for all"
        raise loaded.wrong(what, "host") from problem


def check_data_folder(loaded: Loaded) -> None:
    """Raise `Misconfigured` if the folder of the data, or that of a data file, can be neither used nor made."""
    name = "data"
    kind, _, file = loaded.settings.store.partition(":")
    folders = {"data": loaded.settings.data} | ({"store": Path(file).parent} if kind == "sqlite" else {})
    for name, folder in folders.items():
        if why := _unwritable(folder):
            raise loaded.wrong(f"{name} is {folder}, {why}", name)


def _unwritable(folder: Path) -> str:
    """Return why nothing can be written in a folder that is there or would be made; empty if it can."""
    there = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
    if not there.is_dir():
        return f"but {there} is a file: choose a folder"
    if not os.access(there, os.W_OK | os.X_OK):
        return f"but you may not write in {there}: choose another folder, or change its owner"
    return ""


def check_certificate(loaded: Loaded) -> None:
    """Raise `Misconfigured` if TLS is asked for and cannot be spoken with the certificate and its key."""
    settings = loaded.settings
    if not settings.tls_cert:
        return
    try:
        context(Path(settings.tls_cert), Path(settings.tls_key or settings.tls_cert))
    except Unusable as problem:
        raise loaded.wrong(str(problem), "tls_cert", "tls_key") from problem


def check_files(loaded: Loaded) -> None:
    """Raise `Misconfigured` if this process may not open as many files as the setting `connections` needs.

    The soft limit is raised to the hard one first, which a process may do by itself (setrlimit(2)).
    """
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    needed = files_needed(loaded.settings)
    if most != resource.RLIM_INFINITY and needed > most:
        raise loaded.wrong(
            f"connections is {loaded.settings.connections}, which needs {needed} open files, but this process may open"
            f" only {most}: lower it, or allow more with `ulimit -n {needed}` (LimitNOFILE={needed} in a systemd unit)",
            "connections",
        )


def files_needed(settings: Settings) -> int:
    """Return how many files a server with these settings may have open at once."""
    return settings.connections + OTHER_FILES
