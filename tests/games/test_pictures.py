"""The picture of a table shows what its reader's view says, as data: the same for `/table` and for other screens."""

import random
from functools import cache

import pytest

from lilygames import codec
from lilygames.game import Reader
from lilygames.games import games
from lilygames_rules.kit import KeyedLuck
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
        assert seen.mine is None


@pytest.mark.parametrize("name", GAMES)
def test_seats_named_in_a_picture_are_in_it(name):
    for state in states(name):
        seen = picture(name, state, 0)
        named = {quote.speaker for quote in (*seen.ladder, *filter(None, (seen.quote,)))}
        named |= {piece.owner for piece in lying(seen) if piece.owner is not None}
        named |= {zone.seat for zone in zones(seen) if zone.seat is not None}
        named |= {seat for seat, _ in seen.last_trick.cards} if seen.last_trick else set()
        assert named <= {one.seat for one in seen.seats}


@pytest.mark.parametrize("name", GAMES)
def test_picture_can_be_sent(name):
    for state in states(name)[:20]:
        seen = picture(name, state, 0)
        assert seen == codec.from_text(codec.to_text(seen), type(seen))


def zones(seen):
    return [*([seen.mine] if seen.mine else []), *seen.zones]


def lying(seen):
    """Return the pieces of a picture, each once: dice in a hand lie in the middle, and statements played are listed."""
    mine = seen.mine.pieces if seen.mine and seen.mine.seat is None else ()
    seats = [piece for one in seen.seats for piece in one.pieces if piece.kind != "statement"]
    return [*seats, *mine, *seen.listed, *(piece for zone in seen.zones for piece in zone.pieces)]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seat", [None, 0, 1])
def test_no_two_parts_of_a_picture_have_the_same_id(name, seat):
    for state in states(name):
        seen = picture(name, state, seat)
        ids = [piece.id for piece in lying(seen) if piece.id]
        assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("name", ["ohell", "wizard"])
def test_card_keeps_its_id_from_the_hand_to_the_trick(name):
    """Two packs, so twins are in a hand; each card played has an id that was in the hand just before."""
    game = games()[name]
    rules, pick, luck = game.rules, random.Random(5), KeyedLuck(b"twins")
    options = rules.Options(max=9, decks=2) if name == "ohell" else rules.Options()
    state, moved = rules.start(SEATS, options, (), luck).state, 0
    for _ in range(200):
        asked = next((seat for seat in range(SEATS) if len(rules.moves(state, seat))), None)
        if asked is None:
            break
        move = pick.choice(rules.moves(state, asked))
        before = picture(name, state, asked)
        state = rules.apply(state, asked, move, luck).state
        after = picture(name, state, asked)
        held, left = ([piece.id for piece in one.mine.pieces] if one.mine else [] for one in (before, after))
        gone = {*held} - {*left}
        if len(held) == len(left) + 1:
            slot = next(one for one in after.seats if one.seat == asked).pieces
            lies = {piece.id for piece in slot} | {*(after.last_trick.ids if after.last_trick else ())}
            assert (1, True) == (len(gone), gone <= lies)
            moved += 1
    assert moved > 20


@pytest.mark.parametrize("name", ["ohell", "wizard"])
def test_total_of_a_seat_is_the_sum_of_its_rounds(name):
    grids = [grid for state in states(name) if (grid := picture(name, state, 0).grid)]

    assert grids
    for row in [row for grid in grids for row in grid.rows]:
        assert int(row.total) == sum(map(int, row.cells))


@pytest.mark.parametrize("name", ["ohell", "wizard"])
def test_score_sheet_has_a_head_and_a_note_for_each_cell(name):
    for state in states(name):
        if grid := picture(name, state, None).grid:
            assert {len(grid.heads)} == {len(part) for row in grid.rows for part in (row.cells, row.notes)}


def test_bid_that_would_make_the_bids_add_up_is_barred_with_its_reason():
    game = games()["ohell"]
    found = []
    for state in states("ohell"):
        for seat in range(SEATS):
            legal = {game.spell(move) for move in game.rules.moves(state, seat)}
            found += [one.why for one in picture("ohell", state, seat).barred if one.move not in legal]

    assert found
    assert all(why.startswith("bids may not add up to ") for why in found)


def test_nobody_else_is_told_what_the_dealer_may_not_bid():
    for state in states("ohell"):
        for seat in (None, 0, 1, 2):
            seen = picture("ohell", state, seat)
            assert not seen.barred or [seat] == [one.seat for one in seen.seats if one.to_move]


@pytest.mark.parametrize("name", GAMES)
def test_seat_to_move_in_a_picture_is_the_one_that_the_rules_name(name):
    """Also the one who picks the largest hand before the first card, and the dealer who names the trump."""
    rules = games()[name].rules
    for state in states(name):
        marked = [one.seat for one in picture(name, state, None).seats if one.to_move]
        ready = [seat for seat in range(SEATS) if len(rules.moves(state, seat))]

        assert ready == marked or (set(marked) <= set(ready) and len(ready) > 1)
