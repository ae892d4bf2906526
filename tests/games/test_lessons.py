"""Lessons: each is played through without mistakes, and with every kind of mistake at every step."""

import itertools

import attrs
import pytest

from lilygames import lesson as lessons
from lilygames.edge.wire.screen_reader import ScreenReader
from lilygames.games import games
from lilygames.gametest.lessons import LEARNER, Learner, every_move
from lilygames.gametest.stage import Stage
from lilygames.lesson import Yours
from lilygames.store.memory import MemoryStore
from lilygames.text import Line, Voice
from tests.screens import opened, typed

TAUGHT = [game for game in games().values() if game.lesson]
FEWEST = 6
"""Decisions that a lesson leaves to the learner."""
pytestmark = pytest.mark.parametrize("game", [pytest.param(game, id=game.name) for game in TAUGHT])


async def test_lesson_ends_when_every_move_is_right(game):
    learner = await Learner.begun(game)
    decisions = 0
    while learner.bot:
        decisions += len(learner.legal()) > 1
        menu = learner.bot.questions.menu(game.lesson.learner)
        number = next((number for number in menu.prompted if menu.move(number) == learner.table.scripted[1]), None)
        await learner.type(str(number) if number is not None else learner.step().move)

    *said, following = [row for row in learner.rows if row.startswith(("Coach:", "Next:"))]
    assert FEWEST <= decisions
    assert "Next: 1. play now, 2. repeat this lesson, 3. read the rules." == following
    assert game.lesson.lines(game.lesson.end, Voice())[-1].startswith(said[-1].removeprefix("Coach: ")[:40])
    assert not [row for row in learner.rows if row.startswith(("Refused", "Usage", "(Something"))]


@pytest.mark.parametrize("spoken", [False, True])
async def test_lesson_does_not_end_with_a_deal_that_nobody_plays(game, spoken):
    learner = await Learner.begun(game, voice=Voice(spoken=spoken))
    shown = []
    while learner.bot:
        shown = await learner.go_on()

    assert [] == [row for row in shown if row.startswith(("Your hand", "You are dealt", "Your number", "Hand: "))]


async def test_coach_answers_every_mistake_and_asks_again(game):
    every = await every_move(game)
    learner = await Learner.begun(game)
    while learner.bot:
        step, before = learner.step(), learner.table
        wrong = learner.wrong(every)
        if wrong.legal:
            shown = await learner.type(f"/{wrong.legal}")
            assert shown[0].startswith("Coach: "), wrong
            assert [row for row in shown if "Your turn" in row]
        illegal = await learner.type(f"/{wrong.illegal}")
        assert [row for row in illegal if "Refused: " in row or "Usage: " in row], wrong
        assert [row for row in illegal if row.startswith("Coach: ")]
        assert [row for row in illegal if "Your turn" in row]
        unreadable = " ".join(" ".join(await learner.type(wrong.unreadable)).split())
        assert " ".join(game.lesson.lines(step.hint, Voice())) in unreadable
        assert before == learner.table
        await learner.go_on()


async def test_hint_in_a_lesson_is_what_the_coach_says_to_do(game):
    learner = await Learner.begun(game)
    while learner.bot:
        before = learner.table
        hint = " ".join(row.removeprefix("Coach: ").strip() for row in await learner.type("/hint"))
        assert " ".join(game.lesson.lines(learner.step().hint, Voice())) in " ".join(hint.split())
        assert before == learner.table
        await learner.go_on()


async def test_coach_has_a_comment_only_on_moves_that_are_legal_and_wrong(game):
    learner = await Learner.begun(game)
    while learner.bot:
        legal, right = learner.legal(), learner.right()
        for move in learner.step().wrong:
            assert move in legal or len(legal) == 100
            assert move != right
        await learner.go_on()


async def test_each_step_draws_the_luck_that_the_lesson_states(game, monkeypatch):
    drawn = []

    class Kept(lessons.Scripted):
        def __init__(self, *draws):
            super().__init__(*draws)
            drawn.append(self)

    monkeypatch.setattr(lessons, "Scripted", Kept)
    learner = await Learner.begun(game)
    while learner.bot:
        await learner.go_on()

    assert drawn
    assert all(luck.spent for luck in drawn)


async def test_lesson_leaves_nothing_behind(game):
    learner = await Learner.begun(game)
    while learner.bot:
        assert not [row for row in await learner.type("/tables") if game.title in row]
        assert 0 == learner.stage.host.playing()
        await learner.go_on()

    place = learner.stage.place
    heads = await place.tables.store.heads(["draws", "ratings", f"purse/{game.name}/{LEARNER}"])
    assert [] == await place.tables.results.played(LEARNER)
    assert [0, 0, 0] == [*heads.values()]


async def test_lesson_goes_on_after_a_restart_at_every_step(game):
    store = MemoryStore()
    learner = await Learner.begun(game, await Stage.open({game.name: game}, store=store))
    while learner.bot:
        before = learner.table
        stage = await Stage.open({game.name: game}, store=store)
        screen = stage.enter(LEARNER)
        learner = Learner(stage, game, screen.take())
        assert before == learner.table
        assert [row for row in learner.rows if row.startswith("Coach: ")] or not game.lesson.since_asked(before.made)
        assert [row for row in learner.rows if "Your turn" in row]
        await learner.go_on()


async def test_lesson_goes_on_after_a_dropped_connection(game):
    learner = await Learner.begun(game)
    while learner.bot:
        learner.stage.drop(LEARNER)
        rows = learner.stage.enter(LEARNER).take()
        assert [row for row in rows if "Your turn" in row]
        await learner.go_on()


@pytest.mark.parametrize("mode", ["line", "reader"])
async def test_lesson_fits_a_screen_of_forty_columns(game, mode):
    stage, screens = await opened({game.name: game}, ann=mode)
    screen = screens[LEARNER]
    await typed(stage, LEARNER, "/set width 40")
    screen.width = 200
    screen.take()
    await typed(stage, LEARNER, f"/learn {game.name}")
    rows = []
    while bots := [*stage.open_tables.values()]:
        await typed(stage, LEARNER, f"/{bots[0].table.step.move}")
        rows += screen.take()

    assert [row for row in rows if "Coach: " in row]
    assert [] == [row for row in rows if len(row) > 40]


SPOKEN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 .,:;?!'-")


def test_coach_says_only_what_a_screen_reader_says(game):
    lesson = game.lesson
    texts = [lesson.end, *itertools.chain.from_iterable(_texts(step) for step in lesson.steps)]
    lines = [Line(row) for text in texts for row in lesson.lines(text, Voice(spoken=True))]
    for row in ScreenReader().said(lines):
        assert set(row.text) <= SPOKEN, row


def _texts(step):
    return (step.say, *((step.hint, *step.wrong.values()) if isinstance(step, Yours) else ()))


async def test_changed_lesson_starts_again(game):
    store = MemoryStore()
    await Learner.begun(game, await Stage.open({game.name: game}, store=store))
    changed = attrs.evolve(game, lesson=attrs.evolve(game.lesson, version=game.lesson.version + 1))

    learner = Learner(await Stage.open({game.name: changed}, store=store), changed, [])

    assert learner.bot is None
    assert {} == await store.every("open")


async def test_leaving_a_lesson_ends_it(game):
    learner = await Learner.begun(game)
    rows = await learner.type("/leave")

    assert learner.bot is None
    assert [row for row in rows if f"/learn {game.name}" in row]
    assert "lobby" == learner.stage.people[LEARNER].room.name


@pytest.mark.parametrize("line", ["/undo", "/adjourn", "/clock 60", "/house", "/autopass"])
async def test_lesson_goes_on_by_moves_alone(game, line):
    learner = await Learner.begun(game)
    before = learner.table

    await learner.type(line)

    assert before == learner.table


async def test_quick_game_begins_from_the_room_of_a_lesson(game):
    learner = await Learner.begun(game)
    while learner.bot:
        await learner.go_on()
    await learner.type("1")

    (bot,) = learner.stage.open_tables.values()
    assert bot.table.lesson is None
    assert bot.table.started


async def test_lesson_is_listed_by_a_number(game):
    stage = await Stage.open({game.name: game})
    stage.enter(LEARNER)
    rows = await stage.type(LEARNER, "/learn")
    await stage.type(LEARNER, "1")

    assert f"1. {game.title}, {game.lesson.minutes} minutes" == rows[-1]
    assert Learner(stage, game, rows).table.lesson


async def test_lesson_that_a_guest_has_abandoned_is_closed(game):
    learner = await Learner.begun(game)
    place, bot = learner.stage.place, learner.bot
    learner.stage.people[LEARNER].set_guest(guest=True)
    place.host.accounts.names.pop(LEARNER)
    learner.stage.drop(LEARNER)
    bot.clock.now = lambda: 0.0
    await place.abandoned_seats.look()
    bot.clock.now = lambda: 3600.0
    await place.abandoned_seats.look()
    await learner.stage.quiet()

    assert learner.bot is None
    assert bot.table.closed
