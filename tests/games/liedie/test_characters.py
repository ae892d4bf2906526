"""Characters of bots in Lie Die: what tempers and memories change."""

import itertools
import pickle

import attrs
import pytest

from lilygames.game import LIES, Budget, Character, Habit, Thinker
from lilygames.games.liedie import GAME
from lilygames.gametest.plays import luck_of
from lilygames_rules import liedie
from lilygames_rules.dice.cup import Accept, Challenge, Roll
from lilygames_rules.dice.throws import Throw, rungs
from tests.games.liedie.test_novice import after
from tests.house.test_same_view_same_move import places

ALL = [Character(one, {0: {LIES: Habit(yes=20)}}) for one in ("bold", "careful", "talkative", "grumpy")]
OFTEN = range(300)


def acting(level, character):
    bot = GAME.in_character(GAME.players[level], level, character)
    return attrs.evolve(bot, budget=Budget(10)) if isinstance(bot, Thinker) else bot


def made(state, level, character):
    """Return the moves of a bot with a character in this position, in many games."""
    seat, bot = state.turn.seat, acting(level, character)
    return [bot(liedie.view(state, seat), liedie.moves(state, seat), luck_of(number, 0, "house")) for number in OFTEN]


def test_known_liar_is_challenged_more_often_but_not_always():
    state = after("11234", "11432")
    plain, known = (made(state, "shark", Character("", {0: {LIES: one}})) for one in (Habit(), Habit(yes=50)))

    assert 0.1 < (known.count(Challenge()) - plain.count(Challenge())) / len(OFTEN) < 0.3


def test_careful_novice_lies_as_little_as_it_can():
    state = after("11234", "55443", Accept(), Roll((1, 2, 3, 4, 5)), luck="11356")
    plain, careful = ({*made(state, "novice", Character(temper))} for temper in ("", "careful"))

    lowest = next(move for move in liedie.moves(state, state.turn.seat) if isinstance(move, liedie.Claim))

    assert len(plain) > 1
    assert {lowest} == careful


def test_bold_novice_lies_more_but_tells_no_other_truths():
    state, truth = after("55566"), liedie.Claim(Throw.parse("55566"))
    plain, bold = (made(state, "novice", Character(temper)) for temper in ("", "bold"))
    higher = [rungs()[two.throw] - rungs()[one.throw] for one, two in zip(plain, bold, strict=True)]

    assert {0, 1} == {*higher}
    assert [0] * plain.count(truth) == [more for one, more in zip(plain, higher, strict=True) if one == truth]


@pytest.mark.parametrize("level", GAME.players)
def test_bot_in_character_makes_the_same_legal_move_in_states_it_cannot_tell_apart(level):
    for state, seat, other in itertools.islice(places("liedie"), 40):
        for character in ALL:
            bot, moves = acting(level, character), liedie.moves(state, seat)
            here, there = (bot(liedie.view(one, seat), moves, luck_of(1, seat)) for one in (state, other))

            assert here == there
            assert here in moves


def test_bots_in_character_can_be_sent_to_a_worker():
    for level, character in itertools.product(GAME.players, ALL):
        assert pickle.loads(pickle.dumps(acting(level, character)))


def test_everyone_sees_that_five_sixes_can_only_be_challenged():
    """Bots do so at once."""
    state = after("11234", "66666")

    assert [False, True, False] == [GAME.forced(liedie.view(state, None), seat) for seat in range(3)]
    assert 1 == len(liedie.moves(state, 1))
    assert not GAME.forced(liedie.view(after("11234", "66665"), None), 1)
