"""A turn as a value: what each game says of it in every phase, for page and reader mode alike."""

import json
import random
import re

import attrs
import pytest

from lilygames import codec, scene_rows
from lilygames.game import Reader
from lilygames.games import games
from lilygames.gametest.turns import page_texts
from lilygames.scene import Held
from lilygames.scene_rows import asking
from lilygames.tables.sight.menu import Menu
from lilygames.text import Voice
from lilygames_rules.kit import KeyedLuck

NAMES = ("Winifred", "Ada", "Max", "Catharina Maria X", "bartholomew", "Ida")
EYES, EARS = Voice(suits="symbols"), Voice(spoken=True)


def turns(game, seats, seed):
    """Yield each turn of a game that is played at random, mostly by the moves that the game offers."""
    rules, pick, luck = game.rules, random.Random(seed), KeyedLuck(b"turns %d" % seed)
    state = rules.start(seats, game.quick_options or rules.Options(), (100,) * seats if game.purse else (), luck).state
    for _ in range(150):
        asked = [seat for seat in range(seats) if len(rules.moves(state, seat))]
        if not asked:
            return
        seat = asked[0]
        view, moves = rules.view(state, seat), rules.moves(state, seat)
        yield view, moves, seat
        offered = [move for move in Menu.of(game, view, moves).offers if move is not None]
        move = pick.choice(offered if offered and pick.random() < 0.8 else moves)
        state = rules.apply(state, seat, move, luck).state


def played(name):
    """Return the turns of some games of a kind, each with the turn as it is shown and as it is read aloud."""
    game = games()[name]
    return [
        (view, moves, *(game.asks(view, moves, Reader(seat, NAMES[:seats], voice)) for voice in (EYES, EARS)))
        for seats in (3, 4, 6)
        for seed in range(3)
        for view, moves, seat in turns(game, seats, seed)
    ]


@pytest.fixture(scope="module", params=sorted(games()))
def shown(request):
    """The turns of a game."""
    return request.param, played(request.param)


def test_every_turn_has_a_question_and_choices(shown):
    _, found = shown

    assert found
    assert all(turn.question and turn.choices for _, _, turn, _ in found)


def test_choices_are_legal_moves_with_the_numbers_of_the_menu(shown):
    name, found = shown
    game = games()[name]

    for view, moves, turn, _ in found:
        menu = Menu.of(game, view, moves)
        for choice in turn.choices:
            assert choice.move in moves
            assert menu.move(choice.number) == choice.move


def test_turn_read_aloud_has_the_same_parts(shown):
    _, found = shown

    for _, _, turn, aloud in found:
        assert [choice.move for choice in turn.choices] == [choice.move for choice in aloud.choices]
        assert len(turn.facts) == len(aloud.facts)


@pytest.mark.parametrize("name", sorted(name for name, game in games().items() if not game.ask))
def test_listener_hears_the_number_of_each_choice_if_they_are_few(name):
    for _, _, _, heard in played(name):
        listed = {choice.number for choice in heard.choices if heard.listed and choice.plain is None}
        if len(listed) <= FEW:
            assert listed <= {int(number) for number in DIGITS.findall(scene_rows.aloud(heard))}


FEW, DIGITS = 4, re.compile(r"\d+")

FILLERS = frozenset("all hold its kind more none or others see that the your you turn".split())
"""Words of rows that say nothing about the position."""
SAME = {"♠": "spades", "♥": "hearts", "♦": "diamonds", "♣": "clubs"}
"""Signs that the page has in words: it draws the cards."""
RANKS = re.compile(r"(10|[2-9TJQKA])s")
"""Ranks in the plural, as rows shorten the worth of a hand: `pair of 9s`."""


def unsaid(game, view, moves, reader):
    """Return the words of the rows that are neither in the turn nor in the picture, as a page gets them."""
    turn, picture = game.asks(view, moves, reader), game.picture(view, reader)
    held = " ".join([piece.face for piece in picture.mine.pieces]) if picture.mine else ""
    if any(not held or held not in fact.text for fact in turn.facts if fact.held and not fact.line):
        return {"the pieces that the seat holds"}
    known = [json.dumps(codec.dump(picture), ensure_ascii=False), *page_texts(turn), *reader.names]
    known += [game.spell(choice.move) for choice in turn.choices] + [f"{choice.number}" for choice in turn.choices]
    said = {word.casefold() for text in known for word in WORD.findall(text)}
    rows = " ".join(asking(game, view, moves, reader))
    words = {RANKS.sub(r"\1", word).casefold() for word in WORD.findall(rows)} - said - FILLERS
    return {word for word in words if not any(one.startswith(SAME.get(word, word)) for one in said)}


WORD = re.compile(r"[\w♠♥♦♣]+")


def missing_at(name, **changes):
    """Return the words that the page of a game doesn't say in some turn, with parts of the game changed."""
    game = attrs.evolve(games()[name], **changes)
    return {
        word
        for seats in (3, 4, 6)
        for seed in range(3)
        for view, moves, seat in turns(game, seats, seed)
        for word in unsaid(game, view, moves, Reader(seat, NAMES[:seats], EYES))
    }


@pytest.mark.parametrize("name", sorted(games()))
def test_page_knows_every_word_of_the_rows(name):
    assert set() == missing_at(name)


def without(**blank):
    """Return how to change what a function of a game returns: some of its parts are blank."""
    return lambda function: lambda *given: attrs.evolve(function(*given), **blank)


def facts_alone(asks):
    """Return a turn whose rows are as before, and a page's parts without what the pieces are worth."""
    return lambda *given: attrs.evolve(asks(*given), held=Held("Your dice"))


@pytest.mark.parametrize("name", ["liedie", "liarsdice"])
@pytest.mark.parametrize(
    ("field", "fault"),
    [("picture", without(mine=None)), ("asks", facts_alone)],
    ids=["own dice", "worth"],
)
def test_part_that_the_page_lacks_is_found(name, field, fault):
    assert missing_at(name, **{field: fault(getattr(games()[name], field))})
