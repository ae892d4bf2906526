"""Nobody waits for ever: late players, what the others can do about them, and what all may agree on."""

import pytest

from lilygames.gametest.stage import Stage
from lilygames.store import StoreUnavailable
from lilygames.text import Voice


class Watch:
    """A clock that a test sets."""

    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
async def play(stage):
    """Return a function that opens ann and bob's shortest Tally with a clock; its `later` lets time pass."""
    watch = Watch()

    async def begin(*words):
        await stage.type("ann", " ".join(["/new tally max=3 first-dealer=host", *words]))
        stage.table(1).clock.now = watch
        await stage.type("bob", "/sit tally")
        await stage.type("ann", "/start")
        return stage.table(1)

    async def later(seconds):
        for screen in stage.screens.values():
            screen.take()
        watch.now += seconds
        bot = stage.table(1)
        await bot.room.do(bot.clock.tick)
        await stage.quiet()
        return {name: screen.take() for name, screen in stage.screens.items()}

    begin.later = later
    return begin


async def test_warning_is_a_line_of_its_own(play):
    await play("clock=60")

    assert (await play.later(31))["ann"] == ["bob has 29 seconds left."]


async def test_others_are_asked_when_time_is_up_and_nothing_is_automatic(play):
    bot = await play("clock=60")
    seq = bot.table.seq

    told = await play.later(61)

    assert " ".join(told["ann"]).startswith("bob is out of time. The others can type /wait, /skip, /substitute or")
    assert bot.table.seq == seq


async def test_late_player_may_be_skipped_with_one_word(play, stage):
    bot = await play("clock=60")
    await play.later(61)

    answer = await stage.type("ann", "/skip")

    assert answer[:2] == ["The table makes a move for bob.", "bob bids 0."]
    assert bot.question(stage.people["ann"])


async def test_player_on_time_is_not_skipped(play, stage):
    await play("clock=60")

    assert await stage.type("ann", "/skip") == ["Refused: nobody is late; bob has 1 minute left."]


async def test_player_cannot_skip_themselves_or_skip_from_outside(play, stage):
    await play("clock=60")
    await play.later(61)
    stage.enter("cat")
    await stage.type("cat", "/watch tally")

    assert "Refused: only players at tally" in (await stage.type("cat", "/skip"))[0]


async def test_table_set_to_move_automatically_does(play):
    await play("clock=60 late=skip")

    assert (await play.later(61))["ann"][:2] == ["The table makes a move for bob.", "bob bids 0."]


async def test_bot_keeps_the_seat_and_gives_it_back(play, stage):
    """Everyone is told both."""
    await play("clock=60")
    await play.later(61)
    stage.drop("bob")

    told = await stage.type("ann", "/substitute")
    stage.screens["ann"].take()
    stage.enter("bob")
    await stage.quiet()

    assert "A bot, Ada, plays for bob until bob is back." in told
    assert "bob is back and takes over from Ada." in stage.screens["ann"].rows
    assert stage.table(1).seat_of("bob") == 1
    assert any("Your hand:" in row for row in stage.screens["bob"].rows)


async def test_waiting_gives_the_same_time_again(play, stage):
    await play("clock=60")
    await play.later(61)

    assert await stage.type("ann", "/wait") == ["bob gets 1 minute more."]
    assert "bob has 59 seconds left" in " ".join(await stage.type("ann", "/clock"))


async def test_absent_seat_without_a_clock_is_late_after_a_minute(play, stage):
    await play()
    stage.drop("bob")

    assert not [row for row in (await play.later(59))["ann"] if "away" in row]
    assert (await play.later(2))["ann"] == ["bob is away. The others can type /wait, /skip, /substitute or /adjourn."]


async def test_move_on_its_way_comes_before_an_expiry_or_after_it_but_never_both(play, stage):
    """Each seat has one deadline with a generation: nothing moves for a player who has moved."""
    bot = await play("clock=60 late=skip")
    await stage.type("bob", "1")

    await play.later(61)

    assert [type(bot.table.past[-1].act).__name__] == ["Expired"]
    assert bot.table.past[-1].act.seat == 0


async def test_adjourned_game_waits_for_all_to_agree_and_goes_on_the_same_way(play, stage):
    bot = await play("clock=60")

    assert "You want to adjourn the game. To agree, bob can type /adjourn." in await stage.type("ann", "/adjourn")
    await stage.type("bob", "/adjourn")
    assert "Refused: the game is adjourned. Type /resume to continue it." in await stage.type("bob", "bid 1")
    assert (await play.later(1000))["ann"] == []
    await stage.type("bob", "/resume")
    assert "The game continues." in await stage.type("ann", "/resume")
    assert bot.question(stage.people["bob"])


async def test_adjourned_game_survives_a_restart_and_is_named_at_login(play, stage, store, tally):
    await play()
    await stage.type("ann", "/adjourn")
    await stage.type("bob", "/adjourn")

    again = await Stage.open(tally, store=store)
    again.enter("ann")

    assert any("adjourned: type /resume" in row for row in again.screens["ann"].rows)


async def test_bid_may_be_taken_back_when_all_agree(play, stage):
    """It drew no luck, and showed nothing hidden."""
    bot = await play()
    await stage.type("bob", "1")
    await stage.type("bob", "/undo")

    assert "The last move was taken back." in await stage.type("ann", "/undo")
    assert bot.question(stage.people["bob"])
    assert not bot.question(stage.people["ann"])


async def test_card_that_was_shown_stays_played(play, stage):
    bot = await play()
    for seat in (1, 0):
        await stage.type(bot.table.seats[seat].name, str(bot.table.game.spell(bot.questions.offered(seat)[0])))
    name = "bob" if bot.question(stage.people["bob"]) else "ann"
    await stage.type(name, bot.table.game.spell(bot.questions.offered(bot.seat_of(name))[0]))

    assert "something was drawn or revealed" in " ".join(await stage.type(name, "/undo"))


async def test_clock_of_a_table_changes_when_all_agree(play, stage):
    """The same table changes from live to slow and back."""
    bot = await play()
    told = await stage.type("ann", "/pace 3d")
    assert "You want a clock with 3 days per move. To agree, bob can type" in " ".join(told)
    await stage.type("bob", "/pace 2d")
    assert "none" == str(bot.table.clock)
    await stage.type("bob", "/pace 3d")

    assert bot.table.clock.said == "3 days per move"
    assert (await play.later(86400))["ann"] == []


async def test_queued_move_is_made_in_its_turn(play, stage):
    await play()
    await stage.type("ann", "/queue bid 1")

    assert "ann bids 1." in await stage.type("bob", "1")


async def test_queued_move_that_became_illegal_is_dropped_and_reported(play, stage):
    """The last bidder may not make the bids add up to the tricks."""
    await play()
    await stage.type("ann", "/queue bid 0")
    stage.screens["ann"].take()
    await stage.type("bob", "1")

    assert "Your queued move “bid 0” isn't possible now." in stage.screens["ann"].rows


async def test_full_disk_makes_nobody_late(play, stage, store):
    """The game pauses, says so, and goes on when there is room again."""
    bot = await play("clock=60 late=skip")
    store.fail_next(StoreUnavailable("full"), call="append", landed=False)
    await play.later(61)

    assert bot.clock.clocks.left(1, bot.clock.now()) == 60


@pytest.mark.parametrize("line", ["/moretime bob", "/moretime bob 5"])
async def test_time_is_given_to_others(play, stage, line):
    await play("clock=60")

    assert "bob gets " in (await stage.type("ann", line))[0]
    assert "Refused: you can only give more time to another player" in (await stage.type("bob", line))[0]


# Notices call the person they are about "you".


def unwrapped(rows):
    """Return rows as one text."""
    return " ".join(" ".join(rows).split())


async def test_warning_on_your_own_screen_says_you(play):
    await play("clock=60")

    assert (await play.later(31))["bob"] == ["You have 29 seconds left."]


async def test_warning_is_said_to_a_listener_as_well(play, stage):
    await play("clock=60")
    stage.enter("bob", Voice(spoken=True))

    assert (await play.later(31))["bob"] == ["You have 29 seconds left."]


async def test_player_whose_time_is_up_is_called_you(play):
    await play("clock=60")

    told = unwrapped((await play.later(61))["bob"])

    assert told.startswith("You are out of time. The others can type /wait, /skip, /substitute or /adjourn.")


async def test_notice_of_a_substitution_says_how_to_take_the_seat_back(play, stage):
    await play("clock=60 late=substitute")

    told = await play.later(61)

    assert "A bot, Ada, plays for bob until bob is back." in told["ann"]
    yours = "A bot, Ada, plays for you. Make a move to take your seat back."
    assert yours in unwrapped(told["bob"])


@pytest.mark.parametrize(
    ("line", "theirs", "yours"),
    [
        ("/skip", "The table makes a move for bob.", "The table makes a move for you."),
        ("/wait", "bob gets 1 minute more.", "You get 1 minute more."),
    ],
)
async def test_notice_is_worded_for_each_reader(play, stage, line, theirs, yours):
    await play("clock=60")
    await play.later(61)

    assert theirs in unwrapped(await stage.type("ann", line))
    assert yours in unwrapped(stage.screens["bob"].take())


async def test_request_is_worded_for_each_reader(play, stage):
    await play()
    stage.screens["bob"].take()

    asked = unwrapped(await stage.type("ann", "/adjourn"))

    assert "You want to adjourn the game. To agree, bob can type /adjourn." in asked
    assert "ann wants to adjourn the game. To agree, you can type /adjourn." in unwrapped(stage.screens["bob"].take())


async def test_clock_is_shown_in_the_readers_words(play, stage):
    await play("clock=60")

    assert "you have 1 minute left" in unwrapped(await stage.type("bob", "/clock"))
    assert "bob has 1 minute left" in unwrapped(await stage.type("ann", "/clock"))


async def test_spectator_reads_all_names(play, stage):
    await play("clock=60")
    stage.enter("eve")
    await stage.type("eve", "/watch tally")

    assert (await play.later(31))["eve"] == ["bob has 29 seconds left."]


async def test_owner_of_a_kept_seat_hears_the_table(play, stage):
    await play("clock=60 late=substitute")
    await play.later(61)

    assert stage.table(1).room.not_watching == set()
    stage.screens["bob"].take()
    await stage.type("ann", "/status")
    await stage.type("ann", stage.table(1).words(stage.people["ann"])[0])

    assert [row for row in stage.screens["bob"].take() if row.startswith("ann ")]
