"""Warn, mute, kick and ban: who may do it, what follows, and who can read it later."""

import pytest

from lilygames.chat.gate import Banned
from lilygames.gametest.stage import Stage
from lilygames.moderation.actions import Action, Standing, seconds_in
from tests.moderation.conftest import ADDRESSES
from tests.toys import TALLY


def entry(stage, name, address="198.51.100.9", *, guest=False):
    """Why someone may not log in, or ""."""
    try:
        stage.place.host.gate.check_entry(name, address, guest=guest)
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
    assert "you can't do that to yourself" in await says("mo", f"/{verb} mo because")
    assert "whammy is a sysop" in await says("mo", f"/{verb} whammy because")
    assert "you can't do that to yourself" in await says("whammy", f"/{verb} whammy because")


@pytest.mark.parametrize("verb", ["warn", "mute", "kick", "ban"])
async def test_sanction_needs_a_full_name_and_a_reason(says, verb):
    assert "nobody is called “bo”" in await says("mo", f"/{verb} bo because")
    assert "Usage: " in await says("mo", f"/{verb} bob")


@pytest.mark.parametrize("line", ["/mute bob 1h", "/ban bob 1h"])
async def test_time_without_a_reason_is_refused(says, line):
    assert "add the reason" in await says("mo", line)


# warn


async def test_warning_is_read_at_once_and_in_the_audit(says, reads):
    assert "(bob is warned)" == await says("mo", "/warn bob Don't spam.")
    assert "*** mo warned you ***\n - Don't spam." in reads("bob")
    assert "mo warned you. Don't spam." in await says("bob", "/audit")
    assert "mo warned bob. Don't spam." in await says("whammy", "/audit")
    assert "haven't decided anything about you" in await says("ann", "/audit")


async def test_warning_is_read_at_the_next_login(stage, says, clock):
    stage.drop("bob")
    clock.passes(seconds=10)
    await says("mo", "/warn bob Don't spam.")
    clock.passes(seconds=10)
    await stage.come("bob")

    assert "*** mo warned you ***\n - Don't spam." in "\n".join(stage.screens["bob"].take())


async def test_people_cannot_read_what_was_decided_about_others(says):
    await says("mo", "/warn bob Don't spam.")

    assert "spam" not in await says("ann", "/audit bob")


# mute


async def test_muted_person_can_speak_again_when_the_time_is_up(says, reads, clock):
    await says("mo", "/mute bob 1h spam")
    assert "you're muted until" in await says("bob", "hello")
    assert "hello" not in reads("ann")
    clock.passes(seconds=3601)
    await says("bob", "hello again")

    assert "hello again" in reads("ann")


async def test_mute_ends_at_a_time_of_the_clock_even_if_the_clock_jumps(says, clock):
    await says("mo", "/mute bob 1d spam")
    clock.passes(seconds=-7200)
    assert "you're muted until" in await says("bob", "hello")
    clock.passes(seconds=7200 + 86401)

    assert "muted" not in await says("bob", "hello")


async def test_mute_can_be_ended(says, reads):
    await says("mo", "/mute bob 1h spam")
    assert "(bob is no longer muted)" == await says("whammy", "/unmute bob He is sorry.")
    await says("bob", "thanks")
    assert "thanks" in reads("ann")
    assert "bob isn't muted" in await says("mo", "/unmute bob again")


async def test_muted_persons_blurb_is_turned_off(stage, says):
    await says("bob", "/blurb buy my coins")
    await says("mo", "/mute bob 1h spam")

    assert "buy my coins" not in await says("ann", "/who")


async def test_guests_at_the_address_of_a_muted_person_are_muted_too(stage, says):
    await says("mo", "/mute bob 1h spam")
    stage.people["cat"].set_guest(guest=True)
    assert "muted" not in await says("cat", "hello")
    stage.screens["cat"].address = ADDRESSES["bob"]

    assert "you're muted until" in await says("cat", "hello")


async def test_mute_survives_a_restart(store, clock, says):
    await says("mo", "/mute bob 1h spam")
    again = await Stage.open(TALLY, store=store, clock=clock)
    again.enter("bob")

    assert "you're muted until" in "\n".join(await again.type("bob", "hello"))


# kick


async def test_kick_disconnects_and_a_bot_takes_the_seat(stage, says, reads):
    for name, line in (("ann", "/new tally max=3"), ("bob", "/sit tally"), ("ann", "/start")):
        await says(name, line)
    await says("mo", "/kick bob Calm down.")
    await stage.quiet()
    read = reads("bob")

    assert "*** mo put you out ***\n - Calm down." in read
    assert stage.screens["bob"].closed
    assert "plays for bob until bob is back" in reads("ann")
    assert "" == entry(stage, "bob")


async def test_kick_out_of_a_room(stage, says):
    await says("ann", '/create cafe "tea"')
    await says("bob", "/join cafe")
    assert "only its owner, its moderators and the staff" in await says("cat", "/kick bob -cafe no")
    assert "(bob is out of cafe)" in await says("ann", "/kick bob -cafe shouting")
    assert "bob" not in stage.place.host.rooms["cafe"].people
    assert not stage.screens["bob"].closed
    assert "ann kicked you (cafe). shouting" in await says("bob", "/audit")


async def test_nobody_is_kicked_out_of_the_lobby_alone(says):
    assert "the lobby is for everyone" in await says("mo", "/kick bob -lobby no")


# ban


async def test_ban_first_shows_who_is_hit_and_then_asks(stage, says):
    shown = await says("mo", "/ban bob 3d spam")

    assert "This bans bob until 24 Sep 2026" in shown
    assert f"keeps out guests and new names from {ADDRESSES['bob']}/32" in shown
    assert not stage.screens["bob"].closed
    assert "(bob is banned until" in await says("mo", "yes")
    assert stage.screens["bob"].closed
    assert "bob is banned until" in entry(stage, "bob")
    assert "" == entry(stage, "cat")


async def test_ban_that_is_not_confirmed_bans_nobody_and_says_nothing_aloud(says, reads):
    await says("mo", "/ban bob 1d He cheats.")
    reads("ann")

    assert "(nobody was banned)" == await says("mo", "no")
    assert "" == reads("ann")


async def test_ban_is_cancelled_by_any_other_line(stage, says):
    await says("mo", "/ban bob 3d spam")
    await says("mo", "/who")
    await says("mo", "yes")

    assert "" == entry(stage, "bob")


async def banned(says, line):
    """Ban, and answer yes."""
    await says("whammy", line)
    return await says("whammy", "yes")


async def test_ban_names_friends_of_the_moderator_and_others_who_are_hit(stage, says):
    stage.screens["cat"].address = "192.0.2.77"
    await says("whammy", "/friend add cat")
    shown = await says("whammy", "/ban 192.0.2.64/26 1d a flood")

    assert "It disconnects 1 other person here: cat." in shown
    assert "Friends of yours: cat." in shown


async def test_ban_of_a_network_hits_everyone_there_and_nobody_else(stage, says):
    await banned(says, "/ban 192.0.2.4/31 1d a flood")

    assert [True, True, False] == [stage.screens[name].closed for name in ("bob", "cat", "ann")]
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
    assert "has whammy, who is a sysop" in await says("mo", f"/ban {ADDRESSES['whammy']} 1d because")


async def test_moderator_bans_for_seven_days_at_most(says):
    assert "Ask a sysop for a longer ban" in await says("mo", "/ban bob 8d because")
    assert "at most 365d" in await says("whammy", "/ban bob 366d because")


async def test_ban_ends_sessions_and_return_words_and_gives_the_seat_to_a_bot(stage, says, store, reads):
    for name, line in (("ann", "/new tally max=3"), ("bob", "/sit tally"), ("ann", "/start")):
        await says(name, line)
    await store.keep("session", "bob", "{}")
    await banned(says, "/ban bob 1d cheating")
    await stage.quiet()

    assert None is await store.find("session", "bob")
    assert "takes over the seat" in reads("ann")
    assert None is stage.table(1).seat_of("bob")


async def test_banned_guests_return_word_is_deleted(stage, says, store):
    await stage.place.host.accounts.create("guest7", "a word", guest=True)
    await banned(says, "/ban guest7 1d cheating")

    assert None is await store.find("account", "guest7")
    assert "guest7" not in stage.place.host.accounts.guests


async def test_ban_survives_a_restart_and_ends_with_its_time(store, clock, says):
    await banned(says, "/ban bob 1d cheating")
    again = await Stage.open(TALLY, store=store, clock=clock)
    assert "bob is banned" in entry(again, "bob")
    clock.passes(seconds=86401)

    assert "" == entry(again, "bob")


async def test_ban_can_be_ended(stage, says):
    await banned(says, "/ban bob 1d cheating")
    assert "(bob is no longer banned)" == await says("whammy", "/unban bob We were wrong.")
    assert "" == entry(stage, "bob")
    assert "bob isn't banned" in await says("whammy", "/unban bob again")


async def test_new_names_are_refused_at_the_address_of_a_banned_person(stage, says):
    await banned(says, "/ban bob 1d cheating")

    assert "guests can't come in" in entry(stage, "guest1", ADDRESSES["bob"], guest=True)
    assert "" == entry(stage, "cat", ADDRESSES["bob"])
    with pytest.raises(Exception, match="new names can't be chosen"):
        stage.place.host.gate.check_new_name(ADDRESSES["bob"])


async def test_audit_log_names_the_author_the_person_the_reason_and_the_end(says):
    await says("mo", "/mute bob 1h spam")
    row = (await says("whammy", "/audit")).split("\n")[0]

    assert row.endswith(": mo muted bob until 21 Sep 2026 15:13 UTC. spam")


# pure


@pytest.mark.parametrize(
    ("word", "expected"), [("30m", 1800), ("12h", 43200), ("7d", 604800), ("2w", 1209600), ("spam", None), ("7", None)]
)
def test_time_spans(word, expected):
    assert expected == seconds_in(word)


def test_standing_remembers_only_the_latest_actions():
    standing = Standing()
    for number in range(30):
        standing = standing.after(Action("warn", "mo", float(number), "bob", "bob", f"{number}"))

    assert ["10", "29"] == [standing.actions[0].why, standing.actions[-1].why]
