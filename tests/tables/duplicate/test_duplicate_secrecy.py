"""Whatever is played at one table of a set, its other players notice nothing before their own game is over."""

import pytest

from lilygames.bus.local import LocalBus
from lilygames.chat.host.completion import completions
from lilygames.gametest.stage import Stage
from lilygames.store.memory import MemoryStore
from tests.toys import TALLY

OPEN = "/new tally duplicate=friday max=3 first-dealer=host"
LINES = (
    *("/watch 1", "/sit 1", "/join {room}", "/watch {room}", "/decline 1", "/invite ann", "/assess 1", "/rematch 1"),
    *("/log 1", "/replay 1", "/replay 1 as ann", "/export 1", "/verify 1", "/at 1", "/at 1 table", "/at 1 score"),
    *("/at 1 hand", "/at 1 log", "/at 1 history", "/at 1 moves", "/at 1 hint yes", "/at 1 kibitz hi", "/at 1 watchers"),
    *(
        "/review {room}",
        "/review ann",
        "/review",
        "/history",
        "/history ann",
        "/played ann",
        "/stats ann",
        "/finger ann",
    ),
    *(
        "/table",
        "/seats",
        "/status",
        "/hint",
        "/tables",
        "/seeks",
        "/who",
        "/what {room}",
        "/rooms",
        "/standings tally",
    ),
    *("/duplicate friday", "/daily", "/dicetest", "/score", "/log", "/export", "/undo", "/cut a", "/clock", "/games"),
)


class Clock:
    """A clock that stands still."""

    def __call__(self):
        return 1_800_000_000.0


async def settled(*stages):
    """Return when neither node has anything left to do or announce."""
    for _ in range(10):
        for stage in stages:
            await stage.quiet()
            await stage.node.roster.finish()


async def played(stage, other, number, pick):
    """Play a table to its end with the legal moves that `pick` chooses."""
    while number in stage.open_tables:
        bot = stage.table(number)
        seat = bot.table.to_move[0]
        await stage.type(
            bot.table.seats[seat].name, f"/at {number} {bot.table.game.spell(pick(bot.table.moves(seat)))}"
        )
        await settled(stage, other)


async def seen_by_bob(pick, *, over, own_over=False):
    """Return all that bob is shown or sent, while ann, at another node, plays his cards with the moves of `pick`."""
    store, bus = MemoryStore(), LocalBus()
    here, there = nodes = [await Stage.open(TALLY, store=store, bus=bus, seed=seed, clock=Clock()) for seed in "ab"]
    here.enter("ann")
    screen = there.enter("bob")
    screen.takes_packets = True
    await settled(*nodes)
    for line in (OPEN, "/house novice 2", "/start"):
        await here.type("ann", line)
        await settled(*nodes)
    room, bot = here.table(1).room.name, here.table(1)
    seen = await there.type("bob", OPEN)
    await settled(*nodes)
    await here.type("ann", f"/at 1 {bot.table.game.spell(pick(bot.table.moves(bot.table.to_move[0])))}")
    if over:
        await played(here, there, 1, pick)
    if own_over:
        await played(there, here, 2, lambda moves: moves[0])
    await settled(*nodes)
    seen += screen.rows
    for line in LINES:
        seen += [line, *await there.type("bob", line.format(room=room))]
    for text in ("/watch ", "/at ", "/log ", "/join ", "/sit ", "/replay ", "an", ";a"):
        seen += completions(there.host, there.people["bob"], text)
    for stage in nodes:
        await stage.node.end()
    return seen, [(packet.name, packet.value) for packet in screen.packets]


def first(moves):
    return moves[0]


def last(moves):
    return moves[-1]


@pytest.mark.parametrize("over", [False, True])
async def test_other_players_of_the_set_notice_nothing(over):
    shown, sent = await seen_by_bob(first, over=over)
    again, sent_again = await seen_by_bob(last, over=over)

    assert shown == again
    assert sent == sent_again


async def test_players_see_the_other_games_once_their_own_is_over():
    """So the test above can fail."""
    shown, _ = await seen_by_bob(first, over=True, own_over=True)
    again, _ = await seen_by_bob(last, over=True, own_over=True)

    assert shown != again
