"""Luck by purpose at a table: the cards follow from their purposes, whatever else happens there."""

import attrs
import pytest

from lilygames import codec
from lilygames.games import games
from lilygames.proofs.commitments import seal_of
from lilygames.store import Entry
from lilygames.tables.log.acts import (
    Header,
    Joined,
    Left,
    Moved,
    Noted,
    Paused,
    Resumed,
    Sealing,
    Seated,
    Sitter,
    Start,
    Undone,
    UndoneUncounted,
)
from lilygames.tables.sight.replay import replayed
from lilygames.tables.state.table import Diverged, Table
from lilygames.tables.verify.fairness import counted
from lilygames.testing import at_random
from lilygames_rules.kit import KeyedLuck
from tests.games import toy
from tests.toys import ALL, installed

SECRET = bytes(range(32))
NAMES = ("ann", "bob", "cat", "dan")
MOVES = 120
LONG = {"liarspoker": {"hands": 12}, "lilypoker": {"variant": "draw", "hands": 12}}
"""Options with which a game draws often."""


SITTING = tuple(Seated(seat, Sitter(name)) for seat, name in enumerate(NAMES))


def empty(game):
    """Return a table without players."""
    options = codec.dump(game.rules.Options(**LONG.get(game.name, {})))
    header = Header(1, game.name, game.rules.VERSION, game.name, options, seal_of(SECRET), "ann", fairness=2)
    return Table(header, game, SECRET)


def opened(game):
    """Return a table with four people, before the start."""
    return done(empty(game), *SITTING)


def done(table, *acts):
    """Return the table after these acts."""
    for act in acts:
        table, _ = table.after(act)
    return table


def starts(table):
    """Return the acts that start a game: everything is sealed first, here without any client."""
    purses = (100,) * len(NAMES) if table.game.purse else ()
    sealed = table.rounds.proposed(table.seats, table.header.options, purses, ())
    return (Sealing(sealed), Start(purses))


def begun(game):
    table = opened(game)
    return done(table, *starts(table))


def logged(game, moves):
    """Return the log of a game with at most this many entries, and the state after it."""
    table, entries = empty(game), []
    acts = [*SITTING, *starts(opened(game))]
    while acts or (table.to_move and len(entries) < moves):
        table, _ = table.after(acts.pop(0) if acts else chosen(table, len(entries)))
        entries.append(Entry(table.seq, 0.0, "x", table.body, ""))
    return entries, table.state


def chosen(table, number):
    """Return a random move at a table, the same for the same number."""
    luck = KeyedLuck(b"%d" % number)
    seat = luck.choice(table.to_move)
    return Moved(seat, codec.dump(at_random(table.view(seat), table.moves(seat), luck)))


def played(table, between=lambda table, number: table, moves=MOVES):
    """Return a table after random moves, and the state and the events of each; `between` is done before each move."""
    told = []
    for number in range(moves):
        if not table.to_move:
            break
        table, events = between(table, number).after(chosen(table, number))
        told.append((table.state, events))
    return table, told


def talk(table, number):
    """Vote, make a note, adjourn and resume, and let a bot substitute for someone, or end that."""
    seat, name = number % 4, NAMES[number % 4]
    back = not table.seats[seat].person
    who = Sitter(name) if back else Sitter(f"Bot{number % 4}", "club", stands_in=name)
    return done(
        table, Noted("agreed", name, "undo"), Noted("granted", name, "60"), Paused(), Resumed(), Seated(seat, who)
    )


def change_of_mind(table, number):
    """Make another move, and take it back."""
    return done(table, chosen(table, number + 1000), UndoneUncounted(table.seq))


@pytest.mark.parametrize("name", games())
def test_votes_notes_and_substitutions_do_not_change_the_cards(name):
    """Two tables with the same key play the same game, card by card."""
    quiet, busy = begun(ALL[name]), begun(ALL[name])

    assert quiet.key == busy.key
    assert played(quiet)[1] == played(busy, talk)[1]


@pytest.mark.parametrize("name", games())
def test_moves_taken_back_do_not_change_the_cards(name):
    """The same purposes give the same luck again."""
    assert played(begun(ALL[name]))[1] == played(begun(ALL[name]), change_of_mind)[1]


@pytest.mark.parametrize("between", [talk, change_of_mind])
def test_game_that_names_no_purpose_keeps_its_luck_too(between):
    """Its luck follows from the number of moves made and not taken back."""
    one, other = played(begun(toy.GAME))[1], played(begun(toy.GAME), between)[1]

    assert one == other
    assert len(one) == 4


@pytest.mark.parametrize("name", games())
def test_log_replays(name):
    """Its digests cover all cards dealt."""
    entries, state = logged(ALL[name], 40)

    assert state == [*replayed(empty(ALL[name]), entries)][-1].table.state
    with pytest.raises(Diverged):
        [*replayed(attrs.evolve(empty(ALL[name]), secret=bytes(32)), entries)]


def test_header_of_a_lesson_leaves_out_that_it_has_no_seal():
    """The digests of its log depend on that."""
    header = attrs.evolve(begun(toy.GAME).header, fairness=0)

    assert "fairness" not in codec.dump(header)
    assert header == codec.load(codec.dump(header), Header)
    assert 2 == codec.load(codec.dump(attrs.evolve(header, fairness=2)), Header).fairness


def test_header_of_an_unknown_version_is_refused():
    """Luck that this release doesn't know can't be replayed by it."""
    data = codec.dump(begun(toy.GAME).header) | {"fairness": 3}

    with pytest.raises(ValueError, match="3 is not one of"):
        codec.load(data, Header)


# Bots and hints.


def lucks(table):
    """Return a draw of each seat's luck as a bot, and of its luck for hints."""
    return [(table.luck.of_bot(seat).below(2**64), table.luck.of_hint(seat).below(2**64)) for seat in range(4)]


def test_luck_of_bots_matches_the_published_example():
    key = bytes.fromhex("8f69b6ee6d62ec81875d93cfbce062315e124f1849b357346cee80a5e26a913a")
    luck = attrs.evolve(begun(toy.GAME).luck, key=lambda purpose: key)

    assert 56 == luck.of_bot(2).below(100)
    assert luck.of_bot(2)._key.hex().startswith("0903629935ad997d")


def test_luck_of_bots_and_hints_stays_until_their_seat_moves():
    table = begun(toy.GAME)
    before = lucks(table)
    moved = done(talk(table, 0), chosen(table, 0))

    assert before == lucks(talk(table, 1))
    assert before[1:] == lucks(moved)[1:]
    assert before[0] != lucks(moved)[0]
    assert 8 == len({draw for both in before for draw in both})


def test_luck_of_bots_returns_with_a_move_that_is_taken_back():
    table = done(begun(toy.GAME), chosen(begun(toy.GAME), 0))
    later = done(table, chosen(table, 1))

    assert (1, 1) == later.moved
    assert lucks(table) == lucks(done(later, UndoneUncounted(table.seq)))
    assert (1, 0) == done(later, Undone(table.seq)).moved


def test_players_who_join_and_leave_count_as_moves():
    """They may draw luck too, so each has luck of its own if the game names no purpose."""
    installed("lilypoker")
    table = begun(ALL["lilypoker"])
    joined = done(table, Joined(4, Sitter("eve"), 100))

    assert [1, 2, 3] == [one.luck.acts for one in (table, joined, done(joined, Left(4)))]


# Statistics.


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("liarsdice", {"choice of 4", "roll of 6"}),
        ("lilypoker", {"choice of 4", "shuffle of 52"}),
        ("liarslair", {"shuffle of 72", "shuffle of 12", "shuffle of 24"}),
    ],
)
def test_draws_are_counted(name, kinds):
    game = installed(name)[name]
    entries, _ = logged(game, 30)

    assert kinds <= {*counted(empty(game), entries)}
