"""The screens of Lie Die: a turn, the table, and the scores at the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lilygames.game import Reader
from lilygames.games.families.dice import screens
from lilygames.games.families.dice.screens import Groups, Offer
from lilygames.games.liedie import words
from lilygames.games.liedie.attempts import lied
from lilygames.games.liedie.words import dice_in, kind, offers, worth
from lilygames.picture import Picture, Quote
from lilygames_rules.dice import throws
from lilygames_rules.dice.cup import DICE, Accept, Challenge, Glimpse, Roll
from lilygames_rules.dice.throws import Throw
from lilygames_rules.kit import Seat
from lilygames_rules.liedie import Claim, Turn, View

# a turn


def turn(view: View, moves: Sequence[Any], reader: Reader) -> Sequence[str]:
    """Return the rows that ask for a move: the claim and the dice, then the moves by number."""
    now, cup = view.turn, view.cup
    if now is None or cup is None:
        return []
    shown = offers(view, moves)
    states = _holds(view, now, cup, reader) if now.taken else _answers(view, now, cup, reader)
    others = screens.OR_ANY if now.taken else () if len(shown) > 1 else ("(nothing beats it)",)
    return screens.turn(states, screens.prompts([_offer(move, view, cup) for move in shown], others), reader)


def _offer(move: Any, view: View, cup: Glimpse) -> Offer:
    match move:
        case Accept():
            return Offer("accept")
        case Challenge():
            return Offer("challenge")
        case Claim(throw):
            return Offer("claim", str(throw), not lied(throw, Throw.of(cup.seen), view.match.options))
        case Roll(places) if 0 < len(places) < DICE:
            faces = sorted((cup.dice[place - 1] or 0 for place in places), reverse=True)
            return Offer("roll", "".join(map(str, faces)))
    return Offer("roll", "all" if move.places else "none")


def _claimant(view: View, now: Turn) -> Seat:
    return (now.seat - 1) % len(view.match.scores)


def _answers(view: View, now: Turn, cup: Glimpse, reader: Reader) -> Iterator[Groups]:
    """Yield what someone has to know who answers a claim, the fullest layout first."""
    if now.claim is None:
        return
    claimant = _claimant(view, now)
    who = screens.name(claimant, reader)
    thrown = DICE if now.over is None else screens.rolled(cup, claimant)
    before = screens.passed(cup, view.seat, claimant)
    threw = f"{thrown or 'none'}{f' of {dice_in(before)}' if before else ''}"
    said = f"{who} threw {threw}: {now.claim}"
    words = f"({kind(now.claim, view.match.options.thirteen)})"
    over = f", over {now.over}" if now.over else ""
    known = [*filter(None, (_known(view, now.claim, cup, thrown, before=bool(before)),))]
    yield [f"{said} {words}{over}.", *known]
    yield [f"{said} {words}.", *known]
    yield [f"{said}.", *known]
    yield [f"{now.claim} by {who}.", *known]
    yield [f"{said} {words}."]
    yield [f"{said}."]
    yield [f"{now.claim} by {who}."]


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


def _holds(view: View, now: Turn, cup: Glimpse, reader: Reader) -> Iterator[Groups]:
    """Yield what someone has to know who has the dice, the fullest layout first."""
    dice = dice_in(cup.dice)
    words = f"({kind(Throw.of(cup.seen), view.match.options.thirteen)})"
    once = [] if now.thrown else ["You may roll once."]
    by = [f"Beat {now.claim} by {screens.name(_claimant(view, now), reader)}."] if now.claim else []
    beat = [f"Beat {now.claim}."] if now.claim else []
    yield [*by, f"Your dice: {dice}", f"{words}.", *once]
    yield [*beat, f"Your dice: {dice}", f"{words}.", *once]
    yield [*beat, f"Your dice: {dice}", f"{words}."]
    yield [*beat, f"Your dice: {dice}."]


# the table


def picture(view: View, reader: Reader) -> Picture:
    """Return the table: the game of the match, the claim, the dice as the reader knows them, and the scores."""
    match, now, cup = view.match, view.turn, view.cup
    last = match.sheet[-1] if match.sheet else None
    ended = screens.ended(last.claimant, str(last.throw), reader, honest=not last.lied) if last else ""
    if now is None or cup is None:
        return screens.picture(("game over", ended), match.scores, {}, None)
    lies = {now.seat: tuple(dice_in((face,)) for face in cup.dice)}
    facts = [f"game {match.number} of {match.options.games}"]
    if now.claim:
        claimant = _claimant(view, now)
        facts.append(screens.stands(str(now.claim), claimant, None if now.taken else now.seat, reader))
        if not now.taken:
            lies[claimant] = (str(now.claim),)
    saw = screens.seen(cup, view.seat, dice_in).removesuffix(".")
    said = Quote(str(now.claim), _claimant(view, now), None if now.taken else now.seat) if now.claim else None
    scene = screens.Scene(said, screens.dice_seen(cup, dice_in), verdict=ended)
    return screens.picture((*facts, saw[:1].lower() + saw[1:], ended), match.scores, lies, now.seat, scene)


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
