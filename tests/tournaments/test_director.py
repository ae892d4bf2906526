"""The director: it opens the tables of each round, starts them, and records their results, whatever happens."""

import asyncio
import json

import pytest

from lilygames.bus.local import LocalBus
from lilygames.chat.names.names import fold
from lilygames.games import games
from lilygames.gametest.stage import Stage
from lilygames.store import StoreUnavailable
from lilygames.store.memory import MemoryStore
from lilygames.store.wrapper import Through
from lilygames.tables.archive.archive import INDEX
from lilygames.tables.room import seating
from lilygames.tournaments.director import Overtaken
from lilygames.tournaments.pairing.log import CheckedIn, Joined, TableOpened
from tests.holding import hold
from tests.nodes.conftest import settled
from tests.tournaments.conftest import PEOPLE, Club

EIGHT = ("ann", "bob", "cat", "dan", "eve", "fay", "gus", "hal")


def told(club, name):
    return " ".join(" ".join(club.stage.screens[name].take()).split())


def tables(club):
    return sorted(club.stage.open_tables)


async def bodies(club, number=1):
    page = await club.store.read(f"tournament/{number}")
    return [json.loads(entry.body)["act"] for entry in page.entries]


async def acts(club, kind):
    return [act for act in await bodies(club) if act["is"] == kind]


async def test_round_opens_a_table_for_everyone_and_takes_them_there(club):
    await club.new("rounds=2", "pause=0")
    await club.start(*EIGHT)
    await club.look()

    assert [1, 2] == tables(club)
    for name in EIGHT:
        (bot,) = club.stage.people[name].seats
        assert bot.room is club.stage.people[name].room
        assert bot.table.started
        assert "1/1/" == bot.table.header.tournament[:4]
    assert "round 1 of 2 begins. You play at table" in told(club, "bob")


async def test_two_rounds_are_played_to_the_end(club):
    await club.new("rounds=2", "pause=0")
    await club.start(*EIGHT)
    await club.round()
    await club.round()
    await club.look()

    assert {} == club.director.open
    over = await club.director.store.find(1)
    assert "over" == over.status
    assert 2 * 8 * 6 == sum(row.points for row in over.standings) / 2
    assert "the tournament is over. 1." in told(club, "bob")
    assert "won by" in " ".join(await club.type("bob", "/tournament"))


async def test_room_counts_as_checking_in_during_the_last_15_minutes(club):
    await club.new()
    for name in EIGHT[:4]:
        await club.type(name, "/tournament join")
    await club.type("dan", "/join lobby")
    await club.type("dan", "/quit ohell-swiss")
    await club.look(14 * 60)
    assert () == club.now_in.present
    await club.look(2 * 60)

    assert EIGHT[:3] == club.now_in.present
    await club.type("dan", "/tournament checkin")
    assert EIGHT[:4] == club.now_in.present


async def test_start_waits_ten_minutes_for_players_and_then_everyone_is_told(club):
    await club.new()
    await club.start("ann", "bob", "cat")
    assert "fewer than 4 players are here" in told(club, "bob")
    await club.look(600)

    assert "the tournament is cancelled: fewer than 4 players came" in told(club, "bob")
    assert {} == club.director.open


async def test_seat_of_a_player_who_isn_t_there_goes_to_a_bot_after_three_minutes(club):
    """G9: and they can't enter another tournament for 24 hours."""
    await club.new("rounds=2", "pause=0")
    await club.start(*EIGHT)
    club.stage.drop("bob")
    await club.look(179)
    bot = next(bot for bot in club.stage.open_tables.values() if bot.table.seat_of("bob") is not None)
    assert not bot.table.started
    await club.look(1)

    assert bot.table.started
    assert None is bot.table.seat_of("bob")
    assert 1 == sum(who.house for who in bot.table.seats)
    assert not club.now_in.players["bob"].playing
    stored = await club.director.store.ban("bob")
    assert (24 * 3600, 24 * 3600 + club.time.now) == (stored.ban.seconds, stored.ban.until)
    await club.play()
    await club.look()
    await club.look()
    assert 0 == next(row.points for row in club.now_in.standings if row.name == "bob")
    assert "bob" not in [key for table in club.now_in.rounds[1].tables for key in table.paired.people]


async def test_player_who_comes_back_in_time_has_their_seat(club):
    await club.new("rounds=2", "pause=0")
    await club.start(*EIGHT)
    club.stage.drop("bob")
    await club.look(100)
    await club.stage.come("bob")
    await club.look()
    await club.look()

    assert all(bot.table.started for bot in club.stage.open_tables.values())
    assert [] == await acts(club, "NoShow")
    assert club.stage.people["bob"].seats[0].room is club.stage.people["bob"].room


async def test_ban_is_forgotten_after_a_finished_game(club):
    await club.new("rounds=2", "pause=0")
    await club.director.store.add_no_show("bob", "an earlier tournament", club.time.now - 25 * 3600)
    await club.start(*EIGHT)
    await club.round()

    assert None is await club.director.store.ban("bob")


async def test_player_who_leaves_a_table_in_mid_game_is_last(club):
    await club.new("rounds=2", "pause=0")
    await club.start(*EIGHT)
    await club.look()
    await club.type("bob", "/leave")
    await club.play()
    await club.look()

    assert 0 == next(row.points for row in club.now_in.standings if row.name == "bob")


async def test_players_of_a_tournament_can_t_agree_to_abort_their_game(club):
    await club.new("rounds=2", "pause=0")
    await club.start(*EIGHT)
    await club.look()

    assert "a tournament needs a result here" in " ".join(await club.type("bob", "/abort"))


async def test_outsiders_can_t_sit_down_or_add_bots_at_a_tournament_s_table(club):
    await club.new("rounds=2", "pause=0")
    await club.start(*EIGHT)
    club.stage.drop("bob")
    await club.look()

    waiting = next(bot for bot in club.stage.open_tables.values() if not bot.table.started)
    mate = next(who.name for who in waiting.table.seats if who.name != "bob")

    assert "a tournament's table" in " ".join(await club.type("ivy", f"/sit {waiting.room.name}"))
    assert "a tournament's table" in " ".join(await club.type(mate, "/house"))
    await club.type("ivy", "/quick ohell")
    assert 3 == club.stage.people["ivy"].seats[0].table.header.number


async def test_tables_of_a_duplicate_round_have_the_same_cards(club):
    await club.new("rounds=2", "pause=0", "duplicate=on")
    await club.start(*EIGHT[:6])
    await club.look()
    first, second = (club.stage.table(number).table for number in (1, 2))

    assert [4, 4] == [len(first.seats), len(second.seats)]
    assert [1, 1] == [sum(who.house for who in one.seats) for one in (first, second)]
    assert [first.view(seat).round.hand for seat in range(4)] == [second.view(seat).round.hand for seat in range(4)]
    assert first.header.private


async def test_cards_of_a_duplicate_round_are_published_after_it(club):
    await club.new("rounds=2", "pause=0", "duplicate=on")
    await club.start(*EIGHT)
    await club.round()
    await club.look()
    await club.stage.look("duplicate_watch")

    found = await club.stage.tables.duplicates.find("tournament-1-1")
    assert found.ended
    assert found.opened
    assert not (await club.stage.tables.duplicates.find("tournament-1-2")).opened


async def test_time_of_a_round_ends_and_the_scores_decide(club):
    await club.new("rounds=2", "pause=0")
    await club.start(*EIGHT)
    await club.look()
    number = tables(club)[0]
    while True:
        bot = club.stage.table(number)
        if bot.table.game.deals(bot.table.view(None)):
            break
        seat = bot.table.to_move[0]
        word = bot.table.game.spell(bot.table.moves(seat)[0])
        await club.type(bot.table.seats[seat].name, f"/at {number} {word}")
    await club.play(only={tables(club)[1]})
    await club.look(180 + 600 - 1)
    assert number in club.stage.open_tables
    await club.look(1)
    await club.look()
    await club.look()

    finished = await acts(club, "TableFinished")
    assert 2 == len(finished)
    assert all(one["seats"] for one in finished)
    assert 2 == len(club.now_in.rounds)


async def test_time_of_a_round_ends_and_the_scores_so_far_decide_in_a_game_without_deals(club):
    await club.new("rounds=2", "pause=0", what="liarsdice swiss max-rounds=20")
    await club.start(*EIGHT[:4])
    await club.look()
    bot = club.stage.table(1)
    while not any(bot.table.view(None).match.scores):
        seat = bot.table.to_move[0]
        words = [bot.table.game.spell(move) for move in bot.table.moves(seat)]
        word = "challenge" if "challenge" in words else words[0]
        await club.type(bot.table.seats[seat].name, f"/at 1 {word}")
    scores = bot.table.view(None).match.scores
    await club.look(180 + 720)
    await club.look()

    (finished,) = await acts(club, "TableFinished")
    assert [*scores] == [seat["score"] for seat in finished["seats"]]


async def test_table_that_was_broken_off_gives_everyone_six_points(club):
    await club.new("rounds=2", "pause=0")
    await club.start(*EIGHT)
    await club.look()
    bot = club.stage.table(tables(club)[0])
    people = [fold(who.name) for who in bot.table.seats]
    await bot.room.do(lambda: seating.break_off(bot))
    await club.look()

    assert [6, 6, 6, 6] == [row.points / 2 for row in club.now_in.standings if row.name in people]


async def test_arena_opens_tables_as_long_as_it_lasts(club):
    club.stage.accounts.since = old
    await club.type("ann", "/tournament new ohell arena max=3 start=in_30m minutes=20")
    await club.start(*EIGHT)
    await club.look()
    await club.look()
    assert [1, 2] == tables(club)
    await club.play()
    for _ in range(3):
        await club.look()
    assert [3, 4] == tables(club)
    await club.play()
    await club.look(20 * 60)
    await club.look()

    assert {} == club.director.open
    assert 2 == min(row.tables for row in (await club.director.store.find(1)).arena_standings)


async def old(_):
    return 0.0


# crashes


class Dying(Through):
    """A store whose process is killed after so many appends and records: nothing more reaches it."""

    def __init__(self, store, writes):
        super().__init__(store)
        self.writes = writes

    def _write(self):
        self.writes -= 1
        if self.writes < 0:
            raise StoreUnavailable("killed")

    async def append(self, *args, **more):
        self._write()
        return await super().append(*args, **more)

    async def keep(self, *args):
        self._write()
        await super().keep(*args)

    async def swap(self, *args):
        self._write()
        return await super().swap(*args)

    async def forget(self, *args):
        self._write()
        await super().forget(*args)


async def test_table_that_was_opened_before_a_kill_is_found_by_its_header(club):
    """The log of the tournament doesn't name it yet, so only the table's header says what it was opened for."""
    await club.new("rounds=1", "pause=0")
    for name in EIGHT:
        await club.type(name, "/tournament join")
    await club.look(20 * 60)
    append = club.director.store.append

    async def killed(known, act, by):
        if isinstance(act, TableOpened):
            raise StoreUnavailable("killed")
        return await append(known, act, by)

    club.director.store.append = killed
    with pytest.raises(StoreUnavailable):
        await club.look(10 * 60)
    assert [1] == tables(club)
    assert [] == await acts(club, "TableOpened")
    club.stage.tables.carried_over.asleep = True
    await club.open()
    club.enter(*EIGHT)
    for _ in range(3):
        await club.look()

    assert [1, 2] == [act["number"] for act in await acts(club, "TableOpened")]
    assert 2 == (await club.store.heads([INDEX]))[INDEX]


@pytest.mark.parametrize(
    ("form", "writes"),
    [*(("", writes) for writes in range(1, 18)), *(("duplicate=on", writes) for writes in range(3, 24))],
)
async def test_director_goes_on_after_a_kill_at_any_write(club, writes, form):
    """Round 1 is killed after so many writes; after a restart it is there whole, with one table for each place."""
    await club.new("rounds=1", "pause=0", form)
    for name in EIGHT:
        await club.type(name, "/tournament join")
    await club.look(20 * 60)
    whole = club.store
    club.store = Dying(whole, writes)
    await club.open()
    club.enter(*EIGHT)
    for _ in range(3):
        try:
            await club.look(5 * 60)
        except StoreUnavailable:
            break
    club.stage.tables.carried_over.asleep = True
    club.store = whole
    await club.open()
    club.enter(*EIGHT)
    await club.look(10 * 60 if club.time.now < club.now_in.starts else 0)
    for _ in range(4):
        await club.look()

    opened = {(one["round"], one["table"]): one["number"] for one in await acts(club, "TableOpened")}
    assert {*opened.values()} == {*club.stage.open_tables}
    assert 2 == len(opened)
    assert all(bot.table.started for bot in club.stage.open_tables.values())
    assert all(len(club.stage.people[name].seats) == 1 for name in EIGHT)
    await club.play()
    for _ in range(3):
        await club.look()
    over = await club.director.store.find(1)
    assert "over" == over.status
    assert 8 * 6 == sum(row.points for row in over.standings) / 2


async def test_downtime_is_added_to_the_times_of_a_round(club):
    await club.new("rounds=2", "pause=0")
    await club.start(*EIGHT)
    club.stage.drop("bob")
    await club.look(30)
    await club.open()
    club.enter(*(name for name in EIGHT if name != "bob"))
    await club.look(3600)

    (down,) = await acts(club, "Lengthened")
    assert 3600 <= down["seconds"] <= 3660
    assert [] == await acts(club, "NoShow")
    await club.look(200)
    assert 1 == len(await acts(club, "NoShow"))


async def test_two_nodes_don_t_act_twice(club, time):
    """The log takes one of two decisions that were made in the same state."""
    await club.new("rounds=2", "pause=0")
    now_in = club.now_in
    await club.director.add(now_in, Joined("bob", "bob"))

    with pytest.raises(Overtaken):
        await club.director.add(now_in, Joined("cat", "cat"))
    other = await Stage.open(club.stage.tables.games, store=club.store, clock=time)
    await other.director.add(club.now_in, CheckedIn("bob"))
    await club.look()
    assert ("bob",) == club.now_in.present


# several nodes


@pytest.fixture
async def two_nodes(time):
    """Two nodes with one store and one bus."""
    store, bus = MemoryStore(clock=time), LocalBus()
    clubs = [Club(time, store), Club(time, store)]
    for club, seed in zip(clubs, "ab", strict=True):
        club.stage = await Stage.open(games(), store=store, seed=seed, bus=bus, clock=time)
    yield clubs
    for club in clubs:
        await club.stage.node.end()


async def test_new_tournament_is_announced_at_every_node_in_everyone_s_zone(two_nodes):
    here, there = two_nodes
    here.enter("ann", "bob")
    there.enter("cat", "dan")
    await there.type("dan", "/set zone Asia/Tokyo")
    for club in (here, there, here, there):
        await club.look()
    for club in (here, there):
        for screen in club.stage.screens.values():
            screen.take()
    await here.new()
    for club in (here, there, here, there):
        await club.look()

    times = [told(club, name) for club, name in ((here, "bob"), (there, "cat"), (there, "dan"))]
    assert [1, 1, 1] == [words.count("ann has planned a tournament, ohell-swiss, for") for words in times]
    assert times[0] == times[1] != times[2]
    assert "has planned" not in told(here, "ann")


async def followed(*clubs):
    """Let all nodes check what they follow, and return each node's tables."""
    for _ in range(2):
        for club in clubs:
            await club.look()
            await club.stage.node.look()
            club.stage.node.follower._checked = club.stage.node.follower._told = 0.0
            await club.stage.node.follower.look()
        await settled(*(club.stage for club in clubs))
    return [tables(club) for club in clubs]


async def test_tables_are_followed_by_the_director_s_node_and_those_of_their_players(two_nodes):
    here, there = two_nodes
    here.enter(*EIGHT)
    there.enter("ivy")
    await followed(*two_nodes)
    await here.new("rounds=2", "pause=0")
    await followed(*two_nodes)
    for name in EIGHT:
        await here.type(name, "/tournament join")
    for minutes in (20, 10, 0):
        for club in two_nodes:
            await club.look(minutes * 30)
    found = await followed(*two_nodes)
    directs = [not club.stage.tables.lag("tournament/1") for club in two_nodes]

    assert [False, True] == sorted(directs)
    assert [[1, 2], [1, 2] if directs[1] else []] == found
    assert {1, 2} == {*there.stage.tables.remote.rows}
    assert all(bot.table.started for bot in here.stage.open_tables.values())
    assert 2 == len(await acts(here, "TableOpened"))


async def test_restart_doesn_t_announce_tournaments_again(club):
    await club.new()
    await club.open()
    club.enter("bob")
    await club.look()

    assert "has planned" not in told(club, "bob")


# people who act at the same moment


async def test_everyone_may_join_at_the_same_moment(club):
    await club.new()
    hear = club.stage.place.dispatcher.hear
    await asyncio.gather(*(hear(club.stage.people[name], "/tournament join") for name in PEOPLE))

    assert {*PEOPLE} == {*club.now_in.players}


async def test_person_who_leaves_as_the_tournament_ends_hears_that_it_is_over(club):
    """The director forgets it while the command waits for the store."""
    await club.new()
    await club.type("bob", "/tournament join")
    append = club.director.store.append

    async def closed(known, act, by):
        club.director.open.pop(1, None)
        return False

    club.director.store.append = closed
    said = " ".join(await club.type("bob", "/tournament leave"))
    club.director.store.append = append

    assert "this tournament is over" in said


# after a start, while tables wait to come back


async def test_director_opens_no_table_again_that_waits_to_come_back(club):
    """Not even if the server was killed before the director recorded that it had opened it."""
    await club.new("rounds=1", "pause=0")
    await club.start(*EIGHT)
    numbers = {*club.stage.open_tables}
    while "TableOpened" in club.store.entries["tournament/1"][-1].body:
        club.store.entries["tournament/1"].pop()
    await club.open(at_once=False)
    club.enter(*EIGHT)
    await club.look()
    assert numbers == {*club.stage.tables.unrestored.numbers}

    await club.stage.tables.unrestored.finish()
    await club.round()
    await club.look()
    assert numbers == {table.number for table in (await club.director.store.find(1)).rounds[0].tables}
    assert {} == club.director.open


async def test_tournament_goes_on_although_a_table_of_nobody_in_it_never_comes_back(club, monkeypatch):
    await club.type("leo", "/new liarsdice")
    await club.new("rounds=1", "pause=0")
    await club.start(*EIGHT)
    await club.open(at_once=False)
    hold(monkeypatch, club.store, 1)
    club.enter(*EIGHT)
    waiting = club.stage.tables.unrestored
    await waiting.ready_for("", waiting.of_tournament(1))
    await club.round()
    await club.look()

    assert "over" == (await club.director.store.find(1)).status
    assert [1] == [*waiting.numbers]
