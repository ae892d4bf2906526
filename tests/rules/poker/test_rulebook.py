"""The betting agrees with a model of published rulebooks: in their own examples, and in random hands."""

from __future__ import annotations

import random
from collections import Counter

import attrs
from hypothesis import given, settings
from hypothesis import strategies as st

from lilygames_rules.poker import betting, pots
from lilygames_rules.poker.bets import Bet, BroughtIn, Call, Check, Fold, Raise
from lilygames_rules.poker.betting import Terms
from tests.rules.poker.rulebook import Street, paid_out


@attrs.frozen
class Game:
    """The rules of a random hand: limit, cap, chips, antes, and one of blinds, a bring-in or neither."""

    limit: str
    cap: int | None
    heads_up_cap: bool
    chips: tuple[int, ...]
    ante: int
    least: int
    blinds: tuple[int, int] = (0, 0)
    bring_in: int = 0
    full_bets: bool = True


@st.composite
def games(draw):
    limit = draw(st.sampled_from(("fixed", "pot", "no")))
    least = draw(st.integers(2, 5))
    kind = draw(st.sampled_from(("blinds", "bring-in", "neither")))
    big = draw(st.integers(1, least))
    return Game(
        limit,
        draw(st.sampled_from((None, 4))) if limit == "fixed" else None,
        draw(st.booleans()),
        tuple(draw(st.lists(st.integers(1, 4) | st.integers(1, 80), min_size=2, max_size=6))),
        draw(st.integers(0, 2)),
        least,
        blinds=(draw(st.integers(0, big)), big) if kind == "blinds" else (0, 0),
        bring_in=draw(st.integers(1, least - 1)) if kind == "bring-in" else 0,
    )


class Hand:
    """One hand by our rules and by the rulebook, street by street."""

    def __init__(self, game, luck):
        self.game, self.luck, self.seen = game, luck, Counter()
        terms = Terms(game.limit, game.cap, game.heads_up_cap, game.full_bets)
        self.ring = list(range(len(game.chips)))
        self.now, _ = betting.anted(betting.begun(terms, self.ring, game.chips), game.ante)

    def play(self):
        for street in range(3):
            self.bet(street)
            self.now, _ = betting.closed(self.now)
            if len(self.now.living) == 1:
                break
        return self

    def bet(self, street):
        blinds, bring_in = (self.game.blinds, self.game.bring_in) if not street else ((0, 0), 0)
        self.blinds = blinds
        if any(blinds):
            self.now, _ = betting.blinded(self.now, *blinds)
        first = self.first(any(blinds))
        posted = dict(enumerate(self.now.bets))
        rulebook = Street(
            self.game.limit,
            self.game.least,
            self.game.cap,
            [*betting.around(self.now.living, first)],
            dict(enumerate(self.now.stacks)),
            {seat: chips for seat, chips in posted.items() if chips},
            self.now.total,
            blinds,
            bring_in,
        )
        self.now = betting.opened(self.now, first, self.game.least, bring_in)
        while (seat := rulebook.turn()) is not None:
            assert seat == self.now.turn
            self.say(rulebook, seat)
        assert self.now.turn is None

    def first(self, after_blinds):
        if after_blinds:
            return self.ring[2] if len(self.ring) > 2 else 1
        return self.luck(len(self.ring))

    def say(self, rulebook, seat):
        cap = None if len(rulebook.living()) == 2 and not self.game.heads_up_cap else self.game.cap
        rulebook.cap = cap
        moves = betting.choices(self.now)
        wagers = [move.to for move in moves if isinstance(move, Bet | Raise)]
        amounts = rulebook.amounts(seat)
        if self.now.bring_in:
            due = min(self.now.bring_in, self.now.stacks[seat])
            assert due == wagers[0]
            wagers = wagers[1:]
            amounts = None if amounts and amounts[1] == due else amounts
        else:
            assert rulebook.price(seat) == min(self.now.owed, self.now.stacks[seat])
            self.seen["shut"] += not rulebook.open_for(seat)
        if amounts and self.now.bring_in:
            amounts = (max(amounts[0], due + 1), amounts[1])
        assert amounts == ((wagers[0], wagers[-1]) if wagers else None)
        self.seen["short"] += bool(amounts) and self.game.limit != "fixed" and amounts[0] < rulebook.full()
        self.act(rulebook, seat, moves)

    def act(self, rulebook, seat, moves):
        pick = self.luck(10)
        raises = [place for place, move in enumerate(moves) if isinstance(move, Bet | Raise)]
        if raises and pick < 6:
            move = moves[(raises[0], raises[-1], raises[self.luck(len(raises))])[pick % 3]]
        else:
            move = Fold() if pick == 9 and Fold() in moves else moves[0]
        self.now, event = betting.act(self.now, move)
        match move:
            case Fold():
                rulebook.said.append((seat, "fold", 0))
            case Check():
                rulebook.said.append((seat, "check", rulebook.put(seat)))
            case Call():
                rulebook.said.append((seat, "call", rulebook.put(seat) + rulebook.price(seat)))
            case Bet(to) if isinstance(event, BroughtIn):
                rulebook.said.append((seat, "bring-in", to))
            case Bet(to) | Raise(to):
                rulebook.said.append((seat, "wager", to))


@st.composite
def lucks(draw):
    rng = draw(st.randoms(use_true_random=False))
    return rng.randrange


@settings(max_examples=300)
@given(games(), lucks(), st.lists(st.integers(0, 2), min_size=6, max_size=6))
def test_turns_prices_raises_and_pots_are_those_of_the_rulebooks(game, luck, worth):
    hand = Hand(game, luck).play()
    now, strengths = hand.now, dict(enumerate(worth))
    stacks = list(now.stacks)
    for pot in pots.pots(now.paid, now.living, now.carried):
        best = max(strengths[seat] for seat in pot.seats)
        for seat, amount in pots.split(pot, [seat for seat in pot.seats if strengths[seat] == best]):
            stacks[seat] += amount
    won = paid_out(dict(enumerate(now.paid)), list(now.living), strengths, hand.ring)

    assert stacks == [now.stacks[seat] + won[seat] for seat in hand.ring]
    assert sum(game.chips) == sum(stacks)


def test_random_hands_have_every_case_of_the_rulebook():
    """All-ins that don't reopen the betting, big blinds that are short, and the bounds of pot limit after them."""
    rng, seen = random.Random(47), Counter()
    for _ in range(1000):
        big = rng.randint(1, 2)
        chips = tuple(rng.choice((rng.randint(1, 4), rng.randint(1, 80))) for _ in range(rng.randint(2, 6)))
        limit, blinds = rng.choice(("fixed", "pot", "no")), (rng.randint(0, big), big)
        game = Game(limit, 4, heads_up_cap=True, chips=chips, ante=0, least=2, blinds=blinds)
        seen += Hand(game, rng.randrange).play().seen
        seen["short big blind"] += len(chips) > 2 and chips[1] < big

    assert min(seen.values()) > 10, seen
    assert {"shut", "short", "short big blind"} == {*seen}
