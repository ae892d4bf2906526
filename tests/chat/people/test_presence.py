"""Presence: here, away or gone; blurbs, info, memos; and a short disconnect is not announced."""

import asyncio

import pytest

from lilygames import __version__
from lilygames.chat.host.idle import mark_idle
from lilygames.chat.people.observers import Announced
from lilygames.gametest.stage import Stage
from lilygames.store.memory import MemoryStore
from tests.clock import Clock
from tests.deadline import DEADLINE
from tests.toys import TOYS


async def heard(stage, name):
    return [row for row in stage.screens[name].take() if row]


async def test_blurb_is_shown_after_the_name_everywhere(stage):
    await stage.type("ann", "/blurb deal me in!")
    assert ["*** ann has changed their blurb to [deal me in!] ***"] == await heard(stage, "bob")
    await stage.type("ann", "hello")

    assert " -> From ann [deal me in!], to lobby:" in await heard(stage, "bob")
    assert any(row.startswith("  ann [deal me in!] ") for row in await stage.type("bob", "/who"))
    assert ["(your blurb has been turned off)"] == await stage.type("ann", "/blurb off")


async def test_away_is_shown_with_a_name(stage):
    await stage.type("bob", "/away supper")

    assert "*** bob [supper] is away ***" in await heard(stage, "ann")
    assert ["(message sent to bob)", "(bob [supper] is away)"] == await stage.type("ann", "bob;hi")
    assert "(you are now here with the blurb [supper])" in await stage.type("bob", "/here")
    assert ["(message sent to bob)"] == await stage.type("ann", "bob;hi")


@pytest.mark.parametrize(
    ("blurb", "why"),
    [
        ("a] >> Private message from root:", "that blurb has 32 characters. Use at most 30."),
        ("a[b", "leave out the brackets: they are added around your blurb."),
        ("x" * 31, "that blurb has 31 characters. Use at most 30."),
    ],
)
async def test_blurb_cannot_imitate_another(stage, blurb, why):
    assert [f"Refused: {why}"] == await stage.type("ann", f"/blurb {blurb}")


async def test_combining_marks_are_limited(stage):
    await stage.type("ann", "/blurb a" + "\u0301" * 20)

    assert len(stage.people["ann"].profile.blurb) <= 5


async def test_info_and_memos_are_stored_and_read_by_others(stage):
    await stage.type("ann", "/info add I play tally")
    await stage.type("ann", "/memo set plan sunday at eight")

    assert [" - I play tally"] == await stage.type("bob", "/info ann")
    assert [" - sunday at eight"] == await stage.type("bob", "/memo ann plan")
    assert "  Memos of ann: plan" in await stage.type("bob", "/finger ann")


async def test_finger_shows_the_stored_data_of_an_absent_person(stage):
    await stage.type("ann", "/info add I play tally")
    stage.host.clock = lambda: 1_000_000_000.0
    stage.drop("ann")
    await stage.host.profiles.finish()

    assert ["ann", "  Last here Sun Sep 09 2001 01:46 UTC", " - I play tally"] == await stage.type("bob", "/finger ann")


async def test_idle_person_counts_as_away_until_the_next_line(stage):
    stage.people["bob"].activity.last -= 3600
    mark_idle(stage.host, 3600)
    mark_idle(stage.host, 3600)

    assert ["*** bob is away (idle) ***"] == await heard(stage, "ann")
    assert "(bob is away)" in await stage.type("ann", "bob;hi")
    await heard(stage, "ann")
    rows = await stage.type("bob", "/why")
    assert rows[0].startswith("(while you were away, since ")
    assert "(why not?)" == rows[-1]
    assert ["*** bob is no longer idle ***"] == await heard(stage, "ann")


async def test_person_who_logs_in_again_is_here_and_not_idle(stage):
    await stage.type("bob", "/new tally")
    await stage.type("bob", "/away")
    stage.people["bob"].activity.last -= 3600
    stage.drop("bob")
    stage.enter("bob")
    await heard(stage, "ann")
    mark_idle(stage.host, 3600)

    assert not stage.people["bob"].activity.away
    assert [] == await heard(stage, "ann")


async def test_memberships_are_kept_while_a_person_is_gone(stage):
    await stage.type("bob", "/create cafe")
    await stage.type("bob", "/create den private")
    await stage.type("ann", "/join cafe")
    stage.drop("bob")
    await stage.host.profiles.finish()

    assert ["bob is a member of cafe."] == await stage.type("ann", "/where bob")


async def test_short_disconnect_is_not_announced(stage):
    stage.host.patience = 30.0
    stage.drop("bob")
    stage.enter("bob")

    assert [] == await heard(stage, "ann")


async def test_long_disconnect_is_announced_after_a_while(stage, monkeypatch):
    stage.host.patience, news, publish = 0.01, asyncio.Event(), stage.host.publish

    def noticed(event):
        publish(event)
        if isinstance(event, Announced):
            news.set()

    monkeypatch.setattr(stage.host, "publish", noticed)
    stage.drop("bob")
    await asyncio.wait_for(news.wait(), DEADLINE)

    assert ["*** bob has left lily (connection lost) ***"] == await heard(stage, "ann")


async def test_bye_is_announced_at_once(stage):
    stage.host.patience = 30.0
    await stage.type("bob", "/bye")

    assert ["*** bob has left lily ***"] == await heard(stage, "ann")


async def test_kept_seat_is_shown(stage):
    await stage.type("bob", "/new tally")
    await heard(stage, "ann")
    stage.drop("bob")

    assert ["*** bob has disconnected (their seat is kept) ***"] == await heard(stage, "ann")
    stage.enter("bob")
    assert ["*** bob has reconnected ***"] == await heard(stage, "ann")


@pytest.mark.parametrize("seat", [True, False])
async def test_detached_person_is_announced_and_listed_until_they_are_back(stage, seat):
    if seat:
        await stage.type("bob", "/new tally")
    await stage.type("bob", "/blurb back soon")
    await heard(stage, "ann")
    await stage.type("bob", "/detach")

    assert ["*** bob [back soon] has detached ***"] == await heard(stage, "ann")
    rows = await stage.type("ann", "/who")
    assert ["bob", "[back", "soon]", "detach"] == [word for word in detached_row(rows) if ":" not in word]
    assert "(2 people are here)" == rows[-1]
    await heard(stage, "ann")
    stage.enter("bob")
    assert ["*** bob [back soon] has reconnected ***"] == await heard(stage, "ann")
    assert [] == detached_row(await stage.type("ann", "/who"))


async def test_guest_without_a_seat_leaves_for_good(stage):
    stage.people["bob"].set_guest(guest=True)
    await stage.type("bob", "/detach")

    assert ["*** bob has left lily ***"] == await heard(stage, "ann")
    assert [] == detached_row(await stage.type("ann", "/who"))


async def test_blocked_or_deleted_person_is_not_listed_as_detached(stage):
    await stage.type("bob", "/detach")
    await stage.type("ann", "/block bob")
    assert [] == detached_row(await stage.type("ann", "/who"))
    stage.accounts.names.pop("bob")

    assert [] == detached_row(await stage.type("cat", "/who"))


async def test_detached_person_is_listed_after_a_restart_until_they_are_back():
    store = MemoryStore()
    before = await Stage.open(TOYS, store=store)
    await before.create_account("Bob", "green apples fall")
    for name in ("Ann", "Bob"):
        before.enter(name)
    await before.type("Bob", "/blurb back soon")
    await before.type("Bob", "/detach")
    after = await Stage.open(TOYS, store=store)
    after.enter("Ann")
    assert ["Bob", "[back", "soon]", "detach"] == [
        word for word in detached_row(await after.type("Ann", "/who")) if ":" not in word
    ]
    after.enter("Bob")
    await after.quiet()
    await after.type("Bob", "/bye")
    later = await Stage.open(TOYS, store=store)
    later.enter("Ann")

    assert [] == detached_row(await later.type("Ann", "/who"))


async def test_person_who_detached_days_ago_is_not_listed_after_a_restart():
    store, clock = MemoryStore(), Clock(1_000_000_000.0)
    before = await Stage.open(TOYS, store=store, clock=clock)
    for name in ("Ann", "Bob"):
        before.enter(name)
    await before.type("Bob", "/detach")
    clock.passes(days=2)
    after = await Stage.open(TOYS, store=store, clock=clock)
    after.enter("Ann")

    assert [] == detached_row(await after.type("Ann", "/who"))
    assert {} == await store.every("detached")


async def test_unreadable_record_of_someone_who_has_detached_is_skipped():
    store = MemoryStore()
    await store.keep("detached", "bob", "{")
    stage = await Stage.open(TOYS, store=store)
    stage.enter("Ann")

    assert [] == detached_row(await stage.type("Ann", "/who"))


def detached_row(rows):
    """Return the words in the row of someone who has detached; none if nobody has."""
    return next((row.split() for row in rows if row.endswith("detach")), [])


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("/where bob", "bob is a member of lobby."),
        ("/how", "(3 here, 0 away, 0 offline; 6 rooms, 0 tables playing)"),
        ("/why", "(why not?)"),
        ("/what lobby", "lobby: where everyone starts"),
    ],
)
async def test_listing_commands_answer(stage, line, said):
    answer = await stage.type("ann", line)

    assert said.partition(";")[0] == answer[0].partition(";")[0]


@pytest.mark.parametrize("line", ["/finger guest7", "/info guest7", "/where guest7", "/finger ~guest7"])
async def test_unknown_person_is_named_as_typed(stage, line):
    """A guest who has left is unknown. The sign `~` only says that a send means a person."""
    answer = await stage.type("ann", line)

    assert ["Refused: nobody is called “guest7”. Type /who to see who is here."] == answer


async def test_pronoun_is_used_in_news(stage):
    assert ["(news about you say “her”)"] == await stage.type("ann", "/pronoun her")
    await stage.type("ann", "/blurb hungry")
    assert "*** ann has changed her blurb to [hungry] ***" in stage.screens["bob"].take()

    assert "his, her, their or its" in (await stage.type("ann", "/pronoun your"))[0]
    await stage.type("ann", "/pronoun their")
    assert "" == stage.people["ann"].profile.pronoun


async def test_time_and_version_are_displayed(stage):
    assert (await stage.type("ann", "/display time"))[0].startswith("(it's ")
    assert [f"(lilygames {__version__})"] == await stage.type("ann", "/display version")
    assert ["Refused: type /display time or /display version."] == await stage.type("ann", "/display cards")


async def test_list_of_rooms_is_shown_in_pages(stage):
    for number in range(1, 21):
        stage.host.open_room(f"nook-{number}")
    first, second = await stage.type("ann", "/what"), await stage.type("ann", "/what 2")

    assert 18 + 2 == len(first)
    assert "more rooms: /what 2)" in first[-1]
    assert "nook-20" in second[-1]
    assert not {*first[1:]} & {*second[1:]}
