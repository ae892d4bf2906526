"""Bots for Liars Dice; each is a function from a view to a move."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from lilygames.game import Budget, Strategy, Thinker
from lilygames.games.families.dice.chances import best_roll
from lilygames.games.liarsdice.bots.headsup import solution
from lilygames.games.liarsdice.bots.trust import trusts
from lilygames.games.liarsdice.solved.chances import (
    AIM,
    Passed,
    another_fall,
    credible,
    lowest_whole,
    named,
    names_all,
    reach,
    vaguer,
    worth_keeping,
)
from lilygames_rules import liarsdice
from lilygames_rules.dice.claims import KING, Category, best, ladder
from lilygames_rules.dice.claims import Claim as Hand
from lilygames_rules.dice.cup import DICE, Accept, Challenge, Glimpse, Roll, others
from lilygames_rules.dice.passing import ROLLS, Claim, Passing, Peek
from lilygames_rules.kit import Luck
from lilygames_rules.liarsdice import View

Answer = Callable[[View, Passing, Luck], Any]
Speech = Callable[[Glimpse, Passing, Luck], Hand]
"""Returns the claim for known dice."""

_WORLDS = 40
"""Number of random dice a novice imagines."""
_TRUST, _BLIND_TRUST = 0.9, 0.3
"""A novice's trust in claims that the dice don't support: from players who looked, and who didn't."""
_AWE = 0.48
"""Share of that trust lost on the way up to five aces."""
_CALM = 0.5
"""Probability of truth at which a novice takes the dice."""
_FORGETS = 16
"""A novice forgets once in this many claims which dice it passed itself."""
_ASHAMED = 0.25
"""Probability that a novice adds to each claim after it has doubted a true one."""
_BOLD = 6
"""After a win, a novice claims more than the truth once in this many claims."""
_ENOUGH = Hand.parse("two pair J")
"""A novice who begins rolls for at least this."""
_REACH = 4
"""Number of next claims from which a lying club bot chooses."""
_NERVE = 0.45
"""Bonus for accepting in a shark's comparison of beating the claim honestly with catching a lie."""
_BLUFF_WEAK, _BLUFF_STRONG, _BLUFF_LATER = 4, 8, 8
"""A shark bluffs once in this many claims: after a weak or strong first hand, and later."""
_VAGUE = 4
"""A shark makes one claim in this many vaguer, true or not."""
_TWO = 2
_FIVE_KINGS = Hand(Category.FIVE, (KING,))


@attrs.frozen
class Mood:
    """How a novice feels; each number but `trust` is the moves among which it does something once, 0 for never."""

    bluffs: int = 0
    unseen: int = 0
    """For claims that it passes on unseen."""
    forgets: int = 0
    """For dice that it passed itself, and has forgotten."""
    trust: float = 0.0
    """Probability that it adds to each claim's."""


def mood(view: View) -> Mood:
    """Return a novice's mood: bold after a win, honest after it was caught, trusting after it doubted wrongly."""
    last = view.match.sheet[-1] if view.match.sheet else None
    if last is None or view.seat not in (last.seat, last.passer):
        return Mood(bluffs=24, forgets=_FORGETS)
    if last.honest == (last.passer == view.seat):
        return Mood(bluffs=_BOLD, unseen=8, forgets=_FORGETS)
    return Mood(forgets=_FORGETS, trust=_ASHAMED if last.seat == view.seat else 0.0)


def novice(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return a novice's move, which depends on its mood."""
    return moody(view, moves, luck, mood(view))


def moody(view: View, moves: Sequence[Any], luck: Luck, feels: Mood) -> Any:
    """Return a novice's move: true claims if possible, else the lowest; it challenges unlikely claims."""
    now, cup = view.passing, view.cup
    if now is None or cup is None or len(moves) == 1:
        return moves[0]
    if not now.taken:
        return _answer(view, now, luck, feels)
    if not cup.known:
        return Peek()
    dice = cup.seen
    least = now.least or ladder()[0]
    wanted = max(least, _ENOUGH, key=lambda hand: hand.rung) if now.hand is None else least
    if now.left and not wanted.true_of(dice):
        return Roll(best_roll(dice, wanted.true_of))
    return Claim(said(dice, least, more=_happens(feels.bluffs, luck)))


def _happens(once_in: int, luck: Luck) -> bool:
    return bool(once_in) and luck.roll(once_in) == 1


def _answer(view: View, now: Passing, luck: Luck, feels: Mood) -> Any:
    known = view.cup is not None and view.cup.known
    believed = trust(now) if known and _happens(feels.forgets, luck) else belief(view, now, luck) + feels.trust
    if now.least is None or believed < _CALM:
        return Challenge()
    return Claim(now.least) if _happens(feels.unseen, luck) else Accept()


def belief(view: View, now: Passing, luck: Luck) -> float:
    """Return the probability that the last claim is true: from known dice, otherwise from trust."""
    hand, cup = now.hand, view.cup
    if hand is None or cup is None:
        return 1
    worlds = [liarsdice.sample(view, luck).cup for _ in range(1 if cup.known else _WORLDS)]
    likely = sum(hand.true_of(world.dice, view.match.options.kickers) for world in worlds if world) / len(worlds)
    if cup.known:
        return likely
    return likely + (1 - likely) * trust(now)


def trust(now: Passing) -> float:
    """Return a novice's trust in a claim that the dice don't support."""
    return (_TRUST if now.vouched else _BLIND_TRUST) * (1 - _AWE * (now.hand.rung if now.hand else 0) / len(ladder()))


def said(dice: tuple[int, ...], least: Hand, *, more: bool = False) -> Hand:
    """Return the highest true claim without kickers, or the next one above with `more`.

    If no true claim is high enough, return the lowest legal one.
    """
    plain = [hand for hand in ladder()[least.rung :] if not hand.kickers]
    true = [hand for hand in plain if hand.true_of(dice)]
    if more and plain[len(true) :]:
        return plain[len(true)]
    return true[-1] if true else max(least, best(dice), key=lambda hand: hand.rung)


def club(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return a club bot's move: the whole truth if it is high enough; it challenges like a novice."""
    return played(view, moves, luck, _doubted, truth_or_a_little_more)


def odds(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return a move by the odds of each claim; lies look like truths. The shark of release 0.2 played like this.

    With more than two players, it trusts later claims more: the dice are soon someone else's.
    """
    now = view.passing
    several = len(view.match.scores) > _TWO and now is not None and now.over is not None
    return played(view, moves, luck, trusting if several else _weighed, _truth_or_another_fall)


def played(view: View, moves: Sequence[Any], luck: Luck, answer: Answer, speech: Speech) -> Any:
    """Return an answer, a roll if it may help, or a claim."""
    now, cup = view.passing, view.cup
    if now is None or cup is None or len(moves) == 1:
        return moves[0]
    if not now.taken:
        return answer(view, now, luck)
    if not cup.known:
        return Peek()
    dice = cup.seen
    if now.left and not wanted(now).true_of(dice):
        return Roll(best_roll(dice, wanted(now).true_of))
    return Claim(speech(cup, now, luck))


def wanted(now: Passing) -> Hand:
    """Return the hand to roll for."""
    least = now.least or ladder()[0]
    return max(least, AIM, key=lambda hand: hand.rung) if now.hand is None else least


def truth_or_a_little_more(cup: Glimpse, now: Passing, luck: Luck) -> Hand:
    """Return the whole truth if it is high enough, else one of the next claims."""
    dice, least = tuple(sorted(cup.seen)), now.least or ladder()[0]
    if least.true_of(dice):
        return best(dice)
    plain = [hand for hand in ladder()[least.rung :] if not hand.kickers][:_REACH]
    return luck.choice(plain) if plain else least


def _doubted(view: View, now: Passing, luck: Luck) -> Any:
    return Challenge() if now.least is None or belief(view, now, luck) < _CALM else Accept()


def trusting(view: View, now: Passing, luck: Luck) -> Any:
    """Accept a claim that is likely enough if most liars claim as little as they can."""
    if now.least is None or now.hand is None:
        return Challenge()
    if view.cup is None or view.cup.known:
        return Accept() if belief(view, now, luck) > _CALM else Challenge()
    return Accept() if trusts(view, now, now.hand, luck) else Challenge()


def _truth_or_another_fall(cup: Glimpse, now: Passing, luck: Luck) -> Hand:
    """Return the truth, or a lie if the truth is too low and sometimes anyway; either may be vague.

    The lie is the truth about another roll of the same dice.
    """
    truth, least = best(tuple(sorted(cup.seen))), now.least.rung if now.least else 0
    hand: Hand | None = truth if truth.rung >= least else None
    if hand is None or luck.roll(_bluff(now, truth)) == 1:
        above = max(least, truth.rung + 1, wanted(now).rung)
        hand = another_fall(kept_dice(cup, now), above, luck) or hand or lowest_whole(least)
    return luck.choice(vaguer(hand, least)) if luck.roll(_VAGUE) == 1 else hand


def _bluff(now: Passing, truth: Hand) -> int:
    if now.hand is not None:
        return _BLUFF_LATER
    return _BLUFF_WEAK if AIM.beats(truth) else _BLUFF_STRONG


def kept_dice(cup: Glimpse, now: Passing) -> tuple[int, ...]:
    """Return the dice this bot kept in its last roll."""
    if not now.rolls:
        return tuple(sorted(cup.seen))
    if not cup.before:
        return ()
    kept = others(best_roll(cup.before, wanted(now).true_of))
    return tuple(sorted(cup.before[place - 1] for place in kept))


def _weighed(view: View, now: Passing, luck: Luck) -> Any:
    """Accept if an honest higher claim is more likely than that the claim is a lie."""
    if now.least is None or now.hand is None:
        return Challenge()
    true = likelihood(view, now, luck)
    more = now.least.rung
    beaten = true * reach(named(now.hand), more, ROLLS) + (1 - true) * reach((), more, ROLLS)
    return Accept() if beaten + _NERVE > 1 - true else Challenge()


def likelihood(view: View, now: Passing, luck: Luck) -> float:
    """Return the probability that the last claim is true."""
    cup, hand = view.cup, now.hand
    if cup is None or hand is None or cup.known:
        return belief(view, now, luck)
    return credible(hand, Passed(now.over, passed(cup, now, view.seat), max(1, now.rolled)))


def passed(cup: Glimpse, now: Passing, seat: int | None) -> tuple[int, ...]:
    """Return the dice that the passer probably kept in its last roll.

    For a first claim these are the visible dice. Later, a seat that saw the dice before the roll knows what could be
    kept; others assume that the previous claim was true.
    """
    shown = tuple(sorted(cup.seen))
    if now.over is None:
        return shown
    since = None if seat is None else cup.since[seat]
    if cup.last and since is not None and now.rolled and since <= DICE * now.rolled:
        return worth_keeping(tuple(sorted(cup.last)), -(-since // now.rolled), now.over.rung + 1)
    return max(shown, named(now.over), key=len)


def five_kings(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Play like the club bot, but always open with five kings."""
    opens = view.passing is not None and view.passing.hand is None
    return Claim(_FIVE_KINGS) if opens else club(view, moves, luck)


def vague_tell(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Play like the club bot, but accept exactly the claims that name all five dice."""
    move, now = club(view, moves, luck), view.passing
    if len(moves) == 1 or now is None or now.hand is None or now.taken or (view.cup and view.cup.known):
        return move
    return Accept() if names_all(now.hand) else Challenge()


def shark(view: View, moves: Sequence[Any], luck: Luck, _: Budget) -> Any:
    """Return a move of the two-player solution; where it says nothing, one by the odds."""
    move = solution(view, luck) if len(moves) > 1 else None
    return odds(view, moves, luck) if move is None else move


LEVELS: Mapping[str, Strategy] = {"novice": novice, "club": club, "shark": Thinker(shark, Budget(1))}
"""The bots by level. The shark looks up a step or computes it once, so there is nothing to budget."""
VERSIONS: Mapping[str, str] = {"novice": "4", "club": "2", "shark": "12"}
"""Version of each bot's strategy. Raise it when that bot's moves change."""
STYLES: Mapping[str, Strategy] = {"five kings": five_kings, "vague tell": vague_tell, "odds": odds}
"""Opponents for duels: two have a bad habit each to exploit, and the last is the shark before it knew the solution."""
