"""Declarations in Liar's Lair, and the cards others expose to prove a declarer a liar."""

from __future__ import annotations

from typing import Literal

import attrs

from lilygames_rules.kit import Refused, Seat, Step
from lilygames_rules.lair import moves, rounds
from lilygames_rules.lair.hands import GONE, Card, everyone
from lilygames_rules.lair.moves import Declare, Expose, Pass, Way
from lilygames_rules.lair.rounds import Events
from lilygames_rules.lair.table import Declaring, Match, Options, Proving, State

Declarations = tuple[tuple[Seat, Way], ...]


def ways(options: Options) -> tuple[Way, ...]:
    """Return the ways to declare at this table."""
    also: list[tuple[Way, bool]] = [("absolution", options.absolution), ("identity", options.characters == "secret")]
    return ("honest", *(way for way, on in also if on))


def behind(match: Match, declared: Declarations) -> tuple[Seat, ...]:
    """Return the seats that may no longer declare because a seat on their left has.

    Left is counted around the table from the round's starter; everyone is on the starter's left (our reading).
    """
    order = match.living(match.round.starter or 0)
    places = [order.index(seat) for seat, _ in declared]
    return order[: max(places)] if places else ()


def untimely(match: Match) -> Refused:
    """Return the refusal of a move in the wrong phase."""
    return Refused("wrong-phase", phase=type(match.phase).__name__, knockout=match.options.knockout)


def answered(state: State, phase: Declaring | Proving, seat: Seat, move: Pass | Declare | Expose) -> Step[State]:
    """Return the result of declaring or not, or of exposing a card or none; raises `Refused`."""
    match (phase, move):
        case (Declaring(), Pass()):
            return passed(state, phase, seat)
        case (Declaring(), Declare(way)):
            return declared(state, phase, seat, way)
        case (Proving(), Pass()):
            return polled(state, phase, (moves.Passed(seat),))
        case (Proving(), Expose(card)):
            return exposed(state, phase, seat, card)
    raise untimely(state.match)


def passed(state: State, phase: Declaring, seat: Seat) -> Step[State]:
    """Record that a seat doesn't declare."""
    waiting = tuple(other for other in phase.waiting if other != seat)
    return _resolved_if_all(state, attrs.evolve(phase, waiting=waiting), (moves.Passed(seat),))


def declared(state: State, phase: Declaring, seat: Seat, way: Way) -> Step[State]:
    """Let a seat declare and show its hand or character; seats that may no longer declare aren't asked."""
    match = state.match
    if way not in ways(match.options):
        raise Refused("no-such-way", ways=ways(match.options))
    order = match.living(match.round.starter or 0)
    said = tuple(sorted((*phase.declared, (seat, way)), key=lambda one: order.index(one[0])))
    silent = {seat, *behind(match, said)}
    phase = Declaring(tuple(other for other in phase.waiting if other not in silent), said)
    if way == "identity":
        event = moves.Declared(seat, way, (), state.characters[seat])
        return _resolved_if_all(state.after(phase, revealed=(*match.revealed, seat)), phase, (event,))
    hand = state.deck.at(seat)
    event = moves.Declared(seat, way, state.told(hand), "")
    return _resolved_if_all(state.after(phase, state.deck.shown(hand, everyone(match.seats))), phase, (event,))


def _resolved_if_all(state: State, phase: Declaring, events: Events) -> Step[State]:
    return Step(state.after(phase), events) if phase.waiting else _resolved(state, phase.declared, events)


def _resolved(state: State, left: Declarations, events: Events) -> Step[State]:
    """Deal with declarers clockwise from the starting player; after the last one the game continues."""
    match = state.match
    left = tuple((seat, way) for seat, way in left if seat not in match.out)
    if not left:
        return rounds.next_round(state, events)
    seat, way = left[0]
    if way == "honest" and not _has_both(state, seat):
        asked = match.living((seat + 1) % match.seats)[:-1]
        return Step(state.after(Proving(asked, left)), events)
    if (way == "absolution" and _all_provable(state, seat)) or (way == "identity" and _alone_true(state, seat)):
        return rounds.over(state, (seat,), way, events)
    return _out(state, seat, "both" if way == "honest" else way, left[1:], events)


def _hand(state: State, seat: Seat) -> list[Card]:
    return [card for card in state.deck.cards if card.place == seat]


def _has_both(state: State, seat: Seat) -> bool:
    """Tell whether a declarer holds both cards of a pair, which disqualifies at once."""
    pairs = [card.pair for card in _hand(state, seat)]
    return len(set(pairs)) < len(pairs)


def _all_provable(state: State, seat: Seat) -> bool:
    """Tell whether absolution stands: all cards are lies, and other living players hold their truths."""
    others = [other for other in state.match.living() if other != seat]
    truths = {card.pair for other in others for card in _hand(state, other) if card.true}
    return all(not card.true and card.pair in truths for card in _hand(state, seat))


def _alone_true(state: State, seat: Seat) -> bool:
    """Tell whether no other player holds a truth about the declarer's character."""
    others = [card for other in state.match.living() if other != seat for card in _hand(state, other)]
    about = state.characters[seat]
    return not any(card.true and state.deck.pairs[card.pair].about == about for card in others)


Why = Literal["both", "proven", "false-proof", "absolution", "identity"]


def _knocked_out(state: State, seat: Seat, why: Why, events: Events) -> tuple[State, Events]:
    """Knock out a seat; its hand leaves the game and nobody gets a card."""
    after = state.after(state.match.phase, state.deck.moved(state.deck.at(seat), GONE), out=(*state.match.out, seat))
    return after, (*events, moves.KnockedOut(seat, why))


def _out(state: State, seat: Seat, why: Why, left: Declarations, events: Events) -> Step[State]:
    """Knock out a declarer, and continue with the next one if more than one player is left."""
    state, events = _knocked_out(state, seat, why, events)
    living = state.match.living()
    return rounds.over(state, living, "last", events) if len(living) == 1 else _resolved(state, left, events)


def polled(state: State, phase: Proving, events: Events) -> Step[State]:
    """Ask the next player to expose a card; if nobody proves the declarer a liar, the declarer wins."""
    (declarer, _), waiting = phase.declared[0], phase.waiting[1:]
    if state.match.living() == (declarer,):
        return rounds.over(state, (declarer,), "last", events)
    if not waiting:
        return rounds.over(state, (declarer,), "honest", events)
    return Step(state.after(attrs.evolve(phase, waiting=waiting)), events)


def exposed(state: State, phase: Proving, seat: Seat, number: int) -> Step[State]:
    """Expose a card: a true one that contradicts the declarer's knocks out the declarer, a false one its owner.

    A true card that contradicts nothing has no effect. Only the declarer sees the card (our reading of "expose ... to
    the would-be victor"); both then know whether it is true.
    """
    declarer, _ = phase.declared[0]
    card = state.deck.card(rounds.among(state.deck, seat, number))
    contradicts = card.pair in {other.pair for other in _hand(state, declarer)}
    effect: Literal["proof", "lie", "nothing"] = "lie" if not card.true else "proof" if contradicts else "nothing"
    (told,) = state.told((number,))
    events: Events = (moves.CardExposed(seat, declarer, told, effect),)
    both = frozenset({seat, declarer})
    state = state.after(phase, state.deck.shown((number,), both).told(card.pair, both))
    if effect == "proof":
        return _out(state, declarer, "proven", phase.declared[1:], events)
    if effect == "lie":
        state, events = _knocked_out(state, seat, "false-proof", events)
    return polled(state, phase, events)
