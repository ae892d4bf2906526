"""What a hand of Liar's Poker is worth: its stake, what bids win and lose, and the score sheet.

From "Liars Poker" (rules of February 10, 1986): "Bonus Bids", "The Skunk Rule", "Progressive Stakes".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import attrs

from rules.bidding import ledger, slips
from rules.bidding.ladder import Bid
from rules.bidding.slips import LastDigitsTold, Slip
from rules.changed import changed, maker
from rules.kit import Event, Luck, Refused, Seat

FEWEST, SIX, SKUNKED = 2, 6, 3
"""Players that a hand needs; the rank that is worth double; players from which the skunk rule applies."""
MOST_HANDS, MOST_STAKE = 1000, 1000


@attrs.frozen
class Options:
    """The house rules of a table; as they stand they are those of 1986, played with slips."""

    numbers: slips.Numbers = "slips"
    """Whether a seat plays ten of the fifteen numbers of a slip, or a new bill each hand."""
    hands: int = 10
    """How many hands the session has."""
    progressive: bool = True
    """Whether the base stake of a hand is the multiplier that the bidder of the last one won or would have won."""
    sixes: bool = True
    """Whether a bid of sixes is worth twice as much."""
    bonus: bool = True
    """Whether a bid of n+3, n+5, n+7... is worth two, three, four... times as much, n being the players."""
    hero: bool = True
    """Whether a bid that is made by a bidder who holds none is worth one more."""
    skunk: bool = True
    """Whether the bidder wins if nobody holds any, from three players on."""
    rebid: bool = True
    """Whether a bidder whom all the others challenge may make a new, stronger bid, once."""
    last_double: bool = False
    """Whether the last hand of a session is for double stakes."""
    choose: Literal["auto", "manual"] = "auto"
    """Whether bills and slips are handed out, or lie face down to be chosen in turn."""
    opener: Literal["letters", "random"] = "letters"
    """Whether the lowest letters open the first hand, or somebody drawn by lot."""
    reveal: Literal["counts", "numbers"] = "counts"
    """Whether the count tells how many each holds and no more, or shows the numbers."""
    stake: int = 1
    """The units of a single stake."""


Verdict = Literal["made", "hero", "skunk", "push", "missed"]


@attrs.frozen
class Row:
    """A line of the score sheet: one hand, by seat; None for a seat that did not play it."""

    line: int
    stake: int
    bid: Bid
    bidder: Seat
    counts: tuple[int | None, ...]
    verdict: Verdict
    changes: tuple[int, ...]
    numbers: tuple[str | None, ...] = ()
    """The numbers played, where the table shows them."""
    odd: tuple[bool | None, ...] = ()
    """Whether each last digit was odd, where it was told."""


@attrs.frozen
class Match:
    """All that is public between two calls: who plays, the accounts, the stake, the lines, the score sheet."""

    options: Options
    players: tuple[Seat, ...]
    sitting: tuple[Seat, ...]
    """Who plays the next hand: those who play this one and do not leave, and newcomers."""
    balances: tuple[int, ...]
    """By seat; a seat that was left keeps its account."""
    chooser: Seat
    """Who chooses the next bill or slip first: at first the seat with the lowest balance, then the last bidder."""
    opener: Seat | None
    """Who opens: the last bidder, at first somebody drawn by lot, or None where the letters decide."""
    base: int = 1
    """The multiplier that the last hand has left to this one."""
    lines: tuple[int, ...] = ()
    """The lines of the slips in use that were played, the one in play last."""
    sheet: tuple[Row, ...] = ()

    @property
    def doubled(self) -> bool:
        """Whether the hand is for double stakes: a slip's tenth number, or the last hand where that was agreed.

        A last hand that is a tenth number too is doubled once.
        """
        tenth = self.options.numbers == "slips" and len(self.lines) == slips.PLAYED
        return tenth or (self.options.last_double and len(self.sheet) == self.options.hands - 1)

    @property
    def stake(self) -> int:
        """The units that a single win is from each, and a loss to each, this hand."""
        return self.options.stake * self.base * (2 if self.doubled else 1)

    @property
    def ended(self) -> bool:
        """Whether all hands are played, or too few play."""
        return len(self.sheet) >= self.options.hands or len(self.players) < FEWEST


@attrs.frozen
class SatDown(Event):
    """A newcomer plays from the next hand on."""

    seat: Seat


@attrs.frozen
class GotUp(Event):
    """A seat leaves for good after this hand."""

    seat: Seat


_match, _row = maker(Match), maker(Row)


def agreed(options: Options) -> None:
    """Raise `Refused` for a number of hands or a stake that isn't allowed."""
    if not 1 <= options.hands <= MOST_HANDS:
        raise Refused("bad-hands", most=MOST_HANDS)
    if not 1 <= options.stake <= MOST_STAKE:
        raise Refused("bad-stake", most=MOST_STAKE)


def multiplier(bid: Bid, players: int, options: Options) -> int:
    """Return how many stakes a bid wins from each: 1, for n+3 of a kind 2, n+5 3, n+7 4...; sixes twice that."""
    level = 1 + max(0, (bid.count - players - 1) // 2) if options.bonus else 1
    return 2 * level if options.sixes and bid.rank == SIX else level


def prices(match: Match, bid: Bid) -> tuple[int, int]:
    """Return the units that a bid wins from each if it is made, and those that it costs to each if it is not.

    The odds raise what is won and never what is lost; a hero, or nobody holding any, is known after the count only.
    """
    stake = match.stake
    return stake * multiplier(bid, len(match.players), match.options), stake


def judged(bid: Bid, players: int, own: int, total: int, options: Options) -> tuple[Verdict, int]:
    """Return what became of a bid when its bidder holds `own` of `total`, and the stakes won from each of the others.

    If nobody has any the bidder wins 2n-6, whatever was bid: with three players a push; with two that is a miss.
    """
    if total == 0 and options.skunk and players >= SKUNKED:
        return ("skunk", 2 * players - 6) if players > SKUNKED else ("push", 0)
    if total < bid.count:
        return "missed", -1
    if own == 0 and options.hero:
        return "hero", multiplier(bid, players, options) + 1
    return "made", multiplier(bid, players, options)


def next_base(bid: Bid, players: int, own: int, options: Options) -> int:
    """Return the base stake of the next hand: the multiplier that the bidder won or would have won.

    Who has none is presumed to go for the none and not the hero: then it is a double. With two players there is no
    skunk to go for, so that it would have been a hero.
    """
    if not options.progressive:
        return 1
    if own == 0 and options.skunk and players >= SKUNKED:
        return 2
    return multiplier(bid, players, options) + (own == 0 and options.hero)


def booked(match: Match, bid: Bid, bidder: Seat, numbers: tuple[str | None, ...]) -> Match:
    """Return the match after a hand was counted: accounts, sheet, next base stake; the bidder opens and chooses."""
    counts = tuple([None if number is None else slips.held(number, bid.rank) for number in numbers])
    total, own = sum(filter(None, counts)), counts[bidder] or 0
    n, options = len(match.players), match.options
    verdict, won = judged(bid, n, own, total, options)
    changes = ledger.from_each(len(match.balances), bidder, match.players, match.stake * won)
    shown = numbers if options.reveal == "numbers" else ()
    row = _row(match.lines[-1], match.stake, bid, bidder, counts, verdict, changes, shown)
    balances, base = ledger.posted(match.balances, changes), next_base(bid, n, own, options)
    sheet = (*match.sheet, row)
    return _match(options, match.sitting, match.sitting, balances, bidder, bidder, base, match.lines, sheet)


def lined_up(match: Match, numbers: tuple[str | None, ...]) -> tuple[Match, tuple[LastDigitsTold, ...]]:
    """One unplayed number is skipped for each odd last digit at the table; ten numbers use a slip up, a hand a bill."""
    if match.options.numbers == "bills" or len(match.lines) == slips.PLAYED:
        return attrs.evolve(match, lines=()), ()
    odd = tuple(None if number is None else slips.is_odd(number) for number in numbers)
    skipped = odd.count(True)
    line, row = slips.next_line(match.lines, skipped), changed(match.sheet[-1], odd=odd)
    told = LastDigitsTold(tuple((seat, last) for seat, last in enumerate(odd) if last is not None), skipped, line)
    return changed(match, lines=(*match.lines, line), sheet=(*match.sheet[:-1], row)), (told,)


def with_seat(match: Match, seat: Seat) -> Match:
    """Return the match with a newcomer, who plays from the next hand on; a new seat is the last one, clockwise."""
    balances = match.balances if seat < len(match.balances) else (*match.balances, 0)
    return attrs.evolve(match, sitting=tuple(sorted((*match.sitting, seat))), balances=balances)


def without_seat(match: Match, seat: Seat) -> Match:
    """Return the match from which a seat leaves after the hand in play."""
    return attrs.evolve(match, sitting=tuple(one for one in match.sitting if one != seat))


def imagined(numbers: slips.Numbers, rows: Sequence[Row], seat: Seat, letters: str, luck: Luck) -> Slip:
    """Return a slip that a seat may hold, of which `rows` were played: uniform over what agrees with their counts."""
    known = {row.line: row for row in rows if seat < len(row.counts)}
    lines = range(1, slips.LINES + 1) if numbers == "slips" else (1,)
    return Slip(letters, tuple(_imagined_number(known.get(line), seat, luck) for line in lines))


def _imagined_number(row: Row | None, seat: Seat, luck: Luck) -> str:
    count = None if row is None else row.counts[seat]
    if row is None or count is None:
        return slips.any_number(luck)
    return (row.numbers[seat] if row.numbers else None) or slips.imagined(
        row.bid.rank, count, row.odd[seat] if row.odd else None, luck
    )
