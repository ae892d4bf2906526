"""The reasons of hints for Liar's Lair, in positions with a certain result."""

from lilygames.games.liarslair import GAME
from lilygames.gametest.plays import luck_of
from lilygames_rules import liarslair
from lilygames_rules.kit import Scripted
from lilygames_rules.lair.cards import shipped
from lilygames_rules.lair.moves import Pass, Play, Reclaim, Take
from lilygames_rules.liarslair import Options

YOU, ADA, MAX = range(3)
NUMBERED = (
    *((YOU, 0, True), (MAX, 1, False), (ADA, 4, True), (YOU, 2, False), (ADA, 0, False), (MAX, 3, True)),
    *((YOU, 1, True), (ADA, 5, False), (MAX, 5, True), (YOU, 3, False), (ADA, 2, True), (MAX, 4, False)),
)
TRUTHS, LIES = (0, 1, 2, 4, 3, 5), (2, 3, 0, 5, 1, 4)
MADE = (
    *((ADA, Play(3)), (MAX, Play(2)), (YOU, Play(7)), (YOU, Take(9)), (ADA, Reclaim(3)), (YOU, Pass()), (ADA, Pass())),
    *((YOU, Play(10)), (ADA, Play(3)), (ADA, Reclaim(3)), (YOU, Reclaim(10)), (YOU, Pass()), (ADA, Pass())),
    (ADA, Play(5)),
)
"""Max is out. Ada then plays the opposite of your 1, which you were told is true."""


def before_the_end():
    """Return a state in which you have a sure win."""
    pairs = shipped(people=False)[:6]
    luck = Scripted(pairs, *[True] * 6, TRUTHS, LIES, NUMBERED, ADA)
    state = liarslair.start(3, Options(each=2, volunteer=False), (), luck).state
    for seat, move in MADE:
        state = liarslair.apply(state, seat, move, Scripted()).state
    return state


def test_truth_that_knocks_out_the_last_rival_wins_a_hundred_times_in_a_hundred():
    state = before_the_end()
    advice = GAME.advise(liarslair.view(state, YOU), liarslair.moves(state, YOU), luck_of(1, "hint"))

    assert Play(1) == advice.move
    assert 100 == advice.facts["won"]


def test_move_that_wins_for_sure_costs_nothing():
    state = before_the_end()
    moves = [Play(1), *(move for move in liarslair.moves(state, YOU) if move != Play(1))]
    judged = GAME.judge(liarslair.view(state, YOU), moves, luck_of(1, "hint"))

    assert (Play(1), 0) == (judged.move, judged.facts["cost"])
