"""The priority of processes and threads that compute: lower if the system allows it."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from lilygames.chat.accounts import hashing
from lilygames.scheduling import priority


def niceness_after(*lines):
    """Return the nice value of a new process after these lines of Python; it can't get its priority back."""
    program = "\n".join(("import os; from lilygames.scheduling import priority", *lines, "print(os.nice(0))"))
    return int(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout)


@pytest.fixture
def forbidden(monkeypatch):
    """A system that denies setpriority(2), as a unit or a container may."""

    def nice(_):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "nice", nice)


def test_process_gives_way_to_others():
    assert min(19, os.nice(0) + 7) == niceness_after("priority.give_way(7)")


@pytest.mark.usefixtures("forbidden")
def test_process_goes_on_if_it_may_not_lower_its_priority():
    priority.give_way(5)


@pytest.mark.usefixtures("forbidden")
def test_passwords_are_hashed_if_threads_may_not_lower_their_priority():
    with ThreadPoolExecutor(1, initializer=hashing._give_way) as threads:
        assert "hashed" == threads.submit(lambda: "hashed").result()


def test_longer_time_slice_keeps_the_nice_value():
    assert min(19, os.nice(0) + 7) == niceness_after("priority.give_way(7)", "priority.lengthen_time_slice()")


def test_time_slice_stays_on_a_machine_whose_system_call_is_not_known(monkeypatch):
    monkeypatch.setattr(priority.platform, "machine", lambda: "abacus")

    assert not priority.lengthen_time_slice()


@pytest.fixture
def machine(monkeypatch):
    """A machine whose process may use some cores; it notes those that are set."""

    def of(*cores):
        chosen = []
        monkeypatch.setattr(os, "sched_getaffinity", lambda _: {*cores}, raising=False)
        monkeypatch.setattr(os, "sched_setaffinity", lambda _, those: chosen.append(those), raising=False)
        monkeypatch.setattr(sys, "platform", "linux")
        return chosen

    return of


def test_process_leaves_the_first_of_its_cores(machine):
    chosen = machine(3, 2, 5)

    assert (True, [{3, 5}]) == (priority.leave_a_core(), chosen)


def test_process_with_one_core_keeps_it(machine):
    chosen = machine(3)

    assert (False, []) == (priority.leave_a_core(), chosen)


def test_process_goes_on_if_it_may_not_leave_a_core(machine, monkeypatch):
    machine(0, 1)

    def refuse(*_):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "sched_setaffinity", refuse)

    assert not priority.leave_a_core()
