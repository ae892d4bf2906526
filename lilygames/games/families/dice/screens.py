"""The screens that games of five dice under a cup share: a turn, scores, and the picture of the table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

import attrs

from lilygames.game import Reader
from lilygames.games.families.dice.chances import Good, chance
from lilygames.layout import packed, sheet, short, width_for
from lilygames.picture import UNKNOWN, Column, Picture, PictureSeat, Piece, Quote, Zone
from lilygames.text import count, signed
from lilygames_rules.dice.cup import DICE, Glimpse
from lilygames_rules.kit import Seat

_ROWS, _SLIM_ROWS = 2, 4
"""Rows of a turn on a wide and on a narrow screen."""
_NAME, _SLIM_NAME = 8, 6
"""Columns of names."""
_SCREEN = 20
"""Rows of a score sheet with the rounds below it."""
_INDENT = "  "
_SURE = 99
"""The largest number of times in 100 that is shown of what may still fail."""

Faces = Callable[[Sequence[int | None]], str]
"""Returns dice as the reader sees them: `K K ? 9 T`."""
Groups = Sequence[str]
"""Sentences or offers; a row has as many of them as fit."""


# a turn


OR_ANY = ("(or any claim)", "(or any)")
"""Behind the numbered moves: any other legal claim can be typed, too."""


def left(rolls: int) -> str:
    """Return how many rolls are left."""
    return f"{count(rolls, 'roll') if rolls else 'no rolls'} left"


def name(seat: Seat, reader: Reader) -> str:
    """Return a name as it fits a row of a turn."""
    return short(reader.who(seat), _SLIM_NAME if reader.voice.narrow else _NAME)


def rolled(cup: Glimpse, roller: Seat) -> int | None:
    """Return how many dice a seat rolled before it passed them on, None if nobody else has seen them before.

    Everyone knows: whoever saw the dice last has lost track of just as many.
    """
    return min((dice for seat, dice in enumerate(cup.since) if seat != roller and dice is not None), default=None)


def saw(cup: Glimpse, seat: Seat | None, faces: Faces) -> str:
    """Return the same as a fact of the table: `you saw 3 3 1 4 5, 2 dice since`."""
    return seen(cup, seat, faces).replace("You", "you", 1).removesuffix(".")


def seen(cup: Glimpse, seat: Seat | None, faces: Faces) -> str:
    """Return the dice as the seat last saw them, and how many have been rolled since; empty if it hasn't."""
    since = None if seat is None else cup.since[seat]
    if cup.known or cup.last is None or since is None:
        return ""
    return f"You saw {faces(cup.last)}, {count(since, 'die', 'dice')} since."


def passed(cup: Glimpse, seat: Seat | None, roller: Seat) -> tuple[int, ...]:
    """Return the dice that a seat rolled some of, if the reader's seat saw them just before; else none."""
    since = None if seat is None else cup.since[seat]
    known = cup.last is not None and since is not None and 0 < since < DICE and since == rolled(cup, roller)
    return cup.last if known and cup.last else ()


def verdict(faces: str, *, true: bool) -> str:
    """Return what a seat knows of a claim if it knows the dice."""
    return f"You know the dice: {faces}. {'True!' if true else 'A lie!'}"


def luck_of(kept: Sequence[int], good: Good, are: str) -> str:
    """Return how often one roll of the dice that aren't kept makes all five good, exactly counted.

    `are` is what the dice do then (`are that good`).
    """
    reached = chance(kept, good)
    often = {0.0: "never", 1.0: "always"}.get(reached, f"{_in_100(reached)} times in 100")
    return f"{count(DICE - len(kept), 'die', 'dice')} {are} {often}."


def best_luck_of(cup: Glimpse, rolls: int, good: Good) -> str:
    """Return the chance that a roll of this many dice makes all five good, if the best of those last seen were kept.

    Dice that lie open were kept for sure.
    """
    last = cup.last or ()
    lying = {place for place, face in enumerate(cup.dice) if face is not None}
    keeps = {
        tuple(sorted(last[place] for place in kept))
        for kept in combinations(range(DICE), DICE - rolls)
        if lying <= {*kept}
    }
    best = max(chance(kept, good) for kept in keeps)
    known = f"Chance {_in_100(best)} in 100{' at best' if len(keeps) > 1 else ''}."
    return {0.0: "No chance.", 1.0: known if len(keeps) > 1 else "Certain."}.get(best, known)


def _in_100(reached: float) -> int:
    """Return a chance as times in 100: 1 to 99, unless it can't happen or fail."""
    return round(100 * reached) if reached in (0, 1) else min(_SURE, max(1, round(100 * reached)))


# scores


@attrs.frozen
class Challenge:
    """A challenge that has been settled, and whether the claim was true."""

    seat: Seat
    claimant: Seat
    honest: bool


def score_rows(head: str, winner: Seat, loser: Seat, scores: Sequence[int], reader: Reader) -> str:
    """Return the row of a round that is over: who gained and who lost a point, and all scores, best first."""
    order = sorted(range(len(scores)), key=lambda seat: -scores[seat])
    first, *others = (f"{short(reader.who(seat), _NAME)} {signed(scores[seat])}" for seat in order)
    change = f"{head}: {short(reader.who(winner), _NAME)} +1, {short(reader.who(loser), _NAME)} -1."
    rows = packed([f"{change}   Score: {first}", *others], width_for(reader))
    return "\n".join(
        rows if len(rows) == 1 else [change, *packed([f"Score: {first}", *others], width_for(reader), _INDENT)]
    )


def final_sheet(challenges: Sequence[Challenge], scores: Sequence[int], reader: Reader) -> list[str]:
    """Return how everyone got their score, best first: challenges that were right or wrong, made and met.

    A challenge that is right, and one of your claims that was true, are a point each; the others cost one.
    """
    slim = reader.voice.narrow
    heads = ("", "score", "won", "lost") if slim else ("", "score", "right", "wrong", " honest", " lying")
    rows: list[tuple[str, ...]] = [heads]
    order = sorted(range(len(scores)), key=lambda seat: -scores[seat])
    for seat in order:
        made = [one.honest for one in challenges if one.seat == seat]
        met = [one.honest for one in challenges if one.claimant == seat]
        right, wrong, honest, lying = made.count(False), made.count(True), met.count(True), met.count(False)
        cells = (right + honest, wrong + lying) if slim else (right, wrong, honest, lying)
        place = 1 + sum(score > scores[seat] for score in scores)
        rows.append((f" {place} {name(seat, reader)}", signed(scores[seat]), *map(str, cells)))
    found = sheet(rows, len(heads))
    if slim:
        return found
    wrong, lying = found[0].index("wrong") + len("wrong"), len(found[0])
    return [f"{'challenges':>{wrong}}{'was challenged':>{lying - wrong}}", *found]


def score(sheet_so_far: Sequence[str], rounds: Sequence[str], reader: Reader) -> list[str]:
    """Return the sheet so far, and the latest rounds as far as both fit a screen, a round on two rows at most."""
    room = 0 if reader.voice.narrow and len(sheet_so_far) > _SCREEN // 2 else (_SCREEN - len(sheet_so_far)) // 2
    return [*sheet_so_far, *rounds[max(0, len(rounds) - room) :]]


# the table


def stands(claim: str, claimant: Seat, to: Seat | None, reader: Reader) -> str:
    """Return the claim that stands, and who has to answer it, if anyone has."""
    return f"{claim} by {name(claimant, reader)}{f' to {name(to, reader)}' if to is not None else ''}"


def ended(claimant: Seat, claim: str, reader: Reader, *, honest: bool) -> str:
    """Return how the round before ended."""
    was = "told the truth" if honest else "lied"
    return f"last: {claim}, {name(claimant, reader)} {was}"


def picture(facts: Iterable[str], scores: Sequence[int], mover: Seat | None, scene: Scene | None = None) -> Picture:
    """Return the table: short facts, each seat with its score, and the middle."""
    scene = scene or Scene()
    seats = (PictureSeat(seat, (signed(score),), to_move=seat == mover) for seat, score in enumerate(scores))
    heads = (Column("score", "point", leads=True),)
    return Picture(
        tuple(filter(None, facts)),
        heads,
        tuple(seats),
        quote=scene.claim,
        mine=scene.mine,
        zones=scene.dice,
        middle=scene.middle,
        verdict=scene.verdict,
    )


@attrs.frozen
class Scene:
    """The middle of the table: the claim that stands, the dice in sight and in the hand, and how the last one ended."""

    claim: Quote | None = None
    dice: tuple[Zone, ...] = ()
    mine: Zone | None = None
    middle: tuple[str, ...] = ()
    verdict: str = ""


def lying(cup: Glimpse, holder: Seat, faces: Faces) -> Zone:
    """Return the dice as someone sees them, at the seat that has the cup; `faces` words one of them."""
    dice = enumerate(zip(cup.dice, cup.open, strict=True), 1)
    pieces = (Piece("die", faces((face,)), f"#{place}", open=lies) for place, (face, lies) in dice)
    return Zone("On the table", tuple(pieces), holder)


def in_hand(dice: Zone) -> tuple[Zone, Zone]:
    """Return dice as their holder has them, and as they lie in the middle: without what only the holder knows."""
    mine = attrs.evolve(dice, label="Your dice")
    if UNKNOWN in dice.faces:
        return mine, dice
    seen = (one if one.open else attrs.evolve(one, face=UNKNOWN) for one in dice.pieces)
    return mine, attrs.evolve(dice, label="The others see", pieces=tuple(seen))


def glance(claim: str, mover: Seat, reader: Reader, *, taken: bool) -> str:
    """Return who has to answer or to beat a claim, or who opens if there is none."""
    who = name(mover, reader)
    if not claim:
        return f"{who} opens"
    return f"{who} has to beat {claim}" if taken else f"{who} got {claim}"
