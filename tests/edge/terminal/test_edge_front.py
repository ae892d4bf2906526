"""Screens are chosen from what a client tells, when it tells it, and the person's settings."""

import asyncio
import itertools

import pytest
from structlog.testing import capture_logs

from lilygames.chat.people.terminal import Gone
from lilygames.edge.screens.editor import EditorScreen
from lilygames.edge.screens.line import LineScreen
from lilygames.edge.terminal.terminal import AT_A_TIME, CLASSIFIED
from lilygames.edge.wire.capabilities import Peer
from lilygames.edge.wire.limits import AT_ONCE, KEPT_AT_ONCE, LineRate
from lilygames.limits.quota import COMPLETIONS
from lilygames.text import Line, Prompt, Voice
from tests.sitting import Sitting

XTERM = Peer(negotiates=True, names=("XTERM",), columns=80, records=False, settled=True)
KEYED = Peer(negotiates=True, names=("XTERM",), columns=80, records=False, settled=True, keys=True)
REFUSED = Peer(negotiates=True, names=("XTERM",), columns=80, records=False, settled=True, keys=False)
TINTIN = Peer(negotiates=True, names=("TINTIN++", "XTERM", "MTTS 271"), records=True, settled=True)


@pytest.fixture
async def at_editor(terminal_of):
    """A terminal in the editor, and its wire."""
    terminal, wire = terminal_of()
    terminal.learned(XTERM)
    terminal.learned(KEYED)
    wire.sent = b""
    return terminal, wire


@pytest.mark.parametrize(
    ("client", "names"),
    [
        ("netcat", ()),
        ("tintin++", ("TINTIN++", "XTERM-256COLOR", "MTTS 271")),
        ("a MUD client that calls itself a terminal", ("XTERM", "XTERM-256COLOR", "MTTS 271")),
        ("TinyFugue", ("TINYFUGUE", "ANSI-ATTR", "ANSI", "UNKNOWN")),
        ("Mudlet", ("MUDLET", "XTERM")),
        ("something unknown", ("FLOORWAX",)),
        ("an editor's shell window", ("DUMB",)),
    ],
)
async def test_client_that_edits_lines_or_is_unknown_keeps_its_own_editor(terminal_of, client, names):
    """TinyFugue, if promised an echo, hides typed text."""
    terminal, wire = terminal_of()
    terminal.learned(Peer(negotiates=bool(names), names=names, settled=True))

    assert [] == wire.keyed


@pytest.mark.parametrize("name", ["XTERM-256COLOR", "VT100", "LINUX", "SCREEN", "TMUX-256COLOR", "ANSI", "SYNCTERM"])
async def test_terminal_is_offered_the_editor(terminal_of, name):
    terminal, wire = terminal_of()
    terminal.learned(Peer(negotiates=True, names=(name,), settled=True))

    assert [True] == wire.keyed


async def test_terminal_is_recognized_once_it_has_told_all_its_names(terminal_of):
    """The third name of a MUD client says that it is one."""
    terminal, wire = terminal_of()
    terminal.learned(Peer(negotiates=True, names=("XTERM",)))

    assert [] == wire.keyed


async def test_editor_starts_when_the_client_has_agreed(terminal_of):
    terminal, wire = terminal_of()
    terminal.ask(Prompt("login: "))
    terminal.learned(XTERM)
    assert isinstance(terminal._screen, LineScreen)
    terminal.learned(KEYED)

    assert isinstance(terminal._screen, EditorScreen)
    assert wire.sent.endswith(b"\r\x1b[Jlogin: ")


async def test_client_that_refuses_keeps_the_line_screen(terminal_of):
    terminal, wire = terminal_of()
    terminal.learned(XTERM)
    terminal.learned(REFUSED)
    terminal.learned(REFUSED)

    assert [True, False] == wire.keyed
    assert isinstance(terminal._screen, LineScreen)


async def test_late_answer_changes_nothing_before_the_line_has_ended(terminal_of, monkeypatch):
    """A person far away may have begun to type."""
    monkeypatch.setattr("lilygames.edge.terminal.terminal.CLASSIFIED", 0)
    terminal, wire = terminal_of()
    terminal.ask(Prompt("login: "))
    terminal.learned(XTERM)
    assert [] == wire.keyed
    terminal.feed(b"bob\r\n")
    assert "bob" == await terminal.read()
    terminal.gone()
    with pytest.raises(Gone):
        await terminal.read()

    assert [True] == wire.keyed


async def test_nothing_changes_once_something_was_typed(terminal_of):
    terminal, wire = terminal_of()
    terminal.feed(b"bo")
    terminal.learned(XTERM)

    assert 0 < CLASSIFIED
    assert [] == wire.keyed


async def test_reader_typed_at_login_is_not_given_a_redrawn_row(terminal_of):
    """A screen reader would read it again with every line."""
    terminal, wire = terminal_of()
    terminal.learned(XTERM)
    terminal.learned(KEYED)
    terminal.set_voice(Voice(spoken=True))

    assert [True, False] == wire.keyed
    assert isinstance(terminal._screen, LineScreen)


async def test_client_that_goes_back_to_lines_gets_lines(at_editor):
    """This happens if a person types `mode line` at telnet's own prompt."""
    terminal, _ = at_editor
    terminal.learned(REFUSED)

    assert isinstance(terminal._screen, LineScreen)


# Settings of the person.


async def test_editor_can_be_turned_on_for_an_unknown_client(terminal_of):
    terminal, wire = terminal_of()
    terminal.learned(TINTIN)
    terminal.prefer({"editor": "on"})

    assert [True] == wire.keyed


async def test_editor_can_be_turned_off(at_editor):
    terminal, wire = at_editor
    terminal.prefer({"editor": "off"})
    terminal.show(Line("hi"))

    assert [True, False] == wire.keyed
    assert wire.sent.endswith(b"\x1b[?2004lhi\r\n")


async def test_editor_comes_back_when_turned_on_again(at_editor):
    terminal, _ = at_editor
    terminal.prefer({"editor": "off"})
    terminal.prefer({})
    assert isinstance(terminal._screen, LineScreen)
    terminal.learned(KEYED)

    assert isinstance(terminal._screen, EditorScreen)


async def test_netcat_cannot_have_the_editor(terminal_of):
    terminal, wire = terminal_of()
    terminal.prefer({"editor": "on"})

    assert [] == wire.keyed


async def test_width_setting_overrides_the_window(terminal_of):
    terminal, wire = terminal_of()
    terminal.prefer({"width": "30"})
    terminal.learned(TINTIN)
    terminal.show(Line("word " * 20))

    assert max(map(len, wire.sent.split(b"\r\n"))) <= 30


@pytest.mark.parametrize(("wish", "shown"), [("on", b"Zoe\r\n"), ("off", "Zoë\r\n".encode())])
async def test_letters_are_plain_or_not_as_set(terminal_of, wish, shown):
    terminal, wire = terminal_of()
    terminal.prefer({"ascii": wish})
    terminal.show(Line("Zoë"))

    assert shown == wire.sent


@pytest.mark.parametrize(
    ("colour", "at_terminal", "at_unknown"),
    [("auto", True, False), ("on", True, True), ("off", False, False)],
)
async def test_colour_is_shown_if_the_terminal_supports_it_or_the_person_asks(
    at_editor, terminal_of, colour, at_terminal, at_unknown
):
    line = Line("You bid 0.", "game")
    known, unknown = at_editor, terminal_of()
    for terminal, _ in (known, unknown):
        terminal.prefer({"colour": colour})
        terminal.show(line)

    assert [at_terminal, at_unknown] == [
        wire.sent.endswith(b"\x1b[1mYou\x1b[0m bid 0.\r\n") for _, wire in (known, unknown)
    ]


async def test_colour_is_left_out_for_listeners(at_editor):
    terminal, wire = at_editor
    terminal.prefer({"reader": "on"})
    terminal.show(Line("You bid 0.", "game"))

    assert wire.sent.endswith(b"You bid 0.\r\n")


async def test_reader_setting_turns_on_spoken_lines(terminal_of):
    terminal, _ = terminal_of()
    terminal.prefer({"reader": "on"})

    assert terminal.voice.spoken


async def test_client_with_a_screen_reader_can_turn_spoken_lines_off(terminal_of):
    terminal, _ = terminal_of()
    terminal.prefer({"reader": "off"})
    terminal.learned(Peer(negotiates=True, names=("TINTIN++", "XTERM", "MTTS 335"), settled=True))

    assert not terminal.voice.spoken


async def test_completion_that_fails_completes_nothing(at_editor):
    """The line stays, and the error is in the sysop's log."""
    terminal, wire = at_editor
    terminal.attach(Sitting(complete=lambda _: 1 / 0))
    with capture_logs() as logs:
        terminal.feed(b"hi")
        terminal.feed(b"\t")

    assert b"hi\a" == wire.sent
    assert ["completion failed"] == [entry["event"] for entry in logs]


async def test_flood_of_tabs_asks_the_host_a_few_times(at_editor):
    """Two in one packet show the possibilities; thousands do no more."""
    asked = []
    terminal, wire = at_editor
    terminal.attach(Sitting(complete=lambda text: asked.append(text) or ["/bid 0", "/bid 1"]))
    terminal.feed(b"/bid " + b"\t" * 2000)

    assert 2 <= len(asked) <= 2 * COMPLETIONS.limits[0].most  # the flood may lie in two seconds
    assert b"/bid 0  /bid 1\r\n" in wire.sent


async def test_keys_typed_ahead_beyond_a_line_are_left_on_the_wire(at_editor):
    terminal, wire = at_editor
    terminal.feed(b"/who\r" + b"x" * 5000)
    assert terminal.is_full()
    await terminal.read()
    terminal.gone()
    with pytest.raises(Gone):
        await terminal.read()

    assert not terminal.is_full()
    assert 2 == wire.mores


async def test_text_typed_before_the_end_is_read_first(at_editor):
    terminal, _ = at_editor
    terminal.feed(b"one\rtwo\rthr")
    terminal.gone()

    assert ["one", "two"] == [await terminal.read(), await terminal.read()]
    with pytest.raises(Gone):
        await terminal.read()


# Lines delivered at once.


@pytest.fixture
async def listened(terminal_of):
    """A terminal whose reader takes talk at once, and the lines it took: all that don't begin with a slash."""
    terminal, _ = terminal_of()
    heard = []
    reading = asyncio.create_task(terminal.read(lambda line: not line.startswith("/") and not heard.append(line)))
    await asyncio.sleep(0)
    yield terminal, heard
    reading.cancel()


async def test_talk_is_heard_as_soon_as_it_arrives(listened):
    terminal, heard = listened
    terminal.feed(b"one\r\ntwo\r\n")

    assert ["one", "two"] == heard
    assert () == terminal.carry().lines


async def test_lines_after_one_that_waits_its_turn_wait_too(listened):
    terminal, heard = listened
    terminal.feed(b"one\r\n/who\r\ntwo\r\n")
    terminal.feed(b"three\r\n")

    assert ["one"] == heard
    assert ("/who", "two", "three") == terminal.carry().lines


async def test_nothing_is_delivered_at_once_while_nobody_reads(listened):
    terminal, heard = listened
    terminal.feed(b"/password\r\n")
    await asyncio.sleep(0)
    terminal.ask(Prompt("old password: ", secret=True))
    terminal.feed(b"sesame\r\n")

    assert [] == heard
    assert "sesame" == await terminal.read()


async def test_line_that_must_wait_is_read_before_later_ones(listened):
    terminal, heard = listened
    terminal.feed(b"/who\r\ntwo\r\n")
    await asyncio.sleep(0)

    assert [] == heard
    assert "two" == await terminal.read()


async def test_lines_handed_to_another_process_are_not_read_here(listened):
    terminal, heard = listened
    terminal.feed(b"/who\r\ntwo\r\n")
    await asyncio.sleep(0)

    assert ("two",) == terminal.carry().lines
    assert () == terminal.carry().lines
    assert [] == heard


async def test_lines_over_the_limit_are_left_to_be_read_slowly(listened):
    terminal, heard = listened
    terminal._lines._now, terminal._lines._pace = lambda: 0.0, LineRate(1)  # no time passes
    terminal.feed(b"one\r\n" * AT_ONCE)
    terminal.feed(b"two\r\n")  # this one exceeds the allowance
    terminal.feed(b"three\r\n")

    assert [*["one"] * AT_ONCE, "two"] == heard
    assert ("three",) == terminal.carry().lines


def still(terminal, lines_per_second):
    """Let no time pass for a terminal, and limit its lines."""
    terminal._lines._now, terminal._lines._pace = lambda: 0.0, LineRate(lines_per_second)


async def test_lines_that_wait_for_a_yes_are_all_read_at_once(terminal_of):
    terminal, _ = terminal_of()
    still(terminal, 1)
    reading = asyncio.create_task(terminal.read(lambda _: not terminal.give_back()))
    await asyncio.sleep(0)
    for number in range(300):
        terminal.feed(f"line {number}\r\n".encode())
    reading.cancel()

    assert () == terminal.carry().lines


async def test_no_more_than_a_thousand_lines_cost_nothing(terminal_of):
    terminal, _ = terminal_of()
    still(terminal, 1)
    reading = asyncio.create_task(terminal.read(lambda _: not terminal.give_back()))
    await asyncio.sleep(0)
    for number in range(1100):
        terminal.feed(f"line {number}\r\n".encode())
    reading.cancel()

    heard = KEPT_AT_ONCE + AT_ONCE + 1  # the last one goes into debt
    assert f"line {heard}" == terminal.carry().lines[0]


async def test_large_paste_does_not_keep_others_waiting(listened):
    """Here each line takes longer than the time allowed for all of them."""
    terminal, heard = listened
    clock = itertools.count(0, 2 * AT_A_TIME)
    terminal._lines._now, terminal._lines._pace = lambda: next(clock), LineRate(1e9)
    terminal.feed(b"one\r\ntwo\r\nthree\r\n")

    assert ["one"] == heard
    assert ("two", "three") == terminal.carry().lines


async def test_up_arrow_recalls_a_line_that_was_delivered_at_once(at_editor):
    terminal, _ = at_editor
    reading = asyncio.create_task(terminal.read(bool))
    await asyncio.sleep(0)
    terminal.feed(b"one\r")
    terminal.feed(b"two\r")
    reading.cancel()

    assert ("one", "two") == terminal.carry().before


@pytest.mark.parametrize("name", ["XTERM-256COLOR", "KITTY", "PUTTY", "TMUX-256COLOR"])
async def test_title_of_a_window_is_changed_and_restored(terminal_of, name):
    terminal, wire = terminal_of()
    terminal.learned(Peer(negotiates=True, names=(name,), settled=True))
    terminal.entitle("Your turn: ohell")
    terminal.entitle("Your turn: ohell")
    terminal.entitle("")
    terminal.entitle("")

    changed = b"\x1b]2;Your turn: ohell\x1b\\"
    restored = b"\x1b]2;lilygames\x1b\\\x1b[23;2t"
    assert b"\x1b[22;2t" + changed + changed + restored == wire.sent


@pytest.mark.parametrize("names", [(), ("VT100",), ("LINUX",), ("MUDLET", "XTERM"), ("XTERM", "XTERM", "MTTS 271")])
async def test_client_without_a_window_of_its_own_gets_no_title(terminal_of, names):
    """Some of them would show the sequence as text."""
    terminal, wire = terminal_of()
    terminal.learned(Peer(negotiates=True, names=names, settled=True))
    terminal.entitle("Your turn: ohell")
    terminal.entitle("")

    assert b"" == wire.sent
