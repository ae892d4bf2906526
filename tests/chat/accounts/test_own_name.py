"""Your own name and password: registering, changing and guarding them; and similar names."""

import asyncio
import json

import pytest
from structlog.testing import capture_logs

from lilygames.chat.accounts.accounts import Accounts
from lilygames.chat.accounts.login_attempts import TRIES, LoginAttempts
from lilygames.chat.accounts.passwords import _COMMON, SHORTEST
from lilygames.chat.names.names import fold, skeleton
from lilygames.limits import quota
from lilygames.limits.addresses import networks
from lilygames.limits.quota import Quotas

PASSWORD = "plums and pears"
OTHER = "apples and figs"


async def test_guest_registers_in_mid_game_and_keeps_the_seat(come, place, store):
    terminal = await come("whammy", "", "/quick tally", "/register", PASSWORD, PASSWORD, stay=True)

    assert "(you've registered whammy; next time, log in with your name and password)" in terminal.rows
    assert next(iter(place.tables.open.values())).seat_of("whammy") is not None
    assert not json.loads((await store.every("account"))["whammy"])["guest"]


async def test_guest_who_disconnects_at_the_password_prompt_is_gone(come, place):
    with capture_logs() as logged:
        await come("whammy", "", "/register")

    assert {} == place.host.people
    assert [] == [entry for entry in logged if entry["log_level"] == "error"]


async def test_numbered_guest_chooses_a_name_first(come):
    terminal = await come("guest", "/register")

    assert "Refused: you have a guest name. Type /rename NAME to choose your own first." in terminal.rows


async def test_password_is_changed_by_a_person_who_knows_it(come, place):
    await come("whammy", PASSWORD, PASSWORD, "/password", PASSWORD, OTHER, OTHER)

    account = await place.host.accounts.get("whammy")
    assert await place.host.accounts.fits(account, OTHER)
    assert not await place.host.accounts.fits(account, PASSWORD)


@pytest.mark.parametrize("weak", ["123456", "password1", "PassWord1", "whammy", "WHAMMY", "TrustNo1"])
async def test_common_password_is_refused_wherever_one_is_chosen(come, place, weak):
    """The thousand most common ones and the name itself are refused, in any case."""
    newcomer = await come("whammy", weak, PASSWORD, PASSWORD, "/password", PASSWORD, weak, "")
    await place.host.accounts.forget("whammy")
    guest = await come("whammy", "", "/register", weak, "")

    assert "Choose another password, or press Enter to play as a guest: " in newcomer.rows
    assert "nothing has changed" in " ".join(newcomer.rows)
    assert "nothing has changed" in " ".join(guest.rows)


@pytest.mark.parametrize("refused", [["short"], ["whammy7", "whammy8"], ["short", "password1", "short"]])
async def test_second_attempt_after_a_refused_password_is_a_password_too(come, place, refused):
    """A person who was refused types another one at once, and it must not be said to the room."""
    bob = await come("bob", "", stay=True)

    guest = await come("whammy", "", "/register", *refused, PASSWORD, PASSWORD)
    keeper = await come("whammy", PASSWORD, "/password", "wrong", PASSWORD, *refused, OTHER, OTHER)

    assert "(you've registered whammy; next time, log in with your name and password)" in guest.rows
    assert "(your password has been changed)" in keeper.rows
    assert not [row for row in bob.rows for word in (*refused, "wrong", PASSWORD, OTHER) if row == f" - {word}"]


async def test_old_password_is_asked_for_three_times(come, place):
    terminal = await come("whammy", PASSWORD, PASSWORD, "/password", "one", "two", "three", "/who")

    assert 3 == len([row for row in terminal.rows if row.startswith("Refused: that isn't your password. Try again.")])
    assert "1 person is here" in " ".join(terminal.rows)
    assert await place.host.accounts.fits(await place.host.accounts.get("whammy"), PASSWORD)


async def test_common_password_chosen_long_ago_still_logs_in(come, place):
    await place.host.accounts.create("whammy", "password1", guest=False)

    assert any(row.startswith("You're in the lobby") for row in (await come("whammy password1")).rows)


def test_list_has_a_thousand_passwords():
    assert 1000 == len(_COMMON - {""})
    assert all(len(word) >= SHORTEST and word == fold(word) for word in _COMMON - {""})


@pytest.mark.parametrize("typed", [["wrong", ""], [PASSWORD, "short", ""], [PASSWORD, OTHER, "else", ""]])
async def test_wrong_old_password_changes_nothing(come, place, typed):
    terminal = await come("whammy", PASSWORD, PASSWORD, "/password", *typed)

    assert "nothing has changed" in " ".join(terminal.rows).casefold()
    assert await place.host.accounts.fits(await place.host.accounts.get("whammy"), PASSWORD)


async def test_new_name_keeps_everything_the_old_one_owned(come, place):
    await come("whammy", PASSWORD, PASSWORD, "/info add I play tally", "/rename Hammy")
    await place.host.profiles.finish()
    terminal = await come(f"hammy {PASSWORD}", "/info")

    assert " - I play tally" in terminal.rows
    assert await place.host.accounts.get("whammy") is None


async def test_player_at_a_table_cannot_rename(come):
    terminal = await come("whammy", "", "/quick tally", "/rename Hammy", stay=True)

    assert any(row.startswith("Refused: you can't change your name while you have a seat") for row in terminal.rows)


@pytest.mark.parametrize("name", ["wh4mmy", "Bob", "B0b", "bo-b", "b_ob"])
def test_letters_that_look_alike_have_one_skeleton(name):
    assert (skeleton(name) == skeleton("bob")) is (name != "wh4mmy")


async def test_name_that_looks_like_another_is_refused(come):
    await come("Silas", PASSWORD, PASSWORD)

    assert "Refused: 5i1as looks too much like silas. Please choose another name." not in (await come("5i1as")).rows
    assert "Refused: Si1as looks too much like Silas. Please choose another name." in (await come("Si1as")).rows


async def test_password_is_rehashed_at_login_after_the_cost_was_raised(store):
    """Parameters are stored with the hash."""
    soft = Accounts(store, hash_time=1, hash_memory=8192)
    account = await soft.create("whammy", PASSWORD, guest=False)
    hard = Accounts(store, hash_time=2, hash_memory=8192)

    assert await hard.fits(account, PASSWORD)
    assert "t=2" in (await hard.get("whammy")).digest


def blocked(attempts, address):
    """Return the seconds for which an address is blocked."""
    refused = attempts.refusal(address)
    return refused.wait if refused else 0


class Watch:
    now = 0.0

    def __call__(self):
        return self.now


def test_few_mistakes_cost_nothing():
    guessing = LoginAttempts(Quotas(), Watch())
    for _ in range(quota.WRONG_FOR_NAME.limits[0].most):
        guessing.wrong("10.0.0.1", "whammy")

    assert (0, 0) == (guessing.delay("whammy"), blocked(guessing, "10.0.0.1"))


def test_each_further_guess_is_slower_but_the_owner_is_never_locked_out():
    guessing = LoginAttempts(Quotas(), Watch())
    delays = []
    for n in range(40):
        guessing.wrong(f"10.0.0.{n}", "whammy")
        delays.append(guessing.delay("whammy"))

    assert delays == sorted(delays)
    assert quota.PAUSES[-1] == delays[-1]
    guessing.right("10.0.0.99", "whammy")
    assert 0 == guessing.delay("whammy")


def test_address_that_keeps_guessing_is_blocked_for_longer_each_time():
    guessing = LoginAttempts(Quotas(), watch := Watch())
    for n in range(30):
        guessing.wrong("10.0.0.1", f"name{n}")

    assert quota.BLOCKS[-1] == blocked(guessing, "10.0.0.1")
    assert 0 == blocked(guessing, "10.0.0.2")
    watch.now = quota.BLOCKS[-1]
    assert 0 == blocked(guessing, "10.0.0.1")


def test_network_that_keeps_guessing_is_blocked_too():
    """Else someone with a /24 would have 254 times the guesses of one address."""
    guessing = LoginAttempts(Quotas(), Watch())
    for n in range(31):
        guessing.wrong(f"10.0.0.{n}", f"name{n}")

    assert ["subnet", None] == [
        refused and refused.scope for refused in map(guessing.refusal, ("10.0.0.99", "10.0.1.99"))
    ]


def test_exempt_network_is_never_blocked_but_a_name_is_still_slower():
    guessing = LoginAttempts(Quotas(), Watch(), exempt=networks("10.0.0.0/8"))
    for _ in range(31):
        guessing.wrong("10.0.0.1", "whammy")

    assert (None, quota.PAUSES[-1]) == (guessing.refusal("10.0.0.1"), guessing.delay("whammy"))


def test_simultaneous_guesses_are_as_slow_as_sequential_ones():
    """Each counts as wrong until it proves right."""
    guessing = LoginAttempts(Quotas(), Watch())
    delays = [(guessing.delay("whammy"), guessing.wrong(f"10.0.0.{n}", "whammy"))[0] for n in range(10)]

    assert [0, 0, 0, 0, 0.5, 1, 1.5, 2, 2.5, 3] == delays


def test_owner_who_knows_the_password_is_not_counted_as_a_guesser():
    guessing = LoginAttempts(Quotas(), Watch())
    for _ in range(100):
        guessing.wrong("10.0.0.1", "whammy")
        guessing.right("10.0.0.1", "whammy")

    assert (0, 0) == (guessing.delay("whammy"), blocked(guessing, "10.0.0.1"))


async def test_many_people_log_in_from_one_address_at_the_same_moment(come, place):
    """All of a club reconnect when its server restarts."""
    names = [f"player{n}x" for n in range(3 * TRIES)]
    for name in names:
        await come(name, PASSWORD, PASSWORD, "/detach")
    terminals = await asyncio.gather(*(come(f"{name} {PASSWORD}") for name in names))

    assert not any("too many wrong passwords" in row for terminal in terminals for row in terminal.rows)
    assert 0 == blocked(place.host.login_attempts, "stage")


async def test_simultaneous_guesses_at_many_names_are_blocked_like_sequential_ones():
    """No more are checked than could be in sequence before the address is blocked."""
    guessing, checked = LoginAttempts(Quotas(), Watch()), []

    async def guess(number):
        await guessing.turn("10.0.0.1")
        if not blocked(guessing, "10.0.0.1"):
            with guessing.attempt("10.0.0.1", f"name{number}"):
                checked.append(number)
                await asyncio.sleep(0)

    await asyncio.gather(*map(guess, range(10 * TRIES)))

    assert [*range(TRIES + 1)] == sorted(checked)


async def test_guessing_the_old_password_is_as_slow_as_at_login(come, place):
    for n in range(5):
        place.host.login_attempts.wrong("stage", f"name{n}")
    await come("whammy", PASSWORD, PASSWORD, "/password", "wrong", "wrong", "")

    assert blocked(place.host.login_attempts, "stage") > 0


async def test_blocked_address_is_told_when_to_come_back(come, place):
    await come("whammy", PASSWORD, PASSWORD)
    for n in range(30):
        place.host.login_attempts.wrong("stage", f"name{n}")

    assert any("too many wrong passwords were typed from your address" in row for row in (await come("whammy x")).rows)
