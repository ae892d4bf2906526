"""Everything an observer is sent during a whole game: every row, packet, GMCP message and completion."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from typing import Any
from unittest.mock import patch

import attrs

from lilygames.edge.screens.machine import as_json
from lilygames.edge.terminal.gmcp import Gmcp
from lilygames.gametest.stage import Screen, Stage
from lilygames.store.memory import MemoryStore
from lilygames.tables.room import seating
from lilygames.tables.seal.closed_deck import Leaf
from lilygames.tables.seeks import party_codes
from lilygames.tables.state.undo import _NoLuck
from lilygames.text import Voice
from lilygames_rules.kit import Seat
from tests.secrecy.worlds import START, Play

NAMES = ("Ann", "bob", "Cat")
CODE = "PEAR42"
SPECTATOR = "Dan"
"""A guest. People type names as they like."""
VOICES = (Voice(), Voice(suits="symbols"), Voice(spoken=True))
NOW = 1_000_000_000.0
"""Time stands still, so that nothing depends on when a line was typed."""
LOOKS = (
    *("", "/table", "/hand", "/score", "/status", "/moves", "/options", "/clock", "/history", "/log", "/log 1"),
    *("/review {room} 200", "/review {room} 200 all", "/review", "/review me", "/replay 1", "/replay 1 5"),
    *("/replay 1 as ann", "/replay 1 as bob", "/export 1", "/verify 1", "/tables", "/watchers", "/rules"),
    *("/played", "/played bob", "/history bob", "/finger bob", "/assess {room}", "/standings {game}", "/dicetest"),
    *("/who {room}", "/where bob", "/what {room}", "/seeks", "/at 1", "/watch 1", "/next"),
    *("/rank {game}", "/rank week", "/achievements bob", "/achievements {game}", "/ladder {game}", "/simul"),
    *("/get:replay 1", "/get:replay 1 5", "/get:played bob", "/get:stats bob", "/get:daily"),
    *("/note 3 mine of {room}", "/get:notes 1", "/get:export 1"),
)
"""Commands that an observer types during a game and after it."""
BEGUN = ("", "/", "p", "c", "/p", "/b", "/c", "/d", "/r", "/play ", "/bid ", "/claim ", "/discard ", "/at 1 ", "bob;")
"""Beginnings of lines that an observer completes."""
SOMETIMES = 0.15
"""The probability that an observer types after a move."""
REPLAYED = 3
"""Replayed steps of a finished game: the last that drew luck (a deal, a roll), and as many others."""
GMCP = b'Core.Supports.Set ["Char 1", "Comm.Channel 1", "Lily 1"]'


class ChangedRules:
    """The rules of a game, with the luck of a play instead of the table's, however that is keyed."""

    def __init__(self, play: Play) -> None:
        self._rules = play.game.rules
        self._play = play

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)

    def start(self, seats: int, options: Any, purses: Sequence[int], luck: Any) -> Any:
        """Start as the rules do."""
        return self._rules.start(seats, options, purses, self._play.luck(0))

    def apply(self, state: Any, seat: Seat, move: Any, luck: Any) -> Any:
        """Apply a move as the rules do."""
        number = None if isinstance(luck, _NoLuck) else self._play.number_of(state, seat, move)
        return self._rules.apply(state, seat, move, luck if number is None else self._play.luck(number))


@attrs.frozen
class Script:
    """The script of a table, the same in both worlds: which commands each observer types after which move."""

    seed: str
    opened: str
    """The line that opens the table."""
    observers: tuple[str, ...]
    voice: Voice
    looks: Mapping[int, tuple[str, ...]]
    """The lines that each observer types after a move; after the last one these and all of `LOOKS`."""
    steps: tuple[int, ...]
    """The steps of a finished game that they replay."""
    page: bool = False
    """Whether the observers are at pages, which get pictures, and updates in words."""
    broken_off: bool = False
    """Whether the game is ended after the last move, so that it is finished."""
    private: bool = False
    """Whether the table is private. Everyone is invited then."""
    party: bool = False
    """Whether the table is a party, and the only observer is a television."""


def scripted(
    play: Play,
    observer: Seat | None,
    seed: str,
    words: str,
    *,
    page: bool = False,
    broken_off: bool = False,
    private: bool = False,
    party: bool = False,
) -> Script:
    """Return a script for a play and similar worlds: commands after some of the moves, including attempted moves."""
    luck, game = random.Random(seed), play.game
    looks: dict[int, tuple[str, ...]] = {}
    for number, state in enumerate(play.states):
        waits = observer is None or not len(game.rules.moves(state, observer))
        tried = ["/" + game.spell(luck.choice(play.moves)[1])] if waits and play.moves else []
        looks[number] = (luck.choice(LOOKS), *tried) if luck.random() < SOMETIMES else ()
    observers = (SPECTATOR,) if observer is None else (NAMES[observer], SPECTATOR)
    opened = f"{'/party' if party else '/new'} {game.name} {words}{' private=on' * private}"
    drew = sorted({number + 1 for number, _, _ in play.draws()})
    steps = sorted({*drew[-REPLAYED:], *luck.sample(range(1, len(play.states) + 1), min(REPLAYED, len(play.states)))})
    return Script(seed, opened, observers, luck.choice(VOICES), looks, tuple(steps), page, broken_off, private, party)


class Watching:
    """A server with one table: its people, and everything sent to the observers."""

    def __init__(self, stage: Stage, play: Play, script: Script) -> None:
        self._stage = stage
        self._play = play
        self._script = script
        self._gmcp = Gmcp()
        self._gmcp.hear(GMCP)
        self.sent: list[str] = []

    async def run(self) -> list[str]:
        """Play the game from its first card, and return everything sent to the observers."""
        stage, script = self._stage, self._script
        stage.place.host.clock = lambda: NOW
        for name in (*NAMES, SPECTATOR):
            self._enter(name)
        first, *others = NAMES
        await stage.type(first, script.opened)
        await stage.type(first, "/invite BOB cat dan" if script.private else "")
        where = f"{CODE if script.party else 1}"
        watch = () if script.party else ((SPECTATOR, "/watch 1"),)
        come = [*((name, f"/sit {where}") for name in others), *watch, (first, "/start")]
        if script.party:
            await self._turn_on()
        for name, line in come:
            await stage.type(name, line)
        table = stage.table(1)
        for number in range(len(self._play.states)):
            if number:
                seat, move = self._play.moves[number - 1]
                await stage.type(NAMES[seat], f"/at 1 {self._play.game.spell(move)}")
            self._take(f"after move {number}")
            assert self._play.states[number] == table.table.state, "the table plays another game than its script"
            await self._look(script.looks[number])
        if script.party:
            return self.sent
        if script.broken_off:
            await table.room.do(partial(seating.break_off, table))
            await stage.quiet()
        await self._look((*LOOKS, *(f"/replay 1 {step}" for step in script.steps)))
        for seen in (None, 0, START, table.table.seq - 1):
            await self._come_back(seen)
        await self._look(("/undo",))
        assert table.case == "", "the table was stopped"
        return self.sent

    async def _turn_on(self) -> None:
        """Let the observer's screen be a television, where nobody is logged in."""
        self._stage.drop(SPECTATOR)
        screen = self._stage.screens[SPECTATOR] = Screen(Voice())
        screen.page = screen.takes_packets = True
        await self._stage.host.tables.show(CODE, screen, self._stage.host.quotas)

    def _enter(self, name: str, seen: Mapping[int, int] | None = None) -> None:
        screen = self._stage.enter(name, self._script.voice, seen, guest=name == SPECTATOR)
        screen.page = self._script.page
        screen.takes_packets = True

    async def _look(self, lines: Sequence[str]) -> None:
        words = {"room": self._play.game.name, "game": self._play.game.name}
        for line in lines:
            for name in self._script.observers:
                await self._stage.type(name, line.format(**words))
                self._take(f"{name}> {line}")
        for name in self._script.observers if lines else ():
            for begun in BEGUN:
                user = self._stage.screens[name].user
                self.sent.append(f"{name} completes {begun!r}: {[*user.complete(begun)]}")
                self.sent.append(f"{name} completes {begun!r} at 1: {[*user.complete_move(begun, 1)]}")

    async def _come_back(self, seen: int | None) -> None:
        """Let the observers disconnect and reconnect; with `seen`, resume the session after the last entry seen."""
        for name in self._script.observers:
            self._stage.drop(name)
            self._enter(name, None if seen is None else {1: seen})
            await self._stage.place.host.greet(self._stage.people[name])
            await self._stage.quiet()
            self._take(f"{name} comes back, having seen {seen}")

    def _take(self, when: str) -> None:
        """Record the output that has reached the observers since the last time."""
        for name in self._script.observers:
            screen = self._stage.screens[name]
            self.sent += [f"{name} {when}| {row}" for row in (*screen.take(), *self._packets(screen.packets))]
            screen.packets.clear()

    def _packets(self, packets: Sequence[Any]) -> Iterator[str]:
        for packet in packets:
            if packet.name != "resume":  # a token is different each time
                yield as_json({packet.name: packet.value})
                yield from () if self._script.page else self._gmcp.messages(packet)


async def watched(play: Play, script: Script) -> list[str]:
    """Return the output for the observers when this play is played at a table.

    Both worlds have the same salts, so only the values would make the roots differ. To observers, who don't know the
    salts, a root is a random number anyway. So it is made of the salts alone here.
    """
    game = attrs.evolve(play.game, rules=ChangedRules(play))
    stage = await Stage.open({game.name: game}, store=MemoryStore(lambda: NOW), seed=script.seed)
    same_code = patch.object(party_codes, "drawn", lambda _: CODE)
    with same_code, patch.object(Leaf, "hashed", lambda _, salt: sha256(salt).digest()):
        return await Watching(stage, play, script).run()


def first_difference(here: Sequence[str], there: Sequence[str]) -> str:
    """Return where two transcripts first differ; empty if they are the same."""
    for one, other in zip(here, there, strict=False):
        if one != other:
            return f"{one}\n{other}"
    return "" if len(here) == len(there) else f"{len(here)} rows, or {len(there)}"
