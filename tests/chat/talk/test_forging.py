"""User text never reads as the server's own line: in any mode, at any width, on any screen.

Each mode is checked through its real screen: plain lines, UTF-8, the editor, the reader's, and a program's JSON.
"""

import itertools
import json
import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lilygames.chat.names.names import is_reserved
from lilygames.chat.people.events import ChatEvent, worded
from lilygames.chat.talk.review import Wanted
from lilygames.chat.talk.review import shown as review
from lilygames.edge.wire.render import Look, drawn, shown
from lilygames.edge.wire.screen_reader import ScreenReader
from lilygames.text import Line, clean, columns, quoted
from tests.screens import MODES, opened, overflowing, typed, widened
from tests.toys import TOYS

ROOT = Path(__file__).resolve().parents[3]
MARK = "zqx"
STARTS = (
    "",
    "*** ",
    "(",
    " >> ",
    " -> ",
    "> ",
    "# ",
    "Your turn: ",
    "Your turn: ",
    "Refused: ",
    "Private message from bob: ",
    " >> Private message from bob: ",
    " -> From bob, to lobby: ",
    "From bob, to lobby: ",
    "(to lobby) bob ",
    "Info of bob: ",
    "bob has left lily ",
    "Hand: ",
    "login: ",
    "Game over: ",
    "Next: 1. rematch ",
)
"""First words of the server's own lines, for eye and ear. A person writes one of them, then `MARK`."""
BREAKS = ("\n", "\r", "\r\n", "\v", "\f", "\x85", "\u2028", "\u2029", "\x1b[2J", "\x1b]0;", "\x9b", "\x1bc", "\b" * 90)
SPACES = (" ", "\u3000", "\u2003", "\xa0", "\t", "  ")
PADS = ("w", " ", "w ", "\xa0", "\u3000", "…", "全", "☰", "❤\ufe0f", "w\u0301", "א", "ﬃ", "㏂", "\u0338", "👩\u200d")
"""Characters that move the text after them: wide, narrow, zero-width, and wider in plain ASCII than they look."""
WAYS = (
    "{}",
    "'{}",
    "bob;{}",
    "bob,{};{}",
    "-tally;{}",
    "{};hello",
    "/tell bob {}",
    "/tell {} x",
    "/cut {}",
    "/join {}",
    "/quit {}",
    "/at {}",
    "/at tally {}",
    "/sit {}",
    "/watch {}",
    "/decline {}",
    "/new {}",
    "/new tally {}",
    "/new tally max={}",
    "/new tally {}=3",
    "/new tally -{}",
    "/tally {}",
    "/play {}",
    "/bid {}",
    "/house {}",
    "/options {}",
    "/verify {}",
    "/log {}",
    "/pick {}",
    "/quick {}",
    "/help {}",
    "/help search {}",
    "/{}",
    ".{}",
    "\\{}",
    "/emote {}",
    "/pa {}",
    "/blurb {}",
    "/away {}",
    "/here {}",
    "/info add {}",
    "/memo set plan {}",
    "/memo set {} plan",
    "/memo bob {}",
    "/create {}",
    "/create cafe {}",
    "/create cafe emote {}",
    "/retitle cafe {}",
    "-cafe;{}",
    "/permit cafe {}",
    "/appoint cafe bob {}",
    "/ask cafe {}",
    "/allow cafe {}",
    "/depermit cafe {}",
    "/unappoint cafe bob {}",
    "~{};x",
    "/create {} moderated emote",
    "/group {} add bob",
    "/group team {} bob",
    "/send {}",
    "/also {}",
    "/oops {}",
    "/notify {} off",
    "/ignore {}",
    "/ignore bob {}",
    "/review {}",
    "/review lobby {}",
    "/finger {}",
    "/who {}",
    "/what {}",
    "/where {}",
    "/rename {}",
    "/note {}",
    "/note 3 {}",
    "/queue {}",
    "/vacation {}",
    "/pace {}",
    "/kibitz {}",
    "/whisper {}",
    "/seek tally {}",
    "/invite {}",
    "/block {}",
    "/formula decline {}",
    "/formula {}",
    "/seek tally rating>{}",
    "/seeks notify {}",
    "/seeks notify tally {}",
    "/friend add {}",
    "/friend {}",
    "/set zone {}",
    '/event new "{}" in 2h',
    "/event new “{}” fri 20:00 weekly",
    '/event new "x" {}',
    "/event move 1 {}",
    "/event join {}",
    "/event {}",
    "/motd {}",
    "/high challenge {}",
    "/replay 1 as {}",
    "/played {}",
    "/assess {}",
    "/history {}",
    "/set {} on",
    "/feedback {}",
    "#$# {}",
    "?gethelp {}",
    ";{}",
    ":{}",
    "={}",
    "bid {}",
    "play {}",
)
LOOKS = (
    "/who",
    "/what",
    "/rooms",
    "/what cafe",
    "/finger ann",
    "/info ann",
    "/memo ann",
    "/memo ann plan",
    "/review",
    "/review lobby all",
    "/review me",
    "/tables",
    "/seeks",
    "/feedback",
    "/events",
    "/event show 1",
    "/motd",
)
"""Commands by which others read what a person has written and said before."""


def widened_letters(text):
    """Return a text in wide letters, which a screen of plain ASCII shows as the usual ones."""
    return "".join(chr(ord(one) + 0xFEE0) if "!" <= one <= "~" else one for one in text)


TEXTS = st.builds(
    "{}{}{}{}{}".format,
    st.one_of(st.just(""), st.text(max_size=30), st.builds(str.__mul__, st.sampled_from(PADS), st.integers(0, 200))),
    st.sampled_from((*BREAKS, *SPACES, "")),
    st.sampled_from((*STARTS, *(start.replace(" ", "\xa0") for start in STARTS), *map(widened_letters, STARTS))),
    st.just(MARK),
    st.one_of(st.just(""), st.text(max_size=60), st.integers(0, 200).map(lambda n: "word " * n)),
)


def heard(row):
    """Return the part of a row that is spoken: from its first letter on."""
    return re.sub(r"^[\W_]+", "", row)


def forged(row, *, spoken=False):
    """Whether a row begins like a line of the server and goes on with user text."""
    row, starts = row.replace("\xa0", " ").replace("\u3000", " "), STARTS
    if spoken:
        row, starts = heard(row), filter(None, map(heard, STARTS))
    return row.startswith(tuple(f"{start}{gap}{MARK}" for start in starts for gap in ("", " ")))


def moves_a_cursor(row):
    """Whether a row holds a control character, or one that hides or reverses the text around it."""
    return any(
        unicodedata.category(one) in ("Cc", "Cs", "Zl", "Zp") or one in "\u202e\u2066\u200b\ufeff" for one in row
    )


def misread(screen, row, *, own):
    """Whether a row passes for a line of the server or is unsafe; for a program, whether its author is missing."""
    if screen.mode != "machine":
        return moves_a_cursor(row) or forged(row, spoken=screen.mode == "reader")
    said = row.get("line", "")
    told = row.get("by") == "ann" or (own and said.startswith(("Refused: ", "Usage: ", "(")))
    return moves_a_cursor(said) or (MARK in said and not told)


OTHERS = {"bob": "line", "cat": "utf-8", "dora": "editor", "emil": "reader", "fay": "machine"}


async def gathered(mode, width):
    """Return a stage and its screens: ann in some mode, and others in each of them, who have met and talked."""
    stage, screens = await opened(TOYS, ann=mode, **OTHERS)
    stage.host.roles.listed = ("ann", *OTHERS)
    for name, line in (
        ("ann", "/create cafe"),
        ("ann", "/new tally"),
        ("bob", "/watch tally"),
        ("emil", "/watch tally"),
        ("bob", "ann,lobby;hello"),
        ("bob", "ann;hello"),
        ("ann", "bob,lobby;hello"),
    ):
        await typed(stage, name, line)
    await widened(stage, screens, width)
    return stage, screens


WIDTHS = range(20, 201, 9)
LINES = (
    *(
        lambda text, kind=kind: worded(ChatEvent(kind, "Ann", ("Lobby",), ("Bob",), text, "B"))
        for kind in ("private", "public", "emote", "pa", "retitle")
    ),
    lambda text: worded(ChatEvent("public", "Ann", ("Lobby",), text="T", blurb=text)),
    lambda text: review([ChatEvent("emote", "Ann", ("Lobby",), text=text)], Wanted(), "Bob"),
    lambda text: review([ChatEvent("private", "Ann", (), ("Bob",), text=text)], Wanted(), "Ann"),
    lambda text: (quoted("Ann", text, "Info of Ann:"),),
    lambda text: (Line(f"  Ann [{text}]  12:00", by="Ann"),),
    lambda text: (Line(f"Refused: there is no “{text}” here."),),
)
"""Functions that make a line of each kind that contains user text."""


def shown_rows(lines, width, charset, *, spoken):
    """Return the rows of lines as a terminal of that width shows them."""
    lines = ScreenReader().said(lines) if spoken else lines
    rows = b"".join(drawn(line, Look(width, charset)) for line in lines).decode(charset).split("\r\n")
    return [part for row in rows for part in overflowing(row, width)]


async def looked(stage):
    """Let all others read the texts that ann has written, and her feedback."""
    cases = [f"/feedback {number}" for number in await stage.tables.store.every("feedback")]
    for line, name in itertools.product((*LOOKS, *cases), OTHERS):
        await typed(stage, name, line)


def check(screens, *about):
    """Fail if any row on any screen can be misread."""
    for name, screen in screens.items():
        for row in screen.take():
            assert not misread(screen, row, own=name == "ann"), (name, screen.mode, *about, row)


@settings(max_examples=100)
@given(text=TEXTS, way=st.sampled_from(WAYS), mode=st.sampled_from(list(MODES)), width=st.integers(20, 200))
async def test_nobody_forges_a_line(text, way, mode, width):
    """Talk, sends, personal notes, wrapped words, names of rooms and tables, nonsense: on the sender's screen too."""
    stage, screens = await gathered(mode, width)

    await typed(stage, "ann", clean(way.replace("{}", text)))
    await looked(stage)

    check(screens)
    await stage.kept()


@pytest.mark.parametrize("width", [20, 41, 78, 200])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("start", ["Your turn: ", "w" * 20 + "\xa0Refused:\xa0"])
async def test_every_way_to_write_something_is_marked(mode, width, start):
    """All are tried one after the other, and others read the results at the end."""
    stage, screens = await gathered(mode, width)

    for way in WAYS:
        await typed(stage, "ann", way.replace("{}", f"{start}{MARK}"))
        check(screens, way)
        await typed(stage, "ann", "/join tally")
    await looked(stage)
    check(screens)
    await stage.kept()


@pytest.mark.parametrize("spoken", [False, True])
@pytest.mark.parametrize("charset", ["ascii", "utf-8", "cp437"])
def test_no_row_begins_with_user_text(charset, spoken):
    """Whatever kind of line it is, at every width, wherever it wraps: each row begins with a word of the server's.

    A screen reader skips signs, so a row of signs and words counts as one of words.
    """
    for width, pad, line in itertools.product(WIDTHS, PADS, LINES):
        text = clean(pad * (width // max(1, columns(pad)) - 3) + " " + pad * 3 + " z z").strip()
        letters = {*shown(text, charset)} - {" "}
        for row in shown_rows(line(text), width, charset, spoken=spoken):
            begins = heard(row) if spoken else row
            assert begins.startswith("more: ") or begins[:1] not in letters, (width, pad, row)


def test_no_name_is_a_word_that_lines_begin_with():
    """For a listener, a player called Trump who plays a card would turn up a new trump."""
    page = (ROOT / "help" / "reader.txt").read_text("utf-8")
    leads = {word for row in page.splitlines() if row.startswith("  ") for word in re.findall(r"\b[A-Z][a-z]+\b", row)}

    assert {"Your", "Trump", "Info", "More"} <= leads
    assert [] == [word for word in sorted(leads) if not is_reserved(word)]


@pytest.mark.parametrize("name", ["Your-turn", "yourturn", "Y0ur_Turn", "Game-over", "Private-Message", "Info-of"])
def test_no_name_sounds_like_two_words_that_lines_begin_with(name):
    assert is_reserved(name)


def test_test_recognizes_a_forgery():
    assert forged("zqx bids 0.")
    assert forged("*** zqx ***")
    assert forged("   Your turn: zqx", spoken=True)
    assert moves_a_cursor("a\x1b[2Jb")
    assert not forged(" - zqx bids 0.")
    assert not forged("   Your turn: zqx")


async def test_mud_client_is_told_who_says_it():
    """GMCP carries the text as a value of its own."""
    stage, screens = await opened(TOYS, ann="line", bob="line")
    screens["bob"].terminal.gmcp(b'Core.Supports.Set ["Comm.Channel 1"]')
    screens["bob"].packets()

    await typed(stage, "ann", "bob;*** bob has left lily ***")
    (message,) = screens["bob"].packets()
    package, _, value = message.partition(" ")
    said = json.loads(value)
    assert ("Comm.Channel.Text", "ann", "*** bob has left lily ***") == (package, said["talker"], said["text"])
