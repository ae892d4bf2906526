"""Nobody is sent a secret: two worlds that an observer cannot tell apart give the same output.

The worlds are whole games, each played at a table of its own server. Everything sent to a seat and a spectator from the
first card on is compared byte for byte. That means events, answers, refusals, logs, reviews, replays, completion,
packets, GMCP, and the lines after a reconnect. Half of the tables are private, and the spectator is a guest.
"""

import random

import attrs
import pytest

from lilygames.games import games
from lilygames.tables.log import options
from tests.secrecy.known import KNOWN
from tests.secrecy.watching import first_difference, scripted, watched
from tests.secrecy.worlds import another, cut, played

GAMES = {name: game for name, game in games().items() if name in KNOWN}
VARIANTS = {
    "ohell": ("max=4", "max=7 hook=off"),
    "wizard": ("", "style=german"),
    "liarsdice": tuple(f"max-rounds=4 passing=next reveal={which}" for which in ("opener", "always", "never")),
    "liedie": ("games=4", "games=4 truth=atleast"),
    "liarspoker": ("hands=2", "hands=2 reveal=numbers", "hands=2 numbers=bills choose=manual"),
    "liarslair": ("each=2", "each=3 knockout=gift", "each=2 characters=secret", "each=2 marks=assist spare=3"),
    "lilypoker": ("hands=3", "hands=3 variant=stud7", "hands=3 variant=holdem showdown=ask"),
}
"""Options that make the games short, and different."""
HIDES_FOR_EVER = ("liarsdice", "liedie", "liarspoker", "liarslair", "lilypoker")
"""Games with secrets that outlast the end."""
SEATS = (0, 1, 2, None)
WHOLE, LONG = 200, 50
"""The most moves of a game played to its end, and of one observed in progress."""
ATTEMPTS = 60


async def difference(name, number, *, finished=False, page=False, games=GAMES):
    """Return where the worlds of that number differ for an observer, and the output of the first of them."""
    game, seat, words = games[name], SEATS[number % len(SEATS)], VARIANTS[name][number % len(VARIANTS[name])]
    broken_off = finished and (name not in HIDES_FOR_EVER or number % 2 == 1) and not game.joins
    here, there = worlds(game, seat, words, f"{name} {number}", to_the_end=finished and not broken_off)
    opened = f"{words} seal={'closed' if finished else 'open'}"
    private = number % 4 in (1, 2)
    script = scripted(here, seat, here.seed, opened, page=page, broken_off=broken_off, private=private)
    sent = await watched(here, script)
    return first_difference(sent, await watched(there, script)), sent, here


def worlds(game, seat, words, seed, *, to_the_end):
    """Return two plays that a seat cannot tell apart: whole games, or games in progress."""
    chosen, _ = options.read(game, words.split())
    for attempt in range(ATTEMPTS):
        whole = played(game, chosen, f"{seed} {attempt}", WHOLE if to_the_end else LONG)
        here = whole if to_the_end else cut(whole, random.Random(seed).randrange(len(whole.moves)))
        there = another(here, seat)
        if here.states != there.states and (here.over or not to_the_end):
            return here, there
    raise AssertionError(f"no two worlds were found that seat {seat} of {game.name} cannot tell apart ({words})")


@pytest.mark.parametrize("name", GAMES)
async def test_running_table_looks_the_same_in_two_worlds(name):
    for number in range(4):
        apart, sent, play = await difference(name, number)

        assert apart == ""
        assert not any(play.secret.hex() in row for row in sent)


@pytest.mark.parametrize("name", GAMES)
async def test_finished_table_whose_seal_stays_closed_looks_the_same_in_two_worlds(name):
    for number in range(4):
        apart, sent, play = await difference(name, number, finished=True)

        assert apart == ""
        assert not any(play.secret.hex() in row for row in sent)


@pytest.mark.parametrize("name", GAMES)
async def test_page_looks_the_same_in_two_worlds(name):
    """Its tables, updates and pictures are the same bytes, live and after a break, for each seat and a spectator."""
    for number in range(4):
        apart, sent, play = await difference(name, number, page=True, finished=number % 2 == 1)

        assert apart == ""
        assert any('"picture":{"is"' in row or '"facts":[' in row for row in sent)
        assert not any(play.secret.hex() in row for row in sent)


@pytest.mark.parametrize("name", GAMES)
async def test_television_of_a_party_shows_the_same_in_two_worlds(name):
    """It gets each update, and nothing else."""
    for number in (3, 7):
        game, words = GAMES[name], VARIANTS[name][number % len(VARIANTS[name])]
        here, there = worlds(game, None, words, f"television {name} {number}", to_the_end=False)
        script = scripted(here, None, here.seed, f"{words} seal=open", page=True, party=True)
        script = attrs.evolve(script, looks=dict.fromkeys(script.looks, ()))
        sent = await watched(here, script)

        assert first_difference(sent, await watched(there, script)) == ""
        assert any('"update"' in row for row in sent)
        assert not any(here.secret.hex() in row for row in sent)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
async def test_two_hundred_games_look_the_same_in_two_worlds(name):
    """A hundred are running, a hundred are finished."""
    for number in range(4, 104):
        for finished in (False, True):
            assert ("", number, finished) == ((await difference(name, number, finished=finished))[0], number, finished)
