"""Words shared by the games of five dice under a cup: how dice are typed, points, and refusals."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any

from lilygames.game import Reader
from lilygames.text import signed
from lilygames_rules.dice import cup as dicecup
from lilygames_rules.dice.cup import Glimpse, Roll
from lilygames_rules.kit import Malformed, Refused

ANSWERED: Mapping[type, str] = {
    dicecup.Accept: "then you claim more",
    dicecup.Challenge: "+1 if it's a lie, -1 if it's true",
}
"""The meaning of each answer to a claim."""
Faces = Callable[[str], Sequence[int]]
"""Returns the faces that a word names, none if it isn't a word for faces."""


def dice_word(faces: Faces, also: Container[str]) -> Callable[[str], str]:
    """Return a parser for one word that names dice: faces, a place like `#1`, or one of `also`.

    The parser raises `ValueError` for any other word.
    """

    def parse(word: str) -> str:
        folded = word.casefold()
        if folded not in also and not folded.startswith("#") and not faces(folded):
            raise ValueError(word)
        return folded

    return parse


def places(words: Sequence[str], faces: Faces, cup: Glimpse | None) -> tuple[int, ...]:
    """Return the places of the dice that the words name; raises `Refused` if they name none."""
    try:
        return dicecup.found(dicecup.named(" ".join(words), faces), cup.dice if cup else ())
    except Malformed:
        raise Refused("bad-dice") from None


def points(scores: Sequence[int], reader: Reader) -> str:
    """Return the points by seat: `you +2, bob -1`."""
    return ", ".join(f"{reader.who(seat)} {signed(score)}" for seat, score in enumerate(scores))


def accepted(event: Any, reader: Reader) -> str:
    """Return the line for a claim that is accepted."""
    return reader.says(event.seat, "accepts.", "accept.")


def rolled(move: Any, cup: Glimpse, shown: Callable[[Sequence[int]], str]) -> str | None:
    """Return a roll as a prompt shows it: `roll K 9`; None for other moves and for a roll of all five dice."""
    if not isinstance(move, Roll) or len(move.places) == dicecup.DICE:
        return None
    return f"roll {shown(sorted((cup.dice[place - 1] or 0 for place in move.places), reverse=True))}"


def typed_roll(move: Roll) -> str:
    """Return how a roll is typed, without the slash: `roll #1 #3`."""
    named = {dicecup.DICE: "all", 0: "none"}.get(len(move.places))
    return f"roll {named or ' '.join(f'#{place}' for place in move.places)}"


def refusals(name: str, phases: Mapping[str, str]) -> Mapping[str, str | Callable[[Mapping[str, Any], Reader], str]]:
    """Return the refusals that the games share; `phases` says what a player does in each phase of the game."""
    return {
        "game-over": f"this game is over. Type /quick {name} to play another.",
        "not-your-turn": lambda facts, reader: f"wait for {reader.names[facts['turn']]} to {phases[facts['phase']]}.",
    }
