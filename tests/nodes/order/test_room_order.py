"""The order of a room's messages: whatever is late, lost or repeated, each is shown once, as the store has them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lilygames.chat.people.events import ChatEvent
from lilygames.nodes.order.room_order import AT_ONCE, NOTED, RoomSequence, ShownOnce


def begun(head=0):
    sequence = RoomSequence()
    sequence.begin(head)
    return sequence


def test_entry_waits_for_the_one_before():
    sequence = begun(head=4)

    assert [] == sequence.take(6, "six")
    assert [5] == sequence.missing()
    assert ["five", "six"] == sequence.take(5, "five")


def test_entries_from_before_the_beginning_are_not_shown():
    sequence = begun(head=4)

    assert [] == sequence.take(4, "four")
    assert ["five"] == sequence.take(5, "five")


def test_entry_that_came_before_the_beginning_was_known_is_shown():
    sequence = RoomSequence()

    assert [] == sequence.take(3, "three")
    assert ["three"] == sequence.begin(7)
    sequence.learn(7)
    assert [4, 5, 6, 7] == sequence.missing()


def test_entries_that_cannot_be_read_are_passed_over_and_shown_late():
    sequence = begun()
    for number in (2, 4):
        sequence.take(number, number)

    assert [2, 4] == sequence.pass_over()
    assert [1, 3] == sequence.missing()
    assert ([3], [1]) == (sequence.take(3, 3), sequence.take(1, 1))
    assert ([], []) == (sequence.take(1, 1), sequence.missing())


def test_a_part_is_read_at_once_after_a_long_outage():
    sequence = begun()
    sequence.learn(3 * AT_ONCE)

    assert [*range(1, AT_ONCE + 1)] == sequence.missing()


@given(st.data(), st.integers(0, 5), st.integers(1, 12))
def test_every_entry_is_shown_once_and_in_order_whatever_is_late_lost_or_repeated(data, head, many):
    """Hints come in any order, some twice and some never.

    The store's head is learned at any time, and what is missing is read in any order, also beside hints.
    """
    numbers = range(head + 1, head + many + 1)
    hints = data.draw(st.lists(st.sampled_from(numbers), max_size=20))
    sequence, shown = RoomSequence(), []
    start = data.draw(st.integers(0, len(hints)))
    for place, number in enumerate(hints):
        if place == start:
            shown += sequence.begin(head)
        if data.draw(st.booleans()):
            sequence.learn(data.draw(st.integers(head, number)))
        shown += sequence.take(number, number)
        if data.draw(st.booleans()):
            for read in data.draw(st.permutations(sequence.missing())):
                shown += sequence.take(read, read)
    if start == len(hints):
        shown += sequence.begin(head)
    sequence.learn(head + many)
    for read in data.draw(st.permutations(sequence.missing())):
        shown += sequence.take(read, read)

    assert [*numbers] == shown
    assert [] == sequence.missing()


@given(st.data(), st.integers(1, 12))
def test_every_entry_is_shown_once_although_the_store_cannot_always_be_read(data, many):
    """Entries that are passed over lose their place, but aren't lost or repeated."""
    sequence, shown = begun(), []
    for number in data.draw(st.lists(st.integers(1, many), max_size=20)):
        shown += sequence.take(number, number)
        if data.draw(st.booleans()):
            shown += sequence.pass_over()
    sequence.learn(many)
    while missing := sequence.missing():
        for number in missing:
            shown += sequence.take(number, number)

    assert [*range(1, many + 1)] == sorted(shown)


def message(text, kind="public", rooms=("lobby",), to=()):
    return ChatEvent(kind, "ann", rooms=rooms, to=to, text=text, at=1.0)


@given(st.lists(st.sampled_from("ab"), max_size=8), st.data())
def test_message_that_came_both_ways_is_shown_once(texts, data):
    """The same words may be said twice: each of the two is shown."""
    ways = data.draw(st.permutations([("sent", text) for text in texts] + [("read", text) for text in texts]))
    once = ShownOnce()
    shown = [text for way, text in ways if getattr(once, way)(message(text))]

    assert sorted(texts) == sorted(shown)


def test_oldest_messages_that_came_past_the_order_are_forgotten():
    once = ShownOnce()
    for number in range(NOTED + 1):
        once.sent(message(str(number)))

    assert (True, False) == (once.read(message("0")), once.read(message("1")))


def test_only_what_is_said_in_one_room_follows_its_order():
    told = [
        message("hi"),
        message("grins", "emote"),
        message("hi", rooms=("lobby", "cafe")),
        message("hi", "private", (), ("bob",)),
        message("hi", "private", ("lobby",), ("bob",)),
        message("", "join"),
    ]

    assert ["lobby", "lobby", "", "", "", ""] == [one.only_room for one in told]
