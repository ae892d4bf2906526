"""The shark of Liars Dice with more than two players: it plays the two-player game with whoever passed it the dice."""

from __future__ import annotations

from collections import Counter
from statistics import fmean

import pytest

from lilygames import codec
from lilygames.games.liarsdice import GAME
from lilygames.games.liarsdice.bots.headsup import heard, solution
from lilygames.games.liarsdice.bots.steps import past, seen
from lilygames.games.liarsdice.solved.solution import keeps, places
from lilygames.gametest.duel import Match, results, rotations
from lilygames.gametest.plays import luck_of
from lilygames.testing import play
from lilygames_rules import liarsdice
from lilygames_rules.dice.claims import Claim as Hand
from lilygames_rules.dice.cup import Accept, Roll
from lilygames_rules.dice.passing import Claim, Peek
from lilygames_rules.kit import KeyedLuck, Scripted
from tests.games.liarsdice.test_novice import after, dice

LUCKS = [KeyedLuck(b"%d" % number) for number in range(200)]


def view_of(state):
    return liarsdice.view(state, liarsdice.turn(state))


def claims(state):
    """Return the claims that a shark makes in this position, with any luck."""
    moves = [solution(view_of(state), luck) for luck in LUCKS]
    return [move for move in moves if isinstance(move, Claim)]


def begun(seats, **options):
    """Return the round of a first player who has rolled the last time: two aces and nothing else."""
    return after("AAKJ9", Roll((3, 4, 5)), Roll((3, 4, 5)), luck=Scripted(2, 3, 4, 1, 3, 5), seats=seats, **options)


@pytest.mark.parametrize("seats", [3, 4, 10])
def test_first_player_passes_the_dice_to_the_seat_before(seats):
    """That seat's dice come to the first player next."""
    made = claims(begun(seats))

    assert {(liarsdice.turn(begun(seats)) - 1) % seats} == {move.to for move in made}
    assert len({move.hand for move in made}) > 1


def passed_on(state):
    """Let a shark play on in this position until it passes the dice, and return its claim."""
    seat = liarsdice.turn(state)
    for number_of_move in range(10):
        luck = luck_of(3, number_of_move)
        move = solution(liarsdice.view(state, seat), luck)
        if isinstance(move, Claim):
            return move
        state = liarsdice.apply(state, seat, move, luck).state
    raise AssertionError("it keeps the dice")


@pytest.mark.parametrize("passer", [1, 2, 3])
@pytest.mark.parametrize("claim", ["pair A", "three A", "four A"])
def test_dice_go_back_to_the_player_who_passed_them(passer, claim):
    """The first player passes them to another seat, which returns them with this claim."""
    there = (Claim(Hand.parse("pair"), passer), Accept(), Peek())
    back = (Claim(Hand.parse(claim), 0), Accept(), Peek())

    assert passer == passed_on(after("AAKJ9", *there, *back, seats=4)).to


@pytest.mark.parametrize("fell", [(1, 3, 5), (6, 6, 6), (2, 2, 2)])
def test_recipient_tells_nothing_about_the_dice(fell):
    """Two aces and nothing else, five aces, or a full house go to the same seat."""
    state = after("AAKJ9", Roll((3, 4, 5)), Roll((3, 4, 5)), luck=Scripted(2, 3, 4, *fell), seats=3)

    assert {2} == {move.to for move in claims(state)}


def test_dice_go_to_the_next_player_where_the_table_says_so():
    assert {None} == {move.to for move in claims(begun(3, passing="next"))}


def test_with_two_players_no_recipient_is_named():
    assert {None} == {move.to for move in claims(begun(2))}


def test_receiver_who_saw_the_dice_before_judges_by_them():
    """Seat 0 passed on two aces, seat 2 rolled three dice and returns them."""
    state = after(
        "AAKJ9",
        Claim(Hand.parse("pair A"), 2),
        Accept(),
        Peek(),
        Roll((3, 4, 5)),
        Claim(Hand.parse("three A"), 0),
        luck=Scripted(6, 2, 3),
        seats=3,
    )
    view = view_of(state)

    assert seen(past(Hand.parse("pair A")), places()[tuple(sorted(dice("AAKJ9")))], (3,)) == heard(
        view, view.passing, view.cup
    )


def test_receiver_who_did_not_see_the_dice_takes_the_claim_before_for_just_true():
    """Seat 1 took "two pair K" from seat 0, rolled one die, and passes to seat 2: it kept two pairs then."""
    state = after(
        "99KKA",
        Claim(Hand.parse("KK99"), 1),
        Accept(),
        Peek(),
        Roll((5,)),
        Claim(Hand.parse("KKK99"), 2),
        luck=Scripted(5),
        seats=3,
    )
    view = view_of(state)
    asked, way = heard(view, view.passing, view.cup)

    assert (tuple(sorted(dice("99KK"))), 0) == (keeps()[asked.kept], way)


def test_hint_names_the_recipient():
    state = begun(3)
    view = view_of(state)
    hint = GAME.advise(view, liarsdice.moves(state, 0), luck_of(1, 0, "hint"))

    assert isinstance(hint.move, Claim)
    assert 2 == hint.move.to


def test_review_names_the_recipient_of_a_better_claim():
    """A first player who claims five aces with two of them is told what a shark claims, and the seat it passes to."""
    state, five = begun(3), Claim(Hand.parse("AAAAA"))
    better = GAME.judge(view_of(state), [five, *liarsdice.moves(state, 0)], luck_of(1, 0, "hint"))

    assert better.facts["cost"] > 0.5
    assert 2 == better.move.to


@pytest.mark.parametrize("seats", [3, 4])
def test_moves_of_a_shark_cost_little(seats):
    """Both come from the same table, and a single bluff may cost something."""
    costs = []
    for number, turn in enumerate(play(GAME, seats, liarsdice.Options(points=4), 5, GAME.players["shark"])):
        seat = liarsdice.turn(turn.state)
        if seat is None:
            break
        view, moves, luck = liarsdice.view(turn.state, seat), liarsdice.moves(turn.state, seat), luck_of(5, number)
        if len(moves) > 1 and (move := solution(view, luck)):
            costs.append(GAME.judge(view, [move, *(other for other in moves if other != move)], luck).facts["cost"])

    assert len(costs) > 20
    assert fmean(costs) < 0.05


@pytest.mark.parametrize("seats", [3, 4])
def test_every_move_is_legal(seats):
    options = liarsdice.Options(points=2)
    step = liarsdice.start(seats, options, (), luck_of(7, 0))
    made = Counter()
    for number_of_move in range(1, 400):
        seat = liarsdice.turn(step.state)
        if seat is None:
            break
        moves = liarsdice.moves(step.state, seat)
        luck = luck_of(7, number_of_move, "bot")
        move = GAME.players["shark"](liarsdice.view(step.state, seat), moves, luck)
        assert move in moves
        made[type(move)] += 1
        step = liarsdice.apply(step.state, seat, move, luck_of(7, number_of_move))

    assert {Accept, Claim, Roll} <= set(made)


@pytest.mark.parametrize("style", ["club", "odds"])
def test_shark_is_ahead_with_three_players(style):
    """This is a quick check over a few deals; `scripts/duel` measures it."""
    match = Match("liarsdice", codec.dump(liarsdice.Options(points=3)), ("shark", style, style))
    ahead, _ = results(match.players, [rotations(match, seed) for seed in range(1, 17)])

    assert ahead.ahead > 0
