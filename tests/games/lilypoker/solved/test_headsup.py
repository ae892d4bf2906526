"""The table of two players' fixed-limit hold'em: strength, groups and lines, and when it is used."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import pytest

from lilygames.games.lilypoker.bots.house import LEVELS
from lilygames.games.lilypoker.solved.boards import prospects, share
from lilygames.games.lilypoker.solved.groups import Cuts, pair_class
from lilygames.games.lilypoker.solved.headsup import chosen, decision, line_of, mix
from lilygames.games.lilypoker.solved.solution import MIXES, STEPS, Solution, learned, packed, unpacked
from lilygames.games.lilypoker.views.lines import RAISE, STREETS, decisions, ended, line, lines, may
from lilygames_rules import lilypoker
from lilygames_rules.cards import DECK, Suit, cards
from lilygames_rules.kit import KeyedLuck
from lilygames_rules.poker import hands
from lilygames_rules.poker.bets import Bet, Call, Check, Fold, Raise
from lilygames_rules.poker.table import Blinds, Options
from tests.games.lilypoker.hands import at_random, begun, said

SPADES = [card for card in DECK if card.suit is Suit.SPADES]
OTHERS = [card for card in DECK if card.suit is not Suit.SPADES]
ACES_DEAL = "7C 2D | AS AD"
"""The dealer has the aces, and posts the small blind."""


def view(dealt, text="", then="", /, **options):
    step = begun(dealt, then, variant="holdem", **options)
    state = said(step, text).state if text else step.state
    return lilypoker.view(state, lilypoker.turn(state))


def counted(two, board):
    """Return the share of all hole cards that are worse, by looking at each."""
    own = hands.strength((*two, *board))
    others = [hands.strength((*pair, *board)) for pair in combinations([card for card in DECK if card not in board], 2)]
    return (sum(other < own for other in others) + sum(other == own for other in others) / 2) / len(others)


@pytest.mark.parametrize("spades", range(6))
def test_share_on_a_board_is_that_of_all_hole_cards(spades):
    """Boards with three to five cards of a suit have flushes."""
    rng = random.Random(spades)
    for _ in range(4):
        board = (*rng.sample(SPADES, spades), *rng.sample(OTHERS, 5 - spades))
        two = tuple(rng.sample([card for card in DECK if card not in board], 2))

        assert pytest.approx(counted(two, board)) == share(two, board)


def test_prospects_before_the_last_card_are_means_over_every_card():
    two, board = tuple(cards("AS KS")), tuple(cards("10S 9S 4D 2C"))
    shares = [counted(two, (*board, card)) for card in DECK if card not in (*two, *board)]

    assert pytest.approx(sum(shares) / len(shares)) == prospects(two, board)[0]


def test_draw_has_a_larger_deviation_than_a_made_hand():
    flop = tuple(cards("10S 9S 4D"))

    assert prospects(tuple(cards("8S 7S")), flop)[1] > 2 * prospects(tuple(cards("10D 10C")), flop)[1]


def test_hole_cards_are_169_before_the_flop():
    assert {*range(169)} == {pair_class(two) for two in combinations(DECK, 2)}


def test_groups_rise_with_the_prospects():
    cuts = Cuts((0.3, 0.6), ((0.1,), (0.1,), (0.1,)))
    board = tuple(cards("AS 9D 4C 3H 2S"))
    found = [cuts.group(tuple(cards(two)), board) for two in ("7D 6C", "9C 8D", "AD AC")]

    assert [0, 2, 4] == found
    assert 6 == cuts.groups


def lines_played(seeds):
    """Yield the betting of random hands of two players as text, with the street, line and decision of the next."""
    for seed in seeds:
        said_so_far: list[str] = []
        options = Options(variant="holdem", hands=1, buyin=1000)
        for step in at_random(2, options, seed):
            deal = step.state.deal
            if deal is None:
                break
            seat = lilypoker.turn(step.state)
            made = [type(event).__name__ for event in step.events if type(event).__name__ in WORDS]
            said_so_far = [*said_so_far, *made]
            yield tuple(said_so_far), (deal.street, line_of(deal), decision(deal, seat))


WORDS = {"Checked", "Called", "BetMade", "Raised", "Folded", "BoardDealt"}


def test_every_line_of_betting_has_its_own_number():
    found = {}
    for text, place in lines_played(range(400)):
        words = tuple("Raised" if word == "BetMade" else "Called" if word == "Checked" else word for word in text)
        assert place == found.setdefault(words, place)
        street, number, one = place
        assert number in range(lines(street))
        assert one in range(decisions(street))

    assert len(found) == len({*found.values()}) > 80


def test_raises_are_offered_where_the_table_knows_them():
    for seed in range(100):
        for step in at_random(2, Options(variant="holdem", hands=1, buyin=1000), seed):
            deal, seat = step.state.deal, lilypoker.turn(step.state)
            if deal is not None:
                moves = lilypoker.moves(step.state, seat)
                assert (len(moves) > 2) == may(deal.street, decision(deal, seat), RAISE)
                assert isinstance(moves[0], Check) != may(deal.street, decision(deal, seat), 0)


def test_ends_of_a_street_are_numbered_by_bets_and_bettor():
    """Two checks, then for each number of bets the first player's first bet before the second player's."""
    every = [ended(0, second_made_last=False)]
    every += [ended(made, second_made_last=(made % 2 == 0) != late) for made in (1, 2, 3, 4) for late in (False, True)]

    assert [*range(9)] == every
    assert 9 * 4 + 3 == line([4, 3])


def test_mixes_have_a_byte_each():
    assert 253 == len({*MIXES})
    assert {STEPS} == {sum(mix) for mix in MIXES}


def test_table_is_read_as_it_was_written():
    cuts = [Cuts.rounded((0.5,), ((0.1, 0.2), (0.3, 0.4)))] * (STREETS - 1)
    groups = (169, *(one.groups for one in cuts))
    mixes = [bytes(place % 253 for place in range(decisions(s) * lines(s) * many)) for s, many in enumerate(groups)]
    found = unpacked(packed(Solution(cuts, mixes)))

    assert (cuts, mixes) == (found.cuts, found.mixes)


def test_shipped_table_is_at_most_500_kilobytes():
    assert len(packed(learned())) <= 500_000


def test_aces_are_raised_and_the_worst_hand_is_folded():
    fold, _, raised = mix(view(ACES_DEAL))

    assert (0, True) == (fold, raised > 15)
    assert 15 < mix(view("AS AD | 7C 2D"))[0]


@pytest.mark.parametrize(
    ("text", "then"),
    [("call, check", "KC AH 9D 4C"), ("raise 4, call, bet 2, raise 4, call", "KC AH 9D 4C KD 3S")],
)
def test_table_knows_all_streets(text, then):
    assert STEPS == sum(mix(view(ACES_DEAL, text, then)))


@pytest.mark.parametrize(
    "options",
    [
        {"limit": "no"},
        {"limit": "pot"},
        {"cap": 3},
        {"cap": "none"},
        {"heads_up_cap": False},
        {"big_bet": 6},
        {"blinds": Blinds(2, 2)},
        {"ante": 1},
        {"buyin": 40},
    ],
    ids=str,
)
def test_other_betting_is_left_to_search(options):
    assert mix(view(ACES_DEAL, **options)) is None


def test_larger_bets_of_the_same_shape_are_in_the_table():
    assert mix(view(ACES_DEAL)) == mix(view(ACES_DEAL, small_bet=10, big_bet=20, blinds=Blinds(5, 10), buyin=500))


def test_hands_of_three_are_left_to_search():
    assert mix(view("7C 2D | AS AD | KS KD")) is None


def test_move_comes_up_as_often_as_the_mix_says():
    moves, rolls = (Call(), Fold(), Raise(4)), [KeyedLuck(b"%d" % number) for number in range(2100)]
    found = Counter(type(chosen((3, 6, 12), moves, luck)) for luck in rolls)

    assert all(abs(found[kind] - 100 * share) < 120 for kind, share in ((Fold, 3), (Call, 6), (Raise, 12)))


def test_bet_that_cannot_be_made_is_a_call():
    assert Call() == chosen((0, 0, STEPS), (Call(), Fold()), KeyedLuck(b"luck"))


def test_shark_plays_by_the_table():
    """With aces it bets or raises nearly always; the same luck gives the same move."""
    seen = view(ACES_DEAL)
    moves = (Call(), Fold(), Raise(4))
    found = [LEVELS["shark"](seen, moves, KeyedLuck(b"%d" % number)) for number in range(30)]

    assert found == [chosen(mix(seen), moves, KeyedLuck(b"%d" % number)) for number in range(30)]
    assert 20 < found.count(Raise(4))
    assert Bet(2) not in found
