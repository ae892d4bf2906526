"""A stage with Tally and the real games' pages, and a function that asks for a page as a browser does."""

import attrs
import pytest

from lilygames.edge.web.pages import PageRequest
from lilygames.gametest.stage import SETTINGS, Stage
from lilygames.limits.quota import Who
from lilygames.sites.kept import packed
from lilygames.store.memory import MemoryStore
from tests.toys import TALLY

ADDRESS = "https://play.example.org"


class Clock:
    """A clock that only a test moves, in seconds since 1970."""

    def __init__(self, now=1_795_000_000.0):
        self.now = now

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def store(clock):
    return MemoryStore(clock)


@pytest.fixture
async def stage(store, clock):
    """A stage on which Ann and bob have accounts, and whim is a guest."""
    settings = attrs.evolve(SETTINGS, web_address=ADDRESS, embed_sites="*")
    stage = await Stage.open(TALLY, store=store, clock=clock, settings=settings)
    for name in ("Ann", "bob", "cat"):
        await stage.create_account(name, "plums and pears")
        stage.enter(name)
    stage.enter("whim", guest=True)
    return stage


@pytest.fixture
def ask(stage):
    """Return a function that returns the answer to a request, as it is kept and sent: status, headers, kind, bytes."""

    async def asked(path, who=None, **query):
        pages = stage.place.sites.pages
        above = next(one for one in (path, *heads(path)) if one in pages)
        page, rest = pages[above], path.removeprefix(above.removesuffix("{rest}"))
        who = who or Who(address="203.0.113.9", exempt=True)
        return packed(await page(PageRequest(posts=False, query=query, rest=rest, who=who)))

    return asked


@pytest.fixture
def play(stage):
    """Return a function that plays a Tally to its end and returns its number; everyone makes the first move."""

    async def played(*people, options="", opening=None):
        people = people or ("Ann", "bob")
        await stage.type(people[0], opening or f"/new tally max=3 first-dealer=host {options}")
        number = max(stage.open_tables)
        if opening is None:
            for name in people[1:]:
                await stage.type(name, f"/sit {number}")
            await stage.type(people[0], f"/at {number} start")
        await finish(stage, number)
        return number

    return played


def heads(path):
    """Yield the patterns that a path may fit, the longest first."""
    while path := path.rpartition("/")[0]:
        yield f"{path}/{{rest}}"


async def finish(stage, number):
    while number in stage.open_tables:
        bot = stage.table(number)
        seat = next(seat for seat in range(len(bot.table.seats)) if bot.table.moves(seat))
        line = bot.table.game.spell(bot.questions.offered(seat)[0])
        await stage.type(bot.table.seats[seat].name, f"/at {number} {line}")
