"""The screens of Liar's Poker: a turn, the picture of the table, and the sheet of a whole session."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from lilygames.game import Reader
from lilygames.games.liarspoker import words
from lilygames.games.liarspoker.words import ask, number_of, offers, priced, sorted_digits
from lilygames.layout import packed, sheet, short, width_for
from lilygames.picture import NOTHING, Column, Picture, PictureSeat, Piece, Quote, Zone
from lilygames.scene import Choice, Fact, Held, Turn, numbered
from lilygames.text import columns, listing, signed, wrap
from lilygames_rules.bidding import ladder, slips
from lilygames_rules.bidding import stakes as liarstakes
from lilygames_rules.bidding.ladder import Auction, Bid, rank_words
from lilygames_rules.kit import Seat
from lilygames_rules.liarspoker import View

_ROWS, _SLIM_ROWS = 3, 4
"""Rows of a turn on a wide and on a narrow screen."""
_NAME, _SLIM_NAME = 8, 6
"""Columns of a name, by how much room there is."""
_INDENT, _UNDER = "  ", " " * len("Your turn: ")
"""Blanks before continued rows: in general, and below the moves of a prompt."""
_FEW = 4
"""Seats whose bids fit a row of a turn."""
_GRID = 12
"""Latest hands that the sheet has room for."""
_LATEST, _SMALL = 3, 6
"""Hands listed below the sheet of a table with more than this many seats."""


# a turn


def asks(view: View, moves: Sequence[Any], reader: Reader) -> Turn:
    """Return the turn: what you hold of the digit, what the bid brings, and the moves by number."""
    auction = view.auction
    if auction is None:
        laid = (Choice(move, f"number {move.place}", number=move.place) for move in moves)
        return Turn("Choose a number; they lie face down", choices=tuple(laid))
    held = Held("Your number", _lacks(number_of(view)))
    choices = tuple(numbered(_choice(view, move) for move in offers(view, moves)))
    facts = tuple(_standing(view, auction, reader))
    if auction.bid is None:
        return Turn("Open the bidding", facts, held, choices, ("or any bid, like 3x7",))
    others = ("or any higher bid",) if len(moves) > len(choices) else ()
    if auction.phase == "rebid":
        return Turn(f"Everyone challenged your {auction.bid.words}", facts, held, choices, others)
    return Turn("Challenge, or bid higher", facts, held, choices, others)


def _lacks(number: Any) -> str:
    """Return the digits that a number lacks: `no 0, 2 or 4`."""
    lacking = [str(rank % 10) for rank in ladder.RANKS if not slips.held(number, rank)]
    return f"no {listing(lacking, 'or')}" if lacking else ""


def _choice(view: View, move: Any) -> Choice:
    if isinstance(move, Bid):
        return Choice(move, move.words, note=priced(*liarstakes.prices(view.match, move)))
    return Choice(move, type(move).__name__.casefold())


def _standing(view: View, auction: Auction, reader: Reader) -> Iterator[Fact]:
    """Yield what the seat holds of the digit that was bid, what the bid brings, and who has challenged it."""
    if auction.bid is None or auction.bidder is None:
        yield Fact((f"The stake is {view.match.stake}.",))
        return
    own = slips.held(number_of(view), auction.bid.rank)
    yield Fact((f"You hold {own or 'no'} {rank_words(auction.bid.rank, own)}.",), weight=3)
    wins, costs = liarstakes.prices(view.match, auction.bid)
    whose = "Your" if auction.bidder == reader.seat else f"{_name(auction.bidder, reader)}'s"
    yield Fact((f"{whose} bid wins {wins} from each player, or pays {costs} to each.",))
    noes = [_name(call.seat, reader) for call in _last(auction)[1:]]
    if noes and auction.phase != "rebid":
        yield Fact((f"{_challenged(noes).capitalize()}.",))


def turn(view: View, moves: Sequence[Any], reader: Reader) -> list[str]:
    """Return the rows that ask for a move: your digits, the bids so far, and the best moves."""
    auction, width = view.auction, width_for(reader)
    if auction is None:
        return wrap(f"Your turn: {ask(view, moves, reader)}.", width)
    shown, most = offers(view, moves), _SLIM_ROWS if reader.voice.narrow else _ROWS
    prompts, bids = [*_prompts(view, auction, moves, shown, reader)], [*_bids(view, auction, reader)]
    rows: list[str] = []
    for prompt, bid_row, digits in product(prompts, bids, _digits(view, auction, reader)):
        rows = [digits, *bid_row, *prompt]
        if len(rows) <= most and all(columns(row) <= width for row in rows):
            return rows
    return [row for long in rows for row in wrap(long, width)]


def _digits(view: View, auction: Auction, reader: Reader) -> Iterator[str]:
    """Yield rows with what the seat holds, the fullest first; the opener has just been told the hand and its stake."""
    match, number = view.match, number_of(view)
    held = sorted_digits(number, reader)
    none = " ".join(str(rank % 10) for rank in ladder.RANKS if not slips.held(number, rank))
    place = f"{len(match.sheet) + 1} of {match.options.hands}"
    if reader.voice.narrow:
        yield f"Hand {place.replace(' of ', '/')}, stake {match.stake}: {held}"
        yield f"Stake {match.stake}: {held}"
        yield f"You hold {held}"
        return
    lead = "You" if auction.bid is None else f"Hand {place}, stake {match.stake}: you"
    yield f"{lead} hold {held} (none: {none})"
    yield f"{lead} hold {held}"


def _bids(view: View, auction: Auction, reader: Reader) -> Iterator[list[str]]:
    """Yield rows with the standing bid, its challengers, and as many earlier bids as fit; none before a bid.

    Bids since the reader's last turn come before the price where they are told nowhere else.
    """
    if auction.bid is None:
        yield []
        return
    last_bid, *noes = (_name(call.seat, reader) for call in _last(auction))
    standing = f"{last_bid} {auction.bid.words}"
    challenged = [_challenged(noes)] if noes else []
    if auction.phase == "rebid":
        challenged = ["all challenge"] if reader.voice.narrow else []
    wins, costs = liarstakes.prices(view.match, auction.bid)
    price = f" ({priced(wins, costs)})"
    if reader.voice.narrow:
        price = f" (wins {wins})" if wins > costs else ""
    earlier = [f"{_name(call.seat, reader)} {call.bid.words}" for call in auction.calls if call.bid][:-1]
    news = earlier[len(earlier) - _since_own_turn(auction, view.seat) :] if shows_bids(reader) else []
    counted = [f"{len(noes)} challenge"] if noes[1:] else challenged
    for tail, end in product((challenged, counted), (price, "")):
        last = ", ".join((standing, *tail)) + end
        if columns(", ".join((*news, last))) <= width_for(reader):
            yield [_with_earlier(earlier, last, width_for(reader))]
    yield [_with_earlier(earlier, standing, width_for(reader))]


def _challenged(names: Sequence[str]) -> str:
    return f"{listing(names)} {'challenge' if len(names) > 1 or names[0] == 'you' else 'challenges'}"


def shows_bids(reader: Reader) -> bool:
    """Return whether a turn has room for the bids of all others since the reader's last turn."""
    return len(reader.names) <= _FEW and not reader.voice.narrow


def _name(seat: Seat, reader: Reader) -> str:
    return short(reader.who(seat), _SLIM_NAME if reader.voice.narrow else _NAME)


def _last(auction: Auction) -> Sequence[ladder.Call]:
    """Return the standing bid's call and the challenges after it."""
    return auction.calls[len(auction.calls) - 1 - auction.challenges :]


def _since_own_turn(auction: Auction, seat: Seat | None) -> int:
    """Return how many bids came after the seat's last call, besides the standing one."""
    calls = auction.calls
    own = max((place for place, call in enumerate(calls) if call.seat == seat), default=-1)
    return max(0, sum(call.bid is not None for call in calls[own + 1 :]) - 1)


def _with_earlier(earlier: Sequence[str], last: str, width: int) -> str:
    """Return a row that ends with `last`, after as many earlier bids as fit; dots stand for those left out."""
    for first in range(len(earlier)):
        row = ", ".join((*(["..."] if first else []), *earlier[first:], last))
        if columns(row) <= width:
            return row
    return last


def _prompts(
    view: View, auction: Auction, moves: Sequence[Any], shown: Sequence[Any], reader: Reader
) -> Iterator[list[str]]:
    """Yield layouts of the question, the fullest first."""
    named = [move.words if isinstance(move, Bid) else type(move).__name__.casefold() for move in shown]
    first, *others = [f"{number}. {one}" for number, one in enumerate(named, 1)]
    leads = [*_leads(view, auction)]
    if not reader.voice.narrow:
        more = ["  (or any bid, like 3x7)", ""] if auction.bid is None else ["  (or any higher bid)", "  or more", ""]
        if len(moves) <= len(shown):
            more = [""]
        for lead, end in product(leads, more):
            yield [f"Your turn: {lead}{'  '.join((first, *others))}{end}"]
        return
    for lead in leads[-1:]:
        yield packed([f"Your turn: {lead}{first}", *others], width_for(reader), _UNDER)
        yield packed([f"Your turn: {lead}{first}", *others], width_for(reader), _INDENT)


def _leads(view: View, auction: Auction) -> Iterator[str]:
    """Yield the beginnings of a question, before its moves, the longest first."""
    if auction.bid is None:
        yield "open: "
        return
    own, rank = slips.held(number_of(view), auction.bid.rank), auction.bid.rank
    if auction.phase == "rebid":
        yield f"all challenge your {auction.bid.words} (you hold {own or 'none'}): "
        yield f"all challenge, you hold {own or 'none'}: "
        yield "all challenge: "
    else:
        yield f"you hold {own or 'no'} {rank_words(rank, own)}: "
        yield f"you hold {own or 'none'}: "
    yield ""


# the table


def picture(view: View, reader: Reader) -> Picture:
    """Return the bids and the scores, as the view may know them."""
    match, auction = view.match, view.auction
    heads = (Column("score", "unit", leads=True),)
    sitting = [seat for seat in range(len(match.balances)) if seat in match.players or seat in match.sitting]
    seats = tuple(
        PictureSeat(
            seat,
            (signed(match.balances[seat]),),
            _lies(view, seat),
            "from the next hand" if seat not in match.players else "",
            winning=auction is not None and seat == auction.bidder,
            to_move=seat == _to_move(view),
        )
        for seat in sitting
    )
    return Picture(
        tuple(_facts(view)),
        heads,
        seats,
        _own(view, auction, reader) if view.slip and auction else None,
        quote=Quote(auction.bid.words, auction.bidder)
        if auction and auction.bid and auction.bidder is not None
        else None,
        ladder=tuple(Quote(call.bid.words if call.bid else "challenge", call.seat) for call in auction.calls)
        if auction
        else (),
    )


def _own(view: View, auction: Auction, reader: Reader) -> Zone:
    """Return the digits of the seat's own number; those that the standing bid is about are lit."""
    about = str(auction.bid.rank % 10) if auction.bid else ""
    digits = (Piece("digit", digit, mark="lit" if digit == about else "") for digit in str(number_of(view)))
    return Zone("Your number", tuple(digits), text=sorted_digits(number_of(view), reader))


def _facts(view: View) -> Iterator[str]:
    match, auction = view.match, view.auction
    if auction is None:
        yield f"{view.laid} {match.options.numbers} lie face down" if view.laid else "the session is over"
        return
    yield f"hand {len(match.sheet) + 1} of {match.options.hands}"
    if match.options.numbers == "slips":
        yield f"line {match.lines[-1]}"
    yield f"stake {match.stake}" + ("", " (doubled)", " (doubled twice)")[match.doubles]
    yield f"the bid {priced(*liarstakes.prices(match, auction.bid))}" if auction.bid else "no bid yet"


def _to_move(view: View) -> Seat | None:
    if view.auction:
        return view.auction.turn
    order = ladder.round_from(view.match.players, view.match.chooser)
    return order[len(view.chosen)] if view.laid else None


def _lies(view: View, seat: Seat) -> tuple[Piece, ...]:
    """Return a seat's challenge of the standing bid, else its last bid, or the number of the slip it has chosen."""
    match, auction = view.match, view.auction
    if auction is None:
        order = ladder.round_from(match.players, match.chooser)
        chosen = dict(zip(order, view.chosen, strict=False)).get(seat)
        return (Piece("words", NOTHING) if chosen is None else Piece("digit", str(chosen)),)
    if auction.bid and any(call.seat == seat for call in _last(auction)[1:]):
        return (Piece("words", "challenges"),)
    own = (call.bid.words for call in reversed(auction.calls) if call.seat == seat and call.bid)
    return (Piece("words", next(own, NOTHING)),)


# scores


def final_sheet(view: View, reader: Reader) -> list[str]:
    """Return a row for each seat, best first: what each hand brought, the score, and how its own bids went."""
    match = view.match
    played = [*enumerate(match.sheet, 1)]
    order = sorted(range(len(match.balances)), key=lambda seat: -match.balances[seat])
    shown = [] if reader.voice.narrow else played[-_GRID:]
    while True:
        rows = [("", *(str(number) for number, _ in shown), "total", "bids made")]
        for seat in order:
            place = 1 + sum(other > match.balances[seat] for other in match.balances)
            changes = (signed(row.changes[seat]) if _took_part(row, seat) else "" for _, row in shown)
            made = _bids_made(match.sheet, seat, brief=reader.voice.narrow)
            name = f" {place} {_name(seat, reader)}"
            rows.append((name, *changes, signed(match.balances[seat]), made))
        found = sheet(rows, len(shown) + 2)
        if not shown or max(map(columns, found)) <= width_for(reader):
            return found
        shown = shown[1:]


def score(view: View, reader: Reader) -> Sequence[str]:
    """Return the sheet so far, and what was bid in the latest hands; a screen reader gets sentences."""
    match = view.match
    if reader.voice.spoken or not match.sheet:
        return words.score(view, reader)
    most = _GRID if len(match.balances) <= _SMALL else _LATEST
    latest = [*enumerate(match.sheet, 1)][-most:]
    return [*final_sheet(view, reader), *(words.hand_row(number, row, reader) for number, row in latest)]


def _took_part(row: liarstakes.Row, seat: Seat) -> bool:
    return seat < len(row.counts) and row.counts[seat] is not None


def _bids_made(played: Sequence[liarstakes.Row], seat: Seat, *, brief: bool) -> str:
    """Return how many of a seat's counted bids won, and the one that mattered most: `1 of 2: 5 sixes +6`."""
    own = [row for row in played if row.bidder == seat]
    if not own:
        return "no bids"
    made = f"{sum(row.changes[seat] > 0 for row in own)} of {len(own)}"
    most = max(own, key=lambda row: abs(row.changes[seat]))
    return made if brief else f"{made}: {most.bid.words} {signed(most.changes[seat])}"


def glance(view: View, reader: Reader) -> list[str]:
    """Return the standing bid, the stake if it isn't the usual one, and which hand it is."""
    match, auction = view.match, view.auction
    if auction is None:
        return ["between hands"]
    by = "" if auction.bidder is None else short(reader.who(auction.bidder), _NAME)
    bid = f"{by} bid {auction.bid.words}" if auction.bid else "no bid yet"
    doubled = [f"stake {match.stake}"] if match.doubles else []
    return [bid, *doubled, f"hand {len(match.sheet) + 1} of {match.options.hands}"]
