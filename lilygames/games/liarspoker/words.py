"""Commands, lines, prompts and refusals of Liar's Poker."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Annotated, Any

from lilygames import spoken
from lilygames.commands import Reads, command, declared
from lilygames.game import Parts, Reader
from lilygames.games.liarspoker import spoken as aloud
from lilygames.layout import width_for
from lilygames.text import columns, count, listing, signed
from lilygames_rules.bidding import ladder, slips
from lilygames_rules.bidding import stakes as liarstakes
from lilygames_rules.bidding.ladder import Auction, Bid, BidMade, Challenge, Challenged, Stand, Stood, rank_words
from lilygames_rules.bidding.slips import LastDigitsTold, NumberShown, SlipChosen, SlipDealt, SlipsLaid
from lilygames_rules.bidding.stakes import GotUp, Match, Row, SatDown
from lilygames_rules.kit import Ambiguous, Event, Refused
from lilygames_rules.liarspoker import Choose, Counted, HandBegun, HandScored, View

_ROWS = 12
"""Number of latest hands on the score sheet."""
_FEW = 6
"""Most seats for which score sheet rows list every player; larger tables get half as many rows."""
_BIDS = 8
"""Number of latest bids on the table."""
_RUN = 3
"""Most challenges in a row that are listed by name; more are counted."""
_LISTED = 3
"""Number of higher bids in a prompt."""
_ACROSS = 3
"""Numbers of a slip per row."""


def _read_bid(text: str) -> Bid | Ambiguous:
    try:
        return Bid.parse(text)
    except Ambiguous as several:
        return several


_BidText = Annotated[Bid, Reads("COUNT RANK", _read_bid, "a bid is like 5 sevens, 5x7 or 7 tens", rest=True)]


@command("choose")
def choose(_: View, place: int) -> Choose:
    """Take one of the face-down bills or slips: /choose 2."""
    return Choose(place)


@command("bid")
def bid(_: View, bid: _BidText) -> Bid:
    """Bid how many of a rank all numbers hold together: /bid 5 sevens.

    /bid 5x7 and /bid 5 7 mean the same. Ten is the digit 0, the highest rank:
    /bid 7 tens or /bid 7 0. You can leave out the slash.
    """
    if isinstance(bid, Ambiguous):
        raise Refused("several-bids", choices=bid.choices)
    return bid


@command("challenge", "liar")
def challenge(_: View) -> Challenge:
    """Challenge the bid; if everyone does, the bidder stands or bids higher."""
    return Challenge()


@command("stand", "play")
def stand(_: View) -> Stand:
    """Stand by your bid when everyone has challenged it: the digits are counted."""
    return Stand()


def _digits(number: str, reader: Reader) -> str:
    """Return a number; digit by digit in reader mode."""
    return " ".join(number) if reader.voice.spoken else number


def sorted_digits(number: str, reader: Reader) -> str:
    """Return the sorted digits: `11 4 7 00`, tens last; in words in reader mode."""
    if reader.voice.spoken:
        return aloud.held(number)
    held = [(rank, slips.held(number, rank)) for rank in ladder.RANKS]
    return " ".join(str(rank % 10) * times for rank, times in held if times)


@lru_cache(1024)
def lacking_digits(number: str) -> Sequence[str]:
    """Return the digits that a number lacks, tens last: `2`, `4`, `0`."""
    return [str(rank % 10) for rank in ladder.RANKS if not slips.held(number, rank)]


def _own(event: NumberShown, reader: Reader) -> str:
    if event.seat != reader.seat:
        return ""  # only its owner ever sees the number, even in a finished log
    return f"Your number: {_digits(event.number, reader)}."


def _slip(event: SlipDealt, reader: Reader) -> str:
    if event.seat != reader.seat:
        return ""
    numbers = len(event.slip.numbers)
    return f"Your slip has the letters {event.slip.letters} and {numbers} numbers; /hand shows them."


def _laid(event: SlipsLaid, reader: Reader) -> str:
    first = reader.says(event.first, "chooses first", "choose first")
    return f"{event.slips} {event.numbers} lie face down, 1 to {event.slips}. {first}."


def _begun(event: HandBegun, reader: Reader) -> str:
    hand = f"{_hand_name(event.number, event.hands, event.line)}, {_for(event.stake, event.doubled + event.twice)}"
    mine = event.opener == reader.seat
    if not event.letters:
        return f"{hand}: {reader.who(event.opener)} {'open' if mine else 'opens'} the bidding."
    letters = ", ".join(f"{reader.who(seat)} {pair}" for seat, pair in event.letters)
    has = "have the lowest letters and open" if mine else "has the lowest letters and opens"
    return f"{hand}: {reader.who(event.opener)} {has} the bidding ({letters})."


def _hand_name(number: int, hands: int, line: int | None) -> str:
    return f"Hand {number} of {hands}" + (f", line {line} of the slips" if line else "")


def _for(stake: int, doubles: int) -> str:
    return f"stake {stake}" + ("", " (doubled)", " (doubled twice)")[doubles]


def _bid_made(event: BidMade, reader: Reader) -> str:
    words = event.bid.words
    bids = reader.says(event.seat, f"rebids {words}", f"rebid {words}") if event.rebid else ""
    bids = bids or reader.says(event.seat, f"bids {words}", f"bid {words}")
    if event.seat == reader.seat:
        return f"{bids} ({priced(event.wins, event.costs)})."
    return f"{bids}{f' (wins {event.wins})' if event.wins > event.costs else ''}."


def priced(wins: int, costs: int) -> str:
    """Return what a bid brings its bidder, from or to each of the others: `wins 2 or pays 1 each`."""
    return f"wins {wins} or pays {costs} each" if wins != costs else f"wins or pays {wins} each"


def brings(wins: int, costs: int) -> str:
    """Return the same in full: `wins 2 from each or pays 1 to each`."""
    return f"wins {wins} from each or pays {costs} to each"


def _challenged(event: Challenged, reader: Reader) -> str:
    said = reader.says(event.seat, "challenges", "challenge")
    if event.up_to is None or event.up_to == reader.seat:
        return f"{said}."
    return f"{said}. {reader.names[event.up_to]} may stand by {event.bid.words} or bid higher."


def _counted(event: Counted, reader: Reader) -> str:
    numbers = [f" ({_digits(number, reader)})" for number in event.numbers] or [""] * len(event.fingers)
    shown = zip(event.fingers, numbers, strict=True)
    hands = ", ".join(f"{reader.who(seat)} {held}{number}" for (seat, held), number in shown)
    total, (bidder, _) = sum(times for _, times in event.fingers), event.fingers[-1]
    told = f"{rank_words(event.bid.rank).capitalize()}: {hands}"
    return f"{told}: {total} in all, and {reader.who(bidder)} bid {event.bid.count}."


def _scored(event: HandScored, reader: Reader) -> str:
    verdict, score = _verdict(event, reader), f"Score: {_ranked(event.balances, reader)}"
    together = f"{verdict} {score}"
    if len(event.balances) > _FEW or columns(together) <= width_for(reader):
        return together
    return f"{verdict}\n{score}"


def _verdict(event: HandScored, reader: Reader) -> str:
    who, units = event.bidder, event.units
    rank = rank_words(event.bid.rank, 1)
    wins = reader.says(who, f"wins {units} from each", f"win {units} from each")
    match event.verdict:
        case "push":
            return f"Nobody has a {rank}: with three players that's a push, and nobody pays."
        case "skunk":
            return f"Nobody has a {rank}: a skunk! {wins}."
        case "hero":
            return f"{wins}, one stake more as a hero who holds no {rank}."
        case "made":
            return f"{wins}."
    return reader.says(who, f"pays {-units} to each.", f"pay {-units} to each.")


def _ranked(balances: Sequence[int], reader: Reader) -> str:
    """Return the scores, best first: `Ada +2  you -1  bob -1`."""
    order = sorted(range(len(balances)), key=lambda seat: -balances[seat])
    return "  ".join(f"{reader.who(seat)} {signed(balances[seat])}" for seat in order)


def _balances(balances: Sequence[int], reader: Reader) -> str:
    return ", ".join(f"{reader.who(seat)} {signed(units)}" for seat, units in enumerate(balances))


def _last_digits(event: LastDigitsTold, reader: Reader) -> str:
    odd = reader.everyone([seat for seat, last in event.odd if last])
    if not event.skipped:
        return "No last digit is odd, so no line is skipped."
    return f"Odd last digits: {odd}, so {count(event.skipped, 'line')} {'is' if event.skipped == 1 else 'are'} skipped."


def _taken(event: SlipChosen, reader: Reader) -> str:
    return reader.says(event.seat, f"takes number {event.place}.", f"take number {event.place}.")


def _stood(event: Stood, reader: Reader) -> str:
    return reader.says(event.seat, f"stands by {event.bid.words}.", f"stand by {event.bid.words}.")


TOLD: Mapping[type, Callable[[Any, Reader], str]] = {
    SlipsLaid: _laid,
    SlipChosen: _taken,
    SlipDealt: _slip,
    NumberShown: _own,
    HandBegun: _begun,
    BidMade: _bid_made,
    Challenged: _challenged,
    Stood: _stood,
    Counted: _counted,
    HandScored: _scored,
    LastDigitsTold: _last_digits,
    SatDown: lambda event, reader: reader.says(
        event.seat, "plays from the next hand on.", "play from the next hand on."
    ),
    GotUp: lambda event, reader: reader.says(event.seat, "leaves after this hand.", "aren't dealt in after this hand."),
}
"""The line for each kind of event."""


def tell(event: Event, reader: Reader) -> str:
    """Return the line for what has happened."""
    return spoken.told(event, reader, TOLD, aloud.TOLD)


def show(view: View, reader: Reader) -> Sequence[str]:
    """Return the table: the hand, its stake, the bids, the value of the standing bid, and the balances."""
    match, auction = view.match, view.auction
    balances = f"Score: {_balances(match.balances, reader)}."
    if auction is None:
        return [_choosing(view, reader) if view.laid else "The session is over.", balances]
    slip = _slip_rows(view, reader) if reader.voice.spoken else []
    return [f"{_hand_of(match)}.", _bids(auction.calls, reader), _standing(match, auction, reader), balances, *slip]


def _hand_of(match: Match) -> str:
    line = match.lines[-1] if match.options.numbers == "slips" else None
    name = _hand_name(len(match.sheet) + 1, match.options.hands, line)
    return f"{name}, {_for(match.stake, match.doubles)} (base stake {match.base * match.options.stake})"


def _choosing(view: View, reader: Reader) -> str:
    order = ladder.round_from(view.match.players, view.match.chooser)
    taken = ", ".join(f"{reader.who(seat)} {place}" for seat, place in zip(order, view.chosen, strict=False))
    chooses = reader.says(order[len(view.chosen)], "chooses", "choose")
    return f"{view.laid} {view.match.options.numbers} lie face down; taken: {taken or 'none yet'}. {chooses}."


def _bids(calls: Sequence[ladder.Call], reader: Reader) -> str:
    """Return the latest bids and the challenges between them, in order of seats."""
    bids = [place for place, call in enumerate(calls) if call.bid]
    latest = calls[bids[-_BIDS] :] if len(bids) > _BIDS else calls
    head = f"Bids (the last {_BIDS} of {len(bids)})" if len(bids) > _BIDS else "Bids"
    runs = ([*run] for _, run in groupby(latest, lambda call: call.bid))
    said = ", ".join(_run(run, reader) for run in runs)
    return f"{head}: {said or 'none yet'}."


def _run(run: Sequence[ladder.Call], reader: Reader) -> str:
    """Return a bid, or a run of challenges."""
    if len(run) > _RUN:
        return f"{len(run)} challenge"
    return ", ".join(f"{reader.who(call.seat)} {call.bid.words if call.bid else 'challenge'}" for call in run)


def _standing(match: Match, auction: Auction, reader: Reader) -> str:
    if auction.bid is None:
        return f"{reader.says(auction.turn or 0, 'opens', 'open')} the bidding."
    bid, bidder = auction.standing
    by = f"{bid.words} by {reader.who(bidder)}" + (", a rebid" if auction.rebid else "")
    return f"Standing: {by}; {priced(*liarstakes.prices(match, bid))}."


def hand(view: View, reader: Reader) -> Sequence[str]:
    """Return the seat's number, and its slip with the played numbers marked.

    In reader mode it is the number alone; /table reads the slip.
    """
    if view.slip is None:
        return ["You have no number yet."]
    line, letters = view.match.lines[-1], view.slip.letters
    number = view.slip.numbers[line - 1]
    own = f"{_digits(number, reader)} (sorted: {sorted_digits(number, reader)})"
    if view.match.options.numbers == "bills":
        return [f"Your bill, letters {letters}: {own}"]
    if reader.voice.spoken:
        return [f"Your number, line {line}: {own}", f"Letters {letters}; /table reads the whole slip."]
    return [f"Your number, line {line}: {own}", *_slip_rows(view, reader)]


def _slip_rows(view: View, reader: Reader) -> list[str]:
    """Return the seat's slip, in reader mode without the played numbers; empty if it has none."""
    if view.slip is None or view.match.options.numbers == "bills":
        return []
    numbers = [
        f"{place}. {_digits(one, reader)}{_mark(place, view.match)}"
        for place, one in enumerate(view.slip.numbers, 1)
        if not (reader.voice.spoken and place in view.match.lines)
    ]
    across = 1 if reader.voice.spoken else _ACROSS
    rows = [", ".join(numbers[first : first + across]) for first in range(0, len(numbers), across)]
    return [f"Your slip, letters {view.slip.letters}:", *rows]


def _mark(line: int, match: Match) -> str:
    if line == match.lines[-1]:
        return " now"
    return " played" if line in match.lines else ""


def score(view: View, reader: Reader) -> Sequence[str]:
    """Return the scores, and the bid, result and changes of the latest hands, in sentences."""
    match = view.match
    rows = _ROWS if len(match.balances) <= _FEW else _ROWS // 2
    sheet = list(enumerate(match.sheet, 1))[-rows:]
    return [f"Score: {_balances(match.balances, reader)}.", *(_sheet_row(n, row, reader) for n, row in sheet)]


def _sheet_row(number: int, row: Row, reader: Reader) -> str:
    return f"{hand_row(number, row, reader)}; {_changes(row, reader)}"


def situation(view: View, reader: Reader) -> str:
    """Return the seat's number and the bid that stands."""
    if view.slip is None or view.auction is None:
        return "You have no number yet"
    own = _digits(view.slip.numbers[view.match.lines[-1] - 1], reader)
    if view.auction.bid is None:
        return f"Your number: {own}, before any bid"
    bid, bidder = view.auction.standing
    return f"Your number: {own}, and the bid is {bid.words} by {reader.who(bidder)}"


def hand_row(number: int, row: Row, reader: Reader) -> str:
    """Return a played hand: its stake, its bid, and how many digits there were."""
    total = sum(held or 0 for held in row.counts)
    bid = f"{row.bid.words} by {reader.who(row.bidder)}, {total} held: {row.verdict}"
    return f"Hand {number}, {_for(row.stake, 0)}: {bid}"


def _changes(row: Row, reader: Reader) -> str:
    """Return each player's win or loss in a hand: the bidder against each of the others."""
    if len(row.changes) <= _FEW:
        return _balances(row.changes, reader)
    others = sum(held is not None for held in row.counts) - 1
    won = row.changes[row.bidder]
    return f"{reader.who(row.bidder)} {signed(won)}, each other player {signed(-won // others)}"


def offers(view: View, moves: Sequence[Any]) -> Sequence[Any]:
    """Return the moves a prompt numbers: challenge or stand and the likeliest higher bids, or some openings."""
    auction = view.auction
    if auction is None:
        return ()
    if auction.bid is None:
        return _openings(view, moves)
    return (moves[0], *_likeliest(view, auction.bid))


def number_of(view: View) -> str:
    """Return the seat's number in this hand, empty if it has none."""
    return view.slip.numbers[view.match.lines[-1] - 1] if view.slip else ""


def _likeliest(view: View, standing: Bid) -> Sequence[Bid]:
    """Return the higher bids that need the fewest digits of others; among equals the one that wins most, the lowest."""
    number, players = number_of(view), len(view.match.players)
    lowest = [Bid(standing.count + (rank <= standing.rank), rank) for rank in ladder.RANKS]
    allowed = [bid for bid in lowest if bid.count <= players * slips.LONG]

    def appeal(bid: Bid) -> tuple[int, int, int]:
        wins = liarstakes.multiplier(bid, players, view.match.options)
        return bid.count - slips.held(number, bid.rank), -wins, bid.rung

    return sorted(allowed, key=appeal)[:_LISTED]


def _openings(view: View, moves: Sequence[Any]) -> Sequence[Bid]:
    """Return bids of the seat's most frequent rank: the expected count, one less, and one more."""
    number = number_of(view)
    rank = max(ladder.RANKS, key=lambda rank: (slips.held(number, rank), rank))
    others = slips.LONG * (len(view.match.players) - 1) // len(ladder.RANKS)
    likely = max(1, slips.held(number, rank) + others)
    return [bid for count in (likely, likely - 1, likely + 1) if (bid := Bid(count, rank)) in moves]


def spell(move: Any) -> str:
    """Return a move as it is typed, without the slash."""
    match move:
        case Choose(place):
            return f"choose {place}"
        case Bid():
            return f"bid {move.words}"
    return "challenge" if isinstance(move, Challenge) else "stand"


PARTS = Parts(lambda move: spell(move).split(), {"bid": ("how many", "digit")})
"""Moves in parts: `bid`, `9`, `sevens`."""

_PHASES = {"choose": "choose", "open": "open the bidding", "answer": "bid or challenge", "rebid": "stand or bid higher"}


def _wrong_phase(facts: Mapping[str, Any], _: Reader) -> str:
    match facts["phase"]:
        case "choose":
            return "choose a bill or slip first; /moves lists the ones left."
        case "open":
            return "nobody has bid yet: open with a bid like 3 sevens."
    words = facts["bid"].words
    if facts["phase"] == "rebid":
        return f"everyone challenged your {words}: stand, or bid higher."
    return f"the bid is {words}: challenge it, or bid higher."


def _not_higher(facts: Mapping[str, Any], _: Reader) -> str:
    standing, least = facts["bid"].words, facts["least"]
    if least is None:
        return f"nothing beats {standing}: challenge it."
    return f"that doesn't beat {standing}: bid {least.words} or higher."


REFUSALS: Mapping[str, str | Callable[[Mapping[str, Any], Reader], str]] = {
    "game-over": "this session is over. Type /quick liarspoker to play another.",
    "not-your-turn": lambda facts, reader: f"wait for {reader.names[facts['turn']]} to {_PHASES[facts['phase']]}.",
    "wrong-phase": _wrong_phase,
    "bad-bid": "bid 1 to {most} of a rank: ones, twos ... nines or tens.",
    "several-bids": lambda facts, _: f"do you mean {listing(facts['choices'], 'or')}?",
    "not-higher": _not_higher,
    "bad-choice": lambda facts, _: f"choose {listing(map(str, facts['places']), 'or')}.",
    "bad-seats": "Liar's Poker is for {low} to {high} players.",
    "bad-hands": "hands must be 1 to {most}.",
    "bad-stake": "stake must be 1 to {most} units.",
    "bad-seat": "join at a free seat, leave from your own.",
    "table-full": "all seats are taken; wait until someone leaves.",
}


COMMANDS = declared(choose, bid, challenge, stand)
