"""Guests who greet the bots of a real server are answered, unless they want quiet."""

from tests.wire.test_whole_server import enter, serve  # noqa: F401 - a fixture


async def test_bots_answer_a_guest_by_name_and_keep_quiet_if_asked(serve, dial):  # noqa: F811 - the fixture
    life = await serve("--house-talk", 1)
    guest = await dial(life.port)
    await enter(guest, "mary")
    guest.type("/quick ohell")
    await guest.expect("Your turn: ")
    guest.type("hello Ida")
    await guest.expect("*Ida says: ")
    await guest.expect("mary")
    guest.type("good luck, all")
    await guest.expect(" says: ")
    guest.type("/set quiet on")
    await guest.expect("quiet is on")
    guest.type("thanks, Max")
    assert " says: " not in await guest.expect("only bots are in ohell")
