"""A session taken up on a new line, by its token: no password, and nothing missed or told twice."""

import asyncio

import pytest

from lilygames.chat.resume import Session, Tokens
from lilygames.chat.visit import visit
from lilygames.store.memory import MemoryStore

ANN = Session("ann", guest=False, key="ann", until=1000.0)


async def signed(store):
    tokens = Tokens(store)
    await tokens.load()
    return tokens


async def test_a_token_opens_its_session_at_every_node():
    """The key is made by whichever node comes first, and shared."""
    store = MemoryStore()
    one, other = await signed(store), await signed(store)

    assert ANN == other.opened(one.of(ANN), now=999.0)


@pytest.mark.parametrize("now", [1000.0, 5000.0])
async def test_an_old_token_opens_nothing(now):
    tokens = await signed(MemoryStore())

    assert tokens.opened(tokens.of(ANN), now) is None


@pytest.mark.parametrize("spoiled", ["", "x", "=", "A" * 80, "é" * 9])
async def test_what_nobody_signed_opens_nothing(spoiled):
    tokens = await signed(MemoryStore())

    assert tokens.opened(spoiled, now=0.0) is None


async def test_one_changed_letter_opens_nothing():
    tokens = await signed(MemoryStore())
    token = tokens.of(ANN)
    others = ["A" if letter != "A" else "B" for letter in token]
    changed = [token[:place] + other + token[place + 1 :] for place, other in enumerate(others)]

    assert not any(tokens.opened(other, now=0.0) for other in changed[:-1])


def token_of(terminal):
    """Return the token that a program was given last."""
    return [packet.value["token"] for packet in terminal.packets if packet.name == "resume"][-1]


@pytest.fixture
async def bob(place, typist):
    """Return bob's terminal, whose program listens, and what lets him type; he has just made himself an account."""
    terminal = typist()
    terminal.wants_packets = True
    task = asyncio.get_running_loop().create_task(visit(place.host, terminal))

    async def types(*lines):
        for line in lines:
            terminal.waits.clear()
            terminal.typed.put_nowait(line)
            await asyncio.wait_for(terminal.waits.wait(), 20)

    await types("bob", "secret1", "secret1")
    yield terminal, types
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def test_a_token_takes_the_session_up(bob, come):
    """Without a password, under the same name."""
    terminal, _ = bob

    again = await come(f"resume {token_of(terminal)}", stay=True)

    assert "(you are in lobby by yourself; /help says the rest, /quick starts a game)" in again.rows


async def test_a_new_password_ends_older_tokens(bob, come):
    """Who has lost a token, or fears so, changes the password."""
    terminal, types = bob
    older = token_of(terminal)
    await types("/password", "secret1", "secret2", "secret2")

    rows = (await come(f"resume {older}")).rows

    assert "Refused: that token was ended by a new name or password; log in again." in rows


async def test_a_new_password_brings_a_new_token(bob, come):
    """The program that is connected comes back by itself as before."""
    terminal, types = bob
    await types("/password", "secret1", "secret2", "secret2")

    again = await come(f"resume {token_of(terminal)}", stay=True)

    assert not [row for row in again.rows if row.startswith("Refused")]


async def test_a_new_name_ends_older_tokens_and_brings_another(bob, come):
    """Nobody comes in by a name that they have given up."""
    terminal, types = bob
    older = token_of(terminal)
    await types("/rename rob")

    refused = (await come(f"resume {older}")).rows
    again = await come(f"resume {token_of(terminal)}", stay=True)

    assert "Refused: that token was ended by a new name or password; log in again." in refused
    assert not [row for row in again.rows if row.startswith("Refused")]


async def test_a_token_of_a_guest_who_registered_since_opens_nothing(place, typist, come):
    """The name has a password now."""
    terminal = typist("cat", "")
    terminal.wants_packets = True
    task = asyncio.get_running_loop().create_task(visit(place.host, terminal))
    await terminal.waits.wait()
    older = token_of(terminal)
    for line in ("/register", "secret1", "secret1"):
        terminal.waits.clear()
        terminal.typed.put_nowait(line)
        await terminal.waits.wait()

    rows = (await come(f"resume {older}")).rows

    assert "Refused: that token was ended by a new name or password; log in again." in rows
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
