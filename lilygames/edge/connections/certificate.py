"""Certificates: make a self-signed one, and read the dates and names of any.

A self-signed certificate encrypts the connection, but doesn't prove whose server it is.
"""

from __future__ import annotations

import datetime as dt
import ipaddress
import os
from collections.abc import Sequence
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from lilygames.edge.connections.certificate_facts import Facts

DAYS = 5 * 365
"""Validity in days."""


def make_certificate(folder: Path, names: Sequence[str]) -> tuple[Path, Path]:
    """Write a certificate and its key for these host names, and return both files.

    Raises `ValueError` for an invalid name, `FileExistsError` if a file exists already, and `OSError`.
    """
    certificate, key = _self_signed(names)
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / "tls.key", key, 0o600)
    _write(folder / "tls.crt", certificate, 0o644)
    return folder / "tls.crt", folder / "tls.key"


def _write(file: Path, text: bytes, mode: int) -> None:
    """Write a new file with permissions `mode` from the start."""
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as written:
        written.write(text)


def _self_signed(names: Sequence[str]) -> tuple[bytes, bytes]:
    key = ec.generate_private_key(ec.SECP256R1())
    own = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, names[0][:64])])
    now = dt.datetime.now(dt.UTC)
    certificate = (
        x509.CertificateBuilder(own, own, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=DAYS))
        .add_extension(x509.SubjectAlternativeName([*map(_subject, names)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    return certificate.public_bytes(Encoding.PEM), key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _subject(name: str) -> x509.GeneralName:
    """Return a name as a certificate entry: an IP address or a host name."""
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def facts_of(file: Path) -> Facts:
    """Return the facts of the first certificate in a PEM file, which is the server's. Raises `ValueError`."""
    found = x509.load_pem_x509_certificates(file.read_bytes())[0]
    try:
        names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        names = x509.SubjectAlternativeName([])
    return Facts(
        found.not_valid_before_utc.timestamp(),
        found.not_valid_after_utc.timestamp(),
        (
            *names.get_values_for_type(x509.DNSName),
            *map(str, names.get_values_for_type(x509.IPAddress)),
        ),
    )
