"""Find the game that a person means, by the names that each installed game declares."""

import pytest

from lilygames.errors import UserError
from lilygames.games import games
from lilygames.tables.open.game_names import NoSuchGame, find_game, squeezed
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
def test_game_is_found_by_its_common_names(word):
    installed(CALLED[word])

    assert CALLED[word] == find_game(games(), word).name


@pytest.mark.parametrize(("slip", "meant"), [("wizrad", "wizard"), ("ohelll", "ohell"), ("lilipoker", "lilypoker")])
def test_typo_suggests_the_game_that_is_meant(slip, meant):
    installed(meant)
    with pytest.raises(NoSuchGame) as no:
        find_game(games(), slip)

    assert meant in no.value.near


def test_beginning_of_several_names_lists_them_all():
    installed("liarsdice", "liarslair", "liarspoker")
    with pytest.raises(NoSuchGame) as no:
        find_game(games(), "liars")

    assert ("liarsdice", "liarslair", "liarspoker") == no.value.near
    assert isinstance(no.value, UserError)


def test_no_two_games_share_a_name():
    """Otherwise the order of the games would decide."""
    names = [
        squeezed(name)
        for game in games().values()
        for name in {squeezed(name) for name in (game.name, game.title, *game.other_names)}
    ]

    assert len(names) == len(set(names))


@pytest.mark.parametrize("name", games())
def test_every_game_says_in_a_few_words_how_it_is_played(name):
    game = games()[name]

    assert 0 < len(game.tagline) <= 32
    assert 0 < game.minutes <= 15
