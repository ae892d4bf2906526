"""Lie Die passes the checks of every game with every option, and its texts are right."""

from __future__ import annotations

import attrs
import pytest

from lilygames.commands import Misread, find
from lilygames.game import Reader
from lilygames.games.liedie import GAME
from lilygames.games.liedie.house import novice
from lilygames.games.liedie.words import ask, hand, score, show, spell, tell
from lilygames.gametest.promises import PROMISES
from lilygames.gametest.wording import WORDS
from lilygames.scene_rows import asking
from lilygames.testing import Check, check_game, play
from lilygames.text import Voice
from lilygames_rules import liedie
from lilygames_rules.dice.cup import Accept, Accepted, Challenge, Looked, Roll
from lilygames_rules.dice.throws import Throw
from lilygames_rules.kit import Refused, Scripted
from lilygames_rules.liedie import Claim, Options
from tests.rules.dice.worlds import hide


@pytest.mark.parametrize(
    ("chosen", "sizes"),
    [
        (Options(), (2, 4, 20)),
        (Options(games=4, first="turns"), (3, 4)),
        (Options(games=5, first="host"), (3,)),
        (Options(games=3, truth="atleast"), (3,)),
        (Options(games=3, thirteen="nothing"), (3,)),
    ],
)
def test_lie_die_keeps_its_promises(chosen, sizes):
    check_game(GAME, hide=hide, bound=500, options=[chosen], sizes=sizes, deals=4, zero_sum=True)


@pytest.mark.parametrize("options", [Options(games=3), Options(games=3, truth="atleast", thirteen="nothing")])
@pytest.mark.parametrize("seats", [2, 3])
def test_lie_die_keeps_its_promises_where_players_believe_each_other(options, seats):
    """These are the same checks with realistic play: novices throw again, and lie a little."""
    turns = tuple(play(GAME, seats, options, 1, novice))
    check = Check(GAME, options, seats, 1, (), turns, hide, zero_sum=True)

    assert {Accepted, Looked} <= {type(event) for turn in turns for event in turn.events}
    assert [] == [broken for promise in (*WORDS, *PROMISES) for broken in promise(check)]


NAMES = ("ann", "bob", "cat")
ANN, BOB, CAT, WATCHER = (Reader(seat, NAMES) for seat in (0, 1, 2, None))
SPOKEN = Reader(1, NAMES, Voice(spoken=True))


def after(text, *moves, luck="", **options):
    """Return the step after ann throws these dice first and the seats in turn make these moves."""
    step = liedie.start(3, Options(first="host", **options), (), Scripted(*map(int, text)))
    draws = Scripted(*map(int, luck))
    for move in moves:
        made = Claim(Throw.parse(move)) if isinstance(move, str) else move
        step = liedie.apply(step.state, step.state.turn.seat, made, draws)
    return step


def lines(reader, step):
    seen = (event.seen_by(reader.seat) for event in step.events)
    return [line for event in seen if event is not None and (line := tell(event, reader))]


def asked(step, reader):
    return ask(liedie.view(step.state, reader.seat), liedie.moves(step.state, reader.seat), reader)


def shown(step, reader):
    return show(liedie.view(step.state, reader.seat), reader)


def typed(step, reader, text):
    """Return the move that a line is read as."""
    word, _, rest = text.partition(" ")
    command = find(word, GAME.commands)
    return command.run(liedie.view(step.state, reader.seat), *command.read(rest))


def refusal(step, reader, text):
    """Return the sentence for a refused line."""
    with pytest.raises(Refused) as no:
        liedie.apply(step.state, reader.seat, typed(step, reader, text), Scripted())
    return GAME.refusal(no.value.code, no.value.facts, reader)


# The story.


def test_dice_are_told_to_the_thrower_and_their_number_to_everyone():
    step = after("33145")

    assert ["You throw first.", "You throw 5 dice: 3 3 1 4 5."] == lines(ANN, step)
    assert ["ann throws first.", "ann throws 5 dice."] == lines(BOB, step) == lines(WATCHER, step)
    assert "Game 1 of 3: ann throws first." == lines(BOB, after("33145", games=3))[0]


def test_claim_is_told_with_its_type():
    assert ["ann tells you: 33541, a pair of threes."] == lines(BOB, after("33145", "33145"))
    assert ["ann to you: 3 3 5 4 1."] == lines(SPOKEN, after("33145", "33145"))


def test_type_of_1_3_4_5_6_is_left_out_when_unknown():
    assert ["You tell bob: 34561."] == lines(ANN, after("33145", "13456"))


def test_accepter_is_told_the_dice():
    step = after("33145", "33115", Accept())

    assert ["You accept.", "The dice are 3 3 1 4 5."] == lines(BOB, step)
    assert ["bob accepts."] == lines(ANN, step) == lines(CAT, step)


def test_number_of_dice_thrown_is_public():
    thrown, kept = (after("33145", "33115", Accept(), Roll(places), luck="36") for places in ((3, 4), ()))

    assert ["You throw 2 dice: 3 3 3 6 5."] == lines(BOB, thrown)
    assert ["bob throws 2 dice."] == lines(ANN, thrown)
    assert ["bob throws no dice."] == lines(CAT, kept)


def test_challenge_tells_the_caller_and_the_verdict():
    assert [
        "bob challenges ann's 33115: the dice are 33541 (a pair). A lie!",
        "Game 1: bob +1, ann -1.   Score: bob +1  you 0  ann -1",
    ] == lines(CAT, after("33145", "33115", Challenge()))
    assert [
        "You challenge ann's 33541: the dice are 33541 (a pair). True!",
        "Game 1: ann +1, you -1.   Score: ann +1  cat 0  you -1",
    ] == lines(BOB, after("33145", "33145", Challenge()))


# Screens.


def test_table_shows_the_claim_and_your_dice():
    step = after("33145", "33115")

    assert [
        "Game 1 of 1.",
        "You claim 33115, two pairs, threes and ones to bob.",
        "The dice: 3 3 1 4 5 (a pair of threes).",
        "Points: you 0, bob 0, cat 0.",
    ] == shown(step, ANN)
    assert ["Game 1 of 1.", "ann claims 33115, two pairs, threes and ones to bob."] == shown(step, WATCHER)[:2]


def test_table_shows_whose_turn_it_is():
    begun, taken = after("33145"), after("33145", "33115", Accept())
    thrown = after("33145", "33115", Accept(), Roll((1,)), luck="1")

    assert "ann has thrown and hasn't claimed yet." == shown(begun, BOB)[1]
    assert "You have thrown: claim." == shown(begun, ANN)[1]
    assert "You have accepted 33115, two pairs, threes and ones, but not thrown yet." == shown(taken, BOB)[1]
    assert "bob has accepted 33115, two pairs, threes and ones, and thrown." == shown(thrown, CAT)[1]


def test_1_3_4_5_6_is_called_what_it_is_at_this_table():
    assert "ann claims 34561, nothing to bob." == shown(after("33145", "13456", thirteen="nothing"), CAT)[1]
    assert "ann claims 34561, a short straight to bob." == shown(after("33145", "13456"), CAT)[1]


def test_match_that_is_over_shows_how_it_ended():
    step = after("33145", "33115", Challenge())

    assert [
        "The game is over.",
        "Game 1: ann claimed 33115 with 33541; bob called it a lie, and it was.",
        "Points: ann -1, bob +1, you 0.",
    ] == shown(step, CAT)
    assert ["The game is over."] == hand(liedie.view(step.state, 2), CAT)
    assert [
        "Points: ann +1, bob -1, you 0.",
        "Game 1: ann claimed 33541 with 33541; bob called it a lie, it was not.",
    ] == score(liedie.view(after("33145", "33145", Challenge()).state, 2), CAT)


def test_hand_shows_the_known_dice():
    state = after("33145", "33115", Accept(), Roll((3,)), luck="6").state

    assert ["You last saw 3 3 1 4 5, before 1 die was thrown."] == hand(liedie.view(state, 0), ANN)
    assert ["The dice: 3 3 6 4 5 (a short straight)."] == hand(liedie.view(state, 1), BOB)
    assert ["You haven't seen the dice in this game."] == hand(liedie.view(state, 2), CAT)


def test_prompt_asks_for_the_legal_moves():
    thrown = after("33145", "33115", Accept(), Roll((1,)), luck="1")

    assert "1. claim 33541 (true), 2. claim 33621, 3. claim 44521, or any claim" == asked(after("33145"), ANN)
    assert "1. accept, 2. challenge" == asked(after("33145", "33115"), BOB)
    assert ("beat 33115: 1. roll 1, 2. roll 5 1, 3. claim 33116, 4. claim 44112, or any claim (yours: 33541)") == asked(
        after("33145", "33115", Accept()), BOB
    )
    assert "beat 33115: 1. claim 33116, 2. claim 33221, 3. claim 44112, or any claim (yours: 11543)" == asked(
        thrown, BOB
    )
    assert "1. challenge: nothing beats 66666" == asked(after("33145", "66666"), BOB)
    assert "1 roll 1; 2 roll 5 1; or claim" == asked(after("33145", "33115", Accept()), SPOKEN)


def test_narrow_turn_says_how_the_claim_came_about_even_without_room_for_its_chance():
    step = after("33145", "55642")
    bob = Reader(1, NAMES, Voice(narrow=True))
    rows = asking(GAME, liedie.view(step.state, 1), liedie.moves(step.state, 1), bob)

    assert ["ann threw 5: 55642 (a pair).", "Your turn: 1. accept  2. challenge"] == rows


def test_screen_reader_hears_neither_the_dice_again_nor_what_a_throw_implies():
    """`Dice: 3 3 1 4 5.` comes before the prompt, and `bob throws none.` after he has accepted."""
    first = liedie.start(3, Options(first="host"), (), Scripted(3, 3, 1, 4, 5))

    assert "1 claim the truth; 2 claim 3 3 6 2 1" == asked(first, attrs.evolve(SPOKEN, seat=0))
    assert [] == [line for line in lines(SPOKEN, after("33145", "33115", Accept())) if "accept" in line]


# Typed lines.


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("claim 54133", "claim 33541"),
        ("claim 3 3 1 4 5", "claim 33541"),
        ("roll all", "roll all"),
        ("roll none", "roll none"),
        ("roll #3 #1", "roll #1 #3"),
        ("roll 35", "roll #1 #5"),
        ("keep 33", "roll #3 #4 #5"),
        ("keep 3 3", "roll #3 #4 #5"),
        ("keep all", "roll none"),
    ],
)
def test_moves_are_read_as_people_type_them(text, move):
    assert move == spell(typed(after("33145"), ANN, text))


def test_accept_and_liar_are_commands():
    assert (Accept(), Challenge(), Challenge()) == tuple(
        typed(after("33145"), ANN, word) for word in ("accept", "liar", "challenge")
    )


@pytest.mark.parametrize("text", ["claim", "claim 123", "claim pair", "roll", "roll 7", "keep quiet"])
def test_text_without_a_throw_or_dice_is_refused(text):
    with pytest.raises(Misread, match="DICE"):
        typed(after("33145"), ANN, text)


@pytest.mark.parametrize(
    ("moves", "reader", "text", "sentence"),
    [
        ((), ANN, "roll all", "nobody has claimed yet: claim five dice, like 33145."),
        ((), BOB, "claim 33145", "wait for ann to claim."),
        (("33145",), BOB, "claim 33115", "the claim is 33541: accept or challenge first."),
        (("33145",), CAT, "accept", "wait for bob to accept or challenge."),
        (("33145", Accept()), BOB, "claim 33145", "that doesn't beat 33541: claim 33621 or better."),
        (("33145", Accept()), BOB, "liar", "you've accepted: roll some dice or none, then claim better than 33541."),
        (("33145", Accept()), BOB, "roll 6", "not enough dice show 6; /hand shows them, #1 to #5 are their places."),
        (
            ("33145", Accept()),
            BOB,
            "roll all 3",
            "name dice by face (33), by place (#1 to #5), all or none.",
        ),
        (("33145",), BOB, "roll 3", "the claim is 33541: accept or challenge first."),
        (("33145",), CAT, "roll 3", "wait for bob to accept or challenge."),
        (("33145", Accept(), Roll(())), BOB, "roll 3", "you can throw only once per turn: now claim five dice."),
        (("66666",), BOB, "accept", "nothing beats 66666: challenge it."),
    ],
)
def test_refusal_says_what_can_be_done(moves, reader, text, sentence):
    assert sentence == refusal(after("33145", *moves), reader, text)
