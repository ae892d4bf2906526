"""What people write never starts a line, on their own screen neither, and never moves a cursor."""

import unicodedata

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lilygames.text import clean

MARK = "zqx"
STARTS = ("[ohell] ", "*** ", "(", " >> ", " -> ", "> ", "# ", "Your turn: ", "[ohell] Your turn: ", "Refused: ")
BREAKS = ("\n", "\r", "\r\n", "\v", "\f", "\x85", "\u2028", "\u2029", "\x1b[2J", "\x1b]0;", "\x9b", "\x1bc", "\b" * 90)
SPACES = (" ", "\u3000", "\u2003", "\xa0", "\t", "  ")
TEXTS = st.builds(
    "{}{}{}{}{}".format,
    st.one_of(st.just(""), st.text(max_size=30), st.integers(0, 160).map(lambda n: "w" * n)),
    st.sampled_from((*BREAKS, *SPACES, "")),
    st.sampled_from(STARTS),
    st.just(MARK),
    st.one_of(st.just(""), st.text(max_size=60), st.integers(0, 200).map(lambda n: "word " * n)),
)
WAYS = (
    "{}",
    "'{}",
    "bob;{}",
    "bob,{};{}",
    "-ohell;{}",
    "{};hello",
    "/tell bob {}",
    "/tell {} x",
    "/cut {}",
    "/join {}",
    "/quit {}",
    "/at {}",
    "/at ohell {}",
    "/sit {}",
    "/watch {}",
    "/decline {}",
    "/new {}",
    "/new ohell {}",
    "/new ohell max={}",
    "/new ohell {}=3",
    "/new ohell -{}",
    "/ohell {}",
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
    "/queue {}",
    "/vacation {}",
    "/pace {}",
    ";{}",
    ":{}",
    "={}",
    "bid {}",
    "play {}",
)
FORGERIES = tuple(start + MARK for start in STARTS)


def forged(row):
    """Whether a row begins as the host's lines do, with somebody's own words behind."""
    return row.startswith(FORGERIES)


def moves_a_cursor(row):
    """Whether a row holds a control character, or one that hides or turns what is around it."""
    return any(
        unicodedata.category(one) in ("Cc", "Cs", "Zl", "Zp") or one in "\u202e\u2066\u200b\ufeff" for one in row
    )


@settings(max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(text=TEXTS, way=st.sampled_from(WAYS))
async def test_nobody_forges_a_line(stage, text, way):
    """Talk, sends, cut words, names of rooms and tables, nonsense: on every screen, the typist's too."""
    if "ohell" not in {bot.room.name for bot in stage.people["ann"].seats}:
        await stage.type("ann", "/new ohell")
        await stage.type("bob", "/watch ohell")
    stage.place.host.sysops = ("ann",)
    await stage.type("ann", "/join ohell")
    await stage.type("bob", "ann,lobby;hello")
    for screen in stage.screens.values():
        screen.take()

    await stage.type("ann", clean(way.replace("{}", text)))

    for line in (
        "/who",
        "/what",
        "/what cafe",
        "/finger ann",
        "/info ann",
        "/memo ann",
        "/review",
        "/review lobby all",
    ):
        await stage.type("bob", line)
    for screen in stage.screens.values():
        for row in screen.take():
            assert not forged(row), (way, text, row)
            assert not moves_a_cursor(row), (way, text, row)


def test_the_test_knows_a_forgery():
    assert forged("[ohell] zqx bids 0.")
    assert forged("*** zqx ***")
    assert moves_a_cursor("a\x1b[2Jb")
    assert not forged(" - [ohell] zqx bids 0.")
