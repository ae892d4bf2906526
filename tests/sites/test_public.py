"""Tables that aren't public answer like those that never were, byte for byte. Public pages name nobody who is gone."""

import gzip
import json
import re

import attrs
import pytest

from lilygames.chat.accounts.identity import Identity
from lilygames.edge.web.pages import PageRequest
from lilygames.gametest.stage import SETTINGS, Stage
from lilygames.limits.quota import Who
from lilygames.tables.log.acts import Header
from lilygames.tables.state import visible
from tests.sites.conftest import finish
from tests.toys import TALLY

NEVER = 999
KINDS = ("/t/{}", "/g/{}", "/g/{}.json", "/embed/g/{}")
"""The addresses of a table."""
DAY = 86400.0


def text(answer):
    return gzip.decompress(answer.packed).decode()


def shown(answer, number):
    """Return everything that is sent, with the number that was asked for replaced."""
    body = text(answer).replace(f"/{number}", "/N")
    return answer.status, answer.kind, answer.keep, dict(answer.headers), answer.tag, body


def header(**fields):
    return Header(number=1, game="tally", version=1, room="tally", options={}, seal="", host="ann", **fields)


@pytest.mark.parametrize(
    ("fields", "opened", "public"),
    [
        ({}, False, True),
        ({"private": True}, False, False),
        ({"lesson": 1}, False, False),
        ({"lesson": 1, "private": True}, True, False),
        ({"duplicate": "d"}, False, False),
        ({"duplicate": "d", "private": True}, False, False),
        ({"duplicate": "d", "private": True}, True, True),
    ],
)
def test_table_is_public_unless_it_is_private_a_lesson_or_its_set_still_plays(fields, opened, public):
    assert public == visible.is_public(header(**fields), set_opened=opened)


@pytest.mark.parametrize("kind", KINDS)
async def test_private_table_answers_like_one_that_never_was_while_it_plays_and_after_it(stage, ask, kind):
    never = shown(await ask(kind.format(NEVER)), NEVER)
    await stage.type("Ann", "/new tally max=3 private=on bob")
    assert never == shown(await ask(kind.format(1)), 1)
    await stage.type("bob", "/sit 1")
    await stage.type("Ann", "/at 1 start")
    assert never == shown(await ask(kind.format(1)), 1)
    await finish(stage, 1)
    assert never == shown(await ask(kind.format(1)), 1)


@pytest.mark.parametrize("kind", KINDS)
async def test_daily_deal_answers_like_nothing_until_its_set_has_ended(stage, ask, play, clock, kind):
    never = shown(await ask(kind.format(NEVER)), NEVER)
    number = await play("Ann", opening="/daily tally")
    assert never == shown(await ask(kind.format(number)), number)
    clock.now += 3 * DAY
    await stage.look("duplicate_watch")
    after = await ask(kind.format(number))
    assert (302 if kind == "/t/{}" else 200) == after.status


@pytest.mark.parametrize("kind", KINDS)
async def test_table_that_was_closed_before_its_start_answers_like_nothing(stage, ask, kind):
    never = shown(await ask(kind.format(NEVER)), NEVER)
    await stage.type("Ann", "/new tally")
    await stage.type("Ann", "/close 1")
    assert never == shown(await ask(kind.format(1)), 1)


async def test_game_that_still_plays_has_no_page_of_a_finished_one(stage, ask):
    never = shown(await ask(f"/g/{NEVER}"), NEVER)
    await stage.type("Ann", "/new tally max=3")
    await stage.type("bob", "/sit 1")
    await stage.type("Ann", "/at 1 start")
    assert never == shown(await ask("/g/1"), 1)


async def test_game_may_stand_in_frames_of_the_sites_that_the_sysop_allows(ask, play):
    await play()
    policy = (await ask("/embed/g/1")).headers["Content-Security-Policy"]
    assert "default-src 'self'; frame-ancestors *; base-uri 'none'; form-action 'none'" == policy
    assert "Content-Security-Policy" not in (await ask("/g/1")).headers


async def test_no_game_stands_in_a_frame_unless_the_sysop_allows_sites(store, clock):
    stage = await Stage.open(TALLY, store=store, clock=clock)
    for name in ("Ann", "bob"):
        stage.enter(name)
    await stage.type("Ann", "/new tally max=3")
    await stage.type("bob", "/sit 1")
    await stage.type("Ann", "/at 1 start")
    await finish(stage, 1)
    page = stage.place.sites.pages["/embed/g/{rest}"]
    found = [await page(PageRequest(posts=False, rest=number)) for number in ("1", "999")]
    assert [404, 404] == [one.status for one in found]
    assert found[0] == found[1]


async def test_browsers_keep_names_for_a_minute_at_most(ask, play):
    await play()
    for path in ("/g/1", "/g/1.json", "/embed/g/1"):
        assert "public, max-age=60" == (await ask(path)).headers["Cache-Control"]


async def test_game_that_was_uninstalled_has_no_page(stage, ask, play, store, clock):
    await play()
    settings = attrs.evolve(SETTINGS, embed_sites="*")
    without = await Stage.open({}, store=store, clock=clock, settings=settings)
    for path, rest in (("/g/{rest}", "1"), ("/g/{rest}", "1.json"), ("/t/{rest}", "1"), ("/embed/g/{rest}", "1")):
        page = without.place.sites.pages[path]
        found = [await page(PageRequest(posts=False, rest=one)) for one in (rest, rest.replace("1", "999"))]
        assert found[0] == found[1]


@pytest.mark.parametrize(
    "path", ["/t/x", "/t/0", "/t/01", "/g/", "/g/1.html", "/g/1234567890", "/u/.", "/u/a b", "/help/x"]
)
async def test_addresses_of_another_shape_are_not_found(ask, path):
    assert 404 == (await ask(path)).status


# open tables


async def test_public_table_tells_its_players_until_its_game_has_a_page(stage, ask, play):
    await stage.type("Ann", "/new tally")
    open_ = await ask("/t/1")
    assert re.search(r"Ann plays: \d+ of \d+ seats free. Join or watch.", text(open_))
    assert 5 == open_.keep
    number = await play("bob", "cat")
    over = await ask(f"/t/{number}")
    assert (302, f"/g/{number}") == (over.status, over.headers["Location"])


async def test_table_page_that_is_asked_for_too_often_is_the_page_without_facts(stage, ask):
    await stage.type("Ann", "/new tally")
    stranger = Who(address="198.51.100.7")
    found = [await ask(f"/t/{number}", stranger) for number in (NEVER, 998, 1, 997)]
    assert {200} == {one.status for one in found}
    assert 1 == len({one.packed for one in found})


# finished games


async def test_finished_game_has_its_result_in_title_and_previews(ask, play):
    await play()
    page = text(await ask("/g/1"))
    assert "<title>bob beats Ann - lilygames</title>" in page or "<title>Ann beats bob - lilygames</title>" in page
    assert 'property="og:title"' in page
    assert 'content="https://play.example.org/g/1"' in page
    assert "style=" not in page


async def test_positions_come_in_parts_of_25_without_a_login(ask, play):
    await play()
    first = json.loads(text(await ask("/g/1.json")))
    again = json.loads(text(await ask("/g/1.json", **{"from": "7"})))
    rest = json.loads(text(await ask("/g/1.json", **{"from": "27"})))
    assert [*range(1, 26)] == [step["step"] for step in first["steps"]]
    assert [*range(26, first["count"] + 1)] == [step["step"] for step in rest["steps"]]
    assert first == again
    assert 404 == (await ask("/g/1.json", **{"from": "500"})).status
    assert 404 == (await ask("/g/1.json", **{"from": "x"})).status


async def test_renamed_player_has_the_new_name_on_old_games(stage, ask, play):
    await play()
    await stage.type("Ann", "/rename Annika")
    stage.place.sites.forget_person(Identity("", frozenset()))  # the page is kept for some minutes
    assert "Annika" in text(await ask("/g/1"))


async def test_guest_is_named_but_not_linked(stage, ask, play):
    await play("whim", "bob")
    page = text(await ask("/g/1"))
    assert "whim" in page
    assert "/u/whim" not in page
    assert "/u/bob" in page


async def test_guests_game_is_not_linked_to_an_account_that_took_the_name_later(stage, ask, play, clock):
    await play("whim", "bob")
    stage.drop("whim")
    clock.now += 60
    await stage.create_account("whim", "plums and pears")
    assert "/u/whim" not in text(await ask("/g/1"))


# people


async def test_page_of_someone_tells_ratings_and_games(ask, play):
    await play()
    answer = await ask("/u/Ann")
    page = text(answer)
    assert (200, 30) == (answer.status, answer.keep)
    assert '<a href="/g/1">Tally</a>' in page
    assert 'name="robots" content="noindex"' in page


async def test_private_games_are_not_on_someones_page(stage, ask):
    await stage.type("Ann", "/new tally max=3 private=on bob")
    await stage.type("bob", "/sit 1")
    await stage.type("Ann", "/at 1 start")
    assert "table 1" not in text(await ask("/u/Ann"))
    await finish(stage, 1)
    assert "/g/1" not in text(await ask("/u/bob"))


async def test_page_can_be_turned_off_at_once_and_is_then_like_nobodys(stage, ask):
    nobody = shown(await ask("/u/nobody"), NEVER)
    assert 200 == (await ask("/u/Ann")).status
    await stage.type("Ann", "/set page off")
    assert nobody == shown(await ask("/u/Ann"), NEVER)
    await stage.type("Ann", "/set page here")
    assert 200 == (await ask("/u/Ann")).status


async def test_page_that_is_off_is_not_linked_from_games(stage, ask, play):
    await stage.type("Ann", "/set page off")
    await play()
    page = text(await ask("/g/1"))
    assert "/u/Ann" not in page
    assert "/u/bob" in page


async def test_guest_has_no_page(ask):
    assert shown(await ask("/u/nobody"), NEVER) == shown(await ask("/u/whim"), NEVER)


async def test_old_name_and_other_capitals_lead_to_the_present_name(stage, ask):
    await stage.type("Ann", "/rename Annika")
    for name in ("Ann", "ann", "annika"):
        answer = await ask(f"/u/{name}")
        assert (301, "/u/Annika") == (answer.status, answer.headers["Location"])
    assert 200 == (await ask("/u/Annika")).status


async def test_deleted_account_is_gone_at_once_under_all_its_names(stage, ask, play):
    await play()
    await stage.type("Ann", "/rename Annika")
    assert 200 == (await ask("/u/Annika")).status
    assert "Annika" in text(await ask("/g/1"))
    nobody = shown(await ask("/u/nobody"), NEVER)
    await stage.deletions.delete("Annika")
    assert [nobody, nobody] == [shown(await ask(f"/u/{name}"), NEVER) for name in ("Annika", "Ann")]
    page = text(await ask("/g/1"))
    assert "former player" in page
    assert "Ann" not in page


async def test_only_those_who_want_it_are_in_the_sitemap(stage, ask):
    await stage.type("Ann", "/set page all")
    page = text(await ask("/u/Ann"))
    assert "noindex" not in page
    sitemap = text(await ask("/sitemap.xml"))
    assert "<loc>https://play.example.org/u/Ann</loc>" in sitemap
    assert "/u/bob" not in sitemap


async def test_page_never_lists_friends(stage, ask):
    await stage.type("Ann", "/friend cat")
    assert "cat" not in text(await ask("/u/Ann"))


async def test_words_in_addresses_never_come_back_as_markup(ask):
    for path in ("/u/<b>", "/help/<b>", "/standings/<b>"):
        assert "<b>" not in text(await ask(path))


async def test_nobody_posts_to_a_page(stage):
    answer = await stage.place.sites.pages["/help"](PageRequest(posts=True))
    assert 405 == answer.status
