"""A number in a question is one complete legal move, and its text, typed as shown, is the same move."""

import re
from itertools import product

import pytest

from lilygames.game import Reader
from lilygames.games import games
from lilygames.gametest.plays import NAMES
from lilygames.tables.log.options import read
from lilygames.tables.room.typed_moves import as_move
from lilygames.tables.sight.menu import Menu
from lilygames.testing import play

PLAYS = {
    "ohell": [""],
    "wizard": ["style=german"],
    "liarsdice": ["max-rounds=4", "max-rounds=4 passing=next reveal=never kickers=strict"],
    "liarslair": ["each=2", "each=2 knockout=gift", "each=2 knockout=discard characters=secret"],
    "liarspoker": ["hands=2 choose=manual", "hands=2 numbers=bills"],
    "liedie": ["games=3", "games=3 truth=atleast thirteen=nothing"],
    "lilypoker": ["hands=6 variant=choice", "hands=6 limit=no showdown=ask", "hands=4 variant=stud7"],
}
SEEDS = dict.fromkeys(PLAYS, 1) | {"wizard": 3, "liarslair": 6, "liarspoker": 4}
"""Plays needed to meet all phases."""
ASKED = {
    "ohell": {"max", "bid", "play"},
    "wizard": {"trump", "bid", "play"},
    "liarsdice": {"accept", "challenge", "peek", "roll", "claim"},
    "liarslair": {"pass", "play", "take", "gift", "discard", "reclaim", "declare", "expose", "volunteer"},
    "liarspoker": {"choose", "bid", "challenge", "stand"},
    "liedie": {"claim", "accept", "challenge", "roll"},
    "lilypoker": {"variant", "check", "call", "fold", "bet", "raise", "discard", "stand", "muck", "show"},
}
"""Moves that have a number somewhere, if all phases are met."""
NUMBERED = re.compile(r"(?<![\w.])(\d+)\. (.*?)(?=, (?:or )?\d+\. |, or | or |;|\(|$)")


def questions(name):
    """Yield each question of some plays: the view, the moves, the menu and the words."""
    game = games()[name]
    for seed, words in product(range(SEEDS[name]), PLAYS[name]):
        options, _ = read(game, words.split())
        seats = max(3, game.rules.SEATS.start)
        purses = (100,) * seats if game.purse else ()
        for turn in play(game, seats, options, seed, purses=purses)[:200]:
            for seat in range(seats):
                moves = game.rules.moves(turn.state, seat)
                if len(moves):
                    view = game.rules.view(turn.state, seat)
                    yield game, view, moves, asked(game, view, moves, Reader(seat, NAMES[:seats]))


def asked(game, view, moves, reader):
    """Return the question in words, or the choices that the rows of the turn list."""
    if game.ask:
        return game.ask(view, moves, reader)
    turn = game.asks(view, moves, reader)
    return ", ".join(f"{choice.number}. {choice.brief}" for choice in turn.choices if turn.listed)


KEEPING = "keep "
"""The first word of a draw that says what it keeps; what it throws away is typed."""
IN_OTHER_WORDS = {
    "volunteer to start": "volunteer",
    "absolution": "declare absolution",
    "identity": "declare identity",
    "five-card draw": "variant draw",
    "seven-card stud": "variant stud7",
    "hold'em": "variant holdem",
}
"""Texts in questions that differ from the typed move."""


def typed(game, view, words):
    """Return the move that a question's text gives if it is typed as it stands or after a verb."""
    words = IN_OTHER_WORDS.get(words, words.replace("raise to", "raise"))
    words = re.sub(r"^(challenge|call)\b.*", r"\1", words)  # without the claim or the price
    words = re.sub(r"^number ", "choose ", words)
    for line in (words, *(f"{command.name} {words}" for command in game.commands)):
        if found := as_move(line, tuple, game.commands):
            command, rest = found
            return command.run(view, *command.read(rest))
    return None


@pytest.mark.parametrize("name", sorted(PLAYS.keys() & games().keys()))
def test_number_in_a_prompt_is_its_move(name):
    for game, view, moves, asked in questions(name):
        menu = Menu.of(game, view, moves)
        for digits, words in NUMBERED.findall(asked):
            move = menu.move(int(digits))

            assert move in moves
            if words.startswith(KEEPING):
                continue
            assert move == typed(game, view, words), (asked, words)


@pytest.mark.parametrize("name", sorted(PLAYS.keys() & games().keys()))
def test_every_kind_of_move_has_a_number_at_some_question(name):
    menus = [Menu.of(game, view, moves) for game, view, moves, _ in questions(name)]
    numbered = {menu.spell(menu.move(number)).partition(" ")[0] for menu in menus for number in menu.prompted}

    assert set() == ASKED[name] - numbered


@pytest.mark.parametrize("name", sorted(PLAYS.keys() & games().keys()))
def test_number_that_is_an_answer_means_that_value_everywhere(name):
    """For Ohell's largest hand, a bid and a card of Liar's Lair, the number shown is the number in the move."""
    for game, view, moves, _ in questions(name):
        menu = Menu.of(game, view, moves)
        for number in menu.prompted if menu.verb else ():
            assert game.spell(menu.move(number)) == (f"{menu.verb} {number}" if number else menu.words[0])


@pytest.mark.parametrize("name", sorted(PLAYS.keys() & games().keys()))
def test_list_of_moves_shows_the_same_numbers_as_the_question(name):
    for game, view, moves, _ in questions(name):
        menu = Menu.of(game, view, moves)
        rows = dict(row for row in menu.rows() if row[0] is not None)

        assert {n: f"{n}. {game.spell(menu.move(n))}" for n in rows} == rows
        assert not menu.offers or menu.prompted <= set(rows)
