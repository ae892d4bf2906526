"""Warn, mute, kick and ban: who may do it, what follows, and who can read it later."""

import pytest

from lilygames.chat.people.gate import Banned
from lilygames.gametest.stage import Stage
from lilygames.moderation.actions import Action, Standing, seconds_in
from lilygames.moderation.desk import SHELL
from tests.moderation.conftest import ADDRESSES, GUESTS
from tests.toys import TALLY


def entry(stage, name, address="198.51.100.9", *, guest=False):
    """Why someone may not log in, or ""."""
    try:
        stage.host.gate.check_entry(name, address, guest=guest)
    except Banned as ban:
        return str(ban)
    return ""


# who may


@pytest.mark.parametrize(
    "line", ["/warn bob x", "/mute bob x", "/kick bob x", "/ban bob x", "/unban bob x", "/reports"]
)
async def test_people_without_a_role_are_refused(says, line):
    assert "only moderators and sysops can do that" in await says("ann", line)


@pytest.mark.parametrize("verb", ["warn", "mute", "kick", "ban"])
async def test_nobody_acts_on_themselves_or_people_above_them(says, verb):
    assert "you can't do that to yourself" in await says("Mo", f"/{verb} mo because")
    assert "whammy is a sysop" in await says("Mo", f"/{verb} whammy because")
    assert "you can't do that to yourself" in await says("whammy", f"/{verb} whammy because")


async def test_nobody_acts_on_people_of_their_own_role(stage, says):
    await stage.desk.appoint(SHELL, "Cat", "moderator")

    assert "Cat is a moderator" in await says("Mo", "/mute cat 1h because")


@pytest.mark.parametrize("verb", ["warn", "mute", "kick", "ban"])
async def test_sanction_needs_a_full_name_and_a_reason(says, verb):
    assert "nobody is called “bo”" in await says("Mo", f"/{verb} bo because")
    assert "Usage: " in await says("Mo", f"/{verb} bob")


@pytest.mark.parametrize("line", ["/mute bob 1h", "/ban bob 1h"])
async def test_time_without_a_reason_is_refused(says, line):
    assert "add the reason" in await says("Mo", line)


# warn


async def test_warning_is_read_at_once_and_in_the_audit(says, reads):
    assert "(Bob is warned)" == await says("Mo", "/warn bob Don't spam.")
    assert "*** Mo warned you ***\n - Don't spam." in reads("Bob")
    assert "Mo warned you. Don't spam." in await says("Bob", "/audit")
    assert "Mo warned Bob. Don't spam." in await says("whammy", "/audit")
    assert "haven't decided anything about you" in await says("ann", "/audit")


async def test_warning_is_read_at_the_next_login(stage, says, clock):
    stage.drop("Bob")
    clock.passes(seconds=10)
    await says("Mo", "/warn bob Don't spam.")
    clock.passes(seconds=10)
    await stage.come("Bob")

    assert "*** Mo warned you ***\n - Don't spam." in "\n".join(stage.screens["Bob"].take())


async def test_people_cannot_read_what_was_decided_about_others(says):
    await says("Mo", "/warn bob Don't spam.")

    assert "spam" not in await says("ann", "/audit bob")


# mute


@pytest.mark.parametrize(("typed", "who"), [("bob", "Bob"), ("RUPERT", "Bob"), ("Felix", "Cat"), ("gus", "Gus")])
async def test_muted_person_can_speak_again_when_the_time_is_up(says, reads, clock, typed, who):
    await says("Mo", f"/mute {typed} 1h spam")
    assert "you're muted until" in await says(who, "hello")
    assert "hello" not in reads("ann")
    clock.passes(seconds=3601)
    await says(who, "hello again")

    assert "hello again" in reads("ann")


async def test_mute_ends_at_a_time_of_the_clock_even_if_the_clock_jumps(says, clock):
    await says("Mo", "/mute bob 1d spam")
    clock.passes(seconds=-7200)
    assert "you're muted until" in await says("Bob", "hello")
    clock.passes(seconds=7200 + 86401)

    assert "muted" not in await says("Bob", "hello")


async def test_mute_can_be_ended(says, reads):
    await says("Mo", "/mute bob 1h spam")
    assert "(Bob is no longer muted)" == await says("whammy", "/unmute bob He is sorry.")
    await says("Bob", "thanks")
    assert "thanks" in reads("ann")
    assert "Bob isn't muted" in await says("Mo", "/unmute bob again")


async def test_muted_persons_blurb_is_turned_off(stage, says):
    await says("Bob", "/blurb buy my coins")
    await says("Mo", "/mute bob 1h spam")

    assert "buy my coins" not in await says("ann", "/who")


async def test_guests_at_the_address_of_a_muted_person_are_muted_too(stage, says, clock):
    await says("Mo", "/mute bob 1h spam")
    stage.people["Cat"].set_guest(guest=True)
    assert "muted" not in await says("Cat", "hello")
    stage.screens["Cat"].address = ADDRESSES["Bob"]

    assert "you're muted until" in await says("Cat", "hello")
    clock.passes(hours=2)
    assert "muted" not in await says("Cat", "hello")


@pytest.mark.parametrize(("muted", "who"), [("bob", "Bob"), ("gus", "Gus"), ("bob", "Hal")])
async def test_mute_survives_a_restart(store, clock, says, muted, who):
    """Hal is a guest who comes from Bob's address."""
    await says("Mo", f"/mute {muted} 1h spam")
    again = await Stage.open(TALLY, store=store, clock=clock)
    again.enter(who, guest=who != "Bob")
    again.screens[who].address = ADDRESSES.get(who, ADDRESSES["Bob"])

    assert "you're muted until" in "\n".join(await again.type(who, "hello"))


# kick


def at_tally(who, private):
    """Return who types which line, until ann plays with someone."""
    opened = f"/new tally max=3{' private=on' * private}"
    return (("ann", opened), ("ann", f"/invite {who.casefold()}"), (who, "/sit 1"), ("ann", "/start"))


PLAYERS = [(who, private) for who in ("Bob", "Gus") for private in (False, True)]
"""Someone who plays with ann, and whether their table is private."""


@pytest.mark.parametrize("player", PLAYERS)
async def test_kick_disconnects_and_a_bot_takes_the_seat(stage, says, reads, player):
    who, private = player
    for name, line in at_tally(who, private):
        await says(name, line)
    await says("Mo", f"/kick {who.casefold()} Calm down.")
    await stage.quiet()
    read = reads(who)

    assert "*** Mo put you out ***\n - Calm down." in read
    assert stage.screens[who].closed
    assert f"plays for {who} until {who} is back" in reads("ann")
    assert "" == entry(stage, who, ADDRESSES[who], guest=who in GUESTS)


async def test_kick_out_of_a_room(stage, says):
    await says("ann", '/create cafe "tea"')
    await says("Bob", "/join cafe")
    assert "only its owner, its moderators and the staff" in await says("Cat", "/kick bob -cafe no")
    assert "(Bob is out of cafe)" in await says("ann", "/kick bob -cafe shouting")
    assert "Bob" not in stage.rooms["cafe"].people
    assert not stage.screens["Bob"].closed
    assert "ann kicked you (cafe). shouting" in await says("Bob", "/audit")


async def test_nobody_is_kicked_out_of_the_lobby_alone(says):
    assert "the lobby is for everyone" in await says("Mo", "/kick bob -lobby no")


# ban


async def test_ban_first_shows_who_is_hit_and_then_asks(stage, says):
    shown = await says("Mo", "/ban bob 3d spam")

    assert "This bans Bob until 24 Sep 2026" in shown
    assert f"keeps out guests and new names from {ADDRESSES['Bob']}/32" in shown
    assert not stage.screens["Bob"].closed
    assert "(Bob is banned until" in await says("Mo", "yes")
    assert stage.screens["Bob"].closed
    assert "Bob is banned until" in entry(stage, "Bob")
    assert "" == entry(stage, "Cat")


async def test_ban_that_is_not_confirmed_bans_nobody_and_says_nothing_aloud(says, reads):
    await says("Mo", "/ban bob 1d He cheats.")
    reads("ann")

    assert "(nobody was banned)" == await says("Mo", "no")
    assert "" == reads("ann")


async def test_ban_is_cancelled_by_any_other_line(stage, says):
    await says("Mo", "/ban bob 3d spam")
    await says("Mo", "/who")
    await says("Mo", "yes")

    assert "" == entry(stage, "Bob")


async def banned(says, line):
    """Ban, and answer yes."""
    await says("whammy", line)
    return await says("whammy", "yes")


async def test_ban_names_friends_of_the_moderator_and_others_who_are_hit(stage, says):
    stage.screens["Cat"].address = "192.0.2.77"
    await says("whammy", "/friend add cat")
    shown = await says("whammy", "/ban 192.0.2.64/26 1d a flood")

    assert "It disconnects 1 other person here: Cat." in shown
    assert "Friends of yours: Cat." in shown


async def test_ban_of_a_network_hits_everyone_there_and_nobody_else(stage, says):
    await banned(says, "/ban 192.0.2.4/31 1d a flood")

    assert [True, True, False] == [stage.screens[name].closed for name in ("Bob", "Cat", "ann")]
    assert "nobody can log in from your address" in entry(stage, "dan", "192.0.2.5")
    assert "" == entry(stage, "dan", "192.0.2.6")
    assert "(192.0.2.4/31 is no longer banned)" == await says("whammy", "/unban 192.0.2.4/31 It was a mistake.")
    assert "" == entry(stage, "dan", "192.0.2.5")


async def test_ipv6_address_counts_as_its_64(stage, says):
    await banned(says, "/ban 2001:db8:1:2:3:4:5:6 1d a flood")

    assert "nobody can log in" in entry(stage, "dan", "2001:db8:1:2::/64")
    assert "" == entry(stage, "dan", "2001:db8:1:3::/64")


@pytest.mark.parametrize(
    ("who", "expected"),
    [
        ("0.0.0.0/0", "too wide"),
        ("::/0", "too wide"),
        ("0.0.0.0/1", "too wide"),
        ("2001::/16", "too wide"),
        ("192.0.2.1", "has your own address"),
        ("192.0.0.0/16", "has your own address"),
        ("192.0.2.300", "isn't an address"),
        ("1", "isn't an address"),
        ("nobody-here", "nobody is called"),
    ],
)
async def test_bad_bans_are_refused_in_a_sentence(says, who, expected):
    answer = await says("whammy", f"/ban {who} 1d because")

    assert expected in answer
    assert 1 == answer.count("Refused")


async def test_ban_of_a_network_with_a_sysop_is_refused(says):
    assert "has whammy, who is a sysop" in await says("Mo", f"/ban {ADDRESSES['whammy']} 1d because")


async def test_moderator_bans_for_seven_days_at_most(says):
    assert "Ask a sysop for a longer ban" in await says("Mo", "/ban bob 8d because")
    assert "at most 365d" in await says("whammy", "/ban bob 366d because")


@pytest.mark.parametrize("player", PLAYERS)
async def test_ban_ends_sessions_and_return_words_and_gives_the_seat_to_a_bot(stage, says, store, reads, player):
    who, private = player
    for name, line in at_tally(who, private):
        await says(name, line)
    key = stage.accounts.key(who)
    await store.keep("session", key, "{}")
    await banned(says, f"/ban {who.casefold()} 1d cheating")
    await stage.quiet()

    assert None is await store.find("session", key)
    assert "takes over the seat" in reads("ann")
    assert None is stage.table(1).seat_of(who)
    assert "banned" in entry(stage, who, ADDRESSES[who], guest=who in GUESTS)


async def test_banned_guests_return_word_is_deleted(stage, says, store):
    await stage.accounts.create("guest7", "a word", guest=True)
    await banned(says, "/ban guest7 1d cheating")

    assert None is await store.find("account", "guest7")
    assert "guest7" not in stage.accounts.guests


async def test_ban_survives_a_restart_and_ends_with_its_time(store, clock, says):
    await banned(says, "/ban bob 1d cheating")
    again = await Stage.open(TALLY, store=store, clock=clock)
    assert "Bob is banned" in entry(again, "Bob")
    clock.passes(seconds=86401)

    assert "" == entry(again, "Bob")


async def test_ban_can_be_ended(stage, says):
    await banned(says, "/ban bob 1d cheating")
    assert "(Bob is no longer banned)" == await says("whammy", "/unban bob We were wrong.")
    assert "" == entry(stage, "Bob")
    assert "Bob isn't banned" in await says("whammy", "/unban bob again")


async def test_new_names_are_refused_at_the_address_of_a_banned_person(stage, says):
    await banned(says, "/ban bob 1d cheating")

    assert "guests can't come in" in entry(stage, "guest1", ADDRESSES["Bob"], guest=True)
    assert "" == entry(stage, "Cat", ADDRESSES["Bob"])
    with pytest.raises(Exception, match="new names can't be chosen"):
        stage.host.gate.check_new_name(ADDRESSES["Bob"])


async def test_audit_log_names_the_author_the_person_the_reason_and_the_end(says):
    await says("Mo", "/mute bob 1h spam")
    row = (await says("whammy", "/audit")).split("\n")[0]

    assert row.endswith(": Mo muted Bob until 21 Sep 2026 15:13 UTC. spam")


# pure


@pytest.mark.parametrize(
    ("word", "expected"), [("30m", 1800), ("12h", 43200), ("7d", 604800), ("2w", 1209600), ("spam", None), ("7", None)]
)
def test_time_spans(word, expected):
    assert expected == seconds_in(word)


def test_standing_remembers_only_the_latest_actions():
    standing = Standing()
    for number in range(30):
        standing = standing.after(Action("warn", "Mo", float(number), "Bob", "Bob", f"{number}"))

    assert ["10", "29"] == [standing.actions[0].why, standing.actions[-1].why]
