"""Bots' seats of quick tables: a newcomer watches, and gets one when the next round begins."""

import pytest

from lilygames.games import games
from lilygames.gametest.stage import Stage
from lilygames.tables.sight.positions import round_of
from lilygames.tables.sight.sight import picture_of

OLGA, BOB, CAT = "Olga", "Bob", "Cat"


def said(rows):
    return " ".join(" ".join(rows).split())


class Evening:
    """Olga at a quick table with two bots, and others who come later."""

    def __init__(self, stage):
        self.stage = stage

    @property
    def bot(self):
        return self.stage.table(1)

    @property
    def seats(self):
        return [who.name for who in self.bot.table.seats]

    async def move(self):
        """Let Olga make her move once she is asked."""
        await self.stage.quiet()
        await self.stage.type(OLGA, f"/{self.bot.words(self.stage.people[OLGA])[0]}")
        await self.stage.quiet()

    async def until_next_round(self):
        before = round_of(self.bot.table)
        while round_of(self.bot.table) == before:
            await self.move()


@pytest.fixture
async def evening(store):
    stage = await Stage.open({"ohell": games()["ohell"]}, store=store)
    for name in (OLGA, BOB, CAT):
        stage.enter(name)
    await stage.type(OLGA, "/quick ohell seats=3 max=3")
    return Evening(stage)


async def test_newcomer_watches_until_the_next_round_begins(evening):
    before = evening.seats
    rows = said(await evening.stage.type(BOB, "/sit 1"))

    assert "You get a bot's seat when the next round begins. Until then you watch." in rows
    assert before == evening.seats
    assert evening.bot.room is evening.stage.people[BOB].room
    assert "Bob takes a bot's seat when the next round begins." in said(evening.stage.screens[OLGA].take())


async def test_newcomer_gets_a_seat_when_the_next_round_begins(evening):
    await evening.stage.type(BOB, "/sit 1")
    await evening.until_next_round()

    assert [OLGA, BOB] == [who.name for who in evening.bot.table.seats.people]
    assert "You sit here with Olga" in said(evening.stage.screens[BOB].take())


async def test_newcomer_sees_no_card_of_the_round_that_goes_on(evening):
    """They are shown what every spectator is shown."""
    await evening.stage.type(CAT, "/watch 1")
    await evening.stage.type(BOB, "/sit 1")
    evening.stage.screens[CAT].take()
    evening.stage.screens[BOB].take()
    await evening.move()

    assert said(evening.stage.screens[CAT].take()) == said(evening.stage.screens[BOB].take())


async def test_person_is_told_what_to_do_when_others_wait_for_all_seats(evening):
    evening.stage.enter("dan")
    await evening.stage.type(BOB, "/sit 1")
    await evening.stage.type(CAT, "/sit 1")

    assert "others are already waiting for every bot's seat" in said(await evening.stage.type("dan", "/sit 1"))


async def test_person_who_leaves_gets_no_seat(evening):
    await evening.stage.type(BOB, "/sit 1")
    await evening.stage.type(BOB, "/leave 1")
    await evening.stage.type(BOB, "/join lobby")
    evening.stage.drop(BOB)
    await evening.until_next_round()

    assert [OLGA] == [who.name for who in evening.bot.table.seats.people]


async def test_seat_is_given_at_the_beginning_of_a_round(evening):
    """Nobody plays a hand that a bot has bid with."""
    await evening.stage.type(BOB, "/sit 1")
    await evening.until_next_round()
    table = evening.bot.table
    taken = next(seat for seat, who in enumerate(table.seats) if who.name == BOB)

    assert "no bid" == picture_of(table, None).seats[taken].values[0]


async def test_seats_that_people_left_are_kept_for_them(evening):
    """Bob's seat is played by a bot while he is away: it isn't anyone's to take."""
    await evening.stage.type(BOB, "/sit 1")
    await evening.stage.type(CAT, "/sit 1")
    await evening.until_next_round()
    evening.stage.enter("dan")

    assert "has already started" in said(await evening.stage.type("dan", "/sit 1"))


async def test_newcomer_has_no_part_in_the_ratings(evening):
    await evening.stage.type(BOB, "/sit 1")
    await evening.until_next_round()
    while 1 in evening.stage.open_tables:
        bot = evening.bot
        await evening.stage.quiet()
        for name in (OLGA, BOB):
            if 1 in evening.stage.open_tables and bot.question(evening.stage.people[name]):
                await evening.stage.type(name, f"/{bot.words(evening.stage.people[name])[0]}")
    results = evening.stage.tables.results

    assert [] == await results.played(BOB)
    assert 3 == (await results.played(OLGA))[0].seats


@pytest.mark.parametrize("game", [name for name, game in games().items() if game.players and not game.joins])
async def test_every_game_of_rounds_has_a_seat_at_the_next_one(game):
    stage = await Stage.open({game: games()[game]})
    for name in (OLGA, BOB):
        stage.enter(name)
    await stage.type(OLGA, f"/quick {game} seats=3")
    await stage.type(BOB, "/sit 1")
    evening, first = Evening(stage), round_of(stage.table(1).table)
    while 1 in stage.open_tables and round_of(evening.bot.table) == first:
        await evening.move()

    assert 1 not in stage.open_tables or BOB in evening.seats


async def test_private_quick_table_gives_no_seat_away(store):
    stage = await Stage.open({"ohell": games()["ohell"]}, store=store)
    for name in (OLGA, BOB):
        stage.enter(name)
    await stage.type(OLGA, "/quick ohell seats=3 private=on")
    await stage.type(BOB, "/sit 1")

    assert [OLGA] == [who.name for who in stage.table(1).table.seats.people]
    assert BOB not in stage.table(1).room.people


async def test_table_of_new_asks_its_players_as_before(store):
    stage = await Stage.open({"ohell": games()["ohell"]}, store=store)
    for name in (OLGA, BOB):
        stage.enter(name)
    for line in ("/new ohell", "/house 2", "/start"):
        await stage.type(OLGA, line)

    assert "Olga types /invite Bob" in said(await stage.type(BOB, "/sit 1"))


async def test_greeting_offers_a_bots_seat_by_number(evening):
    evening.stage.drop(BOB)
    rows = said(evening.stage.enter("dan").take())

    assert f"Ohell with {OLGA}, next round" in rows
    number = rows.split(f". Ohell with {OLGA}, next round", 1)[0][-1]
    assert "You get a bot's seat when the next round begins." in said(await evening.stage.type("dan", number))


async def test_quick_says_whom_to_join(evening):
    rows = said(await evening.stage.type(BOB, "/quick"))

    assert f"{OLGA} plays Ohell with 2 bots. Type /sit 1 to join in the next round." in rows
