"""TLS for listeners: the certificate that new connections get, and clients that don't speak TLS."""

from __future__ import annotations

import asyncio
import socket
import ssl
from asyncio.sslproto import SSLProtocol
from importlib.util import find_spec
from pathlib import Path
from typing import Self

import attrs

from lilygames.edge.connections.certificate_facts import Facts

BUFFER = 16 * 1024
"""Bytes that asyncio reads at once with TLS: one record. The default would reserve 256 KiB per connection."""
HELLO = 5.0
"""Seconds that a client has to begin the handshake. One that speaks TLS does so at once (RFC 8446, section 4.1.2)."""
NEEDS_TLS = "this port needs TLS. Turn on TLS (SSL, https) in your client, or use a port without it."
_HANDSHAKE = b"\x16"
"""The first byte of a TLS connection: a record of the handshake (RFC 8446, section 5.1)."""
_OTHERS = "choose others with --tls-cert and --tls-key"
_Marks = tuple[tuple[int, int, int], ...]


class Unusable(Exception):
    """TLS can't be used as configured. The message says why and how to fix it."""


def context(certificate: Path, key: Path) -> ssl.SSLContext:
    """Return a TLS context (1.2 or newer); the key may be in the certificate file. Raises `Unusable`."""
    SSLProtocol.max_size = BUFFER
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.minimum_version = ssl.TLSVersion.TLSv1_2
    made.options |= ssl.OP_NO_RENEGOTIATION | ssl.OP_NO_COMPRESSION
    try:
        made.load_cert_chain(certificate, key, password=_no_password)
    except ssl.SSLError as problem:
        if problem.reason == "KEY_VALUES_MISMATCH":
            raise Unusable(f"{key} has the key of another certificate than {certificate}: {_OTHERS}") from None
        raise Unusable(f"{certificate} and {key} aren't a certificate and its key in PEM: {_OTHERS}") from None
    except OSError as problem:
        raise Unusable(f"{certificate} or {key} can't be read ({problem.strerror}): {_OTHERS}") from None
    return made


def _no_password() -> str:
    raise Unusable(f"the key has a password, and nobody can type it at a start: remove the password, or {_OTHERS}")


@attrs.frozen
class Loaded:
    """The content of a certificate's files."""

    context: ssl.SSLContext
    facts: Facts | None
    """The dates and names; None if they can't be read, or the extra that does isn't installed."""
    marks: _Marks

    @classmethod
    def of(cls, certificate: Path, key: Path) -> Self:
        """Load a certificate and its key. Raises `Unusable`."""
        marks = _marks_of(certificate, key)  # first, so that a file that is written meanwhile is loaded again
        return cls(context(certificate, key), _facts_of(certificate), marks)


@attrs.define
class ServerCertificate:
    """The certificate of all ports that speak TLS. Connections keep the one that they began with.

    A renewed certificate gets a context of its own for new connections. Loading it into the one in use would leave that
    without a certificate if it failed.
    """

    certificate: Path
    key: Path
    loaded: Loaded

    @classmethod
    def load(cls, certificate: Path, key: Path) -> Self:
        """Load a certificate and its key from their files. Raises `Unusable`."""
        return cls(certificate, key, Loaded.of(certificate, key))

    def renewed(self) -> bool:
        """Load the files again if they have changed, and return whether that was done. Raises `Unusable`."""
        if _marks_of(self.certificate, self.key) == self.loaded.marks:
            return False
        self.loaded = Loaded.of(self.certificate, self.key)
        return True

    @property
    def context(self) -> ssl.SSLContext:
        """The context for new connections."""
        return self.loaded.context

    @property
    def facts(self) -> Facts | None:
        """The dates and names, if they can be read."""
        return self.loaded.facts


def _marks_of(*files: Path) -> _Marks:
    """Return what differs when a file, or the file that a link names, is written again. Raises `Unusable`."""
    try:
        found = [file.stat() for file in files]
    except OSError as problem:
        raise Unusable(f"{problem.filename} can't be read ({problem.strerror}): {_OTHERS}") from None
    return tuple((one.st_ino, one.st_size, one.st_mtime_ns) for one in found)


def _facts_of(certificate: Path) -> Facts | None:
    if find_spec("cryptography") is None:
        return None
    from lilygames.edge.connections.certificate import facts_of  # noqa: PLC0415 - its library is an extra

    try:
        return facts_of(certificate)
    except ValueError:  # OpenSSL is less strict
        return None


async def begins_tls(handle: socket.socket) -> bool:
    """Wait for the first byte of a connection, and return whether it is that of TLS. Reads nothing."""
    loop = asyncio.get_running_loop()
    readable = asyncio.Event()
    loop.add_reader(handle, readable.set)
    try:
        async with asyncio.timeout(HELLO):
            await readable.wait()
        return handle.recv(1, socket.MSG_PEEK) == _HANDSHAKE
    except (TimeoutError, OSError):
        return False
    finally:
        loop.remove_reader(handle)
