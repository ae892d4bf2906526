"""News of the place for pages that show the lobby: what has changed, each part once, and only to them."""

import pytest

from lilygames.games import games
from lilygames.gametest.stage import Stage
from lilygames.server.place.place_news import STRANGERS
from lilygames.server.place.top_ranks import TopRanks
from tests.schemas import misfits


@pytest.fixture
async def stage():
    stage = await Stage.open({"ohell": games()["ohell"]})
    for name in ("Ann", "bob"):
        stage.enter(name)
    return stage


def opened(stage, name):
    """Let someone's page show the lobby."""
    screen = stage.screens[name]
    screen.page = screen.takes_packets = True
    screen.user.follow_place(on=True)
    screen.packets[:] = []
    return screen


def told(stage, screen):
    """Let a second pass; return what someone is told, which fits the schema."""
    stage.place.noticeboard.news.tell()
    found, screen.packets[:] = [packet for packet in screen.packets if packet.name == "place_update"], []
    assert [] == [misfit for packet in found for misfit in misfits({packet.name: packet.value})]
    return [packet.value for packet in found]


async def test_lobby_is_told_what_has_changed_and_nothing_else(stage):
    screen = opened(stage, "Ann")
    assert [] == told(stage, screen)
    await stage.type("bob", "/quick ohell seats=3")
    (news,) = told(stage, screen)

    assert {"waiting", "playing"} == {*news}
    assert [] == told(stage, screen)


async def test_whole_value_is_what_asking_again_would_give(stage):
    screen = opened(stage, "Ann")
    await stage.type("bob", "/quick ohell seats=3")
    stage.enter("cat")
    (news,) = told(stage, screen)
    now = stage.host.notices.facts("Ann")

    assert news == {key: now[key] for key in news}
    assert ["Ann", "bob", "cat"] == news["who"]


async def test_page_that_shows_a_table_is_told_nothing(stage):
    screen = opened(stage, "Ann")
    screen.user.follow_place(on=False)
    await stage.type("bob", "/quick ohell")

    assert [] == told(stage, screen)


async def test_slow_reader_is_told_later_and_once(stage):
    screen = opened(stage, "Ann")
    screen.keeps_up = False
    await stage.type("bob", "/quick ohell seats=3")
    assert [] == told(stage, screen)
    await stage.type("bob", "/leave")
    screen.keeps_up = True

    assert [] == told(stage, screen)  # by now everything is as it was


async def test_friends_are_told_to_their_owner_only(stage):
    await stage.accounts.create("cat", "plums and pears", guest=False)
    stage.enter("cat")
    await stage.accounts.create("Ann", "plums and pears", guest=False)
    await stage.type("Ann", "/friend add cat")
    mine, others = opened(stage, "Ann"), opened(stage, "bob")
    before = stage.host.notices.facts("Ann")["friends"]
    stage.drop("cat")

    assert ["cat"] == before
    assert [[]] == [news["friends"] for news in told(stage, mine)]
    assert all("friends" not in news for news in told(stage, others))


async def test_stranger_is_told_now_and_then(stage):
    """Bytes before the login are counted, so a stranger is told at every fifth look."""
    screen = stage.screens["bob"]
    screen.page = screen.takes_packets = True
    stage.host.notices.follow(screen, stage.host.notices.facts())
    screen.packets[:] = []
    stage.enter("cat")
    looks = [told(stage, screen) for _ in range(STRANGERS)]

    assert 1 == len([news for look in looks for news in look])


async def test_top_of_a_ranking_is_left_out_while_too_few_are_ranked(stage):
    top = TopRanks(("ohell",), stage.tables.results.ratings)
    await top.look()
    assert top.facts is None
    kind = "ohell 3-4"
    await stage.tables.results.ratings.rate(kind, 1, {"Ann": 1, "bob": 2, "cat": 3})
    await top.look()

    assert ("ohell", "3-4") == (top.facts["game"], top.facts["seats"])
    assert ["Ann", "bob", "cat"] == [name for name, _ in top.facts["rows"]]
