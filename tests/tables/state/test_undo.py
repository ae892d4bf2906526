"""`/undo`: back to your last decision.

If something was drawn or shown since then, only a player alone with bots may undo, and the game doesn't count.
"""

import random

import pytest

from lilygames import codec
from lilygames.bus.local import LocalBus
from lilygames.gametest.stage import Stage
from lilygames.server.shell import exports
from lilygames.tables.log.acts import Body, Header, Moved, Noted, Seated, Sitter, Start, Undone, UndoneUncounted
from lilygames.tables.seal.seal import seal_of
from lilygames.tables.state.table import UNDOABLE, Table
from lilygames.tables.state.undo import last_decision, revelations
from lilygames.tables.verify.export import export
from lilygames.tables.verify.verify import verify
from lilygames_rules.kit import Refused
from tests.schemas import misfits
from tests.toys import ALL, installed

GAMES = ALL
ASKED = "Something was drawn or revealed since then. If you undo that, this game no longer counts"
FREE = "The last 3 moves were taken back."
NOTHING = "This game no longer counts."


class Watch:
    """A clock that a test sets."""

    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
async def dealer(store):
    """A stage with all games, on which ann and bob are in the lobby."""
    return await opened(store, "5")  # ann bids first


@pytest.fixture
async def croupier(store):
    """The same stage with other cards."""
    return await opened(store, "7")


async def opened(store, seed):
    stage = await Stage.open(GAMES, store=store, seed=seed, ids=False)  # the cards follow from what the log says
    for name in ("ann", "bob"):
        stage.enter(name)
    return stage


async def alone(stage, line, house=2):
    """Let ann begin a game with bots, and return its table."""
    await stage.type("ann", line)
    await stage.type("ann", f"/house {house}")
    await stage.type("ann", "/start")
    return next(bot for bot in stage.open_tables.values() if bot.seat_of("ann") is not None)


def told(rows):
    return " ".join(" ".join(row.split()) for row in rows)


def seen(bot):
    """Return the game's whole state, and everyone's legal moves."""
    return bot.table.state, [tuple(bot.table.moves(seat)) for seat in range(len(bot.table.seats))]


# Back to your own last decision.


async def test_moves_of_bots_are_taken_back_too(dealer):
    """Ann bids first and two bots bid after her; she gets her own bid back, not the last of theirs."""
    bot = await alone(dealer, "/new tally")
    before = seen(bot)
    await dealer.type("ann", "bid 0")
    assert before != seen(bot)
    rows = await dealer.type("ann", "/undo")

    assert [f"{FREE}", "Your turn: bid 0 or 1."] == rows
    assert before == seen(bot)
    assert (True, "Undone") == (bot.table.counted, await last_act(dealer, 1))


async def last_act(stage, number):
    _, entries = await stage.tables.archive.read(number)
    return codec.from_text(entries[-1].body, Body).act.__class__.__name__


async def test_nothing_can_be_taken_back_before_the_first_decision(dealer):
    await alone(dealer, "/new tally")

    assert ["Refused: you can't undo anything now. Type /history to see what was played."] == await dealer.type(
        "ann", "/undo"
    )


async def test_undo_goes_back_from_decision_to_decision(dealer):
    """The second undo takes back the decision before, however many others moved in between."""
    installed("liarspoker")
    bot = await alone(dealer, "/new liarspoker opener=random hands=3")
    stands = []
    for _ in range(2):
        assert bot.question(dealer.people["ann"])
        stands.append(seen(bot))
        await dealer.type("ann", next(word for word in bot.words(dealer.people["ann"]) if word.startswith("bid")))
    assert not bot.table.state.match.sheet
    backwards = []
    for _ in range(2):
        await dealer.type("ann", "/undo")
        backwards.append(seen(bot))

    assert stands == backwards[::-1]


async def test_spectator_cannot_undo(dealer):
    await alone(dealer, "/new tally")
    await dealer.type("bob", "/watch tally")

    assert "Refused: only players at tally can undo" in told(await dealer.type("bob", "/undo"))


async def test_undo_is_not_for_an_adjourned_or_finished_game(dealer):
    await alone(dealer, "/new tally")
    await dealer.type("ann", "bid 0")
    await dealer.type("ann", "/adjourn")

    assert "Refused: the game is adjourned" in told(await dealer.type("ann", "/undo"))
    await dealer.type("ann", "/resume")
    assert FREE in told(await dealer.type("ann", "/undo"))


async def test_automatic_pass_of_a_player_is_not_undone(dealer):
    bot = await alone(dealer, "/new tally")
    await dealer.type("ann", "bid 0")
    bot.autopass._passing.add("ann")

    assert "Refused: /autopass is on" in told(await dealer.type("ann", "/undo"))


# Something was drawn or shown.


async def one_trick(stage, line="/new tally"):
    """Let ann bid and play her only card, so that the next hand is dealt."""
    bot = await alone(stage, line)
    await stage.type("ann", "bid 0")
    before = seen(bot)
    await stage.type("ann", "1")
    return bot, before


async def test_undo_alone_with_bots_asks_once_and_then_the_game_does_not_count(dealer):
    bot, before = await one_trick(dealer)
    stood = seen(bot)
    assert ASKED in told(await dealer.type("ann", "/undo"))
    assert (stood, True) == (seen(bot), bot.table.counted)
    rows = told(await dealer.type("ann", "/undo yes"))

    assert f"moves were taken back. {NOTHING}" in rows
    assert (before, False) == (seen(bot), bot.table.counted)
    assert "UndoneUncounted" == await last_act(dealer, 1)

    await dealer.type("ann", "1")
    assert NOTHING in told(await dealer.type("ann", "/undo"))


async def test_such_a_move_stands_in_a_game_with_other_people(dealer):
    """It also stands if a bot keeps the other player's seat."""
    bot = await together(dealer)
    for name in ("ann", "bob", "ann"):
        assert bot.question(dealer.people[name])
        await dealer.type(name, bot.words(dealer.people[name])[0])

    assert "something was drawn or revealed since then." in told(await dealer.type("ann", "/undo yes"))
    await bot.room.do(lambda: bot.house.substitute(1, "ann"))
    assert "something was drawn or revealed since then." in told(await dealer.type("ann", "/undo yes"))
    assert bot.table.counted


async def together(stage):
    """Let ann and bob begin a game of Tally with a bot to their left."""
    await stage.type("ann", "/new tally")
    await stage.type("bob", "/sit tally")
    await stage.type("ann", "/house")
    await stage.type("ann", "/start")
    return stage.table(1)


async def test_other_words_are_refused(dealer):
    await alone(dealer, "/new tally")

    assert ["Refused: type /undo, or /undo yes to confirm."] == await dealer.type("ann", "/undo all")


# Its price.


async def finish(stage, bot):
    """Finish the game with the first listed moves."""
    while not bot.over:
        await stage.quiet()
        if bot.question(stage.people["ann"]):
            await stage.type("ann", f"/at {bot.table.header.number} {bot.words(stage.people['ann'])[0]}")


async def test_game_that_does_not_count_is_not_rated_or_in_statistics(dealer):
    bot = await alone(dealer, "/new tally max=3 first-dealer=host")
    await dealer.type("ann", bot.words(dealer.people["ann"])[0])
    await dealer.type("ann", bot.words(dealer.people["ann"])[0])
    await dealer.type("ann", "/undo yes")
    assert not bot.table.counted
    dealer.screens["ann"].take()
    await finish(dealer, bot)
    rows = told(dealer.screens["ann"].rows)

    assert {} == dealer.tables.results.ratings.known
    assert ["(none of these games count)"] == (await dealer.type("ann", "/played"))[-1:]
    assert "doesn't count" in (await dealer.type("ann", "/played"))[0]
    assert "played" not in told(await dealer.type("bob", "/finger ann"))
    assert "This game didn't count because moves were taken back." in rows
    assert "Match: " in told(await dealer.type("ann", "/verify 1"))


async def test_free_undo_leaves_a_game_rated(dealer):
    bot = await alone(dealer, "/new tally")
    await dealer.type("ann", "bid 0")
    await dealer.type("ann", "/undo")
    await finish(dealer, bot)

    assert {"tally 3-4 house"} == {*dealer.tables.results.ratings.known}
    assert "(1 game; 100 % finished)" == (await dealer.type("ann", "/played"))[-1]


async def played_on(stage, bot, enough):
    """Let ann check, call or fold at poker until it is `enough`."""
    for _ in range(300):
        await stage.quiet()
        if enough():
            return
        if bot.question(stage.people["ann"]):
            words = bot.words(stage.people["ann"])
            await stage.type("ann", next(word for word in words if word in ("check", "call", "stand", "fold")))
    raise AssertionError("it never was")


async def chips(stage, *, lost):
    """Let ann play poker until she is behind or ahead, then undo; return the amount before that."""
    installed("lilypoker")
    bot = await alone(stage, "/new lilypoker")

    def far_enough():
        change, decision = bot.table.game.purse.changes(bot.table.view(None))[0], last_decision(bot.table, 0)
        far = change < 0 if lost else change > 0
        return far and decision and any(revelations(bot.table, bot.table.taken_back(decision.to)))

    await played_on(stage, bot, far_enough)
    assert NOTHING in told(await stage.type("ann", "/undo yes"))
    return bot, bot.table.owed[0]


@pytest.mark.parametrize("lost", [True, False])
async def test_chips_lost_before_stay_lost_and_none_are_won(croupier, lost):
    """Otherwise players would undo to get lost chips back, or to win for sure."""
    installed("lilypoker")
    held = await croupier.tables.purses.held(GAMES["lilypoker"], "ann")
    _, owed = await chips(croupier, lost=lost)
    await croupier.type("ann", "/leave")
    await croupier.quiet()

    assert (owed < 0) == lost
    assert held + min(0, owed) == await croupier.tables.purses.held(GAMES["lilypoker"], "ann")
    assert 0 == await croupier.tables.stakes.staked(GAMES["lilypoker"], "ann")


async def test_question_says_what_happens_to_chips(dealer):
    installed("lilypoker")
    bot = await alone(dealer, "/new lilypoker")
    await played_on(dealer, bot, lambda: bot.table.state.match.played and last_decision(bot.table, 0))
    rows = told(await dealer.type("ann", "/undo"))

    assert "You can't win anything then, and you still lose what you have lost so far." in rows


# Clocks.


async def test_clocks_return_to_their_readings_after_the_target_entry(dealer):
    """The time that the undone decisions took or gained is given back; nobody else's clock changes."""
    watch = Watch()
    await dealer.type("ann", "/new tally clock=10m+5")
    await dealer.type("bob", "/sit tally")
    await dealer.type("ann", "/house")
    bot = dealer.table(1)
    bot.clock.now = watch
    await dealer.type("ann", "/start")
    watch.now = 100
    await dealer.type("ann", "bid 0")
    watch.now = 150
    asked = clocks(bot, watch.now - 50)
    await dealer.type("bob", bot.words(dealer.people["bob"])[0])
    watch.now = 175
    await dealer.type("bob", "/undo")
    await dealer.type("ann", "/undo")

    assert asked == clocks(bot, watch.now)
    assert [1] == [*bot.clock.clocks.turns]
    watch.now = 180
    assert 595 == bot.clock.clocks.left(1, watch.now)


def clocks(bot, now):
    reading = bot.clock.clocks.reading(now)
    turns = {seat: (turn.spent, turn.away, turn.warned, turn.late) for seat, turn in reading.turns.items()}
    return dict(reading.banks), dict(reading.graces), turns


async def test_clocks_are_the_same_after_a_restart(dealer, store):
    """The log alone gives the clocks at the entry that the undo went back to."""
    watch = Watch()
    dealer.host.clock = watch
    store.clock = watch
    bot = await alone(dealer, "/new tally clock=10m+5")
    bot.clock.now = watch
    for line in ("bid 0", "/undo", "bid 1", "/undo"):
        watch.now += 60
        await dealer.type("ann", line)
    again = await Stage.open(GAMES, store=store)

    assert bot.clock.clocks._bank(0) == again.table(1).clock.clocks._bank(0) == 600


async def test_move_clock_starts_again(dealer):
    watch = Watch()
    await dealer.type("ann", "/new tally clock=60")
    await dealer.type("ann", "/house 2")
    bot = dealer.table(1)
    bot.clock.now = watch
    await dealer.type("ann", "/start")
    watch.now = 40
    await dealer.type("ann", "bid 0")
    watch.now = 70
    await dealer.type("ann", "/undo")

    assert 60 == bot.clock.clocks.left(0, watch.now)


async def test_change_of_clock_since_then_is_taken_back_with_the_moves(dealer):
    bot = await alone(dealer, "/new tally clock=10m+5")
    await dealer.type("ann", "bid 0")
    await dealer.type("ann", "/pace 60")
    await dealer.type("ann", "/undo")

    assert "10m+5s" == str(bot.table.clock)


# With other people.


async def test_everyone_agrees_to_the_same_place(dealer):
    """Bob asks for his own last decision. With /undo ann agrees to that, and not to one of her own."""
    bot = await together(dealer)
    await dealer.type("ann", "bid 0")
    before = seen(bot)
    await dealer.type("bob", "bid 0")
    rows = await dealer.type("bob", "/undo")
    assert "You want to undo. To agree, ann can type /undo." in rows
    await dealer.type("ann", "/undo")

    assert before == seen(bot)
    assert bot.question(dealer.people["bob"])


async def test_move_in_between_ends_the_request(dealer):
    bot = await together(dealer)
    await dealer.type("ann", "bid 0")
    await dealer.type("ann", "/undo")
    await dealer.type("bob", "bid 0")

    assert bot.proposals.wished_undo is None
    assert "You want to undo. To agree, ann can type /undo." in await dealer.type("bob", "/undo")


async def test_request_that_a_move_has_ended_stays_ended_after_a_restart(dealer, store):
    """The log holds notes and moves alike."""
    await together(dealer)
    await dealer.type("ann", "bid 0")
    await dealer.type("ann", "/undo")
    open_wish = (await Stage.open(GAMES, store=store)).table(1).proposals.wished_undo
    await dealer.type("bob", "bid 0")
    again = await Stage.open(GAMES, store=store)

    assert open_wish is not None
    assert again.table(1).proposals.wished_undo is None


# Readers.


async def test_logs_history_and_replays_show_the_undone_moves(dealer):
    bot, _ = await one_trick(dealer)
    await dealer.type("ann", "/undo yes")
    for line in ("/log", "/history"):
        assert f"taken back. {NOTHING}" in told(await dealer.type("ann", line))
    await finish(dealer, bot)
    rows = [row for step in range(1, 15) for row in await dealer.type("ann", f"/replay 1 {step}")]
    header, entries = await dealer.tables.archive.read(1)

    assert f"taken back. {NOTHING}" in told(rows)
    assert verify(header, entries, GAMES).match
    assert f"taken back. {NOTHING}" in told(exports.replay("\n".join(export(header, entries)), installed=GAMES))


async def test_programs_are_told_and_shown_the_table_as_it_was(dealer):
    dealer.screens["ann"].takes_packets = True
    await alone(dealer, "/new tally")
    before = {packet.name: packet.value for packet in dealer.screens["ann"].packets}
    await dealer.type("ann", "bid 0")
    dealer.screens["ann"].packets.clear()
    await dealer.type("ann", "/undo")
    packets = [{packet.name: packet.value} for packet in dealer.screens["ann"].packets]
    after = {packet.name: packet.value for packet in dealer.screens["ann"].packets}

    assert {"is": "Undone", "moves": 3, "counted": True} == packets[0]["event"]["event"]
    assert [] == [wrong for packet in packets for wrong in misfits(packet)]
    for name in ("view", "hand", "moves"):  # `seq` counts the entries of the log, which only grows
        assert {**before[name], "seq": 0} == {**after[name], "seq": 0}


async def test_other_node_goes_back_as_well(store):
    bus = LocalBus()
    here, there = [await Stage.open(GAMES, store=store, seed=seed, bus=bus) for seed in "12"]
    try:
        here.enter("ann")
        bot = await alone(here, "/new tally")
        await here.type("ann", "bid 0")
        there.enter("bob")
        await there.type("bob", "/watch tally")
        await here.type("ann", "/undo")
        await there.tables.following.follow(1)
        await there.quiet()

        assert (bot.table, seen(bot)) == (there.table(1).table, seen(there.table(1)))
    finally:
        for stage in (here, there):
            await stage.node.end()


async def test_adjourned_table_that_went_back_is_the_same_after_a_restart(dealer, store):
    bot, _ = await one_trick(dealer)
    await dealer.type("ann", "/undo yes")
    again = await Stage.open(GAMES, store=store)

    assert (bot.table, seen(bot)) == (again.table(1).table, seen(again.table(1)))
    assert not again.table(1).table.counted


async def test_quick_seats_nobody_where_the_game_does_not_count(croupier):
    bot, _ = await chips(croupier, lost=False)
    installed("lilypoker")
    await croupier.type("bob", "/quick lilypoker")

    assert None is bot.seat_of("bob")


def begun(name, seats, seed, **chosen):
    """Return a started table of a game, as its log would give it."""
    game, secret = installed(name)[name], seed.to_bytes(32, "big")
    options = codec.dump(game.rules.Options(**chosen))
    header = Header(1, name, game.rules.VERSION, name, options, seal_of(secret), "ann")
    table = Table(header, game, secret)
    for seat in range(seats):
        table, _ = table.after(Seated(seat, Sitter(f"p{seat}")))
    purse = game.purse
    purses = tuple(purse.brings(table.options, purse.first) for _ in range(seats)) if purse else ()
    return table.after(Start(purses))[0]


@pytest.mark.parametrize("name", GAMES)
def test_every_game_can_go_back_to_each_of_the_last_moves(name):
    """The state is the one after the target entry, and play goes on from there as before."""
    luck = random.Random(name)
    for seed in range(4):
        table, states = begun(name, 4, seed), {}
        for _ in range(150):
            if not table.going:
                break
            states[table.seq] = table.state
            if table.past and luck.random() < 0.15:
                to = luck.choice(table.past).to
                table, _ = table.after(luck.choice((Undone, UndoneUncounted))(to))
                assert states[to] == table.state
                assert all(one.to < to for one in table.past)
            elif luck.random() < 0.1:
                table, _ = table.after(Noted("agreed", "p0", "pace none"))
            else:
                seat = luck.choice([seat for seat in range(4) if table.moves(seat)])
                moves = table.moves(seat)
                move = moves[luck.randrange(min(len(moves), 12))]
                table, _ = table.after(Moved(seat, codec.dump(move)))
        assert len(table.past) <= UNDOABLE


def test_move_of_long_ago_cannot_be_taken_back():
    table = begun("tally", 3, 1, max=7)
    while len(table.past) < UNDOABLE or table.past[0].to < 10:
        seat = next(seat for seat in range(3) if table.moves(seat))
        table, _ = table.after(Moved(seat, codec.dump(table.moves(seat)[0])))
    with pytest.raises(Refused) as no:
        table.after(Undone(5))

    assert ("no-undo", UNDOABLE) == (no.value.code, len(table.past))


# Whether something was drawn or shown.


def made(table, *moves):
    """Return the table after some seats typed these moves: `0 bid 1`."""
    for text in moves:
        seat, _, typed = text.partition(" ")
        move = next(one for one in table.moves(int(seat)) if table.game.spell(one) == typed)
        table, _ = table.after(Moved(int(seat), codec.dump(move)))
    return table


def more(table):
    return any(revelations(table, table.past))


def test_bids_claims_and_challenges_show_only_themselves():
    """This holds for all bids until something is counted: an auction of Liar's Poker, and bids at Tally."""
    auction = begun("liarspoker", 3, 3)
    first = next(seat for seat in range(3) if auction.moves(seat))
    said = made(auction, f"{first} bid 2 sevens", f"{(first + 1) % 3} bid 3 ones", f"{(first + 2) % 3} challenge")

    assert not more(said)
    assert not more(made(said, f"{first} bid 3 twos"))
    assert more(made(said, f"{first} challenge", f"{(first + 1) % 3} stand"))


def test_card_from_a_hand_shows_more():
    table = begun("tally", 3, 1, max=7)
    for _ in range(3):
        table = first_of_list(table)
    assert not more(table)

    assert more(first_of_list(table))


def first_of_list(table):
    """Return the table after the seat on turn has made its first listed move."""
    seat = next(seat for seat in range(3) if table.moves(seat))
    return made(table, f"{seat} {table.game.spell(table.moves(seat)[0])}")


def test_look_under_the_cup_shows_more_even_if_all_others_know_the_dice():
    """With two players, the other has passed the dice and knows them; only the one who looks learns something."""
    table = begun("liedie", 2, 1)
    first = table.state.turn.seat
    table = made(table, f"{first} {table.game.spell(table.moves(first)[0])}")
    assert not more(table)

    assert more(made(table, f"{1 - first} accept"))


def test_rolled_dice_are_drawn():
    table = begun("liarsdice", 3, 1)
    first = table.state.passing.holder

    assert more(made(table, f"{first} roll all"))
