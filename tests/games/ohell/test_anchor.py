"""The comparison with OpenSpiel's ISMCTS counts OpenSpiel's points, resumes, and finds out who plays badly."""

from __future__ import annotations

import json
from math import inf
from pathlib import Path
from random import Random

import attrs
import pytest

from lab.anchoring.translation import action_of, theirs
from lilygames_rules.tricks import exactbid

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel, of the oracles dependency group, is not installed")

from lab.anchoring import oh_hell as anchoring  # noqa: E402
from lab.anchoring.oh_hell import Anchor, Fair, Record, played, published, resumed, summary  # noqa: E402
from lilygames.games.ohell.house import VERSIONS  # noqa: E402 - OpenSpiel may be missing
from lilygames.gametest.plays import luck_of  # noqa: E402 - OpenSpiel may be missing

pytestmark = pytest.mark.oracle

SMALL = Anchor(bot="shark@100", simulations=20, seats=3, cards=3, worlds=4)


def moves_of(now):
    if exactbid.bidding(now):
        return exactbid.bids(now, exactbid.evening_bid(now))
    return exactbid.plays(now.hands[now.turn], now.trick)


def at_random(anchor, seed):
    """Play a deal at random; return the round and OpenSpiel's state at its end."""
    now, number = anchoring.ours(anchor, seed), 0
    state = theirs(pyspiel.load_game(anchor.name), now)
    while not state.is_terminal():
        bids = exactbid.bidding(now)
        moves = (
            exactbid.bids(now, exactbid.evening_bid(now)) if bids else exactbid.plays(now.hands[now.turn], now.trick)
        )
        move, number = luck_of(seed, number, "random").choice(moves), number + 1
        now = exactbid.act(now, move, None)[0]
        state.apply_action(action_of(move))
    return now, state


@pytest.mark.parametrize(("penalty", "points"), [(True, anchoring.with_penalty), (False, anchoring.without_penalty)])
def test_scoring_is_openspiels(penalty, points):
    anchor = Anchor(seats=4, cards=6, penalty=penalty)
    for seed in range(100):
        now, state = at_random(anchor, seed)

        assert state.returns() == [points(bid, taken, 6) for bid, taken in zip(now.bids, now.taken, strict=True)]


def test_seed_gives_the_same_deal_each_time():
    deals = [anchoring.ours(SMALL, seed) for seed in range(20)]

    assert deals == [anchoring.ours(SMALL, seed) for seed in range(20)]
    assert {0, 1, 2} == {deal.deal.dealer for deal in deals}
    assert 20 == len({deal.hands for deal in deals})


def test_bot_sits_at_every_seat_of_a_deal(monkeypatch):
    places = []

    class Watched(anchoring.Table):
        def __init__(self, anchor, seed, place):
            places.append((seed, place))
            super().__init__(anchor, seed, place)

    monkeypatch.setattr(anchoring, "Table", Watched)
    played(attrs.evolve(SMALL, bot="club"), 7)

    assert [(7, 0), (7, 1), (7, 2)] == places


def test_bot_that_plays_at_random_loses():
    found = summary([played(attrs.evolve(SMALL, bot="random", simulations=200), seed) for seed in range(60)])

    assert found.ahead + found.sure < 0


def test_search_with_few_simulations_loses_to_the_shark():
    found = summary([played(attrs.evolve(SMALL, bot="shark@500", simulations=8), seed) for seed in range(60)])

    assert found.ahead - found.sure > 0


def dealt(state, anchor):
    """Return the cards dealt to each player of OpenSpiel's, from the state's history."""
    cards = state.history()[2 : 2 + anchor.seats * anchor.cards]
    return [set(cards[player :: anchor.seats]) for player in range(anchor.seats)]


def positions(anchor, seeds):
    """Yield the round and OpenSpiel's state before each move of deals that are played at random."""
    for seed in seeds:
        now, number = anchoring.ours(anchor, seed), 0
        state = theirs(pyspiel.load_game(anchor.name), now)
        while not state.is_terminal():
            yield now, state
            move, number = luck_of(seed, number, "random").choice(moves_of(now)), number + 1
            now = exactbid.act(now, move, None)[0]
            state.apply_action(action_of(move))


def test_fair_worlds_look_like_the_real_one_to_the_seat_to_move():
    fair = Fair(SMALL, luck_of(1, 1))
    for now, state in positions(SMALL, range(20)):
        found = fair.imagined(state, now, 1)

        assert found.information_state_string(now.turn) == state.information_state_string(now.turn)
        assert found.legal_actions() == state.legal_actions()


def strangers(anchor, seeds, world):
    """Return the share of the opponents' cards in a world that no opponent really holds, before the first bid."""
    found = []
    for seed in seeds:
        now = anchoring.ours(anchor, seed)
        state = theirs(pyspiel.load_game(anchor.name), now)
        real = set.union(*dealt(state, anchor))
        imagined = set.union(*dealt(world(state, now, seed), anchor))
        found.append(len(imagined - real) / (anchor.cards * (anchor.seats - 1)))
    return sum(found) / len(found)


def test_openspiels_worlds_know_which_cards_were_not_dealt():
    """If this fails with a new OpenSpiel, fair worlds may not be needed any more."""

    def theirs_of(state, now, seed):
        return state.resample_from_infostate(now.turn, Random(seed).random)

    fair = Fair(SMALL, luck_of(1, 1))

    assert 0 == strangers(SMALL, range(50), theirs_of)
    assert 0.8 < strangers(SMALL, range(50), fair.imagined) < 0.95


def test_openspiels_own_worlds_can_be_asked_for():
    assert 3 * 10 >= played(attrs.evolve(SMALL, worlds=0), 1).bot


def test_bot_that_nobody_knows_is_refused():
    with pytest.raises(LookupError, match="no bot 'whale'"):
        played(attrs.evolve(SMALL, bot="whale"), 1)


def test_record_goes_on_where_it_stopped(tmp_path):
    path = tmp_path / "anchor.jsonl"
    first = [*resumed(SMALL, Record(path, SMALL), range(1, 3), cpu=0)]
    record = Record(path, SMALL)
    second = [*resumed(SMALL, record, range(1, 4), cpu=0)]

    assert [1, 2, 3] == [deal.seed for deal in [*first, *second]]
    assert [*first, *second] == record.deals == Record(path, SMALL).deals


def test_record_of_another_comparison_is_refused(tmp_path):
    Record(tmp_path / "anchor.jsonl", SMALL)

    with pytest.raises(LookupError, match="something else"):
        Record(tmp_path / "anchor.jsonl", attrs.evolve(SMALL, simulations=30))


def test_result_is_published_in_place_of_the_same_comparisons():
    deals = [played(attrs.evolve(SMALL, bot="club"), seed) for seed in (3, 4)]
    other = {"compared": attrs.asdict(SMALL)}
    row = published([], attrs.evolve(SMALL, bot="club"), deals)[0]

    assert [other, row] == published([row, other], attrs.evolve(SMALL, bot="club"), deals)
    assert (VERSIONS["club"], 3, 2) == (row["version"], row["first"], row["deals"])


def test_published_results_are_of_the_bots_of_today_and_have_intervals():
    rows = json.loads((Path(__file__).parents[3] / "help/host/anchor.json").read_text("utf-8"))

    assert rows
    for row in rows:
        assert VERSIONS[row["compared"]["bot"]] == row["version"]
        assert 0 < row["sure"] < inf


def test_cpu_limit_ends_the_match(tmp_path):
    record = Record(tmp_path / "anchor.jsonl", SMALL)

    assert 1 == len([*resumed(SMALL, record, range(1, 100), cpu=1e-6)])
