"""/replay: the positions of a finished game, one screen each, from every seat that may now be seen."""

import random

import attrs
import pytest

from lilygames import codec
from lilygames.game import Reader
from lilygames.games.families.tricks import screens
from lilygames.gametest.stage import Stage
from lilygames.layout import SLIM, WIDE
from lilygames.picture import Picture, PictureSeat, Piece
from lilygames.tables.commands.finished import replays
from lilygames.tables.log.acts import Header, Moved, Seated, Sitter, Start
from lilygames.tables.seal.seal import seal_of
from lilygames.tables.sight import positions
from lilygames.tables.sight.positions import Viewpoint
from lilygames.tables.sight.replay import Step
from lilygames.tables.state.table import Table
from lilygames.text import Voice, columns, wrap
from lilygames_rules.kit import Leave, Refused
from tests.toys import ALL, TALLY

DRAWN = {"tally": attrs.evolve(TALLY["tally"], picture=screens.picture)}
"""Tally with a picture, as the games have one."""
KEYS = "Enter next, b back, r next round, t next trick, s seat, 1-29 a step, q end"


@pytest.fixture
def tally():
    return DRAWN


@pytest.fixture
async def stage(store):
    stage = await Stage.open(DRAWN, store=store)
    for name in ("ann", "bob"):
        stage.enter(name)
    return stage


@pytest.fixture
async def game(stage, finish):
    """A game that ann and bob have played to its end."""
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("bob", "/sit tally")
    await stage.type("ann", "/start")
    await finish()
    return stage


async def step_of(stage, line, name="ann"):
    """Return the number of the step that a line shows."""
    rows = await stage.type(name, line)
    title = next(row for row in rows if "step " in row and row.startswith("Replay"))
    return int(title.split("step ")[1].split()[0])


async def test_step_shows_the_table_every_hand_and_the_next_move(game):
    ann, bob = await hands(game)
    rows = await game.type("ann", "/replay 1 3")

    assert "Replay 1, step 3 of 29   round 1 of 5   trick 1 of 1   trump D (3D)" == rows[0]
    assert [f" --  {ann}", f" --  {bob}"] == [row[row.index(" --") :] for row in rows[3:5]]
    assert f"Next: bob plays {bob}." == rows[5]
    assert KEYS == rows[6]


async def test_enter_goes_on_and_b_goes_back(game):
    first = await game.type("ann", "/replay 1")

    assert "Next: bob bids 0." in first
    assert "Next: you bid 0." in await game.type("ann", "")
    assert first == await game.type("ann", "b")


async def test_number_goes_to_that_step_and_a_large_one_to_the_end(game):
    await game.type("ann", "/replay 1")

    assert 7 == await step_of(game, "7")
    assert any(row.startswith("Game over: ") for row in await game.type("ann", "5000"))


async def test_r_goes_to_the_next_round_and_t_to_the_next_trick(game):
    await game.type("ann", "/replay 1")
    second_round, second_trick = await game.type("ann", "r"), await game.type("ann", "t")

    assert any("round 2 of 5" in row for row in second_round)
    assert any(row.startswith("Round 1 ") for row in second_round), "it says how the round before ended"
    assert any("trick 1 of 2" in row for row in second_trick)
    assert any("trick 2 of 2" in row for row in await game.type("ann", "t"))


async def test_s_shows_one_seat_after_the_other_and_then_all_again(game):
    before = await game.type("ann", "/replay 1")
    titles = [(await game.type("ann", "s"))[0] for _ in range(3)]

    assert ["Replay 1 as ann,", "Replay 1 as bob,", "Replay 1, step 1"] == [title[:16] for title in titles]
    assert before == await game.type("ann", "1")


async def test_from_another_seat_you_see_that_hand_only(game):
    held = await hands(game)
    rows = " ".join(await game.type("ann", "/replay 1 as bob"))

    assert held[1] in rows
    assert held[0] not in rows


async def hands(stage):
    """Return the card that each seat holds in the first round of the first table."""
    header, entries = await stage.tables.archive.read(1)
    table = Table(header, DRAWN["tally"], await stage.tables.archive.secret(1, entries))
    for entry in entries:
        table, _ = table.read(entry)
        if table.started:
            return [str(table.view(seat).round.hand[0]) for seat in range(2)]
    raise AssertionError("it has not begun")


async def test_q_ends_the_replay_and_its_keys(game):
    await game.type("ann", "/replay 1")

    assert ["(you left the replay; type /replay 1 to continue)"] == await game.type("ann", "q")
    await game.type("ann", "b")
    assert "b" in " ".join(game.screens["bob"].rows)
    assert 2 == await step_of(game, "/replay")


async def test_place_in_a_replay_is_remembered_of_those_who_have_used_one_last(game, monkeypatch):
    monkeypatch.setattr(replays, "READERS", 2)
    for number, name in enumerate(("cat", "dan", "cat", "ann"), 1):
        game.enter(name)
        await game.type(name, f"/replay 1 {number}")

    assert {"cat": 3, "ann": 4} == {name: replay.step for name, replay in game.tables.replays.items()}


@pytest.mark.parametrize("word", ["quit", "end", "exit", "Quit"])
async def test_words_that_leave_a_replay_do_not_log_out(game, word):
    """After it they mean what they mean everywhere."""
    await game.type("ann", "/replay 1")

    assert ["(you left the replay; type /replay 1 to continue)"] == await game.type("ann", word)
    assert game.people["ann"].here


@pytest.mark.parametrize("key", ["next", "back", "round", "trick"])
async def test_words_of_the_keys_do_the_same_as_the_keys(game, key):
    await game.type("ann", "/replay 1")
    await game.type("ann", "7")
    by_word = await game.type("ann", key)
    await game.type("ann", "7")

    assert by_word == await game.type("ann", key[0])


async def test_other_lines_end_the_keys_of_a_replay(game):
    await game.type("ann", "/replay 1")
    game.screens["bob"].take()
    await game.type("ann", "look at that")
    await game.type("ann", "22")

    said = " ".join(game.screens["bob"].take())
    assert "look at that" in said
    assert "22" in said


async def test_refused_key_leaves_the_others_valid(stage, finish):
    await stage.type("ann", "/new tally max=3 seal=closed")
    await stage.type("bob", "/sit tally")
    await stage.type("ann", "/start")
    await finish()
    first = await stage.type("ann", "/replay 1")

    assert "Refused: the seal of that game stays closed" in (await stage.type("ann", "s"))[0]
    await stage.type("ann", "")
    assert first == await stage.type("ann", "b")
    assert not any("s seat" in row for row in first)


async def test_screen_reader_that_goes_on_hears_what_comes_next_and_no_more(game):
    game.enter("ann", Voice(spoken=True))
    await game.type("ann", "/replay 1")

    assert ["Step 2 of 29.", "Next: you bid 0."] == await game.type("ann", "")
    assert any(row.startswith("Hand: ") for row in await game.type("ann", "2"))


async def test_game_without_a_picture_is_replayed_in_words(store):
    stage = await Stage.open(TALLY, store=store)
    for name in ("ann", "bob"):
        stage.enter(name)
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("bob", "/sit tally")
    await stage.type("ann", "/start")
    await played_out(stage)
    rows = await stage.type("ann", "/replay 1")
    assert any(row.startswith("Your hand: ") for row in rows)
    assert "Next: bob bids 0." in rows
    assert "Refused: this game can't be replayed by rounds." in (await stage.type("ann", "r"))[0]


def under_a_cup(view, reader):
    """Return a picture in which only the holder sees what a seat has."""
    seats = range(2) if view.round else ()
    held = {seat: "held" if seat == reader.seat else "?" for seat in seats}
    return Picture(("game 1",), (), tuple(PictureSeat(seat, (), (Piece("words", held[seat]),)) for seat in seats))


async def test_hidden_things_are_shown_to_all_after_the_end_and_not_from_one_seat(store, monkeypatch):
    """A look from one seat shows what that player knew."""
    monkeypatch.setitem(DRAWN, "tally", attrs.evolve(DRAWN["tally"], picture=under_a_cup))
    stage = await Stage.open(DRAWN, store=store)
    for name in ("ann", "bob"):
        stage.enter(name)
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("bob", "/sit tally")
    await stage.type("ann", "/start")
    await played_out(stage)
    everything, bobs = await stage.type("ann", "/replay 1"), await stage.type("ann", "/replay 1 as bob")

    assert not any(row.endswith("?") for row in everything)
    assert 1 == sum(row.endswith("?") for row in bobs)
    assert "Enter next, r next game, s seat, 1-29 a step, q end" == everything[-1]


async def played_out(stage):
    """Play the first table to its end."""
    while 1 in stage.open_tables:
        bot = stage.table(1)
        (seat,) = bot.table.to_move
        await stage.type(bot.table.seats[seat].name, f"/at 1 {bot.table.game.spell(bot.table.moves(seat)[0])}")


NAMES = ("Winifred", "Ada", "Max", "Catharina", "Bartholomew", "Ida", "Dave", "Eve", "Fay", "Gil", "Hal", "Ian")
LOOKS = {
    "signs": (Voice(suits="symbols"), WIDE),
    "letters": (Voice(), WIDE),
    "narrow": (Voice(suits="symbols", narrow=True), SLIM),
}


def steps(game, seats, moves=50):
    """Return the steps of a random game at a table of so many seats, or of as many as its options allow."""
    options = codec.dump(game.quick_options or game.rules.Options())
    secret, pick = b"replay" * 4, random.Random(seats)
    table = Table(Header(7, game.name, game.rules.VERSION, game.name, options, seal_of(secret), "ann"), game, secret)
    for seat in range(seats):
        table, _ = table.after(Seated(seat, Sitter(NAMES[seat])))
    try:
        table, events = table.after(Start((100,) * seats if game.purse else ()))
    except Refused:
        return steps(game, seats - 1)
    found = [Step(0.0, events, table)]
    while table.to_move and len(found) < moves:
        seat = table.to_move[0]
        choice = [move for move in table.moves(seat)[:40] if not isinstance(move, Leave)]
        table, events = table.after(Moved(seat, codec.dump(pick.choice(choice))))
        found.append(Step(0.0, events, table))
    return found


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("name", [name for name, game in ALL.items() if game.picture])
def test_every_position_fits_one_screen(name, look):
    game, (voice, width) = ALL[name], LOOKS[look]
    for most in {game.rules.SEATS[0], min(6, game.rules.SEATS[-1]), min(12, game.rules.SEATS[-1])}:
        for number, step in enumerate(steps(game, most)):
            seats = len(step.table.seats)
            for seat, open_to in ((0, tuple(range(seats))), (seats - 1, ()), (None, ())):
                viewpoint = Viewpoint(Reader(seat, NAMES[:seats], voice), open_to)
                shown = positions.rows(
                    step, viewpoint, f"Replay 1234 as Bartholomew, step {number} of 1234", first=False
                )
                assert [] == [row for row in shown if columns(row) > width and row in shown[-seats:]]
                assert sum(len(wrap(row, width)) for row in shown) <= 21, shown
