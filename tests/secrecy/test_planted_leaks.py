"""The two-world tests find leaks: each leak planted here makes two worlds differ."""

import attrs
import pytest

from lilygames.chat.host import completion
from lilygames.game import Reader
from lilygames.tables.commands import table_info
from lilygames.tables.commands.finished import replays
from lilygames.tables.play.screens import Screens
from lilygames.tables.room.bot import TableBot
from lilygames.tables.sight import move_list, narrate, packets, replay, sight
from lilygames.tables.state.table import Table
from lilygames.text import Line, Packet
from tests.secrecy.test_two_worlds import difference

TRIED = 8
"""Pairs of worlds that are searched for a leak."""


def hand(table, seat):
    """The hand of the seat after `seat`, in its own words; a spectator peeps at the first."""
    peeped = 0 if seat is None else (seat + 1) % len(table.seats)
    if not table.started:
        return ""
    names = tuple(who.name for who in table.seats)
    return " / ".join(table.game.hand(table.view(peeped), Reader(peeped, names)))


def wrapped(monkeypatch, owner, name, leaks):
    """Let a function return the result of `leaks` for its result and its arguments."""
    real = getattr(owner, name)
    monkeypatch.setattr(owner, name, lambda *args, **named: leaks(real(*args, **named), *args, **named))


def in_completion_for_spectators(monkeypatch):
    def leaks(found, host, person, text):
        bot = person.room.bot
        peeps = isinstance(bot, TableBot) and bot.seat_of(person.name) is None
        return [*found, hand(bot.table, None)] if peeps else found

    wrapped(monkeypatch, completion, "completions", leaks)


def in_completion_for_seats(monkeypatch):
    def leaks(found, host, person, text):
        bot = person.room.bot
        seat = bot.seat_of(person.name) if isinstance(bot, TableBot) else None
        return found if seat is None else [*found, hand(bot.table, seat)]

    wrapped(monkeypatch, completion, "completions", leaks)


def in_resume_catch_up(monkeypatch):
    async def leaks(lines, screens, reader, seq):
        return [*await lines, Line(hand(screens._runner.table, reader.seat))]

    wrapped(monkeypatch, Screens, "_told_since", leaks)


def in_the_greeting_of_a_returning_person(monkeypatch):
    def leaks(lines, screens, person):
        table = screens._runner.table
        return [*lines, Line(hand(table, table.seat_of(person.name)))]

    wrapped(monkeypatch, Screens, "catch_up_on", leaks)


def in_a_machine_packet(monkeypatch):
    def leaks(sent, room, table, reader, *_):
        return [*sent, Packet("hand", {"table": room, "seat": 0, "rows": [hand(table, reader.seat)]})]

    wrapped(monkeypatch, packets, "standing", leaks)


def in_the_packet_of_an_event(monkeypatch):
    monkeypatch.setattr(
        packets,
        "happened",
        lambda room, table, events, seat: [Packet("event", {"table": room, "event": str(event)}) for event in events],
    )


def in_a_packet_as_a_digest(monkeypatch):
    def leaks(sent, room, table, reader, *_):
        return [*sent, Packet("hand", {"table": room, "seat": 0, "rows": [table.told]})]

    wrapped(monkeypatch, packets, "standing", leaks)


def in_the_lines_of_an_event(monkeypatch):
    def leaks(lines, room, table, events, reader):
        return (*lines, *(Line(str(event)) for event in events))

    wrapped(monkeypatch, narrate, "happened", leaks)


def in_the_log_of_a_running_table(monkeypatch):
    def leaks(steps, header, game, entries, secret, *, name, **_):
        yield from steps
        *_, last = replay.replayed(Table(header, game, secret), entries)
        seat = next((seat for seat, who in enumerate(last.table.seats) if who.name == name), None)
        yield [(0.0, Line(hand(last.table, seat)))]

    wrapped(monkeypatch, replay, "told", leaks)


def in_the_review_of_a_table(monkeypatch):
    real = table_info.tale

    async def peeping(tables, person, room):
        told = await real(tables, person, room)
        seat = room.bot.seat_of(person.name) if isinstance(room.bot, TableBot) else None
        return [attrs.evolve(one, text=f"{one.text} {hand(room.bot.table, seat)}") for one in told]

    monkeypatch.setattr(table_info, "tale", peeping)


def in_a_refusal(monkeypatch):
    wrapped(
        monkeypatch,
        narrate,
        "refusal",
        lambda said, table, no, reader: f"{said} {hand(table, reader.seat)}",
    )


def in_a_replay_under_a_closed_seal(monkeypatch):
    real = replays.recording_of

    async def unsealed(at, number):
        recording = await real(at, number)
        return attrs.evolve(recording, header=attrs.evolve(recording.header, sealed=False))

    monkeypatch.setattr(replays, "recording_of", unsealed)


def in_the_packet_of_a_replay_under_a_closed_seal(monkeypatch):
    monkeypatch.setattr(
        replays.Recording, "seats", property(lambda recording: tuple(range(len(recording.table.seats))))
    )
    monkeypatch.setattr(replays, "_screen", lambda *_, **__: ())


def in_a_replay_from_another_seat(monkeypatch):
    monkeypatch.setattr(replays, "_eyes", lambda at, recording, name: 0)


def in_the_log_under_a_closed_seal(monkeypatch):
    def leaks(steps, header, game, entries, secret, **_):
        yield from steps
        for step in replay.replayed(Table(header, game, secret), entries):
            yield [(0.0, Line(str(event))) for event in step.events]

    wrapped(monkeypatch, replay, "told", leaks)


def in_the_picture_of_a_page(monkeypatch):
    wrapped(
        monkeypatch,
        sight,
        "picture_of",
        lambda seen, table, seat: seen and attrs.evolve(seen, texts=(hand(table, seat),)),
    )


def in_the_events_of_an_update(monkeypatch):
    monkeypatch.setattr(sight.visible, "all_seen", lambda events, _: tuple(events))


def in_the_moves_of_a_page(monkeypatch):
    wrapped(
        monkeypatch,
        sight,
        "move_list",
        lambda listed, table, seat, _: {**listed, "groups": [hand(table, seat)]},
    )


def in_the_turn_of_a_page(monkeypatch):
    wrapped(
        monkeypatch,
        sight,
        "asked_now",
        lambda said, table, seat: said and {**said, "question": hand(table, seat)},
    )


def in_the_completion_of_a_move(monkeypatch):
    wrapped(
        monkeypatch,
        move_list,
        "completed",
        lambda found, table, seat, _: [*found, {"text": hand(table, seat)}],
    )


PAGES = (
    in_the_picture_of_a_page,
    in_the_events_of_an_update,
    in_the_moves_of_a_page,
    in_the_turn_of_a_page,
    in_the_completion_of_a_move,
)
RUNNING = (
    in_completion_for_spectators,
    in_completion_for_seats,
    in_resume_catch_up,
    in_the_greeting_of_a_returning_person,
    in_a_machine_packet,
    in_the_packet_of_an_event,
    in_a_packet_as_a_digest,
    in_the_lines_of_an_event,
    in_the_log_of_a_running_table,
    in_the_review_of_a_table,
    in_a_refusal,
)
FINISHED = (
    in_a_replay_under_a_closed_seal,
    in_the_packet_of_a_replay_under_a_closed_seal,
    in_a_replay_from_another_seat,
    in_the_log_under_a_closed_seal,
)


async def found(name, *, finished=False, page=False):
    """Return the first difference in some pairs of worlds."""
    for number in range(TRIED):
        apart, _, _ = await difference(name, number, finished=finished, page=page)
        if apart:
            return apart
    return ""


@pytest.mark.parametrize("name", ["ohell", "liarslair"])
@pytest.mark.parametrize("plant", RUNNING, ids=lambda plant: plant.__name__)
async def test_leak_at_a_running_table_is_found(monkeypatch, plant, name):
    plant(monkeypatch)

    assert await found(name, finished=False)


@pytest.mark.parametrize("name", ["ohell", "liarslair"])
@pytest.mark.parametrize("plant", PAGES, ids=lambda plant: plant.__name__)
async def test_leak_to_a_page_is_found(monkeypatch, plant, name):
    plant(monkeypatch)

    assert await found(name, page=True)


@pytest.mark.parametrize("name", ["ohell", "lilypoker"])
@pytest.mark.parametrize("plant", FINISHED, ids=lambda plant: plant.__name__)
async def test_leak_at_a_finished_table_whose_seal_stays_closed_is_found(monkeypatch, plant, name):
    plant(monkeypatch)

    assert await found(name, finished=True)


async def test_secret_of_a_table_is_found_in_the_output(monkeypatch):
    """It is the same in both worlds, so the test searches for it separately."""

    def leaks(sent, room, table, reader, *_):
        return [*sent, Packet("hand", {"table": room, "seat": 0, "rows": [table.secret.hex()]})]

    wrapped(monkeypatch, packets, "standing", leaks)
    apart, sent, play = await difference("ohell", 0)

    assert apart == ""
    assert any(play.secret.hex() in row for row in sent)
