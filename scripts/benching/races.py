"""Measurements without sockets: random games against other engines, group commits against single ones, and moves.

Each measurement runs for both sides in turn; its figure is the work done per second, or the cost of a move.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from load import ROOT, Result

sys.path.insert(0, str(ROOT))

from lilygames.chat.people.people import Person
from lilygames.games import games
from lilygames.gametest.stage import SETTINGS, Stage
from lilygames.server.place.place import furnish
from lilygames.store.sqlite.sqlite import SqliteStore
from lilygames.tables.log.options import frame
from lilygames.tables.open.opening import Plan
from lilygames.tables.room import seating

CARDS, SEATS = 10, 4
"""Cards and seats of a round of Ohell."""
SECONDS = 1.0
"""Processor seconds for each side and round."""
Playout = Callable[[], None]


def raced(kind: str, floor: Callable[[], Playout], ours: Callable[[], Playout]) -> Result:
    """Return how many playouts one side does per second of processor time."""
    playout, number = (floor if kind == "floor" else ours)(), 0
    playout()
    begun = time.process_time()
    while (used := time.process_time() - begun) < SECONDS:
        playout()
        number += 1
    return Result({"a CPU second": number / used})


class QuickLuck:
    """The fastest luck that Python has, as other engines' drivers use: for search, not for tables."""

    def shuffle(self, items: Any) -> tuple[Any, ...]:
        """Return the items in a random order."""
        return tuple(sorted(items, key=lambda _: random.random()))  # noqa: S311 - a game at random

    def choice(self, items: Any) -> Any:
        """Return one of the items."""
        return items[int(random.random() * len(items))]  # noqa: S311

    def roll(self, sides: int) -> int:
        """Return a number from 1 on."""
        return 1 + int(random.random() * sides)  # noqa: S311

    def coin(self) -> bool:
        """Return one side or the other."""
        return random.random() < 0.5  # noqa: S311, PLR2004

    def for_(self, *_: Any) -> QuickLuck:
        """Return the same luck, whatever the purpose."""
        return self

    def pick(self, items: Any, allowed: Any = None) -> Any:
        """Return one of the allowed items."""
        return self.choice(allowed or items)

    def order(self, _: Any, present: Any) -> tuple[Any, ...]:
        """Return the items that are present in a random order."""
        return self.shuffle(present)


def _openspiel(name: str) -> Playout:
    """Return a playout in OpenSpiel, driven from Python by `legal_actions` alone, including chance."""
    import open_spiel.python.games.liars_poker  # noqa: F401, PLC0415 - it registers a game
    import pyspiel  # noqa: PLC0415 - in the optional group oracles

    game = pyspiel.load_game(name)

    def playout() -> None:
        state = game.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[int(random.random() * len(actions))])  # noqa: S311

    return playout


def _playout(rules: Any, begin: Callable[[], Any]) -> None:
    """Play one of our games to its end by random moves, with every check and event."""
    state, luck = begin(), QuickLuck()
    while (seat := rules.turn(state)) is not None:
        moves = rules.moves(state, seat)
        state = rules.apply(state, seat, moves[int(random.random() * len(moves))], luck).state  # noqa: S311


def ohell(kind: str) -> Result:
    """One round of four seats, ten cards each, one deck: 44 decisions."""
    theirs = f"oh_hell(players={SEATS},num_tricks_fixed={CARDS},off_bid_penalty=true)"
    return raced(kind, partial(_openspiel, theirs), _ohell_round)


def _ohell_round() -> Playout:
    """Return a playout of our rules: the same round."""
    from lilygames_rules import ohell as rules  # noqa: PLC0415
    from lilygames_rules.cards import DECK  # noqa: PLC0415
    from lilygames_rules.tricks import exactbid  # noqa: PLC0415 - each race asks for what it needs

    options, rounds = rules.Options(max=CARDS, decks=1), 2 * CARDS - 1
    last = rules.Match(options, SEATS, 0, CARDS, (0,) * SEATS, (None,) * (rounds - 1))  # type: ignore[arg-type]

    def begin() -> rules.State:
        hands, turned = exactbid.hand_out(range(SEATS), 0, CARDS, DECK, QuickLuck())
        trump = turned.suit if turned else None
        deal = exactbid.Deal(rounds, CARDS, tuple(range(SEATS)), 0, turned, trump)
        return rules.State(last, exactbid.opened(deal, hands))

    return partial(_playout, rules, begin)


def liarspoker(kind: str) -> Result:
    """One hand between two, numbers of eight digits from 1 to 9, rebids and all."""
    from lilygames_rules import liarspoker as rules  # noqa: PLC0415
    from lilygames_rules.bidding.ladder import Auction  # noqa: PLC0415
    from lilygames_rules.bidding.slips import LONG, Slip  # noqa: PLC0415

    options = rules.Options(
        numbers="bills", hands=1, bonus=False, sixes=False, hero=False, skunk=False, progressive=False
    )
    match = rules.Match(options, (0, 1), (0, 1), (0, 0), 0, 0, lines=(1,))

    def begin() -> rules.State:
        numbers = ("".join(random.choices("123456789", k=LONG)) for _ in range(2))  # noqa: S311
        bills = tuple(Slip("AA", (number,)) for number in numbers)
        return rules.State(match, bills, auction=Auction((0, 1), 2 * LONG, rebids=True, turn=0))

    theirs = f"python_liars_poker(players=2,hand_length={LONG},num_digits=9)"
    return raced(kind, partial(_openspiel, theirs), lambda: partial(_playout, rules, begin))


def poker(kind: str, variant: str, limit: str) -> Result:
    """One hand of four seats with 100 chips; both sides raise, fold and draw equally often."""
    import hands  # noqa: PLC0415 - it asks for pokerkit, of the oracles group

    return raced(kind, partial(hands.theirs, variant, limit), partial(hands.ours, variant, limit))


class Alone(SqliteStore):
    """Commits one call at a time."""

    def _commit(self, jobs: Any) -> None:
        for job in jobs:
            super()._commit([job])


@asynccontextmanager
async def _store(kind: str) -> AsyncIterator[SqliteStore]:
    """Open a store in a folder of its own, and close it before the folder goes, or it would rescue its data."""
    with tempfile.TemporaryDirectory(dir=".") as folder:
        store = (Alone if kind == "floor" else SqliteStore).open(Path(folder) / "moves.db")
        try:
            yield store
        finally:
            await store.close()


async def _moves(store: SqliteStore, tables: int, seconds: float) -> float:
    """Return the moves per second of so many tables of bots, each on the disk before it is told."""
    place = await furnish(store, SETTINGS, games())
    host, game = Person("ann", guest=False, room=place.host.lobby), place.tables.game("ohell")
    agreed = Plan(game, game.rules.Options(max=10, decks=1), frame(game, ())[0])  # type: ignore[attr-defined]
    bots = []
    for _ in range(tables):
        bot = await place.tables.opening.new(agreed, host)
        await seating.house(bot, "novice", 4)
        bots.append(bot)
    await asyncio.gather(*(bot.shuffle.begin("table") for bot in bots))  # together, so that no game ends early
    before, begun = sum(bot.table.seq for bot in bots), time.perf_counter()
    await asyncio.sleep(seconds)
    made = sum(bot.table.seq for bot in bots) - before
    return made / (time.perf_counter() - begun)


def moves(kind: str, tables: int) -> Result:
    """Moves per second of so many tables of bots without pauses, each durable."""
    return Result({"durable moves a s": asyncio.run(_in_store(kind, tables, 3.0))})


async def _in_store(kind: str, tables: int, seconds: float) -> float:
    async with _store(kind) as store:
        return await _moves(store, tables, seconds)


async def _told(tables: int, rounds: int) -> float:
    """Return the CPU seconds of a move that is typed, checked, logged, told to four people and answered by a turn."""
    stage, used, made = await Stage.open(games()), 0.0, 0
    for table in range(tables):
        host, *others = (f"p{table}x{seat}" for seat in range(SEATS))
        for name in (host, *others):
            stage.enter(name)
        await stage.type(host, f"/new ohell max={CARDS} decks=1 {' '.join(others)}")
        for name in others:
            await stage.type(name, f"/sit {stage.people[host].room.name}")
        await stage.type(host, "/start")
    for _ in range(rounds):
        typed = [
            (person, f"/{bot.words(person)[0]}")
            for bot in stage.place.tables.open.values()
            for person in bot.room.people.values()
            if bot.question(person)
        ]
        begun = time.process_time()
        for person, line in typed:
            await stage.place.dispatcher.hear(person, line)
        await stage.quiet()
        used, made = used + time.process_time() - begun, made + len(typed)
        for screen in stage.screens.values():
            screen.take()
    return used / made


def told(kind: str) -> Result:
    """CPU of a move told to four people, against the rules alone: listing the legal moves and making one."""
    if kind != "floor":
        return Result({"us a move": asyncio.run(_told(tables=20, rounds=100)) * 1e6})
    rounds = raced(kind, _ohell_round, _ohell_round).figures["a CPU second"]
    return Result({"us a move": 1e6 / rounds / (SEATS * (CARDS + 1))})
