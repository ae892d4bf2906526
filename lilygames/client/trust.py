"""Whose certificate is believed: one that an authority vouches for, or the one that was shown the first time."""

from __future__ import annotations

import asyncio
import hashlib
import ssl
from pathlib import Path

import attrs


class Untrusted(Exception):
    """The host could be anybody; the text says why, and what can be done."""


@attrs.frozen
class Pin:
    """The certificate that one host showed the first time, as a file of its own."""

    file: Path

    @property
    def kept(self) -> bool:
        """Whether there is one."""
        return self.file.exists()

    def keep(self, certificate: bytes) -> None:
        """Keep a certificate (DER)."""
        self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.file.write_text(ssl.DER_cert_to_PEM_cert(certificate), "ascii")

    @property
    def context(self) -> ssl.SSLContext:
        """What trusts this certificate and no other, whatever name it is for."""
        made = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        made.minimum_version = ssl.TLSVersion.TLSv1_2
        made.check_hostname = False
        made.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
        made.load_verify_locations(self.file)
        return made


def vouched() -> ssl.SSLContext:
    """Return what trusts a certificate that an authority known here vouches for, for the host's name."""
    made = ssl.create_default_context()
    made.minimum_version = ssl.TLSVersion.TLSv1_2
    return made


def fingerprint(certificate: bytes) -> str:
    """Return the SHA-256 of a certificate (DER) as people compare it: `3F:9C:...`."""
    return hashlib.sha256(certificate).digest().hex(":").upper()


def fingerprint_of(file: Path) -> str:
    """Return that of a certificate in a file (PEM)."""
    return fingerprint(ssl.PEM_cert_to_DER_cert(file.read_text("ascii")))


async def shown_by(host: str, port: int) -> bytes:
    """Return the certificate (DER) that a host shows, believed or not, and say nothing to it; raises `OSError`."""
    anybody = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    anybody.check_hostname, anybody.verify_mode = False, ssl.CERT_NONE
    _, writer = await asyncio.open_connection(host, port, ssl=anybody, server_hostname=host)
    certificate: bytes = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
    writer.transport.abort()
    return certificate
