"""A worker: a process in which bots think, and the pipe to it.

The event loop writes jobs and reads answers itself, without the two threads of a `ProcessPoolExecutor`. That halves the
CPU of a job besides the thinking. To go back to one, let `Workers` submit `answered` to it.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

import attrs

from lilygames.game import Strategy
from lilygames.scheduling.priority import give_way, leave_a_core, lengthen_time_slice
from lilygames_rules.kit import Luck

_NICENESS = 5
"""Nice value of workers, so that the server goes first. With 10, bots move seconds late on a busy machine."""
_AT_ONCE = 32_768
"""Bytes of a job that fit into the pipe, so that writing them never waits. A thread writes longer ones."""


class TooLong(Exception):
    """A strategy has exceeded its CPU time."""


class WorkerDied(Exception):
    """A worker has ended without an answer."""


@attrs.frozen
class Job:
    """A position in which a strategy has to move."""

    strategy: Strategy
    position: bytes
    """The view of a seat and its legal moves, as `PickledPositions` has them."""
    luck: Luck


def move_of(job: Job) -> Any:
    """Return the move that the strategy chooses; raises what it raises."""
    view, moves = pickle.loads(job.position)  # noqa: S301 - the server has written it
    return job.strategy(view, moves, job.luck)


@attrs.frozen
class Answer:
    """The move of a strategy and the seconds that it took, or the error that it raised."""

    move: Any = None
    seconds: float = 0.0
    problem: Exception | None = None


class Worker:
    """A process that does one job at a time. It is spawned, not forked, because the server has threads."""

    def __init__(self, process: BaseProcess, pipe: Connection) -> None:
        self._process = process
        self._pipe = pipe
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(pipe.fileno(), self._hear)
        self._asked: asyncio.Future[Answer] | None = None
        """The answer that someone waits for, if anyone."""
        self.dead = False
        """Whether it does no more jobs."""

    @classmethod
    async def start(cls, brake: float, prepare: Sequence[Callable[[], object]]) -> Worker:
        """Return a new worker; a thread starts it, because that would block the event loop for a tenth of a second."""
        return cls(*await asyncio.to_thread(_started, brake, prepare))

    async def do(self, job: Job) -> Answer:
        """Return the answer to a job. If the task is cancelled, it ends only once the worker is free again.

        Raises `WorkerDied`, and what pickling the job raises.
        """
        packed = pickle.dumps(job, pickle.HIGHEST_PROTOCOL)
        asked = self._asked = self._loop.create_future()
        if len(packed) > _AT_ONCE:
            self._loop.run_in_executor(None, self._write, packed)
        else:
            self._write(packed)
        try:
            return await asyncio.shield(asked)
        except asyncio.CancelledError:
            await asyncio.wait({asked})
            raise

    def _write(self, packed: bytes) -> None:
        with suppress(OSError):  # `_hear` finds that the worker has ended
            self._pipe.send_bytes(packed)

    def _hear(self) -> None:
        """Pass on the answer, or that the process has ended."""
        asked, self._asked = self._asked, None
        try:
            answer = pickle.loads(self._pipe.recv_bytes())  # noqa: S301 - our own process has written it
        except (EOFError, OSError):
            self.close()
            if asked:
                asked.set_exception(WorkerDied())
        else:
            if asked:
                asked.set_result(answer)

    def close(self) -> None:
        """Let the process end after its job; whoever waits for the answer is cancelled."""
        if self.dead:
            return
        self.dead = True
        if not self._loop.is_closed():
            self._loop.remove_reader(self._pipe.fileno())
            if self._asked:
                self._asked.cancel()
        self._pipe.close()
        threading.Thread(target=self._process.join, daemon=True).start()  # otherwise it would stay as a zombie


def _started(brake: float, prepare: Sequence[Callable[[], object]]) -> tuple[BaseProcess, Connection]:
    """Start a process, and return it and the pipe to it."""
    spawn = get_context("spawn")
    here, there = spawn.Pipe()
    with there:
        process = spawn.Process(target=_work, args=(there, brake, prepare), name="bot worker", daemon=True)
        process.start()
    return process, here


# in the process


def _work(pipe: Connection, brake: float, prepare: Sequence[Callable[[], object]]) -> None:
    """Do jobs until the server closes the pipe; each worker first calls the functions of `prepare`."""
    _begin()
    for fill in prepare:
        fill()
    with suppress(EOFError, OSError):
        while True:
            pipe.send_bytes(answered(brake, pipe.recv_bytes()))


def answered(brake: float, packed: bytes) -> bytes:
    """Return the answer to a job, both pickled. A strategy that uses `brake` seconds of CPU is `TooLong`."""
    try:
        return pickle.dumps(_thought(brake, pickle.loads(packed)))  # noqa: S301 - the server has written it
    except Exception as problem:  # noqa: BLE001 - a strategy may raise anything
        return _pickled(problem)


def _thought(brake: float, job: Job) -> Answer:
    begun = time.monotonic()
    signal.setitimer(signal.ITIMER_PROF, brake)
    try:
        return Answer(move_of(job), time.monotonic() - begun)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _pickled(problem: Exception) -> bytes:
    """Return an error as an answer; if it can't be pickled, another one that says the same."""
    try:
        packed = pickle.dumps(Answer(problem=problem))
        pickle.loads(packed)  # noqa: S301 - as above
    except Exception:  # noqa: BLE001 - an error's class may do anything
        return pickle.dumps(Answer(problem=RuntimeError(repr(problem))))
    return packed


def _begin() -> None:
    """Ignore Ctrl-C, let the server go first, and end whenever the server ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGPROF, _brake)
    give_way(_NICENESS)
    lengthen_time_slice()
    leave_a_core()
    threading.Thread(target=_end_with_the_host, daemon=True).start()


def _brake(*_: object) -> None:
    raise TooLong


def _end_with_the_host() -> None:
    host = parent_process()
    if host is not None:
        wait([host.sentinel])
        os._exit(0)
