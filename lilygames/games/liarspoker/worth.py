"""Value of each bid, challenge and stand in Liar's Poker, in stakes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import attrs

from lilygames.game import Habit
from lilygames.games.liarspoker.habits import USUAL
from lilygames.games.liarspoker.reading import Nested, Talk, share
from lilygames.house.habits import STRANGER, believed
from lilygames_rules.bidding import slips, stakes
from lilygames_rules.bidding.ladder import RANKS, Auction, Bid, Challenge, Stand
from lilygames_rules.bidding.stakes import Options

CHANCES, OTHERS = 9, 4
"""Table steps between 0 and 1 for the true chance, and for the chance as others see it."""
MULTIPLIERS, SEATS_LEFT = 4, 3
"""Most multipliers and most seats to come in the tables; higher values are clamped."""
_STEPS = 8
"""How many counts above the minimum are considered."""
_POINTLESS = 0.25
"""Minimum expected win per opponent for a bid to be considered."""
_HALF_POINTLESS = 0.5
"""The same if a lower bid of that rank is already considered."""
_SHARE = 0.6
"""Share of a bid's value that remains while others may still bid higher."""


@attrs.frozen
class Option:
    """A bid or challenge with the variables of its value; `moment` is opening, answering, or challenged by all."""

    move: Any
    moment: int
    multiplier: int
    chance: float
    """Probability that its bid is made."""
    others: float = 0.0
    """The same as others see it, for the seat's own bid."""
    left: int = 0
    """Seats still to answer before the bidder, after a challenge."""
    final: bool = False
    """Whether the bidding ends without another choice of the bidder."""


def options(
    talk: Talk, auction: Auction, own: Sequence[int], rules: Options, lies: Habit = STRANGER
) -> Iterator[Option]:
    """Yield the sensible options of a seat that holds `own` digits of each rank, without standing.

    `lies` is how often bids like the standing one were missed.
    """
    if auction.phase == "answer":
        yield _challenge(talk, auction, own, rules, lies)
    for rank in RANKS:
        yield from _bids(talk, auction, rank, own[rank], rules)


def _challenge(talk: Talk, auction: Auction, own: Sequence[int], rules: Options, lies: Habit = STRANGER) -> Option:
    bid = auction.standing[0]
    chance = share(talk.among_others(auction.turn or 0, bid.rank), bid.count - own[bid.rank])
    players = len(auction.players)
    return Option(
        Challenge(),
        1,
        stakes.multiplier(bid, players, rules),
        believed(chance, lies, USUAL),
        left=players - 2 - auction.challenges,
        final=auction.rebid or not auction.rebids,
    )


def _bids(talk: Talk, auction: Auction, rank: int, own: int, rules: Options) -> Iterator[Option]:
    """Yield the bids of a rank that may pay, from the lowest stronger one up."""
    players, now = len(auction.players), auction.bid
    least = players // 2 if now is None else now.count + (rank <= now.rank)
    for count in range(max(1, least), min(max(1, least) + _STEPS, auction.most) + 1):
        option = _bid(talk, auction, Bid(count, rank), own, rules)
        if option.multiplier * option.chance < (_POINTLESS if count == least else _HALF_POINTLESS):
            return
        yield option


def _bid(talk: Talk, auction: Auction, bid: Bid, own: int, rules: Options) -> Option:
    """Return any legal bid as an option of a seat that holds `own` digits of its rank."""
    seat, players = auction.turn or 0, len(auction.players)
    moment = 0 if auction.bid is None else 1 if auction.phase == "answer" else 2
    multiplier = stakes.multiplier(bid, players, rules) + (rules.hero and not own)
    chance = share(talk.among_others(seat, bid.rank), bid.count - own)
    return Option(bid, moment, multiplier, chance, talk.to_strangers(seat, bid))


def as_last_word(talk: Talk, auction: Auction, own: Sequence[int], rules: Options) -> float:
    """Return the value of standing by a bid that everyone has challenged."""
    bid, seat = auction.standing
    among, players = talk.among_others(seat, bid.rank), len(auction.players)
    held, nobody = own[bid.rank], 0.0 if own[bid.rank] else 1 - share(among, 1)
    made = share(among, bid.count - held)
    won = stakes.judged(bid, players, held, auction.most, rules)[1]
    none = stakes.judged(bid, players, held, 0, rules)[1]
    return (players - 1) * (made * won + nobody * none - (1 - made - nobody))


def guessed(_: Talk, option: Option, players: int) -> float:
    """Return an option's value by rule of thumb: for a bid, a share of its value when counted."""
    worth = option.multiplier * option.chance - (1 - option.chance)
    return -worth if isinstance(option.move, Challenge) else _SHARE * (players - 1) * worth


def learned(talk: Talk, option: Option, _: int) -> float:
    """Return an option's average result in past hands."""
    kind = min(option.multiplier, MULTIPLIERS) - 1
    if isinstance(option.move, Challenge):
        return _between(talk.known.doubts[option.final][kind][min(option.left, SEATS_LEFT - 1)], option.chance)
    rows: Nested = talk.known.bids[option.moment][kind]
    place, beyond = point(option.others, OTHERS)
    low, high = _between(rows[place], option.chance), _between(rows[place + 1], option.chance)
    return low + (high - low) * beyond


def point(chance: float, points: int) -> tuple[int, float]:
    """Return the table step at or below a chance, and the fraction to the next step."""
    place = min(int(chance * (points - 1)), points - 2)
    return place, chance * (points - 1) - place


def _between(row: Nested, chance: float) -> float:
    place, beyond = point(chance, CHANCES)
    low, high = float(row[place]), float(row[place + 1])
    return low + (high - low) * beyond


Worth = Callable[[Talk, Option, int], float]
"""Returns an option's value with this many players."""


def valued(
    talk: Talk, auction: Auction, own: Sequence[int], rules: Options, worth: Worth, *, lies: Habit = STRANGER
) -> list[tuple[float, Any]]:
    """Return the sensible options with their values, best first."""
    found = [(worth(talk, one, len(auction.players)), one.move) for one in options(talk, auction, own, rules, lies)]
    if auction.phase == "rebid":
        found.append((as_last_word(talk, auction, own, rules), Stand()))
    return sorted(found, key=lambda one: -one[0])


def value(talk: Talk, auction: Auction, own: Sequence[int], rules: Options, move: Any) -> float:
    """Return the value of any legal move, sensible or not, by the results of past hands."""
    match move:
        case Challenge():
            return learned(talk, _challenge(talk, auction, own, rules), len(auction.players))
        case Bid():
            return learned(talk, _bid(talk, auction, move, own[move.rank], rules), len(auction.players))
    return as_last_word(talk, auction, own, rules)


def counted(number: str) -> list[int]:
    """Return the digit counts of a number by rank; index 0 is unused."""
    return [0, *(slips.held(number, rank) for rank in RANKS)]
