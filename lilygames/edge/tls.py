"""TLS contexts for listeners."""

from __future__ import annotations

import ssl
from asyncio.sslproto import SSLProtocol
from pathlib import Path

BUFFER = 16 * 1024
"""Bytes that asyncio reads at once with TLS: one record. The default would reserve 256 KiB per connection."""

_OTHERS = "choose others with --tls-cert and --tls-key"


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
    except ssl.SSLError:
        raise Unusable(f"{certificate} and {key} aren't a certificate and its key in PEM: {_OTHERS}") from None
    except OSError as problem:
        raise Unusable(f"{certificate} or {key} can't be read ({problem.strerror}): {_OTHERS}") from None
    return made


def _no_password() -> str:
    raise Unusable(f"the key has a password, and nobody can type it at a start: remove the password, or {_OTHERS}")
