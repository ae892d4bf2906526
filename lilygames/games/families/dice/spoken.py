"""What is said of the games of dice under a cup: Liars Dice and Lie Die."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

from lilygames.game import Reader
from lilygames.spoken import Words, by_seat, does, silent, who
from lilygames.text import count
from rules import liarsdice, liedie
from rules.dice import claim_text as claimtext
from rules.dice import claims, passing
from rules.dice.cup import DICE, Accept, Accepted, Glimpse, Looked, Roll, Rolled
from rules.dice.passing import Peek
from rules.dice.throws import Throw

_SAID = 2
"""Moves that are said with their numbers, the best ones; `/moves` has more."""
_ARTICLE = re.compile(r"(?<!of )\ban? ")


def hand(claim: claims.Claim) -> str:
    """Return a claim in few words: `pair of nines, king, ten`."""
    return _ARTICLE.sub("", claim.words).replace(" and ", ", ").replace(" with ", ", ")


def faces(shown: Sequence[int]) -> str:
    """Return some dice, alike ones together: `two kings, nine`."""
    alike = ((face, len([*group])) for face, group in groupby(sorted(shown, reverse=True)))
    return ", ".join(claimtext.NAMES[face - 1] if n == 1 else f"{n} {claimtext.PLURALS[face - 1]}" for face, n in alike)


def dice(shown: Sequence[int | None]) -> str:
    """Return five dice as far as they are seen: `pair of nines, king, ten`, `two kings, 3 hidden`."""
    seen = tuple(face for face in shown if face is not None)
    if len(seen) == len(shown):
        return hand(claims.best(seen))
    hidden = f"{len(shown) - len(seen)} hidden"
    return f"{faces(seen)}, {hidden}" if seen else hidden


def digits(throw: Throw | Sequence[int | None]) -> str:
    """Return five dice of Lie Die one by one: `3 3 1 4 5`."""
    return " ".join(str(throw)) if isinstance(throw, Throw) else " ".join(str(face or "hidden") for face in throw)


# Liars Dice.


def _rolled(event: Rolled, reader: Reader) -> str:
    if event.dice and event.seat == reader.seat:
        left = f", {count(event.left, 'roll')} left" if event.left else ""
        return f"Dice: {dice(event.dice)}{left}."
    shown = [face for face in event.open if face]
    lies = f": {dice(event.dice)}" if event.dice else f", open {faces(shown)}" if shown else ""
    return f"{who(event.seat, reader)} rolls {event.count}{lies}."


def _looked(event: Looked, reader: Reader) -> str:
    """Others are not told: each claim says where its maker has not looked."""
    return f"Dice: {dice(event.dice)}." if event.dice and event.seat == reader.seat else ""


def _claimed(event: passing.ClaimMade, reader: Reader) -> str:
    if reader.typed and event.seat == reader.seat:
        return ""
    passes = " passes on" if event.unseen else ""
    blind = "" if event.looked or event.unseen else " without looking"
    return f"{who(event.seat, reader)}{passes} to {reader.who(event.to)}{blind}: {hand(event.hand)}."


def _challenged(event: passing.Challenged, reader: Reader) -> str:
    honest = reader.says(event.passer, "was honest.", "were honest.")
    truth = honest if event.honest else f"{who(event.passer, reader)} lied."
    return f"{_challenges(event, reader)}Dice: {dice(event.dice)}. {truth}"


def _challenges(event: Any, reader: Reader) -> str:
    said = does("challenges", "challenge")(event, reader)
    return f"{said}\n" if said else ""


LIARS_DICE: Words = {
    Rolled: _rolled,
    Looked: _looked,
    passing.ClaimMade: _claimed,
    Accepted: does("accepts", "accept"),
    passing.Challenged: _challenged,
    liarsdice.RoundScored: lambda event, reader: f"Score: {by_seat(event.scores, reader)}.",
}
"""The line for each kind of event of Liars Dice."""


def ask(view: liarsdice.View, offers: Sequence[Any]) -> str:
    """Return what a turn of Liars Dice asks for, each move that has a number behind it."""
    now, cup = view.passing, view.cup
    if now is None or cup is None:
        return ""
    if not now.taken:
        return (
            "1 challenge, nothing beats it"
            if now.least is None
            else "1 accept, 2 challenge, 3 pass on unseen, or claim"
        )
    beat = f"beat {hand(now.hand)}: " if now.hand else ""
    return f"{beat}{'; '.join(_numbered(offers[:_SAID], cup, faces))}; or claim"


def _numbered(offers: Sequence[Any], cup: Glimpse, shown: Callable[[Sequence[int]], str]) -> list[str]:
    """Return moves behind their numbers: `1 roll king, nine`, `2 claim pair of aces`; `shown` says some dice."""
    return [f"{number} {_move(move, cup, shown)}" for number, move in enumerate(offers, 1)]


def _move(move: Any, cup: Glimpse, shown: Callable[[Sequence[int]], str]) -> str:
    match move:
        case passing.Claim(said):
            return f"claim {hand(said)}"
        case liedie.Claim(throw):
            return f"claim {digits(throw)}"
        case Roll(places) if len(places) < DICE:
            return f"roll {shown(sorted((cup.dice[place - 1] or 0 for place in places), reverse=True))}"
    return "look" if isinstance(move, Peek) else "roll all"


# Lie Die.


def _begun(event: liedie.GameBegun, reader: Reader) -> str:
    throws = reader.says(event.thrower, "throws first.", "throw first.")
    return f"Game {event.number}. {throws}" if event.games > 1 else throws


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
    honest = reader.says(event.claimant, "was honest.", "were honest.")
    truth = f"{who(event.claimant, reader)} lied." if event.lied else honest
    return f"{_challenges(event, reader)}Dice: {digits(event.dice)}. {truth}"


LIE_DIE: Words = {
    liedie.GameBegun: _begun,
    Rolled: _thrown,
    Looked: _saw,
    liedie.ClaimMade: _told,
    Accepted: does("accepts", "accept"),
    liedie.Challenged: _caught,
    liedie.GameWon: lambda event, reader: f"Score: {by_seat(event.scores, reader)}.",
    liedie.MatchEnded: silent,
}
"""The line for each kind of event of Lie Die."""


def ask_throw(view: liedie.View, offers: Sequence[Any]) -> str:
    """Return what a turn of Lie Die asks for, each move that has a number behind it; what to beat has been said."""
    now, cup = view.turn, view.cup
    if now is None or cup is None:
        return ""
    if not now.taken:
        return "1 accept, 2 challenge" if isinstance(offers[0], Accept) else "1 challenge, nothing beats it"
    return f"{'; '.join(_numbered(offers[:_SAID], cup, digits))}; or claim"
