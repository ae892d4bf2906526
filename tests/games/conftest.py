"""A store for games played at a table of a server."""

import pytest

from lilygames.store.memory import MemoryStore


@pytest.fixture
def store():
    return MemoryStore()
