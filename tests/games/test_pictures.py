"""The picture of a table shows what its reader's view says, as data: the same for `/table` and for other screens."""

import random
from functools import cache

import pytest

from lilygames import codec
from lilygames.game import Reader
from lilygames.games import games
from rules.kit import KeyedLuck
from tests.games.worlds import WORLDS

GAMES = sorted(name for name, game in games().items() if game.picture)
NAMES = ("Winifred", "Ada", "Max", "Catharina")
SEATS = 3


@cache
def states(name):
    """Return the states of a random game."""
    game = games()[name]
    rules, pick, luck = game.rules, random.Random(7), KeyedLuck(b"pictures")
    state = rules.start(SEATS, rules.Options(), (100,) * SEATS if game.purse else (), luck).state
    found = [state]
    for _ in range(120):
        asked = next((seat for seat in range(SEATS) if len(rules.moves(state, seat))), None)
        if asked is None:
            break
        moves = rules.moves(state, asked)
        state = rules.apply(state, asked, moves[pick.randrange(min(len(moves), 20))], luck).state
        found.append(state)
    return found


def picture(name, state, seat):
    game = games()[name]
    return game.picture(game.rules.view(state, seat), Reader(seat, NAMES[:SEATS]))


@pytest.mark.parametrize("name", sorted(set(GAMES) & set(WORLDS)))
@pytest.mark.parametrize("seat", [None, 0, 1])
def test_picture_is_the_same_in_every_world_that_looks_the_same(name, seat):
    luck = KeyedLuck(b"another world")
    for state in states(name):
        other = WORLDS[name](state, seat, luck)
        assert codec.to_text(picture(name, state, seat)) == codec.to_text(picture(name, other, seat))


@pytest.mark.parametrize("name", GAMES)
def test_spectator_holds_nothing(name):
    for state in states(name):
        seen = picture(name, state, None)
        assert ((), ()) == (seen.hand, seen.digits)


@pytest.mark.parametrize("name", GAMES)
def test_seats_named_in_a_picture_are_in_it(name):
    for state in states(name):
        seen = picture(name, state, 0)
        named = {quote.speaker for quote in (*seen.ladder, *filter(None, (seen.quote,)))}
        named |= {card.owner for card in seen.statements if card.owner is not None}
        named |= {seat for seat in (seen.led,) if seat is not None}
        named |= {seat for seat, _ in seen.last_trick.cards} if seen.last_trick else set()
        assert named <= {one.seat for one in seen.seats}


@pytest.mark.parametrize("name", GAMES)
def test_picture_can_be_sent(name):
    for state in states(name)[:20]:
        seen = picture(name, state, 0)
        assert seen == codec.from_text(codec.to_text(seen), type(seen))
