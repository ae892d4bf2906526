"""Remarks of bots about what everyone has seen: by occasion, and in character."""

import sys

import attrs
import pytest

from lilygames import remarks as shared
from lilygames.games import games
from lilygames.games.families.dice import talk as dice
from lilygames.games.families.tricks import talk as tricks
from lilygames.gametest.stage import SETTINGS, Stage
from lilygames.remarks import BACK, LEADS, LOST, TRAILS, WON, Sayings, at_the_end, standings
from lilygames.tables.bots.characters import TEMPERS
from lilygames_rules.cards import WIZARD
from lilygames_rules.kit import Outcome
from lilygames_rules.tricks.exactbid import BidMade, RoundScored, TrickWon

MODULES = {sys.modules[game.remarks.__module__] for game in games().values()} | {shared, dice}
SAYINGS = [
    pytest.param(one, id=f"{module.__name__.split('.')[-2]} {name}")
    for module in sorted(MODULES, key=str)
    for name, one in vars(module).items()
    if isinstance(one, Sayings)
]


def told(remarks):
    return {(one.seat, one.sayings.for_all) for one in remarks if not (one.small or one.by_others)}


def says(seat, sayings):
    return seat, sayings.for_all


@pytest.mark.parametrize("one", SAYINGS)
def test_sentences_are_short_and_name_no_facts(one):
    assert {*one.by_temper} <= {*TEMPERS}
    assert len(one.all) == len({*one.all})
    assert not [text for text in one.all if any(map(str.isdigit, text)) or "{" in text or len(text) > 50]


def test_bots_speak_in_character():
    assert WON.of("grumpy")[0] not in WON.of("bold")
    assert WON.for_all == WON.of("")
    assert {*WON.for_all} < {*WON.of("grumpy")}


# the standings


def test_new_leader_says_so():
    assert says(1, LEADS) in told(standings([5, 4, 0], [5, 9, 0]))


def test_players_who_keep_their_places_say_nothing():
    assert set() == told(standings([5, 4, 0], [9, 4, 0]))


def test_player_who_falls_behind_says_so_and_one_who_was_last_is_back():
    assert {says(1, TRAILS), says(2, BACK)} == told(standings([9, 4, 0], [9, 4, 5]))


def test_nobody_speaks_of_a_shared_place():
    assert set() == told(standings([3, 0, 0], [3, 3, 3]))


def test_winners_and_others_speak_at_the_end():
    assert {says(0, LOST), says(1, WON)} == told(at_the_end(Outcome((1, 2), (1,), "finished")))


# tricks


def test_trick_that_breaks_a_bid_is_unwanted():
    assert {says(2, tricks._UNWANTED)} == told(tricks.remarks([TrickWon(2, WIZARD, 2, 1)]))


def test_wizard_that_makes_a_bid_is_worth_a_remark():
    assert {says(2, tricks._WIZARD)} == told(tricks.remarks([TrickWon(2, WIZARD, 1, 1)]))


def test_bid_that_the_last_of_several_tricks_makes_is_worth_a_remark():
    one, two = (RoundScored(1, (cards, 0), (cards, 0), (9, 9), (9, 9)) for cards in (1, 2))

    assert says(0, tricks._LAST_TRICK) in told(tricks.remarks([TrickWon(0, None, 2, 2), two]))
    assert says(0, tricks._LAST_TRICK) not in told(tricks.remarks([TrickWon(0, None, 1, 1), one]))


def test_high_bid_is_worth_a_remark():
    assert {says(0, tricks._CONFIDENT)} == told(tricks.remarks([BidMade(0, 3)]))
    assert set() == told(tricks.remarks([BidMade(0, 2)]))


def test_bids_of_a_round_are_worth_remarks_by_how_they_came_out():
    scored = RoundScored(4, (2, 0, 1, 3), (2, 0, 2, 1), (12, 10, -1, -2), (32, 32, 20, 20))
    found = told(tricks.remarks([scored]))

    assert {
        says(0, tricks._PROUD),
        says(1, tricks._NOTHING),
        says(2, tricks._SO_CLOSE),
        says(3, tricks._SORRY),
    } <= found


def test_bid_of_nothing_with_two_cards_isnt_worth_a_remark():
    found = told(tricks.remarks([RoundScored(1, (0, 2), (0, 2), (10, 12), (10, 12))]))

    assert says(0, tricks._NOTHING) not in found


# how often


@pytest.mark.parametrize("name", games())
async def test_bots_say_something_in_most_games(name):
    """Three quick games with a bold, a careful and a talkative bot."""
    stage = await Stage.open({name: games()[name]}, settings=attrs.evolve(SETTINGS, house_talk=1))
    stage.enter("ann")
    said = []
    for number in (1, 2, 3):
        await stage.type("ann", f"/quick {name}{' hands=5' if name == 'lilypoker' else ''}")
        bot = stage.table(number)
        while not bot.over:
            seat = bot.seat_of("ann")
            words = bot.questions.menu(seat).words if len(bot.table.moves(seat)) else ("pass",)
            said += [row for row in await stage.type("ann", f"/{words[0]}") if " says: " in row]

    assert 3 <= len(said) <= 40
