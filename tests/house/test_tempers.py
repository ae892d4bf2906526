"""Tempers change some moves of novices and clubs, never those of sharks, and never by what a bot can't see."""

import itertools
import pickle
from functools import cache

import pytest

from lilygames.game import Budget, Character, Thinker
from lilygames.games import games
from lilygames.games.liarspoker import worth
from lilygames.games.liarspoker.house import heard, number_of
from lilygames.gametest.plays import luck_of
from lilygames_rules.bidding.ladder import Bid as DigitBid
from lilygames_rules.bidding.ladder import Challenge
from lilygames_rules.lair.moves import Declare, Pass, Volunteer
from lilygames_rules.tricks.exactbid import Bid, Play
from tests.house.test_same_view_same_move import places

GAMES = games()
OTHERS = ("ohell", "wizard", "liarspoker", "liarslair", "lilypoker")
"""Games without dice. The dice games test their own characters."""
TEMPERS = ("bold", "careful", "talkative", "grumpy")
BELOW_SHARK = ("novice", "club")
MANY = {"liarslair": 3000, "ohell": 1500}
"""Positions looked at for a temper's changes, if a game needs more than 300."""


def acting(name, level, temper):
    return GAMES[name].in_character(GAMES[name].players[level], level, Character(temper))


@cache
def changes(name, temper, level="novice"):
    """Return the moves that a temper changes, as pairs of before and after, and the number of positions."""
    rules, plain, bot = GAMES[name].rules, GAMES[name].players[level], acting(name, level, temper)
    pairs, tried = [], MANY.get(name, 300)
    for number, (state, seat, _) in enumerate(itertools.islice(places(name), tried)):
        view, moves = rules.view(state, seat), rules.moves(state, seat)
        before, after = (one(view, moves, luck_of(number, seat, "house")) for one in (plain, bot))
        pairs += [(before, after)] if before != after else []
    return pairs


def kinds(pairs):
    return {(type(before), type(after)) for before, after in pairs}


@pytest.mark.parametrize("level", BELOW_SHARK)
@pytest.mark.parametrize("name", OTHERS)
def test_bot_in_a_temper_makes_the_same_legal_move_in_states_it_cannot_tell_apart(name, level):
    rules = GAMES[name].rules
    for (state, seat, other), temper in zip(itertools.islice(places(name), 40), itertools.cycle(TEMPERS), strict=False):
        bot, moves = acting(name, level, temper), rules.moves(state, seat)
        here, there = (bot(rules.view(one, seat), moves, luck_of(1, seat)) for one in (state, other))

        assert here == there
        assert here in moves


@pytest.mark.parametrize("name", OTHERS)
def test_sharks_have_no_temper_in_play(name):
    assert [GAMES[name].players["shark"]] * 4 == [acting(name, "shark", temper) for temper in TEMPERS]


@pytest.mark.parametrize("name", OTHERS)
def test_bots_in_a_temper_can_be_sent_to_a_worker(name):
    for level, temper in itertools.product(BELOW_SHARK, TEMPERS):
        assert pickle.loads(pickle.dumps(acting(name, level, temper)))


def test_strategy_that_searches_keeps_its_budget_in_a_temper():
    searching = Thinker(lambda view, moves, luck, budget: moves[1], Budget(7), less=(Budget(3),))
    bot = GAMES["ohell"].in_character(searching, "club", Character("bold"))

    assert (Budget(7), (Budget(3),)) == (bot.budget, bot.less)


@pytest.mark.parametrize("name", ["ohell", "wizard"])
@pytest.mark.parametrize(("temper", "more"), [("bold", 1), ("careful", -1)])
def test_bold_bots_bid_one_trick_more_now_and_then_and_careful_ones_one_less(name, temper, more):
    pairs = changes(name, temper)

    assert {(Bid, Bid)} == kinds(pairs)
    assert {more} == {after.tricks - before.tricks for before, after in pairs}


@pytest.mark.parametrize("name", ["ohell", "wizard"])
@pytest.mark.parametrize("temper", ["bold", "careful"])
def test_a_temper_changes_some_bids_of_clubs_but_not_most(name, temper):
    """People can notice it, and it costs little."""
    rules, plain, bot = GAMES[name].rules, GAMES[name].players["club"], acting(name, "club", temper)
    bids = [one for one in itertools.islice(places(name), 1500) if isinstance(rules.moves(*one[:2])[0], Bid)]
    seen = [(rules.view(state, seat), rules.moves(state, seat), luck_of(1, seat)) for state, seat, _ in bids]
    share = sum(plain(*one) != bot(*one) for one in seen) / len(seen)

    assert 0.05 < share < 0.5


@pytest.mark.parametrize("temper", ["bold", "careful"])
def test_close_call_of_a_bid_does_not_depend_on_luck(temper):
    rules, bot = GAMES["ohell"].rules, acting("ohell", "club", temper)
    for state, seat, _ in itertools.islice(places("ohell"), 300):
        view, moves = rules.view(state, seat), rules.moves(state, seat)
        if isinstance(moves[0], Bid):
            assert 1 == len({bot(view, moves, luck_of(number, seat)) for number in range(5)})


@pytest.mark.parametrize("name", ["ohell", "wizard"])
def test_grumpy_bots_lead_their_strongest_card_now_and_then(name):
    assert {(Play, Play)} == kinds(changes(name, "grumpy"))


def test_bold_bots_bid_one_digit_more_and_careful_ones_open_one_lower():
    bold, careful = (changes("liarspoker", temper) for temper in ("bold", "careful"))

    assert {(DigitBid, DigitBid)} == kinds(bold) == kinds(careful)
    assert {1} == {after.count - before.count for before, after in bold}
    assert {-1} == {after.count - before.count for before, after in careful}


def test_grumpy_bots_challenge_where_others_bid_and_talkative_ones_bid_where_others_challenge():
    assert {(DigitBid, Challenge)} == kinds(changes("liarspoker", "grumpy"))
    assert {(Challenge, DigitBid)} == kinds(changes("liarspoker", "talkative"))


@pytest.mark.parametrize(("temper", "kind", "most"), [("bold", DigitBid, 0.0), ("talkative", Challenge, 0.15)])
def test_temper_makes_another_bid_only_where_the_move_did_little_better_in_past_hands(temper, kind, most):
    rules, seen = GAMES["liarspoker"].rules, 0
    bot, plain = acting("liarspoker", "club", temper), GAMES["liarspoker"].players["club"]
    for number, (state, seat, _) in enumerate(itertools.islice(places("liarspoker"), 800)):
        view, moves = rules.view(state, seat), rules.moves(state, seat)
        usual, made = (one(view, moves, luck_of(number, seat)) for one in (plain, bot))
        if usual != made:
            seen += 1

            assert isinstance(usual, kind)
            assert worth_of(view, made) >= worth_of(view, usual) - most
    assert seen > 0


def worth_of(view, move):
    """Return what a move won on average in past hands."""
    own = worth.counted(number_of(view))
    return worth.value(heard(view, view.auction), view.auction, own, view.match.options, move)


def test_tempers_in_the_lair_decide_who_volunteers_and_who_declares():
    assert {(Pass, Volunteer)} == kinds(changes("liarslair", "grumpy"))
    assert {(Volunteer, Pass)} == kinds(changes("liarslair", "talkative"))
    assert {(Declare, Pass)} == kinds(changes("liarslair", "careful"))
    assert {(Pass, Declare)} == kinds(changes("liarslair", "bold"))
