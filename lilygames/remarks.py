"""Remarks of bots at the table. They speak only of what everyone has seen, and never about moves to come."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import attrs

from lilygames_rules.kit import Outcome, Seat


@attrs.frozen
class Sayings:
    """Sentences for one occasion: those of any bot, and some of its own for each temper."""

    for_all: tuple[str, ...]
    by_temper: Mapping[str, tuple[str, ...]]

    def of(self, temper: str) -> tuple[str, ...]:
        """Return the sentences of a bot with this temper."""
        return (*self.by_temper.get(temper, ()), *self.for_all)

    @property
    def all(self) -> tuple[str, ...]:
        """All sentences."""
        return (*self.for_all, *[text for texts in self.by_temper.values() for text in texts])


def sayings(*for_all: str, **by_temper: str | tuple[str, ...]) -> Sayings:
    """Return the sentences for an occasion: `sayings("Well played!", grumpy="Hm. Well played.")`."""
    return Sayings(for_all, {temper: (own,) if isinstance(own, str) else own for temper, own in by_temper.items()})


@attrs.frozen
class Remark:
    """Sentences of which a bot may say one."""

    seat: Seat
    """The seat that speaks."""
    sayings: Sayings
    small: bool = False
    """Whether it is small talk, which only talkative bots make."""
    by_others: bool = False
    """Whether any other bot speaks instead, about the seat."""


WON = sayings(
    "That was fun. Good game, all!",
    "I enjoyed that one.",
    "Thanks for the game!",
    "Well, someone had to win.",
    "That went better than I expected.",
    bold=("I told you I felt lucky. Good game!", "Who's next?"),
    careful=("Slow and steady. Thanks, all!", "I checked the score. It really says so."),
    talkative=("What a game! Shall we play another?", "I won! I'll try not to mention it again."),
    grumpy=("Well, I didn't mind that one.", "Good game. Don't expect me to smile."),
)
LOST = sayings(
    "Well played!",
    "Good game. You earned it.",
    "Nicely done. Next time!",
    "I know when I'm beaten. It's now.",
    "Good game. I blame nobody else.",
    bold=("I'd do it all again. Well played!", "Well played! I want another go."),
    careful=("I was too careful. Well played.", "Well played. I'll go over my notes."),
    talkative=("Well played! I learned a lot today.", "Good game! I did win at talking."),
    grumpy=("Hm. Well played, I suppose.", "I've lost to worse players. Well played."),
)
LEADS = sayings(
    "Look who's in front.",
    "I like the view from here.",
    "In front. Please hold the applause.",
    "Can we stop here?",
    bold=("Catch me if you can.", "In front, where I belong."),
    careful=("In front? That makes me nervous.", "There's a long way to go."),
    talkative=("In front! Write that down, please.", "Oh, is that my name at the top?", "I lead! Nobody move."),
    grumpy=("In front. It won't last.", "In front. Now you'll all pick on me."),
)
TRAILS = sayings(
    "Someone has to be last.",
    "I'm keeping the last place warm.",
    "I'm saving myself for the end.",
    "From here I can see all of you.",
    bold=("Last? You won't see me coming.", "I like a good comeback. Watch."),
    careful=("At least nobody is after me here.", "Last. I'd hoped to avoid that."),
    talkative=(
        "Last! You can all thank me for that.",
        "I'm not last. I'm leading from behind.",
        "It's peaceful down here. Do visit.",
    ),
    grumpy=("Last. Of course.", "Don't all cheer at once."),
)
BACK = sayings(
    "I'm back in it.",
    "Not last any more.",
    "Someone else can have last place.",
    bold=("Here I come.", "I said you wouldn't see me coming."),
    careful=("That's a little better.", "One place at a time."),
    talkative=("Did you see that? I'm back!", "Goodbye, last place! I won't write."),
    grumpy=("About time.", "Not last. I'll take it."),
)


def at_the_end(outcome: Outcome) -> Iterator[Remark]:
    """Yield what each seat may say at the end of a game."""
    for seat in range(len(outcome.scores)):
        yield Remark(seat, WON if seat in outcome.winners else LOST)


def standings(before: Sequence[int], after: Sequence[int]) -> Iterator[Remark]:
    """Yield what seats may say when the scores have changed: the new leader, and who is last now or no longer."""
    leader, last, trailed = _alone(after, max(after)), _alone(after, min(after)), _alone(before, min(before))
    if leader is not None and before[leader] < max(before):
        yield Remark(leader, LEADS)
    if last is not None and last != trailed:
        yield Remark(last, TRAILS)
    if trailed is not None and last != trailed and after[trailed] > before[trailed]:
        yield Remark(trailed, BACK)


def _alone(scores: Sequence[int], score: int) -> Seat | None:
    """Return the only seat with a score; None if several have it."""
    return scores.index(score) if list(scores).count(score) == 1 else None
