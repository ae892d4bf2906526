"""/tournament, and what each bad input gets."""

import pytest

from lilygames.moderation.desk import SHELL
from lilygames.text import Voice

EIGHT = ("ann", "bob", "cat", "dan", "eve", "fay", "gus", "hal")


def text(rows):
    return " ".join(" ".join(rows).split())


async def said(club, line, by="ann"):
    return text(await club.type(by, line))


@pytest.fixture
async def organizer(club):
    """A club where everyone is registered for long enough."""

    async def since(_):
        return 0.0

    club.stage.accounts.since = since
    return club


NEW = "/tournament new ohell swiss max=3"


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("/tournament new", "say which game"),
        ("/tournament new chess swiss start=in_1h", "chess"),
        ("/tournament new lilypoker swiss start=in_1h", "can't be played in a tournament"),
        ("/tournament new ohell start=in_1h", "swiss, robin, knockout or arena"),
        ("/tournament new ohell swiss", "say when it starts"),
        (f"{NEW} start=today_00:01", "ago. Type a time to come"),
        (f"{NEW} start=25:00", "I can't read “25:00” as a time"),
        (f"{NEW} start=in_1h seats=9", "seats must be a whole number from 2 to 5"),
        (f"{NEW} start=in_1h rounds=0", "rounds must be a whole number from 1 to 20"),
        (f"{NEW} start=in_1h clock=none", "a tournament's clock is like 60"),
        (f"{NEW} start=in_1h clock=3d", "a tournament's clock is like 60"),
        (f"{NEW} start=in_1h colour=red", "has no option “colour”"),
        (f"{NEW} start=in_1h max=2", "the largest hand must have 3"),
        (f"{NEW} start=in_1h bob", "I don't understand “bob”"),
        (f"{NEW} start=in_1h name=bob", "bob is taken. Choose another name with name=NAME"),
        (f"{NEW} start=in_1h name=lobby", "lobby"),
        (f"{NEW} start=in_1h duplicate=maybe", "duplicate can be on or off"),
        (f"{NEW} start=in_1h minutes=30", "only an arena has minutes"),
        ("/tournament new ohell knockout start=in_1h rounds=3", "only a Swiss tournament has rounds"),
        ("/tournament new ohell arena start=in_1h duplicate=on", "an arena has no rounds"),
        (f"{NEW} start=in_1h start=in_2h", "you typed start twice"),
        (f"{NEW} start=in_1h name=abcdefghijklmnopq", "a name has 2 to 16 letters"),
        (f"{NEW} start=in_1h knockout", "I don't understand “knockout”"),
        (f"{NEW} start=in_1h seeding=age", "seeding can be lot or rating"),
        ("/tournament new ohell arena start=in_1h seeding=rating", "only Swiss and knockout tournaments are seeded"),
        ("/tournament join", "no tournament is open"),
        ("/tournament standings #7", "there's no tournament #7"),
        ("/tournament fly", "type /tournament join, leave"),
    ],
)
async def test_bad_input_gets_a_sentence_that_says_what_to_do(organizer, line, answer):
    assert answer in await said(organizer, line)
    assert {} == organizer.director.open


async def test_only_people_registered_for_a_week_create_tournaments(club):
    await since(club, "ann", days=6)

    refused = await said(club, f"{NEW} start=in_1h")

    assert "you can create tournaments once your account is 7 days old: " in refused
    assert "Until then, ask a sysop." in refused


async def test_guests_create_no_tournaments(club):
    club.stage.enter("Guest1")
    del club.stage.accounts.names["guest1"]

    assert "guests can't create tournaments" in await said(club, f"{NEW} start=in_1h", by="Guest1")


@pytest.mark.parametrize("role", ["sysop", "moderator"])
async def test_staff_of_a_new_place_create_tournaments_at_once(club, role):
    await since(club, "ann", days=0)
    await club.stage.desk.appoint(SHELL, "ann", role)

    assert "is tournament 1 and starts" in await said(club, f"{NEW} start=in_1h")


async def since(club, name, *, days):
    """Let an account be as many days old."""
    accounts = club.stage.accounts
    await club.stage.accounts._store.keep("since", accounts.key(name), repr(club.time.now - days * 86400))


async def test_organizer_has_one_tournament_at_a_time(organizer):
    await said(organizer, f"{NEW} start=in_1h")

    assert "you have ohell-swiss open already" in await said(organizer, f"{NEW} start=in_2h name=second")
    assert "ohell-swiss is taken" in await said(organizer, f"{NEW} start=in_2h", by="bob")
    assert "second is tournament 2" in await said(organizer, f"{NEW} start=in_2h name=second", by="bob")


async def test_everyone_is_told_of_a_new_tournament(organizer):
    organizer.stage.screens["bob"].take()
    await said(organizer, f"{NEW} start=in_1h")

    assert "*** ann has planned a tournament, ohell-swiss, for" in text(organizer.stage.screens["bob"].take())


async def test_person_joins_and_leaves(organizer):
    await said(organizer, f"{NEW} start=in_1h")

    assert "you have joined ohell-swiss" in await said(organizer, "/tournament join", by="bob")
    assert "you have joined already" in await said(organizer, "/tournament join", by="bob")
    assert "15 minutes before the start" in await said(organizer, "/tournament checkin", by="bob")
    assert "you left ohell-swiss" in await said(organizer, "/tournament leave", by="bob")
    assert "you aren't in this tournament" in await said(organizer, "/tournament leave", by="bob")


async def test_name_chooses_among_several_tournaments(organizer):
    await said(organizer, f"{NEW} start=in_1h")
    await said(organizer, f"{NEW} start=in_1h name=second", by="bob")

    assert "Add a name: ohell-swiss or second" in await said(organizer, "/tournament join", by="cat")
    assert "you have joined second" in await said(organizer, "/tournament join second", by="cat")
    assert "there's no open tournament “third”" in await said(organizer, "/tournament join third", by="cat")


async def test_banned_person_can_t_enter_another_tournament_until_the_organizer_waives_it(organizer):
    await said(organizer, f"{NEW} start=in_3d")
    await organizer.director.store.add_no_show("bob", "an earlier one", organizer.time.now)

    assert "you can't enter another until" in await said(organizer, "/tournament join", by="bob")
    organizer.time.now += 24 * 3600
    assert "you have joined" in await said(organizer, "/tournament join", by="bob")


async def test_organizer_lifts_a_ban(organizer):
    await said(organizer, f"{NEW} start=in_1h")
    await said(organizer, "/tournament join", by="bob")
    await organizer.director.store.add_no_show("bob", "an earlier one", organizer.time.now)

    assert "only ann" in await said(organizer, "/tournament waive bob", by="bob")
    assert "bob may enter" in await said(organizer, "/tournament waive bob")
    assert None is await organizer.director.store.ban("bob")


async def test_organizer_keeps_a_family_apart_and_cancels(organizer):
    await said(organizer, f"{NEW} start=in_1h")
    for name in ("bob", "cat"):
        await said(organizer, "/tournament join", by=name)

    assert "name two players" in await said(organizer, "/tournament apart bob")
    assert "zoe isn't in ohell-swiss" in await said(organizer, "/tournament apart bob zoe")
    assert "bob and cat don't meet" in await said(organizer, "/tournament apart bob cat")
    assert {("bob", "cat")} == organizer.now_in.apart
    assert "only ann" in await said(organizer, "/tournament cancel", by="bob")
    organizer.stage.screens["bob"].take()
    await said(organizer, "/tournament cancel too hot today")
    assert "ann cancelled the tournament: too hot today." in text(organizer.stage.screens["bob"].take())
    await organizer.look()
    assert {} == organizer.director.open


async def test_organizer_corrects_a_table_for_all_to_see(organizer):
    await said(organizer, f"{NEW} start=in_30m rounds=2")
    await organizer.start(*EIGHT)
    await organizer.round()
    last = organizer.now_in.rounds[0].tables[0].seats
    organizer.stage.screens["bob"].take()
    scores = " ".join(str(-seat.score) for seat in last)

    assert "type the round, the table" in await said(organizer, f"/tournament correct 1 1 {scores}")
    await said(organizer, f"/tournament correct 1 1 {scores} wrong sheet")
    assert "ann corrected table 1 of round 1: wrong sheet" in text(organizer.stage.screens["bob"].take())
    assert [-seat.score for seat in last] == [seat.score for seat in organizer.now_in.rounds[0].tables[0].seats]


async def test_pairings_and_next_say_where_someone_plays(organizer):
    await said(organizer, f"{NEW} start=in_30m rounds=2")
    assert "hasn't begun" in await said(organizer, "/tournament pairings")
    assert "starts at" in await said(organizer, "/tournament next")
    await organizer.start(*EIGHT)
    await organizer.look()

    assert "table 1 at #1:" in await said(organizer, "/tournament pairings")
    assert "You play at table" in await said(organizer, "/tournament next")
    await organizer.play()
    await organizer.look()
    assert "Round 1 is over. The next one begins at" in await said(organizer, "/tournament next")
    assert "there's no round 2" in await said(organizer, "/tournament pairings 2")


async def test_standings_are_read_aloud_without_columns(organizer):
    await said(organizer, f"{NEW} start=in_30m rounds=2")
    await organizer.start(*EIGHT)
    await organizer.round()
    organizer.stage.enter("bob", Voice(spoken=True))
    heard = await said(organizer, "/tournament standings", by="bob")

    assert ", 12 points." in heard
    assert "opponents  margin" not in heard


async def test_standings_and_pairings_are_found_by_name_after_the_end(organizer):
    """The latest of that name, in any case; one that is open comes first."""
    await said(organizer, f"{NEW} start=in_30m rounds=1 name=Autumn-Cup")
    await organizer.start(*EIGHT)
    await organizer.round()
    for _ in range(3):
        await organizer.look()
    assert {} == organizer.director.open

    by_name = await said(organizer, "/tournament standings autumn-CUP", by="bob")

    assert await said(organizer, "/tournament standings #1", by="bob") == by_name
    assert "12 " in by_name
    assert await said(organizer, "/tournament pairings #1 1") == await said(
        organizer, "/tournament pairings Autumn-Cup 1"
    )
    await said(organizer, f"{NEW} start=in_30m name=autumn-cup")
    assert by_name != await said(organizer, "/tournament standings Autumn-Cup", by="bob")
    assert "no open tournament" in await said(organizer, "/tournament standings winter-cup")


@pytest.mark.parametrize("game", ["ohell", "wizard", "liarsdice", "liedie"])
@pytest.mark.parametrize("form", ["swiss", "robin", "knockout", "arena"])
async def test_every_game_has_a_tournament_of_every_form_without_naming_it(organizer, game, form):
    assert "is tournament 1" in await said(organizer, f"/tournament new {game} {form} start=in_1h")


async def test_next_tournament_can_be_created_as_soon_as_one_is_cancelled(organizer):
    """Under the same name, too, and while people are still in the room."""
    await said(organizer, f"{NEW} start=in_1h")
    await said(organizer, "/tournament join", by="bob")
    await said(organizer, "/tournament cancel")

    assert "ohell-swiss is tournament 2" in await said(organizer, f"{NEW} start=in_1h")
    assert "you have joined ohell-swiss" in await said(organizer, "/tournament join", by="bob")


async def test_room_of_people_can_t_become_a_tournament_s(organizer):
    await said(organizer, "/create cup", by="bob")
    assert "cup is taken" in await said(organizer, f"{NEW} start=in_1h name=cup")


async def test_tables_that_haven_t_started_close_when_the_tournament_is_cancelled(organizer):
    await said(organizer, f"{NEW} start=in_30m rounds=2")
    await organizer.start(*EIGHT)
    assert [1, 2] == sorted(organizer.stage.open_tables)
    await said(organizer, "/tournament cancel")
    await organizer.look()

    assert [] == [*organizer.stage.open_tables]
    assert {} == await organizer.store.every("open")
    assert not any(person.seats for person in organizer.stage.people.values())
