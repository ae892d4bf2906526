"""A line that is sent again with its text, because its acknowledgement was lost, is said and done once."""

import json

import attrs
import pytest

from lilygames import codec
from lilygames.chat.input.lines_sent_again import LINES, PEOPLE, LinesSentAgain
from lilygames.chat.visits.handover_state import PersonState, carry, take_up
from lilygames.gametest.stage import SETTINGS, Stage
from tests.tables.callers import Caller
from tests.toys import TOYS

ARRIVED = "(That line had arrived before, so it wasn't sent twice. To repeat it, send it again.)"


@pytest.fixture
async def stage():
    """Ann at a page, Bob, and the guest Cat."""
    stage = await Stage.open(TOYS, settings=attrs.evolve(SETTINGS, talk_lines_per_second=5))
    stage.ann, stage.bob = Caller(stage, "Ann"), Caller(stage, "Bob", program=False)
    stage.cat = Caller(stage, "Cat", program=False, guest=True)
    return stage


def heard(caller, text):
    """Return how often a text is on someone's screen since the last look."""
    return "\n".join(caller.take()).count(text)


def json_line(line, once):
    """Return the GMCP message for a line."""
    return f"Lily.Line {json.dumps({'line': line, 'once': once})}"


@pytest.mark.parametrize(
    "line", ["hello there", "'hello there", "bob;hello there", "/me says hello there", ";hello there"]
)
async def test_talk_that_is_sent_twice_is_said_once_and_acknowledged_twice(stage, line):
    await stage.ann.types("bob;before\n")
    stage.bob.take()

    assert await stage.ann.asks(line=line, once="k-1") is None
    assert await stage.ann.asks(line=line, once="k-1") is None
    assert 1 == heard(stage.bob, "hello there")


async def test_sender_is_told_that_the_line_had_arrived(stage):
    await stage.ann.asks(line="hello there", once="k-1")
    stage.ann.take()
    await stage.ann.types('{"id": 2, "line": "hello there", "once": "k-1"}\n')

    assert [ARRIVED] == [one["line"] for one in stage.ann.packets() if "line" in one]


async def test_line_is_known_when_its_sender_comes_back(stage):
    await stage.ann.asks(line="hello there", once="k-1")
    stage.ann.leave()
    stage.ann.come()

    assert await stage.ann.asks(line="hello there", once="k-1") is None
    assert 1 == heard(stage.bob, "hello there")


async def test_line_by_gmcp_that_is_sent_again_is_said_once(stage):
    message = json_line("hello there", "k-1")
    await stage.bob.hears(message)
    stage.bob.leave()
    stage.bob.come()
    await stage.bob.hears(message)

    assert ['Lily.Done {"once":"k-1"}'] == [one for one in stage.bob.told() if "Done" in one]
    assert 1 == heard(stage.cat, "hello there")


async def test_line_with_another_text_or_none_is_another_line(stage):
    for once in ({"once": "k-1"}, {"once": "k-2"}, {}, {}):
        await stage.ann.asks(line="hello there", **once)

    assert 4 == heard(stage.bob, "hello there")


async def test_text_of_another_person_means_nothing(stage):
    await stage.ann.asks(line="hello there", once="k-1")
    await stage.cat.hears(json_line("hello there", "k-1"))

    assert 2 == heard(stage.bob, "hello there")


async def test_lines_in_one_piece_have_texts_of_their_own(stage):
    """The text of one isn't that of the next, which has none."""
    rows = [{"id": 1, "line": "hello there", "once": "k-1"}, *({"id": 2, "line": "hello there"},) * 2, "hello there"]
    await stage.ann.types("".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows))

    assert 4 == heard(stage.bob, "hello there")


async def test_renamed_person_keeps_the_texts(stage):
    stage.ann.person.set_guest(guest=True)
    stage.accounts.hold("Ann")
    await stage.ann.asks(line="hello there", once="k-1")
    assert await stage.ann.asks(line="/rename Beatrice") is None
    await stage.ann.asks(line="hello there", once="k-1")

    assert 1 == heard(stage.bob, "hello there")


async def test_refused_line_can_be_sent_again_with_its_text(stage):
    for line in ("dora;hello there", "hello there"):
        await stage.ann.asks(line=line, once="k-1")

    assert 1 == heard(stage.bob, "hello there")


async def test_command_that_is_sent_twice_is_run_once(stage):
    for _ in range(2):
        assert await stage.ann.asks(line="/new tally max=3", once="k-1") is None

    assert [1] == [*stage.open_tables]


@pytest.mark.parametrize("line", ["/who", "/help who", "/what"])
async def test_command_that_only_shows_is_run_again(stage, line):
    shown = []
    for _ in range(2):
        stage.ann.take()
        await stage.ann.types(json.dumps({"id": 1, "line": line, "once": "k-1"}) + "\n")
        shown.append([one for one in stage.ann.packets() if "line" in one])

    assert len(shown[0]) == len(shown[1]) > 0
    assert ARRIVED not in [one["line"] for one in shown[1]]


async def test_answer_that_is_sent_again_is_not_talk(stage):
    """The question is gone: without its text, the answer would be told to the room."""
    await stage.bob.types("".join(f"line {number}\n" for number in range(10)))
    stage.bob.person.paste.asks = True
    stage.cat.take()
    for _ in range(2):
        await stage.bob.hears(json_line("yes", "k-1"))
    rows = stage.cat.take()

    assert "line 9" in "\n".join(rows)
    assert not [row for row in rows if row.endswith(" - yes")]


async def test_line_is_known_after_a_reload(stage):
    await stage.ann.asks(line="hello there", once="k-1")
    kept = codec.from_text(codec.to_text(carry(stage.host, stage.ann.person)), PersonState)
    again = await Stage.open(TOYS)
    await take_up(again.host, kept)
    ann, bob = Caller(again, "Ann"), Caller(again, "Bob", program=False)
    bob.take()
    await ann.asks(line="hello there", once="k-1")

    assert 0 == heard(bob, "hello there")


async def test_too_long_line_by_gmcp_is_refused_and_acknowledged(stage):
    await stage.bob.hears(json_line("x" * 5000, "k-1"))

    assert ['Lily.Done {"once":"k-1"}'] == [one for one in stage.bob.told() if "Done" in one]
    assert "Your line was longer than 4096 bytes" in " ".join(stage.bob.take())
    assert 0 == heard(stage.cat, "xxx")


def test_last_lines_of_the_last_people_are_remembered():
    known = LinesSentAgain()
    for number in range(LINES + 1):
        known.restore("ann", [f"k-{number}"])
    for number in range(PEOPLE - 1):
        known.restore(f"guest{number}", ["k-1"])

    assert LINES == len(known.of("ann"))
    assert "k-0" not in known.of("ann")
    known.restore("bob", ["k-1"])
    assert not known.of("ann")
    assert ["k-1"] == known.of("bob") == known.of("guest0")
