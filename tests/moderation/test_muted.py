"""Nothing that a muted person writes reaches others, with any command, and they can still play and report."""

import pytest

from lilygames.server.place import host_commands
from tests.moderation.conftest import NAMES

MARK = "zyzzyva"
WAYS = (
    "{}",
    "ann",
    "den {}",
    "hall {}",
    "bob {}",
    "lobby {}",
    "add {}",
    "set {} {}",
    "set note {}",
    "-lobby {}",
    "bob 1h {}",
    "tally {}",
    "on {}",
)
WAYS += (
    'new "{}" fri 20:00',
    "new tally swiss start=20:00 name={}",
    "cancel {}",
    "correct 1 1 1 2 {}",
    "1 {}",
    "{} {}",
)
WAYS += (
    "tally duplicate={}",
    "save {} tally",
    "save evening tally duplicate={}",
    "add ann {}",
    "cafe {}",
    "in {}",
    "12 {}",
)
TALK = (
    MARK,
    f"'{MARK}",
    f"lobby;{MARK}",
    f"-lobby;{MARK}",
    f"ann;{MARK}",
    f"ann: {MARK}",
    f"ann,bob;{MARK}",
    f";{MARK}",
)
TALK += (
    f":{MARK}",
    f"=all {MARK}",
    f"= {MARK}",
    f'"{MARK}',
    f"cat says {MARK}",
    f"/at 1 {MARK}",
    f"/at 1 tell ann {MARK}",
)
TO_STAFF = frozenset({"report", "appeal", "feedback"})
"""Commands whose words reach the staff."""
LOOKED_AT = ("/who", "/what", "/rooms", "/finger cat", "/info cat", "/memo cat", "/memo cat note", "/events", "/tables")
LOOKED_AT += (
    "/tournament",
    "/review lobby",
    "/review me",
    "/motd",
    "/seeks",
    "/table",
    "/history",
    "/watchers",
    "/log",
)
LOOKED_AT += ("/where cat", "/stats cat", "/played cat", "/achievements cat", "/ladder", "/match", "/status")
WITHOUT_WORDS = frozenset(
    (
        "who what where finger join quit destroy permit depermit appoint unappoint allow send group "
        "review help friend ignore unignore block notify signal timestamp sessions set mail push news "
        "quick learn daily duplicate hint sit decline house commit reveal watch table options at "
        "tables preset seek seeks invite formula simul played standings assess rematch replay rank "
        "achievements stats note history log rules verify export wait moretime skip substitute pace undo vacation "
        "queue moves resign bug events ladder match pick new tournament event info memo detach "
        "unregister audit warn mute unmute kick ban unban freeze unfreeze adjudicate reports "
        "pronoun display browser bye close limits at:move get:played get:stats"
    ).split()
)
"""Commands that take words which others can't read, or only as a choice from a list, a name or a number.

A new command with words must be declared with `says`, or be looked at and added here.
"""


PLAYING = (("ann", "/new tally max=3"), ("Cat", "/sit tally"), ("ann", "/start"))
SITTING = (("ann", "/new tally max=3 first-dealer=host"), ("Cat", "/sit tally"))
WATCHING = (
    *(("ann", "/new tally max=3"), ("Bob", "/sit tally"), ("ann", "/start"), ("Mo", "/watch 1"), ("Cat", "/watch 1")),
    *(("Cat", '/create den "mine"'), ("ann", "/join den"), ("ann", "/create hall moderated"), ("Cat", "/join hall")),
    *(("Cat", f"mo;{MARK}"), ("Cat", "/at 1")),
)


async def prepared(stage, lines):
    """Type some lines, then mute Cat."""
    for name, line in (*lines, ("Mo", "/mute cat 1d spam")):
        await stage.type(name, line)
    for screen in stage.screens.values():
        screen.take()
    return stage


@pytest.fixture
async def muted(stage):
    """Cat is muted, and plays a game with ann at table 1."""
    return await prepared(stage, PLAYING)


def words(one):
    """Whether a command takes words, rather than numbers alone."""
    return any(argument.reads.parse is str or argument.reads.rest for argument in one.arguments)


def lines():
    """Lines of every command, with the mark in every place where words can be."""
    for one in host_commands():
        for name in one.names:
            yield from (f"/{name} {way.format(MARK, MARK)}" for way in WAYS)


def seen(stage, reads):
    """Everything that the others have read."""
    return "\n".join(reads(name) for name in NAMES if name != "Cat")


@pytest.mark.parametrize("before", [PLAYING, SITTING, WATCHING], ids=["playing", "sitting", "watching"])
async def test_muted_persons_words_reach_nobody_by_any_command(stage, says, reads, monkeypatch, before):
    """Every line of every command is tried, also of commands that are added later."""
    muted = await prepared(stage, before)
    host = muted.place.host
    monkeypatch.setattr(host.accounts, "since", since_long)
    for line in (*TALK, *lines()):
        command = line.removeprefix("/").partition(" ")[0]
        if command in TO_STAFF or muted.screens["Cat"].closed:
            continue
        await says("Cat", line)
        shown = seen(muted, reads)
        assert MARK not in shown, f"{line} showed:\n{shown}"
        if muted.screens["Cat"].closed:
            muted.enter("Cat")
    for line in LOOKED_AT:
        shown = await says("ann", line)
        assert MARK not in shown.casefold(), f"{line} showed:\n{shown}"


async def since_long(_):
    """Every account is old enough to plan events and tournaments."""
    return 1.0


def test_every_command_with_words_is_known():
    """A command that is added later must say whether others read its words."""
    unknown = {one.name for one in host_commands() if words(one) and not one.says}

    assert set() == unknown - WITHOUT_WORDS - TO_STAFF


async def test_muted_person_can_play(muted, says, reads):
    for _ in range(2):
        bot = muted.table(1)
        seat = bot.table.to_move[0]
        await says(bot.table.seats[seat].name, f"/at 1 {bot.table.game.spell(bot.questions.offered(seat)[0])}")

    assert 2 == sum(muted.table(1).table.moved)


async def test_muted_person_can_report_and_appeal(muted, says, reads):
    assert "The staff will look at it" in await says("Cat", "/report ann She insults me.")
    assert "Cat has reported ann" in reads("Mo")
    assert "Your appeal was sent" in await says("Cat", "/appeal I didn't spam.")
    assert "Cat appeals" in reads("Mo")


async def test_muted_person_reads_what_others_say(muted, says, reads):
    await says("ann", "-lobby;hello cat")

    assert "hello cat" in reads("Cat")
