"""The rows of a turn fit the screen in every phase of each game: two on a wide one and four on a narrow one.

Liar's Poker and Liar's Lair have one more on a wide screen; the Lair's cards, a row each, come on top.
"""

import random
import re
from functools import cache

import pytest

from lilygames.drawing import rows
from lilygames.game import Reader
from lilygames.games import games
from lilygames.layout import SLIM, WIDE
from lilygames.scene_rows import asking
from lilygames.tables.sight.menu import Menu
from lilygames.text import Voice, columns
from lilygames_rules.kit import KeyedLuck, Refused

NAMES = ("Winifred", "Ada", "Max", "Catharina", "Bartholomew", "Ida", "Dave", "Eve", "Fay", "Gil", "Hal", "Ian")
LOOKS = {
    "signs": (Voice(suits="symbols"), WIDE, 2),
    "letters": (Voice(), WIDE, 2),
    "narrow": (Voice(suits="symbols", narrow=True), SLIM, 4),
    "narrow letters": (Voice(narrow=True), SLIM, 4),
}
GAMES = sorted(name for name, game in games().items())
SIX, TEN = 6, 10
NUMBER = re.compile(r"(?<![\w.])(\d+)(?:\. | [TF?](?!\w))")
"""A number that a turn offers: `1. accept`, or a card of Liar's Lair with its mark."""
UNDER = " " * len("Your turn: ")
MORE = {"liarspoker": 1, "liarslair": 1}
"""Rows that a game needs besides on a wide screen: the bids of others, or the head above your own cards."""


@cache
def turns(name, seats, seed):
    """Return each turn of a random game: the view of the seat in turn, and its moves."""
    return [*played(games()[name], seats, seed)]


def played(game, seats, seed):
    """Yield each turn of a random game."""
    rules, pick, luck = game.rules, random.Random(seed), KeyedLuck(b"screens %d" % seed)
    purses = (100,) * seats if game.purse else ()
    state = rules.start(seats, rules.Options(), purses, luck).state
    for _ in range(250):
        asked = [seat for seat in range(seats) if len(rules.moves(state, seat))]
        if not asked:
            return
        moves = rules.moves(state, asked[0])
        yield asked[0], rules.view(state, asked[0]), moves
        state = rules.apply(state, asked[0], moves[pick.randrange(len(moves))], luck).state


def sizes(game):
    """Return the smallest table, one of six seats, and the largest that the default options allow."""
    rules = game.rules
    largest = min(rules.SEATS[-1], len(NAMES))
    while not allowed(rules, largest):
        largest -= 1
    return rules.SEATS[0], min(SIX, largest), largest


def allowed(rules, seats):
    """Whether a game with the default options starts with this many seats."""
    try:
        rules.start(seats, rules.Options(), (100,) * seats, KeyedLuck(b"seats"))
    except Refused:
        return False
    return True


def statements(name, shown):
    """Return how many rows are for statements on cards, in the game that has them."""
    return sum(row.startswith(" ") and not row.startswith(UNDER) for row in shown) if name == "liarslair" else 0


def hand_of(view):
    """Return how many cards the seat holds, 0 in a game without hands."""
    return len(getattr(getattr(view, "round", None), "hand", ()) or ())


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("name", GAMES)
def test_turn_fits_the_screen_with_up_to_six_seats_and_ten_cards(name, look):
    game, (voice, width, most) = games()[name], LOOKS[look]
    for seats in sizes(game)[:2]:
        for seat, view, moves in turns(name, seats, seats):
            shown = asking(game, view, moves, Reader(seat, NAMES[:seats], voice))
            assert [] == [row for row in shown if columns(row) > width]
            more = statements(name, shown) + (0 if voice.narrow else MORE.get(name, 0))
            assert len(shown) <= most + more or hand_of(view) > TEN, shown


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("name", GAMES)
def test_turn_of_the_largest_table_is_as_wide_as_the_screen_at_most(name, look):
    game, (voice, width, _) = games()[name], LOOKS[look]
    seats = sizes(game)[-1]
    for seat, view, moves in turns(name, seats, 7):
        shown = asking(game, view, moves, Reader(seat, NAMES[:seats], voice))
        assert [] == [row for row in shown if columns(row) > width]


@pytest.mark.parametrize("name", GAMES)
def test_question_stands_on_one_row_that_begins_with_your_turn(name):
    game = games()[name]
    seats = game.rules.SEATS[0]
    for seat, view, moves in turns(name, seats, 3):
        for voice, _, _ in LOOKS.values():
            shown = asking(game, view, moves, Reader(seat, NAMES[:seats], voice))
            assert 1 == sum(row.startswith("Your turn: ") for row in shown), shown


@pytest.mark.parametrize("name", GAMES)
def test_number_in_a_turn_is_a_move_of_the_menu(name):
    game = games()[name]
    seats = game.rules.SEATS[0]
    for seat, view, moves in turns(name, seats, 3):
        menu = Menu.of(game, view, moves)
        for voice, _, _ in LOOKS.values():
            shown = " ".join(asking(game, view, moves, Reader(seat, NAMES[:seats], voice)))
            numbers = {int(digits) for digits in NUMBER.findall(shown.partition("Your turn: ")[2])}
            assert numbers <= menu.prompted, shown
            assert all(menu.move(number) in moves for number in numbers)


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("name", sorted(name for name, game in games().items() if game.picture))
def test_table_is_as_wide_as_the_screen_at_most(name, look):
    game, (voice, width, _) = games()[name], LOOKS[look]
    for seats in sizes(game):
        for seat, view, _ in turns(name, seats, seats):
            for reader in (Reader(seat, NAMES[:seats], voice), Reader(None, NAMES[:seats], voice)):
                shown = rows(game.picture(view, reader), f"{game.title} #1234", reader)
                assert [] == [row for row in shown if columns(row) > width]


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("name", sorted(name for name, game in games().items() if game.final))
def test_last_sheet_is_as_wide_as_the_screen_at_most(name, look):
    game, (voice, width, _) = games()[name], LOOKS[look]
    for seats in sizes(game)[:2]:
        for reader in (Reader(0, NAMES[:seats], voice), Reader(None, NAMES[:seats], voice)):
            shown = game.final(game.rules.view(ended(name, seats), reader.seat), reader)
            assert len(shown) >= seats
            assert [] == [row for row in shown if columns(row) > width]


@cache
def ended(name, seats):
    """Return the last state of a random game."""
    rules, pick, luck = games()[name].rules, random.Random(name), KeyedLuck(name.encode())
    state = rules.start(seats, rules.Options(), (100,) * seats if games()[name].purse else (), luck).state
    while rules.outcome(state) is None:
        seat = next(seat for seat in range(seats) if len(rules.moves(state, seat)))
        moves = rules.moves(state, seat)
        state = rules.apply(state, seat, moves[pick.randrange(min(len(moves), TEN))], luck).state
    return state
