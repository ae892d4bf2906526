"""The bound of anyone's lead over Ohell's clubs: it knows how clubs play, and nobody is ahead of it."""

import json
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from itertools import islice
from pathlib import Path
from random import Random
from statistics import fmean

import pytest

from lilygames.games.ohell import GAME
from lilygames.games.ohell.house import VERSIONS
from lilygames.gametest.plays import luck_of
from lilygames_rules import ohell
from lilygames_rules.tricks.exactbid import Bid

ROOT = Path(__file__).parents[3]
PUBLISHED = json.loads((ROOT / "help/host/bounds.json").read_text("utf-8"))
LEADS = json.loads((ROOT / "help/host/hands.json").read_text("utf-8"))
CLUB = GAME.players["club"]


def loaded(name):
    loader = SourceFileLoader(name.replace("-", "_"), str(ROOT / "lab" / name))
    spec = spec_from_loader(loader.name, loader)
    assert spec
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def script():
    return loaded("bound-ohell")


@pytest.fixture(scope="module")
def hands():
    return loaded("hands-ohell")


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("cards", [1, 2, 4, 7])
def test_clubs_bid_and_play_as_the_bound_says(script, hands, cards, seed):
    now = hands.dealt(cards, 4, seed)
    clubs, held = script.dealt(cards, 4, seed)
    bids, play = [], None
    while not now.match.sheet:
        seat = now.round.turn
        expected = CLUB(ohell.view(now, seat), ohell.moves(now, seat), luck_of(seed, 1))
        if isinstance(expected, Bid):
            assert expected.tricks == clubs.bid(held[seat], bids)
            bids.append(expected.tricks)
        else:
            play = play or clubs.opened(held, bids)
            bit = clubs.card(play)
            assert (seat, expected.card) == (play.place, clubs.kit.cards[bit])
            play = clubs.after(play, bit)
        now = ohell.apply(now, seat, expected, luck_of(seed, 1)).state
    taken = [bid - need for bid, need in zip(bids, play.needs, strict=True)]

    assert list(now.match.sheet[0].taken) == taken


def test_a_club_is_never_ahead_of_the_best_play_after_its_bid(script, hands):
    best, led = [], []
    for seed in range(5):
        clubs, held = script.dealt(4, 4, seed)
        bids = []
        for hand in held:
            bids.append(clubs.bid(hand, bids))
        best += [clubs.lead(clubs.opened(held, bids), bids, place) for place in range(4)]
        led += [hands.lead([CLUB] * 4, 4, seed, place) for place in range(4)]

    assert [] == [number for number, lead in enumerate(led) if lead > best[number] + 1e-9]
    assert sum(led) < sum(best)


@pytest.mark.parametrize("seed", range(5))
def test_best_play_is_as_good_as_that_of_a_search_without_groups_of_cards(script, seed):
    """The best play tries one card of each group; here every legal card is tried."""
    clubs, held = script.dealt(3, 4, seed)
    bids = [1, 1, 1, 1]

    def every(now, me):
        hand = now.hands[now.place]
        if not hand:
            points = [ohell.score(bid, bid - need, 3) for bid, need in zip(bids, now.needs, strict=True)]
            return points[me] - fmean(points[:me] + points[me + 1 :])
        legal = hand & clubs.kit.suits[now.led] or hand
        bits = [bit for bit in range(52) if legal >> bit & 1] if now.place == me else [clubs.card(now)]
        return max(every(clubs.after(now, bit), me) for bit in bits)

    opened = clubs.opened(held, bids)

    assert [every(opened, me) for me in range(4)] == [clubs.lead(opened, bids, me) for me in range(4)]


def test_deals_fit_the_hand_and_the_earlier_bids(script):
    clubs, held = script.dealt(3, 4, 1)
    bids = []
    for hand in held[:2]:
        bids.append(clubs.bid(hand, bids))
    for found in islice(clubs.fitting(held[2], bids, Random(1)), 20):
        assert held[2] == found[2]
        assert [3] * 4 == [hand.bit_count() for hand in found]
        assert 12 == sum(found).bit_count()
        assert not sum(found) & clubs.turned
        assert bids == [clubs.bid(found[0], []), clubs.bid(found[1], bids[:1])]


def test_the_bid_that_makes_the_bids_add_up_is_not_tried(script):
    clubs, _ = script.dealt(3, 4, 1)

    assert [0, 1, 3] == clubs.open_to([1, 0, 0])
    assert [0, 1, 2, 3] == clubs.open_to([1, 0])


def test_published_bounds_are_of_the_clubs_of_today_and_of_the_deals_of_the_leads():
    first = {hand["cards"]: (hand["first"], hand["deals"]) for hand in LEADS["hands"]}

    assert VERSIONS["club"] == PUBLISHED["versions"]["club"]
    assert [*range(1, 6)] == [hand["cards"] for hand in PUBLISHED["hands"]]
    assert [first[hand["cards"]] for hand in PUBLISHED["hands"]] == [
        (hand["first"], hand["deals"]) for hand in PUBLISHED["hands"]
    ]


def test_page_for_sysops_has_the_published_bounds():
    page = (ROOT / "help/host/bots.md").read_text("utf-8")
    leads = {hand["cards"]: f"{hand['ahead']:+.2f} ± {hand['sure']:.2f}" for hand in LEADS["hands"]}
    rows = [
        f"| {hand['cards']} | {leads[hand['cards']]} | {hand['most']:+.2f} ± {hand['sure']:.2f} |"
        for hand in PUBLISHED["hands"]
    ]

    assert [] == [row for row in rows if row not in page]
