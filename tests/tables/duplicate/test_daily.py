"""The daily deal at a table: the same cards and bots for everyone, once, and nobody sees anything before."""

import json
import re
from datetime import datetime
from zoneinfo import ZoneInfo

import attrs
import pytest

from lilygames.errors import UserError
from lilygames.games import games
from lilygames.gametest.stage import Stage
from lilygames.server.shell import exports
from lilygames.store import StoreUnavailable
from lilygames.store.memory import MemoryStore
from lilygames.tables.commands.joining import duplicates
from lilygames.tables.log.acts import Moved
from lilygames.tables.state.table import Table
from lilygames.tables.verify.export import exported as exported_rows
from lilygames.tables.verify.verify import verify
from tests.clock import Clock
from tests.slow_bots import let_bots

NOON = datetime(2026, 11, 22, 12, tzinfo=ZoneInfo("UTC")).timestamp()
NAME = "daily-ohell-2026-11-22"


def date_of(now):
    return datetime.fromtimestamp(now, ZoneInfo("UTC")).date()


@pytest.fixture
def clock():
    return Clock(NOON)


@pytest.fixture
def store():
    return MemoryStore()


@pytest.fixture
async def stage(store, clock):
    """A place with Ohell, and two people."""
    stage = await Stage.open({"ohell": games()["ohell"]}, store=store, clock=clock)
    stage.enter("ann")
    stage.enter("bob")
    return stage


async def played_out(stage, name, number):
    """Play a person's game: each time their first legal move."""
    shown = []
    while number in stage.open_tables:
        bot = stage.table(number)
        seat = bot.seat_of(name)
        shown += await stage.type(name, f"/at {number} {bot.table.game.spell(bot.table.moves(seat)[0])}")
    return shown


async def moves_of(stage, number):
    entries = await stage.tables.archive.entries(number)
    header = await stage.tables.archive.header(number)
    table = Table(header, games()["ohell"], await stage.tables.archive.sealed_secret(header, entries))
    made = []
    for entry in entries:
        table, _ = table.read(entry)
        act = table.past[-1].act if table.past else None
        made += [(act.seat, act.move)] if isinstance(act, Moved) and json.loads(table.said)["is"] == "Moved" else []
    return made


async def test_everyone_gets_the_same_cards_against_the_same_bots(stage):
    """Both play alike, so every card and every bot's move is alike, whatever is said in between."""
    await stage.type("ann", "/daily ohell")
    await played_out(stage, "ann", 1)
    await stage.type("bob", "/daily ohell")
    await stage.type("bob", "/at 2 /autopass on")
    await played_out(stage, "bob", 2)
    mine, theirs = await moves_of(stage, 1), await moves_of(stage, 2)

    assert len(mine) > 20
    assert mine == theirs


async def test_deal_of_another_day_has_other_cards(stage, clock):
    shown = [*await stage.type("ann", "/daily ohell"), *await played_out(stage, "ann", 1)]
    clock.passes(days=1)
    other = [*await stage.type("ann", "/daily ohell"), *await played_out(stage, "ann", 2)]

    assert shown != other


async def test_deal_can_be_begun_once(stage):
    await stage.type("ann", "/daily ohell")
    await stage.type("ann", "/join lobby")
    again = await stage.type("ann", "/daily ohell")

    assert [1] == [*stage.open_tables]
    assert any("Your turn" in row for row in again)


async def test_finished_deal_shows_the_standings_and_a_line_to_paste(stage):
    for number, name in enumerate(("ann", "bob"), 1):
        await stage.type(name, "/daily ohell")
        await played_out(stage, name, number)
    shown = await stage.type("ann", "/daily ohell")

    assert "Ohell, Sunday 22 November 2026:" == shown[0]
    assert shown[1].startswith("   1. ann               50.0%  ")
    assert shown[2].startswith("   1. bob               50.0%  ")
    assert "This week (the best five days count):" == shown[3]
    assert shown[-1].startswith("lilygames daily 22 Nov, ohell: ")
    assert shown[-1].endswith(" points, better than 0% of 1, streak 1")


async def test_seal_at_the_table_is_the_one_that_was_shown_the_day_before(stage, clock):
    shown = (await stage.type("ann", "/daily"))[-1].removeprefix("  ohell        ")
    clock.passes(days=1)

    assert f"The seal is {shown}." in " ".join(await stage.type("ann", "/daily ohell"))


async def test_game_ends_with_the_standings_to_choose_next(stage):
    await stage.type("ann", "/daily ohell")
    end = await played_out(stage, "ann", 1)

    assert any("1. standings" in row for row in end)
    assert "Ohell, Sunday 22 November 2026:" == (await stage.type("ann", "1"))[0]


async def test_list_names_the_deals_and_tomorrows_seals(stage):
    shown = await stage.type("ann", "/daily")
    tomorrow = await stage.tables.duplicates.find("daily-ohell-2026-11-23")

    assert "Daily deals for Sunday 22 November 2026:" == shown[0]
    assert "  ohell        not played yet: type /daily ohell" == shown[1]
    assert "Seals for Monday 23 November 2026:" == shown[2]
    assert tomorrow.header.seal[:4] in shown[3]


async def test_nobody_watches_a_daily_game(stage):
    await stage.type("ann", "/daily ohell")
    room = stage.table(1).room.name

    for line in ("/watch 1", f"/watch {room}", f"/join {room}", "/sit 1", "/log 1", "/replay 1", "/export 1"):
        shown = await stage.type("bob", line)
        assert not any("ann" in row for row in shown), line
        assert stage.people["bob"].room.name == "lobby", line
    assert not any("ann" in row for row in await stage.type("bob", "/tables"))


async def test_others_results_are_hidden_until_ones_own_game_is_over(stage):
    await stage.type("ann", "/daily ohell")
    await played_out(stage, "ann", 1)
    await stage.type("bob", "/daily ohell")
    assert not any("ann" in row for row in await stage.type("bob", "/duplicate daily-ohell-2026-11-22"))
    assert not any("#1" in row for row in await stage.type("bob", "/played ann"))
    assert "you can't see its log" in said(await stage.type("ann", "/log 2"))
    await played_out(stage, "bob", 2)
    assert SHUT in said(await stage.type("bob", "/log 1"))
    assert any("ann" in row for row in await stage.type("bob", "/duplicate daily-ohell-2026-11-22"))


async def test_secret_stays_closed_until_the_following_day_ends(stage, clock):
    """Then everyone may see and check all games, those who never played, too."""
    await stage.type("ann", "/daily ohell")
    await played_out(stage, "ann", 1)
    sets = stage.tables.duplicates
    clock.passes(hours=35, minutes=59)
    await sets.look()
    assert not (await sets.find(NAME)).opened
    clock.passes(minutes=1)
    await sets.look()
    found = await sets.find(NAME)

    assert found.opened
    assert any("ann" in row for row in await stage.type("bob", "/log 1"))


@pytest.mark.parametrize("line", ["/cut plums", "/undo", "/hint"])
async def test_nothing_that_changes_luck_or_gives_help_is_allowed(stage, line):
    await stage.type("ann", "/daily ohell")
    before = stage.table(1).table.seq
    shown = await stage.type("ann", line)

    assert before == stage.table(1).table.seq
    assert any("you can't" in row or "already" in row for row in shown)


async def test_overdue_game_is_broken_off_and_has_no_result(stage, clock):
    """A game counts once begun, and its player has 24 hours."""
    await stage.type("ann", "/daily ohell")
    clock.passes(hours=23, minutes=59)
    await stage.look("duplicate_watch")
    assert [1] == [*stage.open_tables]
    clock.passes(minutes=1)
    await stage.look("duplicate_watch")
    await stage.quiet()
    found = await stage.tables.duplicates.find(NAME)

    assert [] == [*stage.open_tables]
    assert () == found.tables[1].finished.seats
    assert [None] == [one.result for one in stage.tables.daily_deals.entrants(found)]


async def test_game_begun_before_midnight_counts_for_that_day(stage, clock):
    clock.passes(hours=11, minutes=59)
    await stage.type("ann", "/daily ohell")
    clock.passes(minutes=2)
    await played_out(stage, "ann", 1)
    day = clock.now - 3600

    assert [1] == [
        one.result.table for one in (await stage.tables.daily_deals.day(games()["ohell"], date_of(day))).listed
    ]
    assert any("Monday 23" in row for row in await stage.type("ann", "/daily"))
    await stage.type("ann", "/daily ohell")
    assert "daily-ohell-2026-11-23" == stage.table(2).table.header.duplicate


async def test_seal_of_a_deal_is_fixed_a_day_before(stage, clock):
    await stage.look("duplicate_watch")
    before = (await stage.tables.duplicates.find("daily-ohell-2026-11-23")).header.seal
    clock.passes(days=1)
    await stage.type("ann", "/daily ohell")

    assert before == (await stage.tables.duplicates.find("daily-ohell-2026-11-23")).header.seal


def said(rows):
    """Return rows as one line."""
    return " ".join(" ".join(rows).split())


def as_guest(stage, name):
    """Let someone be a guest from now on."""
    stage.accounts.names.pop(name.casefold())
    stage.people[name].set_guest(guest=True)


async def test_guest_gets_other_cards_than_accounts(stage):
    """A guest could otherwise see all cards of a deal, before an account of the same person plays it for a streak."""
    stage.enter("Olga")
    as_guest(stage, "Olga")
    await stage.type("Olga", "/daily ohell")
    await stage.type("ann", "/daily ohell")
    guest, account = (stage.table(number) for number in (1, 2))

    assert (f"{NAME}-guests", NAME) == tuple(bot.table.header.duplicate for bot in (guest, account))
    assert guest.table.view(0) != account.table.view(0)


async def test_guests_are_compared_with_each_other_and_dont_affect_accounts(stage):
    for number, name in enumerate(("Olga", "bob", "ann"), 1):
        if name != "ann":
            stage.enter(name)
            as_guest(stage, name)
        await stage.type(name, "/daily ohell")
        await played_out(stage, name, number)
    shown, alone = [await stage.type(name, "/daily ohell") for name in ("Olga", "ann")]

    assert "Ohell, Sunday 22 November 2026, guests:" == shown[0]
    assert ["Olga", "bob"] == sorted(row.split()[1] for row in shown[1:3])
    assert not any("This week" in row for row in shown)
    assert ["ann"] == [row.split()[1] for row in alone if row.startswith("   1. ") and "%" in row]


async def test_list_tells_guests_about_their_cards_and_seals(stage):
    as_guest(stage, "bob")
    mine, theirs = [await stage.type(name, "/daily") for name in ("bob", "ann")]

    assert "These are guests' cards" in " ".join(mine)
    assert "guests' cards" not in " ".join(theirs)
    assert mine[-1] != theirs[-1]


async def test_seal_of_the_guests_deal_is_fixed_a_day_before(stage, clock):
    await stage.look("duplicate_watch")
    name = "daily-ohell-2026-11-23-guests"
    before = (await stage.tables.duplicates.find(name)).header.seal
    clock.passes(days=1)
    as_guest(stage, "bob")
    await stage.type("bob", "/daily ohell")

    assert before == (await stage.tables.duplicates.find(name)).header.seal
    assert name == stage.table(1).table.header.duplicate


async def test_guest_who_began_everyones_cards_under_release_0_2_goes_on_with_them(stage):
    """The deal, the game and its result stay as they were; the guest is listed apart, as then."""
    await stage.type("bob", "/daily ohell")
    as_guest(stage, "bob")
    again = await stage.type("bob", "/daily ohell")
    await played_out(stage, "bob", 1)

    assert any("Your turn" in row for row in again)
    assert "Ohell, Sunday 22 November 2026:" == (await stage.type("bob", "/daily ohell"))[0]


SHUT = "others can still play the cards of table #1, so you can't see its log until the day after the deal ends."
WAYS_OUT = (
    *(
        "/log 1",
        "/replay 1",
        "/replay 1 as ann",
        "/replay 1 5",
        "/export 1",
        "/verify 1",
        "/review game 1",
    ),
    *("/get:replay 1", "/get:export 1", "/get:export 1 20"),
)
FROM_THE_ROOM = ("/log", "/history", "/replay", "/export", "/verify", "/review game", "/review")


@pytest.mark.parametrize("name", ["ann", "bob", "Olga"])
async def test_log_of_a_finished_deal_is_shut_for_everyone_until_the_following_day_ends(stage, clock, name):
    """For its player, for someone who may still play the cards, and for a guest; by every command and request."""
    stage.enter("Olga")
    as_guest(stage, "Olga")
    await stage.type("ann", "/daily ohell")
    await played_out(stage, "ann", 1)
    stage.screens[name].takes_packets = True
    stage.screens[name].prefer({"width": "1000"})
    for line in WAYS_OUT:
        assert [line, True] == [line, SHUT in said(await stage.type(name, line))]
    clock.passes(hours=35, minutes=59)
    await stage.look("duplicate_watch")
    assert SHUT in said(await stage.type(name, "/log 1"))
    clock.passes(minutes=1)
    await stage.look("duplicate_watch")

    assert any("Round 1 of " in row for row in await stage.type(name, "/log 1"))


async def test_room_of_a_finished_deal_shows_no_card_that_its_player_did_not_see(stage):
    """Everything that is shown after the game was shown before its end, or is the standings."""
    await stage.type("ann", "/daily ohell")
    seen = " ".join(await played_out(stage, "ann", 1))
    dealt = await cards_of(stage, 1)
    hidden = {card for card in dealt if card not in seen}
    after = [row for line in FROM_THE_ROOM for row in await stage.type("ann", line)]

    assert len(hidden) > 5
    assert [] == [row for row in after if any(card in row.split() for card in hidden)]


async def cards_of(stage, number):
    """Return the cards of the last deal of a game, of all packs that were shuffled."""
    found = await stage.tables.duplicates.find(NAME)
    header = await stage.tables.archive.header(number)
    entries = await stage.tables.archive.entries(number)
    secret = await stage.tables.archive.sealed_secret(header, entries)
    assert not found.opened
    rows = [row for rows in exported_rows(header, games()["ohell"], secret, entries) for row in map(json.loads, rows)]
    return {card for row in rows if row.get("key", ())[1:2] == ["deal"] for card in row["draws"][0][-1][-20:]}


async def test_own_game_can_be_looked_at_while_it_goes_on(stage):
    """It shows what its player has seen, no more."""
    await stage.type("ann", "/daily ohell")
    shown = said(await stage.type("ann", "/log"))

    assert SHUT not in shown
    assert "Your hand: " in shown


async def test_game_that_was_broken_off_is_shut_too(stage, clock):
    await stage.type("ann", "/daily ohell")
    clock.passes(hours=24)
    await stage.look("duplicate_watch")

    assert SHUT in said(await stage.type("ann", "/log 1"))


async def test_end_of_a_deal_offers_no_replay(stage):
    await stage.type("ann", "/daily ohell")
    end = await played_out(stage, "ann", 1)

    assert not any("replay" in row for row in end if row.startswith("Next") or "1. standings" in row)


async def test_daily_game_survives_a_restart(stage, store, clock):
    await stage.type("ann", "/daily ohell")
    hand = stage.table(1).table.view(0)
    again = await Stage.open({"ohell": games()["ohell"]}, store=store, clock=clock, seed="2")
    again.enter("ann")

    assert hand == again.table(1).table.view(0)
    await again.type("ann", "/daily ohell")
    await played_out(again, "ann", 1)
    assert any("streak 1" in row for row in await again.type("ann", "/daily ohell"))


async def test_daily_game_is_unrated(stage):
    await stage.type("ann", "/daily ohell")
    await played_out(stage, "ann", 1)

    assert {} == dict(stage.tables.results.ratings.of("ann"))


async def test_game_without_a_daily_deal_is_refused(store):
    """A game with chips needs options for it."""
    poker = attrs.evolve(games()["lilypoker"], daily_options=None)
    stage = await Stage.open({**games(), "lilypoker": poker}, store=store)
    stage.enter("ann")
    shown = await stage.type("ann", "/daily lilypoker")

    assert ["Refused: lily-poker has no daily deal."] == [row.partition(" Type")[0] for row in shown[:1]]


async def test_game_that_was_interrupted_before_its_first_card_begins_again(stage, monkeypatch):
    bots = stage.tables

    async def interrupted(*_):
        raise UserError("the store is gone")

    monkeypatch.setattr(duplicates, "_begin", interrupted)
    await stage.type("ann", "/daily ohell")
    monkeypatch.undo()
    await stage.type("ann", "/daily ohell")

    assert [1] == [*bots.open]
    assert stage.table(1).table.started


async def exported(stage, name, number):
    """Return what /export shows, unwrapped."""
    stage.screens[name].prefer({"width": "1000000"})
    return "\n".join(await stage.type(name, f"/export {number}"))


async def test_tables_are_verified_against_their_set_once_it_is_public(stage, clock):
    """In the place, and at home from the export alone."""
    await stage.type("ann", "/daily ohell")
    await played_out(stage, "ann", 1)
    for line in ("/verify 1", "/export 1"):
        assert SHUT in said(await stage.type("ann", line))
    clock.passes(days=2)
    await stage.look("duplicate_watch")
    text = await exported(stage, "bob", 1)
    expected = "Match: seals, commitments and all "

    assert (await stage.type("bob", "/verify 1"))[0].startswith(expected)
    assert exports.verify(text, games()).match
    assert exports.verify(text, games()).sentence.startswith(expected)


@pytest.mark.parametrize(
    "forge",
    [
        lambda first: first["set"].pop(),
        lambda first: first.pop("set"),
        lambda first: first["header"].update(duplicate="daily-ohell-2026-11-23"),
        lambda first: first["header"].update(keyed=False),
    ],
)
async def test_export_whose_set_was_changed_does_not_match(stage, clock, forge):
    await stage.type("ann", "/daily ohell")
    await played_out(stage, "ann", 1)
    clock.passes(days=2)
    await stage.look("duplicate_watch")
    first, *rest = (await exported(stage, "ann", 1)).splitlines()
    changed = json.loads(first)
    forge(changed)

    assert not exports.verify("\n".join([json.dumps(changed), *rest]), games()).match


def failing(times):
    """Return a function that thinks like a bot, but fails the first times that it is asked."""
    left = [times]

    async def think(strategy, view, moves, luck, _):
        if left[0]:
            left[0] -= 1
            raise ZeroDivisionError
        return strategy(view, moves, luck)

    return think


async def played_with(stage, think):
    """Play ann's daily game with bots that think so."""
    await stage.type("ann", "/daily ohell")
    let_bots(stage.table(1), think=think)
    shown = await played_out(stage, "ann", 1)
    return shown, (await stage.tables.duplicates.find(NAME)).tables[1]


async def test_bot_that_fails_once_is_asked_again_and_plays_the_same_move(stage):
    """So nothing differs from the tables where it didn't fail."""
    await stage.type("bob", "/daily ohell")
    await played_out(stage, "bob", 1)
    usual = await moves_of(stage, 1)
    await stage.type("ann", "/daily ohell")
    let_bots(stage.table(2), think=failing(1))
    await played_out(stage, "ann", 2)

    assert usual == await moves_of(stage, 2)
    assert "" == (await stage.tables.duplicates.find(NAME)).tables[2].case


async def test_game_whose_bot_fails_twice_leaves_the_standings_with_a_case_number(stage):
    shown, table = await played_with(stage, failing(2))
    listed = await stage.type("ann", "/daily")

    assert table.case
    assert table.finished.seats
    assert any(f"(case {table.case})" in row for row in shown)
    assert f"  ohell        not compared, because a bot failed (case {table.case})" == listed[1]
    assert "Your game isn't in the standings." == (await stage.type("ann", "/daily ohell"))[-1]


async def test_deal_that_its_player_left_has_no_result(stage):
    """The bot that plays on isn't listed instead."""
    await stage.type("ann", "/daily ohell")
    await stage.type("ann", "/leave")
    await stage.quiet()
    found = await stage.tables.duplicates.find(NAME)

    assert [("ann", True)] == [(seat.name, seat.left) for seat in found.tables[1].finished.seats[:1]]
    assert [None] == [one.result for one in stage.tables.daily_deals.entrants(found)]


async def test_overdue_game_that_never_started_does_not_keep_the_deal_closed(stage, clock, monkeypatch):
    async def interrupted(*_):
        raise UserError("the store is gone")

    monkeypatch.setattr(duplicates, "_begin", interrupted)
    await stage.type("ann", "/daily ohell")
    clock.passes(days=3)
    await stage.look("duplicate_watch")
    await stage.quiet()
    await stage.look("duplicate_watch")

    assert {} == stage.open_tables
    assert (await stage.tables.duplicates.find(NAME)).opened


async def test_game_that_a_bug_stopped_does_not_keep_the_deal_closed(stage, clock):
    await stage.type("ann", "/daily ohell")
    stage.table(1).runner.stop(ZeroDivisionError())
    clock.passes(days=3)
    await stage.look("duplicate_watch")

    assert (await stage.tables.duplicates.find(NAME)).opened


async def reopened(store, clock, **changes):
    """Return the place after an update that changed Ohell."""
    again = await Stage.open({"ohell": attrs.evolve(games()["ohell"], **changes)}, store=store, clock=clock, seed="2")
    again.enter("ann")
    await again.quiet()
    return again


async def test_deal_names_the_versions_of_its_bots(stage):
    await stage.type("ann", "/daily ohell")
    found = await stage.tables.duplicates.find(NAME)

    assert {**games()["ohell"].strategy_versions} == {**found.header.strategies}
    assert {games()["ohell"].strategy_versions["club"]} == {who.strategy for who in stage.table(1).table.seats[1:]}


async def test_deal_whose_bots_have_changed_is_not_played_with_others(stage, store, clock):
    """Neither that of today nor that of tomorrow: both were sealed before the update."""
    await stage.type("ann", "/daily")
    again = await reopened(store, clock, strategy_versions={"club": "other"})
    sentence = "stopped: its rules or bots have changed since it was sealed"
    refused = " ".join(await again.type("ann", "/daily ohell"))

    assert f"today's deal of Ohell is {sentence}" in " ".join(refused.split())
    assert [] == [*again.open_tables]
    assert f"  ohell        {sentence}" == (await again.type("ann", "/daily"))[1]
    clock.passes(days=1)
    assert f"  ohell        {sentence}" == (await again.type("ann", "/daily"))[1]
    clock.passes(days=1)
    assert "  ohell        not played yet: type /daily ohell" == (await again.type("ann", "/daily"))[1]


async def test_game_whose_bots_have_changed_waits_for_their_strategy(stage, store, clock):
    """It goes on if the earlier release is installed again within the day."""
    await stage.type("ann", "/daily ohell")
    seq = stage.table(1).table.seq
    again = await reopened(store, clock, strategy_versions={"club": "other"})
    table = again.table(1).table
    shown = await again.type("ann", f"/at 1 {table.game.spell(table.moves(0)[0])}")

    assert any("A bot's strategy has changed since these cards were sealed" in row for row in shown)
    assert seq + 1 == again.table(1).table.seq
    assert any("today's deal of Ohell is stopped" in row for row in await again.type("ann", "/daily ohell"))
    back = await reopened(store, clock)
    await played_out(back, "ann", 1)
    assert any("streak 1" in row for row in await back.type("ann", "/daily ohell"))


async def test_finished_game_keeps_its_result_after_an_update(stage, store, clock):
    await stage.type("ann", "/daily ohell")
    await played_out(stage, "ann", 1)
    again = await reopened(store, clock, strategy_versions={"club": "other"})

    assert any("streak 1" in row for row in await again.type("ann", "/daily ohell"))


async def test_default_move_is_made_only_once_the_game_is_out_of_the_standings(stage):
    """While that can't be saved, the bot is asked again."""
    await stage.type("ann", "/daily ohell")
    bot, tried = stage.table(1), []
    spoiled = bot.services.bots.spoiled

    async def broken(table):
        tried.append(table.seq)
        if len(tried) == 1:
            raise StoreUnavailable
        return await spoiled(table)

    let_bots(bot, think=failing(10**6), spoiled=broken)
    await played_out(stage, "ann", 1)

    assert tried[0] == tried[1]
    assert (await stage.tables.duplicates.find(NAME)).tables[1].case


async def test_failing_bot_is_told_once(stage):
    shown, table = await played_with(stage, failing(10**6))

    assert 1 == sum(f"(case {table.case})" in row for row in shown)


async def test_end_of_a_game_says_that_the_seal_opens_later(stage):
    """Others may still play these cards."""
    await stage.type("ann", "/daily ohell")
    end = " ".join(await played_out(stage, "ann", 1))

    assert "The seal opens when this deal ends. Then type /verify 1." in " ".join(end.split())
    assert "The seal is open" not in end


@pytest.mark.parametrize(("name", "guest"), [("Ann", False), ("guest1", True)])
async def test_page_is_told_which_replays_are_shut_until_the_deal_ends(stage, clock, name, guest):
    screen = stage.enter(name, guest=guest)
    screen.page = screen.takes_packets = True
    await stage.type(name, "/daily ohell")
    assert all(
        packet.value["daily"] for packet in screen.packets if "daily" in packet.value and "roster" in packet.value
    )
    await played_out(stage, name, 1)

    assert [(1, True)] == await shut_games(stage, name)
    clock.passes(days=2)
    await stage.tables.duplicates.look()
    assert [(1, False)] == await shut_games(stage, name)


async def shut_games(stage, name):
    """Return the numbers of someone's finished games, and whether they are shut."""
    screen = stage.screens[name]
    screen.packets.clear()
    await stage.type(name, "/get:played")
    (found,) = [packet.value for packet in screen.packets if packet.name == "played"]
    return [(one["number"], one["shut"]) for one in found["games"]]


async def test_finished_daily_game_offers_nothing_that_is_shut(stage):
    """Screens, screen readers, and commands of a player who is asked elsewhere."""
    await stage.type("ann", "/set reader on")
    await stage.type("ann", "/daily ohell")
    end = " ".join(await played_out(stage, "ann", 1))

    assert not re.search(r"/(replay|log|review|export)\b|Next:[^.]*replay", end)


async def test_game_with_another_version_of_a_bot_does_not_match_its_set(stage, clock):
    await stage.type("ann", "/daily ohell")
    await played_out(stage, "ann", 1)
    clock.passes(days=2)
    await stage.look("duplicate_watch")
    archive, found = stage.tables.archive, await stage.tables.duplicates.find(NAME)
    header, entries = await archive.header(1), await archive.entries(1)
    other = attrs.evolve(found, header=attrs.evolve(found.header, strategies={"club": "0"}))

    assert verify(header, entries, games(), found).match
    assert "No match: Ada plays table #1 (ohell) with version 2 of its strategy, not with 0." == (
        verify(header, entries, games(), other).sentence
    )
