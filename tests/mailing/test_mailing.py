"""Test mail from the command to the mail server: who gets what and when, and what survives a crash."""

import asyncio
import json
import re
from contextlib import suppress
from datetime import UTC, datetime

import pytest

from lilygames.bus.local import LocalBus
from lilygames.mailing import letters
from lilygames.mailing.items.items import Item
from lilygames.mailing.mailing import Mailing
from lilygames.mailing.smtp import SmtpSession
from lilygames.mailing.subscription import RETRIES, TAKEN
from lilygames.mailing.subscriptions import CODES, KIND, LINGERS, QUEUE, STOPS
from lilygames.store import StoreUnavailable
from tests.mailing.conftest import DAY, HOUR, MINUTE, NOON, code_in

ADDRESS = "bob@example.org"


@pytest.fixture
async def away(w):
    """The place with a slow game, after bob has subscribed and left, and it has become his turn."""
    await w.slow_game()
    await w.subscribe("bob", ADDRESS)
    await w.bob_goes()
    return w


def text(mail):
    return " ".join(mail.get_content().split())


# the address


async def test_nothing_is_sent_before_the_address_is_confirmed(w):
    await w.slow_game()
    await w.type("bob", f"/mail {ADDRESS}")
    await w.bob_goes()
    await w.look()
    (mail,) = w.take()
    assert "/mail code" in mail.get_content()

    for _ in range(100):
        w.forward(HOUR)
        await w.look()
    assert [] == w.take()


async def test_code_confirms_the_address_once(w):
    await w.type("bob", f"/mail {ADDRESS}")
    await w.look()
    code = code_in(w.take()[0])

    assert [f"(mail to {ADDRESS} is on. Type /mail off to turn it off.)"] == await w.type("bob", f"/mail code {code}")
    assert (await w.type("bob", f"/mail code {code}"))[0].startswith("Refused: no code is waiting.")


async def test_code_of_someone_else_is_wrong(w):
    await w.type("bob", f"/mail {ADDRESS}")
    await w.look()
    code = code_in(w.take()[0])
    await w.type("ann", "/mail ann@example.org")

    assert ["Refused: that isn't the code. Please look at it again."] == await w.type("ann", f"/mail code {code}")


async def test_code_is_valid_for_15_minutes(w):
    await w.type("bob", f"/mail {ADDRESS}")
    await w.look()
    w.forward(15 * MINUTE)

    rows = await w.type("bob", f"/mail code {code_in(w.take()[0])}")
    assert " ".join(rows).startswith(f"Refused: that code isn't valid any more. Type /mail {ADDRESS} to get")


async def test_code_can_be_guessed_only_five_times(w):
    await w.type("bob", f"/mail {ADDRESS}")
    await w.look()
    code = code_in(w.take()[0])
    for _ in range(5):
        await w.type("bob", "/mail code nonsense")

    assert "isn't valid any more" in (await w.type("bob", f"/mail code {code}"))[0]


async def test_person_gets_three_codes_and_one_more_an_hour(w):
    for n in range(4):
        rows = await w.type("bob", f"/mail bob{n}@example.org")
        await w.look()
    assert ["Refused: you've asked for 3 codes. Try again in 60 minutes."] == rows
    assert len(w.take()) == 3

    await w.type("bob", "/mail forget")
    assert "Refused: you've asked" in (await w.type("bob", f"/mail {ADDRESS}"))[0]
    w.forward(HOUR)
    assert "We're sending a code" in (await w.type("bob", f"/mail {ADDRESS}"))[0]


async def test_account_gets_three_codes_a_day_at_the_same_address(w):
    """Tags and case don't make another mailbox of it."""
    for address in ("v@example.org", "V@example.org", "v+x@example.org", "v+y@EXAMPLE.org"):
        rows = await w.type("bob", f"/mail {address}")
        w.forward(HOUR)

    assert rows[0].startswith("Refused: you've asked for 3 codes there today. Use the newest one,")


async def test_address_is_not_locked_by_an_account_that_asks_for_codes_to_it(w):
    """Mallory has typed Bob's address three times. Bob gets his code."""
    w.stage.enter("Mallory")
    for _ in range(5):
        await w.type("Mallory", f"/mail {ADDRESS}")
    await w.look()
    w.take()
    await w.type("bob", f"/mail {ADDRESS}")
    await w.look()

    assert [ADDRESS] == [mail["To"] for mail in w.take()]


async def test_address_is_not_locked_for_the_account_that_has_confirmed_it(w):
    """However many accounts ask for codes to it."""
    await w.type("bob", f"/mail {ADDRESS}")
    await w.look()
    await w.type("bob", f"/mail code {code_in(w.take()[0])}")
    await w.type("bob", "/mail elsewhere@example.org")
    for number in range(6):
        w.stage.enter(f"Mallory{number}").address = f"10.0.{number}.1"
        for _ in range(3):
            rows = await w.type(f"Mallory{number}", f"/mail {ADDRESS}")
    await w.look()
    w.take()
    await w.type("bob", f"/mail {ADDRESS}")
    await w.look()

    assert "Refused: many codes were sent there today, and nobody has confirmed one." in rows[0]
    assert [ADDRESS] == [mail["To"] for mail in w.take()]


async def test_stranger_gets_ten_codes_a_day_from_all_accounts_together(w):
    for number in range(6):
        w.stage.enter(f"Mallory{number}").address = f"10.0.{number}.1"
        for _ in range(3):
            await w.type(f"Mallory{number}", "/mail victim@example.org")
            await w.look()

    assert 10 == len(w.take())


async def test_counts_of_codes_of_release_0_2_are_deleted_after_a_day(w):
    await w.store.keep(CODES, "fingerprint", json.dumps([w.stage.host.now()]))
    w.forward(DAY)
    await w.look()

    assert {} == await w.store.every(CODES)


async def test_store_shows_no_code(w):
    await w.type("bob", f"/mail {ADDRESS}")
    kept = await w.store.every(KIND)
    await w.look()

    assert code_in(w.take()[0]) not in str(kept)


async def test_address_with_a_header_is_refused(w):
    for bad in ("bob@example.org,x@y.zz", "bob@example.org%0ABcc:x@y.zz", "b@x", "<b@x.yy>", '"b"@x.yy'):
        assert (await w.type("bob", f"/mail {bad}"))[0].startswith("Refused: that isn't a mail address"), bad
    await w.look()
    assert [] == w.take()


async def test_guest_is_told_to_register(w):
    w.stage.people["bob"].set_guest(guest=True)

    assert (await w.type("bob", f"/mail {ADDRESS}"))[0].startswith("Refused: guests can't get mail")


async def test_place_without_mail_says_so(w):
    stage = await w.opened(mail_host="")
    stage.enter("ann")

    assert ["Refused: this server doesn't send mail."] == await stage.type("ann", "/mail ann@example.org")
    assert ["Refused: this server doesn't send push messages."] == await stage.type("ann", "/push x y")


# your turn


async def test_turn_is_mailed_after_15_minutes_once(away):
    away.forward(14 * MINUTE)
    await away.look()
    assert [] == away.take()

    away.forward(MINUTE)
    await away.look()
    (mail,) = away.take()
    assert mail["Subject"] == "lilygames: It's your turn at Tally, table 1, with ann"
    assert "    /at 1" in mail.get_content().splitlines()
    assert mail["To"] == ADDRESS

    for _ in range(100):
        away.forward(HOUR)
        await away.look()
    assert [] == away.take()


async def test_turn_in_the_evening_is_mailed_at_8(w):
    """The rule's example: a turn at 21:50 gives one mail at 08:00."""
    await w.slow_game()
    await w.subscribe("bob", ADDRESS)
    w.forward(9 * HOUR + 50 * MINUTE - 1)
    await w.bob_goes()
    times = []
    for _ in range(24 * 60):
        w.forward(MINUTE)
        await w.look()
        times += [w.clock() for _ in w.take()]

    assert [20 * HOUR] == [at - 1_772_452_800 for at in times]


@pytest.mark.parametrize(
    ("zone", "hour"), [("Pacific/Auckland", 19), ("America/New_York", 13), ("Europe/Berlin", 12), ("Asia/Tokyo", 12)]
)
async def test_night_is_that_of_the_persons_zone(w, zone, hour):
    """It becomes bob's turn at noon in UTC: 01:00 in Auckland, 07:00 in New York, 13:00 in Berlin, 21:00 in Tokyo."""
    await w.slow_game()
    await w.subscribe("bob", ADDRESS)
    await w.type("bob", f"/set zone {zone}")
    await w.bob_goes()
    times = []
    for _ in range(24 * 4):
        w.forward(15 * MINUTE)
        await w.look()
        times += [datetime.fromtimestamp(w.clock(), UTC).hour for _ in w.take()]

    assert [hour] == times


async def test_nothing_is_mailed_to_someone_who_is_connected(w):
    await w.slow_game()
    await w.subscribe("bob", ADDRESS)
    for _ in range(50):
        w.forward(HOUR)
        await w.look()

    assert [] == w.take()


async def test_nothing_is_mailed_for_a_live_game(w):
    await w.subscribe("bob", ADDRESS)
    await w.type("ann", "/new tally clock=60 max=3 first-dealer=host")
    await w.type("bob", "/sit tally")
    await w.type("ann", "/start")
    w.drop("bob")
    w.forward(HOUR)
    await w.look()

    assert [] == w.take()


async def test_nothing_is_mailed_on_vacation(away):
    await away.stage.tables.vacations.begin("bob", 3, away.clock())
    away.forward(HOUR)
    await away.look()
    assert [] == away.take()

    away.forward(3 * DAY)
    await away.look()
    assert len(away.take()) == 1


async def test_nothing_is_mailed_after_off(away):
    await away.come("bob")
    assert [f"(mail to {ADDRESS} is off. Type /mail on to turn it on.)"] == await away.type("bob", "/mail off")
    away.drop("bob")
    away.forward(2 * DAY)
    await away.look()

    assert [] == away.take()


async def test_mail_says_nothing_secret(away):
    """No card of any hand is in it, and nothing but the table, the players and the time."""
    away.forward(15 * MINUTE)
    await away.look()
    (mail,) = away.take()

    assert (
        "Hello bob, this waits for you at lilygames: It's your turn at Tally, table 1, with ann. You have 3 days left."
        " /at 1 Connect with your client, or with this line, and log in as bob: telnet games.example 7777 Then type the"
        " line that starts with a slash. --"
    ) in text(mail)


class Many:
    """A source of so many turns in an hour, for bob."""

    def __init__(self, began, number):
        self.began, self.number = began, number

    async def waiting(self, now):
        came = min(self.number, int((now - self.began) / HOUR * self.number))
        return {"bob": [turn(n, self.began + n * HOUR / self.number) for n in range(came)]}


def turn(number, since):
    return Item(f"turn {number} 1", f"It's your turn at table {number}.", f"/at {number}", since)


def looking_at(stage, *sources):
    """Return the service of a stage with other sources."""
    place = stage.place
    return Mailing(place.host, place.tables.store, place.tables.unreadable, place.mailing.options, sources)


async def test_thousand_turns_in_an_hour_make_two_mails_in_a_day(w):
    """The first one comes 15 minutes after the first turn, and the next 12 hours later with all others."""
    await w.subscribe("bob", ADDRESS)
    w.forward(-3 * HOUR)
    w.drop("bob")
    w.forward(1)
    mailing = looking_at(w.stage, Many(w.clock(), 1000))
    for _ in range(24 * 12):
        w.forward(5 * MINUTE)
        await mailing.look()
    first, second = w.take()

    assert "And 240 more things." in text(first)
    assert "And 990 more things." in text(second)


async def test_fourth_mail_without_a_login_is_the_last(w):
    await w.subscribe("bob", ADDRESS)
    w.drop("bob")
    w.forward(1)
    mailing = looking_at(w.stage, Many(w.clock(), 1))
    for day in range(10):
        mailing = looking_at(w.stage, Once(turn(day, w.clock())))
        w.forward(DAY)
        await mailing.look()
    mails = w.take()

    assert [False, False, False, True] == ["We'll stop now" in text(mail) for mail in mails]
    screen = await w.come("bob")
    assert "(mail stopped because you were away; type /mail on to start it again)" in screen.take()
    assert [f"(mail to {ADDRESS} is on. Type /mail off to turn it off.)"] == await w.type("bob", "/mail on")


class Once:
    """A source of these things, for bob."""

    def __init__(self, *items):
        self.items = items

    async def waiting(self, now):
        return {"bob": [item for item in self.items if not item.starts or now < item.starts]}


async def test_login_starts_the_count_again(w):
    await w.subscribe("bob", ADDRESS)
    for day in range(10):
        w.drop("bob")
        w.forward(1)
        mailing = looking_at(w.stage, Once(turn(day, w.clock())))
        w.forward(DAY)
        await mailing.look()
        await w.come("bob")

    assert len(w.take()) == 10
    assert w.stage.mailing.counts["acted"] == 10


async def test_event_is_mailed_an_hour_ahead_despite_the_gap(w):
    await w.subscribe("bob", ADDRESS)
    w.drop("bob")
    w.forward(1)
    event = Item("event 1", "The event", "/events", w.clock(), starts=w.clock() + 4 * HOUR)
    mailing = looking_at(w.stage, Once(turn(1, w.clock()), event))
    times = []
    for _ in range(5 * 60):
        w.forward(MINUTE)
        await mailing.look()
        times += [(w.clock() - event.since) / MINUTE for _ in w.take()]

    assert [15, 180] == times


async def test_event_of_the_calendar_is_mailed_an_hour_ahead_in_the_persons_zone(w):
    """It begins at 18:00 in UTC, which is 19:00 in Berlin. Ann, who planned it, has left it."""
    w.stage.host.roles.listed = ("ann",)
    await w.type("ann", '/event new "Ohell night" 18:00')
    await w.type("ann", "/event leave 1")
    await w.type("bob", "/event join 1")
    await w.type("bob", "/set zone Europe/Berlin")
    for name in ("ann", "bob"):
        await w.subscribe(name, f"{name}@example.org")
        w.drop(name)
    times = []
    for _ in range(7 * 4):
        w.forward(15 * MINUTE)
        await w.stage.look("reminders")
        await w.look()
        times += [(datetime.fromtimestamp(w.clock(), UTC).hour, mail["To"], text(mail)) for mail in w.take()]
    ((hour, to, said),) = times

    assert (17, ADDRESS) == (hour, to)
    assert "The event “Ohell night” begins Mon 2 Mar 19:00. /event show 1" in said


async def test_cancelled_event_is_not_reminded_of(w):
    """There is only the mail that it was cancelled."""
    w.stage.host.roles.listed = ("ann",)
    await w.type("ann", '/event new "Ohell night" 18:00')
    await w.type("bob", "/event join 1")
    await w.subscribe("bob", ADDRESS)
    w.drop("bob")
    await w.type("ann", "/event cancel 1")
    for _ in range(12):
        w.forward(HOUR / 2)
        await w.stage.look("reminders")
        await w.look()

    assert ["lilygames: The event “Ohell night” was cancelled"] == [mail["Subject"] for mail in w.take()]


# invitations


async def test_invitation_is_mailed_while_it_is_open(w):
    await w.subscribe("bob", ADDRESS)
    w.drop("bob")
    w.forward(MINUTE)
    await w.type("ann", "/new tally bob")
    await w.look()
    w.forward(15 * MINUTE)
    await w.look()
    (mail,) = w.take()

    assert "ann invites you to Tally, table 1. /sit 1" in text(mail)


async def test_withdrawn_invitation_is_not_mailed(w):
    await w.subscribe("bob", ADDRESS)
    w.drop("bob")
    w.forward(MINUTE)
    await w.type("ann", "/new tally bob")
    await w.look()
    await w.type("ann", "/leave")
    w.forward(15 * MINUTE)
    await w.look()

    assert [] == w.take()


async def test_invitation_from_someone_ignored_is_not_mailed(w):
    await w.subscribe("bob", ADDRESS)
    await w.type("bob", "/ignore ann")
    w.drop("bob")
    w.forward(MINUTE)
    await w.type("ann", "/new tally bob")
    await w.look()
    w.forward(15 * MINUTE)
    await w.look()

    assert [] == w.take()


# the mail server


async def test_bounce_turns_the_address_off_and_the_next_login_says_so(away):
    away.inbox.refuses[ADDRESS] = "550 5.1.1 no such user"
    away.forward(15 * MINUTE)
    await away.look()
    away.inbox.refuses.clear()
    away.forward(DAY)
    await away.look()
    assert [] == away.take()

    screen = await away.come("bob")
    bounced = f"(mail to {ADDRESS} was refused, so it's off; type /mail to give another destination)"
    assert bounced in " ".join(" ".join(screen.take()).split())
    assert "Refused: you haven't confirmed" in (await away.type("bob", "/mail on"))[0]


@pytest.mark.parametrize("answer", ["554 5.7.1 relay access denied", "530 log in first", "450 4.2.1 try later"])
async def test_refusal_that_is_not_about_the_mailbox_does_not_bounce(answer, away):
    away.inbox.refuses[ADDRESS] = answer
    away.forward(15 * MINUTE)
    await away.look()
    away.inbox.refuses.clear()
    away.forward(RETRIES[0])
    await away.look()

    assert len(away.take()) == 1


async def test_sysop_turns_an_address_off_that_bounced_later(away, monkeypatch):
    assert "Refused" in (await away.type("ann", f"/mail bounce {ADDRESS}"))[0]
    away.stage.host.roles.listed = ("ann",)
    assert ["(Mail to that address is off for 1 account.)"] == await away.type("ann", f"/mail bounce {ADDRESS}")
    away.forward(DAY)
    await away.look()

    assert [] == away.take()


async def test_refused_mail_is_tried_again_later_and_less_often(away):
    away.inbox.failing = "451 later"
    away.forward(15 * MINUTE)
    tries = 0
    for _ in range(60):
        await away.look()
        away.forward(MINUTE)
    tries = away.stage.mailing.counts["failed"]
    away.inbox.failing = ""
    for _ in range(60):
        await away.look()
        away.forward(MINUTE)

    assert tries == 4
    assert len(away.take()) == 1


async def test_mail_server_that_is_down_for_a_day_gets_one_mail(away):
    await away.inbox.stop()
    away.forward(15 * MINUTE)
    for _ in range(24 * 12):
        await away.look()
        away.forward(5 * MINUTE)
    await away.inbox.start()
    for _ in range(24 * 12):
        await away.look()
        away.forward(5 * MINUTE)

    assert len(away.take()) == 1


async def test_mail_that_was_overtaken_is_not_sent(away):
    """Bob has come back in the meantime, and left again without a new turn."""
    await away.inbox.stop()
    away.forward(15 * MINUTE)
    await away.look()
    await away.come("bob")
    away.drop("bob")
    await away.inbox.start()
    away.forward(HOUR)
    await away.look()

    assert [] == away.take()


async def test_code_is_not_sent_after_it_has_expired(w):
    await w.inbox.stop()
    await w.type("bob", f"/mail {ADDRESS}")
    await w.look()
    await w.inbox.start()
    w.forward(HOUR)
    await w.look()

    assert [] == w.take()


async def test_code_is_given_up_after_three_days(w):
    w.inbox.failing = "451 later"
    await w.type("bob", f"/mail {ADDRESS}")
    for _ in range(3 * 24):
        await w.look()
        w.forward(HOUR)

    assert '"deliveries":[]' in (await w.store.every(KIND))["bob"]


async def test_mail_that_failed_for_three_days_is_written_again_if_it_is_still_the_persons_turn(away):
    away.inbox.failing = "451 later"
    written = set()
    for _ in range(4 * 24):
        away.forward(HOUR)
        await away.look()
        written |= set(re.findall(r'"id":"(\w+)"', (await away.store.every(KIND))["bob"]))
    away.inbox.failing = ""
    away.forward(4 * HOUR)
    await away.look()

    assert 2 == len(written)
    assert ["bob@example.org"] == [mail["To"] for mail in away.take()]


async def test_code_is_sent_before_everything_else(w, monkeypatch):
    """Each look sends a limited number of mails, and many wait."""
    monkeypatch.setattr("lilygames.mailing.mailing.AT_MOST", 1)
    await w.slow_game()
    await w.subscribe("bob", ADDRESS)
    await w.bob_goes()
    await w.inbox.stop()
    w.forward(15 * MINUTE)
    await w.look()
    await w.type("ann", "/mail ann@example.org")
    w.forward(5 * MINUTE)
    await w.inbox.start()
    await w.look()
    (mail,) = w.take()
    assert "/mail code" in text(mail)

    w.forward(5 * MINUTE)
    await w.look()
    assert ADDRESS == w.take()[0]["To"]


async def test_answer_says_if_the_mail_server_is_down(w):
    await w.inbox.stop()
    first = await w.type("ann", "/mail ann@example.org")
    await w.look()
    second = await w.type("bob", f"/mail {ADDRESS}")

    assert "can't be reached" not in " ".join(first)
    assert "waits: the server that sends it can't be reached right now.)" in " ".join(" ".join(second).split())


# ladders, and how people learn of mail


async def test_challenge_on_a_ladder_is_mailed(w):
    """Someone who doesn't answer in 36 hours loses it."""
    for name in ("ann", "bob"):
        await w.type(name, "/ladder join tally")
    await w.subscribe("ann", "ann@example.org")
    w.drop("ann")
    w.forward(1)
    rows = await w.type("bob", "/ladder challenge ann tally")
    assert "Refused" not in rows[0], rows
    w.forward(15 * MINUTE)
    await w.look()
    (mail,) = w.take()

    assert "bob challenges you on the Tally ladder. You have 35 hours to answer. /ladder accept tally" in text(mail)


async def test_mail_is_suggested_once_at_the_first_slow_game(w):
    suggested = "(This is a slow game. To get a mail when it's your turn"
    await w.slow_game()
    for screen in w.stage.screens.values():
        screen.take()
    await w.look()
    assert [1, 1] == [sum(suggested in row for row in screen.take()) for screen in w.stage.screens.values()]

    await w.look()
    w.drop("bob")
    await w.come("bob")
    await w.look()
    assert not any(suggested in row for screen in w.stage.screens.values() for row in screen.take())


async def test_mail_is_not_suggested_to_someone_who_has_it(w):
    await w.subscribe("bob", ADDRESS)
    await w.slow_game()
    w.stage.screens["bob"].take()
    await w.look()

    assert [] == w.stage.screens["bob"].take()


# restarts and several nodes


async def test_restart_in_mid_queue_sends_each_mail_once(away):
    """The delivery is in the store, and nothing was sent: the next process sends it."""
    await away.inbox.stop()
    away.forward(15 * MINUTE)
    await away.look()
    await away.inbox.start()
    again = await away.opened()
    away.forward(HOUR)
    await again.look("mailing")
    await again.look("mailing")

    assert len(away.take()) == 1


async def test_kill_after_the_delivery_was_taken_sends_it_after_a_while(away):
    """At least once: nobody can know whether the mail server got it, so the next node repeats it with the same id."""
    away.forward(15 * MINUTE)
    real = away.store.swap

    async def killed(kind, key, old, new):
        if kind == KIND and '"deliveries":[]' in (new or ""):
            raise StoreUnavailable("killed")
        return await real(kind, key, old, new)

    away.store.swap = killed
    with pytest.raises(StoreUnavailable):
        await away.look()
    away.store.swap = real
    again = await away.opened()
    (first,) = away.take()
    await again.look("mailing")
    assert [] == away.take()

    away.forward(TAKEN)
    await again.look("mailing")
    (second,) = away.take()
    assert first["Message-ID"] == second["Message-ID"]
    away.forward(DAY)
    await again.look("mailing")
    assert [] == away.take()


async def test_stop_of_the_server_waits_for_the_mail_that_is_being_sent(away, monkeypatch):
    """Otherwise the next process would repeat it."""
    real, began, goes_on = SmtpSession.send, asyncio.Event(), asyncio.Event()

    async def slowly(session, to, mail):
        began.set()
        await goes_on.wait()
        await real(session, to, mail)

    monkeypatch.setattr(SmtpSession, "send", slowly)
    away.forward(15 * MINUTE)
    look = asyncio.create_task(away.look())
    await began.wait()
    look.cancel()
    asyncio.get_running_loop().call_later(0.01, goes_on.set)
    assert await away.stage.kept()
    (delivered,) = (await away.store.every(KIND)).values()

    assert '"deliveries":[]' in delivered
    assert len(away.take()) == 1
    await asyncio.gather(look, return_exceptions=True)


async def test_bug_in_one_mail_does_not_stop_the_others(w, monkeypatch):
    real = letters.mail_of

    def broken(letter, options, *, to, **more):
        if to == "ann@example.org":
            raise ValueError("a bug")
        return real(letter, options, to=to, **more)

    monkeypatch.setattr(letters, "mail_of", broken)
    await w.type("ann", "/mail ann@example.org")
    await w.type("bob", f"/mail {ADDRESS}")
    await w.look()

    assert [ADDRESS] == [mail["To"] for mail in w.take()]


@pytest.mark.parametrize("call", ["swap", "keep", "find", "every"])
async def test_store_that_fails_at_any_moment_loses_no_mail(call, away):
    away.forward(15 * MINUTE)
    for _ in range(12):
        away.store.fail_next(StoreUnavailable("full"), call=call, landed=True)
        with suppress(StoreUnavailable):
            await away.look()
        away.forward(TAKEN)
    away.store._faults.clear()
    for _ in range(12):
        await away.look()
        away.forward(TAKEN)

    mails = away.take()
    assert len(mails) >= 1
    assert len({mail["Message-ID"] for mail in mails}) == 1


async def test_connection_lost_after_the_mail_was_taken_is_repeated_with_the_same_id(away):
    away.inbox.hangs_up = True
    away.forward(15 * MINUTE)
    await away.look()
    away.inbox.hangs_up = False
    away.forward(RETRIES[0])
    await away.look()
    first, second = away.take()

    assert first["Message-ID"] == second["Message-ID"]


NAMES = ("ann", "bob", "cat", "dan")


class Everybody:
    """A source of one turn for each of these people."""

    def __init__(self, since):
        self.since = since

    async def waiting(self, now):
        return {name: [turn(n, self.since)] for n, name in enumerate(NAMES)}


async def test_two_nodes_send_each_mail_once(w):
    """They look at the same moment, again and again."""
    for name in NAMES[2:]:
        await w.stage.create_account(name, "a password")
        w.stage.enter(name)
    for name in NAMES:
        await w.subscribe(name, f"{name}@example.org")
        w.drop(name)
    await w.stage.kept()
    bus = LocalBus()
    stages = [await w.opened(seed, bus) for seed in "ab"]
    nodes = [looking_at(stage, Everybody(w.clock() + 1)) for stage in stages]
    w.forward(HOUR)
    for _ in range(3):
        await asyncio.gather(*(node.look() for node in nodes))
    for stage in stages:
        await stage.node.end()

    assert [f"{name}@example.org" for name in NAMES] == sorted(mail["To"] for mail in w.take())
    assert 4 == sum(node.counts["sent"] for node in nodes)


async def settled(*stages):
    """Wait until nodes have told each other everything."""
    for _ in range(40):
        await asyncio.sleep(0)
        for stage in stages:
            await stage.quiet()
            await stage.node.roster.finish()


async def test_nothing_is_mailed_to_someone_who_is_connected_to_another_node(w):
    """Once bob leaves, one of the nodes sends one mail."""
    for name in ("ann", "bob"):
        w.drop(name)
    bus = LocalBus()
    here, there = [await w.opened(seed, bus) for seed in "ab"]
    here.enter("ann")
    there.enter("bob")
    await settled(here, there)
    await w.subscribe("bob", ADDRESS, there)
    await here.type("ann", "/new tally clock=3d max=3 first-dealer=host bob")
    await settled(here, there)
    await there.type("bob", "/sit tally")
    await settled(here, there)
    assert here.table(1).questions.open.keys() == {1}
    for _ in range(3):
        w.forward(HOUR)
        for stage in (here, there):
            await stage.look("mailing")
    assert [] == w.take()

    there.drop("bob")
    await settled(here, there)
    for _ in range(24 * 2):
        w.forward(HOUR)
        await asyncio.gather(here.look("mailing"), there.look("mailing"))
    for stage in (here, there):
        await stage.node.end()

    assert [ADDRESS] == [mail["To"] for mail in w.take()]


@pytest.fixture
async def three(w):
    """Three nodes. ann is at the first one, bob, who has mail, was at the second one, and cat is at the third."""
    for name in ("ann", "bob"):
        w.drop(name)
    bus = LocalBus()
    stages = [await w.opened(seed, bus) for seed in "abc"]
    for stage, name in zip(stages, ("ann", "bob", "cat"), strict=True):
        stage.enter(name)
    await settled(*stages)
    await w.subscribe("bob", ADDRESS, stages[1])
    yield stages
    for stage in stages:
        await stage.node.end()


async def mails_of_two_days(w, *stages):
    """Return the mails that nodes send in two days, while they check each hour what they follow."""
    for _ in range(2 * 24):
        w.forward(HOUR)
        for stage in stages:
            await stage.node.look()
            stage.node.follower._told = 0.0
            await stage.node.follower.look()
        await settled(*stages)
        await asyncio.gather(*(stage.look("mailing") for stage in stages))
    return w.take()


async def test_slow_games_that_different_nodes_run_are_told_in_one_mail(w, three):
    """Only one node sends mail to bob, so it follows both games."""
    one, other, third = three
    for stage, name, table in ((one, "ann", 1), (third, "cat", 2)):
        await stage.type(name, "/new tally clock=3d max=3 first-dealer=host bob")
        await settled(*three)
        await other.type("bob", f"/sit {table}")
        await settled(*three)
    other.drop("bob")
    await settled(*three)
    (mail,) = await mails_of_two_days(w, *three)

    assert ["table 1," in text(mail), "table 2," in text(mail)] == [True, True]
    assert {1, 2} in [{*stage.open_tables} for stage in three]


async def test_invitation_from_another_node_is_mailed_once(w, three):
    one, other, _ = three
    other.drop("bob")
    await settled(*three)
    await one.type("ann", "/new tally clock=3d bob")
    await settled(*three)
    (mail,) = await mails_of_two_days(w, *three)

    assert "ann invites you to Tally, table 1. /sit 1" in text(mail)


async def test_queue_is_emptied_after_a_while(away):
    away.forward(15 * MINUTE)
    await away.look()
    assert "bob" in await away.store.every(QUEUE)
    away.forward(LINGERS + TAKEN)
    await away.look()
    await away.look()

    assert {} == await away.store.every(QUEUE)


# unsubscribing


async def mailed(w):
    w.forward(15 * MINUTE)
    await w.look()
    (mail,) = w.take()
    return mail["List-Unsubscribe"].rpartition("%20")[2].rstrip(">")


async def test_token_in_a_mail_turns_it_off_for_anyone_who_has_it(away):
    token = await mailed(away)

    assert ["(That address gets no more mail.)"] == await away.type("ann", f"/mail stop {token}")
    await away.come("bob")
    assert [f"(mail to {ADDRESS} is off. Type /mail on to turn it on.)"] == await away.type("bob", "/mail")


async def test_forged_token_is_refused(away):
    token = await mailed(away)
    body, _, signature = token.partition(".")
    for forged in (body, f"{body}.", f"{body}.{signature[::-1]}", f"x{token}", "nonsense", ""):
        assert (await away.type("ann", f"/mail stop {forged}"))[0].startswith("Refused: that isn't the whole word"), (
            forged
        )
    await away.come("bob")
    assert "is on" in (await away.type("bob", "/mail"))[0]


async def test_token_does_not_work_again_after_mail_was_turned_on_again(away):
    token = await mailed(away)
    await away.type("ann", f"/mail stop {token}")
    await away.come("bob")
    await away.type("bob", "/mail on")

    assert (await away.type("ann", f"/mail stop {token}"))[0].startswith("Refused: that word was used")
    assert "is on" in (await away.type("bob", "/mail"))[0]


async def test_token_is_about_the_account_in_it_only(away):
    """Ann can't turn off bob's mail with the word from her own."""
    await away.subscribe("ann", "ann@example.org")
    subscription = await away.stage.mailing.subscriptions.find("ann")
    token = (await away.stage.mailing.subscriptions.signer()).token("ann", subscription.generation)
    await away.type("ann", f"/mail stop {token}")
    await away.come("bob")

    assert "is off" in (await away.type("ann", "/mail"))[0]
    assert "is on" in (await away.type("bob", "/mail"))[0]


async def test_token_of_a_deleted_subscription_is_dead(away):
    token = await mailed(away)
    await away.come("bob")
    await away.type("bob", "/mail forget")
    await away.subscribe("bob", ADDRESS)

    assert (await away.type("ann", f"/mail stop {token}"))[0].startswith("Refused: that word was used")


async def test_token_from_the_command_line_is_used_once_by_the_server(away):
    token = await mailed(away)
    await away.store.keep(STOPS, "1", token)
    await away.store.keep(STOPS, "2", "nonsense")
    await away.look()
    await away.come("bob")

    assert "is off" in (await away.type("bob", "/mail"))[0]
    assert {} == await away.store.every(STOPS)


# accounts


async def test_mail_goes_on_after_a_rename(away):
    account = await away.stage.accounts.get("bob")
    await away.stage.accounts.rename(account, "robert")
    mailing = looking_at(away.stage, Named("robert", turn(1, away.clock() + 2)))
    away.forward(HOUR)
    await mailing.look()
    (mail,) = away.take()

    assert "Hello robert," in mail.get_content()


class Named:
    """A source of these things, for one person."""

    def __init__(self, name, *items):
        self.name, self.items = name, items

    async def waiting(self, now):
        return {self.name: self.items}


async def test_address_is_deleted_with_the_account(away):
    assert "bob" in await away.store.every(KIND)
    await away.stage.accounts.forget("bob")

    assert {} == await away.store.every(KIND)


async def test_mail_that_waits_is_dropped_if_the_account_is_deleted(away):
    """However the account went, also on another node."""
    await away.inbox.stop()
    away.forward(15 * MINUTE)
    await away.look()
    away.stage.accounts.names.pop("bob")
    await away.inbox.start()
    away.forward(HOUR)
    await away.look()

    assert [] == away.take()
    assert {} == await away.store.every(KIND)


async def test_unreadable_subscription_is_skipped_and_can_be_made_again(w):
    await w.slow_game()
    await w.store.keep(KIND, "bob", "{torn")
    await w.store.keep(QUEUE, "bob", "torn")
    await w.look()
    await w.subscribe("bob", ADDRESS)


async def test_forget_deletes_the_address(away):
    await away.come("bob")

    assert ["(Your mail address is deleted.)"] == await away.type("bob", "/mail forget")
    assert {} == await away.store.every(KIND)


def test_letters_have_no_secrets_of_the_options():
    assert "hunter2" not in repr(letters.MailOptions(password="hunter2"))


# events and tournaments that were changed


@pytest.fixture
async def party(w):
    """An event in three days that bob has joined, and bob gets mail. He has left."""
    await w.store.keep("since", "ann", "1.0")
    await w.subscribe("bob", ADDRESS)
    await w.type("ann", '/event new "Ohell night" in 3d')
    await w.type("bob", "/event join 1")
    w.drop("bob")
    w.forward(MINUTE)
    return w


@pytest.mark.parametrize(
    ("change", "subject"),
    [
        ("cancel 1", "The event “Ohell night” was cancelled"),
        ("move 1 in 4d", "The event “Ohell night” was moved"),
    ],
)
async def test_change_of_an_event_is_mailed_at_once_and_once(party, change, subject):
    await party.type("ann", f"/event {change}")
    party.forward(MINUTE)
    await party.look()
    (mail,) = party.take()

    assert mail["Subject"] == f"lilygames: {subject}"
    for _ in range(30):
        party.forward(HOUR)
        await party.look()
    assert [] == party.take()


async def test_mail_about_a_moved_event_has_its_new_time(party):
    await party.type("ann", "/event move 1 in 4d")
    party.forward(MINUTE)
    await party.look()

    assert "The event “Ohell night” was moved. Now it begins Fri 6 Mar 12:01. /event show 1" in text(party.take()[0])


async def test_mail_about_a_cancelled_event_has_its_time(party):
    await party.type("ann", "/event cancel 1")
    party.forward(MINUTE)
    await party.look()

    assert "The event “Ohell night” was cancelled. It was planned for Thu 5 Mar 12:00. /events" in text(party.take()[0])


async def test_change_that_someone_read_here_is_not_mailed(party):
    await party.come("bob")
    await party.type("ann", "/event cancel 1")
    party.forward(MINUTE)
    party.drop("bob")
    party.forward(DAY)
    await party.look()

    assert [] == party.take()


async def test_change_that_someone_read_here_is_in_no_later_mail(party):
    """Another thing is mailed then."""
    await party.type("ann", '/event new "Later" in 10h')
    await party.come("bob")
    await party.type("bob", "/event join 2")
    await party.type("ann", "/event cancel 1")
    party.forward(MINUTE)
    party.drop("bob")
    party.forward(9 * HOUR)
    await party.look()
    (mail,) = party.take()

    assert "“Later” begins" in text(mail)
    assert "Ohell night" not in text(mail)


async def test_change_at_night_is_mailed_in_the_morning_unless_the_event_begins_before(party):
    party.forward(11 * HOUR)
    await party.type("ann", "/event cancel 1")
    party.forward(MINUTE)
    await party.look()
    assert [] == party.take()
    party.forward(10 * HOUR)
    await party.look()

    assert 1 == len(party.take())


@pytest.fixture
async def cup(w):
    """A tournament in five hours that bob has joined, and bob gets mail. He has left."""
    await w.store.keep("since", "ann", "1.0")
    await w.subscribe("bob", ADDRESS)
    await w.type("ann", "/tournament new tally swiss start=in_5h seats=2 name=cup")
    await w.type("bob", "/tournament join cup")
    w.drop("bob")
    w.forward(MINUTE)
    return w


async def test_tournament_is_mailed_an_hour_before(cup):
    times = []
    for _ in range(5 * 60):
        await cup.look()
        times += [(round((cup.clock() - NOON) / MINUTE), text(mail)) for mail in cup.take()]
        cup.forward(MINUTE)

    [(minute, said)] = times
    assert 4 * 60 == minute
    assert "The tournament cup begins Mon 2 Mar 17:00. /join cup" in said


async def test_cancelled_tournament_is_mailed_at_once_and_once(cup):
    await cup.type("ann", "/tournament cancel cup")
    cup.forward(MINUTE)
    await cup.stage.look("director")
    times = []
    for _ in range(20):
        await cup.look()
        times += cup.take()
        cup.forward(HOUR / 2)

    [mail] = times
    assert "The tournament cup was cancelled. It was planned for Mon 2 Mar 17:00. /tournament" in text(mail)


async def test_mail_that_waits_for_someone_who_is_deleted_is_not_sent(w, store, inbox, tmp_path):
    await w.subscribe("bob", "bob@example.org")
    await w.slow_game()
    await w.bob_goes()
    await inbox.stop()
    w.forward(12 * 3600)
    await w.look()
    assert "news" in (await store.every("mailing"))["bob"]
    w.stage.deletions._data = tmp_path
    await w.stage.deletions.delete("bob", sure=True)
    await inbox.start()
    w.forward(900)
    await w.look()

    assert [] == w.take()
    assert ({}, {}) == (await store.every("mailing"), await store.every("mailing-queue"))
