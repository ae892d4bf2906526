"""The client of the beacon, against a server on this machine."""

import asyncio
import json
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread

import pytest

from lilygames.server.place.drand import MOST, Drand
from lilygames.tables.log.beacon import BeaconDown
from tests.tables.duplicate.test_beacon import INFO, MAINNET, NAME, ROUND_1, VALUE

GENESIS = INFO["genesis_time"]


@contextmanager
def served(answers):
    """Serve answers by path on a free port; a path without one is not found."""
    asked, stop = [], Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            answer = answers.get(self.path)
            if answer == "silence":
                stop.wait(10)
                return
            self.send_response(200 if answer is not None else 404)
            self.end_headers()
            self.wfile.write(answer or b"")

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/", asked
    finally:
        stop.set()
        server.shutdown()
        server.server_close()


ANSWERS = {
    f"/{MAINNET}/info": json.dumps(INFO).encode(),
    f"/{MAINNET}/public/1": json.dumps(ROUND_1).encode(),
}


async def test_first_round_after_a_time_is_asked_for():
    with served(ANSWERS) as (url, asked):
        assert f"{NAME}:1:{VALUE}" == await Drand(url, MAINNET).word(GENESIS - 60.0)
        assert [*ANSWERS] == asked


async def test_information_of_the_chain_is_asked_for_once():
    with served(ANSWERS) as (url, asked):
        drand = Drand(url, MAINNET)
        await drand.word(GENESIS)
        await drand.word(GENESIS)
        assert 1 == asked.count(f"/{MAINNET}/info")


@pytest.mark.parametrize(
    "change",
    [
        {f"/{MAINNET}/public/1": None},
        {f"/{MAINNET}/info": None},
        {f"/{MAINNET}/public/1": b"no JSON"},
        {f"/{MAINNET}/public/1": b" " * (MOST + 1)},
        {f"/{MAINNET}/public/1": json.dumps(ROUND_1 | {"randomness": "00" * 32}).encode()},
        {f"/{MAINNET}/info": json.dumps(INFO | {"genesis_time": 0}).encode()},
    ],
    ids=["no round", "no chain", "no JSON", "too long", "wrong number", "wrong chain"],
)
async def test_server_that_fails_or_lies_counts_as_down(change):
    with served(ANSWERS | change) as (url, _), pytest.raises(BeaconDown):
        await Drand(url, MAINNET).word(GENESIS)


async def test_server_that_is_silent_counts_as_down_and_holds_nobody_up():
    """Other tasks go on meanwhile."""
    with served(ANSWERS | {f"/{MAINNET}/public/1": "silence"}) as (url, _):
        asking = asyncio.create_task(Drand(url, MAINNET, timeout=0.3).word(GENESIS))
        turns = 0
        while not asking.done():
            await asyncio.sleep(0)
            turns += 1
        with pytest.raises(BeaconDown):
            await asking
        assert turns > 10


async def test_server_that_is_not_there_counts_as_down():
    with served(ANSWERS) as (url, _):
        pass
    with pytest.raises(BeaconDown):
        await Drand(url, MAINNET).word(GENESIS)
