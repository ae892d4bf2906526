"""The costliest moves of a finished game, according to the strongest bot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Self

import attrs

from lilygames import codec
from lilygames.chat.people.people import Person
from lilygames.chat.tasks.cooperative import run_in_slices
from lilygames.errors import UserError
from lilygames.game import Advice, Budget, Game, Reader, Thinker
from lilygames.tables.log.acts import Body, Moved
from lilygames.tables.open import game_names
from lilygames.tables.play.answers import Question
from lilygames.tables.results.costly_moves import CostlyMove
from lilygames.tables.results.results import has_account
from lilygames.tables.sight import narrate, positions
from lilygames.tables.sight.move_list import as_typed, in_words
from lilygames.tables.sight.replay import Step, replayed
from lilygames.tables.state.table import Table
from lilygames.tables.visits.table_context import TableContext
from lilygames.text import Line, count
from lilygames_rules.kit import Join, Leave, Seat

WORST = 3
"""Maximum number of moves listed."""
_WHOLE = 20
"""Moves with the judge's whole budget that a review may take; more moves share the budget of these."""
_AGAIN = 6
"""Number of the costliest moves that are then judged with the whole budget, if they weren't."""


@attrs.frozen
class Decision:
    """A move a person made when they had a choice, with the table before it and its step in the replay."""

    table: Table
    seat: Seat
    move: Any
    step: int


Judged = tuple[Advice, Decision]
"""A decision, and a better move with its gain."""


async def costliest(at: TableContext, number: int) -> Sequence[Line]:
    """Return a report on a player's costliest moves in a finished game, or a line that it follows.

    Raises `UserError`.
    """
    header, entries = await at.read(number)
    game = header.game_in(at.tables.games)
    if header.lesson or game is None or game.judge is None:
        title = game_names.title(at.tables.games, header.game)
        raise UserError(f"moves in {title} can't be reviewed. Type /replay {number} to see the game again.")
    table = Table(header, game, await at.tables.archive.secret(number, entries))
    steps = await run_in_slices(replayed(table, entries), at.person.origin)
    if not steps or not steps[-1].table.closed:
        raise UserError(f"table #{number} isn't over yet. Type /hint for help during a game.")
    made = _decisions(table, steps, entries, at)
    mine = [one for one in await run_in_slices(made, at.person.origin) if one]
    if not mine:
        return [Line(f"(you never had a choice in game #{number})")]
    review = Review(at, game.judge, number, mine)
    question = Question(f"/review game {number}")
    return await at.tables.reviews.answer(at.person, question, review.report, review.progress)


@attrs.frozen
class Review:
    """The review of a game: whose it is, who judges, and the decisions that have been judged so far."""

    at: TableContext
    judge: Thinker
    number: int
    decisions: Sequence[Decision]
    judged: list[Judged] = attrs.field(factory=list)

    def progress(self) -> Line:
        """Return a line that says how far the review is."""
        done = f"{len(self.judged)} of {count(len(self.decisions), 'move')} of yours"
        return Line(f"(the strongest bot has checked {done} in game #{self.number}; the result follows)")

    async def report(self) -> Sequence[Line]:
        """Judge the decisions, and return the costliest ones.

        They share the budget of a few moves, so that long games don't take longer. The costliest are judged again.
        """
        share = _WHOLE / max(_WHOLE, len(self.decisions))
        brief = attrs.evolve(self.judge, budget=Budget(max(1, int(self.judge.budget.iterations * share))))
        for one in self.decisions:
            self.judged.append((await _judged(self.at, brief, one), one))
        costly = _costliest(self.judged)
        if brief != self.judge:
            costly = _costliest([(await _judged(self.at, self.judge, one), one) for _, one in costly[:_AGAIN]])
        await self._keep(costly[:WORST])
        head = f"(the strongest bot has checked {count(len(self.decisions), 'move')} of yours in game #{self.number})"
        rows = [_row(place, *one, self.at.person) for place, one in enumerate(costly[:WORST], 1)]
        return [Line(head), *(rows or [Line("(it found no better move)")])]

    async def _keep(self, costly: Sequence[Judged]) -> None:
        """Keep the costliest moves for `/review mistakes`, if their player has an account."""
        name, tables = self.at.person.name, self.at.tables
        if costly and has_account(tables.host.accounts, name):
            now = int(tables.host.clock())
            await tables.costly_moves.found(name, self.number, [_kept(self.number, *one, now) for one in costly])


def _kept(number: int, better: Advice, made: Decision, now: int) -> CostlyMove:
    game, part = made.table.game, positions.round_of(made.table).capitalize()
    did, would = (as_typed(game, move) for move in (made.move, better.move))
    return CostlyMove(game.name, number, made.step, part, did, would, round(100 * better.facts["cost"]), now)


def kept_rows(moves: Sequence[CostlyMove], games: Mapping[str, Game]) -> Iterator[str]:
    """Yield a row for each costly move that reviews have found: where, and the move and the better one as typed."""
    for one in moves:
        where = f", {one.part.casefold()}" if one.part else ""
        title = game_names.title(games, one.game)
        told = f"{title} #{one.table}{where}: you chose {one.made}, better {one.better}"
        yield f"{told} (/replay {one.table} {one.step})"


def _costliest(judged: Iterable[Judged]) -> list[Judged]:
    """Return the decisions that a better move would have improved, the costliest first."""
    return sorted((one for one in judged if one[0].facts["cost"] > 0), key=lambda one: -one[0].facts["cost"])


def _decisions(
    table: Table, steps: Sequence[Step], entries: Sequence[Any], at: TableContext
) -> Iterator[Decision | None]:
    """Yield each move a person made themselves when they had a choice, and None for other entries."""
    key = at.tables.host.accounts.key
    number = 0
    for step, entry in zip(steps, entries, strict=True):
        number += step.is_shown
        act = codec.from_text(entry.body, Body).act
        own = isinstance(act, Moved) and key(entry.by) == key(at.person.name) and len(table.moves(act.seat)) > 1
        move = codec.load(act.move, table.game.rules.Move) if own else None
        yield Decision(table, act.seat, move, number) if own and not isinstance(move, Join | Leave) else None
        table = step.table


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


async def _judged(at: TableContext, judge: Thinker, made: Decision) -> Advice:
    """Return a better move and its gain.

    The bot judges by the seat's view at the time and nothing else.
    """
    table = made.table
    moves = MadeFirst.of(made.move, table.moves(made.seat))
    luck = table.luck.of_hint(made.seat)
    advice: Advice = await at.tables.think(judge, table.view(made.seat), moves, luck)
    return advice


def _row(place: int, better: Advice, made: Decision, person: Person) -> Line:
    table = made.table
    did, would = (in_words(table, made.seat, move, person.voice) for move in (made.move, better.move))
    part = positions.round_of(table).capitalize()
    told = f"{place}. {part}. " if part else f"{place}. "
    held = _situation(table, narrate.reader(table, made.seat, person.voice))
    return Line(f"{told}{held}. You chose {did}; the bot would have chosen {would}. {better.sentence}")


def _situation(table: Table, who: Reader) -> str:
    """Return what a seat knew before its move, without a full stop."""
    if table.game.situation:
        return table.game.situation(table.view(who.seat), who)
    return " ".join(narrate.hand(table, who)).rstrip(".")
