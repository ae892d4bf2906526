"""Rounds of Liar's Lair: playing, contradictions, reclaiming cards, and the end."""

from __future__ import annotations

import attrs

from lilygames_rules.kit import Event as Happening
from lilygames_rules.kit import Refused, Seat, Step
from lilygames_rules.lair import moves
from lilygames_rules.lair.hands import GONE, TABLE, Deck, everyone
from lilygames_rules.lair.moves import Discard, Gift, Reason, Take
from lilygames_rules.lair.table import Declaring, Over, Playing, Reclaiming, Round, Spoils, State

Events = tuple[Happening, ...]

SPOILS: dict[str, type[Take | Gift | Discard]] = {"loot": Take, "gift": Gift, "discard": Discard}
"""The move that chooses a card from a knocked-out hand, by option."""


def among(deck: Deck, place: int, card: int) -> int:
    """Return the card if it is at that place; raises `Refused`."""
    if card not in deck.at(place):
        raise Refused("not-there", cards=deck.at(place))
    return card


def begun(state: State, number: int, starter: Seat, events: Events) -> Step[State]:
    """Begin a round: the starting player plays first, then the others clockwise."""
    playing = Playing(state.match.living(starter))
    return Step(state.after(playing, round=Round(number, starter)), (*events, moves.RoundBegun(number, starter)))


def over(state: State, winners: tuple[Seat, ...], reason: Reason, events: Events) -> Step[State]:
    """End the game."""
    return Step(state.after(Over(winners, reason)), (*events, moves.GameEnded(winners, reason)))


# Playing a hand.


def played(state: State, seat: Seat, card: int) -> Step[State]:
    """Play a card; if it contradicts one played this round, one of the two players is knocked out.

    Cards that a knocked-out player left on the table weren't played and contradict nothing (our reading).
    """
    among(state.deck, seat, card)
    now = attrs.evolve(state.match.round, played=(*state.match.round.played, (seat, card)))
    deck = state.deck.moved((card,), TABLE).shown((card,), everyone(state.match.seats))
    owners = {number: player for player, number in now.played}
    events = (moves.CardPlayed(seat, (card, deck.text(card))),)
    rest, rival = state.match.phase.waiting[1:], deck.rival(card, owners)
    deck = deck.first_played(card, seat, len(rest))
    state = state.after(Playing(rest), deck, round=now)
    if rival is None:
        return _played_on(state, rest, events)
    truth, lie = (card, rival) if deck.card(card).true else (rival, card)
    return _contradicted(state, (truth, lie), Spoils(owners[truth], owners[lie], (), rest), events)


def _contradicted(state: State, cards: tuple[int, int], spoils: Spoils, events: Events) -> Step[State]:
    """Knock out the player of the lie; both cards leave the game, and one card of the hand may stay.

    A victor who gets that card doesn't reclaim one. If it goes to the table, the victor does, or hands would shrink
    (our reading).
    """
    match, victor, victim = state.match, spoils.victor, spoils.victim
    truth, lie = state.told(cards)
    contradicted = moves.Contradicted(truth, lie, victor, victim)
    events = (*events, contradicted, moves.KnockedOut(victim, "contradiction"))
    deck = state.deck.moved(cards, GONE).told(state.deck.card(cards[0]).pair, everyone(match.seats))
    discards = match.options.knockout == "discard"
    victors = match.round.victors if discards else (*match.round.victors, victor)
    state = state.after(spoils, deck, out=(*match.out, victim), round=attrs.evolve(match.round, victors=victors))
    if state.match.living() == (victor,):
        return over(state, (victor,), "last", events)
    return _hand_departs(state, spoils, events)


def _hand_departs(state: State, spoils: Spoils, events: Events) -> Step[State]:
    """Let the victor see the hand and take a card, or in the variations let the victim choose one unseen."""
    victor, victim = spoils.victor, spoils.victim
    if state.match.options.knockout != "loot":
        return Step(state.after(attrs.evolve(spoils, waiting=(victim,))), events)
    hand = state.deck.at(victim)
    shown = moves.HandShown(victor, victim, state.told(hand))
    deck = state.deck.shown(hand, frozenset({victor}))
    return Step(state.after(attrs.evolve(spoils, waiting=(victor,)), deck), (*events, shown))


def spoiled(state: State, phase: Spoils, move: Take | Gift | Discard) -> Step[State]:
    """Keep one card of the knocked-out hand in the game and remove the rest."""
    victor, victim = phase.victor, phase.victim
    card = among(state.deck, victim, move.card)
    (told,) = state.told((card,))
    if isinstance(move, Discard):
        deck = state.deck.moved((card,), TABLE).shown((card,), everyone(state.match.seats))
        after = state.after(phase, deck.moved(deck.at(victim), GONE))
        return _played_on(after, phase.after, (moves.CardDiscarded(victim, told),))
    deck = state.deck.slipped(card, victor, frozenset({victor, victim}))
    taken = moves.CardTaken(victor, victim, told, gift=isinstance(move, Gift))
    return _played_on(state.after(phase, deck), phase.after, (taken,))


def _played_on(state: State, rest: tuple[Seat, ...], events: Events) -> Step[State]:
    """Continue until everyone has played; then living players reclaim cards, from the last player to the first."""
    if rest:
        return Step(state.after(Playing(rest)), events)
    now = state.match.round
    absent = (*state.match.out, *now.victors)
    return _reclaiming(state, tuple(seat for seat, _ in reversed(now.played) if seat not in absent), events)


# Finishing a round.


def reclaimed(state: State, phase: Reclaiming, seat: Seat, number: int) -> Step[State]:
    """Reclaim a card from the table; a player's own card is allowed."""
    card = among(state.deck, TABLE, number)
    event = moves.CardReclaimed(seat, *state.told((card,)))
    return _reclaiming(state.after(phase, state.deck.moved((card,), seat)), phase.waiting[1:], (event,))


def _reclaiming(state: State, waiting: tuple[Seat, ...], events: Events) -> Step[State]:
    """Continue until no cards are left to reclaim; then players may declare."""
    after = Reclaiming(waiting) if waiting else Declaring(state.match.living(state.match.round.starter or 0))
    return Step(state.after(after), events)


def next_round(state: State, events: Events) -> Step[State]:
    """Begin the next round with the player left (or right) of the last starter, or end after the last round."""
    match = state.match
    if match.round.number == match.options.max_rounds:
        return over(state, match.living(), "rounds", events)
    around = match.living(((match.round.starter or 0) + 1) % match.seats)
    others = [seat for seat in around if seat != match.round.starter]
    starter = others[0] if match.options.start == "left" else others[-1]
    return begun(state, match.round.number + 1, starter, events)
