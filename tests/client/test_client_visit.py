"""The client over a real socket: a whole game, lost connections, secrets, and a hostile server."""

import asyncio
import errno
import re

import pytest

from lilygames.chat.people.observers import Announced
from lilygames.client import wire
from lilygames.text import Line

PASSWORD = "plums and pears"


async def test_newcomer_plays_a_whole_game(sit, door):
    """guest, /new tally, bare numbers, a score, and bye."""
    ann = sit(door.port)
    await ann.expect("login:")
    ann.type("guest")
    await ann.expect(r"You're in .*\n")
    await ann.sit_down()
    told = await ann.play_on()
    ann.press("\x04")
    await ann.gone()

    assert "You bid " in told
    assert "(connection lost)" not in ann.drawn.text


@pytest.mark.parametrize("key", ["\x03", "\x04"])
async def test_ctrl_c_and_ctrl_d_say_goodbye(sit, door, place, monkeypatch, key):
    """The server is told, so nobody waits for a reconnect."""
    news, publish = [], place.host.publish

    def noticed(event):
        publish(event)
        if isinstance(event, Announced):
            news.append((event.chat_event.kind, event.chat_event.text))

    monkeypatch.setattr(place.host, "publish", noticed)
    ann = sit(door.port)
    await ann.enter()
    ann.press(key)
    await ann.gone()

    assert ("disconnect", "") == news[-1]


async def test_client_without_a_login_just_disconnects(sit, door):
    ann = sit(door.port)
    await ann.expect("login:")
    ann.press("\x04")
    await ann.gone()

    assert "/bye" not in ann.drawn.text


async def test_client_that_was_disconnected_does_not_reconnect(sit, door):
    ann = sit(door.port)
    await ann.enter()
    ann.type("/bye")
    await ann.expect(r"\(the connection to 127.0.0.1:\d+ is closed\)")
    await ann.gone()


async def test_missing_server_is_an_error(sit, opened):
    door = await opened()
    port = door.port
    await door.close()
    with pytest.raises(ConnectionRefusedError) as refused:
        await sit(port).gone()

    assert errno.ECONNREFUSED == refused.value.errno


# Lost connections.


@pytest.fixture
def earlier_client(monkeypatch):
    """The client requests only the packets of the first release: no token, and nothing about tables."""
    modules = [module for module in wire.MODULES if module not in ("Lily.Resume 1", "Lily.Table 1")]
    monkeypatch.setattr(wire, "MODULES", modules)


async def test_guest_with_a_seat_reconnects_automatically(sit, door):
    """It uses the session's token."""
    ann = sit(door.port)
    await ann.enter("ann")
    await ann.sit_down()
    await ann.expect("Your turn: ")
    door.connections[0].abort()
    await ann.expect(r"\(connection lost\)")
    await ann.expect("login: resume\n")
    await ann.play_on()

    assert ann.client.known.token not in ann.drawn.text


async def test_guest_with_an_earlier_client_reconnects_by_the_return_word(sit, door, earlier_client):
    """The return word was told when they sat down; the client types it."""
    ann = sit(door.port)
    await ann.enter("ann")
    await ann.sit_down()
    await ann.expect("Your turn: ")
    door.connections[0].abort()
    await ann.expect(r"\(connection lost\)")
    await ann.expect("login: ann\n")
    await ann.play_on()

    assert ann.client.known.word not in ann.drawn.text.partition("(connection lost)")[2]


async def test_account_holder_reconnects_automatically_again_and_again(sit, door):
    """Each time it uses the next token."""
    ann = sit(door.port)
    await ann.enter("ann", PASSWORD)
    for _ in range(3):
        door.connections[0].abort()
        await ann.expect("login: resume\n")
        await ann.expect(r"You're in .*\n")

    assert PASSWORD not in ann.drawn.text
    assert "password:" not in ann.drawn.text


@pytest.mark.parametrize("ended", [True, False])
async def test_account_holder_is_asked_only_for_the_password_without_a_valid_token(sit, door, place, ended, request):
    """Either the session has ended meanwhile, or the client doesn't know tokens."""
    if not ended:
        request.getfixturevalue("earlier_client")
    ann = sit(door.port)
    await ann.enter("ann", PASSWORD)
    await place.host.sessions.end("ann", place.host.clock())
    door.connections[0].abort()
    await ann.expect("login: ann\n")
    await ann.expect("password:")
    ann.type(PASSWORD)
    await ann.expect(r"You're in .*\n")

    assert PASSWORD not in ann.drawn.text


async def test_client_retries_until_the_server_is_back(sit, opened):
    door = await opened()
    port = door.port
    ann = sit(port)
    await ann.enter("ann")
    await door.close()
    for _ in range(3):
        await ann.expect("trying again in")
    ann.type("is anybody there?")
    await ann.expect(r"\(not sent: you aren't connected to ")
    await opened(port)
    await ann.expect("login: resume\n")
    await ann.expect(r"You're in .*\n")


async def test_person_who_stops_waiting_just_leaves(sit, opened):
    door = await opened()
    ann = sit(door.port)
    await ann.enter("ann")
    await door.close()
    await ann.expect("trying again in")
    ann.press("\x03")
    await ann.gone()


# Stored data and secrets.


async def test_no_secret_is_drawn_or_stored(sit, door, tmp_path):
    """That includes passwords, names with return words, and answers to hidden questions."""
    ann = sit(door.port)
    await ann.enter("ann", PASSWORD)
    ann.type("/password")
    await ann.expect("Old password")
    ann.type(PASSWORD)
    await ann.expect("hoose|New|new ")
    ann.type("figs and dates")
    await ann.expect("once more:")
    ann.type("figs and dates")
    await ann.expect("changed")
    ann.type("/who")
    await ann.expect("ann")
    ann.press("\x04")
    await ann.gone()

    assert "/password\n/who\n" == (tmp_path / "typed").read_text()
    assert not re.search("plums|figs", ann.drawn.text)
    assert 0o600 == (tmp_path / "typed").stat().st_mode & 0o777


async def test_line_of_another_day_is_recalled_with_a_key(sit, door, tmp_path):
    (tmp_path / "typed").write_text("/games\n/tables\n")
    ann = sit(door.port)
    await ann.enter()
    ann.press("\x1b[A\x1b[A\r")
    await ann.expect("tally")


# Messages in both directions.


async def test_width_is_sent_at_every_change(sit, door):
    ann = sit(door.port)
    await ann.enter()
    ann.drawn.columns = 40
    ann.type("")
    await ann.expect(r"type /help to see\s+what you can do")
    ann.type("/help")
    told = await ann.expect(r"/bye\s+disconnects")

    assert max(map(len, told.splitlines())) <= 38


async def test_tab_completes_moves_commands_and_people(sit, door, place):
    """It knows the moves that are legal now, the server's commands, and the people here, even the newest."""
    ann, bob = sit(door.port), sit(door.port)
    await ann.enter("ann")
    await bob.enter("bobolink")
    ann.type("hi")
    ann.press("bobo\t")
    await ann.expect("bobolink;")
    ann.press("\x15/gam\t")
    await ann.expect("/games")
    ann.press("\x15")
    await ann.sit_down()
    await ann.expect("Your turn: ")
    ann.press("bi\t")
    await ann.expect("bid")
    [bot] = place.host.people["ann"].seats

    assert [*bot.words(place.host.people["ann"])] == ann.client.known.lines("bi")


async def test_screen_reader_is_known_from_the_first_line(sit, door):
    ann = sit(door.port, reader=True)
    await ann.enter()
    await ann.sit_down()
    told = await ann.expect(r"Your turn: .*\n")

    assert not re.search(r"\d[SHDC]\b", told)


async def test_server_can_send_colours_and_nothing_else(sit, opened):
    """Only our own colours reach the terminal: no other escape, no title, no cursor, no terminal query."""
    evil = "\x1b]0;owned\x07\x1b[2J\x1b[5n\x1b[1mbold\x1b[0m\x1b[31mred\x9b6n\x1b[\x1b[1m6nend"

    async def host(_, out):
        out.write(evil.encode() + b"\r\nlast\r\n")
        await out.drain()
        out.close()

    async with await asyncio.start_server(host, "127.0.0.1", 0) as server:
        drawn = await sit(server.sockets[0].getsockname()[1]).expect("last\n")

    assert "\x1b" not in drawn
    assert "\x9b" not in drawn
    assert "boldred" in drawn


async def test_bell_rings(sit, door, place):
    ann = sit(door.port)
    await ann.enter()
    place.host.people["ann"].terminal.ring()
    place.host.people["ann"].terminal.show(Line("ding"))

    assert "\a" in await ann.expect("ding\n")
