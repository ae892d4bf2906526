"""A game starts with the numbers of its players' clients, and nobody can choose or stall a deal."""

import copy
import json
from types import SimpleNamespace

import attrs
import pytest

from lilygames import codec
from lilygames.gametest import stage as stages
from lilygames.gametest.stage import Stage
from lilygames.proofs import commitments
from lilygames.store.memory import MemoryStore
from lilygames.tables.log.acts import Body
from lilygames.tables.open import opening, tables
from tests.toys import TALLY


@pytest.fixture(autouse=True)
def _version_2(monkeypatch):
    monkeypatch.setattr(opening, "FAIRNESS", 2)


class Client:
    """A client that commits and reveals unasked; it keeps its numbers like a file would."""

    def __init__(self, stage, name):
        self.name = name
        self.numbers = {}
        self.answers = True
        self.move_to(stage)

    def move_to(self, stage):
        """Connect to a place, perhaps after a restart."""
        self.stage = stage
        self.screen = stage.screens[self.name]
        self.screen.takes_packets = True

    async def answer(self):
        """Answer all packets so far."""
        packets, self.screen.packets[:] = [*self.screen.packets], []
        for packet in packets:
            body = json.loads(json.dumps(packet.value))
            if packet.name == "seal":
                number = self.numbers.setdefault(body["round"], commitments.fresh())
                digits = commitments.commitment(body["T"], body["round"], body["id"], number)
                await self.type(f"/at {body['number']} commit {digits}")
            elif packet.name == "sealing" and self.answers:
                assert body["D"] == commitments.sealing_digest(body["T"], body["sealing"])
                await self.type(f"/at {body['number']} reveal {self.numbers[body['sealing']['round']].hex()}")

    async def type(self, line):
        return await self.stage.type(self.name, line)


@pytest.fixture
def clients(stage):
    """The clients of ann and bob."""
    return [Client(stage, name) for name in ("ann", "bob")]


async def seated(stage, options="max=3 first-dealer=host"):
    await stage.type("ann", f"/new tally {options}")
    await stage.type("bob", "/sit tally")


async def answered(clients):
    for _ in range(3):
        for client in clients:
            await client.answer()


async def time_is_up(stage, number=1):
    bot = stage.table(number)
    await bot.room.do(bot.shuffle.close_round)
    await stage.quiet()


def said(rows):
    """Return rows as text, however they were wrapped."""
    return " ".join(" ".join(rows).split())


def acts(store, number=1):
    return [type(codec.from_text(entry.body, Body).act).__name__ for entry in store.entries[f"table/{number}"]]


async def test_game_starts_with_the_numbers_of_all_clients(stage, store, clients):
    await seated(stage)
    await answered(clients)
    await stage.type("ann", "/start")
    await answered(clients)
    table = stage.table(1).table

    assert ["Committed", "Committed", "Sealing", "Revealed", "Revealed", "Start"] == acts(store)[2:]
    assert ("ann", "bob") == table.rounds.sealed_by


async def test_start_names_whose_clients_took_part_and_the_code(stage, clients):
    await seated(stage)
    await answered(clients[1:])
    await stage.type("ann", "/start")
    stage.screens["ann"].take()
    await answered(clients[1:])
    code = stage.table(1).table.rounds.code
    rows = said(stage.screens["ann"].take())

    assert f"Deck sealed by bob. Code {code[:4]} {code[4:8]} {code[8:10]}." in rows


async def test_start_says_nothing_if_no_client_took_part(stage, store):
    await seated(stage)
    rows = said(await stage.type("ann", "/start"))

    assert ["Sealing", "Start"] == acts(store)[2:]
    assert "Deck sealed" not in rows
    assert "Tally begins" in rows


async def test_people_on_telnet_may_commit_and_reveal_by_hand(stage):
    await seated(stage)
    number = bytes(32)
    table = stage.table(1).table
    digits = commitments.commitment(table.rounds.table, 1, table.header.people.id_of("bob"), number)
    await stage.type("bob", f"/commit {digits}")
    stage.screens["bob"].take()
    await stage.type("ann", "/start")
    asked = stage.screens["bob"].take()
    await stage.type("bob", f"/reveal {number.hex()}")

    assert any("Shuffling: type /reveal and your number within 10 seconds." in row for row in asked)
    assert ("bob",) == stage.table(1).table.rounds.sealed_by


async def test_wrong_number_is_refused_with_what_to_do(stage, clients):
    await seated(stage)
    await answered(clients)
    await stage.type("ann", "/start")
    refused = said(await stage.type("bob", f"/reveal {'0' * 64}"))
    await answered(clients)

    assert "Type /reveal again with the number you committed to." in refused
    assert stage.table(1).table.started


async def test_same_commitment_again_is_not_logged_and_another_one_replaces_it(stage, store):
    await seated(stage)
    first, second = "0" * 64, "1" * 64
    rows = [await stage.type("bob", f"/commit {digits}") for digits in (first, first, second)]

    assert [[], []] == rows[:2]
    assert any("Your new commitment replaces the one before." in row for row in rows[2])
    assert 2 == acts(store).count("Committed")


@pytest.mark.parametrize("line", ["/sit tally", "/cut late", "/leave", "/start"])
async def test_table_asks_for_patience_while_clients_reveal(stage, clients, line):
    await seated(stage)
    await answered(clients)
    await stage.type("ann", "/start")
    stage.enter("cat")
    name = "cat" if line == "/sit tally" else "bob"

    assert "huffling; try again in a moment." in said(await stage.type(name, line))


async def test_game_starts_at_once_with_clients_that_have_just_sat_down(monkeypatch, store):
    """The start waits for them, but not for its whole time."""
    monkeypatch.setattr(stages, "SETTINGS", attrs.evolve(stages.SETTINGS, commit_seconds=60))
    stage = await Stage.open(TALLY, store=store)
    stage.enter("ann")
    client = Client(stage, "ann")
    await stage.type("ann", "/quick tally")
    waits = acts(store)
    await answered([client])

    assert "Sealing" not in waits
    assert ("ann",) == stage.table(1).table.rounds.sealed_by


async def test_game_waits_for_no_client_that_cannot_commit(monkeypatch, store):
    """A client may take the packets of tables, but not those of the seal."""
    monkeypatch.setattr(stages, "SETTINGS", attrs.evolve(stages.SETTINGS, commit_seconds=60))
    stage = await Stage.open(TALLY, store=store)
    screen = stage.enter("ann")
    screen.takes_packets = True
    monkeypatch.setattr(type(screen), "supports", lambda _, packet: packet != "seal")
    await stage.type("ann", "/quick tally")

    assert stage.table(1).table.started


async def test_disconnected_players_commitment_is_left_out_and_they_are_told(stage, clients):
    await seated(stage)
    await answered(clients)
    stage.drop("bob")
    await stage.type("ann", "/start")
    await answered(clients[:1])
    rows = (await stage.come("bob")).take()

    assert ("ann",) == stage.table(1).table.rounds.sealed_by
    assert "You were disconnected when the deck was sealed" in said(rows)


async def test_client_that_reconnects_is_asked_again(stage, clients):
    await seated(stage)
    await answered(clients)
    await stage.type("ann", "/start")
    await answered(clients[:1])
    stage.drop("bob")
    screen = stage.enter("bob")
    screen.takes_packets = True
    clients[1].move_to(stage)
    stage.table(1).shuffle.came_or_went(stage.people["bob"])
    await answered(clients)

    assert ("ann", "bob") == stage.table(1).table.rounds.sealed_by


async def test_seat_adds_only_a_few_words(stage):
    await seated(stage)
    for number in range(8):
        await stage.type("bob", f"/cut word{number}")

    assert "you have added 8 words already" in said(await stage.type("bob", "/cut more"))
    assert 8 == len(stage.table(1).table.cuts)


async def test_client_cannot_fill_the_log_with_commitments(stage, store, clients):
    await seated(stage)
    for number in range(25):
        told = said(await stage.type("bob", f"/commit {number:064x}"))

    assert "that's the limit" in told
    assert 20 == acts(store).count("Committed")
    assert f"{19:064x}" == stage.table(1).table.rounds.commits["bob"]


# void rounds


async def voided(stage, clients, options="max=3 first-dealer=host rated=no"):
    """Let bob's client not reveal."""
    await seated(stage, options)
    await answered(clients)
    await stage.type("ann", "/start")
    clients[1].answers = False
    await answered(clients)
    stage.screens["ann"].take()
    await time_is_up(stage)


async def test_round_is_void_by_name_and_the_next_one_starts(stage, store, clients):
    await voided(stage, clients)
    told = said(stage.screens["ann"].take())
    await answered(clients)
    table = stage.table(1).table

    assert "bob didn't reveal in time, so this shuffle is void. The next seal is" in told
    assert (2, True) == (table.rounds.voids[0].round + 1, table.started)
    assert table.header.seal == commitments.seal_of(bytes.fromhex(table.rounds.voids[0].secret))


async def test_missing_client_does_not_commit_again_and_its_owner_plays_on_unprotected(stage, clients):
    await voided(stage, clients)
    await answered(clients)

    assert "bob" in stage.table(1).table.names
    assert "bob" not in stage.table(1).table.rounds.sealed_by


async def test_table_shows_void_rounds_with_names(stage, clients, finish):
    await voided(stage, clients)
    await answered(clients)
    shown = said(await stage.type("ann", "/table"))
    await finish()

    assert "Void shuffles: round 1 (bob)." in shown
    assert 1 == said(stage.screens["bob"].rows).count("Void shuffles: round 1 (bob).")


@pytest.fixture
async def rated(stage, clients):
    """A rated table for three at which bob's client doesn't reveal."""
    stage.enter("cat")
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("bob", "/sit tally")
    await stage.type("cat", "/sit tally")
    await answered(clients)
    await stage.type("ann", "/start")
    clients[1].answers = False
    await answered(clients)
    await time_is_up(stage)
    return stage.table(1)


async def test_at_a_rated_table_the_missing_player_loses_the_seat(stage, rated, clients):
    await answered(clients)

    assert ("ann", "cat") == rated.table.names
    assert [] == stage.people["bob"].seats
    assert rated.table.started


@pytest.mark.parametrize("name", ["ann", "bob"])
async def test_everyone_is_told_who_loses_the_seat_and_why(stage, rated, name):
    """Also the player who loses it, who doesn't hear the table from then on."""
    assert "bob loses the seat, because the game is rated or played for rating." in said(stage.screens[name].rows)
    assert ("ann", "cat") == rated.table.names


async def test_player_who_has_lost_the_seat_cannot_sit_down_again(stage, store, monkeypatch):
    monkeypatch.setattr(stages, "SETTINGS", attrs.evolve(stages.SETTINGS, commit_seconds=60))
    stage = await Stage.open(TALLY, store=store)
    for name in ("ann", "bob", "cat"):
        stage.enter(name)
    clients = [Client(stage, name) for name in ("ann", "bob", "cat")]
    await stage.type("ann", "/new tally max=3")
    await stage.type("bob", "/sit tally")
    await stage.type("cat", "/sit tally")
    await answered(clients)
    await stage.type("ann", "/start")
    clients[1].answers = False
    await answered(clients)
    await time_is_up(stage)

    assert "so you can't sit down there again" in said(await stage.type("bob", "/sit tally"))


# restarts


async def logged(stage, store, clients):
    """Play a whole start with a void round; return the store before each entry was added."""
    await voided(stage, clients)
    clients[1].answers = True
    await answered(clients)
    assert stage.table(1).table.started
    return len(store.entries["table/1"])


async def test_start_goes_on_after_a_kill_at_every_entry(stage, store, clients):
    """The same secret, code and numbers; a restart alone never voids a round."""
    length = await logged(stage, store, clients)
    for kept in range(2, length + 1):
        again = await restarted(store, kept)
        there = [again_at(client, again) for client in clients]
        await again.quiet()
        if not again.table(1).table.started:
            await answered(there)
        if not (again.table(1).table.started or again.table(1).table.rounds.sealed):
            await again.type("ann", "/start")
        await answered(there)

        assert again.table(1).table.started, acts(again.tables.store)
        assert 1 >= len(again.table(1).table.rounds.voids)


async def restarted(store, kept):
    """Return a new process over a copy of the store, with this many entries of table 1."""
    other = MemoryStore()
    other.entries.update({name: [*entries] for name, entries in store.entries.items()})
    other.records.update(copy.deepcopy(store.records))
    del other.entries["table/1"][kept:]
    stage = await Stage.open(TALLY, store=other)
    for name in ("ann", "bob"):
        stage.enter(name)
    return stage


def again_at(client, stage):
    """Return the client with its numbers at another place, after a reconnect."""
    again = Client(stage, client.name)
    again.numbers = dict(client.numbers)
    for bot in stage.open_tables.values():
        bot.shuffle.came_or_went(stage.people[client.name])
    return again


# people who try to keep others from playing


@pytest.fixture
def patient(monkeypatch):
    """Let a start wait a minute for commitments, by a clock that the test sets."""
    clock = SimpleNamespace(now=0.0, monotonic=lambda: clock.now)
    monkeypatch.setattr(stages, "SETTINGS", attrs.evolve(stages.SETTINGS, commit_seconds=60))
    monkeypatch.setattr(tables, "time", clock)
    return clock


async def test_sitting_down_again_and_again_does_not_put_off_the_start(patient, store):
    stage = await Stage.open(TALLY, store=store)
    for name in ("ann", "bob", "cat"):
        stage.enter(name)
    stage.screens["cat"].takes_packets = True
    await seated(stage)
    await stage.type("cat", "/sit tally")
    await stage.type("ann", "/start")
    for seconds in (50, 100, 150):
        patient.now = seconds
        await stage.type("cat", "/leave")
        await stage.type("cat", "/sit tally")
    await stage.type("ann", "/start")

    assert stage.table(1).table.started


async def test_people_who_come_one_after_another_cannot_void_every_round(patient, store):
    """After two void rounds only those commit who took part in the last one."""
    stage = await Stage.open(TALLY, store=store)
    for name in ("ann", "cat", "dan", "eve"):
        stage.enter(name)
    ann = Client(stage, "ann")
    await stage.type("ann", "/new tally max=3 first-dealer=host rated=no")
    for name in ("cat", "dan"):
        await stage.type(name, "/sit tally")
    await stage.type("cat", f"/commit {'0' * 64}")
    await ann.answer()
    await stage.type("ann", "/start")
    await ann.answer()
    await time_is_up(stage)
    await stage.type("cat", "/leave")
    await stage.type("eve", "/sit tally")
    await stage.type("dan", f"/commit {'0' * 64}")
    await ann.answer()
    await ann.answer()
    await time_is_up(stage)
    refused = said(await stage.type("eve", f"/commit {'0' * 64}"))
    await answered([ann])

    assert "only clients that took part in the last one can commit" in refused
    assert (2, ("ann",)) == (len(stage.table(1).table.rounds.voids), stage.table(1).table.rounds.sealed_by)


# a kill while a start waits, and one after another


async def waiting(store):
    """Return a place where ann's start waits for cat's client."""
    stage = await Stage.open(TALLY, store=store)
    for name in ("ann", "bob", "cat"):
        stage.enter(name)
    stage.screens["cat"].takes_packets = True
    await seated(stage)
    await stage.type("cat", "/sit tally")
    await stage.type("ann", "/start")
    assert not stage.table(1).table.started
    return stage


async def test_start_that_waits_for_commitments_survives_a_kill(patient, store):
    """The first /start is logged: nobody has to type it again."""
    await waiting(store)
    again = await restarted(store, len(store.entries["table/1"]))
    again.enter("cat")
    assert "ann" == again.table(1).table.rounds.wanted
    patient.now = 1000
    await again.table(1).room.do(again.table(1).shuffle._begin_wanted)
    await again.quiet()

    assert again.table(1).table.started


async def test_wish_to_start_is_logged_once_and_ends_when_someone_leaves(patient, store):
    stage = await waiting(store)
    await stage.type("bob", "/start")
    assert 1 == acts(store).count("Noted")
    await stage.type("cat", "/leave")

    assert "" == stage.table(1).table.rounds.wanted


async def test_start_that_does_not_wait_is_not_noted(stage, store):
    await seated(stage)
    await stage.type("ann", "/start")

    assert "Noted" not in acts(store)


async def test_second_restart_gives_clients_no_more_than_the_usual_time(stage, store, clients):
    """Otherwise a host that restarts again and again could put off a void round for ever."""
    await seated(stage)
    times = stage.table(1).services.shuffling.times
    await answered(clients)
    await stage.type("ann", "/start")
    spans = []
    for _ in range(3):
        rounds = stage.table(1).table.rounds
        assert ("ann", "bob") == rounds.missing
        spans.append(times.resumed(rounds))
        stage = await restarted(store, len(store.entries["table/1"]))
        await stage.table(1).room.do(stage.table(1).go_on)
        await stage.quiet()
        store = stage.tables.store.store  # within the archive

    assert [times.again, times.reveal, times.reveal] == spans
    assert 1 == acts(store).count("Noted")


async def test_next_round_gets_more_time_after_a_restart_again(stage, clients):
    await voided(stage, clients)

    assert not stage.table(1).table.rounds.resumed
