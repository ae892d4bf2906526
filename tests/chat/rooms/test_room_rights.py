"""The rooms where someone has rights are found without a look at every room, whatever happened before."""

import attrs
from hypothesis import given
from hypothesis import strategies as st

from lilygames.chat.people.audience import Each
from lilygames.chat.people.charter import OPEN
from lilygames.chat.people.people import Room
from lilygames.chat.rooms.rooms import Rooms

NAMES = st.sampled_from("abc")
PEOPLE = st.frozensets(NAMES, max_size=2)
CHARTERS = st.builds(attrs.evolve, st.just(OPEN), moderators=PEOPLE, permitted=PEOPLE, floor=NAMES, owner=NAMES)
CHANGES = st.tuples(st.sampled_from(("cafe", "den", "hall")), CHARTERS | st.sampled_from(("close", "rename")))


@given(st.lists(CHANGES))
def test_rooms_that_entitle_someone_are_those_whose_charters_name_them(changes):
    """A change opens a room and governs it, closes it, or renames it and governs it afterwards."""
    rooms, closed = Rooms(), []
    for name, change in changes:
        room = rooms.called(name)
        match room, change:
            case None, _:
                room = rooms[name] = Room(name, "", None, None, Each, rights=rooms)
            case _, "close":
                closed.append(rooms.pop(room.name))
            case _, "rename":
                rooms.rename(room, f"{room.name}s", (*room.former, room.name))
        if change not in ("close", "rename"):
            room.govern(change)
            for one in closed:
                one.govern(change)

    for name in "abc":
        assert {room for room in rooms.values() if name in room.charter.entitled} == {*rooms.entitling(name)}


def test_owner_is_not_among_those_with_rights():
    rooms = Rooms()
    rooms["cafe"] = Room("cafe", "", None, None, Each, rights=rooms)
    rooms["cafe"].govern(attrs.evolve(OPEN, owner="ann", speakers=frozenset({"bob"})))

    assert ([], [rooms["cafe"]]) == (rooms.entitling("ann"), rooms.entitling("bob"))
