"""The front page without scripts: the games, and the lists of the lobby as they are now."""

import gzip

import pytest

from lilygames.edge.web.pages import PageRequest
from lilygames.games import games
from lilygames.gametest.stage import Stage
from lilygames.limits.quota import Who
from lilygames.sites.lobby import coming, company, entitled


@pytest.fixture
async def stage():
    stage = await Stage.open(games())
    for name in ("Olga", "bob"):
        stage.enter(name)
    return stage


async def front(stage):
    """Return the HTML of `/`, for an address without quotas."""
    who = Who(address="203.0.113.9", exempt=True)
    answer = await stage.place.sites.pages["/"](PageRequest(posts=False, who=who))
    return gzip.decompress(answer.packed).decode()


async def test_front_page_has_all_games_with_pictures(stage):
    page = await front(stage)

    assert 7 <= sum("Play" in row for row in page.splitlines())
    assert {f'data-line="/quick {name}"' for name in games()} == {
        f'data-line="/quick {name}"' for name in games() if f'data-line="/quick {name}"' in page
    }
    assert 7 == page.count('class="sample"')
    assert "<!--" not in page


async def test_front_page_names_people_to_join_and_to_watch(stage):
    await stage.type("Olga", "/quick ohell seats=3")
    page = await front(stage)

    assert "bob and Olga are here." in page
    assert "<b>Olga</b> plays" in page
    assert 'data-line="/sit 1"' in page
    assert 'data-line="/watch 1"' in page


async def test_empty_place_has_no_zero_and_no_empty_list():
    stage = await Stage.open(games())
    page = await front(stage)

    assert "Bots take the empty seats, so you get your first turn in seconds." in page
    assert 'data-filled="playing" hidden' in page
    assert 'data-filled="coming" hidden' in page
    assert "Pick a game: others can take a bot's seat" in page
    assert not [row for row in page.splitlines() if " 0 " in row and "<path" not in row]


async def test_front_page_names_no_private_table(stage):
    await stage.type("Olga", "/quick ohell private=on")
    page = await front(stage)

    assert 'data-line="/sit' not in page
    assert 'data-line="/watch' not in page


def test_words_of_people_are_text():
    """A title of an event can't become an element of the page."""
    title = "<script>alert(1)</script>"
    event = {"kind": "event", "number": 1, "title": title, "by": "bob", "at": 1, "joined": 2, "mine": False}
    shown = str(coming({**event, "game": None, "state": "open"}, {}))

    assert "<script>" not in shown
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in shown


@pytest.mark.parametrize(
    ("event", "title"),
    [
        ({"game": "liedie", "title": "liedie-arena", "by": ""}, "Lie Die Arena"),
        ({"game": "liedie", "title": "liedie-arena", "by": "bob"}, "Lie Die: liedie-arena"),
        ({"game": None, "title": "Ohell night", "by": "bob"}, "Ohell night"),
    ],
)
def test_tournament_of_the_place_is_called_after_its_game(event, title):
    assert title == entitled(event, {"liedie": "Lie Die"})


async def test_page_is_kept_for_five_seconds(stage):
    before = await front(stage)
    await stage.type("Olga", "/quick ohell seats=3")

    assert before == await front(stage)


@pytest.mark.parametrize(
    ("who", "people", "sentence"),
    [
        ((), 0, "Bots take the empty seats, so you get your first turn in seconds."),
        (("ann",), 1, "ann is here. A bot takes any seat that nobody wants."),
        (("ann", "bob"), 2, "ann and bob are here. A bot takes any seat that nobody wants."),
        (("ann", "bob", "cat"), 9, "ann, bob, cat and 6 others are here. A bot takes any seat that nobody wants."),
    ],
)
def test_sentence_says_who_is_here(who, people, sentence):
    assert sentence == company(who, people)
