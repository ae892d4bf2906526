"""The costs of moves in Liar's Poker, compared with counts of digits and with the cells of the shipped table."""

import json
from importlib.resources import files

import pytest

from lilygames.games.liarspoker import GAME
from lilygames.games.liarspoker.house import heard
from lilygames.gametest.plays import luck_of
from lilygames.testing import play
from lilygames_rules import liarspoker
from lilygames_rules.bidding.ladder import Bid, Challenge, Stand
from lilygames_rules.bidding.slips import held
from tests.games.liarspoker.talk import begun, said
from tests.games.liarspoker.test_advice import there

TABLE = json.loads((files("lilygames.games.liarspoker") / "learned.json").read_bytes())


def judged(state, move):
    """Return the judgement of a move against all other legal moves."""
    seat = liarspoker.turn(state)
    made, moves = Bid.parse(move) if isinstance(move, str) else move, liarspoker.moves(state, seat)
    view = liarspoker.view(state, seat)
    return GAME.judge(view, [made, *(other for other in moves if other != made)], luck_of(1, seat, "hint"))


def between(row, place):
    """Return a number in thousandths between the cells of a row; the place is a probability."""
    step = place * (len(row) - 1)
    low = min(int(step), len(row) - 2)
    return (row[low] + (row[low + 1] - row[low]) * (step - low)) / 1000


def learned(cells, others, chance):
    """Return the result of a bid between four cells of the table."""
    step = others * (len(cells) - 1)
    low = min(int(step), len(cells) - 2)
    here, there = between(cells[low], chance), between(cells[low + 1], chance)
    return here + (there - here) * (step - low)


def test_absurd_first_bid_costs_its_past_losses_and_what_a_sure_bid_wins():
    """Three sevens are in the bidder's own hand; sixteen tens would need all digits there are."""
    state = begun("77712345 | 11111111", stake=10).state
    advice, view = judged(state, "16 tens"), liarspoker.view(state, 0)
    bid = advice.move
    chance = there(bid.count - held("77712345", bid.rank), 8) / 100
    others = heard(view, view.auction).to_strangers(0, bid)
    kind = 1 if bid.rank == 6 else 0
    gain = learned(TABLE["2"]["bids"][0][kind], others, chance) - TABLE["2"]["bids"][0][3][0][0] / 1000

    assert 0 == advice.facts["yours"]
    assert pytest.approx(100 * chance, abs=0.5) == advice.facts["best"]
    assert pytest.approx(10 * gain, abs=0.1) == advice.facts["cost"]


def test_bid_over_one_that_cannot_be_true_costs_what_a_challenge_wins():
    """The next player holds no nines, so sixteen can't be there."""
    state = said(begun("77712345 | 11111111").state, "16 nines").state
    advice = judged(state, "16 tens")
    gain = TABLE["2"]["doubts"][0][3][0][0] - TABLE["2"]["bids"][1][3][0][0]

    assert Challenge() == advice.move
    assert (0, 0) == (advice.facts["yours"], advice.facts["standing"])
    assert pytest.approx(gain / 1000) == advice.facts["cost"]
    assert advice.sentence.endswith(f"A challenge is worth {gain / 1000:.1f} units more on average.")


def test_higher_bid_instead_of_standing_by_a_sure_one_costs_the_sure_win():
    """All eight sevens are the bidder's own, and each of the others pays."""
    state = said(begun("77777777 | 11111111 | 22222222").state, "8 sevens, x, x").state
    advice, wins = judged(state, "24 tens"), 2 * (1 + (8 - 3 - 1) // 2)

    assert Stand() == advice.move
    assert (0, 100) == (advice.facts["yours"], advice.facts["standing"])
    assert pytest.approx(wins - TABLE["3"]["bids"][2][3][0][0] / 1000) == advice.facts["cost"]


def test_moves_of_the_shark_cost_little():
    """It chooses among moves of about equal value; with two players it also makes others, to tell less."""
    shark, found = GAME.players["shark"], 0
    for seed in range(12):
        for turn in play(GAME, 3 + seed % 3, None, seed):
            seat = liarspoker.turn(turn.state)
            view, moves = liarspoker.view(turn.state, seat), liarspoker.moves(turn.state, seat)
            if len(moves) > 1:
                found += 1
                move = shark(view, moves, luck_of(seed, seat, "house"))
                assert 0 == GAME.judge(view, [move, *moves[:2]], luck_of(1, seat, "hint")).facts["cost"]
    assert found


def test_choice_among_hidden_slips_costs_nothing():
    state = liarspoker.start(3, liarspoker.Options(choose="manual"), (), luck_of(1, 1, "deal")).state
    seat = liarspoker.turn(state)
    moves = liarspoker.moves(state, seat)

    assert 0 == GAME.judge(liarspoker.view(state, seat), moves, luck_of(1, seat, "hint")).facts["cost"]
