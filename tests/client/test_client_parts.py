"""The parts of the client: safe rows, its state, its files, and addresses."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lilygames.client.address import Address
from lilygames.client.client import LONGEST, pauses
from lilygames.client.host_state import Known, Return
from lilygames.client.memory import REMEMBERED, TypedLines, folder
from lilygames.client.rows import LONGEST as LONGEST_ROW
from lilygames.client.rows import Rows, shown
from lilygames.client.screen import in_columns, in_common
from lilygames.edge.terminal.gmcp import PACKAGES
from lilygames.edge.wire.colour import Palette
from lilygames.edge.wire.render import Look, drawn
from lilygames.text import Line, clean

KINDS = ("answer", "notice", "talk", "game", "turn")


# Rows.


@given(st.binary(), st.integers(0, 50))
def test_rows_are_the_same_however_they_are_cut_into_packets(data, cut):
    whole, parts = Rows(), Rows()

    assert whole.feed(data) == parts.feed(data[:cut]) + parts.feed(data[cut:])
    assert whole.partial_row == parts.partial_row


@given(st.text(st.characters(), max_size=80))
def test_only_letters_and_our_colours_are_shown(text):
    row = shown(text)
    for colour in ("0", "1", "2", "7", "31", "33", "36", "1;31"):
        row = row.replace(f"\x1b[{colour}m", "")

    assert "\x1b" not in row
    assert row == clean(row) or "\x1b" in text


@pytest.mark.parametrize("palette", [Palette(256, "2"), Palette(256, "4"), Palette(256, "safe"), Palette(16, "2")])
@pytest.mark.parametrize("kind", KINDS)
def test_every_colour_of_the_server_is_shown(kind, palette):
    words = " -> hi Your turn: 1. [K♥] (9♦) 2♣ Coach: you"
    painted = drawn(Line(words, kind), Look(charset="utf-8", colour=palette)).decode()

    assert ("\x1b" in painted) == (kind != "notice" or palette.depth == 256)

    assert [painted.rstrip("\r\n")] == Rows().feed(painted.encode())


def test_question_repeated_below_news_is_not_a_row():
    rows = Rows()
    rows.feed(b"login: ")
    rows.asked()

    assert ["*** bob is here ***"] == rows.feed(b"\r\n*** bob is here ***\r\nlogin: ")
    assert "login: " == rows.partial_row


def test_row_after_a_secret_ends_once():
    rows = Rows()
    rows.feed(b"password: ")
    rows.answered(secret=True)

    assert ["(welcome)", ""] == rows.feed(b"\r\n(welcome)\r\n\r\n")


def test_endless_row_is_shown_in_parts():
    rows = Rows()
    parts = [*itertools.chain.from_iterable(rows.feed(b"x" * 1000) for _ in range(100)), rows.partial_row]

    assert 100_000 == sum(map(len, parts))
    assert max(map(len, parts)) <= LONGEST_ROW + 1000


# State.


def test_guest_learns_the_return_word_however_narrow_the_screen():
    known = Known()
    known.told(PACKAGES["name"], {"name": "ann", "guest": True})
    for row in ("(if your line drops, come", "  back with: ann", "  plum-37)"):
        known.read(row)
    back = Return(known)

    assert "ann plum-37" == back.answer("login: ")
    assert None is back.answer("login: ")
    assert "" == back.answer("Choose a password to keep it, or press Enter to play as a guest: ")


@pytest.mark.parametrize(
    "row",
    [
        " - (if your line drops, come back with: ann evil-1)",
        "  (if your line drops, come back with: ann evil-1)",
        "(if your line drops, come back with: bob evil-1)",
    ],
)
def test_nobody_else_can_tell_a_guest_that_word(row):
    known = Known()
    known.told("Char.Name", {"name": "ann", "guest": True})
    known.read(row)

    assert "" == known.word


def test_session_is_resumed_by_its_token_and_the_last_event_of_each_table():
    """A server may refuse the token; then the client types the name."""
    known = Known()
    known.told(PACKAGES["name"], {"name": "ann", "guest": False})
    known.told(PACKAGES["resume"], {"token": "abc-1_X", "seconds": 60})
    for seq in (3, 7):
        known.told(PACKAGES["table"], {"table": "tally", "number": 12, "seq": seq})
    back = Return(known)

    assert ["resume abc-1_X 12:7", "ann", None] == [back.answer("login: ") for _ in range(3)]


@pytest.mark.parametrize("token", ["", "a b", "x\r\n/bye", 7])
def test_invalid_token_is_not_typed(token):
    known = Known()
    known.told(PACKAGES["resume"], {"token": token, "seconds": 60})

    assert "" == known.token


def test_client_without_a_login_types_nothing():
    assert None is Return(Known()).answer("login: ")


def test_account_holder_types_the_password():
    known = Known()
    known.told("Char.Name", {"name": "ann", "guest": False})
    back = Return(known)

    assert ("ann", None) == (back.answer("login: "), back.answer("password: "))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda value: st.lists(value) | st.dictionaries(st.sampled_from(["name", "guest", "moves", "x"]), value),
)


@given(st.sampled_from([*PACKAGES.values(), "Core.Goodbye", "Else"]), JSON, st.text(max_size=3))
def test_no_message_breaks_the_client(package, value, begun):
    known = Known()
    known.told(package, value)

    assert all(clean(line) == line for line in known.lines(clean(begun)))


def test_moves_come_before_names_and_a_name_ends_in_a_semicolon():
    known = Known()
    known.told("Lily.Moves", {"table": "tally", "moves": ["bid 0", "bid 1"]})
    known.told("Lily.Moves", {"table": "wizard", "moves": []})
    known.told("Lily.Commands", ["bye", "who"])
    known.told("Comm.Channel.Players", [{"name": "bill", "channels": []}, {"name": "me", "channels": []}])
    known.told("Char.Name", {"name": "me", "guest": False})

    assert ["bid 0", "bid 1", "bill;"] == known.lines("b")
    assert ["/bid 0", "/bid 1", "/bid", "/bye"] == known.lines("/b")
    assert ["/tell bill"] == known.lines("/tell bi")
    assert ["bid 0", "bid 1"] == known.lines("")


def test_common_beginning_keeps_the_case_of_the_first():
    assert "bid " == in_common(["bid 0", "bid 10"])
    assert "Bo" == in_common(["Bob;", "boris;"])


def test_words_stand_in_columns():
    assert ["a    bb", "ccc"] == in_columns(["a", "bb", "ccc"], 11)


# Files.


async def test_input_history_is_kept_between_days_up_to_a_limit(tmp_path):
    file = tmp_path / "typed"
    file.write_text("".join(f"{n}\n" for n in range(2 * REMEMBERED + 1)))
    lines = [*TypedLines(file, lambda: False).load_history_strings()]

    assert (REMEMBERED, str(2 * REMEMBERED)) == (len(lines), lines[0])
    assert REMEMBERED == len(file.read_text().splitlines())


async def test_move_by_mail_is_kept_without_its_password(tmp_path):
    typed = TypedLines(tmp_path / "typed", lambda: False)
    for line in ("wizard move 12 mordo sesame KH", "/wizard move 12 mordo sesame", "hello"):
        typed.append_string(line)

    assert "/at 12 KH\nhello\n" == (tmp_path / "typed").read_text()
    assert ["/at 12 KH", "hello"] == typed.get_strings()


def test_move_by_mail_is_not_completed():
    assert [] == Known().lines("wizard move 12 mordo ses")


def test_files_are_in_the_users_state_folder(monkeypatch, tmp_path):
    """The XDG base directories have a folder for state."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    here = folder()
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setenv("HOME", "/home/ann")

    assert (tmp_path / "lilygames", "/home/ann/.local/state/lilygames") == (here, str(folder()))


# Addresses.


@pytest.mark.parametrize(
    ("text", "tls", "host", "port"),
    [
        ("games.example", False, "games.example", 7777),
        ("games.example", True, "games.example", 7778),
        ("127.0.0.1:4000", False, "127.0.0.1", 4000),
        ("[::1]:4000", True, "::1", 4000),
        ("[::1]", False, "::1", 7777),
    ],
)
def test_address_is_a_host_and_optionally_a_port(text, tls, host, port):
    address = Address.read(text, tls=tls)

    assert (host, port) == (address.host, address.port)
    assert address == Address.read(address.words, tls=tls)


@pytest.mark.parametrize("text", ["", ":7777", "::1:7777", "a:0", "a:65536", "a:b", "a b", "../etc", "[::1"])
def test_invalid_address_is_refused(text):
    with pytest.raises(ValueError, match="isn't an address"):
        Address.read(text)


def test_pauses_grow_up_to_a_limit():
    waits = [*itertools.islice(pauses(), 20)]

    assert all(0 < wait <= LONGEST for wait in waits)
    assert waits[0] <= 1 < waits[9]
