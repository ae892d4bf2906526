"""The screens of Liars Dice: a turn, the table, and the scores at the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lilygames.game import Reader
from lilygames.games.families.dice import screens
from lilygames.games.families.dice.words import ANSWERED
from lilygames.games.liarsdice import words
from lilygames.games.liarsdice.words import dice_in, kind, offers, said, worth
from lilygames.picture import Picture, Quote
from lilygames.scene import BREAK, Choice, Fact, Held, Turn, numbered
from lilygames.text import count
from lilygames_rules.dice import claims
from lilygames_rules.dice.claims import Category
from lilygames_rules.dice.claims import Claim as Hand
from lilygames_rules.dice.cup import DICE, Glimpse, Roll
from lilygames_rules.dice.passing import ROLLS, Claim, Passing, Peek
from lilygames_rules.kit import Seat
from lilygames_rules.liarsdice import Match, View

# a turn


def asks(view: View, moves: Sequence[Any], reader: Reader) -> Turn:
    """Return the turn: the claim and the dice, then the moves by number."""
    now, cup = view.passing, view.cup
    if now is None or cup is None:
        return Turn("")
    narrow = reader.voice.narrow
    choices = tuple(numbered(_choice(move, view, now, cup, narrow=narrow) for move in offers(view, moves)))
    others = screens.OR_ANY if now.least else ("(nothing beats it)",)
    if now.taken:
        held = Held("Your dice", kind(cup.seen)) if cup.known else None
        return Turn(_what_to_do(now, cup), tuple(_holds(now, cup, reader)), held, choices, others)
    return Turn("Do you believe it?", tuple(_answers(view, now, cup, reader)), None, choices, others)


def _what_to_do(now: Passing, cup: Glimpse) -> str:
    if not cup.known:
        return "Look, roll, or pass the dice on unseen"
    claim = "claim more" if now.hand else "claim a hand"
    return f"Roll some dice, or {claim}" if now.left else f"{claim.capitalize()}, true or not"


def _choice(move: Any, view: View, now: Passing, cup: Glimpse, *, narrow: bool) -> Choice:
    match move:
        case Claim(hand):
            named = str(hand) if hand.ranks or hand.kickers else hand.words
            if not now.taken:
                return Choice(move, f"pass on unseen as {named}", brief=f"pass unseen: {named}")
            true = hand.true_of(cup.seen, view.match.options.kickers) if cup.known else None
            return Choice(move, f"claim {named}", rest=named if named[0].isupper() or narrow else "", true=true)
        case Roll(places) if len(places) < DICE:
            faces = sorted((cup.dice[place - 1] or 0 for place in places), reverse=True)
            return Choice(move, f"roll {claims.letters(faces)}")
        case Roll():
            return Choice(move, "roll all")
        case Peek():
            return Choice(move, "look")
    return Choice(move, words.spell(move), note=ANSWERED[type(move)])


def _answers(view: View, now: Passing, cup: Glimpse, reader: Reader) -> Iterator[Fact]:
    """Yield what someone has to know who answers a claim: how it came about, how the dice lie, and how likely it is."""
    if now.hand is None or now.passer is None:
        return
    who = screens.name(now.passer, reader)
    how = _how(now, cup, view.seat, reader)
    claimed = f"{who} {how}: {_named(now.hand)}"
    over = (f"{claimed}, over {said(now.over)}.",) if now.over else ()
    plain = dict.fromkeys((f"{claimed}.", f"{who} {how}: {said(now.hand)}."))
    yield Fact((*over, *plain, f"{said(now.hand)} by {who}."))
    if cup.known:
        true = now.hand.true_of(cup.seen, view.match.options.kickers)
        yield Fact((screens.verdict(dice_in(cup.dice, reader), true=true),))
        return
    more = _luck(now, cup, now.hand, view) or screens.seen(cup, view.seat, lambda dice: dice_in(dice, reader))
    lie = _lie(cup, reader)
    yield Fact((*([f"{lie}{BREAK}{more}"] if cup.seen and more else ()), *([more] if more else ()), lie), weight=2)


def _lie(cup: Glimpse, reader: Reader) -> str:
    """Return how the dice lie: `Dice Q Q ? ? ?`."""
    return f"Dice {dice_in(cup.dice, reader)}." if cup.seen else "The dice are hidden."


def _how(now: Passing, cup: Glimpse, seat: Seat | None, reader: Reader) -> str:
    """Return how the passer came to the claim: `rolled 2 of Q Q J 9 K`, `rolled 2`, `looked`, `didn't look`."""
    if now.over is None or now.passer is None:
        return "opened"
    if not now.rolled:
        return "looked" if now.vouched else "didn't look"
    dice = screens.rolled(cup, now.passer)
    if now.rolled == 1:
        before = screens.passed(cup, seat, now.passer)
        these = f" of {dice_in(before, reader)}" if before else ""
        return "rolled" if dice is None else f"rolled {dice}{these}"
    times = "twice" if now.rolled == ROLLS else f"{now.rolled} times"
    return f"rolled {times}{'' if dice is None else f' ({dice} dice)'}"


def _named(hand: Hand) -> str:
    """Return a claim as it is typed, with the kind of hand where it's all dice: `QQJJ (two pair)`."""
    category = {Category.FULL: "full house", Category.FIVE: "five of a kind"}.get(hand.category, hand.category.value)
    return f"{hand} ({category})" if str(hand)[0].isupper() else said(hand)


def _luck(now: Passing, cup: Glimpse, hand: Hand, view: View) -> str:
    """Return how often the dice make a claim true, if it's known which were rolled last, or what they were before."""
    options = view.match.options

    def true(dice: tuple[int, ...]) -> bool:
        return worth(dice) >= hand.rung if options.kickers == "monotone" else hand.true_of(dice, options.kickers)

    hidden_are_rolled = now.over is None if options.reveal == "opener" else options.reveal == "always"
    if now.rolled == 1 and now.passer is not None and not hidden_are_rolled:
        rolls = screens.rolled(cup, now.passer)
        if rolls and screens.passed(cup, view.seat, now.passer):
            return screens.best_luck_of(cup, rolls, true)
    if now.rolled and (hidden_are_rolled or (now.over is None and now.rolled == 1)):
        return screens.luck_of(cup.seen, true, f"{'makes' if len(cup.seen) == DICE - 1 else 'make'} it true")
    return ""


def _holds(now: Passing, cup: Glimpse, reader: Reader) -> Iterator[Fact]:
    """Yield what someone has to know who has the dice: the claim to beat, the dice, and how many rolls are left."""
    if now.hand and now.passer is not None:
        beat = f"Beat {said(now.hand)}"
        yield Fact((f"{beat} by {screens.name(now.passer, reader)}.", f"{beat}."), weight=2)
    left = f"{screens.left(now.left).capitalize()}."
    if not cup.known:
        saw, lie = screens.seen(cup, reader.seat, lambda dice: dice_in(dice, reader)), _lie(cup, reader)
        yield Fact((*([f"{lie}{BREAK}{saw}"] if cup.seen and saw else [saw] if saw else ()), lie), weight=3)
        yield Fact(("2 rolls left, 3 if you roll all first.", left))
        return
    dice, worth = f"Your dice: {dice_in(cup.dice, reader)}", f"({kind(cup.seen)})."
    opened = [face for face, lies in zip(cup.dice, cup.open, strict=True) if lies]
    all_see = [f"{dice}{BREAK}{worth}{BREAK}All see {dice_in(opened, reader)}."] if opened else []
    yield Fact((*all_see, f"{dice}{BREAK}{worth}", f"{dice}."), weight=3, held=True)
    yield Fact((left,))


# the table


def picture(view: View, reader: Reader) -> Picture:
    """Return the table: the round, the claim, the dice as the reader knows them, and the scores."""
    match, now, cup = view.match, view.passing, view.cup
    last = match.sheet[-1] if match.sheet else None
    ended = screens.ended(last.passer, said(last.hand), reader, honest=last.honest) if last else ""
    if now is None or cup is None:
        return screens.picture(("game over", ended), match.scores, None)
    facts = [_round(match)]
    if now.hand and now.passer is not None:
        facts.append(screens.stands(said(now.hand), now.passer, None if now.taken else now.holder, reader))
    if now.taken:
        facts.append(screens.left(now.left))
    saw = screens.saw(cup, view.seat, lambda faces: dice_in(faces, reader))
    dice = screens.lying(cup, now.holder, lambda faces: dice_in(faces, reader))
    holds = now.holder == view.seat and (cup.known or (now.taken and now.left > 0))
    mine, seen = screens.in_hand(dice) if holds else (None, dice)
    scene = screens.Scene(_claim(now), (seen,), mine, (screens.left(now.left),) if now.taken else (), ended)
    return screens.picture((*facts, saw, ended), match.scores, now.holder, scene)


def _claim(now: Passing) -> Quote | None:
    """Return the claim that stands, to the seat that has to answer it."""
    if not now.hand or now.passer is None:
        return None
    return Quote(said(now.hand), now.passer, None if now.taken else now.holder, now.hand.words)


def glance(view: View, reader: Reader) -> list[str]:
    """Return the claim, who has to answer it, and whether it was made unseen."""
    match, now = view.match, view.passing
    if now is None:
        return ["game over"]
    claim = screens.glance(said(now.hand) if now.hand else "", now.holder, reader, taken=now.taken)
    unseen = ["claimed unseen"] if now.hand and not (now.taken or now.vouched) else []
    return [claim, *unseen, f"round {match.number}"]


def _round(match: Match) -> str:
    if match.options.points == "none":
        return f"round {match.number} of {match.options.max_rounds}"
    return f"round {match.number}, to {count(match.options.points, 'point')}"


# scores


def final_sheet(view: View, reader: Reader) -> list[str]:
    """Return the scores of a game that is over, with the challenges that they come from."""
    made = [screens.Challenge(one.seat, one.passer, one.honest) for one in view.match.sheet]
    return screens.final_sheet(made, view.match.scores, reader)


def score(view: View, reader: Reader) -> Sequence[str]:
    """Return the scores so far with the challenges that they come from, and how the latest rounds ended."""
    points, *rounds = words.score(view, reader)
    if reader.voice.spoken or not rounds:
        return [points, *rounds]
    return screens.score(final_sheet(view, reader), rounds, reader)
