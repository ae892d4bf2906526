"""The page offers widgets that follow from the graph of legal moves, and they make legal moves only."""

import random

import pytest

from lilygames.tables.sight import choices
from lilygames.testing import play
from lilygames_rules.lilypoker import Options as PokerOptions
from tests.edge.web.javascript import needs_node, run
from tests.toys import ALL

pytestmark = needs_node
SCRIPT = """
import { Graph, amounts, keysOf, marked, moveOf, places, sharedVerb, steps, widgetOf } from "./choices.js";
const graph = input.nodes && new Graph(input);
const output = %s;
"""
DICE = [f"#{place}" for place in range(1, 6)]


@pytest.fixture
def page(tmp_path):
    """Return a function that evaluates an expression over the page's choices."""
    return lambda expression, value: run(tmp_path, SCRIPT % expression, value)


def graph(moves, heads=None):
    nodes = [[ends, *map(list, parts)] for ends, parts in choices.graph(moves)]
    return {"nodes": nodes, "heads": heads or {}}


def words(*moves):
    return graph([move.split() for move in moves])


def of_game(name, wanted, seed=1, options=None):
    """Return the graph of the first turn with a legal move of these words, and its typed moves."""
    game = ALL[name]
    purses = (100,) * 3 if game.purse else ()
    for turn in play(game, 3, options, seed=seed, purses=purses):
        for seat in range(3):
            moves = [*choices.in_parts(game, game.rules.moves(turn.state, seat))]
            if any(parts[: len(wanted)] == wanted for parts in map(tuple, moves)):
                heads = {verb: [*names] for verb, names in game.parts.heads.items()} if game.parts else {}
                return graph(moves, heads), {" ".join(parts) for parts in moves}
    raise AssertionError(wanted)


@pytest.mark.parametrize(
    ("name", "wanted", "things", "widget"),
    [
        ("liarsdice", ("roll",), DICE, "marks"),
        ("liarsdice", ("claim",), DICE, "parts"),
        ("liarsdice", ("accept",), DICE, "simple"),
        ("liedie", ("claim",), DICE, "parts"),
        ("liarspoker", ("bid",), [], "parts"),
        ("liarspoker", ("challenge",), [], "simple"),
        ("ohell", ("bid",), [], "numbers"),
    ],
)
def test_widget_follows_from_the_legal_moves(page, name, wanted, things, widget):
    moves, _ = of_game(name, wanted)

    assert widget == page(f"widgetOf(graph, '{wanted[0]}', input.things)", {**moves, "things": things})


def test_bets_without_a_limit_are_an_amount(page):
    moves, _ = of_game("lilypoker", ("bet",), options=PokerOptions(limit="no"))

    assert "amount" == page("widgetOf(graph, 'bet', [])", moves)


def test_cards_to_discard_are_marked_in_the_hand(page):
    moves = words("stand", "discard 2C", "discard 3D", "discard 2C 3D")

    assert "marks" == page("widgetOf(graph, 'discard', ['2C', '3D', 'KH'])", moves)


@pytest.mark.parametrize(
    ("chosen", "move"),
    [(["#1", "#3"], "roll #1 #3"), (["#3", "#1"], "roll #1 #3"), (DICE, "roll all"), ([], None)],
)
def test_marked_dice_are_one_move(page, chosen, move):
    moves, _ = of_game("liarsdice", ("roll",))

    assert move == page(
        "marked(graph, 'roll', new Set(input.chosen), input.all)", {**moves, "chosen": chosen, "all": DICE}
    )


def test_nothing_to_roll_is_a_move_where_the_rules_allow_it(page):
    assert "roll none" == page("marked(graph, 'roll', new Set(), ['#1'])", words("roll none", "roll #1"))


@pytest.mark.parametrize(("name", "verb"), [("liarsdice", "claim"), ("liedie", "claim"), ("liarspoker", "bid")])
def test_every_way_to_put_a_move_together_is_legal(page, name, verb):
    moves, legal = of_game(name, (verb,), seed=4)
    luck = random.Random(name)
    wishes = [[luck.randrange(99) for _ in range(8)] for _ in range(200)]
    chosen = """input.wishes.map((wish) => {
      const made = [];
      for (const pick of wish) {
        const found = steps(graph, input.verb, made);
        if (found.length <= made.length) break;
        const { options } = found[made.length];
        made.push(options[pick % options.length]);
      }
      return moveOf(input.verb, steps(graph, input.verb, made));
    })"""
    made = page(chosen, {**moves, "wishes": wishes, "verb": verb})

    assert set() == {*made} - legal
    assert len({*made}) > 40


def test_first_steps_are_the_lowest_move(page):
    moves = words("bid 4 fives", "bid 4 sixes", "bid 5 ones")

    assert "bid 4 fives" == page("moveOf('bid', steps(graph, 'bid', []))", moves)


def test_part_that_is_not_possible_any_more_becomes_the_first_that_is(page):
    moves = words("bid 4 fives", "bid 4 sixes", "bid 5 ones")

    assert "bid 5 ones" == page("moveOf('bid', steps(graph, 'bid', ['5', 'sixes']))", moves)


def test_dice_that_a_claim_also_names_are_a_step_of_their_own(page):
    moves = graph([("claim", "pair"), ("claim", "pair", "+ K"), ("claim", "pair", "Q"), ("claim", "pair", "Q", "+ K")])
    found = page("steps(graph, 'claim', ['pair', 'Q', '+ K']).map(({ head, options }) => [head, options])", moves)

    assert [["", ["pair"]], ["", ["", "Q"]], ["+", ["", "+ K"]]] == found


def test_key_of_a_move_is_its_number_and_other_buttons_take_free_digits(page):
    numbered = [{"number": number} for number in (0, 1, 10)]

    assert ["0", "1", ""] == page("keysOf(input)", numbered)
    assert ["1", "3", "2"] == page("keysOf(input)", [{"number": 1}, {"number": 3}, {"line": "/rematch 4"}])


def test_barred_move_has_no_key(page):
    assert ["1", "", "2"] == page("keysOf(input)", [{}, {"why": "the bids may not add up"}, {}])


def test_only_bids_of_one_verb_are_round(page):
    assert ["bid", "", ""] == [
        page("sharedVerb(input)", moves) for moves in (["bid 0", "bid 1"], ["call", "bid 1"], ["bid 1"])
    ]


def test_amounts_are_those_that_the_turn_names_if_they_are_legal(page):
    named = [{"text": "Pot 15", "number": 15}, {"text": "Pot 35", "number": 35}]
    numbers = [*range(20, 91)]

    assert [named[1]] == page("amounts(input.numbers, input.named)", {"numbers": numbers, "named": named})
    assert [20, 90] == page("amounts(input.numbers, []).map(({ number }) => number)", {"numbers": numbers})


def test_players_with_equal_scores_share_a_place(page):
    seats = [{"seat": seat, "values": ["1/1", score]} for seat, score in enumerate(("5", "-2", "5"))]
    columns = [{"leads": False}, {"leads": True}]
    found = page("places(input).map(({ seat, place }) => [seat, place])", {"columns": columns, "seats": seats})

    assert [[0, 1], [2, 1], [1, 3]] == found
