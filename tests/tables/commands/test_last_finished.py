"""Commands about finished games take the last one of the room if no number is given, and say which it is."""

import asyncio
import json
import threading
import time

import pytest

from lilygames.server.shell import exports
from lilygames.tables.verify.slow_jobs import SlowJobs
from tests.toys import TALLY

NONE = "Refused: no game has been finished in lobby lately. Add a game's number; /played lists yours."


async def test_verify_takes_the_last_finished_game_of_the_room(stage, table, finish):
    await finish()
    said = " ".join(await stage.type("bob", "/verify"))

    assert said.startswith("Match: ")
    assert "table #1 (tally)" in said


async def test_export_says_which_game_it_is_and_can_be_verified_as_it_was_saved(stage, table, finish):
    await finish()
    rows = await stage.type("bob", "/export")

    assert "(game #1, the last one here)" == rows[0]
    assert 1 == json.loads(rows[1])["header"]["number"]
    assert exports.verify("\n".join(rows), TALLY).match


async def test_replay_takes_the_last_finished_game_of_the_room(stage, table, finish):
    await finish()

    assert "Replay 1, step 1 of" in (await stage.type("bob", "/replay"))[0]


@pytest.mark.parametrize("command", ["verify", "export", "replay"])
async def test_room_without_a_finished_game_says_what_to_type(stage, command):
    assert NONE == " ".join(" ".join(await stage.type("ann", f"/{command}")).split())


async def test_game_that_is_still_running_is_passed_over(stage, table, finish):
    await finish()
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("ann", "/join tally")

    assert "table #1 (tally)" in " ".join(await stage.type("ann", "/verify"))


async def test_private_game_of_others_is_passed_over(stage, table, finish):
    await finish()
    await stage.type("ann", "/new tally max=3 first-dealer=host private=on")
    stage.enter("cat")
    await stage.type("cat", "/join tally")

    assert "table #1 (tally)" in " ".join(await stage.type("cat", "/verify"))


# the queue of slow jobs


async def test_root_waits_for_one_check_at_most_however_many_are_asked_for():
    slow, done, running, most = SlowJobs(), [], threading.Semaphore(1), []

    def job(name):
        most.append(running.acquire(blocking=False))
        time.sleep(0.001)
        done.append(name)
        running.release()

    checks = [asyncio.ensure_future(slow.later(job, "check")) for _ in range(40)]
    await asyncio.sleep(0)
    await slow.soon(job, "root")
    before = done.index("root")
    await asyncio.gather(*checks)

    assert all(most)
    assert before <= 2
    assert 41 == len(done)


async def test_error_in_a_check_is_raised_and_the_next_one_runs():
    slow = SlowJobs()
    with pytest.raises(ZeroDivisionError):
        await slow.later(divmod, 1, 0)

    assert (2, 1) == await slow.later(divmod, 5, 2)
