"""House players for Liar's Lair: each a function from what its seat may know to a move."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from lilygames.game import Budget, Strategy, Thinker
from lilygames.games.liarslair.search import best_move
from rules.kit import Luck
from rules.lair.hands import GONE, TABLE, Seen
from rules.lair.moves import Declare, Pass
from rules.lair.table import Declaring, Playing, Proving, View, Volunteering

_EAGER = 3
"""One time in so many a novice volunteers."""
_PATIENCE = 2
"""After so many rounds, or twice as many, a novice lets one more of its cards be a lie when it declares."""
_TRIED_AT_ONCE = Budget(36)
"""How many tries a club player has, who does not keep anybody waiting."""


def novice(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return the move of a novice: truths come before others, lies last; it declares when it fears few proofs."""
    if isinstance(view.match.phase, Declaring):
        return _declared(view, moves, view.match.round.number // (_PATIENCE + luck.roll(_PATIENCE)))
    return _by_rule(view, moves, luck)


def club(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return the move of a club player: it keeps books of all that it knows, and tries its moves out a few times."""
    return sure(view, moves) or best_move(view, moves, luck, _TRIED_AT_ONCE, reads=False)


def search(view: View, moves: Sequence[Any], luck: Luck, budget: Budget) -> Any:
    """Return the move that a longer search finds best, which reads from what others play what they know."""
    return sure(view, moves) or best_move(view, moves, luck, budget, reads=True)


def sure(view: View, moves: Sequence[Any]) -> Any:
    """Return another way to declare than honesty that is known to win, None where there is none."""
    ways = {"absolution": _all_provable, "identity": _alone_true}
    return _first(move for move in moves if isinstance(move, Declare) and ways.get(move.way, _never)(view))


def _never(_: View) -> bool:
    return False


def _daring(doubts: int, view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return the move of somebody who declares with so many doubts from first to last, and is a novice otherwise."""
    return _declared(view, moves, doubts) if isinstance(view.match.phase, Declaring) else _by_rule(view, moves, luck)


def _by_rule(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return any move but a declaration, by rules of thumb."""
    match view.match.phase:
        case Volunteering():
            return moves[1] if luck.roll(_EAGER) == 1 else moves[0]
        case Proving():
            return _proof(view, moves)
        case Playing(waiting):
            return _best(view, moves, lambda card: _worth_playing(view, card, last=len(waiting) == 1), luck)
    return _best(view, moves, lambda card: _worth_holding(view, card), luck)


def _best(view: View, moves: Sequence[Any], worth: Callable[[Seen], int], luck: Luck) -> Any:
    """Return the move whose card is worth the most, of equal ones any."""
    cards = {card.number: card for card in view.cards}
    worths = [worth(cards[move.card]) for move in moves]
    return luck.choice([move for move, one in zip(moves, worths, strict=True) if one == max(worths)])


def _contrary(view: View, card: Seen) -> Seen | None:
    """Return the card that contradicts this one, if its words were ever read."""
    return next((other for other in view.cards if other.pair == card.pair and other.number != card.number), None)


def _worth_playing(view: View, card: Seen, *, last: bool) -> int:
    """A truth that contradicts a card in play knocks somebody out, and a lie its player.

    Whoever plays last gets rid of a lie without danger; before that a truth is safe.
    """
    contrary = _contrary(view, card)
    if contrary and contrary.place == TABLE:
        return {True: 9, None: -1, False: -9}[card.true]
    if last or _harmless(view, card):
        return {True: 1, None: 3, False: 4}[card.true]
    return {True: 2, None: 0, False: -2}[card.true]


def _harmless(view: View, card: Seen) -> bool:
    """Whether nobody else can contradict the card: its contrary has left the game, or is one's own."""
    contrary = _contrary(view, card)
    return contrary is not None and contrary.place in (GONE, view.seat)


def _worth_holding(view: View, card: Seen) -> int:
    """Truths are good to hold, lies bad; both cards of a pair are worst, where one wants to declare."""
    contrary = _contrary(view, card)
    if contrary and contrary.place == view.seat:
        return -3
    return {True: 3, None: 0, False: -1}[card.true]


def _declared(view: View, moves: Sequence[Any], daring: int) -> Any:
    """Return the first way to declare that it dares, else a pass."""
    honest = _apart(view) and _doubts(view) <= daring
    return Declare() if honest else sure(view, moves) or Pass()


def _apart(view: View) -> bool:
    """Whether no two cards of its hand are of a pair."""
    mine = view.at(view.seat)
    return len({card.pair for card in mine}) == len(mine)


def _doubts(view: View) -> int:
    """Return how many cards of its hand somebody may prove a lie: neither true, nor with a truth that has left."""
    return sum(not (card.true or _gone(_contrary(view, card))) for card in view.at(view.seat))


def _gone(card: Seen | None) -> bool:
    return card is not None and card.place == GONE


def _all_provable(view: View) -> bool:
    living = [seat for seat in view.match.living() if seat != view.seat]
    contraries = ((card, _contrary(view, card)) for card in view.at(view.seat))
    return all(card.true is False and other and other.place in living for card, other in contraries)


def _alone_true(view: View) -> bool:
    """Every truth about its character, of which it was dealt the lies, is its own or has left the game."""
    own = view.characters[view.seat or 0]
    lies = [card for card in view.cards if card.dealt and own in card.text]
    return all(_at_home(view, _contrary(view, card)) for card in lies)


def _at_home(view: View, card: Seen | None) -> bool:
    return card is not None and card.place in (GONE, view.seat)


def _proof(view: View, moves: Sequence[Any]) -> Any:
    """Return the exposure of a truth that contradicts the declarer; the last one asked dares more than that.

    If nobody proves it a liar the declarer wins, so that a guess costs the last one nothing.
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


LEVELS: Mapping[str, Strategy] = {"novice": novice, "club": club, "shark": Thinker(search, Budget(480))}
"""The house players of Liar's Lair by level."""
STYLES: Mapping[str, Strategy] = {"careful": partial(_daring, 0), "bold": partial(_daring, 1)}
"""Others to measure them by: who declares only without a doubt, and who does with one."""
