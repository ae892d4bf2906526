"""Liar's Lair passes the checks of every game with every option, and its texts are right."""

from __future__ import annotations

from functools import partial

import pytest

from lilygames import layout
from lilygames.commands import find
from lilygames.game import InSequence, Reader
from lilygames.games.liarslair import GAME
from lilygames.games.liarslair.house import novice
from lilygames.games.liarslair.words import hand, score, show, spell, tell
from lilygames.gametest.promises import PROMISES
from lilygames.gametest.wording import WORDS
from lilygames.scene_rows import asking
from lilygames.testing import Check, check_game, play
from lilygames.text import Voice, columns
from lilygames_rules import liarslair
from lilygames_rules.kit import KeyedLuck, Refused
from lilygames_rules.lair.moves import (
    CardDiscarded,
    CardExposed,
    CardTaken,
    Contradicted,
    Declare,
    HandShown,
    Volunteered,
)
from lilygames_rules.lair.table import Declaring, Options, Playing
from tests.games.liarslair.positions import lair
from tests.games.liarslair.worlds import hide

RARE = {CardDiscarded, CardExposed, CardTaken, Contradicted, HandShown, Volunteered}


@pytest.mark.parametrize(
    ("chosen", "sizes"),
    [
        (Options(), (3, 4, 8)),
        (Options(knockout="gift", spare=4, start="right", cards="generated"), (3,)),
        (Options(knockout="discard", deal="random", volunteer=False), (4,)),
        (Options(each=2, marks="assist", absolution=True), (3,)),
        (Options(characters="related", cards="generated", spare=2), (3,)),
        (Options(characters="own-truths", spare=3), (3,)),
        (Options(characters="own-lies"), (4,)),
        (Options(characters="secret", absolution=True, marks="assist"), (3, 4)),
    ],
)
def test_liars_lair_keeps_its_promises(chosen, sizes):
    check_game(GAME, hide=hide, bound=3000, options=[chosen], sizes=sizes, deals=2, rare=RARE)


def rash(view, moves, luck):
    """Play any card, so that cards contradict each other, and declare like a novice, so that there are rounds."""
    return luck.choice(moves) if isinstance(view.match.phase, Playing) else novice(view, moves, luck)


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        (Options(each=2), CardTaken),
        (Options(each=2, knockout="gift", marks="assist", spare=1), CardTaken),
        (Options(each=2, knockout="discard", deal="random"), CardDiscarded),
        (Options(each=2, characters="secret", absolution=True), CardTaken),
    ],
)
def test_liars_lair_keeps_its_promises_in_long_games(options, kind):
    """These are the same checks in games with many rounds, where cards change hands unseen."""
    games = ((seed, tuple(play(GAME, 4, options, seed, rash))) for seed in range(30))
    seed, turns = next(one for one in games if {kind, CardExposed} <= {type(e) for turn in one[1] for e in turn.events})
    check = Check(GAME, options, 4, seed, (), turns, hide, zero_sum=False)

    assert [] == [broken for promise in (*WORDS, *PROMISES) for broken in promise(check)]


NAMES = ("ann", "bob", "cat", "dan")
ANN, BOB, CAT, DAN, WATCHER = (Reader(seat, NAMES) for seat in (0, 1, 2, 3, None))
SPOKEN = Reader(2, NAMES, Voice(spoken=True))
FOUR = ("a- b+ c+ d-", "x+ g- h+ i-", "a+ l- m+ n-", "y- q+ r- s+")
TAKING = ("A play a-", "B play x+", "C play a+")


def lines(game, reader):
    seen = (event.seen_by(reader.seat) for event in game.events)
    return [line for event in seen if event is not None and (line := tell(event, reader))]


def asked(game, reader):
    view = liarslair.view(game.state, reader.seat)
    rows = asking(GAME, view, liarslair.moves(game.state, reader.seat), reader)
    return " ".join(rows).partition("Your turn: ")[2]


def test_contradiction_is_told_to_all_and_the_hand_to_the_victor_alone():
    game = lair(*FOUR).then(*TAKING)
    out = "{} 1 contradicts {} 9, which is true: {} out, and both cards leave."

    told = ["cat plays 9: a yes", out.format("ann's", "cat's", "ann is")]
    assert told == lines(game, DAN) == lines(game, WATCHER)
    assert out.format("Your", "cat's", "you are") == lines(game, ANN)[-1]
    assert out.format("ann's", "your", "ann is") == lines(game, CAT)[-1]
    assert ["ann leaves:\nCard 2: b yes\nCard 3: c yes\nCard 4: d no"] == lines(game, SPOKEN)[-1:]
    assert "take one of ann's cards: 2  3  4" == asked(game, CAT)
    assert "take one of ann's cards: not known 2, 3, 4." == asked(game, SPOKEN)


def test_only_the_two_read_which_card_was_taken():
    game = lair(*FOUR).then(*TAKING, "C take b+")

    assert ["cat takes one of ann's cards."] == lines(game, DAN) == lines(game, WATCHER)
    assert ["You take one of ann's cards: 2 b yes"] == lines(game, CAT)
    assert ["cat takes one of your cards: 2 b yes"] == lines(game, ANN)


def test_only_the_two_read_which_card_was_given():
    game = lair(*FOUR, knockout="gift").then(*TAKING)
    assert "you're out, give cat a card: 2 T  3 T  4 F" == asked(game, ANN)

    game = game.then("A gift b+")
    assert ["ann gives cat a card."] == lines(game, BOB)
    assert ["ann gives you a card: 2 b yes"] == lines(game, CAT)


def test_prompt_lists_your_cards_with_marks():
    assert "play a card by its number: 1 F  2 T  3 T  4 F" == asked(lair(*FOUR), ANN)
    assert "play true 9, 11; false 10, 12." == asked(lair(*FOUR, starter="C"), SPOKEN)
    assert "you're out, leave a card on the table: 2 T  3 T  4 F" == asked(
        lair(*FOUR, knockout="discard").then(*TAKING), ANN
    )


def test_table_shows_the_cards_in_play_and_who_is_still_to_act():
    game = lair(*FOUR).then("A play b+", "B play g-")

    assert [
        "Round 1 of 60, started by ann.",
        "On the table:",
        "2 b yes (ann)",
        "6 g no (bob)",
        "Cards held: ann 3, bob 3, you 4, dan 4.",
        "Still to play: you, dan.",
    ] == show(liarslair.view(game.state, 2), CAT)


WIDE, SLIM = Voice(suits="symbols"), Voice(suits="symbols", narrow=True)


def rows_of_a_turn(game, seat, voice=WIDE):
    return asking(GAME, liarslair.view(game.state, seat), liarslair.moves(game.state, seat), Reader(seat, NAMES, voice))


def test_turn_shows_the_table_and_your_cards_by_number():
    game = lair(*FOUR).then("A play b+")

    assert [
        "Round 1, table:",
        "  2 ann  b yes",
        "Your turn: play a card by its number: 5 T  6 F  7 T  8 F",
    ] == rows_of_a_turn(game, 1)
    assert "Your turn: play 5 T  6 F  7 T  8 F" == rows_of_a_turn(game, 1, SLIM)[-1]


def test_cards_on_the_table_are_listed_as_they_were_played():
    game = lair(*FOUR, starter="C").then("C play m+", "D play q+", "A play b+")

    assert [" 11 cat  m yes", " 14 dan  q yes", "  2 ann  b yes"] == rows_of_a_turn(game, 1)[1:-1]


def test_victor_reads_the_hand_that_leaves():
    assert [
        "ann's cards:",
        "  2  b yes",
        "  3  c yes",
        "  4  d no",
        "Your turn: take one of ann's cards: 2  3  4",
    ] == rows_of_a_turn(lair(*FOUR).then(*TAKING), 2)


def test_own_cards_are_listed_with_the_turn_from_the_second_round_on():
    game = lair(*FOUR).then("A play b+", "B play h+", "C play m+", "D play q+")
    game = game.then("D reclaim q+", "C reclaim m+", "B reclaim h+", "A reclaim b+")
    assert ["Round 1: you hold 1 F  2 T  3 T  4 F"] == rows_of_a_turn(game, 0)[:-1]

    game = game.then("A pass", "B pass", "C pass", "D pass")
    assert [
        "Your cards (T true, F false, ? you weren't told):",
        "  5 T  x yes",
        "  6 F  g no",
        "  7 T  h yes",
        "  8 F  i no",
        "Your turn: play a card by its number: 5 T  6 F  7 T  8 F",
    ] == rows_of_a_turn(game, 1)
    assert ["Your turn: play 5 T  6 F  7 T  8 F", "           (texts: /hand)"] == rows_of_a_turn(game, 1, SLIM)


def test_those_who_may_disprove_a_declaration_read_its_cards():
    game = lair(*FOUR, declaring=True).then("A pass", "B pass", "C declare", "D pass")

    declared = lair(*FOUR, declaring=True).then("A pass", "B pass", "C declare")
    short = GAME.merging.rows(
        InSequence(partial(liarslair.view, game.state, 3), declared.events[-1:], DAN, asked=True, person=2)
    )

    assert ["cat declares that nobody can prove a lie here: 9, 10, 11 and 12."] == short
    assert "cat declares that nobody can prove a lie here:\n  9  a yes\n 10  l no" in lines(declared, DAN)[-1]
    assert [
        "cat's cards:",
        "  9  a yes",
        " 10  l no",
        " 11  m yes",
        " 12  n no",
        "Your cards (T true, F false, ? you weren't told):",
    ] == rows_of_a_turn(game, 3)[:6]
    assert ["Your turn: 0. pass, or prove a lie: 13 F  14 T  15 F  16 T"] == rows_of_a_turn(game, 3)[10:]


@pytest.mark.parametrize("knockout", ["loot", "gift", "discard"])
def test_turn_fits_the_screen_under_every_house_rule(knockout):
    options = Options(each=2, knockout=knockout, characters="secret", absolution=True)
    for turn in (turn for seed in range(4) for turn in play(GAME, 4, options, seed, rash)):
        for seat in liarslair.view(turn.state, None).match.answering:
            for voice, width in ((WIDE, layout.WIDE), (SLIM, layout.SLIM)):
                shown = asking(
                    GAME,
                    liarslair.view(turn.state, seat),
                    liarslair.moves(turn.state, seat),
                    Reader(seat, NAMES, voice),
                )
                assert [] == [row for row in shown if columns(row) > width]


def test_picture_shows_what_was_played_and_the_cards_you_may_read():
    game = lair(*FOUR).then("A play b+", "B play g-")
    shown = GAME.picture(liarslair.view(game.state, 2), Reader(2, NAMES, WIDE))

    assert ("round 1 of 60", "started by ann") == shown.facts
    assert [("2",), ("6",), ("--",), ("--",)] == [tuple(one.face for one in seat.pieces) for seat in shown.seats]
    assert [("3",), ("3",), ("4",), ("4",)] == [seat.values for seat in shown.seats]
    assert ("On the table:", "  2 ann  b yes", "  6 bob  g no") == shown.texts[:3]
    assert "  9 T  a yes" in shown.texts
    assert not any("b yes" in text or "a no" in text for text in shown.texts[3:])


def test_picture_has_the_statements_on_the_table_first_with_who_played_them():
    game = lair(*FOUR).then("A play b+", "B play g-")
    shown = GAME.picture(liarslair.view(game.state, 2), Reader(2, NAMES, WIDE))

    assert [("2", "b yes", 0), ("6", "g no", 1)] == [(x.face, x.text, x.owner) for x in shown.listed if x.played]
    assert {2} == {one.owner for one in shown.mine.pieces}
    assert ("9", "true", "a yes") in [(one.face, one.mark, one.text) for one in shown.mine.pieces]


def pairs_seen(game, reader):
    shown = GAME.picture(liarslair.view(game.state, reader.seat), reader).contradictions
    return [[(one.face, one.mark, one.owner, one.played) for one in pair] for pair in shown]


def test_picture_has_contradictions_that_were_settled_side_by_side_the_truth_first():
    game = lair(*FOUR).then(*TAKING)

    settled = [("9", "true", 2, True), ("1", "false", 0, True)]

    assert [[settled]] * 3 == [pairs_seen(game, reader) for reader in (ANN, DAN, WATCHER)]


def test_picture_has_a_contradiction_of_two_cards_that_only_their_reader_can_know():
    game = lair(*FOUR).then("A play a-")

    assert [[("9", "true", 2, False), ("1", "", 0, True)]] == pairs_seen(game, CAT)
    assert [] == pairs_seen(game, BOB) == pairs_seen(game, WATCHER)


def test_picture_says_who_is_who():
    secret = liarslair.start(3, Options(characters="secret"), (), KeyedLuck(b"who")).state

    assert [secret.characters[0], "", ""] == [
        one.character for one in GAME.picture(liarslair.view(secret, 0), ANN).seats
    ]
    assert ["", "", ""] == [one.character for one in GAME.picture(liarslair.view(secret, None), WATCHER).seats]


def test_last_sheet_says_how_the_game_ended_for_each_seat():
    game = lair(*FOUR).then(*TAKING, "C take b+", "D play q+")
    game = game.then("D reclaim q+", "B reclaim x+", "B pass", "D pass", "C declare")
    game = game.then("D pass", "B pass")

    assert [
        "        points",
        " 1 cat       3  declared in round 1: nobody disproved 2, 10, 11 and 12",
        " 2 bob       1  still in",
        " 2 dan       1  still in",
        " 4 ann       0  out first",
    ] == GAME.final(liarslair.view(game.state, 1), Reader(None, NAMES, WIDE))


def test_table_lists_everyone_it_waits_for():
    game = lair(*FOUR, declaring=True).then("B pass", "C declare")

    assert "Still to declare or pass: dan." == show(liarslair.view(game.state, None), WATCHER)[-1]
    assert "cat declares that nobody can prove a lie here: 9 a yes / 10 l no / 11 m yes / 12 n no" in show(
        liarslair.view(game.state, None), WATCHER
    )
    assert "1. pass  2. declare that nobody can prove you a liar" == asked(game, DAN)


def test_exposed_card_is_shown_only_to_the_declarer():
    game = lair(*FOUR, declaring=True).then("A pass", "B pass", "C declare", "D pass", "D expose q+")

    assert ["dan shows you a card (14: q yes): it is true and proves nothing."] == lines(game, CAT)
    assert ["dan shows cat a card: it is true and proves nothing."] == lines(game, BOB)
    assert "0. pass, or prove a lie: 1 F  2 T  3 T  4 F" == asked(game, ANN)


def test_hand_shows_its_marks():
    view = liarslair.view(lair(*FOUR).state, 0)

    assert ["  1 F  a no", "  2 T  b yes", "  3 T  c yes", "  4 F  d no"] == list(hand(view, ANN))[1:]
    assert "Card 1, false: a no" == hand(view, Reader(0, NAMES, Voice(spoken=True)))[0]
    assert ["Knocked out: nobody yet."] == list(score(view, ANN))


def test_score_sheet_lists_knocked_out_players_and_known_truths():
    view = liarslair.view(lair(*FOUR).then(*TAKING).state, None)

    assert ["Knocked out: ann.", "Out of the game:", "  1 F  a no", "  9 T  a yes"] == list(score(view, WATCHER))


def test_characters_are_named_and_secret_ones_only_to_themselves():
    open_ones = liarslair.start(3, Options(characters="related"), (), KeyedLuck(b"who"))
    secret = liarslair.start(3, Options(characters="secret"), (), KeyedLuck(b"who"))
    names = secret.state.characters

    assert f"you are {names[0]}, bob is {names[1]} and cat is {names[2]}." in tell(open_ones.events[0], ANN)
    assert "Secret characters at the table: " in tell(secret.events[0], ANN)
    assert tell(secret.events[1], ANN).startswith(f"You are {names[0]}.\nYour cards (T true, F false):\n  ")
    assert "" == tell(secret.events[1], BOB)
    assert f"Characters: you are {names[0]}." in show(liarslair.view(secret.state, 0), ANN)


@pytest.mark.parametrize(
    ("typed", "move"),
    [("declare", Declare()), ("declare abs", Declare("absolution")), ("declare IDENTITY", Declare("identity"))],
)
def test_declaration_is_typed_as_a_word_or_its_start(typed, move):
    word, _, rest = typed.partition(" ")
    command = find(word, GAME.commands)

    assert move == command.run(None, *command.read(rest))
    assert spell(move).startswith("declare")
    with pytest.raises(Refused, match="no-such-way"):
        find("declare", GAME.commands).run(None, "loudly")


def test_refusals_say_what_to_do():
    def said(game, line, reader):
        with pytest.raises(Refused) as no:
            game.then(line)
        return GAME.refusal(no.value.code, no.value.facts, reader)

    playing, taking = lair(*FOUR), lair(*FOUR).then(*TAKING)
    asking = lair(*FOUR, declaring=True)
    assert "wait for ann to play a card." == said(playing, "B play x+", BOB)
    assert "you can't choose that card: choose 1, 2, 3 or 4." == said(playing, "A play x+", ANN)
    assert "you have to play a card now; /moves lists your choices." == said(playing, "A reclaim b+", ANN)
    assert "you have to take a card from the knocked-out hand now; /moves lists your choices." == said(
        taking, "C play a+", CAT
    )
    assert "at this table you can only declare." == said(asking, "A declare absolution", ANN)
    assert "wait for ann, bob and dan to declare or pass." == said(asking.then("C pass"), "C pass", CAT)
    assert "you can't declare: cat, on your left, already has." == said(asking.then("C declare"), "A declare", ANN)
    assert Declaring((3,), ((2, "honest"),)) == asking.then("C declare").state.match.phase


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"name": "pets", "people": True}, "characters need cards with WHO in them, and pets has none"),
        ({"name": "pets", "people": False}, "pets is about people: add characters=related."),
    ],
)
def test_set_of_the_wrong_kind_is_refused_with_a_hint(facts, said):
    assert GAME.refusal("cards-of-another-kind", facts, ANN).startswith(said)


def test_review_names_cards_by_number_only():
    """A statement may fill a row, and the numbers are enough to find it with /notes or /replay."""
    game = lair(*FOUR)
    before, after = (liarslair.view(one.state, 0) for one in (game, game.then("A play a-")))
    played = game.names["a-"]

    assert "Your cards: 1 F, 2 T, 3 T and 4 F" == GAME.situation(before, ANN)
    assert f"Your cards: 2 T, 3 T and 4 F; on the table: {played}" == GAME.situation(after, ANN)
    assert "Your cards: 1 false, 2 true, 3 true and 4 false" == GAME.situation(before, SPOKEN)
