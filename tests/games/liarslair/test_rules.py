"""The rules of Liar's Lair, sentence by sentence, from madmaw's README."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lilygames_rules import liarslair
from lilygames_rules.kit import KeyedLuck, Refused, Scripted
from lilygames_rules.lair.hands import GONE, TABLE
from lilygames_rules.lair.moves import (
    CardDiscarded,
    CardReclaimed,
    CardTaken,
    Contradicted,
    Dealt,
    HandShown,
    KnockedOut,
    Pass,
    RoundBegun,
    Volunteer,
)
from lilygames_rules.lair.table import Options, Over, Playing
from tests.games.liarslair.positions import lair

FOUR = ("a- b+ c+ d- e+ f-", "x+ g- h+ i- j+ k-", "a+ l- m+ n- o+ p-", "y- q+ r- s+ t- u+")
"""Four hands; A and C hold the two cards of pair a."""


def refused(game, line):
    with pytest.raises(Refused) as said:
        game.then(line)
    return said.value


def ended(game):
    end = liarslair.outcome(game.state)
    return end.scores, end.winners


# Setting up and starting.


@pytest.mark.parametrize(("each", "seats"), [(3, 3), (2, 8), (6, 8)])
def test_each_player_is_given_an_equal_number_of_cards_from_both_decks(each, seats):
    deck = liarslair.start(seats, Options(each=each), (), KeyedLuck(b"deal")).state.deck

    for seat in range(seats):
        assert [each, each] == [sum(deck.card(card).true == true for card in deck.at(seat)) for true in (True, False)]
    assert len({(card.pair, card.true) for card in deck.cards}) == 2 * each * seats


def test_players_know_only_the_truth_of_their_own_cards():
    step = liarslair.start(3, Options(), (), KeyedLuck(b"deal"))

    for seat in range(3):
        (dealt,) = (seen for event in step.events if isinstance(event, Dealt) and (seen := event.seen_by(seat)))
        view = liarslair.view(step.state, seat)
        assert [(card.number, card.text, card.true) for card in view.cards] == list(dealt.cards)
        assert step.state.deck.at(seat) == tuple(card.number for card in view.cards)
    assert () == liarslair.view(step.state, None).cards


def test_luck_is_drawn_in_a_fixed_order():
    """Pairs, a coin for each, truths, lies, then the numbers; the starter last."""
    pairs = tuple((f"{letter} yes", f"{letter} no") for letter in "abcdef")
    luck = Scripted(
        [pairs[5]], *(letter != "e" for letter in "fabcde"), [5, 4], [0, 1], [(1, 0, True), (0, 5, True)], 2
    )
    step = liarslair.start(3, Options(each=2, volunteer=False, pairs=pairs), (), luck)
    deck = step.state.deck

    assert luck.spent
    assert ["f yes", "a yes", "b yes", "c yes", "d yes", "e no"] == [pair.true for pair in deck.pairs]
    assert ["e no", "d yes", "f no", "a no"] == [deck.text(card) for card in deck.at(0)]
    assert ["f yes", "e no"] == [deck.text(card) for card in (1, 2)]
    assert RoundBegun(1, 2) == step.events[-1]


def test_starting_player_is_drawn_from_those_who_volunteer():
    state = liarslair.start(4, Options(), (), KeyedLuck(b"deal")).state
    for seat, move in ((3, Volunteer()), (0, Pass()), (1, Volunteer())):
        assert (Pass(), Volunteer()) == liarslair.moves(state, seat)
        state = liarslair.apply(state, seat, move, Scripted()).state
        assert () == liarslair.moves(state, seat)
    step = liarslair.apply(state, 2, Pass(), Scripted(1))

    assert RoundBegun(1, 1) == step.events[-1]
    assert Playing((1, 2, 3, 0)) == step.state.match.phase
    with pytest.raises(AssertionError, match="is not one of"):
        liarslair.apply(state, 2, Pass(), Scripted(0))


def test_starting_player_is_drawn_from_all_without_volunteers():
    state = liarslair.start(3, Options(), (), KeyedLuck(b"deal")).state
    for seat in (2, 0):
        state = liarslair.apply(state, seat, Pass(), Scripted()).state

    assert RoundBegun(1, 0) == liarslair.apply(state, 1, Pass(), Scripted(0)).events[-1]


@pytest.mark.parametrize(
    ("seats", "options", "code"),
    [
        (2, {}, "bad-seats"),
        (9, {}, "bad-seats"),
        (3, {"each": 1}, "bad-each"),
        (3, {"each": 7}, "bad-each"),
        (3, {"spare": 17}, "bad-spare"),
        (3, {"max_rounds": 0}, "bad-rounds"),
        (3, {"cards": "nothing"}, "unknown-cards"),
        (3, {"deal": "random", "characters": "own-lies"}, "deal-is-fixed"),
        (3, {"pairs": (("a", "b"),)}, "too-few-pairs"),
        (3, {"pairs": (("a", "b"),), "characters": "related"}, "cards-of-another-kind"),
        (3, {"pairs": (("WHO a", "WHO b"),)}, "cards-of-another-kind"),
    ],
)
def test_impossible_game_is_refused(seats, options, code):
    with pytest.raises(Refused) as no:
        liarslair.start(seats, Options(**options), (), KeyedLuck(b""))

    assert code == no.value.code


# Playing a hand.


def test_player_of_a_contradicted_lie_is_knocked_out():
    """Golden: A plays a-, B x+, C a+: A is out, both cards are gone, C takes one of A's five cards, D plays y-."""
    game = lair(*FOUR).then("A play a-", "B play x+", "C play a+")

    assert Contradicted((13, "a yes"), (1, "a no"), 2, 0) == game.happened(Contradicted)[0]
    assert ("BCD", "x+", "C") == (game.living, game.table, game.asked)
    assert "b+ c+ d- e+ f-" == game.named([move.card for move in liarslair.moves(game.state, 2)])

    game = game.then("C take b+", "D play y-")
    assert ("", "b+ l- m+ n- o+ p-") == (game.hand("A"), game.hand("C"))
    assert ("Reclaiming", "D") == (game.phase, game.asked)

    game = game.then("D reclaim x+", "B reclaim y-")
    assert [6, 6, 6] == [len(game.hand(seat).split()) for seat in "BCD"]
    assert "Declaring" == game.phase
    assert RoundBegun(2, 1) == game.then("B pass", "C pass", "D pass").events[-1]


def test_it_does_not_matter_which_of_the_two_cards_came_first():
    game = lair(*FOUR, starter="C").then("C play a+", "D play y-", "A play a-")

    assert ("BCD", "C") == (game.living, game.asked)


def test_only_the_two_know_which_card_was_taken():
    game = lair(*FOUR).then("A play a-", "B play x+", "C play a+")
    (shown,) = game.happened(HandShown)
    taken = game.then("C take b+").happened(CardTaken)[0]

    assert [None, None, shown, None] == [shown.seen_by(seat) for seat in (None, 0, 2, 3)]
    assert [(2, "b yes"), (2, "b yes"), None, None] == [taken.seen_by(seat).card for seat in (0, 2, 1, None)]


def test_cards_in_hand_contradict_nothing():
    game = lair(*FOUR).then("A play a-", "B play x+", "C play l-", "D play y-")

    assert ("ABCD", "a- l- x+ y-") == (game.living, game.table)


def test_player_plays_a_card_of_their_own_in_their_turn():
    game = lair(*FOUR)
    no = refused(game, "A play x+")

    assert ("not-there", game.state.deck.at(0)) == (no.code, no.facts["cards"])
    assert "not-your-turn" == refused(game, "B play x+").code
    assert "wrong-phase" == refused(game, "A reclaim a-").code


def test_last_living_player_wins_at_once():
    game = lair("a- b+ c+ d-", "e+ f- g+ h-", "a+ e- b- c-").then("A play a-", "B play e+", "C play a+", "C take b+")
    game = game.then("B reclaim e+", "B pass", "C pass", "B play e+", "C play e-")

    assert Over((1,), "last") == game.state.match.phase
    assert ((0, 2, 1), (1,)) == ended(game)
    assert "game-over" == refused(game, "B pass").code


def test_as_a_gift_the_victim_chooses_and_shows_nothing():
    game = lair(*FOUR, knockout="gift").then("A play a-", "B play x+", "C play a+")

    assert ("A", []) == (game.asked, game.happened(HandShown))
    assert "wrong-phase" == refused(game, "A discard d-").code
    game = game.then("A gift d-")
    assert "d- l- m+ n- o+ p-" == game.hand("C")
    assert "a+ a- d- l- m+ n- o+ p- x+" == game.named([card.number for card in game.view("C").cards])
    assert "a+ a- q+ r- s+ t- u+ x+ y-" == game.named([card.number for card in game.view("D").cards])


def test_as_a_discard_the_card_goes_to_the_table_and_the_victor_reclaims():
    """Nobody played the card, so it contradicts nothing (our reading)."""
    hands = ("a- b+ c+ d-", "x+ g- h+ i-", "a+ l- m+ n-", "b- q+ r- s+")
    game = lair(*hands, knockout="discard").then("A play a-", "B play x+", "C play a+", "A discard b+")

    assert (CardDiscarded(0, (2, "b yes")), "b+ x+") == (game.events[0], game.table)
    game = game.then("D play b-")
    assert ("BCD", "D") == (game.living, game.asked)
    game = game.then("D reclaim b+", "C reclaim b-", "B reclaim x+")
    assert [4, 4, 4] == [len(game.hand(seat).split()) for seat in "BCD"]


def test_contradicted_card_is_told_to_be_true_or_a_lie():
    game = lair(*FOUR).then("A play a-", "B play x+", "C play a+")
    told = {card.text: card.true for card in game.view("D").cards if card.place == GONE}

    assert {"a yes": True, "a no": False} == told


# Finishing a round.


@pytest.mark.parametrize(("start", "starter"), [("left", 2), ("right", 0)])
def test_cards_are_reclaimed_anticlockwise_from_the_last_player(start, starter):
    """Golden: B, C, D, A play; A, D, C, B reclaim; then the next player on the left of B starts, or on the right."""
    game = lair(*FOUR, starter="B", start=start)
    game = game.then("B play x+", "C play l-", "D play y-", "A play b+")
    order = ""
    for card in ("x+", "l-", "y-", "b+"):
        order += game.asked
        game = game.then(f"{game.asked} reclaim {card}")

    assert "ADCB" == order
    assert RoundBegun(2, starter) == game.then("A pass", "B pass", "C pass", "D pass").events[-1]


def test_player_may_reclaim_their_own_card():
    game = lair(*FOUR).then("A play b+", "B play x+", "C play l-", "D play y-", "D reclaim y-")

    assert (CardReclaimed(3, (19, "y no")),) == game.events
    assert ("q+ r- s+ t- u+ y-", "b+ l- x+") == (game.hand("D"), game.table)
    assert "not-there" == refused(game, "C reclaim y-").code


def test_reclaimed_card_tells_nobody_whether_it_is_true():
    """Golden: A reclaims D's q+, marked ? for A. When a card returns to its first owner, its mark returns too."""
    game = lair(*FOUR, starter="B").then("B play x+", "C play l-", "D play q+", "A play b+")
    game = game.then("A reclaim q+", "D reclaim b+", "C reclaim l-", "B reclaim x+")

    assert ("?", "T") == (game.marks("A")["q+"], game.marks("A")["c+"])
    assert ("?", 6) == (game.marks("D")["b+"], game.view("D").sizes[0])
    game = game.then("A pass", "B pass", "C pass", "D pass")
    game = game.then("C play l-", "D play b+", "A play c+", "B play x+")
    game = game.then("B reclaim x+", "A reclaim b+")
    assert "T" == game.marks("A")["b+"]


@pytest.mark.parametrize(("marks", "expected"), [("dealt", "?"), ("assist", "F")])
def test_marks_may_include_what_follows_from_your_cards(marks, expected):
    """A holds the truth of pair a, so the statement of a that it reclaims is the lie."""
    hands = ("a+ b+ c- d-", "x+ g- h+ i-", "a- l- m+ n+")
    game = lair(*hands, starter="B", marks=marks).then("B play x+", "C play a-", "A play b+", "A reclaim a-")

    assert expected == game.marks("A")["a-"]


def test_cards_on_the_table_and_their_takers_are_public():
    game = lair(*FOUR).then("A play b+", "B play x+", "C play l-", "D play y-", "D reclaim b+")

    for seat in ("A", "B", None):
        places = {card.text: card.place for card in game.view(seat).cards}
        assert (3, TABLE) == (places["b yes"], places["x yes"])


@pytest.mark.parametrize(("taken", "now"), [("b+", 3), ("m+", GONE)])
def test_knocked_out_hand_is_known_only_to_victor_and_victim(taken, now):
    """C once openly reclaimed b+. When C is knocked out, only C and the victor know where it went.

    It looks the same whether the card was taken or has left the game.
    """
    game = lair(*FOUR[:2], "a- l- m+ n- o+ p-", "a+ q+ r- s+ t- u+").then("A play b+", "B play x+", "C play l-")
    game = game.then("D play q+", "D reclaim q+", "C reclaim b+", "B reclaim x+", "A reclaim l-")
    game = game.then(*(f"{seat} pass" for seat in "ABCD"), "B play x+", "C play a-", "D play a+", f"D take {taken}")
    places = [{card.text: card.place for card in game.view(seat).cards}["b yes"] for seat in ("A", "B", None, "C", "D")]

    assert [None, None, None, now, now] == places


def test_after_enough_rounds_the_living_share_the_win():
    game = lair(*FOUR, max_rounds=1).then("A play b+", "B play x+", "C play l-", "D play y-")
    game = game.then("D reclaim y-", "C reclaim l-", "B reclaim x+", "A reclaim b+", *(f"{s} pass" for s in "ABCD"))

    assert ((0, 0, 0, 0), (0, 1, 2, 3)) == ended(game)


# Characters.


def test_related_cards_are_about_characters_at_the_table():
    state = liarslair.start(3, Options(characters="related", spare=2), (), KeyedLuck(b"who")).state

    assert all(any(name in pair.true and name in pair.false for name in state.characters) for pair in state.deck.pairs)
    assert state.characters == liarslair.view(state, None).characters


@pytest.mark.parametrize("cards", ["standard", "generated"])
@pytest.mark.parametrize("spare", [0, 5])
@pytest.mark.parametrize(("characters", "own"), [("own-truths", True), ("own-lies", False), ("secret", False)])
def test_each_player_gets_the_truths_or_the_lies_about_themselves(characters, own, spare, cards):
    for seed in range(5):
        options = Options(characters=characters, spare=spare, cards=cards)
        state = liarslair.start(5, options, (), KeyedLuck(b"%d" % seed)).state
        for card in state.deck.cards:
            about = state.characters.index(state.deck.pairs[card.pair].about)
            assert (about == card.dealt) == (card.true == own)


def test_secret_character_is_known_to_itself_alone():
    step = liarslair.start(3, Options(characters="secret"), (), KeyedLuck(b"who"))
    views = [liarslair.view(step.state, seat).characters for seat in (0, 1, 2, None)]

    assert [("x", "", ""), ("", "x", ""), ("", "", "x"), ("", "", "")] == [
        tuple("x" if name else "" for name in view) for view in views
    ]
    assert step.events[0].characters == ("", "", "")
    assert [tuple(sorted(step.state.characters))] * 4 == [
        liarslair.view(step.state, seat).match.cast for seat in (0, 1, 2, None)
    ]


# Invariants.


def patient(state, seat, luck):
    """Return a random move, but rarely a declaration or an exposure, so that games become long."""
    moves = liarslair.moves(state, seat)
    return moves[0] if isinstance(moves[0], Pass) and luck.roll(12) > 1 else luck.choice(moves)


def played(seats, options, seed):
    luck = KeyedLuck(f"{seed}".encode())
    step = liarslair.start(seats, options, (), luck)
    yield step
    while step.state.match.answering:
        seat = luck.choice(step.state.match.answering)
        step = liarslair.apply(step.state, seat, patient(step.state, seat, luck), luck)
        yield step


games = st.tuples(
    st.integers(3, 8),
    st.builds(
        Options,
        each=st.integers(2, 4),
        deal=st.sampled_from(["even", "random"]),
        start=st.sampled_from(["left", "right"]),
        spare=st.integers(0, 4),
        absolution=st.booleans(),
        knockout=st.sampled_from(["loot", "gift", "discard"]),
        cards=st.sampled_from(["standard", "generated"]),
        max_rounds=st.just(8),
    ),
    st.integers(0, 10**6),
)


@given(games)
@settings(max_examples=40)
def test_hands_of_living_players_keep_their_size_after_a_round(game):
    seats, options, seed = game
    for step in played(seats, options, seed):
        match, deck = step.state.match, step.state.deck
        if any(isinstance(event, RoundBegun) for event in step.events):
            assert [2 * options.each] * len(match.living()) == [len(deck.at(seat)) for seat in match.living()]
            assert () == deck.at(TABLE)


@given(games)
@settings(max_examples=20)
def test_nobody_is_knocked_out_twice_and_someone_wins(game):
    seats, options, seed = game
    *steps, last = played(seats, options, seed)
    out = [event.seat for step in (*steps, last) for event in step.events if isinstance(event, KnockedOut)]
    end = liarslair.outcome(last.state)

    assert tuple(out) == last.state.match.out
    assert len(set(out)) == len(out) < seats
    assert not set(out) & set(end.winners)
    assert max(end.scores) == end.scores[end.winners[0]]
