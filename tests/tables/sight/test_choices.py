"""Legal moves in parts: people put them together part by part, and a graph has exactly the legal ones."""

from itertools import product

import pytest

from lilygames.chat.host import packets
from lilygames.gametest.stage import Stage
from lilygames.tables.sight import choices
from lilygames.testing import play
from tests.schemas import misfits
from tests.toys import ALL

STATES = 12


def moves_in(nodes, at=0):
    """Yield the moves of a graph, in parts."""
    ends, parts = nodes[at]
    if ends:
        yield ()
    for part, behind in parts:
        yield from ((part, *more) for more in moves_in(nodes, behind))


def test_graph_has_the_moves_that_it_was_made_of():
    moves = [("roll", "all"), ("claim", "pair"), ("claim", "pair", "Q"), ("claim", "pair", "K"), ("pass",)]

    assert sorted(moves) == sorted(moves_in(choices.graph(moves)))


def test_equal_parts_of_the_graph_are_one():
    moves = [("bid", *rest) for rest in product(map(str, range(30)), ("ones", "twos", "threes"))]

    assert 4 == len(choices.graph(moves))


def test_moves_begin_at_the_first_node():
    assert (False, (("pass", 1),)) == choices.graph([("pass",)])[0]


def test_no_moves_are_one_empty_node():
    assert [(False, ())] == choices.graph([])


@pytest.mark.parametrize("name", ["liarsdice", "liedie", "liarspoker", "lilypoker", "ohell"])
def test_graph_of_a_game_has_all_legal_moves_that_have_parts(name):
    game = ALL[name]
    for turn in [turn for turn in play(game, 3, seed=5) if turn.move is not None][:STATES]:
        moves = game.rules.moves(turn.state, turn.seat)
        expected = sorted(set(map(tuple, choices.in_parts(game, moves))))

        assert expected == sorted(moves_in(choices.graph(choices.in_parts(game, moves))))


@pytest.fixture
async def stage():
    stage = await Stage.open({"liarsdice": ALL["liarsdice"]})
    for name in ("ann", "bob", "cat"):
        stage.enter(name).takes_packets = True
    await stage.type("ann", "/new liarsdice")
    await stage.type("bob", "/sit 1")
    await stage.type("ann", "/start")
    return stage


def choices_sent(screen):
    return [packet.value for packet in screen.packets if packet.name == "choices"]


async def test_player_gets_the_choices_at_a_table(stage):
    (mover,) = stage.table(1).table.to_move
    name = stage.table(1).table.names[mover]

    assert None is packets.got(stage.host, stage.people[name], "choices", 1)
    (value,) = choices_sent(stage.screens[name])
    assert [] == [*misfits({"choices": value})]
    assert {"roll", "claim"} == {part for part, _ in value["nodes"][0][1:]}


async def test_spectator_gets_no_choices(stage):
    assert "not-found" == packets.got(stage.host, stage.people["cat"], "choices", 1).problem.code
    assert [] == choices_sent(stage.screens["cat"])
