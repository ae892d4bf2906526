"""A forgotten password, replaced by a one-time word that comes by mail."""

import re

import pytest

from lilygames.chat.visits.session import visit
from tests.chat.conftest import Typist

NEW = "quinces and figs"


@pytest.fixture
async def typed(w):
    """Return a function that types lines at the login prompt, disconnects, and gives the rows shown."""

    async def typed(*lines):
        terminal = Typist(*lines, None)
        await visit(w.stage.host, w.stage.place.dispatcher, terminal)
        await w.stage.mailing.finish()  # the word is prepared in the background
        return terminal.rows

    return typed


@pytest.fixture
async def away(w):
    """Bob, with a confirmed address, has left."""
    await w.subscribe("bob", "bob@example.org")
    w.drop("bob")
    w.take()


def words_in(mails):
    return re.findall(r"^  bob (\S+)", "\n".join(mail.get_content() for mail in mails), re.MULTILINE)


async def test_word_comes_by_mail_and_replaces_the_password(w, typed, away):
    await typed("forgot bob")
    await w.look()
    (mail,) = w.take()
    (word,) = words_in([mail])
    rows = await typed(f"bob {word}", NEW, NEW)

    assert "bob@example.org" == mail["To"]
    assert word not in mail["Subject"]
    assert "That was the one-time word, so choose a new password now." in rows
    assert any(row.startswith("You're in the lobby") for row in await typed(f"bob {NEW}"))


async def test_nobody_can_tell_who_has_an_account_or_an_address(w, typed, away):
    """Bob has a confirmed address, ann has none, carol isn't registered."""
    answers = [[row.replace(name, "NAME") for row in await typed(f"forgot {name}")] for name in ("bob", "ann", "carol")]

    assert answers[0] == answers[1] == answers[2]
    assert "If NAME has a confirmed mail address, we mail a one-time word there." in answers[0]


async def test_unconfirmed_address_gets_no_word(w, typed):
    await w.stage.type("bob", "/mail bob@example.org")
    w.drop("bob")
    await w.look()
    w.take()
    await typed("forgot bob")
    await w.look()

    assert [] == w.take()


async def test_word_is_mailed_even_if_notifications_are_off(w, typed, away):
    w.stage.enter("bob")
    await w.stage.type("bob", "/mail off")
    w.drop("bob")
    await typed("forgot bob")
    await w.look()

    assert 1 == len(words_in(w.take()))


async def test_newer_word_ends_the_older_one(w, typed, away):
    await typed("forgot bob")
    await w.look()
    (older,) = words_in(w.take())
    await typed("forgot bob")
    await w.look()
    (newer,) = words_in(w.take())

    assert not any(row.startswith("You're in") for row in await typed(f"bob {older}", ""))
    assert any(row.startswith("You're in") for row in await typed(f"bob {newer}", NEW, NEW))


async def test_account_gets_three_words_a_day(w, typed, away):
    for _ in range(5):
        await typed("forgot bob")
        await w.look()

    assert 3 == len(w.take())


async def test_word_waits_while_the_mail_server_is_away(w, typed, away, inbox):
    await inbox.stop()
    await typed("forgot bob")
    await w.look()
    await inbox.start()
    w.forward(900)
    await w.look()
    (word,) = words_in(w.take())

    assert any(row.startswith("You're in") for row in await typed(f"bob {word}", NEW, NEW))


async def test_word_that_has_expired_is_not_mailed(w, typed, away, inbox):
    await inbox.stop()
    await typed("forgot bob")
    await w.look()
    await inbox.start()
    w.forward(3600)
    await w.look()

    assert [] == w.take()


async def test_word_is_not_stored(w, typed, away, store):
    await typed("forgot bob")
    kept = str(store.records)
    await w.look()
    (word,) = words_in(w.take())

    assert word not in kept
    assert word not in str(store.records)
