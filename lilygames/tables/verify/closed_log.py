"""A finished game whose seal stays closed, as one person may see it: the acts, events of moves, and proofs of cards.

The rows are linked like those of other exports. But a move has the events that the person saw instead of the act.
It has no digest of the story either, because that would let anyone test a guess. Another act, such as the start, has
the events that the person saw beside it. Proofs follow, one for each card or line of digits that the person saw. A
mucked card is never proved. Nor is a card that came after a reshuffle, because its place in the pack would reveal who
had discarded it. A line that was drawn twice is marked as unproven: perhaps the person saw only one of the two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any

import attrs

from lilygames import codec
from lilygames.chat.names.names import fold
from lilygames.game import Game, HiddenDigits, HiddenShuffle
from lilygames.proofs import commitments
from lilygames.store import Entry
from lilygames.tables.log.acts import (
    Act,
    Body,
    Header,
    Start,
    Undone,
    UndoneUncounted,
)
from lilygames.tables.log.names_beside import with_names
from lilygames.tables.log.seat_ids import SeatIds
from lilygames.tables.seal.closed_deck import ClosedDeck, Leaf, Proof
from lilygames.tables.state import visible
from lilygames.tables.state.table import Table, fixed_facts
from lilygames.tables.verify.draws import Record, RecordedLuck
from lilygames.tables.verify.due_proofs import texts_in
from lilygames.tables.verify.export import Row, ended, first_row, line, linked
from lilygames_rules.kit import Event, KeyedLuck, Purpose, Seat


@attrs.frozen
class Replayed:
    """One entry of the log with its events, its draws, and the tables before and after it."""

    entry: Entry
    act: Act
    events: tuple[Event, ...]
    draws: Mapping[Purpose, Sequence[codec.Json]]
    before: Table
    after: Table


def closed_export(
    header: Header,
    game: Game,
    secret: bytes,
    entries: Iterable[Entry],
    *,
    name: str,
    key: Callable[[str], str] = fold,
) -> list[str]:
    """Return the log as JSON lines, as the person may see it; raises `Diverged`. Slow: run it in a thread."""
    steps, table = _replayed(Table(header, game, secret), entries)
    people = header.people
    seat = next((n for n, who in enumerate(table.seats) if not who.house and key(who.name) == key(name)), None)
    rows = [*linked(first_row(header), (_row(step, seat, people) for step in steps))]
    rows += map(_proof_row, proofs(steps, table, seat))
    rows += ({"unproven": [*run]} for run in table.rounds.unproven)
    rows += ({"unproven": text} for text in _equal_lines_seen(steps, table, seat))
    return [line(row) for row in [*rows, ended(rows)]]


def _replayed(table: Table, entries: Iterable[Entry]) -> tuple[list[Replayed], Table]:
    record: Record = {}
    table = attrs.evolve(table, lucky=partial(RecordedLuck, record=record))
    steps = []
    for entry in entries:
        record.clear()
        after, events = table.read(entry)
        draws = {key[1:]: made for key, made in record.items() if key[:1] == ("luck",)}
        steps.append(Replayed(entry, codec.from_text(entry.body, Body).act, events, draws, table, after))
        table = after
    return steps, table


def _row(step: Replayed, seat: Seat | None, people: SeatIds) -> Row:
    act, entry, seen = visible.act_of_closed_log(step.act), step.entry, codec.dump(visible.all_seen(step.events, seat))
    said = {"seen": seen} if act is None or seen else {}
    if act is not None:
        said["act"] = codec.dump(with_names(act, people.id_of))
    return {"seq": entry.seq, "at": entry.at, "by": people.id_of(entry.by), **said}


def _proof_row(numbered: tuple[int, Proof]) -> Row:
    round_, proof = numbered
    leaf = proof.leaf
    return {
        "proof": [*leaf.purpose],
        "item": leaf.item,
        "value": leaf.value,
        "salt": proof.salt.hex(),
        "path": [one.hex() for one in proof.path],
        "round": round_,
    }


def proof_of(row: Row) -> tuple[int, Proof]:
    """Return the round and the proof of a row; raises `ValueError`, `KeyError` or `TypeError`."""
    leaf = Leaf(
        codec.load(row["proof"], tuple[str | int, ...]),
        codec.load(row["item"], int | str),
        codec.load(row["value"], bool | int | str),
    )
    path = tuple(bytes.fromhex(one) for one in codec.load(row["path"], tuple[str, ...]))
    return codec.load(row["round"], int), Proof(leaf, bytes.fromhex(row["salt"]), path)


# which cards a person saw


def proofs(steps: Sequence[Replayed], table: Table, seat: Seat | None) -> Iterator[tuple[int, Proof]]:
    """Yield the proof of each card and line that a seat, or a spectator, saw, with the round of its root."""
    yield from _fact_proofs(steps, table.game, seat)
    hidden = table.game.hidden(table.options)
    decks, told, lines = dict[int, ClosedDeck](), set[tuple[Purpose, int]](), _all_lines(steps, hidden)
    for place, step in enumerate(steps):
        for purpose, made in step.draws.items():
            draw = next((one for one in hidden if one.purpose == purpose[0]), None)
            if draw is None or step.before.luck.deck is None:
                continue
            deck = step.before.luck.deck(purpose)
            deck = decks.setdefault(deck.sealed, deck)  # one tree for all its proofs
            match draw:
                case HiddenShuffle(proven=True):
                    texts = _of_the_hand(steps, place, int(purpose[1]), hidden, seat)
                    items = _cards_seen(draw, deck, purpose, made, texts)
                case HiddenDigits():
                    texts = _texts(event for later in steps[place:] for event in _seen(later, seat))
                    items = [one for one, text in _lines(draw, made) if text in texts and lines[text] == 1]
                case _:
                    continue
            for item in items:
                proof = None if (purpose, item) in told else deck.proof(purpose, item)
                told.add((purpose, item))
                if proof:
                    yield deck.sealed, proof


def _fact_proofs(steps: Sequence[Replayed], game: Game, seat: Seat | None) -> Iterator[tuple[int, Proof]]:
    """Yield the proof of each fact of the deal that a seat, or a spectator, was told, in the order of the log."""
    begun = next((step.after for step in steps if isinstance(step.act, Start) and step.act.root), None)
    fixed = fixed_facts(begun, begun.state, begun.rounds) if begun else None
    if game.facts and fixed:
        events = chain.from_iterable(_seen(step, seat) for step in steps)
        names = dict.fromkeys(name for event in events for name, _ in game.facts.told(event))
        yield from ((fixed.round, fixed.proof(name)) for name in names)


def _seen(step: Replayed, seat: Seat | None) -> tuple[Event, ...]:
    return visible.all_seen(step.events, seat)


def _of_the_hand(
    steps: Sequence[Replayed], place: int, hand: int, hidden: Sequence[Any], seat: Seat | None
) -> set[str]:
    """Return the texts that a seat saw in a hand dealt at `place`, up to the next deal, reshuffle or undo.

    The event that begins the next hand ends this one; an entry can deal several. After an undo, it isn't clear which
    hand a card is from.
    """
    kinds = {one.purpose: one for one in hidden if isinstance(one, HiddenShuffle)}
    begins: Any = next(one.begins for one in kinds.values() if one.proven)
    events = _seen(steps[place], seat)
    start = next(at for at, event in enumerate(events) if isinstance(event, begins) and event.number == hand)
    seen, last = _before(events[start + 1 :], begins)
    for step in steps[place + 1 :]:
        reshuffled = any(str(purpose[0]) in kinds and not kinds[str(purpose[0])].proven for purpose in step.draws)
        if last or reshuffled or isinstance(step.act, Undone | UndoneUncounted):
            break
        more, last = _before(_seen(step, seat), begins)
        seen += more
    return {*texts_in(codec.dump(seen))}


def _before(events: Sequence[Event], begins: type[Event]) -> tuple[list[Event], bool]:
    """Return the events before the first one that begins a hand, and whether there is one."""
    place = next((place for place, event in enumerate(events) if isinstance(event, begins)), None)
    return [*events[:place]], place is not None


def _cards_seen(
    draw: HiddenShuffle, deck: ClosedDeck, purpose: Purpose, made: Sequence[codec.Json], texts: set[str]
) -> list[int]:
    """Return the leaves of the cards of a shuffle that are among the texts, in the order of the deal."""
    public = KeyedLuck(commitments.draw_key(deck.cut, *purpose)).shuffle(range(draw.cards))
    (_, _, cards), *_ = made
    return [leaf for leaf, card in zip(public, cards, strict=True) if card in texts]


def _lines(draw: HiddenDigits, made: Sequence[codec.Json]) -> Iterable[tuple[int, str]]:
    """Return the lines of digits of a draw, each with its number."""
    digits = "".join(result for _, items, result in made if len(items) == len("0123456789"))
    return enumerate((digits[start : start + draw.digits] for start in range(0, len(digits), draw.digits)), 1)


def _all_lines(steps: Iterable[Replayed], hidden: Iterable[HiddenShuffle | HiddenDigits]) -> Counter[str]:
    """Return how often each line was drawn. Equal ones aren't proved: perhaps only one of them was seen."""
    kinds = {one.purpose: one for one in hidden if isinstance(one, HiddenDigits)}
    draws = (drawn for step in steps for drawn in step.draws.items() if drawn[0][0] in kinds)
    return Counter(text for purpose, made in draws for _, text in _lines(kinds[str(purpose[0])], made))


def _equal_lines_seen(steps: Sequence[Replayed], table: Table, seat: Seat | None) -> list[str]:
    """Return the lines that a seat, or a spectator, saw and that were drawn more than once."""
    lines = _all_lines(steps, table.game.hidden(table.options))
    equal = {text for text, times in lines.items() if times > 1}
    return sorted(equal & {text for step in steps for text in texts_in(codec.dump(_seen(step, seat)))}) if equal else []


def _texts(events: Iterable[Event]) -> set[str]:
    """Return all texts in the events, such as the notation of a card."""
    return {*chain.from_iterable(texts_in(codec.dump(event)) for event in events)}
