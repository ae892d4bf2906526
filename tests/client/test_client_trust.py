"""Trust in a server: by an authority, or by the certificate of the first visit."""

import pytest

from lilygames.client.trust import Untrusted, fingerprint_of
from lilygames.edge.connections.certificate import make_certificate
from lilygames.edge.connections.tls import ServerCertificate


@pytest.fixture
def certificates(tmp_path):
    """Return a function that makes a new certificate, and gives the paths of its file and its key."""

    def make(name):
        return make_certificate(tmp_path / name, ["localhost"])

    return make


async def refusal(person):
    """Return the reason why a visit failed."""
    with pytest.raises(Untrusted) as refused:
        await person.gone()
    return str(refused.value)


async def test_server_without_a_known_certificate_is_refused(sit, opened, certificates, place):
    """The message has its fingerprint, and the way to accept it."""
    pair = certificates("one")
    door = await opened(tls=ServerCertificate.load(*pair))
    why = await refusal(sit(door.port, tls=True))

    assert fingerprint_of(pair[0]) in why
    assert "--tls-pin" in why
    assert not place.host.people


async def test_server_is_recognized_by_its_first_certificate(sit, opened, certificates):
    pair = certificates("one")
    door = await opened(tls=ServerCertificate.load(*pair))
    ann = sit(door.port, tls=True, pin=True)
    await ann.expect(fingerprint_of(pair[0]))
    await ann.enter()
    bob = sit(door.port, tls=True)
    await bob.enter("bob")

    assert "fingerprint" not in bob.drawn.text


async def test_other_certificate_than_the_known_one_is_refused(sit, opened, certificates):
    """An attacker in between could read the password, so --pin does not accept another certificate either."""
    door = await opened(tls=ServerCertificate.load(*certificates("one")))
    port = door.port
    ann = sit(port, tls=True, pin=True)
    await ann.enter()
    await door.close()
    await opened(port, tls=ServerCertificate.load(*certificates("two")))
    why = await refusal(sit(port, tls=True, pin=True))

    assert "delete" in why
    assert "delete" in await refusal(ann)


async def test_server_with_a_trusted_authority_needs_no_pin(sit, opened, certificates, monkeypatch, tmp_path):
    """Certificates that the system trusts are accepted for the server's own name, and nothing is stored."""
    pair = make_certificate(tmp_path / "ca", ["127.0.0.1"])
    monkeypatch.setenv("SSL_CERT_FILE", str(pair[0]))
    door = await opened(tls=ServerCertificate.load(*pair))
    await sit(door.port, tls=True).enter()

    assert not (tmp_path / "certificates").exists()


async def test_tls_with_a_server_without_it_is_an_error(sit, door):
    with pytest.raises(OSError, match="SSL"):
        await sit(door.port, tls=True).gone()
