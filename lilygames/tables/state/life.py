"""States of a table and the transitions between them.

The log records waiting, shuffling, running, paused, frozen and over (see `written`). Stopped and asleep apply to this
process only. A stopped table hit a bug in the game's code. An asleep table is being handed over to another process.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from lilygames.tables.state.table import Table


class Life(Enum):
    """A table's state."""

    WAITING = "waiting for players"
    SHUFFLING = "shuffling"
    RUNNING = "playing"
    PAUSED = "adjourned"
    FROZEN = "frozen"
    OVER = "over"
    STOPPED = "stopped"
    ASLEEP = "asleep"


TRANSITIONS: Mapping[Life, Mapping[Life, str]] = {
    Life.WAITING: {
        Life.SHUFFLING: "/start, or the last invitation was answered; clients are asked to reveal",
        Life.RUNNING: "/start, or the last invitation was answered; nobody's client committed",
        Life.OVER: "closed before the start",
        Life.STOPPED: "a bug",
        Life.ASLEEP: "handed over to another process",
    },
    Life.SHUFFLING: {
        Life.RUNNING: "every client has revealed",
        Life.WAITING: "a client didn't reveal in time",
        Life.OVER: "closed before the start",
        Life.STOPPED: "a bug",
        Life.ASLEEP: "handed over to another process",
    },
    Life.RUNNING: {
        Life.PAUSED: "/adjourn",
        Life.FROZEN: "the sysop looks into something",
        Life.OVER: "the game ended, or everyone left",
        Life.STOPPED: "a bug",
        Life.ASLEEP: "handed over to another process",
    },
    Life.PAUSED: {
        Life.RUNNING: "/resume",
        Life.FROZEN: "the sysop looks into something",
        Life.OVER: "closed without being resumed",
        Life.STOPPED: "a bug",
        Life.ASLEEP: "handed over to another process",
    },
    Life.FROZEN: {
        Life.RUNNING: "the sysop lets the game go on",
        Life.PAUSED: "the sysop lets an adjourned game go on",
        Life.OVER: "closed without being unfrozen",
        Life.STOPPED: "a bug",
        Life.ASLEEP: "handed over to another process",
    },
    Life.OVER: {
        Life.STOPPED: "a bug while announcing the end",
        Life.ASLEEP: "handed over to another process, which completes the end",
    },
    Life.STOPPED: {},
    Life.ASLEEP: {
        Life.WAITING: "this process continues",
        Life.SHUFFLING: "this process continues",
        Life.RUNNING: "this process continues",
        Life.PAUSED: "this process continues",
        Life.FROZEN: "this process continues",
        Life.OVER: "this process continues",
        Life.STOPPED: "a bug while reading the log",
    },
}
"""Allowed next states, with the reason for each.

The next process restarts a stopped table.
"""


class WrongTransition(Exception):
    """A transition between states that is not allowed."""

    def __init__(self, before: Life, after: Life) -> None:
        super().__init__(f"a table can't change from {before.value} to {after.value}")


RESTING = (Life.STOPPED, Life.ASLEEP)
"""States in which bots and clocks do nothing in this process, whatever the log says."""


def stopped(case: str) -> str:
    """Return the message for a stopped table, as the end of a sentence."""
    return f"stopped (case {case}) because of a bug. The sysop knows; /feedback TEXT adds details"


def written(table: Table) -> Life:
    """Return a table's state according to its log."""
    if table.closed:
        return Life.OVER
    if not table.started:
        return Life.SHUFFLING if table.rounds.sealed else Life.WAITING
    if table.frozen:
        return Life.FROZEN
    return Life.PAUSED if table.paused else Life.RUNNING


def after(now: Life, following: Life) -> Life:
    """Return the next state, which may be the same; raises `WrongTransition`."""
    if following is not now and following not in TRANSITIONS[now]:
        raise WrongTransition(now, following)
    return following


def next_life(now: Life, table: Table) -> Life:
    """Return the state after a log entry.

    Log entries don't wake a stopped or sleeping table.
    """
    return now if now in RESTING else after(now, written(table))
