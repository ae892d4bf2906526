"""Liar's Poker passes the checks of every game with every option, and its texts are exact."""

from __future__ import annotations

import pytest

from lilygames.codec import from_text, to_text
from lilygames.commands import Misread
from lilygames.game import Reader
from lilygames.games.liarspoker import GAME
from lilygames.games.liarspoker.words import hand, score, show, tell
from lilygames.gametest.stage import Stage
from lilygames.scene_rows import asking
from lilygames.testing import check_game, position
from lilygames.text import Voice
from lilygames_rules import liarspoker
from lilygames_rules.bidding.ladder import Bid, BidMade, Challenge, Challenged, Stood
from lilygames_rules.bidding.slips import LastDigitsTold, NumberShown, Slip, SlipChosen, SlipDealt, SlipsLaid
from lilygames_rules.bidding.stakes import GotUp, SatDown
from lilygames_rules.kit import Join, KeyedLuck, Leave, Refused
from lilygames_rules.liarspoker import Choose, Counted, HandBegun, HandScored, Options
from tests.games.liarspoker.talk import NEVER, begun, bid_out, fingers, said, script
from tests.games.liarspoker.worlds import hide

COMPANY = (SatDown, GotUp)
"""Events that only a table makes."""
SELDOM = (*COMPANY, Stood)
"""With few hands, random players seldom stand by a bid: they bid more."""
AUTO = (*COMPANY, SlipsLaid, SlipChosen)
BILLS = (LastDigitsTold, SlipDealt)


@pytest.mark.parametrize(
    ("chosen", "sizes", "rare"),
    [
        (Options(), (2, 4), AUTO),
        (Options(hands=12, choose="manual", reveal="numbers"), (3,), COMPANY),
        (Options(hands=11, rebid=False, opener="random"), (10,), (*AUTO, Stood)),
        (Options(numbers="bills", hands=4), (6,), (*AUTO, *BILLS, Stood)),
        (Options(numbers="bills", hands=4, choose="manual", last_double=True, stake=5), (5,), (*SELDOM, *BILLS)),
        (Options(bonus=False, sixes=False, hero=False, skunk=False, progressive=False, hands=3), (3,), (*AUTO, Stood)),
        (Options(reveal="numbers"), (2, 7), AUTO),
        (Options(hands=3, last_double=True), (20,), (*AUTO, Stood)),
        (Options(numbers="bills", hands=2, choose="manual", reveal="numbers"), (20,), (*SELDOM, *BILLS)),
    ],
)
def test_liars_poker_keeps_its_promises(chosen, sizes, rare):
    """It passes every check of `check_game`, with each value of each option; losses equal wins."""
    check_game(GAME, hide=hide, bound=5000, options=[chosen], sizes=sizes, deals=1, rare=rare, zero_sum=True)


def phases(seats, options):
    for phase in ("choose", "open", "answer", "rebid"):
        if phase != "choose" or options.choose == "manual":
            yield phase, position(GAME, seats, lambda state, phase=phase: liarspoker.phase(state) == phase, options)


@pytest.mark.parametrize("options", [Options(choose="manual"), Options(numbers="bills", choose="manual")])
def test_hidden_differences_never_show_in_any_phase(options):
    """Later numbers of the others' slips, the one in play and face-down ones may differ: the screen is the same."""
    for phase, state in phases(4, options):
        for seat in (*range(4), None):
            other = hide(state, seat, KeyedLuck(phase.encode()))
            reader = Reader(seat, NAMES[:4])
            here, there = (liarspoker.view(world, seat) for world in (state, other))

            assert other != state
            assert here == there
            assert show(here, reader) == show(there, reader)


def test_sampled_bill_of_a_finished_session_agrees_with_its_count():
    state = bid_out(begun("77777777 | 12345670 | 77712345", hands=1).state, "5 sevens").state
    other = liarspoker.sample(liarspoker.view(state, 1), KeyedLuck(b"bill"))

    assert ("77777777", "12345670") == (other.slips[0].numbers[0], other.slips[1].numbers[0])
    assert 3 == other.slips[2].numbers[0].count("7")


def test_joining_and_leaving_reveal_nothing():
    """With a newcomer to half-played slips and a player who left, views, samples and JSON stay complete."""
    state = position(GAME, 4, lambda state: len(state.match.sheet) == 3)
    for seat, move in ((4, Join()), (1, Leave()), (5, Join())):
        state = liarspoker.apply(state, seat, move, NEVER).state
    after = bid_out(state, "9 ones", KeyedLuck(b"regrouped")).state

    assert (0, 2, 3, 4, 5) == after.match.players
    for world in (state, after):
        assert world == from_text(to_text(world), liarspoker.State)
        for seat in (*range(6), None):
            seen, luck = liarspoker.view(world, seat), KeyedLuck(b"%d" % len(world.match.sheet))
            assert seen == liarspoker.view(liarspoker.sample(seen, luck), seat)
            assert seen == liarspoker.view(hide(world, seat, luck), seat)


@pytest.mark.parametrize("played", [1, 4, 9])
def test_sampled_slips_agree_with_every_count_and_last_digit(played):
    """Everything else may differ."""
    state = position(GAME, 3, lambda state: len(state.match.sheet) == played and state.auction)
    luck = KeyedLuck(b"sample")
    other = liarspoker.sample(liarspoker.view(state, 0), luck)

    assert other.slips[0] == state.slips[0]
    assert other.slips[1] != state.slips[1]
    for row in state.match.sheet:
        for seat, slip in enumerate(other.slips):
            number = slip.numbers[row.line - 1]
            assert (row.counts[seat], row.odd[seat]) == (number.count(str(row.bid.rank % 10)), int(number[-1]) % 2 == 1)


NAMES = ("ann", "bob", "cat", "dan")
ANN, BOB, CAT, WATCHER = (Reader(seat, NAMES[:3]) for seat in (0, 1, 2, None))
SPOKEN = Reader(0, NAMES[:3], Voice(spoken=True))
THREE = fingers(2, 1, 1, rank=7)


def lines(reader, step):
    seen = (event.seen_by(reader.seat) for event in step.events)
    return [text for event in seen if event is not None and (text := tell(event, reader))]


def test_session_begins_with_the_letters_and_your_own_number():
    """Nobody else learns the number."""
    step = begun("47001392 | 11111111 | 22222222", letters="BK AC BA", hands=9)

    first = "Hand 1 of 9, stake 1: bob has the lowest letters and opens the bidding ({} BK, bob AC, cat BA)."
    assert [first.format("ann")] == lines(WATCHER, step)
    assert [first.format("you"), "Your number: 47001392."] == lines(ANN, step)


def test_screen_reader_hears_what_a_number_holds():
    shown = NumberShown(0, "47001392")

    assert "Number: one, two, three, four, seven, nine, 2 tens." == tell(shown, SPOKEN)


def test_slip_is_told_to_its_owner_and_shown_by_hand():
    state = liarspoker.start(3, Options(opener="random"), (), KeyedLuck(b"slip")).state
    own = state.slips[0]

    assert f"Your slip has the letters {own.letters} and 15 numbers; /hand shows them." == tell(SlipDealt(0, own), ANN)
    rows = hand(liarspoker.view(state, 0), ANN)
    assert f"Your number, line 1: {own.numbers[0]} (sorted: " == rows[0].partition("(")[0] + "(sorted: "
    assert f"1. {own.numbers[0]} now, 2. {own.numbers[1]}, 3. {own.numbers[2]}" == rows[2]
    assert 7 == len(rows)


def test_hand_marks_the_numbers_that_were_played():
    state = liarspoker.start(2, Options(), (), KeyedLuck(b"slip")).state
    state = bid_out(state, "1 one", NEVER).state

    assert " played, 2." in hand(liarspoker.view(state, 0), Reader(0, NAMES[:2]))[2]


def test_finished_log_keeps_other_seats_numbers_secret():
    """A finished game's events are complete, but its story still hides each seat's secrets."""
    number, slip = NumberShown(1, "47001392"), SlipDealt(1, Slip("AB", ("47001392",) * 15))

    assert ["", "", ""] == [tell(event, ANN) or tell(event, WATCHER) for event in (number, slip, number)]
    assert "47001392" in tell(number, BOB)


def test_hand_reads_as_it_is_played():
    step = begun(THREE, hands=2).state
    told = [
        lines(BOB, one) for one in (said(step, "3 sevens"), said(step, "3 sevens, x"), said(step, "3 sevens, x, x"))
    ]

    assert [
        ["ann bids 3 sevens."],
        ["You challenge."],
        ["cat challenges. ann may stand by 3 sevens or bid higher."],
    ] == told
    assert [
        "ann stands by 3 sevens.",
        "Sevens: you 1, cat 1, ann 2: 4 in all, and ann bid 3.",
        "ann wins 1 from each. Score: ann +2  you -1  cat -1",
        "Hand 2 of 2, stake 1: ann opens the bidding.",
        "Your number: 11111111.",
    ] == lines(BOB, said(step, "3 sevens, x, x, =", script("22222222 | 11111111 | 33333333")))


def test_rebid_is_called_one():
    assert "You rebid 4 sixes (wins 8 or pays 4 each)." == tell(BidMade(0, Bid(4, 6), 8, 4, rebid=True), ANN)


def test_price_of_a_bid_is_told_to_its_bidder_and_to_others_if_it_wins_more_than_it_costs():
    plain, sixes = BidMade(0, Bid(3, 7), 2, 2, rebid=False), BidMade(0, Bid(3, 6), 4, 2, rebid=False)

    assert ["You bid 3 sevens (wins or pays 2 each).", "ann bids 3 sevens."] == [tell(plain, ANN), tell(plain, BOB)]
    assert ["You bid 3 sixes (wins 4 or pays 2 each).", "ann bids 3 sixes (wins 4)."] == [
        tell(sixes, ANN),
        tell(sixes, BOB),
    ]


def test_last_challenge_names_the_choice_to_all_but_the_bidder_who_is_asked():
    event = Challenged(1, Bid(3, 7), 0)

    assert ["bob challenges.", "bob challenges. ann may stand by 3 sevens or bid higher."] == [
        tell(event, ANN),
        tell(event, CAT),
    ]


def test_numbers_stand_behind_the_counts_where_they_are_shown():
    event = Counted(Bid(2, 10), ((1, 1), (0, 0)), ("00000001", "11111111"))

    assert "Tens: bob 1 (00000001), you 0 (11111111): 1 in all, and you bid 2." == tell(event, ANN)


@pytest.mark.parametrize(
    ("verdict", "units", "sentence"),
    [
        ("made", 2, "You win 2 from each."),
        ("hero", 3, "You win 3 from each, one stake more as a hero who holds no six."),
        ("skunk", 4, "Nobody has a six: a skunk! You win 4 from each."),
        ("push", 0, "Nobody has a six: with three players that's a push, and nobody pays."),
        ("missed", -4, "You pay 4 to each."),
    ],
)
def test_every_result_of_a_hand_has_its_line(verdict, units, sentence):
    event = HandScored(0, Bid(6, 6), verdict, units, (0, 2, -2))

    assert f"{sentence} Score: bob +2  you 0  cat -2" == tell(event, ANN).replace("\n", " ")


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (SlipsLaid("bills", 3, 2), "3 bills lie face down, 1 to 3. cat chooses first."),
        (SlipChosen(2, 3), "cat takes number 3."),
        (
            HandBegun(10, 10, 7, 8, doubled=True, opener=0, letters=()),
            "Hand 10 of 10, line 7 of the slips, stake 8 (doubled): you open the bidding.",
        ),
        (
            LastDigitsTold(((0, True), (1, False), (2, True)), 2, 9),
            "Odd last digits: you and cat, so 2 lines are skipped.",
        ),
        (LastDigitsTold(((0, False), (1, False)), 0, 2), "No last digit is odd, so no line is skipped."),
        (SatDown(2), "cat plays from the next hand on."),
        (GotUp(0), "You aren't dealt in after this hand."),
    ],
)
def test_other_events_have_their_lines(event, sentence):
    assert sentence == tell(event, ANN)


# Questions and screens.


@pytest.mark.parametrize(
    ("text", "seat", "asked"),
    [
        ("", 0, "open: 1. 7 sixes  2. 6 sixes  3. 8 sixes  (or any bid, like 3x7)"),
        ("3 sevens", 1, "you hold 1 seven: 1. challenge  2. 4 sixes  3. 3 eights  4. 3 nines"),
        ("24 nines", 1, "you hold no nines: 1. challenge  2. bid 24 tens"),
        ("24 tens", 1, "you hold no tens: 1. challenge  (no bid is higher)"),
        (
            "3 sevens, x, x",
            0,
            "all challenge: 1. stand  2. bid 4 sixes  3. 4 sevens  4. 3 eights",
        ),
    ],
)
def test_prompt_shows_what_can_be_typed(text, seat, asked):
    state = begun(THREE).state
    state = said(state, text).state if text else state

    rows = asking(GAME, liarspoker.view(state, seat), liarspoker.moves(state, seat), Reader(seat, NAMES[:3]))
    assert f"Your turn: {asked}" == rows[-1]


def offered(text, seat, numbers=THREE):
    state = said(begun(numbers).state, text).state
    return [GAME.spell(move) for move in GAME.offers(liarspoker.view(state, seat), liarspoker.moves(state, seat))]


def test_offered_bids_need_the_fewest_digits_of_others():
    """Bob holds seven sixes, which also win double, and one seven."""
    assert ["challenge", "bid 4 sixes", "bid 3 eights", "bid 3 nines"] == offered("3 sevens", 1)
    assert ["challenge", "bid 3 tens", "bid 3 sixes", "bid 3 sevens"] == offered(
        "3 fives", 1, "11111111 | 00123456 | 11111111"
    )


# Rows of a turn on wide and narrow screens, the picture of the table, and the last sheet.

ADA = "47001392 | 78012531 | 11111111 | 22222222"
WIDE, SLIM = Voice(suits="symbols"), Voice(suits="symbols", narrow=True)


def rows_of_a_turn(text, seat, voice, numbers=ADA):
    state = said(begun(numbers).state, text).state if text else begun(numbers).state
    return asking(GAME, liarspoker.view(state, seat), liarspoker.moves(state, seat), Reader(seat, NAMES, voice))


def test_turn_shows_your_digits_the_bids_and_the_best_moves():
    assert [
        "Hand 1 of 10, stake 1: you hold 11 2 3 5 7 8 0 (none: 4 6 9)",
        "ann 5 fours (wins or pays 1 each)",
        "Your turn: you hold none: 1. challenge  2. 5 fives  3. 5 sevens  4. 5 eights",
    ] == rows_of_a_turn("5 fours", 1, WIDE)
    assert [
        "Hand 1/10, stake 1: 11 2 3 5 7 8 0",
        "ann 5 fours",
        "Your turn: 1. challenge  2. 5 fives",
        "           3. 5 sevens  4. 5 eights",
    ] == rows_of_a_turn("5 fours", 1, SLIM)


def test_turn_names_earlier_bids_and_who_has_challenged_the_last_one():
    bids = rows_of_a_turn("3 fours, 4 sixes, x, x", 0, WIDE)[1]

    assert "you 3 fours, bob 4 sixes, cat and dan challenge (wins 2 or pays 1 each)" == bids


def test_narrow_turn_names_the_challengers_before_bids_that_have_rows_of_their_own():
    assert "cat 4 tens, dan challenges" == rows_of_a_turn("3 fours, 4 sixes, 4 tens, x", 0, SLIM)[1]


def test_earlier_bids_that_do_not_fit_are_left_out():
    climbed = "3 fours, 3 fives, 3 sixes, 3 sevens, 3 eights, 3 nines, 3 tens, 4 ones, 4 twos"
    latest = "..., you 3 nines, cat 3 tens, dan 4 ones, ann 4 twos (wins or pays 1 each)"

    assert latest == rows_of_a_turn(climbed, 1, WIDE)[1]
    assert "..., dan 4 ones, ann 4 twos" == rows_of_a_turn(climbed, 1, SLIM)[1]


def test_price_is_said_briefly_beside_the_bids_since_your_last_turn():
    names = ("Winifred", "Catharina", "Bartholomew", "Maximilian")
    state = said(begun(ADA).state, "10 sevens, 11 sevens, 12 sevens").state
    rows = asking(GAME, liarspoker.view(state, 3), liarspoker.moves(state, 3), Reader(3, names, WIDE))

    assert "Winifred 10 sevens, Catharin 11 sevens, Bartholo 12 sevens (wins 4, pays 1)" == rows[1]


def test_bidder_reads_that_all_have_challenged():
    assert [
        "you 5 fours (wins or pays 1 each)",
        "Your turn: all challenge: 1. stand  2. bid 5 tens  3. 5 sevens  4. 5 nines",
    ] == rows_of_a_turn("5 fours, x, x, x", 0, WIDE)[1:]
    assert "you 5 fours, all challenge" == rows_of_a_turn("5 fours, x, x, x", 0, SLIM)[1]


def test_opener_reads_what_to_bid_on():
    assert [
        "You hold 1 2 3 4 7 9 00 (none: 5 6 8)",
        "Your turn: open: 1. bid 4 tens  2. 3 tens  3. 5 tens  (or any bid, like 3x7)",
    ] == rows_of_a_turn("", 0, WIDE)


def test_picture_shows_each_last_bid_the_standing_one_and_the_challenges():
    state = said(begun(ADA).state, "3 fours, 4 sixes, x").state
    shown = GAME.picture(liarspoker.view(state, 3), Reader(3, NAMES, WIDE))

    assert ("hand 1 of 10", "stake 1 unit", "the bid wins 2 from each", "if missed, it pays 1 to each") == shown.facts
    said_last = [[piece.face for piece in seat.pieces] for seat in shown.seats]

    assert [["3 fours"], ["4 sixes"], ["challenges"], ["--"]] == said_last
    assert [False, True, False, False] == [seat.winning for seat in shown.seats]
    assert [False, False, False, True] == [seat.to_move for seat in shown.seats]
    assert "22222222" == shown.mine.text


def test_picture_has_the_readers_digits_and_the_bids_and_answers_in_order():
    state = said(begun(ADA).state, "3 fours, 4 sixes, x").state
    shown = GAME.picture(liarspoker.view(state, 1), Reader(1, NAMES, WIDE))

    assert "78012531" == "".join(piece.face for piece in shown.mine.pieces)
    assert not any(piece.mark for piece in shown.mine.pieces)
    assert ("4 sixes", 1) == (shown.quote.text, shown.quote.speaker)
    assert [("3 fours", 0), ("4 sixes", 1), ("challenge", 2)] == [(one.text, one.speaker) for one in shown.ladder]


def test_last_sheet_shows_what_each_hand_brought_and_how_your_bids_went():
    state = bid_out(begun(THREE, hands=2).state, "4 sevens", script(THREE)).state
    view = liarspoker.view(bid_out(state, "5 sevens", script(THREE)).state, 0)

    assert [
        "         1   2  total  bids made",
        " 1 you  +2  -2      0  1 of 2: 4 sevens +2",
        " 1 bob  -1  +1      0  no bids",
        " 1 cat  -1  +1      0  no bids",
    ] == GAME.final(view, Reader(0, NAMES[:3], WIDE))
    assert [
        "        total  bids made",
        " 1 you      0  1 of 2",
        " 1 bob      0  no bids",
        " 1 cat      0  no bids",
    ] == GAME.final(view, Reader(0, NAMES[:3], SLIM))


def test_choosing_is_asked_and_shown_by_place():
    state = liarspoker.start(3, Options(choose="manual"), (0, -1, 0), KeyedLuck(b"x")).state
    state = liarspoker.apply(state, 1, Choose(2), NEVER).state

    assert ["Your turn: choose 1  3  (they lie face down)"] == asking(
        GAME, liarspoker.view(state, 2), liarspoker.moves(state, 2), CAT
    )
    assert "3 slips lie face down; taken: bob 2. You choose." == show(liarspoker.view(state, 2), CAT)[0]
    assert ["You have no number yet."] == hand(liarspoker.view(state, 2), CAT)


def test_table_shows_the_bids_what_the_standing_one_is_worth_and_the_balances():
    state = said(begun(THREE, stake=2).state, "3 sevens, 5 sixes, x").state

    assert [
        "Hand 1 of 10, stake 2 (base stake 2).",
        "Bids: ann 3 sevens, you 5 sixes, cat challenge.",
        "Standing: 5 sixes by you; wins 4 or pays 2 each.",
        "Score: ann 0, you 0, cat 0.",
    ] == show(liarspoker.view(state, 1), BOB)


def test_before_the_first_bid_the_table_says_who_opens():
    assert ["Bids: none yet.", "You open the bidding."] == show(liarspoker.view(begun(THREE).state, 0), ANN)[1:3]


def test_rebid_on_the_table_is_called_one():
    state = said(begun(THREE).state, "3 sevens, x, x, 4 ones").state

    assert "Standing: 4 ones by ann, a rebid; wins or pays 1 each." == show(liarspoker.view(state, 1), BOB)[2]


def test_running_sheet_shows_each_hand():
    state = bid_out(begun(THREE).state, "4 sevens", script(THREE)).state
    state = bid_out(state, "5 sevens", script(THREE)).state

    assert [
        "Score: ann 0, bob 0, cat 0.",
        "Hand 1, stake 1: 4 sevens by ann, 4 held: made; ann +2, bob -1, cat -1",
        "Hand 2, stake 1: 5 sevens by ann, 4 held: missed; ann -2, bob +1, cat +1",
    ] == score(liarspoker.view(state, None), WATCHER)


def test_score_shows_the_sheet_so_far_and_what_was_bid():
    state = bid_out(begun(THREE).state, "4 sevens", script(THREE)).state

    assert [
        "         1  total  bids made",
        " 1 ann  +2     +2  1 of 1: 4 sevens +2",
        " 2 bob  -1     -1  no bids",
        " 2 cat  -1     -1  no bids",
        "Hand 1, stake 1: 4 sevens by ann, 4 held: made",
    ] == GAME.score(liarspoker.view(state, None), WATCHER)


def test_when_it_is_over_the_table_shows_the_balances():
    state = bid_out(begun(THREE, hands=1).state, "4 sevens").state

    assert ["The session is over.", "Score: you +2, bob -1, cat -1."] == show(liarspoker.view(state, 0), ANN)


def test_newcomer_is_on_the_sheet_with_nothing():
    state = liarspoker.apply(begun(THREE).state, 3, Join(), NEVER).state

    assert ["Score: ann 0, bob 0, cat 0, dan 0."] == score(liarspoker.view(state, None), Reader(None, NAMES))


@pytest.mark.parametrize(
    ("seat", "text", "move", "sentence"),
    [
        (1, "", Bid(1, 1), "wait for ann to open the bidding."),
        (0, "", Challenge(), "nobody has bid yet: open with a bid like 3 sevens."),
        (1, "5 sevens", Bid(5, 2), "that doesn't beat 5 sevens: bid 5 eights or higher."),
        (1, "24 tens", Bid(5, 2), "nothing beats 24 tens: challenge it."),
        (1, "5 sevens", Bid(25, 2), "bid 1 to 24 of a rank: ones, twos ... nines or tens."),
        (1, "5 sevens", Choose(2), "the bid is 5 sevens: challenge it, or bid higher."),
        (0, "5 sevens, x, x", Challenge(), "everyone challenged your 5 sevens: stand, or bid higher."),
        (2, "5 sevens, x, x", Challenge(), "wait for ann to stand or bid higher."),
    ],
)
def test_refusal_says_what_can_be_done(seat, text, move, sentence):
    state = begun(THREE).state
    state = said(state, text).state if text else state
    with pytest.raises(Refused) as refused:
        liarspoker.apply(state, seat, move, NEVER)

    assert sentence == GAME.refusal(refused.value.code, refused.value.facts, Reader(seat, NAMES[:3]))


@pytest.mark.parametrize(
    ("seats", "options", "sentence"),
    [
        (21, {}, "Liar's Poker is for 2 to 20 players."),
        (3, {"hands": 1001}, "hands must be 1 to 1000."),
        (3, {"stake": 1001}, "stake must be 1 to 1000 units."),
    ],
)
def test_impossible_options_are_refused_with_the_allowed_ones(seats, options, sentence):
    with pytest.raises(Refused) as refused:
        liarspoker.start(seats, Options(**options), (), NEVER)

    assert sentence == GAME.refusal(refused.value.code, refused.value.facts, ANN)


def test_every_other_refusal_has_a_sentence():
    facts = {"places": [1, 3], "low": 2, "high": 10, "most": 9, "phase": "choose", "bid": None}

    assert "choose 1 or 3." == GAME.refusal("bad-choice", facts, ANN)
    assert "choose a bill or slip first; /moves lists the ones left." == GAME.refusal("wrong-phase", facts, ANN)
    assert all(GAME.refusal(code, facts, ANN) for code in ("bad-seats", "bad-hands", "bad-stake", "bad-seat"))


# Typing.


def bid_command():
    return next(command for command in GAME.commands if command.name == "bid")


def test_ambiguous_bid_asks_which_is_meant():
    with pytest.raises(Refused) as refused:
        bid_command().run(None, *bid_command().read("5 s"))

    assert "do you mean 5 sixes or 5 sevens?" == GAME.refusal(refused.value.code, refused.value.facts, ANN)


def test_text_that_isnt_a_bid_is_answered_with_examples():
    with pytest.raises(Misread, match="a bid is like 5 sevens, 5x7 or 7 tens"):
        bid_command().read("a lot")


@pytest.mark.parametrize("typed", ["/bid 5 sevens", "bid 5x7", "5 sevens", "5x7", "5 7", ".b 5 seven"])
async def test_bid_may_be_typed_as_people_say_it(typed):
    stage = await Stage.open({"liarspoker": GAME}, seed="typed")
    for name in ("ann", "bob"):
        stage.enter(name)
    await stage.type("ann", "/new liarspoker bob")
    await stage.type("bob", "/sit liarspoker")
    opener = "ann" if liarspoker.turn(stage.table(1).table.state) == 0 else "bob"

    assert "You bid 5 sevens (wins 2 or pays 1 each)." in " ".join(await stage.type(opener, typed))
