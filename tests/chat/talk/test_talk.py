"""Talk: to the room, to people, to both; user text never looks like the start of a line."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lilygames.chat.accounts.passwords import return_word
from lilygames.chat.input import help_data
from lilygames.chat.names.names import allowed, fold
from lilygames.errors import UserError
from lilygames.gametest.stage import Stage
from lilygames.text import clean
from tests.toys import TOYS


@pytest.mark.parametrize("line", ["{}", "ann {}", " {}"])
async def test_return_word_is_never_said_by_mistake(stage, line):
    """The person who types it is logged in already: their client may have typed it for them."""
    word = return_word()
    for typed in (word, word.upper(), f"{word})", f"“{word}”", word.replace("-", " ")):
        told = " ".join(await stage.type("ann", line.format(typed)))
        assert "that looks like your return word, so it wasn't sent" in told
    assert [] == stage.screens["bob"].take()


async def test_plain_text_goes_to_the_room(stage):
    """Lily's format: an empty line, the sender and recipients, and the text after its margin."""
    assert ["(message sent to lobby)"] == await stage.type("ann", "anyone for tally?")
    assert ["", " -> From ann, to lobby:", " - anyone for tally?"] == stage.screens["bob"].take()


async def test_plain_text_is_told_as_a_message_addressed_to_the_room(stage):
    """Also to those who ignore the speaker, and to those who have rules of their own."""
    await stage.type("cat", "/ignore ann all")
    await stage.type("bob", "/signal public on")
    heard = []
    for line in ("hello: everyone", "-lobby;hello: everyone"):
        for screen in stage.screens.values():
            screen.take()
        answer = await stage.type("ann", line)
        heard.append((answer, {name: screen.take() for name, screen in stage.screens.items()}))

    assert heard[0] == heard[1]
    assert [] == heard[0][1]["cat"]
    assert " - hello: everyone" in heard[0][1]["bob"]


async def test_plain_text_goes_to_the_room_that_has_the_name_now(stage):
    """The room where ann talks was closed, because she was never in it, and opened again."""
    host, ann = stage.host, stage.people["ann"]
    ann.speak_in(host.open_room("cafe", lasting=False))
    host.close_room(ann.room)
    stage.people["bob"].go(host.open_room("cafe", lasting=False))
    stage.screens["bob"].take()

    assert ["(message sent to cafe)"] == await stage.type("ann", "hello")
    assert " - hello" in stage.screens["bob"].take()


async def test_long_line_is_wrapped_at_its_margin(stage):
    await stage.type("ann", "word " * 40)

    rows = stage.screens["bob"].take()
    assert 5 == len(rows)
    assert all(row.startswith(" - word") and len(row) <= 78 for row in rows[2:])


@pytest.mark.parametrize("line", ["bob;psst", "/tell bob psst", "BO;psst", "~bob;psst"])
async def test_send_reaches_one_person_only(stage, line):
    await stage.type("ann", line)

    assert ["", " >> Private message from ann:", " - psst"] == stage.screens["bob"].take()
    assert [] == stage.screens["cat"].take()


async def test_everyone_sees_the_other_recipients(stage):
    await stage.type("ann", "bob,cat;psst")

    assert " >> Private message from ann to bob, cat:" in stage.screens["cat"].take()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("zoe;hi", "Refused: no person or room is called “zoe”. Type /who or /rooms to list them."),
        ("-zoe;hi", "Refused: there's no room “zoe”. Type /rooms to list them."),
        ("bob;", "Refused: your message is empty. Type NAME;TEXT"),
        ("'", "Refused: your message is empty. Type NAME;TEXT"),
        ("/tell bob", "Usage: /tell NAMES TEXT"),
        ("/join nowhere", "Refused: there's no room “nowhere”. Type /rooms to list them."),
        ("/quit", "Refused: you can't leave the lobby"),
        ("/quit tally", "Refused: you aren't in tally. Type /rooms to see where you are."),
        ("/help nothing-such", "Refused: there's no help page “nothing-such”."),
    ],
)
async def test_impossible_line_is_refused_in_one_sentence(stage, line, said):
    assert said in " ".join(await stage.type("ann", line))
    assert [] == stage.screens["bob"].take()


async def test_ambiguous_abbreviation_is_asked_about(stage):
    stage.enter("catherine")
    stage.enter("cathy")

    assert "Refused: “cath” could be catherine or cathy. Type more of it." in await stage.type("ann", "cath;hi")


async def test_rooms_are_joined_and_left(stage):
    await stage.type("ann", "/join tally")
    await stage.type("bob", "/join tally")
    stage.screens["bob"].take()
    await stage.type("ann", "hello")
    assert " -> From ann, to tally:" in stage.screens["bob"].take()
    assert [] == [row for row in stage.screens["cat"].take() if "hello" in row]

    assert ["(you have left tally and are in lobby)"] == await stage.type("ann", "/quit")


async def test_first_page_of_help_names_the_games_of_this_server(stage):
    rows = await stage.type("ann", "/help")

    assert [f"  /games   {', '.join(TOYS)}"] == [row for row in rows if row.startswith("  /games ")]


async def test_help_is_in_the_server(stage):
    assert (await stage.type("ann", "/help"))[0].startswith("HELP")
    assert (await stage.type("ann", "/help tally scoring"))[0].startswith("TALLY")
    assert (await stage.type("ann", "/help house"))[0].startswith("BOTS")
    assert "Usage: /who [here | away | all | ROOM | NAME] [PAGE]" == (await stage.type("ann", "/help who"))[0]
    assert "Usage: /max CARDS" == (await stage.type("ann", "/help max"))[0]
    assert "tally" in " ".join(await stage.type("ann", "/help search earns 10 points"))


FORGED = ("[", "***", "(", " >> ", " -> ", "# ")
OURS = (
    *(" >> Private message from ann:", " >> Private message from ann to ", " -> From ann, to ", "*** ann "),
    *("ann ", "[tally-2] ann "),
)
SPOILT = ["\r\n", "\x1b[2J", "\u202e", "\n*** ", "x" * 77 + " "]
TEXTS = st.text(max_size=90) | st.builds("{}{}".format, st.sampled_from([*FORGED, *SPOILT]), st.text(max_size=90))
WAYS = [
    "{}",
    "'{}",
    "bob;{}",
    "-lobby;{}",
    "/tell bob {}",
    "/cut {}",
    "/at 1 cut {}",
    "/join {}",
    "/at {}",
    "/sit {}",
]


@settings(max_examples=100)
@given(text=TEXTS, way=st.sampled_from(WAYS))
async def test_user_text_never_starts_a_line(text, way):
    """User text never reaches a screen unfiltered, and never starts a line."""
    stage = await Stage.open(TOYS)
    stage.enter("ann")
    stage.enter("bob")
    await stage.type("ann", "/new tally")
    await stage.type("bob", "/sit tally")
    stage.screens["bob"].take()

    await stage.type("ann", clean(way.format(text)))

    for row in stage.screens["bob"].take():
        assert row == clean(row)
        assert row.startswith(OURS) or not row.startswith(FORGED)


@given(st.text())
def test_name_is_plain_or_refused(name):
    """A name has 2 to 16 ASCII letters, digits, - or _, beginning with a letter."""
    try:
        allowed(name)
    except UserError:
        return
    assert name.isascii()
    assert 2 <= len(name) <= 16
    assert name.replace("-", "").replace("_", "").isalnum()
    assert name[0].isalpha()


def test_names_that_fold_alike_are_one():
    assert fold("Whammy") == fold("wHAMMY")


# Lines delivered at once.


@pytest.mark.parametrize(
    "line", ["hello", "hi", "bob;psst", ";psst again", "-lobby;hi", ":)", "nobody;hi", "   ", "\u202e"]
)
async def test_line_delivered_at_once_is_heard_as_any_line(stage, line):
    """A line that begins with a space may be a command, and waits its turn."""
    stages = stage, await Stage.open(TOYS)
    for name in ("ann", "bob", "cat"):
        stages[1].enter(name)
    for other in stages:
        await other.type("ann", "bob;hi")
        for screen in other.screens.values():
            screen.take()
    at_once = stages[0].place.dispatcher.hear_at_once(stages[0].people["ann"], line)
    await stages[1].place.dispatcher.hear(stages[1].people["ann"], line)

    assert at_once is not line.isspace()
    if at_once:
        assert [screen.take() for screen in stages[1].screens.values()] == [
            screen.take() for screen in stages[0].screens.values()
        ]


@pytest.mark.parametrize("line", ["", "/who", ".who", " who", "\\who", "'hello"])
async def test_line_that_may_be_a_command_waits_its_turn(stage, line):
    assert not stage.place.dispatcher.hear_at_once(stage.people["ann"], line)
    assert [] == stage.screens["ann"].take()


async def test_each_line_at_a_table_waits_its_turn_since_it_may_be_a_move(stage):
    await stage.type("ann", "/new tally")

    assert not stage.place.dispatcher.hear_at_once(stage.people["ann"], "hello")


async def test_idle_person_is_back_before_their_line_is_heard(stage):
    stage.people["ann"].activity.go_idle(0.0)

    assert not stage.place.dispatcher.hear_at_once(stage.people["ann"], "hello")


async def test_lone_person_is_told_of_the_command_that_they_typed_without_a_slash(stage):
    """Nobody hears the line, and the person learns why."""
    await stage.type("ann", "/join tally")

    answer = " ".join(row.strip() for row in await stage.type("ann", "where"))

    assert "Refused: nobody else is in tally. Type /where for the command, or 'where to say it anyway." == answer


async def test_lone_person_with_delivery_at_once_is_told_of_it_too(stage):
    """Both ways of delivery give the same result."""
    await stage.type("ann", "/join tally")
    stage.screens["ann"].take()
    stage.place.dispatcher.hear_at_once(stage.people["ann"], "where")

    assert "Type /where for the command" in " ".join(map(str, stage.screens["ann"].take()))


async def test_word_that_is_a_command_is_talk_among_others(stage):
    """Among people every line without a slash is said, except the few words that work anywhere."""
    await stage.type("ann", "where")

    assert [" - where"] == [row for row in stage.screens["bob"].take() if "where" in row]


CONTROL = ("#$# client TigerLily 2.5.2", "#$# options +version", "#$#", "  #$# ping")


@pytest.mark.parametrize("line", CONTROL)
async def test_control_line_of_a_client_is_never_talk(stage, line):
    """A lily client sends it, not its user: nobody hears it."""
    assert ["(lines that begin with #$# are for SLCP clients)"] == await stage.type("ann", line)
    assert [] == stage.screens["bob"].take()
    assert not stage.place.dispatcher.hear_at_once(stage.people["ann"], line)


async def test_control_line_isnt_a_move_and_wakes_nobody(stage):
    """It means nothing at a table or from an idle person's client, either."""
    await stage.type("ann", "/quick tally")
    ann = stage.people["ann"]
    ann.activity.restore(since=0.0, idle_seconds=100.0, away=True, idle=True)
    last = ann.activity.last

    await stage.type("ann", "#$# ping")
    assert (True, last) == (ann.activity.idle, ann.activity.last)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("?lsindex", ["lily"]),
        ('?gethelp index "sends"', ["Refused: there's no such help index. The only one is lily: ?ls lily"]),
        ('?gethelp lily "nothing"', ["Refused: there's no such page. Type ?ls lily to list them."]),
        ('?sethelp lily "talk"', ["Refused: help pages can't be changed here. Type /help TOPIC to read one."]),
        ('?gethelp  lily"nothing', ["Refused: there's no such page. Type ?ls lily to list them."]),
        ("?gethelp lily nothing ", ["Refused: there's no such page. Type ?ls lily to list them."]),
    ],
)
async def test_help_as_data_is_answered_to_the_typist_alone(stage, line, answer):
    assert answer == await stage.type("ann", line)
    assert [] == stage.screens["bob"].take()


def test_line_full_of_spaces_is_soon_known_not_to_ask_for_help():
    """4,000 spaces between three quotation marks once took two minutes, for everyone."""
    assert not help_data.is_asked(f'?sethelp x "{" " * 20_000}" "')


async def test_help_page_as_data_has_its_rows_between_its_name_and_a_dot(stage):
    answer = await stage.type("ann", '?GETHELP lily "talk"')

    assert ('?sethelp lily "talk"', ".") == (answer[0], answer[-1])
    assert [*stage.host.pages.rows["talk"]] == answer[1:-1]
    assert "talk" in await stage.type("ann", "?ls lily")


async def test_line_that_begins_with_signs_of_control_lines_is_talk(stage):
    for line in ("# no comment", "?? what", "#$ money"):
        await stage.type("ann", line)

        assert f" - {line}" in stage.screens["bob"].take()
