"""A number answers the question that it was shown with: one that was meant for an earlier question plays nothing."""

import json

import pytest

from lilygames.gametest.stage import Stage
from tests.tables.callers import Caller
from tests.tables.play.test_moves_once import last, made
from tests.toys import TALLY

EARLIER = "the game has moved on since then"


async def alone(*, program=False):
    """Return a stage with Bob, who plays with a bot: it answers each of Bob's moves at once."""
    stage = await Stage.open(TALLY)
    bob = Caller(stage, "Bob", program=program, guest=True)
    await bob.types("/new tally max=3 first-dealer=host\n/house\n/start\n")
    while not stage.table(1).question(bob.person):
        await bob.types("")
    return stage, bob


def moves(stage):
    """Return how many moves Bob has made."""
    return made(stage)["Bob"]


async def test_second_of_two_numbers_in_one_packet_plays_nothing():
    stage, bob = await alone()
    await bob.types("1\n1\n")

    assert 1 == moves(stage)
    assert "Refused: " in "\n".join(bob.take())


async def test_second_of_two_numbers_plays_once_the_question_is_on_the_screen():
    stage, bob = await alone()
    await bob.types("1\n")
    await bob.types("1\n")

    assert 2 == moves(stage)


async def test_words_typed_ahead_are_played():
    """A word names what it plays, so it needs no position."""
    stage, bob = await alone()
    await bob.types("bid 1\n")
    one = stage.table(1).words(bob.person)[0]
    await bob.types(f"1\n{one}\n")

    assert 2 <= moves(stage)


async def test_number_begun_before_the_question_changed_plays_nothing():
    """The first key counts: the question changed while it was typed."""
    stage, bob = await alone()
    await bob.types("1")
    await stage.place.dispatcher.hear(bob.person, "/bid 1")
    await bob.types("")
    before = moves(stage)
    await bob.types("\n")

    assert before == moves(stage)
    assert EARLIER in "\n".join(bob.take())


async def test_number_begun_again_is_for_the_question_of_then():
    stage, bob = await alone()
    await bob.types("1\x7f")
    await stage.place.dispatcher.hear(bob.person, "/bid 1")
    await bob.types("")
    before = moves(stage)
    await bob.types("\n1\n")

    assert before + 1 == moves(stage)


@pytest.mark.parametrize("line", ["1", "/at 1 1", "/pick 1"])
async def test_program_says_which_entry_its_number_is_for(line):
    stage, bob = await alone(program=True)
    seq = last(stage)
    assert await bob.asks(line=line, seen={"1": seq}) is None
    before = moves(stage)
    refused = await bob.asks(line=line, seen={"1": seq})

    assert "stale" == refused["code"]
    assert before == moves(stage)
    assert await bob.asks(line=line, seen={"1": last(stage)}) is None


async def test_move_that_is_a_number_is_for_the_entry_it_names():
    stage, bob = await alone(program=True)
    seq = last(stage)
    assert await bob.asks(move="1", table=1, seq=seq) is None
    before = moves(stage)

    assert "stale" == (await bob.asks(move="1", table=1, seq=seq))["code"]
    assert before == moves(stage)


async def test_line_by_gmcp_is_acknowledged_and_its_number_is_for_what_it_names():
    stage, bob = await alone()
    seq, message = last(stage), 'Lily.Line {"line": "1", "once": "%s", "seen": {"1": %d}}'
    await bob.hears(message % ("k-1", seq))
    before = moves(stage)
    await bob.hears(message % ("k-2", seq))

    assert before == moves(stage) == 1
    assert [{"once": "k-1"}, {"once": "k-2"}] == done(bob)
    assert EARLIER in "\n".join(bob.take())


async def test_line_by_gmcp_that_is_sent_twice_is_played_once():
    stage, bob = await alone()
    message = 'Lily.Line {"line": "/bid 1", "once": "k-1"}'
    await bob.hears(message)
    bob.leave()
    bob.come()
    before = moves(stage)
    await bob.hears(message)

    assert before == moves(stage)
    assert [{"once": "k-1"}] == done(bob)
    assert "Refused" not in "\n".join(bob.take())


async def test_talk_by_gmcp_is_acknowledged_too():
    stage = await Stage.open(TALLY)
    ann, bob = Caller(stage, "Ann", program=False), Caller(stage, "Bob", program=False)
    await bob.hears('Lily.Line {"line": "good evening", "once": "k-1"}')

    assert "good evening" in "\n".join(ann.take())
    assert [{"once": "k-1"}] == done(bob)


@pytest.mark.parametrize(
    "body", ["", "7", "{}", '{"line": "hi"}', '{"line": 7, "once": "a"}', '{"line":"hi","once":"a b"}']
)
async def test_bad_line_by_gmcp_is_not_typed(body):
    stage = await Stage.open(TALLY)
    bob = Caller(stage, "Bob", program=False)
    with pytest.raises(ValueError):  # noqa: PT011 - each is a strike against the client
        await bob.hears(f"Lily.Line {body}")


async def test_ping_is_answered_before_lines_that_wait():
    stage = await Stage.open(TALLY)
    bob = Caller(stage, "Bob")
    bob.take()
    bob.terminal.feed(b'{"id":1,"line":"/who"}\n{"ping":7}\n')

    assert {"pong": 7} == bob.packets()[0]


def done(caller):
    """Return the acknowledgements that a client got by GMCP."""
    return [json.loads(one.partition(" ")[2]) for one in caller.told() if one.startswith("Lily.Done ")]
