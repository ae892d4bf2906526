"""Declaring yourself the winner of Liar's Lair, and proving a declarer a liar, from madmaw's README."""

from __future__ import annotations

import pytest

from lilygames_rules import liarslair
from lilygames_rules.kit import KeyedLuck, Refused
from lilygames_rules.lair.moves import CardExposed, Declare, Declared, KnockedOut, Pass, RoundBegun
from lilygames_rules.lair.table import Declaring, Over, Proving
from tests.games.liarslair.positions import lair
from tests.games.liarslair.worlds import hide

FOUR = ("c- g+ h- i+", "b+ f- j+ k-", "l- m+ n- o+", "a+ b- c+ d+")
"""Four hands after a round that A started; B can prove D a liar."""


def declaring(*hands, **options):
    return lair(*(hands or FOUR), declaring=True, **options)


def out(game):
    return [("ABCD"[event.seat], event.reason) for event in game.happened(KnockedOut)]


# Declaring.


def test_everyone_is_asked_at_once_and_may_answer_in_any_order():
    game = declaring()

    assert "ABCD" == game.asked
    assert ("ABD", "AD") == (game.then("C pass").asked, game.then("C pass", "B pass").asked)
    assert (Pass(), Declare()) == liarslair.moves(game.state, 2)


def test_declarer_shows_their_hand_to_everyone():
    game = declaring().then("D declare")

    assert ((13, "a yes"), (14, "b no"), (15, "c yes"), (16, "d yes")) == game.happened(Declared)[0].cards
    assert [13, 14, 15, 16] == [card.number for card in game.view(None).at(3)]
    assert [None] * 4 == [card.true for card in game.view(None).at(3)]


def test_you_may_not_declare_after_someone_on_your_left_has():
    """The order counts from the round's starter, so D, on the right of A, may declare after A."""
    game = declaring().then("B declare")

    assert ("CD", "declared-on-the-left", 1) == (
        game.asked,
        refused(game, "A declare").code,
        refused(game, "A declare").facts["by"],
    )
    assert Declaring((3,), ((1, "honest"), (2, "honest"))) == game.then("C declare").state.match.phase


def test_one_declarer_on_your_left_is_enough_to_stop_you():
    game = declaring().then("B declare", "D declare")

    assert Proving((2, 3, 0), ((1, "honest"), (3, "honest"))) == game.state.match.phase


def test_left_is_counted_from_the_rounds_starter():
    game = declaring(starter="C").then("A declare")

    assert "B" == game.asked


def refused(game, line):
    with pytest.raises(Refused) as said:
        game.then(line)
    return said.value


@pytest.mark.parametrize("way", ["absolution", "identity"])
def test_declaration_outside_the_options_is_refused(way):
    assert "no-such-way" == refused(declaring(), f"A declare {way}").code


def test_refused_declaration_names_the_allowed_ways():
    assert {"ways": ("honest", "absolution")} == refused(declaring(absolution=True), "A declare identity").facts


@pytest.mark.parametrize("knockout", ["loot", "gift"])
def test_to_expose_a_card_there_must_be_a_declarer(knockout):
    game = declaring(knockout=knockout)

    assert ("wrong-phase", {"phase": "Declaring", "knockout": knockout}) == (
        refused(game, "A expose c-").code,
        refused(game, "A expose c-").facts,
    )


def test_declaration_names_no_character_that_is_not_declared():
    assert "" == declaring().then("D declare").happened(Declared)[0].character


# Proving.


def test_true_card_that_contradicts_the_declarer_knocks_them_out():
    """Golden: D declares a+ b- c+ d+; A passes, B exposes b+: D is out, C is not asked, the game goes on."""
    game = declaring().then("A pass", "B pass", "C pass", "D declare")
    assert Proving((0, 1, 2), ((3, "honest"),)) == game.state.match.phase

    game = game.then("A pass", "B expose b+")
    assert ("ABC", [("D", "proven")]) == (game.living, out(game))
    assert RoundBegun(2, 1) == game.events[-1]
    assert ("b+ f- j+ k-", "") == (game.hand("B"), game.hand("D"))


def test_with_both_cards_of_a_pair_a_declarer_is_out_at_once():
    """Golden: nobody is polled."""
    game = declaring(*FOUR[:3], "e+ e- p+ q-").then("A pass", "B pass", "C pass", "D declare")

    assert ([("D", "both")], RoundBegun(2, 1)) == (out(game), game.events[-1])


def test_exposing_a_lie_knocks_out_for_good():
    """Golden: A exposes a lie and is out; B proves D a liar; A stays out."""
    game = declaring("r- g+ h- i+", *FOUR[1:]).then("A pass", "B pass", "C pass", "D declare", "A expose r-")
    assert ([("A", "false-proof")], "B", "") == (out(game), game.asked, game.hand("A"))

    game = game.then("B expose b+")
    assert ([("D", "proven")], "BC") == (out(game), game.living)


def test_lie_proves_nothing_even_if_it_contradicts():
    game = declaring().then("A pass", "B pass", "C pass", "D declare", "A expose c-")

    assert [("A", "false-proof")] == out(game)


def test_true_card_that_contradicts_nothing_does_nothing():
    """The README doesn't say: only the declarer has seen the card (our reading)."""
    game = declaring().then("A pass", "B pass", "C pass", "D declare", "A expose g+")

    assert ([], "B", "nothing") == (out(game), game.asked, game.happened(CardExposed)[0].effect)


def test_only_the_declarer_sees_an_exposed_card():
    game = declaring().then("A pass", "B pass", "C pass", "D declare", "A expose g+")
    (event,) = game.happened(CardExposed)

    assert [(2, "g yes"), (2, "g yes"), None, None] == [event.seen_by(seat).card for seat in (0, 3, 1, None)]
    assert [True, None, None] == [
        next((card.true for card in game.view(seat).cards if card.number == 2), None) for seat in ("D", "B", None)
    ]


def test_if_nobody_can_prove_the_declarer_a_liar_the_declarer_wins():
    """Golden: C wins although C holds a lie."""
    game = declaring("a+ b- c+ d-", "e+ f- g+ h-", "i+ j- k+ l-")
    game = game.then("A pass", "B pass", "C declare", "A pass", "B pass")
    end = liarslair.outcome(game.state)

    assert (Over((2,), "honest"), (0, 0, 2), (2,)) == (game.state.match.phase, end.scores, end.winners)


def test_later_declarers_get_nothing_when_one_wins():
    game = declaring().then("A declare", "B pass", "C pass", "D declare")
    assert Proving((1, 2, 3), ((0, "honest"), (3, "honest"))) == game.state.match.phase

    assert Over((0,), "honest") == game.then("B pass", "C pass", "D pass").state.match.phase
    assert Proving((1, 2), ((3, "honest"),)) == game.then("B pass", "C pass", "D expose c+").state.match.phase


def test_declarers_are_settled_clockwise_from_the_starter():
    """C began, so D comes before A."""
    game = declaring(starter="C").then("D declare", "A declare", "B pass")

    assert Proving((0, 1, 2), ((3, "honest"), (0, "honest"))) == game.state.match.phase


def test_next_declarer_is_settled_after_one_with_both_cards_of_a_pair():
    game = declaring("c- g+ h- i+", "e+ e- j+ k-", *FOUR[2:]).then("A pass", "B declare", "C declare", "D pass")

    assert ([("B", "both")], Proving((3, 0), ((2, "honest"),))) == (out(game), game.state.match.phase)


def test_last_living_declarer_wins():
    """Both others expose lies, and are out."""
    game = declaring("a- b+", "c- d+", "e+ f-").then("A pass", "B pass", "C declare", "A expose a-", "B expose c-")

    assert ([("B", "false-proof")], Over((2,), "last")) == (out(game), game.state.match.phase)


def test_declarer_who_was_knocked_out_meanwhile_is_skipped():
    """A and C declare. C exposes a lie and is out, D proves A a liar, and nobody is polled about C."""
    game = declaring().then("A declare", "B pass", "C declare", "D pass", "B pass", "C expose l-", "D expose c+")

    assert ([("A", "proven")], "BD", RoundBegun(2, 1)) == (out(game), game.living, game.events[-1])


def test_last_living_player_wins_even_without_declaring():
    game = declaring("a+ b-", "a- c+", "d+ d-")
    game = game.then("A pass", "B declare", "C declare", "C pass", "A expose a+")

    assert ([("B", "proven"), ("C", "both")], Over((0,), "last")) == (out(game), game.state.match.phase)
    assert (2, 0, 1) == liarslair.outcome(game.state).scores


# Other ways to win.


@pytest.mark.parametrize(
    ("hands", "won"),
    [
        (("a- b-", "a+ c-", "b+ d-"), True),
        (("a- b+", "a+ b-", "c+ d-"), False),
        (("a- b-", "a+ c-", "d+ e-"), False),
        (("a- a+", "b+ b-", "c+ d-"), False),
    ],
)
def test_absolution_is_a_hand_of_lies_whose_truths_the_others_hold(hands, won):
    game = declaring(*hands, absolution=True).then("A declare absolution", "B pass", "C pass")

    assert won == (Over((0,), "absolution") == game.state.match.phase)
    assert won == ("A" in game.living)
    assert ([] if won else [("A", "absolution")]) == out(game)


def secret(seed):
    """Return a game with secret characters in which everyone is asked whether to declare."""
    step = liarslair.start(3, liarslair.Options(characters="secret", volunteer=False), (), KeyedLuck(seed))
    return step.state.after(Declaring((0, 1, 2)))


def told(state, *moves):
    events = ()
    for seat, move in moves:
        state, events = (step := liarslair.apply(state, seat, move, KeyedLuck(b""))).state, step.events
    return state, events


def test_truth_in_another_hand_knocks_out_a_secret_character():
    """At the start the others hold all truths about a character."""
    state = secret(b"who")
    state = state.after(state.match.phase, round=liarslair.table.Round(1, 0))
    after, events = told(state, (0, Declare("identity")), (1, Pass()), (2, Pass()))

    assert [KnockedOut(0, "identity")] == [event for event in events if isinstance(event, KnockedOut)]
    assert (state.characters[0], "", "") == liarslair.view(after, None).characters


def about(state, seat, *, true):
    """Return the true or the false cards about a seat's secret character."""
    deck, character = state.deck, state.characters[seat]
    cards = [(number, card) for number, card in enumerate(deck.cards, 1) if deck.pairs[card.pair].about == character]
    return [number for number, card in cards if card.true == true]


def test_secret_character_wins_without_a_truth_in_another_hand():
    state = secret(b"who")
    state = state.after(state.match.phase, round=liarslair.table.Round(1, 0))
    held = state.after(state.match.phase, state.deck.moved(about(state, 0, true=True), 0))
    after, _ = told(held, (0, Declare("identity")), (1, Pass()), (2, Pass()))

    assert Over((0,), "identity") == after.match.phase


def test_lie_in_another_hand_does_not_hurt_a_secret_character():
    state = secret(b"who")
    state = state.after(state.match.phase, round=liarslair.table.Round(1, 0))
    deck = state.deck.moved(about(state, 0, true=True), 0).moved(about(state, 0, true=False), 1)
    after, _ = told(state.after(state.match.phase, deck), (0, Declare("identity")), (1, Pass()), (2, Pass()))

    assert Over((0,), "identity") == after.match.phase


def test_absolution_hand_does_not_help_a_declared_identity():
    """Seat 0 holds nothing but the lies about its character; the others hold all the truths."""
    state = secret(b"who")
    state = state.after(state.match.phase, round=liarslair.table.Round(1, 0))
    truths = [number for number in state.deck.at(0) if state.deck.card(number).true]
    alone = state.after(state.match.phase, state.deck.moved(truths, 1))
    _, events = told(alone, (0, Declare("identity")), (1, Pass()), (2, Pass()))

    assert about(state, 0, true=False) == [*alone.deck.at(0)]
    assert [KnockedOut(0, "identity")] == [event for event in events if isinstance(event, KnockedOut)]


# Secrets.


PHASES = {
    "playing": (),
    "the victor takes": ("A play a-", "B play x+", "C play a+"),
    "reclaiming": ("A play b+", "B play x+", "C play l-"),
    "declaring": ("A play b+", "B play x+", "C play l-", "C reclaim b+", "B reclaim l-", "A reclaim x+"),
    "proving": (
        *("A play b+", "B play x+", "C play l-", "C reclaim b+", "B reclaim l-", "A reclaim x+"),
        *("A pass", "B declare", "C pass", "C expose m+"),
    ),
}
THREE = ("a- b+ c+ d-", "x+ g- h+ i-", "a+ l- m+ n-")


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("knockout", ["loot", "gift", "discard"])
def test_hidden_differences_never_show(phase, knockout):
    state = lair(*THREE, knockout=knockout, spare=6).then(*PHASES[phase]).state
    for seat in (0, 1, 2, None):
        others = [hide(state, seat, KeyedLuck(b"%d" % number)) for number in range(10)]
        assert all(other != state for other in others)
        for other in others:
            assert liarslair.view(state, seat) == liarslair.view(other, seat)
            if seat is not None:
                assert liarslair.moves(state, seat) == liarslair.moves(other, seat)
