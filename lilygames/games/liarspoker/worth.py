"""What each thing that may be said at Liar's Poker is worth, in stakes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import attrs

from lilygames.games.liarspoker.reading import Nested, Talk, share
from rules.bidding import slips, stakes
from rules.bidding.ladder import RANKS, Auction, Bid, Challenge, Stand
from rules.bidding.stakes import Options

CHANCES, OTHERS = 9, 4
"""How many points between never and always the tables have for chances, for oneself and as others see them."""
MULTIPLIERS, SEATS_LEFT = 4, 3
"""How many multipliers, and numbers of seats yet to speak, the tables tell apart; all above are the highest."""
_STEPS = 8
"""How far above the least count a bid is looked for."""
_POINTLESS = 0.25
"""What a bid has to win from each on average to be thought of at all."""
_HALF_POINTLESS = 0.5
"""What it has to win where a lower one of that rank was thought of."""
_SHARE = 0.6
"""How much of what a bid is worth when it is played is left of it as long as others may better it."""


@attrs.frozen
class Option:
    """Something to say and what its worth hangs on; `moment` is when: opening, answering, or challenged by all."""

    move: Any
    moment: int
    multiplier: int
    chance: float
    """How likely the bid it is about is made."""
    others: float = 0.0
    """How likely a bid of one's own looks to the others."""
    left: int = 0
    """How many seats come before the bidder's word, after a challenge."""
    final: bool = False
    """Whether the bidder has no word any more."""


def options(talk: Talk, auction: Auction, own: Sequence[int], rules: Options) -> Iterator[Option]:
    """Yield what a seat may sensibly say that holds `own` of each rank; standing by one's bid is not among it."""
    if auction.phase == "answer":
        yield _challenge(talk, auction, own, rules)
    for rank in RANKS:
        yield from _bids(talk, auction, rank, own[rank], rules)


def _challenge(talk: Talk, auction: Auction, own: Sequence[int], rules: Options) -> Option:
    bid = auction.standing[0]
    chance = share(talk.among_others(auction.turn or 0, bid.rank), bid.count - own[bid.rank])
    players = len(auction.players)
    return Option(
        Challenge(),
        1,
        stakes.multiplier(bid, players, rules),
        chance,
        left=players - 2 - auction.challenges,
        final=auction.rebid or not auction.rebids,
    )


def _bids(talk: Talk, auction: Auction, rank: int, own: int, rules: Options) -> Iterator[Option]:
    """Yield the bids of a rank that may pay, from the least that is strong enough on."""
    seat, players, now = auction.turn or 0, len(auction.players), auction.bid
    moment = 0 if now is None else 1 if auction.phase == "answer" else 2
    least = players // 2 if now is None else now.count + (rank <= now.rank)
    among, hero = talk.among_others(seat, rank), rules.hero and not own
    for count in range(max(1, least), min(max(1, least) + _STEPS, auction.most) + 1):
        bid = Bid(count, rank)
        multiplier, chance = stakes.multiplier(bid, players, rules) + hero, share(among, count - own)
        if multiplier * chance < (_POINTLESS if count == least else _HALF_POINTLESS):
            return
        yield Option(bid, moment, multiplier, chance, talk.to_strangers(seat, bid))


def as_last_word(talk: Talk, auction: Auction, own: Sequence[int], rules: Options) -> float:
    """Return what it is worth to play one's own bid that all others have challenged."""
    bid, seat = auction.standing
    among, players = talk.among_others(seat, bid.rank), len(auction.players)
    held, nobody = own[bid.rank], 0.0 if own[bid.rank] else 1 - share(among, 1)
    made = share(among, bid.count - held)
    won = stakes.judged(bid, players, held, auction.most, rules)[1]
    none = stakes.judged(bid, players, held, 0, rules)[1]
    return (players - 1) * (made * won + nobody * none - (1 - made - nobody))


def guessed(_: Talk, option: Option, players: int) -> float:
    """Return what an option is worth by rule of thumb: a bid part of what it is worth when played."""
    worth = option.multiplier * option.chance - (1 - option.chance)
    return -worth if isinstance(option.move, Challenge) else _SHARE * (players - 1) * worth


def learned(talk: Talk, option: Option, _: int) -> float:
    """Return what an option has come to in hands that were played."""
    kind = min(option.multiplier, MULTIPLIERS) - 1
    if isinstance(option.move, Challenge):
        return _between(talk.known.doubts[option.final][kind][min(option.left, SEATS_LEFT - 1)], option.chance)
    rows: Nested = talk.known.bids[option.moment][kind]
    place, beyond = point(option.others, OTHERS)
    low, high = _between(rows[place], option.chance), _between(rows[place + 1], option.chance)
    return low + (high - low) * beyond


def point(chance: float, points: int) -> tuple[int, float]:
    """Return the last point of a table that is not above a chance, and how far the chance is on to the next."""
    place = min(int(chance * (points - 1)), points - 2)
    return place, chance * (points - 1) - place


def _between(row: Nested, chance: float) -> float:
    place, beyond = point(chance, CHANCES)
    low, high = float(row[place]), float(row[place + 1])
    return low + (high - low) * beyond


Worth = Callable[[Talk, Option, int], float]
"""What an option is worth to one of so many players."""


def valued(talk: Talk, auction: Auction, own: Sequence[int], rules: Options, worth: Worth) -> list[tuple[float, Any]]:
    """Return all that a seat may sensibly say with what it is worth, the best first."""
    found = [(worth(talk, one, len(auction.players)), one.move) for one in options(talk, auction, own, rules)]
    if auction.phase == "rebid":
        found.append((as_last_word(talk, auction, own, rules), Stand()))
    return sorted(found, key=lambda one: -one[0])


def counted(number: str) -> list[int]:
    """Return how many of each rank a number holds, by rank; nobody asks for rank 0."""
    return [0, *(slips.held(number, rank) for rank in RANKS)]
