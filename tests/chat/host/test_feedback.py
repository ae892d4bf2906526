"""Feedback reaches only the sysops, with a case number, the version and the sender's screen."""

import re

import pytest

from lilygames import __version__, codec
from lilygames.chat.host import feedback
from lilygames.chat.host.feedback import LONGEST, Case
from lilygames.chat.visits.session import visit
from lilygames.gametest.stage import SETTINGS
from lilygames.limits.quota import FEEDBACK
from lilygames.server.place.place import furnish
from lilygames.store import StoreUnavailable
from lilygames.text import QUOTE, wrap
from tests.screens import MODES, Seen, opened, typed
from tests.toys import TALLY

PASSWORD = "plums and pears"


@pytest.fixture
async def stage(stage):
    """ann, bob and cat in the lobby; bob is the sysop."""
    stage.host.roles.listed = ("bob",)
    return stage


async def sent(stage, name, text):
    """Let `name` send feedback, and return its case number."""
    return re.search(r"case ([0-9a-f]{6})", " ".join(await stage.type(name, f"/feedback {text}")))[1]


async def kept(store):
    """Return the cases in a store."""
    return [codec.from_text(body, Case) for body in (await store.every("feedback")).values()]


async def visited(place, mode, *lines):
    """Log in as `name`, type lines and disconnect; return the lines that the terminal was sent."""
    screen = Seen(mode)
    screen.terminal.feed("".join(f"{line}\r" for line in lines).encode())
    screen.terminal.gone()
    await visit(place.host, place.dispatcher, screen.terminal)
    screen.wire.outbox.flush()
    return screen.wire.transport.sent.decode()


def settings(mode):
    """Return the lines that select this mode."""
    return [f"/set {name} {value}" for name, value in MODES[mode][1].items()]


async def test_sysop_reads_the_feedback_and_the_senders_screen(stage):
    await stage.type("ann", "cat;hello")
    number = await sent(stage, "ann", "My trick was counted twice.")
    assert [f"*** ann has sent feedback: /feedback {number} ***"] == stage.screens["bob"].take()[-1:]

    listed = await stage.type("bob", "/feedback")
    assert listed[0].startswith(f"Case {number}, ")
    assert listed[0].endswith(", ann: My trick was counted twice.")
    rows = await stage.type("bob", f"/feedback {number.upper()}")
    assert re.fullmatch(rf"Case {number} from ann, \w+ \d+ \d\d:\d\d, version {re.escape(__version__)}:", rows[0])
    assert " - My trick was counted twice." in rows
    assert "The last lines on ann's screen:" in rows


async def test_case_is_removed_by_done(stage):
    number = await sent(stage, "ann", "hm")

    assert [f"(Case {number} has been removed.)"] == await stage.type("bob", f"/feedback done {number}")
    assert ["(No feedback is waiting.)"] == await stage.type("bob", "/feedback")
    assert (await stage.type("bob", f"/feedback {number}"))[0].startswith("Refused: no feedback has the case number")


async def test_only_sysops_read_it_and_are_told_of_it(stage, monkeypatch):
    number = await sent(stage, "ann", "hm")

    assert [] == stage.screens["cat"].take()
    assert ["Refused: type /feedback and what you want to tell the sysop."] == await stage.type("cat", "/feedback")
    assert number not in " ".join(await stage.type("cat", f"/feedback done {number}"))
    assert number in " ".join(await stage.type("bob", "/feedback"))


async def test_sysop_who_logs_in_is_told_how_many_cases_wait(stage):
    stage.drop("bob")
    await sent(stage, "ann", "hm")
    await stage.come("bob")

    assert "(1 case of feedback to read; type /feedback to list them)" in stage.screens["bob"].take()


async def test_feedback_survives_a_restart(store):
    place = await furnish(store, SETTINGS, TALLY)
    await visited(place, "line", "guest", "/feedback the clock stands")

    again, screens = await opened(TALLY, store=store, bob="line")
    again.host.roles.listed = ("bob",)
    await typed(again, "bob", "/feedback")
    assert any("guest1: the clock stands" in row for row in screens["bob"].take())


async def test_feedback_from_one_address_is_limited_per_hour(stage):
    for n in range(FEEDBACK.limits[0].most):
        await sent(stage, "ann", f"number {n}")

    refused = (await stage.type("cat", "/feedback more"))[0]
    assert f"Refused: you can send feedback {FEEDBACK.limits[0].most} times an hour" in refused
    stage.screens["cat"].address = "elsewhere"
    await sent(stage, "cat", "from another address")


async def test_number_of_waiting_cases_is_limited_and_none_is_lost(stage, monkeypatch):
    monkeypatch.setattr(feedback, "MOST", 2)
    first = [await sent(stage, "ann", "one"), await sent(stage, "ann", "two")]

    assert "Refused: too much feedback is waiting" in (await stage.type("ann", "/feedback three"))[0]
    listed = " ".join(await stage.type("bob", "/feedback"))
    assert all(number in listed for number in first)


async def test_feedback_that_cannot_be_stored_is_refused(stage, monkeypatch):
    async def full(*_):
        raise StoreUnavailable("full")

    with monkeypatch.context() as patch:
        patch.setattr(stage.tables.store, "keep", full)
        assert (await stage.type("ann", "/feedback hm"))[0].startswith("Refused: nothing can be saved right now")
    too_long = await stage.type("ann", "/feedback " + "x" * (LONGEST + 1))
    assert too_long[0].startswith(f"Refused: that's {LONGEST + 1} characters")
    assert ["(No feedback is waiting.)"] == await stage.type("bob", "/feedback")


async def test_unreadable_case_is_skipped(stage):
    await stage.tables.store.keep("feedback", "123456", "{torn")
    number = await sent(stage, "ann", "hm")

    assert number in " ".join(await stage.type("bob", "/feedback"))


@pytest.mark.parametrize("mode", MODES)
async def test_attached_screen_is_the_one_that_the_sender_saw(mode):
    """It holds answers, talk in rooms and private messages; packets and colours never, in any mode."""
    stage, _ = await opened(TALLY, ann=mode, bob="line")
    await typed(stage, "ann", "/set colour on")
    await typed(stage, "bob", "hello everybody")
    await typed(stage, "bob", "ann;psst")
    await typed(stage, "ann", "/feedback hm")
    (case,) = await kept(stage.tables.store)

    screen = "\n".join(case.screen)
    assert all(said in screen.casefold() for said in ("hello everybody", "psst", "colour is on"))
    assert not any(sign in screen for sign in ("\x1b", "\xff", "token", '"players"'))


@pytest.mark.parametrize("mode", MODES)
async def test_attached_screen_is_wrapped_once(mode):
    stage, screens = await opened(TALLY, ann=mode, bob="line", cat="line")
    stage.host.roles.listed = ("bob",)
    await typed(stage, "cat", "word " * 50)
    await typed(stage, "ann", "/feedback hm")
    (case,) = await kept(stage.tables.store)
    await typed(stage, "bob", f"/feedback {case.number}")

    said = next(line for line in case.screen if "word" in line)
    assert 50 == said.count("word")
    rows, once = screens["bob"].take(), wrap(QUOTE + said, 78, QUOTE)
    first = rows.index(once[0])
    assert once == rows[first : first + len(once)]


@pytest.mark.parametrize("mode", MODES)
async def test_attached_screen_ends_after_one_page(mode):
    stage, _ = await opened(TALLY, ann=mode, bob="line")
    for n in range(100):
        await typed(stage, "bob", f"line {n}")
        await typed(stage, "ann", "/why")
    await typed(stage, "ann", "/feedback hm")
    (case,) = await kept(stage.tables.store)

    assert len(case.screen) <= 24
    assert "line 99" in "\n".join(case.screen)


@pytest.mark.parametrize("mode", MODES)
async def test_attached_screen_holds_no_password(mode):
    stage, _ = await opened(TALLY, bob="line")
    lines = ("/password", PASSWORD, "", "/why", "/feedback hm")
    await visited(stage.place, mode, "whammy", PASSWORD, PASSWORD, *settings(mode), *lines)
    (case,) = await kept(stage.tables.store)

    assert "Refused: " in "\n".join(case.screen)
    assert PASSWORD not in "\n".join(case.screen)


@pytest.mark.parametrize("mode", MODES)
async def test_attached_screen_holds_no_return_word(mode):
    stage, _ = await opened(TALLY, bob="line")
    sent = await visited(stage.place, mode, "guest", *settings(mode), "/new tally", "/feedback hm")
    (case,) = await kept(stage.tables.store)

    assert "come back with" in sent
    assert "ou sit at tally" in "\n".join(case.screen)
    assert "come back with" not in "\n".join(case.screen)


async def test_stopped_table_names_feedback(stage):
    """It does so for players at the table and for anyone who asks about it."""
    await stage.type("ann", "/quick tally")
    bot = stage.table(1)
    bot.runner.stop(ValueError("a bug"))

    assert any("/feedback TEXT" in row for row in stage.screens["ann"].take())
    for line in ("/moves", "/table", "bid 0", "/tables"):
        answer = " ".join(" ".join(await stage.type("ann", line)).split())
        assert f"stopped (case {bot.case})" in answer, line
        assert "/feedback TEXT" in answer, line
