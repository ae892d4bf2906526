"""Promises about luck by purpose: each purpose is used once, and a draw follows from its purpose alone.

A game that names no purposes keeps them too: its luck follows from the number of moves made.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lilygames import codec
from lilygames.gametest.plays import NAMES, Check, luck_of
from lilygames.proofs.commitments import seal_of
from lilygames.tables.log.acts import (
    Header,
    Moved,
    Noted,
    Paused,
    Resumed,
    Sealing,
    Seated,
    Sitter,
    Start,
    UndoneUncounted,
)
from lilygames.tables.state.table import Table
from lilygames_rules.kit import KeyedLuck, Luck, PurposeLuck, Seat

_KEY = bytes(32)
_LONGEST = 3
"""A play with this luck may take this many times as long as the play under check."""
_MOVES = 100
"""Number of moves made at two tables."""


class Named:
    """Luck that records the purposes it is asked for."""

    def __init__(self, luck: Luck, named: list[tuple[str | int, ...]]) -> None:
        self._luck = luck
        self._named = named

    def for_(self, *purpose: str | int) -> Luck:
        """Return the luck for this purpose."""
        self._named.append(purpose)
        return self._luck.for_(*purpose)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._luck, name)


def purposes_are_used_once(check: Check) -> Iterator[str]:
    """No purpose is named twice in a game: the second draw would repeat the first."""
    first = dict[tuple[str | int, ...], str]()
    for number, named in enumerate(_purposes(check)):
        mover = f"move {number}" if number else "the start"
        for purpose in named:
            if purpose in first:
                yield f"{first[purpose]} and {mover} both name the purpose {purpose}; add a round or a seat to it"
            first[purpose] = mover


def _purposes(check: Check) -> Iterator[list[tuple[str | int, ...]]]:
    """Yield the purposes named at the start of a play, then by each move."""
    rules, named = check.rules, list[tuple[str | int, ...]]()
    step = rules.start(check.seats, check.options, check.purses, Named(PurposeLuck(_KEY), named))
    yield named
    for number in range(1, _LONGEST * len(check.turns)):
        ready = [seat for seat in range(check.seats) if len(rules.moves(step.state, seat))]
        if not ready:
            return
        chance, named = luck_of(check.seed, number, "purposes"), []
        seat = chance.choice(ready)
        move = chance.choice(rules.moves(step.state, seat))
        step = rules.apply(step.state, seat, move, Named(PurposeLuck(_KEY, number), named))
        yield named


def only_the_purpose_decides(check: Check) -> Iterator[str]:
    """Votes, notes, substitutions, breaks and undone moves in between don't change the luck of a game."""
    quiet, busy = _begun(check), _begun(check)
    for number in range(_MOVES):
        if quiet.state != busy.state:
            yield f"after {number} moves, notes, substitutions or undone moves in between have changed the game"
        if not quiet.to_move:
            return
        chance = luck_of(check.seed, number, "between")
        seat, move = _any_move(quiet, chance)
        quiet, _ = quiet.after(Moved(seat, codec.dump(move)))
        busy, _ = _interrupted(busy, chance).after(Moved(seat, codec.dump(move)))


def _begun(check: Check) -> Table:
    """Return a table of this play at which the game has started."""
    game = check.game
    options, seal = codec.dump(check.options), seal_of(_KEY)
    header = Header(1, game.name, game.rules.VERSION, game.name, options, seal, NAMES[0], fairness=2)
    table = Table(header, game, _KEY)
    for seat in range(check.seats):
        table, _ = table.after(Seated(seat, Sitter(NAMES[seat])))
    table, _ = table.after(Sealing(table.rounds.proposed(table.seats, options, check.purses, ())))
    return table.after(Start(check.purses))[0]


def _any_move(table: Table, chance: KeyedLuck) -> tuple[Seat, Any]:
    seat = chance.choice(table.to_move)
    return seat, chance.choice(table.moves(seat))


def _interrupted(table: Table, chance: KeyedLuck) -> Table:
    """Return the table after a note, a substitution and its end, a break, and a move that was taken back."""
    away = chance.below(len(table.seats))
    name = NAMES[away]
    bot = Sitter("Ada", "club", stands_in=name)
    for act in (Noted("agreed", name, "undo"), Seated(away, bot), Seated(away, Sitter(name)), Paused(), Resumed()):
        table, _ = table.after(act)
    seat, move = _any_move(table, chance)
    moved, _ = table.after(Moved(seat, codec.dump(move)))
    return moved.after(UndoneUncounted(table.seq))[0]
