"""Hints and reviews of Liars Dice for two: they use the same table as the shark."""

from itertools import islice, product

import pytest

from lilygames.games.liarsdice import GAME
from lilygames.games.liarsdice.bots.headsup import heard, solution
from lilygames.games.liarsdice.bots.headsup_worth import USUAL, Solved
from lilygames.games.liarsdice.bots.steps import truth_of
from lilygames.gametest.plays import luck_of
from lilygames.testing import play
from lilygames_rules import liarsdice
from lilygames_rules.dice.claims import Claim as Hand
from lilygames_rules.dice.claims import best
from lilygames_rules.dice.cup import Accept, Challenge, Roll, others
from lilygames_rules.dice.passing import Claim, Peek
from lilygames_rules.kit import Scripted
from tests.games.liarsdice.test_novice import after


def positions(level, plays=3):
    """Yield views with their moves and the move of a bot, from games of two."""
    bot = GAME.players[level]
    for seed in range(plays):
        for number, turn in enumerate(play(GAME, 2, None, seed, bot)):
            seat = liarsdice.turn(turn.state)
            if seat is None:
                break
            view, moves, luck = (
                liarsdice.view(turn.state, seat),
                liarsdice.moves(turn.state, seat),
                luck_of(seed, number),
            )
            if len(moves) > 1:
                yield view, moves, bot(view, moves, luck)


def judged(state, move):
    """Return the judgement of a move against all other legal moves."""
    seat = liarsdice.turn(state)
    view, moves = liarsdice.view(state, seat), liarsdice.moves(state, seat)
    return GAME.judge(view, [move, *(other for other in moves if other != move)], luck_of(1, 0, "hint"))


def hinted(state):
    """Return the hint for the seat in turn."""
    seat = liarsdice.turn(state)
    return GAME.advise(liarsdice.view(state, seat), liarsdice.moves(state, seat), luck_of(1, 0, "hint"))


def believed(view):
    """Return how often a shark takes the dice."""
    asked, way = heard(view, view.passing, view.cup)
    return asked.believed(way, truth_of(view.passing.hand))


def test_hint_is_the_move_of_the_solution():
    """Except for an answer that it almost never gives."""
    found = [*islice(positions("shark"), 150)]
    for view, moves, _ in found:
        advice, solved = GAME.advise(view, moves, luck_of(1, 0, "hint")), solution(view, luck_of(1, 0, "hint"))
        seldom = not view.passing.taken and not view.cup.known and not USUAL <= believed(view) <= 1 - USUAL

        assert (_likelier(view) if seldom else solved) == advice.move
    assert len(found) == 150


def _likelier(view):
    return Accept() if believed(view) > 0.5 else Challenge()


def test_odds_of_a_hinted_roll_are_those_of_all_rolls():
    found = 0
    for view, moves, _ in islice(positions("shark"), 60):
        advice = GAME.advise(view, moves, luck_of(1, 0, "hint"))
        if not isinstance(advice.move, Roll):
            continue
        kept = [view.cup.seen[place - 1] for place in others(advice.move.places)]
        rolls = [tuple(sorted((*kept, *some))) for some in product(range(1, 7), repeat=5 - len(kept))]
        now, own = view.passing, best(tuple(sorted(view.cup.seen)))
        good = [best(some).beats(own) if now.hand is None else now.least.true_of(some) for some in rolls]
        found += 1

        assert pytest.approx(100 * sum(good) / len(rolls)) == advice.facts["reached"]
        assert len(advice.move.places) == advice.facts["dice"]
    assert found


def test_hint_for_an_answer_says_how_often_the_bot_takes_such_dice():
    """Five kings as a first claim: one roll of five dice."""
    advice = hinted(after("AAKJ9", "KKKKK", seats=2))

    assert Challenge() == advice.move
    assert advice.sentence.startswith("One roll of 5 dice makes it that good, or better, 0 times in 100.")
    assert "The strongest bot takes the dice " in advice.sentence


def test_hint_never_accepts_a_lie_or_doubts_a_truth_that_the_player_knows():
    """Two aces were passed on, and come back unseen with a higher claim."""
    lie, true = (after("AAKJ9", "pair", Claim(Hand.parse(said)), seats=2) for said in ("three A", "pair A"))

    assert (Challenge(), "You know the dice.") == (hinted(lie).move, hinted(lie).sentence)
    assert (Accept(), "You know the dice, and it's true.") == (hinted(true).move, hinted(true).sentence)


def test_review_finds_no_fault_with_a_usual_answer_of_the_bot():
    for view, moves, move in islice(positions("shark"), 150):
        solved = Solved.of(view)
        if solved and solved.is_usual(move):
            assert 0 == GAME.judge(view, [move, *moves[:2]], luck_of(1, 0, "hint")).facts["cost"]


def test_review_says_what_an_absurd_lie_costs():
    """The bot believes five aces never, and the truth would have risked nothing."""
    advice = judged(after("AAKJ9", seats=2), Claim(Hand.parse("AAAAA")))

    assert 0 == advice.facts["your_believed"]
    assert advice.facts["cost"] > 0.5


def test_lie_about_dice_that_the_opponent_passed_loses_a_point():
    """Both know the dice, so a lie is challenged, and the truth is taken."""
    state = after("AAKJ9", "pair", Accept(), Peek(), seats=2)
    solved = Solved.of(liarsdice.view(state, liarsdice.turn(state)))

    assert -1 == solved.worth(Claim(Hand.parse("three A"))).points
    assert solved.worth(Claim(Hand.parse("pair A + KJ9"))).points > -1


def test_roll_of_the_best_dice_costs_too():
    """To roll two of three aces is worth less than to roll the others."""
    state = after("AAAJ9", Roll((1, 2)), luck=Scripted(1, 1), seats=2)
    first = after("AAAJ9", seats=2)
    wrong, right = judged(first, Roll((1, 2))), judged(first, Roll((4, 5)))

    assert wrong.facts["cost"] > right.facts["cost"]
    assert "Your roll makes the dice better " in wrong.sentence
    assert Solved.of(liarsdice.view(state, liarsdice.turn(state)))


def test_solution_does_not_value_dice_that_the_opponent_has_not_seen():
    """The opponent passed them on unseen; the review goes by the odds then."""
    state = after("AAKJ9", "pair", Claim(Hand.parse("two pair")), seats=2)
    seat = liarsdice.turn(state)
    taken = liarsdice.apply(state, seat, Accept(), Scripted()).state

    assert Solved.of(liarsdice.view(taken, seat)) is None
    assert judged(taken, Roll((3, 4, 5))).facts["cost"] >= 0
