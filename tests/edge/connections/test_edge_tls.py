"""The TLS listener, with a certificate made here, and clients that don't speak TLS."""

import asyncio
import ssl
import stat
from contextlib import suppress

import pytest
from cryptography.hazmat.primitives import serialization
from structlog.testing import capture_logs

from lilygames.edge.connections import listener, telnet
from lilygames.edge.connections.admission import Admission
from lilygames.edge.connections.certificate import make_certificate
from lilygames.edge.connections.telnet import listen
from lilygames.edge.connections.tls import ServerCertificate, Unusable, context
from lilygames.edge.wire.limits import Limits
from lilygames.text import Line
from tests.deadline import DEADLINE

PROBE = b"\xff\xfd\x18"


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    """A certificate and its key."""
    return make_certificate(tmp_path_factory.mktemp("tls"), ["games.example", "127.0.0.1", "::1"])


@pytest.fixture
def trusting(pair):
    """The TLS context of a client that trusts the certificate, and checks the name in it."""
    return ssl.create_default_context(cafile=pair[0])


@pytest.fixture
async def server(pair):
    """A TLS listener that allows two connections per address."""

    async def visit(terminal):
        terminal.show(Line("Welcome."))
        while (line := await terminal.read()) != "/bye":
            terminal.show(Line(line))

    server = await listen(
        "127.0.0.1", 0, visit, admission=Admission(Limits(connections_per_address=2)), tls=ServerCertificate.load(*pair)
    )
    yield server
    await server.close(grace=0.1)


async def rest(reader):
    async with asyncio.timeout(DEADLINE):
        return await reader.read()


async def test_client_that_checks_the_certificate_is_served(server, trusting):
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port, ssl=trusting)
    writer.write("zoë\r\n/bye\r\n".encode())

    assert (b"Welcome.\r\nzo", "TLSv1.3") == (
        (await rest(reader)).replace(PROBE, b"")[:12],
        writer.get_extra_info("ssl_object").version(),
    )
    writer.close()


@pytest.mark.parametrize(("name", "fits"), [("games.example", True), ("127.0.0.1", True), ("other.example", False)])
async def test_certificate_is_for_the_given_names(server, trusting, name, fits):
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", server.port, ssl=trusting, server_hostname=name)
        writer.close()
        served = True
    except ssl.SSLCertVerificationError:
        served = False

    assert fits == served


async def test_client_without_tls_is_disconnected_with_one_line_in_the_log(server):
    with capture_logs() as logs:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(b"ann\r\n" * 10)
        got = await rest(reader)
        writer.close()

    assert b"Welcome" not in got
    assert ["a client didn't speak TLS"] == [entry["event"] for entry in logs]


def test_versions_before_tls_1_2_are_refused(pair):
    """RFC 8996 ended 1.0 and 1.1."""
    assert ssl.TLSVersion.TLSv1_2 == context(*pair).minimum_version


async def test_handshake_that_never_ends_is_ended(server, trusting, monkeypatch):
    """Meanwhile it takes one of the connections of its address, which is free afterwards."""
    monkeypatch.setattr(listener, "HANDSHAKE", 0.1)
    with capture_logs():
        silent = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(2)]
        silent.append(await asyncio.open_connection("127.0.0.1", server.port))
        for _, writer in silent:
            writer.write(b"\x16\x03\x01")  # the beginning of a handshake
        got = [await rest(reader) for reader, _ in silent]
        for _, writer in silent:
            writer.close()
    monkeypatch.setattr(listener, "HANDSHAKE", DEADLINE)
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port, ssl=trusting)

    assert ([b"", b"", b""], b"Welcome.") == (got, await reader.readexactly(8))
    writer.close()


async def test_closing_does_not_wait_for_a_new_connection(server):
    """A handshake that has begun and not ended delays nothing."""
    _, writer = await asyncio.open_connection("127.0.0.1", server.port)
    await asyncio.sleep(0.01)
    await asyncio.wait_for(server.close(grace=0.1), DEADLINE)

    assert 0 == server.connected
    writer.close()


# Certificates.


def test_key_is_readable_by_its_owner_only(pair):
    assert 0o600 == stat.S_IMODE(pair[1].stat().st_mode)


def test_certificate_is_never_overwritten(pair):
    with pytest.raises(FileExistsError):
        make_certificate(pair[0].parent, ["x"])


def test_one_file_may_hold_both(pair, tmp_path):
    both = tmp_path / "both.pem"
    both.write_bytes(pair[0].read_bytes() + pair[1].read_bytes())

    assert context(both, both)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"", "FILE and FILE aren't a certificate and its key in PEM: choose others with --tls-cert and --tls-key"),
        (None, "FILE or FILE can't be read (No such file or directory): choose others with --tls-cert and --tls-key"),
    ],
)
def test_unusable_file_is_refused_in_a_sentence(tmp_path, text, sentence):
    file = tmp_path / "file"
    if text is not None:
        file.write_bytes(text)
    with pytest.raises(Unusable) as refusal:
        context(file, file)

    assert sentence == str(refusal.value).replace(str(file), "FILE")


def test_key_with_a_password_is_refused_by_that_reason(pair, tmp_path):
    key = serialization.load_pem_private_key(pair[1].read_bytes(), None)
    locked = tmp_path / "locked.key"
    locked.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.BestAvailableEncryption(b"secret"),
        )
    )

    with pytest.raises(Unusable, match="the key has a password"):
        context(pair[0], locked)


async def test_tls_connection_that_cannot_be_set_up_is_closed_logged_and_counted_no_longer(pair, trusting, monkeypatch):
    async def visit(terminal):
        terminal.show(Line("Welcome."))

    admission = Admission(Limits(connections_per_address=1))
    server = await listen("127.0.0.1", 0, visit, admission=admission, tls=ServerCertificate.load(*pair))
    with monkeypatch.context() as broken, capture_logs() as logs:
        broken.setattr(telnet, "Outbox", _broken)
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port, ssl=trusting)
        heard = b""
        with suppress(ConnectionResetError):
            heard = await rest(reader)
        writer.close()
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port, ssl=trusting)
    greeting = await rest(reader)
    writer.close()
    await server.close(grace=0.1)

    assert (b"", b"Welcome.") == (heard, greeting[:8])
    assert ["a connection can't be set up"] == [entry["event"] for entry in logs if entry["log_level"] == "error"]


def _broken(*_):
    raise RuntimeError("a bug")
