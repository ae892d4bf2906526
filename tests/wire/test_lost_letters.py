"""A client that negotiates nothing gets plain letters, and is told once how to see the others."""

from functools import partial

import pytest

from lilygames.chat.visits.session import visit
from lilygames.edge.connections.admission import Admission
from lilygames.edge.connections.telnet import listen
from lilygames.edge.terminal.crowd import Crowd
from lilygames.edge.wire.limits import Limits
from lilygames.gametest.stage import SETTINGS
from lilygames.server.place.place import furnish
from lilygames.store.memory import MemoryStore
from tests.toys import TOYS

HINT = "/set ascii off.)"


@pytest.fixture
async def port():
    """A server in this process."""
    place = await furnish(MemoryStore(), SETTINGS, TOYS, gather=Crowd)
    limits = Limits(lines_per_second=1e6, bytes_per_second=10**9)
    server = await listen("127.0.0.1", 0, partial(visit, place.host, place.dispatcher), admission=Admission(limits))
    yield server.port
    await server.close(grace=0.5)


async def logged_in(dial, port, name, manner="silent", charset=None):
    client = await dial(port, manner, charset=charset)
    client.type(name)
    await client.expect("guest: ")
    client.type("")
    await client.expect("You're in the lobby")
    return client


async def test_reader_is_told_once_how_to_see_letters_that_show_as_question_marks(dial, port):
    bob, ann = await logged_in(dial, port, "Bob"), await logged_in(dial, port, "Ann")
    ann.type("привет")
    assert " - ??????\n" in await bob.expect(HINT)
    ann.type("ещё раз")
    ann.type("and the end")

    assert HINT not in await bob.expect("and the end")
    bob.type("/set ascii off")
    await bob.expect("ascii is off")
    ann.type("привет")
    await bob.expect(" - привет")


@pytest.mark.parametrize("line", ["café", "“quoted” – and …", "plain"])
async def test_letters_that_have_a_plain_form_need_no_hint(dial, port, line):
    bob, ann = await logged_in(dial, port, "Bob"), await logged_in(dial, port, "Ann")
    ann.type(line)
    ann.type("and the end")

    assert HINT not in await bob.expect("and the end")


async def test_person_who_wants_plain_letters_is_not_told(dial, port):
    bob, ann = await logged_in(dial, port, "Bob"), await logged_in(dial, port, "Ann")
    bob.type("/set ascii on")
    await bob.expect("ascii is on")
    ann.type("привет")
    ann.type("and the end")

    assert HINT not in await bob.expect("and the end")
