"""Reader-mode lines of Liars Dice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from lilygames.game import Reader
from lilygames.games.families.dice.spoken import TRUTH, challenged, numbered, roll
from lilygames.spoken import Words, by_seat, silent, who
from lilygames.text import count
from lilygames_rules import liarsdice
from lilygames_rules.dice import claim_text, claims, passing
from lilygames_rules.dice.cup import DICE, Accepted, Glimpse, Looked, Rolled

_ARTICLE = re.compile(r"(?<!of )\ban? ")


def hand(claim: claims.Claim) -> str:
    """Return a claim in a few words: `pair of nines, king, ten`."""
    return _ARTICLE.sub("", claim.words).replace(" and ", ", ").replace(" with ", ", ")


def faces(shown: Sequence[int]) -> str:
    """Return some dice, equal ones together: `two kings, nine`."""
    alike = ((face, len([*group])) for face, group in groupby(sorted(shown, reverse=True)))
    return ", ".join(
        claim_text.NAMES[face - 1] if n == 1 else f"{n} {claim_text.PLURALS[face - 1]}" for face, n in alike
    )


def dice(shown: Sequence[int | None]) -> str:
    """Return dice with the hidden ones counted: `pair of nines, king, ten`, `two kings, 3 hidden`."""
    seen = tuple(face for face in shown if face is not None)
    if len(seen) == len(shown):
        return hand(claims.best(seen)) if len(seen) == DICE else faces(seen)
    hidden = f"{len(shown) - len(seen)} hidden"
    return f"{faces(seen)}, {hidden}" if seen else hidden


def _begun(event: liarsdice.RoundBegun, reader: Reader) -> str:
    begins = "begin" if event.starter == reader.seat else "begins"
    return f"Round {event.number}: {reader.who(event.starter)} {begins}."


def _rolled(event: Rolled, reader: Reader) -> str:
    if event.dice and event.seat == reader.seat:
        left = f", {count(event.left, 'roll')} left" if event.left else ""
        return f"Dice: {dice(event.dice)}{left}."
    shown = [face for face in event.open if face]
    lies = f": {dice(event.dice)}" if event.dice else f", open {faces(shown)}" if shown else ""
    return f"{who(event.seat, reader)} rolls {event.count}{lies}."


def _looked(event: Looked, reader: Reader) -> str:
    """Return the dice for the player who looked; others hear it with the claim."""
    return f"Dice: {dice(event.dice)}." if event.dice and event.seat == reader.seat else ""


def _claimed(event: passing.ClaimMade, reader: Reader) -> str:
    if event.seat == reader.seat:  # the number of an unseen pass doesn't say which claim it makes
        said = f"You to {reader.who(event.to)}: {hand(event.hand)}."
        return said if event.unseen or not reader.typed else ""
    passes = " passes on" if event.unseen else ""
    blind = "" if event.looked or event.unseen else " without looking"
    return f"{reader.names[event.seat]}{passes} to {reader.who(event.to)}{blind}: {hand(event.hand)}."


def _challenged(event: passing.Challenged, reader: Reader) -> str:
    return challenged(event.seat, dice(event.dice), reader, true=event.honest)


TOLD: Words = {
    liarsdice.RoundBegun: _begun,
    Rolled: _rolled,
    Looked: _looked,
    passing.ClaimMade: _claimed,
    Accepted: silent,  # a roll or a claim of the same player follows
    passing.Challenged: _challenged,
    liarsdice.RoundScored: lambda event, reader: f"Score: {by_seat(event.scores, reader)}.",
}
"""The line for each kind of event."""


def ask(view: liarsdice.View, offers: Sequence[Any]) -> str:
    """Return the prompt with the numbered moves; the claim to beat and the dice have already been read."""
    now, cup = view.passing, view.cup
    if now is None or cup is None:
        return ""
    if not now.taken:
        unseen = next((hand(move.hand) for move in offers if isinstance(move, passing.Claim)), "")
        passes = f", 3 pass on unseen as {unseen}" if unseen else ""
        return "1 challenge, nothing beats it" if now.least is None else f"1 accept, 2 challenge{passes}"
    truth = claims.best(cup.seen) if cup.known else None
    return numbered(offers, lambda move: _move(move, cup, truth))


def _move(move: Any, cup: Glimpse, truth: claims.Claim | None) -> str:
    if not isinstance(move, passing.Claim):
        return roll(move, cup, faces)
    return TRUTH if move.hand == truth else f"claim {hand(move.hand)}"
