"""Bots cannot cheat: changes behind the view of their seat never change their move.

The second world of each game is written from its rules, never from `view` or `sample`. View, luck and budget are the
same in both worlds. Every run tries 200 positions of each game, and 10,000 with `--slow`.
"""

from __future__ import annotations

import io
import itertools
import pickle

import pytest

from lilygames.game import Budget, Thinker
from lilygames.games import games
from lilygames.gametest.plays import luck_of
from lilygames.testing import play
from tests.games.worlds import OURS

HIDE = OURS
GAMES = games()
LEVELS = [(name, level) for name in HIDE for level in GAMES[name].players]
SMALL = Budget(60)
FEWER = {("lilypoker", "shark"): 50}
"""Positions tried at every run for bots that think for long; 200 for all others."""


def test_every_game_with_bots_is_tested():
    assert {name for name, game in GAMES.items() if game.players} == set(HIDE)


def places(name):
    """Yield a state, a seat that has a choice, and a state that differs only in what that seat cannot know."""
    game = GAMES[name]
    for seed in itertools.count():
        seats = game.rules.SEATS[seed % min(5, len(game.rules.SEATS))]
        purses = [game.purse.brings(game.rules.Options(), game.purse.first)] * seats if game.purse else ()
        for number, turn in enumerate(play(game, seats, None, seed, purses=purses)):
            for seat in range(seats):
                if len(game.rules.moves(turn.state, seat)) > 1:
                    other = HIDE[name](turn.state, seat, luck_of(seed, number, "hide"))
                    if other != turn.state:
                        yield turn.state, seat, other


def move(name, level, state, seat):
    """Return the move of a bot with a small budget and the luck of this position."""
    rules, strategy = GAMES[name].rules, GAMES[name].players[level]
    if isinstance(strategy, Thinker):
        strategy = Thinker(strategy.decide, SMALL)
    return strategy(rules.view(state, seat), rules.moves(state, seat), luck_of(1, seat, "house"))


def differing(name, level, number):
    """Return the positions, of this many, in which the two worlds make a difference."""
    tried = itertools.islice(places(name), number)
    return [place for place in tried if move(name, level, *place[:2]) != move(name, level, place[2], place[1])]


@pytest.mark.parametrize(("name", "level"), LEVELS)
def test_bot_makes_the_same_move_in_states_it_cannot_tell_apart(name, level):
    assert [] == differing(name, level, FEWER.get((name, level), 200))


ADVISED = [name for name in HIDE if GAMES[name].advise]


def advised(name, state, seat):
    """Return the advice for a seat, with a small budget and the luck of this position."""
    game = GAMES[name]
    adviser = Thinker(game.advise.decide, SMALL)
    return adviser(game.rules.view(state, seat), game.rules.moves(state, seat), luck_of(1, seat, "hint"))


@pytest.mark.parametrize("name", ADVISED)
def test_hint_and_its_reason_are_alike_in_worlds_that_a_seat_cannot_tell_apart(name):
    tried = [*itertools.islice(places(name), FEWER.get((name, "shark"), 100))]
    hints = [(advised(name, state, seat), advised(name, other, seat)) for state, seat, other in tried]

    assert [(here.move, here.sentence) for here, _ in hints] == [(there.move, there.sentence) for _, there in hints]


@pytest.mark.parametrize("name", [name for name in HIDE if GAMES[name].judge])
def test_move_is_judged_alike_in_worlds_that_its_seat_cannot_tell_apart(name):
    rules, judge = GAMES[name].rules, Thinker(GAMES[name].judge.decide, SMALL)
    for state, seat, other in itertools.islice(places(name), 50):
        moves = rules.moves(state, seat)
        here, there = (judge(rules.view(world, seat), moves[::-1], luck_of(1, seat)) for world in (state, other))

        assert (here.move, here.sentence) == (there.move, there.sentence)


@pytest.mark.parametrize("name", ADVISED)
def test_hint_is_a_legal_move_with_one_sentence(name):
    for state, seat, _ in itertools.islice(places(name), 50):
        advice = advised(name, state, seat)

        assert advice.move in GAMES[name].rules.moves(state, seat)
        assert advice.sentence.endswith(".")
        assert "{" not in advice.sentence


@pytest.mark.slow
@pytest.mark.parametrize(("name", "level"), LEVELS)
def test_bot_does_so_in_ten_thousand_positions(name, level):
    assert [] == differing(name, level, 10_000)


def packed(value):
    """Return the data sent to a worker, with each part written out every time."""
    packed = io.BytesIO()
    pickler = pickle.Pickler(packed)
    pickler.fast = True
    pickler.dump(value)
    return packed.getvalue()


@pytest.mark.parametrize("name", HIDE)
def test_worker_gets_only_what_the_seat_may_know(name):
    """View and moves arrive unchanged, byte for byte the same from both worlds, without anything hidden."""
    rules = GAMES[name].rules
    for state, seat, other in itertools.islice(places(name), 50):
        here, there = ((rules.view(world, seat), rules.moves(world, seat)) for world in (state, other))

        assert here == pickle.loads(pickle.dumps(here))
        assert packed(here) == packed(there)


@pytest.mark.parametrize(("name", "level"), [(name, "shark") for name in ("ohell", "wizard") if name in HIDE])
def test_other_luck_may_give_another_move(name, level):
    """This shows that luck matters, so the tests above can fail."""
    rules, strategy = GAMES[name].rules, Thinker(GAMES[name].players[level].decide, SMALL)
    differs = 0
    for state, seat, _ in itertools.islice(places(name), 100):
        view, moves = rules.view(state, seat), rules.moves(state, seat)
        differs += strategy(view, moves, luck_of(1, 1)) != strategy(view, moves, luck_of(2, 1))

    assert differs
