"""Reader-mode lines of Lie Die."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lilygames.game import Reader
from lilygames.games.families.dice.spoken import TRUTH, challenged, numbered, roll
from lilygames.spoken import Words, by_seat, does, silent, who
from lilygames_rules import liedie
from lilygames_rules.dice.cup import Accept, Accepted, Glimpse, Looked, Rolled
from lilygames_rules.dice.throws import Throw


def digits(throw: Throw | Sequence[int | None]) -> str:
    """Return five dice one by one: `3 3 1 4 5`."""
    return " ".join(str(throw)) if isinstance(throw, Throw) else " ".join(str(face or "hidden") for face in throw)


def _begun(event: liedie.GameBegun, reader: Reader) -> str:
    if event.games == 1:
        return reader.says(event.thrower, "throws first.", "throw first.")
    throws = "throw" if event.thrower == reader.seat else "throws"
    return f"Game {event.number}: {reader.who(event.thrower)} {throws} first."


def _thrown(event: Rolled, reader: Reader) -> str:
    if event.dice and event.seat == reader.seat:
        return f"Dice: {digits(event.dice)}."
    return does(f"throws {event.count or 'none'}", f"throw {event.count or 'none'}")(event, reader)


def _saw(event: Looked, reader: Reader) -> str:
    return f"Dice: {digits(event.dice)}." if event.dice and event.seat == reader.seat else ""


def _told(event: liedie.ClaimMade, reader: Reader) -> str:
    if reader.typed and event.seat == reader.seat:
        return ""
    return f"{who(event.seat, reader)} to {reader.who(event.to)}: {digits(event.throw)}."


def _caught(event: liedie.Challenged, reader: Reader) -> str:
    return challenged(event.seat, digits(event.dice), reader, true=not event.lied)


TOLD: Words = {
    liedie.GameBegun: _begun,
    Rolled: _thrown,
    Looked: _saw,
    liedie.ClaimMade: _told,
    Accepted: silent,  # a throw of the same player follows
    liedie.Challenged: _caught,
    liedie.GameWon: lambda event, reader: f"Score: {by_seat(event.scores, reader)}.",
    liedie.MatchEnded: silent,
}
"""The line for each kind of event."""


def ask(view: liedie.View, offers: Sequence[Any]) -> str:
    """Return the prompt with the numbered moves; the claim to beat has already been read."""
    now, cup = view.turn, view.cup
    if now is None or cup is None:
        return ""
    if not now.taken:
        return "1 accept, 2 challenge" if isinstance(offers[0], Accept) else "1 challenge, nothing beats it"
    truth = Throw.of(cup.seen) if cup.known else None
    return numbered(offers, lambda move: _move(move, cup, truth))


def _move(move: Any, cup: Glimpse, truth: Throw | None) -> str:
    if not isinstance(move, liedie.Claim):
        return roll(move, cup, digits)
    return TRUTH if move.throw == truth else f"claim {digits(move.throw)}"
