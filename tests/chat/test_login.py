"""Coming in: names, passwords, guests, coming back."""

import json

import pytest

HERE = "(you are in lobby by yourself; /help says the rest, /quick starts a game)"


async def test_the_greeting_says_who_is_here_and_what_to_type(come):
    terminal = await come()

    assert [
        "Welcome to lily at lilygames",
        "Nobody here, 0 tables playing.",
        "Screen reader? Type: reader",
        "New? Type a name, or just: guest",
        "login: ",
    ] == terminal.rows


async def test_guest_is_a_name_of_its_own(come):
    assert HERE == (await come("guest")).rows[-1]


async def test_a_new_name_and_enter_is_a_guest(come, store):
    terminal = await come("whammy", "")

    assert HERE == terminal.rows[-1]
    assert {} == await store.every("account")


async def test_a_password_typed_twice_keeps_the_name(come, store):
    """The password is asked for unseen, and kept as an argon2 hash only."""
    terminal = await come("whammy", "plums and pears", "plums and pears")

    assert HERE == terminal.rows[-1]
    assert 2 == terminal.secrets
    kept = json.loads((await store.every("account"))["whammy"])
    assert kept["digest"].startswith("$argon2id$")
    assert "plums" not in json.dumps(kept) + " ".join(terminal.rows)


async def test_a_short_or_different_password_is_asked_for_again(come):
    terminal = await come("whammy", "abc", "abcdef", "abcdeg", "abcdef", "abcdef")

    assert HERE == terminal.rows[-1]
    assert any("at least 6 characters" in row for row in terminal.rows)
    assert any("Those were different" in row for row in terminal.rows)


async def test_only_the_password_opens_a_kept_name(come):
    await come("whammy", "plums and pears", "plums and pears")

    terminal = await come("Whammy", "wrong one", "whammy", "plums and pears")

    assert "Refused: that is the wrong password for whammy; try again, or choose another" in terminal.rows
    assert HERE == terminal.rows[-1]


async def test_five_wrong_words_hang_up(come):
    await come("whammy", "plums and pears", "plums and pears")

    terminal = await come(*["whammy", "wrong one"] * 6)

    assert 5 == sum("wrong password" in row for row in terminal.rows)
    assert terminal.closed


@pytest.mark.parametrize(
    "name",
    [
        "a",
        "4you",
        "x" * 17,
        "Ada",
        "ohell",
        "lobby",
        "system",
        "guest7",
        "b\x1b[2Jb!",
        "привет",
        "[ohell]",
    ],
)
async def test_a_name_that_cannot_be_had_is_refused_in_a_sentence(come, name):
    terminal = await come(name)

    assert any(row.startswith(("Refused: a name is 2 to 16 letters", "Refused: ")) for row in terminal.rows)
    assert HERE not in terminal.rows


async def test_a_newer_login_takes_over(come, place):
    """A newer login takes the older line over at once; it is told why."""
    await come("whammy", "plums and pears", "plums and pears")
    older = await come("whammy", "plums and pears", stay=True)

    newer = await come("whammy", "plums and pears", stay=True)

    assert "(you have logged in somewhere else; this line is closed)" in older.rows
    assert older.closed
    assert place.host.people["whammy"].terminal is newer


async def test_a_guest_who_sits_comes_back_by_the_word(come):
    """A guest who sits down is told a return word; the name stays theirs while it holds a seat."""
    first = await come("ann", "", "/new ohell")
    word = next(row for row in first.rows if "come back with: " in row).rsplit(": ", 1)[1].rstrip(")")

    stranger = await come("ann", "plum-1234")
    assert any("wrong return word for ann" in row for row in stranger.rows)
    back = await come(word)
    assert any("[ohell] You sit here with nobody else yet." in row for row in back.rows)


async def test_a_guests_name_is_free_again_without_a_seat(come):
    await come("ann", "", "/new ohell", "/leave")

    assert "ann is a new name." in (await come("ann")).rows


async def test_who_is_here_is_not_taken_twice(come):
    await come("ann", "", stay=True)

    assert "Refused: ann is here already; choose another name." in (await come("ann")).rows


async def test_reader_says_cards_in_words(come):
    terminal = await come("reader", "ann", "")

    assert terminal.voice.spoken


async def test_who_asked_for_the_reader_has_it_the_next_time(come):
    """It is kept with the name, like every setting."""
    await come("reader", "ann", "plums and pears", "plums and pears")
    terminal = await come("ann", "plums and pears", "/set reader")

    assert "(reader is on)" == terminal.rows[-1]


async def test_bye_hangs_up(come, place):
    terminal = await come("ann", "", "/bye", "/who")

    assert "Goodbye." == terminal.rows[-1]
    assert terminal.closed
    assert {} == place.host.people


async def test_the_greeting_fits_a_phone(come):
    """It is printed before anything is known of the screen."""
    rows = (await come()).rows

    assert [] == [row for row in rows if len(row) > 38]
