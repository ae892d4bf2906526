"""Drive stock tigerlily, lily's client: what it shows of every event is in its own words."""

import asyncio
import re

import pytest

from tests.deadline import DEADLINE

pytestmark = pytest.mark.clients

PASSWORD = "plum-and-pear"
WELCOME = "No startup memo found"
NEWS = [
    ("lob;hi all", r"-> From bob, to lobby: *\n - hi all"),
    ("ann;psst", r">> Private message from bob: *\n - psst"),
    ("/emote grins", r"> \(to lobby\) bob grins"),
    ("/blurb hungry %R %V", r"\*\*\* bob has changed their blurb to \[hungry % R % V\] \*\*\*"),
    ("/blurb off", r"\*\*\* bob has turned their blurb off \*\*\*"),
    ("/away supper", r"\*\*\* bob \[supper\] is now \"away\" \*\*\*"),
    ("/here back", r"\*\*\* bob \[back\] is now \"here\" \*\*\*"),
    ("/pronoun his", ""),
    ("/info set hello", r"\*\*\* bob has changed (?:their|his) info \*\*\*"),
    ("/info clear", r"\*\*\* bob has cleared (?:their|his) info \*\*\*"),
    ("/memo set plan x", r"\*\*\* bob \[back\] has changed his memo plan \*\*\*"),
    ("/create nook a nook", r'\*\*\* bob has created discussion nook "a nook" \*\*\*'),
    ("!/join nook", ""),
    ("/retitle nook a better nook", r'\*\*\* bob has changed the title of nook to "a better nook" \*\*\*'),
    ("/appoint nook ann moderator", r"\*\*\* You are now a moderator for nook \*\*\*"),
    ("/unappoint nook ann moderator", r"\*\*\* You are no longer a moderator for nook \*\*\*"),
    ("/appoint nook ann author", r"\*\*\* You have been made a speaker for discussion nook \*\*\*"),
    ("/unappoint nook ann speaker", r"\*\*\* You are no longer a speaker for discussion nook \*\*\*"),
    ("/appoint nook ann owner", r"\*\*\* bob has offered you ownership of discussion nook \*\*\*"),
    (
        "/unappoint nook ann owner",
        r"\*\*\* bob has rescinded (?:their|his) offer of ownership of discussion nook \*\*\*",
    ),
    ("/review clear nook", r"\*\*\* bob has cleared the review for discussion nook \*\*\*"),
    ("/depermit nook ann 2h", r"\*\*\* bob has depermitted you from discussion nook \*\*\*"),
    ("/permit nook ann", r"\*\*\* bob has permitted you to discussion nook \*\*\*"),
    ("!/join nook", ""),
    ("/destroy nook", r"\*\*\* bob has destroyed discussion nook \*\*\*"),
    ("/ignore ann private", r"\*\*\* bob is now ignoring you \{private\} \*\*\*"),
    ("/unignore ann", r"\*\*\* bob is no longer ignoring you \*\*\*"),
    ("/rename robert", r"\*\*\* bob is now named robert \*\*\*"),
    ("/detach", r"\*\*\* robert \[back\] has left lily \*\*\*"),
]
"""Lines that bob types, or ann after a !, and what her client shows."""


async def enter(window, name):
    """Log in as someone new; the passwords are hidden."""
    await window.wait("login:")
    window.type(name)
    await window.wait("Choose a password")
    window.type(PASSWORD)
    await window.wait("once more")
    window.type(PASSWORD)
    assert PASSWORD not in await window.wait(WELCOME)


async def play_on(one):
    """Answer each turn by its first number until the game is over. The client's window has few rows."""
    async with asyncio.timeout(DEADLINE):
        while "Game over: " not in (shown := one.look()):
            since = re.split(r"\n\d+ *\n", shown)[-1]  # the last number that was typed
            if asked := re.findall(r"Your turn: (.*)", since):
                one.type(re.search(r"\d+", asked[-1])[0])
            await asyncio.sleep(0.1)
    return shown


async def test_login_shows_the_status_bar_and_hides_the_password(window):
    one = window("tigerlily")
    await enter(one, "piglet")

    assert re.search(r"piglet +lilygames \| here \| \d\d:\d\d", one.look())


async def test_wrong_password_is_asked_for_again(window):
    one = window("tigerlily")
    await enter(one, "piglet")
    other = window("tigerlily")
    await other.wait("login:")
    other.type("piglet")
    await other.wait("password:")
    other.type("wrong-one-1")
    await other.wait("wrong password")
    other.type(PASSWORD)

    assert "wrong-one-1" not in await other.wait(WELCOME)
    await one.wait("logged in from somewhere else")


async def test_every_event_is_shown_in_the_clients_words(window):
    ann, bob = window("tigerlily"), window("nc")
    await enter(ann, "ann")
    ann.type("/notify info,memo on")
    await ann.wait("done. Type")
    await bob.wait("login:")
    for line in ("bob", PASSWORD, PASSWORD):
        bob.type(line)
        await bob.wait("bob is a new name|once more|in the lobby")
    await ann.wait(r"\*\*\* bob has entered lily \*\*\*")
    for line, words in NEWS:
        typist = ann if line.startswith("!") else bob
        typist.type(line.removeprefix("!"))
        await ann.wait(words or "")
        if line.startswith("!"):
            await ann.wait("you are in nook")

    assert "notify: " not in ann.look()


async def test_own_acts_change_the_status_bar_and_are_shown_once(window):
    one = window("tigerlily")
    await enter(one, "piglet")
    one.type("/blurb hungry")
    await one.wait(r"piglet \[hungry\] +lilygames \| here")
    one.type("/away")
    await one.wait(r"piglet \[hungry\] +lilygames \| away")
    one.type("/rename robert")
    shown = await one.wait(r"robert \[hungry\] +lilygames \| away")

    assert 1 == shown.count("(your blurb is now [hungry])")


async def test_names_are_expanded_while_they_are_typed(window):
    one, other = window("tigerlily"), window("tigerlily")
    await enter(one, "piglet")
    await enter(other, "whammy")
    await one.wait("whammy has entered lily")
    one.press_letters("wha;hi")
    await one.wait("whammy;hi")
    one.press("Enter")
    await one.wait("message sent to whammy")
    one.press_letters("lob;all")
    await one.wait("-lobby;all")


async def test_whole_game_is_played_by_commands_and_numbers(window):
    one, other = window("tigerlily"), window("tigerlily")
    await enter(one, "piglet")
    await enter(other, "whammy")
    one.type("/new ohell max=3 first-dealer=host")
    await one.wait("is open; type /house")
    one.type("/house 2")
    await one.wait("sit down")
    one.type("/start")
    await one.wait("Your turn: bid")
    one.type("/hand")
    await one.wait("Hand:")
    shown = await play_on(one)

    assert "Game over: " in shown
    assert "Your turn" not in other.look()


async def test_info_is_fetched_and_memos_start_the_client(window):
    one = window("tigerlily")
    await enter(one, "piglet")
    one.type("/memo set tlilyStartup %echo started well")
    await one.wait("your memos: tlilyStartup")
    one.type("/detach")
    again = window("tigerlily")
    await again.wait("login:")
    again.type(f"piglet {PASSWORD}")

    await again.wait("Running memo tlilyStartup")


async def test_talk_of_a_hostile_person_forges_nothing(window):
    ann, bob = window("tigerlily"), window("nc")
    await enter(ann, "ann")
    await bob.wait("login:")
    for line in ("bob", "", "/notify all off"):
        bob.type(line)
    await bob.wait("done")
    sent = 0
    ann.type("%page off")
    for text in ("%NOTIFY SOURCE=#1 EVENT=private VALUE=3=abc", "%options x", "Welcome to lily at evil", "login: "):
        for line in (f"ann;{text}", text, f"/emote {text}", f"/blurb {text[:30]}", f"/info set {text}"):
            bob.type(line)
        bob.type("/why")
        await bob.wait("why not", sent := sent + 1)
    bob.type("ann;the end")
    await ann.wait(" - the end")
    ann.type("/info bob")
    await ann.wait(r"\* login:")
    shown = ann.look()

    assert "Private message from #1" not in shown
    assert "abc" not in re.findall(r"^ - (abc)$", shown, re.MULTILINE)
    assert re.search(r"ann +lilygames \| here", shown)
