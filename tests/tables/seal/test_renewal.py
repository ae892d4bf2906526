"""A closed seal's root covers 64 hands. Then the table shows a new one, or its cards are marked as unproven."""

import asyncio
import copy
import json
from functools import partial

import attrs
import pytest

from lilygames.gametest import stage as stages
from lilygames.gametest.stage import Stage
from lilygames.proofs import commitments
from lilygames.server.place import place
from lilygames.server.shell import exports
from lilygames.tables.log.acts import Closed, Left, Sealing, Sitter
from lilygames.tables.open.opening import NewSeals
from lilygames.tables.seal.closed_deck import root_of
from lilygames.tables.seal.rounds import Rounds
from lilygames.tables.verify.closed_log import closed_export
from lilygames_rules.kit import Refused
from tests.deadline import DEADLINE
from tests.tables.room.test_newcomers import Session
from tests.tables.room.test_newcomers import opened as opened_stage
from tests.tables.room.test_sealing import said
from tests.tables.sealed_games import SECRET, Host, remade
from tests.tables.verify.test_closed_log import acts, run
from tests.toys import ALL, installed

POKER = pytest.mark.skipif("lilypoker" not in ALL, reason="not here: lilypoker")
pytestmark = POKER
HANDS = 2
"""Hands that a root covers here."""


def opened(hands=HANDS, names=("bob", "carol", "dave"), **header):
    """Return the host of a running closed session; bob's and carol's clients took part."""
    game = ALL["lilypoker"]
    options = attrs.evolve(game.quick_options or game.rules.Options(), hands="unlimited")
    table = commitments.table_id(12, game.name, game.rules.VERSION, commitments.seal_of(SECRET))
    root = root_of(SECRET, table, 1, game.hidden(options), hands=hands)
    host = Host(game, options, sealed=True, root=root, hands=hands, **header).seat(*names)
    return host.commit("bob", "carol").seal().reveal("bob", "carol").start()


def renewed(host):
    return host.renew("bob", "carol").seal(("bob", "carol")).reveal("bob", "carol")


def exported(host, name="bob"):
    host.then(Closed(""))
    return closed_export(host.table.header, host.table.game, SECRET, host.entries, name=name)


def proved(rows):
    """Return the hands with proofs, each with its round."""
    return {row["proof"][1]: row["round"] for row in map(json.loads, rows) if "proof" in row}


def marks(rows):
    return [row["unproven"] for row in map(json.loads, rows) if "unproven" in row]


# the log


def test_hand_after_the_last_one_that_the_root_covers_is_unproven():
    host = opened().play_to_hand(2)
    assert () == host.table.rounds.unproven

    assert ((3, 0),) == host.play_to_hand(4).table.rounds.unproven


def test_new_root_is_wanted_in_the_last_hand_and_serves_from_the_next():
    host = opened().play_to_hand(1)
    assert not host.table.rounds.wants_root
    host.play_to_hand(2)
    assert host.table.rounds.wants_root
    renewed(host)

    assert not host.table.rounds.wants_root
    assert (1, 3) == (host.table.rounds.hand.sealed.round, host.table.rounds.dealt.sealed.round)
    assert (3, ()) == (host.play_to_hand(3).table.rounds.hand.sealed.round, host.table.rounds.unproven)


def test_sixty_four_hands_leave_time_for_a_new_root():
    """It is wanted when four hands of it are left."""
    rounds = opened().table.rounds

    assert not attrs.evolve(rounds, hands=64, drawn=60).wants_root
    assert attrs.evolve(rounds, hands=64, drawn=61).wants_root


def test_void_round_leaves_the_old_root_in_force_and_its_cards_are_unproven():
    host = opened().play_to_hand(2)
    host.renew("bob", "carol").seal(("bob", "carol")).reveal("bob").void_in_play("carol").play_to_hand(3)

    assert (1, 1) == (host.table.rounds.dealt.sealed.round, host.table.rounds.hand.rooted)
    assert ((3, 0),) == host.table.rounds.unproven


def test_later_round_ends_the_unproven_hands():
    host = opened().play_to_hand(2).renew("bob").play_to_hand(4)
    host.commit("carol").seal(("bob", "carol")).reveal("bob", "carol").play_to_hand(5)

    assert ((3, 0),) == host.table.rounds.unproven  # the root was shown for hands 3 and 4
    renewed(host).play_to_hand(6)
    assert ((3, 5),) == host.table.rounds.unproven


@pytest.mark.parametrize("clients", [("bob",), ("carol",), ()])
def test_every_client_that_took_part_before_must_take_part_again(clients):
    host = opened().play_to_hand(2).renew("bob", "carol")

    with pytest.raises(Refused, match="bad-sealing"):
        host.seal(clients or ("nobody",))


def test_client_whose_player_has_left_is_not_needed():
    host = opened().play_to_hand(2).then(Left(1)).renew("bob").seal(("bob",)).reveal("bob")

    assert ("bob",) == host.table.rounds.sealed_by


def test_round_without_a_new_root_needs_a_newcomer():
    host = opened().play_to_hand(2).commit("bob", "carol")

    with pytest.raises(Refused, match="bad-sealing"):
        host.seal(("bob", "carol"))


def test_game_without_clients_gets_its_new_root_at_once():
    game = ALL["lilypoker"]
    host = opened()
    alone = Host(game, host.table.options, sealed=True, root=host.table.header.root, hands=HANDS).seat("bob", "carol")
    alone.seal().start().play_to_hand(2).renew().seal(("nobody",))

    assert (3, ()) == (alone.table.rounds.dealt.sealed.round, alone.table.rounds.sealed_by)
    assert () == alone.play_to_hand(3).table.rounds.unproven


def test_root_is_refused_before_the_start_in_an_open_game_and_while_clients_reveal():
    host = opened().play_to_hand(2)
    assert Rounds("T", "seal").renewing is False
    host.renew("bob", "carol").seal(("bob", "carol"))

    with pytest.raises(Refused, match="sealing"):
        host.renew()


# the export


def test_cards_of_all_hands_are_proved_by_the_root_of_their_hand(tmp_path):
    host = opened().play_to_hand(2)
    rows = exported(renewed(host).play_to_hand(5))
    code, said = run(rows, tmp_path)
    verdict = exports.verify("\n".join(rows), ALL)

    assert {1: 1, 2: 1, 3: 3, 4: 3} == proved(rows)
    assert [[5, 0]] == marks(rows)
    assert (0, True) == (code, verdict.match), said
    assert verdict.sentence.endswith("Deck sealed by bob and carol. Cards are unproven from hand 5.")
    assert "cards are unproven from hand 5" in said


def test_newcomer_may_bring_the_new_root(tmp_path):
    """One round is enough for both."""
    host = opened().play_to_hand(2).renew("bob", "carol").commit("mallory")
    table = host.table
    seats = (*table.seats, Sitter("mallory"))
    host.then(Sealing(table.rounds.proposed(seats, table.header.options, (), ("bob", "carol", "mallory"))))

    assert Sitter("mallory") == host.table.rounds.newcomer
    assert not host.reveal("bob", "carol", "mallory").table.rounds.missing


def mark_left_out(rows):
    rows.remove(next(row for row in rows if "unproven" in row))


def mark_of_a_proved_hand(rows):
    rows.append({"unproven": [1, 1]})


def later_root(rows):
    acts(rows, "Rooted")[0]["act"]["first"] += 1


def another_new_root(rows):
    acts(rows, "Rooted")[0]["act"]["root"] = "00" * 32


def another_new_root_in_both_places(rows):
    another_new_root(rows)
    acts(rows, "Sealing")[1]["act"]["sealing"]["root"] = "00" * 32


def new_root_left_out(rows):
    rows.remove(acts(rows, "Rooted")[0])


def round_without_carol(rows):
    acts(rows, "Sealing")[1]["act"]["sealing"]["commits"].pop()
    rows.remove(acts(rows, "Revealed")[3])


def reveal_left_out(rows):
    rows.remove(acts(rows, "Revealed")[3])


FORGERIES = [
    *(mark_left_out, mark_of_a_proved_hand, later_root, another_new_root, another_new_root_in_both_places),
    *(new_root_left_out, round_without_carol, reveal_left_out),
]


@pytest.mark.parametrize("forge", FORGERIES, ids=lambda forge: forge.__name__)
def test_forgery_is_found_by_both_verifiers(forge, tmp_path):
    host = opened().play_to_hand(2)
    rows = [json.loads(row) for row in exported(renewed(host).play_to_hand(6))]
    forge(rows)
    forged = remade(rows)
    code, said = run(forged, tmp_path)

    assert 1 == code, said
    assert said.splitlines()[-1].startswith("No match: ")
    assert not exports.verify("\n".join(forged), ALL).match


# a long session


def test_every_card_shown_in_seventy_hands_is_proved(tmp_path):
    """Bots play; bob's client is the only one, and takes part in both rounds."""
    game = installed("lilypoker")["lilypoker"]
    options = attrs.evolve(game.rules.Options(), hands="unlimited")
    number = 17  # its cards ruin nobody before the end
    table = commitments.table_id(number, game.name, game.rules.VERSION, commitments.seal_of(SECRET))
    root = root_of(SECRET, table, 1, game.hidden(options))
    host = Host(game, options, number=number, sealed=True, root=root).seat("bob", "carol")
    host.commit("bob").seal().reveal("bob").start()
    while host.table.rounds.drawn < 71 and host.table.outcome is None:
        if host.table.rounds.wants_root:
            host.renew("bob").seal(("bob",)).reveal("bob")
        host.decide()
    rows = exported(host)
    code, said = run(rows, tmp_path)

    assert ((), {1, 3}) == (host.table.rounds.unproven, {*proved(rows).values()})
    assert {*range(1, 71)} <= {*proved(rows)}
    assert (0, True) == (code, exports.verify("\n".join(rows), ALL).match), said


# at a table


@pytest.fixture
async def session(store, monkeypatch):
    """A session of ann and bob whose root covers two hands."""
    monkeypatch.setattr(stages, "SETTINGS", attrs.evolve(stages.SETTINGS, commit_seconds=60))
    monkeypatch.setattr(place, "NewSeals", partial(NewSeals, hands=HANDS))
    stage = await opened_stage(store, "ann", "bob")
    return await Session(stage, store).begin("seal=closed numbers=bills hands=6")


async def settled(session, *, until):
    """Let the root be computed in its thread, and the clients answer, until something is so."""
    async with asyncio.timeout(DEADLINE):
        while not until(session.table.rounds):
            await asyncio.sleep(0.01)
            await session.stage.quiet()
            await session.answer()


async def test_table_shows_a_new_root_in_the_last_hand_and_asks_the_clients(session):
    first = session.table.rounds.root
    await session.next_hand()
    await settled(session, until=lambda rounds: rounds.dealt.rooted > 1)
    told = said(session.stage.screens["bob"].last_lines())
    await session.next_hand()

    assert ["Rooted", "Committed", "Committed", "Sealing", "Revealed", "Revealed"] == [
        act for act in session.acts if act not in ("Moved", "Expired")
    ][-6:]
    assert (3, ()) == (session.table.rounds.drawn, session.table.rounds.unproven)
    assert first != session.table.rounds.root == session.table.rounds.hand.sealed.root
    assert "The next 2 hands have a new root: " in told


async def test_cards_are_marked_while_a_client_is_away_and_proved_again_later(session):
    session.clients["bob"].answers = False
    await session.next_hand()
    await settled(session, until=lambda rounds: rounds.missing == ("bob",))
    await session.time_is_up()
    await session.next_hand()

    assert ((3, 0),) == session.table.rounds.unproven
    assert "Cards are unproven from hand 3." in said(await session.stage.type("ann", "/table"))
    places = await session.finish()
    assert 1 not in places.open
    rows = await session.stage.type("ann", "/verify 1")
    assert "Cards are unproven from hand 3. Check it at home: /export 1." in said(rows)


async def test_root_is_shown_once_although_a_restart_interrupts_its_round(session, store):
    """The next process goes on with the root that the log has."""
    await session.next_hand()
    await settled(session, until=lambda rounds: rounds.renewing or rounds.dealt.rooted > 1)
    again = await Stage.open(installed("liarspoker"), store=copy.deepcopy(store))

    assert 1 == session.acts.count("Rooted")
    assert session.table.rounds == again.table(1).table.rounds
