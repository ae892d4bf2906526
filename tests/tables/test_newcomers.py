"""A newcomer to a running game takes part in the key of the next hand, so the others can't have sealed it alone."""

import attrs
import pytest

from lilygames import codec, commitments
from lilygames.gametest import stage as stages
from lilygames.gametest.stage import Stage
from lilygames.tables.log import Body
from tests.tables.test_sealing import Client, answered, said, time_is_up
from tests.toys import installed


@pytest.fixture
async def poker(store, monkeypatch):
    """A stage with clients of ann, bob and cat; ann and bob play poker."""
    monkeypatch.setattr(stages, "SETTINGS", attrs.evolve(stages.SETTINGS, commit_seconds=60))
    stage = await Stage.open(installed("lilypoker"), store=store)
    for name in ("ann", "bob", "cat"):
        stage.enter(name)
    return stage


@pytest.fixture
async def clients(poker):
    """The clients of ann, bob and cat, in a game of ann and bob."""
    clients = [Client(poker, name) for name in ("ann", "bob", "cat")]
    await poker.type("ann", "/new lilypoker")
    await poker.type("bob", "/sit lilypoker")
    await answered(clients)
    await poker.type("ann", "/start")
    await answered(clients)
    assert ("ann", "bob") == poker.table(1).table.rounds.sealed_by
    return clients


def acts(store):
    return [type(codec.from_text(entry.body, Body).act).__name__ for entry in store._logs["table/1"]]


async def fold(stage):
    """Let everyone fold until a new hand is dealt."""
    bot = stage.table(1)
    played = bot.table.made
    for _ in range(20):
        if not bot.table.to_move:
            break
        seat = bot.table.to_move[0]
        move = bot.table.game.rules.default(bot.table.state, seat)
        await stage.type(bot.table.seats[seat].name, bot.table.game.spell(move))
        if bot.table.rounds.pending is None and bot.table.made > played:
            break


async def test_newcomer_is_seated_when_all_clients_have_revealed(poker, store, clients):
    await poker.type("cat", "/sit lilypoker")
    waits = poker.table(1).seat_of("cat")
    await answered(clients)

    assert None is waits
    assert 2 == poker.table(1).seat_of("cat")
    expected = ["Committed", "Committed", "Committed", "Sealing", "Revealed", "Revealed", "Revealed", "Joined"]
    assert expected == acts(store)[-8:]
    assert [poker.table(1)] == poker.people["cat"].seats


async def test_hand_keeps_its_key_and_the_next_one_has_the_newcomers(poker, clients):
    before = poker.table(1).table.key
    await poker.type("cat", "/sit lilypoker")
    await answered(clients)
    during = poker.table(1).table.key
    await fold(poker)
    table = poker.table(1).table

    assert before == during
    assert before != table.key
    assert ("ann", "bob", "cat") == table.rounds.dealt.names


async def test_log_with_a_newcomer_is_read_again_as_it_was(poker, store, clients):
    await poker.type("cat", "/sit lilypoker")
    await answered(clients)
    await fold(poker)
    again = await Stage.open(installed("lilypoker"), store=store)

    assert poker.table(1).table == again.table(1).table
    assert poker.table(1).table.key == again.table(1).table.key


async def test_others_know_that_the_newcomer_took_part(poker, clients):
    poker.screens["ann"].take()
    await poker.type("cat", "/sit lilypoker")
    await answered(clients)

    assert "cat sits down. From the next hand on: deck sealed by ann, bob and cat. Code " in said(
        poker.screens["ann"].take()
    )


async def test_newcomer_on_telnet_joins_under_the_old_key(poker, store, clients):
    poker.screens["cat"].wants_packets = False
    await poker.type("cat", "/sit lilypoker")

    assert 2 == poker.table(1).seat_of("cat")
    assert "Joined" == acts(store)[-1]
    assert None is poker.table(1).table.rounds.pending


async def test_newcomer_whose_client_does_not_reveal_is_not_seated(poker, clients):
    await poker.type("cat", "/sit lilypoker")
    clients[2].answers = False
    await answered(clients)
    poker.screens["cat"].take()
    await time_is_up(poker)

    assert None is poker.table(1).seat_of("cat")
    assert "so you have no seat" in said(poker.screens["cat"].take())
    assert ("cat",) == poker.table(1).table.rounds.voids[-1].missing


async def test_newcomer_is_asked_if_a_players_client_does_not_reveal(poker, clients):
    """The old key stays, and it's sealed without the newcomer."""
    key = poker.table(1).table.key
    await poker.type("cat", "/sit lilypoker")
    clients[1].answers = False
    await answered(clients)
    poker.screens["cat"].take()
    await time_is_up(poker)
    asked = said(poker.screens["cat"].take())
    seat = poker.table(1).seat_of("cat")
    await poker.type("cat", "/sit lilypoker")

    assert "The deck is sealed by ann and bob without you. To sit down anyway, type /sit." in asked
    assert (None, 2) == (seat, poker.table(1).seat_of("cat"))
    assert key == poker.table(1).table.key
    assert "bob" in poker.table(1).table.names


async def test_nobody_else_sits_down_meanwhile(poker, clients):
    poker.enter("dan")
    await poker.type("cat", "/sit lilypoker")

    assert "huffling; try again in a moment." in said(await poker.type("dan", "/sit lilypoker"))


async def test_play_goes_on_while_a_newcomer_waits(poker, clients):
    await poker.type("cat", "/sit lilypoker")
    made = poker.table(1).table.made
    await fold(poker)

    assert made < poker.table(1).table.made


async def test_stranger_cannot_commit_at_a_running_game(poker, clients):
    digits = commitments.commitment(poker.table(1).table.rounds.table, 2, "cat", bytes(32))

    assert "Refused" in said(await poker.type("cat", f"/at 1 commit {digits}"))


async def test_chips_of_a_waiting_newcomer_are_staked_once(poker, clients):
    await poker.type("cat", "/sit lilypoker")
    clients[2].answers = False
    await answered(clients)

    assert 0 < poker.table(1).end_of_game.unsettled("cat")


async def test_newcomers_round_has_a_root_of_its_own_where_the_seal_stays_closed(poker, clients):
    """The cards of the next hand can be proved against it."""
    await poker.type("cat", "/sit lilypoker")
    await answered(clients)
    await fold(poker)
    table = poker.table(1).table
    deck = table.rounds.deck(table.secret, table.game.hidden(table.options))
    proof = deck.proof(("deal", table.rounds.hand), 0)

    assert table.header.root != table.rounds.dealt.sealed.root
    assert deck.root == table.rounds.dealt.sealed.root
    assert proof.holds(table.rounds.dealt.sealed.root, table.game.hidden(table.options))
