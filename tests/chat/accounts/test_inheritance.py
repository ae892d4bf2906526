"""Everything a name owns stays with its owner: nobody inherits it, and a new name takes it along."""

import asyncio

import pytest

from lilygames.chat.visits.session import visit
from lilygames.gametest.stage import SETTINGS
from lilygames.server.place.place import furnish
from tests.toys import TOYS

PASSWORD = "plums and pears"


@pytest.fixture
def types():
    """Return a function that types a line for a logged-in person, or disconnects (None), and gives the new rows."""

    async def type_one(terminal, line):
        terminal.take()
        terminal.waits.clear()
        terminal.typed.put_nowait(line)
        await terminal.waits.wait()
        return [row for row in terminal.take() if row]

    return type_one


@pytest.fixture
async def ann(come):
    """A person with an account."""
    return await come("ann", PASSWORD, PASSWORD, stay=True)


@pytest.mark.parametrize("as_what", [[""], [PASSWORD, PASSWORD]])
async def test_newcomer_inherits_nothing_from_a_guest_of_the_same_name(ann, types, come, as_what):
    """They get no messages, no blurb, no groups, and no permissions."""
    await types(ann, "/create den private")
    first = await come("bob", "", stay=True)
    await types(first, "/blurb first of the name")
    await types(first, "/group team add ann")
    await types(ann, "/permit den bob")
    await types(ann, "/appoint den bob moderator")
    await types(ann, "bob;the key is under the mat")
    await types(first, None)
    second = await come("bob", *as_what, stay=True)
    rows = [row for line in ("/review me all", "/who", "/group") for row in await types(second, line)]

    assert not any("under the mat" in row or "first of the name" in row or "team" in row for row in rows)
    assert ["Refused: there's no room “den”. Type /rooms to list them."] == await types(second, "/join den")


async def test_guest_who_registers_keeps_their_messages(ann, types, come):
    guest = await come("bob", "", stay=True)
    await types(ann, "bob;the key is under the mat")
    for line in ("/register", PASSWORD, PASSWORD, None):
        await types(guest, line)

    assert any("mat" in row for row in (await come(f"bob {PASSWORD}", "/review me 5")).rows)


async def test_simultaneous_guests_are_different_people(place, typist):
    """This holds however long it takes to look up a guest's data."""
    terminals = [typist("guest") for _ in range(3)]
    visits = [
        asyncio.get_running_loop().create_task(visit(place.host, place.dispatcher, terminal)) for terminal in terminals
    ]
    for terminal in terminals:
        await terminal.waits.wait()

    assert {"guest1", "guest2", "guest3"} == place.host.people.keys()
    for terminal, coming in zip(terminals, visits, strict=True):
        terminal.typed.put_nowait(None)
        await coming


async def test_numbered_guest_in_mid_game_may_keep_that_name(come, place):
    """Others know the seat by it; the guest can choose another name afterwards."""
    terminal = await come("guest", "/quick tally", "/register", PASSWORD, PASSWORD)

    assert "(you've registered guest1; next time, log in with your name and password)" in terminal.rows
    other = await come("guest", stay=True)
    assert {"guest1", "guest2"} == place.host.people.keys()
    assert not any("You sit" in row for row in other.rows)
    assert any(row.startswith("You sit here with") for row in (await come(f"guest1 {PASSWORD}")).rows)


async def test_rename_can_change_the_case_of_letters_only(ann, types, come, place):
    await types(ann, "/info add I play tally")

    assert ["(you are now called Ann)"] == await types(ann, "/rename Ann")
    await types(ann, None)
    assert " - I play tally" in (await come(f"ann {PASSWORD}", "/info")).rows
    assert "Ann" == (await place.host.accounts.get("ann")).name


async def test_old_name_stays_its_owners(ann, types, come):
    """Nobody else gets it or one that looks like it, and sends to it arrive."""
    await types(ann, "/rename Zoe")

    assert "Refused: ann is now called Zoe. Log in with that name." in (await come("ann")).rows
    assert "Refused: a-nn looks too much like Zoe. Please choose another name." in (await come("a-nn")).rows
    assert "(message sent to Zoe)" in (await come("bob", "", "ann;hello")).rows
    assert ["(you are now called ann)"] == await types(ann, "/rename ann")
    assert "Zoe" not in " ".join(await types(ann, "/who"))


async def test_number_of_old_names_is_limited(ann, types):
    for n in range(5):
        assert [f"(you are now called walker{'abcde'[n]})"] == await types(ann, f"/rename walker{'abcde'[n]}")

    rows = " ".join(await types(ann, "/rename walkerf"))
    assert "Refused: you've already had 5 other names. To change again, pick one of them:" in rows
    assert ["(you are now called walkera)"] == await types(ann, "/rename walkera")


async def test_ignoring_and_bans_outlast_a_new_name(ann, types, come):
    """People you ignore or ban stay so under another name, and people you permitted may still come in."""
    bob = await come("bob", PASSWORD, PASSWORD, stay=True)
    await types(ann, "/create den private")
    await types(ann, "/permit den bob")
    await types(ann, "/create cafe tea")
    await types(ann, "/depermit cafe bob")
    await types(ann, "/ignore bob")
    await types(bob, "/rename Rob")

    assert ["(ann is ignoring you)"] == await types(bob, "ann;it is me")
    assert "Refused: you can't join cafe" in (await types(bob, "/join cafe"))[0]
    assert ["(you are in den with ann)"] == await types(bob, "/join den")
    assert "rob: private" in await types(ann, "/ignore")


async def test_lists_of_an_absent_person_follow_a_rename(ann, types, come, place):
    bob = await come("bob", PASSWORD, PASSWORD, "/ignore ann", "/group team add ann", stay=True)
    await types(bob, None)
    await types(ann, "/rename Zoe")
    await place.host.profiles.finish()
    rows = (await come(f"bob {PASSWORD}", "/ignore", "team;hello")).rows

    assert "zoe: private" in rows
    assert "(message sent to Zoe)" in rows


async def test_earlier_messages_are_reviewed_under_the_new_name(ann, types):
    await types(ann, "me;buy milk")
    await types(ann, "/rename Zoe")

    assert any("buy milk" in row for row in await types(ann, "/review me 5"))


async def test_everyone_is_known_as_before_after_a_restart(ann, types, store, place):
    """You can write to people who are away, and nobody gets a name that looks like theirs."""
    await types(ann, "/create cafe tea")
    await types(ann, "/rename Zoe")
    await place.host.profiles.finish()
    again = await furnish(store, SETTINGS, TOYS)

    assert "Zoe" == again.host.accounts.now("ANN")
    assert "Zoe" == again.host.accounts.look_alike("2oe")
    assert "zoe" == again.host.rooms["cafe"].charter.owner
    assert again.host.accounts.key("zoe") == again.host.accounts.key("ann") == "ann"


@pytest.mark.parametrize("name", ["Iobby", "sy5tem", "Ta11y", "Dea1er", "H1gh", "gue5t1", "l0bby-2", "adrnin"])
async def test_name_that_looks_like_the_servers_is_reserved(come, name):
    said = " ".join((await come(name)).rows)

    assert f"Refused: “{name}” is a reserved name" in said or "Refused: a name has 2 to 16 letters" in said


@pytest.mark.parametrize(
    "name",
    [
        *(
            "host",
            "moderator",
            "operator",
            "admin",
            "staff",
            "sysop",
            "Admin",
            "STAFF",
            "h0st",
            "ho5t",
            "hos7",
            "m0derator",
        ),
        *(
            "mod3rator",
            "moder4tor",
            "0perator",
            "oper4t0r",
            "operat0r",
            "adm1n",
            "st4ff",
            "s7aff",
            "sta-ff",
            "a_d_m_i_n",
        ),
        *("admin1", "staff-2", "host_3", "Moderator99", "5ysop", "sys0p1"),
    ],
)
async def test_names_of_authority_are_reserved(come, place, name):
    """Nobody can rename themselves to one of those, either."""
    for terminal in (await come(name, ""), await come("bob", "", f"/rename {name}")):
        said = " ".join(terminal.rows)
        assert f"Refused: “{name}” is a reserved name." in said or "Refused: a name has 2 to 16 letters" in said


@pytest.mark.parametrize(
    "name", ["hostess", "ghost", "adminton", "flagstaff", "bob3", "modera", "ann-2", "hostas", "stuff"]
)
async def test_names_that_only_contain_such_a_word_are_free(come, name):
    assert f"{name} is a new name." in (await come(name)).rows


async def test_name_registered_before_it_was_reserved_stays_its_owners(come, place):
    """They log in by it, change its case, and get it back."""
    await place.host.accounts.create("Staff", PASSWORD, guest=False)
    terminal = await come(f"staff {PASSWORD}", "/rename STAFF", "/rename bob", "/rename staff")

    assert ["(you are now called STAFF)", "(you are now called bob)", "(you are now called staff)"] == [
        row for row in terminal.rows if row.startswith("(you are now called ")
    ]


async def test_name_that_looks_like_another_persons_is_refused(ann, types, come):
    await come("Silas", "", stay=True)

    assert "Refused: Si1as looks too much like Silas. Please choose another name." in (await come("Si1as")).rows
    assert ["Refused: Si1as looks too much like Silas. Please choose another name."] == await types(
        ann, "/rename Si1as"
    )
    assert ["Refused: Si1as is taken. Please choose another name."] == await types(ann, "/create Si1as")


async def test_discussion_of_an_old_name_shows_nothing_of_the_old_one(stage):
    await stage.type("ann", "/create den private")
    await stage.type("ann", "between us")
    await stage.type("ann", "/destroy den")
    await stage.type("bob", "/create den")
    rows = await stage.type("bob", "/review den 50 all")

    assert not any("between us" in row for row in rows)


async def test_table_in_the_room_of_an_earlier_one_shows_nothing_of_it(stage):
    await stage.type("ann", "/new liedie")
    await stage.type("ann", "/new tally private=yes")
    room = stage.people["ann"].room.name
    await stage.type("ann", "between us")
    await stage.type("ann", "/leave")
    await stage.type("ann", f"/quit {room}")
    await stage.type("bob", "/new tally private=yes")

    assert room == stage.people["bob"].room.name
    assert not any("between us" in row for row in await stage.type("bob", f"/review {room} 50 all"))
