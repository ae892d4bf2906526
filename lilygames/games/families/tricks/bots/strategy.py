"""Rules of thumb for exact-bid games: the value of a hand, and cards that win or duck."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

import attrs

from lilygames.games.families.tricks.bots.habits import Trust
from lilygames.games.families.tricks.bots.playout import lying, rule_of_thumb
from lilygames.games.families.tricks.bots.scene import Scene, Stakes, guess, scene
from lilygames_rules.cards import WIZARD, Card
from lilygames_rules.kit import Luck, Seat
from lilygames_rules.tricks.exactbid import Bid, Play, Sight
from lilygames_rules.tricks.hidden import unseen
from lilygames_rules.tricks.trick import strength, winning

_FORGETS = 10
"""A novice forgets what is trump once in this many cards."""
_STUBBORN = 0.1
"""Tricks that a novice bids more, to make up for a bid that it has just missed."""
_HEARD = 0.3
"""Tricks that a novice bids more or less for each trick that the others bid below or above their share."""
_CROWDED, _GROWTH, _LARGE = 1.6, 1 / 3, 5
"""Growth of the risk that another hand beats a card, by the number of cards dealt up to a large hand.

Tuned by playing novices against each other.
"""


def human_move(
    now: Sight, seat: Seat, moves: Sequence[Any], pack: Sequence[Card], luck: Luck,
    *, missed: bool, trusted: Sequence[Trust],
) -> Any:  # fmt: skip
    """Return a novice's move, with human faults: it sometimes forgets the trump, and bids more if it `missed` a bid."""
    if isinstance(moves[0], Bid):
        heard = _HEARD * _mean(_left_over(now, [one.beyond for one in trusted]))
        about = tricks_worth(now, pack) + heard + (_STUBBORN if missed else 0)
        return min(moves, key=lambda move: abs(move.tricks - about))
    if luck.roll(_FORGETS) == 1:
        now = attrs.evolve(now, deal=attrs.evolve(now.deal, trump=None))
    return Play(_card(now, seat, [move.card for move in moves]))


def _left_over(now: Sight, beyond: Sequence[float]) -> dict[Seat, float]:
    """Return by how many tricks each earlier bidder is expected to take less than an equal share."""
    fair = now.deal.cards / len(now.bids)
    bids = zip(now.bids, beyond, strict=True)
    return {seat: fair - bid - more for seat, (bid, more) in enumerate(bids) if bid is not None}


def _mean(left: Mapping[Seat, float]) -> float:
    """Return the mean; 0 if nobody has bid."""
    return fmean(left.values()) if left else 0.0


def by_rule(now: Sight, seat: Seat, moves: Sequence[Any], stakes: Stakes, trusted: Sequence[Trust]) -> Any:
    """Return a club bot's move: bid the expected tricks, and play by the rule of thumb with card counting.

    The bot expects more tricks if those whom it knows have bid for few, and fewer if they have bid for many.
    """
    here = scene(now, seat, stakes)
    if isinstance(moves[0], Bid):
        about = _led_alone(here) if here.cards == 1 and here.me == here.lead else guess(here, here.hand)
        left = _left_over(now, [one.leaning for one in trusted])
        about += _mean({one: trusted[one].weight * tricks for one, tricks in left.items()})
        return min(moves, key=lambda move: abs(move.tricks - about))
    known = here.kit
    trick, led, best, _ = lying(known, [*here.trick], here.lead, len(here.bids))
    need = (here.bids[here.me] or 0) - here.taken[here.me]
    strong = here.strong | _unbeaten(here)
    last = len(trick) == len(here.bids) - 1
    return Play(known.cards[rule_of_thumb(known, here.hand, need, strong, led, best, last=last)])


def _led_alone(here: Scene) -> float:
    """Return the probability that a hand's only card wins its trick when led."""
    beaten = (here.kit.beats[here.hand.bit_length() - 1] & here.hidden_set).bit_count()
    return math.pow(1 - beaten / len(here.hidden), len(here.bids) - 1)


def _unbeaten(here: Scene) -> int:
    """Return the set of cards that no other seat can beat."""
    hidden = here.hidden_set
    return sum(1 << bit for bit, beats in enumerate(here.kit.beats) if not beats & hidden)


def tricks_worth(now: Sight, pack: Sequence[Card]) -> float:
    """Return the estimated tricks of a hand: the sum of each card's probability that no other hand beats it."""
    hidden = unseen(now, pack)
    others = len(now.bids) - 1
    return sum(math.pow(_chance(card, now, hidden), others) for card in now.hand)


def _chance(card: Card, now: Sight, hidden: Sequence[Card]) -> float:
    """Return the probability that one other hand doesn't beat the card when it's led; one trump in four can ruff it."""
    if card.suit is None:
        return float(card is WIZARD)
    trump, crowned = now.deal.trump, now.deal.crowned
    ours = strength(card, card.suit, trump, crowned)
    above = [other for other in hidden if strength(other, card.suit, trump, crowned) > ours]
    ruffs = sum(1 for other in above if other.suit not in (card.suit, None))
    share = (len(above) - ruffs * 3 / 4) / len(hidden)
    return 1 - min(1, share * _CROWDED * math.pow(min(now.deal.cards, _LARGE), _GROWTH))


def _card(now: Sight, seat: Seat, cards: Sequence[Card]) -> Card:
    """Win while tricks are needed, as cheaply as possible when last; else lose with the highest card."""
    needed = (now.bids[seat] or 0) - now.taken[seat]
    ranked = sorted(cards, key=lambda card: _danger(card, now))
    takers = [card for card in ranked if _takes(card, now)]
    losers = [card for card in ranked if card not in takers]
    last = len(now.trick) == len(now.bids) - 1
    if needed > 0:
        return (takers[0] if last else takers[-1]) if takers else losers[0]
    if losers:
        return losers[-1]
    return takers[-1] if last else takers[0]


def _danger(card: Card, now: Sight) -> int:
    """Rank the danger of winning an unwanted trick: the card's rank, higher for a trump."""
    return strength(card, card.suit, now.deal.trump, now.deal.crowned)


def _takes(card: Card, now: Sight) -> bool:
    """Tell whether the card would win the trick so far."""
    trick = (*now.trick, card)
    return winning(trick, now.deal.trump, now.deal.crowned, now.deal.dupes) == len(now.trick)
