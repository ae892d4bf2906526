"""A guest gets the seat back after the client was closed or killed: by a return word in the user's own file."""

import asyncio
import json
import os
import stat

import pytest

from lilygames.client.address import Address
from lilygames.client.return_word import LASTS, ReturnWord
from tests.clock import Clock

HERE = Address("games.example", 7777)


@pytest.fixture
def clock():
    return Clock(1_000_000.0)


@pytest.fixture
def words(tmp_path, clock):
    """The stored data of one server."""
    return ReturnWord(tmp_path, HERE, clock)


@pytest.fixture
def file(tmp_path):
    """The file of a stored return word."""
    return lambda: next((tmp_path / "guests").iterdir())


# The file.


def test_stored_word_is_found(words):
    words.keep("ann", "3742-plum-otter-0915")
    found = words.find()

    assert ("ann", "3742-plum-otter-0915") == (found.name, found.word)


def test_file_and_folder_are_readable_by_the_user_only(words, file):
    words.keep("ann", "one")
    words.keep("ann", "two")

    assert 0o600 == stat.S_IMODE(file().stat().st_mode)
    assert 0o700 == stat.S_IMODE(file().parent.stat().st_mode)


def test_word_that_others_could_read_is_deleted(words, file):
    words.keep("ann", "3742-plum-otter-0915")
    kept = file()
    kept.chmod(0o644)

    assert words.find() is None
    assert not kept.exists()


def test_word_is_deleted_after_twelve_hours(words, clock, file):
    words.keep("ann", "3742-plum-otter-0915")
    kept = file()
    clock.now += LASTS - 1
    assert words.find()
    clock.now += 1

    assert words.find() is None
    assert not kept.exists()


def test_each_server_has_its_own_word(words, tmp_path):
    words.keep("ann", "3742-plum-otter-0915")
    others = [Address("games.example", 7778), Address("other.example", 7777), Address("games.example", 7777, tls=True)]

    assert [None] * 3 == [ReturnWord(tmp_path, other).find() for other in others]


@pytest.mark.parametrize("body", ["", "nonsense", "[]", '{"name": "ann"}', '{"name": 1, "word": 2, "at": "x"}'])
def test_file_with_other_contents_is_ignored(words, file, body):
    words.keep("ann", "3742-plum-otter-0915")
    file().write_text(body)

    assert words.find() is None


def test_guest_whose_client_still_runs_is_left_alone(words, file):
    words.keep("ann", "3742-plum-otter-0915")
    data = json.loads(file().read_text())
    file().write_text(json.dumps({**data, "process": os.getppid()}))

    assert words.find() is None
    assert file().exists()


def test_nothing_is_stored_if_nothing_can_be_written(tmp_path, clock):
    (tmp_path / "guests").write_text("a file in the way")
    words = ReturnWord(tmp_path, HERE, clock)
    words.keep("ann", "3742-plum-otter-0915")

    assert words.find() is None


# The client, over a socket.


async def seated(sit, door):
    """A guest with a seat whose turn it is, at a client that is killed then without a goodbye."""
    ann = sit(door.port)
    await ann.enter("ann")
    await ann.sit_down()
    await ann.expect("Your turn: ")
    return ann


async def kill(sitter):
    sitter.visit.cancel()
    await asyncio.gather(sitter.visit, return_exceptions=True)


async def test_guest_gets_the_seat_back_with_a_new_client(sit, door):
    """The client types the word, and shows it nowhere."""
    first = await seated(sit, door)
    word = first.client.known.word
    await kill(first)
    again = sit(door.port)
    await again.expect("login: ann\n")
    await again.expect("You sit here with")
    await again.play_on()

    assert word
    assert word not in again.drawn.text


async def test_seat_is_taken_back_any_number_of_times(sit, door):
    await kill(await seated(sit, door))
    for _ in range(2):
        again = sit(door.port)
        await again.expect("You sit here with")
        await kill(again)


@pytest.mark.parametrize("line", ["/bye", "quit"])
async def test_nothing_is_stored_after_bye(sit, door, file, line):
    ann = await seated(sit, door)
    kept = file()
    ann.type(line)
    await ann.gone()

    assert not kept.exists()


async def test_ctrl_d_is_bye_too(sit, door, file):
    ann = await seated(sit, door)
    kept = file()
    ann.press("\x04")
    await ann.gone()

    assert not kept.exists()


async def test_refused_word_is_deleted_and_the_person_logs_in_as_they_like(sit, door, file):
    ann = await seated(sit, door)
    await kill(ann)
    kept = file()
    kept.write_text(json.dumps({**json.loads(kept.read_text()), "word": "1111-plum-otter-1111"}))
    again = sit(door.port)
    await again.expect("login: ann\n")
    await again.expect(r"\(ann's seat is no longer kept\)")

    assert not kept.exists()


async def test_word_of_a_lost_seat_is_deleted(sit, door, place, file):
    """The name is free then, so the server offers it as a new one."""
    ann = await seated(sit, door)
    ann.type("/leave")
    await ann.expect("you left|You left")
    await kill(ann)
    kept = file()
    again = sit(door.port)
    await again.expect("login: ann\n")
    await again.expect(r"\(ann's seat is no longer kept\)")

    assert not kept.exists()


async def test_no_word_is_stored_for_an_account(sit, door, tmp_path):
    ann = sit(door.port)
    await ann.enter("ann", "plums and pears")
    ann.type("/new tally max=3")
    await ann.expect("the seal is")
    await kill(ann)

    assert not (tmp_path / "guests").exists()
