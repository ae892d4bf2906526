"""Scoring of Liar's Poker: stakes, wins and losses of bids, balances and the score sheet.

From "Liars Poker" (rules of February 10, 1986): "Bonus Bids", "The Skunk Rule", "Progressive Stakes".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import attrs

from lilygames_rules.bidding import ledger, slips
from lilygames_rules.bidding.ladder import Bid
from lilygames_rules.bidding.slips import LastDigitsTold, Slip
from lilygames_rules.changed import changed, maker
from lilygames_rules.kit import Event, Luck, Refused, Seat

FEWEST, SIX, SKUNKED = 2, 6, 3
"""Fewest players in a hand; the rank worth double; fewest players for the skunk rule."""
MOST_HANDS, MOST_STAKE = 1000, 1000


@attrs.frozen
class Options:
    """Table options; the defaults are the 1986 rules, played with slips."""

    numbers: slips.Numbers = "slips"
    """Play with slips (ten of their fifteen numbers) or with a new bill for each hand."""
    hands: int = 10
    """Number of hands in the session."""
    progressive: bool = True
    """Whether a hand's base stake is the multiplier that the last bidder won or would have won."""
    sixes: bool = True
    """Whether a bid of sixes is worth twice as much."""
    bonus: bool = True
    """Whether bids of n+3, n+5, n+7... count two, three, four... times, with n players."""
    hero: bool = True
    """Whether a bid made by a bidder who holds none of the rank counts one more."""
    skunk: bool = True
    """Whether the bidder wins if nobody holds the rank, with three or more players."""
    rebid: bool = True
    """Whether a bidder challenged by everyone may make one stronger bid."""
    last_double: bool = False
    """Whether the last hand of a session is played for double stakes; on a tenth number, for four times the stakes."""
    choose: Literal["auto", "manual"] = "auto"
    """Deal bills and slips, or let players choose them face down in turn."""
    opener: Literal["letters", "random"] = "letters"
    """Opener of the first hand: the seat with the lowest letters, or a random one."""
    reveal: Literal["counts", "numbers"] = "counts"
    """The count reveals only how many digits each seat holds, or the whole numbers."""
    stake: int = 1
    """Units per stake."""


Verdict = Literal["made", "hero", "skunk", "push", "missed"]


@attrs.frozen
class Row:
    """A row of the score sheet: one hand, by seat; None for a seat that didn't play."""

    line: int
    stake: int
    bid: Bid
    bidder: Seat
    counts: tuple[int | None, ...]
    verdict: Verdict
    changes: tuple[int, ...]
    numbers: tuple[str | None, ...] = ()
    """The numbers played, if the table shows them."""
    odd: tuple[bool | None, ...] = ()
    """Whether each last digit was odd, if it was announced."""


@attrs.frozen
class Match:
    """The public state between two calls: players, balances, stake, lines and score sheet."""

    options: Options
    players: tuple[Seat, ...]
    sitting: tuple[Seat, ...]
    """Seats in the next hand: current players who aren't leaving, and new ones."""
    balances: tuple[int, ...]
    """Balances by seat; a seat keeps its balance after its player leaves."""
    chooser: Seat
    """First to choose a bill or slip: at first the seat with the lowest balance, later the last bidder."""
    opener: Seat | None
    """The opener: the last bidder; in the first hand a random seat, or None if the letters decide."""
    base: int = 1
    """The multiplier carried over from the last hand."""
    lines: tuple[int, ...] = ()
    """Played lines of the current slips; the last one is in play."""
    sheet: tuple[Row, ...] = ()
    compounds: bool = attrs.field(default=False, metadata={"added later": True})
    """Whether a last hand on a tenth number is doubled for both; versions 1 and 2 doubled it once."""

    @property
    def doubles(self) -> int:
        """How often the hand's stakes are doubled: for a slip's tenth number, and for the last hand if agreed.

        The tenth number is "for double the stakes it otherwise would have been".
        """
        tenth = self.options.numbers == "slips" and len(self.lines) == slips.PLAYED
        last = self.options.last_double and len(self.sheet) == self.options.hands - 1
        return int(tenth) + int(last) if self.compounds else int(tenth or last)

    @property
    def stake(self) -> int:
        """Units per opponent for a single win or loss in this hand."""
        return self.options.stake * self.base * (1, 2, 4)[self.doubles]

    @property
    def ended(self) -> bool:
        """Whether all hands have been played or too few players are left."""
        return len(self.sheet) >= self.options.hands or len(self.players) < FEWEST


@attrs.frozen
class SatDown(Event):
    """A new player joins from the next hand on."""

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
    """Return the stakes a bid wins from each opponent: 1, for n+3 of a kind 2, n+5 3...; sixes count double."""
    level = 1 + max(0, (bid.count - players - 1) // 2) if options.bonus else 1
    return 2 * level if options.sixes and bid.rank == SIX else level


def prices(match: Match, bid: Bid) -> tuple[int, int]:
    """Return the units a bid wins from each opponent if it's made, and the units it costs to each if it isn't.

    Odds raise wins only, never losses. Heroes and skunks show only in the count.
    """
    stake = match.stake
    return stake * multiplier(bid, len(match.players), match.options), stake


def judged(bid: Bid, players: int, own: int, total: int, options: Options) -> tuple[Verdict, int]:
    """Return the result of a bid when its bidder holds `own` of `total`, and the stakes won from each opponent.

    If nobody holds any, the bidder wins 2n-6 whatever the bid was: a push with three players, a miss with two.
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

    A bidder who holds none counts as going for a skunk, which is a double, and not for a hero. With two players there
    isn't a skunk, so it counts as a hero.
    """
    if not options.progressive:
        return 1
    if own == 0 and options.skunk and players >= SKUNKED:
        return 2
    return multiplier(bid, players, options) + (own == 0 and options.hero)


def booked(match: Match, bid: Bid, bidder: Seat, numbers: tuple[str | None, ...]) -> Match:
    """Return the match after the count: balances, sheet, next base stake; the bidder opens and chooses first."""
    counts = tuple([None if number is None else slips.held(number, bid.rank) for number in numbers])
    total, own = sum(filter(None, counts)), counts[bidder] or 0
    n, options = len(match.players), match.options
    verdict, won = judged(bid, n, own, total, options)
    changes = ledger.from_each(len(match.balances), bidder, match.players, match.stake * won)
    shown = numbers if options.reveal == "numbers" else ()
    row = _row(match.lines[-1], match.stake, bid, bidder, counts, verdict, changes, shown)
    balances, base = ledger.posted(match.balances, changes), next_base(bid, n, own, options)
    sheet = (*match.sheet, row)
    after = _match(options, match.sitting, match.sitting, balances, bidder, bidder, base, match.lines, sheet)
    return changed(after, compounds=match.compounds)


def lined_up(match: Match, numbers: tuple[str | None, ...]) -> tuple[Match, tuple[LastDigitsTold, ...]]:
    """Move on: skip one unplayed number per odd last digit. Ten numbers use up a slip, one hand uses up a bill."""
    if match.options.numbers == "bills" or len(match.lines) == slips.PLAYED:
        return attrs.evolve(match, lines=()), ()
    odd = tuple(None if number is None else slips.is_odd(number) for number in numbers)
    skipped = odd.count(True)
    line, row = slips.next_line(match.lines, skipped), changed(match.sheet[-1], odd=odd)
    told = LastDigitsTold(tuple((seat, last) for seat, last in enumerate(odd) if last is not None), skipped, line)
    return changed(match, lines=(*match.lines, line), sheet=(*match.sheet[:-1], row)), (told,)


def with_seat(match: Match, seat: Seat) -> Match:
    """Return the match with a new player, who plays from the next hand on; a new seat comes last."""
    balances = match.balances if seat < len(match.balances) else (*match.balances, 0)
    return attrs.evolve(match, sitting=tuple(sorted((*match.sitting, seat))), balances=balances)


def without_seat(match: Match, seat: Seat) -> Match:
    """Return the match with a seat marked to leave after the current hand."""
    return attrs.evolve(match, sitting=tuple(one for one in match.sitting if one != seat))


def imagined(numbers: slips.Numbers, rows: Sequence[Row], seat: Seat, letters: str, luck: Luck) -> Slip:
    """Draw a uniform slip for a seat that agrees with the counts of the `rows` played from it."""
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
