"""Nothing is lost: /review shows talk again by time, person and kind, and talk survives a restart."""

import asyncio
import time

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lilygames import codec
from lilygames.chat.people.events import KINDS, ChatEvent
from lilygames.chat.talk.history import as_text
from lilygames.chat.talk.review import FEW, MOST, Wanted
from lilygames.gametest.stage import SETTINGS, Stage
from lilygames.server.place.place import furnish
from lilygames.store import StoreUnavailable
from lilygames.store.memory import MemoryStore
from tests.deadline import DEADLINE
from tests.toys import TALLY

HOUR, DAY = 3600.0, 86400.0


@pytest.fixture
def store():
    return MemoryStore()


@pytest.fixture
async def stage(store):
    """A stage on which it is noon, until a test sets the clock."""
    stage = await Stage.open(TALLY, store=store)
    stage.now = 1_000_000_000.0
    stage.host.clock = lambda: stage.now
    for name in ("ann", "bob", "cat"):
        stage.enter(name)
    return stage


async def bodies(stage, name, line):
    """Return the lines of talk in a review."""
    return bodies_of(await stage.type(name, line))


def bodies_of(rows):
    return [row.removeprefix("#  - ") for row in rows if row.startswith("#  - ")]


async def test_review_has_lilys_format(stage):
    await stage.type("ann", "hello")

    assert [
        "(Beginning review: Sun Sep 09 01:46:40 2001 UTC)",
        "#  -> (01:46) From ann, to lobby:",
        "#  - hello",
        "(End of review)",
    ] == await stage.type("bob", "/review lobby")


async def test_times_are_in_the_servers_time_zone(store, monkeypatch):
    """Summer time in Berlin is two hours ahead of UTC."""
    monkeypatch.setattr("lilygames.gametest.stage.SETTINGS", attrs.evolve(SETTINGS, timezone="Europe/Berlin"))
    stage = await Stage.open(TALLY, store=store)
    stage.host.clock = lambda: 1_000_000_000.0
    stage.enter("ann")
    await stage.type("ann", "hello")

    rows = await stage.type("ann", "/review lobby")
    await furnish(store, SETTINGS, TALLY)
    assert "(Beginning review: Sun Sep 09 03:46:40 2001 CEST)" in rows
    assert "#  <- (03:46) From ann, to lobby:" in rows


async def test_your_own_messages_have_the_arrow_turned_round(stage):
    await stage.type("ann", "bob;psst")

    assert "#  << (01:46) Private message to bob:" in await stage.type("ann", "/review me")


async def test_review_is_chosen_by_time_number_and_name(stage):
    for hour, who in enumerate(("ann", "bob", "cat")):
        stage.now += HOUR if hour else 0
        await stage.type(who, f"{who} speaks")

    assert ["bob speaks", "cat speaks"] == await bodies(stage, "ann", "/review lobby last 1h")
    assert ["cat speaks"] == await bodies(stage, "ann", "/review lobby 1")
    assert ["bob speaks"] == await bodies(stage, "ann", "/review lobby 9d from bob")


async def test_arrivals_and_departures_are_left_out_unless_requested(stage):
    await stage.type("ann", "/join tally")
    await stage.type("bob", "/join tally")

    assert ["(No events to review for tally)"] == await stage.type("ann", "/review tally")
    assert "# *** (01:46) bob is now a member of tally ***" in await stage.type("ann", "/review tally join")


async def test_private_messages_are_in_nobody_elses_review(stage):
    await stage.type("ann", "bob;psst")

    assert ["psst"] == await bodies(stage, "bob", "/review me")
    assert [] == await bodies(stage, "cat", "/review")


async def test_only_members_review_a_discussion(stage):
    await stage.type("ann", "/create cafe")
    await stage.type("ann", "hello")

    assert "Refused: only members can review" in (await stage.type("bob", "/review cafe"))[0]


async def test_history_survives_a_restart(stage, store):
    await stage.type("ann", "hello")
    await stage.history.finish()
    again = await Stage.open(TALLY, store=store)
    again.enter("bob")

    assert ["hello"] == await bodies(again, "bob", "/review lobby")


async def test_history_waits_for_a_store_that_is_full(stage, store, monkeypatch):
    """Talk goes out at once, and is stored when there is room again."""
    monkeypatch.setattr("lilygames.chat.talk.history.RETRY", 0)
    store.fail_next(StoreUnavailable("full"), call="append", landed=False)
    await stage.type("ann", "hello")
    await stage.history.finish()

    assert ["hello"] == await bodies(stage, "bob", "/review lobby")


async def test_store_that_stays_full_keeps_nobody_waiting(stage, store):
    """Neither a review nor a login waits."""
    stage.drop("bob")
    await stage.type("ann", "kept")
    await stage.history.finish()
    for _ in range(9):
        store.fail_next(StoreUnavailable("full"), call="append", landed=False)
    await stage.type("ann", "not kept yet")
    await asyncio.wait_for(stage.come("bob"), DEADLINE)

    assert ["kept"] == await asyncio.wait_for(bodies(stage, "bob", "/review lobby"), DEADLINE)


async def test_login_works_while_nothing_can_be_read(come, store, place):
    await come("dora", "plums and pears", "plums and pears")
    store.fail_next(StoreUnavailable("gone"), call="heads")
    terminal = await come("dora", "plums and pears", "/why")

    assert "(the messages you missed can't be read right now; try /review later)" in terminal.rows
    assert "(why not?)" in terminal.rows
    assert {} == place.host.people


async def test_returning_person_is_told_in_one_line_what_they_missed(stage):
    stage.drop("bob")
    await stage.type("ann", "bob,cat;are you in?")
    await stage.type("ann", "hello")
    stage.now += 3 * DAY
    await stage.come("bob")
    rows = " ".join(" ".join(stage.screens["bob"].take()).split())

    assert "(while you were away, since Sun 01:46 UTC: 1 private message and 1 message in lobby; type" in rows
    assert ["are you in?", "hello"] == await bodies(stage, "bob", "/review")


async def test_person_who_was_away_is_told_as_well(stage):
    """The line counts talk since then, without people whom they ignore."""
    await stage.type("ann", "before")
    stage.now += HOUR
    await stage.type("bob", "/away supper")
    await stage.type("bob", "/ignore cat all")
    for name in ("ann", "bob", "cat"):
        await stage.type(name, f"{name} speaks")
    rows = " ".join(await stage.type("bob", "/here"))

    assert rows.startswith("(you are now here with the blurb [supper]) (while you were away, since Sun 02:46 UTC: 1 m")
    assert ["ann speaks", "bob speaks"] == await bodies(stage, "bob", "/review")


async def test_arrivals_and_departures_cannot_hide_talk(stage, monkeypatch):
    """A long log is read page by page, as far as needed."""
    monkeypatch.setattr("lilygames.chat.talk.history.PAGE", 5)
    await stage.type("cat", "/join tally")
    await stage.type("cat", "hello")
    for _ in range(20):
        await stage.type("bob", "/join tally")
        await stage.type("bob", "/quit tally")

    assert ["hello"] == await bodies(stage, "cat", "/review tally 20")


async def test_huge_number_of_missed_messages_is_not_counted(stage, monkeypatch):
    monkeypatch.setattr("lilygames.chat.host.missed.MANY", 3)
    stage.drop("bob")
    for n in range(9):
        await stage.type("ann", f"line {n}")
    await stage.come("bob")

    assert "3 messages or more in lobby" in " ".join(" ".join(stage.screens["bob"].take()).split())


async def test_returning_person_who_missed_nothing_is_told_nothing(stage):
    stage.drop("bob")
    await stage.come("bob")

    assert "while you were away" not in " ".join(stage.screens["bob"].take())


async def test_review_of_a_year_is_cut_and_says_so(stage):
    for n in range(MOST + 50):
        await stage.type("ann", f"line {n}")
    rows = await stage.type("bob", "/review lobby 365d")

    assert "(there are earlier ones: add “page 2” to see them)" in rows
    assert [f"line {n}" for n in range(50, MOST + 50)] == bodies_of(rows)
    assert [f"line {n}" for n in range(50)] == await bodies(stage, "bob", "/review lobby 365d page 2")
    answer = await stage.type("bob", "/review lobby 365d page 3")
    assert ["(There are no events that match your review)"] == answer


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("", Wanted(most=FEW)),
        ("from bob", Wanted(most=FEW, by="bob")),
        ("detach", Wanted(since=500.0)),
        ("2m", Wanted(since=880.0)),
        ("50", Wanted(most=50)),
        ("2m 50", Wanted(since=880.0, most=50)),
        ("50 last 2m", Wanted(since=880.0, most=50)),
        ("detach from Bob", Wanted(since=500.0, by="bob")),
        ("9999999", Wanted(most=MOST)),
        ("join,quit", Wanted(most=FEW, kinds=frozenset({"join", "quit"}))),
        ("5 page 3", Wanted(most=5, page=3)),
    ],
)
def test_words_choose_what_is_reviewed(words, wanted):
    assert wanted == Wanted.read(words.split(), 1000.0, 500.0)


async def test_review_of_a_room_shows_its_last_lines_even_if_you_read_them(stage):
    for n in range(FEW + 5):
        await stage.type("ann", f"line {n}")
    await stage.type("ann", "bob;psst")
    stage.now += HOUR
    stage.drop("bob")
    await stage.come("bob")

    assert [f"line {n}" for n in range(5, FEW + 5)] == await bodies(stage, "bob", "/review lobby")
    assert ["psst"] == await bodies(stage, "bob", "/review me")
    assert ["(No events to review for lobby)"] == await stage.type("bob", "/review lobby detach")


async def test_review_of_everything_shows_the_last_lines_if_you_missed_nothing(stage):
    await stage.type("ann", "hello")
    stage.now += HOUR
    stage.drop("bob")
    await stage.come("bob")
    assert ["hello"] == await bodies(stage, "bob", "/review")

    stage.drop("bob")
    stage.now += HOUR
    await stage.type("ann", "are you in?")
    await stage.come("bob")
    assert ["are you in?"] == await bodies(stage, "bob", "/review")


async def test_log_of_a_table_that_has_not_started_says_so(stage):
    await stage.type("ann", "/new tally")

    answer = ["(Table #1 hasn't started yet, so there is nothing to show.)"]
    assert answer == await stage.type("ann", "/log")
    assert answer == await stage.type("bob", "/log 1")


async def test_shutdown_waits_for_talk_to_be_stored_but_not_for_ever(stage, store):
    await stage.type("ann", "hello")
    assert await stage.kept()
    for _ in range(9):
        store.fail_next(StoreUnavailable("full"), call="append")
    await stage.type("ann", "hello again")
    assert not await stage.place.kept(0.01)


async def test_review_of_a_table_shows_its_game_as_you_may_know_it(stage):
    """Talk and game appear in order of time; `game` shows the game alone, public and private the talk alone."""
    stage.host.clock = time.time
    for name, line in (("ann", "/new tally max=3 first-dealer=host"), ("bob", "/sit tally"), ("cat", "/watch tally")):
        await stage.type(name, line)
    await stage.type("ann", "/start")
    await stage.type("bob", "'good luck")
    await stage.type("bob", "bid 1")
    game = {name: await stage.type(name, "/review tally 50 game") for name in ("ann", "cat")}
    held = [row.partition(") ")[2] for row in game["ann"] if "Your hand" in row]

    assert held
    assert not any("Your hand" in row for row in game["cat"])
    assert not any("good luck" in row for row in game["cat"])
    rows = await stage.type("cat", "/review tally 50")
    talk, bid = rows.index("#  - good luck"), next(n for n, row in enumerate(rows) if "bob bids 1." in row)
    assert talk < bid
    assert rows[bid].startswith("# (")
    assert rows[bid].endswith(") bob bids 1.")
    assert ["good luck"] == await bodies(stage, "cat", "/review tally 50 public")


async def test_owner_clears_the_review_and_everyone_is_told(stage):
    await stage.type("ann", "/create cafe")
    await stage.type("bob", "/join cafe")
    await stage.type("bob", "my secret")
    stage.now += 1
    await stage.type("ann", "/review clear cafe")

    assert "*** ann has cleared the review of cafe ***" in stage.screens["bob"].take()
    assert [] == await bodies(stage, "bob", "/review cafe 9d")


async def test_ignored_people_are_not_in_your_review(stage):
    await stage.type("ann", "/ignore bob all")
    await stage.type("bob", "ann;hello")
    await stage.type("bob", "hello all")

    assert [] == await bodies(stage, "ann", "/review")


words = st.text(max_size=20)
names = st.lists(words, max_size=3).map(tuple)
chat_events = st.builds(
    ChatEvent, st.sampled_from(KINDS), words, names, names, words, words, st.floats(0, 1e11, allow_nan=False)
)


@given(st.lists(chat_events, max_size=3))
def test_any_text_is_stored_unchanged(some):
    """That includes line ends, quotes and letters beyond the first plane."""
    assert codec.to_text(some) == as_text(some)


async def recent(stage, name):
    """Return who has said what, as a page that comes back is sent it."""
    screen = stage.screens[name]
    screen.page = screen.takes_packets = True
    screen.packets.clear()
    await stage.type(name, "/get:talk")
    (found,) = [packet.value for packet in screen.packets if packet.name == "recent"]
    return [(one["from"], one["room"], one["text"]) for one in found]


async def test_page_gets_the_last_messages_that_its_person_could_review(stage):
    for name in ("Dan", "eve"):
        stage.enter(name)
    await stage.type("Dan", "/create den private")
    await stage.type("Dan", "-den;a secret")
    await stage.type("ann", "hello")
    stage.now += 1
    await stage.type("bob", "eve;psst")
    await stage.type("cat", "/away")

    assert [("ann", "lobby", "hello"), ("bob", "", "psst")] == await recent(stage, "eve")
    assert [("ann", "lobby", "hello")] == await recent(stage, "ann")
    await stage.type("eve", "/ignore ann all")
    assert [("bob", "", "psst")] == await recent(stage, "eve")


async def test_page_gets_no_more_than_the_last_messages(stage):
    for number in range(FEW + 5):
        await stage.type("ann", f"line {number}")

    assert [f"line {number}" for number in range(5, FEW + 5)] == [text for *_, text in await recent(stage, "bob")]


async def test_someone_at_a_terminal_is_told_to_review(stage):
    assert ["Refused: /get:talk is for programs. Type /review instead."] == await stage.type("ann", "/get:talk")
