"""The states of a table's life, and the ways from one to another.

Waiting, running, paused and over are what its log says (`written`). Stopped and asleep are of this process alone: a bug
of the game's code has stopped the table here, or another process is about to go on with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from lilygames.tables.table import Table


class Life(Enum):
    """How far a table has come."""

    WAITING = "waiting for players"
    RUNNING = "playing"
    PAUSED = "adjourned"
    OVER = "over"
    STOPPED = "stopped"
    ASLEEP = "asleep"


TRANSITIONS: Mapping[Life, Mapping[Life, str]] = {
    Life.WAITING: {
        Life.RUNNING: "/start, or the last who was invited has answered: the first card is dealt",
        Life.OVER: "it is closed before anybody has begun",
        Life.STOPPED: "a bug",
        Life.ASLEEP: "another process is about to go on",
    },
    Life.RUNNING: {
        Life.PAUSED: "/adjourn",
        Life.OVER: "the game has ended, or nobody of it is left",
        Life.STOPPED: "a bug",
        Life.ASLEEP: "another process is about to go on",
    },
    Life.PAUSED: {
        Life.RUNNING: "/resume",
        Life.OVER: "it is closed without being resumed",
        Life.STOPPED: "a bug",
        Life.ASLEEP: "another process is about to go on",
    },
    Life.OVER: {
        Life.STOPPED: "a bug, when the end is told",
        Life.ASLEEP: "another process is about to go on with what the end brings",
    },
    Life.STOPPED: {},
    Life.ASLEEP: {
        Life.WAITING: "this process goes on",
        Life.RUNNING: "this process goes on",
        Life.PAUSED: "this process goes on",
        Life.OVER: "this process goes on",
        Life.STOPPED: "a bug, when the log is read",
    },
}
"""For each state those that may follow, and what leads there. A stopped table is begun anew by the next process."""


class WrongTransition(Exception):
    """A table was to go from one state to another that does not follow."""

    def __init__(self, before: Life, after: Life) -> None:
        super().__init__(f"no table that is {before.value} can be {after.value} next")


def stopped(case: str) -> str:
    """Return what people are told of a stopped table, as the end of a sentence."""
    return f"stopped (case {case}); its log is kept, and the sysop knows. Type /feedback TEXT to tell more"


def written(table: Table) -> Life:
    """Return the state that a table's log says it is in."""
    if table.closed:
        return Life.OVER
    if not table.started:
        return Life.WAITING
    return Life.PAUSED if table.paused else Life.RUNNING


def after(now: Life, following: Life) -> Life:
    """Return the state that follows, which may be the same; raises `WrongTransition`."""
    if following is not now and following not in TRANSITIONS[now]:
        raise WrongTransition(now, following)
    return following


def next_life(now: Life, table: Table) -> Life:
    """Return the state after an entry that led to this table: what is stopped or asleep does not go on by it."""
    return now if now in (Life.STOPPED, Life.ASLEEP) else after(now, written(table))
