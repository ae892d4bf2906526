"""Liars Dice: pass five poker dice with rising claims until someone challenges.

The rules come from the CONNECT documentation, by way of lily. Where it is silent, an option or a docstring says what
we do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import attrs

from lilygames_rules.dice import cup as dicecup
from lilygames_rules.dice import passing, scoring
from lilygames_rules.dice.claims import Kickers
from lilygames_rules.dice.cup import Accept, Accepted, Challenge, Cup, Glimpse, Joined, Looked, Roll, Rolled
from lilygames_rules.dice.passing import Challenged, Claim, ClaimMade, Claims, Passing, Peek, To
from lilygames_rules.kit import Event as Happening
from lilygames_rules.kit import Luck, Outcome, Refused, Seat, Step

NAME = "liarsdice"
VERSION = 2
SEATS = range(2, 11)

MOST_POINTS, MOST_ROUNDS = 100, 1000


@attrs.frozen
class Options:
    """Table options; the documentation doesn't say when a game ends."""

    points: int | Literal["none"] = 5
    """Points that win the game."""
    max_rounds: int = 200
    """Most rounds; after the last one the highest score wins."""
    passing: To = "any"
    """The receiver of the dice: any player, or only the next one."""
    reveal: Literal["opener", "always", "never"] = "opener"
    """The seats whose kept dice are turned face up: "the starting player", everyone or nobody."""
    kickers: Kickers = "monotone"
    """Whether a better hand makes a claim true, or the named dice must be there."""
    first: Literal["random", "host", "turns"] = "random"
    """First player: drawn by lot, the host, or each in turn from the host on; otherwise the last loser starts."""


Move = Accept | Challenge | Peek | Roll | Claim


@attrs.frozen
class RoundBegun(Happening):
    """A round begins with this seat's roll."""

    number: int
    starter: Seat


@attrs.frozen
class RoundScored(scoring.Scored):
    """A round ended: one seat gains a point, the other loses one and starts the next round."""


@attrs.frozen
class GameEnded(scoring.Ended):
    """The game ended; the seats with the highest score share the win."""


Event = RoundBegun | Rolled | Looked | ClaimMade | Accepted | Challenged | RoundScored | GameEnded


@attrs.frozen
class Match(scoring.Match[Options, Challenged]):
    """The options, the points by seat, and the rounds so far."""


@attrs.frozen
class State:
    """The match and the round in play with its dice; None after the last round."""

    match: Match
    passing: Passing | None
    cup: Cup | None


@attrs.frozen
class View:
    """The state as a seat or a spectator (None) sees it: without the dice it hasn't seen."""

    seat: Seat | None
    match: Match
    passing: Passing | None
    cup: Glimpse | None


def start(seats: int, options: Options, purses: Sequence[int], luck: Luck) -> Step[State]:
    """Return the first state; raises `Refused` if the number of seats, points or rounds isn't allowed."""
    if seats not in SEATS:
        raise Refused("bad-seats", low=SEATS[0], high=SEATS[-1])
    if options.points != "none" and not 1 <= options.points <= MOST_POINTS:
        raise Refused("bad-points", most=MOST_POINTS)
    if not 1 <= options.max_rounds <= MOST_ROUNDS:
        raise Refused("bad-rounds", most=MOST_ROUNDS)
    first = luck.for_("first").pick(range(seats)) if options.first == "random" else 0
    return _begun(Match(options, (0,) * seats), first, (), luck)


def _begun(match: Match, starter: Seat, events: tuple[Happening, ...], luck: Luck) -> Step[State]:
    """Start a round: the first player rolls all five dice and has two more rolls."""
    cup = dicecup.filled(len(match.scores), starter, luck, number=match.number)
    opened = Passing(starter, rolls=1, whole=True, looked=True, counts=(dicecup.DICE,))
    rolled = Rolled(starter, dicecup.DICE, opened.left, cup.shown, cup.dice)
    return Step(State(match, opened, cup), (*events, RoundBegun(match.number, starter), rolled))


def phase(state: State | View) -> Literal["open", "answer", "hold", "over"]:
    """Return the phase: first roll and claim, answering, using the dice taken, or over."""
    now = state.passing
    if now is None:
        return "over"
    if now.hand is None:
        return "open"
    return "hold" if now.taken else "answer"


def turn(state: State | View) -> Seat | None:
    """Return the seat to move, None when the game is over."""
    return None if state.passing is None else state.passing.holder


def moves(state: State, seat: Seat) -> Sequence[Move]:
    """Return the legal moves of `seat`: claims last, lowest first; empty if it has to wait.

    Five aces can only be challenged: nothing is higher.
    """
    now = state.passing
    if now is None or seat != now.holder:
        return ()
    claims = Claims(now.least, (None, *_recipients(state.match, seat)))
    if not now.taken:
        return Joined(((Accept(), Challenge()), claims)) if len(claims) else (Challenge(),)
    peek = () if now.looked else (Peek(),)
    return Joined((peek, tuple(map(Roll, dicecup.subsets() if now.left else ())), claims))


def _recipients(match: Match, seat: Seat) -> tuple[Seat, ...]:
    return passing.recipients(len(match.scores), seat, match.options.passing)


def apply(state: State, seat: Seat, move: Move, luck: Luck) -> Step[State]:
    """Return the result of `move` by `seat`; raises `Refused` if it isn't legal."""
    now, cup = state.passing, state.cup
    if now is None or cup is None:
        raise Refused("game-over")
    if seat != now.holder:
        raise Refused("not-your-turn", turn=now.holder, phase=phase(state))
    match (move, now.taken):
        case (Claim(), _):
            after, made = passing.passed(now, move, _recipients(state.match, seat))
            return Step(State(state.match, after, cup), (made,))
        case (Accept(), False):
            if now.least is None:
                raise Refused("cannot-beat", hand=now.hand)
            taken = attrs.evolve(now, taken=True)
            return Step(State(state.match, taken, cup), (Accepted(seat),))
        case (Challenge(), False) if now.hand and now.passer is not None:
            return _revealed(state.match, Challenged(seat, now.passer, now.hand, cup.dice, _honest(state)), luck)
        case (Roll(places), True):
            return _rolled(state, now, cup, places, luck)
        case (Peek(), True) if not now.looked:
            cup = dicecup.looked(cup, seat)
            return Step(State(state.match, attrs.evolve(now, looked=True), cup), (Looked(seat, cup.dice),))
        case (Peek(), True):
            raise Refused("looked-already")
    raise Refused("wrong-phase", phase=phase(state), hand=now.hand)


def _rolled(state: State, now: Passing, cup: Cup, places: tuple[int, ...], luck: Luck) -> Step[State]:
    """Roll dice; the roller sees all five, otherwise it couldn't choose which to keep."""
    dicecup.checked(places, now.left)
    if not places:
        raise Refused("bad-dice")
    shows = {"always": True, "opener": now.hand is None, "never": False}[state.match.options.reveal]
    cup = dicecup.rolled(cup, now.holder, places, luck, number=state.match.number, shows=shows)
    whole = len(places) == dicecup.DICE if now.rolls == 0 else now.whole
    counts = (*now.counts, len(places))
    after = attrs.evolve(now, rolls=now.rolls + 1, whole=whole, looked=True, counts=counts)
    rolled = Rolled(now.holder, len(places), after.left, cup.shown, cup.dice)
    return Step(State(state.match, after, cup), (rolled,))


def _honest(state: State) -> bool:
    now, cup = state.passing, state.cup
    return bool(now and cup and now.hand and now.hand.true_of(cup.dice, state.match.options.kickers))


def _revealed(match: Match, challenged: Challenged, luck: Luck) -> Step[State]:
    """Settle a challenge: the challenger of a true claim loses a point and the passer gains one, or vice versa.

    The loser starts the next round, unless the players take turns.
    """
    sides = (challenged.passer, challenged.seat)
    winner, loser = sides if challenged.honest else sides[::-1]
    scores = scoring.moved(match.scores, winner, loser)
    events = (challenged, RoundScored(match.number, winner, loser, scores))
    match = Match(match.options, scores, (*match.sheet, challenged))
    points = match.options.points
    if len(match.sheet) == match.options.max_rounds or (points != "none" and scores[winner] >= points):
        return Step(State(match, None, None), (*events, GameEnded(scores, scoring.leaders(scores))))
    starter = len(match.sheet) % len(scores) if match.options.first == "turns" else loser
    return _begun(match, starter, events, luck)


def view(state: State, seat: Seat | None) -> View:
    """Return everything `seat` may know; None is a spectator."""
    return View(seat, state.match, state.passing, None if state.cup is None else dicecup.glimpse(state.cup, seat))


def outcome(state: State) -> Outcome | None:
    """Return the scores and the seats with the highest one, None while the game is in progress."""
    if state.passing is not None:
        return None
    scores, points = state.match.scores, state.match.options.points
    reached = points != "none" and max(scores) >= points
    return Outcome(scores, scoring.leaders(scores), "the points are reached" if reached else "all rounds are played")


def default(state: State, seat: Seat) -> Move:
    """Return a challenge, or the lowest legal claim to the next seat; `seat` must have a move."""
    now = state.passing
    return Claim(now.least) if now and now.taken and now.least else Challenge()


def sample(view: View, luck: Luck) -> State:
    """Return a random state that is consistent with `view` (see `dicecup.imagined`)."""
    return State(view.match, view.passing, None if view.cup is None else dicecup.imagined(view.cup, view.seat, luck))
