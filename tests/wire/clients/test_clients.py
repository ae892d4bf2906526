"""Test real clients in a whole game: what each shows and hides, and that talk never tears what is typed."""

import re

import pytest

from tests.wire.clients.conftest import SECRET

pytestmark = [pytest.mark.clients, pytest.mark.usefixtures("port")]

EACH = pytest.mark.parametrize("client", ["telnet", "tt++", "tf", "nc", "plink"])
RESIZED = pytest.mark.parametrize("client", ["telnet", "tt++", "tf", "plink"])
EDITED = pytest.mark.parametrize("client", ["telnet", "plink"])
IN_THE_LOBBY = "You're in the lobby"
RUBBISH = re.compile(r"\ufffd|\x1b|\^\[|\[\??[0-9;]*[JKHhlmC](?![^][\s]{0,6}])")
"""Characters that no charset has, and escape sequences that weren't understood."""


async def play_on(window, how="{}", moves=None):
    """Answer turns by the first number until the game is over, or so many moves are made; return the screen."""
    made = 0
    while moves is None or made < moves:
        shown = await window.wait(r"Your turn: .*\n|Game over: ", made + 1)
        if "Game over: " in shown:
            return shown
        asked = re.findall(r"Your turn: (.*)", shown)[-1]
        window.type(how.format(re.search(r"\d+", asked)[0]))
        made += 1
    return window.look()


@EACH
async def test_each_client_can_play_a_whole_game_by_numbers(window, client):
    one = window(client)
    await one.enter("whammy", IN_THE_LOBBY)
    await one.begin(".")
    told = await play_on(one)

    assert "Game over: " in told
    assert not RUBBISH.search(told.partition("New? Type a name")[2])


@EACH
async def test_password_is_hidden_if_the_client_can(window, client):
    shown = await window(client).enter("whammy", IN_THE_LOBBY)

    assert (SECRET in shown) is (client == "nc")
    assert ("your screen will show what you type" in shown) is (client == "nc")


@EACH
@pytest.mark.parametrize("screen", ["off", "on"])
async def test_line_of_lilys_protocol_is_heard_by_nobody(window, client, screen):
    """Also from the screen of a screen reader."""
    one, other = window(client), window("nc")
    await one.enter("whammy", IN_THE_LOBBY)
    await other.enter("bob", IN_THE_LOBBY)
    one.type(f".set reader {screen}")
    one.type("#$# %NOTIFY rubbish")
    one.type("'that was all")
    shown = await other.wait("that was all")

    assert "rubbish" not in shown


@EACH
async def test_typed_text_is_shown_once(window, client):
    one = window(client)
    await one.enter("whammy", IN_THE_LOBBY)
    one.type("anyone for ohell?")
    shown = await one.wait("to hear it")

    assert 1 == shown.count("anyone for ohell?")


async def test_tinyfugue_can_bid_with_a_dot(window):
    """It uses the slash for its own commands."""
    one = window("tf")
    await one.enter("whammy", IN_THE_LOBBY)
    await one.begin(".")
    await play_on(one, ".bid {}", moves=1)

    assert await one.wait("Trick 1/1")


@EDITED
async def test_talk_never_tears_the_line_being_typed(window, client):
    one, other = window(client), window("nc")
    await one.enter("whammy", IN_THE_LOBBY)
    await other.enter("bob", IN_THE_LOBBY)
    one.press_letters("half typed")
    await one.wait("half typed")
    other.type("in between")
    await one.wait(" - in between")
    one.press("BSpace", "BSpace")
    one.press_letters("ing")

    shown = await one.wait("half typing")
    assert "half typing" == shown.rstrip().splitlines()[-1]
    assert 1 == shown.count("half")


@EDITED
async def test_tab_offers_legal_moves(window, client):
    one = window(client)
    await one.enter("whammy", IN_THE_LOBBY)
    await one.begin(".")
    legal = re.findall(r"\d", re.search(r"Your turn: bid ([^(.]*)", await one.wait(r"Your turn: bid .*\n"))[1])
    one.press_letters("/bi")
    one.press("Tab", "Tab", "Tab")

    assert await one.wait("  ".join(f"/bid {number}" for number in legal))


@RESIZED
async def test_rows_fit_a_window_narrowed_during_a_game(window, client):
    """From 90 to 40 columns, as on a phone that is turned."""
    one = window(client)
    await one.enter("whammy", IN_THE_LOBBY)
    await one.begin(".")
    await play_on(one, moves=1)
    await one.wait("Trick 1/1")
    one.resize(40)
    one.type("'now it is narrow")
    await one.wait("to hear it")
    one.forget()
    one.type(".help ohell")
    shown = await one.wait("More: ")

    assert max(map(len, shown.splitlines())) <= 40
    assert "Stewart, for lily" in shown
