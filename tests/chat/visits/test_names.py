"""Nobody can log in under another person's name, even in a race."""

import asyncio

import pytest
from structlog.testing import capture_logs

from lilygames.chat.visits.session import visit
from lilygames.gametest.stage import SETTINGS
from lilygames.server.place.place import furnish
from lilygames.store import StoreUnavailable
from tests.deadline import DEADLINE
from tests.toys import TOYS


async def again(store):
    """Return the chat host after a restart."""
    return await furnish(store, SETTINGS, TOYS)


@pytest.fixture
def at(typist):
    """Return a function that types lines at a chat host and disconnects; it gives the terminal."""

    async def come(place, *lines):
        terminal = typist(*lines, None)
        await visit(place.host, place.dispatcher, terminal)
        return terminal

    return come


async def test_new_guest_never_gets_the_name_of_a_kept_seat(at, store, place):
    """A guest's name stays reserved while it holds a seat, even across a restart, so nobody else sees the hand."""
    first = await at(place, "guest", "/quick tally")
    assert any(row.startswith("(if your line drops, come back with: guest1 ") for row in first.rows)

    stranger = await at(await again(store), "guest")

    assert not any("You sit here" in row or "hand" in row for row in stranger.rows)


async def test_name_that_holds_a_seat_is_not_new(at, store, place):
    """This is true even if the return word could not be stored."""
    store.fail_next(StoreUnavailable("full"), call="keep")
    store.fail_next(StoreUnavailable("full"), call="keep")
    await at(place, "ann", "", "/new tally", "/new tally", "/new tally")
    await store.forget("account", "ann")

    for host in (place, await again(store)):
        stranger = await at(host, "ann", "", "")

        assert not any("You sit here" in row for row in stranger.rows)
        assert any(row.startswith("Refused: ann ") for row in stranger.rows)


async def test_guest_keeps_the_seat_if_the_return_word_cannot_be_stored(at, store, place):
    """They are told that they can't reconnect by a return word."""
    append = store.append

    async def then_full(*args, **kwargs):
        store.fail_next(StoreUnavailable("full"), call="keep")
        return await append(*args, **kwargs)

    opened = await at(place, "ann", "", "/new tally max=3")
    word = next(row for row in opened.rows if "come back with: " in row).rsplit(": ", 1)[1].rstrip(")")
    assert word
    store.append = then_full
    second = await at(place, "bob", "", "/sit tally", "/table")

    assert "(you sit at tally with ann; the seal is " in " ".join(second.rows)
    assert "(no return word can be saved right now; type /leave and /sit later to get one)" in " ".join(second.rows)
    assert any("Table #1, Tally, ann and bob" in row for row in second.rows)


async def test_guest_with_several_tables_is_shown_one_return_word(at, place):
    """A second word would replace the first, which is the one that they have noted."""
    opened = await at(place, "ann", "", "/simul tally 3 max=3", "/quick tally max=3")

    assert 1 == sum("come back with: " in row for row in opened.rows)


async def test_one_of_two_simultaneous_newcomers_gets_the_name(typist, place):
    """The second is told, and cannot replace the password of the first."""
    terminals = [typist("zed", f"password {n}", f"password {n}", None) for n in (1, 2)]
    await asyncio.gather(*(visit(place.host, place.dispatcher, terminal) for terminal in terminals))
    account = await place.host.accounts.get("zed")
    fits = [await place.host.accounts.fits(account, f"password {n}") for n in (1, 2)]
    came = [any(row.startswith("You're in the lobby") for row in terminal.rows) for terminal in terminals]

    assert 1 == sum(came)
    assert came == fits
    (late,) = (terminal for terminal, in_time in zip(terminals, came, strict=True) if not in_time)
    assert any(row.startswith("Refused: zed ") for row in late.rows)


@pytest.mark.parametrize("words", [("password 1", "password 1"), ("",)])
@pytest.mark.parametrize("names", [("zorak1", "zorakl"), ("zorakl", "zorak1"), ("Bo-b", "b0b")])
async def test_one_of_two_newcomers_with_similar_names_gets_in(typist, place, names, words):
    """They choose their passwords at the same time, so each name is free when it is typed."""
    terminals = [typist(name) for name in names]
    visits = [asyncio.create_task(visit(place.host, place.dispatcher, terminal)) for terminal in terminals]
    for terminal in terminals:
        await terminal.waits.wait()
    for terminal in terminals:
        for word in words:
            terminal.typed.put_nowait(word)
    for terminal, coming in zip(terminals, visits, strict=True):
        terminal.typed.put_nowait(None)
        await coming
    came = [any(row.startswith("You're in the lobby") for row in terminal.rows) for terminal in terminals]

    assert 1 == sum(came)
    (late,) = (terminal for terminal, in_time in zip(terminals, came, strict=True) if not in_time)
    assert any("looks too much like" in row for row in late.rows)


async def test_guest_cannot_register_a_name_like_one_registered_meanwhile(typist, place):
    """A person has registered it at another node, for example, while the guest chose a password."""
    guest = typist("zorak1", "", "/register")
    coming = asyncio.create_task(visit(place.host, place.dispatcher, guest))
    await guest.waits.wait()
    await place.host.accounts.create("zorakl", "plums and pears", guest=False)
    for word in ("figs and dates", "figs and dates", None):
        guest.typed.put_nowait(word)
    await coming

    assert any("zorak1 looks too much like zorakl" in row for row in guest.rows)
    assert ["zorakl"] == [*place.host.accounts.names]


async def test_line_typed_before_a_newer_login_is_dropped_after_it(typist, place):
    """The older connection is closed, and its lines no longer count."""
    await place.host.accounts.create("ann", "plums and pears", guest=False)
    older, newer = typist("ann plums and pears"), typist("ann plums and pears")
    loop = asyncio.get_running_loop()
    tasks = [loop.create_task(visit(place.host, place.dispatcher, older))]
    await older.waits.wait()
    older.close = lambda: older.typed.put_nowait("/new tally")
    tasks.append(loop.create_task(visit(place.host, place.dispatcher, newer)))
    await newer.waits.wait()
    await asyncio.wait_for(tasks[0], DEADLINE)

    assert {} == place.tables.open
    newer.typed.put_nowait(None)
    await tasks[1]


@pytest.mark.parametrize(("call", "words"), [("find", ()), ("keep", ("plums and pears", "plums and pears"))])
async def test_failed_lookup_of_a_person_is_told(at, store, place, call, words):
    """Nobody is disconnected without a sentence."""
    store.fail_next(StoreUnavailable("busy"), call=call)
    terminal = await at(place, "ann", *words, "guest")

    assert "Refused: the server can't look up names right now. Try again in a moment." in terminal.rows
    assert any(row.startswith("You're in the lobby") for row in terminal.rows)


@pytest.mark.parametrize("name", ["tally-2", "TALLY-77", "high-3", "lobby-2", "Ada-1", "guest-7", "GUEST12"])
async def test_name_that_a_room_may_get_is_reserved(at, place, name):
    """A send to `tally-2` reaches the room."""
    terminal = await at(place, name)

    assert f"Refused: “{name}” is a reserved name. Please choose another." in terminal.rows


@pytest.mark.parametrize("name", ["bob-2", "tallyfan", "tally-fan", "x-1", "ann_b"])
async def test_other_names_are_free(at, place, name):
    assert f"{name} is a new name." in (await at(place, name)).rows


async def test_secrets_are_never_logged_nor_shown(typist, place):
    """Passwords and return words, right or wrong, in one line or two: neither in the log nor on any screen."""
    other = typist("bob", "", None)
    with capture_logs() as logged:
        watching = asyncio.get_running_loop().create_task(visit(place.host, place.dispatcher, other))
        await asyncio.sleep(0)
        for lines in (
            ("ann", "open sesame one", "open sesame one"),
            ("ann open sesame two",),
            ("ann", "open sesame two", "open sesame one"),
            ("ann", "open sesame 3", "open sesame 4", "open sesame 5", "open sesame one"),
            ("cat", "open sesame x", "open sesame y", "open sesame z", "open sesame z"),
        ):
            await visit(place.host, place.dispatcher, typist(*lines, None))
        await watching

    assert "sesame" not in repr(logged)
    assert 5 == sum(entry["event"] == "wrong password" for entry in logged)
    assert not any("sesame" in row for row in other.rows)


async def test_guests_name_is_free_after_the_game(at, place):
    await at(place, "ann", "", "/new tally max=3", "/house", "/leave")

    assert "ann is a new name." in (await at(place, "ann")).rows
