"""Lie Die: throw five dice under a cup, claim a better throw than the last, and catch the liar.

The rules come from nickthecoder's page on Lie Die. Where it is silent, an option or a docstring says what we do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import attrs

from lilygames_rules.dice import cup as dicecup
from lilygames_rules.dice import scoring, throws
from lilygames_rules.dice.cup import Accept, Accepted, Challenge, Cup, Glimpse, Looked, Roll, Rolled
from lilygames_rules.dice.throws import Thirteen, Throw
from lilygames_rules.kit import Event as Happening
from lilygames_rules.kit import Luck, Outcome, Refused, Seat, Step

NAME = "liedie"
VERSION = 2
SEATS = range(2, 21)

MOST_GAMES = 100


@attrs.frozen
class Options:
    """Table options; the first value of each is the page's rule. For `thirteen` it has two: the list comes first."""

    truth: Literal["exact", "atleast"] = "exact"
    """Claims that count as true: the exact throw, or anything up to it."""
    games: int = 1
    """Number of games; each ends with a challenge."""
    thirteen: Thirteen = "straight"
    first: Literal["random", "host", "turns"] = "random"
    """First thrower: drawn by lot, the host, or each in turn from the host on; otherwise the last loser starts."""


@attrs.frozen
class Claim:
    """Claim a throw, true or not, and pass the dice to the next player."""

    throw: Throw


Move = Accept | Challenge | Roll | Claim


@attrs.frozen
class GameBegun(Happening):
    """A game begins with this seat's throw."""

    number: int
    games: int
    thrower: Seat


@attrs.frozen
class ClaimMade(Happening):
    """A seat claimed a throw; `to` has to accept or challenge it."""

    seat: Seat
    throw: Throw
    to: Seat


@attrs.frozen
class Challenged(Happening):
    """A seat challenged a claim and everyone sees the dice."""

    seat: Seat
    claimant: Seat
    throw: Throw
    dice: Throw
    lied: bool


@attrs.frozen
class GameWon(scoring.Scored):
    """A game ended: the one who caught a liar or was falsely accused wins, the other loses; with the new scores."""


@attrs.frozen
class MatchEnded(scoring.Ended):
    """The match ended; the seats with the highest score share the win."""


Event = GameBegun | Rolled | ClaimMade | Accepted | Looked | Challenged | GameWon | MatchEnded


@attrs.frozen
class Match(scoring.Match[Options, Challenged]):
    """The options, the points by seat, and the games so far."""


@attrs.frozen
class Turn:
    """A seat's turn: it has thrown or taken the dice, or has to answer a claim.

    `claim` is the last claim, None before the first; `over` is the claim before that one.
    """

    seat: Seat
    claim: Throw | None = None
    taken: bool = True
    thrown: bool = True
    over: Throw | None = None


@attrs.frozen
class State:
    """The match and the game in play with its dice; None after the last game."""

    match: Match
    turn: Turn | None
    cup: Cup | None


@attrs.frozen
class View:
    """The state as a seat or a spectator (None) sees it: without the dice it hasn't seen."""

    seat: Seat | None
    match: Match
    turn: Turn | None
    cup: Glimpse | None


def start(seats: int, options: Options, purses: Sequence[int], luck: Luck) -> Step[State]:
    """Return the first state; raises `Refused` if the number of seats or games isn't allowed."""
    if seats not in SEATS:
        raise Refused("bad-seats", low=SEATS[0], high=SEATS[-1])
    if not 1 <= options.games <= MOST_GAMES:
        raise Refused("bad-games", most=MOST_GAMES)
    first = luck.for_("first").pick(range(seats)) if options.first == "random" else 0
    return _begun(Match(options, (0,) * seats), first, (), luck)


def _begun(match: Match, thrower: Seat, events: tuple[Happening, ...], luck: Luck) -> Step[State]:
    """Start a game: the first player throws five dice, hidden from the others."""
    cup = dicecup.filled(len(match.scores), thrower, luck, number=match.number)
    begun = GameBegun(match.number, match.options.games, thrower)
    rolled = Rolled(thrower, dicecup.DICE, 0, cup.shown, cup.dice)
    return Step(State(match, Turn(thrower), cup), (*events, begun, rolled))


def phase(state: State | View) -> Literal["state", "answer", "throw", "over"]:
    """Return the phase: claiming the first throw, answering, throwing and claiming again, or over."""
    now = state.turn
    if now is None:
        return "over"
    if not now.taken:
        return "answer"
    return "state" if now.claim is None else "throw"


def turn(state: State | View) -> Seat | None:
    """Return the seat to move, None when the game is over."""
    return None if state.turn is None else state.turn.seat


def moves(state: State, seat: Seat) -> Sequence[Move]:
    """Return the legal moves of `seat`: claims last, lowest first; empty if it has to wait.

    Five sixes can only be challenged: no throw is better.
    """
    now = state.turn
    if now is None or seat != now.seat:
        return ()
    better = _better(state.match, now)
    if not now.taken:
        return (Accept(), Challenge()) if better else (Challenge(),)
    rolls = () if now.thrown else (*dicecup.subsets(), ())
    return (*map(Roll, rolls), *map(Claim, better))


def _better(match: Match, now: Turn) -> tuple[Throw, ...]:
    """Return the rung of the lowest claim that beats the last one."""
    thirteen = match.options.thirteen
    return throws.ladder(thirteen)[0 if now.claim is None else throws.rungs(thirteen)[now.claim] + 1 :]


def apply(state: State, seat: Seat, move: Move, luck: Luck) -> Step[State]:
    """Return the result of `move` by `seat`; raises `Refused` if it isn't legal."""
    now, cup = state.turn, state.cup
    if now is None or cup is None:
        raise Refused("game-over")
    if seat != now.seat:
        raise Refused("not-your-turn", turn=now.seat, phase=phase(state))
    match (move, now.taken):
        case (Claim(throw), True):
            return _claimed(state, now, throw)
        case (Roll(places), True) if now.claim is not None:
            return _thrown(state, now, cup, places, luck)
        case (Accept(), False):
            return _accepted(state, now, cup)
        case (Challenge(), False) if now.claim is not None:
            return _called(state.match, now, now.claim, Throw.of(cup.dice), luck)
    raise Refused("wrong-phase", phase=phase(state), claim=now.claim)


def _next(match: Match, seat: Seat, step: int = 1) -> Seat:
    return (seat + step) % len(match.scores)


def _claimed(state: State, now: Turn, throw: Throw) -> Step[State]:
    """Claim a throw; the next player accepts or challenges it."""
    better = _better(state.match, now)
    if throw not in better:
        raise Refused("not-better", claim=now.claim, least=better[0] if better else None)
    to = _next(state.match, now.seat)
    after = Turn(to, throw, taken=False, thrown=False, over=now.claim)
    return Step(State(state.match, after, state.cup), (ClaimMade(now.seat, throw, to),))


def _accepted(state: State, now: Turn, cup: Cup) -> Step[State]:
    """Take the dice and see them; it no longer matters whether the claim was a lie."""
    if not _better(state.match, now):
        raise Refused("cannot-beat", claim=now.claim)
    cup = dicecup.looked(cup, now.seat)
    taken = Turn(now.seat, now.claim, taken=True, thrown=False)
    return Step(State(state.match, taken, cup), (Accepted(now.seat), Looked(now.seat, cup.dice)))


def _thrown(state: State, now: Turn, cup: Cup, places: tuple[int, ...], luck: Luck) -> Step[State]:
    """Throw any number of the dice, once per turn; the rest stay as they are."""
    dicecup.checked(places, 0 if now.thrown else 1)
    cup = dicecup.rolled(cup, now.seat, places, luck, number=state.match.number)
    rolled = Rolled(now.seat, len(places), 0, cup.shown, cup.dice)
    return Step(State(state.match, Turn(now.seat, now.claim), cup), (rolled,))


def _called(match: Match, now: Turn, claim: Throw, dice: Throw, luck: Luck) -> Step[State]:
    """End the game: the one who caught a liar or was falsely accused wins.

    The loser throws first in the next game, unless the players take turns.
    """
    thirteen, claimant = match.options.thirteen, _next(match, now.seat, -1)
    lied = claim.beats(dice, thirteen) if match.options.truth == "atleast" else claim != dice
    winner, loser = (now.seat, claimant) if lied else (claimant, now.seat)
    scores = scoring.moved(match.scores, winner, loser)
    called = Challenged(now.seat, claimant, claim, dice, lied)
    events = (called, GameWon(match.number, winner, loser, scores))
    match = Match(match.options, scores, (*match.sheet, called))
    if len(match.sheet) == match.options.games:
        return Step(State(match, None, None), (*events, MatchEnded(scores, scoring.leaders(scores))))
    thrower = len(match.sheet) % len(scores) if match.options.first == "turns" else loser
    return _begun(match, thrower, events, luck)


def view(state: State, seat: Seat | None) -> View:
    """Return everything `seat` may know; None is a spectator."""
    return View(seat, state.match, state.turn, None if state.cup is None else dicecup.glimpse(state.cup, seat))


def outcome(state: State) -> Outcome | None:
    """Return the scores and the seats with the highest one, None while the match is in progress."""
    if state.turn is not None:
        return None
    scores = state.match.scores
    return Outcome(scores, scoring.leaders(scores), "someone was called a liar")


def default(state: State, seat: Seat) -> Move:
    """Return a challenge, or the lowest legal claim; `seat` must have a move."""
    now = state.turn
    return Claim(_better(state.match, now)[0]) if now and now.taken else Challenge()


def sample(view: View, luck: Luck) -> State:
    """Return a random state that is consistent with `view` (see `dicecup.imagined`)."""
    cup = None if view.cup is None else dicecup.imagined(view.cup, view.seat, luck)
    return State(view.match, view.turn, cup)
