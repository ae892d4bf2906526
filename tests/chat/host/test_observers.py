"""Observers learn of the events they subscribe to, in the order in which the place lists them."""

import asyncio

import pytest

from lilygames.chat.host.context import Context
from lilygames.chat.people.observers import Left, LoggingIn, Observers, Renamed, TableAwaited, by_kind
from lilygames.commands import command, declared
from lilygames.tables.visits.table_context import TableContext


class Noting:
    """An observer that records its events."""

    def __init__(self, name, observes, noted):
        self.name, self.observes, self.noted = name, observes, noted

    def observe(self, event):
        self.noted.append((self.name, type(event)))


def test_observers_are_told_their_events_in_order():
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


async def test_slow_observer_is_done_before_the_next_is_told(stage):
    """Programs are told of a rename first, then sessions, then discussions."""
    await stage.type("ann", "/create cafe")
    await stage.type("ann", "/rename anna")

    assert "anna" == stage.rooms["cafe"].charter.owner


@pytest.mark.parametrize("kind", [Context, TableContext])
def test_command_is_given_the_context_that_its_annotation_names(stage, kind):
    @command("look")
    def look(at: kind):
        """Look."""

    (declaration,) = declared(look)
    given = stage.place.context_of(declaration.context, stage.people["ann"], None)

    assert kind is type(given)
    assert stage.people["ann"] is given.person


def test_unknown_context_is_refused(stage):
    with pytest.raises(TypeError):
        stage.place.context_of(int, stage.people["ann"], None)


def test_every_command_can_be_given_its_context(stage):
    ann = stage.people["ann"]

    assert all(stage.place.context_of(one.context, ann, None).person is ann for one in stage.place.dispatcher.commands)


async def test_someone_who_needs_a_table_waits_for_those_who_observe_that():
    restored, observers = [], Observers()

    class Restoring:
        observes = (TableAwaited,)

        async def observe(self, event):
            await asyncio.sleep(0)
            restored.append(event.number)

    observers.join(Restoring())
    await observers.publish_and_wait(TableAwaited(12))

    assert [12] == restored
