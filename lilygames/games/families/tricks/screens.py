"""The screens that exact-bid games share: a turn, the score sheets, and the picture of the table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Any

from lilygames.game import Reader
from lilygames.games.families.cards.spoken import named, rank
from lilygames.games.families.cards.words import card_in, notation
from lilygames.games.families.tricks.words import numbers
from lilygames.layout import left_aligned, sheet, short, width_for
from lilygames.picture import (
    NOTHING,
    Barred,
    Column,
    Grid,
    GridRow,
    Picture,
    PictureSeat,
    Piece,
    Tone,
    TrickTaken,
    Zone,
)
from lilygames.picture import ids as picture_ids
from lilygames.scene import BREAK, Choice, Fact, Held, Place, Strip, Turn
from lilygames.text import columns, count, listing
from lilygames_rules.cards import Card, Suit
from lilygames_rules.changed import maker
from lilygames_rules.kit import Seat
from lilygames_rules.tricks import exactbid
from lilygames_rules.tricks.exactbid import Bid, RoundScored, Row, Sight
from lilygames_rules.tricks.trick import cancelled, led_suit, winning

_FEW = 4
"""Up to this many bids are listed one by one, more as a range."""
_NAME, _SLIM_NAME, _CUT = 8, 6, 3
"""Columns of names, by how much room there is."""
_ALIGNED = 5
"""Columns of the sheet of a round before the reasons."""
_GRID = 12
"""The most rounds on the last sheet: the latest ones."""
_SMALL = 6
"""The largest hand that has room for the names of cards without a suit."""
Why = Callable[[int, int, int], str]
"""Returns in a few words why a bid and a number of tricks gave this many points."""
_turn, _fact, _choice, _place = maker(Turn), maker(Fact), maker(Choice), maker(Place)


# a turn


def asks(view: Any, moves: Sequence[Any], reader: Reader) -> Turn:
    """Return the turn: the bids that are open, or the cards that may be played."""
    now: Sight = view.round
    return _to_bid(view, now, moves, reader) if isinstance(moves[0], Bid) else _to_play(now, moves, reader)


def _to_bid(view: Any, now: Sight, moves: Sequence[Any], reader: Reader) -> Turn:
    return _turn(
        "How many tricks will you take?",
        (round_fact(view, now, reader), *_before(now, reader)),
        held_in(now),
        tuple(_choice(move, f"bid {move.tricks}", move.tricks) for move in moves),
        leads=tuple(_bids_open(now, [move.tricks for move in moves], reader)),
        listed=False,
        hand=hand(now, reader),
        state_first=True,
    )


def _bids_open(now: Sight, open_to: Sequence[int], reader: Reader) -> Iterator[str]:
    """Yield layouts of the bids that are open, and the one that the rules forbid: `bid 0 or 2 (not 1).`."""
    even = exactbid.evening_bid(now)
    if reader.voice.spoken:
        yield f"bid {numbers(open_to, reader)}"
    elif even is None or even in open_to:
        yield f"bid {_bids_in(open_to, None)}."
    else:
        yield f"bid {_bids_in(open_to, even)} (not {even}: {_why_barred(now)})."
        yield f"bid {_bids_in(open_to, even)} (not {even})."


def _why_barred(now: Sight) -> str:
    return f"bids may not add up to {now.deal.cards}"


def _bids_in(open_to: Sequence[int], barred: int | None) -> str:
    """Return `0, 1 or 3`, or `0-7` for many; then the barred one is named after it."""
    if len(open_to) <= _FEW or (barred is None and len(open_to) != open_to[-1] - open_to[0] + 1):
        return listing(map(str, open_to), "or")
    return f"{open_to[0]}-{open_to[-1]}"


def hand(now: Sight, reader: Reader) -> str:
    """Return the hand, which may break between cards: `Hand: 9H KH`; a small one names its jesters and wizards."""
    write = notation(reader)
    cards = [write(card) for card in now.hand]
    for card in free_cards(now.hand) if len(cards) <= _SMALL else ():
        last = max(place for place, held in enumerate(now.hand) if held == card)
        cards[last] += f" ({rank(card)})"
    return f"Hand: {BREAK.join(cards)}"


def held_in(now: Sight) -> Held:
    """Return what the seat holds, and which letters are cards without a suit: `J is a jester`."""
    return Held("Your hand", listing(f"{card} is {named(card)}" for card in free_cards(now.hand)))


def free_cards(cards: Iterable[Card]) -> Sequence[Card]:
    """Return the kinds of cards without a suit, which no jack and no letter of a suit may be taken for."""
    return [*dict.fromkeys(card for card in cards if card.suit is None)]


def round_fact(view: Any, now: Sight, reader: Reader) -> Fact:
    """Return the number of the round, its cards and its trump."""
    deal, rounds, trump = now.deal, view.match.rounds, trump_in(now, reader)
    turned = f" ({card_in(deal.turned, reader)})" if deal.turned else ""
    whole = f"Round {deal.number} of {rounds}: {count(deal.cards, 'card')}, {trump}{turned}."
    return _fact((whole, f"{deal.number}/{rounds}, {trump}."), 2)


def _before(now: Sight, reader: Reader) -> Iterator[Fact]:
    """Yield who deals, and the bids before the seat's own."""
    deal = now.deal
    whole = reader.says(deal.dealer, "deals.", "deal.")
    cut = whole if deal.dealer == reader.seat else f"{short(reader.names[deal.dealer], _NAME)} deals."
    yield _fact((cut, ""), whole=whole)
    order = deal.seats_from(deal.next_to(deal.dealer))
    made = [(reader.who(seat), bid) for seat in order if (bid := now.bids[seat]) is not None]
    yield _fact(tuple(_bids(made, size) for size in (_NAME, _CUT)), 3, whole=_bids(made).replace(BREAK, " "))


def _bids(made: Sequence[tuple[str, int]], size: int | None = None) -> str:
    """Return the bids so far, with names of this many columns at most."""
    bids = (f"{name if size is None else short(name, size)} {bid}" for name, bid in made)
    return f"Bids: {f',{BREAK}'.join(bids)}." if made else "You bid first."


def _to_play(now: Sight, moves: Sequence[Any], reader: Reader) -> Turn:
    legal, write = [move.card for move in moves], notation(reader)
    asked = _doing(now, legal, lambda suit: suit.word, named)
    question = f"{asked.capitalize()}{'' if _follows(now, legal) else ' any card'}"
    if reader.voice.spoken:
        said = [led_suit(now.trick) if _follows(now, legal) else None, *(card.suit for card in legal[:-1])]
        briefly = [f"for {named(card, before)}" for card, before in zip(legal, said, strict=True)]
        return _turn(
            question, (), held_in(now), _numbered(moves, map(write, legal), briefly), leads=(asked.partition(",")[0],)
        )
    shown = [*map(write, legal)]
    kept = [write(card) for card in now.hand if card not in legal]
    return _turn(
        question,
        (),
        held_in(now),
        _numbered(moves, shown, shown),
        leads=(f"{_doing(now, legal, lambda suit: suit_in(suit, reader), write)}:",),
        brief=True,
        hand=f"({BREAK.join(kept)})" if kept else "",
        strip=_strip(now, reader),
        state_first=True,
    )


def _numbered(moves: Sequence[Any], cards: Iterable[str], brief: Sequence[str]) -> tuple[Choice, ...]:
    cards = map("play {}".format, cards)
    return tuple(map(_choice, moves, cards, range(1, len(moves) + 1), brief))


def _follows(now: Sight, legal: Sequence[Card]) -> bool:
    """Return whether the seat has to follow suit."""
    led = led_suit(now.trick)
    return led is not None and led in [card.suit for card in legal]


def _doing(now: Sight, legal: Sequence[Card], suit: Callable[[Suit], str], free: Callable[[Card], str]) -> str:
    """Return what has to be done: `lead`, `play`, `no H, play` or `follow H, or W`."""
    led = led_suit(now.trick)
    if led is None:
        return "play" if now.trick else "lead"
    if not _follows(now, legal):
        return f"no {suit(led)}, play"
    besides = sorted({card for card in legal if card.suit is None}, key=lambda card: -card.rank)
    return f"follow {suit(led)}" + (f", or {listing(map(free, besides), 'or')}" if besides else "")


def suit_in(suit: Suit, reader: Reader) -> str:
    """Return a suit in the reader's notation: `♠` or `S`, or aloud `spades`."""
    if reader.voice.spoken:
        return suit.name.casefold()
    return suit.symbol if reader.voice.suits == "symbols" else str(suit)


def trump_in(now: Sight, reader: Reader) -> str:
    """Return the trump in two words."""
    deal = now.deal
    if deal.unnamed:
        return "trump unnamed"
    return f"trump {suit_in(deal.trump, reader)}" if deal.trump else "no trump"


def _strip(now: Sight, reader: Reader) -> Strip:
    """Return the seats in the order of the trick, each with its card, tricks taken and bid."""
    number, trump = f"{len(now.tricks) + 1}/{now.deal.cards}", trump_in(now, reader)
    return Strip(f"Trick {number}, {trump}", f"{number} {trump.removeprefix('trump ')}", tuple(_places(now, reader)))


def _places(now: Sight, reader: Reader) -> Iterator[Place]:
    deal, trick, write = now.deal, now.trick, notation(reader)
    best = winning(trick, deal.trump, deal.crowned, deal.dupes) if trick else None
    for place, seat in enumerate(deal.seats_from(exactbid.leader(now))):
        stands = f"{now.taken[seat]}/{now.bids[seat]}"
        if place >= len(trick):
            yield _place(seat, (f"-- {stands}", stands))
        elif place == best:
            yield _place(seat, (f"[{write(trick[place])}] {stands}",))
        else:
            yield _place(seat, (f"{write(trick[place])} {stands}",), minor=True)


# scores


def round_sheet(event: RoundScored, reader: Reader, why: Why) -> str:
    """Return the sheet of a finished round: a row for each seat, best total first, and the reason for its points."""
    slim = reader.voice.narrow
    order, numbers = _numbers(event, why, slim=slim)
    size = _SLIM_NAME if slim else _NAME
    names = [f"Round {event.number}", *[f" {short(reader.who(seat), size)}" for seat in order]]
    return "\n".join(map(str.__add__, left_aligned(names), numbers))


@lru_cache(maxsize=64)
def _numbers(event: RoundScored, why: Why, *, slim: bool) -> tuple[tuple[Seat, ...], tuple[str, ...]]:
    """Return the seats of a finished round, best total first, and the rows of its sheet without the names.

    All readers share them: the sheets of four take 0.4 of the time. To remove it, leave out `lru_cache`.
    """
    order = sorted(range(len(event.scores)), key=lambda seat: -event.scores[seat])
    rows = [("", "bid", "took", "pts" if slim else "points", "total", *(() if slim else ("why",)))]
    for seat in order:
        bid, took, points = event.bids[seat], event.taken[seat], event.points[seat]
        because = () if slim else (why(bid, took, points),)
        rows.append(("", str(bid), str(took), f"{points:+}", str(event.scores[seat]), *because))
    return tuple(order), tuple(sheet(rows, _ALIGNED))


def final_sheet(view: Any, reader: Reader) -> list[str]:
    """Return the scores of a whole game: a row for each seat, best first, a column for each round, and bids made."""
    played: Sequence[Row] = view.match.sheet
    scores: Sequence[int] = view.match.scores
    order = sorted(range(len(scores)), key=lambda seat: -scores[seat])
    made = [sum(row.bids[seat] == row.taken[seat] for row in played) for seat in range(len(scores))]
    names = {seat: short(reader.who(seat), _SLIM_NAME if reader.voice.narrow else _NAME) for seat in order}
    places = {seat: 1 + sum(score > scores[seat] for score in scores) for seat in order}
    shown = () if reader.voice.narrow else played[-_GRID:]
    while True:
        heads = ("", *(str(row.cards) for row in shown), "total", "made")
        rows = [heads]
        for seat in order:
            points = (f"{row.points[seat]:+}" for row in shown)
            rows.append(
                (f" {places[seat]} {names[seat]}", *points, str(scores[seat]), f"{made[seat]} of {len(played)}")
            )
        found = sheet(rows, len(heads))
        if not shown or max(map(columns, found)) <= width_for(reader):
            return found
        shown = shown[1:]


# the table


def _mover(view: Any) -> Seat | None:
    """Return the seat that bids or plays."""
    return view.round.turn if view.round else None


def picture(view: Any, reader: Reader, turn: Callable[[Any], Seat | None] = _mover) -> Picture:
    """Return the picture of the table, from a view; `turn` returns its seat to move, also before the deal."""
    mover = turn(view)
    now: Sight | None = view.round
    scores = view.match.scores
    heads = (Column("took/bid"), Column("total", "point", leads=True))
    if now is None:
        stands = enumerate(scores)
        seats = tuple(PictureSeat(seat, ("--", str(score)), to_move=seat == mover) for seat, score in stands)
        return Picture(("no cards dealt",), heads, seats, grid=_grid(view))
    deal, lead = now.deal, exactbid.leader(now)
    turned = f" ({card_in(deal.turned, reader)})" if deal.turned else ""
    facts = [f"round {deal.number} of {view.match.rounds}"]
    if exactbid.bidding(now):
        facts += [count(deal.cards, "card") + " each", trump_in(now, reader) + turned, "bidding"]
    else:
        bids = sum(bid or 0 for bid in now.bids)
        facts += [f"trick {min(len(now.tricks) + 1, deal.cards)} of {deal.cards}", trump_in(now, reader) + turned]
        facts.append(f"bids {bids} for {count(deal.cards, 'trick')}")
    best = winning(now.trick, deal.trump, deal.crowned, deal.dupes) if now.trick else None
    placed = {deal.left_of(lead, place): place for place in range(len(now.trick))}
    gone = cancelled(now.trick, deal.dupes)
    ids = _Ids(now, reader.seat)
    seats = tuple(
        PictureSeat(
            seat,
            (_stands(now, seat), str(scores[seat])),
            (_laid(now, placed[seat], seat, ids, reader) if seat in placed else Piece("card", NOTHING),),
            "led" if placed.get(seat) == 0 and best != 0 else "",
            winning=seat in placed and placed[seat] == best,
            cancelled=placed.get(seat) in gone,
            to_move=seat == mover,
            dealer=seat == deal.dealer,
            tone=_tone(now, seat),
        )
        for seat in deal.order
    )
    return Picture(
        tuple(facts),
        heads,
        seats,
        _hand(now, ids, reader) if now.hand else None,
        middle=tuple(_middle(now)),
        led=None if exactbid.bidding(now) else lead,
        last_trick=_taken(now, now.tricks[-1], reader, ids) if now.tricks else None,
        barred=tuple(_barred(now, reader)),
        grid=_grid(view),
    )


def _laid(now: Sight, place: int, seat: Seat, ids: _Ids, reader: Reader) -> Piece:
    """Return the card that a seat has played to the trick."""
    return Piece("card", card_in(now.trick[place], reader), ids.played(seat, len(now.tricks))[0])


def _hand(now: Sight, ids: _Ids, reader: Reader) -> Zone:
    return Zone("Your hand", tuple(map(partial(Piece, "card"), map(notation(reader), now.hand), ids.held())))


def _barred(now: Sight, reader: Reader) -> Iterator[Barred]:
    """Yield the bid of the last bidder that makes the bids add up, which some rules forbid."""
    even = exactbid.evening_bid(now) if now.turn == reader.seat else None
    if even is not None:
        yield Barred(f"bid {even}", _why_barred(now))


def _grid(view: Any) -> Grid | None:
    """Return the points of each round, with the tricks taken and bid; None before the first round is over."""
    rows: Sequence[Row] = view.match.sheet
    if not rows:
        return None
    heads = tuple(str(number) for number in range(1, len(rows) + 1))
    return Grid(heads, tuple(_grid_row(rows, seat, total) for seat, total in enumerate(view.match.scores)))


def _grid_row(rows: Sequence[Row], seat: Seat, total: int) -> GridRow:
    points = tuple(f"{row.points[seat]:+}" for row in rows)
    return GridRow(seat, str(total), points, tuple(f"{row.taken[seat]}/{row.bids[seat]}" for row in rows))


class _Ids:
    """The ids of the cards of a round, for one reader.

    Twins of two packs are numbered in the order in which a seat plays them. So a card keeps its id when it is played.
    """

    def __init__(self, now: Sight, own: Seat | None) -> None:
        self._now = now
        self._own = own
        self._played: dict[Seat, list[Card]] = {seat: [] for seat in now.deal.order}
        tricks = (*((trick.leader, trick.cards) for trick in now.tricks), (exactbid.leader(now), now.trick))
        for leader, cards in tricks:
            for place, card in enumerate(cards):
                self._played[now.deal.left_of(leader, place)].append(card)

    def held(self) -> tuple[str, ...]:
        """Return the ids of the reader's hand."""
        played = self._played.get(self._own, []) if self._own is not None else []
        return picture_ids([*map(str, played), *map(str, self._now.hand)])[len(played) :]

    def played(self, seat: Seat, trick: int) -> tuple[str, ...]:
        """Return the id of the card that a seat has played to a trick, counted from 0."""
        whose = None if seat == self._own else seat
        return picture_ids(map(str, self._played[seat][: trick + 1]), whose)[trick:]


def _tone(now: Sight, seat: Seat) -> Tone:
    """Return whether a seat has reached or passed its bid."""
    bid, taken = now.bids[seat], now.taken[seat]
    if bid is None or exactbid.bidding(now):
        return ""
    return "on" if taken == bid else "over" if taken > bid else "under"


def _middle(now: Sight) -> Iterator[str]:
    """Yield which suit is led."""
    led = led_suit(now.trick)
    if led:
        yield f"{led.name.casefold()} led"


def _taken(now: Sight, trick: exactbid.Trick, reader: Reader, ids: _Ids) -> TrickTaken:
    seats = [now.deal.left_of(trick.leader, place) for place in range(len(trick.cards))]
    cards = zip(seats, map(notation(reader), trick.cards), strict=True)
    last = len(now.tricks) - 1
    return TrickTaken(tuple(cards), trick.winner, tuple(one for seat in seats for one in ids.played(seat, last)))


def _stands(now: Sight, seat: Seat) -> str:
    bid = now.bids[seat]
    return "no bid" if bid is None else f"{now.taken[seat]}/{bid}"


def glance(view: Any, reader: Reader) -> list[str]:
    """Return the number of the round, and whether the bids add up."""
    now: Sight | None = view.round
    if now is None:
        return ["about to begin"]
    last = now.deal.number == view.match.rounds
    round_ = "last round" if last else f"round {now.deal.number} of {view.match.rounds}"
    if exactbid.bidding(now):
        return [round_, "bidding"]
    return [round_, f"bids {sum(bid or 0 for bid in now.bids)} for {count(now.deal.cards, 'trick')}"]


def deals(view: Any) -> list[tuple[int, ...]]:
    """Return each seat's points in each finished round; every round has a deal of its own."""
    return [row.points for row in view.match.sheet]
