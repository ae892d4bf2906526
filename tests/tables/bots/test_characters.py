"""Tempers and memories of bots at the tables: what they remember, for how long, and what the log says."""

import attrs
import pytest

from lilygames import codec
from lilygames.chat.people.profile import Profile
from lilygames.game import LIES, Character, Habit, Shown
from lilygames.gametest.stage import Stage
from lilygames.help import pages
from lilygames.store.memory import MemoryStore
from lilygames.tables.bots.characters import MOST, TEMPERS, memory, temper_of, with_habits
from lilygames.tables.log.acts import HOUSE, Body, Remembered, Seated, Sitter
from lilygames.tables.log.names_beside import with_names
from lilygames.tables.state.seats import Seats
from lilygames.tables.state.strategies import in_character
from lilygames_rules.tricks.exactbid import BidMade
from tests.toys import TALLY

HASTE = "haste"


def acts(strategy, level, character):
    return (strategy, level, character)


def reveals(events):
    """Take each bid for a lie, and for none of haste."""
    for event in events:
        if isinstance(event, BidMade):
            yield Shown(event.seat, did=True)
            yield Shown(event.seat, did=False, habit=HASTE)


REMEMBERED = {"habits": (LIES, HASTE), "reveals": reveals}
TOY = attrs.evolve(TALLY["tally"], in_character=lambda strategy, level, character: strategy, **REMEMBERED)


@pytest.fixture
def store():
    return MemoryStore()


@pytest.fixture
async def stage(store):
    stage = await Stage.open({"tally": TOY}, store=store)
    stage.enter("ann")
    return stage


async def played(stage, number, options="max=3 first-dealer=host"):
    """Let ann finish a game with a bot."""
    for line in (f"/new tally {options}", "/house novice 1", "/start"):
        await stage.type("ann", line)
    bot = stage.table(number).table.seats[1]
    while number in stage.open_tables:
        table = stage.table(number).table
        await stage.type("ann", f"/at {number} {table.game.spell(table.moves(0)[0])}")
    return bot


async def test_bot_remembers_people_in_their_next_game(stage):
    first, second = [await played(stage, number) for number in (1, 2)]

    assert () == first.memory
    assert "Ada" == first.name == second.name
    assert [("ann", LIES), ("ann", HASTE)] == [(one.name, one.habit) for one in second.memory]
    lies, haste = second.memory
    assert (lies.lies, lies.truths) == (haste.truths, haste.lies)
    assert lies.lies > 0


async def test_bot_remembers_someone_who_sits_down_after_it(stage):
    stage.enter("bob")
    await played(stage, 1)
    await stage.type("bob", "/new tally max=3 first-dealer=host")
    await stage.type("bob", "/house 2")
    before = stage.table(2).table.seats
    await stage.type("ann", f"/sit {stage.table(2).room.name}")
    after = stage.table(2).table.seats

    assert [(), ()] == [who.memory for who in before.bots]
    assert ("bob", "Ada", "Max", "ann") == after.names
    assert [{"ann"}, set()] == [{one.name for one in who.memory} for who in after.bots]


async def test_bots_remember_everyone_in_a_rematch(stage):
    stage.enter("bob")
    for name, line in (("ann", "/new tally max=3 first-dealer=host"), ("ann", "/house"), ("bob", "/sit tally")):
        await stage.type(name, line)
    await stage.type("ann", "/start")
    while 1 in stage.open_tables:
        table = stage.table(1).table
        name = "ann" if 0 in table.to_move else "bob"
        await stage.type(name, f"/at 1 {table.game.spell(table.moves(table.seat_of(name))[0])}")
    for name in ("ann", "bob"):
        await stage.type(name, "/rematch 1")
    table = stage.table(2).table

    assert table.started
    assert {"ann", "bob"} == {one.name for one in table.seats.bots[0].memory}


async def test_moves_of_a_bot_with_a_memory_follow_from_the_log(stage):
    for number in (1, 2):
        await played(stage, number)

    assert "follow from what their seats could see" in " ".join(" ".join(await stage.type("ann", "/verify 2")).split())


async def test_bot_at_a_tournament_or_a_duplicate_table_has_no_character(stage):
    await stage.type("ann", "/daily tally")
    bots = [who for who in stage.table(max(stage.open_tables)).table.seats if who.house]

    assert bots
    assert [("", None)] * len(bots) == [(who.temper, who.memory) for who in bots]


async def test_bots_remember_nothing_of_private_games(stage):
    """The log of a later game would tell others about them."""
    await played(stage, 1, "max=3 first-dealer=host private=on")

    assert () == (await played(stage, 2)).memory


async def test_memory_ends_with_the_session(stage):
    await played(stage, 1)
    stage.drop("ann")
    stage.enter("ann")
    bot = await played(stage, 2)

    assert () == bot.memory


async def test_log_has_an_id_instead_of_the_name_that_a_bot_remembers(stage, store):
    for number in (1, 2):
        await played(stage, number)
    entries = await stage.tables.archive.entries(2)
    seated = [codec.from_text(entry.body, Body).act for entry in entries]
    stored = [entry.body for entry in (await store.read("table/2")).entries]

    assert stored
    assert ["ann", "ann"] == [one.name for act in seated if isinstance(act, Seated) for one in act.who.memory or ()]
    assert not any('"ann"' in text for text in stored)


def test_names_in_a_memory_change_like_those_of_players():
    act = Seated(1, Sitter("Ada", "club", memory=(Remembered("ann", 2, 1),)))

    assert (Remembered("id of ann", 2, 1),) == with_names(act, lambda name: f"id of {name}").who.memory


def test_strategy_gets_what_the_log_says_by_seat():
    memories = Remembered("bob", 2, 1), Remembered("bob", 0, 5, HASTE)
    seats = Seats((Sitter("ann"), Sitter("Ada", "club", memory=memories, temper="bold"), Sitter("bob")))
    game = attrs.evolve(TOY, in_character=acts)

    assert ("s", "club", Character("bold", {2: {LIES: Habit(2, 1), HASTE: Habit(0, 5)}})) == in_character(
        game, seats, 1, "s"
    )


def test_bot_without_character_plays_its_level():
    """So do all bots in older logs."""
    game = attrs.evolve(TOY, in_character=acts)

    assert "s" == in_character(game, Seats((Sitter("Ada", "club", strategy="1"),)), 0, "s")


def test_a_dozen_names_have_tempers():
    tempers = [temper_of(name) for name in HOUSE]

    assert {"bold": 3, "careful": 3, "talkative": 3, "grumpy": 3, "": 12} == {
        one: tempers.count(one) for one in tempers
    }


def test_bot_forgets_half_of_what_it_has_seen_very_often():
    profile = with_habits(Profile(), TOY, ["Ada"], [Shown(0, did=False, habit=HASTE)])
    profile = with_habits(profile, TOY, ["Ada"], [Shown(0, did=True)] * (MOST + 1))

    assert {LIES: Habit((MOST + 1) // 2, 0), HASTE: Habit(0, 1)} == memory(profile, TOY, "Ada")
    assert {} == memory(profile, TOY, "Max")


def test_logs_and_profiles_of_earlier_releases_have_lies_only():
    remembered = codec.load({"is": "Remembered", "name": "ann", "lies": 2, "truths": 1}, Remembered)
    profile = Profile(reputations={"tally Ada": (2, 1)})

    assert LIES == remembered.habit
    assert "habit" not in codec.to_text(remembered)
    assert {LIES: Habit(2, 1)} == memory(profile, TOY, "Ada")


# between sessions


async def again(stage, name="ann"):
    """Let someone log out and in again; return what is stored about them."""
    stage.drop(name)
    await stage.kept()
    stage.enter(name)
    stored = await stage.host.owned(name)
    stage.people[name].set_profile(stored)
    return stored


async def test_bot_remembers_people_who_agree_when_they_come_back(stage):
    await stage.type("ann", "/set memory on")
    await played(stage, 1)
    await again(stage)
    lies, _ = (await played(stage, 2)).memory

    assert "ann" == lies.name
    assert lies.lies > 0


async def test_moves_of_a_bot_that_remembers_an_earlier_visit_follow_from_the_log(stage):
    await stage.type("ann", "/set memory on")
    await played(stage, 1)
    await again(stage)
    await played(stage, 2)
    await stage.type("ann", "/set memory off")

    assert "follow from what their seats could see" in " ".join(" ".join(await stage.type("ann", "/verify 2")).split())


def test_earlier_releases_can_read_the_profile_of_someone_whom_bots_do_not_remember():
    assert "reputations" not in codec.to_text(Profile())


async def test_habits_are_saved_once_a_minute_and_at_the_end(stage, monkeypatch):
    """In some games each move shows one."""
    saved, profiles = [], stage.host.profiles
    await stage.type("ann", "/set memory on")
    monkeypatch.setattr(profiles, "keep", lambda key, profile: saved.append(profile.reputations))
    await played(stage, 1)

    assert 2 == len(saved)
    assert stage.people["ann"].profile.reputations == saved[-1] != saved[0]


async def test_nothing_is_stored_about_people_who_have_not_agreed(stage):
    await played(stage, 1)

    assert (await again(stage)).reputations is None


@pytest.mark.parametrize("word", ["off", "auto"])
async def test_stored_memory_is_deleted_when_it_is_switched_off(stage, word):
    await stage.type("ann", "/set memory on")
    await played(stage, 1)
    await stage.type("ann", f"/set memory {word}")

    assert (await again(stage)).reputations is None


async def test_bots_forget_at_once_and_learn_nothing_while_memory_is_off(stage):
    await played(stage, 1)
    await stage.type("ann", "/set memory off")
    await played(stage, 2)
    await stage.type("ann", "/set memory auto")

    assert () == (await played(stage, 3)).memory


async def test_bots_do_not_mix_up_people(stage):
    stage.enter("bob")
    await stage.type("ann", "/set memory on")
    await stage.type("bob", "/set memory on")
    await played(stage, 1)
    await again(stage)

    assert (await again(stage, "bob")).reputations is None


async def test_only_the_node_that_serves_a_person_notes_their_claims(stage):
    """The others read what it has stored."""
    ann = stage.people["ann"]
    ann.connect(ann.terminal, "another node")
    await played(stage, 1)

    assert ann.profile.reputations is None


@pytest.mark.parametrize("temper", TEMPERS)
def test_help_names_the_bots_of_each_temper(temper):
    row = next(row for row in pages().rows["bots-tempers"] if row.startswith(temper))

    assert [name for name in HOUSE if temper_of(name) == temper] == [
        name for name in HOUSE if name in row.replace(",", " ").split()
    ]
