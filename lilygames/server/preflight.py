"""Check settings on this machine before a server starts: address, data folder, certificate and open files."""

from __future__ import annotations

import resource
import socket
from ipaddress import ip_address
from pathlib import Path
from tempfile import TemporaryDirectory

from lilygames.edge.tls import Unusable, context
from lilygames.mailing.outcomes import ServerDown
from lilygames.server.config import Loaded, Settings
from lilygames.server.extras import check_extras

OTHER_FILES = 100
"""Maximum files that the process opens for anything but connections."""


def check(loaded: Loaded) -> None:
    """Raise `Misconfigured` for a missing extra, or what this machine can't use: address, data folder, certificate."""
    check_extras(loaded)
    check_address(loaded)
    check_data_folder(loaded)
    check_certificate(loaded)


def check_address(loaded: Loaded) -> None:
    """Raise `Misconfigured` if this machine doesn't have the address to listen on."""
    host = loaded.settings.host
    try:
        found = socket.getaddrinfo(host or None, 0, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, kind, protocol, _, address in found:
            with socket.socket(family, kind, protocol) as probe:
                probe.bind(address)
    except OSError as problem:
        what = f"host is {host}, but this machine doesn't have that address: choose another, or 0.0.0.0 for all"
        raise loaded.wrong(what, "host") from problem


def warnings(settings: Settings) -> list[str]:
    """Return a sentence about each setting that can be used, but probably isn't meant so."""
    if settings.metrics_port and not _is_loopback(settings.metrics_host):
        host = settings.metrics_host
        return [f"metrics_host is {host}: anyone who can reach it can read the metrics. Use a firewall, or 127.0.0.1."]
    return []


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def check_data_folder(loaded: Loaded) -> None:
    """Raise `Misconfigured` if the data folder, or a data file's folder, can't be used or created."""
    name = "data"
    kind, _, file = loaded.settings.store.partition(":")
    folders = {"data": loaded.settings.data} | ({"store": Path(file).parent} if kind == "sqlite" else {})
    for name, folder in folders.items():
        if why := _unwritable(folder):
            raise loaded.wrong(f"{name} is {folder}, {why}", name)


def _unwritable(folder: Path) -> str:
    """Return why a folder isn't writable, or couldn't be created; empty if it is."""
    there = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
    if not there.is_dir():
        return f"but {there} is a file: choose a folder"
    try:
        TemporaryDirectory(prefix=".lilygames-", dir=there).cleanup()  # asking isn't enough: root may, but not in /proc
    except OSError as problem:
        return f"but you can't write to {there} ({problem.strerror}): choose another folder, or change its owner"
    return ""


def check_certificate(loaded: Loaded) -> None:
    """Raise `Misconfigured` if TLS is on and its certificate and key don't work."""
    settings = loaded.settings
    if not settings.tls_cert:
        return
    try:
        context(Path(settings.tls_cert), Path(settings.tls_key or settings.tls_cert))
    except Unusable as problem:
        raise loaded.wrong(str(problem), "tls_cert", "tls_key") from problem


async def check_mail(loaded: Loaded) -> None:
    """Raise `Misconfigured` if mail is on and the SMTP server can't be used. Sends nothing."""
    options = loaded.settings.mail_options
    if not options.has_mail:
        return
    from lilygames.mailing.smtp import connected  # noqa: PLC0415 - its library is only for places with mail

    try:
        async with connected(options):
            pass
    except ServerDown as problem:
        what = f"can't use the SMTP server at {options.host} port {options.port}: {problem}"
        raise loaded.wrong(what, "mail_host", "mail_port", "mail_tls", "mail_user") from problem


def check_files(loaded: Loaded) -> None:
    """Raise `Misconfigured` if this process can't open as many files as the setting `connections` needs.

    This raises the soft limit to the hard one, which needs no privileges (setrlimit(2)).
    """
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    needed = files_needed(loaded.settings)
    if most != resource.RLIM_INFINITY and needed > most:
        raise loaded.wrong(
            f"connections is {loaded.settings.connections}, which needs {needed} open files, but this process can open"
            f" only {most}. Lower it, or raise the limit with `ulimit -n {needed}` (in systemd LimitNOFILE={needed})",
            "connections",
        )


def files_needed(settings: Settings) -> int:
    """Return how many files a server with these settings may have open at once."""
    return settings.connections + OTHER_FILES
