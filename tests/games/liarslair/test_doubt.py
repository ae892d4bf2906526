"""Moves of Liar's Lair that `/set confirm` asks about: slips of the finger, and never a bot's usual move."""

from lilygames.games.liarslair import GAME
from tests.games.doubts import doubted
from tests.games.liarslair.positions import lair


def doubt(game, line):
    """Return why a seat is asked about a move like `B play a-`, with the names of the cards."""
    asked = GAME.doubt(game.view(line[0]), game.read(line))
    names = {str(number): name for name, number in game.names.items()}
    return " ".join(names.get(word, word) for word in asked.split())


def test_lie_played_against_its_truth_is_asked_about():
    game = lair("a+ b+", "a- c+", "c- b-").then("A play a+")

    assert "Card a- is a lie, and it contradicts card a+ on the table. You would be out." == doubt(game, "B play a-")
    assert not doubt(game, "B play c+")


def test_truth_played_against_its_lie_and_lie_alone_are_not_asked_about():
    game = lair("a- b+", "a+ c-", "c+ b-").then("A play a-")

    assert not doubt(game, "B play a+")
    assert not doubt(game, "B play c-")


def test_lie_is_not_asked_about_if_every_card_is_such_a_lie():
    game = lair("a+ b+", "c+ d+", "a- c-").then("A play a+", "B play c+")

    assert not doubt(game, "C play a-")


def test_card_without_a_mark_is_not_asked_about():
    """Its new owner wasn't told that it is a lie, so the question must not tell."""
    game = lair("a+ b-", "c- d+", "b+ e-").then("A play a+", "B play c-", "C play b+", "C reclaim c-")

    assert "?" == game.marks("C")["c-"]
    assert not doubt(game, "C play c-")


def test_declaring_with_both_cards_of_a_pair_is_asked_about():
    game = lair("a+ a-", "b- c+", "b+ c-", declaring=True)

    assert "Your cards a+ and a- contradict each other. You would be out." == doubt(game, "A declare")
    assert not doubt(game, "B declare")


def test_absolution_with_a_truth_is_asked_about():
    game = lair("a+ b-", "a- c-", "c+ b+", declaring=True, absolution=True)

    assert "Card a+ is true, but all your cards have to be lies. You would be out." == doubt(
        game, "A declare absolution"
    )
    assert not doubt(game, "B declare absolution")


def test_proof_that_is_a_lie_or_contradicts_nothing_is_asked_about():
    game = lair("a- b+", "a+ c+", "c- b-", declaring=True).then("A declare", "B pass", "C pass")

    assert "Card c+ contradicts none of the declarer's cards." == doubt(game, "B expose c+")
    assert not doubt(game, "B expose a+")
    assert "Card b- is a lie, so it proves nothing. You would be out." == doubt(game.then("B pass"), "C expose b-")


def test_good_bots_are_hardly_ever_asked():
    """The shark with the club bot's budget, so that it answers fast."""
    assert doubted(GAME, "shark@36", 2) < 0.01
