"""Reader-mode lines of Liar's Poker."""

from __future__ import annotations

from lilygames.game import Reader
from lilygames.spoken import Words, by_seat, does, unless_typed, who
from lilygames.text import count
from lilygames_rules.bidding import ladder, slips
from lilygames_rules.bidding.ladder import BidMade, Challenged, Stood, rank_words
from lilygames_rules.bidding.slips import LastDigitsTold, NumberShown, SlipChosen, SlipDealt
from lilygames_rules.liarspoker import Counted, HandBegun, HandScored


def _slip(event: SlipDealt, reader: Reader) -> str:
    if event.seat != reader.seat:
        return ""
    return f"Slip: letters {' '.join(event.slip.letters)}, {count(len(event.slip.numbers), 'number')}."


def _own(event: NumberShown, reader: Reader) -> str:
    return f"Number: {held(event.number)}." if event.seat == reader.seat else ""


def held(number: str) -> str:
    """Return the digits of a number in words: `2 ones, seven, ten`."""
    ranks = ((rank, slips.held(number, rank)) for rank in ladder.RANKS)
    return ", ".join(f"{n} {rank_words(rank, n)}" if n > 1 else rank_words(rank, 1) for rank, n in ranks if n)


def _begun(event: HandBegun, reader: Reader) -> str:
    line = f", line {event.line}" if event.line else ""
    doubled = ("", ", doubled", ", doubled twice")[event.doubled + event.twice]
    letters = ", ".join(f"{reader.who(seat)} {' '.join(pair)}" for seat, pair in event.letters)
    lowest = f"Letters: {letters}.\n" if letters else ""
    opens = reader.says(event.opener, "opens.", "open.")
    return f"Hand {event.number}{line}, {count(event.stake, 'unit')}{doubled}.\n{lowest}{opens}"


def _challenged(event: Challenged, reader: Reader) -> str:
    said = does("challenges", "challenge")(event, reader)
    if event.up_to is None or event.up_to == reader.seat:
        return said
    return f"{said} Everyone challenged: {reader.who(event.up_to)} to answer.".strip()


def _counted(event: Counted, reader: Reader) -> str:
    numbers = [f" in {' '.join(number)}" for number in event.numbers] or [""] * len(event.fingers)
    hands = zip(event.fingers, numbers, strict=True)
    shown = ", ".join(f"{reader.who(seat)} {n}{number}" for (seat, n), number in hands)
    total = sum(n for _, n in event.fingers)
    return f"Count of {rank_words(event.bid.rank)}: {shown}; {total} in all."


def _scored(event: HandScored, reader: Reader) -> str:
    return f"{_verdict(event, reader)}\nScore: {by_seat(event.balances, reader)}."


def _verdict(event: HandScored, reader: Reader) -> str:
    bidder, units, words = event.bidder, abs(event.units), event.bid.words
    match event.verdict:
        case "push":
            return "Push, nobody has any: nobody pays."
        case "skunk":
            return f"Skunk, nobody has any: {reader.who(bidder)} {units} from each."
        case "hero":
            return f"Hero, none held: {reader.who(bidder)} {units} from each."
        case "made":
            return f"{reader.says(bidder, f'makes {words}', f'make {words}')}, {units} from each."
    return f"{reader.says(bidder, f'misses {words}', f'miss {words}')}, {units} to each."


def _odd(event: LastDigitsTold, reader: Reader) -> str:
    odd = reader.everyone([seat for seat, last in event.odd if last])
    return f"Odd last digits: {odd or 'none'}."


TOLD: Words = {
    SlipDealt: _slip,
    SlipChosen: unless_typed(lambda event, reader: f"{who(event.seat, reader)}: number {event.place}."),
    NumberShown: _own,
    HandBegun: _begun,
    BidMade: unless_typed(lambda event, reader: f"{who(event.seat, reader)}: {event.bid.words}."),
    Challenged: _challenged,
    Stood: does("stands", "stand"),
    Counted: _counted,
    HandScored: _scored,
    LastDigitsTold: _odd,
}
"""The line for each kind of event."""
