"""Bots for Liar's Lair; each is a function from a view to a move."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from lilygames.game import Budget, Memory, Strategy, Thinker
from lilygames.games.liarslair.search import best_move
from lilygames.house.habits import Remembering
from lilygames_rules.kit import Luck
from lilygames_rules.lair.hands import GONE, TABLE, Seen
from lilygames_rules.lair.moves import Declare, Pass
from lilygames_rules.lair.table import Declaring, Playing, Proving, View, Volunteering

_EAGER = 3
"""A novice volunteers one time in this many."""
_PATIENCE, _ELATED, _SCARED = 4, 2, 6
"""Rounds after which a novice tolerates one more lie in a declared hand.

It needs fewer after it has knocked someone out, and more after another one has.
"""
_TRIED_AT_ONCE = Budget(36)
"""The club bot's simulations per move; few enough to answer at once."""


def novice(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return a novice's move: play truths first and lies last, declare when few proofs are possible.

    A knock-out in the round goes to its head, or frightens it.
    """
    if isinstance(view.match.phase, Declaring):
        return declared(view, moves, view.match.round.number // patience(view))
    return by_rule(view, moves, luck)


def patience(view: View) -> int:
    """Return the number of rounds after which a novice tolerates one more lie in a declared hand."""
    victors = view.match.round.victors
    return _ELATED if view.seat in victors else _SCARED if victors else _PATIENCE


def club(view: View, moves: Sequence[Any], luck: Luck, *, memory: Memory | None = None) -> Any:
    """Return a club bot's move: track all known facts and simulate each move a few times."""
    return sure(view, moves) or best_move(view, moves, luck, _TRIED_AT_ONCE, reads=False, memory=memory)


def search(view: View, moves: Sequence[Any], luck: Luck, budget: Budget, *, memory: Memory | None = None) -> Any:
    """Return the best move of a longer search that also infers what others know from their play."""
    return sure(view, moves) or best_move(view, moves, luck, budget, reads=True, memory=memory)


def sure(view: View, moves: Sequence[Any]) -> Any:
    """Return a special declaration that is certain to win, None if there isn't one."""
    ways = {"absolution": _all_provable, "identity": _alone_true}
    return _first(move for move in moves if isinstance(move, Declare) and ways.get(move.way, _never)(view))


def _never(_: View) -> bool:
    return False


def _daring(doubts: int, view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Play like a novice, but declare whenever at most this many cards are in doubt."""
    return declared(view, moves, doubts) if isinstance(view.match.phase, Declaring) else by_rule(view, moves, luck)


def by_rule(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return a move other than a declaration, by rules of thumb."""
    match view.match.phase:
        case Volunteering():
            return moves[1] if luck.roll(_EAGER) == 1 else moves[0]
        case Proving():
            return _proof(view, moves)
        case Playing(waiting):
            return _best(view, moves, lambda card: _worth_playing(view, card, last=len(waiting) == 1), luck)
    return _best(view, moves, lambda card: _worth_holding(view, card), luck)


def _best(view: View, moves: Sequence[Any], worth: Callable[[Seen], int], luck: Luck) -> Any:
    """Return the move with the most valuable card; ties at random."""
    cards = {card.number: card for card in view.cards}
    worths = [worth(cards[move.card]) for move in moves]
    return luck.choice([move for move, one in zip(moves, worths, strict=True) if one == max(worths)])


def _contrary(view: View, card: Seen) -> Seen | None:
    """Return the card that contradicts this one, if the seat has read it."""
    return next((other for other in view.cards if other.pair == card.pair and other.number != card.number), None)


def _worth_playing(view: View, card: Seen, *, last: bool) -> int:
    """Return the value of playing a card: a truth that contradicts a card in play knocks someone out, a lie its player.

    The last player can get rid of a lie safely; before that, truths are safe.
    """
    contrary = _contrary(view, card)
    if contrary and contrary.place == TABLE:
        return {True: 9, None: -1, False: -9}[card.true]
    if last or _harmless(view, card):
        return {True: 1, None: 3, False: 4}[card.true]
    return {True: 2, None: 0, False: -2}[card.true]


def _harmless(view: View, card: Seen) -> bool:
    """Tell whether nobody else can contradict the card: its opposite has left the game or is in this hand."""
    contrary = _contrary(view, card)
    return contrary is not None and contrary.place in (GONE, view.seat)


def _worth_holding(view: View, card: Seen) -> int:
    """Return the value of holding a card: truths are good, lies bad, and both cards of a pair worst for declaring."""
    contrary = _contrary(view, card)
    if contrary and contrary.place == view.seat:
        return -3
    return {True: 3, None: 0, False: -1}[card.true]


def declared(view: View, moves: Sequence[Any], daring: int) -> Any:
    """Return the first declaration it dares to make, else a pass."""
    honest = apart(view) and doubts(view) <= daring
    return Declare() if honest else sure(view, moves) or Pass()


def apart(view: View) -> bool:
    """Tell whether the hand doesn't contain both cards of a pair."""
    mine = view.at(view.seat)
    return len({card.pair for card in mine}) == len(mine)


def doubts(view: View) -> int:
    """Return the number of cards that someone may prove a lie: not known true, and the truth still in the game."""
    return sum(not (card.true or _gone(_contrary(view, card))) for card in view.at(view.seat))


def _gone(card: Seen | None) -> bool:
    return card is not None and card.place == GONE


def _all_provable(view: View) -> bool:
    living = [seat for seat in view.match.living() if seat != view.seat]
    contraries = ((card, _contrary(view, card)) for card in view.at(view.seat))
    return all(card.true is False and other and other.place in living for card, other in contraries)


def _alone_true(view: View) -> bool:
    """Tell whether no other seat can hold a truth about its character."""
    own = view.characters[view.seat or 0]
    lies = [card for card in view.cards if card.dealt and own in card.text]
    return all(_at_home(view, _contrary(view, card)) for card in lies)


def _at_home(view: View, card: Seen | None) -> bool:
    return card is not None and card.place in (GONE, view.seat)


def _proof(view: View, moves: Sequence[Any]) -> Any:
    """Return the exposure of a truth that contradicts the declarer; the last seat asked also guesses.

    The declarer wins if nobody proves a lie, so guessing costs the last seat nothing.
    """
    phase = view.match.phase
    declarer = phase.declared[0][0] if isinstance(phase, Proving) else None
    pairs = {card.pair for card in view.at(declarer)}
    cards = {card.number: card for card in view.at(view.seat)}
    against = [move for move in moves[1:] if cards[move.card].pair in pairs and cards[move.card].true is not False]
    sure = _first(move for move in against if cards[move.card].true)
    return sure or (_first(against) if len(phase.waiting) == 1 else None) or moves[0]


def _first(moves: Iterable[Any]) -> Any:
    return next(iter(moves), None)


LEVELS: Mapping[str, Strategy] = {
    "novice": novice,
    "club": Remembering(club),
    "shark": Thinker(Remembering(search), Budget(480)),
}
"""The bots by level."""
VERSIONS: Mapping[str, str] = {"novice": "2", "club": "1", "shark": "1"}
"""Version of each bot's strategy. Raise it when that bot's moves change."""
STYLES: Mapping[str, Strategy] = {"careful": partial(_daring, 0), "bold": partial(_daring, 1)}
"""Opponents for duels: one declares only without doubts, one with a single doubt."""
