"""Whom the client believes: an authority, or the certificate that was shown the first time."""

import pytest

from lilygames.client.trust import Untrusted, fingerprint_of
from lilygames.edge.certificate import make_certificate
from lilygames.edge.tls import context


@pytest.fixture
def certificates(tmp_path):
    """Return what makes a new certificate, and returns its file and that of its key."""

    def make(name):
        return make_certificate(tmp_path / name, ["localhost"])

    return make


async def refusal(person):
    """Return why a visit came to nothing."""
    with pytest.raises(Untrusted) as refused:
        await person.gone()
    return str(refused.value)


async def test_a_host_that_nobody_vouches_for_is_not_spoken_to(sit, opened, certificates, place):
    """It is told by what fingerprint it would be known, and how."""
    pair = certificates("one")
    door = await opened(tls=context(*pair))
    why = await refusal(sit(door.port, tls=True))

    assert fingerprint_of(pair[0]) in why
    assert "--tls-pin" in why
    assert not place.host.people


async def test_a_host_is_known_by_the_certificate_that_it_showed_first(sit, opened, certificates):
    pair = certificates("one")
    door = await opened(tls=context(*pair))
    ann = sit(door.port, tls=True, pin=True)
    await ann.expect(fingerprint_of(pair[0]))
    await ann.enter()
    bob = sit(door.port, tls=True)
    await bob.enter("bob")

    assert "fingerprint" not in bob.drawn.text


async def test_another_certificate_than_the_known_one_is_refused(sit, opened, certificates):
    """Whoever has come between could read the password: asking for a pin again does not help them."""
    door = await opened(tls=context(*certificates("one")))
    port = door.port
    ann = sit(port, tls=True, pin=True)
    await ann.enter()
    await door.close()
    await opened(port, tls=context(*certificates("two")))
    why = await refusal(sit(port, tls=True, pin=True))

    assert "remove" in why
    assert "remove" in await refusal(ann)


async def test_a_vouched_host_needs_no_pin(sit, opened, certificates, monkeypatch, tmp_path):
    """What the system trusts is trusted, for the host's own name; nothing is kept of it."""
    pair = make_certificate(tmp_path / "ca", ["127.0.0.1"])
    monkeypatch.setenv("SSL_CERT_FILE", str(pair[0]))
    door = await opened(tls=context(*pair))
    await sit(door.port, tls=True).enter()

    assert not (tmp_path / "certificates").exists()


async def test_tls_with_a_host_that_has_none_is_trouble(sit, door):
    with pytest.raises(OSError, match="SSL"):
        await sit(door.port, tls=True).gone()
