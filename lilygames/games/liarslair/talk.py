"""Remarks of bots about cards on the table, contradictions, declarations and proofs, never about hidden cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lilygames.remarks import Remark, sayings
from lilygames_rules.lair.moves import (
    CardExposed,
    CardPlayed,
    CardReclaimed,
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
    "Nothing personal. Just facts.",
    "Well, that settles that.",
    bold=("Next, please!", "Anyone else?"),
    careful=("I checked that twice.", "I do hate a scene."),
    talkative=("I do love a good contradiction!", "And I'd only come for the stories!", "Sorry, but I was there."),
    grumpy=("Don't argue with me.", "Told you. Well, I'm telling you now."),
)
_VICTIM = sayings(
    "I was quite sure of that one.",
    "Well, it sounded true.",
    "Out! I'll watch, then.",
    "It was true when I was young.",
    bold=("It was a fine lie.", "I went down telling a story. Good."),
    careful=("I should have kept that one.", "I had a feeling about that card."),
    talkative=("Out already? I had so much to say!", "But I read it somewhere!", "I'll be quiet now. Probably."),
    grumpy=("The truth is overrated.", "Fine. I was bored anyway."),
)
_CAUGHT = sayings(
    "You have a good memory.",
    "That nearly worked.",
    "I declared too soon.",
    "Who keeps notes on these things?",
    bold=("Too soon? I'd call it too brave.", "Worth a shot."),
    careful=("I knew I should have waited.", "One more round, I told myself."),
    talkative=("And I had my speech ready!", "I was already planning the party.", "So you were listening!"),
    grumpy=("You couldn't let me have it.", "Spoilsport."),
)
_RASH = sayings(
    "I had to try that.",
    "That card looked better in my hand.",
    "I was very nearly right.",
    bold=("It was worth a card.", "Someone had to object."),
    careful=("I should have said nothing.", "And I'm usually so quiet."),
    talkative=("Me and my big mouth.", "I spoke too soon. As ever."),
    grumpy=("Bad card.", "That card lied to me."),
)
_VOLUNTEERS = sayings(
    "I'll go first, if nobody minds.",
    "Someone has to begin.",
    bold=("Me! Let me begin.", "Stand back, I'll start."),
    careful=("I hope I won't regret this.", "If nobody else will."),
    talkative=("I could start a story right now.", "Pick me! I know a good one."),
    grumpy=("Fine. I'll do it.", "Let's get it over with, then."),
)
_STARTS = sayings(
    "Let's hear some stories.",
    "Once more around the table.",
    "Where were we?",
    "Another round of the truth, more or less.",
    bold=("Now it gets interesting.", "Let's make someone sweat."),
    careful=("Think before you speak, everyone.", "Gently, now."),
    talkative=("Gather round, everyone!", "Settle down, I'm about to tell one.", "Are we all comfortable?"),
    grumpy=("Still here? Good.", "More of this, then."),
)
_TAKES = sayings(
    "I'll take good care of it.",
    "One more for my collection.",
    "It's what you would have wanted.",
    bold=("I'll have that, thank you.", "To the victor, and so on."),
    careful=("I hope I chose well.", "I'll handle it with care."),
    talkative=("Ooh, let me read it!", "I've had my eye on that one."),
    grumpy=("It was the least you could do.", "Was that the best you had?"),
)
_ROBBED = sayings(
    "It's yours now.",
    "Be kind to my cards.",
    "I won't be needing it.",
    talkative=("Tell it well!", "Oh, I liked that one."),
    grumpy="Take it. I'm done.",
)
_DECLARES = sayings(
    "There you have it.",
    "Well? Does anyone object?",
    "I rest my case.",
    bold=("That's that. Who dares to object?", "Come on, prove it."),
    careful=("Please look closely.", "I think that's right. Isn't it?"),
    talkative=("And that, my friends, is the whole story.", "Speak now, or hold your cards."),
    grumpy=("Let's get this over with.", "Go on, find something."),
)
_NO_PROOF = sayings(
    "It was worth a look.",
    "I had to ask.",
    "Well, it's on the table now.",
    bold=("I nearly had you.", "I'll find it yet."),
    careful=("Better to be sure.", "I only wanted to check."),
    talkative=("My card has something to say, too!", "I just wanted to join in."),
    grumpy=("Well, it should have worked.", "Useless card."),
)
_UNHARMED = sayings(
    "Was that all?",
    "No harm done.",
    "Interesting. Not relevant, but interesting.",
    bold=("Not even close.", "Try another."),
    careful=("I held my breath there.", "Please don't do that again."),
    talkative=("Such a lovely card. Have you more?", "You gave me quite a turn."),
    grumpy=("Are you done?", "Next objection."),
)
_RECLAIMS = sayings(
    "I'll have this one back.",
    "That one can come home with me.",
    talkative=(
        "I'd like that one for later.",
        "Ooh, I remember this one.",
        "Finders keepers.",
        "This one needs a good home.",
        "I'm sure I can use this somehow.",
        "Nobody else wanted it? Really?",
    ),
)
_PLAYS = sayings(
    "Everybody knows that.",
    "I have it on good authority.",
    talkative=(
        "You won't have heard this one.",
        "Ask anyone.",
        "I had it from my aunt.",
        "I'd swear to it, if I swore.",
        "Scientists agree. Some of them.",
        "It was in all the papers.",
        "Believe it or not. Mostly believe it.",
        "I saw it with someone's own eyes.",
    ),
)
_SURPRISED = sayings(
    "That's news to me.",
    "Is that so?",
    talkative=(
        "Well, I never!",
        "You live and learn.",
        "I'd like to see a source for that.",
        "Who told you that?",
        "Fascinating. Possibly even true.",
        "I'll write that down.",
        "They never taught us that at school.",
        "I'd heard it differently. Or had I?",
        "Do go on.",
    ),
)
_SOMETIMES = 2
"""One round in so many is worth a remark as it begins."""


def remarks(events: Sequence[Any]) -> Iterator[Remark]:
    """Yield what seats may say about the events of a move, as everyone has seen them."""
    quiet = not any(isinstance(event, Contradicted) for event in events)
    for event in events:
        yield from _remarks(event)
        if quiet and isinstance(event, CardPlayed):
            yield Remark(event.seat, _PLAYS, small=True)
            yield Remark(event.seat, _SURPRISED, small=True, by_others=True)


def _remarks(event: Any) -> Iterator[Remark]:
    match event:
        case Volunteered(seat):
            yield Remark(seat, _VOLUNTEERS)
        case RoundBegun(number, starter) if number % _SOMETIMES == 0:
            yield Remark(starter, _STARTS)
        case CardReclaimed(seat):
            yield Remark(seat, _RECLAIMS, small=True)
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
