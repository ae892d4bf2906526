"""Bots say something now and then: about what everyone has seen, and not to those who want quiet."""

import asyncio
from itertools import pairwise

import attrs
import pytest

from lilygames.games import games
from lilygames.gametest.plays import luck_of
from lilygames.gametest.stage import SETTINGS, Stage
from lilygames.remarks import Remark, sayings
from lilygames.server.place.place import furnish
from lilygames.store.memory import MemoryStore
from lilygames.tables.bots import table_talk
from lilygames.tables.bots.greetings import answers
from lilygames.tables.bots.table_talk import APART, LONG_AGO, Said, TableTalk, often, remark
from lilygames.tables.log.acts import HOUSE
from lilygames.text import Voice
from tests.toys import TALLY

FINE = [f"A {word}fine day." for word in ("", "very ", "rather ", "most ", "quite ", "really ")]


def fine_day(events):
    """Have the first bot say something about every move."""
    return [Remark(1, sayings(*FINE))] if events else []


def always(name, *, small=False):
    return 100


TALL = {"tally": attrs.evolve(TALLY["tally"], remarks=fine_day)}
"""A toy whose first bot has something to say about everything."""


@pytest.fixture
async def stage(monkeypatch):
    """Ann plays with two bots who like to talk; bob and a screen reader's user watch."""
    monkeypatch.setattr(table_talk, "AFTER", 0.0)
    monkeypatch.setattr(table_talk, "often", always)
    monkeypatch.setattr(table_talk, "answers", lambda occasion, temper: (f"Hello, {{name}} ({occasion}).",))
    stage = Stage(await furnish(MemoryStore(), attrs.evolve(SETTINGS, house_talk=1), TALL))
    stage.enter("ann")
    stage.enter("bob")
    stage.enter("eve", Voice(spoken=True))
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("ann", "/house 2")
    for name in ("bob", "eve"):
        await stage.type(name, "/watch tally")
    return stage


async def heard(stage, name):
    """Return what bots have said to someone."""
    for _ in range(5):
        await asyncio.sleep(0)
    return [row for row in stage.screens[name].rows if " says: " in row]


async def moved(stage):
    table = stage.table(1).table
    await stage.type("ann", table.game.spell(table.moves(0)[0]))


async def started(stage):
    await stage.type("ann", "/start")


async def test_bots_speak_to_players_and_spectators(stage):
    await started(stage)

    for name in ("ann", "bob"):
        assert (await heard(stage, name))[0].startswith("*Ada says: A ")


async def test_screen_readers_are_left_alone(stage):
    await started(stage)

    assert [] == await heard(stage, "eve")


async def test_screen_reader_hears_only_the_answer_to_its_own_greeting(stage):
    await stage.type("bob", "hello")
    assert [] == await heard(stage, "eve")
    await stage.type("eve", "hello")

    assert ["Ada says: Hello, eve, hello."] == [row for row in await heard(stage, "eve") if "bob" not in row]


@pytest.mark.parametrize("setting", ["quiet on", "machine on"])
async def test_bots_are_quiet_for_those_who_want_it(stage, setting):
    await stage.type("bob", f"/set {setting}")
    await started(stage)

    assert [] == await heard(stage, "bob")
    assert await heard(stage, "ann")


async def test_remarks_are_far_apart(stage):
    await started(stage)
    talk, said = stage.table(1).talk, []
    while 1 in stage.open_tables:
        said += [talk._said.seq] if talk._said.seq not in (None, *said) else []
        await moved(stage)

    assert len(said) > 1
    assert all(later - before >= APART for before, later in pairwise(said))


@pytest.mark.parametrize("name", ["tally", "ohell", "liedie games=9"])
async def test_remark_never_comes_between_a_question_and_its_answer(monkeypatch, name):
    """It comes with the moves before the question, so it is out of the way of what the player types."""
    monkeypatch.setattr(table_talk, "often", always)
    word = name.partition(" ")[0]
    game = attrs.evolve({**games(), **TALLY}[word], remarks=fine_day)
    stage = Stage(await furnish(MemoryStore(), attrs.evolve(SETTINGS, house_talk=1), {word: game}))
    stage.enter("ann")
    said = []
    for line in (f"/new {name}", "/house 2", "/start"):
        await stage.type("ann", line)
    while len(said) < 2:
        said += await heard(stage, "ann")
        assert " says: " not in stage.screens["ann"].rows[-1]
        await moved(stage)


async def test_bots_are_silent_if_the_sysop_wants_so():
    stage = await Stage.open(TALL)
    stage.enter("ann")
    for line in ("/new tally max=3 first-dealer=host", "/house 2", "/start", "hello"):
        await stage.type("ann", line)

    assert [] == await heard(stage, "ann")


@pytest.mark.parametrize("text", ["hello", "good evening, all", "HEY", "hello :)", "Hi. I'm new here", "Howdy?"])
async def test_each_bot_answers_a_greeting_once(stage, text):
    answers = []
    for _ in range(3):
        await stage.type("ann", text)
        answers += await heard(stage, "ann")

    assert ["*Ada says: Hello, ann (hello).", "*Max says: Hello, ann (hello)."] == sorted(answers)


async def test_named_bot_answers_a_greeting_once(stage):
    await stage.type("ann", "Hi Ada!")
    first = await heard(stage, "ann")
    await stage.type("ann", "Hi Ada!")

    assert 1 == len(first)
    assert [] == await heard(stage, "ann")


@pytest.mark.parametrize("text", ["hello Max", "Max: hi", "hi *Max!", "*Max, hey", "'hi Max", "-tally;hey max"])
async def test_bot_that_is_named_answers_the_greeting(stage, text):
    await stage.type("bob", text)

    assert "*Max says: Hello, bob (hello)." in (await heard(stage, "bob"))[0]


@pytest.fixture
async def alone(monkeypatch):
    """Ann is alone with two bots."""
    monkeypatch.setattr(table_talk, "AFTER", 0.0)
    stage = Stage(await furnish(MemoryStore(), attrs.evolve(SETTINGS, house_talk=1), TALL))
    stage.enter("ann")
    for line in ("/new tally max=3 first-dealer=host", "/house 2"):
        await stage.type("ann", line)
    return stage


@pytest.mark.parametrize("talk", ["hello", "nice cards", "good game"])
@pytest.mark.parametrize("setting", ["", "/set quiet on"])
async def test_nobody_among_bots_is_told_that_nobody_hears_them(alone, talk, setting):
    await alone.type("ann", setting or "/table")
    rows = [row for _ in range(4) for row in await alone.type("ann", talk)]

    assert not [row for row in rows if "nobody else" in row]
    assert "(only bots are in tally to hear it)" in rows


async def test_greeting_that_a_bot_answers_has_been_heard(alone):
    rows = [row for _ in range(3) for row in await alone.type("ann", "hello") if row.startswith("(")]

    assert ["(message sent to tally)"] * 2 + ["(only bots are in tally to hear it)"] == rows


async def test_greeting_after_the_game_is_answered_too(alone):
    await started(alone)
    while 1 in alone.open_tables:
        await moved(alone)
    await alone.type("ann", "hello")
    assert "ann" in (await heard(alone, "ann"))[0]
    await alone.type("ann", "gg")

    assert "ame, ann." in (await heard(alone, "ann"))[0]


@pytest.mark.parametrize(("line", "answered"), [("join", "Did you mean /join?"), ("join us, max", "(only bots are in")])
async def test_only_a_command_word_alone_is_asked_about_among_bots(alone, line, answered):
    answer = " ".join(row.strip() for row in await alone.type("ann", line))

    assert answered == answer[: len(answered)]


@pytest.mark.parametrize("text", ["hi-lo is a nice game", "history repeats itself", "hello " + "and so on " * 5])
async def test_other_words_are_not_answered(stage, text):
    await stage.type("ann", text)

    assert [] == await heard(stage, "ann")


async def test_emote_that_greets_is_answered(stage):
    await stage.type("bob", "/emote waves at Max")

    assert "*Max says: Hello, bob (hello)." in (await heard(stage, "bob"))[0]


async def test_greeting_for_a_person_is_left_to_them(stage):
    await stage.type("ann", "hello bob")

    assert [] == await heard(stage, "ann")


async def test_greeting_in_another_room_is_not_answered(stage):
    await stage.type("ann", "/join lobby")
    await stage.type("ann", "hello")

    assert [] == await heard(stage, "ann")


async def test_private_message_to_a_bot_is_refused_with_the_reason(stage):
    await stage.type("ann", "max;hello")

    assert "Max is a bot, and bots read no messages" in " ".join(stage.screens["ann"].rows)


@pytest.mark.parametrize("text", ["hill", "history is dull", "hi, what did you bid in the round before?", "who?"])
async def test_other_talk_is_not_answered(stage, text):
    await stage.type("ann", text)

    assert [] == await heard(stage, "ann")


async def test_bots_speak_only_of_what_everyone_has_seen(stage, monkeypatch):
    """Two worlds that look the same from outside have the same talk: bots get public events and nothing else."""
    asked = []
    bot = stage.table(1)

    def recorded(events):
        asked.extend(events)
        return []

    bot.runner.table = attrs.evolve(bot.table, game=attrs.evolve(bot.table.game, remarks=recorded))
    await started(stage)

    await moved(stage)
    assert asked
    assert all(event == event.seen_by(None) for event in asked)


@pytest.mark.parametrize("name", games())
def test_remarks_are_fixed_sentences_without_facts(name):
    """They can't tell a card, a number or a name. The bots of each game say something."""
    game, said = games()[name], set()
    for seed in range(12):
        step = game.rules.start(game.quick, game.quick_options or game.rules.Options(), purses(game), luck_of(seed, 0))
        for turn in range(1, 400):
            ready = [seat for seat in range(game.quick) if len(game.rules.moves(step.state, seat))]
            if not ready:
                break
            moves = game.rules.moves(step.state, ready[0])
            move = luck_of(seed, turn, "choose").choice(moves)
            step = game.rules.apply(step.state, ready[0], move, luck_of(seed, turn))
            seen = [known for event in step.events if (known := event.seen_by(None)) is not None]
            said |= {text for one in game.remarks(seen) for text in one.sayings.all}

    assert said
    assert not [text for text in said if any(map(str.isdigit, text)) or "{" in text or len(text) > 50]


def purses(game):
    options = game.quick_options or game.rules.Options()
    return [game.purse.brings(options, game.purse.first)] * game.quick if game.purse else ()


def spoken(table, remarks, seqs, said=None):
    """Return what is said after each of these log entries, as (seat, sentence)."""
    said, found = said or Said(), []
    for seq in seqs:
        after = remark(table, seq, remarks, said)
        found += [(after.seat, after.texts[-1])] if after is not said else []
        said = after
    return found


async def test_remark_follows_from_public_numbers(stage):
    """So every node shows the same one."""
    table = stage.table(1).table
    remarks = [Remark(1, sayings("One.", "Two.")), Remark(2, sayings("Three."))]
    firsts = [spoken(table, remarks, [seq]) for seq in range(60)]

    assert firsts == [spoken(table, remarks, [seq]) for seq in range(60)]
    assert {(1, "One."), (1, "Two."), (2, "Three.")} == {one for first in firsts for one in first}


async def test_no_sentence_is_said_twice_among_sixty(stage):
    table = stage.table(1).table
    few, many = ([f"{number}." for number in range(most)] for most in (3, LONG_AGO + 1))
    after = [
        [text for _, text in spoken(table, [Remark(1, sayings(*texts))], range(0, 2000, 10))] for texts in (few, many)
    ]

    assert sorted(few) == sorted(after[0])
    assert after[1][0] in after[1][1:]
    assert all(len({*after[1][at : at + LONG_AGO]}) == LONG_AGO for at in range(len(after[1]) - LONG_AGO))


async def test_people_are_never_given_words(stage):
    table = stage.table(1).table

    assert [] == spoken(table, [Remark(0, sayings("One."))], range(50))
    assert {1, 2} == {seat for seq in range(50) for seat, _ in spoken(table, [about(0)], [seq])}


def about(seat, *texts, small=False):
    """Return a remark of others about a seat."""
    return Remark(seat, sayings(*(texts or ("One.", "Two."))), small=small, by_others=True)


async def test_nobody_speaks_about_themselves_as_of_another(stage):
    assert {2} == {seat for seq in range(50) for seat, _ in spoken(stage.table(1).table, [about(1)], [seq])}


async def test_news_comes_before_small_talk_and_need_not_wait_after_it(stage):
    table = stage.table(1).table
    small, news = Remark(1, sayings("Small."), small=True), Remark(2, sayings("News."))
    said = remark(table, 5, [small], Said())

    assert [(2, "News.")] == spoken(table, [small, news], [5])
    assert [(2, "News.")] == spoken(table, [news], [6], said)


async def test_small_talk_that_waits_for_a_row_is_dropped_when_something_happens(stage):
    """It would follow the news that has made it stale."""
    publisher = stage.table(1).publisher
    for text, small in (("So high?", True), ("A lie!", False)):
        publisher.remarks.add(publisher.line(f"*Ada says: {text}"), lambda person: True, small=small)
    publisher.remarks.drop_small_talk()
    publisher.remarks.say()

    assert ["*Ada says: A lie!"] == await heard(stage, "bob")


async def test_bot_makes_small_talk_rarely_if_nobody_else_speaks(stage):
    small = Remark(1, sayings(*map(str, range(99))), small=True)

    assert 5 == len(spoken(stage.table(1).table, [small], range(10 * APART)))


async def test_one_of_the_bots_always_speaks_at_the_end(stage, monkeypatch):
    monkeypatch.setattr(table_talk, "often", lambda name, *, small=False: 0)
    table = stage.table(1).table

    assert Said() == remark(table, 5, [Remark(1, sayings("One."))], Said())
    assert ("One.",) == remark(table, 5, [Remark(1, sayings("One."))], Said(), last=True).texts


def test_only_talkative_bots_make_small_talk():
    assert {"Ida", "Nora", "Vera"} == {name for name in HOUSE if often(name, small=True)}
    assert often("Otto") < often("Fritz") < often("Max") < often("Ada") < often("Ida")
    assert often("Ada") == often("Eva")


async def test_bots_without_a_temper_answer_at_a_daily_table_too(monkeypatch):
    """They make no remarks there."""
    monkeypatch.setattr(table_talk, "AFTER", 0.0)
    name, game = next((name, game) for name, game in games().items() if game.habits and not game.sealed)
    stage = await Stage.open({name: game}, settings=attrs.evolve(SETTINGS, house_talk=1))
    stage.enter("ann")
    await stage.type("ann", f"/daily {name}")
    await stage.type("ann", "hello Ada")

    (answer,) = await heard(stage, "ann")
    assert answer in [f"*Ada says: {text.format(name='ann')}" for text in answers("hello", "")]


async def test_talk_is_off_in_lessons_and_duplicate_tables(stage):
    talk = TableTalk(stage.table(1).runner, stage.table(1).publisher, talks=True)
    table = stage.table(1).table

    assert talk._talks(table)
    for field, value in (("lesson", 1), ("duplicate", "friday"), ("tournament", "1/2/3")):
        assert not talk._talks(attrs.evolve(table, header=attrs.evolve(table.header, **{field: value})))


async def test_talk_of_bots_counts_as_nobodys_activity_and_changes_no_entry_of_the_log(stage):
    """A remark isn't stored, and nobody is less idle by it."""
    await started(stage)
    people, seq = list(stage.people.values()), stage.table(1).table.seq
    before = [(person.name, person.activity.last) for person in people]
    stage.table(1).talk._say("Ada", "A fine day.")

    assert await heard(stage, "bob")
    assert before == [(person.name, person.activity.last) for person in people]
    assert seq == stage.table(1).table.seq
