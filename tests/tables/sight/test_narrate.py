"""A table in words: the same table, events and reader always give the same lines, without a server."""

import attrs
import pytest

from lilygames import codec
from lilygames.game import Purse
from lilygames.tables.log.acts import Closed, Header, Moved, Seated, Sitter, Start, Undone
from lilygames.tables.seal import seal
from lilygames.tables.sight import narrate
from lilygames.tables.state.table import Table
from lilygames.text import Voice
from tests.toys import TOYS

SECRET = bytes(32)
SITTING = [Seated(0, Sitter("ann")), Seated(1, Sitter("Ada", level="novice")), Seated(2, Sitter("bob"))]
ADA_BIDS = Moved(1, {"is": "Bid", "tricks": 0})


@pytest.fixture
def after(tally):
    """Return a function that gives a table after some actions, and the events of the last one."""
    options = codec.dump(tally["tally"].rules.Options(max=3, first_dealer="host"))
    header = Header(1, "tally", 1, "tally-2", options, seal.seal_of(SECRET), "ann")

    def play(*acts):
        table, events = Table(header, tally["tally"], SECRET), ()
        for act in acts:
            table, events = table.after(act)
        return table, events

    return play


def test_event_is_told_to_each_person_in_their_own_words(after):
    table, events = after(*SITTING, Start(), ADA_BIDS)
    told = {
        seat: narrate.happened(table.header.tag, table, events, narrate.reader(table, seat, Voice())) for seat in (0, 1)
    }

    assert ["Ada bids 0."] == [line.text for line in told[0]]
    assert ["You bid 0."] == [line.text for line in told[1]]


def test_one_unit_is_not_plural():
    game = attrs.evolve(TOYS["tally"], purse=Purse("chip", lambda *_: 0, lambda _: (), lambda _: ()))

    assert ["+1 chip", "-1 chip", "+0 chips", "-2 chips"] == [
        narrate.in_units(number, game) for number in (1, -1, 0, -2)
    ]


def test_listener_is_not_told_each_time_which_player_is_a_bot(after):
    table, _ = after(*SITTING)

    assert ("ann", "Ada", "bob") == narrate.reader(table, 0, Voice()).names
    assert ("ann", "Ada", "bob") == narrate.reader(table, 0, Voice(spoken=True)).names


def test_table_says_who_it_waits_for_by_the_readers_names(after):
    table, _ = after(*SITTING, Start())
    said = {seat: narrate.waiting(table, narrate.reader(table, seat, Voice()), (), "x") for seat in (0, 1)}

    assert {0: "it is Ada's turn", 1: "it is your turn"} == said


def test_table_waits_for_invited_players_before_the_start(after):
    table, _ = after(*SITTING)
    reader = narrate.reader(table, None, Voice())

    expected = "waiting for you and cat to answer the invitation: type /sit or /decline"
    assert expected == narrate.waiting(table, reader, ["dan", "cat"], "Dan")
    expected = "waiting for dan and cat to answer the invitation: type /start to start without waiting"
    assert expected == narrate.waiting(table, reader, ["dan", "cat"], "Ann")


def test_undone_moves_are_said_once(after):
    acts = (*SITTING, Start(), ADA_BIDS)
    table, _ = after(*acts, Undone(4))

    assert "The last move was taken back." == narrate.taken_back(table)
    assert not narrate.taken_back(after(*acts)[0])


def test_abandoned_game_has_no_winner(after):
    table, _ = after(*SITTING, Start(), Closed(""))
    reader = narrate.reader(table, 0, Voice())

    assert ["Game over: all players have left, so nobody wins."] == narrate.ending(table, reader)
    assert "over" == narrate.standing(table, case="")
    assert narrate.standing(table, case="c0ffee").startswith("stopped (case c0ffee)")
