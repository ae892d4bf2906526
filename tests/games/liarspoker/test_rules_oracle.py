"""Compare the bidding of Liar's Poker with OpenSpiel's `python_liars_poker`: legal calls, the end, the winner.

OpenSpiel plays one hand between two seats, seat 0 opening, without bonuses. It never counts the digit 0, so the numbers
have digits 1 to 9, and the tens of our ladder are left out. To stand there, a bidder challenges once more.
"""

from __future__ import annotations

import pytest

from lilygames_rules import liarspoker
from lilygames_rules.bidding.ladder import Auction, Bid, Challenge
from lilygames_rules.bidding.slips import LONG, Slip
from lilygames_rules.kit import KeyedLuck
from lilygames_rules.liarspoker import Match, Options, State

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel, of the oracles dependency group, is not installed")
pytest.importorskip("open_spiel.python.games.liars_poker", reason="it registers python_liars_poker")

pytestmark = pytest.mark.oracle

GAMES, SEATS, DIGITS = 3000, 2, 9
OPTIONS = Options(numbers="bills", hands=1, bonus=False, sixes=False, hero=False, skunk=False, progressive=False)


def ours(numbers):
    """Return a session of one hand that seat 0 opens."""
    match = Match(OPTIONS, (0, 1), (0, 1), (0, 0), 0, 0, lines=(1,))
    bills = tuple(Slip("AA", (number,)) for number in numbers)
    return State(match, bills, auction=Auction((0, 1), SEATS * LONG, rebids=True, turn=0))


def theirs(game, numbers):
    """Return the same numbers in OpenSpiel, dealt a digit at a time to each seat in turn."""
    state = game.new_initial_state()
    for pair in zip(*numbers, strict=True):
        for digit in pair:
            state.apply_action(int(digit))
    return state


def actions(moves):
    """Return OpenSpiel's number of each move that it knows: 0 challenges or stands, bids go up from 1."""
    known = (move for move in moves if not isinstance(move, Bid) or move.rank <= DIGITS)
    return {(move.count - 1) * DIGITS + move.rank if isinstance(move, Bid) else 0: move for move in known}


def likely(legal, luck):
    """Challenge or stand half of the time, otherwise bid, usually a little more than the last bid."""
    if legal[0] == 0 and luck.coin():
        return 0
    return luck.choice(legal if luck.roll(8) == 1 else legal[:20])


def test_we_agree_with_openspiel_on_every_bid_challenge_and_result():
    luck = KeyedLuck(b"oracle")
    game = pyspiel.load_game(f"python_liars_poker(players={SEATS},hand_length={LONG},num_digits={DIGITS})")
    seen = dict.fromkeys(("decisions", "challenges", "rebids", "made", "missed"), 0)
    for _ in range(GAMES):
        numbers = ["".join(luck.choice("123456789") for _ in range(LONG)) for _ in range(SEATS)]
        state, other = ours(numbers), theirs(game, numbers)
        while not other.is_terminal():
            seat = liarspoker.turn(state)
            moves = actions(liarspoker.moves(state, seat))

            assert (other.current_player(), other.legal_actions()) == (seat, sorted(moves))
            action = likely(sorted(moves), luck)
            other.apply_action(action)
            seen["challenges"] += isinstance(moves[action], Challenge)
            state = liarspoker.apply(state, seat, moves[action], luck).state
            seen["rebids"] += state.auction is not None and state.auction.rebid and action > 0
            seen["decisions"] += 1

        assert list(liarspoker.outcome(state).scores) == other.returns()
        seen[state.match.sheet[0].verdict] += 1

    assert min(seen.values()) > GAMES / 20, seen
