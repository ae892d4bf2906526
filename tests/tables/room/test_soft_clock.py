"""Quick tables have no clock, but nobody waits there for someone who is silent: after a minute a bot plays the turn."""

import pytest

from lilygames.gametest.stage import Stage
from lilygames.tables.log.clocks import NONE
from lilygames.tables.room.turn_clock import SOFT
from lilygames.text import Voice
from tests.toys import ALL

GAMES = {name: ALL[name] for name in ("lilypoker", "tally")}
MINUTE = 61
"""Seconds after which a bot has played the turn."""
OLGA, BOB = "Olga", "Bob"


def unwrapped(rows):
    return " ".join(" ".join(rows).split())


class Evening:
    """People at a quick table, and a watch that the test sets."""

    def __init__(self, stage):
        self.stage, self.now = stage, 0.0

    @property
    def bot(self):
        return self.stage.table(1)

    async def open(self, line="/quick lilypoker"):
        """Let Olga, who has another name by now, open a quick table."""
        await self.stage.type(OLGA, line)
        self.bot.clock.now = lambda: self.now
        self.bot.clock.begin_turns_anew()
        self.bot.clock.run()
        return await self.until_asked(OLGA)

    async def until_asked(self, name):
        """Let bots play, and others check or fold, until it is someone's turn."""
        await self.stage.quiet()
        while not self.bot.question(self.stage.people[name]):
            await self.move(*[other for other in self.stage.people if other != name])
        self.taken()

    async def move(self, *names):
        for name in names:
            if self.bot.question(self.stage.people[name]):
                words = self.bot.words(self.stage.people[name])
                await self.stage.type(name, f"/{words[0]}")
        await self.stage.quiet()

    def taken(self):
        return {name: unwrapped(screen.take()) for name, screen in self.stage.screens.items()}

    async def passes(self, seconds):
        """Let time pass, second by second as a clock would look; return what everyone reads."""
        self.taken()
        self.now += seconds
        await self.bot.room.do(self.bot.clock.tick)
        await self.stage.quiet()
        return self.taken()


@pytest.fixture
async def evening():
    stage = await Stage.open(GAMES)
    for name in (OLGA, BOB):
        stage.enter(name)
    return Evening(stage)


@pytest.fixture
async def both(evening):
    """Olga plays at a quick table, Bob has joined her there, and it is her turn."""
    await evening.open()
    await evening.stage.type(BOB, "/quick lilypoker")
    await evening.until_asked(OLGA)
    return evening


async def test_newcomer_joins_a_silent_player_and_moves_within_75_seconds(both):
    bot = both.bot
    assert {OLGA, BOB} == {who.name for who in bot.table.seats.people}

    told = await both.passes(MINUTE)

    assert f"plays for {OLGA} until {OLGA} is back." in told[BOB]
    assert "plays for you. Make a move to take your seat back." in told[OLGA]
    await both.until_asked(BOB)
    assert BOB in {bot.table.seats[seat].name for seat in bot.table.to_move}


async def test_silent_player_is_told_before_a_bot_plays_and_others_too(both):
    told = await both.passes(SOFT - 19)

    assert f"{OLGA} is silent: a bot plays this turn in 19 seconds." in told[BOB]
    yours = "You keep others waiting: a bot plays your turn in 19 seconds. Make a move, or type /moretime."
    assert yours in told[OLGA]


async def test_player_comes_back_by_making_a_move(both):
    await both.passes(MINUTE)
    bot = both.bot
    assert bot.table.stood_in_for(OLGA) is not None

    await both.stage.type(OLGA, "/check")

    assert bot.table.stood_in_for(OLGA) is None
    assert OLGA in {who.name for who in bot.table.seats.people}


@pytest.mark.parametrize("line", ["/quick lilypoker", "/quick tally max=3"])
async def test_someone_alone_with_bots_has_no_clock(evening, line):
    """An hour passes, and nothing happens; no time is shown."""
    await evening.open(line)
    seq, told = evening.bot.table.seq, []
    for _ in range(60):
        told += (await evening.passes(60)).values()

    assert seq == evening.bot.table.seq
    assert {""} == {*told}
    assert NONE == evening.bot.table.clock
    assert ["Clock: none; nobody is being timed."] == await evening.stage.type(OLGA, "/clock")


async def test_minute_begins_when_someone_begins_to_wait(evening):
    """A player who thought for an hour alone has a whole minute from the moment at which another one sits down."""
    await evening.open()
    evening.now += 300
    await evening.stage.type(BOB, "/quick lilypoker")
    await evening.until_asked(OLGA)
    seq = evening.bot.table.seq
    await evening.passes(SOFT - 25)
    assert seq == evening.bot.table.seq

    await evening.passes(30)
    assert evening.bot.table.stood_in_for(OLGA) is not None


async def test_clock_stops_when_the_others_leave_the_place(both):
    both.stage.drop(BOB)
    seq = both.bot.table.seq
    told = await both.passes(MINUTE)

    assert (seq, "") == (both.bot.table.seq, told[OLGA])


async def test_player_without_a_connection_is_played_for_after_a_minute(both):
    both.stage.drop(OLGA)
    await both.passes(MINUTE)

    assert both.bot.table.stood_in_for(OLGA) is not None


async def test_reader_mode_doubles_the_minute(evening):
    evening.stage.enter("Cat", Voice(spoken=True))
    await evening.stage.type("Cat", "/quick lilypoker")
    evening.bot.clock.now = lambda: evening.now
    evening.bot.clock.begin_turns_anew()
    evening.bot.clock.run()
    await evening.stage.type(BOB, "/quick lilypoker")
    await evening.until_asked("Cat")
    await evening.passes(MINUTE)
    assert evening.bot.table.stood_in_for("Cat") is None

    await evening.passes(MINUTE)
    assert evening.bot.table.stood_in_for("Cat") is not None


async def test_player_can_take_more_time_once_a_turn(both):
    await both.passes(50)
    assert "Olga gets 1 minute more." in " ".join(await both.stage.type(OLGA, "/moretime") + [both.taken()[BOB]])
    assert "you have had more time for this turn already" in " ".join(await both.stage.type(OLGA, "/moretime"))

    await both.passes(50)
    assert both.bot.table.stood_in_for(OLGA) is None
    await both.passes(30)
    assert both.bot.table.stood_in_for(OLGA) is not None


async def test_nobody_needs_more_time_alone(evening):
    await evening.open()

    (refusal,) = await evening.stage.type(OLGA, "/moretime")
    assert "Refused: nobody is waiting for you, so you have all the time you want." == refusal


async def test_status_says_what_happens_while_people_wait(both):
    status = unwrapped(await both.stage.type(BOB, "/status"))

    assert status.endswith(f"it is {OLGA}'s turn. A bot plays the turn of someone who is silent for 1 minute.")


async def test_status_at_another_table_names_skip(evening):
    await evening.stage.type(OLGA, "/new tally max=3 first-dealer=host")
    await evening.stage.type(BOB, "/sit tally")
    await evening.stage.type(OLGA, "/start")

    status = unwrapped(await evening.stage.type(OLGA, "/status"))
    assert status.endswith("it is Bob's turn. You can type /skip when someone has been silent for 10 minutes.")


async def test_table_with_a_clock_that_was_asked_for_keeps_it(evening):
    await evening.stage.type(OLGA, "/quick tally max=3 clock=2m")
    header = evening.bot.table.header

    assert ("2 minutes per move", False) == (header.clock.said, header.soft)


async def test_quick_compares_only_what_was_typed(evening):
    """Olga's table is unrated; Bob asked for a number of rounds and nothing else."""
    await evening.stage.type(OLGA, "/new tally max=3 rated=off")
    await evening.stage.type(BOB, "/quick tally max=3")

    assert {OLGA, BOB} == {who.name for who in evening.bot.table.seats.people}


@pytest.mark.parametrize("how", ["/set slow on", "reader"])
async def test_people_who_need_longer_have_twice_the_time(both, how):
    if how == "reader":
        both.stage.screens[OLGA].set_voice(Voice(spoken=True))
    else:
        await both.stage.type(OLGA, how)
    told = await both.passes(MINUTE)
    assert both.bot.table.stood_in_for(OLGA) is None
    assert "plays for" not in told[BOB]
    assert "A bot plays the turn of someone who is silent for 2 minutes." in unwrapped(
        await both.stage.type(BOB, "/status")
    )

    await both.passes(MINUTE)
    assert both.bot.table.stood_in_for(OLGA) is not None


async def test_changing_the_setting_again_and_again_gains_no_time(both):
    for word in ("on", "off", "on", "off"):
        await both.stage.type(OLGA, f"/set slow {word}")
        await both.passes(SOFT / 4 + 1)

    assert both.bot.table.stood_in_for(OLGA) is not None


async def test_clock_shows_the_time_only_while_others_wait(both):
    await both.passes(20)
    assert ["Clock: 1 minute per move while others wait; Olga has 40 seconds left."] == await both.stage.type(
        BOB, "/clock"
    )
    assert "you have 40 seconds left." in unwrapped(await both.stage.type(OLGA, "/clock"))
    both.stage.drop(BOB)

    assert ["Clock: none; nobody is being timed."] == await both.stage.type(OLGA, "/clock")


async def test_quick_table_s_late_rule_is_a_bot_unless_another_one_was_typed(evening):
    await evening.stage.type(OLGA, "/quick tally max=3")
    assert ("substitute", True) == (evening.bot.table.header.late, evening.bot.table.header.soft)
    await evening.stage.type(BOB, "/quick lilypoker late=skip")

    assert "skip" == evening.stage.table(2).table.header.late


async def test_player_whom_nobody_here_waits_for_is_never_told_that_they_are_late(both):
    """Bob has a seat, but isn't here; nobody could skip the turn, and nobody needs to."""
    both.stage.drop(BOB)
    told = []
    for _ in range(30):
        told += (await both.passes(60))[OLGA]

    assert [] == told
