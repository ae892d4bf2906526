"""Logging in: names, passwords, guests, reconnecting."""

import json

import attrs
import pytest

from lilygames.chat.accounts.login_attempts import LoginAttempts
from lilygames.chat.visits.session import visit
from lilygames.gametest.stage import SETTINGS, Stage
from lilygames.limits.quota import Quotas
from lilygames.server.place.place import furnish
from tests.toys import TOYS

PASSWORD = "plums and pears"
HERE = "You're in the lobby; nobody else is here."


async def test_greeting_says_who_is_here_and_what_to_type(come):
    terminal = await come()

    assert [
        "Welcome to lily at lilygames",
        "Nobody here.",
        "Screen reader? Type: reader",
        "New? Type a name, or just: guest",
        "login: ",
    ] == terminal.rows


async def test_greeting_counts_tables_only_while_someone_is_here(store, typist):
    """Bots may play on for an hour after everyone has gone."""
    stage = await Stage.open(TOYS, store=store)
    stage.enter("Ann")
    await stage.type("Ann", "/quick tally")
    with_ann = await greeted(stage, typist(None))
    stage.drop("Ann")

    assert ("1 person here, 1 table playing.", "Nobody here.") == (with_ann, await greeted(stage, typist(None)))


async def greeted(stage, screen):
    """Return the row of the greeting that says who is here."""
    await visit(stage.place.host, stage.place.dispatcher, screen)
    return screen.rows[1]


async def test_sysops_line_is_in_the_greeting(store, typist):
    place = await furnish(store, attrs.evolve(SETTINGS, greeting="We meet on Fridays at 20:00."), TOYS)
    terminal = typist(None)
    await visit(place.host, place.dispatcher, terminal)

    assert ["Welcome to lily at lilygames", "We meet on Fridays at 20:00."] == terminal.rows[:2]


async def test_guest_gets_a_numbered_name(come):
    assert HERE in (await come("guest")).rows


async def test_new_guest_has_nothing_stored_so_nothing_is_read(come, store, monkeypatch):
    """Each record read costs a login a trip to the store's thread."""
    read, find = [], store.find

    async def noted(kind, key):
        read.append(kind)
        return await find(kind, key)

    monkeypatch.setattr(store, "find", noted)
    await come("guest")

    assert not {"belongings", "session"} & set(read)


async def test_new_name_and_enter_is_a_guest(come, store):
    terminal = await come("whammy", "")

    assert HERE in terminal.rows
    assert {} == await store.every("account")


async def test_password_typed_twice_registers_the_name(come, store):
    """Typing is hidden at the password prompt, and only an argon2 hash is stored."""
    terminal = await come("whammy", PASSWORD, PASSWORD)

    assert HERE in terminal.rows
    assert 2 == terminal.secrets
    kept = json.loads((await store.every("account"))["whammy"])
    assert kept["digest"].startswith("$argon2id$")
    assert "plums" not in json.dumps(kept) + " ".join(terminal.rows)


async def test_short_or_different_password_is_asked_for_again(come):
    terminal = await come("whammy", "abc", "abcdef", "abcdeg", "abcdef", "abcdef")

    assert HERE in terminal.rows
    assert any("at least 6 characters" in row for row in terminal.rows)
    assert any("Those were different" in row for row in terminal.rows)


async def test_only_the_password_opens_a_registered_name(come):
    await come("whammy", PASSWORD, PASSWORD)

    terminal = await come("Whammy", "wrong one", PASSWORD)

    assert "Refused: wrong password for whammy. Try again, or press Enter to go back." in terminal.rows
    assert HERE in terminal.rows


async def test_password_is_asked_for_three_times(come):
    """A typo is corrected at once; after three attempts the name may be the mistake."""
    await come("whammy", PASSWORD, PASSWORD)
    rows = (await come("whammy", "wrong 1", "wrong 2", "wrong 3")).rows

    assert 3 == rows.count("password: ")
    assert ["Refused: wrong password for whammy. Type your name to try again.", "login: "] == rows[-2:]


async def test_enter_instead_of_a_password_asks_for_a_name_again(come):
    """A person who mistyped the name needn't guess."""
    await come("whammy", PASSWORD, PASSWORD)
    rows = (await come("whammy", "", "hammy", "")).rows

    assert "hammy is a new name." in rows
    assert HERE in rows


async def test_five_wrong_words_disconnect(come):
    await come("whammy", PASSWORD, PASSWORD)

    terminal = await come("whammy", "wrong 1", "wrong 2", "wrong 3", "whammy", "wrong 4", "wrong 5", "guest")

    assert 5 == sum("wrong password" in row for row in terminal.rows)
    assert terminal.closed
    assert HERE not in terminal.rows


async def test_only_wrong_passwords_count_as_wrong(come):
    """A refusal that happens to contain the word "wrong" doesn't count."""
    await come("wrongly", "", stay=True)

    assert HERE not in (await come(*["wrongly"] * 6, "guest")).rows
    assert any(row.startswith("You're in the lobby") for row in (await come(*["wrongly"] * 6, "guest")).rows)


# A password typed at the name prompt.


@pytest.fixture
async def guest_word(come):
    """The return word of ann, a guest whose seat is kept."""
    first = await come("ann", "", "/new tally")
    return next(row for row in first.rows if "come back with: " in row).rsplit(" ", 1)[1].rstrip(")")


async def test_return_word_typed_as_a_name_logs_in(come, guest_word, place):
    """Nobody else sees it."""
    terminal = await come("ann", "wrong 1", "wrong 2", "wrong 3", guest_word, stay=True)

    assert any("You sit here with nobody else yet." in row for row in terminal.rows)
    assert ["ann"] == [*place.host.people]


async def test_old_return_word_typed_as_a_name_logs_in(come, place):
    """Older return words look like names, so such a name is checked before it is taken as new."""
    await come("ann", "", "/new tally")
    await place.host.accounts.create("ann", "plum-3742", guest=True)
    terminal = await come("ann", "wrong 1", "wrong 2", "wrong 3", "plum-3742", stay=True)

    assert any("You sit here with nobody else yet." in row for row in terminal.rows)
    assert not any("is a new name" in row for row in terminal.rows)
    assert ["ann"] == [*place.host.people]


@pytest.mark.parametrize("password", ["rosebush", PASSWORD, "guest house", "Quiet-Night_7"])
@pytest.mark.parametrize("before", [["ann", "wrong 1", "wrong 2", "wrong 3"], ["ann", ""], ["ann x", ""]])
async def test_password_typed_as_a_name_logs_in(come, place, password, before):
    await come("ann", password, password)
    terminal = await come(*before, password, stay=True)

    assert not any("is a new name" in row for row in terminal.rows)
    assert ["ann"] == [*place.host.people]


async def test_password_typed_after_an_old_name_logs_in(come, place):
    """A client that types name and password automatically has not read that the name changed."""
    await come("ann", PASSWORD, PASSWORD, "/rename Zoe")
    terminal = await come("ann", PASSWORD, stay=True)

    assert not any("is a new name" in row for row in terminal.rows)
    assert ["zoe"] == [*place.host.people]


async def test_name_typed_after_a_wrong_password_is_a_name(come, place):
    await come("ann", PASSWORD, PASSWORD)
    terminal = await come("ann", "wrong 1", "wrong 2", "wrong 3", "bob", "", stay=True)

    assert "bob is a new name." in terminal.rows
    assert ["bob"] == [*place.host.people]


async def test_word_typed_as_a_name_after_a_wrong_password_counts_as_a_guess(come, place):
    """Guessing at the login prompt is as slow as at the password prompt."""
    await come("ann", PASSWORD, PASSWORD)
    before = await counted(come, place, "ann", "wrong 1", "wrong 2", "wrong 3")
    after = await counted(come, place, "ann", "wrong 1", "wrong 2", "wrong 3", "bob")

    assert (3, 4) == (before, after)


async def counted(come, place, *lines):
    """Return how many wrong words an address has typed with these lines."""
    place.host.login_attempts = LoginAttempts(Quotas())
    await come(*lines)
    return place.host.login_attempts.number("address", "stage")


@pytest.mark.parametrize(("now", "wait"), [(0.0, "2 seconds"), (0.2, "2 seconds"), (1.5, "1 second")])
async def test_blocked_address_is_told_how_long_to_wait(come, place, now, wait):
    await come("ann", PASSWORD, PASSWORD)
    clock = [0.0]
    place.host.login_attempts = throttle = LoginAttempts(Quotas(), lambda: clock[0], tries=0)
    throttle.wrong("stage", "ann")
    clock[0] = now

    rows = (await come("ann", "rosebush")).rows
    assert f"Try again in {wait}." in " ".join(" ".join(rows).split())


async def test_blocked_address_gets_no_new_name(come, place):
    """While passwords are not checked, the line might be one, so it is not taken for a new name."""
    await come("ann", PASSWORD, PASSWORD)
    place.host.login_attempts = LoginAttempts(Quotas(), lambda: 0.0, tries=2)
    terminal = await come("ann", "wrong 1", "wrong 2", "wrong 3", "rosebush", "rosebush")

    assert not any("is a new name" in row for row in terminal.rows)
    assert 2 == sum("too many wrong passwords were typed from your address" in row for row in terminal.rows)


async def test_return_word_alone_is_nobodys_name(come):
    """It is shown to nobody, and logs nobody in."""
    rows = " ".join((await come("3742-plum-otter-0915")).rows)

    assert "Refused: type your name, a space, and then your return word." in rows


@pytest.mark.parametrize(
    "name",
    [
        "a",
        "4you",
        "x" * 17,
        "Ada",
        "tally",
        "lobby",
        "system",
        "guest7",
        "b\x1b[2Jb!",
        "привет",
        "[tally]",
    ],
)
async def test_unavailable_name_is_refused_in_a_sentence(come, name):
    terminal = await come(name)

    assert any(row.startswith(("Refused: a name has 2 to 16 letters", "Refused: ")) for row in terminal.rows)
    assert HERE not in terminal.rows


async def test_newer_login_takes_over(come, place):
    """A newer login replaces the older connection at once, and the older one is told why."""
    await come("whammy", PASSWORD, PASSWORD)
    older = await come("whammy", PASSWORD, stay=True)

    newer = await come("whammy", PASSWORD, stay=True)

    assert "(disconnected: you've logged in from somewhere else)" in older.rows
    assert older.closed
    assert place.host.people["whammy"].terminal is newer


async def test_guest_with_a_seat_reconnects_by_the_return_word(come):
    """A guest who sits down is told a return word, and keeps the name while it holds a seat."""
    first = await come("ann", "", "/new tally")
    word = next(row for row in first.rows if "come back with: " in row).rsplit(": ", 1)[1].rstrip(")")

    stranger = await come("ann", "1234-plum-fig-5678")
    assert any("wrong return word for ann" in row for row in stranger.rows)
    back = await come(word)
    assert any("You sit here with nobody else yet." in row for row in back.rows)


async def test_name_of_a_guest_without_a_seat_is_free_again(come):
    await come("ann", "", "/new tally", "/leave")

    assert "ann is a new name." in (await come("ann")).rows


async def test_second_login_as_a_guest_who_is_here_is_refused(come):
    await come("ann", "", stay=True)

    assert "Refused: ann is here already. Please choose another name." in (await come("ann")).rows


async def test_reader_says_cards_in_words(come):
    terminal = await come("reader", "ann", "")

    assert terminal.voice.spoken


async def test_reader_mode_is_kept_for_the_next_login(come):
    """It is stored with the name, like every setting."""
    await come("reader", "ann", PASSWORD, PASSWORD)
    terminal = await come("ann", PASSWORD, "/set reader")

    assert "(reader is on)" == terminal.rows[-1]


async def test_bye_disconnects(come, place):
    terminal = await come("ann", "", "/bye", "/who")

    assert "Goodbye." == terminal.rows[-1]
    assert terminal.closed
    assert {} == place.host.people


async def test_greeting_fits_a_phone(come):
    """It is printed before the server knows anything about the screen."""
    rows = (await come()).rows

    assert [] == [row for row in rows if len(row) > 38]


async def test_control_line_of_a_client_isnt_a_name(come):
    """A lily client sends its options at the first prompt, before its user types."""
    terminal = await come("#$# options +version +prompt", "guest")

    assert HERE in terminal.rows
    assert not any("Refused" in row for row in terminal.rows)
    assert 1 == terminal.rows.count("login: ")


# Names that can't be had, and what is proposed.


async def said(come, *lines):
    """Return what someone is shown who types these lines, in one row."""
    return " ".join(" ".join((await come(*lines)).rows).split())


@pytest.mark.parametrize("name", ["vera", "Vera", "EMIL", "hugo"])
async def test_name_of_a_bot_is_refused_with_two_free_names(come, name):
    await come(f"{name}2", PASSWORD, PASSWORD)

    assert (f"Refused: {name} is one of our bots. Type another name, such as {name}3 or {name}4.") in await said(
        come, name
    )


async def test_proposed_name_can_be_had(come, place):
    await come("vera", "vera2", "", stay=True)

    assert ["vera2"] == [*place.host.people]


async def test_name_that_looks_like_that_of_a_bot_is_refused_as_such(come):
    rows = await said(come, "Ott0")

    assert "Refused: Ott0 looks too much like Otto, one of our bots." in rows


@pytest.mark.parametrize(
    ("name", "proposed"),
    [
        ("émily", "emily or emily2"),
        ("Ørjan", "Orjan or Orjan2"),
        ("Véra", "Vera2 or Vera3"),
        ("Großmann", "Grossmann or Grossmann2"),
        ("Юлия", "Yuliya or Yuliya2"),
        ("Андрій", "Andriy or Andriy2"),
        ("νίκος", "nikos or nikos2"),
        ("בני", "traveller or traveller2"),
        ("小林", "traveller or traveller2"),
    ],
)
async def test_name_with_other_letters_is_refused_with_a_proposal(come, name, proposed):
    assert f"Refused: names use the letters a to z. Type another name, such as {proposed}." in await said(come, name)


@pytest.mark.parametrize(
    ("line", "proposed"),
    [("em ily", "em_ily or em_ily2"), ("Em Ily Bo", "Em_Ily_Bo or Em_Ily_Bo2"), ("ém ily", "em_ily or em_ily2")],
)
async def test_name_with_a_space_is_refused_with_a_proposal(come, place, line, proposed):
    """Nobody becomes `em` because of it."""
    rows = await said(come, line)

    assert f"Refused: a name has no spaces. Type another name, such as {proposed}." in rows
    assert {} == {**place.host.people}


async def test_password_after_a_name_that_nobody_has_is_not_shown_again(come, place):
    rows = await said(come, "jhon hunter2")

    assert "Refused: jhon isn't registered. Check the name, or type it without a password if it's new." in rows
    assert "hunter2" not in rows


@pytest.mark.parametrize(
    "written",
    ["{})", "({})", '"{}"', " {} ", "“{}”", "{}.", "UPPER {}", "spaces {}", "dashes {}"],
)
async def test_return_word_is_accepted_as_people_paste_it(come, guest_word, place, written):
    how = {"UPPER": guest_word.upper(), "spaces": guest_word.replace("-", " "), "dashes": guest_word.replace("-", "–")}
    kind, _, form = written.rpartition(" ") if written.split(" ")[0] in how else ("", "", written)
    word = form.format(how.get(kind, guest_word))
    for line in (f"ann {word}", f'"ann {word}"'):
        terminal = await come(line, stay=True)
        assert any("You sit here with nobody else yet." in row for row in terminal.rows), line
        assert ["ann"] == [*place.host.people]


async def test_return_word_of_someone_who_has_no_seat_any_more_makes_no_new_guest(come, place):
    rows = await said(come, "zoe 3742-plum-otter-0915")

    assert "Refused: zoe has no seat here any more, so the return word has expired. Type another name." in rows
    assert {} == {**place.host.people}
