"""The rules of Lie Die, sentence by sentence, from nickthecoder's page."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lilygames_rules import liedie
from lilygames_rules.dice.cup import Accept, Accepted, Challenge, Looked, Roll, Rolled
from lilygames_rules.dice.throws import Throw, ladder
from lilygames_rules.kit import KeyedLuck, Refused, Scripted
from lilygames_rules.liedie import Challenged, Claim, ClaimMade, GameBegun, GameWon, MatchEnded, Options
from tests.rules.dice.worlds import hide

ALL = Roll((1, 2, 3, 4, 5))
TOP = "66666"


def begun(text="33145", seats=3, **options):
    """Return a game in which seat 0 throws these dice first."""
    return liedie.start(seats, Options(**{"first": "host", **options}), (), Scripted(*map(int, text)))


def after(step, *said, luck=""):
    """Return the step after the seat in turn makes each move; a text is a claim."""
    draws = Scripted(*map(int, luck))
    for move in said:
        step = liedie.apply(step.state, step.state.turn.seat, read(move), draws)
    return step


def read(move):
    return Claim(Throw.parse(move)) if isinstance(move, str) else move


def refused(step, move, seat=None):
    with pytest.raises(Refused) as said:
        liedie.apply(step.state, step.state.turn.seat if seat is None else seat, read(move), Scripted())
    return said.value


def won(step):
    """Return the winner and the loser of the game that a step ends."""
    return next((event.winner, event.loser) for event in step.events if isinstance(event, GameWon))


def at_random(seats, options, seed, most=10**6):
    luck = KeyedLuck(f"{seed}".encode())
    step = liedie.start(seats, options, (), luck)
    yield step
    while step.state.turn and most:
        seat = step.state.turn.seat
        step = liedie.apply(step.state, seat, luck.choice(liedie.moves(step.state, seat)), luck)
        most -= 1
        yield step


# Throwing and stating.


def test_first_player_throws_five_dice_hidden_from_the_others():
    step = begun()

    assert (GameBegun(1, 1, 0), Rolled(0, 5, 0, (None,) * 5, (3, 3, 1, 4, 5))) == step.events
    assert [(3, 3, 1, 4, 5), (None,) * 5] == [liedie.view(step.state, seat).cup.dice for seat in (0, 1)]


def test_thrower_claims_the_truth_or_lies():
    """They may claim any of the 252 throws, and nothing else."""
    step = begun()

    assert [Claim(throw) for throw in ladder()] == list(liedie.moves(step.state, 0))
    assert (ClaimMade(0, Throw.parse("66666"), 1),) == after(step, "66666").events
    assert "wrong-phase" == refused(step, ALL).code


def test_turn_goes_round_in_a_circle():
    step = after(begun(), "12356", Accept(), "33145", Accept(), "33115")

    assert (0, "answer") == (step.state.turn.seat, liedie.phase(step.state))


# Believing.


def test_player_2_either_accepts_or_calls_player_1_a_liar():
    assert (Accept(), Challenge()) == liedie.moves(after(begun(), "33145").state, 1)


def test_accepter_gets_the_dice_and_others_cannot_see_them():
    step = after(begun(), "12356", Accept())

    assert (Accepted(1), Looked(1, (3, 3, 1, 4, 5))) == step.events
    assert [True, True, False] == [liedie.view(step.state, seat).cup.known for seat in range(3)]


def test_player_2_may_throw_any_number_of_the_dice_and_leave_the_rest():
    step = after(begun(), "12356", Accept(), Roll((3, 4)), luck="36")

    assert (Rolled(1, 2, 0, (None,) * 5, (3, 3, 3, 6, 5)),) == step.events
    assert [False, True, False] == [liedie.view(step.state, seat).cup.known for seat in range(3)]


def test_any_number_may_be_none():
    step = after(begun(), "12356", Accept(), Roll(()))

    assert (Rolled(1, 0, 0, (None,) * 5, (3, 3, 1, 4, 5)),) == step.events
    assert liedie.view(step.state, 0).cup.known
    assert 32 == sum(isinstance(move, Roll) for move in liedie.moves(after(begun(), "12356", Accept()).state, 1))


def test_dice_are_thrown_once():
    step = after(begun(), "12356", Accept(), Roll((1,)), luck="6")

    assert "no-rolls-left" == refused(step, Roll((2,))).code
    assert all(isinstance(move, Claim) for move in liedie.moves(step.state, 1))


def test_player_may_claim_without_throwing():
    assert 2 == after(begun(), "12356", Accept(), "33145").state.turn.seat


@pytest.mark.parametrize("claim", ["33145", "33125", "12356"])
def test_they_must_state_a_better_throw(claim):
    no = refused(after(begun(), "33145", Accept()), claim)

    assert ("not-better", "33541", "33621") == (no.code, str(no.facts["claim"]), str(no.facts["least"]))


def test_ranking_depends_on_how_1_3_4_5_6_counts():
    """If it is nothing, as the page's example says, a pair is better."""
    assert 2 == after(begun(thirteen="nothing"), "13456", Accept(), "11235").state.turn.seat
    assert "not-better" == refused(after(begun(), "13456", Accept()), "11235").code


def test_nothing_is_better_than_five_sixes_so_they_can_only_be_challenged():
    step = after(begun(), TOP)

    assert (Challenge(),) == liedie.moves(step.state, 1)
    assert "cannot-beat" == refused(step, Accept()).code


def test_move_in_the_wrong_phase_is_refused():
    asked = after(begun(), "12356")
    said = [refused(begun(), Accept()), refused(begun(), Challenge()), refused(asked, "33145"), refused(asked, ALL)]

    assert [("wrong-phase", phase) for phase in ("state", "state", "answer", "answer")] == [
        (no.code, no.facts["phase"]) for no in said
    ]
    assert "wrong-phase" == refused(after(asked, Accept()), Challenge()).code
    assert ("not-your-turn", 1) == (refused(asked, "33145", 2).code, refused(asked, "33145", 2).facts["turn"])


# Calling a liar.


def test_player_1_wins_if_they_were_falsely_accused():
    step = after(begun("33145"), "33145", Challenge())

    assert Challenged(1, 0, Throw.parse("33145"), Throw.parse("33145"), lied=False) == step.events[0]
    assert (GameWon(1, 0, 1, (1, -1, 0)), MatchEnded((1, -1, 0), (0,))) == step.events[1:]
    assert ((1, -1, 0), (0,)) == (liedie.outcome(step.state).scores, liedie.outcome(step.state).winners)


def test_player_2_wins_if_they_correctly_spotted_a_liar():
    """The others neither win nor lose."""
    step = after(begun("33145"), "33115", Challenge())

    assert (1, 0) == won(step)
    assert (-1, 1, 0) == liedie.outcome(step.state).scores


@pytest.mark.parametrize(("truth", "winner"), [("exact", 1), ("atleast", 0)])
def test_understatement_is_a_lie_except_with_truth_atleast(truth, winner):
    assert winner == won(after(begun("33336", truth=truth), "33335", Challenge()))[0]


@pytest.mark.parametrize("truth", ["exact", "atleast"])
def test_overstatement_is_always_a_lie(truth):
    assert (1, 0) == won(after(begun("33335", truth=truth), "33336", Challenge()))


def test_it_is_of_no_consequence_whether_an_accepted_claim_was_a_lie():
    step = after(begun("12356"), "22222", Accept(), ALL, "66666", Challenge(), luck="66666")

    assert (1, 2) == won(step)


def test_then_the_game_is_over():
    step = after(begun(), "66666", Challenge())

    assert ("over", ()) == (liedie.phase(step.state), liedie.moves(step.state, 0))
    with pytest.raises(Refused, match="game-over"):
        liedie.apply(step.state, 0, Challenge(), Scripted())


def test_in_a_match_the_loser_throws_first_in_the_next_game():
    step = liedie.apply(after(begun(games=2), "66666").state, 1, Challenge(), Scripted(1, 1, 1, 1, 1))

    assert (GameBegun(2, 2, 0), Rolled(0, 5, 0, (None,) * 5, (1,) * 5)) == step.events[2:]
    assert liedie.outcome(step.state) is None

    step = after(step, "11111", Challenge())
    assert ((0, 0, 0), (0, 1, 2)) == (liedie.outcome(step.state).scores, liedie.outcome(step.state).winners)


def test_each_seat_throws_first_once_with_first_turns():
    """The host throws first, then the next seat clockwise, although here each thrower loses."""
    step, throwers = begun(games=4, first="turns"), []
    while step.state.turn:
        throwers += [event.thrower for event in step.events if isinstance(event, GameBegun)]
        seat = step.state.turn.seat
        step = liedie.apply(step.state, seat, Claim(Throw.parse(TOP)), KeyedLuck(b"turns"))
        step = liedie.apply(step.state, step.state.turn.seat, Challenge(), KeyedLuck(b"turns"))

    assert [0, 1, 2, 0] == throwers


@pytest.mark.parametrize(
    ("seats", "options", "code"),
    [(1, {}, "bad-seats"), (21, {}, "bad-seats"), (3, {"games": 0}, "bad-games"), (3, {"games": 101}, "bad-games")],
)
def test_impossible_game_is_refused(seats, options, code):
    with pytest.raises(Refused) as no:
        liedie.start(seats, Options(**options), (), Scripted())

    assert code == no.value.code


def test_first_thrower_is_drawn_unless_the_host_throws():
    assert 2 == liedie.start(3, Options(), (), Scripted(2, 1, 1, 1, 1, 1)).state.turn.seat


def test_default_challenges_or_makes_the_lowest_claim():
    assert Challenge() == liedie.default(after(begun(), "33145").state, 1)
    assert Claim(Throw.parse("33621")) == liedie.default(after(begun(), "33145", Accept()).state, 1)


# Dice are known to the last thrower since the throw, and to the new holder.


PHASES = {
    "the first player has thrown": (),
    "a claim waits for an answer": ("12356",),
    "the claim is accepted": ("12356", Accept()),
    "some dice are thrown": ("12356", Accept(), Roll((1, 2))),
    "no dice are thrown": ("12356", Accept(), Roll(())),
    "the next claim waits for an answer": ("12356", Accept(), Roll((1, 2)), "33145"),
    "the next claim is accepted": ("12356", Accept(), Roll((1, 2)), "33145", Accept()),
}
KNOWING = dict(zip(PHASES, [{0}, {0}, {0, 1}, {1}, {0, 1}, {1}, {1, 2}], strict=True))


@pytest.mark.parametrize("phase", PHASES)
def test_hidden_dice_never_change_a_view(phase):
    step = after(begun(), *PHASES[phase], luck="66" if Roll((1, 2)) in PHASES[phase] else "")
    knowing = {seat for seat in range(3) if liedie.view(step.state, seat).cup.known}
    assert KNOWING[phase] == knowing

    for seat in (0, 1, 2, None):
        others = [hide(step.state, seat, KeyedLuck(b"%d" % number)) for number in range(20)]
        assert (seat in knowing) == (len({other.cup.dice for other in others}) == 1)
        for other in others:
            assert liedie.view(step.state, seat) == liedie.view(other, seat)
            if seat is not None:
                assert liedie.moves(step.state, seat) == liedie.moves(other, seat)


def test_passer_remembers_the_dice():
    cup = liedie.view(after(begun(), "12356", Accept(), Roll((1, 2)), luck="66").state, 0).cup

    assert ((3, 3, 1, 4, 5), 2, (None,) * 5) == (cup.last, cup.since[0], cup.dice)


games = st.tuples(
    st.integers(2, 20),
    st.sampled_from(["exact", "atleast"]),
    st.sampled_from(["straight", "nothing"]),
    st.integers(0, 10**6),
)


@given(games)
@settings(max_examples=25)
def test_every_game_has_one_winner_and_one_loser(game):
    seats, truth, thirteen, seed = game
    steps = list(at_random(seats, Options(truth=truth, thirteen=thirteen, games=3), seed))
    ends = [event for step in steps for event in step.events if isinstance(event, GameWon)]

    assert [1, 2, 3] == [event.number for event in ends]
    assert all(event.winner != event.loser and sum(event.scores) == 0 for event in ends)
    assert ends[-1].scores == liedie.outcome(steps[-1].state).scores


@given(games, st.integers(0, 20))
@settings(max_examples=25)
def test_listed_moves_are_exactly_the_accepted_ones(game, most):
    seats, truth, thirteen, seed = game
    state = list(at_random(seats, Options(truth=truth, thirteen=thirteen), seed, most))[-1].state
    every = [Accept(), Challenge(), ALL, Roll(()), Roll((2,)), Roll((2, 1)), *map(Claim, ladder()[::9])]
    for seat in range(seats):
        legal = liedie.moves(state, seat)
        assert [move in legal for move in every] == [accepted(state, seat, move) for move in every]
        assert len(legal) == len(set(legal))


def accepted(state, seat, move):
    try:
        liedie.apply(state, seat, move, KeyedLuck(b"any"))
    except Refused:
        return False
    return True


@given(games, st.integers(0, 20), st.integers(0, 3))
@settings(max_examples=25)
def test_imagined_state_looks_the_same(game, most, seat):
    seats, truth, thirteen, seed = game
    seat = seat if seat < seats else None
    state = list(at_random(seats, Options(truth=truth, thirteen=thirteen), seed, most))[-1].state
    view = liedie.view(state, seat)

    assert view == liedie.view(liedie.sample(view, KeyedLuck(b"imagine")), seat)
