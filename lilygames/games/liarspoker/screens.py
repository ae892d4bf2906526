"""The screens of Liar's Poker: a turn, the picture of the table, and the sheet of a whole session."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from lilygames.game import Reader
from lilygames.games.liarspoker import words
from lilygames.games.liarspoker.words import brings, lacking_digits, number_of, offers, priced, sorted_digits
from lilygames.layout import sheet, short, width_for
from lilygames.picture import NOTHING, Column, Picture, PictureSeat, Piece, Quote, Zone
from lilygames.scene import Choice, Fact, Held, Turn, numbered
from lilygames.text import columns, count, listing, signed
from lilygames_rules.bidding import ladder, slips
from lilygames_rules.bidding import stakes as liarstakes
from lilygames_rules.bidding.ladder import Auction, Bid, rank_words
from lilygames_rules.kit import Seat
from lilygames_rules.liarspoker import View

_NAME, _SLIM_NAME, _CUT = 8, 6, 3
"""Columns of a name, by how much room there is."""
_FEW = 4
"""Seats whose bids fit a row of a turn."""
_GRID = 12
"""Latest hands that the sheet has room for."""
_LATEST, _SMALL = 3, 6
"""Hands listed below the sheet of a table with more than this many seats."""


# a turn


def asks(view: View, moves: Sequence[Any], reader: Reader) -> Turn:
    """Return the turn: the seat's digits, the bids, what the standing one brings, and the moves by number."""
    auction, narrow, ear = view.auction, reader.voice.narrow, reader.voice.spoken
    if auction is None:
        laid = (Choice(move, f"number {move.place}", move.place, plain=str(move.place)) for move in moves)
        lead, down = ("choose:", ()) if ear else ("choose", ("(they lie face down)",))
        return Turn(
            "Choose a number; they lie face down",
            choices=tuple(laid),
            others=down,
            leads=(lead,),
        )
    choices = tuple(numbered(_choice(view, move, ear=ear) for move in offers(view, moves)))
    if auction.bid is None or auction.bidder is None:
        return Turn(
            "Open the bidding",
            facts=(_digits(view, reader, opens=True),),
            held=_held(view),
            choices=choices,
            others=("or any bid",) if ear else () if narrow else ("(or any bid, like 3x7)", ""),
            leads=("open:",),
            under=True,
        )
    own, bid = slips.held(number_of(view), auction.bid.rank), auction.bid
    few, hold = f"you hold {own or 'none'}", f"you hold {own or 'no'} {rank_words(bid.rank, own)}"
    question, *leads = "Challenge, or bid higher", f"{hold}:", f"{few}:", ""
    if auction.phase == "rebid":
        question = f"Everyone challenged your {bid.words}"
        leads = [f"all challenge your {bid.words} ({few}):", f"all challenge, {few}:", "all challenge:", ""]
    return Turn(
        question,
        facts=(
            _digits(view, reader),
            Fact(("",), whole=f"{hold.capitalize()}."),
            *_standing(view, auction, bid, auction.bidder, reader),
        ),
        held=_held(view),
        choices=choices,
        others=_others(moves, choices, reader),
        leads=("",) if narrow or ear else tuple(leads),
        rooms=(3, 4),
        under=True,
    )


def _others(moves: Sequence[Any], choices: Sequence[Choice], reader: Reader) -> tuple[str, ...]:
    """Return layouts of what else can be bid."""
    if len(choices) == 1:
        return ("no bid is higher",) if reader.voice.spoken else ("(no bid is higher)", "")
    if reader.voice.narrow or len(moves) == len(choices):
        return ()
    return ("or more",) if reader.voice.spoken else ("(or any higher bid)", "or more", "")


def _choice(view: View, move: Any, *, ear: bool) -> Choice:
    if not isinstance(move, Bid):
        return Choice(move, type(move).__name__.casefold())
    text = f"bid {move.words}"
    note = priced(*liarstakes.prices(view.match, move))
    return Choice(move, text, brief=text if ear else move.words, rest=move.words, note=note)


def _held(view: View) -> Held:
    """Return the seat's number, and the digits that it lacks: `no 0, 2 or 4`."""
    lacking = lacking_digits(number_of(view))
    return Held("Your number", f"no {listing(lacking, 'or')}" if lacking else "")


def _digits(view: View, reader: Reader, *, opens: bool = False) -> Fact:
    """Return what the seat holds; the opener has just been told the hand and its stake."""
    match, held = view.match, sorted_digits(number_of(view), reader)
    number, hands, stake = len(match.sheet) + 1, match.options.hands, f"stake {match.stake}"
    if reader.voice.narrow:
        texts = (f"Hand {number}/{hands}, {stake}: {held}", f"{stake.capitalize()}: {held}", f"You hold {held}")
        return Fact(texts, held=True, line=True)
    hold = f"{'You' if opens else f'Hand {number} of {hands}, {stake}: you'} hold {held}"
    return Fact((f"{hold} (none: {' '.join(lacking_digits(number_of(view)))})", hold), held=True, line=True)


def _standing(view: View, auction: Auction, bid: Bid, bidder: Seat, reader: Reader) -> Iterator[Fact]:
    """Yield the bids and what the last one brings, and who has challenged it."""
    made = [f"{_name(call.seat, reader)} {call.bid.words}" for call in auction.calls if call.bid]
    price = liarstakes.prices(view.match, bid)
    whose = "Your" if bidder == reader.seat else f"{_name(bidder, reader)}'s"
    yield Fact(
        tuple(dict.fromkeys(_last_bid(auction, bid, price, reader))),
        line=True,
        earlier=tuple(made[:-1]),
        news=_since_own_turn(auction, view.seat) if shows_bids(reader) else 0,
        whole=f"{whose} bid {brings(*price)}.",
    )
    if auction.challenges and auction.phase != "rebid":
        noes = [_name(call.seat, reader) for call in _last(auction)[1:]]
        yield Fact(("",), whole=f"{_challenged(noes).capitalize()}.")


def _last_bid(auction: Auction, bid: Bid, price: tuple[int, int], reader: Reader) -> Iterator[str]:
    """Yield texts with the standing bid, its challenges and its price, the fullest first."""
    wins, costs = price
    prices = (
        [f" ({priced(wins, costs)})", f" (wins {wins}, pays {costs})"]
        if wins != costs
        else [f" ({priced(wins, costs)})"]
    )
    if reader.voice.narrow:
        prices = [f" ({priced(wins, costs)})", *([f" (wins {wins}, pays {costs})"] if wins != costs else [])]
    if reader.voice.narrow:
        prices = [f" (wins {wins})"] if wins > costs else [""]
    full, cut = ([*_made(auction, bid, reader, size)] for size in (_size(reader), _CUT))
    yield from (f"{text}{end}" for texts in (full, cut) for text, end in product(texts, prices))
    bidder = f"{_name(_last(auction)[0].seat, reader)} {bid.words}"
    yield from (*full, *(f"{bidder}{end}" for end in prices), bidder)


def _made(auction: Auction, bid: Bid, reader: Reader, size: int) -> Iterator[str]:
    """Yield a bid and its challengers, or how many they are."""
    bidder, *noes = (short(reader.who(call.seat), size) for call in _last(auction))
    made = f"{bidder} {bid.words}"
    if auction.phase == "rebid":
        yield f"{made}, all challenge" if reader.voice.narrow else made
        return
    yield f"{made}, {_challenged(noes)}" if noes else made
    if noes[1:]:
        yield f"{made}, {len(noes)} challenge"


def _challenged(names: Sequence[str]) -> str:
    return f"{listing(names)} {'challenge' if len(names) > 1 or names[0] == 'you' else 'challenges'}"


def shows_bids(reader: Reader) -> bool:
    """Return whether a turn has room for the bids of all others since the reader's last turn."""
    return len(reader.names) <= _FEW and not reader.voice.narrow


def _name(seat: Seat, reader: Reader) -> str:
    return short(reader.who(seat), _size(reader))


def _size(reader: Reader) -> int:
    return _SLIM_NAME if reader.voice.narrow else _NAME


def _last(auction: Auction) -> Sequence[ladder.Call]:
    """Return the standing bid's call and the challenges after it."""
    return auction.calls[len(auction.calls) - 1 - auction.challenges :]


def _since_own_turn(auction: Auction, seat: Seat | None) -> int:
    """Return how many bids came after the seat's last call, besides the standing one."""
    calls = auction.calls
    own = max((place for place, call in enumerate(calls) if call.seat == seat), default=-1)
    return max(0, sum(call.bid is not None for call in calls[own + 1 :]) - 1)


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
        yield f"line {match.lines[-1]} of the slips"
    yield f"stake {count(match.stake, 'unit')}" + ("", " (doubled)", " (doubled twice)")[match.doubles]
    if not auction.bid:
        yield "no bid yet"
        return
    wins, costs = liarstakes.prices(match, auction.bid)
    yield from (f"the bid wins {wins} from each", f"if missed, it pays {costs} to each")


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
