import attrs
import pytest

from lilygames.edge.terminal.terminal import TelnetTerminal
from lilygames.edge.wire.capabilities import Peer
from lilygames.edge.wire.render import Look
from tests.edge.conftest import FakeWire


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


GUESSED = Peer(negotiates=True, names=("XTERM-256COLOR",), settled=True)


@pytest.mark.parametrize(
    ("peer", "guessed"),
    [
        (GUESSED, True),
        (attrs.evolve(GUESSED, charset="utf-8"), False),
        (attrs.evolve(GUESSED, names=("TINTIN++", "XTERM", "MTTS 271")), False),
        (attrs.evolve(GUESSED, names=("ANSI",)), False),
        (Peer(), False),
    ],
)
async def test_suits_are_guessed_for_a_terminal_that_reports_only_its_type(peer, guessed):
    wire = FakeWire(peer)
    terminal = TelnetTerminal(wire)
    terminal.learned(peer)

    assert guessed is terminal.suits_guessed


@pytest.mark.parametrize("own", [{"suits": "off"}, {"ascii": "on"}, {"reader": "on"}, {"machine": "on"}])
async def test_suits_arent_guessed_with_a_setting_for_readers_or_programs(own):
    terminal = TelnetTerminal(FakeWire(GUESSED))
    terminal.prefer(own)

    assert not terminal.suits_guessed
