"""The costliest moves of a finished game, according to the strongest bot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Self

import attrs

from lilygames import codec
from lilygames.chat.cooperative import run_in_slices
from lilygames.chat.people import Person
from lilygames.errors import UserError
from lilygames.game import Advice, Game, Reader
from lilygames.tables import game_names, narrate, positions
from lilygames.tables.log import Body, Moved
from lilygames.tables.replay import replayed
from lilygames.tables.table import Table
from lilygames.tables.table_context import TableContext
from lilygames.text import Line, count
from rules.kit import Join, Leave, Seat

WORST = 3
"""Maximum number of moves listed."""


@attrs.frozen
class Decision:
    """A move a person made when they had a choice, with the table before it."""

    table: Table
    seat: Seat
    move: Any


async def costliest(at: TableContext, number: int) -> Sequence[Line]:
    """Describe a player's costliest moves in a finished game; raises `UserError`."""
    header, entries = await at.read(number)
    game = header.game_in(at.tables.games)
    if header.lesson or game is None or game.judge is None:
        title = game_names.title(at.tables.games, header.game)
        raise UserError(f"moves in {title} can't be reviewed. Type /replay {number} to see the game again.")
    table = Table(header, game, await at.tables.archive.secret(number, entries))
    steps = await run_in_slices(replayed(table, entries), at.person.origin)
    if not steps or not steps[-1].table.closed:
        raise UserError(f"table #{number} isn't over yet. Type /hint for help during a game.")
    made = _decisions(table, [step.table for step in steps], entries, at)
    mine = [one for one in await run_in_slices(made, at.person.origin) if one]
    at.person.show(Line(f"(the strongest bot is checking {count(len(mine), 'move')} of yours in game #{number})"))
    judged = [(await _judged(at, game, one), one) for one in mine]
    costly = sorted((one for one in judged if one[0].facts["cost"] > 0), key=lambda one: -one[0].facts["cost"])
    rows = [_row(place, *one, at.person) for place, one in enumerate(costly[:WORST], 1)]
    return rows or [Line("(it found no better move)")]


def _decisions(
    table: Table, after: Sequence[Table], entries: Sequence[Any], at: TableContext
) -> Iterator[Decision | None]:
    """Yield each move a person made themselves when they had a choice, and None for other entries."""
    key = at.tables.host.accounts.key
    for then, entry in zip(after, entries, strict=True):
        act = codec.from_text(entry.body, Body).act
        own = isinstance(act, Moved) and key(entry.by) == key(at.person.name) and len(table.moves(act.seat)) > 1
        move = codec.load(act.move, table.game.rules.Move) if own else None
        yield Decision(table, act.seat, move) if own and not isinstance(move, Join | Leave) else None
        table = then


@attrs.frozen
class MadeFirst(Sequence[Any]):
    """Legal moves with the one made first, created on demand, because there may be thousands."""

    made: Any
    moves: Sequence[Any]
    place: int | None
    """The place of the move made among the others; None if they have it in another form."""

    @classmethod
    def of(cls, made: Any, moves: Sequence[Any]) -> Self:
        """Return these moves with one of them first."""
        return cls(made, moves, moves.index(made) if made in moves else None)

    def __len__(self) -> int:
        return len(self.moves) + (self.place is None)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return [self[one] for one in range(len(self))[place]]
        place = range(len(self))[place]
        if not place:
            return self.made
        return self.moves[place - 1 if self.place is None or place <= self.place else place]


async def _judged(at: TableContext, game: Game, made: Decision) -> Advice:
    """Return a better move and its gain.

    The bot judges by the seat's view at the time and nothing else.
    """
    table = made.table
    moves = MadeFirst.of(made.move, table.moves(made.seat))
    luck = table.luck.of_hint(made.seat)
    advice: Advice = await at.tables.think(game.judge, table.view(made.seat), moves, luck)
    return advice


def _row(place: int, better: Advice, made: Decision, person: Person) -> Line:
    table = made.table
    did, would = table.game.spell(made.move), table.game.spell(better.move)
    part = positions.round_of(table).capitalize()
    told = f"{place}. {part}. " if part else f"{place}. "
    held = _situation(table, narrate.reader(table, made.seat, person.voice))
    return Line(f"{told}{held}. You chose {did}; the bot would have chosen {would}. {better.sentence}")


def _situation(table: Table, who: Reader) -> str:
    """Return what a seat knew before its move, without a full stop."""
    if table.game.situation:
        return table.game.situation(table.view(who.seat), who)
    return " ".join(narrate.hand(table, who)).rstrip(".")
