"""News, bells and stamps by event, person and room; ignoring and its exceptions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lilygames.chat.people import notifications
from lilygames.chat.people.events import KINDS, ChatEvent
from lilygames.chat.people.profile import Profile


async def heard(stage, name, line, by="bob"):
    """Return the lines that one person is shown while another acts."""
    stage.screens[name].take()
    await stage.type(by, line)
    return [row for row in stage.screens[name].take() if row]


@pytest.mark.parametrize("rule", ["join off", "join bob off", "join tally off", "all bob off", "join,quit tally off"])
async def test_silenced_news_is_not_shown(stage, rule):
    await stage.type("ann", "/join tally")
    await stage.type("ann", f"/notify {rule}")

    assert [] == await heard(stage, "ann", "/join tally")


async def test_rule_for_a_person_beats_one_for_everyone(stage):
    await stage.type("ann", "/join tally")
    await stage.type("ann", "/notify join off")
    await stage.type("ann", "/notify join bob on")

    assert ["*** bob is now a member of tally ***"] == await heard(stage, "ann", "/join tally")
    assert [] == await heard(stage, "ann", "/join tally", by="cat")


async def test_rule_for_a_room_beats_one_for_an_event(stage):
    await stage.type("ann", "/join tally")
    await stage.type("ann", "/notify join on")
    await stage.type("ann", "/notify all tally off")

    assert [] == await heard(stage, "ann", "/join tally")


async def test_talk_is_never_silenced_by_notify(stage):
    await stage.type("ann", "/notify all off")

    assert [" >> Private message from bob:", " - hi"] == await heard(stage, "ann", "ann;hi")


async def test_stamp_is_the_time_of_day(stage):
    stage.host.clock = lambda: 1_000_000_000.0
    await stage.type("ann", "/timestamp private on")

    assert " >> (01:46) Private message from bob:" in await heard(stage, "ann", "ann;hi")


async def test_bell_rings_for_requested_events(stage):
    await stage.type("ann", "/signal private bob on")

    assert "(bell)" in await heard(stage, "ann", "ann;hi")
    assert "(bell)" not in await heard(stage, "ann", "ann;hi", by="cat")


async def test_ignored_person_is_told_and_told_again_when_they_send(stage):
    await stage.type("ann", "/ignore bob")

    assert "*** ann is ignoring you (private) ***" in stage.screens["bob"].take()
    assert [] == await heard(stage, "ann", "ann;hi")
    assert ["(ann is ignoring you)"] == await stage.type("bob", "ann;hi")
    assert [" -> From bob, to lobby:", " - hi"] == await heard(stage, "ann", "hi")


async def test_ignoring_a_person_can_except_a_room(stage):
    await stage.type("ann", "/join tally")
    await stage.type("bob", "/join tally")
    await stage.type("ann", "/ignore bob all -tally")

    assert [" -> From bob, to tally:", " - hi"] == await heard(stage, "ann", "-tally;hi")
    assert [] == await heard(stage, "ann", "-lobby;hi")


async def test_ignored_players_moves_at_your_table_are_shown(stage):
    """Sitting at the same table overrides ignoring, since you must see the moves."""
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("bob", "/sit tally")
    await stage.type("ann", "/start")
    await stage.type("ann", "/ignore bob all")

    assert "bob bids 1." in await heard(stage, "ann", "1")


@pytest.fixture
async def table(stage):
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("bob", "/sit tally")
    await stage.type("cat", "/watch tally")
    await stage.type("ann", "/start")
    return stage


async def test_lines_of_a_game_can_be_silenced_and_stamped(table):
    """`game` is an event of its own, for every game or for one table."""
    table.host.clock = lambda: 1_000_000_000.0
    await table.type("cat", "/notify game tally off")
    assert [] == await heard(table, "cat", "bid 1")
    await table.type("cat", "/notify default")
    await table.type("cat", "/timestamp game on")
    assert "(01:46) ann bids 1." in await heard(table, "cat", "bid 1", by="ann")


async def test_your_turn_is_never_silenced(table):
    await table.type("ann", "/notify game off")

    assert ["Your turn: bid 1."] == await heard(table, "ann", "bid 1")


async def test_bell_rings_once_when_your_turn_begins(table):
    await table.type("ann", "/set bell on")

    assert ["bob bids 1.", "Your turn: bid 1.", "(bell)"] == await heard(table, "ann", "bid 1")


async def test_ignoring_is_known_to_both(stage):
    await stage.type("ann", "/ignore bob all")

    assert ["bob: all"] == await stage.type("ann", "/ignore")
    assert ["(ann ignores you)"] == await stage.type("bob", "/ignore by others")
    await stage.type("ann", "/unignore bob")
    assert ["(you aren't ignoring anyone)"] == await stage.type("ann", "/ignore")


async def test_ignore_count_counts_both_directions(stage):
    await stage.type("ann", "/ignore bob")

    assert ["(you ignore 1 person; 0 people here ignore you)"] == await stage.type("ann", "/ignore count")
    assert ["(you ignore 0 people; 1 person here ignores you)"] == await stage.type("bob", "/ignore count")


async def test_sysop_is_heard_by_all(stage):
    """That holds for people who ignore them too. Nobody else can speak so, not even a guest with the sysop's name."""
    stage.host.roles.listed = ("Ann",)
    await stage.type("bob", "/ignore ann all")
    await stage.type("bob", "/notify all off")

    assert ["** Public address message from ann: free dice **"] == await heard(stage, "bob", "/pa free dice", by="ann")
    assert (await stage.type("bob", "/pa free dice"))[0].startswith("Refused: only sysops ")
    stage.people["ann"].set_guest(guest=True)
    assert (await stage.type("ann", "/pa free dice"))[0].startswith("Refused: only sysops ")


async def test_blocked_person_is_left_out_of_lists_and_still_heard(stage):
    await stage.type("ann", "/block bob")

    assert "bob" not in " ".join(await stage.type("ann", "/who"))
    assert [" >> Private message from bob:", " - hi"] == await heard(stage, "ann", "ann;hi")


@pytest.mark.parametrize("line", ["/notify join", "/notify join maybe", "/notify join nobody off", "/signal x y z"])
async def test_invalid_rule_is_refused_in_one_sentence(stage, line):
    assert (await stage.type("ann", line))[0].startswith("Refused: ")
    assert {} == stage.people["ann"].profile.noise


@given(st.sampled_from(KINDS), st.sampled_from(["", "bob", "lobby"]))
def test_last_rule_for_an_event_counts(kind, thing):
    things = (thing,) if thing else ()
    rules = notifications.changed(notifications.changed({}, (kind,), things, "off"), (kind,), things, "on")

    assert notifications.wished(Profile(noise={"notify": rules}), "notify", kind, ("bob", "lobby"))


@given(st.sampled_from(KINDS))
def test_clearing_a_rule_restores_the_default(kind):
    rules = notifications.changed(notifications.changed({}, (kind,), (), "off"), (kind,), (), "clear")

    assert notifications.default("notify", kind) == notifications.wished(
        Profile(noise={"notify": rules}), "notify", kind, ()
    )


def test_ignoring_hides_talk_and_not_actions():
    owned = Profile(ignored={"bob": ("all",)})

    assert notifications.ignores(owned, ChatEvent("public", "bob", ("lobby",), text="hi"))
    assert not notifications.ignores(owned, ChatEvent("join", "bob", ("lobby",)))


async def test_block_is_undone_by_off(stage):
    """Typing it twice does not undo it."""
    for _ in range(2):
        answer = await stage.type("ann", "/block bob")
        assert ["(bob is now left out of your lists. Type /block bob off to undo it.)"] == answer
    assert ["(You're blocking bob. Type /block NAME off to undo it.)"] == await stage.type("ann", "/block")

    assert ["(bob is back in your lists.)"] == await stage.type("ann", "/block bo off")
    assert ["(You aren't blocking anyone.)"] == await stage.type("ann", "/block")
    assert (await stage.type("ann", "/block bob off"))[0].startswith("Refused: you aren't blocking “bob”.")
    assert (await stage.type("ann", "/block bob perhaps"))[0].startswith(
        "Refused: type /block NAME, or /block NAME off"
    )


@pytest.mark.parametrize(
    ("line", "undo", "owned"),
    [
        ("/notify join,quit off", "/notify join,quit clear", "noise"),
        ("/signal private on", "/signal private clear", "noise"),
        ("/timestamp all bob on", "/timestamp all bob clear", "noise"),
        ("/ignore bob all", "/unignore bob", "ignored"),
        ("/ignore bob all", "/ignore bob off", "ignored"),
        ("/block bob", "/block bob off", "blocked"),
    ],
)
async def test_silencing_says_how_to_undo_it(stage, line, undo, owned):
    answer = await stage.type("ann", line)
    if undo != "/ignore bob off":
        assert f"Type {undo} to undo it." in " ".join(answer)

    await stage.type("ann", undo)
    kept = getattr(stage.people["ann"].profile, owned)
    assert not any(kept.values() if owned == "noise" else kept)
