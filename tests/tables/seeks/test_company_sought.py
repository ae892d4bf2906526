"""Finding players: seeks, invitations, formulas, private tables and spectators' whispers."""

import pytest

from lilygames.gametest.stage import Stage
from lilygames.store.memory import MemoryStore
from tests.toys import installed


@pytest.fixture
async def crowd(stage):
    for name in ("cat", "dan"):
        stage.enter(name)
    return stage


async def test_seek_is_told_to_everyone_and_starts_when_enough_players_sit(crowd):
    await crowd.type("ann", "/seek tally 3 max=3")
    assert "*** ann is looking for 2 players for Tally (max=3): /sit tally ***" in crowd.screens["dan"].take()
    assert ["#1 tally: Tally, ann; waiting for players, starts with 2 more."] == await crowd.type("dan", "/seeks")
    await crowd.type("bob", "/sit tally")
    await crowd.type("cat", "/sit tally")

    assert crowd.table(1).table.started


async def test_player_with_news_of_a_game_off_hears_no_seek(crowd):
    await crowd.type("dan", "/notify game tally off")
    crowd.screens["dan"].take()
    await crowd.type("ann", "/seek tally")

    assert [] == crowd.screens["dan"].take()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("/seek tally 1", "that game is for 2 to 12"),
        ("/seek tally bob", "/new GAME bob"),
        ("/seek tally private=on", "everyone can join a seek"),
        ("/new tally private=on rated=on", "a private table can't be rated"),
    ],
)
async def test_invalid_seek_is_refused_in_one_sentence(crowd, line, said):
    assert said in " ".join(await crowd.type("ann", line))


@pytest.mark.parametrize("word", ["tally", "all", "rated"])
async def test_formula_declines_automatically_and_says_so(crowd, word):
    await crowd.type("bob", f"/formula decline {word}")
    told = await crowd.type("ann", "/new tally bob")

    assert f"(bob's /formula declined your invitation: {word})" in told
    assert "invites you" not in " ".join(crowd.screens["bob"].take())


async def test_player_whose_formula_declines_hears_no_seek(crowd):
    await crowd.type("dan", "/formula decline tally")
    crowd.screens["dan"].take()
    await crowd.type("ann", "/seek tally")

    assert [] == crowd.screens["dan"].take()


async def test_player_has_one_seek_at_a_time_and_can_take_it_back(crowd):
    await crowd.type("ann", "/seek tally")
    assert "you're already looking for players at tally" in (await crowd.type("ann", "/seek tally"))[0]
    await crowd.type("ann", "/unseek")

    assert {} == crowd.open_tables
    assert ["Refused: you aren't looking for players. Type /seek GAME to look for some."] == await crowd.type(
        "ann", "/unseek"
    )


async def test_seek_starts_its_game_after_a_restart_too(crowd, store, tally):
    await crowd.type("ann", "/seek tally 3")
    await crowd.type("bob", "/sit tally")
    again = await Stage.open(tally, store=store)
    again.enter("cat")
    await again.type("cat", "/sit tally")

    assert again.table(1).table.started


LOOKS = (
    "/tables",
    "/seeks",
    "/watch tally-2",
    "/sit tally-2",
    "/at 1",
    "/log 1",
    "/verify 1",
    "/replay 1",
    "/who tally-2",
)


STRANGERS = ("dan", "Eve", "Gus")
"""People who aren't invited: Eve had another name once, and Gus is a guest."""


async def come(stage, name):
    """Let one of them in."""
    accounts = stage.accounts
    if name == "Eve":
        await accounts.rename(await accounts.create("Ivy", "plums and pears", guest=False), name)
    if name not in stage.people:
        stage.enter(name, guest=name == "Gus")


@pytest.mark.parametrize("who", STRANGERS)
@pytest.mark.parametrize(
    "line", [*LOOKS, "/who tally-2", "/join tally-2", "-tally-2;hi", "/assess tally-2", "/what tally-2", "/what"]
)
async def test_private_table_looks_like_none_byte_for_byte(crowd, line, who):
    """Two worlds that differ only in the table look the same to a person who isn't invited."""
    await come(crowd, who)
    before = await crowd.type(who, line)
    await crowd.type("ann", "/new tally private=on BOB")

    assert before == await crowd.type(who, line)


async def test_invited_player_sits_at_a_private_table(crowd):
    await crowd.type("ann", "/new tally private=on bob")

    assert "(you sit at tally-2 with ann;" in (await crowd.type("bob", "/sit tally-2"))[0]
    await crowd.type("bob", "/invite cat")
    assert "*** bob invites you to Tally: /sit tally-2 or /decline tally-2 ***" in crowd.screens["cat"].take()


async def test_player_who_joined_a_private_table_late_can_read_its_log(crowd):
    await crowd.type("ann", "/new tally private=on max=3")
    await crowd.type("ann", "/invite bob")
    await crowd.type("bob", "/sit tally-2")
    await crowd.type("ann", "/start")

    assert "Refused" not in (await crowd.type("bob", "/history"))[0]


@pytest.mark.parametrize(
    "line", ["/played ann", "/history bob", "/replay 1", "/log 1", "/finger ann", "/standings tally"]
)
@pytest.mark.parametrize("who", STRANGERS)
async def test_finished_private_game_looks_like_none(crowd, finish, line, who):
    """Two worlds that differ only in the game look the same to a person who did not play."""
    await come(crowd, who)
    before = await crowd.type(who, line)
    await crowd.type("ann", "/new tally private=on max=3 Bob")
    await crowd.type("bob", "/sit tally-2")
    await finish()

    assert before == await crowd.type(who, line)
    assert (await crowd.type("bob", "/played ann"))[0].startswith("#1 ")


async def test_nobody_is_seated_at_a_private_table_without_asking(store):
    """/quick finds cash games, but no table that it may not know of."""
    stage = await Stage.open(installed("lilypoker"), store=store)
    for name in ("ann", "bob", "dan"):
        stage.enter(name)
    await stage.type("ann", "/new lilypoker private=on bob")
    await stage.type("bob", "/sit lilypoker-2")
    await stage.type("dan", "/quick lilypoker")

    assert stage.table(1).table.started
    assert stage.table(1).seat_of("dan") is None
    assert stage.table(2).seat_of("dan") == 0


SEEN_BY_A_SEAT = ("/review", "/review tally", "/history", "/log 1", "/watchers", "/table", "/what tally", "/score")


@pytest.mark.parametrize("line", SEEN_BY_A_SEAT)
async def test_two_worlds_that_differ_in_a_whisper_look_the_same_to_a_seat(tally, line):
    """Spectators' whispers are on no screen of a seat, byte for byte, whatever it types."""
    assert await _seen_by_ann(tally, line, "/whisper she has the ace") == await _seen_by_ann(tally, line, "")


async def _seen_by_ann(game, line, whispered):
    stage = await Stage.open(game, store=MemoryStore(lambda: 0.0))
    stage.host.clock = lambda: 0.0
    for name in ("ann", "bob", "cat", "dan"):
        stage.enter(name)
    await stage.type("ann", "/new tally max=3 bob")
    await stage.type("bob", "/sit tally")
    for name in ("cat", "dan"):
        await stage.type(name, "/watch tally")
    rows = stage.screens["ann"].take()
    if whispered:
        await stage.type("cat", whispered)
    return rows + stage.screens["ann"].take() + await stage.type("ann", line)


async def test_player_cannot_invite_themselves(crowd):
    """Then nobody else in the same command is invited, either."""
    await crowd.type("bob", "/new tally")
    answer = await crowd.type("bob", "/invite cat bob")

    assert "Refused: you already have a seat" in " ".join(answer)
    assert "invites you" not in " ".join(crowd.screens["cat"].take())


async def test_invited_player_takes_the_seat_of_one_who_left(crowd):
    await crowd.type("ann", "/new tally max=3")
    await crowd.type("bob", "/sit tally")
    await crowd.type("ann", "/start")
    await crowd.type("bob", "/leave")
    assert "Refused: tally has already started" in (await crowd.type("cat", "/sit tally"))[0]
    await crowd.type("ann", "/invite cat")
    await crowd.type("cat", "/sit tally")

    assert 1 == crowd.table(1).seat_of("cat")


async def test_whisper_reaches_no_seat_and_kibitz_reaches_everyone(crowd):
    await crowd.type("ann", "/new tally")
    for name in ("cat", "dan"):
        await crowd.type(name, "/watch tally")
    for screen in crowd.screens.values():
        screen.take()
    await crowd.type("cat", "/whisper she has the ace")
    assert [] == crowd.screens["ann"].take()
    assert " - she has the ace" in crowd.screens["dan"].take()
    await crowd.type("cat", "/kibitz well played")
    assert [" -> From cat, a spectator, to tally:", " - well played"] == crowd.screens["ann"].take()[1:]


async def test_seat_neither_whispers_nor_hears_whispers(crowd):
    await crowd.type("ann", "/new tally")

    assert "Refused: players can't whisper" in (await crowd.type("ann", "/whisper hm"))[0]
