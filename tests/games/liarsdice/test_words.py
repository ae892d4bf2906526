"""Liars Dice passes the checks of every game with every option, and its texts are right."""

from __future__ import annotations

import attrs
import pytest

from lilygames.commands import Misread, find
from lilygames.game import Reader
from lilygames.games.liarsdice import GAME
from lilygames.games.liarsdice.bots.house import novice
from lilygames.games.liarsdice.words import ask, hand, score, show, spell, tell
from lilygames.gametest.promises import PROMISES
from lilygames.gametest.wording import WORDS
from lilygames.scene_rows import asking
from lilygames.testing import Check, check_game, play
from lilygames.text import Voice
from lilygames_rules import liarsdice
from lilygames_rules.dice import claim_text
from lilygames_rules.dice.claims import Claim as Hand
from lilygames_rules.dice.cup import Accept, Accepted, Challenge, Looked, Roll, Rolled
from lilygames_rules.dice.passing import Claim, Peek
from lilygames_rules.kit import KeyedLuck, Refused, Scripted
from lilygames_rules.liarsdice import Options
from tests.rules.dice.worlds import hide


@pytest.mark.parametrize(
    ("chosen", "sizes"),
    [
        (Options(points=2), (2, 4, 10)),
        (Options(points="none", max_rounds=4), (3,)),
        (Options(points="none", max_rounds=4, first="turns"), (3, 4)),
        (Options(points=1, passing="next", first="host"), (3,)),
        (Options(points=1, reveal="always"), (3,)),
        (Options(points=1, reveal="never"), (3,)),
        (Options(points=1, kickers="strict"), (3,)),
    ],
)
def test_liars_dice_keeps_its_promises(chosen, sizes):
    """It passes every check of `check_game`; random players claim far more often than they take the dice."""
    check_game(GAME, hide=hide, bound=2000, options=[chosen], sizes=sizes, rare=(Accepted, Looked), zero_sum=True)


@pytest.mark.parametrize("options", [Options(points=1), Options(points=1, reveal="always"), Options(max_rounds=2)])
@pytest.mark.parametrize("seats", [2, 3])
def test_liars_dice_keeps_its_promises_where_the_dice_are_taken(options, seats):
    """These are the same checks with realistic play: novices look, roll, pass on and lie."""
    turns = tuple(play(GAME, seats, options, 1, novice))
    check = Check(GAME, options, seats, 1, (), turns, hide, zero_sum=True)

    assert {Accepted, Looked, Rolled} <= {type(event) for turn in turns for event in turn.events}
    assert [] == [broken for promise in (*WORDS, *PROMISES) for broken in promise(check)]


NAMES = ("ann", "bob", "cat")
ANN, BOB, CAT, WATCHER = (Reader(seat, NAMES) for seat in (0, 1, 2, None))
SPOKEN = Reader(1, NAMES, Voice(spoken=True))


def dice(text):
    return tuple(claim_text.faces(text.casefold()))


def after(text, *moves, luck="", seats=3, **options):
    """Return the step after ann begins with these dice and the seats in turn make these moves."""
    step = liarsdice.start(seats, Options(first="host", **options), (), Scripted(*dice(text)))
    draws = Scripted(*dice(luck))
    for move in moves:
        made = Claim(Hand.parse(move)) if isinstance(move, str) else move
        step = liarsdice.apply(step.state, liarsdice.turn(step.state), made, draws)
    return step


def lines(reader, step):
    seen = (event.seen_by(reader.seat) for event in step.events)
    return [tell(event, reader) for event in seen if event is not None]


def asked(step, reader):
    return ask(liarsdice.view(step.state, reader.seat), liarsdice.moves(step.state, reader.seat), reader)


def typed(step, reader, text):
    """Return the move that a line is read as."""
    word, _, rest = text.partition(" ")
    command = find(word, GAME.commands)
    return command.run(liarsdice.view(step.state, reader.seat), *command.read(rest))


def refusal(step, reader, move):
    """Return the sentence for a refused line."""
    with pytest.raises(Refused) as no:
        liarsdice.apply(step.state, reader.seat, typed(step, reader, move), Scripted())
    return GAME.refusal(no.value.code, no.value.facts, reader)


# The story.


def test_dice_are_told_to_the_roller_and_their_number_to_everyone():
    step = after("99KQJ")

    assert ["You open round 1.", "You roll 5 dice: 9 9 K Q J (2 rolls left)."] == lines(ANN, step)
    assert ["ann opens round 1.", "ann rolls 5 dice (2 rolls left)."] == lines(BOB, step) == lines(WATCHER, step)


def test_kept_dice_are_face_up():
    step = after("99KQJ", Roll((3, 4, 5)), luck="TTT")

    assert ["You roll 3 dice: 9 9 T T T; face up: 9 9 (1 roll left)."] == lines(ANN, step)
    assert ["ann rolls 3 dice; face up: 9 9 (1 roll left)."] == lines(CAT, step)
    assert ["ann rolls 3, open 2 nines."] == lines(SPOKEN, step)


def test_claim_names_the_next_player_and_says_whether_the_passer_looked():
    assert ["ann passes to you: a pair and a nine."] == lines(BOB, after("99KQJ", "pair + 9"))
    assert ["bob passes on unseen to you: two pair."] == lines(CAT, after("99KQJ", "pair + 9", "two pair"))
    assert ["You pass to cat without looking: two pair."] == lines(
        BOB, after("99KQJ", "pair + 9", Accept(), "two pair")
    )


def test_look_shows_the_dice_to_the_looker_alone():
    step = after("99KQJ", "pair", Accept(), Peek())

    assert ["bob looks at the dice."] == lines(ANN, step)
    assert ["You look: 9 9 K Q J."] == lines(BOB, step)
    assert ["Dice: pair of nines, king, queen, jack."] == lines(SPOKEN, step)


def test_turn_names_a_claim_without_faces_as_people_say_it():
    step = after("AAA99")
    asks = asking(GAME, liarsdice.view(step.state, 0), liarsdice.moves(step.state, 0), ANN)[-1]

    assert "Your turn: 1. claim AAA99 (true)  2. claim a full house  3. roll 99  4. roll 9" == asks


def test_screen_reader_hears_a_prompt_without_the_claim_and_the_dice_it_has_just_read():
    """`Dice: three kings, queen, nine.` and `ann to you: pair.` come before it."""
    assert "1 claim the truth; 2 claim three of a kind; 3 roll nine" == asked(
        after("KKKQ9", "pair", Accept(), Peek()), SPOKEN
    )
    assert "1 look; 2 roll all; or claim" == asked(after("KKKQ9", "pair", Accept()), SPOKEN)
    assert "1 accept, 2 challenge, 3 pass on unseen as pair, nine" == asked(after("KKKQ9", "pair"), SPOKEN)


def test_screen_reader_hears_which_claim_it_has_passed_on_unseen_by_number():
    step = after("KKKQ9", "pair 9", "pair 9 + T")
    typist = attrs.evolve(SPOKEN, typed=True)

    assert ["You to cat: pair of nines, ten."] == lines(typist, step)


def test_screen_reader_hears_a_challenge_in_one_row():
    step = challenged("999KQ", "pair A")
    typist = attrs.evolve(SPOKEN, typed=True)

    assert "You challenge: three nines, king, queen. True." == lines(SPOKEN, step)[0]
    assert "Dice: three nines, king, queen. True." == lines(typist, step)[0]


def challenged(text, claim, **options):
    step = after(text, claim, **options)
    return liarsdice.apply(step.state, 1, Challenge(), KeyedLuck(b"next"))


def test_challenge_shows_the_dice_and_the_verdict():
    step = challenged("999KQ", "pair A")

    assert [
        "bob challenges ann's pair A: the dice are 9 9 9 K Q (three nines). True!",
        "Round 1: ann +1, bob -1.   Score: ann +1  you 0  bob -1",
        "bob opens round 2.",
        "bob rolls 5 dice (2 rolls left).",
    ] == lines(CAT, step)
    assert "You challenge ann's pair A: the dice are 9 9 9 K Q (three nines). True!" == lines(BOB, step)[0]
    lie = "bob challenges your full house: the dice are 9 9 9 K Q (three nines). A lie!"
    assert lie == lines(ANN, challenged("999KQ", "full"))[0]


# Screens.


def test_table_shows_the_claim_the_dice_that_lie_open_and_the_seats_by_number():
    step = after("99KQJ", Roll((3, 4, 5)), "pair + 9", luck="TTT")

    assert [
        "Round 1, to 5 points, 200 rounds at most.",
        "ann claims a pair and a nine (pair + 9) to you after looking.",
        "Dice: 9 9 ? ? ?.",
        "Points by seat: 1. ann 0, 2. you 0, 3. cat 0.",
    ] == show(liarsdice.view(step.state, 1), BOB)


def test_table_shows_who_has_the_dice():
    opened, taken = after("99KQJ"), after("99KQJ", "pair + 9", Accept())

    assert "ann has the dice, no claim yet (2 rolls left)." == show(liarsdice.view(opened.state, None), WATCHER)[1]
    assert (
        "You have the dice, unseen, 2 rolls left; the last claim was a pair and a nine (pair + 9)."
        == show(liarsdice.view(taken.state, 1), BOB)[1]
    )


def test_last_round_stays_in_sight():
    rows = show(liarsdice.view(challenged("999KQ", "pair A").state, 2), CAT)

    assert "Round 1: bob challenged ann's pair A: 9 9 9 K Q. True!" == rows[3]


def test_game_that_is_over_shows_its_points():
    view = liarsdice.view(challenged("999KQ", "pair A", points=1).state, 2)

    assert ["The game is over.", "Points by seat: 1. ann +1, 2. bob -1, 3. you 0."] == show(view, CAT)[::2]
    assert ["The game is over."] == hand(view, CAT)


def test_hand_shows_the_known_dice():
    first, rolled = after("99KQJ", "pair"), after("99KQJ", "pair", Accept(), Roll((1,)), luck="T")

    assert ["You know the dice: 9 9 K Q J (a pair of nines, a king, a queen and a jack)."] == hand(
        liarsdice.view(first.state, 0), ANN
    )
    assert ["You see ? ? ? ? ?; you haven't looked this round."] == hand(liarsdice.view(first.state, 1), BOB)
    assert ["You see ? ? ? ? ?; you saw 9 9 K Q J, before 1 die was rolled."] == hand(
        liarsdice.view(rolled.state, 0), ANN
    )


def test_screen_reader_hears_the_dice_by_place():
    state = after("99KQJ", "pair", Accept(), Peek()).state

    assert ["You know the dice: number 1 nine, number 2 nine, number 3 king, number 4 queen, number 5 jack."] == hand(
        liarsdice.view(state, 1), SPOKEN
    )


def test_sheet_tells_how_the_latest_rounds_ended():
    assert [
        "Points: ann +1, bob -1, you 0; to 5 points, 200 rounds at most.",
        "Round 1: bob challenged ann's pair A: 9 9 9 K Q. True!",
    ] == score(liarsdice.view(challenged("999KQ", "pair A").state, 2), CAT)
    assert (
        "Points: ann +1, bob -1, you 0; 9 rounds in all."
        == score(liarsdice.view(challenged("999KQ", "pair A", points="none", max_rounds=9).state, 2), CAT)[0]
    )


def test_prompt_asks_for_the_legal_moves():
    opened, offered = after("99KQJ"), after("99KQJ", "pair + 9")
    taken = after("99KQJ", "pair + 9", Accept())
    spent = after("99KQJ", Roll((3,)), Roll((3,)), luck="TT")

    assert (
        "1. claim pair 9 + KQJ (true), 2. claim pair, 3. roll 9 9, 4. roll K 9 9, or any claim (2 rolls left)"
        == asked(opened, ANN)
    )
    assert "1. claim pair 9 + QJT (true), 2. claim pair, or any claim" == asked(spent, ANN)
    assert "1. accept, 2. challenge, or pass on unseen: 3. claim pair + T or any higher claim" == asked(offered, BOB)
    assert "1. challenge AAAAA, which nothing beats" == asked(after("99KQJ", "AAAAA"), BOB)
    assert "beat pair + 9: 1. look, 2. roll all, 3. claim pair + T, or any claim (2 rolls left)" == asked(taken, BOB)


def test_rolls_come_before_lies_when_the_dice_are_too_low():
    """The likeliest rolls come first, then the lowest sufficient claim and a bolder one."""
    looked = after("99KQJ", "two pair Q", Accept(), Peek())

    assert (
        "beat two pair Q: 1. roll K J, 2. roll Q J, 3. claim two pair Q + 9, 4. claim QQ99, or any claim"
        " (yours: pair 9 + KQJ; 2 rolls left)"
    ) == asked(looked, BOB)


# Typed lines.


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("claim pair of nines", "claim pair 9"),
        ("claim two pair K to 3", "claim two pair K to 3"),
        ("CLAIM FULL HOUSE TO 2", "claim full to 2"),
        ("roll all", "roll all"),
        ("roll #3 #1", "roll #1 #3"),
        ("roll k j", "roll #3 #5"),
        ("roll 9", "roll #1"),
        ("roll nines", "roll #1 #2"),
        ("keep 99", "roll #3 #4 #5"),
        ("keep kings", "roll #1 #2 #4 #5"),
        ("keep #1", "roll #2 #3 #4 #5"),
    ],
)
def test_moves_are_read_as_people_type_them(text, move):
    assert move == spell(typed(after("99KQJ"), ANN, text))


def test_look_challenge_and_liar_are_commands():
    assert (Peek(), Challenge(), Accept()) == tuple(
        typed(after("99KQJ"), ANN, word) for word in ("look", "liar", "acc")
    )


@pytest.mark.parametrize("text", ["roll", "roll five", "keep it up"])
def test_text_that_names_no_dice_is_misread(text):
    with pytest.raises(Misread, match="DICE"):
        typed(after("99KQJ"), ANN, text)


@pytest.mark.parametrize(
    ("reader", "move", "sentence"),
    [
        (ANN, "claim pair a 9", "do you mean pair + 9 or pair A + 9?"),
        (
            ANN,
            "claim nonsense",
            "claims look like pair, pair + 9, two pair K, KK99A, straight, full T or four aces.",
        ),
        (ANN, "claim pair to nobody", "no player has that name: pass to a player by name, or by seat number, 1 to 3."),
        (ANN, "claim pair to 1", "pass the dice to 2 (bob) or 3 (cat)."),
        (ANN, "roll a", "the dice don't show enough aces; /hand shows them, #1 to #5 are their places."),
        (
            ANN,
            "keep #1 #2 #3 #4 #5",
            "name dice by face (KK), by place (#1 to #5), or all. To keep them all, just claim.",
        ),
        (
            ANN,
            "roll #1 #1",
            "name dice by face (KK), by place (#1 to #5), or all. To keep them all, just claim.",
        ),
        (ANN, "accept", "nobody has claimed yet: claim a hand like two pair K, or roll."),
        (BOB, "claim pair", "wait for ann to roll or claim."),
        (BOB, "roll 9", "wait for ann to roll or claim."),
    ],
)
def test_refusal_says_what_can_be_done(reader, move, sentence):
    assert sentence == refusal(after("99KQJ"), reader, move)


@pytest.mark.parametrize(
    ("moves", "move", "sentence"),
    [
        (("pair + 9",), "claim pair", "that doesn't beat pair + 9: claim pair + T or higher."),
        (("pair + 9",), "peek", "the claim is pair + 9: accept, challenge, or claim higher."),
        (("pair + 9",), "keep kings", "the claim is pair + 9: accept, challenge, or claim higher."),
        (("AAAAA",), "claim five", "nothing beats AAAAA: challenge it."),
        (("AAAAA",), "accept", "nothing beats AAAAA: challenge it."),
        (("pair", Accept()), "challenge", "you have the dice: peek, roll, or claim higher."),
        (("pair", Accept()), "roll 9", "you haven't seen such a die: peek first, or name places (#1 to #5)."),
        (("pair", Accept(), Peek()), "peek", "you've already looked; /hand shows the dice."),
        (("pair", Accept(), Roll((1,)), Roll((1,))), "roll all", "you have no rolls left: claim a hand."),
    ],
)
def test_refusal_to_the_holder_says_what_can_be_done(moves, move, sentence):
    assert sentence == refusal(after("99KQJ", *moves, luck="99"[: moves.count(Roll((1,)))]), BOB, move)


def test_picture_has_the_claim_and_the_dice_that_its_reader_knows():
    """The roller sees the dice; for the others they are question marks until they look."""
    step = after("99KQJ", "pair 9 K")
    shown = [GAME.picture(liarsdice.view(step.state, seat), Reader(seat, ("ann", "bob", "cat"))) for seat in (0, 1)]

    assert [("pair 9 + K", 0, 1)] * 2 == [(one.quote.text, one.quote.speaker, one.quote.hearer) for one in shown]
    assert [tuple("99KQJ"), tuple("?????")] == [tuple(die.face for die in one.zones[0].pieces) for one in shown]
