import asyncio
import itertools

import pytest

from lilygames.edge.wire.outbox import CALM, HARD, LONGEST_REST, MOST_REMEMBERED, REMEMBERED, SOFT, Outbox
from lilygames.edge.wire.render import Rows
from tests.edge.conftest import FakeTransport


@pytest.fixture
async def missed():
    return []


@pytest.fixture
async def outbox(transport, missed):
    made = Outbox(transport, missed.append)
    transport.says_that_it_waits = made.pause
    yield made
    made.stop()


async def test_lines_of_a_turn_go_out_in_one_write(outbox, transport):
    for text in (b"one\r\n", b"two\r\n", b"three\r\n"):
        outbox.put(text, "talk")
    await asyncio.sleep(0)

    assert transport.writes == [b"one\r\ntwo\r\nthree\r\n"]


async def test_nothing_is_written_before_the_turn_is_over(outbox, transport):
    outbox.put(b"one\r\n")

    assert transport.writes == []


async def test_each_turn_has_its_own_write(outbox, transport):
    outbox.put(b"one\r\n")
    await asyncio.sleep(0)
    outbox.put(b"two\r\n")
    await asyncio.sleep(0)

    assert transport.writes == [b"one\r\n", b"two\r\n"]


@pytest.mark.parametrize("kind", ["talk", "notice"])
async def test_slow_reader_misses_talk(outbox, transport, kind):
    transport.stuck = SOFT + 1
    outbox.put(b"bla\r\n", kind)
    await asyncio.sleep(0)

    assert transport.sent == b""


@pytest.mark.parametrize("kind", ["answer", "game", "turn"])
async def test_slow_reader_misses_no_answer_game_or_turn(outbox, transport, kind):
    transport.stuck = SOFT + 1
    outbox.put(b"bla\r\n", "talk")
    outbox.put(b"Your turn: bid 0 or 1.\r\n", kind)
    await asyncio.sleep(0)

    assert transport.sent == b"Your turn: bid 0 or 1.\r\n"


async def test_reader_who_caught_up_is_told_how_many_lines_they_missed(outbox, transport, missed):
    transport.stuck = SOFT + 1
    for _ in range(3):
        outbox.put(b"bla\r\n", "talk")
    transport.stuck = 0
    outbox.caught_up()

    assert missed == [3]


async def test_gap_is_one_gap_until_the_reader_has_caught_up(outbox, transport, missed):
    """Between the marks, a line let through would come before the number of missed lines."""
    transport.stuck = SOFT + 1
    outbox.put(b"bla\r\n", "talk")
    transport.stuck = SOFT - 1
    outbox.put(b"bla\r\n", "talk")
    outbox.caught_up()
    outbox.put(b"after\r\n", "talk")
    await asyncio.sleep(0)

    assert (missed, transport.sent) == ([2], b"after\r\n")


async def test_reader_who_missed_nothing_is_told_nothing(outbox, missed):
    outbox.caught_up()

    assert missed == []


async def test_reader_with_too_much_waiting_is_disconnected(outbox, transport):
    transport.taking = False
    outbox.put(b"x" * (HARD + 1), "game")
    await asyncio.sleep(0)

    assert transport.aborted


async def test_reader_who_takes_nothing_for_a_minute_is_disconnected(outbox, transport):
    transport.taking = False
    outbox.put(b"hello\r\n")
    await asyncio.sleep(0)
    outbox._watch_progress()

    assert transport.aborted


async def test_reader_who_takes_a_little_is_kept(outbox, transport):
    transport.taking = False
    outbox.put(b"hello\r\n")
    await asyncio.sleep(0)
    transport.stuck -= 1
    outbox._watch_progress()

    assert not transport.aborted


async def test_reader_who_has_taken_everything_is_not_watched(outbox, transport):
    transport.taking = False
    outbox.put(b"hello\r\n")
    await asyncio.sleep(0)
    transport.stuck = 0
    outbox._watch_progress()

    assert outbox._watch is None


async def test_large_turn_is_not_a_slow_reader(outbox, transport):
    """The lines of one turn are sent in the meantime, so only bytes that the peer has not taken count."""
    for _ in range(40):
        outbox.put(b"x" * SOFT, "talk")
    await asyncio.sleep(0)

    assert (len(transport.sent), transport.aborted) == (40 * SOFT, False)


async def test_closing_sends_queued_lines_first(outbox, transport):
    outbox.put(b"goodbye\r\n")
    outbox.close()

    assert (transport.sent, transport.closed) == (b"goodbye\r\n", True)


async def test_nothing_goes_out_after_closing(outbox, transport):
    outbox.close()
    outbox.put(b"late\r\n")
    await asyncio.sleep(0)

    assert transport.sent == b""


async def test_last_rows_are_remembered_and_no_more_than_a_few_screens(outbox):
    rows = [Rows(b"%d\r\n" % number) for number in range(5 * MOST_REMEMBERED)]
    for one in rows:
        outbox.put_rows(one, "talk")
        await asyncio.sleep(0)

    assert rows[-REMEMBERED:] == outbox.recent[-REMEMBERED:]
    assert len(outbox.recent) <= MOST_REMEMBERED


async def test_only_rows_are_kept_after_they_are_sent(outbox):
    outbox.put(b"password: ")
    outbox.put_rows(Rows(b"hello\r\n"), "talk")
    outbox.put_rows(b"your word is 3742-plum-otter-0915\r\n", "answer")
    await asyncio.sleep(0)

    assert [b"hello\r\n"] == outbox.rows


async def test_turn_after_a_slow_one_gathers_for_a_while(still_time, outbox, transport, monkeypatch):
    """It took a second of processor time to send, by this clock; the wait has an upper limit all the same."""
    clock = itertools.count()
    monkeypatch.setattr("lilygames.edge.wire.outbox.thread_time", lambda: next(clock))
    monkeypatch.setattr("lilygames.edge.wire.outbox.FEW", 0)
    outbox.put(b"one\r\n")
    await asyncio.sleep(0)
    outbox.put(b"two\r\n")
    await asyncio.sleep(0)
    at_once = [*transport.writes]
    outbox.put(b"three\r\n")
    await asyncio.sleep(2 * LONGEST_REST)

    assert at_once == [b"one\r\n"]
    assert transport.writes == [b"one\r\n", b"two\r\nthree\r\n"]


async def test_outbox_that_sent_nothing_does_not_wait_for_others(still_time, outbox, transport, monkeypatch):
    """Sending to a crowd took a second by this clock. A private message to another person goes out with the turn."""
    clock, other = itertools.count(), FakeTransport()
    monkeypatch.setattr("lilygames.edge.wire.outbox.thread_time", lambda: next(clock))
    monkeypatch.setattr("lilygames.edge.wire.outbox.FEW", 0)
    private = Outbox(other, lambda _: None)
    outbox.put(b"one\r\n")
    await asyncio.sleep(0)
    outbox.put(b"two\r\n")
    private.put(b"psst\r\n")
    await asyncio.sleep(0)

    assert ([b"one\r\n"], [b"psst\r\n"]) == (transport.writes, other.writes)


async def test_bug_in_one_flush_does_not_keep_back_the_others(outbox, transport):
    class Broken:
        def flush(self):
            raise ZeroDivisionError

    broken, raised = Broken(), []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: raised.append(context["exception"]))
    outbox.flusher.schedule((broken,))
    outbox.put(b"one\r\n")
    await asyncio.sleep(0)
    await asyncio.sleep(0)

    assert ([b"one\r\n"], [ZeroDivisionError]) == (transport.writes, [*map(type, raised)])


@pytest.fixture
def clock(monkeypatch):
    """Return a list whose only number is the time in seconds."""
    now = [1000.0]
    monkeypatch.setattr("lilygames.edge.wire.outbox.monotonic", lambda: now[0])
    return now


async def test_input_after_a_pause_is_answered_at_once_in_one_write(outbox, transport, clock):
    outbox.flusher.flush_after(lambda data: (outbox.put(data), outbox.put(b"two\r\n")), b"one\r\n")

    assert transport.writes == [b"one\r\ntwo\r\n"]


async def test_input_without_a_pause_is_answered_at_the_end_of_the_turn(outbox, transport, clock):
    outbox.flusher.flush_after(lambda _: None, b"")
    clock[0] += CALM / 2
    for line in (b"one\r\n", b"two\r\n"):
        outbox.flusher.flush_after(outbox.put, line)
    before = [*transport.writes]
    await asyncio.sleep(0)

    assert ([], [b"one\r\ntwo\r\n"]) == (before, transport.writes)


async def test_answer_to_input_waits_for_the_end_of_a_turn_that_has_more_to_send(outbox, transport, clock):
    outbox.put(b"one\r\n")
    outbox.flusher.flush_after(outbox.put, b"two\r\n")
    before = [*transport.writes]
    await asyncio.sleep(0)

    assert ([], [b"one\r\ntwo\r\n"]) == (before, transport.writes)


async def test_input_that_meets_a_bug_loses_nothing_that_was_queued(outbox, transport, clock):
    def fails(data):
        outbox.put(data)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        outbox.flusher.flush_after(fails, b"one\r\n")
    outbox.put(b"two\r\n")
    await asyncio.sleep(0)

    assert transport.writes == [b"one\r\n", b"two\r\n"]
