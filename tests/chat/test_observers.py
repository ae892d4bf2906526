"""Whoever observes an event learns of it, in the order in which the place names its observers."""

import pytest

from lilygames.chat.context import Context
from lilygames.chat.observers import Left, LoggingIn, Renamed, by_kind
from lilygames.commands import command, declared
from lilygames.tables.table_context import TableContext


class Noting:
    """Notes what it observes."""

    def __init__(self, name, observes, noted):
        self.name, self.observes, self.noted = name, observes, noted

    def observe(self, event):
        self.noted.append((self.name, type(event)))


def test_observers_learn_of_the_events_that_they_observe_in_their_order():
    noted = []
    learns = by_kind(
        [
            Noting("first", (Left, Renamed), noted),
            Noting("second", (LoggingIn,), noted),
            Noting("third", (Left,), noted),
        ]
    )
    for observe in learns[Left]:
        observe(Left(None))

    assert [("first", Left), ("third", Left)] == noted
    assert [2, 1, 1] == [len(learns[kind]) for kind in (Left, Renamed, LoggingIn)]


async def test_what_takes_its_time_is_done_before_the_next_learns_of_it(stage):
    """A rename is told to the programs, then to the sessions, then to the discussions."""
    await stage.type("ann", "/create cafe")
    await stage.type("ann", "/rename anna")

    assert "anna" == stage.place.host.rooms["cafe"].charter.owner


@pytest.mark.parametrize("kind", [Context, TableContext])
def test_a_command_says_by_an_annotation_what_it_is_given(stage, kind):
    @command("look")
    def look(at: kind):
        """Look."""

    (declaration,) = declared(look)
    given = stage.place.context_of(declaration.context, stage.people["ann"], None)

    assert kind is type(given)
    assert stage.people["ann"] is given.person


def test_what_no_place_has_is_given_to_no_command(stage):
    with pytest.raises(TypeError):
        stage.place.context_of(int, stage.people["ann"], None)


def test_every_command_can_be_given_what_it_asks_for(stage):
    ann = stage.people["ann"]

    assert all(
        stage.place.context_of(one.context, ann, None).person is ann for one in stage.place.host.dispatcher.commands
    )
