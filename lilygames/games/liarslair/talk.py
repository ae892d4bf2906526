"""Remarks of bots about contradictions, declarations and proofs, never about cards that someone still holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lilygames.remarks import Remark, sayings
from rules.lair.moves import (
    CardExposed,
    CardTaken,
    Contradicted,
    Declared,
    KnockedOut,
    RoundBegun,
    Volunteered,
)

_VICTOR = sayings(
    "The truth will out.",
    "One of us had to be lying.",
    "I was sure of mine.",
    bold="Next, please!",
    careful="I checked that twice.",
    talkative="I do love a good contradiction!",
    grumpy="Don't argue with me.",
)
_VICTIM = sayings(
    "I was quite sure of that one.",
    "Well, it sounded true.",
    "Out! I'll watch, then.",
    bold="It was a fine lie.",
    careful="I should have kept that one.",
    talkative="Out already? I had so much to say!",
    grumpy="The truth is overrated.",
)
_CAUGHT = sayings(
    "You have a good memory.",
    "That nearly worked.",
    "I declared too soon.",
    bold="Too soon? I'd call it too brave.",
    careful="I knew I should have waited.",
    talkative="And I had my speech ready!",
    grumpy="You couldn't let me have it.",
)
_RASH = sayings(
    "I had to try that.",
    "That card looked better in my hand.",
    bold="It was worth a card.",
    careful="I should have said nothing.",
    talkative="Me and my big mouth.",
    grumpy="Bad card.",
)
_VOLUNTEERS = sayings(
    "I'll go first, if nobody minds.",
    "Someone has to begin.",
    bold="Me! Let me begin.",
    careful="I hope I won't regret this.",
    talkative="I could start a story right now.",
    grumpy="Fine. I'll do it.",
)
_STARTS = sayings(
    "Let's hear some stories.",
    "Once more around the table.",
    bold="Now it gets interesting.",
    careful="Think before you speak, everyone.",
    talkative="Gather round, everyone!",
    grumpy="Still here? Good.",
)
_TAKES = sayings(
    "I'll take good care of it.",
    "One more for my collection.",
    bold="I'll have that, thank you.",
    careful="I hope I chose well.",
    talkative="Ooh, let me read it!",
    grumpy="It was the least you could do.",
)
_ROBBED = sayings(
    "It's yours now.",
    "Be kind to my cards.",
    talkative="Tell it well!",
    grumpy="Take it. I'm done.",
)
_DECLARES = sayings(
    "There you have it.",
    "Well? Does anyone object?",
    bold="That's that. Who dares to object?",
    careful="Please look closely.",
    talkative="And that, my friends, is the whole story.",
    grumpy="Let's get this over with.",
)
_NO_PROOF = sayings(
    "It was worth a look.",
    "I had to ask.",
    bold="I nearly had you.",
    careful="Better to be sure.",
    talkative="My card has something to say, too!",
    grumpy="Well, it should have worked.",
)
_UNHARMED = sayings(
    "Was that all?",
    "No harm done.",
    bold="Not even close.",
    careful="I held my breath there.",
    talkative="Such a lovely card. Have you more?",
    grumpy="Are you done?",
)
_SOMETIMES = 2
"""One round in so many is worth a remark as it begins."""


def remarks(events: Sequence[Any]) -> Iterator[Remark]:
    """Yield what seats may say about the events of a move, as everyone has seen them."""
    for event in events:
        yield from _remarks(event)


def _remarks(event: Any) -> Iterator[Remark]:
    match event:
        case Volunteered(seat):
            yield Remark(seat, _VOLUNTEERS)
        case RoundBegun(number, starter) if number % _SOMETIMES == 0:
            yield Remark(starter, _STARTS)
        case Contradicted(victor=victor, victim=victim):
            yield Remark(victor, _VICTOR)
            yield Remark(victim, _VICTIM)
        case CardTaken(victor, victim):
            yield Remark(victor, _TAKES)
            yield Remark(victim, _ROBBED)
        case Declared(seat):
            yield Remark(seat, _DECLARES)
        case CardExposed(seat, declarer, _, "nothing"):
            yield Remark(seat, _NO_PROOF)
            yield Remark(declarer, _UNHARMED)
        case KnockedOut(seat, "proven" | "absolution" | "identity"):
            yield Remark(seat, _CAUGHT)
        case KnockedOut(seat, "false-proof"):
            yield Remark(seat, _RASH)
