"""Listing people and rooms, the login timeout, and Enter alone."""

import asyncio

import pytest

from lilygames.chat.visits.session import visit
from tests.deadline import DEADLINE


def crowd(stage, number):
    """Log in this many people: p01, p02, and so on."""
    for one in range(1, number + 1):
        stage.enter(f"p{one:02}")


async def test_list_of_people_shows_everyone_here(stage):
    """It shows name, login time, idle time, state and rooms."""
    await stage.type("bob", "/join tally")
    stage.drop("cat")
    stage.people["bob"].activity.last -= 125 * 60

    rows = await stage.type("ann", "/who")

    assert ["Name", "On", "since", "Idle", "State", "In"] == rows[0].split()
    told = [row.split() for row in rows[1:-1]]
    assert [["ann", "here", "lobby"], ["bob", "2h05", "here", "tally"]] == [[name, *rest] for name, _, *rest in told]
    assert "(2 people are here)" == rows[-1]


async def test_long_list_of_people_has_pages_that_fit_on_a_screen(stage):
    crowd(stage, 40)
    pages = [await stage.type("ann", line) for line in ("/who", "/who 2", "/who 3")]

    assert [21, 21, 9] == [*map(len, pages)]
    assert ["(43 people are here, 1 to 18 shown)", "(more people: /who 2)"] == pages[0][-2:]
    assert ["(43 people are here, 19 to 36 shown)", "(more people: /who 3)"] == pages[1][-2:]
    assert "(43 people are here, 37 to 43 shown)" == pages[2][-1]
    assert sorted(stage.people) == [row.split()[0] for page in pages for row in page[1:] if row[:1] != "("]
    (refused,) = await stage.type("ann", "/who 4")
    assert "Refused: this list has no page 4. Type /who to see it from the start." == refused


async def test_people_of_a_room_have_pages_too(stage):
    crowd(stage, 20)
    for line in ("/who lobby", "/who here"):
        rows = await stage.type("ann", line)
        assert f"(more people: {line} 2)" == rows[-1]
        rows = await stage.type("ann", f"{line} 2")
        assert ["p16", "p17", "p18", "p19", "p20"] == [row.split()[0] for row in rows[1:-1]]


async def test_name_or_its_beginning_lists_these_people(stage):
    crowd(stage, 3)

    assert ["p01", "p02", "p03"] == [row.split()[0] for row in (await stage.type("ann", "/who P0"))[1:-1]]
    assert ["bob"] == [row.split()[0] for row in (await stage.type("ann", "/who ~bob"))[1:-1]]
    refused = "Refused: nobody here is called “nemo”, and no room is. Type /rooms to list rooms."
    assert refused == " ".join(" ".join(await stage.type("ann", "/who nemo")).split())


async def test_blocked_people_are_neither_listed_nor_counted(stage):
    await stage.type("ann", "/block bob")
    assert "(2 people are here)" == (await stage.type("ann", "/who"))[-1]
    stage.drop("bob")

    assert "(2 people are here)" == (await stage.type("ann", "/who"))[-1]


@pytest.mark.parametrize("line", ["/who Ada", "/who *Ada", "/finger Ada", "/block ada"])
async def test_someone_who_looks_for_a_bot_is_told_that_it_is_one(stage, line):
    assert ["Refused: Ada is a bot. Type /help bots to read about bots."] == await stage.type("ann", line)


async def test_idle_people_are_listed_in_pages_the_longest_first(stage):
    crowd(stage, 20)
    stage.people["cat"].activity.last -= 3600
    first, second = await stage.type("cat", "/idle"), await stage.type("cat", "/idle 2")

    assert (19, "(more people: /idle 2)") == (len(first), first[-1])
    assert len(stage.people) == len({row.split()[-1] for row in (*first[:-1], *second)})


async def test_big_room_names_some_of_its_members(stage):
    crowd(stage, 40)
    rows = await stage.type("ann", "/what lobby")

    assert rows[-1].endswith("p16, p17 and 23 others (/who lobby lists them)")


async def test_someone_who_joins_a_big_room_is_told_how_many_more_are_there(stage):
    crowd(stage, 40)
    for name in stage.people.keys() - {"ann"}:
        await stage.type(name, "/join tally")
    (row,) = await stage.type("ann", "/join tally")

    assert row.startswith("(you are in tally with ")
    assert row.endswith(f" and {len(stage.people) - 9} others)")


async def test_long_list_of_rooms_has_pages(stage):
    for number in range(20):
        stage.host.open_room(f"nook{number}")
    first, second = await stage.type("ann", "/rooms"), await stage.type("ann", "/rooms 2")

    assert "(more rooms: /rooms 2)" == first[-2]
    assert len(stage.rooms) == len(first[:-2]) + len(second[:-1])


async def test_rooms_need_no_columns_on_a_narrow_screen(stage):
    await stage.type("ann", "/set width 40")

    assert "* lobby (3) where everyone starts" in await stage.type("ann", "/rooms")


async def test_rooms_marks_your_room(stage):
    await stage.type("ann", "/join tally")
    rows = await stage.type("ann", "/rooms")

    assert "* tally              1  Tally tables" in rows
    assert any(row.startswith("* lobby              3  ") for row in rows)
    assert any(row.startswith("  high               0  ") for row in rows)
    assert "(* marks the rooms you've joined; type /join NAME to enter one)" == rows[-1]


async def test_enter_alone_says_where_you_are(stage):
    """It always answers, and never says anything to others."""
    assert ["(you are in lobby; type /help to see what you can do)"] == await stage.type("ann", "")
    assert [] == stage.screens["bob"].take()


async def test_message_to_a_person_who_is_away_is_stored(stage):
    stage.drop("bob")

    assert ["(bob is offline and will see it later)"] == await stage.type("ann", "bob;hello")


async def test_send_to_several_names_reaches_each_person_once(stage):
    """This holds even if several of the names are theirs."""
    await stage.type("ann", "bob,lobby,bob,-lobby;hello")

    assert 1 == sum(row == " - hello" for row in stage.screens["bob"].take())


async def test_login_timeout_disconnects_with_a_sentence(typist, place):
    place.host.login_seconds = 0
    terminal = typist()
    await asyncio.wait_for(visit(place.host, place.dispatcher, terminal), DEADLINE)

    assert "(disconnected: you didn't log in in time; you can connect again)" in terminal.rows
    assert terminal.closed
    assert {} == place.host.people


@pytest.mark.parametrize("line", ["quit", "/quit", "bye", "/bye", "exit"])
async def test_quit_at_the_login_prompt_disconnects(typist, place, line):
    terminal = typist(line)
    await asyncio.wait_for(visit(place.host, place.dispatcher, terminal), DEADLINE)

    assert terminal.closed


async def test_bug_in_a_line_is_one_sentence_with_a_case_number(stage, monkeypatch):
    """Nobody sees a traceback, and the next line works."""
    monkeypatch.setattr(type(stage.host.lookup), "room", lambda *_: 1 / 0)
    (answer,) = await stage.type("ann", "/join tally")

    assert answer.startswith("(That's a bug: case ")
    assert ["(message sent to lobby)"] == await stage.type("ann", "hello")


async def test_help_on_a_command_is_the_same_with_a_slash(stage):
    answer = await stage.type("ann", "/help where")

    assert "Usage: /where [NAME]" == answer[0]
    assert answer == await stage.type("ann", "/help /where")
