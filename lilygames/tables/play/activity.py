"""Activity at the tables of this node: counted by game for the metrics, and logged."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from typing import Literal

from lilygames import log_events
from lilygames.scheduling.durations import Durations
from lilygames.tables.log.acts import Act, Closed, Expired, Moved, Start
from lilygames.tables.state.table import Table

Mover = Literal["person", "bot", "clock"]
"""The maker of a move; `clock` is the default move of a player whose time was up."""


class TableActivity:
    """Counts and logs what this node appends to its tables' logs. Other nodes count what they append themselves."""

    def __init__(self) -> None:
        self.moves: Counter[tuple[str, Mover]] = Counter()
        """Moves by game and mover."""
        self.opened: Counter[str] = Counter()
        """Tables opened, by game."""
        self.begun: Counter[str] = Counter()
        """Games begun, by game."""
        self.ended: Counter[tuple[str, log_events.End]] = Counter()
        """Games ended, by game and how."""
        self.refused: Counter[str] = Counter()
        """Moves refused by a game's rules, by game."""
        self.move_times: defaultdict[str, Durations] = defaultdict(Durations)
        """How long people's moves took, by game: from the typed line until everyone had been sent the result."""

        self.bot_lateness: defaultdict[str, Durations] = defaultdict(Durations)
        """How long after they were due bots' moves had been sent to everyone, by game."""

    def table_opened(self, table: Table) -> None:
        """Count a new table."""
        self.opened[table.game.name] += 1
        log_events.table_opened(table.header.number, table.game.name, by=table.header.host)

    def appended(self, before: Table, after: Table, act: Act) -> None:
        """Count an act that this node has appended."""
        game = after.game.name
        match act:
            case Moved(seat):
                self.moves[game, "person" if before.seats[seat].person else "bot"] += 1
            case Expired():
                self.moves[game, "clock"] += 1
            case Start():
                self.begun[game] += 1
                people = len([*after.seats.people])
                log_events.table_begun(after.header.number, game, people=people, bots=len(after.seats) - people)
            case Closed() if before.started:
                how = _end(before)
                self.ended[game, how] += 1
                log_events.table_ended(after.header.number, game, how, entries=after.seq)

    def typed(self, game: str, began: float) -> None:
        """Time a move from a line that was read at `began` (monotonic). Everyone has been sent the result."""
        self.move_times[game].add(time.monotonic() - began)

    def bot_moved(self, game: str, late: float) -> None:
        """Count a bot's move that everyone was sent `late` seconds after it was due."""
        self.bot_lateness[game].add(late)


def _end(table: Table) -> log_events.End:
    if table.adjudicated:
        return "adjudicated"
    return "finished" if table.ended else "abandoned"
