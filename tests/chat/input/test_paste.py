"""Pasted talk reaches the room only after a yes."""

import attrs
import pytest

from lilygames.chat.input import paste
from lilygames.gametest.stage import SETTINGS, Stage
from lilygames.text import Voice
from tests.toys import TOYS

ASKS = "You pasted 300 lines. Type yes to send them, no to drop them. (The first 5 were sent.)"


AS_USUAL = attrs.evolve(SETTINGS, talk_lines_per_second=5)


@pytest.fixture
async def stage():
    """Ann, bob and cat in the lobby."""
    stage = await Stage.open(TOYS, settings=AS_USUAL)
    for name in ("ann", "bob", "cat"):
        stage.enter(name)
    return stage


@pytest.fixture
async def time(monkeypatch):
    """A clock that tests set, and the timers that it fires."""
    clock = Clock()
    monkeypatch.setattr(paste, "time", clock)
    monkeypatch.setattr(paste, "get_running_loop", lambda: clock)
    return clock


class Clock:
    """A loop's clock and its timers."""

    def __init__(self):
        self.now = 1000.0
        self.timers = []

    def monotonic(self):
        return self.now

    def call_later(self, seconds, call, *args):
        timer = Timer(self.now + seconds, lambda: call(*args))
        self.timers.append(timer)
        return timer

    def go(self, seconds):
        """Let time pass."""
        self.now += seconds
        due = [timer for timer in self.timers if timer.at <= self.now]
        self.timers = [timer for timer in self.timers if timer.at > self.now]
        for timer in due:
            timer.fire()


class Timer:
    """A timer that can be cancelled."""

    def __init__(self, at, call):
        self.at, self._call = at, call

    def fire(self):
        if self._call:
            self._call()

    def cancel(self):
        self._call = None


async def pasted(stage, name, number=300, text="line {}"):
    """Type lines without a pause, and return what bob has read of them."""
    for one in range(number):
        await stage.hear(name, text.format(one))
    return said(stage, "bob")


def said(stage, name):
    """Return the talk that someone has been shown since the last look."""
    return [row.removeprefix(" - ") for row in stage.screens[name].take() if row.startswith(" - ")]


def read(stage, name):
    return " ".join(" ".join(stage.screens[name].take()).split())


async def test_pasted_lines_wait_for_a_yes(stage, time):
    assert [f"line {one}" for one in range(5)] == await pasted(stage, "ann")
    time.go(1)
    assert ASKS in read(stage, "ann")

    await stage.type("ann", "YES")
    assert [f"line {one}" for one in range(5, 300)] == said(stage, "bob")


@pytest.mark.parametrize("answer", ["no", "N"])
async def test_pasted_lines_are_dropped_after_a_no(stage, time, answer):
    await pasted(stage, "ann")
    time.go(1)

    assert ["(The lines you pasted weren't sent.)"] == await stage.type("ann", answer)
    time.go(1.1)
    await stage.type("ann", "yes")
    assert ["yes"] == said(stage, "bob")


async def test_offer_ends_after_a_minute(stage, time):
    await pasted(stage, "ann")
    time.go(1)
    time.go(60)

    assert "(The 295 lines you pasted weren't sent.)" in read(stage, "ann")
    await stage.type("ann", "yes")
    assert ["yes"] == said(stage, "bob")


async def test_lines_that_wait_for_a_yes_cost_nothing(stage, time):
    """Otherwise the question would come only when the rate limit has let all lines in: after 26 s for 300."""
    stage.enter("Äda")
    await pasted(stage, "Äda")

    assert 295 == stage.screens["Äda"].given_back


async def test_other_lines_are_said_while_the_offer_is_open(stage, time):
    await pasted(stage, "ann")
    time.go(2)
    await stage.type("ann", "sorry, that was too much")

    assert ["sorry, that was too much"] == said(stage, "bob")
    await stage.type("ann", "no")
    assert [] == said(stage, "bob")


async def test_five_lines_at_once_are_said(stage, time):
    assert 5 == len(await pasted(stage, "ann", 5))
    time.go(1.1)
    assert 5 == len(await pasted(stage, "ann", 5))


async def test_pasted_private_messages_and_quoted_lines_wait_too(stage, time):
    assert 5 == len(await pasted(stage, "ann", 20, "bob;secret {}"))
    time.go(1)
    await stage.type("ann", "no")
    time.go(1)
    assert 5 == len(await pasted(stage, "ann", 20, "'quoted {}"))


async def test_moves_and_commands_typed_ahead_do_not_count(time):
    stage = await Stage.open(TOYS, settings=AS_USUAL)
    for name in ("Ann", "bob"):
        stage.enter(name)
    await stage.type("Ann", "/new tally")
    for line in ["/who", "/time", "who", "/join lobby", "/blurb hi", "/here", "help", "/rooms"] * 3:
        await stage.type("Ann", line)
    stage.screens["bob"].take()

    assert 5 == len(await pasted(stage, "Ann", 5, "lobby;line {}"))


async def test_program_in_machine_mode_is_exempt(time):
    stage = await Stage.open(TOYS, settings=AS_USUAL)
    stage.enter("ann", Voice(each=True))
    stage.enter("bob")

    assert 300 == len(await pasted(stage, "ann"))


async def test_no_more_than_a_thousand_lines_are_kept(stage, time):
    await pasted(stage, "ann", 1500)
    time.go(1)
    assert "You pasted 1500 lines. Type yes to send 1000 of them, no to drop them." in read(stage, "ann")

    await stage.type("ann", "yes")
    assert 1000 == len(said(stage, "bob"))


async def test_lines_pasted_into_a_page_are_asked_about(stage, time):
    """A page is a program, but people paste into it; and it shows no line of the kind `turn`."""
    screen = stage.enter("ann", Voice(each=True))
    screen.page = screen.takes_packets = True
    for number in range(300):
        await stage.type("ann", f"line {number}")
    time.go(1)

    assert ASKS in read(stage, "ann")
    assert 5 == len(said(stage, "bob"))
