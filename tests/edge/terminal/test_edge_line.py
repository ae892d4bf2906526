import asyncio

import attrs
import pytest

from lilygames.chat.people.terminal import Gone
from lilygames.edge.terminal.terminal import INBOX
from lilygames.edge.wire.capabilities import Peer
from lilygames.text import Line, Prompt, Voice

TALKS = Peer(negotiates=True, names=("XTERM",), records=False)
ENDS_RECORDS = Peer(negotiates=True, names=("TINTIN++",), records=True)


async def test_lines_are_read_in_the_order_typed(terminal_of):
    terminal, _ = terminal_of()
    terminal.feed(b"bob\r\n/who\r\n")

    assert [await terminal.read(), await terminal.read()] == ["bob", "/who"]


async def test_reader_waits_for_the_line_end(terminal_of):
    terminal, _ = terminal_of()
    reading = asyncio.ensure_future(terminal.read())
    terminal.feed(b"bo")
    await asyncio.sleep(0)
    terminal.feed(b"b\r\n")

    assert await reading == "bob"


async def test_lines_typed_before_the_end_are_read_first(terminal_of):
    """This is what happens when netcat has sent the last of a file."""
    terminal, _ = terminal_of()
    terminal.feed(b"bob\n/wh")
    terminal.gone()

    assert await terminal.read() == "bob"
    with pytest.raises(Gone):
        await terminal.read()


async def test_lines_typed_after_a_disconnect_are_dropped(terminal_of):
    terminal, wire = terminal_of()
    terminal.feed(b"one\ntwo\n")
    terminal.close()

    assert wire.hung_up
    with pytest.raises(Gone):
        await terminal.read()


async def test_input_over_the_limit_is_left_on_the_wire(terminal_of):
    terminal, wire = terminal_of()
    terminal.feed(b"x\n" * INBOX)

    assert terminal.is_full()
    for _ in range(INBOX):
        await terminal.read()
    assert (terminal.is_full(), wire.mores) == (False, 1)


async def test_line_too_long_is_answered_by_one_sentence(terminal_of):
    terminal, wire = terminal_of()
    terminal.feed(b"x" * 5000 + b"\r\n/who\r\n")

    assert wire.sent == (b"(Your line was longer than 4096 bytes, so it was ignored. Send it in parts.)\r\n")
    assert await terminal.read() == "/who"


async def test_question_to_a_silent_peer_is_bare_text(terminal_of):
    """Netcat prints every telnet byte as garbage."""
    terminal, wire = terminal_of()
    terminal.ask(Prompt("login: "))

    assert wire.sent == b"login: "


@pytest.mark.parametrize(("peer", "mark"), [(TALKS, b"\xff\xf9"), (ENDS_RECORDS, b"\xff\xef")])
async def test_question_to_a_telnet_client_ends_in_go_ahead_or_end_of_record(terminal_of, peer, mark):
    """RFC 854 and 885; TinyFugue shows no prompt without either."""
    terminal, wire = terminal_of(peer)
    terminal.ask(Prompt("login: "))

    assert wire.sent == b"login: " + mark


@pytest.mark.parametrize(("peer", "mark"), [(TALKS, b"\xff\xf9"), (ENDS_RECORDS, b"\xff\xef")])
async def test_question_asked_before_the_client_answered_is_ended_once_it_has(terminal_of, peer, mark):
    """Otherwise TinyFugue takes it for half a line, and says so."""
    terminal, wire = terminal_of()
    terminal.ask(Prompt("login: "))
    for told in (Peer(negotiates=True), peer, attrs.evolve(peer, columns=90)):
        terminal.learned(told)

    assert wire.sent == b"login: " + mark


async def test_answer_to_a_secret_question_is_hidden_and_then_shown_again(terminal_of):
    """RFC 857: a client that was promised an echo does not echo by itself."""
    terminal, wire = terminal_of(TALKS)
    terminal.ask(Prompt("password: ", secret=True))
    assert wire.concealed == [True]
    terminal.feed(b"plum-37\r\n")
    await terminal.read()

    assert wire.concealed == [True, False]
    assert wire.sent == b"password: \xff\xf9\r\n"


async def test_silent_peer_is_warned_that_its_typing_shows(terminal_of):
    terminal, wire = terminal_of()
    terminal.ask(Prompt("password: ", secret=True))

    assert (wire.concealed, wire.sent) == ([], b"password: (your screen will show what you type) ")


async def test_waiting_question_is_repeated_below_new_lines(terminal_of):
    terminal, wire = terminal_of()
    terminal.ask(Prompt("login: "))
    terminal.show(Line("(one minute left)"))

    assert wire.sent == b"login: \r\n(one minute left)\r\nlogin: "


async def test_answered_question_is_not_repeated(terminal_of):
    terminal, wire = terminal_of()
    terminal.ask(Prompt("login: "))
    terminal.feed(b"bob\n")
    await terminal.read()
    terminal.show(Line("hi bob"))

    assert wire.sent == b"login: hi bob\r\n"


async def test_each_line_goes_out_with_its_kind(terminal_of):
    terminal, wire = terminal_of()
    terminal.show(Line("hi", kind="talk"), Line("Your turn: bid 0 or 1.", kind="turn"))

    assert wire.kinds == ["talk", "turn"]


async def test_lines_follow_the_width_as_it_changes(terminal_of):
    terminal, wire = terminal_of(TALKS)
    line = Line("word " * 20)
    terminal.learned(Peer(negotiates=True, names=("XTERM",), columns=40))
    terminal.show(line)

    assert max(map(len, wire.sent.split(b"\r\n"))) <= 38


async def test_silent_peer_reads_ascii_until_it_types_utf8(terminal_of):
    terminal, wire = terminal_of()
    terminal.show(Line("Zoë"))
    terminal.feed("Zoë\n".encode())
    terminal.show(Line("Zoë"))

    assert wire.sent == b"Zoe\r\n" + "Zoë\r\n".encode()


async def test_bytes_that_are_not_utf8_do_not_switch_a_peer_to_it(terminal_of):
    terminal, wire = terminal_of()
    terminal.feed(b"Zo\xeb\n")
    terminal.show(Line("Zoë"))

    assert wire.sent == b"Zoe\r\n"


async def test_screen_reader_gets_spoken_lines(terminal_of):
    """Bit 64 of the MUD Terminal Type Standard."""
    terminal, _ = terminal_of()
    terminal.learned(Peer(negotiates=True, names=("TINTIN++", "XTERM", "MTTS 335")))

    assert terminal.voice.spoken


async def test_chosen_reader_mode_stays_when_the_window_changes(terminal_of):
    terminal, _ = terminal_of()
    told = Peer(negotiates=True, names=("TINTIN++", "XTERM", "MTTS 335"))
    terminal.learned(told)
    terminal.set_voice(Voice(spoken=False))
    terminal.learned(attrs.evolve(told, columns=40))

    assert not terminal.voice.spoken


async def test_skipped_talk_is_told_in_one_line(terminal_of):
    terminal, wire = terminal_of()
    terminal.skipped(12)

    assert wire.sent == b"(12 lines of talk skipped, because your connection is too slow)\r\n"
