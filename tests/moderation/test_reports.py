"""A report is kept with evidence that the reporter could see, and followed to its end. Appeals go to someone else."""

import re

import pytest

from lilygames.moderation.desk import SHELL


async def sent(says, line="/report bob He insults me.", who="ann"):
    """Send a report, and return its number."""
    assert "The staff will look at it" in await says(who, line)
    return re.search(r"([0-9a-f]{6}), ", await says("whammy", "/reports"))[1]


async def test_report_shows_the_lines_between_the_two_with_their_times(says):
    await says("Bob", "you fool")
    await says("ann", "bob;please stop")
    await says("Bob", "ann;no, fool")
    await says("Cat", "hello all")
    shown = await says("Mo", f"/reports {await sent(says)}")

    assert [True] * 3 == [line in shown for line in ("Bob to lobby: you fool", "please stop", "Bob to ann: no, fool")]
    assert "hello all" not in shown
    assert re.search(r"\w+ \d+ \w+ \d\d:\d\d, Bob to lobby", shown)


async def test_report_has_nothing_that_the_reporter_could_not_see(says):
    await says("Bob", "cat;a secret of ours")
    await says("Bob", '/create den "mine"')
    await says("Cat", "/join den")
    await says("Bob", "-den;only for members")
    shown = await says("Mo", f"/reports {await sent(says)}")

    assert ("a secret" not in shown, "only for members" not in shown) == (True, True)


async def test_evidence_has_at_most_20_lines(says):
    for number in range(25):
        await says("Bob", f"line {number} of bob")
    shown = await says("Mo", f"/reports {await sent(says)}")

    assert [str(number) for number in range(5, 25)] == re.findall(r"line (\d+) of bob", shown)


async def test_kibitz_and_whispers_are_evidence_for_those_who_heard_them(says):
    """The spectators are ann and bob. A player neither hears a whisper nor finds it in a review."""
    await says("Cat", "/new tally max=3")
    await says("Cat", "/house")
    await says("Cat", "/start")
    for name in ("ann", "Bob"):
        await says(name, "/watch tally")
    await says("Bob", "/kibitz you all play like fools")
    await says("Bob", "/whisper cat is a fool")
    reviews = [await says(who, f"/review {what} last 1h") for who, what in (("Cat", "tally"), ("Cat", "me"))]
    shown = await says("Mo", f"/reports {(first := await sent(says))}")
    await sent(says, who="Cat")
    numbers = re.findall(r"([0-9a-f]{6}), ", await says("whammy", "/reports"))
    (second,) = {number for number in numbers if number != first}
    seen_by_player = await says("Mo", f"/reports {second}")

    assert ["Bob to tally: you all play like fools" in shown, "Bob to ann: cat is a fool" in shown] == [True, True]
    assert "play like fools" in seen_by_player
    assert "is a fool" not in " ".join([*reviews, seen_by_player])


async def test_staff_are_told_of_a_report_at_once_and_at_login(stage, says, reads):
    await sent(says)

    assert "ann has reported Bob: type /reports" in reads("Mo")
    assert "" == reads("Cat")
    assert "" == reads("Bob")
    await stage.come("Mo")
    assert "(1 report waits; type /reports)" in reads("Mo")


@pytest.mark.parametrize(("decision", "expected"), [("acted", "we acted"), ("nothing", "we didn't act")])
async def test_reporter_hears_whether_something_was_done(says, reads, decision, expected):
    number = await sent(says)
    reads("ann")
    assert "is closed, and ann will hear of it" in await says("Mo", f"/reports {number} {decision} He was warned.")

    read = reads("ann")
    assert (True, False) == (expected in read, "warned" in read)
    assert "(no reports are waiting)" == await says("Mo", "/reports")
    assert "has decided on that report already" in await says("Mo", f"/reports {number} acted Again.")


async def test_reporter_who_is_away_hears_it_at_the_next_login(stage, says, clock, reads):
    number = await sent(says)
    stage.drop("ann")
    clock.passes(seconds=10)
    await says("Mo", f"/reports {number} acted He was warned.")
    clock.passes(seconds=10)
    await stage.come("ann")

    assert "we acted" in reads("ann")


async def test_taken_report_shows_who_looks_after_it(says):
    number = await sent(says)
    await says("Mo", f"/reports {number} take")

    assert "Mo looks after it" in await says("whammy", "/reports")


async def test_nobody_decides_on_a_report_about_themselves(says):
    number = await sent(says, "/report mo He muted me for nothing.")

    assert "you can't decide on a report by you or about you" in await says("Mo", f"/reports {number} nothing Wrong.")
    assert "is closed" in await says("whammy", f"/reports {number} nothing It was right.")


async def test_people_do_not_learn_who_reported_them(says):
    number = await sent(says)
    await says("Mo", "/warn bob Be kind.")
    await says("Mo", f"/reports {number} acted Warned.")

    assert "ann" not in await says("Bob", "/audit")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("/report ann me", "you can't report yourself"),
        ("/report nobody-here he is rude", "nobody is called"),
        ("/report bob", "Usage: "),
        (f"/report bob {'x' * 501}", "the limit is 500"),
        ("/reports", "only moderators and sysops"),
    ],
)
async def test_bad_reports_are_refused_in_a_sentence(says, line, expected):
    assert expected in await says("ann", line)


async def test_reports_are_limited(says):
    answers = [await says("ann", "/report bob again") for _ in range(6)]

    assert "you can send 5 reports an hour" in answers[-1]


# appeals


async def test_appeal_goes_to_someone_else(says):
    await says("Mo", "/mute bob 1d spam")
    await says("Bob", "/appeal It wasn't me.")
    number = re.search(r"([0-9a-f]{6}), ", await says("Mo", "/reports"))[1]

    assert "Someone else has to look at it" in await says("Mo", f"/reports {number} nothing No.")
    assert "It wasn't me. [mute by Mo: spam]" in await says("whammy", f"/reports {number}")
    assert "is closed" in await says("whammy", f"/reports {number} acted I ended it.")


async def test_lone_sysop_sleeps_on_an_appeal(stage, says, clock):
    await stage.desk.appoint(SHELL, "Mo", "")
    await says("whammy", "/mute bob 7d spam")
    await says("Bob", "/appeal It wasn't me.")
    number = re.search(r"([0-9a-f]{6}), ", await says("whammy", "/reports"))[1]
    assert "Nobody else can look at it, so wait" in await says("whammy", f"/reports {number} nothing No.")
    clock.passes(seconds=86401)

    assert "is closed" in await says("whammy", f"/reports {number} nothing No.")


async def test_appeal_needs_something_to_appeal_against_and_is_sent_once(says):
    assert "there's no decision left to appeal against" in await says("Bob", "/appeal Please.")
    await says("Mo", "/warn bob spam")
    assert "Your appeal was sent" in await says("Bob", "/appeal Please.")
    assert "there's no decision left to appeal against" in await says("Bob", "/appeal Please.")
