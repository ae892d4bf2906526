"""Recompute the moves of bots in a finished game: each follows from the bot's view and its own luck alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from enum import Enum

import attrs

from lilygames import codec
from lilygames.game import Strategy, Thinker
from lilygames.store import Entry
from lilygames.tables.log import Body, Moved, Sitter
from lilygames.tables.strategies import strategy_of
from lilygames.tables.table import Table
from lilygames.text import count


class Check(Enum):
    """The result of recomputing a bot's move."""

    SAME = "the strategy chooses it"
    OTHER = "the strategy chooses another one"
    UNKNOWN = "the strategy installed here chooses another one, and the log names no version"
    OLDER = "not checked: its version isn't installed here"
    SLOW = "not checked: its search takes too long here"


@attrs.frozen
class BotMove:
    """A move that a bot made: its entry, and the result of recomputing it."""

    seq: int
    check: Check


def bot_moves(table: Table, entries: Iterable[Entry], *, searching: bool = True) -> Iterator[BotMove]:
    """Replay a log from its new table, and yield each bot's move; raises `Diverged`.

    Moves that are found by a search take long. They are recomputed only with `searching`. A lesson's bots move by its
    script, so their moves are left out.
    """
    for entry in entries:
        act = codec.from_text(entry.body, Body).act
        if isinstance(act, Moved) and not table.lesson:
            who = table.seats[act.seat]
            if who.house and entry.by == who.writer:
                yield BotMove(entry.seq, _checked(table, act, who, searching=searching))
        table, _ = table.read(entry)


def _checked(table: Table, act: Moved, who: Sitter, *, searching: bool) -> Check:
    strategy = strategy_of(table.game, who, act.strategy)
    if strategy is None:
        return Check.OLDER
    if isinstance(strategy, Thinker) and not searching:
        return Check.SLOW
    if _chosen(table, act, who, strategy) == act.move:
        return Check.SAME
    return Check.OTHER if act.strategy or who.strategy else Check.UNKNOWN


def _chosen(table: Table, act: Moved, who: Sitter, strategy: Strategy) -> codec.Json:
    """Return the move that a bot chooses, or the default move if it fails or has left for good."""
    moves = table.moves(act.seat)
    try:
        if not who.gone:
            move = strategy(table.view(act.seat), moves, table.luck.of_bot(act.seat))
            return codec.dump(moves[moves.index(move)])
    except Exception:  # noqa: BLE001, S110 - a strategy may raise anything, and a table then makes the default move
        pass
    return codec.dump(table.game.rules.default(table.state, act.seat))


def told(checked: Iterable[BotMove]) -> str:
    """Return sentences about recomputed moves."""
    moves = [*checked]
    number = Counter(move.check for move in moves)
    older, slow = number[Check.OLDER], number[Check.SLOW]
    left = len(moves) - older - slow
    others = [move for move in moves if move.check in (Check.OTHER, Check.UNKNOWN)]
    said = [_fit(left, others, whole=left == len(moves))] if left else [] if moves else ["No bot has made a move."]
    if older:
        said.append(f"{_are(older)} not checked: older strategy.")
    if slow:
        said.append(f"{_are(slow)} found by long searches; lilygames verify FILE --bots checks them.")
    return " ".join(said)


def _are(moves: int) -> str:
    return f"{count(moves, 'move')} of bots {'is' if moves == 1 else 'are'}"


def _fit(checked: int, others: list[BotMove], *, whole: bool) -> str:
    """Return a sentence about the moves that were recomputed: all of the bots' moves, or not the whole of them."""
    moves = f"{checked} moves of bots" if whole else f"{checked} checked moves of bots"
    if not others:
        return f"All {moves} are those that their strategies choose."
    fit = f"{checked - len(others)} of {moves} are those that their strategies choose."
    first = others[0]
    maybe = ": not checked if the bot had an older strategy" if first.check is Check.UNKNOWN else ""
    return f"{fit} Entry {first.seq} is the first other one{maybe}."
