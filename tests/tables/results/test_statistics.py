"""`/stats`: each person's totals for each game; each finished table is added exactly once."""

import asyncio

import attrs
import pytest

from lilygames.games.families.tricks.attempts import attempts
from lilygames.gametest.stage import Stage
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.store import StoreUnavailable
from lilygames.store.memory import MemoryStore
from lilygames.store.wrapper import Through
from lilygames.tables.archive.archive import Archive
from lilygames.tables.archive.finished_tables import FinishedTables
from lilygames.tables.commands.finished.statistics import spark
from lilygames.tables.results.statistics import RECENT, RIVALS, OneGame, Rival, Share, Statistics, Totals, added
from lilygames.tables.state.table import Table
from lilygames.text import Voice
from tests.toys import TALLY

GAMES = {"tally": attrs.evolve(TALLY["tally"], attempts=attempts)}


@pytest.fixture
async def stage(store):
    """Ann and bob in the lobby, where Tally's bids are counted."""
    stage = await Stage.open(GAMES, store=store)
    for name in ("ann", "bob"):
        stage.enter(name)
    return stage


@pytest.fixture
def play(stage, finish):
    """Return a function that plays ann and bob's shortest Tally to its end, with options and other lines."""

    async def played(options="", *lines):
        await stage.type("ann", f"/new tally max=3 first-dealer=host {options}")
        number = max(stage.open_tables)
        await stage.type("bob", f"/sit {number}")
        await stage.type("ann", f"/at {number} start")
        for name, line in lines:
            await stage.type(name, line.format(number))
        if number in stage.open_tables:
            await finish(number)
        return number

    return played


async def totals(stage, name="ann"):
    return (await stage.tables.statistics.of(name)).get("tally", Totals())


async def replayed(stage, number):
    """Return a finished table as its log tells it."""
    header, entries = await stage.tables.archive.read(number)
    table = Table(header, GAMES["tally"], await stage.tables.archive.secret(number, entries))
    for entry in entries:
        table, _ = table.read(entry)
    return table


async def test_finished_game_counts_for_each_player(stage, play):
    await play()
    ann, bob = await totals(stage), await totals(stage, "bob")

    assert (1, 1, 3, 4) == (ann.games, ann.wins + bob.wins, ann.places + bob.places, ann.seats + bob.seats)
    assert (5, 5) == (ann.attempts["bids made"][1], bob.attempts["bids made"][1])
    assert {"bob": (ann.rivals["bob"].behind, ann.rivals["bob"].ahead)} == {
        "bob": (bob.rivals["ann"].ahead, bob.rivals["ann"].behind)
    }


async def test_table_is_added_once_however_often_it_ends(stage, play):
    table = await replayed(stage, await play())
    before = await totals(stage)
    for _ in range(3):
        await stage.tables.statistics.finished(table)

    assert before == await totals(stage)


async def test_nodes_that_add_at_once_add_each_table_once(stage, play, store):
    """Each has its own view of the store; the loser of the race reads on and retries."""
    tables = [await replayed(stage, await play()) for _ in range(3)]
    before = await totals(stage)
    fresh = MemoryStore()
    nodes = [counting(stage, _Beginning(store, fresh)) for _ in range(3)]
    await asyncio.gather(*(node.finished(table) for node in nodes for table in tables))

    assert but_ratings(before) == but_ratings((await nodes[0].of("ann"))["tally"])


class _Beginning(Through):
    """A store whose statistics are kept in another store."""

    def __init__(self, store, totals):
        super().__init__(store)
        self.totals = totals

    async def append(self, log, expected, drafts, **more):
        return await self._of(log).append(log, expected, drafts, **more)

    async def heads(self, logs):
        return await self._of(logs[0]).heads(logs)

    async def find(self, kind, key):
        return await (self.totals if kind == "stats" else self.store).find(kind, key)

    async def keep(self, kind, key, body):
        await (self.totals if kind == "stats" else self.store).keep(kind, key, body)

    def _of(self, log):
        return self.totals if log.startswith("stats/") else self.store


def but_ratings(one):
    """Return totals without ratings, since the ratings of a game that is added later are those of that time."""
    return attrs.evolve(one, recent=tuple(attrs.evolve(game, rating=None) for game in one.recent))


def counting(stage, store):
    """Return statistics that are kept in a store, as another node or a later start has them."""
    return Statistics(store, stage.accounts, FinishedTables(Archive(store), GAMES), UnreadableRows())


async def test_crash_between_two_players_loses_neither_and_adds_neither_twice(stage, play, store):
    """The end of a game is processed again after a restart, and players already added stay as they are."""
    number = await play()
    before = {name: await totals(stage, name) for name in ("ann", "bob")}
    table = await replayed(stage, number)
    fresh = MemoryStore()
    crashing = _Crashing(store, fresh)
    half = counting(stage, crashing)
    with pytest.raises(StoreUnavailable):
        await half.finished(table)
    assert 1 == len(await fresh.every("stats"))
    crashing.fails = False
    await half.finished(table)

    assert {name: but_ratings(one) for name, one in before.items()} == {
        name: but_ratings((await half.of(name))["tally"]) for name in ("ann", "bob")
    }


class _Crashing(_Beginning):
    """A store that writes statistics but does not acknowledge them."""

    fails = True

    async def append(self, log, expected, drafts, **more):
        done = await super().append(log, expected, drafts, **more)
        if self.fails and log.startswith("stats/"):
            raise StoreUnavailable("the answer is lost")
        return done


# Which games count.


async def test_private_game_counts_for_nobody(stage, play):
    await play("private=on bob")

    assert Totals() == await totals(stage) == await totals(stage, "bob")


async def test_game_with_free_undo_does_not_count(stage, finish):
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    for line in ("/house", "/start", "bid 0", "1", "/undo yes"):
        await stage.type("ann", line)
    assert not stage.table(1).table.counted
    await finish()

    assert Totals() == await totals(stage)


async def test_leaver_counts_as_last_and_the_bots_moves_do_not_count(stage, finish):
    stage.enter("cat")
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    for name in ("bob", "cat"):
        await stage.type(name, "/sit tally")
    await stage.type("ann", "/start")
    await stage.type("bob", "/leave")
    await finish()

    bob = await totals(stage, "bob")
    assert (1, 0, 3, {}) == (bob.games, bob.wins, bob.places, bob.attempts)


async def test_guest_has_no_totals_and_leaves_none_to_the_next_of_that_name(stage, play):
    stage.accounts.names.pop("bob")
    await play()

    assert Totals() == await totals(stage, "bob")
    assert 1 == (await totals(stage)).games


# The sums.


def share(number, place=1, **more):
    return Share("ann", OneGame(number, float(number), place, 4, 10, won=place == 1, **more), {})


def test_game_is_added_to_the_sums():
    once = added(Totals(), share(1, attempts={"bids made": (2, 3), "bids made/bid 0": (1, 1)}))
    twice = added(once, share(2, place=3, attempts={"bids made": (0, 3)}))

    assert (2, 1, 4, 8, 20, 10) == (twice.games, twice.wins, twice.places, twice.seats, twice.score, twice.best)
    assert {"bids made": (2, 6), "bids made/bid 0": (1, 1)} == twice.attempts


def test_latest_games_are_kept_in_the_order_played_whenever_they_are_added():
    """The store may have been away when a game ended."""
    some = Totals()
    for number in (50, *range(1, 30), 40):
        some = added(some, share(number))

    assert [*range(22, 30), 40, 50] == [one.table for one in some.recent]
    assert RECENT == len(some.recent)


def test_most_recent_opponents_are_kept():
    some = Totals()
    for number in range(RIVALS + 5):
        met = {f"p{number}": Rival(f"p{number}", 1, 0, float(number))}
        some = added(some, attrs.evolve(share(number), rivals=met))

    assert RIVALS == len(some.rivals)
    assert "p0" not in some.rivals
    assert f"p{RIVALS + 4}" in some.rivals


# The screen.


@pytest.mark.parametrize(
    ("values", "bars"), [([1, 2, 3], "▁▅█"), ([5, 5], "▄▄"), ([0, 0.5, 1], "▁▅█"), ([], ""), ([7], "▄")]
)
def test_sparkline_has_a_bar_for_each_value(values, bars):
    assert bars == spark(values) if values else not bars


async def test_stats_of_a_game_take_four_rows(stage, play):
    for _ in range(2):
        await play()
    rows = await stage.type("ann", "/stats tally")

    assert rows[0].startswith("ann at Tally: 2 games, ")
    assert ["Rating", "Points", "Bids", "Against"] == [row.split()[0] for row in rows[1:]]
    assert "bob " in rows[-1]


async def test_stats_fit_forty_columns(stage, play):
    await play()
    await stage.type("ann", "/set width 40")

    assert all(len(row) <= 40 for row in await stage.type("ann", "/stats tally"))


async def test_stats_are_read_aloud_in_words(stage, play):
    for _ in range(2):
        await play()
    stage.screens["ann"].voice = Voice(spoken=True)
    rows = " ".join(await stage.type("ann", "/stats tally"))

    assert " percent of 10" in rows
    assert not set("▁▂▃▄▅▆▇█%") & set(rows)


@pytest.mark.parametrize("line", ["/stats", "/stats me", "/stats ann"])
async def test_stats_without_a_game_list_all_games(stage, play, line):
    await play()
    rows = await stage.type("ann", line)

    assert "All games of ann; type /stats ann GAME for more:" == rows[0]
    assert rows[1].startswith("Tally: 1 game, ")


@pytest.mark.parametrize("line", ["/stats bob tally", "/stats tally bob", "/stats BOB tal"])
async def test_stats_of_another_player_take_name_and_game_in_either_order(stage, play, line):
    await play()

    assert (await stage.type("ann", line))[0].startswith("bob at Tally: 1 game, ")


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("/stats", "(you haven't finished a game that counts yet)"),
        ("/stats bob tally", "(bob hasn't finished a game of Tally that counts yet)"),
        ("/stats zed", "Refused: no account is called “zed”. Type /who to see who is here."),
        ("/stats bob bridge", "Refused: there is no game called “bridge”. Type /games to list the games."),
    ],
)
async def test_empty_stats_are_one_sentence(stage, line, answer):
    assert [answer] == await stage.type("ann", line)


async def test_guest_is_told_how_to_have_statistics(stage):
    stage.accounts.names.pop("bob")

    assert "/register" in " ".join(await stage.type("bob", "/stats"))


async def test_renamed_player_keeps_the_totals(stage, play):
    await play()
    accounts = stage.accounts
    accounts.names["anna"] = "anna"
    accounts._keys["anna"], accounts._written["ann"] = "ann", "anna"

    assert (await stage.type("bob", "/stats anna tally"))[0].startswith("anna at Tally: 1 game, ")
