"""Which game people mean: those that are installed, by the names that each declares."""

import pytest

from lilygames.errors import UserError
from lilygames.games import games
from lilygames.tables.game_names import NoSuchGame, find_game, squeezed
from tests.toys import installed

CALLED = {
    "poker": "lilypoker",
    "dice": "liarsdice",
    "lair": "liarslair",
    "oh hell": "ohell",
    "Liar's Poker": "liarspoker",
    "lie die": "liedie",
    "wiz": "wizard",
}


@pytest.mark.parametrize("word", CALLED)
def test_a_game_is_found_by_what_people_call_it(word):
    installed(CALLED[word])

    assert CALLED[word] == find_game(games(), word).name


@pytest.mark.parametrize(("slip", "meant"), [("wizrad", "wizard"), ("ohelll", "ohell"), ("lilipoker", "lilypoker")])
def test_a_slip_of_the_finger_names_the_game_that_is_meant(slip, meant):
    installed(meant)
    with pytest.raises(NoSuchGame) as no:
        find_game(games(), slip)

    assert meant in no.value.near


def test_the_beginning_of_several_names_names_them_all():
    installed("liarsdice", "liarslair", "liarspoker")
    with pytest.raises(NoSuchGame) as no:
        find_game(games(), "liars")

    assert ("liarsdice", "liarslair", "liarspoker") == no.value.near
    assert isinstance(no.value, UserError)


def test_no_two_games_are_called_alike():
    """Otherwise it would depend on their order which one is meant."""
    names = [
        squeezed(name)
        for game in games().values()
        for name in {squeezed(name) for name in (game.name, game.title, *game.other_names)}
    ]

    assert len(names) == len(set(names))


@pytest.mark.parametrize("name", games())
def test_every_game_says_in_a_few_words_what_one_does(name):
    game = games()[name]

    assert 0 < len(game.tagline) <= 32
    assert 0 < game.minutes <= 15
