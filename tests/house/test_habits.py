"""Bots use what they remember of people's habits: at most 30 of 100, and never what they can't see."""

import itertools
import pickle

import attrs
import pytest

from lilygames.game import LIES, Budget, Character, Habit, Shown, Thinker
from lilygames.games import games
from lilygames.games.families.tricks.bots.habits import OVER, UNDER, Trust, reveals, trusts
from lilygames.games.families.tricks.bots.scene import scene
from lilygames.gametest.plays import luck_of
from lilygames.house.habits import Remembering, believed, known, share, weight, with_memory
from lilygames_rules.bidding.ladder import Challenge
from lilygames_rules.tricks.exactbid import Bid, Row
from tests.house.test_same_view_same_move import places

GAMES = games()
TRICKS = ("ohell", "wizard")
ROW = Row(cards=5, dealer=0, bids=(2, 2, 0), taken=(3, 1, 0), points=(-1, -1, 15))
OVERBIDS, UNDERBIDS = ({UNDER: Habit(50), OVER: Habit(0, 50)}, {OVER: Habit(50), UNDER: Habit(0, 50)})


def remembering(name, level, memory):
    strategy = GAMES[name].players[level]
    if isinstance(strategy, Thinker):
        strategy = attrs.evolve(strategy, budget=Budget(1500))
    return GAMES[name].in_character(strategy, level, Character(memory=memory))


def everyone(habits):
    return dict.fromkeys(range(9), habits)


def bids_of(name, level, memory):
    """Return a bot's bids in positions in which others have bid."""
    rules, bot, found = GAMES[name].rules, remembering(name, level, memory), []
    for number, (state, seat, _) in enumerate(itertools.islice(places(name), 400)):
        view, moves = rules.view(state, seat), rules.moves(state, seat)
        if isinstance(moves[0], Bid) and any(bid is not None for bid in view.round.bids):
            found.append(bot(view, moves, luck_of(number, seat, "house")).tricks)
    return found


def test_memory_counts_for_at_most_thirty_of_a_hundred():
    assert 0 == weight(Habit())
    assert 0.05 < weight(Habit(1, 0)) < 0.1
    assert 0.27 < weight(Habit(25, 25)) < 0.3


def test_stranger_has_the_usual_share_of_a_habit():
    assert 0.25 == share(Habit(), 0.25)
    assert 0.9 < share(Habit(50), 0.25) < 1


def test_habit_is_what_earlier_games_and_this_one_have_shown():
    shown = [Shown(1, did=True, habit=OVER), Shown(1, did=True, habit=UNDER), Shown(0, did=True, habit=OVER)]

    assert Habit(3, 4) == known({1: {OVER: Habit(2, 4)}}, 1, OVER, shown)
    assert Habit(1, 0) == known({}, 1, OVER, shown)


def test_strategy_that_remembers_nobody_stays_as_it_is():
    forgetful = GAMES["liarslair"].players["novice"]

    assert forgetful is with_memory(forgetful, {})
    assert {} == with_memory(Thinker(Remembering(forgetful), Budget(1)), {}).decide.memory


def test_row_of_the_sheet_shows_who_took_more_tricks_than_bid_and_who_fewer():
    shown = [(one.seat, one.habit) for one in reveals([ROW]) if one.did]

    assert [(0, OVER), (1, UNDER)] == shown
    assert 6 == len([*reveals([ROW])])


def test_bots_without_a_memory_take_bids_as_they_are():
    assert [Trust()] * 3 == trusts(None, [ROW], 3)


def test_leaning_is_the_tricks_that_a_bidder_takes_above_the_bid():
    high, low, exact = trusts({}, [ROW] * 20, 3)

    assert 0.7 < high.leaning < 1
    assert -0.7 > low.leaning > -1
    assert 0 == exact.leaning
    assert 0.2 < high.beyond < 0.3


@pytest.mark.parametrize("name", TRICKS)
def test_bots_that_search_give_more_tricks_to_people_who_bid_too_few(name):
    rules = GAMES[name].rules
    state, seat, _ = next(iter(places(name)))
    view = rules.view(state, seat)
    trusted = trusts(everyone(UNDERBIDS), (), len(view.match.scores))
    here = scene(view.round, seat, GAMES[name].judge.decide.__self__.stakes(view), trusted)

    assert all(0.2 < beyond < 0.3 for beyond in here.beyond)


@pytest.mark.parametrize("name", TRICKS)
@pytest.mark.parametrize("level", ["novice", "club"])
def test_bots_bid_more_after_people_who_bid_too_many_than_after_others(name, level):
    over, under = (bids_of(name, level, everyone(habits)) for habits in (OVERBIDS, UNDERBIDS))

    assert all(more >= less for more, less in zip(over, under, strict=True))
    assert sum(over) > sum(under)


@pytest.mark.parametrize("name", [*TRICKS, "liarspoker", "liarslair", "lilypoker"])
@pytest.mark.parametrize("level", ["novice", "club", "shark"])
def test_bot_with_a_memory_makes_the_same_legal_move_in_states_it_cannot_tell_apart(name, level):
    habits = {**dict.fromkeys(GAMES[name].habits, Habit(50)), **OVERBIDS}
    rules, bot = GAMES[name].rules, remembering(name, level, everyone(habits))
    for state, seat, other in itertools.islice(places(name), 20):
        moves = rules.moves(state, seat)
        here, there = (bot(rules.view(one, seat), moves, luck_of(1, seat)) for one in (state, other))

        assert here == there
        assert here in moves


@pytest.mark.parametrize("name", TRICKS)
def test_bots_with_a_memory_can_be_sent_to_a_worker(name):
    for level in GAMES[name].players:
        assert pickle.loads(pickle.dumps(remembering(name, level, everyone(OVERBIDS))))


# claims


def test_claim_of_someone_who_lies_more_than_others_is_believed_less():
    liar, honest = (believed(0.5, habit, 0.7) for habit in (Habit(50), Habit(0, 50)))

    assert 0.5 == believed(0.5, Habit(), 0.7) == pytest.approx(believed(0.5, Habit(7, 3), 0.7))
    assert 0.35 <= liar < 0.4
    assert 0.6 < honest <= 0.65


@pytest.mark.parametrize("chance", [0.0, 1.0])
def test_certain_claim_stays_certain(chance):
    assert chance == believed(chance, Habit(50), 0.7) == believed(chance, Habit(0, 50), 0.7)


def challenged(level, habits):
    """Return how often a bot challenges a bid in Liar's Poker, in games of novices."""
    game, bot, found = GAMES["liarspoker"], remembering("liarspoker", level, everyone(habits)), 0
    rules, step, number = game.rules, game.rules.start(4, game.rules.Options(hands=20), (), luck_of(1, 0)), 0
    while (seat := rules.turn(step.state)) is not None:
        number += 1
        view, moves = rules.view(step.state, seat), rules.moves(step.state, seat)
        found += bot(view, moves, luck_of(number, seat, "house")) == Challenge()
        usual = game.players["novice"](view, moves, luck_of(number, seat, "novice"))
        step = rules.apply(step.state, seat, usual, luck_of(1, number))
    return found


@pytest.mark.parametrize("level", ["novice", "club"])
def test_bots_of_liars_poker_challenge_people_whose_bids_were_missed_more_often(level):
    assert challenged(level, {LIES: Habit(50)}) > challenged(level, {LIES: Habit(0, 50)})


def test_sharks_of_liars_poker_remember_nobody():
    shark = GAMES["liarspoker"].players["shark"]

    assert shark == remembering("liarspoker", "shark", everyone({LIES: Habit(50)}))
