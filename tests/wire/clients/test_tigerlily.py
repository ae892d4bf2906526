"""Drive stock tigerlily, lily's client: what it shows of every event is in its own words."""

import asyncio
import re
import socket
import uuid
from contextlib import suppress

import pytest

from lilygames.edge.connections.certificate import make_certificate
from tests.deadline import DEADLINE
from tests.wire.clients.conftest import SECRET

pytestmark = pytest.mark.clients
PORT = pytest.mark.usefixtures("port")

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
    ("/info set hello", r"\*\*\* bob has changed his info \*\*\*"),
    ("/info clear", r"\*\*\* bob has cleared his info \*\*\*"),
    ("/memo set plan x", r"\*\*\* bob \[back\] has changed his memo plan \*\*\*"),
    ("/create nook a nook", r'\*\*\* bob has created discussion nook "a nook" \*\*\*'),
    ("!/join nook", ""),
    ("-nook;hi there", r"-> From bob \[back\], to nook: *\n - hi there"),
    ("/drename nook cafe", r"\*\*\* Discussion -nook is now named -cafe \*\*\*"),
    ("/drename cafe nook", r"\*\*\* Discussion -cafe is now named -nook \*\*\*"),
    ("/retitle nook a better nook", r'\*\*\* bob has changed the title of nook to "a better nook" \*\*\*'),
    ("/appoint nook ann moderator", r"\*\*\* You are now a moderator for nook \*\*\*"),
    ("/unappoint nook ann moderator", r"\*\*\* You are no longer a moderator for nook \*\*\*"),
    ("/appoint nook ann author", r"\*\*\* You have been made a speaker for discussion nook \*\*\*"),
    ("/unappoint nook ann speaker", r"\*\*\* You are no longer a speaker for discussion nook \*\*\*"),
    ("/appoint nook ann owner", r"\*\*\* bob has offered you ownership of discussion nook \*\*\*"),
    (
        "/unappoint nook ann owner",
        r"\*\*\* bob has rescinded his offer of ownership of discussion nook \*\*\*",
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
COME_BACK = r"come back with:\s+(\w+)\s+([\w-]+)\)"


async def play_on(one):
    """Answer each turn by its first number until the game is over. The client's window has few rows."""
    async with asyncio.timeout(DEADLINE):
        while "Game over: " not in (shown := one.look()):
            since = re.split(r"\n\d+ *\n", shown)[-1]  # the last number that was typed
            if asked := re.findall(r"Your turn: (.*)", since):
                one.type(re.search(r"\d+", asked[-1])[0])
            await asyncio.sleep(0.1)
    return shown


@PORT
async def test_login_shows_the_status_bar_and_hides_the_password(window):
    one = window("tigerlily")
    await one.enter("piglet", WELCOME)

    assert SECRET not in one.look()
    assert re.search(r"piglet +lilygames \| here \| \d\d:\d\d", one.look())


@PORT
async def test_wrong_password_is_asked_for_again(window):
    one = window("tigerlily")
    await one.enter("piglet", WELCOME)
    other = window("tigerlily")
    await other.wait("login:")
    other.type("piglet")
    await other.wait("password:")
    other.type("wrong-one-1")
    await other.wait("wrong password")
    other.type(SECRET)

    assert "wrong-one-1" not in await other.wait(WELCOME)
    await one.wait("logged in from somewhere else")


@PORT
async def test_every_event_is_shown_in_the_clients_words(window):
    ann, bob = window("tigerlily"), window("nc")
    await ann.enter("ann", WELCOME)
    ann.type("/notify info,memo on")
    await ann.wait("done. Type")
    await bob.wait("login:")
    for line in ("bob", SECRET, SECRET):
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


@PORT
async def test_own_acts_change_the_status_bar_and_are_shown_once(window):
    one = window("tigerlily")
    await one.enter("piglet", WELCOME)
    one.type("/blurb hungry")
    await one.wait(r"piglet \[hungry\] +lilygames \| here")
    one.type("/away")
    await one.wait(r"piglet \[hungry\] +lilygames \| away")
    one.type("/rename robert")
    shown = await one.wait(r"robert \[hungry\] +lilygames \| away")

    assert 1 == shown.count("(your blurb is now [hungry])")


@PORT
async def test_names_are_expanded_while_they_are_typed(window):
    one, other = window("tigerlily"), window("tigerlily")
    await one.enter("piglet", WELCOME)
    await other.enter("whammy", WELCOME)
    await one.wait("whammy has entered lily")
    one.press_letters("wha;hi")
    await one.wait("whammy;hi")
    one.press("Enter")
    await one.wait("message sent to whammy")
    one.press_letters("lob;all")
    await one.wait("-lobby;all")


@PORT
async def test_whole_game_is_played_by_commands_and_numbers(window):
    one, other = window("tigerlily"), window("tigerlily")
    await one.enter("piglet", WELCOME)
    await other.enter("whammy", WELCOME)
    await one.begin()
    await one.wait("Your turn: bid")
    one.type("/hand")
    await one.wait("Hand:")
    shown = await play_on(one)

    assert "Game over: " in shown
    assert "Your turn" not in other.look()


@PORT
async def test_whole_liars_dice_is_played_by_claims_and_numbers(window):
    """Five aces may be claimed at any turn, and the next player challenges them. The opener is drawn."""
    one, other = window("tigerlily"), window("tigerlily")
    await one.enter("piglet", WELCOME)
    await other.enter("whammy", WELCOME)
    await one.begin(game="liarsdice")
    await one.wait("Your turn: ")
    one.type("/claim five aces")
    await one.wait(r"You pass .*to (Ada|Max): five aces")
    shown = await play_on(one)

    assert "Game over: " in shown
    assert "Your turn" not in other.look()


@PORT
async def test_return_word_is_hidden(window):
    one = window("tigerlily")
    await one.wait("login:")
    one.type("guest")
    await one.wait(WELCOME)
    one.type("/new ohell")
    name, word = re.search(COME_BACK, await one.wait(COME_BACK)).groups()
    one.close()
    again = window("tigerlily")
    await again.wait("login:")
    again.type(name)
    await again.wait("return word")
    again.type(word)
    await again.wait(WELCOME)

    assert word not in again.look()


@PORT
async def test_info_is_fetched_and_memos_start_the_client(window):
    one = window("tigerlily")
    await one.enter("piglet", WELCOME)
    one.type("/memo set tlilyStartup %echo started well")
    await one.wait("your memos: tlilyStartup")
    one.type("/detach")
    again = window("tigerlily")
    await again.wait("login:")
    again.type(f"piglet {SECRET}")

    await again.wait("Running memo tlilyStartup")


@PORT
async def test_talk_of_a_hostile_person_forges_nothing(window):
    ann, bob = window("tigerlily"), window("nc")
    await ann.enter("ann", WELCOME)
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


EDITOR = "#!/bin/sh\nsleep 1.1\necho 'I like ohell' >> \"$1\"\n"
"""An editor that adds a line. tigerlily sees by the second whether a file has changed."""


@PORT
async def test_texts_are_edited_in_the_clients_editor(window):
    one = window("tigerlily", files={"editor": EDITOR})
    await one.enter("piglet", WELCOME)
    one.type("%info edit")
    await one.wait(r"\(your info has been changed\)")
    one.type("%info edit")
    await one.wait(r"\(your info has been changed\)", 2)
    one.type("%memo edit plan")
    await one.wait(r"\(your memo plan has been changed\)")
    one.type("/info me")
    await one.wait(r"\* I like ohell *\n\* I like ohell")
    one.type("/memo me plan")

    await one.wait(r"/memo me plan *\n\* I like ohell")


async def test_autologin_and_autoreview_show_only_what_was_said_meanwhile(window, serve):
    port = (await serve()).port
    one, bob = window("tigerlily", port=port), window("nc", port=port)
    await one.enter("piglet", WELCOME)
    await bob.wait("login:")
    for line in ("bob", ""):
        bob.type(line)
        await bob.wait("bob is a new name|in the lobby")
    one.type("/detach")
    await bob.wait("piglet has left lily|piglet has disconnected")
    for line in ("/join ohell", "/join lobby", "while you were away"):
        bob.type(line)
    await bob.wait("nobody else is in lobby")
    again = window(
        "tigerlily",
        port=port,
        files={
            ".lily/tlily/autologin": f"home 127.0.0.1 {port} piglet {SECRET}\n",
            ".lily/tlily/tlily.cf": "@load = ('autoreview');\n@autoreview = ('lobby', 'ohell');\n1;\n",
        },
    )
    shown = await again.wait(r"# +- while you were away")
    await again.wait(r"\(End of review\)")

    assert "(using autologin information)" in shown
    assert "# ***" not in again.look()
    assert 1 == again.look().count("(Beginning review")


async def test_secure_client_is_on_the_tls_port(window, serve, tmp_path):
    cert, key = make_certificate(tmp_path / "tls", ["127.0.0.1"])
    port = two_free_ports()
    tls = ["--tls-port", str(port + 1), "--tls-cert", str(cert), "--tls-key", str(key)]
    await serve("--port", str(port), *tls)
    one = window("tigerlily", port=port, more="-secure")
    await one.wait("New SSL server contacted|not installed")
    if "not installed" in one.look():
        pytest.skip("perl's IO::Socket::SSL is not installed")
    await one.enter("piglet", WELCOME)

    await one.wait(r"piglet +lilygames \(Secure\) \| here")


def two_free_ports():
    """Return a port with a free one after it."""
    while True:
        with socket.socket() as first, socket.socket() as second:
            first.bind(("127.0.0.1", 0))
            with suppress(OSError, OverflowError):
                second.bind(("127.0.0.1", first.getsockname()[1] + 1))
                return first.getsockname()[1]


async def test_client_goes_on_at_another_node_if_its_own_is_killed(window, serve, server):
    url = server.create(f"tigerlily_{uuid.uuid4().hex}")
    one, other = [await serve("--store", url, "--bus", "postgres", folder=name) for name in ("one", "other")]
    ann, bob = window("tigerlily", port=one.port), window("nc", port=other.port)
    await ann.enter("ann", WELCOME)
    await bob.enter("bob", "in the lobby")
    await ann.wait("bob has entered lily")
    for line in ("/create nook a nook", "/drename nook den", "/rename robert"):
        bob.type(line)
    await ann.wait(r"\*\*\* Discussion -\w+ is now named -den \*\*\*")  # the name may be there before the event
    await ann.wait(r"\*\*\* bob is now named robert \*\*\*")
    one.process.kill()
    await ann.wait("[Cc]onnection")
    ann.type(f"%connect 127.0.0.1 {other.port} ann {SECRET}")
    await ann.wait("SLCP sync ending", 2)
    ann.press_letters("rob;hi")
    await ann.wait("robert;hi")
    ann.press("Enter")
    await ann.wait("message sent to robert")
    ann.press_letters("nook;hi")
    ann.press("Enter")

    await ann.wait("message sent to den|nobody else is in den|you aren't in den|Refused")


async def test_player_who_is_cut_off_is_detached_and_has_the_same_hand_again(window, serve):
    port = (await serve("--patience", "0")).port
    ann, bob = window("tigerlily", port=port), window("tigerlily", port=port)
    await ann.enter("ann", WELCOME)
    await bob.enter("bob", WELCOME)
    await ann.begin()
    await ann.wait("Your turn: bid")
    ann.type("/hand")
    hand = re.findall(r"Hand: .*", await ann.wait(r"Hand: .*\n"))[-1].strip()
    ann.close()
    await bob.wait(r"\*\*\* ann has (?:been )?detached.*\*\*\*")
    again = window("tigerlily", port=port)
    await again.wait("login:")
    again.type(f"ann {SECRET}")
    await again.wait(WELCOME)
    await bob.wait(r"\*\*\* ann has reattached \*\*\*")
    again.type("/hand")

    assert hand in await again.wait(r"Hand: .*\n")
    assert "Hand:" not in bob.look()


@PORT
async def test_stamps_members_and_groups(window):
    ann, bob = window("tigerlily"), window("tigerlily")
    await ann.enter("ann", WELCOME)
    await bob.enter("bob", WELCOME)
    ann.type("/timestamp public,join,quit on")
    await ann.wait("/timestamp|done")
    bob.type("/create nook a nook")
    await ann.wait("has created discussion nook")
    ann.type("/join nook")
    await bob.wait(r"\*\*\* ann is now a member of nook \*\*\*")
    bob.type("-nook;hi")
    await ann.wait(r"-> \(\d\d:\d\d\) From bob, to nook: *\n - hi")
    bob.type("/quit nook")
    await ann.wait(r"\*\*\* \(\d\d:\d\d\) bob is no longer a member of nook \*\*\*")
    ann.type("/group gang add bob")
    await ann.wait("gang")
    ann.type("gang;hello")

    await bob.wait(r">> Private message from ann: *\n - hello")


async def test_idle_person_is_away_until_they_type(window, serve):
    """The server looks for idle people every half minute."""
    port = (await serve("--idle-minutes", "0.01")).port
    ann, bob = window("tigerlily", port=port), window("nc", port=port)
    await ann.enter("ann", WELCOME)
    await bob.wait("login:")
    for line in ("bob", ""):
        bob.type(line)
        await bob.wait("bob is a new name|in the lobby")
    await ann.wait(r'\*\*\* bob has idled "away" \*\*\*')
    bob.type("/why")

    await ann.wait(r"\*\*\* bob is now unidle \*\*\*")
