"""A bare number goes to the table whose question is on the screen, if several are waiting for you."""

import pytest

from lilygames.gametest.stage import Stage
from lilygames.text import Voice
from tests.toys import ALL

NOTE = "liedie: your turn; type /next"
NUMBERS = {"liedie": 1, "tally": 2}


def asks(rows, room):
    """Return how often a table's question, with its numbers, is among rows."""
    return sum(row.removeprefix(f"#{NUMBERS[room]} ").startswith("Your turn: ") for row in rows)


@pytest.fixture
async def stage(store):
    stage = await Stage.open(ALL, store=store)
    for name in ("ann", "bob", "cat"):
        stage.enter(name)
    return stage


@pytest.fixture
async def two(stage):
    """Ann at Tally, where she has to bid, and at Lie Die, where cat is about to claim to her."""
    await stage.type("cat", "/new liedie first=host clock=none")
    await stage.type("ann", "/sit liedie")
    await stage.type("cat", "/start")
    await stage.type("bob", "/new tally max=3 first-dealer=host")
    await stage.type("ann", "/sit tally")
    await stage.type("bob", "/start")
    stage.screens["ann"].take()
    return stage


async def test_question_that_comes_between_a_question_and_the_key_takes_no_numbers(two):
    """Ann has to bid, then Lie Die asks her, and her 1 is still the bid."""
    await two.type("cat", "claim 66666")

    assert ["#1 cat tells you: 66666, five sixes.", NOTE] == two.screens["ann"].take()
    assert "#2 You bid 1. Waiting for bob." in await two.type("ann", "1")


async def test_question_that_waits_is_printed_again_when_the_first_is_answered(two):
    await two.type("cat", "claim 66651")

    rows = await two.type("ann", "1")

    assert rows[0] == "#2 You bid 1. Waiting for bob."
    assert rows[-1] == "#1 Your turn: 1. accept  2. challenge"
    assert "#1 You challenge cat's 66651" in " ".join(await two.type("ann", "2"))


async def test_open_question_is_never_answered_by_the_number_of_an_answered_one(two):
    """Both tables wait: the second number goes to the question that was printed between them."""
    await two.type("cat", "claim 66651")
    seq = two.table(1).table.seq

    await two.type("ann", "1")

    assert seq == two.table(1).table.seq
    assert two.people["ann"].focus.table() is two.table(1)


async def test_with_no_question_open_the_next_one_to_arrive_has_the_numbers(two):
    await two.type("ann", "1")

    await two.type("cat", "claim 66651")

    assert "#1 Your turn: 1. accept  2. challenge" == two.screens["ann"].take()[-1]


@pytest.mark.parametrize("line", ["/next", "/at liedie", "/at 1"])
async def test_next_and_at_take_the_focus_along(two, line):
    await two.type("cat", "claim 66651")

    assert "#1 Your turn: 1. accept  2. challenge" == (await two.type("ann", line))[-1]

    rows = await two.type("ann", "2")
    assert "#1 You challenge cat's 66651" in " ".join(rows)
    assert rows[-1].startswith("#2 Your turn: bid 0 or 1")


async def test_something_done_at_another_table_shows_what_it_asks_and_gives_it_the_numbers(two):
    """Otherwise a number would answer the question that was on the screen before."""
    await two.type("cat", "claim 66651")

    rows = await two.type("ann", "/at liedie table")

    assert "#1 Your turn: 1. accept  2. challenge" == rows[-1]
    assert two.people["ann"].focus.table() is two.table(1)


async def test_number_at_another_table_has_to_have_been_shown(two):
    """The moves of Lie Die were never on the screen: they are shown, and nothing is done."""
    await two.type("cat", "claim 66651")
    seq = two.table(1).table.seq

    rows = await two.type("ann", "/at liedie 2")

    assert "#1 Refused: there's no option 2 on your screen. Your options:" == rows[0]
    assert "#1 Your turn: 1. accept  2. challenge" == rows[2]
    assert seq == two.table(1).table.seq


async def test_number_that_is_an_answer_needs_no_list(two):
    await two.type("ann", "/at liedie")

    assert "#2 You bid 1. Waiting for bob." in await two.type("ann", "/at tally 1")


async def test_move_by_its_name_goes_to_the_table_that_has_it(two):
    """Tally has the focus, but `accept` isn't a bid."""
    await two.type("cat", "claim 66651")

    rows = await two.type("ann", "accept")

    assert rows[0].startswith("#1 Beat 66651 by cat. Your dice: ")
    assert asks(rows, "liedie") == 1, "it was typed at last, so its next question has the numbers"


async def test_number_out_of_turn_names_the_player_to_wait_for(two):
    await two.type("ann", "1")

    assert "To say it, type '1" in (await two.type("ann", "1"))[0]


async def test_number_without_focus_shows_what_waits_and_does_nothing(two):
    """She has gone to look at the other table, where it isn't her turn."""
    await two.type("ann", "/at liedie")
    seq = two.table(2).table.seq

    rows = await two.type("ann", "1")

    assert "Refused: another table is waiting for you. A number answers this question:" == rows[0]
    assert asks(rows, "tally") == 1
    assert seq == two.table(2).table.seq
    assert "#2 You bid 1. Waiting for bob." in await two.type("ann", "1")


async def test_enter_shows_the_question_with_the_focus(two):
    await two.type("cat", "claim 66651")

    assert asks(await two.type("ann", ""), "tally") == 1


async def test_after_a_reconnect_the_numbers_belong_to_where_you_are(two):
    """Tally has waited longer. She is in its room, and her 1 is her bid."""
    await two.type("cat", "claim 66651")
    await two.type("ann", "/join lobby")
    two.drop("ann")

    rows = two.enter("ann").take()

    assert "You're in tally with bob." == rows[0]
    assert 1 == asks(rows, "tally")
    assert 0 == asks(rows, "liedie")
    assert "#2 You bid 1. Waiting for bob." in await two.type("ann", "1")


async def test_resumed_session_has_one_question_with_numbers(two):
    await two.type("cat", "claim 66651")
    two.drop("ann")

    two.enter("ann", seen={1: two.table(1).table.seq, 2: two.table(2).table.seq})
    await two.quiet()

    rows = two.screens["ann"].take()
    assert ["Your turn: bid 0 or 1."] == [row for row in rows if "Your turn: " in row]
    assert NOTE in rows
    assert "You bid 1. Waiting for bob." in await two.type("ann", "1")


async def test_reader_mode_names_the_table(two):
    two.enter("ann", Voice(spoken=True))
    two.screens["ann"].take()

    await two.type("cat", "claim 66651")

    assert ["liedie: cat to you: 6 6 6 5 1.", "liedie: your turn; type /next"] == two.screens["ann"].take()


async def test_slow_question_does_not_come_back_automatically_during_a_live_game(two):
    """It was skipped once; it waits until you ask for it or the live game is over."""
    await two.type("cat", "/pace 3d")
    await two.type("ann", "/at liedie pace 3d")
    await two.type("cat", "claim 66651")
    await two.type("ann", "/next")
    await two.type("ann", "/next")

    rows = await two.type("ann", "1")

    assert 0 == asks(rows, "liedie")
    assert "#1 Your turn: 1. accept  2. challenge" == (await two.type("ann", "/next"))[-1]


async def test_question_whose_time_is_up_gives_the_focus_away(two):
    """The table moves for her, so her key must not answer its next question to another player."""
    await two.type("cat", "claim 66651")
    two.screens["ann"].take()
    tally = two.table(2)
    await tally.room.do(lambda: tally.clock.skip(1, "table"))
    await two.quiet()

    rows = two.screens["ann"].take()

    assert rows[-1] == "#1 Your turn: 1. accept  2. challenge"


async def test_repeated_question_takes_no_number_of_the_old_one(two):
    """She was skipped while her answer was on its way, and its question is closed."""
    await two.type("ann", "1")
    await two.type("cat", "claim 66651")
    person, liedie = two.people["ann"], two.table(1)

    async def skipped_and_asked_again():
        await liedie.clock.skip(1, "table")

    liedie.room.post(skipped_and_asked_again)
    await liedie.answer(person, "1")

    assert "the game moved on before you answered" in " ".join(two.screens["ann"].take())


async def test_stopped_table_gives_the_focus_away(two):
    await two.type("cat", "claim 66651")
    two.screens["ann"].take()

    two.table(2).runner.stop(RuntimeError("a bug"))

    assert "#1 Your turn: 1. accept  2. challenge" in two.screens["ann"].take()
