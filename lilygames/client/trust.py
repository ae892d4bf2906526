"""Trusted certificates: signed by a known authority, or pinned when the server first showed them."""

from __future__ import annotations

import asyncio
import hashlib
import ssl
from pathlib import Path

import attrs


class Untrusted(Exception):
    """The server can't be verified. The message says why and what to do."""


@attrs.frozen
class Pin:
    """The pinned certificate of one server, in a file of its own."""

    file: Path

    @property
    def kept(self) -> bool:
        """Whether a certificate is pinned."""
        return self.file.exists()

    def keep(self, certificate: bytes) -> None:
        """Pin a certificate (DER)."""
        self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.file.write_text(ssl.DER_cert_to_PEM_cert(certificate), "ascii")

    @property
    def context(self) -> ssl.SSLContext:
        """A TLS context that trusts only this certificate, whatever its host name."""
        made = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        made.minimum_version = ssl.TLSVersion.TLSv1_2
        made.check_hostname = False
        made.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
        made.load_verify_locations(self.file)
        return made


def vouched() -> ssl.SSLContext:
    """Return a TLS context that trusts certificates signed by a known authority for the host name."""
    made = ssl.create_default_context()
    made.minimum_version = ssl.TLSVersion.TLSv1_2
    return made


def fingerprint(certificate: bytes) -> str:
    """Return the SHA-256 fingerprint of a certificate (DER) as people compare it: `3F:9C:...`."""
    return hashlib.sha256(certificate).digest().hex(":").upper()


def fingerprint_of(file: Path) -> str:
    """Return the fingerprint of a certificate file (PEM)."""
    return fingerprint(ssl.PEM_cert_to_DER_cert(file.read_text("ascii")))


async def shown_by(host: str, port: int) -> bytes:
    """Fetch a server's certificate (DER) without verifying it or sending data; raises `OSError`."""
    anybody = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    anybody.check_hostname, anybody.verify_mode = False, ssl.CERT_NONE
    _, writer = await asyncio.open_connection(host, port, ssl=anybody, server_hostname=host)
    certificate: bytes = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
    writer.transport.abort()
    return certificate
