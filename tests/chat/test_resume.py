"""A session taken up on a new line, by its token: no password, and nothing missed or told twice."""

import pytest

from lilygames.chat.resume import Session, Tokens
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
