import pytest

from lilygames.edge.capabilities import Peer
from lilygames.edge.render import Look


@pytest.mark.parametrize(
    ("client", "names", "charset"),
    [
        ("netcat", (), "ascii"),
        ("inetutils telnet", ("XTERM-256COLOR",), "utf-8"),
        ("PuTTY", ("XTERM",), "utf-8"),
        ("tintin++", ("TINTIN++", "XTERM-256COLOR", "MTTS 271"), "utf-8"),
        ("TinyFugue", ("TINYFUGUE", "ANSI-ATTR", "ANSI", "UNKNOWN"), "ascii"),
        ("SyncTERM", ("SYNCTERM",), "cp437"),
        ("Windows telnet", ("ANSI", "VT100"), "ascii"),
        ("a MUD client without UTF-8", ("MUDDY", "VT100", "MTTS 1"), "ascii"),
    ],
)
def test_each_known_client_is_shown_letters_that_it_can_show(client, names, charset):
    """As measured with the clients themselves; TinyFugue as shipped destroys 8-bit letters."""
    assert Peer(negotiates=bool(names), names=names).look == Look(78, charset)


def test_negotiated_charset_wins():
    assert Peer(negotiates=True, names=("TINYFUGUE",), charset="utf-8").look.charset == "utf-8"


def test_lines_leave_the_right_margin_free():
    assert Peer(columns=40).look.width == 38


@pytest.mark.parametrize(("bits", "spoken"), [("MTTS 271", False), ("MTTS 335", True), ("MTTS x", False)])
def test_screen_reader_bit_is_64(bits, spoken):
    """The MUD Terminal Type Standard; tintin++ -s sends 335 = 271 + 64."""
    assert Peer(names=("TINTIN++", "XTERM", bits)).screen_reader is spoken
