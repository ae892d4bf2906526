"""Hints for Liar's Poker: the shark's move, and its reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lilygames.game import Advice, Budget, Thinker
from lilygames.games.liarspoker import worth
from lilygames.games.liarspoker.headsup import TWO
from lilygames.games.liarspoker.house import chances, doubting, number_of, plain, shark
from lilygames.games.liarspoker.reading import share
from lilygames_rules.bidding.ladder import Bid, Challenge, Stand
from lilygames_rules.kit import Luck
from lilygames_rules.liarspoker import View

_BID = "By your own digits and what was bid, {count:.0f} or more of them are there {there:.0f} times in 100."
_CHALLENGE = (
    "By your own digits and what was bid, the bid is true {there:.0f} times in 100, and no higher one is worth more."
)
_STAND = "By your own digits and what was bid, yours is true {there:.0f} times in 100, and no higher one is worth more."
_MIXED = (
    "By your own digits and what was bid, {count:.0f} or more of them are there {there:.0f} times in 100. "
    "The strongest bot does this {often:.0f} times in 100 here, so that its moves tell little."
)


def explain(view: View, moves: Sequence[Any], luck: Luck, _: Budget) -> Advice:
    """Return a shark's move, and the probability that its bid, or the standing one, is true."""
    auction, move = view.auction, shark(view, moves, luck)
    if auction is None or view.slip is None:
        return Advice(move, "All of them are as good as any other.")
    bid = move if isinstance(move, Bid) else auction.standing[0]
    own = worth.counted(number_of(view))[bid.rank]
    talk = doubting(view, auction)
    there = share(talk.among_others(auction.turn or 0, bid.rank), bid.count - own)
    why = _BID if isinstance(move, Bid) else _CHALLENGE if isinstance(move, Challenge) else _STAND
    facts = {"there": 100 * there, "count": float(bid.count)}
    if len(auction.players) > TWO:
        return Advice(move, why, facts)
    often = chances(auction, worth.counted(number_of(view)), view.match.options).get(move, 1.0)
    return Advice(move, _MIXED, facts | {"often": 100 * often})


_SLIGHT = 0.05
"""Average stakes from which a move counts as a mistake."""
_YOURS = "By your own digits and what was bid, your bid was true {yours:.0f} times in 100"
_STANDING = "By your own digits and what was bid, the bid was true {standing:.0f} times in 100"
_REASONS = {
    (Bid, Bid): f"{_YOURS}, the bot's {{best:.0f}}. The bot's bid",
    (Bid, Challenge): f"{_YOURS}, the one before {{standing:.0f}}. A challenge",
    (Bid, Stand): f"{_YOURS}, the one before {{standing:.0f}}. To stand",
    (Challenge, Bid): f"{_STANDING}, the bot's {{best:.0f}}. The bot's bid",
    (Stand, Bid): f"{_STANDING}, the bot's {{best:.0f}}. The bot's bid",
}
"""Reasons by the kinds of the move made and the better one; each begins the sentence about the units."""


def weigh(view: View, moves: Sequence[Any], _: Luck, __: Budget) -> Advice:
    """Return a shark's best option, and how many more units it wins on average than the first of the moves."""
    auction, made = view.auction, moves[0]
    if auction is None or view.slip is None:
        return Advice(made, "All of them are as good as any other.", {"cost": 0.0})
    own, talk, rules = worth.counted(number_of(view)), doubting(view, auction), view.match.options
    found = worth.valued(talk, auction, own, rules, worth.learned)
    better = found[0][1] if found else plain(auction, own)
    reason = _REASONS.get((type(made), type(better)))
    if reason is None:
        return Advice(better, "It makes no difference.", {"cost": 0.0})
    gain = worth.value(talk, auction, own, rules, better) - worth.value(talk, auction, own, rules, made)
    if gain < _SLIGHT:
        return Advice(better, "It makes little difference.", {"cost": 0.0})

    def there(bid: Any) -> float:
        return 100 * share(talk.among_others(auction.turn or 0, bid.rank), bid.count - own[bid.rank])

    bids = {"yours": made, "best": better, "standing": auction.bid}
    facts = {name: there(bid) for name, bid in bids.items() if isinstance(bid, Bid)}
    units = "is worth {cost:.1f} units more on average."
    return Advice(better, f"{reason} {units}", facts | {"cost": view.match.stake * gain})


ADVISER = Thinker(explain, Budget(1))
JUDGE = Thinker(weigh, Budget(1))
