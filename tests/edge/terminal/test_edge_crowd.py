"""Lines for many people at once: everyone sees the same as if each were shown them alone."""

import asyncio
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lilygames.edge.terminal.crowd import Crowd
from lilygames.edge.wire import outbox
from lilygames.edge.wire.outbox import MOMENT, SOFT
from lilygames.text import Line, Prompt
from tests.sitting import Sitting

HI = Line("hi", "talk")
SENT = Line("(sent)")
LONG = Line("word " * 12, "talk")


@pytest.fixture
async def people(connect, still_time):
    """Three connections that have sent their probe, their transports, and a crowd of all."""
    wires = [connect()[0] for _ in range(3)]
    crowd = Crowd()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    for wire in wires:
        wire.terminal.attach(
            Sitting(changed=lambda terminal=wire.terminal: (crowd.drop(terminal), crowd.add(terminal)))
        )
        crowd.add(wire.terminal)
        wire._wire.writes.clear()
    yield wires, [wire._wire for wire in wires], crowd
    for wire in wires:
        wire.connection_lost(None)
    await asyncio.sleep(0)


async def sent(transports):
    await asyncio.sleep(0)
    return [transport.sent for transport in transports]


async def test_everyone_but_one_is_shown_a_line(people):
    wires, transports, crowd = people
    crowd.show(HI, but=wires[1].terminal)

    assert [b"hi\r\n", b"", b"hi\r\n"] == await sent(transports)


async def test_speaker_is_shown_a_receipt_instead(people):
    wires, transports, crowd = people
    shown = crowd.show(HI, but=wires[1].terminal, instead=[SENT])

    assert (True, [b"hi\r\n", b"(sent)\r\n", b"hi\r\n"]) == (shown, await sent(transports))


async def test_receipt_of_someone_who_is_not_among_them_is_not_shown(people):
    wires, transports, crowd = people
    crowd.drop(wires[1].terminal)
    shown = crowd.show(HI, but=wires[1].terminal, instead=[SENT])

    assert (False, [b"hi\r\n", b"", b"hi\r\n"]) == (shown, await sent(transports))


async def test_speaker_with_a_screen_reader_is_shown_a_receipt_too(people):
    wires, transports, crowd = people
    wires[1].terminal.prefer({"reader": "on"})
    shown = crowd.show(HI, but=wires[1].terminal, instead=[SENT])

    assert (True, [b"hi\r\n", b"Sent\r\n", b"hi\r\n"]) == (shown, await sent(transports))


async def test_lines_of_a_turn_reach_each_person_in_one_write(people):
    wires, transports, crowd = people
    crowd.show(HI)
    wires[0].terminal.show(Line("(for you)"))
    crowd.show(HI)
    await asyncio.sleep(0)

    assert [[b"hi\r\n(for you)\r\nhi\r\n"], [b"hi\r\nhi\r\n"]] == [one.writes for one in transports[:2]]


async def test_listener_among_them_hears_only_the_words(people):
    """This starts and ends as soon as they change the setting."""
    wires, transports, crowd = people
    wires[0].terminal.prefer({"reader": "on"})
    crowd.show(Line("*** bob has left lily ***", "notice"))
    wires[0].terminal.prefer({})
    wires[0].terminal.prefer({"reader": "off"})
    crowd.show(HI)

    starred = b"*** bob has left lily ***\r\nhi\r\n"
    assert [b"bob has left lily\r\nhi\r\n", starred, starred] == await sent(transports)


async def test_each_person_reads_it_at_their_width(people):
    wires, transports, crowd = people
    wires[0].terminal.prefer({"width": "30"})
    crowd.show(LONG)
    rows = await sent(transports)

    assert [3, 1, 1] == [one.count(b"\r\n") for one in rows]


async def test_question_is_repeated_below_the_lines_of_a_turn(people):
    wires, transports, crowd = people
    wires[0].terminal.ask(Prompt("login: "))
    crowd.show(HI)
    crowd.show(HI)

    assert b"login: \r\nhi\r\nhi\r\nlogin: " == (await sent(transports))[0]


async def test_slow_reader_misses_only_talk(people):
    wires, transports, crowd = people
    transports[0].taking = False
    crowd.show(Line("x" * SOFT + "x", "talk"))
    crowd.show(HI)
    crowd.show(HI)
    transports[0].stuck, transports[0].taking = 0, True
    await asyncio.sleep(0)
    wires[0].resume_writing()
    crowd.show(Line("after", "talk"))
    slow, *others = await sent(transports)

    assert slow.endswith(b"x\r\n(2 lines of talk skipped, because your connection is too slow)\r\nafter\r\n")
    assert all(other.endswith(b"x\r\nhi\r\nhi\r\nafter\r\n") for other in others)


async def test_news_waits_a_moment_for_more(people):
    _, transports, crowd = people
    crowd.show(Line("*** bob has entered lily ***", "notice"))
    at_once = await sent(transports)
    crowd.show(Line("*** cat has entered lily ***", "notice"))
    await asyncio.sleep(2 * MOMENT)

    assert [b"", b"", b""] == at_once
    assert [1, 1, 1] == [len(one.writes) for one in transports]


async def test_news_gathers_for_longer_after_a_slow_send(people, monkeypatch):
    """The send took a second of processor time by this clock; the wait has an upper limit all the same."""
    _, transports, crowd = people
    clock = itertools.count()
    monkeypatch.setattr(outbox, "thread_time", lambda: next(clock))
    monkeypatch.setattr(outbox, "FEW", 0)
    monkeypatch.setattr(outbox, "LONGEST_MOMENT", 4 * MOMENT)
    crowd.show(Line("*** bob has entered lily ***", "notice"))
    await asyncio.sleep(2 * MOMENT)
    crowd.show(Line("*** cat has entered lily ***", "notice"))
    await asyncio.sleep(2 * MOMENT)
    early = [len(one.writes) for one in transports]
    await asyncio.sleep(3 * MOMENT)

    assert [1, 1, 1] == early
    assert [2, 2, 2] == [len(one.writes) for one in transports]


async def test_news_goes_out_before_later_talk(people):
    wires, transports, crowd = people
    crowd.show(Line("*** bob has entered lily ***", "notice"))
    wires[0].terminal.show(Line("(for you)"))
    crowd.show(HI)

    assert b"*** bob has entered lily ***\r\n(for you)\r\nhi\r\n" == (await sent(transports))[0]


@pytest.mark.parametrize("kind", ["notice", "talk"])
async def test_newcomer_is_shown_only_later_lines(people, kind):
    wires, transports, crowd = people
    crowd.drop(wires[0].terminal)
    crowd.show(Line("before", kind))
    crowd.add(wires[0].terminal)
    crowd.show(Line("after", kind))
    await asyncio.sleep(2 * MOMENT)

    assert [b"after\r\n", b"before\r\nafter\r\n"] == [one.sent for one in transports[:2]]


async def test_person_who_leaves_is_sent_what_was_shown_before(people):
    wires, transports, crowd = people
    crowd.show(HI)
    crowd.drop(wires[0].terminal)

    assert [b"hi\r\n"] * 3 == await sent(transports)


async def test_person_who_left_is_shown_nothing_more(people):
    wires, transports, crowd = people
    crowd.drop(wires[0].terminal)
    crowd.show(HI)

    assert [b"", b"hi\r\n", b"hi\r\n"] == await sent(transports)


@given(
    st.lists(
        st.tuples(st.sampled_from("all but own alone ask answer".split()), st.sampled_from([HI, LONG])), max_size=8
    )
)
def test_crowd_shows_the_same_as_each_person_alone(connect, what):
    """A person in the crowd reads the same rows in the same order as a person who is shown each line alone."""

    async def played():
        (one, _), (other, _), crowd = connect(), connect(), Crowd()
        crowd.add(one.terminal)
        for kind, line in what:
            for wire in (one, other):
                match kind:
                    case "ask":
                        wire.terminal.ask(Prompt("who? "))
                    case "answer":
                        wire.terminal._screen.answered("")
                    case "alone":
                        wire.terminal.show(line)
            if kind in ("all", "but", "own"):
                receipt = [SENT] if kind == "own" else []
                crowd.show(line, but=None if kind == "all" else one.terminal, instead=receipt)
                other.terminal.show(*([line] if kind == "all" else receipt))
        await asyncio.sleep(0)
        shown = one._wire.sent, other._wire.sent
        for wire in (one, other):
            wire.connection_lost(None)
        await asyncio.sleep(0)
        return shown

    among, alone = asyncio.run(played())

    assert alone == among
