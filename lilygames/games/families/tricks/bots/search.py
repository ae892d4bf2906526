"""Search for the exact-bid games: simulate each move over many possible deals.

All moves are simulated on the same deals (`worlds`) by a rule of thumb (`playout`). Sequential halving drops the worse
half from time to time. The last move left is the one that puts the seat furthest ahead of the others. For a seat that
plays for the win (`finish`), it is the one with which it most likely wins the match.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import Any

from lilygames.game import Budget
from lilygames.games.families.tricks.bots.habits import Trust
from lilygames.games.families.tricks.bots.playout import lying, play_out
from lilygames.games.families.tricks.bots.reading import likelihood
from lilygames.games.families.tricks.bots.scene import Scene, Stakes, guess, rounded, scene
from lilygames.games.families.tricks.bots.worlds import Worlds
from lilygames_rules.kit import Luck, Seat
from lilygames_rules.tricks.exactbid import Bid, Play, Sight

After = Callable[[Scene, list[int], int], float]
"""Returns the value of the end of a deal to the seat after a bid or a card."""
_BIDS = 4
"""Number of bids tried: those closest to the expected tricks."""
_EXCHANGE, _BEGIN = 2, 6
"""Costs of swapping two cards and of starting a playout, in units of one played card."""
_SLIGHT = 1e-5
"""Worth of a point to a seat that plays for the win."""


def best_move(
    now: Sight, seat: Seat, moves: Sequence[Any], stakes: Stakes, trusted: Sequence[Trust] = (),
    *, luck: Luck, budget: Budget,
) -> Any:  # fmt: skip
    """Return the bid or card with the highest value for the seat; the budget counts played cards."""
    here, rng = scene(now, seat, stakes, trusted), random.Random(luck.roll(2**62))  # noqa: S311 - seeded by its own luck
    if isinstance(moves[0], Bid):
        about = guess(here, here.hand)
        bids = sorted((move.tricks for move in moves), key=lambda bid: abs(bid - about))[:_BIDS]
        return Bid(best(here, bids, after_bid, rng, budget))
    return Play(here.kit.cards[best(here, apart(here, moves), after_card, rng, budget)])


def apart(here: Scene, moves: Sequence[Play]) -> list[int]:
    """Return one card of each group of equivalent ones: neighbours in a suit without a hidden card between them."""
    known, between = here.kit, here.hidden_set | sum(1 << bit for bit in here.trick)
    found: list[int] = []
    below: dict[int, int] = {}
    for bit in sorted(next(bit for bit in known.bits[move.card] if here.hand >> bit & 1) for move in moves):
        suit = known.led[bit]
        if suit not in below or (1 << bit) - (1 << below[suit]) & known.suits[suit] & between:
            found.append(bit)
        below[suit] = bit
    return found


def best(here: Scene, options: Sequence[int], after: After, rng: random.Random, budget: Budget) -> int:
    """Return the best option by sequential halving."""
    alive, totals = list(options), dict.fromkeys(options, 0.0)
    rounds, cards, spent = math.ceil(math.log2(len(alive))), sum(here.sizes), 0
    worlds = Worlds(here, rng)
    for part in range(1, rounds + 1):
        while spent * rounds < budget.iterations * part:
            worlds.exchange()
            weight = likelihood(here.kit, here.strong, here.chosen, worlds.hands)
            for option in alive:
                totals[option] += weight * after(here, worlds.hands[:-1], option)
            spent += worlds.exchanges * _EXCHANGE + len(here.chosen) + (cards + _BEGIN) * len(alive)
        alive.sort(key=totals.__getitem__, reverse=True)
        del alive[(len(alive) + 1) // 2 :]
    return alive[0]


def after_card(here: Scene, hands: list[int], card: int) -> float:
    """Return the value of a deal to the seat after it plays this card."""
    return value(here, here.bids, card_needs(here, hands, card))


def card_needs(here: Scene, hands: list[int], card: int) -> Sequence[int]:
    """Return the bid minus the tricks of each place at the end of a deal after this card."""
    trick, seats = [*here.trick, card], len(hands)
    hands[here.me] ^= 1 << card
    needs = [(bid or 0) - taken for bid, taken in zip(here.bids, here.taken, strict=True)]
    if len(trick) < seats:
        lies, place = lying(here.kit, trick, here.lead, seats), (here.me + 1) % seats
    else:
        taken = here.kit.taker(trick)
        place = (here.lead + (taken or 0)) % seats
        needs[place] -= taken is not None
        lies = lying(here.kit, [], place, seats)
    return play_out(here.kit, hands, needs, place, here.strong, lies)


def after_bid(here: Scene, hands: list[int], bid: int) -> float:
    """Return the value of a deal to the seat after this bid, if later bidders bid their expected tricks."""
    return value(here, *bid_needs(here, hands, bid))


def bid_needs(here: Scene, hands: list[int], bid: int) -> tuple[Sequence[int | None], Sequence[int]]:
    """Return all bids, and each place's bid minus its tricks at the end of a deal after this bid."""
    bids, seats = list(here.bids), len(hands)
    bids[here.me] = bid
    for place in ((here.me + step) % seats for step in range(1, seats)):
        if bids[place] is None:
            barred = _even(here, bids) if here.hook else None
            bids[place] = rounded(guess(here, hands[place]) - here.beyond[place], here.cards, barred)
    needs, lies = [made or 0 for made in bids], lying(here.kit, [], here.lead, seats)
    return bids, play_out(here.kit, hands, needs, here.lead, here.strong, lies)


def values(
    now: Sight, seat: Seat, moves: Sequence[Bid | Play], stakes: Stakes, *, luck: Luck, deals: int
) -> list[float]:
    """Return the mean value to the seat after each move, in the same deals: its lead, or the probability of winning."""
    here, rng = scene(now, seat, stakes), random.Random(luck.roll(2**62))  # noqa: S311 - seeded by its own luck
    tried = [(after_bid if isinstance(move, Bid) else after_card, _option(here, move)) for move in moves]
    worlds, totals, whole = Worlds(here, rng), [0.0] * len(moves), 0.0
    for _ in range(deals):
        worlds.exchange()
        weight = likelihood(here.kit, here.strong, here.chosen, worlds.hands)
        whole += weight
        for place, (after, option) in enumerate(tried):
            totals[place] += weight * after(here, worlds.hands[:-1], option)
    return [total / whole for total in totals] if whole else totals


def _option(here: Scene, move: Bid | Play) -> int:
    return move.tricks if isinstance(move, Bid) else next(b for b in here.kit.bits[move.card] if here.hand >> b & 1)


def made(now: Sight, seat: Seat, move: Bid | Play, stakes: Stakes, *, luck: Luck, deals: int) -> float:
    """Return the share of deals that fit the seat's view in which it makes its bid after a move."""
    here, rng = scene(now, seat, stakes), random.Random(luck.roll(2**62))  # noqa: S311 - seeded by its own luck
    option = _option(here, move)
    worlds, hit, total = Worlds(here, rng), 0.0, 0.0
    for _ in range(deals):
        worlds.exchange()
        weight = likelihood(here.kit, here.strong, here.chosen, worlds.hands)
        hands = worlds.hands[:-1]
        needs = bid_needs(here, hands, option)[1] if isinstance(move, Bid) else card_needs(here, hands, option)
        hit, total = hit + weight * (needs[here.me] == 0), total + weight
    return hit / total if total else 0.0


def _even(here: Scene, bids: Sequence[int | None]) -> int | None:
    """Return the last bidder's bid that would make all bids add up to the tricks."""
    return here.cards - sum(bid or 0 for bid in bids) if bids.count(None) == 1 else None


def value(here: Scene, bids: Sequence[int | None], needs: Sequence[int]) -> float:
    """Return the seat's points minus the mean of the others'; `needs` is bids minus tricks taken.

    To a seat that plays for the win, it's the probability of winning. Points decide only if that is equal.
    """
    points = [here.points[bid or 0][(bid or 0) - need] for bid, need in zip(bids, needs, strict=True)]
    ahead = points[here.me] - (sum(points) - points[here.me]) / (len(points) - 1)
    return here.finish.equity(here.me, points, needs) + _SLIGHT * ahead if here.finish else ahead
