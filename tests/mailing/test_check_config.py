"""Test that check-config finds out whether the SMTP server can be used, and sends nothing."""

import pytest

from lilygames.server.settings.config import Misconfigured, read
from lilygames.server.watch import preflight


@pytest.fixture
def loaded(tmp_path, inbox):
    """Return a function that reads a settings file for the SMTP server on this machine."""

    def load(*more):
        file = tmp_path / "place.toml"
        rows = (
            'public_address = "games.example 7777"',
            'mail_host = "127.0.0.1"',
            f"mail_port = {inbox.port}",
            'mail_from = "games@games.example"',
            *more,
        )
        file.write_text("\n".join(rows))
        return read(file)

    return load


async def test_server_that_can_be_used_is_fine(loaded, inbox):
    await preflight.check_mail(loaded('mail_tls = "none"'))

    assert [] == inbox.take()


async def test_server_that_is_down_is_reported_with_its_line(loaded, inbox):
    await inbox.stop()
    with pytest.raises(Misconfigured, match=r"place.toml:2: can't use the SMTP server at 127.0.0.1 port \d+: "):
        await preflight.check_mail(loaded('mail_tls = "none"'))


async def test_server_without_encryption_is_reported(loaded):
    """The password must not be sent in the clear if the settings ask for encryption."""
    with pytest.raises(Misconfigured, match=r"can't use the SMTP server .*STARTTLS"):
        await preflight.check_mail(loaded())


async def test_server_that_refuses_the_login_is_reported(loaded):
    with pytest.raises(Misconfigured, match="can't use the SMTP server"):
        await preflight.check_mail(loaded('mail_tls = "none"', 'mail_user = "games"'))
