"""Hints for Liar's Poker: the shark's move, and its reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lilygames.game import Advice, Budget, Thinker
from lilygames.games.liarspoker import worth
from lilygames.games.liarspoker.house import heard, number_of, shark
from lilygames.games.liarspoker.reading import share
from rules.bidding.ladder import Bid, Challenge
from rules.kit import Luck
from rules.liarspoker import View

_BID = "By your own digits and what was bid, {count:.0f} or more of them are there {there:.0f} times in 100."
_CHALLENGE = (
    "By your own digits and what was bid, the bid is true {there:.0f} times in 100, and no higher one is worth more."
)
_STAND = "By your own digits and what was bid, yours is true {there:.0f} times in 100, and no higher one is worth more."


def explain(view: View, moves: Sequence[Any], luck: Luck, _: Budget) -> Advice:
    """Return a shark's move, and the probability that its bid, or the standing one, is true."""
    auction, move = view.auction, shark(view, moves, luck)
    if auction is None or view.slip is None:
        return Advice(move, "All of them are as good as any other.")
    bid = move if isinstance(move, Bid) else auction.standing[0]
    own = worth.counted(number_of(view))[bid.rank]
    talk = heard(view, auction)
    there = share(talk.among_others(auction.turn or 0, bid.rank), bid.count - own)
    why = _BID if isinstance(move, Bid) else _CHALLENGE if isinstance(move, Challenge) else _STAND
    return Advice(move, why, {"there": 100 * there, "count": bid.count})


ADVISER = Thinker(explain, Budget(1))
