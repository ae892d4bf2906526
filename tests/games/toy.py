"""High throw, a toy with every part of a game: each throws a die in secret, may throw again once, the highest wins.

Rules and bot share one file, since a test needs them together; a real game has one file for each.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from lilygames import Game, Reader, command, declared
from lilygames.scene import Choice, Fact, Held, Turn, numbered
from lilygames_rules import kit
from lilygames_rules.kit import Luck, Outcome, Refused, Seat, Step

NAME, VERSION, SEATS = "high", 1, range(2, 5)


@attrs.frozen
class Options:
    sides: int = 20


@attrs.frozen
class Keep:
    """Let the die lie."""


@attrs.frozen
class Again:
    """Throw once more; only a low die may be."""


@attrs.frozen
class Thrown(kit.Event):
    seat: Seat
    die: int | None

    def seen_by(self, seat: Seat | None) -> Thrown:
        return self if seat == self.seat else Thrown(self.seat, None)


@attrs.frozen
class Kept(kit.Event):
    seat: Seat


@attrs.frozen
class Shown(kit.Event):
    dice: tuple[int, ...]


Move = Keep | Again
Event = Thrown | Kept | Shown


@attrs.frozen
class State:
    options: Options
    dice: tuple[int, ...]
    turn: Seat
    again: tuple[Seat, ...]


@attrs.frozen
class View:
    options: Options
    seat: Seat | None
    dice: tuple[int | None, ...]
    turn: Seat
    again: tuple[Seat, ...]


def start(seats: int, options: Options, purses: Sequence[int], luck: Luck) -> Step[State]:
    if options.sides < 2:
        raise Refused("too-few-sides")
    dice = tuple(luck.roll(options.sides) for _ in range(seats))
    return Step(State(options, dice, 0, ()), tuple(Thrown(seat, die) for seat, die in enumerate(dice)))


def over(state: State | View) -> bool:
    return state.turn == len(state.dice)


def turn(state: State | View) -> Seat | None:
    return None if over(state) else state.turn


def moves(state: State, seat: Seat) -> Sequence[Keep | Again]:
    if seat != state.turn:
        return ()
    low = state.dice[seat] * 2 <= state.options.sides
    return (Keep(), Again()) if low else (Keep(),)


def apply(state: State, seat: Seat, move: Keep | Again, luck: Luck) -> Step[State]:
    if over(state):
        raise Refused("game-over")
    if seat != state.turn:
        raise Refused("not-your-turn", turn=state.turn)
    if move not in moves(state, seat):
        raise Refused("keep-it", die=state.dice[seat])
    return follow(state, seat, move, luck)


def follow(state: State, seat: Seat, move: Keep | Again, luck: Luck) -> Step[State]:
    dice, again, events = state.dice, state.again, (Kept(seat),)
    if isinstance(move, Again):
        die = luck.roll(state.options.sides)
        dice, again, events = (*dice[:seat], die, *dice[seat + 1 :]), (*again, seat), (Thrown(seat, die),)
    after = State(state.options, dice, seat + 1, again)
    return Step(after, (*events, Shown(dice)) if over(after) else events)


def view(state: State, seat: Seat | None) -> View:
    dice = tuple(die if over(state) or place == seat else None for place, die in enumerate(state.dice))
    return View(state.options, seat, dice, state.turn, state.again)


def outcome(state: State) -> Outcome | None:
    if not over(state):
        return None
    scores = tuple(die * len(state.dice) - sum(state.dice) for die in state.dice)
    return Outcome(
        scores, tuple(seat for seat, die in enumerate(state.dice) if die == max(state.dice)), "all have thrown"
    )


def default(state: State, seat: Seat) -> Keep:
    return Keep()


def sample(view: View, luck: Luck) -> State:
    dice = tuple(luck.roll(view.options.sides) if die is None else die for die in view.dice)
    return State(view.options, dice, view.turn, view.again)


def hide(state: State, seat: Seat | None, luck: Luck) -> State:
    if over(state):
        return state
    dice = [die if place == seat else luck.roll(state.options.sides) for place, die in enumerate(state.dice)]
    return attrs.evolve(state, dice=tuple(dice))


@command("keep")
def keep(view: View) -> Keep:
    """Let your die lie."""
    return Keep()


@command("again")
def again(view: View) -> Again:
    """Throw a low die once more."""
    return Again()


def tell(event: Event, reader: Reader) -> str:
    match event:
        case Thrown(seat, None):
            return reader.says(seat, "throws a die.", "throw a die.")
        case Thrown(seat, die):
            return f"You throw {die}."
        case Kept(seat):
            return reader.says(seat, "keeps it.", "keep it.")
    return f"The dice show {', '.join(map(str, event.dice))}."


def show(view: View, reader: Reader) -> Sequence[str]:
    return [" ".join("?" if die is None else str(die) for die in view.dice)]


def hand(view: View, reader: Reader) -> Sequence[str]:
    return [f"Your die shows {view.dice[reader.seat]}."]


def ask(view: View, moves: Sequence[Any], reader: Reader) -> str:
    return "keep it, or throw again" if len(moves) > 1 else "keep it"


def asks(view: View, moves: Sequence[Any], reader: Reader) -> Turn:
    """Return the turn; another throw costs nothing, and nothing is claimed."""
    named = [Choice(move, spell(move)) for move in moves]
    held = Held("Your die", "low" if len(moves) > 1 else "high")
    return Turn("Throw again?", (Fact((f"You hold {view.dice[reader.seat]}.",)),), held, tuple(numbered(named)))


def spell(move: Keep | Again) -> str:
    return "keep" if isinstance(move, Keep) else "again"


def not_your_turn(facts: Mapping[str, Any], reader: Reader) -> str:
    return f"wait for {reader.who(facts['turn'])}."


GAME = Game(
    rules=sys.modules[__name__],
    title="High throw",
    credit="a toy",
    commands=declared(keep, again),
    tell=tell,
    show=show,
    hand=hand,
    score=lambda view, reader: [],
    ask=ask,
    asks=asks,
    spell=spell,
    refusals={
        "game-over": "the game is over; /new begins another.",
        "not-your-turn": not_your_turn,
        "keep-it": "keep it: {die} is too high to throw again.",
        "too-few-sides": "a die has two sides or more.",
    },
    quick=3,
)
