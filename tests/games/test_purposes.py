"""The purposes of all draws, by game. Other programs verify games by them, so they must never change."""

from __future__ import annotations

import pytest

from lilygames.gametest.plays import luck_of
from lilygames_rules.kit import Join, KeyedLuck, PurposeLuck
from tests.toys import installed

KEY = b"purposes"


class Noted:
    """Luck by purpose that notes what each purpose draws."""

    def __init__(self, luck, drawn, purpose=()):
        self._luck = luck
        self._drawn = drawn
        self._purpose = purpose

    def for_(self, *purpose):
        return Noted(self._luck.for_(*purpose), self._drawn, purpose)

    def __getattr__(self, name):
        self._drawn.setdefault(self._purpose, []).append(name)
        return getattr(self._luck, name)


def played(name, seats=4, moves=300, wanted=None, purses=(), **options):
    """Return what each purpose draws in a random play, in the order of the purposes."""
    rules, drawn = installed(name)[name].rules, {}
    step = rules.start(seats, rules.Options(**options), purses, Noted(PurposeLuck(KEY), drawn))
    for number in range(1, moves):
        ready = [seat for seat in range(seats) if len(rules.moves(step.state, seat))]
        if not ready:
            break
        chance = luck_of(1, number)
        seat = chance.choice(ready)
        listed = rules.moves(step.state, seat)
        likes = [move for move in listed[:60] if wanted and wanted(move)]
        move = chance.choice(likes or listed)
        step = rules.apply(step.state, seat, move, Noted(PurposeLuck(KEY, number), drawn))
    return drawn


def is_kind(*names):
    return lambda move: type(move).__name__ in names


def test_ohell():
    drawn = played("ohell", max=3)

    assert {("first",): ["pick"]} | {("deal", n): ["shuffle"] for n in range(1, 6)} == drawn


def test_wizard():
    drawn = played("wizard", rounds=3)
    drawn.pop(("coin",), None)

    assert {("order",): ["shuffle"]} | {("deal", n): ["shuffle"] for n in range(1, 4)} == drawn


def test_wizard_flips_a_coin_between_those_ahead():
    """The winner is the first of a shuffle of all seats who is ahead."""
    wizard = installed("wizard")["wizard"].rules
    drawn = {}
    for seed in range(200):
        key = b"%d" % seed
        step, number = wizard.start(4, wizard.Options(rounds=1), (), PurposeLuck(key)), 0
        while wizard.outcome(step.state) is None:
            number += 1
            seat = wizard.turn(step.state)
            step = wizard.apply(
                step.state, seat, wizard.moves(step.state, seat)[0], Noted(PurposeLuck(key, number), drawn)
            )
        if step.state.match.coin is not None:
            ahead = step.events[-2].seats
            order = PurposeLuck(key).for_("coin").shuffle(range(4))
            assert next(seat for seat in order if seat in ahead) == step.state.match.coin
            break

    assert {("coin",): ["pick"]} == drawn


@pytest.mark.parametrize("name", ["liarsdice", "liedie"])
def test_dice(name):
    """Round, seat, which roll of that seat in the round, and place; the opening throw is the first."""
    drawn = played(name, moves=200, wanted=is_kind("Roll", "Accept"))
    rolls = {purpose: draws for purpose, draws in drawn.items() if purpose != ("first",)}
    opener = PurposeLuck(KEY).for_("first").pick(range(4))

    assert ["pick"] == drawn[("first",)]
    assert {("roll", 1, opener, 1, place) for place in range(1, 6)} <= {*rolls}
    assert {"roll"} == {purpose[0] for purpose in rolls}
    assert {5} == {len(purpose) for purpose in rolls}
    assert all(["roll"] == draws for draws in rolls.values())
    assert any(purpose[3] > 1 for purpose in rolls)
    assert {*range(4)} >= {purpose[2] for purpose in rolls}


def test_die_shows_the_same_whatever_others_are_rolled():
    """One key for each die: rolling more of them changes nothing for it."""
    liarsdice = installed("liarsdice")["liarsdice"].rules
    state = liarsdice.start(3, liarsdice.Options(first="host"), (), PurposeLuck(KEY)).state
    rolls = [move for move in liarsdice.moves(state, 0)[:31] if type(move).__name__ == "Roll"]
    dice = {move.places: liarsdice.apply(state, 0, move, PurposeLuck(KEY)).state.cup.dice for move in rolls}
    whole = dice[1, 2, 3, 4, 5]

    assert 31 == len(dice)
    for places, shown in dice.items():
        for place in range(1, 6):
            expected = whole[place - 1] if place in places else state.cup.dice[place - 1]
            assert expected == shown[place - 1]


def slip(lines):
    return ["choice"] * (2 + 8 * lines)


def test_liars_poker_deals_slips_by_seat():
    drawn = played("liarspoker", 3, hands=11, wanted=is_kind("Challenge"), purses=(0, 0, 5))

    assert {
        ("chooser",): ["pick"],
        **{("slip", hand, seat): slip(15) for hand in (1, 11) for seat in range(3)},
    } == drawn


def test_liars_poker_draws_the_opener_and_lays_out_a_pile_by_place():
    options = {"opener": "random", "choose": "manual", "numbers": "bills"}
    drawn = played("liarspoker", 3, hands=2, wanted=is_kind("Challenge"), purses=(0, 1, 5), **options)

    assert {
        ("opener",): ["pick"],
        **{("pile", hand, place): slip(1) for hand in (1, 2) for place in (1, 2, 3)},
    } == drawn


def test_liars_poker_deals_newcomers_a_slip_of_their_own():
    liarspoker = installed("liarspoker")["liarspoker"].rules
    drawn = {}
    state = liarspoker.start(2, liarspoker.Options(), (0, 1), PurposeLuck(KEY)).state
    state = liarspoker.apply(state, 2, Join(), PurposeLuck(KEY)).state
    while not drawn:
        seat = liarspoker.turn(state)
        state = liarspoker.apply(state, seat, liarspoker.default(state, seat), Noted(PurposeLuck(KEY), drawn)).state

    assert {("slip", 2, 2): slip(15)} == drawn


LAIR = {("numbers",): ["shuffle"], ("starter",): ["pick"]}


def truths(pairs):
    return {("truth", number): ["coin"] for number in range(1, pairs + 1)}


def test_lair():
    drawn = played("liarslair", each=2, max_rounds=1)

    assert LAIR | truths(8) | {(name,): ["shuffle"] for name in ("pairs", "truths", "lies")} == drawn


def test_lair_with_generated_cards_and_mixed_hands():
    drawn = played("liarslair", each=2, cards="generated", deal="random", volunteer=False, moves=1)
    made = {("made", number): ["choice", "choice"] for number in range(1, 9)}

    assert LAIR | truths(8) | made | {("subjects",): ["shuffle"], ("sides",): ["shuffle"]} == drawn


@pytest.mark.parametrize("cards", ["standard", "generated"])
def test_lair_with_characters(cards):
    """Every draw about a person comes from that person's luck; so do the swaps from that of the lies."""
    drawn = played("liarslair", each=2, cards=cards, characters="own-truths", moves=1)
    about = ["shuffle", *["choice"] * 2 * (cards == "generated")]
    lies = drawn.pop(("lies",))

    assert {
        **{(name,): ["shuffle"] for name in ("cast", "mix", "truths", "numbers")},
        **{("about", number): about for number in range(1, 5)},
        **truths(8),
    } == drawn
    assert ["shuffle"] == lies[:1]
    assert {"choice"} >= {*lies[1:]}


def test_lair_starter_is_the_first_volunteer_of_a_shuffle_of_all():
    """So another volunteer can only start themselves."""
    lair = installed("liarslair")["liarslair"].rules
    order = PurposeLuck(KEY).for_("starter").shuffle(range(4))
    for willing in range(16):
        state = lair.start(4, lair.Options(), (), KeyedLuck(b"")).state
        for seat in range(4):
            move = lair.moves(state, seat)[willing >> seat & 1]
            state = lair.apply(state, seat, move, PurposeLuck(KEY)).state

        first = next(seat for seat in order if willing >> seat & 1 or not willing)
        assert first == state.match.round.starter


def test_poker():
    drawn = played("lilypoker", variant="holdem", hands=3, wanted=is_kind("Fold"))

    assert {("dealer",): ["pick"]} | {("deal", hand): ["shuffle"] for hand in (1, 2, 3)} == drawn


def test_poker_reshuffles_are_numbered_within_their_hand():
    """Eight players discard five cards each: the stock runs out three times in a hand."""
    drawn = played("lilypoker", 8, variant="draw", hands=2, max_draw=5, wanted=draws_five)
    reshuffles = [purpose for purpose in drawn if purpose[0] == "reshuffle"]

    assert [("reshuffle", hand, number) for hand in (1, 2) for number in (1, 2, 3)] == reshuffles
    assert all(["order"] == drawn[purpose] for purpose in reshuffles)


def draws_five(move):
    kind = type(move).__name__
    return kind in ("Check", "Call") or (kind == "Discard" and len(move.cards) == 5)
