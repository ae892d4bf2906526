"""Ids stand for people in a table's log, and their names are beside it; so a name can be deleted."""

import json
import subprocess
import sys
from pathlib import Path

import attrs
import pytest

from lilygames import codec
from lilygames.gametest.stage import Stage
from lilygames.proofs import commitments
from lilygames.server.shell import exports
from lilygames.store import StoreUnavailable
from lilygames.tables.archive.archive import INDEX
from lilygames.tables.log.acts import Committed, Forgotten, Frozen, Header, Noted, Seated, Sitter, Voided
from lilygames.tables.log.names_beside import (
    effects,
    hidden_entry,
    hidden_header,
    people_of,
    shown_entries,
    shown_header,
    with_names,
)
from lilygames.tables.log.seat_ids import SeatId, SeatIds
from lilygames.tables.open.forgetting import forget_names
from lilygames.tables.state.table import Table
from tests.tables.duplicate.test_duplicate_tables import OPEN, begun_alone, played_out
from tests.tables.room.test_sealing import Client, answered
from tests.tables.sealed_games import SECRET, Host
from tests.toys import ALL, TALLY, installed

SCRIPT = Path(__file__).resolve().parents[3] / "scripts" / "verify-game"
PEOPLE = SeatIds((SeatId.of("bob", b"\x11" * 32), SeatId.of("carol", b"\x22" * 32)))
SEAL = commitments.seal_of(SECRET)


def opened(**header):
    """Return the host of a table with ids."""
    return Host(ALL["tally"], ids=True, people=PEOPLE, **header)


# bytes


def test_id_is_a_salted_hash_of_the_name():
    salt = bytes(range(32))
    whole = commitments.digest("seat", "bob", salt)

    assert "5ad1faf81f9f" == commitments.seat_id("bob", salt)[:12]
    assert whole[:32] == commitments.seat_id("bob", salt)
    assert commitments.seat_id("bob", salt) != commitments.seat_id("carol", salt)


def test_stored_header_has_ids_and_says_so():
    header = Header(12, "tally", 1, "tally", {}, SEAL, "bob", invited=("carol",), ids=True, people=PEOPLE)
    stored = json.loads(codec.to_text(hidden_header(header)))
    bob, carol = map(PEOPLE.id_of, ("bob", "carol"))

    assert (bob, [carol], True) == (stored["host"], stored["invited"], stored["ids"])
    assert "people" not in stored
    assert header == shown_header(codec.load(stored, Header), PEOPLE)


def test_header_that_brings_its_own_names_is_refused():
    stored = codec.dump(Header(12, "tally", 1, "tally", {}, SEAL, "bob", ids=True))

    with pytest.raises(ValueError, match="people"):
        codec.load({**stored, "people": codec.dump(PEOPLE)}, Header)


def test_each_act_that_names_people_has_ids_in_the_log():
    named = [
        Seated(0, Sitter("bob")),
        Seated(0, Sitter("Ada", "novice", stands_in="bob")),
        Committed("bob", "00"),
        Voided(1, ("bob", "carol"), "00", "11"),
        Noted("agreed", "carol", "undo 3"),
        Frozen("carol", "a quarrel"),
        Forgotten("bob"),
    ]
    for act in named:
        stored = codec.to_text(with_names(act, PEOPLE.id_of))

        assert "bob" not in stored
        assert "carol" not in stored
        assert act == with_names(codec.load(json.loads(stored), type(act)), PEOPLE.name_of)


def test_log_of_a_whole_round_has_ids_and_its_digests_cover_them():
    host = opened().seat("bob", "carol", bots=[("Ada", "novice")]).cut("bob", "pips")
    rounds = host.table.rounds
    digits = commitments.commitment(rounds.table, 1, PEOPLE.id_of("bob"), b"\x11" * 32)
    host.then(Committed("bob", digits)).seal().reveal("bob").start()
    texts = " ".join(entry.body for entry in host.entries)
    (sealed,) = [json.loads(entry.body)["act"]["sealing"] for entry in host.entries if "Sealing" in entry.body]
    digest = commitments.sealing_digest(rounds.table, {key: sealed[key] for key in sealed if key != "is"})

    assert ("bob" in texts, "carol" in texts, "Ada" in texts) == (False, False, True)
    assert [[PEOPLE.id_of("bob"), ""], [PEOPLE.id_of("carol"), ""], ["Ada", "novice"]] == sealed["seats"]
    assert [[PEOPLE.id_of("bob"), "pips"]] == sealed["words"]
    assert ("bob",) == host.table.rounds.sealed_by
    assert digest == host.table.rounds.code


def test_bytes_of_a_log_with_ids_stay_the_same():
    """They are stored for ever: whatever changes this digest breaks the check of all finished games."""
    table = Table(opened().table.header, ALL["tally"], SECRET)
    table, _ = table.after(Seated(0, Sitter("bob")))

    assert GOLDEN_BODY == table.body


GOLDEN_BODY = (
    '{"act":{"is":"Seated","seat":0,"who":{"gone":false,"is":"Sitter",'
    '"left":false,"level":"","name":"ec56e993a1e72f28fb1ca4bf8a295e23","stands_in":""}}'
    ',"is":"Body","told":"551b1071ad47063e"}'
)


def test_log_reads_the_same_whether_a_name_is_deleted_or_not():
    host = opened().seat("bob", "carol")
    host.then(Noted("agreed", "bob", "undo")).seal().start()
    stored = [attrs.evolve(entry, by=PEOPLE.id_of("bob")) for entry in host.entries]
    header = hidden_header(host.table.header)
    for known in (PEOPLE, PEOPLE.without(["bob"]), SeatIds()):
        people, entries = shown_entries(stored, known)
        table = Table(shown_header(header, people), host.table.game, SECRET)
        for entry in entries:
            table, _ = table.read(entry)

        assert host.table.told == table.told
        assert stored == [hidden_entry(entry, people) for entry in entries]
    assert ("former player", "former player 2") == table.names


def test_name_that_does_not_fit_its_id_is_noticed():
    swapped = SeatIds((attrs.evolve(PEOPLE.pairs[0], name="mallory"), PEOPLE.pairs[1]))
    twice = SeatIds((PEOPLE.pairs[0], SeatId.of("bob", bytes(32))))

    assert PEOPLE.fit
    assert not swapped.fit
    assert not twice.fit
    assert PEOPLE.without(["bob"]).meeting([PEOPLE.id_of("bob")]).fit


# the store


def stored_texts(store):
    """Return all text in the logs of tables and their index."""
    logs = [log for name, log in store.entries.items() if name == INDEX or name.startswith(("table/", "duplicate/"))]
    return [text for log in logs for entry in log for text in (entry.by, entry.body)]


async def test_no_name_is_in_the_logs_of_a_whole_game(stage, table, finish, store):
    await finish()
    names = (await people_of(store, 1)).pairs

    assert not [text for text in stored_texts(store) if "ann" in text or "bob" in text]
    assert {"ann", "bob"} == {pair.name for pair in names}
    assert "Match: " in (await stage.type("ann", "/verify 1"))[0]


async def test_name_is_stored_with_the_append_that_first_uses_its_id(stage, table, store):
    """So a kill can't come between them."""
    stage.enter("cat")
    failing, append = [], store.append

    async def fails(log, *rest, **more):
        failing.append(more.get("effects", ()))
        raise StoreUnavailable

    store.append = fails
    await stage.type("cat", "/sit tally")
    await stage.type("ann", "/new tally bob cat")
    store.append = append

    assert "cat" not in {pair.name for pair in (await people_of(store, 1)).pairs}
    await stage.type("bob", "/undo")
    moved = stage.table(1).runner
    assert () == effects(1, moved._named, moved.table.header.people)


async def test_move_writes_no_record(stage, table, store):
    """The names beside a log cost nothing while nobody new comes."""
    written, append = [], store.append

    async def spied(log, *rest, **more):
        written.append((log, more.get("effects", ())))
        return await append(log, *rest, **more)

    store.append = spied
    await stage.type("bob", "/bid 0")

    assert [("table/1", ())] == [one for one in written if one[0].startswith("table/")]


async def test_kill_between_header_and_names_leaves_no_open_table(store):
    stage = await Stage.open(TALLY, store=store)
    stage.enter("ann")
    keep = store.keep

    async def killed(kind, key, body):
        if kind.startswith("names/"):
            raise StoreUnavailable
        await keep(kind, key, body)

    store.keep = killed
    await stage.type("ann", "/new tally")
    store.keep = keep
    after = await Stage.open(TALLY, store=store)
    after.enter("ann")

    assert {} == after.open_tables
    assert "former player" == (await after.tables.archive.header(1)).host
    await after.type("ann", "/new tally")
    assert [2] == [*after.open_tables]


async def test_player_who_is_renamed_between_two_seats_has_two_ids(stage, table, finish, store):
    await stage.type("bob", "/leave")
    await stage.type("bob", "/rename robert")
    stage.people["robert"], stage.screens["robert"] = stage.people["bob"], stage.screens["bob"]
    await stage.type("robert", "/sit tally")
    names = {pair.name for pair in stage.table(1).table.header.people.pairs}
    after = await Stage.open(TALLY, store=store)

    assert {"ann", "bob"} <= names
    assert stage.table(1).table == after.table(1).table


# deletion


async def test_finished_game_shows_a_former_player_and_still_verifies(stage, table, finish, store):
    await finish()
    before = await stage.type("ann", "/replay 1 2")
    logs = 1
    assert logs == await forget_names(stage.tables, ["Bob"])
    stage.enter("cat")

    for place in (stage, await Stage.open(TALLY, store=store)):
        place.enter("cat")
        assert "Match: " in (await place.type("cat", "/verify 1"))[0]
        text = " ".join(await place.type("cat", "/log 1"))
        assert ("former player" in text, "bob" in text) == (True, False)
    assert before
    assert ["ann"] == [pair.name for pair in (await people_of(store, 1)).pairs]
    assert {} == await store.every("named/bob")
    assert 0 == await forget_names(stage.tables, ["bob"])


async def test_open_table_shows_a_former_player_and_goes_on(stage, table, store):
    stage.drop("bob")
    await forget_names(stage.tables, ["bob"])
    now = stage.table(1).table
    rows = await stage.type("ann", "/table")
    after = await Stage.open(TALLY, store=store)

    assert ("ann", "former player") == now.names
    assert any("former player" in row for row in rows)
    assert not any("bob" in row for row in rows)
    assert now == after.table(1).table
    await stage.type("ann", "/note 1 a good game")
    assert "Forgotten" in store.entries["table/1"][-1].body


async def test_exported_game_verifies_without_the_name(stage, table, finish, tmp_path):
    await finish()
    with_name = "\n".join(await whole(stage, "/export 1"))
    await forget_names(stage.tables, ["bob"])
    without = "\n".join(await whole(stage, "/export 1"))

    for text in (with_name, without):
        verdict = exports.verify(text, TALLY)
        assert verdict.match, verdict.sentence
        assert 0 == script(text, tmp_path)[0]
    assert "bob" in with_name
    assert "bob" not in without
    assert "former player" in "\n".join(exports.replay(without, installed=TALLY))


def swapped(text, **names):
    """Return an export in which names beside the log are changed."""
    first, *rest = text.splitlines()
    row = json.loads(first)
    row["names"] = [[id_, names.get(name, name), salt] for id_, name, salt in row["names"]]
    return "\n".join([json.dumps(row), *rest])


async def test_exported_game_with_another_name_does_not_match(stage, table, finish, tmp_path):
    await finish()
    text = swapped("\n".join(await whole(stage, "/export 1")), bob="mallory")

    assert "a name in table #1 (tally) isn't the one its id was made of" in exports.verify(text, TALLY).sentence
    assert script(text, tmp_path)[0] == 1


async def whole(stage, line):
    """Return the rows of a command without wrapping."""
    stage.screens["ann"].prefer({"width": "10000000"})
    return await stage.type("ann", line)


def script(text, folder):
    """Return the exit code and output of the script that imports none of our code."""
    file = folder / "game.jsonl"
    file.write_text(text, "utf-8")
    done = subprocess.run([sys.executable, "-I", SCRIPT, file], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


# clients


@pytest.fixture
async def sealed_game(stage, finish):
    """A game that the clients of ann and bob sealed, played to its end."""
    clients = [Client(stage, name) for name in ("ann", "bob")]
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("bob", "/sit tally")
    await answered(clients)
    await stage.type("ann", "/start")
    await answered(clients)
    await finish()
    return stage


async def test_only_the_owner_gets_the_salt_of_an_id(stage):
    ann, bob = (Client(stage, name) for name in ("ann", "bob"))
    await stage.type("ann", "/new tally max=3")
    await stage.type("bob", "/sit tally")
    people = stage.table(1).table.header.people
    for client, other in ((ann, "bob"), (bob, "ann")):
        sent = json.dumps([packet.value for packet in client.screen.packets])

        assert people.pair_of(client.name).salt in sent
        assert people.pair_of(other).salt not in sent


async def test_game_sealed_by_a_deleted_player_says_so_and_verifies(sealed_game, tmp_path):
    await forget_names(sealed_game.tables, ["bob"])
    verdict = (await whole(sealed_game, "/verify 1"))[0]
    text = "\n".join(await whole(sealed_game, "/export 1"))

    assert verdict.startswith("Match: ")
    assert "Deck sealed by ann and former player" in verdict
    assert exports.verify(text, TALLY).match
    assert (0, True) == (script(text, tmp_path)[0], "sealed by ann" not in text)


async def test_commitment_by_hand_is_told_what_to_hash(stage):
    await stage.type("ann", "/new tally max=3")
    await stage.type("bob", "/sit tally")
    rows = " ".join(await stage.type("bob", "/commit"))

    assert stage.table(1).table.header.people.id_of("bob") in rows
    assert stage.table(1).table.rounds.table in rows


# closed seals


async def test_closed_session_shows_a_former_player_and_still_verifies(store, tmp_path):
    games = installed("lilypoker")
    stage = await Stage.open(games, store=store)
    for name in ("ann", "bob", "cat"):
        stage.enter(name)
    await stage.type("ann", "/new lilypoker")
    await stage.type("bob", "/sit lilypoker")
    await stage.type("ann", "/start")
    for name in ("ann", "bob"):
        await stage.type(name, "/leave")
    assert (await stage.tables.archive.header(1)).sealed
    await forget_names(stage.tables, ["bob"])
    text = "\n".join(await whole(stage, "/export 1"))

    assert (await whole(stage, "/verify 1"))[0].startswith("Match: ")
    assert "bob" not in text
    assert exports.verify(text, games).match
    assert script(text, tmp_path)[0] == 0
    mallory = swapped(text, ann="mallory")
    assert "isn't the one its id was made of" in exports.verify(mallory, games).sentence


# duplicate sets


async def test_set_shows_a_former_player_and_its_tables_still_verify(store):
    games = installed("ohell")
    stage = await Stage.open(games, store=store)
    for name in ("ann", "bob"):
        stage.enter(name)
    await begun_alone(stage)
    await stage.type("bob", OPEN)
    for number in (1, 2):
        await played_out(stage, number)
    await stage.type("ann", "/duplicate friday end")
    await stage.look("duplicate_watch")
    before = await whole(stage, "/duplicate friday")
    await forget_names(stage.tables, ["bob"])
    after = await whole(stage, "/duplicate friday")

    assert not [text for text in stored_texts(store) if '"ann"' in text or '"bob"' in text]
    assert any("bob" in row for row in before)
    assert not any("bob" in row for row in after)
    assert any("former player" in row for row in after)
    for number in (1, 2):
        assert (await whole(stage, f"/verify {number}"))[0].startswith("Match: ")
        text = "\n".join(await whole(stage, f"/export {number}"))
        assert exports.verify(text, games).match
        assert "bob" not in text
