"""Remarks of bots about bids that came out, or didn't, about tricks, and about the standings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lilygames.remarks import Remark, Sayings, sayings, standings
from lilygames_rules.cards import WIZARD
from lilygames_rules.tricks.exactbid import BidMade, RoundScored, TrickCancelled, TrickWon

_LARGE = 2
"""A bid, or a miss, worth a remark."""
_HIGH = 3
"""A bid that is worth a remark as soon as it is made."""
_DARING = 4
"""A bid that others speak of."""

_CONFIDENT = sayings(
    "There, I've said it.",
    "Someone has to bid.",
    "I may come to regret that.",
    bold=("Is that all? I could bid more.", "That's me being modest."),
    careful=("Did I really say that?", "I counted. Then I counted again."),
    talkative=(
        "You heard me! Now let's see.",
        "I said it out loud. No way back now.",
        "Big words. Let's see some tricks.",
        "I'm feeling generous. With tricks to me.",
    ),
    grumpy=("Don't look at me like that.", "Yes, that many."),
)
_MODEST = sayings(
    "None for me, thank you.",
    "I'll just sit here quietly.",
    talkative=(
        "Don't mind me, I'm only watching.",
        "None! I'm on a diet.",
        "You take them. I insist.",
        "I plan to do nothing, and do it well.",
    ),
)
_DARED = sayings(
    "Someone has plans.",
    "Well, that's a bid.",
    bold=("Now that's a bid!", "I'd have gone higher."),
    careful=("Are you quite sure?", "I'd need a lie-down after that bid."),
    talkative=(
        "Ooh, that's brave!",
        "Leave some tricks for the rest of us!",
        "Big bid! I'll fetch a chair.",
        "That many? I admire the optimism.",
    ),
    grumpy=("We'll see about that.", "Show-off."),
)
_ENOUGH = sayings(
    "That's all I need.",
    "You can have the rest.",
    talkative=(
        "That's me done. Carry on without me!",
        "My shopping's done. I'm just browsing now.",
        "Lovely. I'd like to stop here.",
        "Full, thank you. Couldn't eat another trick.",
    ),
)
_PROUD = sayings(
    "Exactly as I planned it.",
    "Just what I wanted.",
    "Right on the number!",
    "To the trick. Thank you.",
    "I'd like that one framed.",
    bold=("I never doubted it.", "Easy. Next."),
    careful=("I counted twice, you know.", "All that worrying was worth it."),
    talkative=(
        "Did everyone see that? Right on the number!",
        "Someone tell my mother about that round.",
        "I'd tell you how, but I don't know.",
    ),
    grumpy=("For once it works.", "As ordered. Nobody clapped."),
)
_NOTHING = sayings(
    "Nothing, as promised.",
    "It isn't easy to take nothing.",
    "I did nothing, and it was hard work.",
    bold=("Nothing! That takes nerve.", "Nobody ducks like I do."),
    careful=("I do like a quiet round.", "Nothing happened to me. Perfect."),
    talkative=(
        "Nothing at all, and I enjoyed every trick.",
        "I've never worked so hard for so little.",
        "My hands are empty, and so is my conscience.",
    ),
    grumpy=("Nobody gives me anything. Good.", "Nothing. Just how I like it."),
)
_SORRY = sayings(
    "Well, that went wrong.",
    "I counted on other tricks.",
    "Not my round.",
    "It looked good on paper.",
    "I'd like my bid back, please.",
    bold=("It was worth it.", "Go big or go home. I'm going home."),
    careful=("I should have bid less. Or more.", "I had a bad feeling from the start."),
    talkative=(
        "Let's not talk about that round.",
        "I had a plan. It had other plans.",
        "Could we all agree that didn't happen?",
    ),
    grumpy=("These cards don't like me.", "Go on, laugh."),
)
_SO_CLOSE = sayings(
    "So close!",
    "Just one out.",
    "One trick! That's all it was.",
    "Near enough doesn't pay, I notice.",
    "I can count. Just not today.",
    bold=("Nearly right is nearly right.", "One out. I'd bid it again."),
    careful=("One out. I'll have to count again.", "I knew it was that or one less."),
    talkative=(
        "One out! You'll let me have it, won't you?",
        "So close I could smell it.",
        "One trick. I won't sleep tonight.",
    ),
    grumpy=("One out. Typical.", "One. Always one."),
)
_UNWANTED = sayings(
    "I didn't want that one.",
    "Would anyone like that trick?",
    "You're too kind.",
    "That one wasn't on my list.",
    bold=("Too strong for my own good.", "Fine. I'll win the lot, then."),
    careful=("Oh dear. That wasn't the plan.", "I was hoping someone would stop me."),
    talkative=(
        "No, no, please! You have it.",
        "A trick! For me? You shouldn't have.",
        "One free trick to a good home!",
        "I tried to lose that, I promise.",
    ),
    grumpy=("Keep your presents.", "Who did that to me?"),
)
_SPOILED = sayings(
    "That one was for you.",
    "No need to thank us.",
    talkative=(
        "Oops. Was that one too many?",
        "We all chipped in to get you that.",
        "Someone had to take it. Sorry!",
        "You looked like you needed one more.",
    ),
)
_LAST_TRICK = sayings(
    "It came down to the last trick.",
    "I like a good ending.",
    "Just in time.",
    bold=("The last trick? No problem.", "I was saving it."),
    careful=("I could hardly watch.", "Please, never again."),
    talkative=(
        "I love a last trick like that!",
        "Talk about leaving it late!",
        "I may have closed my eyes for that.",
    ),
    grumpy=("You made me wait long enough.", "Late. But it came."),
)
_WIZARD = sayings(
    "A little magic.",
    "You called for a wizard?",
    "He was in my sleeve the whole time. Legally.",
    bold=("Make way for the wizard!", "Nobody argues with the hat."),
    careful=("Better safe than sorry.", "I'd been holding on to him."),
    talkative=("And here he comes, hat and all!", "Abracadabra, and so on.", "He's old, but he gets there."),
    grumpy=("Out of the way.", "Don't ask him for a second trick."),
)
_CANCELLED = sayings(
    "So nobody gets it. Fair enough.",
    "All that for nothing.",
    talkative=("Where did that trick go?", "A trick for nobody! How tidy."),
)
_CONSOLED = sayings(
    "It happens to all of us.",
    "I felt that one from here.",
    bold=("At least you went for it.", "That's the spirit. Wrong, but spirited."),
    careful=("I'm glad that wasn't me.", "Hard luck. Really."),
    talkative=(
        "Bad luck! I'd have done the same, or worse.",
        "Oh no. Well, that's one round less to go.",
        "Could be worse. It could be me.",
        "I'd offer you a trick, but look at me.",
    ),
    grumpy=("And I thought I had it bad.", "Welcome to my world."),
)
_ADMIRED = sayings(
    "Nicely bid.",
    "I should take lessons.",
    bold=("Not bad. I've seen better. Mine.", "All right, that was good."),
    careful=("I'd never have dared.", "You make it look safe."),
    talkative=(
        "How did you know? Don't tell me, I'd only copy.",
        "Exactly! Are you sure you can't see my cards?",
        "That was lovely. Annoying, but lovely.",
        "Right on the button. Show us how, one day.",
    ),
    grumpy=("Beginner's luck.", "Fine. Well bid."),
)
_NOBODY = sayings(
    "We all missed. Let's say it was the cards.",
    "Not one of us? That takes teamwork.",
    talkative=("All wrong together! I feel so close to you.", "I blame the dealer, whoever that was."),
    grumpy="Well, at least nobody's happy.",
)
_EVERYONE = sayings(
    "All of us? Suspiciously peaceful.",
    "Everyone's right. How dull.",
    talkative=("We all made it! Group hug?", "Look at us, all so clever."),
    grumpy="Everybody wins. Disgusting.",
)


def remarks(events: Sequence[Any]) -> Iterator[Remark]:
    """Yield what seats may say about the events of a move, as everyone has seen them."""
    cards = sum(sum(event.taken) for event in events if isinstance(event, RoundScored))
    for event in events:
        match event:
            case BidMade(seat, tricks):
                yield from _said(seat, tricks)
            case TrickWon(seat, card, taken, bid) if card == WIZARD and taken == bid:
                yield Remark(seat, _WIZARD)
            case TrickWon(seat, _, taken, bid) if taken == bid + 1:
                yield Remark(seat, _UNWANTED)
                yield Remark(seat, _SPOILED, small=True, by_others=True)
            case TrickWon(seat, _, taken, bid) if taken == bid and cards != 1:
                yield Remark(seat, _LAST_TRICK) if cards else Remark(seat, _ENOUGH, small=True)
            case TrickCancelled(leader):
                yield Remark(leader, _CANCELLED)
            case RoundScored(_, bids, taken, points, scores):
                yield from _bids(bids, taken)
                yield from standings([now - won for now, won in zip(scores, points, strict=True)], scores)


def _said(seat: int, tricks: int) -> Iterator[Remark]:
    """Yield what is said about a bid that was just made."""
    if tricks >= _HIGH:
        yield Remark(seat, _CONFIDENT)
    elif not tricks:
        yield Remark(seat, _MODEST, small=True)
    if tricks >= _DARING:
        yield Remark(seat, _DARED, by_others=True)


def _bids(bids: Sequence[int], taken: Sequence[int]) -> Iterator[Remark]:
    """Yield what seats may say about the bids of a round."""
    misses = [abs(bid - tricks) for bid, tricks in zip(bids, taken, strict=True)]
    together = _NOBODY if all(misses) else None if any(misses) else _EVERYONE
    for seat, (bid, tricks) in enumerate(zip(bids, taken, strict=True)):
        if found := together or _bid(bid, tricks, sum(taken)):
            yield Remark(seat, found)
        if misses[seat] >= _LARGE and not together:
            yield Remark(seat, _CONSOLED, small=True, by_others=True)
        if bid >= _HIGH and not misses[seat]:
            yield Remark(seat, _ADMIRED, small=True, by_others=True)


def _bid(bid: int, tricks: int, cards: int) -> Sayings | None:
    miss = abs(bid - tricks)
    if miss:
        return _SORRY if miss >= _LARGE else _SO_CLOSE
    if bid >= _LARGE:
        return _PROUD
    return _NOTHING if not bid and cards > _LARGE else None
