"""The screens of Lie Die: a turn, the table, and the scores at the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lilygames.game import Reader
from lilygames.games.families.dice import screens
from lilygames.games.families.dice.words import ANSWERED
from lilygames.games.liedie import words
from lilygames.games.liedie.attempts import lied
from lilygames.games.liedie.words import dice_in, kind, offers, worth
from lilygames.picture import Picture, Quote
from lilygames.scene import BREAK, Choice, Fact, Held, Turn, numbered
from lilygames_rules.dice import throws
from lilygames_rules.dice.cup import DICE, Glimpse, Roll
from lilygames_rules.dice.throws import Throw
from lilygames_rules.kit import Seat
from lilygames_rules.liedie import Claim, View
from lilygames_rules.liedie import Turn as Position

# a turn


def asks(view: View, moves: Sequence[Any], reader: Reader) -> Turn:
    """Return the turn: the claim and the dice, then the moves by number."""
    now, cup = view.turn, view.cup
    if now is None or cup is None:
        return Turn("")
    shown = offers(view, moves)
    choices = tuple(numbered(_choice(move, view, cup) for move in shown))
    if now.taken:
        held = Held("Your dice", Throw.of(cup.seen).words(view.match.options.thirteen))
        return Turn(_what_to_do(now), tuple(_holds(view, now, cup, reader)), held, choices, screens.OR_ANY)
    unbeaten = () if len(shown) > 1 else ("(nothing beats it)",)
    return Turn("Do you believe it?", tuple(_answers(view, now, cup, reader)), None, choices, unbeaten)


def _what_to_do(now: Position) -> str:
    if now.claim is None:
        return "Claim your throw, true or not"
    return "Claim more, true or not" if now.thrown else "Roll once, or claim more"


def _choice(move: Any, view: View, cup: Glimpse) -> Choice:
    match move:
        case Claim(throw):
            true = not lied(throw, Throw.of(cup.seen), view.match.options)
            return Choice(move, f"claim {throw}", rest=str(throw), true=true)
        case Roll(places) if 0 < len(places) < DICE:
            faces = sorted((cup.dice[place - 1] or 0 for place in places), reverse=True)
            return Choice(move, f"roll {''.join(map(str, faces))}")
        case Roll():
            return Choice(move, "roll all" if move.places else "roll none")
    return Choice(move, words.spell(move), note=ANSWERED[type(move)])


def _claimant(view: View, now: Position) -> Seat:
    return (now.seat - 1) % len(view.match.scores)


def _answers(view: View, now: Position, cup: Glimpse, reader: Reader) -> Iterator[Fact]:
    """Yield what someone has to know who answers a claim: how it came about, and how likely it is."""
    if now.claim is None:
        return
    claimant = _claimant(view, now)
    who = screens.name(claimant, reader)
    thrown = DICE if now.over is None else screens.rolled(cup, claimant)
    before = screens.passed(cup, view.seat, claimant)
    threw = f"{thrown or 'none'}{f' of {dice_in(before)}' if before else ''}"
    said = f"{who} threw {threw}: {now.claim}"
    words = f"({kind(now.claim, view.match.options.thirteen)})"
    over = (f"{said} {words}, over {now.over}.",) if now.over else ()
    yield Fact((*over, f"{said} {words}.", f"{said}.", f"{now.claim} by {who}."))
    if known := _known(view, now.claim, cup, thrown, before=bool(before)):
        yield Fact((known, ""), weight=2)


def _known(view: View, claim: Throw, cup: Glimpse, thrown: int | None, *, before: bool) -> str:
    """Return what the seat knows of a claim: the dice, what it saw, or how often all five dice are that good."""
    options = view.match.options
    if cup.known:
        return screens.verdict(dice_in(cup.dice), true=not lied(claim, Throw.of(cup.seen), options))

    least = throws.rungs(options.thirteen)[claim]

    def good(dice: tuple[int, ...]) -> bool:
        return worth(options.thirteen, dice) >= least

    if before and thrown:
        return screens.best_luck_of(cup, thrown, good)
    return screens.luck_of((), good, "are that good") if thrown == DICE else screens.seen(cup, view.seat, dice_in)


def _holds(view: View, now: Position, cup: Glimpse, reader: Reader) -> Iterator[Fact]:
    """Yield what someone has to know who has the dice: the claim to beat, the dice, and whether a roll is left."""
    if now.claim:
        yield Fact((f"Beat {now.claim} by {screens.name(_claimant(view, now), reader)}.", f"Beat {now.claim}."))
    dice = f"Your dice: {dice_in(cup.dice)}"
    yield Fact(
        (f"{dice}{BREAK}({kind(Throw.of(cup.seen), view.match.options.thirteen)}).", f"{dice}."), weight=3, held=True
    )
    if not now.thrown:
        yield Fact(("You may roll once.", ""), weight=2)


# the table


def picture(view: View, reader: Reader) -> Picture:
    """Return the table: the game of the match, the claim, the dice as the reader knows them, and the scores."""
    match, now, cup = view.match, view.turn, view.cup
    last = match.sheet[-1] if match.sheet else None
    ended = screens.ended(last.claimant, str(last.throw), reader, honest=not last.lied) if last else ""
    if now is None or cup is None:
        return screens.picture(("game over", ended), match.scores, None)
    facts = [f"game {match.number} of {match.options.games}"]
    if now.claim:
        claimant = _claimant(view, now)
        facts.append(screens.stands(str(now.claim), claimant, None if now.taken else now.seat, reader))
    said = Quote(str(now.claim), _claimant(view, now), None if now.taken else now.seat) if now.claim else None
    dice = screens.lying(cup, now.seat, dice_in)
    mine, seen = screens.in_hand(dice) if cup.known and now.seat == view.seat else (None, dice)
    scene = screens.Scene(said, (seen,), mine, verdict=ended)
    return screens.picture((*facts, screens.saw(cup, view.seat, dice_in), ended), match.scores, now.seat, scene)


# scores


def final_sheet(view: View, reader: Reader) -> list[str]:
    """Return the scores of a match that is over, with the challenges that they come from."""
    made = [screens.Challenge(one.seat, one.claimant, honest=not one.lied) for one in view.match.sheet]
    return screens.final_sheet(made, view.match.scores, reader)


def glance(view: View, reader: Reader) -> list[str]:
    """Return the claim, who has to answer it, and which game of the match it is."""
    match, now = view.match, view.turn
    if now is None:
        return ["match over"]
    claim = screens.glance(str(now.claim) if now.claim else "", now.seat, reader, taken=now.taken)
    return [claim, f"game {match.number} of {match.options.games}"]


def score(view: View, reader: Reader) -> Sequence[str]:
    """Return the scores so far with the challenges that they come from, and how the latest rounds ended."""
    points, *rounds = words.score(view, reader)
    if reader.voice.spoken or not rounds:
        return [points, *rounds]
    return screens.score(final_sheet(view, reader), rounds, reader)
