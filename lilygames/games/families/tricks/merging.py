"""Bids and cards in sequence: one row for all of them, and the whole trick at its end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import Any

from lilygames.game import InSequence, Merging, Reader
from lilygames.games.families.cards.words import notation
from lilygames.games.families.tricks.words import TOLD
from lilygames.layout import SLIM, packed, width_for
from lilygames.text import columns
from lilygames_rules.cards import Card
from lilygames_rules.kit import Seat
from lilygames_rules.tricks.exactbid import (
    BidMade,
    CardPlayed,
    Dealt,
    HandDealt,
    Sight,
    TrickCancelled,
    TrickWon,
    leader,
)

MOVES = (BidMade, CardPlayed)
"""Events that a turn and the row of a whole trick repeat."""
DEALING = (Dealt, HandDealt)
"""Events that the turn of a bidder repeats."""
_ENDS = frozenset((TrickWon, TrickCancelled))
Tell = Callable[[Any, Reader], str]


class _Round:
    """The cards on the table while the events of a sequence are told."""

    def __init__(self, now: Sight | None) -> None:
        self._deal = now.deal if now else None
        self._number = len(now.tricks) + 1 if now else 1
        self._cards: list[tuple[Seat, Card]] = []
        if now and now.trick:
            self._cards = [*zip(now.deal.seats_from(leader(now)), now.trick, strict=False)]

    def play(self, seat: Seat, card: Card) -> None:
        """Add a card to the trick."""
        self._cards.append((seat, card))

    def trick(self, done: TrickWon | TrickCancelled, reader: Reader) -> list[str]:
        """Return the rows of the whole trick with its best card in brackets, and begin the next one."""
        best = done.seat if isinstance(done, TrickWon) else None
        write, who = notation(reader), reader.who
        cards = [
            f"{who(seat)} [{write(card)}]" if seat == best else f"{who(seat)} {write(card)}"
            for seat, card in self._cards
        ]
        number, self._number, self._cards = self._number, self._number + 1, []
        rounded = f"{number}/{self._deal.cards if self._deal else number}"
        if isinstance(done, TrickCancelled):
            ends = [TOLD[TrickCancelled](done, reader)] * 2
        else:
            takes = reader.says(done.seat, "takes it", "take it")
            ends = [
                f"{takes}: {done.taken} of {done.bid}.",
                f"{reader.says(done.seat, '', '').strip()} {done.taken}/{done.bid}.",
            ]
        if reader.voice.narrow:
            row = f"{' '.join(cards)}. {ends[1]}"
            whole = packed([*cards[:-1], f"{cards[-1]}.", ends[0]], SLIM, "  ", " ")
            return [row] if columns(row) <= SLIM else whole
        row, width = f"Trick {rounded}: {'  '.join(cards)}. {ends[0]}", width_for(reader)
        if columns(row) <= width:
            return [row]
        row = f"{rounded}: {'  '.join(cards)}. {ends[0]}"
        return [row if columns(row) <= width else f"{rounded}: {' '.join(cards)}. {ends[1]}"]


def merging(tell: Tell) -> Merging:
    """Return how a game of this family tells bids and cards in sequence. `tell` words all other events."""
    return Merging((*MOVES, *DEALING), partial(_rows, tell=tell), MOVES, as_spectators)


def as_spectators(events: Sequence[Any], seat: Seat, *, asked: bool, person: Seat | None) -> bool:
    """Return whether events are only bids and cards of others, and the rows of the player's turn leave none out."""
    for event in events:
        if not isinstance(event, MOVES) or event.seat == seat or (asked and event.seat != person):
            return False
    return True


def _rows(moves: InSequence, tell: Tell) -> list[str]:
    kinds = {*map(type, moves.events)}
    if len(kinds) == 1 and not kinds.isdisjoint(MOVES):  # most steps are one bid or card
        return _made(moves, moves.events)
    return [*_all_rows(moves, tell)]


def _all_rows(moves: InSequence, tell: Tell) -> Iterator[str]:
    ends = not _ENDS.isdisjoint(map(type, moves.events))
    now = _Round(moves.view.round) if ends else None
    for _, group in groupby(moves.events, type):
        events = [*group]
        match events[0]:
            case BidMade():
                yield from _made(moves, events)
            case CardPlayed():
                if now is None:
                    yield from _made(moves, events)
                    continue
                for event in events:
                    now.play(event.seat, event.card)
            case TrickWon() | TrickCancelled() as done if now:
                yield from now.trick(done, moves.reader)
            case Dealt() | HandDealt() if _is_shown_by_turn(moves):
                continue
            case _:
                for event in events:
                    yield from filter(None, tell(event, moves.reader).split("\n"))


def _is_shown_by_turn(moves: InSequence) -> bool:
    """Return whether the reader's turn shows all of the deal: not that the card turned up beats all, and only a bid."""
    if not moves.asked:
        return False
    deals = [event.deal for event in moves.events if isinstance(event, Dealt)]
    return not any(deal.unnamed or (deal.turned and deal.turned is deal.crowned) for deal in deals)


def _made(moves: InSequence, made: Sequence[BidMade | CardPlayed]) -> list[str]:
    """Return the row of bids or cards in sequence, without those that the reader's turn shows next."""
    reader = moves.reader
    told = [event for event in made if event.seat == moves.person] if moves.asked else made
    if not told:
        return []
    first, *others = told
    does, what = "bid" if isinstance(first, BidMade) else "play", _what(first, reader)
    row = reader.says(first.seat, f"{does}s {what}", f"{does} {what}")
    return [", ".join([row, *[f"{reader.who(event.seat)} {_what(event, reader)}" for event in others]]) + "."]


def _what(event: BidMade | CardPlayed, reader: Reader) -> str:
    return str(event.tricks) if isinstance(event, BidMade) else notation(reader)(event.card)
