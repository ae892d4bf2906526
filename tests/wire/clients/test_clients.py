"""Test real clients in a whole game: what each shows and hides, and that talk never tears what is typed."""

import re

import pytest

pytestmark = pytest.mark.clients

EACH = pytest.mark.parametrize("client", ["telnet", "tt++", "tf", "nc", "plink"])
RESIZED = pytest.mark.parametrize("client", ["telnet", "tt++", "tf", "plink"])
EDITED = pytest.mark.parametrize("client", ["telnet", "plink"])
SECRET = "plum-and-pear"
RUBBISH = re.compile(r"\ufffd|\x1b|\^\[|\[\??[0-9;]*[JKHhlmC](?![^][\s]{0,6}])")
"""Characters that no charset has, and escape sequences that weren't understood."""


async def enter(window, name):
    """Log in as someone new, with a password; return the screen after that."""
    await window.wait("login:")
    window.type(name)
    await window.wait("Choose a password")
    window.type(SECRET)
    await window.wait("once more: ")
    window.type(SECRET)
    return await window.wait("You're in the lobby")


async def begin(window):
    """Start a short game with two bots."""
    window.type(".new ohell max=3 first-dealer=host")
    await window.wait("is open; type /house")
    window.type(".house 2")
    await window.wait("sit down")
    window.type(".start")


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
    await enter(one, "whammy")
    await begin(one)
    told = await play_on(one)

    assert "Game over: " in told
    assert not RUBBISH.search(told.partition("New? Type a name")[2])


@EACH
async def test_password_is_hidden_if_the_client_can(window, client):
    shown = await enter(window(client), "whammy")

    assert (SECRET in shown) is (client == "nc")
    assert ("your screen will show what you type" in shown) is (client == "nc")


@EACH
async def test_typed_text_is_shown_once(window, client):
    one = window(client)
    await enter(one, "whammy")
    one.type("anyone for ohell?")
    shown = await one.wait("to hear it")

    assert 1 == shown.count("anyone for ohell?")


async def test_tinyfugue_can_bid_with_a_dot(window):
    """It uses the slash for its own commands."""
    one = window("tf")
    await enter(one, "whammy")
    await begin(one)
    await play_on(one, ".bid {}", moves=1)

    assert await one.wait("Trick 1/1")


@EDITED
async def test_talk_never_tears_the_line_being_typed(window, client):
    one, other = window(client), window("nc")
    await enter(one, "whammy")
    await enter(other, "bob")
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
    await enter(one, "whammy")
    await begin(one)
    legal = re.findall(r"\d", re.search(r"Your turn: bid ([^(.]*)", await one.wait(r"Your turn: bid .*\n"))[1])
    one.press_letters("/bi")
    one.press("Tab", "Tab", "Tab")

    assert await one.wait("  ".join(f"/bid {number}" for number in legal))


@RESIZED
async def test_rows_fit_a_window_narrowed_during_a_game(window, client):
    """From 90 to 40 columns, as on a phone that is turned."""
    one = window(client)
    await enter(one, "whammy")
    await begin(one)
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
