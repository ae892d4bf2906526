"""Test `lilygames unsubscribe`: it takes a token, or a whole mail on stdin, whether or not a server runs."""

import asyncio
import email.message

import pytest
from click.testing import CliRunner

from lilygames.mailing.subscriptions import KEY, STOPS
from lilygames.mailing.tokens import Signer
from lilygames.server.shell.cli import commands
from lilygames.store.sqlite.sqlite import SqliteStore

SECRET = "5a" * 32
TOKEN = Signer(bytes.fromhex(SECRET)).token("bob", 1_772_452_800)
DONE = "That address gets no more mail. A running server needs some seconds.\n"


@pytest.fixture
def data(tmp_path):
    """A data folder with the key of its tokens."""

    async def make():
        store = await asyncio.to_thread(SqliteStore.open, tmp_path / "lilygames.db")
        await store.keep(KEY, "", SECRET)
        await store.close()

    asyncio.run(make())
    (tmp_path / "place.toml").write_text(f'data = "{tmp_path}"')
    return tmp_path


def run(data, *arguments, stdin=None):
    return CliRunner().invoke(commands, ["unsubscribe", "--config", str(data / "place.toml"), *arguments], input=stdin)


def stops(data):
    async def read():
        store = await asyncio.to_thread(SqliteStore.open, data / "lilygames.db")
        found = await store.every(STOPS)
        await store.close()
        return [*found.values()]

    return asyncio.run(read())


def test_token_is_left_for_the_server(data):
    assert DONE == run(data, TOKEN).stdout
    assert [TOKEN] == stops(data)


@pytest.mark.parametrize("encoding", ["7bit", "quoted-printable", "base64"])
def test_token_is_found_in_the_subject_of_a_mail(data, encoding):
    mail = email.message.EmailMessage()
    mail["From"], mail["Subject"] = "bob@example.org", f"unsubscribe {TOKEN}"
    mail.set_content("Sent from my telephone", cte=encoding)

    assert DONE == run(data, stdin=mail.as_bytes()).stdout
    assert [TOKEN] == stops(data)


@pytest.mark.parametrize("text", ["", "hello", TOKEN[:-1], f"x{TOKEN}", Signer(b"o" * 32).token("bob", 1)])
def test_mail_without_a_token_of_this_server_is_refused(data, text):
    result = run(data, stdin=text.encode())

    assert result.exit_code != 0
    assert [] == stops(data)
