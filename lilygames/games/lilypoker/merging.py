"""How lily-poker tells moves in sequence: bets share a row, the end of a hand is a block, and so is the next deal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

import attrs

from lilygames.game import InSequence, Merging, Reader
from lilygames.games.lilypoker import words
from lilygames.games.lilypoker.told import NAME, SLIM_NAME, sorted_in
from lilygames.layout import packed, short, side_by_side, width_for
from lilygames.text import columns, listing
from lilygames_rules.kit import Seat
from lilygames_rules.lilypoker import HandBegun
from lilygames_rules.poker.bets import AntesPaid, BetMade, BlindPosted, Called, Checked, Folded, Raised, Returned
from lilygames_rules.poker.cards import CardsDealt, CardsDrawn
from lilygames_rules.poker.deal import HandMucked, HandShown, PotWon

_END = (Returned, HandShown, HandMucked, PotWon)
_DEAL = (HandBegun, AntesPaid, BlindPosted, CardsDealt)
_INDENT = "  "
_OTHERS = side_by_side(words.tell, Checked, Called, BetMade, Raised, Folded, CardsDrawn)
"""How all other events are told."""


def rows(moves: InSequence) -> list[str]:
    """Return the rows for moves in sequence."""
    return [row for part, events in groupby(moves.events, _part) for row in _told(part, [*events], moves)]


def _part(event: Any) -> str:
    """Return the part of a hand that an event belongs to."""
    return "end" if isinstance(event, _END) else "deal" if isinstance(event, _DEAL) else "others"


def _told(part: str, events: Sequence[Any], moves: InSequence) -> Iterable[str]:
    if part == "end" and any(isinstance(event, PotWon) for event in events):
        return _ended(events, moves.reader)
    if part == "deal":
        return _dealt(events, moves)
    return () if _is_shown_by_turn(events, moves) else _OTHERS.rows(attrs.evolve(moves, events=tuple(events)))


def _is_shown_by_turn(events: Sequence[Any], moves: InSequence) -> bool:
    """Whether the reader's turn shows the events: checks on a street on which the reader has yet to act."""
    if not (moves.asked and moves.person is None and all(isinstance(event, Checked) for event in events)):
        return False
    deal = moves.view.deal
    return _begins(moves.events) or (deal is not None and moves.reader.seat in deal.betting.waiting)


# the end of a hand


def _ended(events: Sequence[Any], reader: Reader) -> list[str]:
    """Return who won what with which hand, and below it each hand if several were shown, the winners' first."""
    shown = [event for event in events if isinstance(event, HandShown)]
    pots = [event for event in events if isinstance(event, PotWon)]
    returned = [event for event in events if isinstance(event, Returned)]
    mucked = [event.seat for event in events if isinstance(event, HandMucked)]
    if not shown:
        return _side_by_side([_uncontested(pots[0], returned, reader)], reader)
    sentences = [words.tell(event, reader) for event in returned]
    sentences += [_won(pot, shown, reader) for pot in pots]
    sentences += [_mucked(mucked, reader)] if mucked else []
    return [*_side_by_side(sentences, reader), *(_hands(shown, pots, reader) if len(shown) > 1 else ())]


def _uncontested(pot: PotWon, returned: Sequence[Returned], reader: Reader) -> str:
    """Return what the last seat in wins: `Ada takes back the uncalled 2 and wins the pot of 6.`."""
    (seat, amount), *_ = pot.shares
    if not returned:
        return reader.says(seat, f"wins the pot of {amount}.", f"win the pot of {amount}.")
    back = f"back the uncalled {returned[0].amount} and"
    return reader.says(seat, f"takes {back} wins the pot of {amount}.", f"take {back} win the pot of {amount}.")


def _won(pot: PotWon, shown: Sequence[HandShown], reader: Reader) -> str:
    """Return who won a pot with which hand: `Pot 42 to bob: two pair, kings and fours.`.

    If it's the only hand that was shown, its cards are named, too.
    """
    head = f"Side pot {pot.side}, {pot.amount} chips," if pot.side else f"Pot {pot.amount}"
    best = next(event for event in shown if event.seat == pot.shares[0][0])
    cards = f"{sorted_in(best.cards, reader)}, " if len(shown) == 1 else ""
    why = f": {cards}{best.worth.words}" if best.worth else ""
    if len(pot.shares) == 1:
        return f"{head} to {reader.who(best.seat)}{why}."
    return f"{head} is split, {listing(f'{reader.who(seat)} {amount}' for seat, amount in pot.shares)}{why}."


def _mucked(seats: Sequence[Seat], reader: Reader) -> str:
    """Return who mucks: `You and Max muck.`, `Max and you muck.`."""
    if len(seats) == 1:
        return reader.says(seats[0], "mucks.", "muck.")
    who = reader.everyone(seats)
    return f"{'You' if seats[0] == reader.seat else who[:3]}{who[3:]} muck."


def _hands(shown: Sequence[HandShown], pots: Sequence[PotWon], reader: Reader) -> Iterator[str]:
    """Yield each hand in columns, with its name unless a pot's sentence names it."""
    winners = {seat for pot in pots for seat, _ in pot.shares}
    ordered = sorted(shown, key=lambda event: event.seat not in winners)
    names = [short(reader.who(event.seat), SLIM_NAME if reader.voice.narrow else NAME) for event in ordered]
    hands = [sorted_in(event.cards, reader) for event in ordered]
    for event, *cells in zip(ordered, _padded(names), _padded(hands), strict=True):
        row = f" {'  '.join(cells)}"
        if event.worth is None or event.seat in winners:
            yield row.rstrip()
        else:
            yield from packed([row, event.worth.words], width_for(reader), _INDENT * 2)


def _padded(cells: Sequence[str]) -> list[str]:
    """Return cells of equal width."""
    width = max(map(columns, cells))
    return [cell + " " * (width - columns(cell)) for cell in cells]


# the next deal


def _dealt(events: Sequence[Any], moves: InSequence) -> list[str]:
    """Return the rows of a deal; if the reader's turn comes next, it shows a new hand."""
    left_out = CardsDealt if moves.asked and _begins(events) else ()
    return _side_by_side(
        (words.tell(event, moves.reader) for event in events if not isinstance(event, left_out)), moves.reader
    )


def _begins(events: Sequence[Any]) -> bool:
    return any(isinstance(event, HandBegun) for event in events)


def _side_by_side(sentences: Iterable[str], reader: Reader) -> list[str]:
    """Return sentences, as many in a row as fit."""
    return packed(filter(None, sentences), width_for(reader), gap=" ")


MERGING = Merging((*_OTHERS.waits, *_DEAL), rows)
