"""Liar's Lair: play true and false cards, knock out players who contradict a truth, and declare yourself honest.

The rules come from madmaw's README of Liar's Lair, with all its variations. Where it is silent, a docstring says what
we do.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from lilygames_rules.kit import Event as Happening
from lilygames_rules.kit import Luck, Outcome, Refused, Seat, Step
from lilygames_rules.lair import cards as laircards
from lilygames_rules.lair import hands, proofs, rounds, table
from lilygames_rules.lair import moves as lairmoves
from lilygames_rules.lair.card_set import CAST
from lilygames_rules.lair.hands import TABLE
from lilygames_rules.lair.moves import Declare, Discard, Expose, Gift, Pass, Play, Reason, Reclaim, Take, Volunteer
from lilygames_rules.lair.rounds import SPOILS
from lilygames_rules.lair.table import Declaring, Match, Over, Playing, Proving, Reclaiming, Round, Spoils, Volunteering

NAME = "liarslair"
VERSION = 1
SEATS = range(3, 9)
Options = table.Options
State = table.State
View = table.View
Move = lairmoves.Move
Event = lairmoves.Event
view = table.view
sample = table.sample

FEWEST, MOST = 2, 6
"""Allowed truths (and lies) per player: "a minimum of 4 cards (2 truth and 2 lies)"."""
MOST_SPARE, MOST_ROUNDS = 16, 200


def start(seats: int, options: table.Options, purses: Sequence[int], luck: Luck) -> Step[State]:
    """Return the first state; raises `Refused` if the options don't fit the seats or each other."""
    _check(seats, options)
    pairs = _pairs(options)
    cast = luck.for_("cast").shuffle(CAST)[:seats] if options.characters != "off" else ()
    shape = options.shape(seats, cast)
    if laircards.room(pairs, len(cast)) < shape.pairs:
        raise Refused("too-few-pairs", have=laircards.room(pairs, len(cast)), need=shape.pairs)
    about = luck.for_("mix").shuffle(laircards.drawn_about(pairs, cast, shape.pairs, luck)) if cast else None
    chosen = about or [("", pair) for pair in laircards.drawn(pairs, shape.pairs, luck)]
    match = Match(options, seats, tuple(sorted(cast)), Round(1, None), Volunteering(tuple(range(seats))))
    state = State(match, hands.dealt(shape, chosen, luck), cast)
    events = (_begun(state), *(_dealt(state, seat) for seat in range(seats)))
    return Step(state, events) if options.volunteer else rounds.begun(state, 1, _starter(seats, (), luck), events)


def _check(seats: int, options: table.Options) -> None:
    if seats not in SEATS:
        raise Refused("bad-seats", low=SEATS[0], high=SEATS[-1])
    if not FEWEST <= options.each <= MOST:
        raise Refused("bad-each", low=FEWEST, high=MOST)
    if not 0 <= options.spare <= MOST_SPARE:
        raise Refused("bad-spare", most=MOST_SPARE)
    if not 1 <= options.max_rounds <= MOST_ROUNDS:
        raise Refused("bad-rounds", most=MOST_ROUNDS)
    if options.deal == "random" and options.shape(seats).own is not None:
        raise Refused("deal-is-fixed", characters=options.characters)


def _pairs(options: table.Options) -> Sequence[laircards.Statements] | None:
    """Return the card set, None for generated pairs; characters need a set about people."""
    people = options.characters != "off"
    if options.pairs:
        if laircards.speaks_of_people(options.pairs) != people:
            raise Refused("cards-of-another-kind", name=options.cards, people=people)
        return options.pairs
    if options.cards == "generated":
        return None
    if options.cards != "standard":
        raise Refused("unknown-cards", name=options.cards)
    return laircards.shipped(people=people)


def _begun(state: State) -> Happening:
    known = table.known_characters(state.match, state.characters, None)
    return lairmoves.GameBegun(2 * state.match.options.each, known, state.match.cast)


def _dealt(state: State, seat: Seat) -> Happening:
    """Return the events of the deal: players learn which of their own cards are true, and nothing about others."""
    hand = state.deck.at(seat)
    cards = tuple((number, state.deck.text(number), state.deck.card(number).true) for number in hand)
    return lairmoves.Dealt(seat, cards, state.characters[seat] if state.characters else "")


# Moves.


def turn(state: State | View) -> Seat | None:
    """Return the seat to move if it is the only one; None if several may move, or the game is over."""
    answering = state.match.answering
    return answering[0] if len(answering) == 1 else None


def moves(state: State, seat: Seat) -> Sequence[Any]:
    """Return the legal moves of `seat`: pass first, then cards by number; empty if it has to wait."""
    match, deck = state.match, state.deck
    if seat not in match.answering:
        return ()
    listed: Iterable[Any] = ()
    match match.phase:
        case Volunteering():
            listed = (Pass(), Volunteer())
        case Declaring():
            listed = (Pass(), *map(Declare, proofs.ways(match.options)))
        case Proving():
            listed = (Pass(), *map(Expose, deck.at(seat)))
        case Playing():
            listed = map(Play, deck.at(seat))
        case Reclaiming():
            listed = map(Reclaim, deck.at(TABLE))
        case Spoils(_, victim):
            listed = map(SPOILS[match.options.knockout], deck.at(victim))
    return tuple(listed)


def apply(state: State, seat: Seat, move: Any, luck: Luck) -> Step[State]:
    """Return the result of `move` by `seat`; raises `Refused` if it isn't legal."""
    phase = state.match.phase
    _check_turn(state.match, seat, move)
    match (phase, move):
        case (Volunteering(), Pass() | Volunteer()):
            return _volunteered(state, phase, seat, luck, willing=isinstance(move, Volunteer))
        case (Playing(), Play(card)):
            return rounds.played(state, seat, card)
        case (Spoils(), Take() | Gift() | Discard()) if type(move) is SPOILS[state.match.options.knockout]:
            return rounds.spoiled(state, phase, move)
        case (Reclaiming(), Reclaim(card)):
            return rounds.reclaimed(state, phase, seat, card)
        case (Declaring() | Proving(), Pass() | Declare() | Expose()):
            return proofs.answered(state, phase, seat, move)
    raise proofs.untimely(state.match)


def _check_turn(match: Match, seat: Seat, move: Any) -> None:
    """You may not declare after someone on your left has declared."""
    phase = match.phase
    if isinstance(phase, Over):
        raise Refused("game-over")
    if isinstance(phase, Declaring) and isinstance(move, Declare) and seat in proofs.behind(match, phase.declared):
        raise Refused("declared-on-the-left", by=phase.declared[-1][0])
    if seat not in match.answering:
        raise Refused("not-your-turn", turn=match.answering, phase=type(phase).__name__)


def _volunteered(state: State, phase: Volunteering, seat: Seat, luck: Luck, *, willing: bool) -> Step[State]:
    """Draw the starting player from the volunteers, or from everyone if nobody volunteers."""
    happened = lairmoves.Volunteered(seat) if willing else lairmoves.Passed(seat)
    waiting = tuple(other for other in phase.waiting if other != seat)
    offered = tuple(sorted((*phase.willing, seat))) if willing else phase.willing
    if waiting:
        return Step(state.after(Volunteering(waiting, offered)), (happened,))
    return rounds.begun(state, 1, _starter(state.match.seats, offered, luck), (happened,))


def _starter(seats: int, willing: Sequence[Seat], luck: Luck) -> Seat:
    """Draw the starting player from those who are willing, or from everyone."""
    return luck.for_("starter").pick(range(seats), willing or range(seats))


def default(state: State, seat: Seat) -> Any:
    """Return a pass if that is legal, else the lowest card; `seat` must have a move."""
    return moves(state, seat)[0]


def outcome(state: State) -> Outcome | None:
    """Return the result, None while the game is in progress: a point for each player outlasted or defeated."""
    match, phase = state.match, state.match.phase
    if not isinstance(phase, Over):
        return None
    living = len(match.out) if phase.reason == "rounds" else match.seats - 1
    lasted = {seat: place for place, seat in enumerate(match.out)}
    scores = (lasted.get(seat, living if seat in phase.winners else len(match.out)) for seat in range(match.seats))
    return Outcome(tuple(scores), phase.winners, REASONS[phase.reason])


REASONS: dict[Reason, str] = {
    "last": "all others are knocked out",
    "honest": "nobody proved the declarer a liar",
    "absolution": "the declarer's cards are all provable lies",
    "identity": "no truth about the declarer is left with anybody else",
    "rounds": "there have been enough rounds",
}
