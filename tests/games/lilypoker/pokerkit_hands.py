"""Hands played on our table and on pokerkit's at once, card by card and chip by chip."""

from __future__ import annotations

from lilygames_rules.kit import KeyedLuck
from lilygames_rules.poker import deal as pokerdeal
from lilygames_rules.poker import hands as pokerhands
from lilygames_rules.poker import pots
from lilygames_rules.poker.bets import Bet, BroughtIn, Call, Check, Fold, Raise
from lilygames_rules.poker.cards import BoardDealt, CardsDealt, CardsDrawn, UpDealt
from lilygames_rules.poker.deal import Discard
from lilygames_rules.poker.table import STREETS, Blinds, Options

SEATS = {"draw": 6, "stud7": 7, "holdem": 10}
"""The most seats that always have enough cards: pokerkit deals discarded cards again in its own way."""


def options_for(variant, limit, luck):
    """Options with small and odd numbers, so that there are odd chips and short stacks."""
    small = luck.roll(4) + 1
    return Options(
        variant=variant,
        limit=limit,
        ante=luck.roll(4) - 1 if variant == "holdem" else luck.roll(3),
        small_bet=small,
        big_bet=small + luck.roll(4),
        bring_in=luck.roll(small - 1),
        blinds=Blinds(luck.roll(small - 1), small),
    )


def text(cards):
    return "".join(f"{'T' if card.rank == 10 else card.mark}{card.suit.lower()}" for card in cards)


def cap_of(options, *, first_blind):
    return options.cap - first_blind if options.limit == "fixed" else None


def theirs(pk, options, variant, stacks):
    """Return pokerkit's state of the same table: seat 0 is left of the dealer; the big blind counts as a bet."""
    from_position, by_card, by_hand = pk.Opening.POSITION, pk.Opening.LOW_CARD, pk.Opening.HIGH_HAND
    streets = tuple(
        pk.Street(
            card_burning_status=False,
            hole_dealing_statuses=(False,) * street.down + (True,) * street.up,
            board_dealing_count=street.board,
            draw_status=street.draw,
            opening=from_position if variant != "stud7" else by_hand if number else by_card,
            min_completion_betting_or_raising_amount=options.least(street),
            max_completion_betting_or_raising_count=cap_of(options, first_blind=variant == "holdem" and not number),
        )
        for number, street in enumerate(STREETS[variant])
    )
    structure = {"fixed": "FIXED_LIMIT", "pot": "POT_LIMIT", "no": "NO_LIMIT"}[options.limit]
    blinds = (options.blinds.small, options.blinds.big) if variant == "holdem" else (0, 0)
    ours = {"CARD_BURNING", "HOLE_DEALING", "BOARD_DEALING"}
    return pk.State(
        tuple(one for one in pk.Automation if one.name not in ours),
        pk.Deck.STANDARD,
        (pk.StandardHighHand,),
        streets,
        pk.BettingStructure[structure],
        ante_trimming_status=True,
        raw_antes=options.ante_of(variant),
        raw_blinds_or_straddles=blinds,
        bring_in=options.bring_in if variant == "stud7" else 0,
        raw_starting_stacks=stacks,
        player_count=len(stacks),
        mode=pk.Mode.CASH_GAME,
    )


class Both:
    """One hand on both tables."""

    def __init__(self, pk, variant, options, stacks, luck):
        self.options, self.drawn = options, []
        self.deal, events = pokerdeal.begun(options, variant, tuple(range(len(stacks))), stacks, luck)
        self.other = theirs(pk, options, variant, stacks)
        self.lay(events)

    def lay(self, events):
        """Give pokerkit the cards that we have dealt."""
        for event in events:
            match event:
                case CardsDealt(seat, cards):
                    self.other.deal_hole(text(cards), seat)
                case UpDealt(cards):
                    for seat, card in cards:
                        self.other.deal_hole(text([card]), seat)
                case BoardDealt(cards):
                    self.other.deal_board(text(cards))
                case CardsDrawn(seat, _, thrown, drawn):
                    assert seat == self.other.stand_patter_or_discarder_index
                    self.other.stand_pat_or_discard(text(thrown))
                    self.drawn += [(seat, drawn)] if drawn else []
            if self.drawn and self.other.can_deal_hole():
                for seat, drawn in self.drawn:
                    self.other.deal_hole(text(drawn), seat)
                self.drawn = []

    @property
    def reopened(self):
        """Whether another short all-in followed several that together made a full raise.

        Then players who have acted face a full raise and may raise. Pokerkit counts only the last one and lets nobody.
        """
        other, now = self.other, self.deal.betting
        shorts, full = other.consecutive_short_all_in_amounts, other.completion_betting_or_raising_amount
        spoken = now.waiting and now.waiting[0] in other.acted_player_indices
        return bool(spoken and 0 < sum(shorts) < full <= now.owed)

    @property
    def shut(self):
        """Whether the seat to move has called or bet, and faces less than a full bet or raise since.

        It may not raise (Poker TDA, rule 47A). Before the first full bet, pokerkit lets it: there the first short
        all-in is the size of a full raise.
        """
        now = self.deal.betting
        answered = now.answered[now.waiting[0]] if self.deal.phase == "bet" else None
        return answered is not None and now.top - answered < max(now.last, now.least)

    @property
    def agreed(self):
        """Compare whose turn it is, the price of a call and the limits of a raise, on our table and on theirs."""
        deal, other = self.deal, self.other
        if deal.phase != "bet":
            return (deal.turn,) * 2
        now, moves = deal.betting, list(pokerdeal.choices(self.options, deal, deal.turn))
        amounts = [move.to for move in moves if isinstance(move, Bet | Raise)]
        amounts = [] if self.reopened else amounts
        shut = self.shut
        folds, stacks = Fold() in moves, list(now.stacks)
        if now.bring_in:
            due, *amounts = amounts
            here = (deal.turn, due, amounts[:1], amounts[-1:], folds, stacks)
            there = (other.actor_index, other.effective_bring_in_amount)
        else:
            here = (deal.turn, min(now.owed, stacks[deal.turn]), amounts[:1], amounts[-1:], folds, stacks)
            there = (other.actor_index, other.checking_or_calling_amount)
        low = other.min_completion_betting_or_raising_to_amount
        high = other.max_completion_betting_or_raising_to_amount
        if shut:
            assert amounts == []
            low = high = None
        if now.bring_in and low == there[1]:  # all-in with the bring-in: it isn't a bet besides
            low = high = None
        return here, (*there, [low] * (low is not None), [high] * (high is not None), other.can_fold(), other.stacks)

    def make(self, move, luck):
        seat, street = self.deal.turn, self.deal.street
        bring_in = self.deal.betting.bring_in
        self.deal, events = pokerdeal.act(self.options, self.deal, seat, move, luck, number=1)
        match move:
            case Fold():
                self.other.fold()
            case Check() | Call():
                self.other.check_or_call()
            case Bet() if bring_in and isinstance(events[0], BroughtIn):
                self.other.post_bring_in()
            case Bet(to) | Raise(to):
                self.other.complete_bet_or_raise_to(to)
        if self.deal.street != street or self.deal.over:
            self.check_idly()
        self.lay(events)
        return events

    def check_idly(self):
        """Pokerkit asks a seat that can only check, with all others all-in, after another has folded to nothing."""
        other = self.other
        if other.actor_index is not None and other.min_completion_betting_or_raising_to_amount is None:
            assert other.checking_or_calling_amount == 0
            other.check_or_call()


def likely(moves, luck):
    """Return a move: rarely a fold, so that hands go on; a raise is small, large or random."""
    if isinstance(moves[0], Discard):
        return luck.choice(moves)
    raises = len(moves) - 2 if Fold() in moves[:2] else len(moves)
    if raises > 0 and luck.roll(5) < 3:
        first = len(moves) - raises
        return moves[luck.choice((first, len(moves) - 1, first + luck.roll(raises) - 1))]
    return moves[0] if luck.roll(6) > 1 or Fold() not in moves[:2] else Fold()


def poorest(options, variant, seat):
    """The blinds are paid in full: pokerkit takes the highest bettor for the big blind."""
    return options.ante_of(variant) + options.blinds.big if variant == "holdem" and seat < 2 else 0


def compared(pk, variant, limit, number, seen):
    """Play one hand on both tables; count its features in `seen`."""
    luck = KeyedLuck(f"{variant} {limit} {number}".encode())
    seats = luck.choice(range(2, SEATS[variant] + 1))
    deep = luck.choice((6, 30, 200))
    options = options_for(variant, limit, luck)
    stacks = tuple(luck.roll(deep) + poorest(options, variant, seat) for seat in range(seats))
    both = Both(pk, variant, options, stacks, luck)
    while both.deal.turn is not None:
        here, there = both.agreed

        assert here == there, (variant, limit, number)
        seen["decisions"] += 1
        moves = pokerdeal.choices(options, both.deal, both.deal.turn)
        events = both.make(likely(moves[:2] if both.reopened else moves, luck), luck)
        seen["reopened"] += both.reopened
        seen["side pots"] += any(getattr(event, "side", 0) for event in events)
    seen["showdowns"] += bool(both.deal.shown)

    ours, others = list(both.deal.betting.stacks), both.other.stacks
    if ours != others:
        seen["odd chips"] += 1
        ours = in_fewer_pots(both.deal, [seat for seat, stays in enumerate(both.other.statuses) if stays])

    assert ours == others, (variant, limit, number)


def in_fewer_pots(deal, unbeaten):
    """Return the stacks with the pots split as pokerkit does: merged for the seats whose hands win a part.

    We split each side pot separately. Only the odd chips go to other seats; the rest is the same.
    """
    stacks = list(deal.betting.stacks)
    worth = {seat: pokerhands.strength(pokerdeal.all_cards(deal, seat)) for seat in deal.betting.living}
    for sign, living in ((-1, deal.betting.living), (1, tuple(unbeaten))):
        for pot in pots.pots(deal.betting.paid, living):
            best = max(worth[seat] for seat in pot.seats)
            for seat, amount in pots.split(pot, [seat for seat in pot.seats if worth[seat] == best]):
                stacks[seat] += sign * amount
    return stacks
