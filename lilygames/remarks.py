"""Remarks of bots at the table. They speak only of what everyone has seen, and never about moves to come."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import attrs

from rules.kit import Outcome, Seat


@attrs.frozen
class Sayings:
    """Sentences for one occasion: those of any bot, and one of its own for each temper."""

    for_all: tuple[str, ...]
    by_temper: Mapping[str, str]

    def of(self, temper: str) -> tuple[str, ...]:
        """Return the sentences of a bot with this temper."""
        own = self.by_temper.get(temper)
        return (own, *self.for_all) if own else self.for_all

    @property
    def all(self) -> tuple[str, ...]:
        """All sentences."""
        return (*self.for_all, *self.by_temper.values())


def sayings(*for_all: str, **by_temper: str) -> Sayings:
    """Return the sentences for an occasion: `sayings("Well played!", grumpy="Hm. Well played.")`."""
    return Sayings(for_all, by_temper)


@attrs.frozen
class Remark:
    """Sentences of which a bot in a seat may say one."""

    seat: Seat
    sayings: Sayings


WON = sayings(
    "That was fun. Good game, all!",
    "I enjoyed that one.",
    "Thanks for the game!",
    bold="I told you I felt lucky. Good game!",
    careful="Slow and steady. Thanks, all!",
    talkative="What a game! Shall we play another?",
    grumpy="Well, I didn't mind that one.",
)
LOST = sayings(
    "Well played!",
    "Good game. You earned it.",
    "Nicely done. Next time!",
    bold="I'd do it all again. Well played!",
    careful="I was too careful. Well played.",
    talkative="Well played! I learned a lot today.",
    grumpy="Hm. Well played, I suppose.",
)
LEADS = sayings(
    "Look who's in front.",
    "I like the view from here.",
    bold="Catch me if you can.",
    careful="In front? That makes me nervous.",
    talkative="In front! Write that down, please.",
    grumpy="In front. It won't last.",
)
TRAILS = sayings(
    "Someone has to be last.",
    "I'm keeping the last place warm.",
    bold="Last? You won't see me coming.",
    careful="At least nobody is after me here.",
    talkative="Last! You can all thank me for that.",
    grumpy="Last again. Of course.",
)
BACK = sayings(
    "I'm back in it.",
    "Not last any more.",
    bold="Here I come.",
    careful="That's a little better.",
    talkative="Did you see that? I'm back!",
    grumpy="About time.",
)


def at_the_end(outcome: Outcome) -> Iterator[Remark]:
    """Yield what each seat may say at the end of a game."""
    for seat in range(len(outcome.scores)):
        yield Remark(seat, WON if seat in outcome.winners else LOST)


def standings(before: Sequence[int], after: Sequence[int]) -> Iterator[Remark]:
    """Yield what seats may say when the scores have changed: the new leader, and who is last or no longer last."""
    leader, last, trailed = _alone(after, max(after)), _alone(after, min(after)), _alone(before, min(before))
    if leader is not None and before[leader] < max(before):
        yield Remark(leader, LEADS)
    if last is not None and last == trailed:
        yield Remark(last, TRAILS)
    if trailed is not None and last != trailed and after[trailed] > before[trailed]:
        yield Remark(trailed, BACK)


def _alone(scores: Sequence[int], score: int) -> Seat | None:
    """Return the only seat with a score; None if several have it."""
    return scores.index(score) if list(scores).count(score) == 1 else None
