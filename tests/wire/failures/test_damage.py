"""Damage in a large data file, with pages of zeros: what a start says of it, and what goes on without it."""

import asyncio
import json

import attrs
import pytest

from lilygames.chat.accounts.known_accounts import Account
from lilygames.store import Effect
from lilygames.store.sqlite import datafile
from lilygames.store.sqlite.sqlite import SqliteStore
from tests.deadline import DEADLINE
from tests.wire.operating.test_operating import Server
from tests.zeroed import zero_page_of


@pytest.fixture
async def server(tmp_path):
    """A stopped server, whose file is too large to be checked as a whole at a start."""
    server = Server(tmp_path)
    store = SqliteStore.open(server.file())
    padding = [Effect("padding", f"{number}", "x" * 1_000_000) for number in range(datafile.AT_ONCE // 1_000_000 + 1)]
    names = [f"p{number:03}" for number in range(400)]
    roles = [Effect("role", name, json.dumps("helper")) for name in names]
    accounts = [
        Effect("account", name, json.dumps(attrs.asdict(Account(name, "", guest=False, key=name)))) for name in names
    ]
    rooms = [Effect("discussion", f"club-{name}", json.dumps({"name": f"club-{name}"}) + " " * 200) for name in names]
    await store.append("padding", None, (), cmd="1", effects=[*padding, *roles, *accounts, *rooms])
    await store.close()
    yield server
    await server.end()


async def test_server_starts_without_damaged_roles_and_says_so_in_its_log(server):
    zero_page_of(server.file(), b'rolep200"')
    assert await server.start()
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    await asyncio.wait_for(reader.readuntil(b"login: "), DEADLINE)
    writer.write(b"guest\r\n/who\r\n")
    await asyncio.wait_for(reader.readuntil(b"1 person is here"), DEADLINE)
    writer.close()

    (line,) = [line for line in server.said.splitlines() if "a part of the store is damaged" in line]
    assert "kind=role" in line
    assert "case=" in line
    assert "restore a backup with `lilygames restore FILE`" in line
    assert "Traceback" not in server.said


@pytest.mark.parametrize(("kind", "what"), [("accountp200", "accounts"), ("discussionclub-p200", "rooms")])
async def test_server_with_damaged_names_says_in_one_sentence_why_it_does_not_start(server, kind, what):
    zero_page_of(server.file(), kind.encode())
    assert await server.start() is None
    assert 2 == server.process.returncode
    sentence = server.said.strip().splitlines()[-1]
    assert f"The {what} are damaged, so the server can't start. {server.file()} is damaged" in sentence
    assert "restore a backup with `lilygames restore FILE`" in sentence
    assert "Traceback" not in server.said
