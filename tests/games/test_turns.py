"""A turn as a value: what each game says of it in every phase, for page and reader mode alike."""

import random

import pytest

from lilygames.game import Reader
from lilygames.games import games
from lilygames.tables.sight.menu import Menu
from lilygames.text import Voice
from lilygames_rules.kit import KeyedLuck

NAMES = ("Winifred", "Ada", "Max", "Catharina Maria X", "bartholomew", "Ida")
EYES, EARS = Voice(suits="symbols"), Voice(spoken=True)


def turns(game, seats, seed):
    """Yield each turn of a game that is played at random, mostly by the moves that the game offers."""
    rules, pick, luck = game.rules, random.Random(seed), KeyedLuck(b"turns %d" % seed)
    state = rules.start(seats, game.quick_options or rules.Options(), (100,) * seats if game.purse else (), luck).state
    for _ in range(150):
        asked = [seat for seat in range(seats) if len(rules.moves(state, seat))]
        if not asked:
            return
        seat = asked[0]
        view, moves = rules.view(state, seat), rules.moves(state, seat)
        yield view, moves, seat
        offered = [move for move in Menu.of(game, view, moves).offers if move is not None]
        move = pick.choice(offered if offered and pick.random() < 0.8 else moves)
        state = rules.apply(state, seat, move, luck).state


def played(name):
    """Return the turns of some games of a kind, each with the turn as it is shown and as it is read aloud."""
    game = games()[name]
    return [
        (view, moves, *(game.asks(view, moves, Reader(seat, NAMES[:seats], voice)) for voice in (EYES, EARS)))
        for seats in (3, 4, 6)
        for seed in range(3)
        for view, moves, seat in turns(game, seats, seed)
    ]


@pytest.fixture(scope="module", params=sorted(games()))
def shown(request):
    """The turns of a game."""
    return request.param, played(request.param)


def test_every_turn_has_a_question_and_choices(shown):
    _, found = shown

    assert found
    assert all(turn.question and turn.choices for _, _, turn, _ in found)


def test_choices_are_legal_moves_with_the_numbers_of_the_menu(shown):
    name, found = shown
    game = games()[name]

    for view, moves, turn, _ in found:
        menu = Menu.of(game, view, moves)
        for choice in turn.choices:
            assert choice.move in moves
            assert menu.move(choice.number) == choice.move


def test_turn_read_aloud_has_the_same_parts(shown):
    _, found = shown

    for _, _, turn, aloud in found:
        assert [choice.move for choice in turn.choices] == [choice.move for choice in aloud.choices]
        assert len(turn.facts) == len(aloud.facts)
