"""Tables whose seal stays closed are dealt from a private half with a root, and from a public half."""

import attrs
import pytest

from lilygames import codec
from lilygames.game import HiddenShuffle
from lilygames.gametest.stage import Stage
from lilygames.proofs import commitments
from lilygames.server.shell import exports
from lilygames.store import Conflict
from lilygames.store.memory import MemoryStore
from lilygames.tables.log.acts import Sealing
from lilygames.tables.open import opening
from lilygames.tables.seal.closed_deck import ClosedDeck, ClosedLuck, root_of
from lilygames.tables.state.table import Table
from lilygames.tables.verify.draws import draws
from lilygames.tables.verify.verify import acts_of
from lilygames_rules.kit import Event
from tests.tables.sealed_games import NEXT, SECRET, Host
from tests.toys import ALL, TALLY, installed

HIDDEN = (HiddenShuffle("deal", 52, Event),)
TOY = attrs.evolve(TALLY["tally"], hidden=lambda _: HIDDEN)


@pytest.fixture(autouse=True)
def _version_2(monkeypatch):
    monkeypatch.setattr(opening, "FAIRNESS", 2)


def root(number, seal, round_=1, secret=SECRET):
    table = commitments.table_id(number, "tally", TOY.rules.VERSION, seal)
    return root_of(secret, table, round_, HIDDEN)


async def opened(store, **games):
    """Return a stage at which ann has opened a closed table."""
    stage = await Stage.open({"tally": TOY, **games}, store=store)
    for name in ("ann", "bob"):
        stage.enter(name)
    await stage.type("ann", "/new tally max=3 first-dealer=host seal=closed")
    return stage


async def test_new_closed_table_shows_the_root_of_its_hidden_half():
    stage = await opened(MemoryStore())
    header, secret = stage.table(1).table.header, stage.table(1).table.secret

    assert header.root == root(1, header.seal, secret=secret)
    assert stage.table(1).table.rounds.root == header.root


async def test_root_is_computed_again_if_the_number_is_taken_meanwhile(monkeypatch):
    store = MemoryStore()
    append, first = store.append, []

    async def overtaken(log, expected, drafts, **rest):
        if log == "tables" and not first:
            first.append(expected)
            await append(log, None, drafts, cmd="another node's")
            raise Conflict(expected + 1)
        return await append(log, expected, drafts, **rest)

    monkeypatch.setattr(store, "append", overtaken)
    stage = await opened(store)
    header = stage.table(2).table.header

    assert header.root == root(2, header.seal, secret=stage.table(2).table.secret)


async def test_open_table_has_no_root(stage):
    await stage.type("ann", "/new tally max=3 first-dealer=host")

    assert not stage.table(1).table.header.root


def closed():
    """Return the host of a closed table that has just been opened."""
    options = TOY.rules.Options(max=3, first_dealer="host")
    return Host(TOY, options, sealed=True, root=root(12, commitments.seal_of(SECRET)))


@pytest.mark.skipif("ohell" not in ALL, reason="not here: ohell")
def test_deal_needs_both_halves():
    """The toy's rules don't name the purpose of a draw, so this deals Ohell from the same hidden half."""
    game = attrs.evolve(ALL["ohell"], hidden=lambda _: HIDDEN)
    table = commitments.table_id(12, "ohell", game.rules.VERSION, commitments.seal_of(SECRET))
    host = Host(game, game.rules.Options(max=3, decks=1), sealed=True, root=root_of(SECRET, table, 1, HIDDEN))
    host.seat("bob", "carol").commit("bob").seal().reveal("bob").start()
    sealed = host.table.rounds.dealt
    cut = commitments.cut_key(host.table.rounds.table, host.table.rounds.code, sealed.nonces)
    deck = ClosedDeck(SECRET, host.table.rounds.table, 1, HIDDEN, cut)
    rows = [row for rows in draws(Table(host.table.header, game, SECRET), host.entries) for row in rows]
    call, pack, cards = next(row["draws"][0] for row in rows if row["key"] == ["luck", "deal", 1])

    assert "shuffle" == call
    assert [pack[place] for place in ClosedLuck(lambda _: deck).for_("deal", 1).shuffle(range(52))] == cards
    assert host.table.header.root == deck.root == sealed.sealed.root


def test_bots_luck_needs_the_secret():
    """Public luck would tell everyone what a bot will do."""
    host = closed().seat("bob", bots=[("Ada", "novice")]).commit("bob").seal().reveal("bob").start()
    rounds = host.table.rounds
    key = commitments.table_key(SECRET, rounds.table, rounds.code, rounds.dealt.nonces)

    assert key == host.table.key
    assert host.table.luck.of_bot(1).roll(1000) == host.table.luck.of_bot(1).roll(1000)


def test_round_after_a_void_one_has_its_own_root():
    host = closed().seat("bob", "carol").commit("bob", "carol").seal().reveal("bob")
    seal = host.table.header.seal
    host.void("carol", root=root(12, seal, 2, NEXT)).commit("bob").seal().reveal("bob").start()
    sealings = [act.sealing.root for act in acts_of(host.entries) if isinstance(act, Sealing)]

    assert [root(12, seal), root(12, seal, 2, NEXT)] == sealings
    assert 2 == len({*sealings})


@pytest.mark.parametrize("name", ["lilypoker", "liarspoker"])
def test_hidden_draws_of_our_games_are_those_that_their_rules_draw(name):
    """Whole games draw each hidden purpose as it is described: a shuffle of the pack, or lines of digits."""
    game = installed(name)[name]
    options = attrs.evolve(game.quick_options or game.rules.Options())
    hidden = {draw.purpose for draw in game.hidden(options)}
    host = Host(game, options).seat("bob", "carol").seal().start().play(most=200)
    rows = [row for rows in draws(Table(host.table.header, game, SECRET), host.entries) for row in rows]
    drawn = {row["key"][1] for row in rows}

    assert hidden & drawn
    for row in rows:
        match next((draw for draw in game.hidden(options) if draw.purpose == row["key"][1]), None):
            case HiddenShuffle(_, cards):
                assert all(cards == len(pack) for call, pack, *_ in row["draws"])
            case None:
                assert row["key"][1] in ("dealer", "opener", "chooser")
            case lines:
                digits = [result for call, items, result in row["draws"] if len(items) == 10]

                assert lines.lines * lines.digits >= len(digits) > 0
                assert 2 == len(row["draws"]) - len(digits)
                assert codec.dump(tuple(row["key"][:3])) == ["luck", lines.purpose, 1]


async def test_closed_game_is_verified_and_exported_for_its_reader():
    """Anyone may check the commitments, and the proofs of cards that they saw; before the end there is nothing."""
    store = MemoryStore()
    stage = await opened(store)
    await stage.type("bob", "/sit tally")
    await stage.type("ann", "/start")

    assert ["table #1 (tally) isn't over yet, so there is nothing to check."] == await stage.type("ann", "/verify 1")
    assert "you can't export game #1" in " ".join(await stage.type("ann", "/export 1"))

    bot = stage.table(1)
    secret = bot.table.secret.hex()
    while 1 in stage.open_tables:
        seat = next(seat for seat in range(2) if bot.table.moves(seat))
        line = bot.table.game.spell(bot.questions.offered(seat)[0])
        await stage.type(bot.table.seats[seat].name, f"/at 1 {line}")
    rows = await stage.type("bob", "/export 1")

    assert "Match: commitments and 0 proofs of table #1 (tally) fit." in (await stage.type("ann", "/verify 1"))[0]
    assert exports.verify("\n".join(rows), {"tally": TOY}).match
    assert secret not in "".join(rows)


async def test_damaged_closed_log_is_answered_with_one_sentence():
    store = MemoryStore()
    stage = await opened(store)
    await stage.type("bob", "/sit tally")
    await stage.type("ann", "/start")
    for name in ("ann", "bob"):
        await stage.type(name, "/leave")
    log = store.entries["table/1"]
    log[1] = attrs.evolve(log[1], body=log[1].body.replace('"seat":1', '"seat":0'))

    assert "Refused: the log of table #1 can't be read: entry 2" in " ".join(await stage.type("ann", "/export 1"))
    assert ["No match: entry 2 of table #1 (tally) differs from its replay."] == await stage.type("ann", "/verify 1")
