"""Pages by subject: help, standings, tournaments, deals, and what search engines read."""

import gzip
import re

import attrs
import pytest

from lilygames.chat.accounts.identity import Identity
from lilygames.gametest.stage import SETTINGS, Stage
from lilygames.server.settings.config import Settings
from lilygames.sites import drawn
from lilygames.sites.topic import Topics
from lilygames.store.memory import MemoryStore
from tests.edge.web.javascript import PAGE
from tests.sites.conftest import ADDRESS
from tests.toys import ALL


def text(answer):
    return gzip.decompress(answer.packed).decode()


# help


async def test_every_help_page_has_a_page_with_all_its_words(stage):
    sites, pages = stage.place.sites, stage.host.pages
    topics = Topics(pages, sites.frame, {})
    for name in pages.rows:
        shown = re.sub(r"<[^>]+>", " ", sites.frame.page(topics.sheet(name)))
        words = re.findall(r"[a-zA-Z]{4,}", " ".join(pages.rows[name][1:]))
        missing = [word for word in words if word not in shown]
        assert ([], name) == (missing, name)


async def test_help_links_the_pages_that_it_names(ask):
    page = text(await ask("/help/tournament"))
    assert '<a href="/help/zone">/help zone</a>' in page.replace("/help\nzone", "/help zone") or "/help/zone" in page
    assert '<a href="/help/tournament-points">tournament-points</a>' in page or "/help/tournament-points" in page
    assert '<a href="/help/ratings">ratings</a>' in text(await ask("/help/topics"))


async def test_help_without_a_topic_is_the_first_page(ask):
    assert text(await ask("/help")) == text(await ask("/help/index"))


# standings


async def test_standings_name_the_best_and_link_those_who_have_a_page(stage, ask, play):
    await stage.type("bob", "/set page off")
    await play("Ann", "bob")
    page = text(await ask("/standings/tally"))
    assert '<a href="/u/Ann"><bdi>Ann</bdi></a>' in page
    assert "<bdi>bob</bdi>" in page
    assert "/u/bob" not in page


async def test_standings_of_no_game_are_not_found(ask):
    assert 404 == (await ask("/standings/chess")).status


# tournaments


@pytest.fixture
async def cup(stage, clock):
    """A tournament that Ann has planned and bob joined."""
    clock.now += 30 * 86400.0
    await stage.type("Ann", "/tournament new tally swiss rounds=2 start=in_30m name=cup")
    await stage.type("bob", "/tournament join cup")
    return 1


async def test_tournament_tells_its_players_and_when_it_begins(ask, cup):
    page = text(await ask("/tournament/1"))
    assert '<a href="/u/bob"><bdi>bob</bdi></a>' in page
    assert "Planned by <bdi>Ann</bdi>" in page
    assert "data-until=" in page
    assert '<a href="/tournament/1"><bdi>cup</bdi></a>' in text(await ask("/tournament"))


async def test_tournament_is_a_calendar_too(ask, cup):
    answer = await ask("/tournament/1.ics")
    rows = text(answer).split("\r\n")
    assert "text/calendar; charset=utf-8" == answer.kind
    assert ["BEGIN:VCALENDAR", "SUMMARY:cup", f"URL:{ADDRESS}/tournament/1"] == [
        row for row in rows if row.startswith(("BEGIN:VCAL", "SUMMARY", "URL"))
    ]
    assert all(len(row.encode()) <= 75 for row in rows)


async def test_tournament_that_never_was_is_not_found(ask):
    assert [404, 404] == [(await ask(path)).status for path in ("/tournament/7", "/tournament/7.ics")]


# deals


async def test_deal_of_today_shows_results_and_no_cards_or_links_until_it_has_ended(stage, ask, play, clock):
    clock.now += 30 * 86400.0  # accounts are old enough
    await play("Ann", opening="/daily tally")
    today = stage.tables.daily_deals.today.isoformat()
    page = text(await ask(f"/daily/tally/{today}"))
    assert "<bdi>Ann</bdi>" in page
    assert "/g/" not in page
    clock.now += 3 * 86400.0
    await stage.look("duplicate_watch")
    stage.place.sites.forget_person(Identity("", frozenset()))  # the page is kept for half a minute
    assert "/g/1" in text(await ask(f"/daily/tally/{today}"))


@pytest.mark.parametrize(
    "path", ["/daily/tally/2099-01-01", "/daily/tally/2001-02-31", "/daily/tally/2026-13-01", "/daily/chess"]
)
async def test_days_without_a_deal_are_not_found(ask, path):
    assert 404 == (await ask(path)).status


async def test_deal_without_a_date_leads_to_that_of_today(stage, ask):
    today = stage.tables.daily_deals.today.isoformat()
    assert f"/daily/tally/{today}" == (await ask("/daily/tally")).headers["Location"]


# search engines


async def test_robots_read_pages_but_no_positions(ask):
    rows = text(await ask("/robots.txt")).splitlines()
    assert {"Disallow: /g/*.json", "Disallow: /embed/", f"Sitemap: {ADDRESS}/sitemap.xml"} <= {*rows}


async def test_place_without_an_address_has_neither_sitemap_nor_previews():
    stage = await Stage.open(ALL, store=MemoryStore(), settings=attrs.evolve(SETTINGS, web_address=""))
    assert "og:" not in stage.place.sites.frame.page(
        Topics(stage.host.pages, stage.place.sites.frame, {}).sheet("ohell")
    )


def test_address_with_a_path_is_refused():
    about = attrs.fields(Settings).web_address.metadata["about"]
    assert not about.allows("https://example.org/games")
    assert about.allows("https://play.example.org")


# styles

SHARED = frozenset(
    "badge card die events face felt felted go hands replay row sample scroll skip soft steps top"
    " tint-0 tint-1 tint-2 tint-3 tint-4 tint-5".split()
)
"""The classes of the page for players that public pages use as they are there."""
SCOPED = frozenset("dot line off on".split())
"""Classes that are inside drawings."""


def classes(name):
    sheet = re.sub(r"/\*.*?\*/", "", (PAGE / name).read_text("utf-8"), flags=re.DOTALL)
    return {*re.findall(r"\.([a-zA-Z][\w-]*)", " ".join(part.rpartition("}")[2] for part in sheet.split("{")))}


def test_public_pages_and_the_page_for_players_share_no_class_by_accident():
    both = classes("site.css") & (classes("style.css") | classes("lobby.css"))
    assert set() == both - SHARED - SCOPED


# drawings


@pytest.mark.parametrize("values", [[20.0], [20.0, 20.0], [-300.0, 900.0, 5.0], [24.1, 24.2]])
def test_curve_stays_in_its_frame(values):
    shown = str(drawn.curve([*enumerate(values)], ("a", "b")))
    points = re.search(r'polyline points="([^"]+)"', shown)[1].split()
    assert all(0 <= float(x) <= 640 and 0 <= float(y) <= 190 for x, y in (point.split(",") for point in points))


@pytest.mark.parametrize("game", sorted(ALL))
def test_every_game_has_a_picture(game):
    assert "<svg" in str(drawn.sample(game)) or "slip" in str(drawn.sample(game))
