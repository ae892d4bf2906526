"""Someone who joins a running game: their client takes part in sealing the hands that they play, if it can."""

import copy
import json

import attrs
import pytest

from lilygames import codec
from lilygames.gametest import stage as stages
from lilygames.gametest.stage import Stage
from lilygames.server.shell import exports
from lilygames.store.memory import MemoryStore
from lilygames.tables.log.acts import Body
from lilygames.tables.open import opening
from lilygames.tables.verify import export
from tests.tables.room.test_sealing import Client, acts, said
from tests.tables.verify.test_verify_game import run
from tests.toys import ALL, installed

NAME = "liarspoker"
pytestmark = pytest.mark.skipif(NAME not in ALL, reason=f"not here: {NAME}")


@pytest.fixture(autouse=True)
def _version_2(monkeypatch):
    monkeypatch.setattr(opening, "FAIRNESS", 2)
    monkeypatch.setattr(stages, "SETTINGS", attrs.evolve(stages.SETTINGS, commit_seconds=60))


async def opened(store, *names, game=NAME):
    stage = await Stage.open(installed(game), store=store)
    for name in names:
        stage.enter(name)
    return stage


class Session:
    """A session between ann and bob, whose clients took part, and cat, who comes later."""

    def __init__(self, stage, store, game=NAME):
        self.stage, self.store, self.game = stage, store, game
        self.clients = {name: Client(stage, name) for name in ("ann", "bob")}

    async def begin(self, options="seal=open hands=4"):
        await self.stage.type("ann", f"/new {self.game} {options}")
        await self.stage.type("bob", f"/sit {self.game}")
        await self.answer()
        await self.stage.type("ann", "/start")
        await self.answer()
        assert self.table.rounds.sealed_by == ("ann", "bob")
        return self

    async def answer(self, *names):
        """Let clients answer their packets: all of them, or these."""
        for _ in range(4):
            for name in names or (*self.clients,):
                await self.clients[name].answer()

    def come(self, name):
        """Let someone with a client come."""
        self.stage.enter(name)
        self.clients[name] = Client(self.stage, name)

    @property
    def bot(self):
        return self.stage.table(1)

    @property
    def table(self):
        return self.bot.table

    @property
    def acts(self):
        return acts(self.store)

    async def time_is_up(self):
        newcomers = self.bot.newcomers
        job = newcomers.close_round if self.table.rounds.sealed else newcomers._close_commitments
        await self.bot.room.do(job)
        await self.stage.quiet()

    async def move(self):
        """Let the player whose turn it is make a move, one that ends the hand soon."""
        seat = next(seat for seat in range(len(self.table.seats)) if self.table.moves(seat))
        offered = [self.table.game.spell(move) for move in self.bot.questions.offered(seat)]
        line = next((one for one in offered if one in ("challenge", "stand", "check", "call")), offered[0])
        await self.stage.type(self.table.seats[seat].name, f"/at 1 {line}")

    async def next_hand(self):
        hand = len(self.table.state.match.sheet)
        while 1 in self.stage.open_tables and len(self.table.state.match.sheet) == hand:
            await self.move()

    async def finish(self):
        while 1 in self.stage.open_tables:
            await self.move()
        return self.stage.tables


@pytest.fixture
async def session(store):
    return await Session(await opened(store, "ann", "bob"), store).begin()


async def joined(session):
    """Let cat, whose client commits, join; return what cat was shown at first."""
    session.come("cat")
    rows = await session.stage.type("cat", f"/sit {session.game}")
    await session.answer()
    return said(rows)


# the round of a newcomer


async def test_newcomers_round_is_logged_before_they_join(session):
    before = len(session.acts)
    await joined(session)

    committed, revealed = ["Committed"] * 3, ["Revealed"] * 3
    assert [*committed, "Sealing", *revealed, "Joined"] == session.acts[before:]
    assert ("ann", "bob", "cat") == session.table.rounds.sealed_by
    assert ("ann", "bob", "cat") == session.table.names


async def test_newcomer_is_told_that_they_sit_and_all_whose_clients_took_part(session):
    first = await joined(session)
    code = session.table.rounds.code
    rows = said(session.stage.screens["cat"].rows + session.stage.screens["bob"].rows)

    assert "Your client takes part in sealing the next hands. You sit down in a moment." in first
    sealed = (
        f"Deck sealed by ann, bob and cat. Code {code[:4]} {code[4:8]} {code[8:10]}. The next hand is dealt from it."
    )
    assert sealed in rows
    assert f"(you sit at {NAME} with ann and bob; the seal is" in rows
    assert "cat sits down." in rows


async def test_secret_and_seal_stay_and_a_hand_keeps_its_key(session):
    first, seal, rounds = session.table.key, session.table.rounds.seal, session.table.rounds
    await joined(session)
    kept = session.table.key
    await session.next_hand()

    assert (first, seal, "") == (kept, session.table.rounds.seal, "".join(void.secret for void in rounds.voids))
    assert first != session.table.key
    assert 2 == session.table.rounds.hand.sealed.round


async def test_play_goes_on_while_clients_answer(session):
    session.come("cat")
    await session.stage.type("cat", f"/sit {NAME}")
    await session.next_hand()
    await session.clients["cat"].answer()
    await session.next_hand()
    await session.answer("ann", "bob")
    await session.answer()

    assert "cat" in session.table.names
    assert 2 == session.acts.count("Sealing")


async def test_next_newcomers_round_needs_the_one_before(session):
    await joined(session)
    session.come("dan")
    await session.stage.type("dan", f"/sit {NAME}")
    await session.answer()

    assert ("ann", "bob", "cat", "dan") == session.table.rounds.sealed_by


async def test_newcomer_needs_no_others_if_no_client_took_part(store):
    stage = await opened(store, "ann", "bob")
    await stage.type("ann", f"/new {NAME} seal=open hands=4")
    await stage.type("bob", f"/sit {NAME}")
    await stage.type("ann", "/start")
    stage.enter("cat")
    client = Client(stage, "cat")
    await stage.type("cat", f"/sit {NAME}")
    for _ in range(3):
        await client.answer()

    assert ("cat",) == stage.table(1).table.rounds.sealed_by


# newcomers without a client


async def test_newcomer_on_telnet_joins_at_once_under_the_old_key(session):
    session.stage.enter("cat")
    rows = said(await session.stage.type("cat", f"/sit {NAME}"))

    assert ("Joined", 1) == (session.acts[-1], session.acts.count("Sealing"))
    assert f"(you sit at {NAME} with ann and bob" in rows
    assert "Sit anyway?" not in rows


async def test_newcomer_on_telnet_does_not_wait_for_another_newcomers_client(session):
    session.come("cat")
    await session.stage.type("cat", f"/sit {NAME}")
    await session.answer("cat")
    session.clients["bob"].answers = False
    await session.answer()
    session.stage.enter("dan")
    await session.stage.type("dan", f"/sit {NAME}")
    joined_at_once = session.table.names
    session.clients["bob"].answers = True
    await session.clients["bob"].type(f"/at 1 reveal {session.clients['bob'].numbers[2].hex()}")

    assert ("ann", "bob", "dan") == joined_at_once
    assert ("ann", "bob", "dan", "cat") == session.table.names
    assert ("ann", "bob", "cat") == session.table.rounds.sealed_by


async def test_client_that_never_commits_joins_under_the_old_key(session):
    session.come("cat")
    await session.stage.type("cat", f"/sit {NAME}")
    waits = session.table.names
    await session.time_is_up()

    assert (("ann", "bob"), ("ann", "bob", "cat")) == (waits, session.table.names)
    assert ("ann", "bob") == session.table.rounds.sealed_by


async def test_bots_join_at_once(session):
    await session.stage.type("ann", "/house")

    assert ("Joined", 1) == (session.acts[-1], session.acts.count("Sealing"))


async def test_second_newcomer_with_a_client_sits_down_after_the_first(session):
    session.come("cat")
    session.come("dan")
    await session.stage.type("cat", f"/sit {session.game}")
    told = said(await session.stage.type("dan", f"/sit {session.game}"))
    await session.answer()
    await session.answer()

    assert "Another player sits down first, so please wait a moment." in told
    assert ("ann", "bob", "cat", "dan") == session.table.rounds.sealed_by


async def test_newcomer_who_types_sit_again_does_not_wait_in_the_queue(session):
    for name in ("cat", "dan", "eve"):
        session.come(name)
        told = said(await session.stage.type(name, f"/sit {session.game}"))
    await session.stage.type("dan", f"/sit {session.game}")
    await session.answer()
    await session.answer()

    assert "2 other players sit down first" in told
    assert ("ann", "bob", "dan", "cat", "eve") == session.table.names
    assert ("ann", "bob", "cat", "eve") == session.table.rounds.sealed_by


async def test_newcomer_who_types_sit_twice_waits_for_their_own_round(session):
    session.come("cat")
    await session.stage.type("cat", f"/sit {session.game}")

    assert "huffling; try again in a moment." in said(await session.stage.type("cat", f"/sit {session.game}"))


async def test_newcomer_in_the_queue_is_next_if_the_first_disconnects(session):
    session.come("cat")
    session.come("dan")
    await session.stage.type("cat", f"/sit {session.game}")
    await session.stage.type("dan", f"/sit {session.game}")
    session.stage.drop("cat")
    await session.stage.quiet()
    await session.answer("ann", "bob", "dan")

    assert ("ann", "bob", "dan") == session.table.rounds.sealed_by


async def test_newcomer_in_the_queue_is_next_if_the_first_does_not_commit(session):
    session.come("cat")
    session.come("dan")
    await session.stage.type("cat", f"/sit {session.game}")
    await session.stage.type("dan", f"/sit {session.game}")
    await session.time_is_up()
    await session.answer("ann", "bob", "dan")

    assert ("ann", "bob", "cat", "dan") == session.table.names
    assert ("ann", "bob", "dan") == session.table.rounds.sealed_by


async def test_newcomer_in_the_queue_who_disconnects_is_forgotten(session):
    for name in ("cat", "dan", "eve"):
        session.come(name)
        await session.stage.type(name, f"/sit {session.game}")
    session.stage.drop("dan")
    await session.answer("ann", "bob", "cat", "eve")
    await session.answer("ann", "bob", "cat", "eve")

    assert ("ann", "bob", "cat", "eve") == session.table.rounds.sealed_by


async def test_newcomers_in_the_queue_are_told_that_the_game_has_ended(session):
    session.come("cat")
    session.come("dan")
    await session.stage.type("cat", f"/sit {session.game}")
    await session.stage.type("dan", f"/sit {session.game}")
    await session.finish()

    for name in ("cat", "dan"):
        assert "The game has ended before you could sit down." in said(session.stage.screens[name].rows)


# someone is missing


async def sealed(session, *missing):
    """Let cat's round be sealed, and these clients not reveal."""
    session.come("cat")
    await session.stage.type("cat", f"/sit {NAME}")
    for name in missing:
        session.clients[name].answers = False
    await session.answer()
    for screen in session.stage.screens.values():
        screen.take()
    assert missing == session.table.rounds.missing


async def test_newcomer_whose_client_is_missing_is_not_seated_and_told_so(session):
    await sealed(session, "cat")
    await session.time_is_up()
    rows = said(session.stage.screens["cat"].rows)

    assert "Your client didn't reveal its number in time, so you weren't seated." in rows
    assert ("ann", "bob") == session.table.names


async def test_void_round_has_no_secret_and_no_seal_and_the_old_key_stays(session, store):
    before = session.table.key
    await sealed(session, "bob")
    await session.time_is_up()
    void = session.table.rounds.voids[0]
    await session.next_hand()

    assert (2, ("bob",), "", "") == (void.round, void.missing, void.secret, void.next_seal)
    assert before == session.table.key
    assert ("ann", "bob") == session.table.rounds.sealed_by


async def test_newcomer_is_asked_whether_to_sit_without_the_others(session):
    await sealed(session, "bob")
    await session.time_is_up()
    asked = said(session.stage.screens["cat"].rows)
    others = said(session.stage.screens["ann"].rows)
    await session.stage.type("cat", f"/sit {NAME}")

    assert f"Sealed by ann and bob without you. Sit anyway? Type /sit {NAME} again." in asked
    assert "bob didn't reveal in time, so the deck stays sealed as before." in others
    assert ("ann", "bob", "cat") == session.table.names
    assert ("ann", "bob") == session.table.rounds.sealed_by


async def test_newcomer_is_asked_at_once_if_a_contributor_is_away(session):
    session.stage.drop("bob")
    session.come("cat")
    rows = said(await session.stage.type("cat", f"/sit {NAME}"))

    assert "Sealed by ann and bob without you. Sit anyway?" in rows
    assert 2 == session.acts.count("Committed")


async def test_newcomer_is_asked_if_a_contributors_client_does_not_commit(session):
    session.come("cat")
    await session.stage.type("cat", f"/sit {NAME}")
    await session.clients["cat"].answer()
    await session.time_is_up()

    assert "Sealed by ann and bob without you. Sit anyway?" in said(session.stage.screens["cat"].rows)
    assert 1 == session.acts.count("Sealing")


async def test_contributor_who_left_is_not_needed(session):
    await joined(session)
    await session.stage.type("bob", "/at 1 leave")
    session.come("dan")
    await session.stage.type("dan", f"/sit {NAME}")
    await session.answer()

    assert ("ann", "cat", "dan") == session.table.rounds.sealed_by


async def test_newcomer_who_disconnects_before_the_sealing_leaves_nothing_behind(session):
    session.come("cat")
    await session.stage.type("cat", f"/sit {NAME}")
    session.stage.drop("cat")
    session.come("dan")
    await session.stage.type("dan", f"/sit {NAME}")
    await session.answer("ann", "bob", "dan")

    assert ("ann", "bob", "dan") == session.table.names


async def test_adjourned_game_seats_the_newcomer_when_it_goes_on(session):
    await sealed(session, "bob")
    await session.stage.type("ann", "/adjourn")
    await session.stage.type("bob", "/adjourn")
    await session.clients["bob"].type(f"/at 1 reveal {session.clients['bob'].numbers[2].hex()}")
    paused, names = session.table.paused, session.table.names
    await session.stage.type("ann", "/resume")
    await session.stage.type("bob", "/resume")

    assert (True, ("ann", "bob")) == (paused, names)
    assert ("ann", "bob", "cat") == session.table.names


async def test_stranger_cannot_commit_at_a_running_game(session):
    session.stage.enter("cat")

    assert "Refused" in said(await session.stage.type("cat", f"/at 1 commit {'0' * 64}"))


async def test_chips_of_a_newcomer_who_is_about_to_join_are_staked_once(store):
    session = await Session(await opened(store, "ann", "bob", game="lilypoker"), store, "lilypoker").begin()
    session.come("cat")
    await session.stage.type("cat", "/sit lilypoker")
    session.clients["bob"].answers = False
    await session.answer()

    assert session.table.rounds.staked[-1] == session.bot.end_of_game.unsettled("cat") > 0


# what the rules of a round allow


async def test_host_cannot_leave_a_contributor_out(session):
    await sealed(session, "bob")
    stored = await session.stage.tables.archive.entries(1)
    entries = [codec.from_text(entry.body, Body).act for entry in stored]
    place = max(n for n, act in enumerate(entries) if type(act).__name__ == "Sealing")
    table = attrs.evolve(session.table, rounds=attrs.evolve(session.table.rounds, sealed=None))
    content = entries[place].sealing
    without = attrs.evolve(content, commits=tuple(one for one in content.commits if one[0] != "bob"))

    with pytest.raises(Exception, match="bad-sealing"):
        table.after(attrs.evolve(entries[place], sealing=without))
    assert table.after(entries[place])[0].rounds.newcomer.name == "cat"


# checking the game afterwards


async def exported(session):
    """Return the verdict of /verify and the rows of /export."""
    tables_ = await session.finish()
    header, entries = await tables_.archive.read(1)
    secret = await tables_.archive.secret(1, entries)
    parts = export.exported(header, tables_.games[session.game], secret, entries)
    return said(await session.stage.type("ann", "/verify 1")), [row for part in parts for row in part]


@pytest.mark.parametrize("game", ["liarspoker", "lilypoker"])
async def test_session_with_two_rounds_is_verified_by_all(store, tmp_path, game):
    session = await Session(await opened(store, "ann", "bob", game=game), store, game).begin()
    await joined(session)
    verdict, rows = await exported(session)
    code, printed = run(rows, tmp_path)

    assert "Match: seals, commitments and all" in verdict
    assert "Deck sealed by ann, bob and cat" in verdict
    assert exports.verify("\n".join(rows), ALL).match
    assert (0, "Match: links, seals, commitments, keys and draws fit.") == (code, printed.splitlines()[-1])
    assert "round 2: sealed by ann, bob, cat" in printed


async def test_session_with_a_void_round_and_one_who_joins_meanwhile_is_verified_by_all(session, tmp_path):
    await sealed(session, "bob")
    session.stage.enter("dan")
    await session.stage.type("dan", f"/sit {NAME}")
    await session.time_is_up()
    await session.stage.type("cat", f"/sit {NAME}")
    verdict, rows = await exported(session)
    code, printed = run(rows, tmp_path)

    assert "Round 2 was void: bob didn't reveal." in verdict
    assert exports.verify("\n".join(rows), ALL).match
    assert (0, "Match: links, seals, commitments, keys and draws fit.") == (code, printed.splitlines()[-1])


# restarts


async def test_round_goes_on_after_a_kill_at_every_entry(session, store):
    """The same secret and numbers; a restart alone never voids a round, and nobody is stuck."""
    began = len(session.acts)
    await joined(session)
    for kept in range(began, len(session.acts) + 1):
        other = MemoryStore()
        other.entries.update({name: [*entries] for name, entries in store.entries.items()})
        other.records.update(copy.deepcopy(store.records))
        del other.entries["table/1"][kept:]
        again = Session(await opened(other, "ann", "bob", "cat"), other)
        again.clients["cat"] = Client(again.stage, "cat")
        for name, client in again.clients.items():
            client.numbers = dict(session.clients[name].numbers)
            again.bot.newcomers.came_or_went(again.stage.people[name])
            again.bot.shuffle.came_or_went(again.stage.people[name])
        await again.bot.room.do(again.bot.go_on)
        await again.answer()
        if "cat" not in again.table.names:
            await again.stage.type("cat", f"/sit {NAME}")
            await again.answer()

        assert ("ann", "bob", "cat") == again.table.rounds.sealed_by, again.acts
        assert () == again.table.rounds.voids
        await again.next_hand()
        assert 2 == again.table.rounds.hand.sealed.round


# closed seals


@pytest.mark.parametrize(("game", "options"), [("liarspoker", ""), ("liarspoker", " choose=manual"), ("lilypoker", "")])
async def test_closed_session_with_two_rounds_is_verified(store, tmp_path, game, options):
    session = await Session(await opened(store, "ann", "bob", game=game), store, game).begin(
        f"seal=closed hands=4{options}"
    )
    await joined(session)
    await session.finish()
    rows = await session.stage.type("cat", "/export 1")
    text = [row for row in rows if row.startswith("{")]
    code, printed = run(text, tmp_path)

    assert exports.verify("\n".join(text), ALL).match
    assert 0 == code, printed
    assert any(json.loads(row).get("round") == 2 for row in text)
