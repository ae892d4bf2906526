"""Recompute the moves of bots: each follows from the bot's view and its own luck alone.

The moves of one seat are recomputed before those of the next one. So a bot that remembers another seat's cards between
its moves is found, too: they haven't been seen yet, or they are from another time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import Any, TypeGuard

import attrs

from lilygames import codec
from lilygames.game import Strategy, Think, Thinker
from lilygames.store import Entry
from lilygames.tables.log.acts import Act, Body, Checked, Moved, Sitter
from lilygames.tables.state.strategies import in_character, installed, strategy_of
from lilygames.tables.state.table import Table
from lilygames.text import count
from lilygames_rules.kit import KeyedLuck, Seat


class Check(Enum):
    """The result of recomputing a bot's move."""

    SAME = "the strategy chooses it"
    OTHER = "the strategy chooses another one"
    UNKNOWN = "the strategy installed here chooses another one, and the log names no version"
    DEFAULT = "the default move, because the bot failed"
    OLDER = "not checked: its version isn't installed here"
    FAILED = "not checked: the strategy fails here"


@attrs.frozen
class Decision:
    """A move that a bot made, and everything that decides it."""

    seq: int
    seat: Seat
    who: Sitter
    title: str
    """The game's name, for sentences."""
    version: str
    """The version of its strategy, as the log names it; empty if it names none."""
    strategy: Strategy | None
    """The strategy to recompute it with; None if that version isn't installed here."""
    usual: int
    """The iterations that its level searches in that version; 0 if it doesn't search."""
    view: Any
    moves: Sequence[Any]
    luck: KeyedLuck
    made: codec.Json
    by_default: bool
    """Whether the log says that the table made the default move, because the bot failed."""
    default: codec.Json

    @property
    def budget(self) -> int:
        """The iterations that it searched; 0 if it doesn't search."""
        return self.strategy.budget.iterations if isinstance(self.strategy, Thinker) else 0


@attrs.frozen
class BotMove:
    """A bot's move, and the result of recomputing it."""

    decision: Decision
    check: Check


def is_decision(act: Act, table: Table) -> TypeGuard[Moved]:
    """Return whether an act at this table is a bot's own decision.

    A lesson's bots move by its script, and a bot that has left for good makes default moves.
    """
    if not isinstance(act, Moved) or table.lesson:
        return False
    who = table.seats[act.seat]
    return who.house and not who.gone


def decision(table: Table, act: Moved) -> Decision:
    """Return the decision of a bot at this table."""
    who, game = table.seats[act.seat], table.game
    version, strategy = act.strategy or who.strategy, strategy_of(game, who, act.strategy, act.budget)
    usual = installed(game, who.level, version)
    return Decision(
        table.seq + 1,
        act.seat,
        who,
        game.name,
        version,
        in_character(game, table.seats, act.seat, strategy) if strategy else None,
        usual.budget.iterations if isinstance(usual, Thinker) else 0,
        table.view(act.seat),
        table.moves(act.seat),
        table.luck.of_bot(act.seat),
        act.move,
        act.default,
        codec.dump(game.rules.default(table.state, act.seat)),
    )


def decisions(table: Table, entries: Iterable[Entry]) -> Iterator[Decision | None]:
    """Replay a log from its new table, and yield each bot's decision, None for other entries; raises `Diverged`."""
    for entry in entries:
        act = codec.from_text(entry.body, Body).act
        yield decision(table, act) if is_decision(act, table) else None
        table, _ = table.read(entry)


def seat_by_seat(found: Iterable[Decision | None]) -> list[Decision]:
    """Return decisions in the order in which they are recomputed."""
    return sorted((one for one in found if one), key=lambda one: (one.seat, one.seq))


async def recomputed(found: Iterable[Decision], think: Think) -> AsyncIterator[BotMove]:
    """Yield each decision with the result of recomputing it."""
    for one in found:
        yield BotMove(one, await recompute(one, think))


async def recompute(one: Decision, think: Think) -> Check:
    """Return the result of recomputing a decision from nothing but its view, its moves and its luck."""
    if one.by_default:
        return Check.DEFAULT if one.made == one.default else Check.OTHER
    if len(one.moves) == 1 and one.made == codec.dump(one.moves[0]):
        return Check.SAME
    if one.strategy is None:
        return Check.OLDER
    try:
        move = await think(one.strategy, one.view, one.moves, one.luck)
        chosen = codec.dump(one.moves[one.moves.index(move)])
    except Exception:  # noqa: BLE001 - a strategy may raise anything
        unmarked = not one.version  # logs that name no version don't mark default moves either
        return Check.DEFAULT if unmarked and one.made == one.default else Check.FAILED
    if chosen == one.made:
        return Check.SAME
    return Check.OTHER if one.version else Check.UNKNOWN


def counted(checked: Iterable[BotMove]) -> Checked:
    """Return how many moves follow from their views, how many don't, and how many are default moves."""
    number = Counter(move.check for move in checked)
    return summed(number, sum(number.values()))


def summed(number: Mapping[Check, int], moves: int) -> Checked:
    """Return the result of checking this many moves, given the number for each kind of result."""
    return Checked(moves, *(number.get(kind, 0) for kind in (Check.SAME, Check.OTHER, Check.DEFAULT)))


# words

SEEN = "what their seats could see"
_WRONG = (Check.OTHER, Check.UNKNOWN)
_UNCHECKED = (Check.OLDER, Check.FAILED)


def told(checked: Iterable[BotMove]) -> str:
    """Return sentences about recomputed moves."""
    moves = sorted(checked, key=lambda move: move.decision.seq)
    if not moves:
        return "No bot has made a move."
    done = [move for move in moves if move.check is Check.SAME or move.check in _WRONG]
    said = [_fit(done, whole=len(done) == len(moves))] if done else []
    return " ".join([*said, *_besides(moves), *_budgets(moves)])


def _fit(done: Sequence[BotMove], *, whole: bool) -> str:
    """Return a sentence about the moves that were recomputed: all of the bots' moves, or not the whole of them."""
    moves = f"{len(done)} moves of bots" if whole else f"{len(done)} checked moves of bots"
    wrong = [move for move in done if move.check in _WRONG]
    if not wrong:
        return f"All {moves} follow from {SEEN}." if len(done) > 1 else _one(whole=whole)
    first = wrong[0]
    which = f"{first.decision.who.listed} wouldn't have made the move of entry {first.decision.seq}"
    maybe = ", or had an older strategy" if first.check is Check.UNKNOWN else ""
    return f"{len(done) - len(wrong)} of {moves} follow from {SEEN}. {which}{maybe}."


def _one(*, whole: bool) -> str:
    return f"The only {'move of a bot' if whole else 'checked move of a bot'} follows from what its seat could see."


def _besides(moves: Sequence[BotMove]) -> Iterator[str]:
    """Yield a sentence about each kind of moves that can't be recomputed."""
    number = Counter(move.check for move in moves)
    if defaults := number[Check.DEFAULT]:
        yield _defaults(defaults)
    older = Counter((move.decision.title, *_version(move)) for move in moves if move.check is Check.OLDER)
    for (title, level, version), left in older.items():
        what = f"version {version} of {title}'s {level} bot" if version else f"the {level} bot of {title}"
        yield f"{count(left, 'move')} can't be checked: {what} isn't shipped any more."
    if failed := number[Check.FAILED]:
        yield f"{count(failed, 'move')} couldn't be computed again here."


def _version(move: BotMove) -> tuple[str, str]:
    return move.decision.who.level, move.decision.version


def _budgets(moves: Sequence[BotMove]) -> Iterator[str]:
    """Yield a sentence for each bot that searched more or less than its level does."""
    searched = (move.decision for move in moves if move.check not in _UNCHECKED)
    other = Counter((one.who.listed, one.budget, one.usual) for one in searched if one.budget != one.usual)
    for (who, budget, usual), made in other.items():
        much = "1 iteration" if budget == 1 else f"{budget:,} iterations"
        yield f"{who} searched {much} instead of {usual:,} for {count(made, 'move')}."


def told_by_host(checked: Checked) -> str:
    """Return sentences about the moves of bots in a game whose seal stays closed: only the host can recompute them."""
    moves, done = count(checked.moves, "move"), checked.same + checked.other
    left = checked.moves - done - checked.defaults
    if left == checked.moves:
        return f"The host couldn't check {moves} of bots, and you can't, because the seal stays closed."
    result = f"{checked.same} of {moves} of bots follow from {SEEN}"
    if checked.same == checked.moves:
        result = f"all {checked.moves} moves of bots follow from {SEEN}"
    wrong = f", and {checked.other} {'does' if checked.other == 1 else 'do'} not" if checked.other else ""
    said = [f"{result}{wrong}."] if done else []
    said += [_defaults(checked.defaults)] if checked.defaults else []
    said += [f"{left} {'was' if left == 1 else 'were'} left unchecked."] if left else []
    return f"Checked by the host: {' '.join(said)} You can't repeat that check, because the seal stays closed."


def _defaults(number: int) -> str:
    """Return a sentence about so many default moves."""
    are = "is the default move" if number == 1 else "are default moves"
    return f"{count(number, 'move')} {are}, because the bot failed."
