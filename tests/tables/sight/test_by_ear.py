"""Games as a screen reader says them: fewer, plainer words, the same first words, and no fact lost."""

import re
from pathlib import Path

import pytest

from lilygames.edge.wire.screen_reader import MORE
from lilygames.game import Reader
from lilygames.games import games
from lilygames.gametest.listening import WHO, play
from lilygames.gametest.plays import NAMES
from lilygames.testing import play as played
from lilygames.text import Voice

SHORT = {
    "ohell": "max=3",
    "wizard": "",
    "liarsdice": "max-rounds=4",
    "liarslair": "each=2 max-rounds=8",
    "liarspoker": "hands=2",
    "liedie": "games=2",
    "lilypoker": "hands=4",
}
WORDS = {
    "liarsdice": (1803, 86),
    "liarslair": (1347, 106),
    "liarspoker": (590, 27),
    "liedie": (318, 19),
    "lilypoker": (809, 64),
    "ohell": (727, 62),
    "wizard": (6332, 546),
}
"""Words that a game took, from sitting down to the end, when each event had its own row; and its log's entries."""
FIRST = frozenset(
    (
        "Your Refused Usage Hand Dice Card Drawn Board Up Number Slip Letters Bot Game Round Rounds Order Trump "
        "Ante Pot Everyone Trick Count Odd True Push Skunk Hero Score Chips Seal Still Next You"
    ).split()
)
"""First words of a game's lines that don't begin with a name."""
PEOPLE = {WHO, "Ada", "Max", "Ida"}
PLAIN = re.compile(r"[A-Za-z0-9 .,:;?'-]+")
GOES_WITHOUT_SAYING = {("liarsdice", "Looked")}
"""Events that others are not told separately: each claim says where its maker has not looked."""
IMPLIED = {("liarsdice", "Accepted"), ("liedie", "Accepted")}
"""Events that nobody is told: whoever rolls, throws or claims next has accepted."""


def first_word(row, game):
    """Return the word that a row begins with, without the table's name before the very first one."""
    return row.removeprefix(f"{game}: ").split()[0].rstrip(":,")


@pytest.mark.parametrize("game", sorted(SHORT.keys() & games().keys()))
async def test_game_takes_at_most_60_words_of_100(game):
    """The limit is a share of the words that an entry of the log took on screen before the layout changed."""
    words, entries = WORDS[game]
    heard = await play(game, "1", spoken=True, options=SHORT[game])

    assert heard.words / heard.entries <= 0.6 * words / entries, heard.words


@pytest.mark.parametrize("game", sorted(SHORT.keys() & games().keys()))
async def test_every_line_is_plain_words_and_begins_as_the_manual_says(game):
    """A screen reader finds no sign to spell out or swallow, and triggers and sounds can rely on the first words."""
    heard = await play(game, "2", spoken=True, options=SHORT[game])
    rows = [row for row in heard.rows if not row.startswith(MORE)]

    assert [] == [row for row in heard.rows if not PLAIN.fullmatch(row)]
    assert set() == {first_word(row, game) for row in rows} - FIRST - PEOPLE


def test_manual_names_the_first_words():
    page = (Path(__file__).resolve().parents[3] / "help" / "reader.txt").read_text("utf-8")

    assert set() == FIRST - {*re.findall(r"\w+", page)}


@pytest.mark.parametrize("game", sorted(SHORT.keys() & games().keys()))
def test_every_event_is_said(game):
    """Each seat and each spectator hears every bid, trick, claim and score, unless they have just typed it."""
    tell, rules = games()[game].tell, games()[game].rules
    seats, options = games()[game].quick, rules.Options()
    purses = (100,) * seats if games()[game].purse else ()
    for turn in played(games()[game], seats, options, seed=3, purses=purses)[:300]:
        for seat in (*range(seats), None):
            for event in filter(None, (event.seen_by(seat) for event in turn.events)):
                read, heard = (tell(event, Reader(seat, NAMES[:seats], Voice(spoken=ear))) for ear in (False, True))
                kind = (game, type(event).__name__)
                unsaid = kind in IMPLIED or (kind in GOES_WITHOUT_SAYING and event.seat != seat)
                assert bool(heard) == (bool(read) and not unsaid), event


@pytest.mark.parametrize("game", sorted(SHORT.keys() & games().keys()))
async def test_move_you_typed_is_not_said_again(game):
    """When you review the game later, it is there."""
    heard = await play(game, "1", spoken=True, options=SHORT[game])

    assert not [row for row in heard.rows if re.match(r"You(:| bid| play \d| accept| pass\.| call| check| fold)", row)]


async def test_move_you_did_not_type_is_said(stage):
    """A queued move is made later, so it's news then. A move that you type now isn't."""
    stage.enter("ann", Voice(spoken=True))
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("bob", "/sit tally")
    await stage.type("ann", "/start")
    await stage.type("ann", "/queue bid 0")
    stage.screens["ann"].take()
    await stage.type("bob", "bid 0")

    assert {"bob bids 0.", "You bid 0."} <= {*stage.screens["ann"].take()}


async def test_refusal_is_said_without_asking_again(stage):
    """It says what can be done instead, and the earlier question still stands."""
    stage.enter("bob", Voice(spoken=True))
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("bob", "/sit tally")
    await stage.type("ann", "/start")

    assert ["Refused: bid 0 or 1."] == await stage.type("bob", "bid 7")
