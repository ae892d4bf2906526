"""The line editor on a visible terminal: pyte interprets the output as xterm would."""

import re
import unicodedata

import attrs
import pyte
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lilygames.edge.screens.editor import EditorScreen
from lilygames.edge.wire.capabilities import Peer
from lilygames.edge.wire.colour import Palette
from lilygames.edge.wire.limits import Limits
from lilygames.edge.wire.render import Look
from lilygames.text import Line, Prompt, wrap
from tests.toys import installed

UTF8 = Look(38, "utf-8")


class Tube:
    """A wire that ends in a screen of 40 columns."""

    address = "127.0.0.1"
    limits = Limits()

    def __init__(self, columns=40, charset="utf-8"):
        self.peer = Peer(negotiates=True, names=("XTERM",), columns=columns, settled=True, keys=True)
        self.screen = pyte.Screen(columns, 120)
        self.stream = pyte.Stream(self.screen)
        self.charset = charset
        self.sent = self.away = self.again = b""

    def send(self, data, kind):
        self.sent += data
        self.stream.feed(data.decode(self.charset))

    def send_rows(self, rows, kind):
        self.send(self.away + rows + self.again if self.again else rows, kind)

    def set_last_row(self, away, again):
        self.away, self.again = away, again

    def conceal(self, typing):
        raise AssertionError("the editor shows only what is to be seen")

    def take(self):
        sent, self.sent = self.sent, b""
        return sent


class Terminal:
    """A person at an editor, who types, looks, and submits lines."""

    def __init__(self, question=None, completer=lambda _: (), columns=40, look=UTF8):
        self.tube = Tube(columns, look.charset)
        self.editor = EditorScreen(self.tube, look, question, completer)
        self.lines = []

    def type(self, text):
        self.lines += self.editor.feed(text.encode() if isinstance(text, str) else text)

    def read(self):
        """Let the chat host read the typed lines, and wait for more."""
        read, self.lines = self.lines, []
        for line in read:
            self.editor.answered(line)
        self.lines += self.editor.more()
        return read

    def say(self, text, kind="talk"):
        self.editor.show(Line(text, kind))

    def resize(self, columns):
        self.tube.screen.resize(120, columns)
        self.tube.peer = attrs.evolve(self.tube.peer, columns=columns)
        self.editor.learned(self.tube.peer, attrs.evolve(self.editor.look, width=columns - 2))

    @property
    def rows(self):
        """The rows above the row being typed, and that row."""
        return ["".join(self._cells(y)).rstrip() for y in range(self.tube.screen.cursor.y + 1)]

    @property
    def row(self):
        """The row being typed, with the cursor as a bar."""
        cells, x = self._cells(self.tube.screen.cursor.y), self.tube.screen.cursor.x
        return "".join([*cells[:x], "|", *cells[x:]]).rstrip()

    def _cells(self, y):
        """Return the contents of each column of a row; the second column of a wide letter is empty."""
        return [self.tube.screen.buffer[y][x].data for x in range(self.tube.screen.columns)]


@pytest.fixture
def terminal():
    return Terminal()


def test_typed_text_appears_once(terminal):
    terminal.type("hello")

    assert "hello|" == terminal.row


def test_letter_at_the_end_costs_one_byte(terminal):
    terminal.type("hell")
    terminal.tube.take()
    terminal.type("o")

    assert b"o" == terminal.tube.take()


def test_talk_of_others_appears_above_the_line_being_typed(terminal):
    terminal.type("half ty")
    terminal.say(" - anyone for tally?")
    terminal.type("ped")

    assert [" - anyone for tally?", "half typed"] == terminal.rows


def test_only_the_line_is_sent_while_nothing_is_typed(terminal):
    """Most talk costs no more than for other clients."""
    terminal.tube.take()
    terminal.say("hi")

    assert b"hi\r\n" == terminal.tube.take()


def test_submitted_line_stays_where_it_stood(terminal):
    terminal.type("hello\r\0")
    terminal.say("(message sent to lobby)")

    assert ["hello"] == terminal.read()
    assert ["hello", "(message sent to lobby)", ""] == terminal.rows


def test_keys_after_enter_wait_for_the_answer(terminal):
    """As in a shell, the answer comes between the two lines, and not into the second."""
    terminal.type("/who\r/roo")
    terminal.say("(you alone are here)")
    assert ["/who", "(you alone are here)", ""] == terminal.rows
    terminal.read()

    assert ["/who", "(you alone are here)", "/roo"] == terminal.rows


def test_question_begins_its_row():
    terminal = Terminal(Prompt("login: "))
    terminal.type("bo")
    terminal.say("(one minute left)")
    terminal.type("b")

    assert ["(one minute left)", "login: bob"] == terminal.rows


def test_long_question_has_its_end_on_the_row():
    terminal = Terminal()
    terminal.editor.ask(Prompt("Choose a password to keep it, or press Enter to play as a guest: "))
    terminal.say("*** bob has entered lily ***", "notice")

    assert terminal.rows[0].startswith("Choose a password")
    assert "  Enter to play as a guest: |" == terminal.row


def test_secret_is_not_shown_and_not_remembered():
    terminal = Terminal(Prompt("password: ", secret=True))
    terminal.type("plum")
    terminal.say("(one minute left)")
    terminal.type("-37\r")

    assert ["plum-37"] == terminal.read()
    terminal.type("\x1b[A")
    assert ["(one minute left)", "password:", ""] == terminal.rows
    assert b"plum" not in terminal.tube.sent


def test_secret_typed_ahead_is_not_shown_either():
    terminal = Terminal(Prompt("login: "))
    terminal.type("bob\rplum-37\r")
    terminal.lines.clear()
    terminal.editor.answered("bob")
    terminal.editor.ask(Prompt("password: ", secret=True))

    assert ["plum-37"] == terminal.editor.more()
    assert b"plum" not in terminal.tube.sent


@pytest.mark.parametrize("character_mode", [True, False])
def test_password_of_a_move_by_mail_is_not_shown_and_not_remembered(character_mode):
    """`wizard move 12 ID PASSWORD KH` is typed or pasted, with or without a slash; up arrow recalls valid lines."""
    installed("wizard")
    terminal = Terminal(columns=30)
    line = "wizard move 12 mordo sesame KH"
    for keys in line if character_mode else [f"\x1b[200~{line}\x1b[201~"]:
        terminal.type(keys)
    terminal.say("*** bob has entered lily ***", "notice")
    terminal.type("\r")

    assert [line] == terminal.read()
    assert not [word for word in (b"mordo", b"sesame") if word in terminal.tube.sent]
    terminal.type("\x1b[A")
    assert "/at 12 KH|" == terminal.row
    assert ("/at 12 KH",) == tuple(terminal.editor.history)


def test_up_arrow_recalls_the_line_before(terminal):
    terminal.type("/bid 1\r")
    terminal.read()
    terminal.type("\x1b[A")

    assert "/bid 1|" == terminal.row


def test_ctrl_c_clears_the_line(terminal):
    terminal.type("half typed\x03")

    assert "|" == terminal.row


def test_ctrl_d_on_an_empty_line_asks_for_bye(terminal):
    terminal.type("\x04")

    assert ["/bye"] == terminal.read()


def test_ctrl_d_on_a_line_deletes_a_letter(terminal):
    terminal.type("abc\x1b[D\x04")

    assert ("ab|", []) == (terminal.row, terminal.lines)


def test_ctrl_d_at_a_secret_isnt_a_password():
    terminal = Terminal(Prompt("password: ", secret=True))
    terminal.type("\x04")

    assert [] == terminal.lines


def test_long_line_scrolls_sideways_and_is_whole_when_submitted(terminal):
    terminal.type("a" * 30 + "b" * 30)
    assert terminal.row.endswith("b|")
    assert len(terminal.row) <= 40
    terminal.type("\x01")
    assert terminal.row.startswith("|aaa")
    terminal.type("\r")

    assert "a" * 30 + "b" * 30 == "".join(terminal.rows)


def test_wide_letters_count_as_two_columns(terminal):
    terminal.type("漢字x\x1b[D\x1b[D")

    assert 2 == terminal.tube.screen.cursor.x


def test_screen_without_accents_shows_plain_letters():
    """Each takes the columns of its replacement."""
    terminal = Terminal(look=Look(38, "ascii"))
    terminal.type("né…x\x1b[D")

    assert "ne...|x" == terminal.row
    terminal.type("\r")
    assert ["né…x"] == terminal.read()


def test_paste_of_several_lines_is_shown_before_it_is_sent(terminal):
    terminal.type("\x1b[200~/bid 1\r\n/who\x1b[201~")
    assert "/bid 1↵/who|" == terminal.row
    terminal.type("\r")

    assert ["/bid 1", "/who"] == terminal.read()


def test_paste_that_does_not_fit_is_refused_whole(terminal):
    terminal.type("ab")
    terminal.type("\x1b[200~" + "x" * 4096 + "\x1b[201~")

    assert "(Your text is too long: a line can" in terminal.rows[0]
    assert "ab|" == terminal.row


def test_pasted_escapes_have_no_effect(terminal):
    """User text is data."""
    terminal.type("\x1b[200~a\x1b[2Jb\u202ec\x1b[201~")

    assert "abc|" == terminal.row


def test_row_is_whole_after_the_window_has_changed(terminal):
    terminal.say("hi")
    terminal.type("I was typing quite some words here")
    terminal.resize(24)
    assert terminal.row.endswith("words here|")
    assert len(terminal.row) <= 24
    terminal.resize(90)

    assert "I was typing quite some words here|" == terminal.row


def test_prompt_for_a_move_stands_out():
    terminal = Terminal(look=Look(38, "utf-8", Palette()))
    terminal.say("Your turn: bid 0 or 1.", "turn")

    assert b"\x1b[1mYour turn:\x1b[0m bid 0 or 1.\r\n" in terminal.tube.sent


def test_screen_is_restored_at_the_end(terminal):
    terminal.editor.close()

    assert terminal.tube.sent.startswith(b"\x1b[?2004h")
    assert terminal.tube.sent.endswith(b"\x1b[?2004l")


# Completion.


@pytest.fixture
def completing():
    """A terminal with some known completions."""
    known = ["/bid 0", "/bid 1", "/bye", "bob;"]
    return Terminal(completer=lambda text: [line for line in known if line.startswith(text)])


def test_tab_adds_the_common_part(completing):
    completing.type("/bi\t")
    assert "/bid |" == completing.row
    completing.type("1\t")

    assert "/bid 1 |" == completing.row


def test_second_tab_shows_the_possibilities(completing):
    completing.type("/b\t")
    assert ["/b"] == completing.rows
    completing.type("\t")

    assert ["  /bid 0  /bid 1  /bye", "/b"] == completing.rows


def test_tab_completes_the_text_before_the_cursor(completing):
    completing.type("bhello\x01\x1b[C\t")

    assert "bob;|hello" == completing.row


def test_missing_completion_rings(completing):
    completing.type("zzz")
    completing.type("\t")

    assert completing.tube.sent.endswith(b"\a")


# Invariants.

SAFE = st.text(alphabet="abc xyz/;'漢é.", min_size=1, max_size=60)
PRESSES = st.sampled_from(
    "\x01|\x05|\x7f|\x1b[D|\x1b[C|\x17|\x0b|\x15|\x19|\x14|\x1bb|\x1bf|\x1b[A|\x1b[B|\t".split("|")  # most of them
)
DONE = st.one_of(
    st.tuples(st.just("type"), SAFE),
    st.tuples(st.just("type"), PRESSES),
    st.tuples(st.just("say"), SAFE),
    st.tuples(st.just("enter"), st.just("\r")),
)


@given(st.lists(DONE, max_size=30))
def test_lines_stay_in_order_and_the_row_whole_whatever_is_typed_and_said(done):
    terminal, expected = Terminal(), []
    for what, text in done:
        if what == "say":
            terminal.say(text)
            expected += wrap(text, 38)
        elif what == "type":
            terminal.type(text)
        else:
            typed = terminal.editor._typed.text
            terminal.type(text)
            assert [typed] == terminal.read()
            fits = sum(2 if letter == "漢" else 1 for letter in typed) <= 39
            expected += [typed] if fits else wrap(typed, 38, "")
        line = terminal.editor._typed

        assert [row.rstrip() for row in expected] == terminal.rows[:-1]
        assert terminal.row.replace("|", "", 1).strip() in line.text
        before, _, after = terminal.row.partition("|")
        assert line.before.endswith(before)
        assert line.text[line.cursor :].startswith(after.rstrip())


@given(st.lists(st.tuples(st.integers(20, 90), SAFE | PRESSES), max_size=12))
def test_row_is_whole_in_a_window_of_any_width(done):
    terminal = Terminal()
    for columns, text in done:
        terminal.type(text)
        terminal.resize(columns)
        before, _, after = terminal.row.partition("|")
        line = terminal.editor._typed

        assert line.before.endswith(before)
        assert line.text[line.cursor :].startswith(after.rstrip())


@given(st.binary(max_size=300))
def test_no_input_breaks_the_editor_or_forges_an_escape(data):
    """The editor sends only its own sequences: move away, move back, cursor, bell, clear."""
    terminal = Terminal(Prompt("> "))
    terminal.type(data)
    terminal.read()
    sent = re.sub(r"\x1b\[(\?2004h|J|H|2J|\d+C)", "", terminal.tube.sent.decode())

    assert {letter for letter in sent if unicodedata.category(letter) == "Cc"} <= set("\r\n\a")
