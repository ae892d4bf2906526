"""Characters of bots in Liars Dice: what tempers and memories change, and what they can't."""

import itertools
import pickle

import pytest

from lilygames.game import LIES, Character, Habit
from lilygames.games.families.dice.character import honesty
from lilygames.games.liarsdice import GAME
from lilygames.gametest.plays import luck_of
from lilygames.house.habits import weight
from lilygames_rules import liarsdice
from lilygames_rules.dice.claims import Claim as Hand
from lilygames_rules.dice.cup import Accept, Challenge, Roll
from lilygames_rules.dice.passing import Claim, Peek
from lilygames_rules.kit import Scripted
from tests.games.liarsdice.test_novice import after
from tests.house.test_same_view_same_move import places

ALL = [Character(one, {}) for one in ("bold", "careful", "talkative", "grumpy")]
LIAR, HONEST = Habit(yes=50), Habit(no=50)
OFTEN = range(400)
LIKELY = after("AAKJ9", "pair")
"""A first claim that nobody doubts."""
ABSURD = after("AAKJ9", "KKKKK")


def acting(level, character):
    return GAME.in_character(GAME.players[level], level, character)


def made(state, level, character):
    """Return the moves of a bot with a character in this position, in many games."""
    rules, seat = liarsdice, liarsdice.turn(state)
    view, moves, bot = rules.view(state, seat), rules.moves(state, seat), acting(level, character)
    return [bot(view, moves, luck_of(number, 0, "house")) for number in OFTEN]


def takes(state, level, character):
    """Return how often a bot takes the offered dice."""
    return made(state, level, character).count(Accept()) / len(OFTEN)


def remembers(known, seat=0):
    return Character("", {seat: {LIES: known}})


def test_memory_decides_at_most_thirty_answers_in_a_hundred():
    assert 0 == weight(Habit())
    assert 0.05 < weight(Habit(1, 0)) < 0.1
    assert 0.27 < weight(LIAR) < 0.3


def test_unknown_player_is_as_often_honest_as_not():
    assert (0.5, 0.6) == (honesty(Habit()), honesty(Habit(0, 1)))
    assert honesty(LIAR) < 0.1
    assert honesty(HONEST) > 0.9


@pytest.mark.parametrize("level", ["club", "shark"])
def test_known_liar_is_challenged_more_often_but_not_always(level):
    plain, known = (takes(LIKELY, level, one) for one in (Character(), remembers(LIAR)))

    assert plain > 0.9
    assert 0.6 < known < 0.8


@pytest.mark.parametrize("level", ["club", "shark"])
def test_good_reputation_sells_no_absurd_claim(level):
    plain, known = (takes(ABSURD, level, one) for one in (Character(), remembers(HONEST)))

    assert plain < 0.1
    assert known <= plain + 0.02


def test_lies_of_this_game_count_as_well():
    """Seat 0 was caught twenty times."""
    caught = after("AAKJ9", "KKKKK", Challenge(), luck=Scripted(*[2] * 5))
    match = caught.match
    state = liarsdice.State(liarsdice.Match(match.options, match.scores, match.sheet * 20), LIKELY.passing, LIKELY.cup)

    assert takes(state, "club", Character("", {})) < 0.9 < takes(state, "club", Character())


@pytest.mark.parametrize("known", [Habit(20, 20), Habit(12, 8), Habit(6, 14)])
def test_player_who_lies_like_most_players_is_treated_like_one(known):
    """Challenged claims of bots are true 40 to 75 times in 100."""
    assert takes(LIKELY, "club", remembers(known)) == takes(LIKELY, "club", remembers(Habit()))
    assert takes(ABSURD, "club", remembers(known)) == takes(ABSURD, "club", remembers(Habit()))


def test_memory_is_about_one_player_only():
    assert takes(LIKELY, "club", remembers(LIAR, seat=2)) == takes(LIKELY, "club", remembers(Habit(), seat=2))


def test_novices_remember_nothing_and_sharks_have_no_temper():
    novice, shark = (GAME.players[level] for level in ("novice", "shark"))

    assert novice == acting("novice", remembers(LIAR))
    assert [shark] * 4 == [acting("shark", Character(one.temper)) for one in ALL]


def test_grumpy_bots_challenge_unlikely_claims_more_and_talkative_ones_less():
    doubtful = after("AAKJ9", "three", Accept(), Peek(), "full")
    unlikely = after("AAKJ9", "four 9")
    grumpy, plain = (takes(unlikely, "club", Character(temper)) for temper in ("grumpy", ""))
    kind, dour = (takes(doubtful, "club", Character(temper)) for temper in ("talkative", ""))

    assert grumpy < plain
    assert dour <= kind
    assert takes(LIKELY, "club", Character("grumpy")) == takes(LIKELY, "club", Character())


def test_bold_bots_sometimes_claim_more_than_others_when_they_lie_anyhow():
    state = after("AAKJ9", "three 9", Accept(), Roll((3, 4, 5)), Roll((3, 4, 5)), luck=Scripted(2, 3, 4, 1, 3, 5))
    plain, bold = (made(state, "club", Character(temper)) for temper in ("", "bold"))
    raised = [more.hand.rung > less.hand.rung for less, more in zip(plain, bold, strict=True)]

    assert 0.3 < sum(raised) / len(raised) < 0.7
    assert {Claim(Hand.parse("AAAJ9"))} == {*made(after("AAAJ9", "pair", Accept(), Peek()), "club", Character("bold"))}


def test_careful_bots_lie_as_little_as_they_can():
    state = after("AAKJ9", "three 9", Accept(), Roll((3, 4, 5)), Roll((3, 4, 5)), luck=Scripted(2, 3, 4, 1, 3, 5))
    plain, careful = ({*made(state, "club", Character(temper))} for temper in ("", "careful"))

    assert len(plain) > 1
    assert {Claim(state.passing.least)} == careful
    assert {Claim(Hand.parse("AAAJ9"))} == {
        *made(after("AAAJ9", "pair", Accept(), Peek()), "club", Character("careful"))
    }


@pytest.mark.parametrize("level", GAME.players)
def test_bot_in_character_makes_the_same_legal_move_in_states_it_cannot_tell_apart(level):
    for state, seat, other in itertools.islice(places("liarsdice"), 60):
        for character in ALL:
            bot, seen = acting(level, character), [liarsdice.view(one, seat) for one in (state, other)]
            moves = liarsdice.moves(state, seat)
            here, there = (bot(view, moves, luck_of(1, seat)) for view in seen)

            assert here == there
            assert here in moves


def test_bots_in_character_can_be_sent_to_a_worker():
    for level, character in itertools.product(GAME.players, ALL):
        assert pickle.loads(pickle.dumps(acting(level, character)))


def test_everyone_sees_that_five_aces_can_only_be_challenged():
    """Bots do so at once."""
    state = after("AAKJ9", "AAAAA")

    assert [False, True, False] == [GAME.forced(liarsdice.view(state, None), seat) for seat in range(3)]
    assert 1 == len(liarsdice.moves(state, 1))
    assert not GAME.forced(liarsdice.view(after("AAKJ9", "AAAAK"), None), 1)
