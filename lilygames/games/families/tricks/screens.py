"""The screens that exact-bid games share: a turn, the score sheets, and the picture of the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Any

from lilygames.game import Reader
from lilygames.games.families.cards.spoken import by_suit
from lilygames.games.families.cards.words import card_in, cards_in, notation
from lilygames.layout import left_aligned, packed, sheet, short, width_for
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
from lilygames.scene import Choice, Fact, Held, Turn, numbered
from lilygames.text import columns, count, listing, wrap
from lilygames_rules.cards import Card, Suit
from lilygames_rules.kit import Seat
from lilygames_rules.tricks import exactbid
from lilygames_rules.tricks.exactbid import Bid, Play, RoundScored, Row, Sight
from lilygames_rules.tricks.trick import cancelled, led_suit, winning

_ROWS, _SLIM_ROWS = 2, 4
"""Rows of a turn on a wide and on a narrow screen, for six seats and ten cards."""
_FEW = 4
"""Up to this many bids are listed one by one, more as a range."""
_NAME, _SLIM_NAME, _CUT = 8, 6, 3
"""Columns of names, by how much room there is."""
_ALIGNED = 5
"""Columns of the sheet of a round before the reasons."""
_GRID = 12
"""The most rounds on the last sheet: the latest ones."""
_INDENT = "  "

Ask = Callable[[Any, Sequence[Any], Reader], str]
Why = Callable[[int, int, int], str]
"""Returns in a few words why a bid and a number of tricks gave this many points."""


# a turn


def asks(view: Any, moves: Sequence[Any], reader: Reader) -> Turn:
    """Return the turn: the bids that are open, or the cards that may be played."""
    now: Sight = view.round
    held = Held("Your hand")
    if isinstance(moves[0], Bid):
        bids = (Choice(move, f"bid {move.tricks}", number=move.tricks) for move in moves)
        return Turn("How many tricks will you take?", tuple(_bid_facts(view, now, reader)), held, tuple(bids))
    legal = [move.card for move in moves]
    cards = (Choice(move, f"play {card_in(move.card, reader)}") for move in moves)
    return Turn(_what_to_play(now, legal, reader), (), held, tuple(numbered(cards)))


def _bid_facts(view: Any, now: Sight, reader: Reader) -> Iterator[Fact]:
    """Yield what a bidder needs: the round and its trump, who deals, and the bids before."""
    deal = now.deal
    turned = f" ({card_in(deal.turned, reader)})" if deal.turned else ""
    yield Fact(
        (f"Round {deal.number} of {view.match.rounds}: {count(deal.cards, 'card')}, {trump_in(now, reader)}{turned}.",)
    )
    yield Fact((reader.says(deal.dealer, "deals.", "deal."),))
    order = (deal.left_of(deal.dealer, place + 1) for place in range(len(deal.order)))
    made = [f"{reader.who(seat)} {now.bids[seat]}" for seat in order if now.bids[seat] is not None]
    yield Fact((f"Bids: {', '.join(made)}." if made else "You bid first.",))


def _what_to_play(now: Sight, legal: Sequence[Card], reader: Reader) -> str:
    led = led_suit(now.trick)
    if not now.trick:
        return "Lead a card"
    if led is None:
        return "Play a card"
    if led not in [card.suit for card in legal]:
        return f"You have no {led.word}: play any card"
    free = dict.fromkeys(f"a {by_suit([card])}" for card in legal if card.suit is None)
    besides = f", or play {listing(free, 'or')}" if free else ""
    return f"Follow {led.word}{besides}"


def turn(view: Any, moves: Sequence[Any], reader: Reader, ask: Ask) -> list[str]:
    """Return the rows that ask for a bid or a card: the table, then the moves and the whole hand.

    `ask` words the question of any other turn.
    """
    now: Sight | None = view.round
    if now is None or not isinstance(moves[0], Bid | Play):
        return wrap(f"Your turn: {ask(view, moves, reader)}.", width_for(reader))
    width, most = width_for(reader), _SLIM_ROWS if reader.voice.narrow else _ROWS
    bids = isinstance(moves[0], Bid)
    state: list[str] = []
    prompt: list[str] = []
    for prompt in _bid_prompts(now, moves, reader) if bids else _play_prompts(now, moves, reader):
        for state in _bids(view, now, reader) if bids else _tricks(now, reader):
            rows = [*state, *prompt]
            if len(rows) <= most and max(map(columns, rows)) <= width:
                return rows
    return [*packed(state, width, _INDENT), *packed(prompt, width, _INDENT)]


def suit_in(suit: Suit, reader: Reader) -> str:
    """Return a suit in the reader's notation: `♠` or `S`."""
    return suit.symbol if reader.voice.suits == "symbols" else str(suit)


def trump_in(now: Sight, reader: Reader) -> str:
    """Return the trump in two words."""
    deal = now.deal
    if deal.unnamed:
        return "trump unnamed"
    return f"trump {suit_in(deal.trump, reader)}" if deal.trump else "no trump"


def _bids(view: Any, now: Sight, reader: Reader) -> Iterator[list[str]]:
    """Yield layouts of the facts that a bidder needs, the fullest first."""
    deal = now.deal
    turned = f" ({card_in(deal.turned, reader)})" if deal.turned else ""
    deals = "You deal." if deal.dealer == reader.seat else f"{short(reader.who(deal.dealer), _NAME)} deals."
    made = [
        (seat, bid)
        for place in range(len(deal.order))
        if (bid := now.bids[seat := deal.left_of(deal.dealer, place + 1)]) is not None
    ]
    for size in (_NAME, _CUT):
        bids = ", ".join(f"{short(reader.who(seat), size)} {bid}" for seat, bid in made)
        said = f"Bids: {bids}." if made else "You bid first."
        round_of = (
            f"{deal.number} of {view.match.rounds}: {count(deal.cards, 'card')}, {trump_in(now, reader)}{turned}."
        )
        yield [f"Round {round_of} {deals} {said}"]
        yield [f"Round {round_of} {said}"]
        yield [f"Round {round_of}", f"{deals} {said}"]
        yield [f"{deal.number}/{view.match.rounds}, {trump_in(now, reader)}. {said}"]
        yield [f"{deal.number}/{view.match.rounds}, {trump_in(now, reader)}. {deals}", said]
    yield [f"{deal.number}/{view.match.rounds}, {trump_in(now, reader)}.", *said.split(", ")]


def _bid_prompts(now: Sight, moves: Sequence[Any], reader: Reader) -> Iterator[list[str]]:
    open_to = [move.tricks for move in moves]
    even = exactbid.evening_bid(now)
    barred = even is not None and even not in open_to
    reason = f" (not {even}: bids may not add up to {now.deal.cards})" if barred else ""
    hand = cards_in(now.hand, reader)
    yield [f"Your turn: bid {_bids_in(open_to, even if barred else None)}{reason}. Hand: {hand}"]
    plain = f"Your turn: bid {_bids_in(open_to, even if barred else None)}{f' (not {even})' if barred else ''}."
    yield [f"{plain} Hand: {hand}"]
    yield [plain, f"Hand: {hand}"]
    yield [plain, *packed(map(notation(reader), now.hand), width_for(reader), _INDENT, gap=" ")]


def _bids_in(open_to: Sequence[int], barred: int | None) -> str:
    """Return `0, 1 or 3`, or `0-7` for many; then the barred one is named after it."""
    if len(open_to) <= _FEW or (barred is None and len(open_to) != open_to[-1] - open_to[0] + 1):
        return listing(map(str, open_to), "or")
    return f"{open_to[0]}-{open_to[-1]}"


def _tricks(now: Sight, reader: Reader) -> Iterator[list[str]]:
    """Yield layouts of the trick with everyone's bids, the fullest first."""
    width, number, trump = width_for(reader), f"{len(now.tricks) + 1}/{now.deal.cards}", trump_in(now, reader)
    long, brief = f"Trick {number}, {trump}", f"{number} {trump.removeprefix('trump ')}:"
    if reader.voice.narrow:
        for size in (_SLIM_NAME, _CUT):
            yield [long, *packed(_places(now, reader, size), width)]
            first, *others = _places(now, reader, size)
            yield packed([f"{brief} {first}", *others], width)
    else:
        yield [f"{long}: {'   '.join(_places(now, reader, _NAME))}"]
        yield [f"{long}: {'  '.join(_places(now, reader, _NAME))}"]
        yield [f"{long}: {'  '.join(_places(now, reader, _CUT))}"]
        yield [f"{brief} {'  '.join(_places(now, reader, _CUT))}"]
        yield [f"{brief} {'  '.join(_places(now, reader, _CUT, blank=''))}"]
        yield [f"{brief} {' '.join(_places(now, reader, _CUT, blank=''))}"]
    to_come = _places(now, reader, _CUT, blank="", but=_beaten(now))
    yield packed([f"{brief} {to_come[0]}", *to_come[1:]], width, _INDENT)


def _places(now: Sight, reader: Reader, size: int, blank: str = "-- ", but: Sequence[Seat] = ()) -> list[str]:
    """Return a group for each seat in the order of the trick: its card, tricks taken and bid (`Max [K♥] 0/1`)."""
    deal, trick, taken, bids = now.deal, now.trick, now.taken, now.bids
    write = notation(reader)
    cards = [f"{write(card)} " for card in trick] + [blank] * (len(deal.order) - len(trick))
    best = winning(trick, deal.trump, deal.crowned, deal.dupes) if trick else None
    if best is not None:
        cards[best] = f"[{write(trick[best])}] "
    names = _short_names(reader.names, reader.seat, size)
    return [
        f"{names[seat]} {card}{taken[seat]}/{bids[seat]}"
        for seat, card in zip(deal.seats_from(exactbid.leader(now)), cards, strict=True)
        if seat not in but
    ]


@lru_cache(maxsize=1024)
def _short_names(names: tuple[str, ...], own: Seat | None, size: int) -> tuple[str, ...]:
    """Return what a reader calls each seat, cut to `size` columns. They are the same for a whole game."""
    return tuple("you" if seat == own else short(name, size) for seat, name in enumerate(names))


def _beaten(now: Sight) -> list[Seat]:
    """Return the seats whose card in the trick is beaten."""
    deal, lead = now.deal, exactbid.leader(now)
    best = winning(now.trick, deal.trump, deal.crowned, deal.dupes) if now.trick else None
    return [deal.left_of(lead, place) for place in range(len(now.trick)) if place != best]


def _play_prompts(now: Sight, moves: Sequence[Any], reader: Reader) -> Iterator[list[str]]:
    legal, write = [move.card for move in moves], notation(reader)
    numbered = [f"{number}. {write(card)}" for number, card in enumerate(legal, 1)]
    kept = [card for card in now.hand if card not in legal]
    off = [f"({' '.join(map(write, kept))})"] if kept else []
    asks = f"Your turn: {_doing(now, legal, reader)}"
    yield [f"{asks} {'  '.join([*numbered, *off])}"]
    yield [f"{asks} {' '.join([*numbered, *off])}"]
    close = [text.replace(". ", ".") for text in numbered]
    yield [f"{asks} {' '.join([*close, *off])}"]
    one_by_one = [*map(write, kept)]
    one_by_one = [f"({one_by_one[0]}", *one_by_one[1:-1], f"{one_by_one[-1]})"] if len(kept) > 1 else off
    for gap, shown in (("  ", numbered), (" ", numbered), (" ", close)):
        yield packed([f"{asks} {shown[0]}", *shown[1:], *one_by_one], width_for(reader), _INDENT, gap=gap)


def _doing(now: Sight, legal: Sequence[Card], reader: Reader) -> str:
    led = led_suit(now.trick)
    if not now.trick:
        return "lead:"
    if led is None:
        return "play:"
    if led not in [card.suit for card in legal]:
        return f"no {suit_in(led, reader)}, play:"
    free = sorted({notation(reader)(card) for card in legal if card.suit is None}, reverse=True)
    besides = f", or {listing(free, 'or')}" if free else ""
    return f"follow {suit_in(led, reader)}{besides}:"


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


def picture(view: Any, reader: Reader) -> Picture:
    """Return the picture of the table, from a view."""
    now: Sight | None = view.round
    scores = view.match.scores
    heads = (Column("took/bid"), Column("total", "point", leads=True))
    if now is None:
        seats = tuple(PictureSeat(seat, ("--", str(score))) for seat, score in enumerate(scores))
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
            to_move=seat == now.turn,
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
        yield Barred(f"bid {even}", f"the bids may not add up to {count(now.deal.cards, 'trick')}")


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
    """Yield which suit is led, and how the bids add up."""
    led = led_suit(now.trick)
    if led:
        yield f"{led.name.casefold()} led"
    if not exactbid.bidding(now):
        yield f"{sum(bid or 0 for bid in now.bids)} bid for {count(now.deal.cards, 'trick')}"


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
