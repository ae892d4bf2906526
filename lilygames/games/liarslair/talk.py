"""Remarks of bots about contradictions and proofs, never about cards that someone still holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lilygames.remarks import WON, Remark
from rules.lair.moves import Contradicted, GameEnded, KnockedOut

_VICTOR = ("The truth will out.", "One of us had to be lying.", "I was sure of mine.")
_VICTIM = ("I was quite sure of that one.", "Well, it sounded true.", "Out! I'll watch, then.")
_CAUGHT = ("You have a good memory.", "That nearly worked.", "I declared too soon.")
_RASH = ("I had to try that.", "That card looked better in my hand.")


def remarks(event: Any) -> Iterator[Remark]:
    """Yield what seats may say about an event that everyone has seen."""
    match event:
        case Contradicted(victor=victor, victim=victim):
            yield Remark(victor, _VICTOR)
            yield Remark(victim, _VICTIM)
        case KnockedOut(seat, "proven" | "absolution" | "identity"):
            yield Remark(seat, _CAUGHT)
        case KnockedOut(seat, "false-proof"):
            yield Remark(seat, _RASH)
        case GameEnded(winners):
            yield from (Remark(seat, WON) for seat in winners)
