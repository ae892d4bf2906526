"""Remarks of bots about claims, challenges and scores in the dice games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lilygames.remarks import Remark, sayings, standings
from lilygames_rules.dice.cup import Accepted
from lilygames_rules.dice.scoring import Scored
from lilygames_rules.kit import Seat

_CAUGHT = sayings(
    "You saw through me.",
    "Caught! I had to try.",
    "It was worth a try.",
    "Well, it was true in spirit.",
    "I may have rounded up.",
    "In my defence, I was hoping.",
    bold=("I'd tell it again.", "Next time I'll go bigger.", "I regret nothing."),
    careful=("I knew I shouldn't have.", "I'm no good at this, am I?", "Even I didn't believe it."),
    talkative=(
        "And I told it so well!",
        "I'd prepared such a nice face for it.",
        "That wasn't a lie. That was a first draft.",
        "Was it my voice? It was my voice.",
    ),
    grumpy=("Fine. You got me.", "Happy now?", "Nobody likes a clever one."),
)
_HONEST = sayings(
    "I'd never lie to you.",
    "The plain truth, as always.",
    "You could have believed me.",
    "Told you. Literally.",
    "I do that sometimes. To confuse you.",
    "There they are, every one of them.",
    bold=("Truth is the boldest lie of all.", "Challenge me any time.", "I never even blinked."),
    careful=("I'd rather tell the truth.", "I only say what I can see.", "Honesty is so much calmer."),
    talkative=(
        "Honest! I can hardly believe it myself.",
        "All that suspicion, and for what?",
        "And me with such an honest face!",
        "I'd like an apology. Flowers will do.",
    ),
    grumpy=("Nobody ever believes me.", "That's what you get.", "Now say sorry."),
)
_SHARP = sayings(
    "I had a feeling about that.",
    "That sounded too good.",
    "I don't believe everything.",
    "Lovely claim. Shame about the dice.",
    "I've used that one myself.",
    "Just checking.",
    bold=("You'll have to try harder.", "Not to me, you don't.", "I never fall for those."),
    careful=("I wasn't sure, you know.", "I nearly let that go.", "My heart was in my mouth."),
    talkative=(
        "It was a lovely story, though!",
        "Oh, I liked it. I just didn't believe it.",
        "You do lie beautifully, I'll say that.",
        "Something about the way you said it.",
    ),
    grumpy=("I've heard better ones.", "Do I look that stupid?", "Thought so."),
)
_RASH = sayings(
    "I should have believed that.",
    "Honest, of all things!",
    "I was too suspicious.",
    "Well, now we know.",
    "I'll get my coat.",
    "Who tells the truth in a game like this?",
    bold=("I'd challenge it again.", "It was the right idea.", "Someone had to look."),
    careful=("That's what I get for it.", "I talked myself into that.", "Sorry. I got nervous."),
    talkative=(
        "Sorry! I'll never doubt you again.",
        "You were honest? Here? With us?",
        "I feel terrible. Well, a bit.",
        "So that's what the truth looks like.",
    ),
    grumpy=("Honest people. How annoying.", "You could have looked guiltier.", "Luck. Pure luck."),
)
_BELIEVES = sayings(
    "I'll believe that. For now.",
    "All right. I'm in a trusting mood.",
    talkative=(
        "I believe you. Don't make me sorry.",
        "Well, you've never lied to me. Today.",
        "If you say so. Give me those dice.",
        "I'll take your word for it. It's cheaper.",
        "Fine, but I'm watching your eyebrows.",
        "I want to believe. I really do.",
        "Hand them over. Gently.",
        "You had me at the straight face.",
    ),
)
_CLAIMED_HIGH = sayings(
    "And that's my final word.",
    "Go on, look if you like.",
    talkative=(
        "I know how that sounds.",
        "Would this face lie to you?",
        "I'm as surprised as you are.",
        "Stranger things have happened. Probably.",
        "Don't look at me like that.",
        "What? People roll that.",
    ),
)
_HEARD_HIGH = sayings(
    "Of course you have.",
    "That's a lot to ask.",
    talkative=(
        "My, my, such lucky dice!",
        "I'd like to see those. Eventually.",
        "That's how legends start. Or rumours.",
        "Someone's been eating their greens.",
        "I'm glad it's not my turn. Is it my turn?",
        "And I suppose you have a castle, too.",
        "Sounds lovely. Very round, as claims go.",
    ),
)


def challenged(challenger: Seat, claimant: Seat, *, honest: bool) -> Iterator[Remark]:
    """Yield what the two seats of a settled challenge may say."""
    yield Remark(claimant, _HONEST if honest else _CAUGHT)
    yield Remark(challenger, _RASH if honest else _SHARP)


def claimed_high(claimant: Seat) -> Iterator[Remark]:
    """Yield what may be said about a high claim, true or not."""
    yield Remark(claimant, _CLAIMED_HIGH, small=True)
    yield Remark(claimant, _HEARD_HIGH, small=True, by_others=True)


def passed_on(events: Sequence[Any]) -> Iterator[Remark]:
    """Yield what seats may say about an accepted claim, and about the new scores."""
    for event in events:
        match event:
            case Accepted(seat):
                yield Remark(seat, _BELIEVES, small=True)
            case Scored(_, winner, loser, scores):
                before = [score - (seat == winner) + (seat == loser) for seat, score in enumerate(scores)]
                yield from standings(before, scores)
