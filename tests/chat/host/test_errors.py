"""Each kind of error has one answer: its type decides what the person reads and what is logged."""

import pytest
from structlog.testing import capture_logs

from lilygames.commands import Several, Unknown, UsageError, command, declared
from lilygames.errors import NeedsRepair, NotFound, StoreUnavailable, UserError, answer
from lilygames.store import Damaged, Replaced


@command("look")
def _look(_, name: str):
    """Look."""


def _misread():
    (look,) = declared(_look)
    with pytest.raises(UsageError) as wrong:
        look.read("")
    return wrong.value


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (UserError("say it shorter."), "Refused: say it shorter."),
        (NotFound("there is no “x”."), "Refused: there is no “x”."),
        (NeedsRepair("ask the sysop."), "Refused: ask the sysop."),
        (Several("l", ["list", "look"]), "Refused: “l” could be /list or /look; type more of it."),
        (Unknown("loop", ["look"]), "Refused: there is no command /loop. Did you mean /look?"),
        (_misread(), "Usage: /look NAME"),
    ],
    ids=lambda one: type(one).__name__,
)
def test_mistake_of_a_person_is_told_to_them_and_not_logged(problem, said):
    with capture_logs() as logged:
        assert said == answer(problem, "ann")

    assert [] == logged


@pytest.mark.parametrize("problem", [StoreUnavailable("full"), Damaged("torn")])
def test_error_of_the_store_is_logged_with_its_reason(problem):
    with capture_logs() as logged:
        said = answer(problem, "ann")

    assert "Refused: nothing can be saved right now, so nothing was done. Try again in a moment." == said
    assert [("warning", str(problem))] == [(row["log_level"], row["why"]) for row in logged]


def test_replaced_store_is_not_logged_once_more():
    with capture_logs() as logged:
        assert answer(Replaced("gone"), "ann").startswith("Refused: the server can't save anything right now")

    assert [] == logged


def test_bug_is_a_case_number_for_the_person_and_a_traceback_in_the_log():
    bug = KeyError("a secret")
    with capture_logs() as logged:
        said = answer(bug, "ann")

    assert [("error", bug, "ann")] == [(row["log_level"], row["exc_info"], row["name"]) for row in logged]
    assert f"(That's a bug: case {logged[0]['case']}. The sysop knows; /feedback TEXT adds details.)" == said
