"""Nothing that a muted person writes reaches others, with any command, and they can still play and report."""

import pytest

from lilygames.bus.local import LocalBus
from lilygames.gametest.stage import Stage
from lilygames.server.place.place import host_commands
from tests.moderation.conftest import GUESTS, NAMES, staffed
from tests.nodes.conftest import settled
from tests.toys import TALLY

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
LOOKED_AT = ("/who", "/what", "/rooms", "/finger {}", "/info {}", "/memo {}", "/memo {} note", "/events", "/tables")
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
LOOKED_AT += ("/where {}", "/stats {}", "/played {}", "/achievements {}", "/ladder", "/match", "/status")
WITHOUT_WORDS = frozenset(
    (
        "who what where finger join quit destroy permit depermit appoint unappoint allow send group "
        "review help friend ignore unignore block notify signal timestamp sessions set mail push news "
        "quick learn daily duplicate hint sit decline house commit reveal watch table options at "
        "tables preset seek seeks invite formula simul played standings assess rematch replay rank "
        "achievements stats note history log rules verify export wait moretime skip substitute pace undo vacation "
        "queue moves resign bug events ladder match pick new tournament event info memo detach "
        "unregister audit warn mute unmute kick ban unban freeze unfreeze adjudicate reports "
        "pronoun party display browser bye close limits at:move get:played get:stats get:talk"
    ).split()
)
"""Commands that take words which others can't read, or only as a choice from a list, a name or a number.

A new command with words must be declared with `says`, or be looked at and added here.
"""


MUTED = "the muted person"
PLAYING = (("ann", "/new tally max=3"), (MUTED, "/sit tally"), ("ann", "/start"))
SITTING = (("ann", "/new tally max=3 first-dealer=host"), (MUTED, "/sit tally"))
WATCHING = (
    *(("ann", "/new tally max=3"), ("Bob", "/sit tally"), ("ann", "/start"), ("Mo", "/watch 1"), (MUTED, "/watch 1")),
    *((MUTED, '/create den "mine"'), ("ann", "/join den"), ("ann", "/create hall moderated"), (MUTED, "/join hall")),
    *((MUTED, f"mo;{MARK}"), (MUTED, "/at 1")),
)
IN_PRIVATE = (
    *(("Bob", "/new tally max=3 private=yes"), ("Bob", "/invite ann {}"), (MUTED, "/sit 1"), ("ann", "/sit 1")),
    *(("Bob", '/create den "ours" private'), ("Bob", "/permit den {}"), ("Bob", "/permit den ann")),
    *((MUTED, "/join den"), ("ann", "/join den")),
)


async def prepared(stage, lines, who="Cat"):
    """Type some lines, then mute someone."""
    for name, line in (*lines, ("Mo", "/mute {} 1d spam")):
        await stage.type(who if name == MUTED else name, line.format(who.casefold()))
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


def seen(stage, reads, who):
    """Everything that the others have read, and that their programs were sent."""
    others = [name for name in NAMES if name != who]
    packets = [packet for name in others for packet in stage.screens[name].packets]
    for name in others:
        stage.screens[name].packets = []
    return "\n".join([*map(reads, others), *map(str, packets)]).casefold()


@pytest.mark.parametrize("who", ["Cat", "Gus"])
@pytest.mark.parametrize(
    "before", [PLAYING, SITTING, WATCHING, IN_PRIVATE], ids=["playing", "sitting", "watching", "in-private"]
)
async def test_muted_persons_words_reach_nobody_by_any_command(store, clock, monkeypatch, before, who):
    """Every line of every command is tried, also of commands that are added later.

    Cat has an account and had another name; Gus is a guest. ann reads packets, and Dora is at another node.
    """
    bus = LocalBus()
    muted = await staffed(store, clock, bus=bus)
    other = await Stage.open(TALLY, store=store, clock=clock, seed="2", bus=bus)
    other.enter("Dora")
    await settled(muted, other)
    await muted.type(who, "-lobby;good evening")
    await settled(muted, other)
    assert " - good evening" in other.screens["Dora"].take()
    await prepared(muted, before, who)
    muted.screens["ann"].takes_packets = True
    monkeypatch.setattr(muted.accounts, "since", since_long)
    for line in (*TALK, *lines()):
        command = line.removeprefix("/").partition(" ")[0]
        if command in TO_STAFF:
            continue
        await muted.type(who, line)
        shown = seen(muted, lambda name: "\n".join(muted.screens[name].take()), who)
        assert MARK not in shown, f"{line} showed:\n{shown}"
        if muted.screens[who].closed:
            muted.enter(who, guest=who in GUESTS)
    await settled(muted, other)
    assert MARK not in "\n".join(other.screens["Dora"].take()).casefold()
    for line in LOOKED_AT:
        for stage, name in ((muted, "ann"), (other, "Dora")):
            shown = "\n".join(await stage.type(name, line.format(who.casefold())))
            assert MARK not in shown.casefold(), f"{line} showed:\n{shown}"
    for stage in (muted, other):
        await stage.node.end()


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
