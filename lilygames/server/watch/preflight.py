"""Check settings on this machine before a server starts: address, data folder, certificate and open files."""

from __future__ import annotations

import asyncio
import re
import resource
import socket
import time
from ipaddress import ip_address
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from lilygames.edge.connections.certificate_facts import Facts
from lilygames.edge.connections.tls import ServerCertificate, Unusable
from lilygames.help import POLICIES
from lilygames.mailing.items.outcomes import ServerDown
from lilygames.server.settings.config import Loaded, Settings
from lilygames.server.settings.extras import check_extras, to_install
from lilygames.server.watch.certificate_watch import DAY, WARNED, day, expiry
from lilygames.store import StoreUnavailable
from lilygames.store.sqlite import sqlite
from lilygames.text import listing

OTHER_FILES = 100
"""Maximum files that the process opens for anything but connections."""


def check(loaded: Loaded) -> None:
    """Raise `Misconfigured` for a missing extra, or what this machine can't use: address, data folder, certificate."""
    check_extras(loaded)
    check_address(loaded)
    check_data_folder(loaded)
    check_policy(loaded)
    certificate = check_certificate(loaded)
    if certificate and certificate.facts:
        check_facts(loaded, certificate.facts, time.time())


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
    return [*_about_metrics(settings), *_about_certificate(settings), *_about_privacy(settings)]


def _about_privacy(settings: Settings) -> list[str]:
    """Return a warning if the sysop's own privacy page names nobody to write to."""
    page = Path(settings.policy) / "privacy.txt"
    if not settings.policy or not page.exists() or {"@", "://"} & {*re.findall(r"@|://", page.read_text("utf-8"))}:
        return []
    return [f"{page} has neither a mail address nor a link: say there whom people can ask."]


def _about_certificate(settings: Settings) -> list[str]:
    """Return a warning about a certificate that ends soon, or whose dates can't be read. It can be loaded."""
    if not settings.tls_cert:
        return []
    facts, now = ServerCertificate.load(*settings.tls_files).facts, time.time()
    if facts is None:
        return [to_install("checking the dates and names of tls_cert", "tls") + "."]
    sentence = expiry(Path(settings.tls_cert), facts, now)
    return [f"{sentence}."] if facts.ends - now < WARNED[-1] * DAY else []


def _about_metrics(settings: Settings) -> list[str]:
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


def check_policy(loaded: Loaded) -> None:
    """Raise `Misconfigured` if the folder with the sysop's own pages has none, or one that can't be read."""
    if not loaded.settings.policy:
        return
    folder, names = Path(loaded.settings.policy), [f"{name}.txt" for name in POLICIES]
    try:
        found = [(folder / name).read_text("utf-8") for name in names if (folder / name).exists()]
    except (OSError, UnicodeDecodeError) as problem:
        raise loaded.wrong(f"policy is {folder}, but a page there can't be read: {problem}", "policy") from problem
    if not found:
        raise loaded.wrong(f"policy is {folder}, which has none of {listing(names)}: name another folder", "policy")


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


def check_certificate(loaded: Loaded) -> ServerCertificate | None:
    """Raise `Misconfigured` if TLS is on and its certificate and key don't work. Return it; None without TLS."""
    if not loaded.settings.tls_cert:
        return None
    try:
        return ServerCertificate.load(*loaded.settings.tls_files)
    except Unusable as problem:
        raise loaded.wrong(str(problem), "tls_cert", "tls_key") from problem


def check_facts(loaded: Loaded, facts: Facts, now: float) -> None:
    """Raise `Misconfigured` for a certificate that clients would reject: for its dates, or a missing host name.

    A start and a reload don't do this, because people without TLS, or who accept it, shouldn't have to wait.
    """
    file, names = loaded.settings.tls_cert, ", ".join(facts.names)
    missing = [host for host in _hosts(loaded.settings) if not facts.covers(host)]
    why = ""
    if facts.ends <= now:
        why = f"expired on {day(facts.ends)}: get a new certificate"
    elif facts.begins > now:
        why = f"is only valid from {day(facts.begins)}: check this machine's clock, or wait until then"
    elif not facts.names:
        why = "has no host name (subjectAltName), so clients reject it: get one with the name of this server"
    elif missing:
        why = f"is for {names}, but not for {missing[0]}, where people connect: get one with that name"
    if why:
        raise loaded.wrong(f"the certificate {file} {why}", "tls_cert")


def _hosts(settings: Settings) -> list[str]:
    """Return the names by which people reach ports with TLS, as far as the settings say."""
    telnet = settings.public_address.partition(" ")[0] if settings.speaks_tls("telnet") else ""
    direct = settings.web_port and settings.speaks_tls("web") and not settings.web_proxies
    web = urlsplit(settings.web_address).hostname if direct else ""
    return [host for host in (telnet, web) if host]


async def check_store(loaded: Loaded) -> None:
    """Raise `Misconfigured` if the store can't be used. Creates and changes nothing."""
    settings = loaded.settings
    try:
        if file := settings.data_file:
            await asyncio.to_thread(sqlite.must_open, file)
            return
        from lilygames.store.postgres import postgres  # noqa: PLC0415 - its library is only for several nodes

        await postgres.must_open(settings.store, unsafe=bool(settings.unsafe))
    except StoreUnavailable as problem:
        raise loaded.wrong(f"can't use the store: {problem}", "store", "data") from problem


async def check_bus(loaded: Loaded) -> None:
    """Raise `Misconfigured` if the nodes' NATS server can't be used. Sends nothing."""
    settings = loaded.settings
    if not (settings.bus.startswith("nats:") and settings.store.startswith("postgres")):
        return
    from lilygames.bus.nats import must_answer  # noqa: PLC0415 - its library is only for several nodes

    try:
        await must_answer(settings.bus)
    except OSError as problem:
        what = f"no NATS server answers there ({problem}): start one, or set bus to postgres"
        raise loaded.wrong(f"can't use the bus: {what}", "bus") from problem


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
