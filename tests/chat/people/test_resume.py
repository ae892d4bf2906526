"""Sessions resumed by a token instead of a password: each use gives the next token, and an old one ends them."""

import asyncio
import base64
import hmac
import json

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lilygames import codec
from lilygames.chat.people import resume
from lilygames.chat.people.resume import (
    EACH,
    GRACE,
    KIND,
    SECONDS,
    Ended,
    Reused,
    Session,
    Sessions,
    StoredSessions,
    Ticket,
    Tokens,
)
from lilygames.chat.visits.handover_state import PersonState
from lilygames.chat.visits.session import visit
from lilygames.server.watch.measures import CountedStore
from lilygames.store import StoreUnavailable
from lilygames.store.memory import MemoryStore
from tests.clock import Clock
from tests.deadline import DEADLINE

PASSWORD = "plums and pears"
HERE = "You're in the lobby; nobody else is here."
OVER = "Refused: that session has ended. Log in with your name."
ANN = Session("5e551011", "ann", guest=False, stamp="", address="10.0.0.1", since=1000.0, turned=1000.0)


async def signed(store):
    tokens = Tokens(store)
    await tokens.load()
    return tokens


async def served(store):
    sessions = Sessions(store)
    await sessions.load()
    return sessions


# Contents of a token.


async def test_token_is_read_at_every_node():
    """The first node makes the key, and all share it."""
    store = MemoryStore()
    one, other = await signed(store), await signed(store)

    assert Ticket("ann", "5e551011", 7) == other.read(one.of(Ticket("ann", "5e551011", 7)))


@pytest.mark.parametrize("spoiled", ["", "x", "=", "A" * 80, "é" * 9, "\0", "A" * 5000])
async def test_unsigned_token_is_ignored(spoiled):
    assert (await signed(MemoryStore())).read(spoiled) is None


async def test_token_with_one_changed_letter_is_ignored():
    tokens = await signed(MemoryStore())
    token = tokens.of(Ticket("ann", "5e551011", 7))
    others = ["A" if letter != "A" else "B" for letter in token]
    changed = [token[:place] + other + token[place + 1 :] for place, other in enumerate(others)]

    assert not any(tokens.read(other) for other in changed[:-1])


async def test_token_fits_the_limits_of_clients():
    """The client of the first release takes up to 500 letters, digits, `_` and `-`."""
    token = (await signed(MemoryStore())).of(Ticket("a" * 16 + "~" + "f" * 12, "f" * 12, 10**9))

    assert len(token) < 500
    assert token.replace("-", "").replace("_", "").isalnum()


# Valid tokens.


def test_newest_token_resumes_its_session_and_gives_the_next():
    kept = StoredSessions((ANN,)).used(Ticket("ann", ANN.id, 1), "10.0.0.2", 1005.0)

    assert StoredSessions((attrs.evolve(ANN, serial=2, turned=1005.0, address="10.0.0.2"),)) == kept


@pytest.mark.parametrize("late", [0, 1, GRACE])
def test_previous_token_changes_nothing_for_a_minute(late):
    """Perhaps the connection broke before the client had the newest, so it gets the same one again."""
    kept = StoredSessions((attrs.evolve(ANN, serial=2),))

    assert kept == kept.used(Ticket("ann", ANN.id, 1), "10.0.0.2", ANN.turned + late)


def test_previous_token_ends_its_session_after_a_minute():
    kept = StoredSessions((attrs.evolve(ANN, serial=2),)).used(
        Ticket("ann", ANN.id, 1), "10.0.0.2", ANN.turned + GRACE + 0.1
    )

    assert ((), ["10.0.0.2"]) == (kept.sessions, [reuse.address for reuse in kept.reuses])


def test_previous_token_stays_valid_until_the_newest_is_confirmed():
    """A phone may have slept for hours between the use of a token and the receipt of the next."""
    waits = StoredSessions((attrs.evolve(ANN, serial=2),)).with_receipt(ANN.id, confirmed=False)
    late = ANN.turned + SECONDS - 1

    assert waits == waits.used(Ticket("ann", ANN.id, 1), "x", late)
    assert () == waits.with_receipt(ANN.id, confirmed=True).used(Ticket("ann", ANN.id, 1), "x", ANN.turned).sessions


def test_previous_token_of_a_client_that_confirms_ends_its_session_once_the_newest_was_used():
    kept = StoredSessions((attrs.evolve(ANN, serial=2, confirmed=False),)).used(Ticket("ann", ANN.id, 2), "x", 1001.0)

    assert 3 == kept.sessions[0].serial
    assert () == kept.used(Ticket("ann", ANN.id, 1), "x", 1002.0).sessions


@pytest.mark.parametrize("serial", [1, 2, 3])
def test_older_token_ends_its_session_at_once(serial):
    """The token before the newest ends it too, once the newest has been used."""
    kept = StoredSessions((attrs.evolve(ANN, serial=5), attrs.evolve(ANN, id="0123")))

    assert ["0123"] == [one.id for one in kept.used(Ticket("ann", ANN.id, serial), "x", ANN.turned).sessions]


def test_token_from_after_a_backup_changes_nothing():
    """The server was restored from the backup, so the token belongs to no known session."""
    kept = StoredSessions((ANN,))

    assert kept == kept.used(Ticket("ann", ANN.id, 2), "x", ANN.turned)


@given(uses=st.lists(st.tuples(st.integers(0, 90), st.integers(0, 3)), max_size=20))
def test_valid_tokens_follow_from_the_rule_alone(uses):
    """The model is a list of tokens and times: the last is valid, and the one before it for a minute."""
    kept, given_at, now = StoredSessions((ANN,)), {1: ANN.turned}, ANN.turned
    for wait, back in uses:
        now += wait
        last = max(given_at)
        serial = max(1, last - back)
        good = serial == last or (serial == last - 1 and now - given_at[last] <= GRACE)
        kept = kept.used(Ticket("ann", ANN.id, serial), "x", now)
        assert good == bool(kept.sessions)
        if not good:
            break
        if serial == last:
            given_at[last + 1] = now


# Stored sessions.


async def begun(sessions, **facts):
    return await sessions.begin("ann", attrs.evolve(ANN, **facts))


async def test_session_ends_twelve_hours_after_its_token_was_given():
    sessions = await served(MemoryStore())
    token = (await begun(sessions)).token
    token = (await sessions.resume(token, "x", ANN.turned + SECONDS - 1)).token
    assert (await sessions.resume(token, "x", ANN.turned + 2 * SECONDS - 2)).session.serial == 3

    with pytest.raises(Ended, match="that session has ended"):
        await sessions.resume((await begun(sessions, id="0123")).token, "x", ANN.turned + SECONDS)


async def test_person_has_at_most_eight_sessions():
    """The least recently used one ends, without a warning."""
    sessions = await served(MemoryStore())
    tokens = [(await begun(sessions, id=f"{n}", turned=1000.0 + n)).token for n in range(EACH + 1)]
    with pytest.raises(Ended, match="that session has ended"):
        await sessions.resume(tokens[0], "x", 2000.0)

    assert EACH == len((await sessions.kept("ann", 2000.0)).sessions)
    assert () == (await sessions.kept("ann", 2000.0)).reuses


async def test_expired_sessions_are_deleted():
    store = MemoryStore()
    sessions = await served(store)
    await begun(sessions)
    await sessions.begin("bob", attrs.evolve(ANN, name="bob", turned=ANN.turned + 5))
    await sessions.sweep(ANN.turned + SECONDS)

    assert ["bob"] == [*await store.every(KIND)]


async def test_oldest_sessions_are_deleted_when_there_are_too_many(monkeypatch):
    monkeypatch.setattr(resume, "MOST", 3)
    store = MemoryStore()
    sessions = await served(store)
    for n in range(5):
        await sessions.begin(f"bob{n}", attrs.evolve(ANN, turned=ANN.turned + n))
    await sessions.sweep(ANN.turned + 10)

    assert ["bob2", "bob3", "bob4"] == [*await store.every(KIND)]


async def test_unreadable_session_is_ignored():
    store = MemoryStore()
    sessions = await served(store)
    await store.keep(KIND, "ann", "what is this")

    assert StoredSessions() == await sessions.kept("ann", ANN.turned)
    token = (await begun(sessions)).token
    assert "ann" == (await sessions.resume(token, "x", ANN.turned)).session.name


async def test_two_uses_of_one_token_at_once_get_the_same_next_one():
    """They may be at two nodes. The first to use the next token goes on, and the other's older one ends the session."""
    store = MemoryStore()
    one, other = await served(store), await served(store)
    token = (await begun(one)).token
    first, second = await asyncio.gather(one.resume(token, "a", 1001.0), other.resume(token, "b", 1001.0))
    third = await other.resume(second.token, "b", 1002.0)
    fourth = await other.resume(third.token, "b", 1003.0)

    assert first.token == second.token
    with pytest.raises(Reused):
        await one.resume(first.token, "a", 1004.0)
    with pytest.raises(Ended):
        await other.resume(fourth.token, "b", 1005.0)


@pytest.mark.parametrize("yields", range(8))
async def test_session_ended_during_a_resume_is_over(yields):
    """Whichever comes first, no token is valid afterwards."""
    store = MemoryStore()
    one, other = await served(store), await served(store)
    token = (await begun(one)).token

    async def ended():
        for _ in range(yields):
            await asyncio.sleep(0)
        await other.end("ann", 1001.0)

    resumed, _ = await asyncio.gather(one.resume(token, "a", 1001.0), ended(), return_exceptions=True)
    tokens = [token] + ([resumed.token] if not isinstance(resumed, Exception) else [])
    for each in tokens:
        with pytest.raises(Ended):
            await one.resume(each, "a", 1002.0)


async def test_cut_between_a_token_and_its_receipt_locks_nobody_out():
    """The page comes back with the token before, as often as it takes, and then confirms."""
    sessions = await served(MemoryStore())
    first = (await begun(sessions)).token
    lost = await sessions.resume(first, "x", 1001.0, confirms=True)
    again = await sessions.resume(first, "x", 1001.0 + 2 * GRACE, confirms=True)
    await sessions.confirm("ann", ANN.id, 1002.0 + 2 * GRACE)

    assert lost.token == again.token
    with pytest.raises(Reused):
        await sessions.resume(first, "x", 1003.0 + 2 * GRACE, confirms=True)


# A whole chat host.


@pytest.fixture
async def program(place, typist):
    """Return a function that logs in with a program that can resume, and gives its terminal, token and typing."""
    tasks = []

    class Program:
        def __init__(self, *lines, address="stage"):
            self.terminal = typist(*lines)
            self.terminal.takes_packets = True
            self.terminal.address = address
            tasks.append(asyncio.get_running_loop().create_task(visit(place.host, place.dispatcher, self.terminal)))
            self.task = tasks[-1]

        @property
        def token(self):
            return [packet.value["token"] for packet in self.terminal.packets if packet.name == "resume"][-1]

        @property
        def is_in(self):
            return any(packet.name == "name" for packet in self.terminal.packets)

        async def type(self, *lines):
            for line in lines:
                self.terminal.waits.clear()
                self.terminal.typed.put_nowait(line)
                await asyncio.wait_for(self.terminal.waits.wait(), DEADLINE)

        async def drop(self):
            self.terminal.typed.put_nowait(None)
            await self.task

    async def start(*lines, **where):
        begun = Program(*lines, **where)
        await asyncio.wait_for(begun.terminal.waits.wait(), DEADLINE)
        return begun

    yield start
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


@pytest.fixture
async def bob(program):
    """Bob at a program; he has just registered."""
    return await program("bob", PASSWORD, PASSWORD)


@pytest.fixture
def clock(place):
    """The chat host's clock, which a test sets."""
    place.host.clock = Clock(place.host.clock())
    return place.host.clock


async def test_token_resumes_the_session_from_any_address(bob, program):
    """It needs no password and keeps the name; a phone changes its address."""
    again = await program(f"resume {bob.token}", address="2001:db8::7")

    assert HERE in again.terminal.rows
    assert bob.terminal.closed


async def test_each_use_gives_the_next_token(bob, program):
    tokens = [bob.token]
    for _ in range(5):
        tokens.append((await program(f"resume {tokens[-1]}")).token)

    assert 6 == len(set(tokens))


async def test_client_that_missed_the_next_token_uses_the_previous_one_again(bob, program, clock):
    first = await program(f"resume {bob.token}")
    clock.now += 30
    again = await program(f"resume {bob.token}")

    assert first.token == again.token
    assert (await program(f"resume {again.token}")).is_in


@pytest.mark.parametrize("seconds", [0, 30, 3600])
async def test_old_token_ends_the_session(bob, program, clock, seconds):
    """A thief has used it, or the one after it. Nobody can tell which, so the session ends for both."""
    first = await program(f"resume {bob.token}")
    second = await program(f"resume {first.token}")
    clock.now += seconds
    thief = await program(f"resume {bob.token}")
    rows = [(await program(f"resume {token}")).terminal.rows[-2] for token in (bob.token, first.token, second.token)]

    assert "Refused: that session was ended because one of its old tokens was used. Log in" in thief.terminal.rows
    assert [OVER] * 3 == rows


async def test_person_logged_in_by_an_ended_session_is_disconnected(bob, program, place):
    """That may be the thief."""
    thief = await program(f"resume {bob.token}")
    other = await program(f"resume {thief.token}")
    await program(f"resume {bob.token}")

    assert other.terminal.closed
    assert any("Security notice: " in row for row in other.terminal.rows)
    await asyncio.wait_for(other.task, DEADLINE)
    assert "bob" not in place.host.people


async def test_owner_is_told_once_at_the_next_login(bob, program, come):
    """They may use any client."""
    second = await program(f"resume {bob.token}")
    await program(f"resume {second.token}")
    await program(f"resume {bob.token}", address="198.51.100.9")

    told, again = [" ".join(" ".join((await come(f"bob {PASSWORD}")).rows).split()) for _ in range(2)]
    assert "someone at 198.51.100.9 used an old token of one of your sessions" in told
    assert "Security notice" not in again


async def test_owner_logged_in_by_another_client_is_told_at_once(bob, program):
    second = await program(f"resume {bob.token}")
    await program(f"resume {second.token}")
    owner = await program(f"bob {PASSWORD}")
    await program(f"resume {bob.token}")

    assert not owner.terminal.closed
    assert any("Security notice: " in row for row in owner.terminal.rows)
    assert (await program(f"resume {owner.token}")).is_in


async def test_clients_of_one_person_have_separate_sessions(bob, program):
    """They take over from each other as often as they like."""
    phone = await program(f"bob {PASSWORD}")
    for _ in range(3):
        bob = await program(f"resume {bob.token}")
        phone = await program(f"resume {phone.token}")

    assert bob.is_in
    assert phone.is_in


@pytest.mark.parametrize("goodbye", ["/bye", "/exit", "/logout"])
async def test_bye_ends_all_tokens(bob, program, store, goodbye):
    """A client left running elsewhere does not reconnect by itself."""
    phone = await program(f"bob {PASSWORD}")
    await phone.type(goodbye)
    rows = [(await program(f"resume {token}")).terminal.rows[-2] for token in (bob.token, phone.token)]

    assert [OVER] * 2 == rows
    assert {} == await store.every(KIND)


async def test_logout_here_ends_the_token_of_this_client_only(bob, program):
    phone = await program(f"bob {PASSWORD}")
    token = phone.token
    await phone.type("/logout here")
    assert OVER == (await program(f"resume {token}")).terminal.rows[-2]

    assert (await program(f"resume {bob.token}")).is_in


async def test_logout_everywhere_ends_all_tokens(bob, program, store):
    phone = await program(f"bob {PASSWORD}")
    await phone.type("/logout everywhere")

    assert OVER == (await program(f"resume {bob.token}")).terminal.rows[-2]
    assert {} == await store.every(KIND)


async def test_logout_somewhere_else_is_refused(bob):
    await bob.type("/logout paris")

    assert bob.is_in
    assert "Refused: type /logout here for this client only, or /logout everywhere." in bob.terminal.rows


async def test_disconnect_ends_no_token(bob, program):
    await bob.drop()

    assert (await program(f"resume {bob.token}")).is_in


async def test_new_password_ends_all_tokens_but_a_new_one(bob, program):
    """A person who may have lost a token changes the password; the connected client can still resume."""
    old = bob.token
    phone = await program(f"bob {PASSWORD}")
    before = phone.token
    await phone.type("/password", PASSWORD, "figs and dates", "figs and dates")
    rows = [(await program(f"resume {token}")).terminal.rows[-2] for token in (old, before)]

    assert [OVER] * 2 == rows
    assert (await program(f"resume {phone.token}")).is_in


async def test_new_password_ends_tokens_that_the_store_could_not_delete(bob, program, store):
    old = bob.token
    store.fail_next(StoreUnavailable("full"), call="swap")
    await bob.type("/password", PASSWORD, "figs and dates", "figs and dates")

    assert OVER == (await program(f"resume {old}")).terminal.rows[-2]


async def test_new_name_ends_older_tokens_and_gives_another(bob, program):
    """Nobody logs in by a name that they have given up."""
    older = bob.token
    await bob.type("/rename rob")

    assert OVER == (await program(f"resume {older}")).terminal.rows[-2]
    assert (await program(f"resume {bob.token}")).is_in


async def test_token_of_a_guest_who_registered_since_opens_nothing(program):
    """The name has a password now."""
    cat = await program("cat", "")
    older = cat.token
    await cat.type("/register", PASSWORD, PASSWORD)

    assert OVER == (await program(f"resume {older}")).terminal.rows[-2]
    assert (await program(f"resume {cat.token}")).is_in


async def test_guest_resumes_unless_another_person_has_the_name_now(program, come):
    cat, hen = await program("zorak1", ""), await program("hen", "")
    await cat.drop()
    await hen.drop()
    await come("zorakl", PASSWORD, PASSWORD)

    assert (
        "Refused: zorak1 looks too much like zorakl. Please choose another name."
        == ((await program(f"resume {cat.token}")).terminal.rows[-2])
    )
    assert (await program(f"resume {hen.token}")).is_in


async def test_guest_without_a_seat_resumes_under_the_number_they_were_given(program):
    guest = await program("guest")
    await guest.drop()
    again = await program(f"resume {guest.token}")

    assert again.is_in


async def test_sessions_are_listed_and_ended(bob, program):
    """The list shows place and time; you end one by its id, or all."""
    phone = await program(f"bob {PASSWORD}", address="198.51.100.9")
    await phone.type("/sessions")
    rows = phone.terminal.rows[-3:]
    first = rows[0].split()[0]
    await phone.type(f"/sessions end {first}")

    assert rows[0].startswith(f"  {first}  from stage, started ")
    assert rows[1].startswith("* ")
    assert "from 198.51.100.9, started " in rows[1]
    assert "(1 session ended)" == phone.terminal.rows[-1]
    assert OVER == (await program(f"resume {bob.token}")).terminal.rows[-2]
    await phone.type("/sessions end all", "/sessions")
    assert "(you have no sessions: your clients need your password to log in)" in phone.terminal.rows
    assert OVER == (await program(f"resume {phone.token}")).terminal.rows[-2]


@pytest.mark.parametrize("line", ["/sessions end", "/sessions end zzzz", "/sessions stop all"])
async def test_unknown_session_cannot_be_ended(bob, program, line):
    await bob.type(line)

    assert any(row.startswith("Refused: ") for row in bob.terminal.rows)
    assert (await program(f"resume {bob.token}")).is_in


async def test_sessions_of_others_cannot_be_listed_or_ended(bob, program):
    eve = await program("eve", PASSWORD, PASSWORD)
    await bob.type("/sessions")
    first = bob.terminal.rows[-2].split()[1]
    await eve.type("/sessions", f"/sessions end {first}")

    assert f"Refused: you have no session “{first}”. Type /sessions to list yours." in eve.terminal.rows
    assert (await program(f"resume {bob.token}")).is_in


async def test_plain_terminal_has_no_session(come, store):
    """Nothing is stored for it."""
    await come("ann", PASSWORD, PASSWORD, stay=True)

    assert {} == await store.every(KIND)


async def test_login_is_one_write_and_talk_is_none(program, place, bob):
    """Only a person who logs in waits for a session to be stored."""
    place.host.sessions._store = counted = CountedStore(place.host.sessions._store)
    phone = await program(f"bob {PASSWORD}")
    login = sum(counted.writes.counts)
    await phone.type("hello", "/who", "me;hello")
    await phone.drop()
    dropped = sum(counted.writes.counts)
    await program(f"resume {phone.token}")

    assert (1, 1, 2) == (login, dropped, sum(counted.writes.counts))


async def test_login_while_the_store_is_away_gives_no_token(program, store):
    store.fail_next(StoreUnavailable("full"), call="swap")
    ann = await program("ann", "")

    assert ann.is_in
    assert not [packet for packet in ann.terminal.packets if packet.name == "resume"]


async def test_token_of_an_earlier_release_is_refused_and_a_name_asked_for(program, bob, store, place):
    """Its client types the name next."""
    key = bytes.fromhex(json.loads((await store.read("resume-key", 0, 1)).entries[0].body))
    said = json.dumps(["bob", False, "bob", 1e12, place.host.accounts.stamp("bob")], separators=(",", ":")).encode()
    token = base64.urlsafe_b64encode(hmac.digest(key, said, "sha256")[:16] + said).decode().rstrip("=")
    older = await program(f"resume {token} 12:3", f"bob {PASSWORD}")

    assert "Refused: that token isn't valid here. Log in with your name." in older.terminal.rows
    assert older.is_in


@pytest.mark.parametrize("line", ["resume", "resume ", "RESUME x y", "resume é", "resume 12:3"])
async def test_invalid_token_is_refused(come, line):
    assert "Refused: that token isn't valid here. Log in with your name." in (await come(line)).rows


def test_data_of_an_earlier_release_is_read():
    """It had no sessions."""
    facts = {
        "name": "ann", "guest": True, "key": "ann~1", "here": True, "room": "lobby", "rooms": (), "away": False,
        "idled": False, "since": 0.0, "idle": 0.0, "missed_since": 0.0, "last_to": (), "last_from": "",
        "last_group": (), "session": "",
    }  # fmt: skip
    dumped = codec.dump(PersonState(**facts))
    del dumped["session"]

    assert PersonState(**facts) == codec.load(dumped, PersonState)
