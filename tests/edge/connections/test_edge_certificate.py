"""Test a certificate of listeners while it is renewed, and clients that don't speak TLS."""

import asyncio
import datetime as dt
import ssl

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from lilygames.edge.connections import tls
from lilygames.edge.connections.certificate_facts import Facts
from lilygames.edge.connections.telnet import listen
from lilygames.edge.connections.tls import ServerCertificate, Unusable
from lilygames.text import Line
from tests.deadline import DEADLINE

DAY = 86400.0
NOW = dt.datetime.now(dt.UTC)


def write(folder, *, begins=-1, ends=90, names=("games.example",), key=None):
    """Write a certificate that is valid from and until so many days from now, and its key; return both files."""
    key = key or ec.generate_private_key(ec.SECP256R1())
    own = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "games.example")])
    made = x509.CertificateBuilder(own, own, key.public_key(), x509.random_serial_number())
    made = made.not_valid_before(NOW + dt.timedelta(days=begins)).not_valid_after(NOW + dt.timedelta(days=ends))
    if names:
        made = made.add_extension(x509.SubjectAlternativeName([*map(x509.DNSName, names)]), critical=False)
    certificate, file = folder / "tls.crt", folder / "tls.key"
    certificate.write_bytes(made.sign(key, hashes.SHA256()).public_bytes(Encoding.PEM))
    file.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return certificate, file


@pytest.fixture
async def server(tmp_path):
    """A TLS listener and its certificate."""
    certificate = ServerCertificate.load(*write(tmp_path))

    async def visit(terminal):
        terminal.show(Line("Welcome."))
        while (line := await terminal.read()) != "/bye":
            terminal.show(Line(line))

    one = await listen("127.0.0.1", 0, visit, tls=certificate)
    yield one, certificate
    await one.close(grace=0.1)


async def dialled(port, folder):
    """Connect as a client that trusts the certificate in this folder, and checks its name."""
    trusting = ssl.create_default_context(cafile=folder / "tls.crt")
    return await asyncio.open_connection("127.0.0.1", port, ssl=trusting, server_hostname="games.example")


async def test_renewed_certificate_is_for_new_connections_and_ends_none(server, tmp_path):
    listener, certificate = server
    reader, writer = await dialled(listener.port, tmp_path)
    write(tmp_path, ends=365)

    assert (True, False) == (certificate.renewed(), certificate.renewed())
    _, again = await dialled(listener.port, tmp_path)  # trusts the new one only

    assert (365, "games.example") == (round((certificate.facts.ends - NOW.timestamp()) / DAY), *certificate.facts.names)
    writer.write(b"still here\r\n")
    assert b"still here" in await asyncio.wait_for(reader.readuntil(b"here\r\n"), DEADLINE)
    for one in (writer, again):
        one.close()
        await one.wait_closed()


async def test_certificate_that_cannot_be_loaded_leaves_the_old_one_in_use(server, tmp_path):
    """As while a program has written the new certificate and not yet its key."""
    listener, certificate = server
    old, key = (file.read_bytes() for file in (certificate.certificate, certificate.key))
    write(tmp_path)
    certificate.key.write_bytes(key)

    with pytest.raises(Unusable, match="has the key of another certificate"):
        certificate.renewed()

    certificate.certificate.write_bytes(old)
    _, writer = await dialled(listener.port, tmp_path)
    writer.close()
    await writer.wait_closed()


@pytest.mark.parametrize("first", [b"guest\r\n", b"GET / HTTP/1.1\r\n\r\n", b"\xff\xfd\x18"])
async def test_client_without_tls_is_told_in_one_line(server, first):
    reader, writer = await asyncio.open_connection("127.0.0.1", server[0].port)
    writer.write(first)

    assert f"Refused: {tls.NEEDS_TLS}\r\n".encode() == await asyncio.wait_for(reader.read(), DEADLINE)
    writer.close()
    await writer.wait_closed()


async def test_client_that_waits_for_a_greeting_is_told_too(server, monkeypatch):
    monkeypatch.setattr(tls, "HELLO", 0.05)
    reader, writer = await asyncio.open_connection("127.0.0.1", server[0].port)

    assert f"Refused: {tls.NEEDS_TLS}\r\n".encode() == await asyncio.wait_for(reader.read(), DEADLINE)
    writer.close()
    await writer.wait_closed()
    assert 0 == server[0].connected


@pytest.mark.parametrize(
    ("host", "expected"),
    [("play.example", True), ("PLAY.example.", True), ("a.games.example", True), ("games.example", False),
     ("b.a.games.example", False), ("10.0.0.1", True)],
)  # fmt: skip
def test_certificate_covers_its_names_and_one_label_for_a_star(host, expected):
    assert expected == Facts(0, 1, ("play.example", "*.games.example", "10.0.0.1")).covers(host)
