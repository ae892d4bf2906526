"""A scripted evening in a data file: two people do everything that stores something, among others who stay."""

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import attrs
import pytest

from lilygames.gametest.stage import SETTINGS, Stage, secrets_from
from lilygames.mailing.subscription import Destination, Subscription
from lilygames.server.place.place import furnish
from lilygames.store.sqlite.entry_rows import all_rows
from lilygames.store.sqlite.sqlite import SqliteStore
from tests.clock import Clock
from tests.toys import TALLY

SUNDAY = 1_795_348_800.0
"""Noon in UTC on Sunday, 22 November 2026."""
HOUR, DAY = 3600.0, 86400.0
GONE, FORMERLY, ALSO_GONE = "Quuxbert", "Zwackel", "Xylofant"
"""Someone who is deleted, the name they had before, and another one who is deleted."""
STAY = ("ann", "bob")


@attrs.define
class Evening:
    """A place over a data file, and the people who type there."""

    stage: Stage
    store: SqliteStore
    clock: Clock
    folder: object

    async def type(self, name, line):
        return await self.stage.type(name, line)

    async def enter(self, name):
        """Log someone in; they register if they're new."""
        accounts = self.stage.accounts
        if await accounts.get(name) is None:
            await accounts.create(name, "plums and pears", guest=False)
        owned = await self.stage.host.owned(name)
        screen = await self.stage.come(name)
        self.stage.people[name].set_profile(owned)
        return screen

    async def play(self, number):
        """Play a table to its end: everyone makes their first legal move."""
        for _ in range(300):
            bot = self.stage.open_tables.get(number)
            if bot is None or not bot.table.to_move:
                break
            seat = bot.table.to_move[0]
            who, word = bot.table.seats[seat].name, bot.table.game.spell(bot.table.moves(seat)[0])
            await self.type(who, f"/at {number} {word}")
        await self.stage.quiet()

    async def play_all(self):
        """Play all open tables."""
        for number in [*self.stage.open_tables]:
            await self.play(number)

    async def told(self, name, line):
        """Type a line, and return the answer without line breaks."""
        return " ".join(" ".join(await self.type(name, line)).split())

    async def passes(self, seconds):
        """Let time pass, and let everything happen that is due."""
        self.clock.now += seconds
        await self.stage.look("director")
        await self.stage.quiet()
        await self.stage.look("ladder_watch")
        await self.stage.look("duplicate_watch")
        await self.stage.look("deletions")
        await self.stage.quiet()

    async def stop(self):
        """Save everything and close the store."""
        await self.stage.kept()
        await self.store.close()


async def opened(folder, clock, bus=None):
    """Open an evening over the data file in a folder."""
    store = SqliteStore.open(folder / "lilygames.db", clock)
    settings = attrs.evolve(SETTINGS, data=folder, sysops="ann")
    place = await furnish(store, settings, TALLY, secrets_from("1"), bus, clock=clock, new_salt=secrets_from("salt"))
    return Evening(Stage(place), store, clock, folder)


async def scripted(evening):
    """Let everyone do everything that stores something."""
    for name in (*STAY, FORMERLY, ALSO_GONE):
        await evening.enter(name)
    await evening.type(FORMERLY, f"/rename {GONE}")
    evening.clock.now += 8 * DAY  # new accounts can't plan events yet
    people, screens = evening.stage.people, evening.stage.screens
    people[GONE], screens[GONE] = people.pop(FORMERLY), screens.pop(FORMERLY)
    for name, line in TALK:
        await evening.type(name, line)
    await tables(evening)
    await ladder(evening)
    await tournament(evening)
    await accounts(evening)
    await evening.stage.kept()


TALK = (
    *((GONE, line) for line in ("hello everyone", "/emote waves", "ann;a private word", "ann,bob;to both of you")),
    *((GONE, line) for line in ("/info set a nice player", "/blurb plays well", "/memo set shopping plums")),
    ("ann", f"{GONE};hello to you too"),
    ("ann", f"{GONE},bob;to you two"),
    (ALSO_GONE, f"{GONE};between us"),
    (GONE, "/create cellar a room of my own"),
    ("bob", "/create attic under the roof"),
    ("bob", f"/permit attic {GONE}"),
    ("bob", f"/appoint attic {GONE} moderator"),
    (GONE, "/join attic"),
    ("bob", "/create loft higher still"),
    ("bob", f"/depermit loft {GONE} 2h"),
    (GONE, "-attic;up here"),
    ("ann", f"/friend add {GONE}"),
    ("ann", f"/group pals add {GONE},bob"),
    ("bob", f"/block {GONE}"),
    ("bob", f"/notify public {GONE} off"),
    (GONE, "/feedback I like it here"),
    ("bob", "/feedback this is what I see"),
    (GONE, '/event new "Tally night" fri 20:00'),
    ("ann", '/event new "Another night" sat 20:00'),
    (GONE, "/event join 2"),
    (GONE, "/vacation 3"),
    (GONE, "/vacation end"),
    ("ann", f"/preset save ours tally max=3 {GONE}"),
    (GONE, "/preset save mine tally max=3 bob"),
)


async def tables(evening):
    """Play a game of three, one of two, and a daily deal."""
    t = evening.type
    await t("ann", f"/new tally max=3 first-dealer=host {GONE} {ALSO_GONE}")
    await t(GONE, "/sit tally")
    await t(GONE, "/note 1 surely low")
    await t(ALSO_GONE, "/sit tally")
    await evening.play(1)
    await t(GONE, "/new tally max=3")
    await t("ann", "/sit tally")
    await t(GONE, "/start")
    await evening.play(2)
    await t(GONE, "/daily tally")
    await evening.play_all()


async def ladder(evening):
    """Play a duel, and open a team match."""
    t = evening.type
    for name in (GONE, "ann", ALSO_GONE):
        await t(name, "/ladder join tally")
    await t("ann", f"/ladder challenge {GONE}")
    await t(GONE, "/ladder accept")
    for name in (GONE, "ann"):
        await t(name, "/ladder play tally")
    await evening.play_all()
    await evening.stage.look("ladder_watch")
    await t("ann", f"/match tally ann {ALSO_GONE} vs bob {GONE}")
    for name in (ALSO_GONE, GONE):
        await t(name, "/match 1 play")
    await evening.play_all()


async def tournament(evening):
    """Play a tournament, and cancel another one."""
    await evening.type(GONE, "/tournament new tally swiss name=early rounds=1 seats=4 max=3 start=in_30m")
    await evening.type(GONE, "/tournament cancel too few people")
    await evening.type("ann", "/tournament new tally swiss rounds=1 seats=4 max=3 start=in_30m")
    for name in (*STAY, GONE, ALSO_GONE):
        await evening.type(name, "/tournament join tally-swiss")
    for seconds in (20 * 60, 10 * 60, 5, 5, 5, 5):
        await evening.passes(seconds)
        await evening.play_all()


async def accounts(evening):
    """Store what belongs to accounts."""
    accounts, mailing = evening.stage.accounts, evening.stage.mailing
    key = accounts.key(GONE)
    await accounts.recovery.issue(key, evening.clock())
    await evening.store.keep("unreadable", f"belongings/{key}", "{")
    await evening.store.keep("achievements", key, '{"games":{},"is":"Earnings"}')
    await evening.store.keep("mistakes", key, '{"is":"_Stored","moves":[]}')
    mine = Subscription(GONE, mail=Destination("quuxbert@example.org", confirmed=True))
    await mailing.subscriptions.change(key, lambda _: mine)
    await evening.store.keep("mailing-queue", key, "0.0 0.0")
    await evening.store.keep("session", key, "{}")
    await evening.store.keep("role", key, '"moderator"')


@pytest.fixture(scope="session")
def scripted_folder(tmp_path_factory):
    """The data folder after the scripted evening, which is played once for all tests."""
    folder = tmp_path_factory.mktemp("evening") / "data"

    async def play():
        evening = await opened(folder, Clock(SUNDAY))
        await scripted(evening)
        await evening.stop()
        return evening.clock.now

    return folder, asyncio.run(play())


@pytest.fixture
def folder(scripted_folder, tmp_path):
    """A copy of that folder."""
    return Path(shutil.copytree(scripted_folder[0], tmp_path / "data"))


@pytest.fixture
def clock(scripted_folder):
    """The time after the scripted evening."""
    clock = Clock(SUNDAY)
    clock.now = scripted_folder[1]
    return clock


@pytest.fixture
async def evening(folder, clock):
    """The place after the scripted evening. Those who stay are here."""
    evening = await opened(folder, clock)
    for name in STAY:
        await evening.enter(name)
    yield evening
    await evening.stop()


def rows_with(folder, *names):
    """Return the rows of the data file that contain a name, after it was vacuumed."""
    found = []
    with closing(sqlite3.connect(folder / "lilygames.db")) as db:
        for row in (*all_rows(db), *db.execute("SELECT * FROM record")):
            text = " ".join(map(str, row)).casefold()
            found += [row for name in names if name.casefold() in text]
    return found


def bytes_with(folder, *names):
    """Return the files of a data folder in which a name is, in any spelling, after the data file was vacuumed."""
    with closing(sqlite3.connect(folder / "lilygames.db")) as db:
        db.execute("VACUUM")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    files = [file for file in folder.rglob("*") if file.is_file()]
    return [file.name for file in files for name in names if name.casefold().encode() in file.read_bytes().lower()]
