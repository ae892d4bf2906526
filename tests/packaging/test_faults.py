"""The faults that `scripts/mutate --promises` plants still apply, and name tests that exist."""

from collections import Counter

import pytest

from scripts.mutating.faults import FAULTS, Fault
from scripts.mutating.promises import ROOT, DoesNotApply, functions, planted

ENOUGH = 60
GUARDS = ("tests/moderation/test_muted.py",)


@pytest.fixture(scope="module")
def known():
    return functions(ROOT)


def test_each_fault_applies_to_the_code_of_today(known):
    for fault in FAULTS:
        file, text = planted(fault, known)
        assert file.read_text("utf-8") != text


def test_there_are_enough_faults_and_each_promise_is_named_once():
    named = Counter(fault.promise for fault in FAULTS)

    assert len(FAULTS) >= ENOUGH
    assert {1} == {*named.values()}


def test_each_fault_names_tests_that_exist():
    assert [] == [one for fault in FAULTS for one in fault.tests if not is_there(one)]


def is_there(test):
    """Return whether the file of a test is there, with a function of the test's name."""
    file, _, name = test.partition("::")
    path = ROOT / file
    return path.exists() and (not name or f"def {name.partition('[')[0]}(" in path.read_text("utf-8"))


def test_fault_whose_text_is_gone_is_reported(known):
    gone = Fault("nothing", "Sanctions.check_voice", "if muted_by_the_moon:", "if False:", GUARDS)
    with pytest.raises(DoesNotApply, match=r"Sanctions\.check_voice"):
        planted(gone, known)


def test_fault_in_a_function_that_is_gone_is_reported(known):
    with pytest.raises(DoesNotApply, match="no function"):
        planted(Fault("nothing", "Sanctions.hide_voice", "if", "if not", GUARDS), known)
