"""Several tables with the same cards: /new GAME duplicate=NAME, and /duplicate NAME."""

import attrs
import pytest

from lilygames.games import games
from lilygames.gametest.stage import Stage
from lilygames.proofs import commitments
from lilygames.server.shell import exports
from lilygames.store.memory import MemoryStore
from lilygames.tables.commands.joining import duplicates
from lilygames.tables.state.table import Table

OPEN = "/new ohell duplicate=friday max=3"


@pytest.fixture
def store():
    return MemoryStore()


@pytest.fixture
async def stage(store):
    """A place with all games, and four people."""
    stage = await Stage.open(games(), store=store)
    for name in ("ann", "bob", "carol", "dave"):
        stage.enter(name)
    return stage


async def begun_alone(stage, name="ann", number=1):
    """The first table: one person and three bots."""
    await stage.type(name, OPEN)
    await stage.type(name, "/house club 3")
    await stage.type(name, "/start")
    return stage.table(number)


async def played_out(stage, number):
    """Play a table to its end; people make their first legal move."""
    while number in stage.open_tables:
        bot = stage.table(number)
        seat = bot.table.to_move[0]
        name = bot.table.seats[seat].name
        await stage.type(name, f"/at {number} {bot.table.game.spell(bot.table.moves(seat)[0])}")


def hands(bot):
    return [bot.table.view(seat).round.hand for seat in range(len(bot.table.seats))]


def said(rows, sentence):
    return sentence in " ".join(" ".join(rows).split())


async def test_second_table_gets_the_same_cards_and_bots_and_starts_at_once(stage):
    """A vote and a substitution at the first table change nothing."""
    first = await begun_alone(stage)
    await stage.type("ann", "/adjourn")
    await stage.type("ann", "/resume")
    await stage.type("bob", OPEN)
    second = stage.table(2)

    assert second.table.started
    assert hands(first) == hands(second)
    assert [who.level for who in first.table.seats] == [who.level for who in second.table.seats]


async def test_later_table_names_its_cards_instead_of_a_seal_of_its_own(stage):
    first = await begun_alone(stage)
    shown = await stage.type("bob", OPEN)

    assert said(shown, "Ohell begins: you, *Ada, *Max and *Ida. The cards are those of friday.")
    assert said(await stage.type("bob", "/table"), "Cards of friday: sealed before this table was opened.")
    assert ("ann", "Ada", "Max", "Ida") == first.table.names


async def test_every_deal_is_the_same_whatever_is_played(stage):
    """One plays on. The other leaves, so a bot plays other moves."""
    deals = {}
    await begun_alone(stage)
    await stage.type("bob", OPEN)
    await stage.type("bob", "/leave")
    await played_out(stage, 1)
    await stage.quiet()
    for number in (1, 2):
        entries = await stage.tables.archive.entries(number)
        bodies = [entry.body for entry in entries]
        assert bodies
        deals[number] = await dealt(stage, number)

    assert len(deals[1]) == 5
    assert deals[1] == deals[2]


async def dealt(stage, number):
    """Return the hands of each deal of a finished table."""
    archive = stage.tables.archive
    header, entries = await archive.read(number)
    table = Table(header, games()["ohell"], await archive.sealed_secret(header, entries))
    found = {}
    for entry in entries:
        table, _ = table.read(entry)
        now = table.state.round if table.started else None
        if now is not None:
            found.setdefault(now.deal.number, now.hands)
    return found


async def test_first_table_is_sealed_under_the_name_of_the_set(stage):
    first = await begun_alone(stage)
    header = first.table.header

    assert first.table.rounds.used
    assert commitments.duplicate_id("friday", "ohell", header.version, header.seal) == first.table.rounds.table


async def test_several_people_play_in_the_same_seats(stage):
    await stage.type("ann", f"{OPEN} bob")
    await stage.type("bob", "/sit 1")
    await stage.type("carol", f"{OPEN} dave")
    assert not stage.table(2).table.started
    await stage.type("dave", "/sit 2")

    assert hands(stage.table(1)) == hands(stage.table(2))
    assert ("carol", "dave") == stage.table(2).table.names


async def test_people_sit_before_bots_so_that_seats_can_be_compared(stage):
    await stage.type("ann", OPEN)
    await stage.type("ann", "/house club 2")
    await stage.type("ann", "/invite bob")
    await stage.type("bob", "/sit 1")

    assert ["", "", "club", "club"] == [who.level for who in stage.table(1).table.seats]


async def test_results_are_compared_by_seat_once_ones_own_game_is_over(stage):
    await begun_alone(stage)
    await stage.type("bob", OPEN)
    await played_out(stage, 1)
    hidden = await stage.type("bob", "/duplicate friday")
    await played_out(stage, 2)
    shown = await stage.type("bob", "/duplicate friday")

    assert ["friday: Ohell, 2 tables, 1 finished.", "You see the results once your own game is over."] == hidden
    assert ["friday: Ohell, 2 tables, 2 finished.", "Seat 1:"] == shown[:2]
    assert ["   1. ann               50.0%", "   1. bob               50.0%"] == [row[:29] for row in shown[2:]]


async def test_nobody_sees_a_table_of_the_set_before_their_own_game_is_over(stage):
    await begun_alone(stage)
    for line in ("/watch 1", "/sit 1", "/join ohell", "/log 1", "/replay 1", "/export 1", "/verify 1"):
        shown = await stage.type("bob", line)
        assert not any("Ada" in row for row in shown), line
    await played_out(stage, 1)
    for line in ("/log 1", "/replay 1", "/export 1", "/verify 1"):
        assert said(await stage.type("bob", line), "once your own game with these cards is over"), line


async def test_secret_is_published_when_the_set_is_ended_and_the_last_table_is_done(stage):
    await begun_alone(stage)
    await stage.type("bob", OPEN)
    await played_out(stage, 1)
    assert said(await stage.type("bob", "/duplicate friday end"), "only ann can end this set")
    await stage.type("ann", "/duplicate friday end")
    assert said(await stage.type("carol", OPEN), "no longer dealt")
    assert not (await stage.tables.duplicates.find("friday")).opened
    await played_out(stage, 2)
    await stage.look("duplicate_watch")
    stage.screens["carol"].prefer({"width": "1000000"})

    for number in (1, 2):
        assert (await stage.type("carol", f"/verify {number}"))[0].startswith("Match: ")
        text = "\n".join(await stage.type("carol", f"/export {number}"))
        assert exports.verify(text, games()).match
    assert said(await stage.type("carol", "/duplicate friday"), "Secret ")


async def test_secret_of_a_finished_table_stays_closed_while_others_play_its_cards(stage):
    secret = (await begun_alone(stage)).table.secret.hex()
    await stage.type("bob", OPEN)
    stage.screens["ann"].prefer({"width": "1000000"})
    await played_out(stage, 1)
    shown = [await stage.type("ann", line) for line in ("/log 1", "/replay 1", "/export 1", "/verify 1")]

    assert secret not in f"{await stage.tables.archive.entries(1)}"
    assert secret not in f"{shown}"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("/new ohell duplicate=daily-x", "doesn't begin with daily-"),
        ("/new ohell duplicate=Fri/day", "up to 40 letters"),
        ("/new ohell duplicate=", "up to 40 letters"),
        ("/new lilypoker duplicate=monday", "can't be played with the same cards"),
        ("/new ohell duplicate=monday seal=closed", "can't be played with the same cards"),
        ("/new wizard duplicate=friday", "is Ohell with other options"),
        ("/new ohell duplicate=friday max=5", "is Ohell with other options"),
        ("/new ohell duplicate=friday max=3 carol", "is dealt to 1 person"),
        ("/duplicate nothing", "there are no cards called"),
    ],
)
async def test_cards_that_cannot_be_dealt_are_refused_with_a_sentence(stage, line, sentence):
    await begun_alone(stage)

    assert said(await stage.type("bob", line), sentence)
    assert [1] == [*stage.open_tables]


async def test_second_table_waits_for_the_first_to_start(stage):
    await stage.type("ann", OPEN)

    assert said(await stage.type("bob", OPEN), "table #1, hasn't started yet")


async def test_nobody_plays_the_same_cards_twice(stage):
    await begun_alone(stage)
    sentence = "you have already seen the cards of friday"
    assert said(await stage.type("ann", OPEN), sentence)
    await played_out(stage, 1)
    assert said(await stage.type("ann", OPEN), sentence)
    await stage.type("bob", OPEN)
    await stage.type("bob", "/invite ann")
    assert said(await stage.type("ann", "/sit 2"), sentence)


async def test_name_is_never_used_again(stage):
    """Not even if its first table was closed before it started."""
    await stage.type("ann", OPEN)
    await stage.type("ann", "/leave")

    assert said(await stage.type("bob", OPEN), "were never dealt")


async def test_table_of_a_set_survives_a_restart(stage, store):
    await begun_alone(stage)
    await stage.type("bob", OPEN)
    before = hands(stage.table(2))
    again = await Stage.open(games(), store=store, seed="2")
    for name in ("ann", "bob", "carol"):
        again.enter(name)
    await again.type("carol", OPEN)

    assert before == hands(again.table(2)) == hands(again.table(3))


@pytest.mark.parametrize("line", ["/cut plums", "/house 1"])
async def test_tables_of_a_set_play_under_the_same_conditions(stage, line):
    await begun_alone(stage)
    await stage.type("bob", "/new ohell duplicate=monday max=3 carol")
    await stage.type("carol", "/sit 2")
    await stage.type("dave", "/new ohell duplicate=monday max=3 ann")
    before = stage.table(3).table.seq
    await stage.type("dave", line)

    assert before == stage.table(3).table.seq


# who may see what


async def test_table_of_the_set_can_be_watched_once_ones_own_game_is_over(stage):
    await begun_alone(stage)
    await stage.type("bob", OPEN)
    await played_out(stage, 2)
    shown = await stage.type("bob", "/watch 1")

    assert said(shown, "You're watching")
    assert stage.people["bob"].room is stage.table(1).room
    assert said(await stage.type("carol", "/watch 1"), "there is no table “1” now")
    assert said(await stage.type("ann", "/at 1 /sit"), "already")


@pytest.mark.parametrize("room", [False, True])
async def test_player_cannot_watch_another_table_before_their_own_game_is_over(stage, room):
    await begun_alone(stage)
    await stage.type("bob", OPEN)
    word = stage.table(1).room.name if room else "1"

    assert said(await stage.type("bob", f"/watch {word}"), "there is no table")
    assert stage.people["bob"].room is stage.table(2).room


async def test_player_who_left_has_seen_the_cards(stage):
    """They can't play them again, neither while the game goes on nor later."""
    await stage.type("ann", f"{OPEN} bob")
    await stage.type("bob", "/sit 1")
    await stage.type("ann", "/leave")
    sentence = "you have already seen the cards of friday"
    before = await stage.type("ann", f"{OPEN} carol")
    await played_out(stage, 1)

    assert said(before, sentence)
    assert said(await stage.type("ann", f"{OPEN} carol"), sentence)


async def test_player_who_left_before_the_start_has_seen_nothing(stage):
    await begun_alone(stage)
    await stage.type("bob", "/new ohell duplicate=monday max=3 carol")
    await stage.type("carol", "/sit 2")
    await stage.type("dave", "/new ohell duplicate=monday max=3 ann")
    await stage.type("ann", "/sit 3")

    assert stage.table(3).table.started


async def test_result_of_a_player_who_left_is_not_compared_as_the_bots(stage):
    await begun_alone(stage)
    await stage.type("bob", OPEN)
    await stage.type("ann", "/leave")
    await stage.quiet()
    await played_out(stage, 2)
    shown = await stage.type("bob", "/duplicate friday")

    assert said(shown, "1. bob")
    assert ["Seat 1:"] == [row for row in shown if row.startswith("Seat")]
    assert 1 == sum(row.startswith("   1.") for row in shown)
    assert not any(row.startswith("   2.") for row in shown)


async def test_table_that_is_lost_does_not_keep_the_secret_closed(stage, store):
    """The server was killed, or couldn't save, as the table was closed."""
    await begun_alone(stage)
    await stage.type("bob", OPEN)
    await played_out(stage, 1)
    await stage.type("ann", "/duplicate friday end")
    store.records["open"].pop("2")
    sets = stage.tables.duplicates
    await sets.look()
    spared = (await sets.find("friday")).opened
    now = sets.now()
    sets.now = lambda: now + 61
    await sets.look()

    assert not spared
    assert (await sets.find("friday")).opened


async def test_set_that_cannot_be_read_does_not_stop_the_others_or_the_start(stage, store):
    await begun_alone(stage)
    await played_out(stage, 1)
    await stage.type("ann", "/duplicate friday end")
    await stage.type("bob", "/new ohell duplicate=aaa max=3")
    store.entries["duplicate/aaa"][-1] = attrs.evolve(store.entries["duplicate/aaa"][-1], body="{}")
    store.entries["table/2"].clear()
    again = await Stage.open(games(), store=store, seed="2")
    await again.look("duplicate_watch")

    assert (await again.tables.duplicates.find("friday")).opened


async def test_bots_that_are_missing_sit_down_at_the_start(stage, monkeypatch):
    """The server was killed before they did."""
    await begun_alone(stage)
    monkeypatch.setattr(duplicates, "complete", _not_now)
    await stage.type("bob", OPEN)
    monkeypatch.undo()
    alone = stage.table(2).table.names
    await stage.type("bob", "/start")

    assert (("bob",), True) == (alone, stage.table(2).table.started)
    assert hands(stage.table(1)) == hands(stage.table(2))


async def _not_now(*_):
    return None


async def test_set_goes_on_while_its_tables_wait_to_come_back(stage, store):
    cards = hands(await begun_alone(stage))
    after = await Stage.open(games(), store=store, at_once=False)
    for name in ("ann", "bob"):
        after.enter(name)
    await after.type("bob", OPEN)
    assert [2] == [*after.open_tables]
    assert cards == hands(after.table(2))

    assert said(await after.type("ann", OPEN), "you have already seen the cards of friday")
    await played_out(after, 1)
    await played_out(after, 2)
    assert said(await after.type("ann", "/duplicate friday"), "friday: Ohell, 2 tables, 2 finished.")


async def test_nobody_sits_down_where_they_would_see_the_cards_of_their_table_that_waits(stage, store):
    await begun_alone(stage)
    await stage.type("carol", OPEN)
    after = await Stage.open(games(), store=store, at_once=False)
    after.enter("ann")

    assert not said(await after.type("ann", "/watch 2"), "You're watching")
    assert not said(await after.type("ann", "/sit 2"), "you sit at")
