"""A running table applies, appends, and only then tells; a bug stops only that table."""

import attrs
import pytest

from lilygames.gametest.stage import Stage
from lilygames.store import Draft, StoreUnavailable
from lilygames.tables.log.acts import Moved
from lilygames_rules.kit import KeyedLuck


async def test_entry_that_was_not_stored_is_not_told(stage, table, store):
    """If an append fails, nobody is told of the move, and the player may retry."""
    stage.screens["ann"].take()
    store.fail_next(StoreUnavailable("full"), call="append")

    answer = await stage.type("bob", "1")

    assert answer[0].startswith("Refused: nothing can be saved right now, so nothing was done.")
    assert [] == stage.screens["ann"].take()
    assert "You bid 1. Waiting for ann." in await stage.type("bob", "1")


async def test_entry_of_another_node_is_read_first(stage, table, store):
    """`Conflict`: read on, then apply again after the new entries."""
    bid = Moved(1, {"is": "Bid", "tricks": 1})
    after, _ = table.table.after(bid)
    await store.append(table.runner.log, table.table.seq, [Draft("bob", after.body)], cmd="x")
    stage.screens["ann"].take()

    answer = await stage.type("bob", "0")

    assert ["bob bids 1.", "Your turn: bid 1."] == stage.screens["ann"].take()
    assert "You bid 1. Waiting for ann." == answer[0]
    assert "Refused: wait for ann to bid." in answer[1]


@pytest.mark.parametrize("broken", ["tell", "ask"])
async def test_bug_in_a_presenter_stops_only_its_table(tally, store, broken):
    """Players are told a case number, the log is kept, and other tables go on."""

    def bug(*_):
        raise ZeroDivisionError("a secret in a traceback")

    stage = await Stage.open({"tally": tally["tally"]}, store=store)
    stage.enter("ann")
    stage.enter("bob")
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("bob", "/sit tally")
    await stage.type("ann", "/start")
    bot = stage.table(1)
    bot.runner.table = attrs.evolve(bot.table, game=attrs.evolve(bot.table.game, **{broken: bug}))

    answer = " ".join(await stage.type("bob", "/bid 1"))

    assert "case " in answer
    assert "secret in a traceback" not in answer
    await stage.type("ann", "/new tally")
    assert "#2 Table #2" in " ".join(await stage.type("ann", "/at tally-2 table"))


async def test_moves_are_spelled_once_per_state_however_much_is_typed(stage, table):
    """Some games have hundreds, and a player who types a lot would have them all spelled each time."""
    spelled = []
    spell = table.table.game.spell

    def counted(move):
        spelled.append(move)
        return spell(move)

    table.runner.table = attrs.evolve(table.table, game=attrs.evolve(table.table.game, spell=counted))
    for line in ("/moves", "hello", "/who", "/moves"):
        await stage.type("bob", line)

    assert [*table.table.moves(1)] == spelled
    await stage.type("bob", "1")
    assert [*map(spell, table.table.moves(1))] == [*table.words(stage.people["bob"])]


async def test_stopped_table_goes_on_with_a_fixed_release(tally, store):
    """A fixed release can resume it, because the log is kept."""
    rules = tally["tally"].rules
    stage = await Stage.open(tally, store=store)
    stage.enter("ann")
    stage.enter("bob")
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("bob", "/sit tally")
    await stage.type("ann", "/start")

    class Broken:
        def __getattr__(self, name):
            return getattr(rules, name)

        def apply(self, *_):
            raise ZeroDivisionError

    bot = stage.table(1)
    bot.runner.table = attrs.evolve(bot.table, game=attrs.evolve(bot.table.game, rules=Broken()))
    assert "Something is broken here" in " ".join(await stage.type("bob", "1"))
    assert "this table is stopped" in " ".join(await stage.type("bob", "1"))

    fixed = await Stage.open(tally, store=store)
    fixed.enter("bob")
    assert "You bid 1. Waiting for ann." in await fixed.type("bob", "1")


async def test_bot_that_fails_or_cheats_makes_the_default_move(tally, store):
    """The default move is always legal, never clever."""

    def lost(*_):
        raise IndexError

    for strategy in (lost, lambda *_: "no move at all"):
        game = attrs.evolve(tally["tally"], players={"novice": strategy})
        stage = await Stage.open({"tally": game}, store=type(store)())
        stage.enter("ann")
        await stage.type("ann", "/new tally max=3 first-dealer=host")
        await stage.type("ann", "/house")

        assert "Ada bids 0." in await stage.type("ann", "/start")


async def test_bots_see_their_view_their_moves_and_their_luck(tally, store):
    """Bots never cheat: the same secret and the same moves of people give the same game."""
    seen = []

    def watching(view, moves, luck):
        seen.append((view.seat, view, tuple(moves)))
        return moves[luck.below(len(moves))]

    game = attrs.evolve(tally["tally"], players={"novice": watching})
    games = []
    for _ in range(2):
        stage = await Stage.open({"tally": game}, store=type(store)())
        stage.enter("ann")
        await stage.type("ann", "/new tally max=3 first-dealer=host")
        await stage.type("ann", "/house 2")
        games.append(await stage.type("ann", "/start"))

    assert games[0] == games[1]
    assert all(view == game.rules.view(game.rules.sample(view, KeyedLuck(b"x")), seat) for seat, view, _ in seen)
